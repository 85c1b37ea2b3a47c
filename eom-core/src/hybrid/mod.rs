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
//! with ε = 10⁻¹²‖∇g‖‖v‖ in the metric of the kinetic energy, ‖v‖ the largest of the instant: an
//! impact leaves rounding of v⁻ in v⁺, however small that is.
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
//! **Verdict**: in each step and for each guard, with σ its side at the start,
//!
//! ```text
//! no root        σγ > 0 in (0, h], and every minimum of it is above ρ
//! crosses        σγ > 0 at one point, σγ ≤ 0 at a later one, one root between; for a contact the
//!                dip below zero that follows, |ġ⁻|²/(2g̈) for g̈ > 0, is deeper than ρ
//! unresolved     a minimum of σγ, or the dip of a crossing, is within ±ρ: the run ends there
//!
//! ρ = Σ |∂γ/∂yⱼ| uⱼ + ε |∂γ/∂t||t|        uⱼ = 2ε|yⱼ| + (aⱼ + r|yⱼ|)/200
//! ```
//!
//! with |yⱼ| the larger of both ends of the step and a, r the tolerances. A touch is one of the
//! unresolved: where the minimum is within ρ, none of zero, one and two roots can be told from the
//! others. The first term of uⱼ is rounding. The second is what a step errs; with the tolerances
//! of the default options it is smaller than the first. At the end of a step a guard within ±ρ has
//! no verdict yet: the next step gives it. At the start of an arc a guard that has just jumped or
//! crossed, and leaves zero, is not judged before it is beyond ±ρ. Contacts within ±ρ of zero, or
//! closing sooner than τ can be told, belong to the instant.
//!
//! **Rest**: where v = 0, and v̇ = 0 to rounding, and neither v̇ nor a guard depends on t, the state
//! stays. A contact at g ≈ 0 needs no force then and is no end. If only a number of impacts would
//! end the run, it ends at once; if a time is asked for, it goes on to that time.
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
//!     for each guard: verdict on (0, h], from the sketch or the dense output          arc, scan
//!     for the first crossing: solve g(Φ_τ(x)) = 0 by steps of size τ from xₙ          locate
//!     if none: x ← Φ_h(x)
//!     if unresolved: x ← Φ_τ(x), the run ends
//!     else:    x ← Φ_τ(x); instant(x, that guard)                                    instant
//! until the end
//! ```
//!
//! A guard far from zero is seen to be so on a sketch of the step; the others are bounded on the
//! dense output by polynomials in Bernstein form, piece by piece (`scan`, `polynomial`). Dense
//! output is of order 7, the step of order 8: the root is solved on steps, the dense output only
//! says where. A crossing in the first part of a step makes the step a shorter one, so that a step
//! is of the order of the time between events and several events within it are told apart.

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
