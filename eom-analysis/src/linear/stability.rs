//! What a linear system tells of stability.
//!
//! ```text
//! Re λ > 0 of one: unstable      Re λ < 0 of all: asymptotically stable      for all A + E, |E| ≤ ε |A| + doubt
//! ```
//!
//! A zero eigenvalue of a family is √ε where its block is one of Jordan's: it is of no sign. Whether a verdict stands is seen at
//! some E of the largest entries.

use super::Linearisation;
use super::doubt::bounds;
use super::eigen::{NEUTRAL, eigenvalues};
use super::scaled::scaled;
use crate::error::AnalysisError;
use nalgebra::{Complex, DMatrix};

/// An eigenvalue that is known to no more than this part of the largest is one of several that are nearly one.
pub const UNCLEAR: f64 = 1e-10;

/// The roundings of an entry of A.
const ROUNDINGS: f64 = 16.0;

/// E and −E, so many; the side of an eigenvalue beyond this part of the norm is that without them: ε^(1/4), four in a block.
const SAMPLES: u64 = 6;
const CLEAR: f64 = 1e-3;

impl Linearisation {
    /// Whether the motion is asymptotically stable; nothing where the linear system does not decide it: eigenvalues on the
    /// imaginary axis as far as its matrix is known, and none to the right.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn is_stable(&self) -> Result<Option<bool>, AnalysisError> {
        let [right, left] = self.sides()?;
        if right > 0 {
            return Ok(Some(false));
        }
        Ok((left == self.a.nrows()).then_some(true))
    }

    /// How many eigenvalues are to the right of the imaginary axis, whatever the matrix is as far as it is known.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn unstable(&self) -> Result<usize, AnalysisError> {
        Ok(self.sides()?[0])
    }

    /// Up to what each of these eigenvalues of A is not told from 0: that of a family is the root of rounding.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn roundings(&self, values: &[Complex<f64>]) -> Result<Vec<f64>, AnalysisError> {
        bounds(&self.a, values, NEUTRAL)
    }

    /// How far each of these eigenvalues of A is known: how far off those of A + E are. Of one that is there k times with one
    /// vector that is the kth root of rounding.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn uncertainties(&self, values: &[Complex<f64>]) -> Result<Vec<f64>, AnalysisError> {
        uncertainties((&self.a, &self.doubt), values)
    }

    /// How many eigenvalues are to the right and to the left of the axis for all A + E.
    fn sides(&self) -> Result<[usize; 2], AnalysisError> {
        let values = eigenvalues(&self.a)?;
        let mut counts = on_sides(&self.a, &values)?;
        let (even, _) = scaled(&self.a);
        let bound = CLEAR * even.norm();
        let is_known = self.doubt.iter().all(|doubt| *doubt == 0.0);
        let is_clear = |value: &Complex<f64>| value.re == 0.0 || value.re.abs() > bound;
        if counts == [0, 0] || (is_known && values.iter().all(is_clear)) {
            return Ok(counts);
        }
        for sample in 0..2 * SAMPLES {
            let beside = beside((&self.a, &self.doubt), sample);
            let beside = on_sides(&beside, &eigenvalues(&beside)?)?;
            counts = [counts[0].min(beside[0]), counts[1].min(beside[1])];
        }
        Ok(counts)
    }
}

/// How far off each of the eigenvalues of A is among those of A + E, |E| ≤ ε |A| + doubt.
pub(crate) fn uncertainties(
    of: (&DMatrix<f64>, &DMatrix<f64>),
    values: &[Complex<f64>],
) -> Result<Vec<f64>, AnalysisError> {
    let mut known = vec![0.0_f64; values.len()];
    for sample in 0..2 * SAMPLES {
        let beside = eigenvalues(&beside(of, sample))?;
        for (known, value) in known.iter_mut().zip(values) {
            let off = beside.iter().map(|other| (other - value).norm_sqr());
            *known = known.max(off.fold(f64::INFINITY, f64::min).sqrt());
        }
    }
    Ok(known)
}

/// A + E.
fn beside((a, doubt): (&DMatrix<f64>, &DMatrix<f64>), sample: u64) -> DMatrix<f64> {
    let columns = a.ncols();
    DMatrix::from_fn(a.nrows(), columns, |i, j| {
        let (a, doubt) = (a[(i, j)], doubt[(i, j)]);
        let size = ROUNDINGS * f64::EPSILON * a.abs() + doubt;
        let place = (i * columns + j) as u64;
        let is_up = is_odd(place * SAMPLES + sample / 2) ^ sample.is_multiple_of(2);
        if is_up { a + size } else { a - size }
    })
}

/// A bit of a number (the finaliser of SplitMix64).
fn is_odd(number: u64) -> bool {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) & 1 == 1
}

/// How many eigenvalues of a matrix are to the right and to the left as they are.
fn on_sides(a: &DMatrix<f64>, values: &[Complex<f64>]) -> Result<[usize; 2], AnalysisError> {
    let bounds = bounds(a, values, NEUTRAL)?;
    let count = |sign: f64| {
        values.iter().zip(&bounds).filter(|(value, bound)| sign * value.re > **bound).count()
    };
    Ok([count(1.0), count(-1.0)])
}
