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
//! It is entered as soon as the next period has a flight that cannot be resolved, shorter than 64 ε|t| or
//! with a gap of at most 64 ρ, and none is higher than some of these. From there on the contacts touch, and those stay closed that press (`settle`). At t∞
//! an event says so, with all of them.

use super::automaton::{Automaton, no_metric};
use super::impacts::restitution;
use super::instant::Touching;
use super::zeno::{Accumulating, FLIGHT_CHANGE, Flight, GAP_ROUNDING, RATIO_MARGIN, TIME_ROUNDING};
use crate::end::End;
use std::collections::VecDeque;

/// Periods in a row that fall by one ratio.
const PERIODS: usize = 3;

/// The longest period that is looked for.
const PERIOD_MAX: usize = 16;

/// Impacts that are kept.
const KEPT: usize = 256;

/// The gap of a flight between two contacts is known from its rate and its length to this factor.
const GAP_KNOWN: f64 = 4.0;

/// No flight that is left out is higher than so many of those that cannot be resolved.
const REST: f64 = 16.0;

/// Where flights are longer than so many of those that cannot be resolved nothing is looked for.
const FAR: f64 = 1e5;

/// The last impacts of all contacts, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns {
    impacts: VecDeque<Turn>,
}

/// An impact.
#[derive(Debug, Clone, Copy)]
struct Turn {
    contact: usize,
    t: f64,
    minus: f64,
    plus: f64,
}

/// A period that repeats.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Period {
    /// The contacts, the last struck first.
    contacts: Vec<usize>,
    /// ρ and r.
    ratio: f64,
    shrinking: f64,
    /// τ of the last one.
    duration: f64,
    /// Its shortest flight, and the gap of each contact, where flights have a length.
    shortest: f64,
    gaps: Vec<(usize, f64)>,
    /// Impacts that repeat.
    impacts: usize,
}

impl Turns {
    /// Takes an impact at t with ġ⁻ and ġ⁺.
    pub(super) fn follow(&mut self, contact: usize, t: f64, minus: f64, plus: f64) {
        if self.impacts.len() == KEPT {
            self.impacts.pop_front();
        }
        self.impacts.push_back(Turn { contact, t, minus, plus });
    }

    pub(super) fn clear(&mut self) {
        self.impacts.clear();
    }

    /// The last flight, and ġ⁺ of it.
    fn last_flight(&self) -> Option<(f64, f64)> {
        let [before, last] = [self.impacts.len().checked_sub(2)?, self.impacts.len() - 1];
        Some((self.impacts[last].t - self.impacts[before].t, self.impacts[before].plus))
    }

    /// The shortest period in which the last impacts repeat.
    fn period(&self) -> Option<Period> {
        let longest = PERIOD_MAX.min(self.impacts.len() / (PERIODS + 1));
        (2..=longest).find_map(|p| self.period_of(p))
    }

    fn period_of(&self, p: usize) -> Option<Period> {
        let turns = &self.impacts;
        let (end, last) = (turns.len(), turns.len() - 1);
        let near = |a: f64, b: f64, change: f64| (a - b).abs() <= change * b.abs();
        if !(end - PERIODS * p..end).all(|i| turns[i].contact == turns[i - p].contact) {
            return None;
        }
        let falls_by = |i: usize| turns[i].minus / turns[i - p].minus;
        let ratio = mean((end - PERIODS * p..end).map(falls_by));
        let repeats = |i: usize| near(falls_by(i), ratio, FLIGHT_CHANGE);
        let durations: Vec<f64> =
            (0..PERIODS).map(|k| turns[last - k * p].t - turns[last - (k + 1) * p].t).collect();
        let shrinking = mean(durations.windows(2).map(|d| d[0] / d[1]));
        let falls = durations.windows(2).all(|d| near(d[0] / d[1], shrinking, FLIGHT_CHANGE));
        let ends = ratio < 1.0 - RATIO_MARGIN && shrinking < 1.0 - RATIO_MARGIN;
        if !(ends && falls && (end - PERIODS * p..end).all(repeats)) {
            return None;
        }
        let mut contacts: Vec<usize> = Vec::new();
        for i in (end - p..end).rev() {
            if !contacts.contains(&turns[i].contact) {
                contacts.push(turns[i].contact);
            }
        }
        let flights = (end - p..end).map(|i| (turns[i - 1], turns[i].t - turns[i - 1].t));
        let flights: Vec<(Turn, f64)> = flights.filter(|flight| flight.1 > 0.0).collect();
        let gap = |(turn, flight): &(Turn, f64)| (turn.contact, 0.5 * turn.plus * flight);
        let repeating = (p..end).rev().take_while(|i| turns[*i].contact == turns[*i - p].contact);
        (contacts.len() > 1).then(|| Period {
            contacts,
            ratio,
            shrinking,
            duration: durations[0],
            shortest: flights.iter().map(|flight| flight.1).fold(f64::INFINITY, f64::min),
            gaps: flights.iter().map(gap).filter(|gap| gap.1 > 0.0).collect(),
            impacts: p + repeating.count(),
        })
    }
}

/// The mean of some numbers.
fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}

impl Period {
    /// What is still to come after its last impact.
    fn rest(&self) -> f64 {
        self.duration * self.shrinking / (1.0 - self.shrinking)
    }

    /// The series whose end is to come.
    fn accumulating(&self, t: f64) -> Accumulating {
        let height = self.gaps.iter().map(|gap| gap.1).fold(0.0, f64::max);
        Accumulating {
            limit: t + self.rest(),
            since: t,
            contacts: self.contacts.clone(),
            ratio: self.ratio,
            impacts: self.impacts,
            height: height * self.shrinking * self.ratio,
            duration: self.rest(),
        }
    }
}

impl Automaton<'_> {
    /// Whether contacts take turns so fast that the end of it may be near.
    pub(super) fn take_turns(&self) -> bool {
        let Some((flight, rate)) = self.accumulation.turns.last_flight() else { return false };
        let short = flight <= FAR * TIME_ROUNDING * f64::EPSILON * self.t().abs();
        let contacts = &self.events.roundings[..self.accumulation.series.len()];
        let rounding = contacts.iter().copied().fold(0.0, f64::max);
        (short || rate * flight <= FAR * GAP_ROUNDING * rounding)
            && self.accumulation.turns.period().is_some()
    }

    /// The period of contacts that take turns, the next of which has a flight that cannot be resolved.
    fn unresolved_turns(&self) -> Option<Period> {
        let period = self.accumulation.turns.period()?;
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

    /// Impacts have been made: where contacts have taken turns until it cannot be resolved any more, v
    /// becomes v∞, and they touch.
    pub(super) fn complete_turns(&mut self, touching: &mut Touching) -> Result<(), End> {
        let Some(period) = self.unresolved_turns() else { return Ok(()) };
        let mut contacts = period.contacts.clone();
        for &contact in &contacts {
            if !self.is_armed(contact) || restitution(self.law(contact)).is_none() {
                return Ok(());
            }
        }
        for contact in touching.contacts().filter(|contact| !period.contacts.contains(contact)) {
            let gap = touching.widened(self.gap_rate(contact)?);
            if gap.rate.abs() <= gap.tolerance {
                contacts.push(contact);
            }
        }
        let (t, state) = (self.t(), self.flow.base.state());
        self.laws.collision.load(self.system, t, &state.q).map_err(|error| no_metric(t, error))?;
        let speed = self.laws.probe.speed();
        let limit = self.laws.collision.limit(&state.v, &contacts, touching.widening(), speed);
        let Some(hits) = limit else { return Ok(()) };
        let v = self.laws.collision.velocity().to_vec();
        if hits.iter().any(|hit| hit.is_struck) {
            self.take_hits(hits, &v, touching)?;
        } else {
            self.flow.jump(&state.q, &v).map_err(|stuck| stuck.end(t))?;
            self.records.jumps += 1;
        }
        period.contacts.iter().for_each(|&contact| touching.at_zero[contact] = true);
        touching.pushed.extend(&period.contacts);
        self.await_end(period.accumulating(t));
        self.accumulation.turns.clear();
        Ok(())
    }

    /// What is to come after a flight that cannot be resolved, where the contact takes turns with others
    /// that are closed.
    pub(super) fn turns_of(&self, contact: usize, flight: Flight) -> Option<Accumulating> {
        let period = self.accumulation.turns.period()?;
        let is_closed = |other: &usize| self.mode.is_closed(*other);
        if !period.contacts.contains(&contact) || !period.contacts.iter().all(is_closed) {
            return None;
        }
        Some(Accumulating { height: flight.height, ..period.accumulating(self.t()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Impacts of these contacts, with flights that fall by r a period, and rates by ρ.
    fn turns(contacts: &[usize], impacts: usize, [r, ρ]: [f64; 2]) -> Turns {
        let (p, mut turns, mut t) = (contacts.len() as f64, Turns::default(), 0.0);
        for i in 0..impacts {
            let part = i as f64 / p;
            t += r.powf(part);
            let rate = ρ.powf(part);
            turns.follow(contacts[i % contacts.len()], t, -rate, 0.5 * rate);
        }
        turns
    }

    #[test]
    fn a_period_has_two_ratios_and_a_limit() {
        for (contacts, [r, ρ]) in
            [(vec![0, 1], [0.25, 0.5]), (vec![2, 0, 1], [0.1, 0.9]), (vec![0, 1, 2, 1], [0.7, 0.7])]
        {
            let p = contacts.len();
            let made = turns(&contacts, 5 * p, [r, ρ]);
            let found = made.period().expect("a period");
            let mut known = found.contacts.clone();
            known.sort_unstable();
            assert_eq!(known, (0..=*contacts.iter().max().unwrap()).collect::<Vec<_>>());
            assert!((found.ratio - ρ).abs() < 1e-12 && (found.shrinking - r).abs() < 1e-12);
            // Σ of all flights is 1/(1 − r^(1/p)).
            let limit = made.impacts.back().unwrap().t + found.rest();
            assert!((limit - (1.0 - r.powf(1.0 / p as f64)).recip()).abs() < 1e-12);
            assert_eq!(found.impacts, 5 * p);
        }
    }

    #[test]
    fn what_does_not_fall_or_does_not_repeat_has_none() {
        assert_eq!(turns(&[0, 1], 40, [0.5, 1.0]).period(), None, "rates stay");
        assert_eq!(turns(&[0, 1], 40, [1.0, 0.5]).period(), None, "flights stay");
        assert_eq!(turns(&[0, 1], 7, [0.5, 0.5]).period(), None, "too few");
        assert_eq!(turns(&[0, 0], 40, [0.5, 0.5]).period(), None, "one contact alone");
        let mut other = turns(&[0, 1], 40, [0.5, 0.5]);
        other.follow(1, 100.0, -1.0, 1.0);
        assert_eq!(other.period(), None, "the order has changed");
    }
}
