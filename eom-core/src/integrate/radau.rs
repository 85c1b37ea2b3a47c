//! Radau IIA with five stages, order 9: the step with which friction begins to slide.
//!
//! There the force depends on w/‖w‖ with w = 0 at the start. The motion is smooth, but an explicit
//! method is not stable on it before its steps are shorter than ‖w‖/c. Collocation
//!
//! ```text
//! Kᵢ = f(t + cᵢh, y + h Σ aᵢⱼ Kⱼ)        y⁺ = y + h Σ a₅ⱼ Kⱼ
//! ```
//!
//! looks at no point with w = 0 and is stable (Hairer, Wanner II, section IV.5). The stages are
//! solved by Newton's method, its matrix by differences.

use super::factors::Factors;
use nalgebra::{DVector, Matrix5, Vector5};

/// Stages.
pub(crate) const STAGES: usize = 5;

/// Newton's steps, and the relative change of K that ends them.
const STEPS_MAX: usize = 20;
const TOLERANCE: f64 = 1e-13;

/// Steps that do not converge to this end without a result.
const CONVERGED: f64 = 1e-9;

/// The shortest part of a Newton step.
const SHORTEST: f64 = 1e-3;

/// Coordinates are moved by this part of their change, to difference f.
const DIFFERENCE: f64 = 1e-7;

/// The coefficients.
#[derive(Debug, Clone)]
pub(crate) struct Radau {
    pub(crate) nodes: [f64; STAGES],
    pub(crate) a: [[f64; STAGES]; STAGES],
}

/// A step to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step<'s> {
    pub(crate) t: f64,
    pub(crate) y: &'s [f64],
    pub(crate) h: f64,
    /// The number of entries of y that are coordinates, not velocities.
    pub(crate) positions: usize,
}

/// A stage of a step: with its weight, a part of an integral over it.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    pub(crate) weight: f64,
    pub(crate) t: f64,
    pub(crate) y: Vec<f64>,
}

/// Writes the slope at (t, y), and returns the velocity over which it changes there.
type Field<'f> = dyn FnMut(f64, &[f64], &mut [f64]) -> f64 + 'f;

impl Radau {
    pub(crate) fn new() -> Self {
        // Roots of d⁴/dx⁴ (x⁴(x − 1)⁵) on (0, 1], improved by Newton's method.
        let mut nodes: [f64; STAGES] =
            [0.057_104_196_1, 0.276_843_013_6, 0.583_590_432_4, 0.860_240_135_7, 1.0];
        // x⁴(x − 1)⁵ differentiated four times, by its coefficients; the factor x − 1 is left in.
        let coefficients = [-24.0, 600.0, -3600.0, 8400.0, -8400.0, 3024.0];
        for node in &mut nodes {
            for _ in 0..8 {
                let (mut value, mut slope) = (0.0, 0.0);
                for c in coefficients.iter().rev() {
                    slope = slope * *node + value;
                    value = value * *node + c;
                }
                *node -= value / slope;
            }
        }
        nodes[STAGES - 1] = 1.0;
        // Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k.
        let powers = Matrix5::from_fn(|k, j| power(nodes[j], k));
        let factored = powers.full_piv_lu();
        let row = |i: usize| -> [f64; STAGES] {
            let right = Vector5::from_fn(|k, _| power(nodes[i], k + 1) / (k as f64 + 1.0));
            factored.solve(&right).map_or([f64::NAN; STAGES], |row: Vector5<f64>| row.into())
        };
        Self { nodes, a: std::array::from_fn(row) }
    }

    /// The slopes at the nodes of a part of a step, by those of the whole: where it begins, and how long it is.
    pub(crate) fn within(&self, slopes: &[Vec<f64>], from: f64, part: f64) -> Vec<Vec<f64>> {
        let at = |node: f64| {
            let x = from + part * node;
            let weight = |j: usize| {
                let others = (0..STAGES).filter(|k| *k != j);
                others.map(|k| (x - self.nodes[k]) / (self.nodes[j] - self.nodes[k])).product()
            };
            let weights: [f64; STAGES] = std::array::from_fn(weight);
            let entry = |i: usize| {
                weights.iter().zip(slopes).map(|(weight, slope)| weight * slope[i]).sum()
            };
            (0..slopes[0].len()).map(entry).collect()
        };
        self.nodes.iter().map(|node| at(*node)).collect()
    }

    /// The stages of a step with these slopes: h bᵢ, t + cᵢ h, Yᵢ; b is the last row of a.
    pub(crate) fn stages(&self, step: &Step<'_>, slopes: &[Vec<f64>]) -> Vec<Stage> {
        let stage = |i: usize| Stage {
            weight: step.h * self.a[STAGES - 1][i],
            t: step.t + self.nodes[i] * step.h,
            y: self.stage(step, i, slopes),
        };
        (0..STAGES).map(stage).collect()
    }

    /// y + h Σ aᵢⱼ Kⱼ.
    fn stage(&self, step: &Step<'_>, i: usize, slopes: &[Vec<f64>]) -> Vec<f64> {
        let mut y = step.y.to_vec();
        for (a, slope) in self.a[i].iter().zip(slopes) {
            y.iter_mut().zip(slope).for_each(|(y, slope)| *y += step.h * a * slope);
        }
        y
    }

    /// y⁺, from a guess of the slopes K, of which so much is rounding of the forces that they are left of. None where the
    /// stages are not solved.
    pub(crate) fn solve(
        &self,
        step: &Step<'_>,
        slopes: &mut [Vec<f64>],
        rounding: f64,
        f: &mut Field<'_>,
    ) -> Option<Vec<f64>> {
        let d = step.y.len();
        let mut factors = Factors::new(STAGES * d);
        let mut last = f64::INFINITY;
        let mut rest = self.residual(step, slopes, f);
        for _ in 0..STEPS_MAX {
            factors.factor(self.matrix(step, slopes, f).into_iter());
            let mut change = rest.clone();
            if !factors.solve(change.as_mut_slice()) {
                return None;
            }
            let size = slopes.iter().flatten().fold(0.0_f64, |size, k| size.max(k.abs()));
            let relative = change.amax() / size.max(f64::MIN_POSITIVE);
            if relative.is_nan() {
                return None;
            }
            // Forces that cancel leave a slope that is known to their rounding: no step changes it by less.
            let converged = CONVERGED.max(rounding / size.max(f64::MIN_POSITIVE));
            let before = rest.norm();
            let mut part = 1.0;
            loop {
                let moved: Vec<Vec<f64>> = slopes
                    .iter()
                    .enumerate()
                    .map(|(i, slope)| (0..d).map(|j| slope[j] + part * change[i * d + j]).collect())
                    .collect();
                rest = self.residual(step, &moved, f);
                if rest.norm() < before || relative <= converged || part < SHORTEST {
                    slopes.clone_from_slice(&moved);
                    break;
                }
                part *= 0.5;
            }
            // Rounding ends it where the changes no longer fall.
            if relative <= TOLERANCE || relative <= converged && relative >= 0.5 * last {
                return Some(self.stage(step, STAGES - 1, slopes));
            }
            last = relative;
        }
        None
    }

    /// f − K at the stages.
    fn residual(&self, step: &Step<'_>, slopes: &[Vec<f64>], f: &mut Field<'_>) -> DVector<f64> {
        let d = step.y.len();
        let mut rest = DVector::zeros(STAGES * d);
        let mut here = vec![0.0; d];
        for i in 0..STAGES {
            let y = self.stage(step, i, slopes);
            f(step.t + self.nodes[i] * step.h, &y, &mut here);
            for row in 0..d {
                rest[i * d + row] = here[row] - slopes[i][row];
            }
        }
        rest
    }

    /// 1 − h aᵢⱼ ∂f/∂y, by rows.
    fn matrix(&self, step: &Step<'_>, slopes: &[Vec<f64>], f: &mut Field<'_>) -> Vec<f64> {
        let d = step.y.len();
        let size = STAGES * d;
        let mut matrix = vec![0.0; size * size];
        (0..size).for_each(|row| matrix[row * size + row] = 1.0);
        let mut here = vec![0.0; d];
        for i in 0..STAGES {
            let (t, y) = (step.t + self.nodes[i] * step.h, self.stage(step, i, slopes));
            let small = f(t, &y, &mut here);
            let jacobian = jacobian(step, (t, &y, &here), f, small);
            for j in 0..STAGES {
                let factor = step.h * self.a[i][j];
                for (at, slope) in jacobian.iter().enumerate() {
                    matrix[(i * d + at / d) * size + j * d + at % d] -= factor * slope;
                }
            }
        }
        matrix
    }
}

/// xᵏ.
fn power(x: f64, k: usize) -> f64 {
    std::iter::repeat_n(x, k).product()
}

/// ∂f/∂y by forward differences.
fn jacobian(
    step: &Step<'_>,
    (t, y, here): (f64, &[f64], &[f64]),
    f: &mut Field<'_>,
    small: f64,
) -> Vec<f64> {
    let d = y.len();
    let (mut moved, mut there) = (y.to_vec(), vec![0.0; d]);
    let mut jacobian = vec![0.0; d * d];
    for column in 0..d {
        let δ = if column < step.positions {
            DIFFERENCE * y[column].abs().max(small * step.h).max(f64::MIN_POSITIVE)
        } else {
            DIFFERENCE * small
        };
        moved[column] = y[column] + δ;
        let δ = moved[column] - y[column];
        if δ > 0.0 {
            f(t, &moved, &mut there);
            for row in 0..d {
                jacobian[row * d + column] = (there[row] - here[row]) / δ;
            }
        }
        moved[column] = y[column];
    }
    jacobian
}

#[cfg(test)]
mod tests {
    use super::*;

    /// w′ = (1 + t)·(cos t, sin t) − w/‖w‖ has a solution with w = 0 at t = 0; compared with itself
    /// in steps of other sizes, of order 9.
    #[test]
    fn sliding_begins_with_order_nine() {
        let mut f = |t: f64, y: &[f64], dy: &mut [f64]| {
            let speed = y[0].hypot(y[1]);
            dy[0] = (1.0 + t) * t.cos() - y[0] / speed;
            dy[1] = (1.0 + t) * t.sin() - y[1] / speed;
            speed
        };
        let radau = Radau::new();
        let mut run = |h: f64, steps: usize| {
            let mut y = vec![0.0; 2];
            for k in 0..steps {
                let t = k as f64 * h;
                let step = Step { t, y: &y, h, positions: 0 };
                let mut slopes: Vec<Vec<f64>> =
                    radau.nodes.iter().map(|c| vec![t + c * h, 1.5 * t * t]).collect();
                y = radau.solve(&step, &mut slopes, 0.0, &mut f).expect("it converges");
            }
            y
        };
        let (one, two, four) = (run(0.2, 1), run(0.1, 2), run(0.05, 4));
        let error = |y: &[f64]| (y[0] - four[0]).hypot(y[1] - four[1]);
        let (one, two) = (error(&one), error(&two));
        assert!(two < 5e-11 && one > 300.0 * two, "{one:e} {two:e}");
    }
}
