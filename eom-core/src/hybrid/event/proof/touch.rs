//! A guard that comes to zero and goes back to its side: by a kink, a cusp, or flat.
//!
//! Bounds say where it may be zero, and no halving says more. There the guard itself is asked, along the polynomial of the
//! step: where it is least, and whether it is beyond ±ρ before and behind. It comes to within ±ρ, and leaves for
//!
//! ```text
//! the side that it came from         it touches: none of zero, one and two roots can be told from the others
//! the other side                     it crosses
//! ```
//!
//! So it is with a root at which the step has been cut: one that was found on a polynomial which goes on through zero may be
//! that of a guard which does not.

use super::verdict::{Guarded, Least, ROUNDINGS};
use super::{Part, Proof, Proven};
use crate::hybrid::event::arc::MISMATCHES;
use crate::hybrid::event::guards::Guards;

/// Evaluations that place the least value on a part.
const EVALUATIONS: u32 = 60;

/// 1 − 1/φ.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// A guard that comes to zero has been off it by so many ρ, and is so again.
const OFF: f64 = 8.0;

/// How far behind a root is looked, as parts of it: from the first on, each so many times the one before.
const BEHIND: f64 = 4.0 * f64::EPSILON;
const FARTHER: f64 = 4.0;
const LOOKS: i32 = 20;

impl Proof<'_> {
    /// A guard at a part of the step, times the side on which it was.
    fn on_polynomial(&mut self, guards: &mut Guards<'_>, (guard, σ): (usize, f64), s: f64) -> f64 {
        let Self { step, point, values, .. } = self;
        step.state(s, point);
        guards.values(step.time(s), point, values);
        σ * values[guard]
    }

    /// ρ of a guard at a part of the step.
    fn rounding_at(
        &mut self,
        guards: &mut Guards<'_>,
        guard: usize,
        s: f64,
        uncertainties: &[f64],
    ) -> f64 {
        let Self { step, point, .. } = self;
        step.state(s, point);
        guards.spread(guard, step.time(s), point, uncertainties)
    }

    /// What a guard is rounded by within itself at a part of the step.
    fn noise_at(&mut self, guard: usize, s: f64) -> f64 {
        let (t, point) = (self.step.time(s), std::mem::take(&mut self.point));
        let mut y = point;
        self.step.state(s, &mut y);
        let width = self.width(guard, t, &y);
        self.point = y;
        width
    }

    /// Where a guard is least on a part that no halving decides, by golden sections; `near` is ρ at its end.
    pub(super) fn least(
        &mut self,
        guards: &mut Guards<'_>,
        (guard, σ): (usize, f64),
        (Part { a, b, .. }, near): (Part, f64),
        uncertainties: &[f64],
    ) -> Least {
        let [mut low, mut high] = [a, b];
        let at = |low: f64, high: f64, part: f64| low + part * (high - low);
        let [mut left, mut right] = [at(a, b, GOLDEN), at(a, b, 1.0 - GOLDEN)];
        let mut sides = [left, right].map(|s| self.on_polynomial(guards, (guard, σ), s));
        for _ in 0..EVALUATIONS {
            if sides[0] <= sides[1] {
                (high, right, sides[1]) = (right, left, sides[0]);
                left = at(low, high, GOLDEN);
                sides[0] = self.on_polynomial(guards, (guard, σ), left);
            } else {
                (low, left, sides[0]) = (left, right, sides[1]);
                right = at(low, high, 1.0 - GOLDEN);
                sides[1] = self.on_polynomial(guards, (guard, σ), right);
            }
        }
        let [s, value] = if sides[0] <= sides[1] { [left, sides[0]] } else { [right, sides[1]] };
        // A gap has no row at a kink.
        let rounding = self.rounding_at(guards, guard, s, uncertainties);
        let rounding = if rounding.is_finite() { rounding } else { near };
        let rounding = rounding.max(self.noise_at(guard, s));
        match value {
            _ if value > rounding => Least::Off,
            _ if value < -rounding => Least::Dips { s },
            _ => Least::Zero { s, value: σ * value, rounding },
        }
    }

    /// What is known of a guard at the end of a part, on which it did not cross: whether it has come to zero, or has gone back
    /// from there.
    pub(super) fn look_back(&mut self, guard: usize, b: f64, guarded: &Guarded) -> Option<Proven> {
        let Guarded { side, ends, rounding, is_last, .. } = *guarded;
        let has_passed = self.next[guard].sign != side.sign;
        if side.sign == 0.0 || side.leaving || has_passed {
            (self.off[guard], self.touching[guard]) = (false, None);
            return None;
        }
        let [from, to] = ends.map(|value| side.sign * value);
        let is_near = to.abs() <= ROUNDINGS * rounding;
        let rounding = if is_near { rounding.max(self.noise_at(guard, b)) } else { rounding };
        if to < -rounding {
            (self.off[guard], self.touching[guard]) = (false, None);
        } else if to > OFF * rounding {
            self.off[guard] = true;
            let (s, value, rounding) = self.touching[guard].take()?;
            return Some(Proven::Touches { guard, s, value, rounding });
        } else {
            self.off[guard] |= from > OFF * rounding;
            let comes = self.off[guard] && to <= rounding && !is_last;
            if comes && self.touching[guard].is_none() {
                self.touching[guard] = Some((b, ends[1], rounding));
            }
        }
        None
    }

    /// Whether a guard goes through zero at its root, where the step has been cut: bounds may not say so.
    pub(super) fn check_root(
        &mut self,
        guards: &mut Guards<'_>,
        guard: usize,
        (guarded, root): (&Guarded, f64),
        uncertainties: &[f64],
    ) -> Option<Proven> {
        let σ = guarded.side.sign;
        let is_certain = σ == 0.0 || guarded.side.leaving || guarded.falls_for_certain();
        if is_certain { None } else { self.goes_back(guards, (guard, σ), root, uncertainties) }
    }

    /// Whether a guard goes back to its side behind its root: what it is there, and its ρ. The polynomial of a step that was made
    /// to its end is off the step that ends at the root: what it has there tells by how much.
    fn goes_back(
        &mut self,
        guards: &mut Guards<'_>,
        (guard, σ): (usize, f64),
        root: f64,
        uncertainties: &[f64],
    ) -> Option<Proven> {
        let rounding = self.rounding_at(guards, guard, root, uncertainties);
        let rounding = rounding.max(self.noise_at(guard, root));
        let at_root = self.on_polynomial(guards, (guard, σ), root);
        let mismatch = (at_root - σ * self.ends[1][guard]).abs();
        let told = ROUNDINGS * rounding + MISMATCHES * mismatch;
        for look in 0..LOOKS {
            let s = root * (1.0 + BEHIND * FARTHER.powi(look));
            let behind = self.on_polynomial(guards, (guard, σ), s);
            if behind.abs() > told {
                let value = σ * at_root;
                let touches = Proven::Touches { guard, s: root, value, rounding };
                return (behind > 0.0).then_some(touches);
            }
        }
        None
    }
}
