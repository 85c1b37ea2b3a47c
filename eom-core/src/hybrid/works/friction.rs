//! What the friction of contacts does that are struck together (`work_process`): what slips, what sticks, when it gives way.
//!
//! Normal forces λ are known, so that at each τ the friction of what rests is a convex problem: with F all other forces,
//!
//! ```text
//! f + Σ Jᵀφ = F        |φ| ≤ μλ where J f = 0, it sticks        φ = μλ sign J f where not
//! ```
//!
//! f is unique, φ need not be: where slips depend on each other, as those of two feet of one box, some stick with rows that are
//! independent and the others are pushed with all that they can. In one direction all combinations are tried, in a plane it is
//! the problem of `friction`. What sticks gives way where its φ rises through μλ.

use super::series::{Series, halved};
use super::state::{Phase, Process, Term, Way};
use crate::friction::slip_state::norm;
use crate::friction::{Held, Onset, Problem};
use crate::impact::process::{NoImpulses, Varied, product, values};
use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;

/// So far ahead, in the time of the springs, it is looked what holds a slip at rest: at once all λ may be zero.
const AHEAD: f64 = 1e-6;

/// What has just given way is held by less than before, by this part.
const GIVES_WAY: f64 = 1e-9;

/// The same where others may hold what one cannot.
const SHARED_GIVES_WAY: f64 = 1e-6;

/// With more slips at rest than this, or in a plane, the convex problem tells what sticks.
const FEW: usize = 6;

/// A force beyond its limit by this part is at it.
const AT_LIMIT: f64 = 1e-12;

/// Terms in one direction that rest under a force.
struct Resting<'r> {
    force: &'r [f64],
    /// What a force is compared with.
    pressing: f64,
    rows: Vec<Vec<f64>>,
    /// μλ.
    limits: Vec<f64>,
}

impl<'p, N: Varied> Process<'p, N> {
    /// u now, of what slides.
    pub(in crate::hybrid) fn direction(&self, t: usize, c: usize) -> N {
        match &self.ways[t] {
            Way::Slides(u) => N::of(u[c]),
            Way::Turns | Way::Sticks | Way::Idle => {
                let slip = self.slip(&self.terms[t]);
                slip[c] / product(&slip, &slip).sqrt()
            }
        }
    }

    /// Takes from a force what holds the slips that stick.
    pub(in crate::hybrid) fn hold(&mut self, force: &mut [N]) {
        if N::VARIES {
            for q in &self.held {
                let along = product(q, force);
                force.iter_mut().zip(q).for_each(|(force, q)| *force = *force - along * *q);
            }
            return;
        }
        let present = values(force);
        for (force, holding) in force.iter_mut().zip(self.holding(&present)) {
            *force = *force + N::of(*holding);
        }
    }

    /// What takes from a force what holds the slips that stick.
    fn holding(&mut self, force: &[f64]) -> &[f64] {
        let residuals = self.sticking_rows().map(|row| dot(&values(row), force));
        let residuals: Vec<f64> = residuals.collect();
        let rank = self.sticking.rank();
        self.sticking.counter(rank, |row| residuals[row])
    }

    /// What holds the slips that stick under a force.
    pub(in crate::hybrid) fn reactions(&mut self, force: &[f64]) -> Vec<f64> {
        self.holding(force);
        let mut reactions = vec![0.0; self.sticking.offered()];
        self.sticking.multipliers(&mut reactions);
        reactions
    }

    /// J of what sticks.
    fn sticking_rows(&self) -> impl Iterator<Item = &'p Vec<N>> {
        let terms = self.terms.iter().zip(&self.ways).filter(|(_, way)| **way == Way::Sticks);
        terms.flat_map(|(term, _)| &term.rows)
    }

    /// By how much of its limits what rests is held after some of it has given way.
    pub(super) fn held_after(&self) -> f64 {
        let shares = !self.sticking.dropped().is_empty();
        1.0 - if shares { SHARED_GIVES_WAY } else { GIVES_WAY }
    }

    /// Where up to τ the friction that holds what sticks is beyond its limits.
    pub(in crate::hybrid) fn gives_way(&mut self, series: &Series<N>, τ: f64) -> Option<f64> {
        if self.sticking.offered() == 0 {
            return None;
        }
        let parts = [0.25, 0.5, 0.75, 1.0];
        let broken = parts.iter().position(|part| !self.holds(series, part * τ))?;
        let around = [τ * (parts[broken] - parts[0]), τ * parts[broken]];
        Some(halved(&mut |τ| !self.holds(series, τ), around))
    }

    /// Whether what sticks is held at τ.
    fn holds(&mut self, series: &Series<N>, τ: f64) -> bool {
        let loads: Vec<N> = series.loads.iter().map(|λ| λ.at(τ)).collect();
        let of = |t: usize, c: usize| loads[self.terms[t].spring] * series.directions[t][c].at(τ);
        let force = values(&self.force(&loads, &of));
        let loads = values(&loads);
        let reactions = self.reactions(&force);
        let (mut place, mut held) = (0, true);
        for (term, _) in self.terms.iter().zip(&self.ways).filter(|(_, way)| **way == Way::Sticks) {
            let reaction = norm(&reactions[place..place + term.rows.len()]);
            let spring = &self.springs[term.spring];
            let limit = term.friction.value() * (loads[term.spring].max(0.0) + spring.least_load());
            let longest = term.rows.iter().map(|row| norm(&values(row))).fold(0.0, f64::max);
            let rounding = norm(&force) / longest;
            held &= reaction <= limit + AT_LIMIT * (limit + rounding);
            place += term.rows.len();
        }
        if held || self.sticking.dropped().is_empty() {
            return held;
        }
        // Others may hold what this one cannot.
        let resting: Vec<usize> =
            (0..self.terms.len()).filter(|t| self.ways[*t] == Way::Sticks).collect();
        let onset = self
            .onset(&force, &resting, &|term| term.friction.value() * loads[term.spring].max(0.0));
        onset.is_some_and(|onset| onset.sticks.iter().all(|sticks| *sticks))
    }

    /// What rests under a force, held by this much each.
    fn onset(
        &self,
        force: &[f64],
        resting: &[usize],
        limit: &dyn Fn(&Term<N>) -> f64,
    ) -> Option<Onset> {
        let d = self.y.len();
        let mut metric = vec![0.0; d * d];
        metric.iter_mut().step_by(d + 1).for_each(|one| *one = 1.0);
        let rows: Vec<Vec<f64>> =
            resting.iter().map(|t| values(&self.terms[*t].rows.concat())).collect();
        let held = resting.iter().zip(&rows).map(|(t, rows)| {
            let drift = &[0.0; 2][..self.terms[*t].rows.len()];
            Held { coefficient: limit(&self.terms[*t]), rows, drift }
        });
        let terms: Vec<Held<'_>> = held.collect();
        Problem { metric: &metric, force, rows: &[], drift: &[], terms: &terms }.solve().ok()
    }

    /// What each term does from here on; what rests is held by this part of its limits.
    pub(super) fn choose_ways(&mut self, part: f64) -> Result<(), NoImpulses> {
        let before = if N::VARIES { self.ways.clone() } else { Vec::new() };
        let mut resting = Vec::new();
        for (t, term) in self.terms.iter().enumerate() {
            let slip = values(&self.slip(term));
            let size = norm(&slip);
            let acts = term.friction.value() != 0.0
                && term.rows.iter().any(|row| norm(&values(row)) > 0.0);
            self.ways[t] = if !acts || self.phases[term.spring] == Phase::Open {
                Way::Idle
            } else if size <= term.near_rest() {
                resting.push(t);
                Way::Sticks
            } else if slip.len() > 1 {
                Way::Turns
            } else {
                Way::Slides(vec![slip[0].signum()])
            };
        }
        if !resting.is_empty() {
            self.tell_apart(&resting, part).ok_or(NoImpulses::Endless)?;
        }
        self.sticking = RowSpace::new(self.y.len(), self.y.len());
        self.sticking.set_weights(&vec![1.0; self.y.len()]);
        let rows: Vec<&Vec<N>> = self.sticking_rows().collect();
        for row in &rows {
            self.sticking.push(&values(row), 0.0);
        }
        if N::VARIES { self.vary_rest(&before, part, &rows) } else { Ok(()) }
    }

    /// λ a little ahead.
    pub(super) fn loads_ahead(&self) -> Vec<N> {
        let ahead = N::of(AHEAD / self.frequency());
        let load = |i: usize| {
            let λ = self.loads[i] - ahead * self.stiffness(i) * self.rate(i);
            if λ.value() > 0.0 { λ } else { N::of(0.0) }
        };
        (0..self.springs.len()).map(load).collect()
    }

    /// Which of the terms that rest start to slide.
    fn tell_apart(&mut self, resting: &[usize], part: f64) -> Option<()> {
        let loads = self.loads_ahead();
        let force = self.force(&loads, &|t, c| loads[self.terms[t].spring] * self.direction(t, c));
        let force = values(&force);
        let limit = |term: &Term<N>| part * term.friction.value() * loads[term.spring].value();
        if resting.len() <= FEW && resting.iter().all(|t| self.terms[*t].rows.len() == 1) {
            let problem = Resting {
                force: &force,
                pressing: self.pressing(&loads),
                rows: resting.iter().map(|t| values(&self.terms[*t].rows[0])).collect(),
                limits: resting.iter().map(|t| limit(&self.terms[*t])).collect(),
            };
            for (t, side) in resting.iter().zip(problem.solve()?) {
                if side != 0.0 {
                    self.ways[*t] = Way::Slides(vec![side]);
                }
            }
            return Some(());
        }
        let onset = self.onset(&force, resting, &limit)?;
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
}

impl Resting<'_> {
    /// Of each 0 where it sticks, else the direction in which it slides, or would: others hold what goes nowhere. The first combination
    /// that fits.
    fn solve(&self) -> Option<Vec<f64>> {
        let count = u32::try_from(self.rows.len()).ok()?;
        let d = self.force.len();
        let mut space = RowSpace::new(d, d);
        space.set_weights(&vec![1.0; d]);
        let sides = |number: usize| {
            let digits = (0..count).map(move |place| number / 3_usize.pow(place) % 3);
            digits.map(|digit| [0.0, 1.0, -1.0][digit]).collect::<Vec<f64>>()
        };
        (0..3_usize.pow(count)).map(sides).find(|sides| self.fits(sides, &mut space))
    }

    /// Whether what sticks does so within its limits, independent of the others that do, and what slides goes where it is said to.
    fn fits(&self, sides: &[f64], space: &mut RowSpace) -> bool {
        let mut left = self.force.to_vec();
        space.clear();
        for ((row, side), limit) in self.rows.iter().zip(sides).zip(&self.limits) {
            left.iter_mut().zip(row).for_each(|(left, j)| *left -= side * limit * j);
            if *side == 0.0 && !space.push(row, 0.0) {
                return false;
            }
        }
        let sticking: Vec<usize> = (0..sides.len()).filter(|place| sides[*place] == 0.0).collect();
        let residuals: Vec<f64> = sticking.iter().map(|i| dot(&self.rows[*i], &left)).collect();
        let holding = space.counter(space.rank(), |index| residuals[index]);
        left.iter_mut().zip(holding).for_each(|(left, holding)| *left += holding);
        let mut reactions = vec![0.0; sticking.len()];
        space.multipliers(&mut reactions);
        let rounding = |i: usize| AT_LIMIT * self.pressing / norm(&self.rows[i]);
        let held = |(i, φ): (&usize, &f64)| φ.abs() <= self.limits[*i] + rounding(*i);
        let goes = |i: usize| {
            let square = dot(&self.rows[i], &self.rows[i]);
            sides[i] * dot(&self.rows[i], &left) >= -rounding(i) * square
        };
        sticking.iter().zip(&reactions).all(held) && (0..sides.len()).all(goes)
    }
}
