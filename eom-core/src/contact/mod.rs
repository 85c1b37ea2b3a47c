//! Motion with contacts closed: accelerations and normal forces.
//!
//! With a₀ the accelerations without contact forces, C the rows ∇g of the closed contacts and their
//! own rows, γ their drift, g̈ = C a + γ, and F the force −∂D/∂v of their own dissipations,
//!
//! ```text
//! M a = M a₀ + F + Aᵀ δλ + Cᵀμ          A (a − a₀) = 0      C a + γ = 0
//!
//! a = a₀ + N (F + Cᵀμ)                  N = M⁻¹ − M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹AM⁻¹
//! (C N Cᵀ) μ = −(C (a₀ + N F) + γ)      λ = λ₀ + δλ
//! ```
//!
//! μ is the normal force per unit gap, and the force of an own row. The rows are made orthonormal one after the other, so that
//! for one contact this is an update of rank one.
//!
//! Dry friction: a₀ has the forces −c Jᵀu of the terms that slide (`slip_state`), and the rows J of those
//! that stick are in force beside C, J a + γ = 0, with reactions −Jᵀλ (`dry`). Friction of a closed contact grows with
//! its normal force: c is μ times that (`at_contacts`, `coupling`). That of a constraint row grows with |λ|, and acts in
//! all modes (`at_rows`); that of several rows with the length of their λ (`lengths`). A force that is declared with λ of a
//! contact acts with its normal force likewise, in a direction of its own.

mod at_contacts;
mod at_rows;
mod cones;
pub(crate) mod contact_rows;
mod coupling;
mod dry;
mod lengths;
mod reactions;
pub(crate) mod rows;

pub(crate) use at_contacts::Told;
pub(crate) use cones::{Cone, Deepest, deepest, deepest_by_turns};
pub use reactions::{Reactions, only_mode, open_accelerations};

pub(crate) use coupling::{Coupled, LengthPush, Push, Pushes, Spare, couple};
pub(crate) use lengths::Answer;

use crate::error::NotPositiveDefinite;
use crate::friction::slip_state::{SlipState, Terms};
use crate::linear::linalg::dot;
use crate::mode::Mode;
use crate::run::on_demand::OnDemand;
use crate::snapshot::words::part;
use crate::system::System;
use rows::{Row, Rows};

/// Accelerations, multipliers and normal forces of a system in a mode. All memory is taken by
/// [`ContactForces::new`].
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is of a part of its own")]
pub struct ContactForces {
    rows: Rows,
    /// d/dt(∇g)·v + d/dt(∂g/∂t).
    drift: Vec<f64>,
    /// a₀ and λ₀.
    free: Vec<f64>,
    λ_free: Vec<f64>,
    a: Vec<f64>,
    λ: Vec<f64>,
    /// −∂D/∂v of each contact, c×m, and M⁻¹F.
    damping: Vec<f64>,
    damped: Vec<f64>,
    /// A M⁻¹F, then the residual of each contact.
    residuals: Vec<f64>,
    /// γ of the own rows of all contacts, then their residuals.
    own_drift: Vec<f64>,
    own_residuals: Vec<f64>,
    /// μ of every contact, 0 for open ones.
    forces: Vec<f64>,
    /// Those of the own rows of all contacts.
    row_forces: Vec<f64>,
    pub(crate) terms: Terms,
    slip_state: SlipState,
    /// σ of each term: as the slip state has them, or as they are found at a state.
    presses: Vec<f64>,
    /// Whether some σ fit, where they were sought.
    fits: bool,
    /// Some forces could not be decided since [`ContactForces::take_undecided`].
    undecided: bool,
    /// Terms that stick.
    sticking: Vec<usize>,
    /// All friction sticks, an integral too: the body is at rest.
    whole: bool,
    /// The time of the state loaded last, and whether its velocity is that of a launch.
    t: f64,
    launching: bool,
    /// The friction of a launch.
    launch: Vec<f64>,
    /// M⁻¹ times the friction of what slides and the contacts' own.
    push: Vec<f64>,
    /// The residual of each row in force, in their order.
    residuals_in_force: Vec<f64>,
    /// λ of the components that stick.
    reactions: Vec<f64>,
    /// Rows that stick depend on others.
    redundant: bool,
    /// The components of these, and whether they are kept from state to state.
    dependent: Vec<usize>,
    keeps_dependent: bool,
    /// The rows in force with the friction that slides with normal forces.
    coupled: Coupled,
    /// The forces that the cones of friction determine, after [`ContactForces::determine`].
    deepest: Option<Deepest>,
    /// Room for pushes, and for what is solved with them.
    pushes: Pushes,
    pub(crate) spare: Spare,
}

/// Forces that have not been asked for are those of a system without friction.
impl OnDemand<'_, ContactForces> {
    /// [`ContactForces::hold`].
    pub(crate) fn set_slip_state(&mut self, sticking: &[usize], slip_state: &SlipState) {
        if let Some(forces) = self.made_mut() {
            forces.set_slip_state(sticking, slip_state);
        }
    }

    /// What was found of the rows in force is of another mode.
    pub(crate) fn forget_rows(&mut self) {
        if let Some(forces) = self.made_mut() {
            forces.redundant = false;
        }
    }

    /// [`ContactForces::is_plain`].
    pub(crate) fn is_plain(&self) -> bool {
        self.made().is_none_or(ContactForces::is_plain)
    }
}

impl ContactForces {
    /// Room for one system.
    pub fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (m, k, contacts) = (info.speeds(), info.rows.len(), info.contacts.len());
        let (rows, terms) = (Rows::new(system), Terms::new(system));
        let own = rows.own().count();
        Self {
            rows,
            drift: vec![0.0; contacts],
            free: vec![0.0; m],
            λ_free: vec![0.0; k],
            a: vec![0.0; m],
            λ: vec![0.0; k],
            damping: vec![0.0; contacts * m],
            damped: vec![0.0; m],
            residuals: vec![0.0; k + contacts],
            own_drift: vec![0.0; own],
            own_residuals: vec![0.0; own],
            forces: vec![0.0; contacts],
            row_forces: vec![0.0; own],
            slip_state: SlipState::default(),
            presses: vec![1.0; terms.count()],
            fits: true,
            undecided: false,
            sticking: Vec::new(),
            whole: false,
            t: 0.0,
            launching: false,
            launch: vec![0.0; m],
            push: vec![0.0; m],
            residuals_in_force: Vec::new(),
            reactions: vec![0.0; terms.all_components()],
            redundant: false,
            dependent: Vec::new(),
            keeps_dependent: false,
            coupled: Coupled::none(),
            deepest: None,
            pushes: Pushes::default(),
            spare: Spare::default(),
            terms,
        }
    }

    /// The same when they are first asked for: at once where there is friction, which has to be held, or what acts with it.
    pub(crate) fn on_demand(system: &dyn System) -> OnDemand<'_, Self> {
        let forces = OnDemand::new(system, Self::new);
        if !system.info().frictions.is_empty() || system.info().has_borne_forces() {
            let _: &Self = &forces;
        }
        forces
    }

    /// Which terms of friction stick from here on, and how the others slide.
    pub(crate) fn set_slip_state(&mut self, sticking: &[usize], slip_state: &SlipState) {
        self.slip_state.clone_from(slip_state);
        self.stick(sticking);
    }

    fn stick(&mut self, sticking: &[usize]) {
        let points = self.terms.count();
        self.sticking.clear();
        self.sticking.extend(sticking.iter().filter(|term| **term < points));
        self.whole = sticking.iter().any(|term| *term >= points);
    }

    /// Whether only contacts can be in force, with their friction.
    pub(crate) fn is_plain(&self) -> bool {
        let acts_always = self.terms.has_constant() || self.terms.has_rows();
        !acts_always && self.slip_state.launch.is_none() && !self.whole
    }

    /// Solves at a state with inputs u in a mode; the results are those of the functions below.
    /// A contact whose row depends on the others carries no force.
    ///
    /// # Errors
    /// Where the mass matrix is not positive definite.
    pub fn solve(
        &mut self,
        system: &dyn System,
        mode: &Mode,
        (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
    ) -> Result<(), NotPositiveDefinite> {
        self.stick(mode.sticking());
        self.load(system, (t, q, v, u))?;
        self.close(mode.closed());
        Ok(())
    }

    /// Whether closed contacts dissipate at the state loaded last.
    pub(crate) fn is_damped(&self) -> bool {
        self.damping.iter().any(|force| *force != 0.0)
    }

    /// Whether some friction is that of a slip in a plane.
    pub(crate) fn has_planes(&self) -> bool {
        (0..self.terms.count()).any(|term| self.terms.components(term).len() > 1)
    }

    /// Accelerations v̇, m.
    pub fn accelerations(&self) -> &[f64] {
        &self.a
    }

    /// λ of the constraints, k.
    pub fn multipliers(&self) -> &[f64] {
        &self.λ
    }

    /// The normal force μ of each contact per unit gap, c; 0 where it is open.
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// The force of each own row of the contacts, those of all contacts one after another; 0 where
    /// it is open.
    pub(crate) fn row_forces(&self) -> &[f64] {
        &self.row_forces
    }

    /// λ of the components of all terms of dry friction, 0 for those that slide: what sticks pushes
    /// with −Jᵀλ.
    pub fn reactions(&self) -> &[f64] {
        &self.reactions
    }

    /// Evaluates the system at a state; no contact is closed yet.
    pub(crate) fn load(
        &mut self,
        system: &dyn System,
        (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
    ) -> Result<(), NotPositiveDefinite> {
        self.t = t;
        self.launching = self.slip_state.starts_sliding(t, v);
        if !self.terms.has_constant() && !self.launching {
            system.accelerations(t, q, v, u, &mut self.free, &mut self.λ_free);
        } else if let Some(launch) = self.slip_state.launch.as_ref().filter(|_| self.launching) {
            // Friction that is an integral has no force at v = 0.
            self.push.fill(0.0);
            system.frictionless(t, q, &self.push, u, &mut self.free, &mut self.λ_free);
            system.dry_friction(t, q, &launch.direction, &mut self.launch);
        } else {
            system.frictionless(t, q, v, u, &mut self.free, &mut self.λ_free);
        }
        self.terms.load(system, t, q, v);
        self.terms.load_borne(system, (t, q, v, u));
        system.gap_drift(t, q, v, &mut self.drift);
        system.contact_forces(t, q, v, &mut self.damping);
        self.rows.load(system, (t, q, v))?;
        self.rows.own().drifts(system, (t, q, v), &mut self.own_drift);
        Ok(())
    }

    /// Solves at the state loaded last with these contacts closed. False where the row of one of
    /// them depends on the others.
    pub(crate) fn close(&mut self, closed: &[usize]) -> bool {
        if !self.is_plain() || self.terms.has_bearers() && !closed.is_empty() {
            return self.close_with_friction(closed);
        }
        // Nothing is coupled: what an earlier solve was is past.
        self.redundant = false;
        (self.coupled.determinant, self.coupled.rounding) = (1.0, 0.0);
        let Self { rows, drift, free, λ_free, a, λ, damping, damped, residuals, forces, .. } = self;
        let (own_drift, own_residuals) = (&self.own_drift, &mut self.own_residuals);
        forces.fill(0.0);
        self.row_forces.fill(0.0);
        a.copy_from_slice(free);
        λ.copy_from_slice(λ_free);
        if closed.is_empty() {
            return true;
        }
        let independent = rows.close(closed);
        let k = rows.constraints();
        residuals.fill(0.0);
        damped.fill(0.0);
        add_damping(closed, damping, damped);
        if damped.iter().any(|force| *force != 0.0) {
            let change = rows.acceleration(damped);
            damped.copy_from_slice(change);
            for (a, change) in a.iter_mut().zip(damped.iter()) {
                *a += change;
            }
            for (row, residual) in residuals[..k].iter_mut().enumerate() {
                *residual = dot(rows.constraint(row).0, damped);
            }
        }
        for &contact in closed {
            residuals[k + contact] = dot(rows.gap(contact).0, a) + drift[contact];
            for row in rows.own().of(contact) {
                own_residuals[row] = dot(rows.own().row(row).0, a) + own_drift[row];
            }
        }
        let change = rows.change(|row| match row {
            Row::Constraint(row) => residuals[row],
            Row::Gap(contact) => residuals[k + contact],
            Row::Own(row) => own_residuals[row],
        });
        for (a, change) in a.iter_mut().zip(change) {
            *a += change;
        }
        let (change, normal) = rows.multipliers();
        for (λ, change) in λ.iter_mut().zip(change) {
            *λ += change;
        }
        for (&contact, μ) in closed.iter().zip(normal) {
            forces[contact] = *μ;
        }
        for (row, ν) in rows.own_multipliers() {
            self.row_forces[row] = ν;
        }
        self.meet_rows(closed);
        independent
    }

    /// ‖a₀‖ in the metric.
    pub(crate) fn scale(&mut self) -> f64 {
        self.rows.norm(&self.free)
    }

    /// Those of these contacts of which ∇g depends on the constraints, on the rows of the closed ones, and on those of
    /// friction that sticks.
    pub(crate) fn dependent(
        &mut self,
        system: &dyn System,
        (t, q, v): (f64, &[f64], &[f64]),
        contacts: &[usize],
        mode: &Mode,
    ) -> Result<Vec<usize>, NotPositiveDefinite> {
        self.rows.load(system, (t, q, v))?;
        self.rows.close(mode.closed());
        self.terms.load(system, t, q, v);
        for &term in mode.sticking().iter().filter(|term| **term < self.terms.count()) {
            for component in self.terms.components(term) {
                self.rows.push(self.terms.row(component).0);
            }
        }
        Ok(contacts.iter().copied().filter(|&contact| self.rows.depends(contact)).collect())
    }

    /// The rows, with those in force that are so with no contact closed.
    pub(crate) fn rows_of_none(&mut self) -> &mut Rows {
        if self.is_plain() {
            self.rows.close(&[]);
        } else {
            self.close_with_friction(&[]);
        }
        &mut self.rows
    }

    /// g̈ of a contact, and the sum of the magnitudes that it is made of.
    pub(crate) fn gap_acceleration(&self, contact: usize) -> (f64, f64) {
        let (gradient, _) = self.rows.gap(contact);
        let (mut sum, mut size) = (self.drift[contact], self.drift[contact].abs());
        for ((c, a), free) in gradient.iter().zip(&self.a).zip(&self.free) {
            sum += c * a;
            size += c.abs() * (free.abs() + (a - free).abs());
        }
        (sum, size)
    }

    /// What the acceleration of each speed may be made of: ‖a₀‖/√Mⱼⱼ, the norm that of the metric.
    /// The parts themselves cancel where two contacts press against each other.
    pub(crate) fn sizes(&mut self) -> Vec<f64> {
        let Self { rows, free, .. } = self;
        let (norm, m) = (rows.norm(free), free.len());
        (0..m).map(|j| norm / rows.metric()[j * m + j].sqrt()).collect()
    }

    /// The force that makes g̈ = 1, the constraints left aside: what turns accelerations of a gap
    /// into forces.
    pub(crate) fn stiffness(&mut self, contact: usize) -> f64 {
        self.rows.mobility(contact).recip()
    }

    /// Whether the constraints and the gaps of these contacts do not move by themselves.
    pub(crate) fn are_fixed(&self, contacts: &[usize]) -> bool {
        self.rows.are_fixed(contacts)
    }

    /// ‖v‖ in the metric.
    pub(crate) fn norm(&mut self, v: &[f64]) -> f64 {
        self.rows.norm(v)
    }
}

/// Adds −∂D/∂v of these contacts.
fn add_damping(closed: &[usize], damping: &[f64], sum: &mut [f64]) {
    let m = sum.len();
    for &contact in closed {
        sum.iter_mut().zip(&damping[contact * m..][..m]).for_each(|(sum, force)| *sum += force);
    }
}

// Rows, and what is not of the motion, are those of the state that is loaded before.
part! {
    ContactForces {
        parts: [free, λ_free, a, λ, forces, row_forces, launch, push, reactions, terms],
        values: [
            slip_state, presses, fits, undecided, sticking, whole, t, launching, redundant, deepest, dependent,
            keeps_dependent,
        ],
        room: [
            rows, drift, damping, damped, residuals, own_drift, own_residuals, residuals_in_force,
            coupled, pushes, spare,
        ],
    },
    |it, from| from.check(it.sticking.iter().all(|term| *term < it.terms.count()))
}
