//! A run that was made: its numbers in columns, and its tale.

use super::Clock;
use super::asked::Asked;
use crate::Interpreted;
use crate::drawing::Drawing;
use crate::film::between::{Cut, times};
use crate::film::{Film, Subject, drawn};
use crate::motion::{Frame, Observer, frames, happening, numbers};
use crate::object::object;
use crate::request::{Refusal, Request};
use eom_core::info::SystemInfo;
use eom_core::{End, Event, Ledger, Options, Run, Sampling, System as _, Trajectory};
use serde_json::Value;
use std::sync::Arc;

/// Steps between two looks at the clock.
const STEPS: usize = 32;

/// The most numbers that are kept of a run: 64 MB.
const NUMBERS_MAX: usize = 8_000_000;

/// The most numbers that are drawn: a run of more shows some of its states.
const DRAWN_MAX: usize = 2_000_000;

/// A motion that turns fast has so many times as many samples, with no more numbers than these in all, unless this part of
/// the time is over.
const MORE: usize = 16;
const ROOM: usize = 1_000_000;
const LATE: f64 = 0.125;

/// The most events that are told one by one.
const EVENTS_MAX: usize = 2000;

/// A motion.
#[derive(Debug)]
pub(super) struct Motion {
    system: Interpreted,
    drawing: Option<Arc<Drawing>>,
    request: Request,
    made: Trajectory,
    /// The states in the order of time, with both sides of events.
    frames: Vec<Frame>,
    /// Whether what lies between these states is another motion.
    is_coarse: bool,
}

impl Motion {
    /// The number of states.
    pub(super) fn length(&self) -> usize {
        self.frames.len()
    }

    /// A number of the motion at all states, by its place in the list `numbers` of the sheet; none where the list ends
    /// before.
    pub(super) fn column(&self, index: usize) -> Option<Vec<f64>> {
        let known = numbers(self.system.info());
        let (_, part, _) = known.get(index)?;
        let mut observer = Observer::new(&self.system, &self.request.inputs);
        let value = |Frame { state, mode }: &Frame| part.value(&mut observer.see(state, mode));
        Some(self.frames.iter().map(value).collect())
    }

    /// What draws it at any time, as `scene.js` reads it; `null` where nothing is drawn.
    pub(super) fn film(&self) -> Value {
        let drawing = self.drawing.as_deref().filter(|drawing| !drawing.shapes().is_empty());
        let Some(drawing) = drawing else { return Value::Null };
        let Request { start, inputs, .. } = &self.request;
        let functions = self.system.functions();
        let system = &self.system;
        let subject = Subject { system, drawing, functions, inputs, start: start.t, time_unit: "" };
        let stride = (drawing.count() * self.frames.len()).div_ceil(DRAWN_MAX);
        let some: Vec<Frame> = self.frames.iter().step_by(stride.max(1)).cloned().collect();
        let mut film = drawn(&Film::of(subject, &some, &self.made));
        film["coarse"] = Value::from(self.is_coarse || stride > 1);
        film
    }

    /// How it went: its end, what happened, the ledger, the work.
    pub(super) fn tale(&self) -> Value {
        let (info, made) = (self.system.info(), &self.made);
        let mut values = vec![0.0; info.parameters.len()];
        self.system.parameters(&mut values);
        let told = made.events.iter().take(EVENTS_MAX);
        let Request { start, inputs, .. } = &self.request;
        object!({
            "values": values,
            "start": object!({ "t": start.t, "q": start.q.as_slice(), "v": start.v.as_slice(), "u": inputs.as_slice() }),
            "end": object!({
                "text": made.end.to_string(),
                "help": made.end.help(),
                "complete": made.end.is_complete(),
                "t": made.end.t(),
            }),
            "rest": made.rest,
            "coarse": self.is_coarse,
            "events": told.map(|event| event_json(info, event)).collect::<Value>(),
            "event_count": made.events.len(),
            "impact_count": made.stats.impacts,
            "ledger": made.ledger.as_ref().map(|ledger| ledger_json(info, ledger)),
            "guards": format!("{:?}", made.guards).to_ascii_lowercase(),
            "sampled": made.sampled_in_words(info),
            "forces": format!("{:?}", made.forces).to_ascii_lowercase(),
            "steps": made.stats.steps,
            "rejected": made.stats.rejected,
            "evaluations": made.stats.evaluations,
        })
    }

    /// Makes a run: of all steps where no samples are asked for; else at even times, more of them where it turns faster, and
    /// at uneven ones where that is not enough. A run whose end is not known before is made once more.
    pub(super) fn make(
        (system, drawing): (Interpreted, Option<Arc<Drawing>>),
        request: Request,
        asked: &Asked,
        clock: Clock<'_>,
    ) -> Result<Self, Refusal> {
        let watch = Watch { clock, since: clock(), budget: asked.budget };
        let run = |sampling| {
            let options = Options { sampling, ..request.options.clone() };
            drive(&system, &request, &options, &watch)
        };
        let (from, samples) = (request.start.t, asked.samples.unwrap_or_default() as usize);
        let (mut count, mut end) = (samples.saturating_sub(1), request.options.until_time);
        let (frames, made, is_coarse) = loop {
            let Some(to) = end.filter(|_| count > 0) else {
                let made = run(Sampling::Steps)?;
                let to = made.end.t();
                if count == 0 || to <= from || matches!(made.end, End::Interrupted { .. }) {
                    // Steps have both sides of events as they are.
                    break (frames(&made, 0), made, count > 0);
                }
                end = Some(to);
                continue;
            };
            let times = times(from, to, count);
            let made = run(Sampling::At(Arc::clone(&times)))?;
            let mut shown = frames(&made, usize::MAX);
            let numbers = looked_at(&system, drawing.as_deref(), &request.inputs, &shown);
            let at: Vec<f64> = shown.iter().map(|frame| frame.state.t).collect();
            let cut = Cut::new(&at, &times, &numbers, 1);
            let most = (MORE * samples).min(ROOM / numbers.len().max(1));
            if cut.is_rough && count < most && !watch.is_over(LATE) {
                count = most;
                continue;
            }
            let mut place = 0..shown.len();
            shown.retain(|_| place.next().is_some_and(|i| cut.kept.binary_search(&i).is_ok()));
            break (shown, made, cut.is_coarse);
        };
        Ok(Self { system, drawing, request, made, frames, is_coarse })
    }
}

/// What is looked at of a motion, each number at all of its states: coordinates, speeds, what is drawn.
fn looked_at(
    system: &Interpreted,
    drawing: Option<&Drawing>,
    inputs: &[f64],
    frames: &[Frame],
) -> Vec<Vec<f64>> {
    let info = system.info();
    let mut drawn = vec![f64::NAN; drawing.map_or(0, Drawing::count)];
    let mut numbers = vec![Vec::new(); info.positions() + info.speeds() + drawn.len()];
    let mut observer = Observer::new(system, inputs);
    for Frame { state, mode } in frames {
        if let Some(drawing) = drawing {
            drawing.along(&mut observer.see(state, mode), system.functions(), &mut drawn);
        }
        let here = state.q.iter().chain(&state.v).chain(&drawn);
        numbers.iter_mut().zip(here).for_each(|(values, value)| values.push(*value));
    }
    numbers
}

/// How long a run may take.
struct Watch<'c> {
    clock: Clock<'c>,
    since: f64,
    budget: f64,
}

impl Watch<'_> {
    /// Whether this part of the time is over.
    fn is_over(&self, part: f64) -> bool {
        (self.clock)() - self.since > part * self.budget
    }
}

/// Runs to the end, or until time or room is spent.
fn drive(
    system: &Interpreted,
    request: &Request,
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Trajectory, Refusal> {
    let mut run = Run::with_inputs(system, &request.start, &request.inputs, options)
        .map_err(Refusal::Start)?;
    let width = 1 + request.start.q.len() + request.start.v.len();
    let (mut samples, mut events, mut modes) = (Vec::new(), Vec::new(), Vec::new());
    while run.end().is_none() {
        for _ in 0..STEPS {
            // How it ends is asked of the run itself.
            if run.step().is_break() {
                break;
            }
        }
        samples.extend(run.take_samples());
        events.extend(run.take_events());
        modes.extend(run.take_modes());
        let kept = (samples.len() + 4 * events.len()) * width;
        if watch.is_over(1.0) || kept > NUMBERS_MAX {
            break;
        }
    }
    let mut rest = run.finish();
    samples.append(&mut rest.samples);
    events.append(&mut rest.events);
    modes.append(&mut rest.modes);
    Ok(Trajectory { samples, events, modes, ..rest })
}

/// An event: when, what, of which contacts with which impulses, the state on both sides.
fn event_json(info: &SystemInfo, event: &Event) -> Value {
    let (kind, names, impulses) = happening(info, event);
    let [(q, v), (q_plus, v_plus)] = event.sides();
    let impulses =
        impulses.iter().map(|(name, impulse)| object!({ "name": *name, "impulse": *impulse }));
    object!({
        "t": event.t, "kind": kind, "names": names, "impulses": impulses.collect::<Value>(),
        "q": q, "v": v, "q_plus": q_plus, "v_plus": v_plus,
    })
}

fn ledger_json(info: &SystemInfo, ledger: &Ledger) -> Value {
    let works = ledger.works.iter();
    let jumps = ledger.jumps.iter();
    let drifts = ledger.drifts.iter();
    object!({
        "start": ledger.start,
        "end": ledger.end,
        "works": works.map(|w| object!({ "of": w.source.describe(info), "work": w.work })).collect::<Value>(),
        "jumps": jumps
            .map(|j| object!({ "of": j.cause.describe(info), "count": j.count, "change": j.change }))
            .collect::<Value>(),
        "drifts": drifts
            .map(|d| object!({ "of": d.kept.describe(info), "residual": d.residual, "t": d.t }))
            .collect::<Value>(),
        "error": ledger.error,
        "tolerance": ledger.tolerance,
        "closes": ledger.closes(),
    })
}
