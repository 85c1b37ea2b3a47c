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
//! (the error of linear interpolation). The polynomials are
//!
//! ```text
//! cubic    Hermite's, of both ends and their slopes: s²(1−s)² y⁗h⁴/24 is left out, which the stages of the
//!          method tell; f₁ = 4, f₂ = 32 are those of s²(1−s)²
//! dense    the dense output of the method, known to its tolerance; by series that of the motion
//! ```

use crate::enclosure::{Interval, Jet};

/// A step as a polynomial with its error.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepBounds {
    /// Numbers of y.
    dimension: usize,
    degree: usize,
    /// cₖ, a row a power.
    pub(super) rows: Vec<f64>,
    /// P₃, then P₄ of each number.
    limits: Vec<f64>,
    /// e.
    pub(super) errors: Vec<f64>,
    factors: [f64; 2],
    t: f64,
    h: f64,
    /// p, p′ and p″ at a and b.
    ends: [Vec<f64>; 6],
}

impl StepBounds {
    /// Room for a step in so many numbers.
    pub(super) fn open(&mut self, dimension: usize, (t, h): (f64, f64), factors: [f64; 2]) {
        (self.dimension, self.factors) = (dimension, factors);
        (self.t, self.h) = (t, h);
        self.errors.clear();
        self.errors.resize(dimension, 0.0);
        for end in &mut self.ends {
            end.resize(dimension, 0.0);
        }
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

    /// Sums up P₃ and P₄, and adds what rounding does to p.
    pub(super) fn close(&mut self) {
        let Self { dimension, degree, rows, limits, errors, .. } = self;
        let n = *dimension;
        limits.clear();
        limits.resize(2 * n, 0.0);
        let (third, fourth) = limits.split_at_mut(n);
        let rounding = (2 * *degree + 4) as f64 * f64::EPSILON;
        let mut k = 0.0;
        for row in rows.chunks_exact(n) {
            let by_three = k * (k - 1.0) * (k - 2.0);
            let by_four = by_three * (k - 3.0);
            let limits = errors.iter_mut().zip(third.iter_mut().zip(fourth.iter_mut()));
            for (c, (error, (third, fourth))) in row.iter().zip(limits) {
                let size = c.abs();
                *error += rounding * size;
                *third += by_three * size;
                *fourth += by_four * size;
            }
            k += 1.0;
        }
    }

    /// Writes p, p′ and p″ at s.
    fn evaluate(rows: &[f64], s: f64, [p, slope, bend]: [&mut Vec<f64>; 3]) {
        let n = p.len();
        if s == 0.0 {
            let mut lowest = rows.chunks_exact(n);
            for (to, factor) in [(p, 1.0), (slope, 1.0), (bend, 2.0)] {
                let row = lowest.next().into_iter().flatten();
                to.iter_mut().zip(row).for_each(|(to, c)| *to = factor * c);
            }
            return;
        }
        for list in [&mut *p, &mut *slope, &mut *bend] {
            list.fill(0.0);
        }
        for row in rows.chunks_exact(n).rev() {
            let lists = p.iter_mut().zip(slope.iter_mut().zip(bend.iter_mut()));
            for (c, (p, (slope, bend))) in row.iter().zip(lists) {
                *bend = *bend * s + 2.0 * *slope;
                *slope = *slope * s + *p;
                *p = *p * s + c;
            }
        }
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

    /// Bounds of y with its first derivative and half of its second on the part [a, b] of the step; those of t.
    pub(crate) fn on(&mut self, [a, b]: [f64; 2], y: &mut Vec<Jet>) -> Jet {
        let Self { dimension, rows, limits, errors, factors, t, h, ends, .. } = self;
        let [p0, p1, p2, q0, q1, q2] = ends;
        Self::evaluate(rows, a, [p0, p1, p2]);
        Self::evaluate(rows, b, [q0, q1, q2]);
        let (n, w) = (*dimension, b - a);
        let part = 0.125 * w * w;
        let by_time = [h.recip(), 0.5 * (*h * *h).recip()];
        y.clear();
        for j in 0..n {
            let bend = hull(p2[j], q2[j], part * limits[n + j]);
            let slope = hull(p1[j], q1[j], part * limits[j]);
            let value = hull(p0[j], q0[j], part * bend[0].abs().max(bend[1].abs()) + errors[j]);
            let scaled = |[low, high]: [f64; 2], error: f64, scale: f64| {
                widened((low - error) * scale, (high + error) * scale)
            };
            y.push(Jet {
                value: widened(value[0], value[1]),
                rate: scaled(slope, factors[0] * errors[j], by_time[0]),
                bend: scaled(bend, factors[1] * errors[j], by_time[1]),
            });
        }
        let time = widened(*t + a * *h, *t + b * *h);
        Jet { value: time, rate: Interval::point(1.0), bend: Interval::ZERO }
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
