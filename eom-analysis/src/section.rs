//! The gaps and guards of sections, and their derivatives.

use crate::error::AnalysisError;
use crate::orbit::Section;
use crate::tapes::derivatives_along;
use crate::variation::Variations;
use eom_core::enclosure::Tape;
use eom_core::{Event, EventKind, State};
use nalgebra::{DMatrix, DVector};

/// Below this part of its terms the rate of a guard is a graze.
const GRAZE: f64 = 1e-10;

impl Variations<'_> {
    /// How the state after an event changes with the one before, whenever it happens.
    pub(crate) fn at_event(
        &self,
        event: &Event,
        inputs: &[f64],
    ) -> Result<DMatrix<f64>, AnalysisError> {
        if let Some(saltation) = self.saltation(event, inputs)? {
            return Ok(saltation.at_event);
        }
        let EventKind::Declared { event: index } = event.kind else {
            return Err(AnalysisError::NotSmooth { why: format!("at t = {}", event.t) });
        };
        let [(q, v), _] = event.sides();
        let state = State::new(event.t, q, v);
        let (_, rates) =
            self.derivatives(&state, inputs, self.system.programs().guards, "guards")?;
        let slopes = self.programs.slopes(event.t, (q, v), inputs)?;
        let row = rates.view((index, 1), (1, slopes.len())).into_owned();
        let terms = row.transpose().component_mul(&slopes);
        let rate = terms.sum() + rates[(index, 0)];
        if rate.is_nan() || rate.abs() <= GRAZE * (terms.abs().sum() + rates[(index, 0)].abs()) {
            let why = format!(
                "at t = {}, the guard of `{}` grazes",
                event.t, self.info.events[index].name
            );
            return Err(AnalysisError::NotSmooth { why });
        }
        let n = slopes.len();
        Ok(DMatrix::identity(n, n) - slopes * row / rate)
    }

    /// The gap or guard of a section at a state, and its derivative by (q, v); nothing for a period.
    pub(crate) fn section(
        &self,
        state: &State,
        inputs: &[f64],
        section: Section,
    ) -> Result<Option<(f64, DMatrix<f64>)>, AnalysisError> {
        let programs = self.system.programs();
        let (index, tape, what) = match section {
            Section::Period(_) => return Ok(None),
            Section::Events { event, .. } => (event, programs.guards, "guards"),
            Section::Impacts { contact, .. } => (contact, programs.gaps, "gaps"),
        };
        let (values, rates) = self.derivatives(state, inputs, tape, what)?;
        let n = state.q.len() + state.v.len();
        Ok(Some((values[index], rates.view((index, 1), (1, n)).into_owned())))
    }

    /// The values of a tape at a state, and their derivatives by (t, q, v).
    fn derivatives(
        &self,
        state: &State,
        inputs: &[f64],
        tape: Option<&Tape>,
        what: &'static str,
    ) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let tape = tape.ok_or(AnalysisError::NoProgram { system: self.info.name, what })?;
        let given = self.programs.given(state, inputs);
        let count = 1 + state.q.len() + state.v.len();
        let directions = DMatrix::from_fn(given.len(), count, |i, j| f64::from(u8::from(i == j)));
        Ok(derivatives_along(tape, &given, &directions))
    }
}
