//! Radau IIA with five stages, order 9, for stiff systems: one step with its error and dense output.
//!
//! ```text
//! Zᵢ = h Σ aᵢⱼ f(t + cⱼh, y + Zⱼ)        y⁺ = y + Z₅        y(t + s h) = y + Σ pₖ sᵏ
//! ```
//!
//! the polynomial through 0 and all Zᵢ. Collocation at these nodes is stable for all f of the left half plane
//! and damps what is stiff in one step (Hairer, Wanner II, sections IV.5 and IV.8). Newton's method with
//! one Jacobian J = ∂f/∂y,
//!
//! ```text
//! (A⁻¹/h ⊗ 1 − 1 ⊗ J) ΔZ = F(Z) − A⁻¹Z/h
//! ```
//!
//! falls into a real and two complex systems of the size of y by A⁻¹ = Σ λₖ rₖ lₖᵀ. The error is that of an
//! embedded formula of order 5, with f(t, y) as a stage of weight 1/λ₀:
//!
//! ```text
//! err = (λ₀/h − J)⁻¹ (f(t, y) + λ₀/h Σ eⱼ Zⱼ)
//! ```
//!
//! As the order of the result is 9, tolerances r are those of err to the power 6/10: h err ≤ 0.1 r^0.6, as
//! in the authors' code RADAU (Journal of Computational and Applied Mathematics 111, 1999), where control
//! of the step and of Newton's method come from.

use super::radau::{Radau, STAGES};
use crate::snapshot::words::{Broken, Part, Reader, Value, Writer, value};
use nalgebra::{Complex, DMatrix, DVector, Dyn, LU, SMatrix, SVector, Schur};
use std::sync::LazyLock;

type Complexes = SVector<Complex<f64>, STAGES>;

/// λ₀, λ₁, λ₂; the others are conjugate.
const EIGENVALUES: [Complex<f64>; 3] = [
    Complex::new(6.286_704_751_729_277, 0.0),
    Complex::new(3.655_694_325_463_572, 6.543_736_899_360_077),
    Complex::new(5.700_953_298_671_789, 3.210_265_600_308_55),
];

/// Newton's steps.
const STEPS_MAX: usize = 12;
/// The contraction below which a Jacobian serves another step.
const CONTRACTS: f64 = 1e-3;
/// What rounding leaves of a stage, in units of ε |y|.
const ROUNDINGS: f64 = 4.0;
/// Changes are rounding where they fall by no more than the first, and are below the second part of what an
/// error may be.
const STAGNANT: (f64, f64) = (0.3, 0.1);
/// Coordinates are moved by this part of their scale, to difference f.
const DIFFERENCE: f64 = 1.5e-8;

/// Iterations a row in which eigenvalues are found.
const SWEEPS: usize = 100;

/// The slope at (t, y).
pub(crate) type Slope<'f> = dyn FnMut(f64, &[f64], &mut [f64]) + 'f;

/// The coefficients.
#[derive(Debug)]
struct Table {
    nodes: [f64; STAGES],
    /// A's last row.
    weights: [f64; STAGES],
    /// lₖ and rₖ with lₖ·rₖ = 1.
    left: [Complexes; 3],
    right: [Complexes; 3],
    /// eⱼ.
    error: SVector<f64, STAGES>,
    /// From Zᵢ to pₖ.
    powers: SMatrix<f64, STAGES, STAGES>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

impl Table {
    fn new() -> Self {
        let radau = Radau::new();
        let nodes = radau.nodes;
        let a = SMatrix::<f64, STAGES, STAGES>::from_fn(|i, j| radau.a[i][j]);
        let nan = SMatrix::repeat(f64::NAN);
        let inverse = a.full_piv_lu().try_inverse().unwrap_or(nan);
        let power = |x: f64, k: usize| std::iter::repeat_n(x, k).product::<f64>();
        let vandermonde = SMatrix::<f64, STAGES, STAGES>::from_fn(|i, k| power(nodes[i], k + 1));
        let powers = vandermonde.full_piv_lu().try_inverse().unwrap_or(nan);
        // Σ êᵢ cᵢᵏ = −γ for k = 0 and 0 for the others, then eⱼ = Σ êᵢ (A⁻¹)ᵢⱼ.
        let moments = SMatrix::<f64, STAGES, STAGES>::from_fn(|k, i| power(nodes[i], k));
        let mut right_side = SVector::<f64, STAGES>::zeros();
        right_side[0] = -1.0 / EIGENVALUES[0].re;
        let hats = moments.full_piv_lu().solve(&right_side);
        let error = inverse.transpose() * hats.unwrap_or(SVector::repeat(f64::NAN));
        let right = EIGENVALUES.map(|λ| eigenvector(&inverse, λ));
        let mut left = EIGENVALUES.map(|λ| eigenvector(&inverse.transpose(), λ));
        for (left, right) in left.iter_mut().zip(&right) {
            *left /= left.dot(right);
        }
        Self { nodes, weights: radau.a[STAGES - 1], left, right, error, powers }
    }
}

/// x with A x = λ x, by inverse iteration.
fn eigenvector(a: &SMatrix<f64, STAGES, STAGES>, λ: Complex<f64>) -> Complexes {
    let near = λ * (1.0 + 1e-10);
    let shifted = SMatrix::<Complex<f64>, STAGES, STAGES>::from_fn(|i, j| {
        let diagonal = if i == j { near } else { Complex::new(0.0, 0.0) };
        Complex::new(a[(i, j)], 0.0) - diagonal
    });
    let factors = shifted.lu();
    let mut x = Complexes::from_fn(|i, _| Complex::new(1.0, 0.1 * i as f64));
    for _ in 0..4 {
        let next = factors.solve(&x).unwrap_or(x);
        x = next / Complex::new(next.norm(), 0.0);
    }
    x
}

/// Counts of the work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) iterations: u64,
    pub(crate) jacobians: u64,
    pub(crate) factorizations: u64,
}

/// The factors of λₖ/h − J.
#[derive(Debug, Clone)]
struct Factors {
    h: f64,
    real: LU<f64, Dyn, Dyn>,
    complex: [LU<Complex<f64>, Dyn, Dyn>; 2],
}

/// Where a step begins: t, y and f(t, y).
#[derive(Debug, Clone, Copy)]
pub(crate) struct From<'s> {
    pub(crate) t: f64,
    pub(crate) y: &'s [f64],
    pub(crate) slope: &'s [f64],
}

/// A step of the method, and what is kept of it for the next.
#[derive(Debug, Clone)]
pub(crate) struct Implicit {
    d: usize,
    jacobian: Option<DMatrix<f64>>,
    /// Whether J is that of the present point.
    fresh: bool,
    factors: Option<Factors>,
    /// Zᵢ, one stage after another.
    stages: Vec<f64>,
    /// F at the stages.
    slopes: Vec<f64>,
    /// The last contraction of Newton's method.
    contraction: f64,
    iterations: usize,
    pub(crate) work: Work,
}

impl Implicit {
    pub(crate) fn new(d: usize) -> Self {
        Self {
            d,
            jacobian: None,
            fresh: false,
            factors: None,
            stages: vec![0.0; STAGES * d],
            slopes: vec![0.0; STAGES * d],
            contraction: 1.0,
            iterations: 0,
            work: Work::default(),
        }
    }

    /// Nothing is known of the field: another run, or a jump.
    pub(crate) fn forget(&mut self) {
        (self.jacobian, self.factors, self.fresh) = (None, None, false);
        (self.contraction, self.iterations) = (1.0, 0);
    }

    /// The base point has moved on: J is an old one, and is made anew where Newton's method was slow.
    pub(crate) fn advance(&mut self) {
        self.fresh = false;
        if self.contraction > CONTRACTS {
            (self.jacobian, self.factors) = (None, None);
        }
    }

    /// Whether J is not that of the present point.
    pub(crate) fn is_old(&self) -> bool {
        self.jacobian.is_some() && !self.fresh
    }

    /// J is to be made anew.
    pub(crate) fn renew(&mut self) {
        (self.jacobian, self.factors) = (None, None);
    }

    /// Whether J is to be made; without [`Implicit::set_jacobian`] it is made of differences.
    pub(crate) fn needs_jacobian(&self) -> bool {
        self.jacobian.is_none()
    }

    /// J at the point from which steps are made, by rows.
    pub(crate) fn set_jacobian(&mut self, rows: &[f64]) {
        self.jacobian = Some(DMatrix::from_row_slice(self.d, self.d, rows));
        self.fresh = true;
        self.work.jacobians += 1;
    }

    /// The eigenvalues of J, which is made of differences where there is none. None where J is not finite.
    pub(crate) fn eigenvalues(
        &mut self,
        f: &mut Slope<'_>,
        from: From<'_>,
        scales: &[f64],
    ) -> Option<Vec<Complex<f64>>> {
        if self.jacobian.is_none() {
            self.jacobian = Some(self.differences(f, from, scales));
            self.fresh = true;
        }
        let jacobian = self.jacobian.clone().filter(|j| j.iter().all(|x| x.is_finite()))?;
        let schur = Schur::try_new(jacobian, f64::EPSILON, SWEEPS * self.d.max(1))?;
        Some(schur.complex_eigenvalues().iter().copied().collect())
    }

    /// Whether factors of a step of this size are at hand.
    pub(crate) fn size_at_hand(&self) -> Option<f64> {
        self.factors.as_ref().map(|factors| factors.h)
    }

    /// Newton's steps of the last solve.
    pub(crate) fn iterations(&self) -> usize {
        self.iterations
    }

    /// y⁺ − y of the last step.
    pub(crate) fn increment(&self) -> &[f64] {
        &self.stages[(STAGES - 1) * self.d..]
    }

    /// The guess Zᵢ of the next solve: all zero, or a polynomial pₖ at parts of its own step.
    pub(crate) fn guess(&mut self, powers: Option<(&[f64], [f64; 2])>) {
        let d = self.d;
        let Some((powers, [first, length])) = powers else { return self.stages.fill(0.0) };
        for (i, stage) in self.stages.chunks_exact_mut(d).enumerate() {
            let s = first + length * TABLE.nodes[i];
            for (j, z) in stage.iter_mut().enumerate() {
                *z = polynomial(powers, d, j, s) - polynomial(powers, d, j, first);
            }
        }
    }

    /// Solves for the stages of a step h from a guess in place. Differences are taken over parts of
    /// `scales`; changes in units of `weights` end it below `enough`, or where they are rounding. False where
    /// it does not converge.
    pub(crate) fn solve(
        &mut self,
        f: &mut Slope<'_>,
        from: From<'_>,
        h: f64,
        (scales, weights, enough): (&[f64], &[f64], f64),
    ) -> bool {
        if self.jacobian.is_none() {
            self.jacobian = Some(self.differences(f, from, scales));
            self.fresh = true;
        }
        if !self.factor(h) {
            return false;
        }
        let rounding = self.norm(weights, |_, j| ROUNDINGS * f64::EPSILON * from.y[j].abs());
        let (mut before, mut ratio_before) = (f64::INFINITY, 1.0);
        for step in 1..=STEPS_MAX {
            self.iterations = step;
            self.work.iterations += 1;
            if !self.evaluate(f, from, h) {
                return false;
            }
            let change = self.newton_step(h);
            let size = self.norm(weights, |i, j| change[i * self.d + j]);
            if !size.is_finite() {
                return false;
            }
            self.stages.iter_mut().zip(&change).for_each(|(z, change)| *z += change);
            let ratio = size / before;
            let contraction: f64 = if step > 2 { (ratio * ratio_before).sqrt() } else { ratio };
            if step > 1 {
                self.contraction = contraction;
                let left = contraction / (1.0 - contraction) * size;
                // Changes that do not fall any more are rounding: of stages, or of what is stiff in F.
                let is_stagnant = step > 2 && ratio >= STAGNANT.0 && size <= STAGNANT.1;
                let is_rounding = size <= rounding && left <= rounding || is_stagnant;
                if size == 0.0 || is_rounding || contraction < 1.0 && left <= enough {
                    return true;
                }
                if contraction >= 1.0 && size > STAGNANT.1 {
                    return false;
                }
            } else if size <= 0.1 * enough {
                self.contraction = CONTRACTS;
                return true;
            }
            (before, ratio_before) = (size, ratio);
        }
        false
    }

    /// The error of the step h in units of `weights`; `moved` estimates it once more at y + err, which
    /// sees what is stiff as it is after the step.
    pub(crate) fn error(
        &self,
        f: &mut Slope<'_>,
        from: From<'_>,
        h: f64,
        (weights, moved): (&[f64], bool),
    ) -> f64 {
        let Some(factors) = &self.factors else { return f64::NAN };
        let scale = EIGENVALUES[0].re / h;
        let sum = |j: usize| -> f64 {
            (0..STAGES).map(|i| TABLE.error[i] * self.stages[i * self.d + j]).sum()
        };
        let embedded = DVector::from_fn(self.d, |j, _| scale * sum(j));
        let estimate =
            |slope: &[f64]| factors.real.solve(&(DVector::from_column_slice(slope) + &embedded));
        let size = |error: &DVector<f64>| {
            let terms = error.iter().zip(weights).map(|(e, w)| (e / w).powi(2));
            (terms.sum::<f64>() / self.d.max(1) as f64).sqrt()
        };
        let Some(error) = estimate(from.slope) else { return f64::NAN };
        let first = size(&error);
        if first < 1.0 || !moved {
            return first;
        }
        let y: Vec<f64> = from.y.iter().zip(error.iter()).map(|(y, e)| y + e).collect();
        let mut slope = vec![0.0; self.d];
        f(from.t, &y, &mut slope);
        estimate(&slope).map_or(f64::NAN, |error| size(&error))
    }

    /// Writes pₖ of the last step, with `end` − y in place of Z₅.
    pub(crate) fn polynomial(&self, end: impl Fn(usize) -> f64, powers: &mut [f64]) {
        let d = self.d;
        for (k, row) in powers.chunks_exact_mut(d).enumerate() {
            for (j, p) in row.iter_mut().enumerate() {
                let inner: f64 =
                    (0..STAGES - 1).map(|i| TABLE.powers[(k, i)] * self.stages[i * d + j]).sum();
                *p = inner + TABLE.powers[(k, STAGES - 1)] * end(j);
            }
        }
    }

    /// The stages of the last step: h bᵢ, t + cᵢ h, y + Zᵢ.
    pub(crate) fn visit(
        &self,
        from: (f64, &[f64]),
        h: f64,
        visit: &mut dyn FnMut(f64, f64, &[f64]),
    ) {
        let (t, y) = from;
        let mut point = vec![0.0; self.d];
        for (i, stage) in self.stages.chunks_exact(self.d).enumerate() {
            point.iter_mut().zip(y.iter().zip(stage)).for_each(|(p, (y, z))| *p = y + z);
            visit(h * TABLE.weights[i], t + TABLE.nodes[i] * h, &point);
        }
    }

    /// The third stage is at this part of the step.
    pub(crate) fn middle(&self) -> (f64, &[f64]) {
        (TABLE.nodes[2], &self.stages[2 * self.d..3 * self.d])
    }

    fn norm(&self, weights: &[f64], value: impl Fn(usize, usize) -> f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..STAGES {
            for (j, weight) in weights.iter().enumerate() {
                sum += (value(i, j) / weight).powi(2);
            }
        }
        (sum / (STAGES * self.d).max(1) as f64).sqrt()
    }

    /// ∂f/∂y by forward differences.
    fn differences(&mut self, f: &mut Slope<'_>, from: From<'_>, scales: &[f64]) -> DMatrix<f64> {
        self.work.jacobians += 1;
        let (mut moved, mut there) = (from.y.to_vec(), vec![0.0; self.d]);
        let mut jacobian = DMatrix::zeros(self.d, self.d);
        for column in 0..self.d {
            moved[column] = from.y[column] + DIFFERENCE * scales[column];
            let change = moved[column] - from.y[column];
            f(from.t, &moved, &mut there);
            for row in 0..self.d {
                jacobian[(row, column)] = (there[row] - from.slope[row]) / change;
            }
            moved[column] = from.y[column];
        }
        jacobian
    }

    /// Factors λₖ/h − J, where that is not at hand. False where J is not finite.
    fn factor(&mut self, h: f64) -> bool {
        if self.size_at_hand() == Some(h) {
            return true;
        }
        let Some(jacobian) = &self.jacobian else { return false };
        if jacobian.iter().any(|x| !x.is_finite()) {
            self.renew();
            return false;
        }
        self.work.factorizations += 1;
        let mut real = -jacobian;
        (0..self.d).for_each(|j| real[(j, j)] += EIGENVALUES[0].re / h);
        let complex = [1, 2].map(|k| {
            let mut matrix = jacobian.map(|x| Complex::new(-x, 0.0));
            (0..self.d).for_each(|j| matrix[(j, j)] += EIGENVALUES[k] / h);
            matrix.lu()
        });
        self.factors = Some(Factors { h, real: real.lu(), complex });
        true
    }

    /// F at the stages. False where it is not finite.
    fn evaluate(&mut self, f: &mut Slope<'_>, from: From<'_>, h: f64) -> bool {
        let d = self.d;
        let mut point = vec![0.0; d];
        for i in 0..STAGES {
            let stage = &self.stages[i * d..][..d];
            point.iter_mut().zip(from.y.iter().zip(stage)).for_each(|(p, (y, z))| *p = y + z);
            f(from.t + TABLE.nodes[i] * h, &point, &mut self.slopes[i * d..][..d]);
        }
        self.slopes.iter().all(|x| x.is_finite())
    }

    /// ΔZ.
    fn newton_step(&self, h: f64) -> Vec<f64> {
        let d = self.d;
        let mut change = vec![0.0; STAGES * d];
        let Some(factors) = &self.factors else { return vec![f64::NAN; STAGES * d] };
        for (k, λ) in EIGENVALUES.iter().enumerate() {
            let mut side = DVector::from_fn(d, |j, _| {
                let term = |i: usize| {
                    let rest = self.slopes[i * d + j] - λ / h * self.stages[i * d + j];
                    TABLE.left[k][i] * rest
                };
                (0..STAGES).map(term).sum::<Complex<f64>>()
            });
            let solved = match k {
                0 => {
                    let mut real = side.map(|x| x.re);
                    let solved = factors.real.solve_mut(&mut real);
                    side = real.map(|x| Complex::new(x, 0.0));
                    solved
                }
                _ => factors.complex[k - 1].solve_mut(&mut side),
            };
            if !solved {
                return vec![f64::NAN; STAGES * d];
            }
            let twice = if k == 0 { 1.0 } else { 2.0 };
            for i in 0..STAGES {
                for j in 0..d {
                    change[i * d + j] += twice * (TABLE.right[k][i] * side[j]).re;
                }
            }
        }
        change
    }
}

/// Σ pₖ sᵏ, k from 1 on, of one component.
pub(crate) fn polynomial(powers: &[f64], d: usize, j: usize, s: f64) -> f64 {
    (0..STAGES).rev().fold(0.0, |sum, k| (sum + powers[k * d + j]) * s)
}

/// The numbers pₖ of a component.
pub(crate) const DEGREE: usize = STAGES;

value! { Work { iterations, jacobians, factorizations } }

/// Factors are those of J with the size of a step, and are made anew of both.
impl Part for Implicit {
    fn save(&self, to: &mut Writer) {
        let Self { d, jacobian, fresh, factors, stages, slopes: _, contraction, iterations, work } =
            self;
        to.word(*d as u64);
        jacobian.as_ref().map(|matrix| matrix.as_slice().to_vec()).write(to);
        fresh.write(to);
        factors.as_ref().map(|factors| factors.h).write(to);
        stages.save(to);
        (*contraction, *iterations, *work).write(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        from.enter("Implicit", self.d as u64)?;
        let (entries, fresh, h): (Option<Vec<f64>>, bool, Option<f64>) = Value::read(from)?;
        let fits = |entries: &Vec<f64>| entries.len() == self.d * self.d;
        from.check(entries.as_ref().is_none_or(fits))?;
        self.jacobian = entries.map(|entries| DMatrix::from_vec(self.d, self.d, entries));
        (self.fresh, self.factors) = (fresh, None);
        from.check(h.is_none_or(|h| self.factor(h)))?;
        self.stages.restore(from)?;
        (self.contraction, self.iterations, self.work) = Value::read(from)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ẏ = (y₂, −y₁) from (0, 1): the errors of a step and of the middle of its polynomial.
    fn step_error(h: f64) -> (f64, f64, f64) {
        let mut f = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = -y[0];
        };
        let (t, y) = (0.3, [0.3_f64.sin(), 0.3_f64.cos()]);
        let mut method = Implicit::new(2);
        let from = From { t, y: &y, slope: &[y[1], -y[0]] };
        method.guess(None);
        let units = [1.0; 2];
        assert!(method.solve(&mut f, from, h, (&units, &units, 1e-18)), "it converges");
        let mut powers = vec![0.0; DEGREE * 2];
        let end = method.increment().to_vec();
        method.polynomial(|j| end[j], &mut powers);
        let middle = y[0] + polynomial(&powers, 2, 0, 0.4);
        let estimate = method.error(&mut f, from, h, (&units, false));
        ((y[0] + end[0] - (t + h).sin()).abs(), (middle - (t + 0.4 * h).sin()).abs(), estimate)
    }

    /// Halving a step divides the errors of its end by 2¹⁰, of its polynomial and of its estimate by 2⁶.
    #[test]
    fn the_step_is_of_order_nine() {
        let ((end, middle, estimate), (end_half, middle_half, estimate_half)) =
            (step_error(2.0), step_error(1.0));
        let order = |a: f64, b: f64| (a / b).log2();
        assert!((9.0..11.0).contains(&order(end, end_half)), "{end:e} {end_half:e}");
        assert!((5.0..7.5).contains(&order(middle, middle_half)), "{middle:e} {middle_half:e}");
        assert!(
            (4.5..7.5).contains(&order(estimate, estimate_half)),
            "{estimate:e} {estimate_half:e}"
        );
    }

    /// λₖ rₖ = A⁻¹ rₖ, lₖ·rₖ = 1, and lₖ is orthogonal to the other right vectors.
    #[test]
    fn the_table_splits_the_inverse() {
        let table = &*TABLE;
        for (k, left) in table.left.iter().enumerate() {
            for (i, right) in table.right.iter().enumerate() {
                let wanted = if i == k { 1.0 } else { 0.0 };
                assert!((left.dot(right) - Complex::new(wanted, 0.0)).norm() < 1e-12, "{k} {i}");
            }
        }
    }

    /// ẏ = λ y with h λ = −10⁸: what is stiff is gone after a step.
    #[test]
    fn what_is_stiff_dies_out_in_one_step() {
        let mut f = |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = -1e8 * y[0];
        let mut method = Implicit::new(1);
        method.guess(None);
        let from = From { t: 0.0, y: &[1.0], slope: &[-1e8] };
        assert!(method.solve(&mut f, from, 1.0, (&[1.0], &[1.0], 1e-12)));
        assert!((1.0 + method.increment()[0]).abs() < 1e-7, "{:?}", method.increment());
    }
}
