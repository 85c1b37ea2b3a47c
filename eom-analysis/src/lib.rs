//! What a motion means: steady motions, their linearisation, eigenvalues, critical values, orbits, branches.
//!
//! ```text
//! ẏ = f(y, u),  y = (q, v),      c(y) = A v + b = 0,  φ(q) = 0
//! x          the entries of y on which the motion depends; coordinates that nothing depends on are left out
//! steady     ẋ = 0: an equilibrium, or a motion along coordinates that are left out (a wheel that rolls on), or along a
//!            turn that is a symmetry (a top asleep)
//! z          as many entries of x as are free on the constraints: ẋ = 0 moved by δz has δx = N δz
//! ż = A z + B u,  outputs = C z + D u
//! ```
//!
//! The derivatives are those of the program that is integrated, exact to rounding: [`StateSpace`] asks
//! [`Programs`](eom_core::enclosure::Programs) for them. No answer is made of a difference quotient.
//!
//! ```
//! use eom_analysis::StateSpace;
//! use eom_core::State;
//!
//! eom_core::lagrangian! {
//!     /// A pendulum.
//!     pub system Pendulum {
//!         coordinates { θ }
//!         parameters { g = 9.81, l = 1 }
//!         kinetic = l^2*θ̇^2/2;
//!         potential = -g*l*cos(θ);
//!     }
//! }
//!
//! let pendulum = Pendulum::default();
//! let linear = StateSpace::new(&pendulum)?.linearise(&State::new(0.0, [0.0], [0.0]), &[])?;
//! assert_eq!(linear.a.as_slice(), [0.0, -9.81, 1.0, 0.0]);
//! let pair = linear.eigenvalues()?;
//! assert!((pair[0].im - 9.81_f64.sqrt()).abs() < 1e-15);
//! # Ok::<(), eom_analysis::AnalysisError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]

mod continuation;
mod critical;
mod error;
mod linear;
mod lyapunov;
mod mode;
mod names;
mod orbit;
mod saltation;
mod sentence;
mod space;
mod steady;
mod tangent;
mod tapes;
mod variation;

pub use continuation::{
    Branch, BranchEnd, BranchPoint, ContinuationOptions, Family, Member, Special, SpecialKind,
    continue_orbit, continue_steady,
};
pub use critical::{Crossing, CrossingKind, critical_values};
pub use error::AnalysisError;
pub use linear::Linearisation;
pub use linear::eigen::{Mode, NEUTRAL, eigenvalues, modes};
pub use linear::question::{LinearAnswer, LinearQuestion};
pub use linear::second_order::SecondOrder;
pub use linear::stability::UNCLEAR;
pub use lyapunov::{Exponent, Exponents, LyapunovOptions};
pub use mode::open::OpenJacobian;
pub use mode::{ModePart, ModePartKind};
pub use names::Entry;
pub use orbit::diagram::{Side, Visit, repeats_after};
pub use orbit::{Orbit, Return, Section, latest_return};
pub use sentence::{Build, Verdict, complaint, decide};
pub use space::StateSpace;
pub use steady::symmetry::Turning;
pub use steady::{Steady, SteadyOptions};
pub use variation::adjoint::Gradient;
pub use variation::ended::Ended;
pub use variation::{Transition, Variations};
