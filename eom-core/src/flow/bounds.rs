//! The step just made as a polynomial with its error: of the method, or Hermite's cubic.

use super::methods::stepper::Stepper;
use super::motion::Flow;
use super::step_bounds::StepBounds;
use crate::system::enclosure::Interval;
use eom_elementary::powi;

/// What the stages show of the error of the cubic, to what it is at most: s²(1−s)² is 1/16 in the middle and
/// more than 1/32 where most stages are.
const CUBIC: f64 = 3.0;

/// f₁ and f₂ of the cubic.
const FACTORS: [f64; 2] = [4.0, 32.0];

impl Flow<'_> {
    /// The tolerances are those of a motion that begins at the base point.
    pub(super) fn begin_tolerance(&mut self) {
        let Self { tolerance, base, method, .. } = self;
        tolerance.begin(&base.y);
        method.set_floors(tolerance);
    }

    /// They grow with the motion, where they are a part of what was asked for.
    pub(super) fn grow_tolerance(&mut self) {
        if self.tolerance.grow(&self.base.y) {
            self.method.set_floors(&self.tolerance);
        }
    }

    /// The part of the tolerance by which a step really errs.
    pub(crate) fn share_of_tolerance(&self) -> f64 {
        self.method.share_of_tolerance()
    }

    /// By which part of itself a number may be off after a step, however small it is.
    pub(crate) fn part_of_error(&self) -> f64 {
        f64::EPSILON + self.tolerance.relative
    }

    /// A box around the step h just accepted, where one is at hand; `room` is room for y.
    pub(crate) fn hull(&self, h: f64, room: &mut [f64], to: &mut Vec<Interval>) -> bool {
        let Self { method, base, next, tolerance, .. } = self;
        if !method.excursions((base, h, next), room) {
            return false;
        }
        to.clear();
        to.extend(room.iter().enumerate().map(|(j, room)| {
            let (y, end) = (base.y[j], next.y[j]);
            let room = room + tolerance.of(j, y.abs().max(end.abs()));
            Interval::new(y.min(end) - room, y.max(end) + room)
        }));
        true
    }

    /// The part [0, end] of the step h just accepted as a polynomial that is known at once: of a series, or Hermite's
    /// cubic. Whether there is a better one.
    pub(crate) fn bounds(&mut self, (h, end): (f64, f64), to: &mut StepBounds) -> bool {
        if self.method.is_polynomial() {
            self.dense_bounds((h, end), to);
            return false;
        }
        self.cubic_bounds(h, to);
        true
    }

    /// For these numbers of y on the step by series just made, taken to τ: what the motion moves by at most while the time
    /// from its start on is complex and at most ϱτ, Σ |yₖ| (ϱτ)ᵏ, and its error: the tolerance and the last two terms. The
    /// order of the series; none where the step was not made by one. `moved` is room for y.
    pub(crate) fn series_bounds(
        &self,
        (τ, circle): (f64, f64),
        columns: &[usize],
        (moved, to): (&mut Vec<f64>, &mut Vec<[f64; 2]>),
    ) -> Option<usize> {
        let Self { method, base, next, tolerance, .. } = self;
        let series = &method.series()?.series;
        let order = series.order();
        let before = i32::try_from(order - 1).map_or(0.0, |k| powi(τ, k)).min(f64::MAX);
        let powers = [before, (before * τ).min(f64::MAX)];
        moved.resize(base.y.len(), 0.0);
        series.excursions(circle * τ, moved);
        to.clear();
        to.extend(columns.iter().map(|&j| {
            let size = base.y[j].abs().max(next.y[j].abs());
            [moved[j], tolerance.of(j, size) + series.last_terms(j, powers)]
        }));
        Some(order)
    }

    /// The numbers of y, and how many of them are q whose rates are the others.
    fn rated(&self) -> (usize, usize) {
        let positions = if self.field.speeds_are_rates { self.field.positions } else { 0 };
        (self.base.y.len(), positions)
    }

    fn cubic_bounds(&mut self, h: f64, to: &mut StepBounds) {
        let (n, positions) = self.rated();
        let Self { method, base, next, .. } = self;
        to.open((n, positions), (base.t.high, h), FACTORS);
        to.set_degree(3);
        for j in 0..n {
            let (first, last) = (h * method.slope()[j], h * method.end_slope()[j]);
            let d = next.y[j] - base.y[j];
            let c = [base.y[j], first, 3.0 * d - 2.0 * first - last, first + last - 2.0 * d];
            for (k, c) in c.into_iter().enumerate() {
                to.row(k)[j] = c;
            }
        }
        let mut errors = std::mem::take(&mut to.errors);
        let start = base.t.high;
        self.stages(h, &mut |_, t, y| {
            let s = (t - start) / h;
            for (j, error) in errors.iter_mut().enumerate() {
                let p = (0..4).rev().fold(0.0, |p, k| p * s + to.rows[k * n + j]);
                *error = error.max(CUBIC * (p - y[j]).abs());
            }
        });
        to.errors = errors;
        to.close();
    }

    /// The same by the polynomial of the method, which has been made.
    pub(crate) fn dense_bounds(&mut self, (h, end): (f64, f64), to: &mut StepBounds) {
        let rated = self.rated();
        let Self { method, base, next, tolerance, .. } = self;
        to.open(rated, (base.t.high, h), method.derivative_factors());
        to.errors.copy_from_slice(tolerance.at_both(&base.y, &next.y));
        method.polynomial_errors(&mut to.errors);
        to.set_degree(method.degree(end, &to.errors));
        method.coefficients(&mut to.rows);
        to.close();
    }
}
