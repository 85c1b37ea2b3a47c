//! Spans of vectors: orthonormal bases by Gram and Schmidt, the largest of what is left first.
//!
//! ```text
//! M = Q R,  QᵀQ = 1          ker M = (span of the rows of M)⊥          x = P z,  (QᵀM P) z = Qᵀb
//! ```
//!
//! A vector of which less than [`RANK_TOLERANCE`] of the longest is left depends on those taken.

use nalgebra::{DMatrix, DVector};

/// Below this part of the longest, what is left of a vector is rounding.
pub(crate) const RANK_TOLERANCE: f64 = 1e-10;

/// An orthonormal basis of the columns.
pub(crate) fn basis(columns: &DMatrix<f64>) -> DMatrix<f64> {
    let longest = columns.column_iter().map(|column| column.norm()).fold(0.0, f64::max);
    let mut left = columns.clone();
    let mut taken: Vec<DVector<f64>> = Vec::new();
    while taken.len() < columns.nrows().min(columns.ncols()) {
        let mut best = (0, 0.0);
        for (j, column) in left.column_iter().enumerate() {
            let norm = column.norm();
            if norm > best.1 {
                best = (j, norm);
            }
        }
        if best.1 <= RANK_TOLERANCE * longest {
            break;
        }
        // Twice is enough.
        let mut unit = left.column(best.0) / best.1;
        for other in &taken {
            unit -= other * other.dot(&unit);
        }
        unit.normalize_mut();
        let parts = unit.tr_mul(&left);
        left -= &unit * parts;
        taken.push(unit);
    }
    if taken.is_empty() {
        DMatrix::zeros(columns.nrows(), 0)
    } else {
        DMatrix::from_columns(&taken)
    }
}

/// An orthonormal basis of the solutions x of M x = 0. Rows of M count alike, whatever their length.
pub(crate) fn kernel(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let n = matrix.ncols();
    let mut rows = matrix.transpose();
    for mut row in rows.column_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    let spanned = basis(&rows);
    if spanned.ncols() == n {
        return DMatrix::zeros(n, 0);
    }
    let mut rest = DMatrix::identity(n, n);
    rest -= &spanned * spanned.transpose();
    basis(&rest)
}

/// The shortest x of those that make ‖M x − b‖ least.
pub(crate) fn least(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    let q = basis(matrix);
    let reduced = q.tr_mul(matrix);
    let p = basis(&reduced.transpose());
    let solved = (&reduced * &p).lu().solve(&q.tr_mul(right))?;
    Some(p * solved)
}
