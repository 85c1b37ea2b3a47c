//! One step of the method: stages, increment, error estimate, dense output.

use super::dense::Interpolant;
use super::tableau::{A, C, D, DENSE, E3, E5, STAGES, STAGES_DENSE};

/// The workspace of the steps from one point. f is given to each call; nothing allocates.
#[derive(Debug, Clone)]
pub(crate) struct Dop853 {
    dimension: usize,
    /// kᵢ, 16 rows.
    stages: Vec<f64>,
    /// Where the present stage is evaluated.
    point: Vec<f64>,
    /// h Σ bᵢ kᵢ of the last trial.
    increment: Vec<f64>,
}

impl Dop853 {
    /// A workspace for `dimension` equations.
    pub(crate) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            stages: vec![0.0; STAGES_DENSE * dimension],
            point: vec![0.0; dimension],
            increment: vec![0.0; dimension],
        }
    }

    /// k₁ = f(t, y): to be written before the first trial from a point.
    pub(crate) fn first_stage(&mut self) -> &mut [f64] {
        &mut self.stages[..self.dimension]
    }

    /// k₁.
    pub(crate) fn slope(&self) -> &[f64] {
        &self.stages[..self.dimension]
    }

    /// k₁₃.
    pub(crate) fn end_slope(&self) -> &[f64] {
        let start = STAGES * self.dimension;
        &self.stages[start..start + self.dimension]
    }

    /// k₁₃ = f(t + h, y₊), to be written before the dense output is made.
    pub(crate) fn last_stage(&mut self) -> &mut [f64] {
        let start = STAGES * self.dimension;
        &mut self.stages[start..start + self.dimension]
    }

    /// The last stage becomes the first: the next step begins where this one ended.
    pub(crate) fn advance(&mut self) {
        let start = STAGES * self.dimension;
        self.stages.copy_within(start..start + self.dimension, 0);
    }

    /// h Σ bᵢ kᵢ for a step h from (t, y) with k₁ in place.
    pub(crate) fn trial(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        y: &[f64],
        h: f64,
    ) -> &[f64] {
        for i in 1..STAGES {
            self.evaluate(f, t, y, h, i);
        }
        self.increment.fill(0.0);
        accumulate(&mut self.increment, &self.stages, A[STAGES], h);
        &self.increment
    }

    /// kᵢ = f(t + cᵢ h, y + h Σⱼ aᵢⱼ kⱼ).
    fn evaluate(
        &mut self,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
        t: f64,
        y: &[f64],
        h: f64,
        i: usize,
    ) {
        let (known, rest) = self.stages.split_at_mut(i * self.dimension);
        self.point.fill(0.0);
        accumulate(&mut self.point, known, A[i], h);
        for (point, y) in self.point.iter_mut().zip(y) {
            *point += y;
        }
        f(t + C[i] * h, &self.point, &mut rest[..self.dimension]);
    }

    /// max |kᵢ| over the stages of the last trial, for the equations from `first` on.
    pub(crate) fn largest_slopes(&self, first: usize, slopes: &mut [f64]) {
        slopes.fill(0.0);
        for stage in self.stages.chunks_exact(self.dimension).take(STAGES) {
            for (slope, k) in slopes.iter_mut().zip(&stage[first..]) {
                *slope = slope.max(k.abs());
            }
        }
    }

    /// The error of the last trial in units of the weights wᵢ:
    ///
    /// ```text
    /// err = |h| ‖e₅‖² / √(‖e₅‖² + ‖e₃‖²/100)        ‖e‖² = Σ (eᵢ/wᵢ)²/N
    /// ```
    ///
    /// Hairer, Nørsett, Wanner I, (10.17) of section II.10.
    pub(crate) fn error(&self, h: f64, weights: &[f64]) -> f64 {
        let (mut fifth, mut third) = (0.0, 0.0);
        for (i, weight) in weights.iter().enumerate() {
            let (mut e5, mut e3) = (0.0, 0.0);
            for s in 0..STAGES {
                let k = self.stages[s * self.dimension + i];
                e5 += E5[s] * k;
                e3 += E3[s] * k;
            }
            fifth += (e5 / weight).powi(2);
            third += (e3 / weight).powi(2);
        }
        if fifth == 0.0 {
            return 0.0;
        }
        let mean = self.dimension as f64;
        h.abs() * fifth / ((fifth + 0.01 * third) * mean).sqrt()
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
        for i in STAGES + 1..STAGES_DENSE {
            self.evaluate(f, t, y, h, i);
        }
        let n = self.dimension;
        dense.start(y);
        for i in 0..n {
            let delta = end[i] - y[i];
            let (first, last) = (self.stages[i], self.stages[STAGES * n + i]);
            dense.power(0)[i] = delta;
            dense.power(1)[i] = h * first - delta;
            dense.power(2)[i] = 2.0 * delta - h * (last + first);
        }
        for p in 3..DENSE {
            dense.power(p).fill(0.0);
            accumulate(dense.power(p), &self.stages, &D[p - 3], h);
        }
    }
}

/// sum + h Σⱼ aⱼ kⱼ, the rows kⱼ as long as the sum.
fn accumulate(sum: &mut [f64], rows: &[f64], coefficients: &[f64], h: f64) {
    for (k, &a) in rows.chunks_exact(sum.len()).zip(coefficients) {
        if a == 0.0 {
            continue;
        }
        let factor = h * a;
        for (sum, k) in sum.iter_mut().zip(k) {
            *sum += factor * k;
        }
    }
}

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
}
