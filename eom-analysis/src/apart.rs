//! Jumps at one time: whether the first leads to the second, or both are met.
//!
//! ```text
//! σ₂ = 0, σ̇₂ ≠ 0 at y⁻ of the first      beside the motion either may come first: there is no derivative
//! else                                     it is the first that leads to the second, beside the motion too
//! ```

use crate::course::Course;
use crate::error::AnalysisError;
use crate::tapes::clear_rate;
use crate::variation::Variations;
use eom_core::{Event, EventKind, State};

/// Times, and a guard beside its rate, are the same within this part of 1 + |t|.
const NOW: f64 = 1e-9;

impl Variations<'_> {
    /// Refuses jumps that are met at one time; the last jump so far, of those that follow another one on a course.
    pub(crate) fn check_apart<'e>(
        &self,
        mut last: Option<&'e Event>,
        events: &'e [Event],
        (course, inputs): (&Course, &[f64]),
    ) -> Result<Option<&'e Event>, AnalysisError> {
        let info = self.programs.info;
        let is_jump = |event: &&Event| match event.kind {
            EventKind::Impact { .. } => true,
            EventKind::Declared { event } => info.events[event].resets,
            _ => false,
        };
        for event in events.iter().filter(is_jump) {
            if let Some(first) =
                last.filter(|first| event.t - first.t <= NOW * (1.0 + first.t.abs()))
                && self.is_met_at(first, event, (course, inputs))?
            {
                let [one, other] = [first, event].map(|event| match event.kind {
                    EventKind::Declared { event } => info.events[event].name,
                    EventKind::Impact { contact, .. } => info.contacts[contact].name,
                    _ => "",
                });
                let why = format!("at t = {}, `{one}` and `{other}` are met at one time", event.t);
                return Err(AnalysisError::NotSmooth { why });
            }
            last = Some(event);
        }
        Ok(last)
    }

    /// Whether what is the cause of an event is met before another one at its time.
    fn is_met_at(
        &self,
        first: &Event,
        second: &Event,
        (course, inputs): (&Course, &[f64]),
    ) -> Result<bool, AnalysisError> {
        let programs = self.programs.system.programs();
        let (index, tape, closes) = match second.kind {
            EventKind::Impact { contact, .. } => (contact, (programs.gaps, "gaps"), true),
            EventKind::Declared { event } => (event, (programs.guards, "guards"), false),
            _ => return Ok(false),
        };
        let [(q, v), _] = first.sides();
        let before = State::new(first.t, q, v);
        let (values, by) = self.programs.along(tape, &before, inputs)?;
        let slopes = self.slopes(course, &before, inputs)?;
        let Some(rate) = clear_rate(&by.rows(index, 1).into_owned(), &slopes) else {
            return Ok(false);
        };
        let is_now = values[index].abs() <= NOW * (1.0 + first.t.abs()) * rate.abs();
        Ok(is_now && !(closes && rate > 0.0))
    }
}
