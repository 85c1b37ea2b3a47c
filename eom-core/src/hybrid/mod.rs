//! The hybrid automaton: what happens where guards fall through zero.
//!
//! # Semantics
//! A run is a sequence of arcs and instants. On an arc x(t) = (q, v) follows the flow Φ; at an
//! instant it jumps from x⁻ to x⁺, with t fixed. Arcs are half open: a step from tₙ finds the
//! crossings in (tₙ, tₙ + h], those at tₙ belong to the instant before.
//!
//! **Contact**: g(t,q) ≥ 0, unilateral. It *closes* at the first τ where g falls through 0; x⁻ is
//! the last point with g ≥ 0 that can be told from τ. Its jump is the impact law. Afterwards
//!
//! ```text
//! ġ⁺ > ε               leaving: the contact counts as open from here on, g ≈ 0 does not fire,
//!                      but a return to g = 0 does, within the same step as well
//! |ġ⁺| ≤ ε, g̈ > 0      leaving
//! |ġ⁺| ≤ ε, g̈ ≤ 0      closed: motion in contact, where a run ends today
//! ġ⁺ < −ε              an error of the law, unless a second contact pushed it: then it closes again
//! ```
//!
//! with ε = 10⁻¹²‖∇g‖‖v‖ in the metric of the kinetic energy.
//!
//! **Declared event**: a guard γ(t,q,v,u) with a side σ = sign γ that is carried along.
//!
//! ```text
//! falling:  σ > 0 and γ ≤ 0        rising:  σ < 0 and γ ≥ 0        both: either
//! ```
//!
//! x⁻ is the first point on the new side that can be told from the root. A jump is no crossing:
//! after it the sides are taken anew from x⁺.
//!
//! **Simultaneous guards**: at an instant contacts come first, by their order of declaration, each
//! with the velocity that those before it left, until none is closing; then the declared events
//! that fired at x⁻, by their order, each reset with the state that those before it left; then
//! contacts again. An instant in which more than [`IMPACTS_AT_ONCE_MAX`] impacts a contact happen
//! is an accumulation.
//!
//! **Accumulation** (Zeno): with g̈ < 0 after an impact the next flight lasts δ = 2ġ⁺/|g̈| and
//! rises to ġ⁺²/(2|g̈|). Where either is below what rounding of t or of g can tell, the impacts
//! accumulate, near t + δ/(1 − ġ⁺/|ġ⁻|).
//!
//! # Pseudocode
//! ```text
//! instant(x, contacts that touch at the start)
//! repeat                                                                            automaton
//!     h ← step of the flow, at most to the end
//!     for each guard: bracket its first crossing in (0, h] on the dense output      scan
//!     for the first: solve g(Φ_τ(x)) = 0 by steps of size τ from xₙ                  locate
//!     if none: x ← Φ_h(x)
//!     else:    x ← Φ_τ(x); instant(x, that guard)                                    instant
//! until the end
//! ```
//!
//! Guards are scanned at 9 Chebyshev points of the step, with the derivative of the polynomial
//! through them: where the guard turns back between two points, its extremum is computed, so that
//! a dip through zero and back within one step is two crossings. Dense output is of order 7, the
//! step of order 8: the root is solved on steps, the dense output only says where. A crossing in
//! the first part of a step makes the step a shorter one, so that a step is of the order of the
//! time between events and several events within it are told apart.

mod arc;
pub(crate) mod automaton;
mod contact;
mod guards;
mod instant;
mod locate;
mod polynomial;
mod rest;
mod scan;

/// More impacts than this at one instant, for each contact, are an accumulation.
const IMPACTS_AT_ONCE_MAX: usize = 1000;
