//! What a run leaves: states and events rounded to doubles, and the events with all their digits.

use crate::motion::{Exact, Motion};
use crate::number::{Precision, Real};
use crate::outline::Outline;
use eom_core::{Event, EventKind, Sampling, State, Stats};

/// A step as a curve has so many parts.
const PARTS: i64 = 8;

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum What {
    Impact { contact: usize, rates: [Real; 2], impulse: Real, dropped: Vec<usize> },
    Event(usize),
}

/// An impact or an event with all its digits.
#[derive(Debug, Clone, PartialEq)]
pub struct Happened {
    /// The contact, of an impact.
    pub contact: Option<usize>,
    /// The declared event, of one.
    pub event: Option<usize>,
    /// The state before.
    pub before: Exact,
    /// (q, v) after.
    pub after: Vec<Real>,
}

impl Exact {
    /// t, q and v.
    fn parts(&self, positions: usize) -> [&[Real]; 3] {
        let (q, v) = self.y.split_at(positions);
        [std::slice::from_ref(&self.t), q, v]
    }

    /// log₂ of the largest of each part.
    pub(crate) fn sizes(&self, positions: usize) -> [f64; 3] {
        let largest = |list: &[Real]| list.iter().map(Real::log2).fold(f64::NEG_INFINITY, f64::max);
        self.parts(positions).map(largest)
    }

    /// This state less another.
    pub(crate) fn less(&self, other: &Self) -> Self {
        let entries = self.y.iter().zip(&other.y).map(|(one, other)| one - other);
        Self { t: &self.t - &other.t, y: entries.collect() }
    }
}

/// Takes note of a run.
#[derive(Debug)]
pub(crate) struct Recorder {
    precision: Precision,
    sampling: Sampling,
    positions: usize,
    start: f64,
    /// The number of the next sample at an interval or of a list.
    next: u64,
    pub(crate) samples: Vec<Exact>,
    pub(crate) events: Vec<Event>,
    pub(crate) happened: Vec<Happened>,
    pub(crate) stats: Stats,
    pub(crate) last: Option<Exact>,
    /// The energy at the start of the arc, and the changes along arcs so far.
    energy: Option<Real>,
    pub(crate) change: Real,
    /// log₂ of the largest t, entry of q and entry of v so far.
    pub(crate) sizes: [f64; 3],
}

impl Recorder {
    pub(crate) fn new(outline: &Outline, precision: Precision, sampling: Sampling) -> Self {
        Self {
            precision,
            sampling,
            positions: outline.positions,
            start: 0.0,
            next: 1,
            samples: Vec::new(),
            events: Vec::new(),
            happened: Vec::new(),
            stats: Stats::default(),
            last: None,
            energy: None,
            change: precision.zero(),
            sizes: [f64::NEG_INFINITY; 3],
        }
    }

    /// A state in doubles.
    pub(crate) fn state(&self, at: &Exact) -> State {
        let (q, v) = at.y.split_at(self.positions);
        let doubles = |list: &[Real]| list.iter().map(Real::to_f64).collect::<Vec<f64>>();
        State::new(at.t.to_f64(), doubles(q), doubles(v))
    }

    /// The start.
    pub(crate) fn begin(&mut self, at: &Exact, energy: Real) {
        self.start = at.t.to_f64();
        self.samples.push(at.clone());
        self.last = Some(at.clone());
        if let Sampling::At(times) = &self.sampling {
            self.next = times.iter().take_while(|t| **t <= self.start).count() as u64;
        }
        self.grow(at);
        self.energy = Some(energy);
    }

    /// A step of the motion from a state on, as long as this time.
    pub(crate) fn arc(&mut self, motion: &Motion<'_>, at: &Exact, time: &Real) {
        let end = motion.after(at, time);
        match self.sampling.clone() {
            Sampling::Ends => {}
            Sampling::Steps => self.samples.push(end.clone()),
            Sampling::Curve => {
                for part in 1..=PARTS {
                    let part = &self.precision.integer(part) * time;
                    let part = part.over(&self.precision.integer(PARTS));
                    let at = part.map_or_else(|| end.clone(), |part| motion.after(at, &part));
                    self.samples.push(at);
                }
            }
            Sampling::Every(interval) => {
                let start = self.start;
                let time = |i: u64| Some(start + i as f64 * interval);
                self.timed(motion, at, &end, time);
            }
            Sampling::At(times) => {
                let time = |i: u64| times.get(i as usize).copied();
                self.timed(motion, at, &end, time);
            }
        }
        self.grow(&end);
        self.last = Some(end);
    }

    fn grow(&mut self, at: &Exact) {
        for (size, own) in self.sizes.iter_mut().zip(at.sizes(self.positions)) {
            *size = size.max(own);
        }
    }

    /// Samples at the times of their numbers, up to the end of a step.
    fn timed(
        &mut self,
        motion: &Motion<'_>,
        at: &Exact,
        end: &Exact,
        time: impl Fn(u64) -> Option<f64>,
    ) {
        let last = end.t.to_f64();
        while let Some(t) = time(self.next).filter(|t| *t <= last) {
            let Some(exact) = self.precision.written(t) else { break };
            let state = motion.after(at, &(&exact - &at.t));
            self.samples.push(Exact { t: exact, ..state });
            self.next += 1;
        }
    }

    /// The end of an arc: what its energy has changed by.
    pub(crate) fn arc_ends(&mut self, at: &Exact, energy: Real) {
        if let Some(before) = &self.energy {
            self.change = &self.change + &(&energy - before);
        }
        self.energy = Some(energy);
        self.last = Some(at.clone());
    }

    /// An impact or an event.
    pub(crate) fn jump(&mut self, what: What, before: &Exact, after: &Exact, energy: Real) {
        let (state, plus) = (self.state(before), self.state(after));
        let (kind, contact, event) = match what {
            What::Impact { contact, rates, impulse, dropped } => {
                let [rate_minus, rate_plus] = rates.map(|rate| rate.to_f64());
                let (impulse, others) = (impulse.to_f64(), Vec::new());
                let kind =
                    EventKind::Impact { contact, rate_minus, rate_plus, impulse, dropped, others };
                (kind, Some(contact), None)
            }
            What::Event(event) => (EventKind::Declared { event }, None, Some(event)),
        };
        self.events.push(Event::new(kind, &state, (&plus.q, &plus.v)));
        if matches!(self.sampling, Sampling::Steps | Sampling::Curve) {
            self.samples.push(after.clone());
        }
        let happened = Happened { contact, event, before: before.clone(), after: after.y.clone() };
        self.happened.push(happened);
        self.last = Some(after.clone());
        self.energy = Some(energy);
    }

    /// The last state has its sample.
    pub(crate) fn finish(&mut self) {
        let Some(last) = self.last.clone() else { return };
        if self.samples.last() == Some(&last) {
            return;
        }
        let is_timed = matches!(self.sampling, Sampling::Every(_) | Sampling::At(_));
        if is_timed
            && self.samples.len() > 1
            && self.samples.last().is_some_and(|s| s.t.to_f64() == last.t.to_f64())
        {
            self.samples.pop();
        }
        self.samples.push(last);
    }
}
