//! The directions in which a state can be moved on the constraints.
//!
//! ```text
//! δq = S ξ,  δv = η      A_h ξ = 0,  ∂(A v + b)/∂q S ξ + A η = 0        A_h the holonomic rows of A
//! ```

use crate::error::AnalysisError;
use crate::names::list;
use crate::space::{Local, StateSpace};
use eom_core::span::{RANK_TOLERANCE, basis, kernel};
use nalgebra::{DMatrix, DVector};

/// Of the entries that could be taken as free, the first whose part that is not in the span of those taken is at
/// least this part of the largest one.
const CLEAR: f64 = 0.2;

impl StateSpace<'_> {
    /// The conditions on (ξ, η).
    pub(crate) fn conditions(&self, local: &Local) -> DMatrix<f64> {
        let (m, k, h) = (self.programs.info.speeds(), local.rows.nrows(), local.holonomic.len());
        let mut conditions = DMatrix::zeros(h + k, 2 * m);
        conditions.view_mut((0, 0), (h, m)).copy_from(&local.rows.rows(k - h, h));
        conditions
            .view_mut((h, 0), (k, m))
            .copy_from(&(&local.residual_by_position * &local.frame));
        conditions.view_mut((h, m), (k, m)).copy_from(&local.rows);
        conditions
    }

    /// (δq, δv) of (ξ, η): diag(S, 1).
    pub(crate) fn displacement(&self, local: &Local) -> DMatrix<f64> {
        let (n, m) = (self.programs.info.positions(), self.programs.info.speeds());
        let mut map = DMatrix::zeros(n + m, 2 * m);
        map.view_mut((0, 0), (n, m)).copy_from(&local.frame);
        map.view_mut((n, m), (m, m)).fill_with_identity();
        map
    }

    /// An orthonormal basis of the directions δx on the constraints.
    pub(crate) fn directions(&self, local: &Local) -> DMatrix<f64> {
        let free = self.displacement(local) * kernel(&self.conditions(local));
        basis(&free.select_rows(&self.relevant))
    }

    /// Which entries of x tell a direction: coordinates first, then their own velocities, then others.
    pub(crate) fn choose(&self, directions: &DMatrix<f64>) -> Vec<usize> {
        let n = self.programs.info.positions();
        let mut chosen: Vec<usize> = Vec::new();
        let mut left = directions.clone();
        let positions: Vec<usize> = self.rows_where(|place| place < n);
        take(&mut left, &positions, &mut chosen);
        if self.programs.info.is_plain() {
            let own = |place: usize| chosen.iter().any(|row| self.relevant[*row] + n == place);
            let velocities = self.rows_where(own);
            take(&mut left, &velocities, &mut chosen);
        }
        let speeds = self.rows_where(|place| place >= n);
        take(&mut left, &speeds, &mut chosen);
        chosen.sort_unstable();
        chosen
    }

    fn rows_where(&self, holds: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.relevant.len()).filter(|row| holds(self.relevant[*row])).collect()
    }

    /// N with δx = N δz, for z the entries of x in these rows.
    pub(crate) fn embedding(
        &self,
        directions: &DMatrix<f64>,
        chosen: &[usize],
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let rank = directions.ncols();
        let refused = || {
            let names = |rows: &[usize]| {
                list(rows.iter().map(|row| self.entries[self.relevant[*row]].name.as_str()))
            };
            AnalysisError::NotIndependent {
                chosen: names(chosen),
                needed: rank,
                such: names(&self.choose(directions)),
            }
        };
        if chosen.len() != rank {
            return Err(refused());
        }
        let square = directions.select_rows(chosen);
        if basis(&square).ncols() < rank {
            return Err(refused());
        }
        let inverse = square.try_inverse().ok_or_else(refused)?;
        let mut map = directions * inverse;
        // What is chosen tells itself, exactly.
        for (column, row) in chosen.iter().enumerate() {
            map.row_mut(*row).fill(0.0);
            map[(*row, column)] = 1.0;
        }
        Ok(map)
    }
}

/// Takes rows that are independent of those taken, in their order, and takes their directions out of all.
fn take(left: &mut DMatrix<f64>, rows: &[usize], chosen: &mut Vec<usize>) {
    loop {
        let norm = |row: usize| left.row(row).norm();
        let candidates = rows.iter().copied().filter(|row| !chosen.contains(row));
        let largest = candidates.clone().map(norm).fold(0.0, f64::max);
        if largest <= RANK_TOLERANCE.sqrt() {
            return;
        }
        let Some(row) = candidates.into_iter().find(|row| norm(*row) >= CLEAR * largest) else {
            return;
        };
        chosen.push(row);
        let direction: DVector<f64> = left.row(row).transpose() / norm(row);
        let parts = &*left * &direction;
        *left -= parts * direction.transpose();
    }
}
