//! One step of the method: stages, increment, error estimate, dense output.
//!
//! Sums over stages are taken of their changes, δⱼ = kⱼ − k₁, since Σⱼ aᵢⱼ = cᵢ and Σ bⱼ = 1:
//!
//! ```text
//! h Σⱼ aᵢⱼ kⱼ = h (cᵢ k₁ + Σⱼ aᵢⱼ δⱼ)          Σ eⱼ kⱼ = Σ eⱼ δⱼ
//! ```
//!
//! Coefficients go up to 60 and cancel; as rounded they do not sum to cᵢ quite. This way that
//! touches only what the slope changes within the step, and a constant slope is exact. Products are fused
//! with sums.
#![expect(
    clippy::inline_always,
    reason = "fused products are instructions only within what asked for them"
)]

use super::dense::Interpolant;
use super::tableau::{A, C, D, DENSE, E3, E5, STAGES, STAGES_DENSE};
use crate::snapshot::words::part;
use eom_elementary::{fused, with_fused_products};
use std::ops::Range;

/// Rows are as long as the dimension, filled up to a multiple of this: sums over stages are then
/// sums of short arrays that stay in registers.
const LANES: usize = 4;

/// Stages between the first and this one have no weight in the step nor in its error.
const WEIGHTED: usize = 5;

/// What they alone see is so many times what others do, and turns at least this part of what it acts on: less throws
/// nothing out.
const ALONE: f64 = 8.0;
const THROWN: f64 = 0.01;

/// The error of a step that misses it.
const MISSED: f64 = 1e8;

/// The workspace of the steps from one point. f is given to each call; nothing allocates.
#[derive(Debug, Clone)]
pub(crate) struct Dop853 {
    dimension: usize,
    /// The length of a row.
    width: usize,
    /// y of the last trial.
    start: Vec<f64>,
    /// k₁.
    first: Vec<f64>,
    /// k₁₃.
    last: Vec<f64>,
    /// δⱼ, 16 rows; the first is zero.
    changes: Vec<f64>,
    /// Where the present stage is evaluated.
    point: Vec<f64>,
    /// h Σ bᵢ kᵢ of the last trial.
    increment: Vec<f64>,
}

impl Dop853 {
    /// A workspace for `dimension` equations.
    pub(crate) fn new(dimension: usize) -> Self {
        let width = dimension.next_multiple_of(LANES);
        Self {
            dimension,
            width,
            start: vec![0.0; width],
            first: vec![0.0; width],
            last: vec![0.0; width],
            changes: vec![0.0; STAGES_DENSE * width],
            point: vec![0.0; width],
            increment: vec![0.0; width],
        }
    }

    /// k₁ = f(t, y): to be written before the first trial from a point.
    pub(crate) fn first_stage(&mut self) -> &mut [f64] {
        &mut self.first[..self.dimension]
    }

    /// k₁.
    pub(crate) fn slope(&self) -> &[f64] {
        &self.first[..self.dimension]
    }

    /// k₁₃.
    pub(crate) fn end_slope(&self) -> &[f64] {
        &self.last[..self.dimension]
    }

    /// k₁₃ = f(t + h, y₊), to be written before the dense output is made.
    pub(crate) fn last_stage(&mut self) -> &mut [f64] {
        &mut self.last[..self.dimension]
    }

    /// The last stage becomes the first: the next step begins where this one ended.
    pub(crate) fn advance(&mut self) {
        std::mem::swap(&mut self.first, &mut self.last);
    }

    /// h Σ bᵢ kᵢ for a step h from (t, y) with k₁ in place.
    pub(crate) fn trial(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        y: &[f64],
        h: f64,
    ) -> &[f64] {
        with_fused_products(
            #[inline(always)]
            || {
                self.start[..y.len()].copy_from_slice(y);
                self.all_stages(f, t, h);
            },
        );
        &self.increment[..self.dimension]
    }

    #[inline(always)]
    fn all_stages(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), t: f64, h: f64) {
        self.evaluate::<1>(f, t, h);
        self.evaluate::<2>(f, t, h);
        self.evaluate::<3>(f, t, h);
        self.evaluate::<4>(f, t, h);
        self.evaluate::<5>(f, t, h);
        self.evaluate::<6>(f, t, h);
        self.evaluate::<7>(f, t, h);
        self.evaluate::<8>(f, t, h);
        self.evaluate::<9>(f, t, h);
        self.evaluate::<10>(f, t, h);
        self.evaluate::<11>(f, t, h);
        combine(&mut self.increment, 1.0, &self.first, &self.changes, A[STAGES], h);
    }

    /// k_I = f(t + c_I h, y + h Σⱼ a_Ij kⱼ). The stage is known when this is compiled: its sum is straight
    /// code without the coefficients that are 0.
    #[inline(always)]
    fn evaluate<const I: usize>(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        h: f64,
    ) {
        let (known, rest) = self.changes.split_at_mut(I * self.width);
        let known = known.as_chunks::<LANES>().0;
        let blocks = self.width / LANES;
        let firsts = self.first.as_chunks::<LANES>().0;
        let starts = self.start.as_chunks::<LANES>().0.iter().zip(firsts);
        let points = self.point.as_chunks_mut::<LANES>().0;
        for (block, (point, (start, first))) in points.iter_mut().zip(starts).enumerate() {
            let total = stage_sum(known, blocks, block, A[I]);
            for i in 0..LANES {
                point[i] = start[i] + h * fused(C[I], first[i], total[i]);
            }
        }
        f(t + C[I] * h, &self.point[..self.dimension], &mut rest[..self.dimension]);
        let changes = rest[..self.width].as_chunks_mut::<LANES>().0;
        for (change, first) in changes.iter_mut().zip(firsts) {
            for i in 0..LANES {
                change[i] -= first[i];
            }
        }
    }

    /// |k₁₃ − k₁₂|/|y₊ − Y₁₂| of the last trial, before any of other sizes: the rate at which two states at its
    /// end, y₊ and that of the last stage, move from each other. None where they are one.
    pub(crate) fn rate_at_end(&self, end: &[f64]) -> Option<f64> {
        let stage = &self.changes[(STAGES - 1) * self.width..];
        let (mut slopes, mut states) = (0.0, 0.0);
        for (i, end) in end.iter().enumerate() {
            slopes += (self.last[i] - self.first[i] - stage[i]).powi(2);
            states += (end - self.point[i]).powi(2);
        }
        (states > 0.0).then(|| (slopes / states).sqrt())
    }

    /// h Σ bᵢ kᵢ of the last trial.
    pub(crate) fn increment(&self) -> &[f64] {
        &self.increment[..self.dimension]
    }

    /// How far the last trial, a step h to `next`, may be from its chord, by the slopes of all stages:
    ///
    /// ```text
    /// |y(s) − y − s (y⁺ − y)| = |∫ (ẏ − c)| ≤ h max |kᵢ − c|        c = (y⁺ − y)/h
    /// ```
    pub(crate) fn excursions(&self, h: f64, ends: [&[f64]; 2], to: &mut [f64]) {
        with_fused_products(
            #[inline(always)]
            || self.farthest(h, ends, to),
        );
    }

    #[inline(always)]
    fn farthest(&self, h: f64, [base, next]: [&[f64]; 2], to: &mut [f64]) {
        let (rows, blocks) = (self.changes.as_chunks::<LANES>().0, self.width / LANES);
        let ends = base.chunks(LANES).zip(next.chunks(LANES));
        for (block, (to, (base, next))) in to.chunks_mut(LANES).zip(ends).enumerate() {
            let mut from_chord = [0.0; LANES];
            for (i, from) in from_chord.iter_mut().enumerate().take(to.len()) {
                *from = self.first[block * LANES + i] - (next[i] - base[i]) / h;
            }
            let mut largest = [0.0; LANES];
            for i in 0..to.len() {
                let j = block * LANES + i;
                largest[i] = (self.last[j] - self.first[j] + from_chord[i]).abs();
            }
            for stage in 0..STAGES {
                for i in 0..LANES {
                    let far = (rows[stage * blocks + block][i] + from_chord[i]).abs();
                    largest[i] = if far > largest[i] { far } else { largest[i] };
                }
            }
            for (to, largest) in to.iter_mut().zip(largest) {
                *to = h * largest;
            }
        }
    }

    /// The stages of the last trial, h from (t, y): h bᵢ, t + cᵢ h and Yᵢ = y + h Σⱼ aᵢⱼ kⱼ, so that
    /// Σ h bᵢ P(tᵢ, Yᵢ) is ∫ P over the step, as one more equation with the slope P.
    pub(crate) fn stages(
        &mut self,
        t: f64,
        y: &[f64],
        h: f64,
        visit: &mut dyn FnMut(f64, f64, &[f64]),
    ) {
        let weights = A[STAGES];
        for i in (0..STAGES).filter(|i| weights[*i] != 0.0) {
            if i == 0 {
                visit(h * weights[i], t, y);
                continue;
            }
            let known = &self.changes[..i * self.width];
            with_fused_products(
                #[inline(always)]
                || combine(&mut self.point, C[i], &self.first, known, A[i], h),
            );
            for (point, y) in self.point.iter_mut().zip(y) {
                *point += y;
            }
            visit(h * weights[i], t + C[i] * h, &self.point[..self.dimension]);
        }
    }

    /// The error of the last trial in units of the weights wᵢ:
    ///
    /// ```text
    /// err = |h| ‖e₅‖² / √(‖e₅‖² + ‖e₃‖²/100)        ‖e‖² = Σ (eᵢ/wᵢ)²/N
    /// ```
    ///
    /// Hairer, Nørsett, Wanner I, (10.17) of section II.10. `y` is where the step began.
    pub(crate) fn error(&self, h: f64, y: &[f64], weights: &[f64]) -> f64 {
        with_fused_products(
            #[inline(always)]
            || self.estimate(h, y, weights),
        )
    }

    #[inline(always)]
    fn estimate(&self, h: f64, y: &[f64], weights: &[f64]) -> f64 {
        let (mut fifth, mut third) = (0.0, 0.0);
        let (rows, blocks) = (self.changes.as_chunks::<LANES>().0, self.width / LANES);
        for (block, weights) in weights.chunks(LANES).enumerate() {
            let e5 = stage_sum(rows, blocks, block, &E5);
            let e3 = stage_sum(rows, blocks, block, &E3);
            for (i, weight) in weights.iter().enumerate() {
                fifth += (e5[i] / weight).powi(2);
                third += (e3[i] / weight).powi(2);
            }
        }
        let mean = self.dimension as f64;
        let error = h.abs() * fifth / ((fifth + 0.01 * third) * mean).sqrt();
        // 0/0 where the slope is constant.
        let error = if fifth == 0.0 { 0.0 } else { error };
        if error <= 1.0 && self.misses(h, y, weights) { MISSED } else { error }
    }

    /// Whether something acts on the stages without a weight alone, k₂ to k₅: a wall that throws the later ones out of it
    /// again is in no sum of the step.
    ///
    /// ```text
    /// max |δⱼ|, 1 < j ≤ 5,  >  8 (|k₁| + max |δⱼ|, j > 5),  |y|/(100 h),  w/h
    /// ```
    #[inline(always)]
    fn misses(&self, h: f64, y: &[f64], weights: &[f64]) -> bool {
        let (rows, across) = (self.changes.as_chunks::<LANES>().0, self.width / LANES);
        let largest = |stages: Range<usize>, block: usize| {
            let mut largest = [0.0; LANES];
            for stage in stages {
                let row = &rows[stage * across + block];
                for i in 0..LANES {
                    let size = row[i].abs();
                    largest[i] = if size > largest[i] { size } else { largest[i] };
                }
            }
            largest
        };
        let mut blocks = weights.chunks(LANES).zip(y.chunks(LANES)).enumerate();
        blocks.any(|(block, (weights, y))| {
            let early = largest(1..WEIGHTED, block);
            let is_beyond = |later: [f64; LANES]| {
                weights.iter().zip(y).enumerate().any(|(i, (weight, y))| {
                    let first = self.first[block * LANES + i].abs();
                    let turned = f64::max(THROWN * y.abs(), *weight);
                    early[i] > ALONE * (first + later[i]) && h.abs() * early[i] > turned
                })
            };
            // Hardly ever beyond |k₁| alone: the other rows are then not read.
            is_beyond([0.0; LANES]) && is_beyond(largest(WEIGHTED..STAGES, block))
        })
    }

    /// Fills the interpolant of the step h from (t, y) to y₊; needs the last stage.
    ///
    /// The powers are those of `contd8` of `dop853.f`.
    pub(crate) fn interpolate(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        y: &[f64],
        h: f64,
        end: &[f64],
        dense: &mut Interpolant,
    ) {
        let row = &mut self.changes[STAGES * self.width..];
        for ((change, last), first) in row.iter_mut().zip(&self.last).zip(&self.first) {
            *change = last - first;
        }
        with_fused_products(
            #[inline(always)]
            || {
                self.start[..y.len()].copy_from_slice(y);
                self.evaluate::<13>(f, t, h);
                self.evaluate::<14>(f, t, h);
                self.evaluate::<15>(f, t, h);
            },
        );
        let n = self.dimension;
        dense.start(y);
        for i in 0..n {
            let delta = end[i] - y[i];
            let (first, last) = (self.first[i], self.last[i]);
            dense.power(0)[i] = delta;
            dense.power(1)[i] = h * first - delta;
            dense.power(2)[i] = 2.0 * delta - h * (last + first);
        }
        with_fused_products(
            #[inline(always)]
            || {
                for p in 3..DENSE {
                    combine(&mut self.point, 0.0, &self.first, &self.changes, &D[p - 3], h);
                    dense.power(p).copy_from_slice(&self.point[..n]);
                }
            },
        );
    }
}

/// h (c k₁ + Σⱼ aⱼ δⱼ), the rows as long as the sum.
#[inline(always)]
fn combine(sum: &mut [f64], c: f64, first: &[f64], changes: &[f64], a: &[f64], h: f64) {
    let (rows, blocks) = (changes.as_chunks::<LANES>().0, sum.len() / LANES);
    let sums = sum.as_chunks_mut::<LANES>().0.iter_mut().zip(first.as_chunks::<LANES>().0);
    for (block, (sum, first)) in sums.enumerate() {
        let total = stage_sum(rows, blocks, block, a);
        for i in 0..LANES {
            sum[i] = h * fused(c, first[i], total[i]);
        }
    }
}

/// Σⱼ aⱼ δⱼ of one block of columns of rows of so many blocks; δ₁ = 0. Of coefficients that are known when
/// this is compiled it is straight code.
#[inline(always)]
fn stage_sum(rows: &[[f64; LANES]], blocks: usize, block: usize, a: &[f64]) -> [f64; LANES] {
    let mut total = [0.0; LANES];
    for j in 1..a.len() {
        if a[j] != 0.0 {
            let row = &rows[j * blocks + block];
            for i in 0..LANES {
                total[i] = fused(a[j], row[i], total[i]);
            }
        }
    }
    total
}

// Where stages are evaluated is written before.
part! { Dop853 {
    parts: [first, last, changes, increment],
    values: [],
    room: [dimension, width, start, point],
} }

#[cfg(test)]
mod tests {
    use super::*;

    /// Σⱼ aᵢⱼ = cᵢ and Σⱼ aᵢⱼ cⱼ = cᵢ²/2 but for stage 2: every stage is of order 2.
    #[test]
    fn stages_have_their_row_sums() {
        for i in 1..STAGES_DENSE {
            let sum: f64 = A[i].iter().sum();
            assert!((sum - C[i]).abs() < 2e-14, "row {i}: {sum} for {}", C[i]);
            if i > 1 {
                let moment: f64 = A[i].iter().zip(&C).map(|(a, c)| a * c).sum();
                assert!((moment - C[i] * C[i] / 2.0).abs() < 2e-14, "row {i}: {moment}");
            }
        }
    }

    /// Σⱼ dᵢⱼ = 0: the dense output of a constant slope is a straight line.
    #[test]
    fn dense_weights_sum_to_zero() {
        for (i, weights) in D.iter().enumerate() {
            let size: f64 = weights.iter().map(|d| d.abs()).sum();
            assert!(weights.iter().sum::<f64>().abs() < 1e-15 * size, "row {i}");
        }
    }

    /// Σ bᵢ cᵢᵏ⁻¹ = 1/k up to order 8, and the conditions with one more matrix.
    #[test]
    fn weights_satisfy_the_quadrature_conditions() {
        let b = A[STAGES];
        for k in 1..=8 {
            let sum: f64 = b.iter().zip(&C).map(|(b, c)| b * c.powi(k - 1)).sum();
            assert!((sum - 1.0 / f64::from(k)).abs() < 1e-14, "order {k}: {sum}");
            // Σ bᵢ cᵢ^p aᵢⱼ cⱼ^(k−1) = 1/(k (k + p + 1))
            for p in 0..=(7 - k) {
                let sum: f64 = (1..STAGES)
                    .map(|i| {
                        let inner: f64 = A[i].iter().zip(&C).map(|(a, c)| a * c.powi(k - 1)).sum();
                        b[i] * C[i].powi(p) * inner
                    })
                    .sum();
                let right = 1.0 / f64::from(k * (k + p + 1));
                assert!((sum - right).abs() < 1e-14, "order {k}, power {p}: {sum} for {right}");
            }
        }
    }

    /// Error estimates vanish where both formulas are exact: Σ eᵢ cᵢᵏ⁻¹ = 0 up to their orders.
    #[test]
    fn estimates_vanish_on_low_degrees() {
        for (weights, order) in [(&E5, 5), (&E3, 3)] {
            for k in 1..=order {
                let sum: f64 = weights.iter().zip(&C).map(|(e, c)| e * c.powi(k - 1)).sum();
                assert!(sum.abs() < 1e-14, "degree {k}: {sum}");
            }
        }
    }

    /// ẏ = (y₂, −y₁), from (0, 1): sin and cos. Returns the errors of a step and of its middle.
    fn step_error(h: f64) -> (f64, f64) {
        let mut f = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = -y[0];
        };
        let t: f64 = 0.3;
        let y = [t.sin(), t.cos()];
        let mut method = Dop853::new(2);
        f(t, &y, method.first_stage());
        let increment = method.trial(&mut f, t, &y, h).to_vec();
        let end = [y[0] + increment[0], y[1] + increment[1]];
        f(t + h, &end, method.last_stage());
        let mut dense = Interpolant::new(2);
        method.interpolate(&mut f, t, &y, h, &end, &mut dense);
        let mut middle = [0.0; 2];
        dense.state(0.4, &mut middle);
        ((end[0] - (t + h).sin()).abs(), (middle[0] - (t + 0.4 * h).sin()).abs())
    }

    /// Halving the step divides the local errors by 2⁹ and 2⁸.
    #[test]
    fn the_step_is_of_order_eight_and_the_dense_output_of_order_seven() {
        let (end, middle) = step_error(1.0);
        let (end_half, middle_half) = step_error(0.5);
        let order = (end / end_half).log2();
        let order_dense = (middle / middle_half).log2();
        assert!((8.5..10.5).contains(&order), "{order}");
        assert!((7.5..9.5).contains(&order_dense), "{order_dense}");
    }

    /// A mass flies towards a wall of stiffness 10¹² at 0.14: whichever stages a step brings into it, one that is called
    /// accurate keeps the energy.
    #[test]
    fn no_step_flies_through_a_wall() {
        let k = 1e12;
        let mut f = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = if y[0] < 0.0 && y[0] > -1.0 { -k * y[0] } else { 0.0 };
        };
        let energy = |y: &[f64]| 0.5 * (y[1].powi(2) + k * y[0].min(0.0).powi(2));
        let mut accepted = 0;
        for i in 1..4000 {
            let (y, h) = ([2e-6 * f64::from(i), -0.14], 8e-3);
            let mut method = Dop853::new(2);
            f(0.0, &y, method.first_stage());
            let increment = method.trial(&mut f, 0.0, &y, h).to_vec();
            let end = [y[0] + increment[0], y[1] + increment[1]];
            if method.error(h, &y, &[1e-10; 2]) <= 1.0 {
                accepted += 1;
                assert!((energy(&end) - energy(&y)).abs() < 1e-9, "from {y:?} to {end:?}");
            }
        }
        assert!(accepted > 0);
    }
}
