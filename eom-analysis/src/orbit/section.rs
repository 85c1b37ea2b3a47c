//! The gaps and guards of sections, and their derivatives.

use super::Section;
use crate::error::AnalysisError;
use crate::names::list;
use crate::space::StateSpace;
use crate::tapes::clear_rate;
use crate::variation::Variations;
use crate::variation::course::{Course, Instant};
use eom_core::{Event, EventKind, Mode, Options, Run, StartPolicy, State};
use nalgebra::DMatrix;

impl Variations<'_> {
    /// How the state after an instant changes with the one before, whenever it happens: that of the event of a section, to
    /// which the motion comes along a course.
    pub(crate) fn onto_section(
        &self,
        (instant, course): (&Instant, &Course),
        inputs: &[f64],
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let Some(event) = instant.up_to_section().last() else {
            return Err(AnalysisError::Ended { end: "no event".to_owned() });
        };
        // Where others are struck at one time, they are before it or behind it.
        if let EventKind::Impact { others, .. } = &event.kind
            && others.iter().any(|hit| hit.is_struck)
        {
            return Err(self.at_one_time(event));
        }
        let is_plain = self.is_plain(course) && self.is_plain(&instant.course);
        let jumps = |event: usize| self.programs.info.events[event].resets;
        let records = matches!(event.kind, EventKind::Declared { event } if !jumps(event));
        let found = match is_plain {
            true if records => None,
            true => self.saltation(event, instant.coming.as_deref(), inputs)?,
            false => self.leap(instant, course, inputs)?,
        };
        let EventKind::Declared { event: index } = event.kind else {
            let found = found.map(|saltation| saltation.at_event);
            return found.ok_or_else(|| self.no_cause(event));
        };
        match found {
            Some(saltation) if jumps(index) => return Ok(saltation.at_event),
            Some(_) => return Err(self.no_cause(event)),
            None => {}
        }
        let state = &instant.before;
        let guards = (self.programs.system.programs().guards, "guards");
        let (_, rates) = self.programs.along(guards, state, inputs)?;
        let slopes = self.slopes_there((course, state), inputs, instant.coming.as_deref())?;
        let row = rates.rows(index, 1).into_owned();
        let Some(rate) = clear_rate(&row, &slopes) else {
            let name = self.programs.info.events[index].name;
            let why = format!("at t = {}, the guard of `{name}` grazes", event.t);
            return Err(AnalysisError::NotSmooth { why });
        };
        let n = slopes.len();
        Ok(DMatrix::identity(n, n) - slopes * row.columns(1, n) / rate)
    }

    /// All states, with what holds in the mode in which a run starts in one of them.
    pub(crate) fn space_of(&self, state: &State, inputs: &[f64]) -> StateSpace<'_> {
        let free = self.space(Mode::default());
        let terms = !self.terms.is_empty();
        if !terms && !free.touches(state, inputs) {
            return free;
        }
        let options = Options { start: StartPolicy::Project, ..Options::default() };
        let run = Run::with_inputs(self.programs.system, state, inputs, &options);
        run.map_or(free, |run| self.space(run.mode().clone()))
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

impl Section {
    /// After how many events it is met, at least one.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Impacts { count, .. } | Self::Events { count, .. } => count.max(1),
            Self::Period(_) => 1,
        }
    }

    pub(crate) fn is_met(self, event: &Event) -> bool {
        match (self, &event.kind) {
            (Self::Impacts { contact, .. }, EventKind::Impact { contact: struck, .. }) => {
                contact == *struck
            }
            (Self::Events { event, .. }, EventKind::Declared { event: met }) => event == *met,
            _ => false,
        }
    }
}
