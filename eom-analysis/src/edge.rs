//! What stands at the edge of its condition along an arc: beside the motion it holds on one side, and gives way on the other.
//!
//! ```text
//! N = 0, Ṅ = 0                                a closed contact that nothing presses
//! c_s N − ‖f‖ = 0, (c_s N − ‖f‖)˙ = 0         what sticks with all the friction that there is
//! ```
//!
//! An edge that is only met, with a rate, is a change of the mode (`leap`).

use crate::course::Place;
use crate::error::AnalysisError;
use crate::held::Held;
use crate::leap::{Candidate, determines_edge, edge};
use crate::lines::RowOf;
use crate::tapes::{clear_rate, directions};
use crate::variation::Variations;
use nalgebra::DMatrix;

/// A condition is at its edge below this part of what it is made of, and changes above it.
const EDGE: f64 = 1e-12;

impl Variations<'_> {
    /// Refuses variations, the columns of `matrix`, that move what stands at the edge of its condition where an arc begins.
    pub(crate) fn check_edges(
        &self,
        from: &Place,
        held: &mut Held<'_>,
        inputs: &[f64],
        matrix: &DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        let Place { state, course, .. } = from;
        let count = state.q.len() + state.v.len();
        let x = self.programs.given(state, inputs);
        let found = held.along(&x, &directions(x.len(), 1 + count, &self.seeds))?;
        let slopes = found.field();
        let λ = &found.solved.multipliers;
        let size = λ.values.iter().fold(found.solved.size, |size, λ| size.max(λ.abs()));
        let info = self.programs.info;
        let closed = course.mode.closed().iter().filter_map(|contact| {
            let row = held.row(RowOf::Gap(*contact)).filter(|row| found.determines(*row))?;
            let what =
                format!("the contact `{}` is closed without a force", info.contacts[*contact].name);
            Some(Candidate {
                what, value: λ.values[row], size, by: λ.by.rows(row, 1).into_owned()
            })
        });
        let sticking = course.mode.sticking().iter().filter_map(|term| {
            let (value, size, by) =
                edge(held, *term, &found).filter(|_| determines_edge(held, *term, &found))?;
            let what = format!("{} stays at the edge of its cone", held.terms.name(*term));
            Some(Candidate { what, value, size, by })
        });
        for Candidate { what, value, size, by } in closed.chain(sticking) {
            let row = by.columns(0, 1 + count).into_owned();
            if value.abs() > EDGE * size || clear_rate(&row, &slopes).is_some() {
                continue;
            }
            let mut moved = by.columns(1, count) * matrix;
            if by.ncols() > 1 + count {
                moved += by.columns(1 + count, matrix.ncols());
            }
            if moved.amax() > EDGE * by.amax() * matrix.amax().max(1.0) {
                let why =
                    format!("at t = {}, {what}: what is beside it holds, or gives way", state.t);
                return Err(AnalysisError::NotSmooth { why });
            }
        }
        Ok(())
    }
}
