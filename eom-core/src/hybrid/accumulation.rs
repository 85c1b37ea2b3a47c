//! The impacts of each contact so far, whether they accumulate, and which accumulations are still to end.

use super::flight::{Accumulating, FLIGHT_CHANGE, Flight, RATIO_MARGIN};
use super::periods::Periods;
use crate::snapshot::words::{part, value};

/// Impacts that make a series.
const AGREEING: usize = 3;

/// How much a ratio may change from one impact to the next.
const RATIO_CHANGE: f64 = 1e-2;

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
    pub(super) fn accumulates(&self, contact: usize, flight: Flight) -> Option<Accumulating> {
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
    pub(super) periods: Periods,
    /// Series whose end is to come, by its time.
    pub(super) accumulating: Vec<Accumulating>,
}

impl Accumulation {
    pub(super) fn new(contacts: usize) -> Self {
        let series = vec![Series::default(); contacts];
        Self { series, periods: Periods::default(), accumulating: Vec::new() }
    }

    /// The series go on with an impact at t, with ġ⁻ and ġ⁺.
    pub(super) fn follow(&mut self, contact: usize, t: f64, [minus, plus]: [f64; 2]) {
        self.series[contact].follow(t, minus, plus);
        if self.series.len() > 1 {
            self.periods.follow(contact, t, minus, plus);
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(super) fn rewind(&mut self) {
        self.series.fill(Series::default());
        self.periods.clear();
        self.accumulating.clear();
    }
}

value! { Series { t, rate_plus, ratio, flight, agreeing, impacts } }

part! { Accumulation { parts: [series], values: [periods, accumulating], room: [] } }
