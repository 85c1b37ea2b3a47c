//! Spans of vectors: orthonormal bases by Gram and Schmidt, the largest of what is left first.
//!
//! ```text
//! M = Q R,  QᵀQ = 1          ker M = (span of the rows of M)⊥          x = P z,  (QᵀM P) z = Qᵀb
//! ```
//!
//! A vector of which less than [`RANK_TOLERANCE`] of the longest is left depends on those taken.
//! `nalgebra`'s singular values are not used: of sparse matrices they are wrong, or panic, about once in 10⁴.

use nalgebra::{DMatrix, DVector};

/// Below this part of the longest, what is left of a vector is rounding.
pub const RANK_TOLERANCE: f64 = 1e-10;

/// An orthonormal basis of the columns.
pub fn basis(columns: &DMatrix<f64>) -> DMatrix<f64> {
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
pub fn kernel(matrix: &DMatrix<f64>) -> DMatrix<f64> {
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

/// The shortest x of those that make ‖M x − b‖ least; none where entries are not finite.
pub fn least(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    let mut q = basis(matrix);
    loop {
        let reduced = q.tr_mul(matrix);
        let p = basis(&reduced.transpose());
        if p.ncols() == 0 {
            return right.iter().all(|b| b.is_finite()).then(|| DVector::zeros(matrix.ncols()));
        }
        if p.ncols() == q.ncols() {
            let solved = (&reduced * &p).lu().solve(&q.tr_mul(right))?;
            return Some(p * solved);
        }
        // A direction at the edge of rounding counts among the columns, and not among the rows: it is left out.
        q = basis(&(matrix * p));
    }
}

#[cfg(test)]
mod tests {
    use super::{basis, kernel, least};
    use nalgebra::{DMatrix, DVector};

    /// Directions at the edge of rounding, which count among the columns or not: what there is of them is no reason to
    /// fail. x = (1, 1, …) of the others, whatever those are.
    #[test]
    fn of_matrices_at_the_edge() {
        for power in 80..120 {
            let small = 10.0_f64.powf(-f64::from(power) / 10.0);
            for mix in 0..20 {
                let turn = 0.1 + f64::from(mix);
                let matrix = DMatrix::from_row_slice(
                    3,
                    3,
                    &[1.0, turn, 1.0, turn, turn * turn + small, turn, 1.0, turn, 1.0 + small],
                );
                let right = &matrix * DVector::from_element(3, 1.0);
                let x = least(&matrix, &right).expect("entries are finite");
                assert!((&matrix * &x - &right).norm() < 1e-6 * right.norm(), "{matrix} {x}");
            }
        }
    }

    /// Of sparse matrices with rows of zeros: the basis is orthonormal and spans, the kernel is one, and what is
    /// least is orthogonal to the columns. Each is the definition, whatever the method.
    #[test]
    fn of_sparse_matrices() {
        let mut number = 12345_u64;
        let mut next = || {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            (number >> 11) as f64 / (1_u64 << 53) as f64
        };
        for run in 0..3000 {
            let (rows, columns) = (1 + run % 16, 1 + run / 16 % 16);
            let (density, whole) = (next(), next() < 0.5);
            let matrix = DMatrix::from_fn(rows, columns, |_, _| match next() < density {
                true if whole => (next() * 5.0).floor() - 2.0,
                true => 2.0 * next() - 1.0,
                false => 0.0,
            });
            let (q, z) = (basis(&matrix), kernel(&matrix));
            let orthonormal =
                |q: &DMatrix<f64>| (q.tr_mul(q) - DMatrix::identity(q.ncols(), q.ncols())).norm();
            assert!(orthonormal(&q) < 1e-12 && orthonormal(&z) < 1e-12, "{matrix}");
            assert!((&q * q.tr_mul(&matrix) - &matrix).norm() < 1e-8, "{matrix}");
            assert!((&matrix * &z).norm() < 1e-8 && q.ncols() + z.ncols() == columns, "{matrix}");
            let right = DVector::from_fn(rows, |_, _| 2.0 * next() - 1.0);
            let x = least(&matrix, &right).expect("a basis is regular");
            let left = matrix.tr_mul(&(&right - &matrix * &x));
            assert!(left.norm() < 1e-7 * (1.0 + x.norm()), "{matrix}");
            assert!(z.tr_mul(&x).norm() < 1e-7 * (1.0 + x.norm()), "{matrix}");
        }
    }
}
