//! How far eigenvalues may be off, so that their side of the axis is told.
//!
//! ```text
//! |δλ|: how far λ moves where A becomes A + E, |Eᵢⱼ| = ε ‖A‖
//! told beyond min(100 |δλ| + z |λ|, max(z max |λ|, 4 |δλ|))
//! ```
//!
//! ε is a thousand roundings: A is known at a solution. A simple eigenvalue is told to about that, beside however fast a
//! one; a zero of a family, √ε ‖A‖ where its block is one of Jordan's, is of no sign, also where all λ are small beside ‖A‖. All have
//! their sides where they are beyond ε^(1/4) ‖A‖, four in a block.

use super::eigen::eigenvalues;
use super::scaled::scaled;
use crate::critical::largest;
use crate::error::AnalysisError;
use nalgebra::{Complex, DMatrix};

/// ε, how many times |δλ|, and at least how many times.
const OFF: f64 = 1e-13;
const TIMES: f64 = 100.0;
const AT_LEAST: f64 = 4.0;

/// Beyond this part of ‖A‖ an eigenvalue has its side, whatever its block.
const CLEAR: f64 = 1e-3;

/// Beyond what each of the eigenvalues of a matrix has a side, where this part z of itself decides nothing.
pub(crate) fn bounds(
    a: &DMatrix<f64>,
    values: &[Complex<f64>],
    part: f64,
) -> Result<Vec<f64>, AnalysisError> {
    let (size, (even, _)) = (largest(values), scaled(a));
    let norm = even.norm();
    let is_clear = |value: &Complex<f64>| value.re.abs() > (part * size).max(CLEAR * norm);
    if values.iter().all(is_clear) {
        return Ok(vec![part * size; values.len()]);
    }
    let beside = eigenvalues(&DMatrix::from_fn(even.nrows(), even.ncols(), |i, j| {
        let sign = if (i * i + 3 * j + i * j) % 4 < 2 { 1.0 } else { -1.0 };
        even[(i, j)] + sign * OFF * norm
    }))?;
    let bound = |(value, moved): (&Complex<f64>, f64)| {
        let most = (part * size).max(AT_LEAST * moved);
        (TIMES * moved + part * value.norm_sqr().sqrt()).min(most)
    };
    Ok(values.iter().zip(distances(values, beside)).map(bound).collect())
}

/// How far each value is from the nearest of others that is left.
fn distances(values: &[Complex<f64>], mut left: Vec<Complex<f64>>) -> Vec<f64> {
    let distance = |value: &Complex<f64>| {
        let all = left.iter().map(|other| (other - value).norm_sqr());
        let nearest = all.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(f64::INFINITY, |(place, distance)| {
            left.swap_remove(place);
            distance.sqrt()
        })
    };
    values.iter().map(distance).collect()
}
