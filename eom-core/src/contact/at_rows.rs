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
//! (`hybrid::mode::frictional`). λ = λ₀ + δλ with λ₀ of the motion without this friction, whose part of the push is known.
//!
//! Along a run σ is part of the slip state. Of a state alone it is that which fits.
//!
//! Friction that grows with the length of the λ of several rows has no sign: |λ| is solved for (`lengths`).

use super::at_contacts::FORCE_ROUNDINGS;
use super::coupling::{LengthPush, Spare};
use super::lengths::Answer;
use super::{ContactForces, Push, Pushes};
use crate::friction::slip_state::norm;

/// Rows of which all signs are tried at a state alone.
const ROWS_MAX: usize = 12;

impl ContactForces {
    /// −μ σ Jᵀu of every row that slides: what δλ pushes with.
    /// Of several rows −μ Jᵀu, which acts with the length of λ = λ₀ + δλ.
    pub(super) fn add_pushes_of_rows(&self, pushes: &mut Pushes, spare: &mut Spare) {
        let Self { terms, slip_state, sticking, presses, t, .. } = self;
        for term in terms.of_rows().filter(|term| !sticking.contains(term)) {
            let (c, mut u) = (terms.coefficient(term), spare.list());
            slip_state.write_direction(term, *t, terms.w(term), &mut u);
            let mut force = spare.zeros(self.a.len());
            let (normal, σ) = (terms.row_of(term), presses[term]);
            terms.add_push(term, if normal.is_some() { c * σ } else { c }, &u, &mut force);
            spare.put(u);
            if force.iter().all(|force| *force == 0.0) {
                spare.put(force);
                continue;
            }
            match normal {
                Some(normal) => pushes.linear.push(Push { normal, force }),
                None => {
                    let rows = terms.rows_of(term);
                    let free = spare.copy(&self.λ_free[rows.clone()]);
                    pushes.lengths.push(LengthPush { rows, free, force, branch: σ });
                }
            }
        }
    }

    /// σλ of a row's term, |λ| of one of several.
    pub(crate) fn pressing(&self, term: usize) -> f64 {
        match self.terms.row_of(term) {
            Some(row) => self.presses[term] * self.λ[row],
            None => norm(&self.λ[self.terms.rows_of(term)]),
        }
    }

    /// The rounding of σλ of a term.
    pub(crate) fn pressing_rounding(&mut self, term: usize) -> f64 {
        self.terms.rows_of(term).map(|row| self.multiplier_rounding(row)).sum()
    }

    /// Whether forces were asked for since the last time that cannot be decided.
    pub(crate) fn take_undecided(&mut self) -> bool {
        std::mem::take(&mut self.undecided)
    }

    /// The rounding of the multiplier of a row: that of the accelerations which it is told by.
    pub(super) fn multiplier_rounding(&mut self, row: usize) -> f64 {
        let (a, _) = self.rows.constraint(row);
        let accelerations = self.a.iter().zip(&self.free);
        let terms = a.iter().zip(accelerations);
        let size: f64 = terms.map(|(r, (a, free))| r.abs() * (free.abs() + (a - free).abs())).sum();
        let a = self.spare.copy(a);
        let size = size / self.rows.row_mobility(&a) + self.λ_free[row].abs();
        self.spare.put(a);
        FORCE_ROUNDINGS * f64::EPSILON * size
    }

    /// As [`ContactForces::close`] with the σ that fit at the state, beginning with those of λ₀; with the last that were
    /// tried where none do, and without friction that goes by a length where there is none.
    pub(super) fn close_as_it_presses(&mut self, closed: &[usize]) -> bool {
        self.presses.fill(1.0);
        let slides = |term: &usize| !self.sticking.contains(term);
        let terms: Vec<usize> = self.terms.of_signs().filter(slides).collect();
        let mut independent = true;
        for number in 0..1_usize << terms.len().min(ROWS_MAX) {
            for (i, &term) in terms.iter().enumerate() {
                let first =
                    self.terms.row_of(term).map_or(1.0, |row| 1.0_f64.copysign(self.λ_free[row]));
                self.presses[term] =
                    if i < ROWS_MAX && number >> i & 1 == 1 { -first } else { first };
            }
            independent = self.close_pressed(closed);
            self.fits = terms.iter().all(|term| self.presses_rightly(*term, 0.0))
                && self.coupled.answer == Answer::Found;
            if self.fits {
                break;
            }
        }
        if self.coupled.answer != Answer::Found {
            self.fits = false;
            for term in self.terms.of_lengths() {
                self.presses[term] = 0.0;
            }
            independent = self.close_pressed(closed);
        }
        for term in self.terms.of_signs() {
            if let Some(row) = self.terms.row_of(term).filter(|_| self.sticking.contains(&term)) {
                self.presses[term] = 1.0_f64.copysign(self.λ[row]);
            }
        }
        independent
    }

    /// Whether a row presses with its σ, up to rounding and this much of what its multiplier is made of; of several rows whether
    /// there is such a length.
    pub(crate) fn presses_rightly(&mut self, term: usize, zero: f64) -> bool {
        if self.terms.row_of(term).is_none() {
            return self.coupled.answer == Answer::Found;
        }
        let rounding = self.pressing_rounding(term);
        self.pressing(term) >= -rounding * (1.0 + zero / (FORCE_ROUNDINGS * f64::EPSILON))
    }

    /// Whether every row with friction has a multiplier that the motion determines.
    pub(crate) fn bearers_are_independent(&mut self) -> bool {
        self.rows.close(&[]);
        self.rows.rank() == self.rows.constraints()
    }
}
