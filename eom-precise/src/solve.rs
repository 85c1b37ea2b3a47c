//! Linear equations of many digits: elimination with the largest pivots.

use crate::number::{Precision, Real};

/// A matrix taken apart, P K = L U.
#[derive(Debug, Clone)]
pub(crate) struct Factored {
    n: usize,
    entries: Vec<Real>,
    order: Vec<usize>,
}

impl Factored {
    /// Of a matrix by rows; none where a pivot is no more than rounding.
    pub(crate) fn of(precision: Precision, n: usize, mut entries: Vec<Real>) -> Option<Self> {
        let mut order: Vec<usize> = (0..n).collect();
        let largest = entries.iter().map(Real::log2).fold(f64::NEG_INFINITY, f64::max);
        let least = largest + precision.tolerance();
        for column in 0..n {
            let at = |row: usize| entries[row * n + column].log2();
            let pivot =
                (column..n).fold(column, |best, row| if at(row) > at(best) { row } else { best });
            if at(pivot) <= least {
                return None;
            }
            order.swap(column, pivot);
            for j in 0..n {
                entries.swap(column * n + j, pivot * n + j);
            }
            for row in column + 1..n {
                let factor = entries[row * n + column].over(&entries[column * n + column])?;
                for j in column + 1..n {
                    let change = &factor * &entries[column * n + j];
                    entries[row * n + j] = &entries[row * n + j] - &change;
                }
                entries[row * n + column] = factor;
            }
        }
        Some(Self { n, entries, order })
    }

    /// K⁻¹ b.
    pub(crate) fn solve(&self, b: &[Real]) -> Vec<Real> {
        let n = self.n;
        let mut x: Vec<Real> = self.order.iter().map(|row| b[*row].clone()).collect();
        for i in 0..n {
            for j in 0..i {
                x[i] = &x[i] - &(&self.entries[i * n + j] * &x[j]);
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                x[i] = &x[i] - &(&self.entries[i * n + j] * &x[j]);
            }
            // Pivots are not 0.
            x[i] = x[i].over(&self.entries[i * n + i]).unwrap_or_else(|| x[i].clone());
        }
        x
    }
}

/// a·b.
pub(crate) fn dot(precision: Precision, a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).fold(precision.zero(), |sum, (a, b)| &sum + &(a * b))
}
