//! What a run leaves: samples, events, the reason for its end.

use crate::end::End;
use crate::state::State;
use crate::stats::Stats;

/// What happened at an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A contact closed and its law changed the velocity.
    Impact {
        /// Index of the contact.
        contact: usize,
        /// ġ⁻.
        rate_minus: f64,
        /// ġ⁺.
        rate_plus: f64,
        /// Constraint rows that depend on the others and were left out of B, by index.
        dropped: Vec<usize>,
    },
    /// A declared event.
    Declared {
        /// Index of the event.
        event: usize,
    },
}

/// An event: the state on both of its sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its time.
    pub t: f64,
    /// What happened.
    pub kind: EventKind,
    /// q⁻, nq.
    pub q_minus: Vec<f64>,
    /// v⁻, m.
    pub v_minus: Vec<f64>,
    /// q⁺, nq; other than q⁻ only after a reset.
    pub q_plus: Vec<f64>,
    /// v⁺, m.
    pub v_plus: Vec<f64>,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// States in the order of time; the first is the start, the last the state at the end.
    pub samples: Vec<State>,
    /// Impacts and declared events in the order in which they happened.
    pub events: Vec<Event>,
    /// Why the run ended.
    pub end: End,
    /// The work done.
    pub stats: Stats,
}

impl Trajectory {
    /// The impacts among the events, each with the index of its contact.
    pub fn impacts(&self) -> impl Iterator<Item = (usize, &Event)> {
        self.events.iter().filter_map(|event| match event.kind {
            EventKind::Impact { contact, .. } => Some((contact, event)),
            EventKind::Declared { .. } => None,
        })
    }

    /// The last state.
    pub fn last(&self) -> Option<&State> {
        self.samples.last()
    }
}
