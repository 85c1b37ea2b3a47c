//! What a system computes as tapes: to bound it over a box of states, and for its derivatives.
//!
//! ```text
//! gaps, extents, guards G(T, Q, V) ⊃ g, and Ġ ⊃ dg/dt along motions whose slopes are bounded: no root is proven
//! accelerations      V̇(T, Q, V) ⊃ v̇: what a step can have missed;  ∂v̇/∂(q, v) for implicit methods
//! M, A, ∇g, outputs, resets  their derivatives, for whoever linearises a motion
//! ```
//!
//! Tapes are given t, q, v, u and parameters in the order of [`System`](crate::System).

pub use eom_elementary::{Elementary, Interval, Marks};
pub use eom_enclosure::{
    Derivative, Directions, Disc, Dual, Evaluator, Inputs, Jacobian, Jet, Number, Operation, Paced,
    Register, SecondDerivative, Sides, Solve, Tape,
};

/// The tapes of a system, each where there is one: [`Specialised::programs`](super::Specialised::programs).
#[derive(Debug, Clone, Copy, Default)]
pub struct Programs<'a> {
    /// The gaps of its contacts.
    pub gaps: Option<&'a Tape>,
    /// The guards of its events.
    pub guards: Option<&'a Tape>,
    /// The extents of its contacts.
    pub extents: Option<&'a Tape>,
    /// q̇ = S v, where it is not v.
    pub rates: Option<&'a Tape>,
    /// v̇ of free motion, without multipliers.
    pub accelerations: Option<&'a Tape>,
    /// All that acts but dry friction: F, then h.
    pub forces: Option<&'a Tape>,
    /// M, lower triangle by rows.
    pub mass_matrix: Option<&'a Tape>,
    /// A by rows, then b.
    pub constraint_rows: Option<&'a Tape>,
    /// φ.
    pub holonomic: Option<&'a Tape>,
    /// For each contact ∇g, ∂g/∂t, its own rows, their affine parts.
    pub contact_rows: Option<&'a Tape>,
    /// −∂D/∂v of each contact's own dissipation, c×m.
    pub contact_forces: Option<&'a Tape>,
    /// ∂Q/∂λ of each contact's normal force λ, c×m.
    pub borne_forces: Option<&'a Tape>,
    /// The point terms of dry friction: c, w, J by rows, γ, as [`Friction::frictions`](super::Friction::frictions)
    /// writes them.
    pub frictions: Option<&'a Tape>,
    /// For each event that resets, then for each contact that assigns velocities, the state (q, v) after it.
    pub resets: Option<&'a Tape>,
    /// The declared outputs.
    pub outputs: Option<&'a Tape>,
    /// For each scenario t, q, v, u, before its unknowns are solved; none where no scenario depends on a parameter.
    pub starts: Option<&'a Tape>,
}
