//! Coordinates y of ker A, orthonormal in the metric M.
//!
//! ```text
//! a = a₀ + N y        A N = 0,  NᵀM N = 1,  a₀ the shortest with A a₀ + γ_A = 0
//! r·a = r·a₀ + (Nᵀr)·y        ½ aᵀM a − F·a = ½‖y‖² − (NᵀF)·y + const
//! ```

use crate::error::NotPositiveDefinite;
use crate::linalg::dot;
use crate::metric::RowSpace;

#[derive(Debug)]
pub(super) struct Frame {
    /// m.
    n: usize,
    /// a₀, m.
    origin: Vec<f64>,
    /// N by columns, m numbers each.
    basis: Vec<f64>,
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
        let mut basis = Vec::with_capacity(n * (n - held));
        for index in held..space.rank() {
            basis.extend_from_slice(space.vector(index));
        }
        Ok(Self { n, origin, basis })
    }

    /// r·a₀ of each row.
    pub(super) fn rates(&self, rows: &[f64]) -> Vec<f64> {
        rows.chunks_exact(self.n.max(1)).map(|row| dot(row, &self.origin)).collect()
    }

    /// Nᵀr of each row, one after another.
    pub(super) fn covectors(&self, rows: &[f64]) -> Vec<f64> {
        let columns = || self.basis.chunks_exact(self.n.max(1));
        let rows = rows.chunks_exact(self.n.max(1));
        rows.flat_map(|row| columns().map(move |column| dot(row, column))).collect()
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
