//! What stands at the edge of its condition along an arc: beside the motion it holds on one side, and gives way on the other.
//!
//! ```text
//! N = 0, Ṅ = 0                                a closed contact that nothing presses
//! c_s N − ‖f‖ = 0, (c_s N − ‖f‖)˙ = 0         what sticks with all the friction that there is
//! ```
//!
//! An edge that is only met, with a rate, is a change of the mode (`leap`). A slip with several components that goes through zero,
//! since the motion leaves it one direction, turns round at an instant of its own, which is none of the run's: there is no derivative.

use super::Variations;
use super::course::{Course, Place};
use super::held::Held;
use super::leap::{Candidate, determines_edge, edge};
use crate::error::AnalysisError;
use crate::mode::lines::RowOf;
use crate::tapes::{clear_rate, directions};
use eom_core::State;
use eom_core::system::Bearer;
use nalgebra::{DMatrix, DVector};

/// A condition is at its edge below this part of what it is made of, and changes above it.
const EDGE: f64 = 1e-12;

/// A slip has a direction above this part of the largest one of its arc.
const DIRECTED: f64 = 1e-6;

impl Variations<'_> {
    /// The contacts that are closed at the start of a course and pressed, by forces that the motion determines or not.
    pub(crate) fn pressed(
        &self,
        course: &Course,
        state: &State,
        inputs: &[f64],
    ) -> Result<Vec<usize>, AnalysisError> {
        if course.mode.closed().is_empty() || self.seeds.ncols() == 0 {
            return Ok(Vec::new());
        }
        let (x, mut held) = (self.programs.given(state, inputs), self.held(course)?);
        let found = held.along(&x, &DMatrix::zeros(x.len(), 0))?;
        let λ = &found.solved.multipliers.values;
        let size = λ.iter().fold(found.solved.size, |size, λ| size.max(λ.abs()));
        let is_pressed = |contact: &usize| {
            let row = held.row(RowOf::Gap(*contact));
            row.is_some_and(|row| !found.determines(row) || λ[row] > EDGE * size)
        };
        Ok(course.mode.closed().iter().copied().filter(is_pressed).collect())
    }

    /// The terms that slide along a course and have several components.
    pub(crate) fn slips_in_a_plane(&self, course: &Course) -> Vec<usize> {
        let several = |term: &usize| self.terms.components(*term).len() > 1;
        self.terms.acting(&course.mode).filter(several).collect()
    }

    /// Refuses an arc, told by its steps, on which such a slip turns round: by more than a right angle from one step to the next.
    pub(crate) fn check_turns(
        &self,
        terms: &[usize],
        steps: &[State],
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let (of, mut slips) = (&self.programs, Vec::with_capacity(steps.len()));
        let (n, m) = (of.info.positions(), of.info.speeds());
        for step in steps.iter().filter(|_| !terms.is_empty()) {
            let state = State::new(step.t, &step.q[..n], &step.v[..m]);
            slips.push(of.along((of.system.programs().frictions, "friction"), &state, inputs)?.0);
        }
        for &term in terms {
            let slip = |values: &DVector<f64>| {
                let places = self.terms.components(term).map(|component| self.terms.w(component));
                DVector::from_vec(places.map(|place| values[place]).collect())
            };
            let largest = slips.iter().map(|values| slip(values).norm()).fold(0.0, f64::max);
            let mut last: Option<DVector<f64>> = None;
            for (step, values) in steps.iter().zip(&slips) {
                let slip = slip(values);
                if slip.norm() <= DIRECTED * largest {
                    continue;
                }
                if last.is_some_and(|last| last.dot(&slip) < 0.0) {
                    let (t, name) = (step.t, self.terms.name(term));
                    let why = format!("before t = {t}, {name} turns round in its plane");
                    return Err(AnalysisError::NotSmooth { why });
                }
                last = Some(slip);
            }
        }
        Ok(())
    }

    /// Refuses a start at which something sticks to a contact that nothing presses: moved, it would slide on.
    pub(crate) fn check_weightless(
        &self,
        from: &Place,
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let Place { state, course, .. } = from;
        let (x, mut held) = (self.programs.given(state, inputs), self.held(course)?);
        let found = held.along(
            &x,
            &directions(x.len(), 1 + state.q.len() + state.v.len(), &DMatrix::zeros(0, 0)),
        )?;
        let (λ, slopes) = (&found.solved.multipliers, found.field());
        let size = λ.values.iter().fold(found.solved.size, |size, λ| size.max(λ.abs()));
        for term in course.mode.sticking() {
            let Some(Bearer::Contact(contact)) = self.terms.bearer(*term) else { continue };
            let Some(row) = held.row(RowOf::Gap(contact)) else { continue };
            let by = λ.by.rows(row, 1).into_owned();
            let is_pressed = λ.values[row] > EDGE * size || !found.determines(row);
            if !is_pressed && clear_rate(&by, &slopes).is_none() {
                let name = self.programs.info.contacts[contact].name;
                let why = format!(
                    "the contact `{name}` is closed without a force, and what sticks there may slide"
                );
                return Err(AnalysisError::NotSmooth { why });
            }
        }
        Ok(())
    }

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
