//! A run that was made: its numbers in columns, and its tale.

use super::Clock;
use super::asked::Asked;
use crate::Interpreted;
use crate::drawing::Drawing;
use crate::film::{Film, Subject, drawn};
use crate::motion::{Frame, Observer, frames, happening, numbers};
use crate::request::{Refusal, Request};
use eom_core::info::SystemInfo;
use eom_core::{End, Event, Ledger, Options, Run, Sampling, System as _, Trajectory};
use serde_json::{Value, json};
use std::sync::Arc;

/// Steps between two looks at the clock.
const STEPS: usize = 32;

/// The most numbers that are kept of a run: 64 MB.
const NUMBERS_MAX: usize = 8_000_000;

/// The most states that are drawn: a run of more shows some of them.
const DRAWN_MAX: usize = 6000;

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
        let stride = self.frames.len().div_ceil(DRAWN_MAX);
        if stride <= 1 {
            return drawn(&Film::of(subject, &self.frames, &self.made));
        }
        let some: Vec<Frame> = self.frames.iter().step_by(stride).cloned().collect();
        drawn(&Film::of(subject, &some, &self.made))
    }

    /// How it went: its end, what happened, the ledger, the work.
    pub(super) fn tale(&self) -> Value {
        let (info, made) = (self.system.info(), &self.made);
        let mut values = vec![0.0; info.parameters.len()];
        self.system.parameters(&mut values);
        let told = made.events.iter().take(EVENTS_MAX);
        let Request { start, inputs, .. } = &self.request;
        json!({
            "values": values,
            "start": { "t": start.t, "q": start.q, "v": start.v, "u": inputs },
            "end": {
                "text": made.end.to_string(),
                "help": made.end.help(),
                "complete": made.end.is_complete(),
                "t": made.end.t(),
            },
            "rest": made.rest,
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

    /// Makes a run. At even times where samples are asked for: a run whose end is not known before is made once
    /// more where its steps are longer than that.
    pub(super) fn make(
        (system, drawing): (Interpreted, Option<Arc<Drawing>>),
        request: Request,
        asked: &Asked,
        clock: Clock<'_>,
    ) -> Result<Self, Refusal> {
        let watch = Watch { clock, since: clock(), budget: asked.budget };
        let of = |sampling| Options { sampling, ..request.options.clone() };
        let interval = |end: f64, samples: u64| (end - request.start.t) / (samples - 1) as f64;
        let first = match (request.options.until_time, asked.samples) {
            (Some(end), Some(samples)) => Sampling::Every(interval(end, samples)),
            _ => Sampling::Steps,
        };
        let mut is_even = matches!(first, Sampling::Every(_));
        let mut made = drive(&system, &request, &of(first), &watch)?;
        if let Some(samples) = asked.samples
            && !is_even
            && (made.samples.len() as u64) < samples
            && !matches!(made.end, End::Interrupted { .. })
            && made.end.t() > request.start.t
        {
            let even = Sampling::Every(interval(made.end.t(), samples));
            made = drive(&system, &request, &of(even), &watch)?;
            is_even = true;
        }
        // Steps have both sides of events as they are.
        let frames = frames(&made, if is_even { usize::MAX } else { 0 });
        Ok(Self { system, drawing, request, made, frames })
    }
}

/// How long a run may take.
struct Watch<'c> {
    clock: Clock<'c>,
    since: f64,
    budget: f64,
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        (self.clock)() - self.since > self.budget
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
        if watch.is_over() || kept > NUMBERS_MAX {
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
        impulses.iter().map(|(name, impulse)| json!({ "name": name, "impulse": impulse }));
    json!({
        "t": event.t, "kind": kind, "names": names, "impulses": impulses.collect::<Value>(),
        "q": q, "v": v, "q_plus": q_plus, "v_plus": v_plus,
    })
}

fn ledger_json(info: &SystemInfo, ledger: &Ledger) -> Value {
    let works = ledger.works.iter();
    let jumps = ledger.jumps.iter();
    let drifts = ledger.drifts.iter();
    json!({
        "start": ledger.start,
        "end": ledger.end,
        "works": works.map(|w| json!({ "of": w.source.describe(info), "work": w.work })).collect::<Value>(),
        "jumps": jumps
            .map(|j| json!({ "of": j.cause.describe(info), "count": j.count, "change": j.change }))
            .collect::<Value>(),
        "drifts": drifts
            .map(|d| json!({ "of": d.kept.describe(info), "residual": d.residual, "t": d.t }))
            .collect::<Value>(),
        "error": ledger.error,
        "tolerance": ledger.tolerance,
        "closes": ledger.closes(),
    })
}
