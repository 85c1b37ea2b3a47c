//! The runs of a case: by each method, cut at places, and beside itself with what it starts from changed a
//! little.
//!
//! The time of an impact is told to what rounding of its gap makes of it, and what it is off changes the velocities
//! after it, by a part σ, where its wall is accelerated or curved:
//!
//! ```text
//! ρ = (4 ε (Σⱼ |∂g/∂qⱼ||qⱼ| + |∂g/∂t||t|) + η) / |ġ⁻|        ε = 2⁻⁵²
//! τ⁺ = τ + ρ        σ⁺ = σ + 2 |γ/ġ⁻| τ⁺        γ = g̈ − ∇g·v̇
//! τ = τ⁺ + σ⁺ (t − t⁺) at the next event
//! ```
//!
//! η is what the gap itself loses, as sin((x + 24)/0.0003) does of a small x: how far it is from its tangent where q differs
//! by some roundings of 1. ρ is far more than the rounding of the time itself only where ġ⁻ is small, the last impacts of a
//! series that accumulates, and σ where a wall is much accelerated at a large t. The limit of a series t∞ = t + δ/(1 − r) is told 1/(1 − r) times worse than the last of them.

use crate::case::Case;
use eom_core::{
    Contacts, End, Event, EventKind, ForceCheck, Method, Options, Run, Sampling, StartError,
    StartPolicy, State, System, Trajectory, simulate,
};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use std::ops::ControlFlow;
use std::sync::Arc;

pub(crate) const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

/// Units of rounding of a gap.
const ROUNDINGS: f64 = 4.0;

/// By up to so many roundings of 1 q differs where a gap is compared with its tangent.
const SHIFTS: i32 = 32;

/// Steps behind each time before which a run is restored.
const STEPS_ALIKE: usize = 24;

/// By how many roundings of the time the run beside starts later.
const LATER: f64 = 16.0;

/// An impact whose ġ⁻ is this part of ‖∇g‖‖v‖ dips by less than what a run errs before it comes back: where one run
/// has it another may pass.
const SLIGHT: f64 = 1e-6;

/// A dip behind a gap of less than this part of q is one that a run may err, too.
const SHALLOW: f64 = 3e-12;

/// What is compared of an event.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) t: f64,
    pub(crate) what: String,
    /// To what its time can be told, by rounding of what tells it and those before it.
    pub(crate) told: f64,
    /// The part by which velocities after it are off.
    pub(crate) part: f64,
    /// Whether it comes at all is a matter of rounding.
    pub(crate) is_slight: bool,
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

    /// To what part of its velocities a state can be told, and to what time.
    pub(crate) fn blur(&self, t: f64) -> f64 {
        let before = self.events.iter().take_while(|event| event.t <= t);
        before.last().map_or(0.0, |event| event.told + event.part * (1.0 + t - event.t))
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

/// How exactly a run tells times.
#[derive(Debug, Default, Clone, Copy)]
struct Resolution {
    /// The last event.
    t: f64,
    /// What times may be off by, what velocities may be off by as a part, and what the last impact was told to.
    time: f64,
    speed: f64,
    last: f64,
    /// The last impact of one contact: which, and when; and what its series would still take.
    impact: Option<(usize, f64)>,
    left: f64,
}

impl Resolution {
    fn goes_to(&mut self, t: f64) {
        self.time += self.speed * (t - self.t);
        self.t = t;
    }

    /// An impact of a contact, with ġ⁺/|ġ⁻|: if it is one of a series, what follows it takes some Δ r/(1 − r), by the flight Δ
    /// before it and this ratio r; at most twice that is.
    fn follows(&mut self, contact: usize, t: f64, r: f64) {
        self.left = match self.impact {
            Some((last, before)) if last == contact && r < 1.0 => {
                2.0 * (t - before) * r / (1.0 - r)
            }
            _ => 0.0,
        };
        self.impact = Some((contact, t));
    }

    /// An impact is told to this time by itself, and changes velocities by a part `change` for each unit of time
    /// that it is off.
    fn strikes(&mut self, resolution: f64, change: f64) {
        self.last = resolution;
        self.time += resolution;
        self.speed += 2.0 * change.abs() * self.time;
    }
}

fn sum(row: &[f64], y: &[f64]) -> f64 {
    row.iter().zip(y).map(|(g, y)| (g * y).abs()).sum()
}

fn norm(row: &[f64]) -> f64 {
    row.iter().map(|g| g * g).sum::<f64>().sqrt()
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
        EventKind::Accumulation { contact, others, .. } => {
            format!("closing {}", list(others.iter().copied().chain([*contact]).collect()))
        }
        EventKind::Closing { contact } => format!("closing [{contact}]"),
        EventKind::Opening { contact } => format!("opening {contact}"),
        EventKind::Declared { event } => format!("event {event}"),
        EventKind::Stick { friction } => format!("stick {friction}"),
        EventKind::Slip { friction } => format!("slip {friction}"),
    }
}

/// By how much the run beside starts later.
pub(crate) fn later(t: f64) -> f64 {
    LATER * f64::EPSILON * t.abs()
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

    /// What is compared of a run.
    pub(crate) fn told(&self, run: Trajectory) -> Told {
        let Trajectory { samples, events, end, .. } = run;
        let mut told = Resolution { t: self.start.t, ..Resolution::default() };
        // A slip of rounding after an impact holds at once, or is none.
        let rubs =
            |event: &&Event| matches!(event.kind, EventKind::Stick { .. } | EventKind::Slip { .. });
        let events = events.iter().filter(|event| !rubs(event)).map(|event| {
            told.goes_to(event.t);
            let is_slight = self.tell(event, &mut told);
            let Resolution { time, speed: part, .. } = told;
            Seen { t: event.t, what: named(&event.kind), told: time, part, is_slight }
        });
        Told { events: events.collect(), end, samples }
    }

    /// What an event adds to how exactly times are told, and whether it comes by rounding alone.
    fn tell(&self, event: &Event, told: &mut Resolution) -> bool {
        let (contact, rate, others) = match &event.kind {
            EventKind::Impact { contact, rate_minus, rate_plus, others, .. } => {
                told.follows(*contact, event.t, (rate_plus / rate_minus).abs());
                (*contact, *rate_minus, others)
            }
            EventKind::Accumulation { ratio, .. } => {
                told.time += told.last / (1.0 - ratio);
                return false;
            }
            // A contact that closes at its impact: the rest of the series is too small to be followed.
            EventKind::Closing { contact } => {
                let is_here = told.impact == Some((*contact, event.t));
                told.time += if is_here { told.left } else { 0.0 };
                return false;
            }
            _ => return false,
        };
        let (q, v) = (event.q_minus(), event.v_minus());
        let (n, count) = (v.len(), self.system.info().contacts.len());
        let [mut rows, mut rates, mut drifts] =
            [count * n, count, count].map(|length| vec![0.0; length]);
        self.system.gap_rows(event.t, q, &mut rows, &mut rates);
        self.system.gap_drift(event.t, q, v, &mut drifts);
        let row = |contact: usize| &rows[contact * n..][..n];
        let struck = others.iter().filter(|hit| hit.is_struck);
        for (contact, rate) in
            [(contact, rate)].into_iter().chain(struck.map(|hit| (hit.contact, hit.rate_minus)))
        {
            let size = sum(row(contact), q) + (rates[contact] * event.t).abs();
            let lost = self.lost_in_gap(contact, (event.t, q), row(contact));
            let rounding = ROUNDINGS * f64::EPSILON * size + lost;
            told.strikes(rounding / rate.abs(), drifts[contact] / rate);
        }
        let size = sum(row(contact), v) + rates[contact].abs() + norm(row(contact));
        rate.abs() < SLIGHT * size || self.is_shallow(event, rate, row(contact), drifts[contact])
    }

    /// Whether the gap would come back from less than a run errs: (ġ⁻)²/(2 g̈) behind zero.
    fn is_shallow(&self, event: &Event, rate: f64, row: &[f64], drift: f64) -> bool {
        let (q, v) = (event.q_minus(), event.v_minus());
        let (mut v̇, mut λ) = (vec![0.0; v.len()], vec![0.0; self.system.info().rows.len()]);
        self.system.accelerations(event.t, q, v, &self.inputs, &mut v̇, &mut λ);
        let turns = drift + row.iter().zip(&v̇).map(|(g, v̇)| g * v̇).sum::<f64>();
        let size = q.iter().fold(1.0_f64, |size, q| size.max(q.abs()));
        turns > 0.0 && rate * rate < 2.0 * turns * SHALLOW * size * norm(row)
    }

    /// η, where qⱼ are the velocities too; else it is not asked for.
    fn lost_in_gap(&self, contact: usize, (t, q): (f64, &[f64]), row: &[f64]) -> f64 {
        let gap = |q: &[f64]| {
            let mut gaps = vec![0.0; self.system.info().contacts.len()];
            self.system.gaps(t, q, &mut gaps);
            gaps[contact]
        };
        let here = gap(q);
        let off = |k: i32| {
            let by = f64::from(k) * f64::EPSILON;
            let moved: Vec<f64> = q.iter().map(|q| q + by * (1.0 + q.abs())).collect();
            let along: f64 =
                row.iter().zip(q.iter().zip(&moved)).map(|(g, (q, there))| g * (there - q)).sum();
            (gap(&moved) - here - along).abs()
        };
        let off = (-SHIFTS..=SHIFTS).map(off);
        if q.len() == row.len() { off.fold(0.0, f64::max) } else { 0.0 }
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

    /// The same, as what is compared of it.
    pub(crate) fn whole(
        &self,
        method: Method,
        until: f64,
        times: &[f64],
    ) -> Result<Told, StartError> {
        Ok(self.told(self.trajectory(method, until, times)?))
    }

    /// A run that has begun.
    pub(crate) fn begin(&self, method: Method) -> Result<Run<'_>, StartError> {
        let options = Options { until_time: Some(self.end), ..self.options(method) };
        Run::with_inputs(&self.system, &self.start, &self.inputs, &options)
    }

    /// A run that is stopped at each of these times, and goes on.
    pub(crate) fn stopped(&self, method: Method, times: &[f64]) -> Result<Told, StartError> {
        let mut run = self.begin(method)?;
        let mut samples = vec![run.state().clone()];
        for &t in times {
            if run.advance_to(t).is_break() {
                break;
            }
            samples.push(run.state().clone());
        }
        let _ = run.advance_to(f64::INFINITY);
        samples.push(run.state().clone());
        Ok(self.told(Trajectory { samples, ..run.finish() }))
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
            self.steps_alike(run.clone()).map_err(|at| {
                format!("{method:?} restored before each step is another at {at:?}")
            })?;
            let _ = run.advance_to(t);
            let _ = other.advance_to(t);
            if other.save() != run.save() {
                return Err(format!("{method:?} restored at {from:?} is another at {:?}", run.t()));
            }
        }
        Ok(())
    }

    /// Some steps of a run, each made by one that is restored before it, too: the time at which they are not the same.
    fn steps_alike(&self, mut run: Run<'_>) -> Result<(), f64> {
        for _ in 0..STEPS_ALIKE {
            let mut other = Run::restore(&self.system, &run.save()).map_err(|_| run.t())?;
            let ended = run.step().is_break();
            let _ = other.step();
            if other.save() != run.save() {
                return Err(run.t());
            }
            if ended {
                break;
            }
        }
        Ok(())
    }

    /// A run that is moved at these times by what a step may err there, and by what acts within the rounding of t:
    ///
    /// ```text
    /// q ± r |q|        v ± (r |v| + ε |t| |v̇|)        r the tolerance
    /// ```
    pub(crate) fn moved(&self, method: Method, times: &[f64], rng: &mut Rng) -> Option<Told> {
        let mut run = self.begin(method).ok()?;
        let mut v̇ = vec![0.0; self.start.v.len()];
        let mut λ = vec![0.0; self.system.info().rows.len()];
        let r = self.options(method).relative_tolerance;
        for &t in times {
            if run.advance_to(t).is_break() {
                break;
            }
            if !run.mode().is_free() {
                continue;
            }
            let mut state = run.state().clone();
            self.system.accelerations(state.t, &state.q, &state.v, &self.inputs, &mut v̇, &mut λ);
            let mut sign = || 2.0 * rng.f64() - 1.0;
            state.q.iter_mut().for_each(|q| *q += sign() * r * q.abs());
            for (v, v̇) in state.v.iter_mut().zip(&v̇) {
                *v += sign() * (r * v.abs() + f64::EPSILON * t.abs() * v̇.abs());
            }
            // Where it is on a contact or off its constraints it is left as it is.
            let _ = run.apply(&state);
        }
        let _ = run.advance_to(f64::INFINITY);
        Some(self.told(run.finish()))
    }

    /// The same case with masses, offsets and, where nothing is touched, the start changed by a part δ, and late by some
    /// roundings of the time.
    pub(crate) fn changed(&self, case: &Case, rng: &mut Rng, δ: f64) -> Self {
        let info = self.system.info();
        let mut parameters = vec![0.0; info.parameters.len()];
        self.system.parameters(&mut parameters);
        let mut by = || δ * (0.5 + 0.5 * rng.f64()).copysign(rng.f64() - 0.5);
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
        start.t += later(start.t);
        if case.touches {
            let factor = 1.0 + by();
            start.v.iter_mut().for_each(|v| *v *= factor);
        } else {
            start.q.iter_mut().chain(&mut start.v).for_each(|y| *y += by());
        }
        Self { system, start, inputs: self.inputs.clone(), end: self.end, budget: self.budget }
    }
}
