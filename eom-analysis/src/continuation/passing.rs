//! Whether a step goes along one branch.
//!
//! ```text
//! D = ∂r/∂z, the columns of F its kernel:      det [D; Fᵀ]      vanishes on a branch only where another one goes through
//! ```
//!
//! Where its sign differs at the ends of a step, the change is closed in between ever nearer ends: on a branch that goes through
//! another one they are as near to each other as their lengths say. Where they are not, the step went to a branch beside its
//! own, as where a pitchfork is not perfect.
//!
//! Where the sign is one, too, as between both sides of a truss that has snapped through, the ways tell: along a branch an entry
//! moves as its tangents say at both ends.

use super::walk::{Problem, Station, Walk};
use crate::error::AnalysisError;
use nalgebra::DMatrix;

/// The change is closed in to this length, and the ends are apart by no more than so many times as far.
const CLOSED_IN: f64 = 1e-4;
const APART: f64 = 3.0;

/// A move of an entry may differ by this part of itself from that of its tangents, and by so much in its unit.
const OFF: f64 = 0.7;
const ROUNDING: f64 = 1e-7;

impl<P: Problem> Walk<'_, P> {
    /// A station that is reached from another one, refused where that is on another branch.
    pub(super) fn on_one_branch(
        &self,
        from: &Station,
        next: Station,
    ) -> Result<Station, AnalysisError> {
        let lost = || AnalysisError::Lost { why: "another branch is too near".to_owned() };
        if self.jumps(from, &next) {
            return Err(lost());
        }
        let (mut low, mut high) = (from.clone(), next.clone());
        while Self::turns_over(&low, &high) && high.s - low.s > CLOSED_IN {
            let middle = self.between([&low, &high], 0.5 * (low.s + high.s))?;
            if Self::turns_over(&low, &middle) {
                high = middle;
            } else {
                low = middle;
            }
            let [from, to] = [&low, &high].map(|end| self.problem.entries(&end.place));
            if (to - from).norm() > APART * (high.s - low.s) {
                return Err(lost());
            }
        }
        Ok(next)
    }

    /// Whether an entry moves as its tangents do not.
    fn jumps(&self, from: &Station, next: &Station) -> bool {
        let moved = self.problem.entries(&next.place) - self.problem.entries(&from.place);
        let along = (&from.tangent + &next.tangent) * (0.5 * (next.s - from.s));
        let mut pairs = moved.iter().zip(along.iter());
        pairs.any(|(moved, along)| (moved - along).abs() > OFF * moved.abs() + ROUNDING)
    }

    /// Whether det [D; Fᵀ] has another sign at the second station; not where there are other families.
    fn turns_over(from: &Station, to: &Station) -> bool {
        let [here, there] = [from, to].map(|station| Self::free(&station.matrix));
        if here.shape() != there.shape() || from.matrix.shape() != to.matrix.shape() {
            return false;
        }
        let there = &there * there.tr_mul(&here);
        let [mut one, mut other] = [(from, &here), (to, &there)].map(|(station, free)| {
            let (rows, count) = (station.matrix.nrows(), free.ncols());
            let mut whole = DMatrix::zeros(rows + count, free.nrows());
            whole.rows_mut(0, rows).copy_from(&station.matrix);
            whole.rows_mut(rows, count).copy_from(&free.transpose());
            whole
        });
        // Rows that depend on others are there, too: det is that of the rows of the one by the other's.
        for (mut one, mut other) in one.row_iter_mut().zip(other.row_iter_mut()) {
            let size = one.norm().max(other.norm());
            if size > 0.0 {
                one /= size;
                other /= size;
            }
        }
        one.tr_mul(&other).determinant() < 0.0
    }
}
