//! The impact of one contact in free flight, by the straight-line code of the system: what
//! `instant`, `impacts` and `select_mode` come to when nothing else touches.
//!
//! ```text
//! v⁺ = v⁻ − (1 + e) ġ⁻ w/(∇g·w)        ġ⁺ = −e ġ⁻
//! ```
//!
//! It is taken where each of the following is plain, and left to the instant otherwise: no contact is
//! closed, and none has friction; the law is told by e > 0; all other gaps are clearly open, and none of them has just been zero; ġ⁻ is clearly negative; the
//! flight after it is clearly resolved, and contacts do not take turns so fast that this may end. There are no declared events, whose guards may jump.

use super::laws::{ImpactRoom, Laws, Rates, TentativeImpact};
use crate::hybrid::automaton::Automaton;
use crate::hybrid::event::{Events, NEAR};
use crate::linear::linalg::dot;
use crate::trajectory::end::End;
use crate::trajectory::event::EventKind;

/// ġ⁻ is clearly negative beyond this part of the terms that it is summed from.
const CLEAR_RATE: f64 = 1e-6;

/// A flight is clearly resolved where it rises to this part of the largest gap of the arc before, and
/// lasts for this part of t.
const CLEAR_FLIGHT: f64 = 1e-6;

/// A dip ġ⁻²/(4·g̈/2) is clearly more than ρ beyond so many of these, by four.
const CLEAR_DIP: f64 = 64.0;

/// It need not be compared with ρ beyond so many roundings of the coordinates times the slopes of the gap.
const FAR_DIP: f64 = 1e6;

impl Automaton<'_> {
    /// The impact of the contact whose guard has just been found to cross, at the base point: v is v⁺ from
    /// here on. None where it is not a plain one: then nothing has changed.
    pub(in crate::hybrid) fn simple_impact(&mut self, contact: usize) -> Option<TentativeImpact> {
        let restitution = self.plain_restitution(contact)?;
        let rates = self.impact_rates(contact, restitution)?;
        let Self { flow, laws: Laws { room, .. }, .. } = self;
        flow.base.copy_to(&mut room.before);
        let change = (rates.plus - rates.minus) / rates.gain;
        flow.apply_impulse(room.direction.iter().map(|w| change * w));
        Some(TentativeImpact { contact, rates })
    }

    /// Whether the flight after an impact is as it has to be; where it is not, all is as before it.
    pub(in crate::hybrid) fn accept_flight(
        &mut self,
        tentative: TentativeImpact,
    ) -> Result<bool, End> {
        let TentativeImpact { contact, rates } = tentative;
        if !self.flies_clear(contact, rates.minus)? {
            self.flow.undo_impulse(&self.laws.room.before);
            return Ok(false);
        }
        self.take(contact, rates)?;
        Ok(true)
    }

    /// e, where the contact is struck alone and nothing else is to be asked.
    fn plain_restitution(&self, contact: usize) -> Option<f64> {
        if self.has_contact_friction() {
            return None;
        }
        let info = self.system.info();
        let law = self.options.law.unwrap_or_else(|| self.system.law(contact));
        let [e, ..] = law.restitutions().filter(|e| e[0] > 0.0 && *e == [e[0]; 3])?;
        let arc = &self.events.arc;
        let mut others = (0..info.contacts.len()).filter(|other| *other != contact);
        let plain = self.mode.is_free()
            && info.events.is_empty()
            && info.contacts.iter().all(|contact| !contact.is_conditional())
            && others.clone().all(|other| arc.exceeds(arc.values[other], NEAR, other))
            && others.all(|other| !self.has_not_left(other, arc.values[other]))
            && !self.take_turns();
        plain.then_some(e)
    }

    /// ġ⁻, ġ⁺ and ∇g·w at the base point.
    fn impact_rates(&mut self, contact: usize, e: f64) -> Option<Rates> {
        let t = self.t();
        let Self { system, flow, laws: Laws { room, .. }, .. } = self;
        let (q, v) = flow.base.parts();
        let ImpactRoom { gradient, direction, .. } = room;
        let strike = system.impact_direction(contact, t, q, gradient, direction)?;
        let size: f64 = gradient.iter().zip(v).map(|(g, v)| (g * v).abs()).sum();
        let minus = dot(gradient, v) + strike.rate;
        let clear = -minus > CLEAR_RATE * (size + strike.rate.abs());
        let finite = strike.gain > 0.0 && direction.iter().all(|w| w.is_finite());
        (clear && finite).then_some(Rates { minus, plus: -e * minus, gain: strike.gain })
    }

    /// Whether the flight after the impact is clearly resolved, by the series at its start; where the gap would have come back
    /// by itself, whether its dip ġ⁻²/(2g̈) is.
    fn flies_clear(&mut self, contact: usize, minus: f64) -> Result<bool, End> {
        let t = self.t();
        let Self { flow, events: Events { arc, guards, .. }, laws: Laws { room, .. }, .. } = self;
        flow.expand().map_err(|stuck| stuck.end(t))?;
        let [rate, half] = flow.observed_rates(contact);
        if half >= 0.0 {
            // Most dips are of the size of the gap's own way, and far beyond the roundings of q.
            let dip = 0.25 * minus * minus / half;
            let slopes: f64 = room.gradient.iter().map(|g| g.abs()).sum();
            let largest = flow.base.parts().0.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
            let is_far = dip > FAR_DIP * f64::EPSILON * slopes * largest;
            if half == 0.0 || is_far && arc.exceeds(dip, CLEAR_FLIGHT, contact) {
                return Ok(rate > 0.0);
            }
            let y = &flow.base.y;
            arc.measure(flow, y, y);
            let rounding = guards.spread(contact, t, y, arc.uncertainties());
            return Ok(rate > 0.0 && minus * minus > CLEAR_DIP * half * rounding);
        }
        // g = ġ s + g̈ s²/2 is largest at s = −ġ/g̈.
        let (height, duration) = (-0.25 * rate * rate / half, -rate / half);
        let high = arc.exceeds(height, CLEAR_FLIGHT, contact);
        Ok(rate > 0.0 && high && duration > CLEAR_FLIGHT * t.abs())
    }

    /// Counts and records the impact; the contact leaves.
    fn take(&mut self, contact: usize, rates: Rates) -> Result<(), End> {
        let Rates { minus, plus, gain } = rates;
        let before = std::mem::take(&mut self.laws.room.before);
        self.events.values.copy_from_slice(&self.events.arc.values);
        for other in 0..self.events.values.len() {
            self.events.guards.set_leaving(other, false);
        }
        self.events.guards.leave(contact, self.events.values[contact]);
        self.accumulation.follow(contact, before.t, [minus, plus]);
        self.records.jumps += 1;
        self.records.stats.impacts += 1;
        let kind = EventKind::Impact {
            contact,
            rate_minus: minus,
            rate_plus: plus,
            impulse: (plus - minus) / gain,
            dropped: Vec::new(),
            others: Vec::new(),
        };
        let outcome = self.record(kind, &before);
        self.laws.room.before = before;
        outcome
    }
}
