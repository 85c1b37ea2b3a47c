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
//! Between changes of what contacts do the motion is a power series in τ (`work_series`), straight along slips of one direction.

use super::work_series::{CUTS_MAX, Series, crossing};
use crate::friction::{Held, Onset, Problem};
use crate::linalg::dot;
use crate::metric::RowSpace;
use crate::slip_state::norm;

/// Steps of the process.
const STEPS_MAX: usize = 20_000;

/// Steps are no longer than this, in the time of the springs.
const LONGEST: f64 = 2.0;

/// So far ahead, in the time of the springs, it is looked what holds a slip at rest: at once all λ may be zero.
const AHEAD: f64 = 1e-6;

/// A slip in a plane that leaves rest keeps its direction so long, in the time of the springs.
const LEAVING: f64 = 1e-7;

/// What has just given way is held by less than before, by this part.
const GIVES_WAY: f64 = 1e-9;

/// The same where others may hold what one cannot.
const SHARED_GIVES_WAY: f64 = 1e-6;

/// With more slips at rest than this, or in a plane, the convex problem tells what sticks.
const FEW: usize = 6;

/// A force beyond its limit by this part is at it.
const AT_LIMIT: f64 = 1e-12;

/// A smaller e gives back less than rounding.
const LEAST_RESTITUTION: f64 = 1e-12;

/// Rates that are rounding of many steps, in units of that of one.
const WEDGED: f64 = 100.0;

/// A force of this part of what presses is none.
const BALANCED: f64 = 1e-9;

/// A contact.
pub(super) struct Spring {
    /// ∇g in y.
    pub(super) row: Vec<f64>,
    /// ġ⁻, and what of it is rounding.
    pub(super) rate: f64,
    pub(super) tolerance: f64,
    pub(super) e: f64,
}

/// A term of friction.
pub(super) struct Term {
    /// The place of the contact that bears it.
    pub(super) spring: usize,
    /// J in y.
    pub(super) rows: Vec<Vec<f64>>,
    /// s⁻, and what of it is rounding.
    pub(super) slip: Vec<f64>,
    pub(super) tolerance: f64,
    /// μ.
    pub(super) friction: f64,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// λ = 0.
    Open,
    Compressed,
    Expands,
}

/// What a term does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    /// Nothing presses.
    Idle,
    Sticks,
    /// In one direction.
    Slides(Vec<f64>),
    /// In a plane.
    Turns,
}

/// What changes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Rate(usize),
    Load(usize),
    Slip,
    GivesWay,
}

/// A process under way.
pub(super) struct Process<'p> {
    pub(super) springs: &'p [Spring],
    pub(super) terms: &'p [Term],
    /// ‖v⁻‖ in the metric.
    speed: f64,
    /// The change of v in orthonormal coordinates.
    pub(super) y: Vec<f64>,
    /// λ.
    pub(super) loads: Vec<f64>,
    pub(super) ways: Vec<Way>,
    phases: Vec<Phase>,
    impulses: Vec<f64>,
    /// J of what sticks.
    sticking: RowSpace,
}

impl Spring {
    /// λ of a spring that is compressed at the rate which is rounding.
    fn least_load(&self) -> f64 {
        self.tolerance / norm(&self.row).max(f64::MIN_POSITIVE)
    }
}

impl<'p> Process<'p> {
    /// Of contacts in d coordinates.
    pub(super) fn new(springs: &'p [Spring], terms: &'p [Term], (d, speed): (usize, f64)) -> Self {
        let phase = |spring: &Spring| {
            if spring.rate < -spring.tolerance { Phase::Compressed } else { Phase::Open }
        };
        Self {
            springs,
            terms,
            speed,
            y: vec![0.0; d],
            loads: vec![0.0; springs.len()],
            ways: vec![Way::Idle; terms.len()],
            phases: springs.iter().map(phase).collect(),
            impulses: vec![0.0; springs.len()],
            sticking: RowSpace::new(d, d),
        }
    }

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

    /// u now, of what slides.
    fn direction(&self, t: usize, c: usize) -> f64 {
        match &self.ways[t] {
            Way::Slides(u) => u[c],
            Way::Turns | Way::Sticks | Way::Idle => {
                let slip = self.slip(&self.terms[t]);
                slip[c] / norm(&slip)
            }
        }
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
            Some(Change::GivesWay) => {
                let shares = !self.sticking.dropped().is_empty();
                let less = if shares { SHARED_GIVES_WAY } else { GIVES_WAY };
                return self.choose_ways(1.0 - less);
            }
            Some(Change::Slip) => {}
            None if leaves => {}
            None => return Some(()),
        }
        self.choose_ways(1.0)
    }

    /// ġ now.
    fn rate(&self, i: usize) -> f64 {
        self.springs[i].rate + dot(&self.springs[i].row, &self.y)
    }

    /// s now.
    fn slip(&self, term: &Term) -> Vec<f64> {
        term.rows.iter().zip(&term.slip).map(|(row, s)| s + dot(row, &self.y)).collect()
    }

    /// −dλ/dτ by ġ.
    pub(super) fn stiffness(&self, i: usize) -> f64 {
        match self.phases[i] {
            Phase::Open => 0.0,
            Phase::Compressed => 1.0,
            Phase::Expands => self.springs[i].e.powi(2).recip(),
        }
    }

    /// The frequency of springs that press.
    fn frequency(&self) -> f64 {
        let springs = self.springs.iter().enumerate();
        springs
            .map(|(i, spring)| self.stiffness(i) * dot(&spring.row, &spring.row))
            .sum::<f64>()
            .sqrt()
    }

    /// Whether a slip in a plane has just left rest.
    fn leaves_rest(&self) -> bool {
        self.ways.iter().any(|way| matches!(way, Way::Slides(u) if u.len() > 1))
    }

    /// Σ ∇gᵀλ − Σ Jᵀφ, with φ = `friction(term, component)` of what slides.
    pub(super) fn force(&self, loads: &[f64], friction: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let mut force = vec![0.0; self.y.len()];
        let mut add = |by: f64, row: &[f64]| {
            force.iter_mut().zip(row).for_each(|(force, r)| *force += by * r);
        };
        self.springs.iter().zip(loads).for_each(|(spring, λ)| add(*λ, &spring.row));
        for (t, term) in self.terms.iter().enumerate() {
            if matches!(self.ways[t], Way::Slides(_) | Way::Turns) {
                for (c, row) in term.rows.iter().enumerate() {
                    add(-term.friction * friction(t, c), row);
                }
            }
        }
        force
    }

    /// Takes from a force what holds the slips that stick.
    pub(super) fn hold(&mut self, force: &mut [f64]) {
        let residuals: Vec<f64> = self.sticking_rows().map(|row| dot(row, force)).collect();
        let rank = self.sticking.rank();
        let holding = self.sticking.counter(rank, |row| residuals[row]);
        force.iter_mut().zip(holding).for_each(|(force, holding)| *force += holding);
    }

    /// J of what sticks.
    fn sticking_rows(&self) -> impl Iterator<Item = &'p Vec<f64>> {
        let terms = self.terms.iter().zip(&self.ways).filter(|(_, way)| **way == Way::Sticks);
        terms.flat_map(|(term, _)| &term.rows)
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
            let rate = &series.rates[i];
            // What presses has the phase that ġ is about to have; what rests closes where it is more than rounding.
            let slack = |turns: bool| if turns { 0.0 } else { spring.tolerance };
            match self.phases[i] {
                Phase::Open => meet(&|τ| rate.at(τ), spring.tolerance, Change::Rate(i)),
                Phase::Compressed => {
                    meet(&|τ| -rate.at(τ), slack(rate.slope() > 0.0), Change::Rate(i));
                }
                Phase::Expands => meet(&|τ| rate.at(τ), slack(rate.slope() < 0.0), Change::Rate(i)),
            }
            if self.phases[i] != Phase::Open {
                meet(&|τ| series.loads[i].at(τ), spring.least_load(), Change::Load(i));
            }
        }
        for (t, term) in self.terms.iter().enumerate() {
            let at = |τ: f64| series.slips[t].iter().map(move |s| s.at(τ));
            match &self.ways[t] {
                Way::Slides(u) if u.len() == 1 => {
                    let along = |τ: f64| at(τ).zip(u).map(|(s, u)| s * u).sum();
                    meet(&along, term.tolerance, Change::Slip);
                }
                Way::Turns => {
                    let beyond =
                        |τ: f64| at(τ).map(|s| s * s).sum::<f64>() - term.tolerance.powi(2);
                    meet(&beyond, 0.0, Change::Slip);
                }
                Way::Slides(_) | Way::Sticks | Way::Idle => {}
            }
        }
        first
    }

    /// Where up to τ the friction that holds what sticks is beyond its limits.
    fn gives_way(&mut self, series: &Series, τ: f64) -> Option<f64> {
        if self.sticking.offered() == 0 {
            return None;
        }
        let parts = [0.25, 0.5, 0.75, 1.0];
        let broken = parts.iter().position(|part| !self.holds(series, part * τ))?;
        let (mut low, mut high) = (τ * (parts[broken] - parts[0]), τ * parts[broken]);
        for _ in 0..CUTS_MAX {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.holds(series, middle) { low = middle } else { high = middle }
        }
        Some(high)
    }

    /// Whether what sticks is held at τ.
    fn holds(&mut self, series: &Series, τ: f64) -> bool {
        let loads: Vec<f64> = series.loads.iter().map(|λ| λ.at(τ)).collect();
        let of = |t: usize, c: usize| loads[self.terms[t].spring] * series.directions[t][c].at(τ);
        let force = self.force(&loads, of);
        let residuals: Vec<f64> = self.sticking_rows().map(|row| dot(row, &force)).collect();
        let rank = self.sticking.rank();
        self.sticking.counter(rank, |row| residuals[row]);
        let mut reactions = vec![0.0; residuals.len()];
        self.sticking.multipliers(&mut reactions);
        let (mut place, mut held) = (0, true);
        for (term, _) in self.terms.iter().zip(&self.ways).filter(|(_, way)| **way == Way::Sticks) {
            let reaction = norm(&reactions[place..place + term.rows.len()]);
            let spring = &self.springs[term.spring];
            let limit = term.friction * (loads[term.spring].max(0.0) + spring.least_load());
            let rounding = norm(&force) / term.rows.iter().map(|row| norm(row)).fold(0.0, f64::max);
            held &= reaction <= limit + AT_LIMIT * (limit + rounding);
            place += term.rows.len();
        }
        if held || self.sticking.dropped().is_empty() {
            return held;
        }
        // Others may hold what this one cannot.
        let resting: Vec<usize> =
            (0..self.terms.len()).filter(|t| self.ways[*t] == Way::Sticks).collect();
        let onset =
            self.onset(&force, &resting, |term| term.friction * loads[term.spring].max(0.0));
        onset.is_some_and(|onset| onset.sticks.iter().all(|sticks| *sticks))
    }

    /// What rests under a force, held by this much each.
    fn onset(
        &self,
        force: &[f64],
        resting: &[usize],
        limit: impl Fn(&Term) -> f64,
    ) -> Option<Onset> {
        let d = self.y.len();
        let mut metric = vec![0.0; d * d];
        metric.iter_mut().step_by(d + 1).for_each(|one| *one = 1.0);
        let rows: Vec<Vec<f64>> = resting.iter().map(|t| self.terms[*t].rows.concat()).collect();
        let held = resting.iter().zip(&rows).map(|(t, rows)| {
            let drift = &[0.0; 2][..self.terms[*t].rows.len()];
            Held { coefficient: limit(&self.terms[*t]), rows, drift }
        });
        let terms: Vec<Held<'_>> = held.collect();
        Problem { metric: &metric, force, rows: &[], drift: &[], terms: &terms }.solve().ok()
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

    /// What each term does from here on; what rests is held by this part of its limits.
    fn choose_ways(&mut self, part: f64) -> Option<()> {
        let mut resting = Vec::new();
        for (t, term) in self.terms.iter().enumerate() {
            let slip = self.slip(term);
            let size = norm(&slip);
            self.ways[t] = if self.phases[term.spring] == Phase::Open || term.friction == 0.0 {
                Way::Idle
            } else if size <= term.tolerance {
                resting.push(t);
                Way::Sticks
            } else if slip.len() > 1 {
                Way::Turns
            } else {
                Way::Slides(vec![slip[0].signum()])
            };
        }
        if !resting.is_empty() {
            self.tell_apart(&resting, part)?;
        }
        self.sticking = RowSpace::new(self.y.len(), self.y.len());
        self.sticking.set_weights(&vec![1.0; self.y.len()]);
        let rows: Vec<&Vec<f64>> = self.sticking_rows().collect();
        rows.iter().for_each(|row| {
            self.sticking.push(row, 0.0);
        });
        Some(())
    }

    /// Which of the terms that rest start to slide.
    fn tell_apart(&mut self, resting: &[usize], part: f64) -> Option<()> {
        let ahead = AHEAD / self.frequency();
        let load = |i: usize| (self.loads[i] - ahead * self.stiffness(i) * self.rate(i)).max(0.0);
        let loads: Vec<f64> = (0..self.springs.len()).map(load).collect();
        let force = self.force(&loads, |t, c| loads[self.terms[t].spring] * self.direction(t, c));
        let limit = |term: &Term| part * term.friction * loads[term.spring];
        let in_lines = resting.iter().all(|t| self.terms[*t].rows.len() == 1);
        if in_lines && resting.len() <= FEW {
            let limits: Vec<f64> = resting.iter().map(|t| limit(&self.terms[*t])).collect();
            let pressing = self.pressing(&loads);
            return self.try_all(resting, (&force, pressing), &limits);
        }
        let onset = self.onset(&force, resting, limit)?;
        for (place, t) in resting.iter().enumerate() {
            let [reaction, rate] = [&onset.reactions[place], &onset.rates[place]];
            let along = if norm(reaction) > 0.0 { reaction } else { rate };
            let size = norm(along);
            if !onset.sticks[place] && size > 0.0 {
                self.ways[*t] = Way::Slides(along.iter().map(|along| along / size).collect());
            }
        }
        Some(())
    }

    /// The same of slips in one direction: the first combination in which each sticks within its limit, independent of the others
    /// that do, or is pushed with it against the way it goes. What goes nowhere may be pushed as well: others hold it.
    fn try_all(
        &mut self,
        resting: &[usize],
        (force, pressing): (&[f64], f64),
        limits: &[f64],
    ) -> Option<()> {
        let d = force.len();
        let mut space = RowSpace::new(d, d);
        space.set_weights(&vec![1.0; d]);
        let row = |place: usize| &self.terms[resting[place]].rows[0];
        let count = resting.len();
        let mut found = None;
        for number in 0..3_usize.pow(count as u32) {
            // 0 where it sticks, else the direction in which it slides.
            let sides: Vec<f64> = (0..count)
                .map(|place| [0.0, 1.0, -1.0][number / 3_usize.pow(place as u32) % 3])
                .collect();
            let mut left = force.to_vec();
            space.clear();
            for place in 0..count {
                let push = -sides[place] * limits[place];
                left.iter_mut().zip(row(place)).for_each(|(left, j)| *left += push * j);
                if sides[place] == 0.0 {
                    space.push(row(place), 0.0);
                }
            }
            if !space.dropped().is_empty() {
                continue;
            }
            let sticking: Vec<usize> = (0..count).filter(|place| sides[*place] == 0.0).collect();
            let residuals: Vec<f64> =
                sticking.iter().map(|place| dot(row(*place), &left)).collect();
            let holding = space.counter(space.rank(), |index| residuals[index]);
            left.iter_mut().zip(holding).for_each(|(left, holding)| *left += holding);
            let mut reactions = vec![0.0; sticking.len()];
            space.multipliers(&mut reactions);
            let rounding = |place: usize| AT_LIMIT * pressing * norm(row(place));
            let held = sticking.iter().zip(&reactions).all(|(place, φ)| {
                φ.abs() <= limits[*place] + rounding(*place) / dot(row(*place), row(*place))
            });
            let goes = |place: usize| sides[place] * dot(row(place), &left) >= -rounding(place);
            if held && (0..count).all(goes) {
                found = Some(sides);
                break;
            }
        }
        for (t, side) in resting.iter().zip(found?) {
            if side != 0.0 {
                self.ways[*t] = Way::Slides(vec![side]);
            }
        }
        Some(())
    }

    /// What presses, as a force in y.
    fn pressing(&self, loads: &[f64]) -> f64 {
        self.springs.iter().zip(loads).map(|(spring, λ)| λ * norm(&spring.row)).sum()
    }
}
