//! The impacts of each contact so far, whether they accumulate, and which accumulations are still to end.

pub(super) mod flight;
pub(super) mod landing;
mod periods;
pub(super) mod rest;
pub(super) mod turns;
mod zeno;

use self::flight::{Accumulating, FLIGHT_CHANGE, Flight, RATIO_MARGIN};
use self::periods::Periods;
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
    /// ġ⁺/|ġ⁻| of the last impact.
    ratio: f64,
    /// |ġ⁻|/ġ⁺ over the last flight: 1 of a parabola, less where dry friction turns or holds in each flight.
    carry: f64,
    flight: f64,
    /// Impacts in a row that agreed with the one before.
    agreeing: usize,
    impacts: usize,
}

impl Series {
    /// Takes an impact at t with ġ⁻ and ġ⁺.
    pub(super) fn follow(&mut self, t: f64, minus: f64, plus: f64) {
        let (ratio, carry, flight) = (plus / -minus, -minus / self.rate_plus, t - self.t);
        let near = |a: f64, b: f64, change: f64| (a - b).abs() <= change * b.abs();
        // Flights that are no parabolas are like one another.
        let is_alike = self.carry.is_finite() && near(carry, self.carry, RATIO_CHANGE);
        let agrees = self.impacts > 0
            && (is_parabolic(carry) || is_alike)
            && near(ratio, self.ratio, RATIO_CHANGE);
        let falls = if is_parabolic(carry) { self.ratio } else { self.ratio * carry };
        // The first flight of a series has none before it.
        let steady = self.impacts < 2 || near(flight, falls * self.flight, FLIGHT_CHANGE);
        let goes_on = agrees && steady;
        self.agreeing = if goes_on { self.agreeing + 1 } else { 0 };
        self.impacts = if goes_on { self.impacts + 1 } else { 1 };
        (self.t, self.rate_plus, self.ratio, self.carry, self.flight) =
            (t, plus, ratio, carry, flight);
    }

    /// The flight before the last impact.
    pub(super) fn last_flight(&self) -> f64 {
        self.flight
    }

    /// What is to come after the flight that cannot be resolved, if the impacts accumulate.
    pub(super) fn accumulates(&self, contact: usize, flight: Flight) -> Option<Accumulating> {
        let Self { t, ratio, agreeing, impacts, .. } = *self;
        // What is like the flight before is as long as that says, a parabola as its height does.
        let (ratio, next) = if is_parabolic(self.carry) {
            (ratio, flight.duration)
        } else {
            let ratio = ratio * self.carry;
            (ratio, ratio * self.flight)
        };
        if agreeing < AGREEING || ratio > 1.0 - RATIO_MARGIN {
            return None;
        }
        let duration = next / (1.0 - ratio);
        let (limit, height) = (t + duration, flight.height);
        let contacts = vec![contact];
        Some(Accumulating { limit, since: t, contacts, ratio, impacts, height, duration })
    }
}

/// Whether a flight that carries this part of ġ⁺ to its end was a parabola.
fn is_parabolic(carry: f64) -> bool {
    (carry - 1.0).abs() <= FLIGHT_CHANGE
}

/// When something was changed that lasts: by the last such impact, and by the last two resets.
#[derive(Debug, Clone)]
pub(super) struct Lasting {
    pub(super) impact: f64,
    pub(super) resets: [f64; 2],
}

impl Default for Lasting {
    fn default() -> Self {
        Self { impact: f64::NEG_INFINITY, resets: [f64::NEG_INFINITY; 2] }
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
    /// What does not fall with them.
    pub(super) lasting: Lasting,
}

impl Accumulation {
    pub(super) fn new(contacts: usize) -> Self {
        let series = vec![Series::default(); contacts];
        Self {
            series,
            periods: Periods::default(),
            accumulating: Vec::new(),
            lasting: Lasting::default(),
        }
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
        self.lasting = Lasting::default();
    }
}

value! { Lasting { impact, resets } }

value! { Series { t, rate_plus, ratio, carry, flight, agreeing, impacts } }

part! { Accumulation { parts: [series], values: [periods, accumulating, lasting], room: [] } }
