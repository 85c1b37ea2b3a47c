//! Forces in proportion to normal forces, among the rows in force.
//!
//! With B the rows in force, r their residual, and pushes Dᵢ that act with the multipliers λᵢ of rows of B, as
//! friction that slides does, D = −μ Jᵀu,
//!
//! ```text
//! δ = M⁻¹(Bᵀν + Σ λᵢ Dᵢ)        B δ + r = 0
//!
//! ν = ν⁰ + Σ λⱼ νʲ              ν⁰ for the residual r alone, νʲ for B M⁻¹Dⱼ
//! (1 − K) λ = λ⁰                Kᵢⱼ the component of νʲ that λᵢ is
//! ```
//!
//! 1 − K is not symmetric. For one push it is the quotient of ∇g M⁻¹(∇gᵀ + D) and ∇g M⁻¹∇gᵀ, with the other rows in
//! force: where it is not positive, a larger normal force drives the bodies together, and Coulomb's law has no solution
//! or several (Painlevé).

use crate::linalg::dot;
use crate::rows::Rows;

/// A force that acts with the multiplier of a row.
#[derive(Debug, Clone)]
pub(crate) struct Push {
    /// The row, by its place among those in force.
    pub(crate) normal: usize,
    /// D, m.
    pub(crate) force: Vec<f64>,
}

/// What rows in force and pushes do together.
#[derive(Debug, Clone)]
pub(crate) struct Coupled {
    /// δ, m.
    pub(crate) change: Vec<f64>,
    /// ν, one number a row in force.
    pub(crate) multipliers: Vec<f64>,
    /// det(1 − K).
    pub(crate) determinant: f64,
}

/// Solves for the residuals r of the rows in force, which are given as numbers beside those that `rows` has taken.
pub(crate) fn couple(
    rows: &mut Rows,
    in_force: &[Vec<f64>],
    residuals: &[f64],
    pushes: &[Push],
) -> Coupled {
    let solve = |rows: &mut Rows, residuals: &[f64]| {
        let change = rows.change_of(residuals).to_vec();
        (change, rows.all_multipliers().to_vec())
    };
    if pushes.is_empty() {
        let (change, multipliers) = solve(rows, residuals);
        return Coupled { change, multipliers, determinant: 1.0 };
    }
    let (_, alone) = solve(rows, residuals);
    let count = pushes.len();
    let (mut matrix, mut λ) = (vec![0.0; count * count], vec![0.0; count]);
    let (mut responses, mut moved) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (j, push) in pushes.iter().enumerate() {
        let response = rows.acceleration(&push.force).to_vec();
        let residuals: Vec<f64> = in_force.iter().map(|row| dot(row, &response)).collect();
        let (_, multipliers) = solve(rows, &residuals);
        for (i, other) in pushes.iter().enumerate() {
            matrix[i * count + j] = f64::from(u8::from(i == j)) - multipliers[other.normal];
        }
        λ[j] = alone[push.normal];
        responses.push(response);
        moved.push(residuals);
    }
    let determinant = solve_dense(count, &mut matrix, &mut λ);
    let mut total = residuals.to_vec();
    for (residuals, λ) in moved.iter().zip(&λ) {
        total.iter_mut().zip(residuals).for_each(|(total, r)| *total += λ * r);
    }
    let (mut change, multipliers) = solve(rows, &total);
    for (response, λ) in responses.iter().zip(&λ) {
        change.iter_mut().zip(response).for_each(|(change, x)| *change += λ * x);
    }
    Coupled { change, multipliers, determinant }
}

/// x in place of b with A x = b, by elimination with row pivots; det A.
fn solve_dense(n: usize, a: &mut [f64], b: &mut [f64]) -> f64 {
    let mut determinant = 1.0;
    for column in 0..n {
        let largest = (column..n).max_by(|i, j| {
            a[i * n + column].abs().total_cmp(&a[j * n + column].abs()).then(j.cmp(i))
        });
        let pivot = largest.unwrap_or(column);
        if pivot != column {
            (0..n).for_each(|j| a.swap(pivot * n + j, column * n + j));
            b.swap(pivot, column);
            determinant = -determinant;
        }
        let value = a[column * n + column];
        determinant *= value;
        for i in column + 1..n {
            let factor = a[i * n + column] / value;
            for j in column..n {
                a[i * n + j] -= factor * a[column * n + j];
            }
            b[i] -= factor * b[column];
        }
    }
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| a[i * n + j] * b[j]).sum();
        b[i] = (b[i] - rest) / a[i * n + i];
    }
    determinant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_systems_are_solved_with_their_determinant() {
        let mut a = vec![0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, 1.0];
        let mut b = vec![8.0, 3.0, 5.0];
        let determinant = solve_dense(3, &mut a, &mut b);
        // 2 y + z = 8, x + y = 3, 3 x + z = 5; cofactors along the first row: −2·(1·1 − 0·3) + 1·(0 − 3).
        assert!((determinant + 5.0).abs() < 1e-14, "{determinant}");
        let residuals = [2.0 * b[1] + b[2] - 8.0, b[0] + b[1] - 3.0, 3.0 * b[0] + b[2] - 5.0];
        assert!(residuals.iter().all(|r| r.abs() < 1e-14), "{b:?}");
    }
}
