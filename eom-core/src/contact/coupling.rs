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

use crate::linalg::{dot, pivoted_solve};
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

impl Coupled {
    /// Nothing in force.
    pub(crate) fn none() -> Self {
        Self { change: Vec::new(), multipliers: Vec::new(), determinant: 1.0 }
    }

    /// δ and ν of the rows alone.
    fn solve(&mut self, rows: &mut Rows, residuals: &[f64]) {
        self.change.clear();
        self.change.extend_from_slice(rows.change_of(residuals));
        self.multipliers.clear();
        self.multipliers.extend_from_slice(rows.all_multipliers());
    }
}

/// Solves for the residuals r of the rows in force, which are given as numbers beside those that `rows` has taken.
pub(crate) fn couple(
    rows: &mut Rows,
    in_force: &[Vec<f64>],
    residuals: &[f64],
    pushes: &[Push],
    to: &mut Coupled,
) {
    to.solve(rows, residuals);
    to.determinant = 1.0;
    if pushes.is_empty() {
        return;
    }
    let count = pushes.len();
    let mut λ: Vec<f64> = pushes.iter().map(|push| to.multipliers[push.normal]).collect();
    let mut matrix = vec![0.0; count * count];
    let (mut responses, mut moved) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (j, push) in pushes.iter().enumerate() {
        let response = rows.acceleration(&push.force).to_vec();
        let residuals: Vec<f64> = in_force.iter().map(|row| dot(row, &response)).collect();
        to.solve(rows, &residuals);
        for (i, other) in pushes.iter().enumerate() {
            matrix[i * count + j] = f64::from(u8::from(i == j)) - to.multipliers[other.normal];
        }
        responses.push(response);
        moved.push(residuals);
    }
    to.determinant = solve_dense(count, &mut matrix, &mut λ);
    let mut total = residuals.to_vec();
    for (residuals, λ) in moved.iter().zip(&λ) {
        total.iter_mut().zip(residuals).for_each(|(total, r)| *total += λ * r);
    }
    to.solve(rows, &total);
    for (response, λ) in responses.iter().zip(&λ) {
        to.change.iter_mut().zip(response).for_each(|(change, x)| *change += λ * x);
    }
}

/// x in place of b with A x = b; det A.
fn solve_dense(n: usize, a: &mut [f64], b: &mut [f64]) -> f64 {
    let sign = pivoted_solve(a, &mut vec![1.0; n], b).sign;
    sign * (0..n).map(|i| a[i * n + i].abs()).product::<f64>()
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
