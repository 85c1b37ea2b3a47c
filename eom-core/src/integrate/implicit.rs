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
//! falls into a real and two complex systems of the size of y by A⁻¹ = Σ λₖ rₖ lₖᵀ, with the right sides λₖ/h lₖ·R of the
//! residual R = h A F(Z) − Z: formed in Z itself, it is as small as rounding of Z where Z is solved, and lₖ, which are of
//! the size 10², do not make more of it. The error is that of an
//! embedded formula of order 5, with f(t, y) as a stage of weight 1/λ₀:
//!
//! ```text
//! err = (λ₀/h − J)⁻¹ (f(t, y) + λ₀/h Σ eⱼ Zⱼ)
//! ```
//!
//! As the order of the result is 9, tolerances r are those of err to the power 6/10: h err ≤ 0.1 r^0.6, as
//! in the authors' code RADAU (Journal of Computational and Applied Mathematics 111, 1999), where control
//! of the step and of Newton's method come from.

use super::control::{mean_size, norm};
use super::factors::Factors;
use super::radau::STAGES;
use super::splitting::{EIGENVALUES, TABLE};
use crate::snapshot::words::{Broken, Part, Reader, Value, Writer, value};
use nalgebra::{Complex, DMatrix, Schur};

/// Newton's steps.
const STEPS_MAX: usize = 12;
/// What rounding leaves of a stage, in units of ε |y|.
const ROUNDINGS: f64 = 4.0;
/// Changes are rounding where they fall by no more than the first, and are below the second part of what an
/// error may be.
const STAGNANT: (f64, f64) = (0.3, 0.1);
/// What rounding of slopes leaves of a step counts from this part of its weights on; so many times as much is added to them,
/// that Newton's changes are well below.
const HEARD: f64 = 0.1;
const ABOVE: f64 = 30.0;
/// Coordinates are moved by this part of their scale, to difference f.
pub(crate) const DIFFERENCE: f64 = 1.5e-8;

/// Iterations a row in which eigenvalues are found.
const SWEEPS: usize = 100;

/// The slope at (t, y).
pub(crate) type Slope<'f> = dyn FnMut(f64, &[f64], &mut [f64]) + 'f;

/// Counts of the work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) iterations: u64,
    pub(crate) jacobians: u64,
    pub(crate) factorizations: u64,
}

/// The factors of λₖ/h − J.
#[derive(Debug, Clone)]
struct Shifted {
    /// The size of a step whose factors these are; none before the first.
    h: Option<f64>,
    real: Factors<f64>,
    complex: [Factors<Complex<f64>>; 2],
}

/// What a step writes and does not keep.
#[derive(Debug, Clone)]
struct Room {
    /// A state, and its slope.
    point: Vec<f64>,
    slope: Vec<f64>,
    /// A right side, and its real part.
    side: Vec<Complex<f64>>,
    real: Vec<f64>,
    /// R, and ΔZ.
    residual: Vec<f64>,
    change: Vec<f64>,
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
    /// J by rows, where `known` says that there is one.
    jacobian: Vec<f64>,
    known: bool,
    factors: Shifted,
    /// Zᵢ, one stage after another.
    stages: Vec<f64>,
    /// F at the stages.
    slopes: Vec<f64>,
    iterations: usize,
    pub(crate) work: Work,
    room: Room,
}

impl Implicit {
    pub(crate) fn new(d: usize) -> Self {
        let (zeros, zero) = (vec![0.0; d], Complex::new(0.0, 0.0));
        let complex = [Factors::new(d), Factors::new(d)];
        Self {
            d,
            jacobian: vec![0.0; d * d],
            known: false,
            factors: Shifted { h: None, real: Factors::new(d), complex },
            room: Room {
                point: zeros.clone(),
                slope: zeros.clone(),
                side: vec![zero; d],
                real: zeros,
                residual: vec![0.0; STAGES * d],
                change: vec![0.0; STAGES * d],
            },
            stages: vec![0.0; STAGES * d],
            slopes: vec![0.0; STAGES * d],
            iterations: 0,
            work: Work::default(),
        }
    }

    /// Nothing is known of the field: another run, or a jump.
    pub(crate) fn forget(&mut self) {
        self.renew();
        self.iterations = 0;
    }

    /// J is to be made anew.
    pub(crate) fn renew(&mut self) {
        (self.known, self.factors.h) = (false, None);
    }

    /// Has J written, by rows, at the point from which steps are made, where one is wanted; where it is not
    /// written it is made of differences.
    pub(crate) fn take_jacobian(&mut self, write: impl FnOnce(&mut [f64]) -> bool) {
        if !self.known && write(&mut self.jacobian) {
            self.known = true;
            self.work.jacobians += 1;
        }
    }

    /// The eigenvalues of J, which is made of differences where there is none. None where J is not finite.
    pub(crate) fn eigenvalues(
        &mut self,
        f: &mut Slope<'_>,
        from: From<'_>,
        scales: &[f64],
    ) -> Option<Vec<Complex<f64>>> {
        self.difference(f, from, scales);
        let finite = self.jacobian.iter().all(|x| x.is_finite());
        let jacobian = finite.then(|| DMatrix::from_row_slice(self.d, self.d, &self.jacobian))?;
        let schur = Schur::try_new(jacobian, f64::EPSILON, SWEEPS * self.d.max(1))?;
        Some(schur.complex_eigenvalues().iter().copied().collect())
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
        self.difference(f, from, scales);
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
            let solved = self.newton_step(h);
            let size = self.norm(weights, |i, j| self.room.change[i * self.d + j]);
            if !solved || !size.is_finite() {
                return false;
            }
            self.stages.iter_mut().zip(&self.room.change).for_each(|(z, change)| *z += change);
            let ratio = size / before;
            let contraction: f64 = if step > 2 { (ratio * ratio_before).sqrt() } else { ratio };
            if step > 1 {
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
                return true;
            }
            (before, ratio_before) = (size, ratio);
        }
        false
    }

    /// Adds to the weights of a step h what rounding of the slopes by these sizes makes of it,
    ///
    /// ```text
    /// wⱼ ← wⱼ + C Σ |(λ₀/h − J)⁻¹ⱼᵢ| nᵢ
    /// ```
    ///
    /// and tells whether that counts: neither Newton's method nor the error can be told to less.
    pub(crate) fn widen(
        &mut self,
        f: &mut Slope<'_>,
        from: From<'_>,
        h: f64,
        (scales, sizes, weights): (&[f64], &[f64], &mut [f64]),
    ) -> bool {
        self.difference(f, from, scales);
        if !self.factor(h) {
            return false;
        }
        let Self { d, factors, room: Room { real, change, .. }, .. } = self;
        let left = &mut change[..*d];
        left.fill(0.0);
        for (i, size) in sizes.iter().enumerate() {
            real.fill(0.0);
            real[i] = *size;
            if !factors.real.solve(real) {
                return false;
            }
            left.iter_mut().zip(&*real).for_each(|(left, part)| *left += part.abs());
        }
        let counts = (HEARD..f64::INFINITY).contains(&norm(left, weights));
        if counts {
            weights.iter_mut().zip(&*left).for_each(|(weight, left)| *weight += ABOVE * left);
        }
        counts
    }

    /// The error of the step h in units of `weights`; `moved` estimates it once more at y + err, which
    /// sees what is stiff as it is after the step.
    pub(crate) fn error(
        &mut self,
        f: &mut Slope<'_>,
        from: From<'_>,
        h: f64,
        (weights, moved): (&[f64], bool),
    ) -> f64 {
        self.room.slope.copy_from_slice(from.slope);
        let first = self.estimate(h, weights);
        if first.is_nan() || first < 1.0 || !moved {
            return first;
        }
        let Room { point, slope, real, .. } = &mut self.room;
        point.iter_mut().zip(from.y.iter().zip(&*real)).for_each(|(p, (y, e))| *p = y + e);
        f(from.t, point, slope);
        self.estimate(h, weights)
    }

    /// The size of err with the slope that is in the room, where err is left. Not a number where there is none.
    fn estimate(&mut self, h: f64, weights: &[f64]) -> f64 {
        let Self { d, stages, factors, room, .. } = self;
        let scale = EIGENVALUES[0].re / h;
        for (j, (error, slope)) in room.real.iter_mut().zip(&room.slope).enumerate() {
            let sum: f64 = (0..STAGES).map(|i| TABLE.error[i] * stages[i * *d + j]).sum();
            *error = slope + scale * sum;
        }
        if factors.h.is_none() || !factors.real.solve(&mut room.real) {
            return f64::NAN;
        }
        norm(&room.real, weights)
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
        &mut self,
        from: (f64, &[f64]),
        h: f64,
        visit: &mut dyn FnMut(f64, f64, &[f64]),
    ) {
        let (t, y) = from;
        let point = &mut self.room.point;
        for (i, stage) in self.stages.chunks_exact(self.d).enumerate() {
            point.iter_mut().zip(y.iter().zip(stage)).for_each(|(p, (y, z))| *p = y + z);
            visit(h * TABLE.a[STAGES - 1][i], t + TABLE.nodes[i] * h, point);
        }
    }

    /// The third stage is at this part of the step.
    pub(crate) fn middle(&self) -> (f64, &[f64]) {
        (TABLE.nodes[2], &self.stages[2 * self.d..3 * self.d])
    }

    fn norm(&self, weights: &[f64], value: impl Fn(usize, usize) -> f64) -> f64 {
        let of = |i: usize| weights.iter().enumerate().map(move |at| (i, at));
        let parts = (0..STAGES).flat_map(of).map(|(i, (j, weight))| value(i, j) / weight);
        mean_size(parts, STAGES * self.d)
    }

    /// ∂f/∂y by forward differences, where J is not known.
    fn difference(&mut self, f: &mut Slope<'_>, from: From<'_>, scales: &[f64]) {
        if self.known {
            return;
        }
        self.work.jacobians += 1;
        let Room { point, slope, .. } = &mut self.room;
        point.copy_from_slice(from.y);
        for column in 0..self.d {
            point[column] = from.y[column] + DIFFERENCE * scales[column];
            let change = point[column] - from.y[column];
            f(from.t, point, slope);
            for row in 0..self.d {
                self.jacobian[row * self.d + column] = (slope[row] - from.slope[row]) / change;
            }
            point[column] = from.y[column];
        }
        self.known = true;
    }

    /// Factors λₖ/h − J, where that is not at hand. False where J is not finite.
    fn factor(&mut self, h: f64) -> bool {
        if self.factors.h == Some(h) {
            return true;
        }
        if !self.known || self.jacobian.iter().any(|x| !x.is_finite()) {
            self.renew();
            return false;
        }
        self.work.factorizations += 1;
        let Self { d, jacobian, factors, .. } = self;
        let shift = EIGENVALUES.map(|λ| λ / h);
        let is_diagonal = |k: usize| k.is_multiple_of(*d + 1);
        let real = |(k, x): (usize, &f64)| if is_diagonal(k) { shift[0].re - x } else { -x };
        factors.real.factor(jacobian.iter().enumerate().map(real));
        for (factors, shift) in factors.complex.iter_mut().zip(&shift[1..]) {
            let entry = |(k, x): (usize, &f64)| {
                if is_diagonal(k) { shift - x } else { Complex::new(-x, 0.0) }
            };
            factors.factor(jacobian.iter().enumerate().map(entry));
        }
        factors.h = Some(h);
        true
    }

    /// F at the stages. False where it is not finite.
    fn evaluate(&mut self, f: &mut Slope<'_>, from: From<'_>, h: f64) -> bool {
        let d = self.d;
        let point = &mut self.room.point;
        for i in 0..STAGES {
            let stage = &self.stages[i * d..][..d];
            point.iter_mut().zip(from.y.iter().zip(stage)).for_each(|(p, (y, z))| *p = y + z);
            f(from.t + TABLE.nodes[i] * h, point, &mut self.slopes[i * d..][..d]);
        }
        self.slopes.iter().all(|x| x.is_finite())
    }

    /// Leaves ΔZ in the room. False where there are no factors, or singular ones.
    fn newton_step(&mut self, h: f64) -> bool {
        let Self { d, stages, slopes, factors, room, .. } = self;
        let Room { side, real, change, residual, .. } = room;
        if factors.h.is_none() {
            return false;
        }
        for (i, row) in TABLE.a.iter().enumerate() {
            for j in 0..*d {
                let sum: f64 = (0..STAGES).map(|l| row[l] * slopes[l * *d + j]).sum();
                residual[i * *d + j] = h * sum - stages[i * *d + j];
            }
        }
        change.fill(0.0);
        for (k, λ) in EIGENVALUES.iter().enumerate() {
            for (j, side) in side.iter_mut().enumerate() {
                let term = |i: usize| TABLE.left[k][i] * residual[i * *d + j];
                *side = λ / h * (0..STAGES).map(term).sum::<Complex<f64>>();
            }
            let solved = if k == 0 {
                real.iter_mut().zip(&*side).for_each(|(real, side)| *real = side.re);
                let solved = factors.real.solve(real);
                side.iter_mut().zip(&*real).for_each(|(side, real)| *side = (*real).into());
                solved
            } else {
                factors.complex[k - 1].solve(side)
            };
            if !solved {
                return false;
            }
            let twice = if k == 0 { 1.0 } else { 2.0 };
            for (i, change) in change.chunks_exact_mut(*d).enumerate() {
                for (change, side) in change.iter_mut().zip(&*side) {
                    *change += twice * (TABLE.right[k][i] * side).re;
                }
            }
        }
        true
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
        let Self { d, jacobian, known, factors, stages, .. } = self;
        to.word(*d as u64);
        known.then(|| jacobian.clone()).write(to);
        factors.h.write(to);
        stages.save(to);
        (self.iterations, self.work).write(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Broken> {
        from.enter("Implicit", self.d as u64)?;
        let (entries, h): (Option<Vec<f64>>, Option<f64>) = Value::read(from)?;
        self.renew();
        if let Some(entries) = entries {
            from.check(entries.len() == self.d * self.d)?;
            (self.jacobian, self.known) = (entries, true);
        }
        from.check(h.is_none_or(|h| self.factor(h)))?;
        self.stages.restore(from)?;
        (self.iterations, self.work) = Value::read(from)?;
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

    /// ẋ = v, v̇ = a: of what is linear Newton's first step leaves nothing, however small it is in units of its error.
    #[test]
    fn what_is_linear_takes_one_step() {
        let a = -1e-19;
        let mut f = |_: f64, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[y[1], a]);
        let mut method = Implicit::new(2);
        let from = From { t: 0.0, y: &[5.0, 0.0], slope: &[0.0, a] };
        method.guess(None);
        assert!(method.solve(&mut f, from, 1.4, (&[1.0; 2], &[1.0; 2], 1e-3)));
        let [x, v] = [0, 1].map(|j| method.increment()[j]);
        let errors = [v / (1.4 * a) - 1.0, x / (0.98 * a) - 1.0];
        assert!(errors.iter().all(|e| e.abs() < 1e-12), "{errors:?}");
        assert_eq!(method.iterations(), 1);
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
