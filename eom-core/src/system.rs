//! The trait that generated systems implement: the functions of the equations of motion
//!
//! ```text
//! M v̇ + h = Q − ∂D/∂v + Aᵀλ          q̇ = S(q) v
//! A v̇ + Ȧ v + ḃ = 0                  A v + b = 0
//! ```
//!
//! Slices are used so that the trait is object-safe; the generated type has the same functions
//! on arrays. q has nq entries (coordinates, then a unit quaternion w, x, y, z for each rotation), v
//! has m speeds; where there are neither rotations nor quasi-velocities, nq = m and S = 1. Rows and
//! matrices are those of the speeds: k constraint rows, c contacts, s events, p parameters, r inputs.

use crate::function::SmoothFunction;
use crate::info::SystemInfo;
use crate::series::Series;

/// How an impact changes the velocity.
///
/// With B the independent rows of [A; ∇g; the contact's own rows], without those of A that the
/// contact releases, G = M and P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B:
/// v⁺ = v⁻ − (1+e) G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹(B v⁻ + b_B).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// e = 1.
    Elastic,
    /// e = 0.
    Plastic,
    /// Any e ∈ [0, 1].
    Restitution(f64),
    /// Reflect on ∇g alone as if no constraint existed, then project G-orthogonally on A v + b = 0
    /// (bouncing-penny (18), (20)).
    Project,
    /// e on ∇g and another on the contact's own rows: diag(1+eᵢ) in place of 1+e, 1 on rows of A.
    Oblique {
        /// e ∈ [0, 1] on ∇g.
        normal: f64,
        /// e_t ∈ [−1, 1] on the contact's own rows.
        tangential: f64,
    },
    /// v⁺ as declared: [`System::assign`].
    Assign,
}

/// The numbers of [`System::strike`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strike {
    /// ∂g/∂t.
    pub rate: f64,
    /// ∇g·w.
    pub gain: f64,
}

/// The energies at a state, in the units of the declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// T(t,q,v).
    pub kinetic: f64,
    /// V(t,q); with a general Lagrangian L this is T − L where T is its quadratic part.
    pub potential: f64,
    /// v·∂L/∂v − L, which differs from T + V where time moves the frame.
    pub jacobi: f64,
}

impl Energy {
    /// T + V.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
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
}

/// A system of Lagrange–d'Alembert equations with contacts and events.
///
/// Matrices are row-major. No function allocates; each writes all of its outputs. Nothing here
/// panics on a state: a singular mass matrix shows as a non-finite acceleration.
pub trait System {
    /// The static description.
    fn info(&self) -> &'static SystemInfo;

    /// Writes the parameter values, p of them.
    fn parameters(&self, values: &mut [f64]);

    /// Whether the parameters are finite and within their declared bounds.
    fn check_parameters(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    /// q̇ = S(q) v, nq.
    fn rates(&self, _t: f64, _q: &[f64], v: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(v);
    }

    /// Accelerations v̇ (m) and multipliers λ (k) at a state with inputs u (r).
    fn accelerations(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]);

    /// The sign of det A M⁻¹Rᵀ of a system whose forces hold multipliers, R = ∂force/∂λ: where it
    /// changes there are no multipliers (Painlevé's paradox), and no run passes. None for all others.
    fn pairing_sign(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64]) -> Option<f64> {
        None
    }

    /// How many numbers [`System::prepare`] writes.
    fn prepared(&self) -> usize {
        0
    }

    /// Writes what of the accelerations depends on the parameters only: once a run.
    fn prepare(&self, _c: &mut [f64]) {}

    /// [`System::accelerations`], to the bit, with c of [`System::prepare`] for these parameters.
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

    /// Whether [`System::series`] makes series.
    fn has_series(&self) -> bool {
        false
    }

    /// Expands the motion from a state in powers of time, to the order of `series`: y = (q, v), and the
    /// gaps and guards along it. Only the declared constraints are in force.
    fn series(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], _series: &mut Series) {}

    /// [`System::accelerations`] without the point terms of dry friction, those of [`System::frictions`].
    fn frictionless(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], a: &mut [f64], λ: &mut [f64]) {
        self.accelerations(t, q, v, u, a, λ);
    }

    /// The point terms c‖w‖ of dry friction, w = J v + b ∈ ℝʳ, f terms with r₁ + … components:
    /// c (f), w (Σr), J (Σr×m) and γ = dJ/dt v + db/dt (Σr). Their force is −Σ c Jᵀw/‖w‖, where
    /// 0/0 is 0 in [`System::accelerations`].
    #[expect(clippy::too_many_arguments, reason = "a state, and the four lists that it writes")]
    fn frictions(
        &self,
        _t: f64,
        _q: &[f64],
        _v: &[f64],
        _c: &mut [f64],
        _w: &mut [f64],
        _rows: &mut [f64],
        _drift: &mut [f64],
    ) {
    }

    /// The part D₁ of the dissipation function that is homogeneous of degree one, at any velocity
    /// w, not that of the state: Σ c‖J w‖. Writes its force −∂D₁/∂w, m, which is 0 at w = 0.
    fn dry_friction(&self, _t: f64, _q: &[f64], _w: &[f64], force: &mut [f64]) -> f64 {
        force.fill(0.0);
        0.0
    }

    /// M(t,q), m×m.
    fn mass_matrix(&self, t: f64, q: &[f64], m: &mut [f64]);

    /// A(t,q), k×m, and b(t,q), k.
    fn constraint_rows(&self, t: f64, q: &[f64], a: &mut [f64], b: &mut [f64]);

    /// Residuals φ(t,q) of the holonomic constraints.
    fn holonomic(&self, t: f64, q: &[f64], φ: &mut [f64]);

    /// Kinetic, potential and Jacobi energy.
    fn energy(&self, t: f64, q: &[f64], v: &[f64]) -> Energy;

    /// The powers of the lines of the declaration, those of the info in their order: F·v of each
    /// force, −∂D/∂v·v of each smooth term of the dissipation, and −∂L/∂t. λ are the multipliers at
    /// the state, k, which forces may hold. With them, those of dry friction, of λ and of contacts,
    /// dh/dt along a motion is told, h the Jacobi energy.
    fn powers(
        &self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], _λ: &[f64], _powers: &mut [f64]
    ) {
    }

    /// Gaps g(t,q), c of them; a contact is open while its gap is positive.
    fn gaps(&self, t: f64, q: &[f64], g: &mut [f64]);

    /// ∇g(t,q), c×m (its derivatives along the speeds, ∂g/∂q S), and ∂g/∂t, c; the gap rate is ∇g·v + ∂g/∂t.
    fn gap_rows(&self, t: f64, q: &[f64], grad: &mut [f64], rate: &mut [f64]);

    /// The own rows of a contact: A_c(t,q), s×m, and b_c(t,q), s, with s the number of its rows in
    /// the info. They are in B at its impact, and A_c v + b_c = 0 holds while it is closed.
    fn contact_rows(&self, _contact: usize, _t: f64, _q: &[f64], _a: &mut [f64], _b: &mut [f64]) {}

    /// Ȧ_c v + ḃ_c of these rows, s.
    fn contact_drift(&self, _contact: usize, _t: f64, _q: &[f64], _v: &[f64], _γ: &mut [f64]) {}

    /// What the impact of a contact that is struck alone takes: writes ∇g (m) and the direction w (m)
    /// with M w = ∇gᵀ + Aᵀλ, A w = 0. Then v⁺ = v⁻ − (1 + e) ġ⁻ w/(∇g·w). None for contacts whose impact
    /// is more than that, and where the system leaves it to [`ImpactMap`](crate::impact::ImpactMap).
    fn strike(
        &self,
        _contact: usize,
        _t: f64,
        _q: &[f64],
        _gradient: &mut [f64],
        _direction: &mut [f64],
    ) -> Option<Strike> {
        None
    }

    /// Whether a contact can fire at a state.
    fn armed(&self, _contact: usize, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64]) -> bool {
        true
    }

    /// (q⁺, v⁺) = R(q, v) in place: the names that a contact exchanges after its impact map.
    fn relabel(&self, _contact: usize, _q: &mut [f64], _v: &mut [f64]) {}

    /// v⁺ in place of v⁻ for [`Law::Assign`].
    fn assign(&self, _contact: usize, _t: f64, _q: &[f64], _v: &mut [f64]) {}

    /// −∂D/∂v of each contact's own dissipation, c×m: in force while the contact is closed.
    fn contact_forces(&self, _t: f64, _q: &[f64], _v: &[f64], forces: &mut [f64]) {
        forces.fill(0.0);
    }
    /// d/dt(∇g)·v + d/dt(∂g/∂t), c; the gap acceleration is ∇g·v̇ + this.
    fn gap_drift(&self, t: f64, q: &[f64], v: &[f64], γ: &mut [f64]);

    /// The declared law of a contact, with the present parameters.
    fn law(&self, contact: usize) -> Law;

    /// Guards of the declared events, s of them.
    fn guards(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], guards: &mut [f64]);

    /// Applies the reset of an event in place; right sides take the values from before.
    fn reset(&self, event: usize, t: f64, q: &mut [f64], v: &mut [f64], u: &[f64]);

    /// The declared outputs.
    fn outputs(&self, t: f64, q: &[f64], v: &[f64], u: &[f64], outputs: &mut [f64]);

    /// The numbers of a scenario, or `None` where the index is past the last.
    fn scenario(&self, index: usize) -> Option<Scenario>;
}

/// A parameter value that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// The parameter has no default and was not given.
    #[error("parameter `{name}` has no default: give it a value")]
    Missing {
        /// Its name.
        name: &'static str,
    },
    /// The value is infinite or not a number.
    #[error("parameter `{name}` = {value} is not a finite number")]
    NotFinite {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The declared bound does not hold.
    #[error("parameter `{name}` = {value} violates its bound {bound}")]
    Bound {
        /// Its name.
        name: &'static str,
        /// The value.
        value: f64,
        /// The bound as declared.
        bound: &'static str,
    },
    /// The function has no default and was not given.
    #[error("function `{name}` has no default: give it a function")]
    MissingFunction {
        /// Its name.
        name: &'static str,
    },
    /// The function that was given has another number of arguments.
    #[error("function `{name}` is given a function of {found} arguments; it has {expected}")]
    FunctionArguments {
        /// Its name.
        name: &'static str,
        /// The number of its arguments.
        expected: usize,
        /// Of how many arguments the given one is.
        found: usize,
    },
}

/// A system that can be built from parameter values: what the macro's type is.
pub trait Declared: System + Sized + 'static {
    /// The static description.
    const INFO: &'static SystemInfo;

    /// Builds the system; a parameter without an override takes its default, computed from the
    /// values of the earlier parameters, overridden or not. `overrides` has p entries.
    fn with_parameters(overrides: &[Option<f64>]) -> Result<Self, ParameterError>;

    /// The same with functions in place of those of the declaration: `functions` has one entry a
    /// declared function, [`SmoothFunction::declared`] for its default.
    fn with_functions(
        overrides: &[Option<f64>],
        functions: &[SmoothFunction],
    ) -> Result<Self, ParameterError> {
        debug_assert!(functions.is_empty(), "the system declares no function");
        Self::with_parameters(overrides)
    }
}
