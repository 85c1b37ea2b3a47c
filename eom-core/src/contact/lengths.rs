//! Friction that grows with the length of several multipliers: of the force at a pin, in a ball joint.
//!
//! With N = |λ| and D = −μ Jᵀu what slides pushes with N D, and the multipliers are affine in all N:
//!
//! ```text
//! λᵢ = λᵢ⁰ + Σ Nⱼ dᵢⱼ          Nᵢ = |λᵢ|
//! ```
//!
//! Of one, (1 − |d|²) N² − 2 (λ⁰·d) N − |λ⁰|² = 0. Where |d| < 1 the product of the roots is not positive: there is one N ≥ 0.
//! Where |d| ≥ 1 there is none or there are two (Painlevé); the smaller is the one that goes on from |d| < 1.
//!
//! Of several, N ↦ |λ(N)| is a contraction where the matrix P of the |dᵢⱼ| has a spectral radius below 1, which is so iff
//! (1 − P) x = 1 has a solution x > 0; in the norm max |Nᵢ|/xᵢ the steps N ← |λ(N)| then shrink. There is one N, which
//! steps of Newton find, with the slopes nᵢ·dᵢⱼ, n = λ/|λ|; one that does not shrink what is left is not taken. Elsewhere it is
//! not decided.

use crate::friction::slip_state::norm;
use crate::linear::linalg::{dot, pivoted_solve};

/// Steps to N.
const STEPS_MAX: usize = 2000;

/// Units of rounding of N.
const ROUNDINGS: f64 = 4.0;

/// Whether there are N.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// They are found.
    Found,
    /// There are none, or not on the branch that is asked for.
    None,
    /// It cannot be told.
    Undecided,
}

/// λᵢ⁰ and dᵢⱼ of some rows each.
pub(crate) struct Lengths {
    /// λᵢ⁰.
    pub(crate) free: Vec<Vec<f64>>,
    /// dᵢⱼ, by i, then j.
    pub(crate) by: Vec<Vec<Vec<f64>>>,
}

impl Lengths {
    /// N, of one by the root that is asked for: 1 the smaller, −1 the other; 0 where none is to act.
    pub(crate) fn solve(&self, branch: f64) -> (Answer, Vec<f64>) {
        if branch == 0.0 {
            return (Answer::Found, vec![0.0; self.free.len()]);
        }
        let found = match self.free.len() {
            1 => root_of(&self.free[0], &self.by[0][0], branch).ok_or(Answer::None),
            _ if branch < 0.0 => Err(Answer::None),
            _ => self.contract().ok_or(Answer::Undecided),
        };
        match found {
            Ok(lengths) => (Answer::Found, lengths),
            Err(answer) => (answer, vec![f64::NAN; self.free.len()]),
        }
    }

    /// λᵢ at N.
    fn at(&self, i: usize, lengths: &[f64]) -> Vec<f64> {
        let mut λ = self.free[i].clone();
        for (d, length) in self.by[i].iter().zip(lengths) {
            λ.iter_mut().zip(d).for_each(|(λ, d)| *λ += length * d);
        }
        λ
    }

    /// det(1 − n·d) at N: 0 where N has no bound.
    pub(crate) fn determinant(&self, lengths: &[f64]) -> f64 {
        let count = self.free.len();
        let (mut slopes, _) = self.slopes(lengths);
        let sign = pivoted_solve(&mut slopes, &mut vec![1.0; count], &mut vec![0.0; count]).sign;
        sign * (0..count).map(|i| slopes[i * count + i].abs()).product::<f64>()
    }

    /// 1 − nᵢ·dᵢⱼ, and Nᵢ − |λᵢ|.
    fn slopes(&self, lengths: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let count = self.free.len();
        let (mut slopes, mut left) = (Vec::with_capacity(count * count), Vec::with_capacity(count));
        for i in 0..count {
            let λ = self.at(i, lengths);
            let size = norm(&λ);
            let scale = if size > 0.0 { size.recip() } else { 0.0 };
            let one = |j: usize| f64::from(u8::from(i == j));
            slopes.extend((0..count).map(|j| one(j) - scale * dot(&λ, &self.by[i][j])));
            left.push(lengths[i] - size);
        }
        (slopes, left)
    }

    /// The weights x, where there is a contraction.
    fn weights(&self) -> Option<Vec<f64>> {
        let count = self.free.len();
        let mut matrix: Vec<f64> = self.by.iter().flatten().map(|d| -norm(d)).collect();
        (0..count).for_each(|i| matrix[i * count + i] += 1.0);
        let mut x = vec![1.0; count];
        pivoted_solve(&mut matrix, &mut vec![1.0; count], &mut x);
        x.iter().all(|x| *x > 0.0 && x.is_finite()).then_some(x)
    }

    fn contract(&self) -> Option<Vec<f64>> {
        let x = self.weights()?;
        let size = |left: &[f64]| left.iter().zip(&x).map(|(l, x)| l.abs() / x).fold(0.0, f64::max);
        let mut lengths: Vec<f64> = self.free.iter().map(|λ| norm(λ)).collect();
        let (mut slopes, mut left) = self.slopes(&lengths);
        for _ in 0..STEPS_MAX {
            let rounding = lengths.iter().zip(&x).map(|(l, x)| l / x).fold(0.0, f64::max);
            if size(&left) <= ROUNDINGS * f64::EPSILON * rounding {
                return Some(lengths);
            }
            let step = |step: &[f64]| -> Vec<f64> {
                lengths.iter().zip(step).map(|(l, step)| (l - step).max(0.0)).collect()
            };
            let mut newton = left.clone();
            pivoted_solve(&mut slopes, &mut vec![1.0; left.len()], &mut newton);
            let (fast, slow) = (step(&newton), step(&left));
            let of_fast = self.slopes(&fast);
            let shrinks = size(&of_fast.1) <= 0.5 * size(&left);
            let (next, of_next) =
                if shrinks { (fast, of_fast) } else { (slow.clone(), self.slopes(&slow)) };
            if !shrinks && size(&of_next.1) >= size(&left) {
                // What is left is rounding of λ.
                return size(&left).is_finite().then_some(lengths);
            }
            (lengths, (slopes, left)) = (next, of_next);
        }
        None
    }
}

/// N of one: the root that is asked for.
fn root_of(free: &[f64], by: &[f64], branch: f64) -> Option<Vec<f64>> {
    let (a, b, c) = (1.0 - dot(by, by), dot(free, by), dot(free, free));
    let root = (b * b + a * c).sqrt();
    let is_one = a > 0.0;
    let length = match (is_one, branch < 0.0) {
        (true, true) => return None,
        (true, false) if b >= 0.0 => (b + root) / a,
        // 0/0 of what bears nothing.
        (_, false) if c == 0.0 => 0.0,
        (true, false) => c / (root - b),
        (false, false) => (b < 0.0).then(|| c / (root - b))?,
        (false, true) => (b < 0.0 && a < 0.0).then(|| (b - root) / a)?,
    };
    length.is_finite().then(|| vec![length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(what: &str, found: f64, wanted: f64) {
        let error = (found - wanted).abs();
        assert!(error <= 1e-14 * (1.0 + wanted.abs()), "{what}: {found:?}, not {wanted:?}");
    }

    fn one(free: &[f64], by: &[f64]) -> Lengths {
        Lengths { free: vec![free.to_vec()], by: vec![vec![by.to_vec()]] }
    }

    /// |λ⁰ + N d| = N of what was found.
    fn hold(lengths: &Lengths, found: &[f64]) {
        for (i, length) in found.iter().enumerate() {
            check("length", norm(&lengths.at(i, found)), *length);
        }
    }

    #[test]
    fn one_length_has_a_root_none_or_two() {
        // (λ⁰, d, how many), by the quadratic of the module.
        let cases = [
            (vec![3.0, 4.0], vec![0.0, 0.0], 1),
            (vec![3.0, 4.0], vec![0.3, -0.2], 1),
            (vec![3.0, 4.0], vec![-0.6, -0.7], 1),
            (vec![1e-9, 2.0], vec![0.6, 0.79], 1),
            (vec![0.0, 0.0], vec![0.5, 0.5], 1),
            (vec![0.0, 0.0], vec![2.0, 0.5], 1),
            (vec![3.0, 4.0], vec![1.2, 0.5], 0),
            (vec![3.0, 4.0], vec![-1.2, -0.9], 2),
            // The disc is negative: the circle of N is never reached.
            (vec![3.0, 4.0], vec![-1.2, 0.5], 0),
            (vec![3.0, 4.0], vec![0.6, 0.8], 0),
            (vec![3.0, 4.0, 1.0], vec![-1.0, 0.0, 0.0], 1),
        ];
        for (free, by, count) in cases {
            let lengths = one(&free, &by);
            let found: Vec<Vec<f64>> = [1.0, -1.0]
                .iter()
                .map(|branch| lengths.solve(*branch))
                .filter(|(answer, _)| *answer == Answer::Found)
                .map(|(_, found)| found)
                .collect();
            assert_eq!(found.len(), count, "{free:?} {by:?}: {found:?}");
            for found in &found {
                hold(&lengths, found);
            }
        }
    }

    #[test]
    fn a_root_of_one_row_is_that_of_its_sign() {
        // (1 − σκ) λ = λ⁰: of one component N = |λ|.
        for (free, κ) in [(2.0, 0.7), (2.0, -0.7), (-3.0, 0.2), (-3.0, -0.99)] {
            let (_, found) = one(&[free], &[κ]).solve(1.0);
            let σ = f64::signum(free);
            check("N", found[0], free.abs() / (1.0 - σ * κ));
        }
    }

    #[test]
    fn several_lengths_hold_together_or_are_not_decided() {
        let d = |x: f64, y: f64| vec![x, y];
        let lengths = Lengths {
            free: vec![d(3.0, -1.0), d(0.5, 2.0)],
            by: vec![vec![d(0.3, 0.4), d(-0.2, 0.3)], vec![d(0.5, -0.4), d(-0.1, -0.35)]],
        };
        let (answer, found) = lengths.solve(1.0);
        assert_eq!(answer, Answer::Found);
        hold(&lengths, &found);
        assert!(lengths.determinant(&found) > 0.0);
        let by = vec![vec![d(0.3, 0.4), d(2.0, 3.0)], vec![d(1.5, -0.4), d(-0.1, -0.35)]];
        let wild = Lengths { free: lengths.free.clone(), by };
        assert_eq!(wild.solve(1.0).0, Answer::Undecided);
        // Near the edge of a contraction, where plain steps would need millions.
        let by = vec![vec![d(0.0, 0.0), d(0.0, 0.9999)], vec![d(0.0, 1.0), d(0.0, 0.0)]];
        let slow = Lengths { free: vec![d(1e-3, 0.0), d(0.0, 1.0)], by };
        let (answer, found) = slow.solve(1.0);
        assert_eq!(answer, Answer::Found);
        let left = norm(&slow.at(0, &found)) - found[0];
        assert!(left.abs() <= 1e-14 * found[0], "{left:e}");
    }
}
