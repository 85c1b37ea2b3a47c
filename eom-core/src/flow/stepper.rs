//! What the flow asks of a method: a step from a base point with its error, the next size, the motion
//! within the step, and a new start after a jump.
//!
//! A method sees the slopes of the present mode (`Field`), makes y(t + τ) − y, and is asked about the step
//! that it made last. Projection on the constraints, whole turns, samples and events are the flow's. A method
//! is one file and one variant of [`Methods`]; power series (`series`) are made on top of one where the
//! mode allows them, since they know the guards as well, and lanes share them.

use super::explicit::Explicit;
use super::field::Field;
use super::point::Point;
use super::stiff::Stiff;
use crate::integrate::implicit::Work;
use crate::options::Method;

/// How errors are measured: wᵢ = aᵢ + r |yᵢ|.
#[derive(Debug, Clone)]
pub(super) struct Tolerance {
    pub(super) relative: f64,
    pub(super) absolute: Vec<f64>,
}

impl Tolerance {
    /// a + r |y| of component j where it has this size.
    pub(super) fn of(&self, j: usize, size: f64) -> f64 {
        self.absolute[j] + self.relative * size
    }
}

pub(super) trait Stepper {
    /// Nothing is known of the motion: another run, or a jump. ẏ at the base point is written next.
    fn restart(&mut self);

    /// ẏ at the base point, and room for it.
    fn slope(&self) -> &[f64];
    fn slope_mut(&mut self) -> &mut [f64];

    /// ẏ at the end of the step, and room for it: to be written before dense output is made.
    fn end_slope(&self) -> &[f64];
    fn end_slope_mut(&mut self) -> &mut [f64];

    /// Makes a step τ from the base point, whose end before the projection is base + `increment`. False where
    /// its equations are not solved. `exact` asks for all digits: steps of other sizes from the same
    /// point, among which an event is located, have to be one smooth function of τ.
    fn trial(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        measure: (&Tolerance, bool),
    ) -> bool;

    /// y(t + τ) − y of the last trial.
    fn increment(&self) -> &[f64];

    /// The error of the last trial h in units of the weights.
    fn error(&mut self, field: &mut Field<'_>, base: &Point, h: f64, weights: &[f64]) -> f64;

    /// Whether a step with this error is accepted, and the size to go on with.
    fn judge(&mut self, error: f64, h: f64) -> (bool, f64);

    /// The last trial h is accepted and ends in `next`.
    fn accept(&mut self, _base: &Point, _h: f64, _next: &Point) {}

    /// The next step begins where this one ended.
    fn advance(&mut self);

    /// Prepares the motion within the accepted step h to `next`.
    fn interpolate(&mut self, field: &mut Field<'_>, base: &Point, h: f64, next: &Point);

    /// Writes y at the part s of the step.
    fn state(&self, s: f64, y: &mut [f64]);

    /// Writes y at the part s of the step, τ after the base point, as well as a step of that size has it.
    fn sample(
        &self,
        _field: &mut Field<'_>,
        _step: (&Point, f64, &Tolerance),
        s: f64,
        y: &mut [f64],
    ) {
        self.state(s, y);
    }

    /// The degree of the polynomial in s that `state` is, and its coefficients, a row a power.
    fn degree(&self) -> usize;
    fn coefficients(&self, rows: &mut [f64]);

    /// How far the motion may be from it in component j; none where that is the tolerance of the step. It is
    /// known then for every accepted step, without more evaluations.
    fn polynomial_error(&self, _j: usize) -> Option<f64> {
        None
    }

    /// y at the part s of the accepted step by what is at hand without dense output, and at its middle
    /// in another way, from which the error of the first is seen.
    fn sketch(&self, s: f64, step: (&Point, f64, &Point), y: &mut [f64]);
    fn sketch_middle(&self, step: (&Point, f64, &Point), y: &mut [f64]);

    /// The nodes of a quadrature along the last trial: weight, time and state of each.
    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64]));

    /// The work that only implicit methods do.
    fn work(&self) -> Work {
        Work::default()
    }
}

/// The methods.
#[derive(Debug, Clone)]
pub(super) enum Methods {
    Explicit(Box<Explicit>),
    Stiff(Box<Stiff>),
}

/// Calls of the method that is chosen, without a table.
macro_rules! chosen {
    ($self:ident, $method:ident => $call:expr) => {
        match $self {
            Self::Explicit($method) => $call,
            Self::Stiff($method) => $call,
        }
    };
}

impl Methods {
    pub(super) fn new(method: Method, dimension: usize) -> Self {
        match method {
            Method::RungeKutta | Method::Taylor => {
                Self::Explicit(Box::new(Explicit::new(dimension)))
            }
            Method::Radau => Self::Stiff(Box::new(Stiff::new(dimension))),
        }
    }

    /// Nothing is left of the run before.
    pub(super) fn rewind(&mut self) {
        chosen!(self, method => method.rewind());
    }
}

impl Stepper for Methods {
    fn restart(&mut self) {
        chosen!(self, method => method.restart());
    }

    fn slope(&self) -> &[f64] {
        chosen!(self, method => method.slope())
    }

    fn slope_mut(&mut self) -> &mut [f64] {
        chosen!(self, method => method.slope_mut())
    }

    fn end_slope(&self) -> &[f64] {
        chosen!(self, method => method.end_slope())
    }

    fn end_slope_mut(&mut self) -> &mut [f64] {
        chosen!(self, method => method.end_slope_mut())
    }

    fn trial(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        measure: (&Tolerance, bool),
    ) -> bool {
        chosen!(self, method => method.trial(field, base, τ, measure))
    }

    fn increment(&self) -> &[f64] {
        chosen!(self, method => method.increment())
    }

    fn error(&mut self, field: &mut Field<'_>, base: &Point, h: f64, weights: &[f64]) -> f64 {
        chosen!(self, method => method.error(field, base, h, weights))
    }

    fn judge(&mut self, error: f64, h: f64) -> (bool, f64) {
        chosen!(self, method => method.judge(error, h))
    }

    fn accept(&mut self, base: &Point, h: f64, next: &Point) {
        chosen!(self, method => method.accept(base, h, next));
    }

    fn advance(&mut self) {
        chosen!(self, method => method.advance());
    }

    fn interpolate(&mut self, field: &mut Field<'_>, base: &Point, h: f64, next: &Point) {
        chosen!(self, method => method.interpolate(field, base, h, next));
    }

    fn state(&self, s: f64, y: &mut [f64]) {
        chosen!(self, method => method.state(s, y));
    }

    fn sample(
        &self,
        field: &mut Field<'_>,
        step: (&Point, f64, &Tolerance),
        s: f64,
        y: &mut [f64],
    ) {
        chosen!(self, method => method.sample(field, step, s, y));
    }

    fn degree(&self) -> usize {
        chosen!(self, method => method.degree())
    }

    fn coefficients(&self, rows: &mut [f64]) {
        chosen!(self, method => method.coefficients(rows));
    }

    fn polynomial_error(&self, j: usize) -> Option<f64> {
        chosen!(self, method => method.polynomial_error(j))
    }

    fn sketch(&self, s: f64, step: (&Point, f64, &Point), y: &mut [f64]) {
        chosen!(self, method => method.sketch(s, step, y));
    }

    fn sketch_middle(&self, step: (&Point, f64, &Point), y: &mut [f64]) {
        chosen!(self, method => method.sketch_middle(step, y));
    }

    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64])) {
        chosen!(self, method => method.stages(base, τ, visit));
    }

    fn work(&self) -> Work {
        chosen!(self, method => method.work())
    }
}
