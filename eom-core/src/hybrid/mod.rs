//! The hybrid automaton: what happens where guards fall through zero.
//!
//! # Semantics
//! A run is a sequence of arcs and instants. On an arc x(t) = (q, v) follows the flow Φ of the
//! present mode; at an instant it jumps from x⁻ to x⁺, with t fixed, and the mode is chosen anew.
//! Arcs are half open: a step from tₙ finds the crossings in (tₙ, tₙ + h], those at tₙ belong to the
//! instant before.
//!
//! **Mode**: the set K of closed contacts, whose rows C = ∇g are in force. The flow solves
//!
//! ```text
//! M v̇ + h = F + Aᵀλ + Cᵀμ        A v̇ + Ȧ v + ḃ = 0        C v̇ + γ = 0
//! ```
//!
//! and keeps g = 0 and ġ = 0 as it keeps the constraints. μ is the normal force per unit gap.
//!
//! **Contact**: g(t,q) ≥ 0, unilateral. While it is open its guard is g, which fires where it falls
//! through 0; x⁻ is the last point with g ≥ 0 that can be told from τ. While it is closed its guard is
//! μ, which fires where it falls through 0; x is the first point with μ ≤ 0. Contacts at g ≈ 0 touch:
//! the closed ones, those within ±ρ of zero, and those that close sooner than τ can be told.
//!
//! A contact with conditions is *armed* where they hold. One that is not armed at x⁻ does not touch:
//! its gap passes zero, may be negative, and fires when it next falls through zero while armed. Conditions of places, which
//! hold no velocity, say how far its surface reaches: while it is closed they are guards as well, and where one falls through
//! zero the contact opens and is passed (`extents`). What is closed stays so whatever conditions of velocities do.
//!
//! **Impacts**: of the contacts that touch, those with ġ < −ε are struck. One that is struck while no
//! other rests (|ġ| ≤ ε) jumps by its law. If there are several, or others rest, they collide
//! together: Newton's law with complementarity, with impulses Λ ≥ 0 (`collision`). A law that is not
//! told by restitutions (`project`, `assign`) is applied to its contact alone, and so is
//! that of a contact that releases rows or relabels: then (q⁺, v⁺) = R(q⁻, v), where A v⁺ + b = 0 has
//! to hold, and it is asked again which contacts touch. A contact that separates takes no part, but another may push it back: this is repeated until no gap closes. More than
//! [`IMPACTS_AT_ONCE_MAX`] impacts a contact at one instant accumulate in it: from there on e = 0; where e = 1
//! they do not end, and the run does. Instants at one time are finitely many (`moment`).
//!
//! The own rows of a contact are in force in its impacts and while it is closed. What a series of
//! impacts leaves of a slip is taken away when the contact closes, as by an impact with e = 0. A run
//! that starts in contact while a row slips is refused.
//!
//! **After an instant** (`select_mode`), a contact that touches
//!
//! ```text
//! ġ > ε                                leaves
//! ġ > ε after an impact, g̈ < 0, and the flight it begins is below what can be told
//!                                      closes, at the limit of its impacts if they accumulate
//! |ġ| ≤ ε, μ has just fallen through 0 leaves: it opens; if others open with it and g̈ does not grow, it is closed
//! |ġ| ≤ ε                              is closed if it is one of the largest set S with
//!                                      g̈ = 0, μ ≥ 0 in S and g̈ ≥ 0 outside; else it leaves
//! ```
//!
//! ε = 10⁻¹²‖∇g‖‖v‖ in the metric of the kinetic energy, ‖v‖ the largest of the instant: an impact
//! leaves rounding of v⁻ in v⁺, however small that is. One that leaves counts as open from here on:
//! g ≈ 0 does not fire, but a return to g = 0 does, within the same step as well. At the closing g = 0
//! and ġ = 0 are made exact. Where no set S is admissible, or no impulses are, the run ends: an
//! impossible contact. S is a set of independent rows; a contact whose row depends on them touches
//! and bears nothing.
//!
//! **Dry friction** (`stick_slip`): a term c‖w‖ sticks, w = 0 being a row in force, or slides. The mode is K
//! with the set of terms that stick. What slides stops where w = 0, what sticks gives way where its
//! reaction rises through c; then contacts, by `select_mode`, and friction, by the convex problem of
//! `friction`, are solved in turns until neither changes. A body stays at rest iff Q₀·w ≤ D(q,w) for all
//! admissible w.
//!
//! **Friction of contacts** (`frictional`): the mode is K with the set of those that stick, found by the complementarity of
//! normal forces and friction together; what slides stops, what sticks gives way, as above, and impacts have friction
//! (`frictional_impact`): by Newton's law jointly, by Poisson's and Stronge's as a process of a contact that is struck alone, of several by Poisson's
//! in two phases and by Stronge's as a process in which impulses grow by their works. Where Coulomb's law has no solution or several, the run ends: a paradox. Where it has none, and so it is
//! declared, the contact that jams takes an impact without collision instead (`tangential_impact`). A constraint row with
//! friction is such a contact that stays closed, and presses with either sign σ of its multiplier λ: σ is chosen with the
//! mode, and while the row slides σλ is a guard (`mode::contact::at_rows`).
//!
//! **Start**: contacts with a gap within the tolerance of the start touch, with ε the larger of its own
//! and that tolerance. They are struck, closed or leave as at any instant.
//!
//! **Declared event**: a guard γ(t,q,v,u) with a side σ = sign γ that is carried along.
//!
//! ```text
//! falling:  σ > 0 and γ ≤ 0        rising:  σ < 0 and γ ≥ 0        both: either
//! ```
//!
//! x⁻ is the first point on the new side that can be told from the root. A jump is no crossing:
//! after it the sides of the guards that it has changed are taken anew from x⁺.
//!
//! **Simultaneous guards**: at an instant contacts come first, until none is closing; then the
//! declared events that fired at x⁻, by their order, each reset with the state that those before it
//! left; then contacts again; then the mode. A closed contact that a reset lifts off is open. Contacts that close within the
//! time δ that cannot be told from the instant take part; events that come to zero within δ fire where the jumps keep them from
//! crossing by themselves (`departure`). What comes within δ of the end of the run happens at the end.
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
//! crossed, and leaves zero, is not judged before it is beyond ±ρ. The verdict on a force is that on
//! any guard; ρ of a force has the rounding of its own terms as well.
//!
//! **Rest**: where v = 0, and v̇ = 0 to rounding in the present mode, and neither v̇ nor a guard depends
//! on t, the state stays (`rest`). If only a number of impacts would end the run, it ends at once; if
//! a time is asked for, it is there at that time.
//!
//! **Accumulation** (Zeno): with g̈ < 0 after an impact the next flight lasts δ = 2ġ⁺/|g̈| and rises to
//! η = ġ⁺²/(2|g̈|). Where either is below what rounding of t or of g can tell, the contact is held
//! closed from there on. If the impacts before had one ratio r < 1 and flights that fell by it, they
//! accumulate at t∞ = t + δ/(1 − r), and an event says so when t∞ is reached; what is left out is a gap
//! of at most η for the time t∞ − t (`zeno`). If the contact opens before t∞ there is no such event.
//! Contacts that are struck in turn accumulate where the duration and the rates of a period of their
//! sequence fall by ratios: then v goes to the limit in which none of them closes (`turns`).
//!
//! # Pseudocode
//! ```text
//! instant(x, contacts that touch at the start)
//! repeat                                                                            automaton
//!     if terms of friction have come to rest: instant(x, those)                       hold
//!     h ← step of the flow, at most to the end, to the next t∞, or half way to the next rest
//!     for each guard: verdict on (0, h], from the sketch or the dense output          arc, scan
//!     for the first crossing: solve g(Φ_τ(x)) = 0 by steps of size τ from xₙ          locate
//!     if none: x ← Φ_h(x)
//!     if unresolved: x ← Φ_τ(x), the run ends
//!     else:    x ← Φ_τ(x); instant(x, that guard)
//! until the end
//!
//! instant(x, guard):                                                                instant
//!     T ← contacts that touch;  E ← declared events that fire
//!     impacts(T);  for each event of E: reset;  if there were resets: T ← T ∪ …, impacts(T)
//!     select_mode(T)
//!
//! impacts(T): while contacts of T close:                                            impacts
//!     one alone, or one with such a law: v ← its law;  else: v ← collision of those with ġ ≤ ε
//!
//! select_mode(T):                                                                   select_mode
//!     R ← contacts of T with ġ ≤ ε, but for the one that opens
//!     S ← largest admissible set of R
//!     R ← R ∪ those of T whose flight with S closed cannot be told;  S ← as before
//!     while μ of one of S is zero and falls: R ← R without it;  S ← as before
//!     mode ← S;  x ← on g = 0, ġ = 0 of S;  record what opened and closed
//! ```
//!
//! No root is missed: what sketch, dense output and series tell of a step is checked by bounds of the guards'
//! own programs over the enclosure of the step (`proof`). A guard that has no bounds is sampled, and the
//! trajectory says so.
//!
//! A guard far from zero is seen to be so on a sketch of the step; the others are bounded on the
//! dense output by polynomials in Bernstein form, piece by piece (`scan`, `polynomial`). Dense
//! output is of order 7, the step of order 8: the root is solved on steps, the dense output only
//! says where. A crossing in the first part of a step makes the step a shorter one, so that a step
//! is of the order of the time between events and several events within it are told apart.

mod accumulation;
pub(crate) mod automaton;
mod change;
mod event;
pub(crate) mod frictional_impact;
pub(crate) mod impacts;
mod instant;
mod mode;
mod moment;
mod recording;
mod records;
mod stepped;
mod stick_slip;
pub(crate) mod works;

/// More impacts than this at one instant, for each contact, are an accumulation.
const IMPACTS_AT_ONCE_MAX: usize = 1000;
