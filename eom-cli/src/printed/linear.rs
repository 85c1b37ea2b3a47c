//! Small dense matrices by Gauss and Jordan, and derivatives by differences: not the methods of the
//! runtime or of the algebra.

/// A matrix by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// A·B.
pub(super) fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| {
            (0..columns).map(|j| row.iter().zip(b).map(|(x, other)| x * other[j]).sum()).collect()
        })
        .collect()
}

/// Aᵀ, with the number of columns where A has no rows.
pub(super) fn transposed(a: &Matrix, columns: usize) -> Matrix {
    (0..columns).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// A·x.
pub(super) fn apply(a: &Matrix, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// A⁻¹; `None` for a matrix that is singular to rounding.
pub(super) fn inverse(a: &Matrix) -> Option<Matrix> {
    let n = a.len();
    let mut left = a.clone();
    let mut right: Matrix =
        (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    let largest = a.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| left[i][k].abs().total_cmp(&left[j][k].abs()))?;
        if left[pivot][k].abs() <= 1e-14 * largest {
            return None;
        }
        left.swap(k, pivot);
        right.swap(k, pivot);
        let factor = 1.0 / left[k][k];
        left[k].iter_mut().chain(&mut right[k]).for_each(|x| *x *= factor);
        for i in (0..n).filter(|&i| i != k) {
            let factor = left[i][k];
            for j in 0..n {
                left[i][j] -= factor * left[k][j];
                right[i][j] -= factor * right[k][j];
            }
        }
    }
    Some(right)
}

/// The derivative at 0 of a curve of n components, by central differences at 1/500 and its halves,
/// twice extrapolated (Richardson): the error is of the sixth order, about 10⁻¹² of the values.
pub(super) fn derivative(
    n: usize,
    curve: &dyn Fn(f64) -> Result<Vec<f64>, String>,
) -> Result<Vec<f64>, String> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for step in [2e-3, 1e-3, 5e-4] {
        let (ahead, behind) = (curve(step)?, curve(-step)?);
        rows.push((0..n).map(|i| (ahead[i] - behind[i]) / (2.0 * step)).collect());
    }
    for factor in [4.0, 16.0] {
        let finer = |pair: &[Vec<f64>]| -> Vec<f64> {
            pair[1]
                .iter()
                .zip(&pair[0])
                .map(|(fine, coarse)| fine + (fine - coarse) / (factor - 1.0))
                .collect()
        };
        rows = rows.windows(2).map(finer).collect();
    }
    Ok(rows.remove(0))
}
