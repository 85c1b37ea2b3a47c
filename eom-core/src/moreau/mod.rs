//! Time stepping (Moreau 1988, Jean 1999): a step of fixed size in which contacts open, close, are struck, stick and slide
//! without an event for each, for motions with more modes than can be followed.
//!
//! One step h from (t, q, v), with M, A, ∇g, J, f at its middle, t + h/2 and q_M:
//!
//! ```text
//! q_M = q + h/2 S v                               K = { i : gᵢ(q_M) ≤ 0 }
//!
//! M (v⁺ − v) = h f + AᵀΛ + Σ_K (∇gᵢᵀPᵢ + CᵢᵀΨᵢ + JᵢᵀΦᵢ) + Σ JₖᵀΦₖ        A v⁺ + b = 0
//!
//! 0 ≤ Pᵢ ⊥ ġᵢ⁺ + eᵢ ġᵢ⁻ ≥ 0                       the normal impulse with Newton's restitution
//! Cᵢ v⁺ + bᵢ = 0 where Pᵢ > 0, else Ψᵢ = 0        the contact's own rows
//! ‖Φᵢ‖ ≤ μᵢ Pᵢ,  ‖Φₖ‖ ≤ h cₖ                      friction of contacts, and of the dissipation c‖w‖
//! Φ = −limit s⁺/‖s⁺‖ where s⁺ ≠ 0                 s = J v + …, after the step
//!
//! q⁺ = q_M + h/2 S(q_M) v⁺                        then q⁺ to φ = 0 and v⁺ to A v⁺ + b = 0 at q⁺
//! ```
//!
//! f are the forces of free motion at v + h/2 v̇: without contacts it is the midpoint rule (θ = 1/2). ġ⁻ is zero for a contact
//! that was closed in the step before, and where the gap opens; the limit of what rests, or would be turned back, is μ_s Pᵢ. Contacts are told by
//! their gaps as declared. There is no correction of a gap that a step has made negative: bodies sink in by the way of a
//! step at most, which is of first order, too.
//!
//! The one-step problem is solved row by row (`problem`): projected Gauss–Seidel, from the impulses of the step before, until
//! no row changes the velocity by more than rounding. Coulomb's law for impulses has a solution where that for forces has
//! none, so that a step passes Painlevé's paradox.
//!
//! **Error** (`estimate`): a twin goes along in steps of 2h. Of a method of first order x_h errs by ≈ x_h − x_2h. The part of
//! a step at which an impact falls is another one in each of them, so that this is the size of the error and not its value:
//! the largest along the run is told, too.
//!
//! **Declared events** are looked for at the ends of steps, their times by linear interpolation: a step ends there.

mod admission;
mod contacts;
mod estimate;
mod problem;
mod refusal;
mod step;

pub(crate) use admission::check;
pub use estimate::Stepped;
pub(crate) use estimate::{Stepping, Steps};
pub use refusal::SteppingRefusal;

/// Whether there is time stepping here: in WebAssembly it would be carried by every page.
pub(crate) const HERE: bool = !cfg!(target_family = "wasm");
