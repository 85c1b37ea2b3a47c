//! Small dense linear algebra in f64 for deciding claims: Gaussian elimination with complete
//! pivoting, on purpose another method than the LDLᵀ of the programs it judges.

/// A matrix as its rows.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// Pivots below this share of the largest entry count as zero.
const RANK_TOLERANCE: f64 = 1e-11;

/// The solution of a square system, or `None` where the matrix is singular to working accuracy.
pub(crate) fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let columns: Matrix = right.iter().map(|value| vec![*value]).collect();
    Some(solve_many(matrix, &columns)?.into_iter().map(|row| row[0]).collect())
}

/// The inverse, or `None` where the matrix is singular.
pub(crate) fn inverse(matrix: &[Vec<f64>]) -> Option<Matrix> {
    let n = matrix.len();
    let identity: Matrix =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    solve_many(matrix, &identity)
}

/// X with matrix·X = right.
pub(crate) fn solve_many(matrix: &[Vec<f64>], right: &[Vec<f64>]) -> Option<Matrix> {
    let n = matrix.len();
    let mut a: Matrix = matrix.to_vec();
    let mut x: Matrix = right.to_vec();
    let largest = a.iter().flatten().fold(0.0_f64, |m, e| m.max(e.abs()));
    let mut column_of: Vec<usize> = (0..n).collect();
    for step in 0..n {
        let (row, column) = largest_entry(&a, step)?;
        a.swap(step, row);
        x.swap(step, row);
        for row in &mut a {
            row.swap(step, column);
        }
        column_of.swap(step, column);
        let pivot = a[step][step];
        if !pivot.is_finite() || pivot.abs() <= RANK_TOLERANCE * largest {
            return None;
        }
        for i in (0..n).filter(|i| *i != step) {
            let factor = a[i][step] / pivot;
            if factor != 0.0 {
                for j in step..n {
                    a[i][j] -= factor * a[step][j];
                }
                for j in 0..x[i].len() {
                    x[i][j] -= factor * x[step][j];
                }
            }
        }
    }
    let mut solution = x.clone();
    for step in 0..n {
        solution[column_of[step]] = x[step].iter().map(|e| e / a[step][step]).collect();
    }
    Some(solution)
}

fn largest_entry(a: &[Vec<f64>], step: usize) -> Option<(usize, usize)> {
    let n = a.len();
    let mut best = None;
    let mut magnitude = 0.0;
    for i in step..n {
        for j in step..n {
            if a[i][j].abs() > magnitude {
                magnitude = a[i][j].abs();
                best = Some((i, j));
            }
        }
    }
    best
}

/// matrix·vector.
pub(crate) fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

/// vectorᵀ·matrix, of the given width.
pub(crate) fn transposed_times(matrix: &[Vec<f64>], vector: &[f64], width: usize) -> Vec<f64> {
    (0..width).map(|j| matrix.iter().zip(vector).map(|(row, x)| row[j] * x).sum()).collect()
}

/// Σ xᵢ yᵢ.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The smallest δ with rows·δ = residual: rowsᵀ(rows rowsᵀ)⁻¹ residual; `None` for dependent rows.
pub(crate) fn least_norm(rows: &[Vec<f64>], residual: &[f64], width: usize) -> Option<Vec<f64>> {
    let gram: Matrix = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
    Some(transposed_times(rows, &solve(&gram, residual)?, width))
}

/// Rows of a Jacobian by differences depend on others below this share of their size.
const DIFFERENCED_RANK_TOLERANCE: f64 = 1e-7;

/// The smallest δ with rows·δ = residual for the rows that do not depend on those before them;
/// the others are left out. With orthonormal ĉ and rows = R ĉ, R lower triangular: δ = Σ ĉ β,
/// R β = residual.
pub(crate) fn least_norm_of_independent(
    rows: &[Vec<f64>],
    residual: &[f64],
    width: usize,
) -> Vec<f64> {
    let (mut basis, mut weights): (Matrix, Vec<f64>) = (Vec::new(), Vec::new());
    for (row, residual) in rows.iter().zip(residual) {
        let (left, along) = orthogonal_part(&basis, row);
        let norm = dot(&left, &left).sqrt();
        if norm > DIFFERENCED_RANK_TOLERANCE * dot(row, row).sqrt() {
            weights.push((residual - dot(&along, &weights)) / norm);
            basis.push(left.iter().map(|x| x / norm).collect());
        }
    }
    transposed_times(&basis, &weights, width)
}

/// What is left of a row without its parts along orthonormal rows, and these parts.
fn orthogonal_part(basis: &[Vec<f64>], row: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut left, mut parts) = (row.to_vec(), vec![0.0; basis.len()]);
    // Twice is enough: the second pass removes what rounding left of the first.
    for _ in 0..2 {
        for (unit, part) in basis.iter().zip(&mut parts) {
            let along = dot(unit, &left);
            *part += along;
            left.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
        }
    }
    (left, parts)
}

/// The rows that do not depend on those before them, to working accuracy: something is left of
/// each after those are projected out.
pub(crate) fn independent_rows(rows: &[Vec<f64>]) -> Vec<usize> {
    let (mut basis, mut taken): (Matrix, Vec<usize>) = (Vec::new(), Vec::new());
    for (index, row) in rows.iter().enumerate() {
        let (left, _) = orthogonal_part(&basis, row);
        let (norm, size) = (dot(&left, &left).sqrt(), dot(row, row).sqrt());
        if norm > RANK_TOLERANCE * size {
            basis.push(left.iter().map(|x| x / norm).collect());
            taken.push(index);
        }
    }
    taken
}

/// The first row that depends on those before it.
pub(crate) fn dependent_row(rows: &[Vec<f64>]) -> Option<usize> {
    let taken = independent_rows(rows);
    (0..rows.len()).find(|row| taken.get(*row) != Some(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_identity() {
        let a = vec![vec![0.0, 2.0, 1.0], vec![1.0, 0.0, -3.0], vec![4.0, 1.0, 0.5]];
        let inverse = inverse(&a).unwrap();
        for i in 0..3 {
            let column: Vec<f64> = (0..3).map(|k| inverse[k][i]).collect();
            let image = times(&a, &column);
            for (j, entry) in image.iter().enumerate() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((entry - expected).abs() < 1e-14, "{i} {j} {entry}");
            }
        }
    }

    #[test]
    fn the_first_dependent_row_is_found() {
        let rows = [vec![1.0, 2.0, 0.0], vec![0.0, 1.0, 1.0], vec![2.0, 5.0, 1.0]];
        assert_eq!(dependent_row(&rows), Some(2));
        assert_eq!(dependent_row(&rows[..2]), None);
    }

    #[test]
    fn the_least_norm_leaves_out_dependent_rows() {
        let rows = [vec![1.0, 2.0, 0.0], vec![2.0, 4.0, 0.0], vec![0.0, 1.0, 1.0]];
        let δ = least_norm_of_independent(&rows, &[3.0, 6.0, 1.0], 3);
        let of_two = least_norm(&[rows[0].clone(), rows[2].clone()], &[3.0, 1.0], 3).unwrap();
        for (a, b) in δ.iter().zip(&of_two) {
            assert!((a - b).abs() < 1e-14, "{δ:?} {of_two:?}");
        }
    }

    #[test]
    fn a_singular_matrix_has_no_solution() {
        assert_eq!(solve(&[vec![1.0, 2.0], vec![2.0, 4.0]], &[1.0, 2.0]), None);
        assert_eq!(least_norm(&[vec![1.0, 1.0], vec![1.0, 1.0]], &[1.0, 1.0], 2), None);
    }
}
