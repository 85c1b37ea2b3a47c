//! What an impact with friction has led to: a velocity that rests, outcomes that differ, energy, who was struck.

use super::rough_impact::{Outcome, RoughImpact, Struck};
use crate::event::Hit;
use crate::impact::STOPPED;

/// An energy that grows by more than this part has grown.
const GAIN_TOLERANCE: f64 = 1e-12;

/// Velocities after an impact are the same where they differ by less than this part.
const SAME_VELOCITY: f64 = 1e-6;

impl RoughImpact<'_> {
    /// A velocity, or zero where it is rounding and nothing moves by itself.
    pub(super) fn at_rest_or(&mut self, velocity: Vec<f64>) -> Vec<f64> {
        let small = self.rows.norm(&velocity) <= STOPPED * f64::EPSILON * self.speed;
        let rest = small && self.is_fixed();
        if rest { vec![0.0; velocity.len()] } else { velocity }
    }

    /// Whether neither constraints, nor gaps, nor surfaces move by themselves.
    fn is_fixed(&self) -> bool {
        let contacts: Vec<usize> = self.struck.iter().map(|struck| struck.contact).collect();
        let still = |term: usize| {
            let slips = self.slip(term, &vec![0.0; self.before.len()]);
            slips
                .iter()
                .all(|s| s.abs() <= self.terms.rounding(term, self.before, self.terms.w(term)))
        };
        let terms = contacts.iter().flat_map(|contact| self.terms.of_contact(*contact));
        let mut terms = terms.chain(self.terms.of_rows());
        self.rows.are_fixed(&contacts) && terms.all(still)
    }

    /// Whether the velocities of two outcomes are not the same.
    pub(super) fn differ(&mut self, one: &Outcome, other: &Outcome) -> bool {
        let change = one.velocity.iter().zip(&other.velocity).map(|(a, b)| a - b);
        let change: Vec<f64> = change.collect();
        self.rows.norm(&change) > SAME_VELOCITY * self.speed
    }

    /// Whether the normal impulses of two outcomes are not the same.
    pub(super) fn press_otherwise(&mut self, one: &Outcome, other: &Outcome) -> bool {
        let pairs = one.impulses.iter().zip(&other.impulses);
        self.struck.iter().zip(pairs).any(|(struck, (one, other))| {
            let size = self.speed / self.rows.mobility(struck.contact).sqrt();
            (one - other).abs() > SAME_VELOCITY * size
        })
    }

    /// T⁺/T⁻ where that is more than 1 though nothing moves by itself.
    pub(super) fn gain(&mut self, velocity: &[f64]) -> Option<f64> {
        let after = self.rows.norm(velocity);
        let gains = self.is_fixed() && after > (1.0 + GAIN_TOLERANCE) * self.speed;
        gains.then(|| (after / self.speed).powi(2))
    }

    /// The contacts that take part.
    pub(super) fn hits(&mut self, outcome: &Outcome) -> Vec<Hit> {
        let mut hits = Vec::with_capacity(self.struck.len());
        for (struck, impulse) in self.struck.iter().zip(&outcome.impulses) {
            let Struck { contact, gap, .. } = *struck;
            let is_struck = struck.closes() && *impulse != 0.0;
            // What only rested takes part where it bears more than rounding.
            if is_struck || *impulse > gap.tolerance / self.rows.mobility(contact) {
                let rate_plus = self.rows.gap_rate(contact, &outcome.velocity);
                let (rate_minus, impulse) = (gap.rate, *impulse);
                hits.push(Hit { contact, is_struck, rate_minus, rate_plus, impulse });
            }
        }
        hits
    }
}
