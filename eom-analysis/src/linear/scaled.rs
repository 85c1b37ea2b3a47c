//! A similar matrix whose rows and columns are as large as each other: what rounding does to eigenvalues is told by the norm,
//! and q̇ = v, v̇ = −ω²q has one of ω² where its eigenvalues are ω.
//!
//! ```text
//! D⁻¹ A D, D diagonal of powers of two: rᵢ/dᵢ ≈ cᵢ dᵢ for the sums rᵢ, cᵢ of row and column i beside the diagonal
//! ```
//!
//! Parlett, Reinsch (Numerische Mathematik 13, 1969). No entry is rounded. A matrix that is even enough stays as it is.

use nalgebra::DMatrix;

/// Sweeps over all rows.
const SWEEPS: usize = 100;

/// A row is scaled where the sum of both falls below this part.
const GAIN: f64 = 0.95;

/// D⁻¹ A D is taken where its norm is less than this part of that of A: what is gained is digits.
const DIGITS: f64 = 1.0 / 16.0;

/// Entries act on each other from this product on, which no units change.
const MUTUAL: f64 = 1e-12;

/// D⁻¹ A D and the diagonal of D; D = 1 where that gains no digits.
pub(crate) fn scaled(a: &DMatrix<f64>) -> (DMatrix<f64>, Vec<f64>) {
    let (mut matrix, mut factors) = (a.clone(), vec![1.0; a.nrows()]);
    for _ in 0..SWEEPS {
        let mut is_even = true;
        for (i, factor) in factors.iter_mut().enumerate() {
            let d = step(&matrix, i);
            if d != 1.0 {
                matrix.row_mut(i).unscale_mut(d);
                matrix.column_mut(i).scale_mut(d);
                *factor *= d;
                is_even = false;
            }
        }
        if is_even {
            break;
        }
    }
    let gains = matrix.norm() < DIGITS * a.norm();
    if gains { (matrix, factors) } else { (a.clone(), vec![1.0; a.nrows()]) }
}

/// The diagonal of D of what acts both ways: of what acts one way alone, be it rounding, nothing is even, and D has no end.
pub(crate) fn mutual(a: &DMatrix<f64>) -> Vec<f64> {
    let is_mutual = |i: usize, j: usize| (a[(i, j)] * a[(j, i)]).abs() > MUTUAL;
    let kept = |i: usize, j: usize| if is_mutual(i, j) { a[(i, j)] } else { 0.0 };
    scaled(&DMatrix::from_fn(a.nrows(), a.ncols(), kept)).1
}

/// The power of two next to a number above 0: as a unit it rounds nothing.
pub(crate) fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let least = f64::MIN_POSITIVE;
    f64::from_bits((std::f64::consts::SQRT_2 * x).max(least).to_bits() & EXPONENT)
}

/// The power of two that makes row and column i about as large as each other; 1 where that gains little.
fn step(matrix: &DMatrix<f64>, i: usize) -> f64 {
    let others = || (0..matrix.nrows()).filter(|j| *j != i);
    let row: f64 = others().map(|j| matrix[(i, j)].abs()).sum();
    let column: f64 = others().map(|j| matrix[(j, i)].abs()).sum();
    let told = |sum: f64| sum > 0.0 && sum.is_finite();
    if !(told(row) && told(column)) {
        return 1.0;
    }
    let (mut d, mut scaled) = (1.0, column);
    while scaled < 0.5 * row {
        (d, scaled) = (2.0 * d, 4.0 * scaled);
    }
    while scaled >= 2.0 * row {
        (d, scaled) = (0.5 * d, 0.25 * scaled);
    }
    if (scaled + row) / d < GAIN * (column + row) { d } else { 1.0 }
}
