//! q̇ = S(q) v where that is not q̇ = v: unit quaternions, and what S does to scales.
//!
//! q holds the coordinates, then four components (w, x, y, z) for each rotation; v the speeds.

use super::System;
use crate::error::StartError;
use crate::info::{QUATERNION, SystemInfo};
use eom_elementary::fused;
use nalgebra::DMatrix;

/// What of a quaternion's length is not 1, |r|² − 1, with its rounding errors r_low:
///
/// ```text
/// Σ rᵢ² − 1 + 2 Σ rᵢ lowᵢ
/// ```
///
/// Products and sums carry their errors, so that the result is exact to a part of ε².
fn excess(r: &[f64], low: &[f64]) -> f64 {
    let (mut sum, mut error) = (-1.0, 0.0);
    for (r, low) in r.iter().zip(low) {
        let square = r * r;
        let next = sum + square;
        let part = next - sum;
        error += (sum - (next - part)) + (square - part) + fused(*r, *r, -square) + 2.0 * r * low;
        sum = next;
    }
    sum + error
}

/// The factor 1/|r| − 1 that makes a quaternion a unit one: with d = |r|² − 1
///
/// ```text
/// 1/√(1+d) − 1 = −d / (√(1+d) (1 + √(1+d)))
/// ```
pub(crate) fn unit_change(r: &[f64], low: &[f64]) -> f64 {
    let d = excess(r, low);
    let length = (1.0 + d).sqrt();
    -d / (length * (1.0 + length))
}

/// Makes the quaternions of q unit ones.
pub(crate) fn normalise(info: &SystemInfo, q: &mut [f64]) {
    for r in q[info.coordinates.len()..].chunks_exact_mut(QUATERNION) {
        make_unit(r);
    }
}

/// Divides by the length as rounded, then takes away what that left.
fn make_unit(r: &mut [f64]) {
    let length = r.iter().map(|r| r * r).sum::<f64>().sqrt();
    for r in r.iter_mut() {
        *r /= length;
    }
    let change = unit_change(r, &[0.0; QUATERNION]);
    for r in r {
        *r += *r * change;
    }
}

/// Refuses a quaternion that is off unit length by more than a tolerance.
pub(crate) fn check_unit(info: &SystemInfo, q: &[f64], tolerance: f64) -> Result<(), StartError> {
    let quaternions = q[info.coordinates.len()..].chunks_exact(QUATERNION);
    for (rotation, r) in info.rotations.iter().zip(quaternions) {
        let length = (1.0 + excess(r, &[0.0; QUATERNION])).sqrt();
        if (length - 1.0).abs() > tolerance {
            return Err(StartError::NotUnit { name: rotation.name, length });
        }
    }
    Ok(())
}

/// S(q), nq×m, from the rates of the unit speeds.
pub(crate) fn frame(system: &dyn System, t: f64, q: &[f64]) -> DMatrix<f64> {
    let m = system.info().speeds();
    let (mut s, mut unit) = (DMatrix::zeros(q.len(), m), vec![0.0; m]);
    let mut rates = vec![0.0; q.len()];
    for j in 0..m {
        unit[j] = 1.0;
        system.rates(t, q, &unit, &mut rates);
        s.column_mut(j).copy_from_slice(&rates);
        unit[j] = 0.0;
    }
    s
}

/// The displacement along each speed that is of the order of the coordinates' scales:
///
/// ```text
/// sⱼ = Σᵢ |Sᵢⱼ| (|qᵢ| + floorᵢ) / Σᵢ Sᵢⱼ²
/// ```
///
/// which is |qⱼ| + floorⱼ where q̇ = v, and in units of the speed's own displacement elsewhere.
pub(crate) fn displacement_scales(
    system: &dyn System,
    t: f64,
    q: &[f64],
    floors: &[f64],
) -> Vec<f64> {
    if system.info().is_plain() {
        return q.iter().zip(floors).map(|(q, floor)| q.abs() + floor).collect();
    }
    let s = frame(system, t, q);
    let scale = |column: nalgebra::DVectorView<'_, f64>| {
        let terms = column.iter().zip(q).zip(floors);
        let sum: f64 = terms.map(|((s, q), floor)| s.abs() * (q.abs() + floor)).sum();
        sum / column.norm_squared()
    };
    s.column_iter().map(|column| scale(column.as_view())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_become_unit_to_rounding() {
        for r in [[0.5, 0.5, 0.5, 0.5 + 1e-9], [2.0, 0.0, -1.0, 3.0], [1e-3, 0.0, 0.0, 0.0]] {
            let mut unit = r;
            make_unit(&mut unit);
            let left = excess(&unit, &[0.0; QUATERNION]);
            assert!(left.abs() < 8.0 * f64::EPSILON, "{r:?}: {left:e}");
        }
    }

    /// (3, 4)/5 in binary is off unit length by parts of ε that a plain sum does not see.
    #[test]
    fn the_excess_is_exact_beyond_rounding() {
        let (r, low) = ([0.6, 0.8, 0.0, 0.0], [0.0; QUATERNION]);
        // 0.6 = 3/5 − 2.220446e-17 and 0.8 = 4/5 + 4.440892e-17 as doubles.
        let exact = 2.0 * (0.6 * -2.220_446_049_250_313e-17 + 0.8 * 4.440_892_098_500_626e-17);
        assert!((excess(&r, &low) - exact).abs() < 1e-30, "{:e}", excess(&r, &low));
    }
}
