//! The flow by DOP853, explicit Runge–Kutta of order 8 (`integrate::dop853`).

use super::stepper::{Pace, Stepper, Tolerance};
use crate::flow::failure::StepFailure;
use crate::flow::field::Field;
use crate::flow::noise::Noise;
use crate::flow::point::Point;
use crate::integrate::control::Controller;
use crate::integrate::dense::Interpolant;
use crate::integrate::dop853::Dop853;
use crate::snapshot::words::part;

/// The error of dense output in units of the tolerance of the step, and the factors of its derivatives.
const DENSE: f64 = 8.0;
const FACTORS: [f64; 2] = [16.0, 256.0];

/// h |λ| of steps on the way to the edge of the region in which the method is stable, which is at 6.1.
const EDGE: f64 = 1.0;

#[derive(Debug, Clone)]
pub(in crate::flow) struct Explicit {
    method: Dop853,
    controller: Controller,
    dense: Interpolant,
    noise: Noise,
}

impl Explicit {
    pub(in crate::flow) fn new(dimension: usize) -> Self {
        Self {
            method: Dop853::new(dimension),
            controller: Controller::default(),
            dense: Interpolant::new(dimension),
            noise: Noise::new(dimension),
        }
    }

    /// Nothing is left of the run before.
    pub(in crate::flow) fn rewind(&mut self) {
        self.controller = Controller::default();
        self.noise.forget();
    }

    /// Whether the accepted step h to `next` was long for the method to be stable.
    pub(super) fn is_at_edge_of_stability(&self, h: f64, next: &Point) -> bool {
        self.method.rate_at_end(&next.y).is_some_and(|rate| h * rate > EDGE)
    }
}

impl Stepper for Explicit {
    fn restart(&mut self) {
        self.noise.forget();
    }

    fn slope(&self) -> &[f64] {
        self.method.slope()
    }

    fn slope_mut(&mut self) -> &mut [f64] {
        self.method.first_stage()
    }

    fn end_slope(&self) -> &[f64] {
        self.method.end_slope()
    }

    fn end_slope_mut(&mut self) -> &mut [f64] {
        self.method.last_stage()
    }

    fn trial(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        _: (&Tolerance, bool),
    ) -> Result<(), StepFailure> {
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
        self.method.trial(&mut f, base.t.high, &base.y, τ);
        Ok(())
    }

    fn increment(&self) -> &[f64] {
        self.method.increment()
    }

    fn error(
        &mut self,
        field: &mut Field<'_>,
        (base, h, next): (&Point, f64, &Point),
        tolerance: &mut Tolerance,
    ) -> f64 {
        let weights = tolerance.at_both(&base.y, &next.y);
        let weights = self.noise.widened(field, (base, h, self.method.slope()), weights);
        self.method.error(h, &base.y, weights)
    }

    fn judge(&mut self, error: f64, h: f64, pace: &mut Pace) -> bool {
        pace.take(h, self.controller.judge(error, h))
    }

    fn advance(&mut self) {
        self.method.advance();
        self.noise.step();
    }

    fn interpolate(&mut self, field: &mut Field<'_>, base: &Point, h: f64, next: &Point) {
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
        self.method.interpolate(&mut f, base.t.high, &base.y, h, &next.y, &mut self.dense);
    }

    fn state(&self, s: f64, y: &mut [f64]) {
        self.dense.state(s, y);
    }

    fn degree(&self, _: f64, _: &[f64]) -> usize {
        Interpolant::degree()
    }

    fn coefficients(&self, rows: &mut [f64]) {
        self.dense.coefficients(rows);
    }

    fn is_polynomial(&self) -> bool {
        false
    }

    fn polynomial_errors(&self, errors: &mut [f64]) {
        for error in errors {
            *error *= DENSE;
        }
    }

    fn derivative_factors(&self) -> [f64; 2] {
        FACTORS
    }

    fn excursions(&self, (base, h, next): (&Point, f64, &Point), to: &mut [f64]) -> bool {
        self.method.excursions(h, [&base.y, &next.y], to);
        true
    }

    /// The cubic with the slopes of both ends:
    ///
    /// ```text
    /// y = y₀ + s (d + (1−s) ((1−s) (h f₀ − d) − s (h f₁ − d)))        d = y₁ − y₀
    /// ```
    fn sketch(&self, s: f64, (base, h, next): (&Point, f64, &Point), y: &mut [f64]) {
        let (first, last) = (self.method.slope(), self.method.end_slope());
        for (i, y) in y.iter_mut().enumerate() {
            let d = next.y[i] - base.y[i];
            let bend = (1.0 - s) * (h * first[i] - d) - s * (h * last[i] - d);
            *y = base.y[i] + s * (d + (1.0 - s) * bend);
        }
    }

    /// The parabola with the slope of the start.
    fn sketch_middle(&self, (base, h, next): (&Point, f64, &Point), y: &mut [f64]) {
        let first = self.method.slope();
        for (i, y) in y.iter_mut().enumerate() {
            *y = 0.75 * base.y[i] + 0.25 * (next.y[i] + h * first[i]);
        }
    }

    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64])) {
        self.method.stages(base.t.high, &base.y, τ, visit);
    }
}

part! { Explicit { parts: [method, dense, noise], values: [controller], room: [] } }
