//! The flow by Radau IIA of order 9, for stiff systems (`integrate::implicit`).
//!
//! The stages are begun from the polynomial of the step before. Each step has its own Jacobian: one of a point where
//! friction turns over is so much stiffer than what comes after that Newton's method changes nothing by it, and what
//! the polynomial guesses looks like a solution. Of sizes the one that two errors predict is taken (Gustafsson):
//!
//! ```text
//! h⁺ = h min(c err^(−1/6), 0.9 (h/h₋₁) (err₋₁/err²)^(1/6))        c = 0.9·25/(24 + Newton's steps)
//! ```
//!
//! What is stiff magnifies rounding: a spring of k has forces of k ε|q|, beside which there is no tolerance to be held. Weights
//! are widened by what of that a step is left with (`noise`), where it is as much as they are: it is looked for more and more
//! seldom along an arc in which it is not.

use super::stepper::{Pace, Stepper, Tolerance};
use crate::flow::failure::StepFailure;
use crate::flow::field::Field;
use crate::flow::noise::Noise;
use crate::flow::point::Point;
use crate::integrate::implicit::{DEGREE, From, Implicit, Work, polynomial};
use crate::snapshot::words::{part, value};
use eom_elementary as elementary;
use nalgebra::Complex;

/// The power of the tolerance at which errors are measured, and its factor. Where contacts or friction are in force what is
/// stiff bends with the motion, and brings the order down to that of the stages.
const POWER: f64 = 0.6;
const POWER_IN_FORCE: f64 = 0.75;
const FACTOR: f64 = 0.1;
/// The power of the error in the next size.
const EXPONENT: f64 = 1.0 / 6.0;
const SAFETY: f64 = 0.9;
/// Steps shrink and grow by no more than this.
const SHRINK: f64 = 5.0;
const GROW: f64 = 0.125;
/// Newton's steps that count as many.
const MANY: f64 = 24.0;
/// The error of the polynomial in units of its last term.
const LAST_TERM: f64 = 1.0 / 16.0;
/// The error of a step in units of its tolerance, and the factors of its derivatives.
const DENSE: f64 = 8.0;
const FACTORS: [f64; 2] = [16.0, 256.0];
/// What Newton's method may leave of a step, in units of the tolerance: it is of one sign from step to step.
const NEWTON: f64 = 0.01;
/// The part of the tolerance by which a step really errs: that of order 5 is what is measured.
const SHARE: f64 = 1.0;
/// Steps of an arc after which rounding is looked for, and how often that is doubled.
const LOOK: u64 = 4;
const LOOKS: u64 = 7;
/// What Newton's method may leave for a trial that is one smooth function of its size.
const EXACT: f64 = 1e-9;

#[derive(Debug, Clone)]
pub(in crate::flow) struct Stiff {
    method: Implicit,
    first: Vec<f64>,
    last: Vec<f64>,
    /// The motion within the last accepted step h, before it from y₀, and h; none after a jump.
    powers: Vec<f64>,
    start: Vec<f64>,
    past: Option<f64>,
    /// Whether `powers` are those of the present step.
    present: bool,
    weights: Vec<f64>,
    /// |yⱼ| + aⱼ/r.
    scales: Vec<f64>,
    control: Control,
    noise: Noise,
    /// What rounding makes of the slopes at the base point, where it was looked for.
    roundings: Vec<f64>,
}

/// Sizes and errors of the steps before.
#[derive(Debug, Clone, Copy, Default)]
struct Control {
    /// h and err of the last accepted step.
    before: Option<(f64, f64)>,
    rejected: bool,
    /// How often no rounding was heard.
    looks: u64,
}

impl Stiff {
    pub(in crate::flow) fn new(dimension: usize) -> Self {
        let zeros = vec![0.0; dimension];
        Self {
            method: Implicit::new(dimension),
            first: zeros.clone(),
            last: zeros.clone(),
            powers: vec![0.0; DEGREE * dimension],
            start: zeros.clone(),
            past: None,
            present: false,
            weights: zeros.clone(),
            scales: zeros,
            control: Control::default(),
            noise: Noise::new(dimension),
            roundings: Vec::with_capacity(dimension),
        }
    }

    /// Nothing is left of the run before.
    pub(in crate::flow) fn rewind(&mut self) {
        self.restart();
        self.method.work = Work::default();
    }

    /// The motion is its own from the base point on.
    pub(in crate::flow) fn begin(&mut self, field: &mut Field<'_>, base: &Point) {
        self.restart();
        field.slope(base.t.high, &base.y, &mut self.first);
    }

    /// Begins the stages of a step τ from what is known of the motion.
    fn guess(&mut self, τ: f64) {
        let span = |first: f64, h: f64| (self.powers.as_slice(), [first, τ / h]);
        let first = if self.present { 0.0 } else { 1.0 };
        self.method.guess(self.past.map(|h| span(first, h)));
    }

    /// A trial with the rows that are in force at the base point.
    fn attempt(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        (tolerance, exact): (&Tolerance, bool),
    ) -> Result<(), StepFailure> {
        self.guess(τ);
        let power = if field.is_plain() { POWER } else { POWER_IN_FORCE };
        let enough = self.measure(base, tolerance, power);
        let enough = if exact { EXACT } else { enough };
        scale(&mut self.scales, base, tolerance);
        self.widen(field, base, τ, exact);
        if self.solve(field, base, τ, enough) {
            return Ok(());
        }
        // Within an accepted step its own polynomial is the motion.
        let known = exact && self.present && self.past.is_some_and(|h| τ <= h);
        if !known {
            return Err(StepFailure::Underflow { step: τ });
        }
        self.guess(τ);
        Ok(())
    }

    /// Solves for the stages from a guess, with the Jacobian of the program where there is one.
    fn solve(&mut self, field: &mut Field<'_>, base: &Point, τ: f64, enough: f64) -> bool {
        self.load_jacobian(field, base);
        let Self { method, first, weights, scales, .. } = self;
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
        let from = From { t: base.t.high, y: &base.y, slope: first };
        method.solve(&mut f, from, τ, (scales, weights, enough))
    }

    /// Weights with what rounding of the slopes leaves of a step τ.
    fn widen(&mut self, field: &mut Field<'_>, base: &Point, τ: f64, exact: bool) {
        if self.roundings.is_empty() {
            if exact || self.noise.steps() < LOOK << self.control.looks.min(LOOKS) {
                return;
            }
            self.noise.write_sizes(field, (base, &self.first), &mut self.roundings);
        }
        self.load_jacobian(field, base);
        let Self { method, first, weights, scales, roundings, .. } = self;
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
        let from = From { t: base.t.high, y: &base.y, slope: first };
        if !method.widen(&mut f, from, τ, (scales, roundings, weights)) && !exact {
            self.control.looks = (self.control.looks + 1).min(LOOKS);
            self.noise.forget();
            self.roundings.clear();
        }
    }

    /// Takes the Jacobian of the program, where one is wanted and there is one.
    fn load_jacobian(&mut self, field: &mut Field<'_>, base: &Point) {
        let Self { method, scales, .. } = self;
        method.take_jacobian(|rows| field.jacobian((base.t.high, &base.y), scales, rows));
    }

    /// The eigenvalues of ∂ẏ/∂y at the base point, whose slope is known. None where they are not found.
    pub(in crate::flow) fn eigenvalues(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        tolerance: &Tolerance,
    ) -> Option<Vec<Complex<f64>>> {
        self.method.renew();
        scale(&mut self.scales, base, tolerance);
        self.load_jacobian(field, base);
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
        let from = From { t: base.t.high, y: &base.y, slope: &self.first };
        self.method.eigenvalues(&mut f, from, &self.scales)
    }

    /// The weights in which Newton's method and the error are measured, and how far Newton goes.
    fn measure(&mut self, base: &Point, tolerance: &Tolerance, power: f64) -> f64 {
        let loose = FACTOR * elementary::powf(tolerance.relative, power);
        let end = self.method.increment();
        for (j, weight) in self.weights.iter_mut().enumerate() {
            let size = base.y[j].abs().max((base.y[j] + end[j]).abs());
            *weight = tolerance.of(j, size) * (loose / tolerance.relative);
        }
        let tight = NEWTON * tolerance.relative / loose;
        loose.sqrt().min(0.03).min(tight).max(10.0 * f64::EPSILON / loose)
    }
}

impl Stiff {
    /// Whether a step with this error is accepted, and the size to go on with.
    fn next_size(&mut self, error: f64, h: f64) -> (bool, f64) {
        if !error.is_finite() {
            self.control.rejected = true;
            self.method.renew();
            return (false, 0.5 * h);
        }
        let steps = self.method.iterations() as f64;
        let safety = SAFETY.min(SAFETY * (MANY + 1.0) / (MANY + steps));
        let root = |x: f64| elementary::powf(x, EXPONENT);
        let mut quotient = (root(error) / safety).clamp(GROW, SHRINK);
        if error > 1.0 {
            let first = self.control.before.is_none() && !self.control.rejected;
            self.control.rejected = true;
            return (false, if first { 0.1 * h } else { h / quotient.max(1.0 / SAFETY) });
        }
        if let Some((size, before)) = self.control.before {
            let predicted = size / h * root(error * error / before) / SAFETY;
            quotient = quotient.max(predicted.clamp(GROW, SHRINK));
        }
        let mut next = h / quotient;
        if self.control.rejected {
            next = next.min(h);
        }
        self.control =
            Control { before: Some((h, error.max(1e-2))), rejected: false, ..self.control };
        (true, next)
    }
}

/// Writes |yⱼ| + aⱼ/r.
fn scale(scales: &mut [f64], base: &Point, tolerance: &Tolerance) {
    let floors = tolerance.absolute.iter().map(|a| a / tolerance.relative);
    let sizes = base.y.iter().zip(floors).map(|(y, floor)| y.abs() + floor);
    scales.iter_mut().zip(sizes).for_each(|(scale, size)| *scale = size);
}

impl Stepper for Stiff {
    fn restart(&mut self) {
        self.method.forget();
        (self.past, self.present) = (None, false);
        self.control = Control::default();
        self.noise.forget();
        self.roundings.clear();
    }

    fn slope(&self) -> &[f64] {
        &self.first
    }

    fn slope_mut(&mut self) -> &mut [f64] {
        &mut self.first
    }

    fn end_slope(&self) -> &[f64] {
        &self.last
    }

    fn end_slope_mut(&mut self) -> &mut [f64] {
        &mut self.last
    }

    fn trial(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        τ: f64,
        how: (&Tolerance, bool),
    ) -> Result<(), StepFailure> {
        let at = (base.t.high, &base.y[..]);
        field.with_rows_at(at, |field| self.attempt(field, base, τ, how))
    }

    fn increment(&self) -> &[f64] {
        self.method.increment()
    }

    fn error(
        &mut self,
        field: &mut Field<'_>,
        (base, h, _): (&Point, f64, &Point),
        _: &mut Tolerance,
    ) -> f64 {
        let from = From { t: base.t.high, y: &base.y, slope: &self.first };
        let moved = self.control.rejected || self.control.before.is_none();
        field.with_rows_at((base.t.high, &base.y), |field| {
            let mut f = |t: f64, y: &[f64], dy: &mut [f64]| field.slope(t, y, dy);
            self.method.error(&mut f, from, h, (&self.weights, moved))
        })
    }

    fn judge(&mut self, error: f64, h: f64, pace: &mut Pace) -> bool {
        pace.take(h, self.next_size(error, h))
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.first, &mut self.last);
        self.method.renew();
        self.present = false;
        self.noise.step();
        self.roundings.clear();
    }

    /// The polynomial of the stages, whose end is that of the step, is the motion within it.
    fn accept(&mut self, base: &Point, h: f64, next: &Point) {
        self.start.copy_from_slice(&base.y);
        self.method.polynomial(|j| next.y[j] - base.y[j], &mut self.powers);
        (self.past, self.present) = (Some(h), true);
    }

    fn interpolate(&mut self, _: &mut Field<'_>, _: &Point, _: f64, _: &Point) {}

    fn state(&self, s: f64, y: &mut [f64]) {
        let d = y.len();
        for (j, y) in y.iter_mut().enumerate() {
            *y = self.start[j] + polynomial(&self.powers, d, j, s);
        }
    }

    /// Its polynomial is of order 5 only; a step to there is of order 9.
    fn sample(
        &self,
        field: &mut Field<'_>,
        (base, τ, tolerance): (&Point, f64, &Tolerance),
        s: f64,
        y: &mut [f64],
    ) {
        let mut other = self.clone();
        if s > 0.0 && s < 1.0 && other.trial(field, base, τ, (tolerance, true)).is_ok() {
            let ends = base.y.iter().zip(other.increment());
            y.iter_mut().zip(ends).for_each(|(y, (base, change))| *y = base + change);
        } else {
            self.state(s, y);
        }
    }

    fn degree(&self, _: f64, _: &[f64]) -> usize {
        DEGREE
    }

    fn coefficients(&self, rows: &mut [f64]) {
        let (first, rest) = rows.split_at_mut(self.start.len());
        first.copy_from_slice(&self.start);
        rest.copy_from_slice(&self.powers);
    }

    fn is_polynomial(&self) -> bool {
        true
    }

    /// |s Π (s − cᵢ)| is below 0.01: 1/16 of the last term is more than a series whose terms fall leaves out.
    fn polynomial_errors(&self, errors: &mut [f64]) {
        let last = &self.powers[(DEGREE - 1) * self.start.len()..];
        for (error, last) in errors.iter_mut().zip(last) {
            *error = DENSE * *error + LAST_TERM * last.abs();
        }
    }

    fn derivative_factors(&self) -> [f64; 2] {
        FACTORS
    }

    /// The polynomial, which is known for every step of this method.
    fn sketch(&self, s: f64, _: (&Point, f64, &Point), y: &mut [f64]) {
        self.state(s, y);
    }

    /// The parabola through both ends and the third stage.
    fn sketch_middle(&self, (base, _, next): (&Point, f64, &Point), y: &mut [f64]) {
        let (c, stage) = self.method.middle();
        for (j, y) in y.iter_mut().enumerate() {
            let (end, middle) = (next.y[j] - base.y[j], stage[j]);
            // s (end + (s − 1) κ) with the value of the stage at c.
            let bend = (middle / c - end) / (c - 1.0);
            *y = base.y[j] + 0.5 * (end - 0.5 * bend);
        }
    }

    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64])) {
        self.method.visit((base.t.high, &base.y), τ, visit);
    }

    /// Newton's method goes by ∂ẏ/∂y at the start, which becomes 4/3 of it at the end.
    fn part_of_stop(&self) -> f64 {
        0.25
    }

    fn share_of_tolerance(&self) -> f64 {
        SHARE
    }

    fn work(&self) -> Work {
        self.method.work
    }
}

part! { Stiff {
    parts: [method, first, last, powers, start, weights, noise],
    values: [past, present, control, roundings],
    room: [scales],
} }

value! { Control { before, rejected, looks } }
