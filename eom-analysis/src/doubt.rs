//! How far eigenvalues may be off, so that their side of the axis is told.
//!
//! ```text
//! |δλ|: how far λ moves where A becomes A + E, |Eᵢⱼ| = ε ‖A‖       told beyond min(100 |δλ| + z |λ|, z max |λ|)
//! ```
//!
//! ε is a thousand roundings: A is known at a solution. A simple eigenvalue is told to about that, beside however fast a
//! one; a zero of a family, √ε where its block is one of Jordan's, is of no sign.

use crate::critical::largest;
use crate::eigen::eigenvalues;
use crate::error::AnalysisError;
use crate::scaled::scaled;
use nalgebra::{Complex, DMatrix};

/// ε, and how many times |δλ|.
const OFF: f64 = 1e-13;
const TIMES: f64 = 100.0;

/// Beyond what each of the eigenvalues of a matrix has a side, where this part z of itself decides nothing.
pub(crate) fn bounds(
    a: &DMatrix<f64>,
    values: &[Complex<f64>],
    part: f64,
) -> Result<Vec<f64>, AnalysisError> {
    let size = largest(values);
    let is_clear = |value: &Complex<f64>| value.re.abs() > part * size;
    if values.iter().all(is_clear) {
        return Ok(vec![part * size; values.len()]);
    }
    let (even, _) = scaled(a);
    let off = OFF * even.norm();
    let n = even.nrows();
    let mut left = eigenvalues(&DMatrix::from_fn(n, n, |i, j| {
        let sign = if (i * i + 3 * j + i * j) % 4 < 2 { 1.0 } else { -1.0 };
        even[(i, j)] + sign * off
    }))?;
    let bound = |value: &Complex<f64>| {
        let distances = left.iter().map(|other| (other - value).norm_sqr());
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let moved = nearest.map_or(f64::INFINITY, |(place, distance)| {
            left.swap_remove(place);
            distance.sqrt()
        });
        (TIMES * moved + part * value.norm_sqr().sqrt()).min(part * size)
    };
    Ok(values.iter().map(bound).collect())
}
