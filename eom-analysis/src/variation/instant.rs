//! What happens at one time of a motion, and what that does to its variations.
//!
//! ```text
//! an impact, a reset      y⁺ = R(t, y⁻) at σ(t, y⁻) = 0, whatever the mode before and after
//! a change of mode        y⁺ = y⁻ at σ(t, y⁻) = 0                 δy⁺ = δy⁻ + (f⁻ − f⁺) δt*
//! ```

use super::Variations;
use super::course::{Course, Instant};
use crate::error::AnalysisError;
use crate::saltation::Saltation;
use crate::tapes::Tapes;
use eom_core::impact::has_friction;
use eom_core::{Event, EventKind, Mode, Run, State};
use nalgebra::DVector;

/// A rate of separation below this part of that before is one that cannot be told.
const UNTOLD: f64 = 1e-9;

impl Variations<'_> {
    /// What has happened at the end of the last step of a run; nothing where it goes on as it went.
    pub(crate) fn instant(&self, run: &Run<'_>, seen: usize, last: &Course) -> Option<Instant> {
        let (events, course) = (run.events_since(seen).to_vec(), self.course(run));
        if events.is_empty() && course == *last {
            return None;
        }
        let state = run.state();
        let side = |event: Option<&Event>, which: usize| {
            event.map_or_else(
                || state.clone(),
                |event| {
                    let (q, v) = event.sides()[which];
                    State::new(event.t, q, v)
                },
            )
        };
        let before = side(events.first(), 0);
        let is_plain = self.is_plain(last) && self.is_plain(&course);
        let after = if is_plain { side(events.last(), 1) } else { state.clone() };
        Some(Instant { before, after, events, met: None, course, coming: None })
    }

    /// Between arcs of free motion events at one time are taken one by one: those before the last, and the last.
    pub(crate) fn split(&self, last: Instant, course: &Course) -> (Option<Instant>, Instant) {
        let is_plain = self.is_plain(course) && self.is_plain(&last.course);
        let Some((event, earlier)) = last.up_to_section().split_last().filter(|_| is_plain) else {
            return (None, last);
        };
        let [before, after] = event.sides().map(|(q, v)| State::new(event.t, q, v));
        let only = Instant {
            after,
            events: vec![event.clone()],
            met: None,
            course: last.course.clone(),
            coming: None,
            before: before.clone(),
        };
        let earlier = Instant { events: earlier.to_vec(), met: None, after: before, ..last };
        (Some(earlier), only)
    }

    /// ẏ along a course at a state.
    pub(crate) fn slopes(
        &self,
        course: &Course,
        state: &State,
        inputs: &[f64],
    ) -> Result<DVector<f64>, AnalysisError> {
        if self.is_plain(course) {
            return self.programs.slopes(state.t, (&state.q, &state.v), inputs);
        }
        self.held(course)?.field(state, inputs)
    }

    /// ẏ on a course; in free motion on sides, where forces jump.
    pub(crate) fn slopes_there(
        &self,
        (course, state): (&Course, &State),
        inputs: &[f64],
        sides: Option<&[f64]>,
    ) -> Result<DVector<f64>, AnalysisError> {
        match sides.filter(|_| self.is_plain(course)) {
            Some(sides) => self.slopes_on(state, inputs, Some(sides)),
            None => self.slopes(course, state, inputs),
        }
    }

    /// What an event between two arcs of free motion does to variations; nothing where it changes nothing. The arc before
    /// it ends on sides, where forces jump.
    pub(crate) fn saltation(
        &self,
        event: &Event,
        coming: Option<&[f64]>,
        inputs: &[f64],
    ) -> Result<Option<Saltation>, AnalysisError> {
        let [minus, plus] = event.sides().map(|(q, v)| State::new(event.t, q, v));
        match event.kind {
            EventKind::Declared { event: index } if !self.programs.info.events[index].resets => {
                match (&self.jumps, coming) {
                    (Some(jumps), Some(sides)) => {
                        self.jump_at_event((&**jumps, sides), &minus, inputs)
                    }
                    _ => Ok(None),
                }
            }
            EventKind::Impact { .. } | EventKind::Declared { .. } => {
                let before = self.slopes_on(&minus, inputs, coming)?;
                let leaving = if coming.is_some() { self.leaving(&plus, inputs)? } else { None };
                let behind = self.slopes_on(&plus, inputs, leaving.as_deref())?;
                let beside = ([&before, &behind], &Mode::default(), &[][..]);
                self.jump(event, inputs, beside).map(Some)
            }
            _ => Err(self.no_cause(event)),
        }
    }

    /// What an instant does to variations that come along a course; nothing where it changes nothing.
    pub(crate) fn leap(
        &self,
        instant: &Instant,
        course: &Course,
        inputs: &[f64],
    ) -> Result<Option<Saltation>, AnalysisError> {
        let resets = |event: usize| self.programs.info.events[event].resets;
        let jumps = instant.events.iter().filter(|event| match event.kind {
            EventKind::Impact { .. } | EventKind::Accumulation { .. } => true,
            EventKind::Declared { event } => resets(event),
            _ => false,
        });
        let jumps: Vec<&Event> = jumps.collect();
        let [event] = jumps[..] else {
            if jumps.is_empty() {
                return self.change(instant, course, inputs);
            }
            let t = instant.before.t;
            let why = format!("at t = {t}, several events change the velocity");
            return Err(AnalysisError::NotSmooth { why });
        };
        self.check_closings(event, instant, course)?;
        let before = self.slopes(course, &instant.before, inputs)?;
        let behind = self.slopes(&instant.course, &instant.after, inputs)?;
        let pressed = self.pressed(&instant.course, &instant.after, inputs)?;
        let beside = ([&before, &behind], &course.mode, &pressed[..]);
        let mut found = self.jump(event, inputs, beside)?;
        self.check_landing(instant, course, &found, inputs)?;
        self.hold_stopped(instant, &mut found, inputs)?;
        Ok(Some(found))
    }

    /// What an impact or a reset does, with the slopes before it and behind it, from the mode before, to these contacts
    /// that are closed and pressed behind.
    fn jump(
        &self,
        event: &Event,
        inputs: &[f64],
        (slopes, mode, pressed): ([&DVector<f64>; 2], &Mode, &[usize]),
    ) -> Result<Saltation, AnalysisError> {
        let given = (inputs, &self.seeds);
        let of = &Tapes { pressed, ..self.programs };
        match &event.kind {
            EventKind::Declared { event: index } => {
                Saltation::of_reset(of, *index, event, given, slopes)
            }
            EventKind::Impact { contact, others, .. } => {
                if others.iter().any(|hit| hit.is_struck) {
                    let struck = others.iter().filter(|hit| hit.is_struck);
                    let all: Vec<usize> =
                        [*contact].into_iter().chain(struck.map(|hit| hit.contact)).collect();
                    let is_plain =
                        all.len() == 1 + others.len() && self.terms.is_empty() && mode.is_free();
                    let found = if is_plain {
                        Saltation::of_independent(of, &all, event, given)?
                    } else {
                        None
                    };
                    return found.ok_or_else(|| self.at_one_time(event));
                }
                let is_rough = !others.is_empty()
                    || has_friction(self.programs.system, *contact)
                    || self.programs.row_friction().is_some();
                if is_rough {
                    let beside = (slopes, mode);
                    Saltation::of_rough_impact(of, &self.terms, event, given, beside)
                } else {
                    Saltation::of_impact(of, *contact, event, given, slopes)
                }
            }
            _ => Err(self.no_cause(event)),
        }
    }

    /// Why there is no derivative where several contacts are struck.
    pub(crate) fn at_one_time(&self, event: &Event) -> AnalysisError {
        let name = self.name_of(event);
        let t = event.t;
        let why = format!("at t = {t}, `{name}` and other contacts are struck at one time");
        AnalysisError::NotSmooth { why }
    }

    /// Why there is no derivative at an event that no root is the cause of.
    pub(crate) fn no_cause(&self, event: &Event) -> AnalysisError {
        let info = self.programs.info;
        let name = |contact: usize| info.contacts[contact].name;
        let what = match &event.kind {
            EventKind::Impact { contact, .. } => format!("`{}` is struck", name(*contact)),
            EventKind::Accumulation { contact, .. } => {
                format!("infinitely many impacts of `{}` end", name(*contact))
            }
            EventKind::Closing { contact } => {
                format!("the contact `{}` closes without a speed", name(*contact))
            }
            EventKind::Opening { contact } => format!("the contact `{}` opens", name(*contact)),
            EventKind::Stick { friction } => {
                format!("the friction of {} sticks", info.frictions[*friction].name)
            }
            EventKind::Slip { friction } => {
                format!("the friction of {} begins to slide", info.frictions[*friction].name)
            }
            EventKind::Declared { event } => format!("`{}` fires", info.events[*event].name),
        };
        AnalysisError::NotSmooth { why: format!("at t = {}, {what}", event.t) }
    }

    /// What closes at a jump has nothing left to separate with, and says so: else it has infinitely many impacts to come.
    fn check_closings(
        &self,
        jump: &Event,
        instant: &Instant,
        course: &Course,
    ) -> Result<(), AnalysisError> {
        if let EventKind::Accumulation { .. } = jump.kind {
            return Err(self.no_cause(jump));
        }
        let (t, name) = (jump.t, |contact: usize| self.programs.info.contacts[contact].name);
        let closed = instant.course.mode.closed().iter();
        for &contact in closed.filter(|contact| !course.mode.is_closed(**contact)) {
            if !instant.events.iter().any(|event| event.kind == EventKind::Closing { contact }) {
                let why = format!("at t = {t}, infinitely many impacts of `{}` end", name(contact));
                return Err(AnalysisError::NotSmooth { why });
            }
            let left = match jump.kind {
                EventKind::Impact { contact: struck, rate_minus, rate_plus, .. } => {
                    struck == contact && rate_plus.abs() > UNTOLD * rate_minus.abs()
                }
                _ => false,
            };
            if left {
                let why = "separates by less than can be told";
                let why = format!("at t = {t}, the contact `{}` {why}", name(contact));
                return Err(AnalysisError::NotSmooth { why });
            }
        }
        Ok(())
    }
}
