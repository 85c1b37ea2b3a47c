//! What an impact with friction has led to: a velocity that rests, outcomes that differ, energy, who was struck.
//!
//! What contacts and constraints do in an impact is, with r v + b the rates of all of their rows and P their impulses,
//!
//! ```text
//! ½ P·(r v⁺ + b + r v⁻ + b) = T(v⁺ − w) − T(v⁻ − w),   r w + b = 0
//! ```
//!
//! where w goes along with all that moves by itself, walls, belts and tables: w = 0 where nothing does. By this an impact
//! gains energy or does not, whoever looks at it.

use super::phase::{Phase, Struck};
use super::rough_impact::{Outcome, RoughImpact, Sliding};
use crate::impact::{DRIVE_TOLERANCE, RATE_TOLERANCE, STOPPED, gain_beside};
use crate::linear::linalg::dot;
use crate::trajectory::event::Hit;

/// Velocities after an impact are the same where they differ by less than this part.
const SAME_VELOCITY: f64 = 1e-6;

impl RoughImpact<'_> {
    /// A velocity, or zero where it is rounding and nothing moves by itself.
    pub(in crate::hybrid) fn at_rest_or(&mut self, velocity: Vec<f64>) -> Vec<f64> {
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

    /// Whether the rows in force leave no motion, and the velocity that they tell slides otherwise than it is said to, whatever the
    /// impulses are.
    pub(super) fn is_refuted(
        &mut self,
        residuals: &[f64],
        velocity: &[f64],
        directions: &[Sliding],
    ) -> bool {
        if self.rows.rank() < velocity.len() {
            return false;
        }
        let change = self.rows.change_of(residuals);
        let told: Vec<f64> = velocity.iter().zip(change).map(|(v, change)| v + change).collect();
        !directions.iter().all(|(term, u, _)| self.slips_along(*term, u, &told))
    }

    /// Whether a slip at v is not against its direction.
    pub(super) fn slips_along(&mut self, term: usize, u: &[f64], velocity: &[f64]) -> bool {
        dot(u, &self.slip(term, velocity)) >= -self.slip_rounding(term)
    }

    /// What of the impulse of a row is rounding.
    pub(super) fn impulse_rounding(&mut self, term: usize) -> f64 {
        let Some(row) = self.terms.row_of(term) else { return 0.0 };
        let row = self.rows.constraint(row).0.to_vec();
        RATE_TOLERANCE * self.speed / self.rows.row_mobility(&row).sqrt()
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

    /// T(v⁺ − w)/T(v⁻ − w) where that is more than 1.
    pub(in crate::hybrid) fn gain(&mut self, velocity: &[f64]) -> Option<f64> {
        let along = self.along()?;
        gain_beside(&along, [self.before, velocity], &mut |v| self.rows.norm(v))
    }

    /// w: 0 where nothing moves by itself. None where the rows move against each other, as of a body between two belts.
    fn along(&mut self) -> Option<Vec<f64>> {
        let still = vec![0.0; self.before.len()];
        if self.is_fixed() {
            return Some(still);
        }
        let contacts: Vec<usize> = self.struck.iter().map(|struck| struck.contact).collect();
        let terms = contacts.iter().flat_map(|contact| self.terms.of_contact(*contact));
        let terms: Vec<usize> = terms.chain(self.terms.of_rows()).collect();
        let phase = std::mem::replace(&mut self.phase, Phase::at_rest(&still, self.struck));
        let along = self.closed_by(&terms, &[]);
        let rounding = |term: &usize| self.terms.rounding(*term, self.before, self.terms.w(*term));
        let rounding = terms.iter().map(rounding).fold(0.0, f64::max);
        let largest = |v: &[f64]| {
            let rates = self.residuals(&contacts, &terms, v);
            rates.iter().fold(0.0, |largest: f64, rate| largest.max(rate.abs()))
        };
        let most = DRIVE_TOLERANCE * largest(&still) + rounding;
        let along = along.filter(|w| largest(w) <= most);
        self.phase = phase;
        along
    }

    /// The contacts that take part.
    pub(in crate::hybrid) fn hits(&mut self, outcome: &Outcome) -> Vec<Hit> {
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
