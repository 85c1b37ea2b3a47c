//! What a linear system tells of stability.
//!
//! ```text
//! Re λ > 0 of one: unstable      Re λ < 0 of all: asymptotically stable      for all A + E, |E| ≤ ε |A| + doubt
//! ```
//!
//! A zero eigenvalue of a family is √ε where its block is one of Jordan's: it is of no sign. Whether a verdict stands is seen at
//! some E of the largest entries.

use crate::eigen::{NEUTRAL, eigenvalues};
use crate::error::AnalysisError;
use crate::linear::Linearisation;
use crate::scaled::scaled;
use nalgebra::{Complex, DMatrix};

/// The roundings of an entry of A.
const ROUNDINGS: f64 = 16.0;

/// E and −E, so many; a verdict by eigenvalues beyond this part of the norm stands without them: ε^(1/4), four in a block.
const SAMPLES: u64 = 6;
const CLEAR: f64 = 1e-3;

impl Linearisation {
    /// Whether the motion is asymptotically stable; nothing where the linear system does not decide it: eigenvalues on the
    /// imaginary axis as far as its matrix is known, and none to the right.
    ///
    /// # Errors
    /// Eigenvalues that do not converge.
    pub fn is_stable(&self) -> Result<Option<bool>, AnalysisError> {
        let values = eigenvalues(&self.a)?;
        let verdict = by_signs(&values);
        let (even, _) = scaled(&self.a);
        let parts = values.iter().map(|value| value.re);
        let clear = match verdict {
            None => return Ok(None),
            Some(true) => -parts.fold(f64::MIN, f64::max),
            Some(false) => parts.fold(f64::MIN, f64::max),
        };
        if self.doubt.iter().all(|doubt| *doubt == 0.0) && clear > CLEAR * even.norm() {
            return Ok(verdict);
        }
        for sample in 0..2 * SAMPLES {
            if by_signs(&eigenvalues(&self.beside(sample))?) != verdict {
                return Ok(None);
            }
        }
        Ok(verdict)
    }

    /// A + E.
    fn beside(&self, sample: u64) -> DMatrix<f64> {
        let columns = self.a.ncols();
        DMatrix::from_fn(self.a.nrows(), columns, |i, j| {
            let (a, doubt) = (self.a[(i, j)], self.doubt[(i, j)]);
            let size = ROUNDINGS * f64::EPSILON * a.abs() + doubt;
            let place = (i * columns + j) as u64;
            let is_up = is_odd(place * SAMPLES + sample / 2) ^ (sample % 2 == 0);
            if is_up { a + size } else { a - size }
        })
    }
}

/// A bit of a number (the finaliser of SplitMix64).
fn is_odd(number: u64) -> bool {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) & 1 == 1
}

/// What eigenvalues decide as they are.
fn by_signs(values: &[Complex<f64>]) -> Option<bool> {
    let size = |value: &Complex<f64>| value.norm_sqr().sqrt();
    let bound = NEUTRAL * values.iter().map(size).fold(0.0, f64::max);
    if values.iter().any(|value| value.re > bound) {
        return Some(false);
    }
    values.iter().all(|value| value.re < -bound).then_some(true)
}
