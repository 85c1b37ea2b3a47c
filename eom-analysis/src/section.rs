//! The gaps and guards of sections, and their derivatives.

use crate::error::AnalysisError;
use crate::names::list;
use crate::orbit::Section;
use crate::tapes::clear_rate;
use crate::variation::Variations;
use eom_core::{Event, EventKind, State};
use nalgebra::DMatrix;

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
        let guards = (self.programs.system.programs().guards, "guards");
        let (_, rates) = self.programs.along(guards, &state, inputs)?;
        let slopes = self.programs.slopes(event.t, (q, v), inputs)?;
        let row = rates.rows(index, 1).into_owned();
        let Some(rate) = clear_rate(&row, &slopes) else {
            let name = self.programs.info.events[index].name;
            let why = format!("at t = {}, the guard of `{name}` grazes", event.t);
            return Err(AnalysisError::NotSmooth { why });
        };
        let n = slopes.len();
        Ok(DMatrix::identity(n, n) - slopes * row.columns(1, n) / rate)
    }

    /// The gap or guard of a section at a state, and its derivative by (q, v); nothing for a period, nor for an event
    /// that resets: it leads away from its guard, and what returns is on the image of the reset.
    pub(crate) fn section(
        &self,
        state: &State,
        inputs: &[f64],
        section: Section,
    ) -> Result<Option<(f64, DMatrix<f64>)>, AnalysisError> {
        let programs = self.programs.system.programs();
        let (index, tape) = match section {
            Section::Period(_) => return Ok(None),
            Section::Events { event, .. } if self.programs.info.events[event].resets => {
                return Ok(None);
            }
            Section::Events { event, .. } => (event, (programs.guards, "guards")),
            Section::Impacts { contact, .. } => (contact, (programs.gaps, "gaps")),
        };
        let (values, rates) = self.programs.along(tape, state, inputs)?;
        let n = state.q.len() + state.v.len();
        Ok(Some((values[index], rates.view((index, 1), (1, n)).into_owned())))
    }

    /// Refuses a section that the system does not have.
    pub(crate) fn check_section(&self, section: Section) -> Result<(), AnalysisError> {
        let info = self.programs.info;
        let (index, known): (usize, Vec<&str>) = match section {
            Section::Period(_) => return Ok(()),
            Section::Impacts { contact, .. } => {
                (contact, info.contacts.iter().map(|contact| contact.name).collect())
            }
            Section::Events { event, .. } => {
                (event, info.events.iter().map(|event| event.name).collect())
            }
        };
        if index < known.len() {
            return Ok(());
        }
        let known = if known.is_empty() { "none".to_owned() } else { list(known) };
        Err(AnalysisError::NoSuchEntry { name: index.to_string(), known })
    }
}
