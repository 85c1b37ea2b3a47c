//! Coordinates y of ker A, orthonormal in the metric M.
//!
//! ```text
//! a = a₀ + N y        A N = 0,  NᵀM N = 1,  a₀ the shortest with A a₀ + γ_A = 0
//! r·a = r·a₀ + (Nᵀr)·y        ½ aᵀM a − F·a = ½‖y‖² − (NᵀF)·y + const
//! ```
//!
//! A row that depends on those of A has Nᵀr = 0, and rounding makes of it what may look like a direction: components
//! below 16 ε‖r‖, in the metric, are zero.

use crate::error::NotPositiveDefinite;
use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;

/// A component of a row is zero within so many units of rounding of its norm.
const ROUNDINGS: f64 = 16.0;

#[derive(Debug)]
pub(super) struct Frame {
    /// m.
    n: usize,
    /// a₀, m.
    origin: Vec<f64>,
    /// N by columns, m numbers each.
    basis: Vec<f64>,
    /// The same of the rest of the space: with N all of it.
    rest: Vec<f64>,
}

impl Frame {
    pub(super) fn new(
        metric: &[f64],
        rows: &[f64],
        drift: &[f64],
    ) -> Result<Self, NotPositiveDefinite> {
        let n = metric.len().isqrt();
        let mut space = RowSpace::new(n, drift.len() + n);
        space.set_metric(metric)?;
        for (row, γ) in rows.chunks_exact(n.max(1)).zip(drift) {
            space.push(row, *γ);
        }
        let held = space.rank();
        let mut origin = vec![0.0; n];
        space.apply(held, 1.0, &mut origin);
        let mut unit = vec![0.0; n];
        for i in 0..n {
            unit[i] = 1.0;
            space.push(&unit, 0.0);
            unit[i] = 0.0;
        }
        let (mut rest, mut basis) =
            (Vec::with_capacity(n * held), Vec::with_capacity(n * (n - held)));
        for index in 0..space.rank() {
            let of = if index < held { &mut rest } else { &mut basis };
            of.extend_from_slice(space.vector(index));
        }
        Ok(Self { n, origin, basis, rest })
    }

    /// r·a₀ of each row.
    pub(super) fn rates(&self, rows: &[f64]) -> Vec<f64> {
        rows.chunks_exact(self.n.max(1)).map(|row| dot(row, &self.origin)).collect()
    }

    /// Nᵀr of each row, one after another.
    pub(super) fn covectors(&self, rows: &[f64]) -> Vec<f64> {
        rows.chunks_exact(self.n.max(1)).flat_map(|row| self.covector(row)).collect()
    }

    /// Nᵀr.
    fn covector(&self, row: &[f64]) -> Vec<f64> {
        let along = |vectors: &[f64]| -> Vec<f64> {
            vectors.chunks_exact(self.n.max(1)).map(|vector| dot(row, vector)).collect()
        };
        let (mut free, held) = (along(&self.basis), along(&self.rest));
        let size = dot(&free, &free) + dot(&held, &held);
        let zero = ROUNDINGS * f64::EPSILON * size.sqrt();
        free.iter_mut().filter(|component| component.abs() <= zero).for_each(|it| *it = 0.0);
        free
    }

    /// N y.
    pub(super) fn direction(&self, y: &[f64]) -> Vec<f64> {
        let mut a = vec![0.0; self.n];
        for (column, y) in self.basis.chunks_exact(self.n.max(1)).zip(y) {
            a.iter_mut().zip(column).for_each(|(a, column)| *a += y * column);
        }
        a
    }

    /// a₀ + N y.
    pub(super) fn lift(&self, y: &[f64]) -> Vec<f64> {
        let mut a = self.direction(y);
        a.iter_mut().zip(&self.origin).for_each(|(a, origin)| *a += origin);
        a
    }
}
