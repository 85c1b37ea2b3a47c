//! Accumulating impacts: when a series of bounces is below what can be told, and when it ends.
//!
//! After an impact with ġ⁺ and g̈ < 0 the next flight lasts δ = 2ġ⁺/|g̈| and rises to
//! η = ġ⁺²/(2|g̈|). A series with the ratio r = ġ⁺/|ġ⁻| < 1 and g̈ constant is over at
//!
//! ```text
//! t∞ = t + δ (1 + r + r² + …) = t + δ/(1 − r)
//! ```
//!
//! Where η is within 16ρ of the gap, or δ within 64 ε|t|, its impacts cannot be told apart. A gap that rises
//! far in so short a time may be steep (ln x next to its pole) and no parabola: δ holds where the gap
//! itself has come down again after it, as far as q moves without contacts in that time. If the
//! ratios of the last [`AGREEING`] impacts agreed to [`RATIO_CHANGE`] and their flights to
//! [`FLIGHT_CHANGE`] (the ġ⁻ of an impact is the ġ⁺ of the one before, and flights fall by r), it is
//! an accumulation: the contact is held closed from t on, and at t∞ this is recorded. What is left
//! out is the gap, at most η, for the time t∞ − t. Without such a history, as after a drop from a
//! height within 16ρ, the contact simply closes; where η is more than 10⁶ times that, far from t = 0, the run ends. Contacts that are struck in turn are the matter of `turns`.
//!
//! Where dry friction turns or holds in each flight, these are no parabolas: g̈ is −(g + F) on the way up and −(g − F) on the
//! way down. They are alike: |ġ⁻| is the same part c of the ġ⁺ before, rates and flights fall by c r, and
//!
//! ```text
//! t∞ = t + c r δ′/(1 − c r)          δ′ the flight before
//! ```

use super::flight::{Accumulating, Flight, GAP_ROUNDING, HIGH, TIME_ROUNDING};
use crate::hybrid::automaton::Automaton;
use crate::trajectory::end::End;
use crate::trajectory::event::EventKind;
use eom_elementary::order;

impl Automaton<'_> {
    /// The flight after an impact with ġ⁺ and g̈ = −fall < 0, if it is below what can be told.
    pub(in crate::hybrid) fn unresolved_flight(
        &self,
        contact: usize,
        plus: f64,
        fall: f64,
    ) -> Option<Flight> {
        let (duration, height) = (2.0 * plus / fall, plus * plus / (2.0 * fall));
        let told = GAP_ROUNDING * self.events.roundings[contact];
        let flight = Flight { duration, height, is_high: height > HIGH * told };
        let is_low = flight.height <= told;
        let is_short = flight.duration <= TIME_ROUNDING * f64::EPSILON * self.t().abs();
        (is_low || is_short && self.comes_back(contact, flight)).then_some(flight)
    }

    /// Whether the gap after the duration of a flight is again below half of its height, at q + q̇(v + v̇ δ/2) δ.
    fn comes_back(&self, contact: usize, Flight { duration, height, .. }: Flight) -> bool {
        let (q, v) = self.flow.base.parts();
        let slope = &self.flow.slope()[q.len()..];
        let halfway: Vec<f64> = v.iter().zip(slope).map(|(v, a)| v + 0.5 * duration * a).collect();
        let contacts = self.system.info().contacts.len();
        let (mut rates, mut gaps) = (vec![0.0; q.len()], vec![0.0; contacts]);
        self.system.rates(self.t(), q, &halfway, &mut rates);
        let after: Vec<f64> = q.iter().zip(rates).map(|(q, rate)| q + duration * rate).collect();
        self.system.gaps(self.t() + duration, &after, &mut gaps);
        let risen = gaps[contact] - self.events.values[contact];
        risen.is_nan() || risen <= 0.5 * height
    }

    /// Waits for the end of a series whose contact is closed though it would fly, if there is one: of a contact
    /// that was closed before, only one in which it takes turns. A high flight that is of no series would be lost.
    pub(in crate::hybrid) fn await_accumulation(
        &mut self,
        contact: usize,
        flight: Flight,
        closes: bool,
    ) -> Result<(), End> {
        let alone =
            self.accumulation.series[contact].accumulates(contact, flight).filter(|_| closes);
        let found = alone.or_else(|| self.turns_of(contact, flight));
        if closes {
            self.check_limit(contact, self.accumulation.series[contact].last_flight())?;
        }
        match found {
            Some(found) => self.await_end(Accumulating { since: self.t(), ..found }),
            None if closes && flight.is_high => {
                return Err(End::UndecidedMode { t: self.t(), contacts: Vec::new() });
            }
            None => {}
        }
        Ok(())
    }

    /// Waits for the end of a series.
    pub(super) fn await_end(&mut self, series: Accumulating) {
        self.accumulation.accumulating.push(series);
        order::sort_by(&mut self.accumulation.accumulating, |a, b| a.limit.total_cmp(&b.limit));
    }

    /// Whether a series that has this contact in it goes on from now without being resolved.
    pub(in crate::hybrid) fn awaits_end(&self, contact: usize) -> bool {
        let now = self.t();
        let goes_on = |series: &Accumulating| series.since == now;
        self.accumulation.accumulating.iter().any(|s| goes_on(s) && s.contacts.contains(&contact))
    }

    /// A contact that has opened again waits for nothing. Those that take turns are where their series ends.
    pub(in crate::hybrid) fn forget_opened(&mut self) {
        let mode = &self.mode;
        self.accumulation.accumulating.retain(|series| match series.contacts.as_slice() {
            [contact] => mode.is_closed(*contact),
            _ => true,
        });
    }

    /// The base point is at the end of the next series.
    pub(in crate::hybrid) fn accumulate(&mut self) -> Result<(), End> {
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
