//! Friction of constraint rows, −μ |λ| Jᵀs/|s| where it slides, |f| ≤ μ_s |λ| where it sticks.
//!
//! A row A v + b = 0 is held from both sides: it is a contact that stays closed, with a normal force λ of either sign. With
//! σ = ±1 the sign with which it presses, |λ| = σλ, the friction is a push in proportion to λ like that of a contact
//! (`coupling`), and each σ makes a linear problem:
//!
//! ```text
//! M a = F − h + Aᵀλ − Σ μ σλ Jᵀu          A a + γ = 0          σλ ≥ 0
//! ```
//!
//! With one row, D = −μ Jᵀu and κ the part of its own multiplier that its friction gives back, (1 − σκ) λ = λ⁰ with λ⁰ the
//! multiplier without friction: one σ fits where |κ| < 1; where |κ| > 1 two or none do, which is Painlevé's paradox
//! (`hybrid::frictional`). λ = λ₀ + δλ with λ₀ of the motion without this friction, whose part of the push is known.
//!
//! Along a run σ is part of the slip state. Of a state alone it is that which fits.

use super::at_contacts::FORCE_ROUNDINGS;
use super::{ContactForces, Push};

/// Rows of which all signs are tried at a state alone.
const ROWS_MAX: usize = 12;

impl ContactForces {
    /// −μ σ Jᵀu of every row that slides: what δλ pushes with.
    pub(super) fn add_pushes_of_rows(&self, pushes: &mut Vec<Push>) {
        let Self { terms, slip_state, sticking, presses, t, .. } = self;
        for term in terms.of_rows().filter(|term| !sticking.contains(term)) {
            let Some(normal) = terms.row_of(term) else { continue };
            let (c, u) = (terms.coefficient(term), slip_state.direction(term, *t, terms.w(term)));
            let mut force = vec![0.0; self.a.len()];
            terms.add_push(term, c * presses[term], &u, &mut force);
            if force.iter().any(|force| *force != 0.0) {
                pushes.push(Push { normal, force });
            }
        }
    }

    /// σλ of a row's term.
    pub(crate) fn pressing(&self, term: usize) -> f64 {
        self.terms.row_of(term).map_or(0.0, |row| self.presses[term] * self.λ[row])
    }

    /// The rounding of σλ of a term.
    pub(crate) fn pressing_rounding(&mut self, term: usize) -> f64 {
        self.terms.row_of(term).map_or(0.0, |row| self.multiplier_rounding(row))
    }

    /// The rounding of the multiplier of a row: that of the accelerations which it is told by.
    pub(super) fn multiplier_rounding(&mut self, row: usize) -> f64 {
        let (a, _) = self.rows.constraint(row);
        let accelerations = self.a.iter().zip(&self.free);
        let terms = a.iter().zip(accelerations);
        let size: f64 = terms.map(|(r, (a, free))| r.abs() * (free.abs() + (a - free).abs())).sum();
        let a = a.to_vec();
        let size = size / self.rows.row_mobility(&a) + self.λ_free[row].abs();
        FORCE_ROUNDINGS * f64::EPSILON * size
    }

    /// As [`ContactForces::close`] with the σ that fit at the state, beginning with those of λ₀; with the last that were
    /// tried where none do.
    pub(super) fn close_as_it_presses(&mut self, closed: &[usize]) -> bool {
        self.presses.fill(1.0);
        let slides = |term: &usize| !self.sticking.contains(term);
        let terms: Vec<usize> = self.terms.of_rows().filter(slides).collect();
        let mut independent = true;
        for number in 0..1_usize << terms.len().min(ROWS_MAX) {
            for (i, &term) in terms.iter().enumerate() {
                let first =
                    self.terms.row_of(term).map_or(1.0, |row| 1.0_f64.copysign(self.λ_free[row]));
                self.presses[term] =
                    if i < ROWS_MAX && number >> i & 1 == 1 { -first } else { first };
            }
            independent = self.close_pressed(closed);
            self.fits = terms.iter().all(|term| self.presses_rightly(*term, 0.0));
            if self.fits {
                break;
            }
        }
        for term in self.terms.of_rows() {
            if let Some(row) = self.terms.row_of(term).filter(|_| self.sticking.contains(&term)) {
                self.presses[term] = 1.0_f64.copysign(self.λ[row]);
            }
        }
        independent
    }

    /// Whether a row presses with its σ, up to rounding and this much of what its multiplier is made of.
    pub(crate) fn presses_rightly(&mut self, term: usize, zero: f64) -> bool {
        let rounding = self.pressing_rounding(term);
        self.pressing(term) >= -rounding * (1.0 + zero / (FORCE_ROUNDINGS * f64::EPSILON))
    }

    /// Whether every row with friction has a multiplier that the motion determines.
    pub(crate) fn bearers_are_independent(&mut self) -> bool {
        self.rows.close(&[]);
        self.rows.rank() == self.rows.constraints()
    }
}
