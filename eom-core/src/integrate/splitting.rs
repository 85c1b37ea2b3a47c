//! A⁻¹ of Radau's five stages, split by its eigenvalues, and what else of the method does not change: its error and its
//! polynomial by the stages.
//!
//! ```text
//! A⁻¹ = Σ λₖ rₖ lₖᵀ
//! ```

use super::factors::Factors;
use super::radau::{Radau, STAGES};
use nalgebra::{Complex, SMatrix, SVector};
use std::sync::LazyLock;

type Complexes = SVector<Complex<f64>, STAGES>;

/// λ₀, λ₁, λ₂; the others are conjugate.
pub(super) const EIGENVALUES: [Complex<f64>; 3] = [
    Complex::new(6.286_704_751_729_277, 0.0),
    Complex::new(3.655_694_325_463_572, 6.543_736_899_360_077),
    Complex::new(5.700_953_298_671_789, 3.210_265_600_308_55),
];

/// The coefficients.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) nodes: [f64; STAGES],
    pub(super) a: [[f64; STAGES]; STAGES],
    /// lₖ and rₖ with lₖ·rₖ = 1.
    pub(super) left: [Complexes; 3],
    pub(super) right: [Complexes; 3],
    /// eⱼ.
    pub(super) error: SVector<f64, STAGES>,
    /// From Zᵢ to pₖ.
    pub(super) powers: SMatrix<f64, STAGES, STAGES>,
}

pub(super) static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

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
        Self { nodes, a: radau.a, left, right, error, powers }
    }
}

/// x with A x = λ x, by inverse iteration; its largest entry is 1, so that it is real where λ is.
fn eigenvector(a: &SMatrix<f64, STAGES, STAGES>, λ: Complex<f64>) -> Complexes {
    let near = λ * (1.0 + 1e-10);
    let shifted = |(i, j): (usize, usize)| {
        let diagonal = if i == j { near } else { Complex::new(0.0, 0.0) };
        Complex::new(a[(i, j)], 0.0) - diagonal
    };
    let mut factors = Factors::new(STAGES);
    factors.factor((0..STAGES * STAGES).map(|k| shifted((k / STAGES, k % STAGES))));
    let mut x = Complexes::from_fn(|i, _| Complex::new(1.0, 0.1 * i as f64));
    for _ in 0..4 {
        if factors.solve(x.as_mut_slice()) {
            x /= Complex::new(x.norm(), 0.0);
        }
    }
    x / x[x.icamax()]
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
