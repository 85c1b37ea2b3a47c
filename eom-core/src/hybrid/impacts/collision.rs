//! Several contacts that take an impulse at one time.
//!
//! Newton's law with complementarity (Moreau 1988; Glocker, Set-Valued Force Laws, 2001, section
//! 10): of the contacts that touch without separating, S takes impulses,
//!
//! ```text
//! M (v⁺ − v⁻) = AᵀΛ_A + Σ_S ∇gᵢᵀ Λᵢ        A v⁺ + b = 0
//! ġᵢ⁺ = −eᵢ ġᵢ⁻,  Λᵢ ≥ 0    i ∈ S          ġⱼ⁺ ≥ −eⱼ ġⱼ⁻    j ∉ S
//! ```
//!
//! A contact of S has its own rows in force as well, C v⁺ + b = −e_t (C v⁻ + b), without those that
//! depend on the others. A contact with ġ⁻ = 0 to rounding, closed or active, has e = 0. The energy changes by
//! −½ Σ Λᵢ (1 − eᵢ)|ġᵢ⁻| where there are none. Where the rows of S depend on each other the set is passed over: a smaller
//! one has the same velocities.

use crate::contact::rows::{Row, Rows, Slack};
use crate::error::NotPositiveDefinite;
use crate::hybrid::mode::admissible::{Complementarity, NoSet, largest};
use crate::hybrid::mode::contact::GapRate;
use crate::impact::{RATE_TOLERANCE, STOPPED};
use crate::linear::linalg::dot;
use crate::state::State;
use crate::system::System;
use crate::trajectory::event::Hit;

/// A contact that may take an impulse.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Participant {
    pub(in crate::hybrid) contact: usize,
    /// ġ⁻.
    pub(in crate::hybrid) gap: GapRate,
    /// e, 0 where ġ⁻ is zero to rounding.
    pub(in crate::hybrid) e: f64,
    /// e_t of its own rows, 0 likewise.
    pub(in crate::hybrid) tangential: f64,
}

/// Workspace of the collisions of one system.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Collision {
    rows: Rows,
    velocity: Vec<f64>,
    /// −e ġ⁻ of each contact.
    targets: Vec<f64>,
    /// −e_t (C v⁻ + b) of the own rows of all contacts.
    own_targets: Vec<f64>,
    impulses: Vec<f64>,
}

impl Collision {
    pub(in crate::hybrid) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let rows = Rows::new(system);
        Self {
            own_targets: vec![0.0; rows.own().count()],
            rows,
            velocity: vec![0.0; info.speeds()],
            targets: vec![0.0; info.contacts.len()],
            impulses: vec![0.0; info.contacts.len()],
        }
    }

    /// v⁺.
    pub(in crate::hybrid) fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Evaluates the system where contacts collide.
    pub(in crate::hybrid) fn load(
        &mut self,
        system: &dyn System,
        State { t, q, v }: &State,
    ) -> Result<(), NotPositiveDefinite> {
        self.rows.load(system, (*t, q, v))
    }

    /// ‖∇g‖ in the metric.
    pub(super) fn gap_norm(&mut self, contact: usize) -> f64 {
        self.rows.mobility(contact).sqrt()
    }

    /// ġ at v, with the tolerance of rates up to `largest`, widened.
    pub(in crate::hybrid) fn gap_rate(
        &self,
        contact: usize,
        v: &[f64],
        widening: f64,
        largest: f64,
    ) -> GapRate {
        let drift = self.rows.gap(contact).1.abs();
        let tolerance = widening * RATE_TOLERANCE * (largest + drift);
        GapRate { rate: self.rows.gap_rate(contact, v), tolerance }
    }

    /// ‖v‖ in the metric.
    pub(in crate::hybrid) fn norm(&mut self, v: &[f64]) -> f64 {
        self.rows.norm(v)
    }

    /// Solves from v⁻; the contacts that take impulses.
    pub(in crate::hybrid) fn solve(
        &mut self,
        v: &[f64],
        participants: &[Participant],
    ) -> Result<Vec<Hit>, NoSet> {
        let contacts: Vec<usize> = participants.iter().map(|p| p.contact).collect();
        for p in participants {
            self.targets[p.contact] = -p.e * p.gap.rate;
            for row in self.rows.own().of(p.contact) {
                self.own_targets[row] = -p.tangential * self.rows.own_rate(row, v);
            }
        }
        let set = largest(&contacts, &mut Colliding { collision: self, v, participants })?;
        self.stop(&contacts, v);
        let mut hits = Vec::with_capacity(set.len());
        for p in participants.iter().filter(|p| set.contains(&p.contact)) {
            let (impulse, is_struck) = (self.impulses[p.contact], p.gap.rate < -p.gap.tolerance);
            // What only rested takes part where it bears more than rounding.
            let least = p.gap.tolerance / self.rows.mobility(p.contact);
            if is_struck || impulse > least {
                let rate_plus = self.rows.gap_rate(p.contact, &self.velocity);
                let (contact, rate_minus) = (p.contact, p.gap.rate);
                hits.push(Hit { contact, is_struck, rate_minus, rate_plus, impulse });
            }
        }
        Ok(hits)
    }

    /// Solves for ġ = 0 of all these contacts, with impulses of any sign; what each takes. `None` where there is no
    /// such velocity.
    pub(in crate::hybrid) fn limit(
        &mut self,
        v: &[f64],
        contacts: &[usize],
        widening: f64,
        speed: f64,
    ) -> Option<Vec<Hit>> {
        let of = |collision: &mut Self, contact: usize, v: &[f64]| {
            let norm = collision.gap_norm(contact);
            collision.gap_rate(contact, v, widening, norm * speed)
        };
        self.targets.fill(0.0);
        self.own_targets.fill(0.0);
        self.rows.close(contacts);
        self.solve_rows(contacts, v);
        let after = self.velocity.clone();
        let mut hits = Vec::with_capacity(contacts.len());
        for &contact in contacts {
            let [before, after] = [v, &after].map(|v| of(self, contact, v));
            if after.rate.abs() > after.tolerance {
                return None;
            }
            let (is_struck, impulse) = (before.rate < -before.tolerance, self.impulses[contact]);
            let (rate_minus, rate_plus) = (before.rate, after.rate);
            // What would pull is brought back by forces.
            if is_struck || impulse > 0.0 {
                hits.push(Hit { contact, is_struck, rate_minus, rate_plus, impulse });
            }
        }
        Some(hits)
    }

    /// v⁺ and Λ for the impulses of a set. False where its rows depend on each other.
    fn apply_impulses(&mut self, set: &[usize], v: &[f64]) -> bool {
        self.impulses.fill(0.0);
        self.velocity.copy_from_slice(v);
        self.rows.close(set) && self.solve_rows(set, v)
    }

    /// The same with the rows of the set in force.
    fn solve_rows(&mut self, set: &[usize], v: &[f64]) -> bool {
        let Self { rows, velocity, targets, own_targets, impulses } = self;
        impulses.fill(0.0);
        velocity.copy_from_slice(v);
        // The second pass takes away what rounding left.
        for _ in 0..2 {
            let residuals = rows.residuals(velocity, targets);
            let slips: Vec<f64> = (own_targets.iter().enumerate())
                .map(|(row, target)| rows.own_rate(row, velocity) - target)
                .collect();
            let change = rows.change(|row| match row {
                Row::Constraint(i) => residuals[i],
                Row::Gap(contact) => residuals[residuals.len() - targets.len() + contact],
                Row::Own(row) => slips[row],
            });
            for (v, change) in velocity.iter_mut().zip(change) {
                *v += change;
            }
            let (_, normal) = rows.multipliers();
            for (contact, impulse) in set.iter().zip(normal) {
                impulses[*contact] += impulse;
            }
        }
        velocity.iter().all(|v| v.is_finite())
    }

    /// Whether a contact of the set does not pull, or another does not close faster than its law
    /// allows; both up to the rounding of ġ.
    fn is_consistent(&mut self, participant: &Participant, set: &[usize]) -> bool {
        let Participant { contact, gap, .. } = *participant;
        if set.contains(&contact) {
            return self.impulses[contact] >= -gap.tolerance / self.rows.mobility(contact);
        }
        self.rows.gap_rate(contact, &self.velocity) >= self.targets[contact] - gap.tolerance
    }

    /// What rounding left of the velocity becomes zero where the rows allow it.
    fn stop(&mut self, contacts: &[usize], v: &[f64]) {
        let before = self.rows.norm(v);
        let small = self.rows.norm(&self.velocity) <= STOPPED * f64::EPSILON * before;
        if small && self.rows.are_fixed(contacts) {
            self.velocity.fill(0.0);
        }
    }
}

/// The complementarity of a collision from v⁻.
struct Colliding<'c> {
    collision: &'c mut Collision,
    v: &'c [f64],
    participants: &'c [Participant],
}

impl Colliding<'_> {
    fn participant(&self, contact: usize) -> Option<&Participant> {
        self.participants.iter().find(|participant| participant.contact == contact)
    }
}

impl Complementarity for Colliding<'_> {
    fn act(&mut self, set: &[usize]) -> bool {
        self.collision.apply_impulses(set, self.v)
    }

    fn is_consistent(&mut self, contact: usize, set: &[usize]) -> bool {
        let participant = self.participant(contact).copied();
        participant.is_none_or(|participant| self.collision.is_consistent(&participant, set))
    }

    fn slack(&mut self, contact: usize) -> Slack {
        let Collision { rows, velocity, targets, .. } = &*self.collision;
        let value = rows.gap_rate(contact, velocity) - targets[contact];
        let tolerance = self.participant(contact).map_or(0.0, |p| p.gap.tolerance);
        Slack { contact, value, tolerance }
    }

    fn rows(&mut self) -> &mut Rows {
        &mut self.collision.rows
    }
}

impl Rows {
    /// A v + b, then ġ − target of every contact.
    fn residuals(&self, v: &[f64], targets: &[f64]) -> Vec<f64> {
        let constraints = (0..self.constraints()).map(|row| {
            let (a, b) = self.constraint(row);
            dot(a, v) + b
        });
        let gaps = targets.iter().enumerate().map(|(i, target)| self.gap_rate(i, v) - target);
        constraints.chain(gaps).collect()
    }
}
