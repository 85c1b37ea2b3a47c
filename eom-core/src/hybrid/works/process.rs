//! The impact of several contacts as a process: how their normal impulses grow beside each other, and where restitution ends.
//!
//! Of several contacts the work of each normal force depends on the order in which impulses grow. Liu, Zhao and Brogliato
//! (Proceedings of the Royal Society A 464 and 465, 2008 and 2009) take it from the works themselves: with the energy Eᵢ that
//! contact i has absorbed and not given back, springs of stiffness k under rigid bodies have
//!
//! ```text
//! dΛⱼ/dΛᵢ = (kⱼ/kᵢ)^(1/(η + 1)) (Eⱼ/Eᵢ)^(η/(η + 1))
//! dEᵢ = −ġᵢ dΛᵢ where ġᵢ < 0          dEᵢ = −ġᵢ dΛᵢ/eᵢ² where ġᵢ > 0          until no E is left and no gap closes
//! ```
//!
//! so that a contact gives back e² of what it took, in as many turns as there are. Here springs are linear, η = 1, and as stiff as each
//! other. With the inner time τ, dΛᵢ = λᵢ dτ and λᵢ = √(2k Eᵢ), that is
//!
//! ```text
//! λᵢ′ = −k ġᵢ while ġᵢ < 0          λᵢ′ = −k ġᵢ/eᵢ² while ġᵢ > 0, to λᵢ = 0          e = 0: λᵢ = 0 where ġᵢ = 0
//! ```
//!
//! whose k only measures τ: k = 1. λ is known at each τ, so that friction is that of known normal forces: v′ is the one that dissipates least
//! (`friction`), there is one, and nothing jams. Of one contact it is the process in its impulse (`impact_process`); contacts that
//! do not feel each other have theirs.
//!
//! Since d/dτ (T + Σ E) = −Σ μλ‖s‖ − Σ (e⁻² − 1) λġ over those that expand, energy never grows.
//!
//! Between changes of what contacts do the motion is a power series in τ (`work_series`); what slips do is told in `work_friction`.

use super::series::{Series, crossing};
use super::state::{Phase, Process, Spring, Term, Way};
use crate::friction::slip_state::norm;
use crate::impact::process::{NoImpulses, Varied, values};

/// Steps of the process.
const STEPS_MAX: usize = 20_000;

/// Steps are no longer than this, in the time of the springs.
const LONGEST: f64 = 2.0;

/// Derivatives have a tail that is longer: steps are so much shorter.
const SHORTER: f64 = 0.7;

/// A slip in a plane that leaves rest keeps its direction so long, in the time of the springs.
const LEAVING: f64 = 1e-5;

/// A smaller e gives back less than rounding.
pub(super) const LEAST_RESTITUTION: f64 = 1e-12;

/// Rates that are rounding of many steps, in units of that of one.
const WEDGED: f64 = 100.0;

/// A force of this part of what presses is none.
const BALANCED: f64 = 1e-9;

/// What changes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Rate(usize),
    Load(usize),
    Slip(usize),
    GivesWay,
}

/// The impact of contacts as a process, with their terms of friction, in d coordinates of what they can change, at this speed: the
/// change of these, and the normal impulses.
///
/// # Errors
/// [`NoImpulses`] where the process does not end, or, of numbers with derivatives, has none.
pub fn together<N: Varied>(
    springs: &[Spring<N>],
    terms: &[Term<N>],
    (d, speed): (usize, f64),
) -> Result<(Vec<N>, Vec<N>), NoImpulses> {
    Process::new(springs, terms, (d, speed)).outcome()
}

impl<N: Varied> Process<'_, N> {
    /// The change of y and the normal impulses.
    fn outcome(mut self) -> Result<(Vec<N>, Vec<N>), NoImpulses> {
        if N::VARIES {
            self.check_restitutions()?;
        }
        self.choose_ways(1.0)?;
        for _ in 0..STEPS_MAX {
            if self.is_over() {
                if N::VARIES {
                    self.check_end()?;
                }
                return Ok((self.y, self.impulses));
            }
            self.step()?;
        }
        Err(NoImpulses::Endless)
    }

    /// Whether nothing presses and no gap closes, or what presses is wedged: it moves no more, and friction holds it.
    fn is_over(&mut self) -> bool {
        let springs = self.springs.iter().enumerate();
        let rests = springs.map(|(i, spring)| match self.phases[i] {
            Phase::Open => self.rate(i).value() >= -spring.tolerance,
            // Nothing presses yet: what closes has still to be stopped.
            _ if self.loads[i].value() <= spring.least_load() => {
                self.rate(i).value().abs() <= spring.tolerance
            }
            Phase::Compressed | Phase::Expands => {
                self.rate(i).value().abs() <= WEDGED * spring.tolerance
            }
        });
        if !{ rests }.all(|rests| rests) {
            return false;
        }
        let mut force = self
            .force(&self.loads, &|t, c| self.loads[self.terms[t].spring] * self.direction(t, c));
        self.hold(&mut force);
        norm(&values(&force)) <= BALANCED * self.pressing(&self.loads)
    }

    /// To the next change, or as far as a series reaches.
    fn step(&mut self) -> Result<(), NoImpulses> {
        let series = Series::new(self);
        let ω = self.frequency();
        let leaves = self.leaves_rest();
        let longest = if leaves { LEAVING } else { LONGEST };
        let h = if ω > 0.0 { (longest / ω).min(series.reach(self.speed)) } else { 0.0 };
        let h = if N::VARIES { SHORTER * h } else { h };
        let (mut τ, mut change) = self.first_crossing(&series, h);
        if let Some(gives_way) = self.gives_way(&series, τ) {
            (τ, change) = (gives_way, Some(Change::GivesWay));
        }
        self.advance(&series, τ);
        match change {
            Some(Change::Rate(i)) => {
                if N::VARIES {
                    self.vary_end(i, (&series, τ))?;
                }
                self.turn(i);
            }
            Some(Change::Load(i)) => self.open(i),
            Some(Change::GivesWay) => return self.choose_ways(self.held_after()),
            Some(Change::Slip(t)) if N::VARIES => return self.vary_turn(t, (&series, τ)),
            Some(Change::Slip(_)) => {}
            None if leaves => {}
            None => return Ok(()),
        }
        self.choose_ways(1.0)
    }

    /// Whether a slip in a plane has just left rest.
    fn leaves_rest(&self) -> bool {
        self.ways.iter().any(|way| matches!(way, Way::Slides(u) if u.len() > 1))
    }

    /// The first guard that is crossed in [0, h]; h where none is.
    fn first_crossing(&self, series: &Series<N>, h: f64) -> (f64, Option<Change>) {
        let mut first = (h, None);
        let mut meet = |guard: &dyn Fn(f64) -> f64, tolerance: f64, change: Change| {
            let found = crossing(guard, h, tolerance);
            if let Some(τ) = found.filter(|τ| first.1.is_none() || *τ < first.0) {
                first = (τ, Some(change));
            }
        };
        for (i, spring) in self.springs.iter().enumerate() {
            let (rate, phase) = (&series.rates[i], self.phases[i]);
            let side = if phase == Phase::Compressed { -1.0 } else { 1.0 };
            // What presses has the phase that ġ is about to have; what rests closes where it is more than rounding.
            let turns = phase != Phase::Open && side * rate.first_slope() < 0.0;
            let tolerance = if turns { 0.0 } else { spring.tolerance };
            meet(&|τ| side * rate.value(τ), tolerance, Change::Rate(i));
            if phase != Phase::Open {
                meet(&|τ| series.loads[i].value(τ), spring.least_load(), Change::Load(i));
            }
        }
        for (t, term) in self.terms.iter().enumerate() {
            let at = |τ: f64| series.slips[t].iter().map(move |s| s.value(τ));
            match &self.ways[t] {
                Way::Slides(u) if u.len() == 1 => {
                    let along = |τ: f64| at(τ).map(|s| s * u[0]).sum();
                    meet(&along, term.tolerance, Change::Slip(t));
                }
                Way::Turns => {
                    let still = term.tolerance.powi(2);
                    meet(&|τ| at(τ).map(|s| s * s).sum::<f64>() - still, 0.0, Change::Slip(t));
                }
                Way::Slides(_) | Way::Sticks | Way::Idle => {}
            }
        }
        first
    }

    fn advance(&mut self, series: &Series<N>, τ: f64) {
        self.y.iter_mut().zip(&series.y).for_each(|(y, series)| *y = series.at(τ));
        for (i, λ) in series.loads.iter().enumerate() {
            self.impulses[i] = self.impulses[i] + λ.integral(τ);
            let λ = λ.at(τ);
            self.loads[i] = if λ.value() > 0.0 { λ } else { N::of(0.0) };
        }
    }

    /// The rate of a contact changes its sign, with those that come to rest at the same time.
    fn turn(&mut self, first: usize) {
        let ends = self.phases[first] == Phase::Compressed;
        for i in 0..self.springs.len() {
            let spring = &self.springs[i];
            let too = self.phases[i] == Phase::Compressed
                && self.rate(i).value() >= -spring.tolerance
                && self.loads[i].value() > spring.least_load();
            if i != first && !(ends && too) {
                continue;
            }
            self.phases[i] = match self.phases[i] {
                Phase::Compressed => Phase::Expands,
                Phase::Expands | Phase::Open => Phase::Compressed,
            };
            if self.phases[i] == Phase::Expands && spring.e.value() < LEAST_RESTITUTION {
                self.open(i);
            }
        }
    }

    fn open(&mut self, i: usize) {
        self.phases[i] = Phase::Open;
        self.loads[i] = N::of(0.0);
    }
}
