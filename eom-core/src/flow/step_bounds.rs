//! Bounds of the motion on parts of a step: what a proof starts from.
//!
//! A step h is a polynomial in its part s, with an error that is bounded:
//!
//! ```text
//! y(s) ∈ p(s) ± e,  p(s) = Σ cₖ sᵏ        ẏ ∈ (p′ ± f₁ e)/h        ÿ ∈ (p″ ± f₂ e)/h²
//! ```
//!
//! On a part [a, b] of it, w = b − a, with |p‴| ≤ P₃ and |p⁗| ≤ P₄ over the whole step,
//!
//! ```text
//! p″ ∈ hull(p″(a), p″(b)) ± w²/8 P₄        p′ ∈ hull(p′(a), p′(b)) ± w²/8 P₃
//! p  ∈ hull(p(a), p(b))   ± w²/8 max|p″|
//! ```
//!
//! (the error of linear interpolation). Where q̇ = v, and a step is so short that e/h tells little of q̇, v does. The polynomials are
//!
//! ```text
//! cubic    Hermite's, of both ends and their slopes: s²(1−s)² y⁗h⁴/24 is left out, which the stages of the
//!          method tell; f₁ = 4, f₂ = 32 are those of s²(1−s)²
//! dense    the dense output of the method, known to its tolerance; by series that of the motion
//! ```

use crate::system::enclosure::{Interval, Jet};

/// Where e/h leaves no more than this part of q̇ untold, it is told by the polynomial of q alone.
const TOLD: f64 = 1e-9;

/// Numbers of y that are evaluated side by side.
const GROUP: usize = 4;

/// Bounds of what is not known.
pub(crate) const UNKNOWN: Jet =
    Jet { value: Interval::WHOLE, rate: Interval::WHOLE, bend: Interval::WHOLE };

/// A number of a group each.
type Group = [f64; GROUP];

/// A step as a polynomial with its error.
#[derive(Debug, Clone)]
pub(crate) struct StepBounds {
    /// Numbers of y.
    dimension: usize,
    degree: usize,
    /// cₖ, a row a power.
    pub(super) rows: Vec<f64>,
    /// The numbers that are bounded: a guard reads few.
    columns: Vec<usize>,
    /// Their cₖ, a row a power for each group.
    groups: Vec<Group>,
    /// Their P₃ and P₄.
    limits: Vec<[f64; 2]>,
    /// e.
    pub(super) errors: Vec<f64>,
    factors: [f64; 2],
    /// Where q̇ = v the number of q, before which they stand in y.
    positions: usize,
    t: f64,
    h: f64,
    /// p, p′ and p″ where the last part ended, from which the next one goes on.
    ends: (f64, Vec<[Group; 3]>),
}

impl StepBounds {
    /// Of which these numbers are bounded.
    pub(crate) fn of(columns: Vec<usize>) -> Self {
        Self {
            dimension: 0,
            degree: 0,
            rows: Vec::new(),
            limits: vec![[0.0; 2]; columns.len()],
            columns,
            groups: Vec::new(),
            errors: Vec::new(),
            factors: [0.0; 2],
            positions: 0,
            t: 0.0,
            h: 0.0,
            ends: (f64::NAN, Vec::new()),
        }
    }

    /// Room for a step in so many numbers, of which the first are those whose rates the others are.
    pub(super) fn open(
        &mut self,
        (dimension, positions): (usize, usize),
        (t, h): (f64, f64),
        factors: [f64; 2],
    ) {
        (self.dimension, self.positions, self.factors) = (dimension, positions, factors);
        (self.t, self.h) = (t, h);
        self.errors.clear();
        self.errors.resize(dimension, 0.0);
    }

    /// Room for a polynomial of this degree, at least 2.
    pub(super) fn set_degree(&mut self, degree: usize) {
        self.degree = degree;
        self.rows.clear();
        self.rows.resize((degree + 1) * self.dimension, 0.0);
    }

    pub(super) fn row(&mut self, k: usize) -> &mut [f64] {
        &mut self.rows[k * self.dimension..][..self.dimension]
    }

    /// Sums up P₃ and P₄, adds what rounding does to p, and sets those aside that are bounded.
    pub(super) fn close(&mut self) {
        let Self { dimension, degree, rows, columns, groups, limits, errors, ends, .. } = self;
        let rounding = (2 * *degree + 4) as f64 * f64::EPSILON;
        limits.fill([0.0; 2]);
        groups.clear();
        ends.0 = f64::NAN;
        ends.1.resize(columns.len().div_ceil(GROUP), [[0.0; GROUP]; 3]);
        for members in columns.chunks(GROUP) {
            groups.extend(rows.chunks_exact(*dimension).map(|row| {
                let mut group = [0.0; GROUP];
                group.iter_mut().zip(members).for_each(|(to, column)| *to = row[*column]);
                group
            }));
        }
        let mut k = 0.0;
        for row in rows.chunks_exact(*dimension) {
            let by_three = k * (k - 1.0) * (k - 2.0);
            let by_four = by_three * (k - 3.0);
            for (column, [third, fourth]) in columns.iter().zip(limits.iter_mut()) {
                let size = row[*column].abs();
                errors[*column] += rounding * size;
                *third += by_three * size;
                *fourth += by_four * size;
            }
            k += 1.0;
        }
    }

    /// p, p′ and p″ at s.
    fn evaluate(rows: &[Group], s: f64) -> [Group; 3] {
        if s == 0.0 {
            let row = |k: usize| rows.get(k).copied().unwrap_or_default();
            return [row(0), row(1), row(2).map(|c| 2.0 * c)];
        }
        let [mut p, mut slope, mut bend] = [[0.0; GROUP]; 3];
        for row in rows.iter().rev() {
            for i in 0..GROUP {
                bend[i] = bend[i] * s + 2.0 * slope[i];
                slope[i] = slope[i] * s + p[i];
                p[i] = p[i] * s + row[i];
            }
        }
        [p, slope, bend]
    }

    /// Writes y at a part of the step.
    pub(crate) fn state(&self, s: f64, y: &mut [f64]) {
        y.fill(0.0);
        for row in self.rows.chunks_exact(self.dimension).rev() {
            for (y, c) in y.iter_mut().zip(row) {
                *y = *y * s + c;
            }
        }
    }

    /// The time at a part of the step.
    pub(crate) fn time(&self, s: f64) -> f64 {
        self.t + s * self.h
    }

    /// h.
    pub(crate) fn duration(&self) -> f64 {
        self.h
    }

    /// Bounds of those numbers of y with their first derivatives and half of their second ones on the part [a, b] of
    /// the step; those of t. Of the others nothing is told.
    pub(crate) fn on(&mut self, [a, b]: [f64; 2], y: &mut Vec<Jet>) -> Jet {
        let Self {
            dimension, degree, columns, groups, limits, errors, factors, t, h, ends, ..
        } = self;
        let w = b - a;
        let part = 0.125 * w * w;
        let by_time = [h.recip(), 0.5 * (*h * *h).recip()];
        y.resize(*dimension, UNKNOWN);
        let goes_on = ends.0 == a;
        ends.0 = b;
        let of_groups = columns.chunks(GROUP).zip(limits.chunks(GROUP)).zip(&mut ends.1);
        for (rows, ((members, limits), end)) in groups.chunks_exact(*degree + 1).zip(of_groups) {
            let [p0, p1, p2] = if goes_on { *end } else { Self::evaluate(rows, a) };
            *end = Self::evaluate(rows, b);
            let [q0, q1, q2] = *end;
            for (i, (&j, [third, fourth])) in members.iter().zip(limits).enumerate() {
                let bend = hull(p2[i], q2[i], part * fourth);
                let slope = hull(p1[i], q1[i], part * third);
                let value = hull(p0[i], q0[i], part * bend[0].abs().max(bend[1].abs()) + errors[j]);
                let scaled = |[low, high]: [f64; 2], error: f64, scale: f64| {
                    widened((low - error) * scale, (high + error) * scale)
                };
                y[j] = Jet {
                    value: widened(value[0], value[1]),
                    rate: scaled(slope, factors[0] * errors[j], by_time[0]),
                    bend: scaled(bend, factors[1] * errors[j], by_time[1]),
                };
            }
        }
        let time = widened(*t + a * *h, *t + b * *h);
        for &j in self.columns.iter().filter(|j| **j < self.positions) {
            let rate = y[j].rate;
            if self.factors[0] * self.errors[j] > TOLD * rate.magnitude() * self.h {
                y[j].rate = rate.intersection(self.speed(j, [a, b])).unwrap_or(rate);
            }
        }
        Jet { value: time, rate: Interval::point(1.0), bend: Interval::ZERO }
    }

    /// v of this number of q on a part, by its own polynomial.
    fn speed(&self, position: usize, [a, b]: [f64; 2]) -> Interval {
        let column = self.positions + position;
        let coefficients = || self.rows.chunks_exact(self.dimension).map(|row| row[column]);
        let at = |s: f64| coefficients().rev().fold(0.0, |p, c| p * s + c);
        let (mut k, mut size, mut bend) = (0.0, 0.0, 0.0);
        for c in coefficients().map(f64::abs) {
            size += c;
            bend += k * (k - 1.0) * c;
            k += 1.0;
        }
        let rounding = 2.0 * (k + 1.0) * f64::EPSILON * size;
        let w = b - a;
        let [low, high] = hull(at(a), at(b), 0.125 * w * w * bend + self.errors[column] + rounding);
        widened(low, high)
    }
}

/// [min − r, max + r].
fn hull(a: f64, b: f64, r: f64) -> [f64; 2] {
    [a.min(b) - r, a.max(b) + r]
}

/// With room for the rounding of a few operations.
fn widened(low: f64, high: f64) -> Interval {
    let rounding = 4.0 * f64::EPSILON;
    Interval::new(low - rounding * low.abs(), high + rounding * high.abs())
}
