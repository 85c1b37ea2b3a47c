//! What a run leaves: its samples, events and modes, the counts that end it, and the books of its energy.

use super::automaton::Automaton;
use crate::end::End;
use crate::ledger::Ledger;
use crate::ledger::book::Book;
use crate::mode::Mode;
use crate::options::{EventCount, ForceCheck, Options, Sampling};
use crate::state::State;
use crate::trajectory::{Event, EventKind, GuardCheck, ModeSpan};
use std::mem::take;

/// The last sample of a fixed interval is the end of the run where their times differ by less
/// than this, in units of ε(|t₀| + |t|).
const SAME_TIME: f64 = 8.0;

/// Samples of a fixed interval that are taken before a run can be asked for them.
pub(super) const SAMPLES_AT_ONCE: usize = 1024;

/// Room for events that is taken at the start of a run, at most.
const EVENTS: usize = 64;

/// The records of a run under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    pub(super) samples: Vec<State>,
    pub(super) events: Vec<Event>,
    pub(super) modes: Vec<ModeSpan>,
    /// Samples and events that are no longer here.
    gone: [usize; 2],
    /// The time of the start.
    pub(super) start: f64,
    /// Samples at times that were asked for, so far.
    taken: u64,
    /// Whether some guard was only sampled on some step.
    pub(super) sampled: bool,
    /// Own time scales of the motion since an impact, or since an event that is counted: steps, each in
    /// units of the size that was proposed for it.
    pub(super) waited: f64,
    /// Declared events of those that end the run.
    counted: usize,
    /// The books, where a ledger is kept.
    pub(super) book: Option<Book>,
}

impl Records {
    /// Those of a run that begins at this state, without books.
    pub(super) fn open(start: &State, options: &Options) -> Self {
        Self {
            samples: vec![start.clone()],
            events: Vec::with_capacity(options.until_impacts.unwrap_or(0).min(EVENTS)),
            modes: vec![ModeSpan { t: start.t, sample: 0, mode: Mode::default() }],
            gone: [0; 2],
            start: start.t,
            taken: options.sampling.count_to(start.t),
            sampled: false,
            waited: 0.0,
            counted: 0,
            book: None,
        }
    }

    /// The mode after the first instant is that of the start.
    pub(super) fn begin(&mut self, mode: &Mode) {
        self.modes.truncate(1);
        self.modes[0].mode.clone_from(mode);
    }

    /// A mode begins.
    pub(super) fn enter(&mut self, t: f64, mode: &Mode) {
        let sample = self.sample_count();
        self.modes.push(ModeSpan { t, sample, mode: mode.clone() });
    }

    /// How many samples there have been.
    fn sample_count(&self) -> usize {
        self.gone[0] + self.samples.len()
    }

    /// How many events there have been.
    pub(crate) fn event_count(&self) -> usize {
        self.gone[1] + self.events.len()
    }

    /// Those from this number on that are here.
    pub(crate) fn events_since(&self, first: usize) -> &[Event] {
        let first = first.saturating_sub(self.gone[1]);
        self.events.get(first..).unwrap_or_default()
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        self.gone[1] += self.events.len();
        take(&mut self.events)
    }

    /// All but the newest.
    pub(crate) fn take_samples(&mut self) -> Vec<State> {
        let newest = self.samples.pop();
        self.gone[0] += self.samples.len();
        std::mem::replace(&mut self.samples, newest.into_iter().collect())
    }

    pub(crate) fn take_modes(&mut self) -> Vec<ModeSpan> {
        take(&mut self.modes)
    }
}

impl Automaton<'_> {
    /// The ledger, where one is kept.
    pub(crate) fn close_books(&mut self) -> Option<Ledger> {
        let book = self.records.book.take()?;
        Some(book.close(self.system, &self.flow.base, &self.mode))
    }

    /// How the guards were looked at so far.
    pub(crate) fn guard_check(&self) -> GuardCheck {
        if self.records.sampled { GuardCheck::Sampled } else { GuardCheck::Proven }
    }

    /// How the forces are looked at.
    pub(crate) fn force_check(&self) -> ForceCheck {
        ForceCheck::of(self.system, &self.options)
    }

    /// Enters the step τ of the last trial, which is about to be taken.
    pub(super) fn enter_step(&mut self, τ: f64) {
        let Self { records, system, inputs, flow, mode, grip, .. } = self;
        if let Some(book) = &mut records.book {
            book.step((*system, inputs), flow, (mode, grip), τ);
        }
    }

    /// The samples, closed by the last state, the events and the modes.
    pub(crate) fn finish(&mut self) -> (Vec<State>, Vec<Event>, Vec<ModeSpan>) {
        let last = self.flow.reported(self.flow.base.state());
        let same = SAME_TIME * f64::EPSILON * (self.records.start.abs() + last.t.abs());
        let coincides = |sample: &State| (sample.t - last.t).abs() <= same;
        if self.options.sampling.is_timed()
            && self.records.sample_count() > 1
            && self.records.samples.last().is_some_and(coincides)
        {
            self.records.samples.pop();
        }
        if self.records.samples.last() != Some(&last) {
            self.records.samples.push(last);
        }
        (
            take(&mut self.records.samples),
            take(&mut self.records.events),
            take(&mut self.records.modes),
        )
    }

    /// Ends the run where this event is the last one asked for.
    fn count(&mut self, counts: bool, t: f64) -> Result<(), End> {
        let Some(EventCount { event, count }) = self.options.until_events else { return Ok(()) };
        self.records.counted += usize::from(counts);
        if self.records.counted < count {
            return Ok(());
        }
        let event = event.map(|event| self.system.info().events[event].name);
        Err(End::ReachedEvents { t, event, events: self.records.counted })
    }

    /// Keeps an event that led from `before` to the base point, and ends the run where that was
    /// the last one asked for or allowed.
    pub(super) fn record(&mut self, kind: EventKind, before: &State) -> Result<(), End> {
        if let Some(book) = &mut self.records.book {
            book.event(self.system, &kind, &self.flow.base, &self.mode);
        }
        let (t, mut event) = (before.t, Event::new(kind, before, self.flow.base.parts()));
        for q in event.positions_mut() {
            self.flow.report(q);
        }
        let counts = self.options.until_events.is_some_and(|wanted| wanted.counts(&event.kind));
        if counts || matches!(event.kind, EventKind::Impact { .. }) {
            self.records.waited = 0.0;
        }
        self.records.events.push(event);
        let impacts = self.stats.impacts;
        if self.options.until_impacts.is_some_and(|wanted| impacts >= wanted) {
            return Err(End::ReachedImpacts { t, impacts });
        }
        self.count(counts, t)?;
        let events = self.records.event_count();
        if events >= self.options.events_max {
            return Err(End::EventBudget { t, events });
        }
        Ok(())
    }

    /// Keeps the base point where every step is wanted.
    pub(super) fn keep_sample(&mut self) {
        if self.options.sampling == Sampling::Steps {
            self.records.samples.push(self.flow.reported(self.flow.base.state()));
        }
    }

    /// Keeps the samples of a fixed interval in (0, τ] of a step h, not too many. True where these were
    /// all.
    pub(super) fn sample_between(&mut self, h: f64, τ: f64) -> Result<bool, End> {
        for _ in 0..SAMPLES_AT_ONCE {
            let wanted = self.next_sample().map(|wanted| (wanted, self.flow.base.t.until(wanted)));
            let Some((wanted, offset)) = wanted.filter(|(_, offset)| *offset <= τ) else {
                return Ok(true);
            };
            self.interpolate(h);
            let t = self.t();
            let sample = self.flow.sample(offset / h, h).map_err(|stuck| stuck.end(t))?;
            self.take_sample(State { t: wanted, ..sample });
        }
        Ok(false)
    }

    /// The time of the next sample of a fixed interval.
    pub(super) fn next_sample(&self) -> Option<f64> {
        let Records { start, taken, .. } = self.records;
        match &self.options.sampling {
            Sampling::Every(interval) => Some(start + (taken + 1) as f64 * interval),
            Sampling::At(times) => times.get(usize::try_from(taken).ok()?).copied(),
            Sampling::Steps | Sampling::Ends => None,
        }
    }

    /// Keeps a sample of a fixed interval.
    pub(super) fn take_sample(&mut self, sample: State) {
        self.records.samples.push(self.flow.reported(sample));
        self.records.taken += 1;
    }
}
