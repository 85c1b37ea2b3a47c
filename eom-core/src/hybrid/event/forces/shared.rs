//! Forces that the motion leaves open, as they are given along a part of a step, and what guards are with them at its ends.
//!
//! At both ends a, b those are taken that lie deepest in the cones, y(a) and y(b), and what is linear between them on the part: with
//! these a guard G has rates, and stays on its side where G(a) + Ġw, or G(b) − Ġw, does. So a part is as long as the root of
//! how deep forces lie, and where something has just begun to stick, with none, it holds where they come to lie deeper.

use super::programs::Bound;
use crate::system::enclosure::{Dual, Interval, Number};

/// Units of rounding of a rate.
const RATE_ROUNDINGS: f64 = 4.0;

/// Of both ends of a part.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared {
    /// y, by the places of their rows.
    pub(super) given: [Vec<(usize, f64)>; 2],
    /// The least σG that bounds leave of each guard.
    pub(super) least: [Vec<f64>; 2],
    /// y along the part.
    pub(super) along: Vec<(usize, Bound)>,
}

impl Shared {
    /// y between both ends, which are this far apart in time; those of the second one where the first leaves others open.
    pub(super) fn between(&mut self, width: f64) {
        let [from, to] = &self.given;
        let place = |given: &[(usize, f64)], row: usize| {
            given.iter().find(|(other, _)| *other == row).map(|(_, y)| *y)
        };
        let along = |&(row, end): &(usize, f64)| {
            let start = place(from, row).unwrap_or(end);
            let rate = (end - start) / width;
            let rates = Interval::around(rate, RATE_ROUNDINGS * f64::EPSILON * rate.abs());
            (row, Dual::moving(Interval::new(start.min(end), start.max(end)), rates))
        };
        self.along.clear();
        self.along.extend(to.iter().map(along));
    }

    /// y at an end.
    pub(super) fn at(&mut self, end: usize) {
        self.along.clear();
        self.along.extend(self.given[end].iter().map(|(row, y)| (*row, Bound::of(*y))));
    }

    /// The next part begins where the last one ends.
    pub(super) fn pass(&mut self) {
        self.given.swap(0, 1);
        self.least.swap(0, 1);
    }
}
