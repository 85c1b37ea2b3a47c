//! Impacts that accumulate while contacts take turns: a ball that runs into a wedge, a body that rocks from
//! corner to corner, three balls with e < 7 − 4√3.
//!
//! The contacts of the last impacts repeat with a period of p impacts, c₁ … c_p, of which at least two
//! differ. If its duration τ and all of its rates fall by ratios,
//!
//! ```text
//! τ → r τ      ġ → ρ ġ      r, ρ < 1        t∞ = t + τ (r + r² + …) = t + τ r/(1 − r)
//! ```
//!
//! over [`PERIODS`] periods, to [`FLIGHT_CHANGE`], they accumulate at t∞. With ρ ≥ 1 they
//! come to an end as well, but with rates that do not fall: walls that crush what is between them. That is
//! for the instant to say.
//!
//! **The limit.** An impact of contact i changes v by a multiple of M⁻¹∇gᵢ, and what forces do in the rest of the time
//! falls with r. So v∞ − v is in the span of the M⁻¹∇gᵢ of the period, and ġᵢ = 0 for all of them:
//!
//! ```text
//! v∞ = v − M⁻¹Bᵀ(BM⁻¹Bᵀ)⁻¹(B v + b)        B the rows ∇gᵢ of the period, of what rests, and A
//! ```
//!
//! Where two surfaces meet, and what comes over their seam bounces there a few times in each pass, passes have no ratio: then it is
//! enough that they fall, and no event says when they end.
//!
//! So it is with friction where that is 0 with all slips, of rows that depend on those of B, as in a valley.
//!
//! It is entered as soon as the next period has a flight that cannot be resolved, shorter than 64 ε|t| or
//! with a gap of at most 64 ρ, and none is higher than some of these. From there on the contacts touch, and those stay closed that press (`select_mode`). At t∞
//! an event says so, with all of them.

use super::flight::{Accumulating, Flight, GAP_ROUNDING, TIME_ROUNDING};
use super::periods::Period;
use crate::hybrid::automaton::{Automaton, no_metric};
use crate::hybrid::mode::active_contacts::ActiveContacts;
use crate::trajectory::end::End;

/// The gap of a flight between two contacts is known from its rate and its length to this factor.
const GAP_KNOWN: f64 = 4.0;

/// No flight that is left out is higher than so many of those that cannot be resolved.
const REST: f64 = 16.0;

/// Where flights are longer than so many of those that cannot be resolved nothing is looked for.
const FAR: f64 = 1e5;

impl Automaton<'_> {
    /// Whether contacts take turns so fast that the end of it may be near.
    pub(in crate::hybrid) fn take_turns(&self) -> bool {
        let Some((flight, rate)) = self.accumulation.periods.last_flight() else { return false };
        let short = flight <= FAR * TIME_ROUNDING * f64::EPSILON * self.t().abs();
        let contacts = &self.events.roundings[..self.accumulation.series.len()];
        let rounding = contacts.iter().copied().fold(0.0, f64::max);
        (short || rate * flight <= FAR * GAP_ROUNDING * rounding)
            && self.accumulation.periods.period().is_some()
    }

    /// The period of contacts that take turns, the next of which has a flight that cannot be resolved.
    fn unresolved_turns(&self) -> Option<Period> {
        let at_seam = |pair: &Period| pair.contacts.iter().all(|c| self.is_at_its_end(*c));
        let periods = &self.accumulation.periods;
        let period = periods.period().or_else(|| periods.pair().filter(at_seam))?;
        let next = period.shortest * period.shrinking;
        let falls = period.shrinking * period.ratio;
        let low = |&(contact, gap): &(usize, f64)| {
            gap * falls <= GAP_KNOWN * GAP_ROUNDING * self.events.roundings[contact]
        };
        let unresolved = next <= TIME_ROUNDING * f64::EPSILON * self.t().abs();
        let rest = |&(contact, gap): &(usize, f64)| {
            gap * falls <= REST * GAP_KNOWN * GAP_ROUNDING * self.events.roundings[contact]
        };
        let ends = unresolved || period.gaps.iter().any(low);
        (ends && period.gaps.iter().all(rest)).then_some(period)
    }

    /// Impacts have been made, or come together: where contacts have taken turns until it cannot be resolved any more, v
    /// becomes v∞, and they touch. Whether that is so.
    pub(in crate::hybrid) fn complete_turns(
        &mut self,
        active: &mut ActiveContacts,
    ) -> Result<bool, End> {
        let Some(period) = self.unresolved_turns() else { return Ok(false) };
        let mut contacts = period.contacts.clone();
        for &contact in &contacts {
            let touches = self.is_armed(contact) || self.is_at_its_end(contact);
            if !touches || self.law(contact).restitutions().is_none() {
                return Ok(false);
            }
        }
        for contact in active.contacts().filter(|contact| !period.contacts.contains(contact)) {
            let gap = active.widened(self.gap_rate(contact)?);
            if gap.rate.abs() <= gap.tolerance {
                contacts.push(contact);
            }
        }
        if self.has_contact_friction() && !self.friction_has_no_part(&contacts)? {
            return Ok(false);
        }
        let (t, state) = (self.t(), self.flow.base.state());
        self.check_limit(contacts[0], period.duration())?;
        self.laws.collision.load(self.system, &state).map_err(|error| no_metric(t, error))?;
        let speed = self.laws.probe.speed();
        let limit = self.laws.collision.limit(&state.v, &contacts, active.widening(), speed);
        let Some(hits) = limit else { return Ok(false) };
        let v = self.laws.collision.velocity().to_vec();
        if hits.iter().any(|hit| hit.is_struck) {
            self.take_hits(hits, &v, active)?;
        } else {
            self.flow.jump(&state.q, &v).map_err(|stuck| stuck.end(t))?;
            self.records.jumps += 1;
        }
        period.contacts.iter().for_each(|&contact| active.at_zero[contact] = true);
        active.pushed.extend(&period.contacts);
        self.moment.ended.retain(|contact| !period.contacts.contains(contact));
        if period.is_told() {
            self.await_end(period.accumulating(t));
        }
        self.accumulation.periods.clear();
        Ok(true)
    }

    /// Whether friction of these contacts says nothing of the limit: where no gap moves none of them slips.
    fn friction_has_no_part(&mut self, contacts: &[usize]) -> Result<bool, End> {
        self.load_forces(0.0, &[])?;
        Ok(!self.has_row_friction() && self.laws.forces.tell_slips(contacts))
    }

    /// What is to come after a flight that cannot be resolved, where the contact takes turns with others
    /// that are closed.
    pub(super) fn turns_of(&self, contact: usize, flight: Flight) -> Option<Accumulating> {
        let period = self.accumulation.periods.period()?;
        let is_closed = |other: &usize| self.mode.is_closed(*other);
        if !period.contacts.contains(&contact) || !period.contacts.iter().all(is_closed) {
            return None;
        }
        Some(Accumulating { height: flight.height, ..period.accumulating(self.t()) })
    }
}
