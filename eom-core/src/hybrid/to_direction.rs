//! Steps to the direction of a friction in a plane, along which forces move what they oppose.

use crate::slip_state::unit;

/// Steps to a direction.
pub(super) const DIRECTIONS_MAX: usize = 2000;

/// A direction that changes by less has been found.
const SAME_DIRECTION: f64 = 1e-15;

/// A direction is found to this part of its length at least.
const KNOWN_DIRECTION: f64 = 1e-10;

/// u ← unit(μ λ u + ρ s) for μ λ, ρ, and a slip or its rate s; how far u has moved.
pub(super) fn step(u: &mut Vec<f64>, (strength, inertia): (f64, f64), slip: &[f64]) -> f64 {
    let pull = u.iter().zip(slip).map(|(u, s)| strength * u + inertia * s);
    let next = unit(&pull.collect::<Vec<_>>());
    let moved = next.iter().zip(u.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    *u = next;
    moved
}

/// Steps to directions.
pub(super) struct Steps {
    /// The shortest.
    least: f64,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self { least: f64::INFINITY }
    }

    /// Whether a step of this length is the last; none where it leads nowhere.
    pub(super) fn have_ended(&mut self, change: f64) -> Option<bool> {
        if !change.is_finite() {
            return None;
        }
        let settled = change >= self.least && change <= KNOWN_DIRECTION * KNOWN_DIRECTION.sqrt();
        self.least = self.least.min(change);
        Some(change <= SAME_DIRECTION || settled)
    }

    /// Whether directions are known well enough though steps have not ended.
    pub(super) fn have_come_near(&self) -> bool {
        self.least <= KNOWN_DIRECTION
    }
}
