//! What the summary of a run tells of its samples and events: taken note of as they come, since a long
//! run does not keep them.

use super::balance::EnergyBalance;
use super::event::happened;
use super::together::Together;
use eom_core::info::SystemInfo;
use eom_core::{Event, State, System, total_energy};

/// The most events that are told.
const HAPPENED: usize = 6;

/// What is told of a run so far.
pub struct Story<'s> {
    system: &'s dyn System,
    /// Its first state.
    pub(super) first: Option<State>,
    last: Option<State>,
    /// The impacts of each contact.
    impacts: Vec<usize>,
    together: Together,
    lines: Vec<String>,
    /// How many lines there would be.
    told: usize,
    jumps: f64,
    before: Option<Event>,
}

impl std::fmt::Debug for Story<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Story")
            .field("system", &self.system.info().name)
            .field("impacts", &self.impacts)
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}

impl<'s> Story<'s> {
    /// Nothing has happened.
    pub fn new(system: &'s dyn System) -> Self {
        Self {
            system,
            first: None,
            last: None,
            impacts: vec![0; system.info().contacts.len()],
            together: Together::default(),
            lines: Vec::new(),
            told: 0,
            jumps: 0.0,
            before: None,
        }
    }

    /// Takes note of what has come.
    pub fn take(&mut self, samples: &[State], events: &[Event]) {
        self.samples(samples);
        self.events(events);
    }

    fn samples(&mut self, samples: &[State]) {
        if self.first.is_none() {
            self.first = samples.first().cloned();
        }
        if let Some(last) = samples.last() {
            self.last = Some(last.clone());
        }
    }

    fn events(&mut self, events: &[Event]) {
        for event in events {
            self.together.take(event);
            for contact in event.struck() {
                self.impacts[contact] += 1;
            }
            if let Some(line) = happened(self.system.info(), event) {
                self.told += 1;
                if self.told <= HAPPENED + 1 {
                    self.lines.push(line);
                }
            }
            self.jump(event);
        }
    }

    /// Contacts that close at one instant have an event each, and one jump together.
    fn jump(&mut self, event: &Event) {
        let is_same = |before: &Event| before.t == event.t && before.sides() == event.sides();
        if self.before.as_ref().is_some_and(is_same) {
            return;
        }
        let energy = |(q, v): (&[f64], &[f64])| total_energy(self.system, event.t, q, v);
        let [minus, plus] = event.sides().map(energy);
        self.jumps += plus - minus;
        self.before = Some(event.clone());
    }

    /// Whether there was any event.
    pub(super) fn has_events(&self) -> bool {
        self.before.is_some()
    }

    /// What happened beside impacts, one line an event, as many as are told.
    pub(super) fn lines(&self) -> Vec<String> {
        let more = self.told.saturating_sub(HAPPENED);
        let mut lines = self.lines.clone();
        if more > 1 {
            lines.truncate(HAPPENED);
            lines.push(format!("and {more} more (see --events)"));
        }
        lines
    }

    /// The energy at both ends, and of all jumps.
    pub(super) fn energy(&self) -> Option<EnergyBalance> {
        let at = |state: &State| total_energy(self.system, state.t, &state.q, &state.v);
        let (start, end) = (at(self.first.as_ref()?), at(self.last.as_ref()?));
        Some(EnergyBalance { start, end, jumps: self.jumps })
    }

    /// When several contacts took impulses at one time.
    pub(super) fn together(&self, info: &SystemInfo) -> Option<String> {
        self.together.text(info)
    }

    /// `20: front 11, back 9`.
    pub(super) fn impacts(&self, info: &SystemInfo) -> String {
        let contacts = info.contacts.iter().zip(&self.impacts);
        let texts: Vec<String> =
            contacts.map(|(contact, count)| format!("{} {count}", contact.name)).collect();
        format!("{} ({})", self.impacts.iter().sum::<usize>(), texts.join(", "))
    }
}
