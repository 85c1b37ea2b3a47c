//! Stronge's restitution of contacts that are struck together: the coordinates in which they are a process of works
//! (`work_process`), with the constraints in force.
//!
//! ```text
//! v⁺ = v⁻ + Σ yⱼ bⱼ        bᵢ·M bⱼ = δᵢⱼ, A bⱼ = 0, from ∇g and J of the contacts one after another
//! ```
//!
//! A row r acts on y with the numbers r bⱼ, an impulse rᵀΛ makes y of r bⱼ Λ.

pub(super) mod friction;
pub(crate) mod process;
pub(super) mod series;
pub(crate) mod state;
mod variation;

use self::process::together;
use self::state::{Spring, Term};
use super::frictional_impact::rough_impact::{Outcome, RoughImpact};
use crate::linear::metric::RowSpace;

/// A sum is zero within so many units of rounding of its terms.
const ROUNDINGS: f64 = 16.0;

impl RoughImpact<'_> {
    /// The outcome with these e. None where the process does not end.
    pub(super) fn by_works(&mut self, restitutions: &[f64]) -> Option<Outcome> {
        let basis = self.basis()?;
        let on_basis = |row: &[f64]| -> Vec<f64> {
            let of = |b: &Vec<f64>| {
                let terms = || row.iter().zip(b).map(|(r, b)| r * b);
                let size: f64 = terms().map(f64::abs).sum();
                let sum: f64 = terms().sum();
                if sum.abs() <= ROUNDINGS * f64::EPSILON * size { 0.0 } else { sum }
            };
            basis.iter().map(of).collect()
        };
        let springs = self.struck.iter().zip(restitutions).map(|(struck, e)| {
            let row = on_basis(self.rows.gap(struck.contact).0);
            Spring::new(row, struck.gap.rate, *e, self.speed)
        });
        let springs: Vec<Spring<f64>> = springs.collect();
        let mut terms = Vec::new();
        for (place, term) in self.terms_struck() {
            let rows = self.terms.components(term).map(|row| on_basis(self.terms.row(row).0));
            let (friction, slip) = (self.terms.coefficient(term), self.terms.w(term).to_vec());
            terms.push(Term::new((place, friction), rows.collect(), slip, self.speed));
        }
        let (change, impulses) = together(&springs, &terms, (basis.len(), self.speed)).ok()?;
        let mut velocity = self.before.to_vec();
        for (b, y) in basis.iter().zip(change) {
            velocity.iter_mut().zip(b).for_each(|(v, b)| *v += y * b);
        }
        let finite = velocity.iter().all(|v| v.is_finite());
        finite.then(|| Outcome { velocity: self.at_rest_or(velocity), impulses, is_shared: false })
    }

    /// The terms of the contacts that are struck, with the places of these.
    fn terms_struck(&self) -> Vec<(usize, usize)> {
        let struck = self.struck.iter().enumerate();
        struck
            .flat_map(|(place, struck)| {
                self.terms.of_contact(struck.contact).map(move |term| (place, term))
            })
            .collect()
    }

    /// The bⱼ.
    fn basis(&self) -> Option<Vec<Vec<f64>>> {
        let terms = self.terms_struck();
        let slips = terms.iter().flat_map(|(_, term)| self.terms.components(*term));
        let slips: Vec<&[f64]> = slips.map(|component| self.terms.row(component).0).collect();
        let count = self.rows.constraints() + self.struck.len() + slips.len();
        let mut space = RowSpace::new(self.before.len(), count);
        space.set_metric(self.rows.metric()).ok()?;
        for row in 0..self.rows.constraints() {
            space.push(self.rows.constraint(row).0, 0.0);
        }
        let held = space.rank();
        for struck in self.struck {
            space.push(self.rows.gap(struck.contact).0, 0.0);
        }
        for slip in slips {
            space.push(slip, 0.0);
        }
        Some((held..space.rank()).map(|index| space.vector(index).to_vec()).collect())
    }
}
