//! What is recorded as a run goes: samples along a step, an event with both of its sides, the books; and
//! whether that was the last that was asked for.

use super::automaton::{Automaton, Sliding};
use super::event::Events;
use super::records::Records;
use crate::moreau::Stepped;
use crate::run::options::{ForceCheck, Options, Sampling};
use crate::state::State;
use crate::system::EventCount;
use crate::trajectory::end::End;
use crate::trajectory::event::{Event, EventKind};
use crate::trajectory::ledger::Ledger;
use crate::trajectory::watched::Watched;
use crate::trajectory::{GuardCheck, ModeSpan};
use std::mem::take;

/// The last sample of a fixed interval is the end of the run where their times differ by less
/// than this, in units of ε(|t₀| + |t|).
const SAME_TIME: f64 = 8.0;

/// Samples of a fixed interval that are taken before a run can be asked for them.
pub(super) const SAMPLES_AT_ONCE: usize = 1024;

/// Samples of a fixed interval that are kept for later by a run without a time at which it ends.
const SAMPLES_KEPT_MAX: usize = 1 << 22;

/// Parts of a step by series that a curve is drawn through.
const PARTS_OF_CURVES: u32 = 8;

impl Automaton<'_> {
    /// The ledger, where one is kept.
    pub(crate) fn close_books(&mut self) -> Option<Ledger> {
        let book = self.records.book.take()?;
        Some(book.close(self.system, &self.flow.base, &self.mode))
    }

    /// How the guards were looked at so far.
    pub(crate) fn guard_check(&self) -> GuardCheck {
        match self.is_stepping() {
            true => GuardCheck::Stepped,
            false if self.events.sampled.contains(&true) => GuardCheck::Sampled,
            false => GuardCheck::Proven,
        }
    }

    /// The guards that were only sampled so far.
    pub(crate) fn sampled(&self) -> Vec<Watched> {
        let Events { sampled, guards, .. } = &self.events;
        let kinds = (0..sampled.len()).filter(|kind| sampled[*kind] && !self.is_stepping());
        kinds.map(|kind| guards.watched(kind)).collect()
    }

    /// How the forces are looked at.
    pub(crate) fn force_check(&self) -> ForceCheck {
        if self.is_stepping() {
            return ForceCheck::Sampled;
        }
        ForceCheck::of(self.system, &self.options)
    }

    /// The least gap of each contact so far; none where they are not kept.
    pub(crate) fn least_gaps(&self) -> Vec<f64> {
        match self.stepping.get() {
            Some(stepping) if self.options.least_gaps => stepping.least_gaps().to_vec(),
            Some(_) => Vec::new(),
            None => self.events.least_gaps(),
        }
    }

    /// How far a run by time stepping can be trusted.
    pub(crate) fn stepped(&self) -> Option<Stepped> {
        self.stepping.get().map(|stepping| stepping.told().clone())
    }

    /// Enters the step h just made, which is about to be taken to τ, where the last trial was.
    pub(super) fn enter_step(&mut self, h: f64, τ: f64) {
        self.events.see_gaps(&mut self.flow, h, τ);
        let Self {
            records,
            system,
            inputs,
            flow,
            mode,
            slip: Sliding { state: slip_state, .. },
            ..
        } = self;
        if let Some(book) = &mut records.book {
            book.step((*system, inputs), flow, (mode, slip_state), τ);
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

    /// The end of the run that this event is, where it is the last one asked for: it ends with its instant.
    fn last_asked_for(&mut self, kind: &EventKind, t: f64) -> Option<End> {
        let (Options { until_impacts, until_events, .. }, impacts) =
            (&self.options, self.records.stats.impacts);
        if until_impacts.is_some_and(|wanted| impacts >= wanted) {
            return Some(End::ReachedImpacts { t, impacts });
        }
        let wanted = (*until_events)?;
        self.records.counted += usize::from(counts(wanted, kind));
        let events = self.records.counted;
        let event = wanted.event.map(|event| self.system.info().events[event].name);
        (events >= wanted.count).then_some(End::ReachedEvents { t, event, events })
    }

    /// The run ends here where an event of the instant that has just happened was the last one asked for. Declared events that
    /// come to zero within a time that cannot be told from it belong to it.
    pub(super) fn close_instant(&mut self, outcome: Result<(), End>) -> Result<(), End> {
        if self.records.reached.is_none() {
            return outcome;
        }
        if outcome.is_ok() && !self.is_stepping() && self.evaluate_guards().is_ok() {
            self.pass_events_at_once()?;
        }
        self.records.reached.take().map_or(Ok(()), Err)
    }

    /// Keeps an event that led from `before` to the base point, and ends the run after its instant where that was
    /// the last one asked for, or at once where it was the last one allowed.
    pub(super) fn record(&mut self, kind: EventKind, before: &State) -> Result<(), End> {
        if let Some(book) = &mut self.records.book {
            book.event(self.system, &kind, &self.flow.base, &self.mode);
        }
        let mut event = Event::new(kind, before, self.flow.base.parts());
        for q in event.positions_mut() {
            self.flow.report(q);
        }
        self.keep_event(event)
    }

    /// The same of an event as it is told.
    pub(super) fn keep_event(&mut self, event: Event) -> Result<(), End> {
        let t = event.t;
        let counts = self.options.until_events.is_some_and(|wanted| counts(wanted, &event.kind));
        if counts || matches!(event.kind, EventKind::Impact { .. }) {
            self.records.waited = 0.0;
        }
        if self.records.reached.is_none() {
            self.records.reached = self.last_asked_for(&event.kind, t);
        }
        self.records.events.push(event);
        let events = self.records.event_count();
        if events >= self.options.events_max {
            return Err(End::EventBudget { t, events });
        }
        Ok(())
    }

    /// Keeps the base point where every step is wanted.
    pub(super) fn keep_sample(&mut self) {
        if matches!(self.options.sampling, Sampling::Steps | Sampling::Curve) {
            self.records.samples.push(self.flow.reported(self.flow.base.state()));
        }
    }

    /// Keeps the samples of a fixed interval in (0, τ] of a step h, not too many. True where these were
    /// all.
    pub(super) fn sample_between(&mut self, h: f64, τ: f64) -> Result<bool, End> {
        if self.options.sampling == Sampling::Curve && self.flow.knows_guards() {
            self.sample_parts(h, τ)?;
        }
        for _ in 0..SAMPLES_AT_ONCE {
            let wanted = self.next_sample().map(|wanted| (wanted, self.flow.base.t.until(wanted)));
            let Some((wanted, offset)) = wanted.filter(|(_, offset)| *offset <= τ) else {
                return Ok(true);
            };
            let (t, samples) = (self.t(), self.records.samples.len());
            if self.until().is_none() && samples >= SAMPLES_KEPT_MAX {
                return Err(End::SampleBudget { t, samples });
            }
            self.events.interpolate(&mut self.flow, h);
            let sample = self.flow.sample(offset / h, h).map_err(|stuck| stuck.end(t))?;
            self.take_sample(State { t: wanted, ..sample });
        }
        Ok(false)
    }

    /// Keeps the samples of a fixed interval within a first step h, each by a step of its own to there; then h is made again. How
    /// far one is away that no such step reaches.
    pub(super) fn sample_launch(&mut self, h: f64) -> Result<Option<f64>, End> {
        let (t, mut is_made) = (self.t(), true);
        while let Some(wanted) = self.next_sample() {
            let offset = self.flow.base.t.until(wanted);
            if offset > h {
                break;
            }
            if offset < h || !is_made {
                let reached = self.flow.launch(offset).map_err(|stuck| stuck.end(t))?;
                is_made = false;
                if reached != Some(offset) {
                    return Ok(Some(offset));
                }
            }
            let state = self.flow.next.state();
            self.take_sample(State { t: wanted, ..state });
        }
        if !is_made {
            self.flow.launch(h).map_err(|stuck| stuck.end(t))?;
        }
        Ok(None)
    }

    /// Keeps the states that part the way to τ of a step h.
    fn sample_parts(&mut self, h: f64, τ: f64) -> Result<(), End> {
        self.events.interpolate(&mut self.flow, h);
        let t = self.t();
        for part in 1..PARTS_OF_CURVES {
            let s = f64::from(part) / f64::from(PARTS_OF_CURVES) * (τ / h);
            let sample = self.flow.sample(s, h).map_err(|stuck| stuck.end(t))?;
            self.records.samples.push(self.flow.reported(sample));
        }
        Ok(())
    }

    /// The time of the next sample of a fixed interval.
    pub(super) fn next_sample(&self) -> Option<f64> {
        let Records { start, taken, .. } = self.records;
        match &self.options.sampling {
            Sampling::Every(interval) => Some(start + (taken + 1) as f64 * interval),
            Sampling::At(times) => times.get(usize::try_from(taken).ok()?).copied(),
            Sampling::Steps | Sampling::Curve | Sampling::Ends => None,
        }
    }

    /// Keeps a sample of a fixed interval.
    pub(super) fn take_sample(&mut self, sample: State) {
        self.records.samples.push(self.flow.reported(sample));
        self.records.taken += 1;
    }
}

/// Whether an event is one of those that are counted.
fn counts(wanted: EventCount, kind: &EventKind) -> bool {
    match (wanted.event, kind) {
        (None, EventKind::Impact { .. } | EventKind::Declared { .. }) => true,
        (Some(wanted), EventKind::Declared { event }) => wanted == *event,
        _ => false,
    }
}
