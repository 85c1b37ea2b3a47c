//! Small dense linear algebra in f64 for deciding claims: Gaussian elimination with complete
//! pivoting, on purpose another method than the LDLᵀ of the programs it judges.

/// A matrix as its rows.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// Pivots below this share of the largest entry count as zero.
const RANK_TOLERANCE: f64 = 1e-11;

/// Passes that scale rows and columns.
const SCALINGS: usize = 2;

/// The solution of a square system, or `None` where the matrix is singular to working accuracy.
pub(crate) fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let columns: Matrix = right.iter().map(|value| vec![*value]).collect();
    Some(solve_many(matrix, &columns)?.into_iter().map(|row| row[0]).collect())
}

/// The same with rows and columns scaled to entries of order 1, by powers of two: an electron beside a table is none of rounding.
pub(crate) fn solve_scaled(mut matrix: Matrix, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = matrix.len();
    let mut columns = vec![1.0; n];
    for _ in 0..SCALINGS {
        for (row, right) in matrix.iter_mut().zip(&mut right) {
            let scale = inverse_power(row.iter().fold(0.0, |m, x| x.abs().max(m)));
            row.iter_mut().chain([right]).for_each(|x| *x *= scale);
        }
        for (j, column) in columns.iter_mut().enumerate() {
            let scale = inverse_power(matrix.iter().fold(0.0, |m, row| row[j].abs().max(m)));
            for row in &mut *matrix {
                row[j] *= scale;
            }
            *column *= scale;
        }
    }
    let solution = solve(&matrix, &right)?;
    Some(solution.iter().zip(&columns).map(|(x, scale)| x * scale).collect())
}

/// The inverse of the largest power of two that is not larger; 1 where there is none.
fn inverse_power(size: f64) -> f64 {
    // 2ᵉ has the exponent e + 1023 in its bits above the fraction.
    let exponent = size.to_bits() >> 52;
    if (1..2046).contains(&exponent) { f64::from_bits((2046 - exponent) << 52) } else { 1.0 }
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

/// Entries of a reduced matrix below this share of the largest of their row count as zero.
const REDUCED_TOLERANCE: f64 = 1e-9;

/// The reduced row echelon form and its pivot columns; rows are scaled to largest entry 1 first,
/// so that what is left of a dependent one is rounding.
pub(crate) fn reduced(rows: &[Vec<f64>]) -> (Matrix, Vec<usize>) {
    let width = rows.first().map_or(0, Vec::len);
    let mut a: Matrix = rows.iter().map(|row| scaled(row)).collect();
    let mut pivots = Vec::new();
    for column in 0..width {
        let from = pivots.len();
        let size = |i: &usize| a[*i][column].abs();
        let Some(best) = (from..a.len()).max_by(|i, j| size(i).total_cmp(&size(j))) else { break };
        if a[best][column].abs() <= REDUCED_TOLERANCE {
            continue;
        }
        a.swap(from, best);
        let pivot = a[from][column];
        a[from].iter_mut().for_each(|x| *x /= pivot);
        for i in (0..a.len()).filter(|i| *i != from) {
            let factor = a[i][column];
            for j in 0..width {
                a[i][j] -= factor * a[from][j];
            }
            a[i][column] = 0.0;
        }
        pivots.push(column);
    }
    a.truncate(pivots.len());
    (a, pivots)
}

fn scaled(row: &[f64]) -> Vec<f64> {
    let largest = row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    row.iter().map(|x| if largest > 0.0 { x / largest } else { 0.0 }).collect()
}

/// A basis of {x : rows·x = 0}, x of the given width: one entry 1 a vector, as many zeros as the
/// order of the columns gives.
pub(crate) fn null_space(rows: &[Vec<f64>], width: usize) -> Matrix {
    let (reduced, pivots) = reduced(rows);
    let free = (0..width).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut vector = vec![0.0; width];
        vector[column] = 1.0;
        for (row, pivot) in reduced.iter().zip(&pivots) {
            vector[*pivot] = -row[column];
        }
        vector
    })
    .collect()
}

/// A basis of {x : xᵀ·rows = 0}.
pub(crate) fn left_null_space(rows: &[Vec<f64>], width: usize) -> Matrix {
    let columns: Matrix = (0..width).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
    null_space(&columns, rows.len())
}

/// The direction of the smallest eigenvalue of a symmetric matrix, by Jacobi's rotations, and that
/// value.
pub(crate) fn lowest(matrix: &[Vec<f64>]) -> (f64, Vec<f64>) {
    const SWEEPS_MAX: usize = 30;
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut axes: Matrix =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..SWEEPS_MAX {
        let size: f64 = a.iter().flatten().map(|x| x * x).sum();
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j].powi(2)).sum();
        if off <= f64::EPSILON.powi(2) * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut axes, (p, q));
            }
        }
    }
    let least = (0..n).min_by(|i, j| a[*i][*i].total_cmp(&a[*j][*j])).unwrap_or(0);
    (a.get(least).map_or(0.0, |row| row[least]), axes.get(least).cloned().unwrap_or_default())
}

/// One rotation of Jacobi's: a ← JᵀaJ with a_pq = 0 then; the axes are kept by rows.
fn rotate(a: &mut Matrix, axes: &mut Matrix, (p, q): (usize, usize)) {
    if a[p][q] == 0.0 {
        return;
    }
    let θ = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = θ.signum() / (θ.abs() + (θ * θ + 1.0).sqrt());
    let t = if θ == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..a.len() {
        let (x, y) = (a[k][p], a[k][q]);
        (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..a.len() {
        let (x, y) = (a[p][k], a[q][k]);
        (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (axes[p][k], axes[q][k]);
        (axes[p][k], axes[q][k]) = (c * x - s * y, s * x + c * y);
    }
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
    fn null_spaces_are_orthogonal_to_rows_and_to_columns() {
        let rows = [vec![1.0, 2.0, 0.0], vec![0.0, 1.0, 1.0], vec![2.0, 5.0, 1.0]];
        assert_eq!(independent_rows(&rows), [0, 1]);
        assert_eq!(null_space(&rows, 3), [[2.0, -1.0, 1.0]]);
        assert_eq!(left_null_space(&rows, 3), [[-2.0, -1.0, 1.0]]);
        assert_eq!(null_space(&rows[..2], 3).len(), 1);
        assert_eq!(null_space(&[], 2), [[1.0, 0.0], [0.0, 1.0]]);
    }

    #[test]
    fn the_lowest_eigenvalue_of_a_mixed_matrix() {
        // Eigenvalues 1 − √2, 1, 1 + √2 with (1, −√2, 1)/2 for the first.
        let a = vec![vec![1.0, 1.0, 0.0], vec![1.0, 1.0, 1.0], vec![0.0, 1.0, 1.0]];
        let (value, axis) = lowest(&a);
        assert!((value - (1.0 - 2.0_f64.sqrt())).abs() < 1e-14, "{value}");
        assert!((axis[1] / axis[0] + 2.0_f64.sqrt()).abs() < 1e-13, "{axis:?}");
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
