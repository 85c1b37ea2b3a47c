//! The runs of a case: by each method, cut at places, and beside itself with what it starts from changed a
//! little.

use crate::generate::Case;
use eom_core::{
    End, Event, EventKind, ForceCheck, Method, Options, Run, Sampling, StartError, StartPolicy,
    State, System, Trajectory, simulate,
};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use std::ops::ControlFlow;
use std::sync::Arc;

pub(crate) const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

/// What is compared of an event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    pub(crate) t: f64,
    pub(crate) what: String,
}

/// What is compared of a run.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) events: Vec<Seen>,
    pub(crate) end: End,
    /// The last state, and those at the times that were asked for, the start first.
    pub(crate) samples: Vec<State>,
}

impl Told {
    /// The state at a time that was asked for.
    pub(crate) fn at(&self, t: f64) -> Option<&State> {
        self.samples.iter().find(|state| state.t == t)
    }
}

/// A system, with what a run of it is asked for.
pub(crate) struct Subject {
    pub(crate) system: Interpreted,
    pub(crate) start: State,
    inputs: Vec<f64>,
    pub(crate) end: f64,
    budget: (u64, usize),
}

fn named(kind: &EventKind) -> String {
    let list = |mut all: Vec<usize>| {
        all.sort_unstable();
        format!("{all:?}")
    };
    match kind {
        EventKind::Impact { contact, others, .. } => {
            let struck = others.iter().filter(|hit| hit.is_struck).map(|hit| hit.contact);
            format!("impact {}", list(struck.chain([*contact]).collect()))
        }
        EventKind::Accumulation { contact, .. } | EventKind::Closing { contact } => {
            format!("closing {contact}")
        }
        EventKind::Opening { contact } => format!("opening {contact}"),
        EventKind::Declared { event } => format!("event {event}"),
        EventKind::Stick { friction } => format!("stick {friction}"),
        EventKind::Slip { friction } => format!("slip {friction}"),
    }
}

pub(crate) fn seen(event: &Event) -> Seen {
    Seen { t: event.t, what: named(&event.kind) }
}

impl Subject {
    /// None where the declaration is refused: a gap may have no slope where it is zero.
    pub(crate) fn new(case: &Case) -> Option<Self> {
        let system = Interpreted::new(&case.text).ok()?;
        let scenario = system.scenario(0).expect("a scenario");
        let start = State::new(scenario.t, scenario.q, scenario.v);
        Some(Self { system, start, inputs: scenario.u, end: case.end, budget: (2_000, 120) })
    }

    fn options(&self, method: Method) -> Options {
        Options {
            method,
            forces: ForceCheck::Bounded,
            steps_max: self.budget.0,
            events_max: self.budget.1,
            start: StartPolicy::Project,
            ..Options::default()
        }
    }

    /// A run in one go, to a time, with samples at these times.
    pub(crate) fn trajectory(
        &self,
        method: Method,
        until: f64,
        times: &[f64],
    ) -> Result<Trajectory, StartError> {
        let times: Arc<[f64]> = times.iter().copied().filter(|t| *t <= until).collect();
        let options = Options {
            until_time: Some(until),
            sampling: Sampling::At(times),
            ..self.options(method)
        };
        let goes_on = &mut |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
        simulate(&self.system, &self.start, &self.inputs, &options, goes_on)
    }

    pub(crate) fn whole(
        &self,
        method: Method,
        until: f64,
        times: &[f64],
    ) -> Result<Told, StartError> {
        let Trajectory { samples, events, end, .. } = self.trajectory(method, until, times)?;
        Ok(Told { events: events.iter().map(seen).collect(), end, samples })
    }

    /// A run that is stopped at each of these times, and goes on.
    pub(crate) fn stopped(&self, method: Method, times: &[f64]) -> Result<Told, StartError> {
        let options = Options { until_time: Some(self.end), ..self.options(method) };
        let mut run = Run::with_inputs(&self.system, &self.start, &self.inputs, &options)?;
        let mut samples = vec![run.state().clone()];
        for &t in times {
            if run.advance_to(t).is_break() {
                break;
            }
            samples.push(run.state().clone());
        }
        let _ = run.advance_to(f64::INFINITY);
        samples.push(run.state().clone());
        let Trajectory { events, end, .. } = run.finish();
        Ok(Told { events: events.iter().map(seen).collect(), end, samples })
    }

    /// A run that is saved at each of these times, and one that goes on from there to the next: they have to be the
    /// same, to the bit. The first time at which they are not.
    pub(crate) fn restored(&self, method: Method, times: &[f64]) -> Result<(), String> {
        let options = Options { until_time: Some(self.end), ledger: true, ..self.options(method) };
        let run = Run::with_inputs(&self.system, &self.start, &self.inputs, &options);
        let mut run = run.map_err(|error| error.to_string())?;
        for &t in times.iter().chain([&f64::INFINITY]) {
            let other = Run::restore(&self.system, &run.save());
            let mut other = other.map_err(|error| format!("at {}: {error}", run.t()))?;
            let from = run.t();
            let _ = run.advance_to(t);
            let _ = other.advance_to(t);
            if other.save() != run.save() {
                return Err(format!("{method:?} restored at {from:?} is another at {:?}", run.t()));
            }
        }
        Ok(())
    }

    /// The same case with masses, offsets and, where nothing is touched, the start changed by a part δ.
    pub(crate) fn changed(&self, case: &Case, rng: &mut Rng, δ: f64) -> Self {
        let info = self.system.info();
        let mut parameters = vec![0.0; info.parameters.len()];
        self.system.parameters(&mut parameters);
        let mut by = || δ * (2.0 * rng.f64() - 1.0);
        let changed: Vec<Option<f64>> = parameters
            .iter()
            .map(|p| {
                if *p == 0.0 && case.touches {
                    Some(0.0)
                } else {
                    Some(p + by() * p.abs().max(f64::from(u8::from(*p == 0.0))))
                }
            })
            .collect();
        let system = self.system.with_parameters(&changed).expect("they are still positive");
        let mut start = self.start.clone();
        if case.touches {
            let factor = 1.0 + by();
            start.v.iter_mut().for_each(|v| *v *= factor);
        } else {
            start.q.iter_mut().chain(&mut start.v).for_each(|y| *y += by());
        }
        Self { system, start, inputs: self.inputs.clone(), end: self.end, budget: self.budget }
    }
}
