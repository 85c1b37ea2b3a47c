//! Jumps at one time: whether the first leads to the second, or both are met.
//!
//! ```text
//! σ₂ = 0, σ̇₂ ≠ 0 at y⁻ of the first      beside the motion either may come first: there is no derivative
//! else                                     it is the first that leads to the second, beside the motion too
//! ```
//!
//! At a jump itself y(t) has no derivative either: beside the motion it is before the jump or behind it.

use super::Variations;
use super::course::{Course, Place};
use crate::error::AnalysisError;
use crate::tapes::clear_rate;
use eom_core::{Event, EventKind, State};

/// A jump is at the end of a motion within this part of its time.
const AT_END: f64 = 1e-13;

/// Times, and a guard beside its rate, are the same within this part of the time of a motion.
const NOW: f64 = 1e-9;

/// The time of a motion since its start, or since the zero of its clock where that tells more: 0 is a time as others.
fn time_of(t: f64, since: f64) -> f64 {
    t.abs().max((t - since).abs())
}

impl Variations<'_> {
    /// Refuses jumps that are met at one time, of a motion since its start; the last jump so far, of those that follow another one
    /// on a course.
    pub(crate) fn check_apart<'e>(
        &self,
        mut last: Option<&'e Event>,
        events: &'e [Event],
        (since, course, inputs): (f64, &Course, &[f64]),
    ) -> Result<Option<&'e Event>, AnalysisError> {
        for event in events.iter().filter(|event| self.is_jump(event)) {
            if let Some(first) =
                last.filter(|first| event.t - first.t <= NOW * time_of(first.t, since))
                && self.is_met_at(first, event, (since, course, inputs))?
            {
                let [one, other] = [first, event].map(|event| self.name_of(event));
                let why = format!("at t = {}, `{one}` and `{other}` are met at one time", event.t);
                return Err(AnalysisError::NotSmooth { why });
            }
            last = Some(event);
        }
        Ok(last)
    }

    /// Refuses the end of a motion since its start at a jump, or where one is met at once.
    pub(crate) fn check_end(
        &self,
        events: &[Event],
        (since, end): (f64, &Place),
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let (t, info) = (end.state.t, self.programs.info);
        let soon = AT_END * time_of(t, since);
        let is_there = |event: &&Event| (t - event.t).abs() <= soon;
        let mut jumps =
            events.iter().rev().take_while(is_there).filter(|event| self.is_jump(event));
        let mut name = jumps.next().map(|jump| self.name_of(jump));
        if name.is_none() && !info.contacts.is_empty() {
            let mut met = self.met(true, (end, inputs), soon)?.into_iter();
            let open = met.find(|contact| !end.course.mode.is_closed(*contact));
            name = open.map(|contact| info.contacts[contact].name);
        }
        if name.is_none() && info.events.iter().any(|event| event.resets) {
            let mut met = self.met(false, (end, inputs), soon)?.into_iter();
            name = met.find(|event| info.events[*event].resets).map(|it| info.events[it].name);
        }
        let Some(name) = name else { return Ok(()) };
        let why = format!("t = {t}, the end, is the time of `{name}`");
        Err(AnalysisError::NotSmooth { why })
    }

    /// Whether an event changes the state.
    fn is_jump(&self, event: &Event) -> bool {
        match event.kind {
            EventKind::Impact { .. } => true,
            EventKind::Declared { event } => self.programs.info.events[event].resets,
            _ => false,
        }
    }

    /// The contact or the declared event that it is of.
    pub(crate) fn name_of(&self, event: &Event) -> &'static str {
        let info = self.programs.info;
        match event.kind {
            EventKind::Declared { event } => info.events[event].name,
            EventKind::Impact { contact, .. } => info.contacts[contact].name,
            _ => "",
        }
    }

    /// Whether what is the cause of an event is met before another one at its time; what comes again is none.
    fn is_met_at(
        &self,
        first: &Event,
        second: &Event,
        (since, course, inputs): (f64, &Course, &[f64]),
    ) -> Result<bool, AnalysisError> {
        let cause = |event: &Event| match event.kind {
            EventKind::Impact { contact, .. } => Some((contact, true)),
            EventKind::Declared { event } => Some((event, false)),
            _ => None,
        };
        let other = cause(second).filter(|second| cause(first) != Some(*second));
        let Some((index, closes)) = other else { return Ok(false) };
        let [(q, v), _] = first.sides();
        let before = Place::new(State::new(first.t, q, v), course.clone());
        let soon = NOW * time_of(first.t, since);
        Ok(self.met(closes, (&before, inputs), soon)?.contains(&index))
    }

    /// The gaps that close, or the guards, that pass zero within a time.
    fn met(
        &self,
        closes: bool,
        (at, inputs): (&Place, &[f64]),
        soon: f64,
    ) -> Result<Vec<usize>, AnalysisError> {
        let programs = self.programs.system.programs();
        let tape = if closes { (programs.gaps, "gaps") } else { (programs.guards, "guards") };
        let (values, by) = self.programs.along(tape, &at.state, inputs)?;
        let slopes = self.slopes(&at.course, &at.state, inputs)?;
        let is_met = |index: &usize| {
            let rate = clear_rate(&by.rows(*index, 1).into_owned(), &slopes);
            let passes = |rate: &f64| values[*index].abs() <= soon * rate.abs();
            rate.filter(passes).is_some_and(|rate| !(closes && rate > 0.0))
        };
        Ok((0..values.len()).filter(is_met).collect())
    }
}
