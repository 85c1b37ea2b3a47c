//! P A = L U of a square matrix, of real or complex numbers, in room that is made once.
//!
//! L has a unit diagonal and stands below that of U. Of a column the largest entry is the pivot, measured by
//! |re| + |im|. Divisions are in units of the pivot: the square of a complex one may be beyond all numbers.

use nalgebra::ComplexField;

/// The factors, and the rows that changed places.
#[derive(Debug, Clone)]
pub(super) struct Factors<T> {
    n: usize,
    /// By rows.
    entries: Vec<T>,
    /// The row with which row k changed places.
    swaps: Vec<usize>,
}

impl<T: ComplexField<RealField = f64> + Copy> Factors<T> {
    pub(super) fn new(n: usize) -> Self {
        Self { n, entries: vec![T::zero(); n * n], swaps: vec![0; n] }
    }

    /// Factors the matrix with these entries, by rows.
    pub(super) fn factor(&mut self, entries: impl Iterator<Item = T>) {
        self.entries.iter_mut().zip(entries).for_each(|(place, entry)| *place = entry);
        for k in 0..self.n {
            self.swaps[k] = self.pivot(k);
            self.eliminate(k);
        }
    }

    /// Brings the largest entry of column k to its diagonal; the row that it stood in.
    fn pivot(&mut self, k: usize) -> usize {
        let n = self.n;
        let size = |row: usize| self.entries[row * n + k].norm1();
        let largest =
            (k + 1..n).fold(k, |best, row| if size(row) > size(best) { row } else { best });
        for column in 0..n {
            self.entries.swap(k * n + column, largest * n + column);
        }
        largest
    }

    /// Takes row k from those below it. A column of zeros is left, and solves then have no answer.
    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let (above, below) = self.entries.split_at_mut((k + 1) * n);
        let row = &above[k * n..];
        if row[k].is_zero() {
            return;
        }
        let inverse = quotient(T::one(), row[k]);
        for other in below.chunks_exact_mut(n) {
            let factor = other[k] * inverse;
            other[k] = factor;
            for column in k + 1..n {
                other[column] -= factor * row[column];
            }
        }
    }

    /// Solves A x = b in place of b. False where A is singular.
    pub(super) fn solve(&self, x: &mut [T]) -> bool {
        let n = self.n;
        for (k, swap) in self.swaps.iter().enumerate() {
            x.swap(k, *swap);
        }
        for i in 0..n {
            for j in 0..i {
                let term = self.entries[i * n + j] * x[j];
                x[i] -= term;
            }
        }
        for i in (0..n).rev() {
            for j in (i + 1..n).rev() {
                let term = self.entries[i * n + j] * x[j];
                x[i] -= term;
            }
            let pivot = self.entries[i * n + i];
            if pivot.is_zero() {
                return false;
            }
            x[i] = quotient(x[i], pivot);
        }
        true
    }
}

/// x / pivot.
fn quotient<T: ComplexField<RealField = f64>>(x: T, pivot: T) -> T {
    let size = pivot.clone().norm1();
    x.unscale(size) / pivot.unscale(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Complex;

    /// A x for the matrix with entries a(i, j), and its solution.
    fn solved<T: ComplexField<RealField = f64> + Copy>(
        n: usize,
        a: impl Fn(usize, usize) -> T,
        x: &[T],
    ) -> Option<Vec<T>> {
        let mut factors = Factors::new(n);
        factors.factor((0..n * n).map(|k| a(k / n, k % n)));
        let product = |i: usize| (0..n).fold(T::zero(), |sum, j| sum + a(i, j) * x[j]);
        let mut side: Vec<T> = (0..n).map(product).collect();
        factors.solve(&mut side).then_some(side)
    }

    #[test]
    fn what_was_multiplied_is_found_again() {
        // A matrix whose diagonal vanishes: pivots have to be looked for.
        let real = |i: usize, j: usize| if i == j { 0.0 } else { 1.0 / (1.0 + (i * 3 + j) as f64) };
        let x = [1.0, -2.0, 3.0, 0.5];
        let found = solved(4, real, &x).unwrap_or_default();
        assert!(found.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-12), "{found:?}");
        let turned =
            |i: usize, j: usize| Complex::new(real(i, j), (i as f64 - 2.0 * j as f64) / 7.0);
        let x = x.map(|x| Complex::new(x, 1.0 - x));
        let found = solved(4, turned, &x).unwrap_or_default();
        assert!(found.iter().zip(&x).all(|(found, x)| (found - x).norm() < 1e-12), "{found:?}");
    }

    #[test]
    fn a_singular_matrix_has_no_solution() {
        assert_eq!(solved(2, |_, j| j as f64 + 1.0, &[1.0, 2.0]), None);
        assert_eq!(solved(2, |_, _| 0.0, &[1.0, 2.0]), None);
    }
}
