//! Accumulating impacts: when a series of bounces is below what can be told, and when it ends.
//!
//! After an impact with ġ⁺ and g̈ < 0 the next flight lasts δ = 2ġ⁺/|g̈| and rises to
//! η = ġ⁺²/(2|g̈|). A series with the ratio r = ġ⁺/|ġ⁻| < 1 and g̈ constant is over at
//!
//! ```text
//! t∞ = t + δ (1 + r + r² + …) = t + δ/(1 − r)
//! ```
//!
//! Where η is within 16ρ of the gap, or δ within 64 ε|t|, its impacts cannot be told apart. If the
//! ratios of the last [`AGREEING`] impacts agreed to [`RATIO_CHANGE`] and their flights to
//! [`FLIGHT_CHANGE`] (the ġ⁻ of an impact is the ġ⁺ of the one before, and flights fall by r), it is
//! an accumulation: the contact is held closed from t on, and at t∞ this is recorded. What is left
//! out is the gap, at most η, for the time t∞ − t. Without such a history, as after a drop from a
//! height within 16ρ, the contact simply closes. Contacts that are struck in turn are the matter of `turns`.

use super::automaton::Automaton;
use super::turns::Turns;
use crate::end::End;
use crate::event::EventKind;

/// What of a bounce is not resolved: its height, in units of ρ of the gap, and its flight, in units
/// of ε·t.
pub(super) const GAP_ROUNDING: f64 = 16.0;
pub(super) const TIME_ROUNDING: f64 = 64.0;

/// Impacts that make a series.
const AGREEING: usize = 3;

/// How much a ratio may change from one impact to the next.
const RATIO_CHANGE: f64 = 1e-2;

/// How much a flight may differ from the one expected. Times of the last flights that are resolved
/// are known to a thirtieth.
pub(super) const FLIGHT_CHANGE: f64 = 0.125;

/// A series with a ratio closer to 1 than this does not end.
pub(super) const RATIO_MARGIN: f64 = 1e-9;

/// The last impacts of one contact.
#[derive(Debug, Clone, Default)]
pub(super) struct Series {
    t: f64,
    rate_plus: f64,
    ratio: f64,
    flight: f64,
    /// Impacts in a row that agreed with the one before.
    agreeing: usize,
    impacts: usize,
}

/// A series that is over at a time still to come, with its contacts closed.
#[derive(Debug, Clone)]
pub(super) struct Accumulating {
    pub(super) limit: f64,
    /// When its contacts were closed.
    pub(super) since: f64,
    /// The contact, or those that take turns, the last struck first.
    pub(super) contacts: Vec<usize>,
    pub(super) ratio: f64,
    pub(super) impacts: usize,
    pub(super) height: f64,
    pub(super) duration: f64,
}

/// The flight that follows an impact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    duration: f64,
    pub(super) height: f64,
}

impl Series {
    /// Takes an impact at t with ġ⁻ and ġ⁺.
    pub(super) fn follow(&mut self, t: f64, minus: f64, plus: f64) {
        let (ratio, flight) = (plus / -minus, t - self.t);
        let near = |a: f64, b: f64, change: f64| (a - b).abs() <= change * b.abs();
        let agrees = self.impacts > 0
            && near(-minus, self.rate_plus, FLIGHT_CHANGE)
            && near(ratio, self.ratio, RATIO_CHANGE);
        // The first flight of a series has none before it.
        let steady = self.impacts < 2 || near(flight, self.ratio * self.flight, FLIGHT_CHANGE);
        let goes_on = agrees && steady;
        self.agreeing = if goes_on { self.agreeing + 1 } else { 0 };
        self.impacts = if goes_on { self.impacts + 1 } else { 1 };
        (self.t, self.rate_plus, self.ratio, self.flight) = (t, plus, ratio, flight);
    }

    /// What is to come after the flight that cannot be resolved, if the impacts accumulate.
    fn accumulates(&self, contact: usize, flight: Flight) -> Option<Accumulating> {
        let Self { t, ratio, agreeing, impacts, .. } = *self;
        if agreeing < AGREEING || ratio > 1.0 - RATIO_MARGIN {
            return None;
        }
        let duration = flight.duration / (1.0 - ratio);
        let (limit, height) = (t + duration, flight.height);
        let contacts = vec![contact];
        Some(Accumulating { limit, since: t, contacts, ratio, impacts, height, duration })
    }
}

/// Accumulations of impacts in a run.
#[derive(Debug, Clone)]
pub(super) struct Accumulation {
    /// The last impacts of each contact.
    pub(super) series: Vec<Series>,
    /// Those of all contacts.
    pub(super) turns: Turns,
    /// Series whose end is to come, by its time.
    pub(super) accumulating: Vec<Accumulating>,
}

impl Accumulation {
    pub(super) fn new(contacts: usize) -> Self {
        let series = vec![Series::default(); contacts];
        Self { series, turns: Turns::default(), accumulating: Vec::new() }
    }

    /// The series go on with an impact at t, with ġ⁻ and ġ⁺.
    pub(super) fn follow(&mut self, contact: usize, t: f64, [minus, plus]: [f64; 2]) {
        self.series[contact].follow(t, minus, plus);
        if self.series.len() > 1 {
            self.turns.follow(contact, t, minus, plus);
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(super) fn rewind(&mut self) {
        self.series.fill(Series::default());
        self.turns.clear();
        self.accumulating.clear();
    }
}

impl Automaton<'_> {
    /// The flight after an impact with ġ⁺ and g̈ = −fall < 0, if it is below what can be told.
    pub(super) fn unresolved_flight(&self, contact: usize, plus: f64, fall: f64) -> Option<Flight> {
        let flight = Flight { duration: 2.0 * plus / fall, height: plus * plus / (2.0 * fall) };
        let resolved = flight.duration > TIME_ROUNDING * f64::EPSILON * self.t().abs()
            && flight.height > GAP_ROUNDING * self.events.roundings[contact];
        (!resolved).then_some(flight)
    }

    /// Waits for the end of a series whose contact is closed though it would fly, if there is one: of a contact
    /// that was closed before, only one in which it takes turns.
    pub(super) fn await_accumulation(&mut self, contact: usize, flight: Flight, closes: bool) {
        let alone =
            self.accumulation.series[contact].accumulates(contact, flight).filter(|_| closes);
        let found = alone.or_else(|| self.turns_of(contact, flight));
        if let Some(found) = found {
            self.await_end(Accumulating { since: self.t(), ..found });
        }
    }

    /// Waits for the end of a series.
    pub(super) fn await_end(&mut self, series: Accumulating) {
        self.accumulation.accumulating.push(series);
        self.accumulation.accumulating.sort_by(|a, b| a.limit.total_cmp(&b.limit));
    }

    /// Whether a series that has this contact in it goes on from now without being resolved.
    pub(super) fn awaits_end(&self, contact: usize) -> bool {
        let now = self.t();
        let goes_on = |series: &Accumulating| series.since == now;
        self.accumulation.accumulating.iter().any(|s| goes_on(s) && s.contacts.contains(&contact))
    }

    /// A contact that has opened again waits for nothing. Those that take turns are where their series ends.
    pub(super) fn forget_opened(&mut self) {
        let mode = &self.mode;
        self.accumulation.accumulating.retain(|series| match series.contacts.as_slice() {
            [contact] => mode.is_closed(*contact),
            _ => true,
        });
    }

    /// The base point is at the end of the next series.
    pub(super) fn accumulate(&mut self) -> Result<(), End> {
        let Accumulating { contacts, ratio, impacts, height, duration, .. } =
            self.accumulation.accumulating.remove(0);
        let Some((&contact, others)) = contacts.split_first() else { return Ok(()) };
        let others = others.to_vec();
        let kind = EventKind::Accumulation { contact, others, ratio, impacts, height, duration };
        let state = self.flow.base.state();
        self.record(kind, &state)?;
        // What is left is rounding of the speeds with which its contacts closed.
        self.stop()?;
        self.laws.probe.begin();
        self.rest();
        Ok(())
    }
}
