//! What rounding makes of guards.
//!
//! Where a guard has no row its derivatives are differences, over many roundings of an argument. That is no small part of what
//! the guard has of it where the argument is large: sin kx turns within 10⁸ roundings of x = 10⁹. So smaller ones are taken
//! there, until three of them agree. An error that is a tolerance is no rounding: so many of 10⁻⁶ would be a hundred times the
//! argument, and γ = x⁴ − 2 another function.

use super::Guards;
use super::differences::{Differences, Open};
use std::ops::Range;

/// By how many times its error each argument of a guard is moved, to difference it. Where the guard turns within that, as it
/// may at a large t or x, by a smaller part, down to the error itself, until three that follow each other agree. What is flat has the largest one.
const MOVED: f64 = 1e8;
const SMALLER: f64 = 1.0 / 16.0;

/// The largest move, as a part of the argument, and of the magnitude below which that counts as zero.
const LONGEST: f64 = 1e-4;

/// Whether a number is so small that it has lost some of its digits, or all.
pub(in crate::hybrid::event) fn underflows(number: f64) -> bool {
    number.abs() < f64::MIN_POSITIVE
}

impl Guards<'_> {
    /// What errors of its arguments do to a guard at (t, y), where yⱼ has an error of `sizes`ⱼ:
    ///
    /// ```text
    /// Σ |∂γ/∂yⱼ| sizeⱼ + ε |∂γ/∂t||t|        ε = 2⁻⁵²
    /// ```
    ///
    /// Derivatives of a gap are its rows where q̇ = v, all others differences. A force is itself
    /// rounded.
    pub(crate) fn spread(&mut self, guard: usize, t: f64, y: &[f64], sizes: &[f64]) -> f64 {
        if self.has_row(guard) {
            self.load_rows(t, y);
            return self.row_spread(guard, t, sizes);
        }
        let mut spread = [0.0];
        self.spreads(guard..guard + 1, (t, y), sizes, &mut spread);
        spread[0]
    }

    /// The rows of all gaps at a configuration.
    fn load_rows(&mut self, t: f64, y: &[f64]) {
        let q = &y[..self.system.info().speeds()];
        self.system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
    }

    /// What errors of its arguments do to a gap, by its row.
    fn row_spread(&self, guard: usize, t: f64, sizes: &[f64]) -> f64 {
        let n = self.system.info().speeds();
        let gradient = self.gradients[guard * n..][..n].iter().zip(sizes);
        let terms: f64 = gradient.map(|(g, size)| g.abs() * size).sum();
        terms + f64::EPSILON * (self.rates[guard] * t).abs()
    }

    /// Whether a guard is a gap, with ∇g for its derivatives.
    fn has_row(&self, guard: usize) -> bool {
        self.gap(guard).is_some() && self.system.info().is_plain()
    }

    /// Whether a guard is a function of the state. A force that is solved for is not as smooth as that over a few roundings.
    fn is_function(&self, guard: usize) -> bool {
        let holds_none = self.event(guard).is_some_and(|event| !self.hold_forces[event]);
        self.gap(guard).is_some() || holds_none
    }

    /// The same of guards that follow each other.
    pub(crate) fn spreads(
        &mut self,
        guards: Range<usize>,
        (t, y): (f64, &[f64]),
        sizes: &[f64],
        spreads: &mut [f64],
    ) {
        let first = guards.start;
        if guards.clone().any(|guard| self.has_row(guard)) {
            self.load_rows(t, y);
            for guard in guards.clone().filter(|guard| self.has_row(*guard)) {
                spreads[guard - first] = self.row_spread(guard, t, sizes);
            }
        }
        if guards.clone().all(|guard| self.has_row(guard)) {
            return;
        }
        let mut room = std::mem::take(&mut self.room);
        self.values(t, y, &mut room.here);
        room.moved.copy_from_slice(y);
        for guard in guards.clone() {
            if self.has_row(guard) {
                continue;
            }
            let force = self.force(guard).map_or(0.0, |contact| self.force_rounding(contact));
            let friction = self.friction(guard);
            let friction = friction.map_or(0.0, |friction| self.friction_rounding(friction));
            let slides = self.row(guard).filter(|term| !self.mode.sticks(*term));
            let row = slides.map_or(0.0, |term| self.forces.pressing_rounding(term));
            spreads[guard - first] = force + friction + row;
        }
        for j in 0..=y.len() {
            let argument = (j, sizes.get(j).copied().unwrap_or(f64::EPSILON * t.abs()));
            self.differences(argument, self.moved(y.get(j), argument.1), (t, y), &mut room);
            let Differences { changes, next, .. } = &mut room;
            changes.copy_from_slice(next);
            let differs = |guard: usize| room.changes[guard] > 0.0 && !self.has_row(guard);
            if guards.clone().any(differs) {
                self.over_less(guards.clone(), argument, (t, y), &mut room);
            }
            for guard in guards.clone().filter(|guard| !self.has_row(*guard)) {
                let change = room.changes[guard];
                spreads[guard - first] += if change.is_finite() { change } else { 0.0 };
            }
        }
        self.room = room;
    }

    /// What one error of each argument does to a guard that has no row. That of a flat one is far less than its ρ.
    pub(in crate::hybrid::event) fn least_spread(
        &mut self,
        guard: usize,
        (t, y): (f64, &[f64]),
        sizes: &[f64],
    ) -> f64 {
        let mut room = std::mem::take(&mut self.room);
        self.values(t, y, &mut room.here);
        room.moved.copy_from_slice(y);
        let mut spread = 0.0;
        for j in 0..=y.len() {
            let size = sizes.get(j).copied().unwrap_or(f64::EPSILON * t.abs());
            self.differences((j, size), 1.0, (t, y), &mut room);
            spread += room.next[guard];
        }
        self.room = room;
        spread
    }

    /// By how many times its error an argument is moved at first: yⱼ with an error of this size, or t, where it is none.
    /// Errors of a tolerance are r(|yⱼ| + a/r), or a share of it, so that the other bound is 10⁻⁴ (a/r) where yⱼ is zero.
    fn moved(&self, y: Option<&f64>, size: f64) -> f64 {
        let longest = |y: &f64| (LONGEST * y.abs() / size).max(LONGEST / self.relative_tolerance);
        y.map_or(MOVED, longest).clamp(1.0, MOVED)
    }

    /// By how much guards change for each error of an argument, yⱼ or t behind them, that is moved by so many of them.
    fn differences(
        &mut self,
        (j, size): (usize, f64),
        times: f64,
        (t, y): (f64, &[f64]),
        Differences { here, next, moved, .. }: &mut Differences,
    ) {
        let mut at = t;
        *moved.get_mut(j).unwrap_or(&mut at) += times * size;
        self.values(at, moved, next);
        for (next, here) in next.iter_mut().zip(here) {
            *next = (*next - *here).abs() / times;
        }
        if let Some(y) = y.get(j) {
            moved[j] = *y;
        }
    }

    /// What an error of an argument does to these guards, where the differences over the largest move are given: the same over
    /// smaller ones, until three that follow each other agree, or the largest of all.
    fn over_less(
        &mut self,
        guards: Range<usize>,
        argument: (usize, f64),
        at: (f64, &[f64]),
        room: &mut Differences,
    ) {
        let Differences { changes, open, .. } = &mut *room;
        let is_time = argument.0 == at.1.len();
        for guard in guards.clone().filter(|guard| changes[*guard] > 0.0 && !self.has_row(*guard)) {
            if is_time || self.is_function(guard) {
                let change = changes[guard];
                open[guard] = Some(Open { before: change, largest: change, agree: 0 });
            }
        }
        let mut times = self.moved(at.1.get(argument.0), argument.1);
        // Where the first three agree it is the first that is told.
        let first_three = times * SMALLER * SMALLER;
        while times > 1.0 && room.open.iter().any(Option::is_some) {
            times = (times * SMALLER).max(1.0);
            self.differences(argument, times, at, room);
            let Differences { changes, next, open, .. } = &mut *room;
            for guard in guards.clone() {
                if let Some(told) = open[guard].as_mut().and_then(|open| open.take(next[guard])) {
                    let is_first = times >= first_three;
                    changes[guard] =
                        if is_first { changes[guard] } else { told.max(changes[guard]) };
                    open[guard] = None;
                }
            }
        }
        let Differences { changes, open, .. } = room;
        for (change, open) in changes.iter_mut().zip(open) {
            if let Some(Open { largest, .. }) = open.take().filter(|open| open.largest.is_finite())
            {
                *change = largest;
            }
        }
    }
}
