//! What a run leaves: its samples, events and modes, the counts that end it, and the books of its energy.

use crate::mode::Mode;
use crate::run::options::Options;
use crate::snapshot::words::part;
use crate::state::State;
use crate::trajectory::ModeSpan;
use crate::trajectory::end::End;
use crate::trajectory::event::Event;
use crate::trajectory::ledger::book::Book;
use crate::trajectory::stats::Stats;
use std::mem::take;

/// Room for events that is taken at the start of a run, at most.
const EVENTS: usize = 64;

/// The records of a run under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    pub(super) samples: Vec<State>,
    pub(super) events: Vec<Event>,
    pub(super) modes: Vec<ModeSpan>,
    /// Samples and events that are no longer here.
    pub(super) gone: [usize; 2],
    /// The time of the start.
    pub(super) start: f64,
    /// Samples at times that were asked for, so far.
    pub(super) taken: u64,
    /// Own time scales of the motion since an impact, or since an event that is counted: steps, each in
    /// units of the size that was proposed for it.
    pub(super) waited: f64,
    /// Declared events of those that end the run.
    pub(super) counted: usize,
    /// Why the run ends at this instant, once all of it has happened.
    pub(super) reached: Option<End>,
    /// The books, where a ledger is kept.
    pub(super) book: Option<Book>,
    pub(super) stats: Stats,
    /// Changes of the state by impacts and resets.
    pub(super) jumps: usize,
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
            waited: 0.0,
            counted: 0,
            reached: None,
            book: None,
            stats: Stats::default(),
            jumps: 0,
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
    pub(super) fn sample_count(&self) -> usize {
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

part! {
    Records {
        parts: [book],
        values: [
            samples, events, modes, gone, start, taken, waited, counted, stats, jumps,
        ],
        room: [reached],
    }
}
