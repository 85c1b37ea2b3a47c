//! What the flow asks of a method: a step from a base point with its error, the next size, the motion
//! within the step, and a new start after a jump.
//!
//! A method sees the slopes of the present mode (`Field`), makes y(t + τ) − y, and is asked about the step
//! that it made last. Projection on the constraints, whole turns, samples and events are the flow's. A method
//! is one file and one line of `methods`.

use crate::flow::failure::StepFailure;
use crate::flow::field::Field;
use crate::flow::point::Point;
use crate::integrate::control::weights;
use crate::integrate::implicit::Work;
use crate::snapshot::words::value;

/// How errors are measured: wᵢ = aᵢ + r |yᵢ|.
#[derive(Debug, Clone)]
pub(in crate::flow) struct Tolerance {
    pub(in crate::flow) relative: f64,
    pub(in crate::flow) absolute: Vec<f64>,
    /// One absolute tolerance of all that is given, which is none of units: that of what is of the size 1.
    of_all: Option<f64>,
    /// wᵢ as they were asked for last.
    weights: Vec<f64>,
}

/// The sizes of steps.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::flow) struct Pace {
    /// With which the next step is tried; 0 before the first.
    pub(in crate::flow) size: f64,
    /// The first that was tried: the time in which the motion changes at the start.
    pub(in crate::flow) first: f64,
    /// Steps that were tried in vain.
    pub(in crate::flow) rejected: u64,
    /// How many of the last steps passed a jump of the forces that no step is short enough for.
    pub(in crate::flow) passed: u64,
}

impl Pace {
    /// A step h was accepted or not, and the method would go on with this size. Whether it was.
    pub(in crate::flow) fn take(&mut self, h: f64, (accepted, size): (bool, f64)) -> bool {
        // A step cut short at the end of the run says nothing about the next size.
        if !accepted || h == self.size || size < self.size {
            self.size = size;
        }
        accepted
    }
}

impl Tolerance {
    pub(in crate::flow) fn new(relative: f64, absolute: Vec<f64>, of_all: Option<f64>) -> Self {
        Self { relative, weights: vec![0.0; absolute.len()], absolute, of_all }
    }

    /// The motion begins at this state. Where it is nowhere as large as the tolerance of all, this is a part of it.
    pub(in crate::flow) fn begin(&mut self, y: &[f64]) {
        if let Some(part) = self.part_at(y) {
            self.absolute.fill(part);
        }
    }

    /// The motion has come to this state: where it has grown, so does a part of the tolerance of all. Whether it does.
    pub(in crate::flow) fn grow(&mut self, y: &[f64]) -> bool {
        let own = self.absolute.first().copied().unwrap_or(0.0);
        let is_part = self.of_all.is_some_and(|all| own < all);
        let grown = is_part.then(|| self.part_at(y)).flatten().filter(|part| own < *part);
        if let Some(part) = grown {
            self.absolute.fill(part);
        }
        grown.is_some()
    }

    /// The tolerance of all, or a part of it at a state that is nowhere as large.
    fn part_at(&self, y: &[f64]) -> Option<f64> {
        let absolute = self.of_all?;
        let size = y.iter().fold(0.0, |size: f64, y| size.max(y.abs()));
        let is_small = 0.0 < size && size < absolute;
        Some(if is_small { (absolute * size).max(f64::MIN_POSITIVE) } else { absolute })
    }

    /// wᵢ at a state.
    pub(in crate::flow) fn at(&mut self, y: &[f64]) -> &[f64] {
        weights(self.relative, &self.absolute, y, &mut self.weights);
        &self.weights
    }

    /// wᵢ with the larger |yᵢ| of two states.
    pub(in crate::flow) fn at_both(&mut self, one: &[f64], other: &[f64]) -> &[f64] {
        let Self { relative, absolute, weights, .. } = self;
        let sizes = one.iter().zip(other).map(|(one, other)| one.abs().max(other.abs()));
        for ((weight, absolute), size) in weights.iter_mut().zip(absolute).zip(sizes) {
            *weight = *absolute + *relative * size;
        }
        weights
    }

    /// a + r |y| of component j where it has this size.
    pub(in crate::flow) fn of(&self, j: usize, size: f64) -> f64 {
        self.absolute[j] + self.relative * size
    }
}

pub(in crate::flow) trait Stepper {
    /// Nothing is known of the motion: another run, or a jump. ẏ at the base point is written next.
    fn restart(&mut self);

    /// ẏ at the base point, and room for it.
    fn slope(&self) -> &[f64];
    fn slope_mut(&mut self) -> &mut [f64];

    /// ẏ at the end of the step, and room for it: to be written before dense output is made.
    fn end_slope(&self) -> &[f64];
    fn end_slope_mut(&mut self) -> &mut [f64];

    /// Whether ẏ at the end of a step is part of it. A method that needs none there leaves it out, and knows
    /// the motion along a step before that is made.
    fn has_end_slope(&self) -> bool {
        true
    }

    /// The size of the next step, of at most `longest`.
    fn propose(
        &mut self,
        _field: &mut Field<'_>,
        _base: &Point,
        pace: &mut Pace,
        longest: f64,
    ) -> Result<f64, StepFailure> {
        Ok(pace.size.min(longest))
    }

    /// Makes a step τ from the base point, whose end before the projection is base + `increment`. An error where
    /// its equations are not solved. `exact` asks for all digits: steps of other sizes from the same
    /// point, among which an event is located, have to be one smooth function of τ.
    fn trial(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        measure: (&Tolerance, bool),
    ) -> Result<(), StepFailure>;

    /// y(t + τ) − y of the last trial.
    fn increment(&self) -> &[f64];

    /// The error of the last trial h to `next`, in units of the tolerance.
    fn error(
        &mut self,
        field: &mut Field<'_>,
        step: (&Point, f64, &Point),
        tolerance: &mut Tolerance,
    ) -> f64;

    /// Whether a step with this error is accepted; the size to go on with.
    fn judge(&mut self, error: f64, h: f64, pace: &mut Pace) -> bool;

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

    /// The degree of the polynomial in s that `state` is, and its coefficients, a row a power. On s ≤ `end` terms
    /// that stay below a 128th of the errors given may be left out.
    fn degree(&self, end: f64, errors: &[f64]) -> usize;
    fn coefficients(&self, rows: &mut [f64]);

    /// Whether it is known for every accepted step, without more evaluations.
    fn is_polynomial(&self) -> bool;

    /// Makes of the tolerances of each component how far the motion may be from it there; and what this is to be
    /// multiplied by for the first and the second derivative.
    fn polynomial_errors(&self, errors: &mut [f64]);
    fn derivative_factors(&self) -> [f64; 2];

    /// Writes how far the accepted step may be from its chord, where that is at hand.
    fn excursions(&self, _step: (&Point, f64, &Point), _to: &mut [f64]) -> bool {
        false
    }

    /// y at the part s of the accepted step by what is at hand without dense output, and at its middle
    /// in another way, from which the error of the first is seen.
    fn sketch(&self, s: f64, step: (&Point, f64, &Point), y: &mut [f64]);
    fn sketch_middle(&self, step: (&Point, f64, &Point), y: &mut [f64]);

    /// The nodes of a quadrature along the last trial: weight, time and state of each.
    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64]));

    /// The part of the time to a stop of friction in a plane that a step may take: ∂ẏ/∂y is there as 1/‖w‖.
    fn part_of_stop(&self) -> f64 {
        0.5
    }

    /// The part of its tolerance by which a step really errs. That of order 8 goes on with the better of two results: it is about
    /// what near-grazing contacts of the penny show of it for relative tolerances from 10⁻⁸ to 10⁻¹².
    fn share_of_tolerance(&self) -> f64 {
        1.0 / 200.0
    }

    /// The work that only implicit methods do.
    fn work(&self) -> Work {
        Work::default()
    }
}

value! { Pace { size, first, rejected, passed } }
