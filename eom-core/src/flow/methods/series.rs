//! The flow by power series: Φ_τ(xₙ) = Π(Σ yₖ τᵏ), from one expansion at xₙ for all τ of its step.
//!
//! The motion along a step, and the gaps and guards along it, are known before the step is made. Its size is a
//! part of the radius of convergence, so it is accepted unless its end cannot be brought to the constraints.
//!
//! The last terms tell the radius where there is none between them that is missing. Those of ẍ = −x³ from x = 0 on are each
//! fourth, and of ẍ = −x⁵⁹ there is none up to the order 59. So the slope of the polynomial y at the end of a step is held
//! against that of the motion, v̇(y(h)): what lies between them is of the order P of the series,
//!
//! ```text
//! |v̇ − y′| h/(P + 1) ≤ 4 (a + r |y|)        else the step is halved
//! ```
//!
//! as long as halves make it smaller by more than rounding would. Where the motion jumps within the step, as an angle does
//! at its cut, both slopes differ at its end whatever its size, and it is halved until it ends before.
//!
//! Truncations add up along an arc, from one jump of the motion to the next. Where guards ask for the polynomials of a step
//! the first steps of an arc err by r, since impacts that follow each other leave no time for more; those of a long arc err by
//! as little as those of a motion without guards, so that an event which is watched takes nothing from the motion.

use super::stepper::{Pace, Stepper, Tolerance};
use crate::flow::failure::StepFailure;
use crate::flow::field::Field;
use crate::flow::point::Point;
use crate::run::options::Options;
use crate::series::{Series, Tail, part_of_radius, powers};
use crate::snapshot::words::part;
use crate::system::System;
use eom_quadrature::{CENTRE, PAIRS, PAIRS_OF_15};

/// A step whose size the series does not limit is at most so many times the one before.
const GROWTH: f64 = 8.0;

/// Steps of an arc before those of a long one.
const FIRST_STEPS: u64 = 2;

/// A term that is below this part of the error may be left out; of all of them the error grows by this factor.
const LEFT_OUT: f64 = 1.0 / 128.0;
pub(crate) const ALL_LEFT_OUT: f64 = 1.5;

/// A guard may ask for a step that is a part of what the series allows, and it is still the series that sets it.
const NEARLY: f64 = 0.125;

/// Terms below this part of the state are rounding, which a rate of decay may have magnified so far.
const ROUNDING: f64 = 1e-6;

/// Terms up to here are kept.
const DEGREE_MIN: usize = 2;

/// How far slopes at the end of a step may be apart, in units of the tolerance; what a half leaves of that at most, by which
/// it is told from rounding; what part of the slopes is a jump; the most halvings.
const DEFECT: f64 = 4.0;
const HALF: f64 = 1.0 / 6.0;
const JUMP: f64 = 1e-4;
const HALVINGS: usize = 200;

/// The series at a base point.
#[derive(Debug, Clone)]
pub(in crate::flow) struct BySeries {
    pub(in crate::flow) series: Series,
    /// r; a step in units of the radius of convergence, at the start of an arc and later.
    relative: f64,
    parts: [f64; 2],
    /// aᵢ/r.
    floors: Vec<f64>,
    /// Steps since the motion jumped.
    steps: u64,
    /// Whether it is that of the present base point, and whether the run has asked for it.
    pub(in crate::flow) present: bool,
    asked: bool,
    /// The step that it allows.
    reach: f64,
    /// The last step, of whose parts the dense output is asked.
    pub(in crate::flow) h: f64,
    /// y at the base point.
    start: Vec<f64>,
    /// y(t + τ) − y of the last trial, before Π.
    increment: Vec<f64>,
    /// The longest step of the present series whose end has been looked at, and room for that.
    told: f64,
    end: Vec<f64>,
    accelerations: [Vec<f64>; 2],
    multipliers: Vec<f64>,
    /// Which part of the slopes at that end, and of those that turn v within the longest of these steps, lay between them.
    jump: f64,
    longest: f64,
    /// ẏ at both ends, where it is asked for.
    pub(in crate::flow) slopes: [Vec<f64>; 2],
    pub(in crate::flow) expansions: u64,
}

impl BySeries {
    /// None where the run does not ask for it or the system has none.
    pub(in crate::flow) fn new(
        system: &dyn System,
        options: &Options,
        tolerance: &Tolerance,
    ) -> Option<Self> {
        let (relative, order) = (options.relative_tolerance, options.order(system.info()));
        let truncations = options.truncations(system.info());
        let zeros = || vec![0.0; tolerance.absolute.len()];
        let speeds = || vec![0.0; system.info().speeds()];
        let wanted = options.method.has_series();
        (wanted && system.has_series()).then(|| Self {
            series: Series::new(order),
            relative,
            parts: truncations.map(|truncation| part_of_radius(order, truncation)),
            floors: tolerance.absolute.iter().map(|a| a / relative).collect(),
            steps: 0,
            present: false,
            asked: false,
            reach: 0.0,
            h: 0.0,
            start: zeros(),
            increment: zeros(),
            told: 0.0,
            end: zeros(),
            accelerations: [speeds(), speeds()],
            multipliers: vec![0.0; system.info().rows.len()],
            jump: 0.0,
            longest: 0.0,
            slopes: [zeros(), zeros()],
            expansions: 0,
        })
    }

    /// Nothing is left of the run before.
    pub(in crate::flow) fn rewind(&mut self) {
        self.restart();
        self.begin_arc();
        (self.reach, self.h, self.expansions) = (0.0, 0.0, 0);
    }

    /// The motion has jumped.
    pub(in crate::flow) fn begin_arc(&mut self) {
        self.steps = 0;
    }

    /// aᵢ/r of these tolerances.
    pub(in crate::flow) fn set_floors(&mut self, tolerance: &Tolerance) {
        let floors = tolerance.absolute.iter().map(|a| a / tolerance.relative);
        self.floors.iter_mut().zip(floors).for_each(|(to, floor)| *to = floor);
    }

    /// Makes the series at the base point, once.
    pub(in crate::flow) fn make(&mut self, field: &Field<'_>, base: &Point) {
        if !self.present {
            let (q, v) = base.parts();
            field.system.series(base.t.high, q, v, &field.inputs, &mut self.series);
            self.present = true;
        }
    }

    /// Makes the series that is said to be present.
    pub(in crate::flow) fn renew(&mut self, field: &Field<'_>, base: &Point) {
        self.told = 0.0;
        if std::mem::take(&mut self.present) {
            self.make(field, base);
        }
    }

    /// Expands at the base point, once. Whether there are numbers for its terms.
    pub(in crate::flow) fn expand(&mut self, field: &Field<'_>, base: &Point) -> bool {
        self.make(field, base);
        if self.asked {
            return true;
        }
        (self.asked, self.told) = (true, 0.0);
        self.expansions += 1;
        self.start.copy_from_slice(&base.y);
        self.slopes[0].copy_from_slice(self.series.coefficients(1));
        let tail = self.series.tail();
        let part = self.parts[usize::from(self.steps >= FIRST_STEPS)];
        self.reach = part * self.series.radius(self.series.order(), &self.floors);
        if let Tail::Faint(last) = tail {
            let reach = self.series.reach_of_faint(last, &self.floors);
            self.reach = if reach < self.reach { reach } else { self.reach };
        }
        !self.reach.is_nan() && tail != Tail::Lost
    }

    /// Whether the series sets the size of its step by terms that are rounding.
    pub(super) fn is_bent_by_rounding(&self) -> bool {
        self.h >= NEARLY * self.reach && {
            let powers = powers(self.h);
            let is_rounding = |k: usize| {
                let scales = self.start.iter().zip(&self.floors);
                self.series.coefficients(k).iter().zip(scales).all(|(c, (start, floor))| {
                    (c * powers[k]).abs() <= ROUNDING * (start.abs() + floor)
                })
            };
            (2..=self.series.order()).all(is_rounding)
        }
    }

    /// A step that was too long to see what acts: what its end said holds for no part of it.
    pub(in crate::flow) fn shorten_to_slopes(&mut self, field: &Field<'_>, base: &Point) {
        self.told = 0.0;
        self.h = self.told(field, base, self.h);
    }

    /// A step of at most h at whose end the slopes are those of the motion. One that ends where the motion has none, beyond the
    /// edge of what a root or a logarithm is of, is halved until it ends before.
    fn told(&mut self, field: &Field<'_>, base: &Point, h: f64) -> f64 {
        if h <= self.told || !field.is_plain() {
            return h;
        }
        self.longest = h;
        let (mut told, mut defect) = (h, self.defect(field, base, h));
        let mut jump = self.jump;
        for _ in 0..HALVINGS {
            if defect <= DEFECT {
                break;
            }
            let half = self.defect(field, base, 0.5 * told);
            if defect.is_finite() && half > HALF * defect && jump <= JUMP {
                break;
            }
            (told, defect, jump) = (0.5 * told, half, self.jump);
        }
        self.told = told;
        told
    }

    /// max |v̇ − y′| h/(P + 1)/(a + r |y|) at the end of a step h; which part of the slopes there lies between them.
    fn defect(&mut self, field: &Field<'_>, base: &Point, h: f64) -> f64 {
        let mut end = std::mem::take(&mut self.end);
        self.at(h, &mut end);
        let (q, v) = end.split_at(field.positions);
        let [slopes, found] = &mut self.accelerations;
        self.series.rates_at(h, field.positions, slopes);
        let (t, λ) = (base.t.plus(h).high, &mut self.multipliers);
        field.system.prepared_accelerations(&field.prepared, t, q, v, &field.inputs, found, λ);
        let part = h / ((self.series.order() + 1) as f64 * self.relative);
        let speeds = v.iter().zip(&self.start[q.len()..]).zip(&self.floors[q.len()..]);
        let defects =
            slopes.iter().zip(&*found).zip(speeds).map(|((slope, found), ((v, start), floor))| {
                (*found - slope).abs() * part / (f64::max(v.abs(), start.abs()) + floor)
            });
        // NaN is kept.
        let larger = |largest: f64, own: f64| {
            if own <= largest || largest.is_nan() { largest } else { own }
        };
        let largest = defects.fold(0.0, larger);
        let size =
            |slopes: &[f64]| slopes.iter().fold(0.0_f64, |size, slope| size.max(slope.abs()));
        let apart = slopes.iter().zip(&*found).map(|(slope, found)| (found - slope).abs());
        let swing = size(&end[q.len()..]).max(size(&self.start[q.len()..])) / self.longest;
        self.jump = apart.fold(0.0, f64::max) / (size(slopes) + size(found) + swing);
        self.end = end;
        largest
    }

    /// Writes y(t + τ).
    pub(in crate::flow) fn at(&self, τ: f64, y: &mut [f64]) {
        self.series.increment(τ, y);
        y.iter_mut().zip(&self.start).for_each(|(y, start)| *y += start);
    }
}

impl Stepper for BySeries {
    fn restart(&mut self) {
        (self.present, self.asked) = (false, false);
    }

    fn slope(&self) -> &[f64] {
        &self.slopes[0]
    }

    fn slope_mut(&mut self) -> &mut [f64] {
        &mut self.slopes[0]
    }

    fn end_slope(&self) -> &[f64] {
        &self.slopes[1]
    }

    fn end_slope_mut(&mut self) -> &mut [f64] {
        &mut self.slopes[1]
    }

    fn has_end_slope(&self) -> bool {
        false
    }

    fn propose(
        &mut self,
        field: &mut Field<'_>,
        base: &Point,
        pace: &mut Pace,
        longest: f64,
    ) -> Result<f64, StepFailure> {
        pace.size = if self.reach.is_finite() { self.reach } else { GROWTH * pace.size };
        let asked = pace.size.min(longest);
        self.h = self.told(field, base, asked);
        if self.h < asked {
            (self.reach, pace.size) = (self.h, self.h);
        }
        Ok(self.h)
    }

    fn trial(
        &mut self,
        _: &mut Field<'_>,
        _: &Point,
        τ: f64,
        _: (&Tolerance, bool),
    ) -> Result<(), StepFailure> {
        self.series.increment(τ, &mut self.increment);
        Ok(())
    }

    fn increment(&self) -> &[f64] {
        &self.increment
    }

    /// That of the radius of convergence is far below the tolerance.
    fn error(&mut self, _: &mut Field<'_>, _: (&Point, f64, &Point), _: &mut Tolerance) -> f64 {
        0.0
    }

    fn judge(&mut self, error: f64, h: f64, pace: &mut Pace) -> bool {
        if error.is_finite() {
            return true;
        }
        self.reach = 0.5 * h;
        pace.size = self.reach;
        false
    }

    fn accept(&mut self, _: &Point, h: f64, _: &Point) {
        self.h = h;
    }

    fn advance(&mut self) {
        self.steps += 1;
    }

    fn interpolate(&mut self, _: &mut Field<'_>, _: &Point, _: f64, _: &Point) {}

    fn state(&self, s: f64, y: &mut [f64]) {
        self.at(s * self.h, y);
    }

    fn degree(&self, end: f64, errors: &[f64]) -> usize {
        let powers = powers(end * self.h);
        self.series.degree_beyond(&powers, LEFT_OUT, errors).max(DEGREE_MIN)
    }

    fn coefficients(&self, rows: &mut [f64]) {
        let n = self.start.len();
        let mut power = 1.0;
        for (k, row) in rows.chunks_exact_mut(n).enumerate() {
            for (to, c) in row.iter_mut().zip(self.series.coefficients(k)) {
                *to = power * c;
            }
            power = (power * self.h).min(f64::MAX);
        }
    }

    fn is_polynomial(&self) -> bool {
        true
    }

    /// Its last two terms, what a step errs, and the terms that are left out.
    fn polynomial_errors(&self, errors: &mut [f64]) {
        let order = self.series.order();
        let powers = powers(self.h);
        let last = self.series.coefficients(order - 1).iter().zip(self.series.coefficients(order));
        for (error, (before, last)) in errors.iter_mut().zip(last) {
            let terms = (before * powers[order - 1]).abs() + (last * powers[order]).abs();
            *error = ALL_LEFT_OUT * (terms + *error);
        }
    }

    /// Those of sᵏ at s = 1.
    fn derivative_factors(&self) -> [f64; 2] {
        let order = self.series.order() as f64;
        [order, order * order]
    }

    /// Σ |yₖ| hᵏ from k = 2 on, since |sᵏ − s| ≤ 1, and its last two terms once more for those after them.
    fn excursions(&self, _: (&Point, f64, &Point), to: &mut [f64]) -> bool {
        let order = self.series.order();
        let mut power = self.h;
        to.fill(0.0);
        for k in 2..=order {
            power = (power * self.h).min(f64::MAX / 2.0);
            let weight = if k + 1 < order { power } else { 2.0 * power };
            for (to, c) in to.iter_mut().zip(self.series.coefficients(k)) {
                *to += weight * c.abs();
            }
        }
        true
    }

    fn sketch(&self, s: f64, _: (&Point, f64, &Point), y: &mut [f64]) {
        self.state(s, y);
    }

    fn sketch_middle(&self, _: (&Point, f64, &Point), y: &mut [f64]) {
        self.state(0.5, y);
    }

    /// The nodes of the 15-point rule.
    fn stages(&mut self, base: &Point, τ: f64, visit: &mut dyn FnMut(f64, f64, &[f64])) {
        let mut point = vec![0.0; base.y.len()];
        let mut at = |x: f64, weight: f64| {
            let offset = 0.5 * τ * (1.0 + x);
            self.at(offset, &mut point);
            visit(0.5 * τ * weight, base.t.high + offset, &point);
        };
        at(0.0, CENTRE[1]);
        for (x, weights) in &PAIRS[..PAIRS_OF_15] {
            at(-x, weights[1]);
            at(*x, weights[1]);
        }
    }
}

// The series is made anew of the base point where it is present (`Flow`).
part! { BySeries {
    parts: [start, increment, slopes],
    values: [steps, present, asked, reach, h, expansions],
    room: [series, relative, parts, floors, told, end, accelerations, multipliers, jump, longest],
} }
