//! Multiple roots: Newton's method comes to them by steps that fall as a geometric sequence.
//!
//! ```text
//! sₖ ≈ r sₖ₋₁,  r = (p − 1)/p of a root of multiplicity p          eₖ = yₖ + sₖ r/(1 − r) is their limit
//! ```
//!
//! The matrix of Newton's method is singular at the root, and what it has beside it is rounding before the steps are: they end
//! at some distance. The limit is as near as |eₖ − eₖ₋₁| tells, which falls by r² a step.

use nalgebra::DVector;

/// r of roots that count twice to about twenty times.
const RATIO: std::ops::RangeInclusive<f64> = 0.4..=0.95;

/// The cosine between steps that go the same way.
const SAME_WAY: f64 = 0.99;

/// Once the matrix has lost the direction of the root, what steps are left are below this part of the way.
const LOST: f64 = 1e-3;

/// A move of more than this many times the way to a limit leads away from it.
const AWAY: f64 = 2.0;

/// The roundings of a step.
const ROUNDINGS: f64 = 16.0;

/// The last steps of Newton's method.
#[derive(Default)]
pub(crate) struct Sequence {
    last: Option<DVector<f64>>,
    beyond: Option<DVector<f64>>,
    limit: Option<Limit>,
}

/// Where steps come to.
#[derive(Clone)]
pub(crate) struct Limit {
    /// From the last place to the limit.
    pub(crate) beyond: DVector<f64>,
    /// How far the limit is known.
    pub(crate) uncertainty: DVector<f64>,
}

impl Sequence {
    /// Takes a step of which a part was made. Near the root steps are rounding, and say nothing against a limit that is known;
    /// one that falls faster than a geometric sequence does.
    pub(crate) fn add(&mut self, step: DVector<f64>, factor: f64) {
        let before = std::mem::take(self);
        self.limit = before.limit.and_then(|limit| limit.after(&step * factor));
        let is_lost = |limit: &Limit| step.norm() <= LOST * limit.beyond.norm();
        if factor < 1.0 || self.limit.as_ref().is_some_and(is_lost) {
            return;
        }
        let ratio = before.last.as_ref().map_or(1.0, |last| step.norm() / last.norm());
        if ratio < *RATIO.start() {
            self.limit = None;
        } else if ratio <= *RATIO.end() && before.last.is_some_and(|last| is_one_way(&last, &step))
        {
            let beyond = &step * (ratio / (1.0 - ratio));
            if let Some(known) = before.beyond {
                let moved = (&step + &beyond - known).abs() / (1.0 - ratio * ratio);
                let rounding = beyond.abs() * (ROUNDINGS * f64::EPSILON / (1.0 - ratio));
                let found = Limit { uncertainty: moved + rounding, beyond: beyond.clone() };
                let is_nearer = |limit: &Limit| limit.uncertainty.norm() < found.uncertainty.norm();
                if !self.limit.as_ref().is_some_and(is_nearer) {
                    self.limit = Some(found);
                }
            }
            self.beyond = Some(beyond);
        }
        self.last = Some(step);
    }

    /// Where the steps come to, if they fall as a geometric sequence.
    pub(crate) fn limit(&self) -> Option<&Limit> {
        self.limit.as_ref()
    }
}

impl Limit {
    /// The same after a move; none where that leads away.
    fn after(self, moved: DVector<f64>) -> Option<Self> {
        let is_near = moved.norm() <= AWAY * self.beyond.norm();
        is_near.then(|| Self { beyond: self.beyond - moved, ..self })
    }
}

fn is_one_way(last: &DVector<f64>, step: &DVector<f64>) -> bool {
    step.dot(last) >= SAME_WAY * last.norm() * step.norm()
}
