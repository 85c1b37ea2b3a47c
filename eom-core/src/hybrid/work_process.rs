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

use super::work_series::{Series, crossing};
use super::work_state::{Phase, Process, Way};
use crate::slip_state::norm;

/// Steps of the process.
const STEPS_MAX: usize = 20_000;

/// Steps are no longer than this, in the time of the springs.
const LONGEST: f64 = 2.0;

/// A slip in a plane that leaves rest keeps its direction so long, in the time of the springs.
const LEAVING: f64 = 1e-5;

/// A smaller e gives back less than rounding.
const LEAST_RESTITUTION: f64 = 1e-12;

/// Rates that are rounding of many steps, in units of that of one.
const WEDGED: f64 = 100.0;

/// A force of this part of what presses is none.
const BALANCED: f64 = 1e-9;

/// What changes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Rate(usize),
    Load(usize),
    Slip,
    GivesWay,
}

impl Process<'_> {
    /// The change of y and the normal impulses. None where it does not end.
    pub(super) fn outcome(mut self) -> Option<(Vec<f64>, Vec<f64>)> {
        self.choose_ways(1.0)?;
        for _ in 0..STEPS_MAX {
            if self.is_over() {
                return Some((self.y, self.impulses));
            }
            self.step()?;
        }
        None
    }

    /// Whether nothing presses and no gap closes, or what presses is wedged: it moves no more, and friction holds it.
    fn is_over(&mut self) -> bool {
        let springs = self.springs.iter().enumerate();
        let rests = springs.map(|(i, spring)| match self.phases[i] {
            Phase::Open => self.rate(i) >= -spring.tolerance,
            // Nothing presses yet: what closes has still to be stopped.
            _ if self.loads[i] <= spring.least_load() => self.rate(i).abs() <= spring.tolerance,
            Phase::Compressed | Phase::Expands => self.rate(i).abs() <= WEDGED * spring.tolerance,
        });
        if !{ rests }.all(|rests| rests) {
            return false;
        }
        let mut force =
            self.force(&self.loads, |t, c| self.loads[self.terms[t].spring] * self.direction(t, c));
        self.hold(&mut force);
        norm(&force) <= BALANCED * self.pressing(&self.loads)
    }

    /// To the next change, or as far as a series reaches.
    fn step(&mut self) -> Option<()> {
        let series = Series::new(self);
        let ω = self.frequency();
        let leaves = self.leaves_rest();
        let longest = if leaves { LEAVING } else { LONGEST };
        let h = if ω > 0.0 { (longest / ω).min(series.reach(self.speed)) } else { 0.0 };
        let (mut τ, mut change) = self.first_crossing(&series, h);
        if let Some(gives_way) = self.gives_way(&series, τ) {
            (τ, change) = (gives_way, Some(Change::GivesWay));
        }
        self.advance(&series, τ);
        match change {
            Some(Change::Rate(i)) => self.turn(i),
            Some(Change::Load(i)) => self.open(i),
            Some(Change::GivesWay) => return self.choose_ways(self.held_after()),
            Some(Change::Slip) => {}
            None if leaves => {}
            None => return Some(()),
        }
        self.choose_ways(1.0)
    }

    /// Whether a slip in a plane has just left rest.
    fn leaves_rest(&self) -> bool {
        self.ways.iter().any(|way| matches!(way, Way::Slides(u) if u.len() > 1))
    }

    /// The first guard that is crossed in [0, h]; h where none is.
    fn first_crossing(&self, series: &Series, h: f64) -> (f64, Option<Change>) {
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
            let turns = phase != Phase::Open && side * rate.slope() < 0.0;
            let tolerance = if turns { 0.0 } else { spring.tolerance };
            meet(&|τ| side * rate.at(τ), tolerance, Change::Rate(i));
            if phase != Phase::Open {
                meet(&|τ| series.loads[i].at(τ), spring.least_load(), Change::Load(i));
            }
        }
        for (t, term) in self.terms.iter().enumerate() {
            let at = |τ: f64| series.slips[t].iter().map(move |s| s.at(τ));
            match &self.ways[t] {
                Way::Slides(u) if u.len() == 1 => {
                    let along = |τ: f64| at(τ).map(|s| s * u[0]).sum();
                    meet(&along, term.tolerance, Change::Slip);
                }
                Way::Turns => {
                    let still = term.tolerance.powi(2);
                    meet(&|τ| at(τ).map(|s| s * s).sum::<f64>() - still, 0.0, Change::Slip);
                }
                Way::Slides(_) | Way::Sticks | Way::Idle => {}
            }
        }
        first
    }

    fn advance(&mut self, series: &Series, τ: f64) {
        self.y.iter_mut().zip(&series.y).for_each(|(y, series)| *y = series.at(τ));
        for (i, λ) in series.loads.iter().enumerate() {
            self.impulses[i] += λ.integral(τ);
            self.loads[i] = λ.at(τ).max(0.0);
        }
    }

    /// The rate of a contact changes its sign, with those that come to rest at the same time.
    fn turn(&mut self, first: usize) {
        let ends = self.phases[first] == Phase::Compressed;
        for i in 0..self.springs.len() {
            let spring = &self.springs[i];
            let too = self.phases[i] == Phase::Compressed
                && self.rate(i) >= -spring.tolerance
                && self.loads[i] > spring.least_load();
            if i != first && !(ends && too) {
                continue;
            }
            self.phases[i] = match self.phases[i] {
                Phase::Compressed => Phase::Expands,
                Phase::Expands | Phase::Open => Phase::Compressed,
            };
            if self.phases[i] == Phase::Expands && spring.e < LEAST_RESTITUTION {
                self.open(i);
            }
        }
    }

    fn open(&mut self, i: usize) {
        self.phases[i] = Phase::Open;
        self.loads[i] = 0.0;
    }
}
