//! Small dense matrices by Gauss and Jordan, and derivatives by differences: not the methods of the
//! runtime or of the algebra.

/// A matrix by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// A row that keeps less than this part of its length beside the rows before it depends on them.
const DEPENDENT: f64 = 1e-9;

/// a·b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A·B.
pub(super) fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| {
            (0..columns).map(|j| row.iter().zip(b).map(|(x, other)| x * other[j]).sum()).collect()
        })
        .collect()
}

/// A matrix with what the roundings of each entry are measured by.
pub(super) struct Measured {
    pub(super) value: Matrix,
    pub(super) size: Matrix,
}

fn magnitudes(a: &Matrix) -> Matrix {
    a.iter().map(|row| row.iter().map(|x| x.abs()).collect()).collect()
}

impl Measured {
    /// As given.
    pub(super) fn exact(value: Matrix) -> Self {
        Self { size: magnitudes(&value), value }
    }

    /// A·B, measured by |A||B|.
    pub(super) fn times(&self, other: &Self) -> Self {
        Self { value: times(&self.value, &other.value), size: times(&self.size, &other.size) }
    }

    /// A⁻¹, measured by |A⁻¹||A||A⁻¹|.
    pub(super) fn inverse(&self) -> Option<Self> {
        let value = inverse(&self.value)?;
        let size = magnitudes(&value);
        let size = times(&times(&size, &self.size), &size);
        Some(Self { value, size })
    }
}

/// Aᵀ, with the number of columns where A has no rows.
pub(super) fn transposed(a: &Matrix, columns: usize) -> Matrix {
    (0..columns).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// A·x.
pub(super) fn apply(a: &Matrix, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| dot(row, x)).collect()
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

/// The rows that do not depend on those before them, by Gram and Schmidt.
pub(super) fn independent(rows: &Matrix) -> Vec<usize> {
    let mut basis: Matrix = Vec::new();
    let mut found = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut rest = row.clone();
        // Twice, so that what remains is orthogonal to rounding.
        for unit in basis.iter().chain(&basis) {
            let part = dot(unit, &rest);
            rest.iter_mut().zip(unit).for_each(|(x, u)| *x -= part * u);
        }
        let (length, left) = (dot(row, row).sqrt(), dot(&rest, &rest).sqrt());
        if left > DEPENDENT * length {
            basis.push(rest.iter().map(|x| x / left).collect());
            found.push(i);
        }
    }
    found
}

/// The shortest x with R x = r in the independent rows of R: Rᵀ(RRᵀ)⁻¹r.
pub(super) fn shortest(rows: &Matrix, r: &[f64], columns: usize) -> Option<Vec<f64>> {
    let kept = independent(rows);
    // Rows of length 1, so that none counts as small beside another.
    let length = |i: usize| dot(&rows[i], &rows[i]).sqrt();
    let unit: Matrix =
        kept.iter().map(|&i| rows[i].iter().map(|x| x / length(i)).collect()).collect();
    let right: Vec<f64> = kept.iter().map(|&i| r[i] / length(i)).collect();
    let across = transposed(&unit, columns);
    Some(apply(&across, &apply(&inverse(&times(&unit, &across))?, &right)))
}

/// Twice extrapolated (Richardson): of differences at a step, its half and its quarter, each with
/// an error of even powers, what has an error of the sixth power.
fn extrapolated(mut rows: Matrix) -> Vec<f64> {
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
    rows.remove(0)
}

/// A curve that may have no value.
pub(super) type Curve<'a> = &'a dyn Fn(f64) -> Result<Vec<f64>, String>;

/// The derivative at 0 of a curve, by central differences at 1/500 and its halves, extrapolated:
/// the error is about 10⁻¹² of the values.
pub(super) fn derivative(curve: Curve<'_>) -> Result<Vec<f64>, String> {
    let mut rows = Vec::new();
    for step in [2e-3, 1e-3, 5e-4] {
        let (ahead, behind) = (curve(step)?, curve(-step)?);
        rows.push(ahead.iter().zip(behind).map(|(a, b)| (a - b) / (2.0 * step)).collect());
    }
    Ok(extrapolated(rows))
}

/// The second derivative at 0, by differences at 1/25 and its halves, extrapolated: the error is
/// about 10⁻¹¹ of the values where time scales are near 1.
pub(super) fn second_derivative(curve: Curve<'_>) -> Result<Vec<f64>, String> {
    let here = curve(0.0)?;
    let mut rows = Vec::new();
    for step in [4e-2, 2e-2, 1e-2] {
        let (ahead, behind) = (curve(step)?, curve(-step)?);
        let second = |i: usize| (ahead[i] - 2.0 * here[i] + behind[i]) / (step * step);
        rows.push((0..here.len()).map(second).collect());
    }
    Ok(extrapolated(rows))
}
