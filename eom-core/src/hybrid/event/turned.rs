//! Guards of declared events that jumps turn back at zero, again and again.
//!
//! A guard that is turned back after ever shorter flights accumulates, and what comes behind the limit is not
//! declared. Where a flight has lasted τ, no longer than the one before, and the next cannot be resolved,
//!
//! ```text
//! τ ≤ 64 ε|t|, or |γ̇| τ ≤ 64 ρ
//! ```
//!
//! as for impacts (`flight`), the run ends. So it does where resets set the guard itself back to its side, by less and less: the one
//! before by |γ̇| τ ≤ 4096 ρ, and this one by no more than is rounding.

use crate::hybrid::accumulation::flight::TIME_ROUNDING;
use crate::snapshot::words::part;

/// No flight of a guard is as low as this, in units of ρ.
const UNRESOLVED: f64 = 64.0;

/// What is set back by less than ρ now was so by at most so many ρ before.
const SET_BACK: f64 = 4096.0;

/// The last time at which the guard of each declared event was turned back, and the flight before it.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Turned {
    at: Vec<f64>,
    flights: Vec<f64>,
}

impl Turned {
    pub(super) fn new(events: usize) -> Self {
        Self { at: vec![f64::NEG_INFINITY; events], flights: vec![f64::INFINITY; events] }
    }

    pub(super) fn rewind(&mut self) {
        self.at.fill(f64::NEG_INFINITY);
        self.flights.fill(f64::INFINITY);
    }

    /// Whether an event has been turned back.
    pub(super) fn has(&self, event: usize) -> bool {
        self.at[event] > f64::NEG_INFINITY
    }

    /// Takes an event that is turned back at t, with γ̇ and ρ. Whether its flights cannot be resolved any more.
    pub(super) fn take(&mut self, event: usize, t: f64, (rate, rounding): (f64, f64)) -> bool {
        let (flight, before) = (t - self.at[event], self.flights[event]);
        (self.at[event], self.flights[event]) = (t, flight);
        let is_short = flight <= TIME_ROUNDING * f64::EPSILON * t.abs();
        flight <= before && (is_short || rate.abs() * flight <= UNRESOLVED * rounding)
    }

    /// Takes an event whose reset has set its guard back by more than rounding, at t.
    pub(super) fn set_back(&mut self, event: usize, t: f64) {
        (self.at[event], self.flights[event]) = (t, t - self.at[event]);
    }

    /// Whether one that was set back shortly before t would be so again by less than its ρ: that has come to an end which is
    /// that of rounding.
    pub(super) fn is_lost(&self, event: usize, t: f64, (rate, rounding): (f64, f64)) -> bool {
        let flight = t - self.at[event];
        flight <= self.flights[event] && rate.abs() * flight <= SET_BACK * rounding
    }
}

part! { Turned {
    parts: [at, flights],
    values: [],
    room: [],
} }
