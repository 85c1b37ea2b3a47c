//! What a run needs of a system, in parts: the functions of the equations of motion
//!
//! ```text
//! M v̇ + h = Q − ∂D/∂v + Aᵀλ          q̇ = S(q) v
//! A v̇ + Ȧ v + ḃ = 0                  A v + b = 0
//! ```
//!
//! are [`System`]; what it touches is [`Contacts`], what happens to it [`Events`], what sticks and
//! slides [`Friction`], and what only speed needs is `Specialised`. All functions but four have a
//! default: that of a smooth system without constraints.
//!
//! Slices are used so that the traits are object-safe; the generated type has the same functions
//! on arrays. q has nq entries (coordinates, then a unit quaternion w, x, y, z for each rotation), v
//! has m speeds; where there are neither rotations nor quasi-velocities, nq = m and S = 1. Rows and
//! matrices are those of the speeds: k constraint rows, c contacts, s events, p parameters, r inputs.

pub(crate) mod conserved;
mod contacts;
mod declared;
#[doc(hidden)]
pub mod enclosure;
mod events;
mod friction;
pub(crate) mod jacobian;
pub(crate) mod kinematics;
mod lanes;
mod specialised;

use crate::info::SystemInfo;
pub use contacts::{Contacts, Law, Restitution};
pub use declared::{Declared, ParameterError};
pub use events::{EventCount, Events};
pub use friction::{Bearer, Friction};
pub use lanes::LaneSeries;
#[doc(hidden)]
pub use specialised::{ImpactDirection, Specialised};

/// The energies at a state, in the units of the declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// T(t,q,v).
    pub kinetic: f64,
    /// V(t,q); with a general Lagrangian L this is T − L where T is its quadratic part, and no part of an energy.
    pub potential: f64,
    /// v·∂L/∂v − L, which differs from T + V where time moves the frame.
    pub jacobi: f64,
}

/// E of a state: T + V, and h where L is stated as a whole, of which T + V holds terms that no motion depends on.
pub fn total_energy(system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> f64 {
    let energy = system.energy(t, q, v);
    if system.info().has_lagrangian { energy.jacobi } else { energy.total() }
}

impl Energy {
    /// T + V, see [`total_energy`].
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// A part that is no number, with its name, of those that the total is made of.
    pub(crate) fn lost(&self, info: &SystemInfo) -> Option<(&'static str, f64)> {
        let parts = if info.has_lagrangian {
            [("energy", self.jacobi); 2]
        } else {
            [("kinetic energy", self.kinetic), ("potential energy", self.potential)]
        };
        parts.into_iter().find(|(_, value)| !value.is_finite())
    }
}

/// A scenario's numbers: initial state before its unknowns are solved, inputs, end.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Initial time.
    pub t: f64,
    /// Coordinates and quaternions, nq.
    pub q: Vec<f64>,
    /// Speeds, m.
    pub v: Vec<f64>,
    /// Constant inputs, r.
    pub u: Vec<f64>,
    /// Ends at this time, where given.
    pub until_time: Option<f64>,
    /// Ends after this many impacts, where given.
    pub until_impacts: Option<usize>,
    /// Ends after these events, where given.
    pub until_events: Option<EventCount>,
}

/// The numbers of what a claim says of a whole motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The values of its settings.
    pub settings: Vec<f64>,
    /// The numbers in its brackets.
    pub numbers: Vec<f64>,
    /// What is claimed.
    pub value: f64,
    /// How far it may be off, where that is stated or follows from the digits printed.
    pub within: Option<f64>,
}

/// A system of Lagrange–d'Alembert equations: its dynamics, and with the other parts its contacts,
/// events and dry friction.
///
/// Matrices are row-major. No function allocates; each writes all of its outputs. Nothing here
/// panics on a state: a singular mass matrix shows as a non-finite acceleration. What a system has
/// but does not give is not a number, so that a run says so; a reset or an exchange of names that is not given changes nothing. A system does not change while it is asked, so
/// that runs on many threads can share it, and a run can go from one to another.
pub trait System: Contacts + Events + Friction + Specialised + Sync {
    /// The static description.
    fn info(&self) -> &'static SystemInfo;

    /// Accelerations v̇ (m) and multipliers λ (k) at a state with inputs u (r).
    fn accelerations(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]);

    /// M(t,q), m×m. Not a number where M depends on v, too ([`System::mass_matrix_at`]).
    fn mass_matrix(&self, t: f64, q: &[f64], m: &mut [f64]);

    /// M, m×m, at a state: ∂²L/∂v∂v, which depends on v where a general Lagrangian is not quadratic in it.
    fn mass_matrix_at(&self, t: f64, q: &[f64], _v: &[f64], m: &mut [f64]) {
        self.mass_matrix(t, q, m);
    }

    /// Kinetic, potential and Jacobi energy.
    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Energy;

    /// Writes the parameter values, p of them.
    fn parameters(&self, values: &mut [f64]) {
        values.fill(f64::NAN);
    }

    /// Whether the parameters are finite and within their declared bounds.
    fn check_parameters(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    /// q̇ = S(q) v, nq.
    fn rates(&self, _t: f64, _q: &[f64], v: &[f64], rates: &mut [f64]) {
        rates.fill(f64::NAN);
        if rates.len() == v.len() {
            rates.copy_from_slice(v);
        }
    }

    /// The sign of det A M⁻¹Rᵀ of a system whose forces hold multipliers, R = ∂force/∂λ: where it
    /// changes there are no multipliers (Painlevé's paradox), and no run passes. None for all others.
    fn pairing_sign(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64]) -> Option<f64> {
        None
    }

    /// How many numbers [`System::prepare`] writes.
    #[doc(hidden)]
    fn prepared(&self) -> usize {
        0
    }

    /// Writes what of the accelerations depends on the parameters only: once a run.
    #[doc(hidden)]
    fn prepare(&self, _c: &mut [f64]) {}

    /// [`System::accelerations`], to the bit, with c of [`System::prepare`] for these parameters.
    #[doc(hidden)]
    #[expect(clippy::too_many_arguments, reason = "a state, and what is prepared for it")]
    fn prepared_accelerations(
        &self,
        _c: &[f64],
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        a: &mut [f64],
        λ: &mut [f64],
    ) {
        self.accelerations(t, q, v, u, a, λ);
    }

    /// [`System::accelerations`] without the point terms of dry friction, those of
    /// [`Friction::frictions`].
    fn frictionless(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]) {
        self.accelerations(t, q, v, u, a, λ);
    }

    /// A(t,q), k×m, and b(t,q), k. Not a number where a row is not affine in the velocities: those rows are
    /// functions of v, too ([`System::constraint_rows_at`]).
    fn constraint_rows(&self, _t: f64, _q: &[f64], a: &mut [f64], b: &mut [f64]) {
        a.fill(f64::NAN);
        b.fill(f64::NAN);
    }

    /// A, k×m, and b, k, at a state. A row φ(t,q,v) that is not affine in v has A = ∂φ/∂v and b = φ − A v, so that
    /// A v + b is φ, λ of it acts as Aᵀλ (Chetaev's rule), and −λ b is the power of that.
    fn constraint_rows_at(&self, t: f64, q: &[f64], _v: &[f64], a: &mut [f64], b: &mut [f64]) {
        self.constraint_rows(t, q, a, b);
    }

    /// Residuals φ(t,q) of the holonomic constraints.
    fn holonomic(&self, _t: f64, _q: &[f64], φ: &mut [f64]) {
        φ.fill(f64::NAN);
    }

    /// The powers of the lines of the declaration, those of the info in their order: F·v of each
    /// force, −∂D/∂v·v of each smooth term of the dissipation, and −∂L/∂t. λ are the multipliers at
    /// the state, k, and the normal forces, c, which forces may hold. With them, those of dry friction, of λ and of contacts,
    /// dh/dt along a motion is told, h the Jacobi energy.
    fn powers(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], _λ: &[f64], powers: &mut [f64]) {
        powers.fill(f64::NAN);
    }

    /// The declared outputs; one that holds forces is not a number.
    fn outputs(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], outputs: &mut [f64]) {
        outputs.fill(f64::NAN);
    }

    /// Whether an output holds forces: λ of rows, normal forces, friction of contacts.
    fn outputs_hold_forces(&self) -> bool {
        false
    }

    /// The declared outputs with the forces of a mode, as [`Reactions`](crate::contact::Reactions) writes them.
    fn outputs_with_forces(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        _forces: &[f64],
        outputs: &mut [f64],
    ) {
        self.outputs(t, q, v, u, outputs);
    }

    /// The numbers of a sentence, or `None` where the index is past the last.
    fn sentence(&self, _index: usize) -> Option<Sentence> {
        None
    }

    /// The numbers of a scenario, or `None` where the index is past the last.
    fn scenario(&self, _index: usize) -> Option<Scenario> {
        None
    }
}

/// The present values of the parameters.
pub(crate) fn parameters_of(system: &dyn System) -> Vec<f64> {
    let mut values = vec![0.0; system.info().parameters.len()];
    system.parameters(&mut values);
    values
}
