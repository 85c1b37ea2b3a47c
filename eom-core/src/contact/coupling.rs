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

use super::lengths::{Answer, Lengths};
use super::rows::Rows;
use crate::linear::linalg::{dot, pivoted_solve};
use std::ops::Range;

/// Units of rounding of det(1 − K), as a part of the product of its rows.
const DETERMINANT_ROUNDINGS: f64 = 16.0;

/// A force that acts with the multiplier of a row.
#[derive(Debug, Clone)]
pub(crate) struct Push {
    /// The row, by its place among those in force.
    pub(crate) normal: usize,
    /// D, m.
    pub(crate) force: Vec<f64>,
}

/// A force that acts with the length of the multipliers of several rows.
#[derive(Debug, Clone)]
pub(crate) struct LengthPush {
    /// The rows, by their places among those in force.
    pub(crate) rows: Range<usize>,
    /// Their multipliers beside those that belong to the residuals.
    pub(crate) free: Vec<f64>,
    /// D, m.
    pub(crate) force: Vec<f64>,
    /// Which of two lengths is meant.
    pub(crate) branch: f64,
}

/// All forces that act with multipliers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pushes {
    pub(crate) linear: Vec<Push>,
    pub(crate) lengths: Vec<LengthPush>,
}

impl Pushes {
    pub(crate) fn is_empty(&self) -> bool {
        self.linear.is_empty() && self.lengths.is_empty()
    }

    /// There are none any more.
    pub(super) fn clear(&mut self, spare: &mut Spare) {
        self.linear.drain(..).for_each(|push| spare.put(push.force));
        self.lengths.drain(..).for_each(|push| spare.put(push.force));
    }
}

/// Lists that are not in use: what is solved again and again takes no memory for its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spare(Vec<Vec<f64>>);

impl Spare {
    /// An empty one.
    pub(crate) fn list(&mut self) -> Vec<f64> {
        self.0.pop().unwrap_or_default()
    }

    /// One of so many zeros.
    pub(super) fn zeros(&mut self, count: usize) -> Vec<f64> {
        let mut list = self.list();
        list.resize(count, 0.0);
        list
    }

    /// One of these numbers.
    pub(super) fn copy(&mut self, numbers: &[f64]) -> Vec<f64> {
        let mut list = self.list();
        list.extend_from_slice(numbers);
        list
    }

    /// One is not in use any more.
    pub(crate) fn put(&mut self, mut list: Vec<f64>) {
        list.clear();
        self.0.push(list);
    }
}

/// What rows in force and pushes do together.
#[derive(Debug, Clone)]
pub(crate) struct Coupled {
    /// δ, m.
    pub(crate) change: Vec<f64>,
    /// ν, one number a row in force.
    pub(crate) multipliers: Vec<f64>,
    /// det(1 − K), with lengths times det(1 − n·d).
    pub(crate) determinant: f64,
    /// What of it is rounding; without lengths.
    pub(crate) rounding: f64,
    /// Whether there are lengths, where some are asked for.
    pub(crate) answer: Answer,
}

impl Coupled {
    /// Nothing in force.
    pub(crate) fn none() -> Self {
        let answer = Answer::Found;
        Self {
            change: Vec::new(),
            multipliers: Vec::new(),
            determinant: 1.0,
            rounding: 0.0,
            answer,
        }
    }

    /// δ and ν of the rows alone.
    fn solve(&mut self, rows: &mut Rows, residuals: &[f64]) {
        self.change.clear();
        self.change.extend_from_slice(rows.change_of(residuals));
        self.multipliers.clear();
        self.multipliers.extend_from_slice(rows.all_multipliers());
    }
}

/// Solves for the residuals r of the rows in force, which are given as numbers, one row after another, beside those that `rows`
/// has taken.
pub(crate) fn couple(
    rows: &mut Rows,
    (in_force, residuals): (&[f64], &[f64]),
    pushes: &Pushes,
    to: &mut Coupled,
    spare: &mut Spare,
) {
    to.solve(rows, residuals);
    (to.determinant, to.rounding, to.answer) = (1.0, 0.0, Answer::Found);
    if pushes.is_empty() {
        return;
    }
    let Pushes { linear, lengths } = pushes;
    let (count, m) = (linear.len(), to.change.len());
    let of_lengths = |multipliers: &[f64]| -> Vec<Vec<f64>> {
        lengths.iter().map(|push| multipliers[push.rows.clone()].to_vec()).collect()
    };
    let mut λ = spare.list();
    λ.extend(linear.iter().map(|push| to.multipliers[push.normal]));
    let base = of_lengths(&to.multipliers);
    // Of all pushes M⁻¹D and B M⁻¹D, one after another.
    let (mut responses, mut moved) = (spare.list(), spare.list());
    let (mut matrix, mut columns) = (spare.zeros(count * count), Vec::new());
    let forces = linear.iter().map(|push| &push.force);
    for (j, force) in forces.chain(lengths.iter().map(|push| &push.force)).enumerate() {
        responses.extend_from_slice(rows.acceleration(force));
        let response = &responses[j * m..];
        moved.extend(in_force.chunks_exact(m).map(|row| dot(row, response)));
        to.solve(rows, &moved[j * residuals.len()..]);
        let of_linear = linear.iter().map(|push| to.multipliers[push.normal]);
        if j < count {
            for (i, ν) in of_linear.clone().enumerate() {
                matrix[i * count + j] = f64::from(u8::from(i == j)) - ν;
            }
        }
        if !lengths.is_empty() {
            let of_linear = of_linear.collect();
            columns.push(Column { of_linear, of_lengths: of_lengths(&to.multipliers) });
        }
    }
    if lengths.is_empty() {
        to.rounding = rounding_of(count, &matrix);
        to.determinant = solve_dense(count, &mut matrix, &mut λ, spare);
    } else {
        to.take_lengths((&matrix, &mut λ), (base, &columns), lengths, spare);
    }
    let mut total = spare.copy(residuals);
    for (residuals, λ) in moved.chunks_exact(residuals.len()).zip(&λ) {
        total.iter_mut().zip(residuals).for_each(|(total, r)| *total += λ * r);
    }
    to.solve(rows, &total);
    for (response, λ) in responses.chunks_exact(m).zip(&λ) {
        to.change.iter_mut().zip(response).for_each(|(change, x)| *change += λ * x);
    }
    for list in [λ, responses, moved, matrix, total] {
        spare.put(list);
    }
}

/// What a push of 1 does to the multipliers that others act with.
struct Column {
    of_linear: Vec<f64>,
    of_lengths: Vec<Vec<f64>>,
}

impl Coupled {
    /// The strengths of all pushes in place of those of the linear ones for the residuals alone: the linear ones are affine in
    /// the lengths N, and so the multipliers whose lengths they are.
    fn take_lengths(
        &mut self,
        (matrix, λ): (&[f64], &mut Vec<f64>),
        (mut free, columns): (Vec<Vec<f64>>, &[Column]),
        lengths: &[LengthPush],
        spare: &mut Spare,
    ) {
        let count = λ.len();
        self.determinant = solve_dense(count, &mut matrix.to_vec(), λ, spare);
        let mut slopes = Vec::with_capacity(lengths.len());
        for column in &columns[count..] {
            let mut slope = column.of_linear.clone();
            solve_dense(count, &mut matrix.to_vec(), &mut slope, spare);
            slopes.push(slope);
        }
        let mut by = Vec::with_capacity(lengths.len());
        for (i, push) in lengths.iter().enumerate() {
            let add = |to: &mut [f64], x: &[f64]| {
                for (column, x) in columns.iter().zip(x) {
                    let of = &column.of_lengths[i];
                    to.iter_mut().zip(of).for_each(|(to, ν)| *to += x * ν);
                }
            };
            free[i].iter_mut().zip(&push.free).for_each(|(ν, λ)| *ν += λ);
            add(&mut free[i], λ);
            let slope = |(column, slope): (&Column, &Vec<f64>)| {
                let mut d = column.of_lengths[i].clone();
                add(&mut d, slope);
                d
            };
            by.push(columns[count..].iter().zip(&slopes).map(slope).collect());
        }
        let branch = lengths.iter().fold(1.0, |branch: f64, push| branch.min(push.branch));
        let system = Lengths { free, by };
        let (answer, found) = system.solve(branch);
        self.answer = answer;
        self.determinant *= if answer == Answer::Found { system.determinant(&found) } else { -1.0 };
        for (slope, length) in slopes.iter().zip(&found) {
            λ.iter_mut().zip(slope).for_each(|(λ, slope)| *λ += length * slope);
        }
        λ.extend(found);
    }
}

/// What rounding leaves of det(1 − K), whose rows are sums of 1 and K.
fn rounding_of(n: usize, matrix: &[f64]) -> f64 {
    let row = |i: usize| (0..n).map(|j| matrix[i * n + j].abs()).sum::<f64>().max(1.0);
    DETERMINANT_ROUNDINGS * f64::EPSILON * (0..n).map(row).product::<f64>()
}

/// x in place of b with A x = b; det A.
fn solve_dense(n: usize, a: &mut [f64], b: &mut [f64], spare: &mut Spare) -> f64 {
    let mut sizes = spare.list();
    sizes.resize(n, 1.0);
    let sign = pivoted_solve(a, &mut sizes, b).sign;
    spare.put(sizes);
    sign * (0..n).map(|i| a[i * n + i].abs()).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_systems_are_solved_with_their_determinant() {
        let mut a = vec![0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, 1.0];
        let mut b = vec![8.0, 3.0, 5.0];
        let determinant = solve_dense(3, &mut a, &mut b, &mut Spare::default());
        // 2 y + z = 8, x + y = 3, 3 x + z = 5; cofactors along the first row: −2·(1·1 − 0·3) + 1·(0 − 3).
        assert!((determinant + 5.0).abs() < 1e-14, "{determinant}");
        let residuals = [2.0 * b[1] + b[2] - 8.0, b[0] + b[1] - 3.0, 3.0 * b[0] + b[2] - 5.0];
        assert!(residuals.iter().all(|r| r.abs() < 1e-14), "{b:?}");
    }
}
