//! Friction that grows with the length of several multipliers, of the force at a pin.
//!
//! ```text
//! N = |λ|,  n = λ/|λ|          N D = Σ nᵢ D λᵢ          δ(N D) = N δD + D n·δλ
//! ```
//!
//! so that with n it is a push nᵢ D beside each of the rows, for the motion as for its derivatives. Since |λ| is linear along λ, the
//! step of Newton's method from λ is that with its n. From N = 0 these come to the smallest N, that which goes on
//! from a small coefficient.

use crate::error::AnalysisError;
use crate::tapes::Read;
use nalgebra::DVector;

/// Steps to n, and where they end: below rounding, or where they no longer shrink below the other.
const STEPS_MAX: usize = 60;
const ROUNDING: f64 = 1e-15;
const SMALL: f64 = 1e-11;

/// What slides on a length.
#[derive(Debug, Clone)]
pub(crate) struct Length {
    /// The rows that bear it, by their places among those in force.
    pub(crate) rows: Vec<usize>,
    /// D.
    pub(crate) push: Read,
    pub(crate) name: String,
}

/// Adds what slides on lengths to the pushes beside rows; `solve` tells λ of all rows for some pushes.
pub(crate) fn lengthen(
    lengths: &[Length],
    pushes: &mut [Option<Read>],
    mut solve: impl FnMut(&mut [Option<Read>]) -> Result<Vec<f64>, AnalysisError>,
) -> Result<(), AnalysisError> {
    if lengths.is_empty() {
        return Ok(());
    }
    let base = pushes.to_vec();
    let mut directions: Vec<DVector<f64>> = Vec::new();
    let mut last = f64::INFINITY;
    for _ in 0..STEPS_MAX {
        pushes.clone_from_slice(&base);
        for (length, n) in lengths.iter().zip(&directions) {
            for (&row, n) in length.rows.iter().zip(n.iter()) {
                let part = length.push.scaled(*n);
                match &mut pushes[row] {
                    Some(sum) => sum.add(&part),
                    none => *none = Some(part),
                }
            }
        }
        let λ = solve(pushes)?;
        let size = λ.iter().fold(0.0, |size: f64, λ| size.max(λ.abs()));
        let mut found = Vec::new();
        for length in lengths {
            let of =
                DVector::from_iterator(length.rows.len(), length.rows.iter().map(|row| λ[*row]));
            let long = of.norm();
            if long.is_nan() || long <= ROUNDING * size {
                let why = format!("{} has no force to grow with", length.name);
                return Err(AnalysisError::NotSmooth { why });
            }
            found.push(of / long);
        }
        let moved = found.iter().zip(&directions).map(|(a, b)| (a - b).amax());
        let moved = if directions.is_empty() { f64::INFINITY } else { moved.fold(0.0, f64::max) };
        directions = found;
        if moved <= ROUNDING || moved <= SMALL && moved >= last / 2.0 {
            return Ok(());
        }
        last = moved;
    }
    let name = &lengths[0].name;
    let why = format!(
        "{name} grows with a force that is not found: Coulomb's law has no solution there, or several"
    );
    Err(AnalysisError::NotSmooth { why })
}
