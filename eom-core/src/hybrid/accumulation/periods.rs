//! The last impacts of all contacts, and the shortest period in which they repeat with rates that fall by one ratio, and
//! flights by one, or faster.

use super::flight::{Accumulating, FLIGHT_CHANGE, RATIO_MARGIN};
use crate::snapshot::words::value;
use std::collections::VecDeque;

/// Periods in a row that fall by one ratio.
const PERIODS: usize = 3;

/// Where flights have no length of their own, as between balls of which each is pushed against the next, a period takes ever
/// smaller a part of the one before: at most this part of the part before. Rates fall by one ratio in so many periods.
const GATHERING: f64 = 0.5;
const GATHERED: usize = 2;

/// The longest period that is looked for.
const PERIOD_MAX: usize = 16;

/// Impacts that are kept.
const KEPT: usize = 256;

/// The last impacts of all contacts, in their order.
#[derive(Debug, Clone, Default)]
pub(in crate::hybrid) struct Periods {
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
pub(in crate::hybrid) struct Period {
    /// The contacts, the last struck first.
    pub(in crate::hybrid) contacts: Vec<usize>,
    /// ρ and r.
    pub(in crate::hybrid) ratio: f64,
    pub(super) shrinking: f64,
    /// That of the next one: r too, where it is one ratio.
    next: f64,
    /// τ of the last one.
    duration: f64,
    /// Its shortest flight, and the gap of each contact, where flights have a length.
    pub(in crate::hybrid) shortest: f64,
    pub(in crate::hybrid) gaps: Vec<(usize, f64)>,
    /// Impacts that repeat.
    impacts: usize,
}

impl Periods {
    /// Takes an impact at t with ġ⁻ and ġ⁺.
    pub(in crate::hybrid) fn follow(&mut self, contact: usize, t: f64, minus: f64, plus: f64) {
        if self.impacts.len() == KEPT {
            self.impacts.pop_front();
        }
        self.impacts.push_back(Turn { contact, t, minus, plus });
    }

    pub(in crate::hybrid) fn clear(&mut self) {
        self.impacts.clear();
    }

    /// The last flight, and ġ⁺ of it.
    pub(super) fn last_flight(&self) -> Option<(f64, f64)> {
        let [before, last] = [self.impacts.len().checked_sub(2)?, self.impacts.len() - 1];
        Some((self.impacts[last].t - self.impacts[before].t, self.impacts[before].plus))
    }

    /// The shortest period in which the last impacts repeat.
    pub(in crate::hybrid) fn period(&self) -> Option<Period> {
        let longest = PERIOD_MAX.min(self.impacts.len() / (PERIODS + 1));
        (2..=longest).find_map(|p| self.period_of(p))
    }

    /// The last four impacts where two contacts take turns, with flights and rates that fall: by no ratio that is told.
    pub(in crate::hybrid) fn pair(&self) -> Option<Period> {
        let first = self.impacts.len().checked_sub(4)?;
        let [a, b, c, d] = std::array::from_fn(|i| self.impacts[first + i]);
        let alternate = a.contact == c.contact && b.contact == d.contact && a.contact != b.contact;
        let ratio = (c.minus / a.minus).max(d.minus / b.minus);
        let shrinking = (d.t - c.t) / (b.t - a.t);
        let gap = |turn: Turn, next: Turn| (turn.contact, -0.5 * turn.minus * (next.t - turn.t));
        (alternate && ratio < 1.0 && shrinking < 1.0).then(|| Period {
            contacts: vec![d.contact, c.contact],
            ratio,
            shrinking,
            next: shrinking,
            duration: d.t - b.t,
            shortest: (d.t - c.t).min(c.t - b.t),
            gaps: vec![gap(b, c), gap(c, d)],
            impacts: 0,
        })
    }

    fn period_of(&self, p: usize) -> Option<Period> {
        let turns = &self.impacts;
        let (end, last) = (turns.len(), turns.len() - 1);
        let near = |a: f64, b: f64, change: f64| (a - b).abs() <= change * b.abs();
        if !(end - PERIODS * p..end).all(|i| turns[i].contact == turns[i - p].contact) {
            return None;
        }
        let falls_by = |i: usize| turns[i].minus / turns[i - p].minus;
        let durations: Vec<f64> =
            (0..PERIODS).map(|k| turns[last - k * p].t - turns[last - (k + 1) * p].t).collect();
        let shrinks: Vec<f64> = durations.windows(2).map(|d| d[0] / d[1]).collect();
        // The last first: of what falls faster and faster the first ratio is the most that is still to come.
        let gathers = shrinks.windows(2).all(|s| s[0] < GATHERING * s[1]);
        let shrinking = if gathers { shrinks[0] } else { mean(shrinks.iter().copied()) };
        let falls = gathers || shrinks.iter().all(|s| near(*s, shrinking, FLIGHT_CHANGE));
        // What forces do in such flights is gone sooner: the last periods tell the ratio of the rates.
        let told = end - if gathers { GATHERED } else { PERIODS } * p;
        let ratio = mean((told..end).map(falls_by));
        let repeats = |i: usize| near(falls_by(i), ratio, FLIGHT_CHANGE);
        let ends = ratio < 1.0 - RATIO_MARGIN && shrinking < 1.0 - RATIO_MARGIN;
        if !(ends && falls && (told..end).all(repeats)) {
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
        // It leaves zero with ġ⁺, of a plastic impact 0, and comes back with the next ġ⁻.
        let rate = |turn: &Turn| turn.plus.max(-ratio * turn.minus);
        let gap = |(turn, flight): &(Turn, f64)| (turn.contact, 0.5 * rate(turn) * flight);
        let repeating = (p..end).rev().take_while(|i| turns[*i].contact == turns[*i - p].contact);
        (contacts.len() > 1).then(|| Period {
            contacts,
            ratio,
            shrinking,
            next: if gathers { shrinking * (shrinks[0] / shrinks[1]) } else { shrinking },
            duration: durations[0],
            // Where all of them are at one instant none can be told.
            shortest: flights.iter().map(|flight| flight.1).reduce(f64::min).unwrap_or(0.0),
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
    /// Whether it repeats by ratios, which tell its end.
    pub(in crate::hybrid) fn is_told(&self) -> bool {
        self.impacts > 0
    }

    /// How long the last one took.
    pub(in crate::hybrid) fn duration(&self) -> f64 {
        self.duration
    }

    /// What is still to come after its last impact.
    pub(in crate::hybrid) fn rest(&self) -> f64 {
        self.duration * self.next / (1.0 - self.next)
    }

    /// The series whose end is to come.
    pub(in crate::hybrid) fn accumulating(&self, t: f64) -> Accumulating {
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

value! { Periods { impacts } }

value! { Turn { contact, t, minus, plus }, |it, from| from.contacts(&[it.contact]) }

#[cfg(test)]
mod tests {
    use super::*;

    /// Impacts of these contacts, with flights that fall by r a period, and rates by ρ.
    fn turns(contacts: &[usize], impacts: usize, [r, ρ]: [f64; 2]) -> Periods {
        let (p, mut turns, mut t) = (contacts.len() as f64, Periods::default(), 0.0);
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
