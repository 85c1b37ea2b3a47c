//! Steps to the directions of friction in planes, along which forces move what they oppose.
//!
//! ```text
//! u ← unit(μ λ u + κ ρ s)        0 < κ ≤ 1
//! ```
//!
//! whose fixed points are the u with the slip s, or its rate, along u, whatever κ. Where s turns with u by more than u does whole
//! steps go to and fro about it: κ is halved where one turns back by more than half of the one before. At some fixed points s is
//! against u: from the opposite direction they are tried once more.

use crate::friction::slip_state::unit;
use crate::linear::linalg::dot;

/// Steps to a direction.
pub(in crate::hybrid) const DIRECTIONS_MAX: usize = 2000;

/// A direction that changes by less has been found.
const SAME_DIRECTION: f64 = 1e-15;

/// A direction is found to this part of its length at least.
const KNOWN_DIRECTION: f64 = 1e-10;

/// The least κ.
const PART_MIN: f64 = 1e-3;

/// ρ of a row that vanishes is infinite: s alone tells.
const INERTIA_MAX: f64 = 1e200;

/// s is against u beyond this part of μ λ/ρ.
const AGAINST: f64 = 1e-6;

/// Steps to directions.
pub(in crate::hybrid) struct Steps {
    /// κ.
    part: f64,
    /// The length of the last one, and of the shortest, as parts of κ.
    last: f64,
    least: f64,
    /// How all directions move, and how they did before.
    moves: Vec<f64>,
    before: Vec<f64>,
    /// Whether some s is against its u, and whether these are to be turned round: at one step in all.
    is_against: bool,
    turns_round: Option<bool>,
}

impl Steps {
    pub(in crate::hybrid) fn new() -> Self {
        Self {
            part: 1.0,
            last: 0.0,
            least: f64::INFINITY,
            moves: Vec::new(),
            before: Vec::new(),
            is_against: false,
            turns_round: None,
        }
    }

    /// A step of u for μ λ, ρ, and a slip or its rate s.
    pub(in crate::hybrid) fn turn(
        &mut self,
        u: &mut Vec<f64>,
        (strength, inertia): (f64, f64),
        slip: &[f64],
    ) {
        let is_against = inertia * dot(u, slip) < -AGAINST * strength;
        self.is_against |= is_against;
        let inertia = (self.part * inertia).min(INERTIA_MAX);
        let pull = u.iter().zip(slip).map(|(u, s)| strength * u + inertia * s);
        let next = if is_against && self.turns_round == Some(true) {
            u.iter().map(|u| -u).collect()
        } else {
            unit(&pull.collect::<Vec<_>>())
        };
        self.moves.extend(next.iter().zip(u.iter()).map(|(next, u)| next - u));
        *u = next;
    }

    /// Whether the step of all directions is the last; none where it leads nowhere.
    pub(in crate::hybrid) fn have_ended(&mut self) -> Option<bool> {
        let moved = self.moves.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        if !self.moves.iter().all(|by| by.is_finite()) {
            return None;
        }
        let change = moved / self.part;
        let settled = change >= self.least && change <= KNOWN_DIRECTION && moved <= SAME_DIRECTION;
        self.least = self.least.min(change);
        let turns_back = dot(&self.moves, &self.before) < 0.0 && change > 0.5 * self.last;
        if turns_back && self.part > PART_MIN {
            self.part *= 0.5;
        }
        self.last = change;
        std::mem::swap(&mut self.moves, &mut self.before);
        self.moves.clear();
        let ended = change <= SAME_DIRECTION || settled;
        let is_against = std::mem::take(&mut self.is_against);
        if ended && is_against && self.turns_round.is_none() {
            *self = Self { turns_round: Some(true), ..Self::new() };
            return Some(false);
        }
        self.turns_round = self.turns_round.map(|_| false);
        Some(ended)
    }

    /// Whether directions are known well enough though steps have not ended.
    pub(in crate::hybrid) fn have_come_near(&self) -> bool {
        self.least <= KNOWN_DIRECTION
    }
}
