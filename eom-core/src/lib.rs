//! What generated mechanics runs on: systems, integrators, impacts, trajectories.
//!
//! # A system
//! The macro `lagrangian!` derives a type that implements [`System`] from a declaration:
//! accelerations, constraint rows, gaps, energies, as functions that do not allocate. A system
//! may as well be written by hand, as below. The static tables about it are in [`info`].
//!
//! # A run
//! [`simulate()`] integrates a system from a [`State`] with an explicit Runge–Kutta method of order
//! 8, keeps the state on its constraints, locates contacts and declared events to rounding,
//! applies the impact laws, and returns a [`Trajectory`]. A start that violates a constraint is a
//! [`StartError`] with numbers; everything later is the [`End`] of the trajectory, which keeps
//! what was computed before. What happens at an event, and in which order, is written as formula
//! and pseudocode in `src/hybrid/mod.rs`.
//!
//! [`Run`] is a run that goes on when it is told to: under control, step by step, copied. [`simulate()`] is
//! a loop over it.
//!
//! # In a simulator of one's own
//! [`impact::ImpactMap`] is the impact map alone, [`metric::RowSpace`] the projections that it is
//! made of, [`linalg`] the solves. None of them allocates after it is made.
//!
//! # Example
//! A ball falls on a floor and bounces with restitution 1/2.
//!
//! ```
//! use eom_core::info::{ContactInfo, NameInfo, SystemInfo};
//! use eom_core::system::{Contacts, Events, Friction, Specialised};
//! use eom_core::{Energy, Law, Options, State, System, simulate};
//! use std::ops::ControlFlow;
//!
//! static BALL: SystemInfo = SystemInfo {
//!     name: "Ball",
//!     coordinates: &[NameInfo { name: "y", ascii: "y", doc: "height in m" }],
//!     contacts: &[ContactInfo::new("floor", "restitution(1/2)")],
//!     ..SystemInfo::EMPTY
//! };
//!
//! struct Ball;
//!
//! impl System for Ball {
//!     fn info(&self) -> &'static SystemInfo { &BALL }
//!     fn accelerations(
//!         &self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], a: &mut [f64], _λ: &mut [f64],
//!     ) {
//!         a[0] = -9.81;
//!     }
//!     fn mass_matrix(&self, _t: f64, _q: &[f64], m: &mut [f64]) { m[0] = 1.0; }
//!     fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
//!         let (kinetic, potential) = (v[0] * v[0] / 2.0, 9.81 * q[0]);
//!         Energy { kinetic, potential, jacobi: kinetic + potential }
//!     }
//! }
//!
//! impl Contacts for Ball {
//!     fn gaps(&self, _t: f64, q: &[f64], g: &mut [f64]) { g[0] = q[0]; }
//!     fn gap_rows(&self, _t: f64, _q: &[f64], grad: &mut [f64], rate: &mut [f64]) {
//!         grad[0] = 1.0;
//!         rate[0] = 0.0;
//!     }
//!     fn gap_drift(&self, _t: f64, _q: &[f64], _v: &[f64], γ: &mut [f64]) { γ[0] = 0.0; }
//!     fn law(&self, _contact: usize) -> Law { Law::Restitution(0.5) }
//! }
//!
//! // No events, no dry friction.
//! impl Events for Ball {}
//! impl Friction for Ball {}
//! impl Specialised for Ball {}
//!
//! let options = Options { until_time: Some(1.0), ..Options::default() };
//! let start = State::new(0.0, [1.0], [0.0]);
//! let trajectory = simulate(&Ball, &start, &[], &options, &mut |_| ControlFlow::Continue(()))?;
//!
//! let first_impact = (2.0_f64 / 9.81).sqrt();
//! assert!((trajectory.events[0].t - first_impact).abs() < 1e-15);
//! assert_eq!(trajectory.end.to_string(), "reached t = 1");
//! # Ok::<(), eom_core::StartError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]

pub mod batch;
pub mod contact;
pub mod friction;
pub mod function;
pub mod impact;
pub mod info;
#[doc(hidden)]
pub mod private;
pub mod series;
pub mod system;

mod constraints;
#[cfg(feature = "batch")]
mod ensemble;
mod error;
mod flow;
mod forces;
mod hybrid;
mod integrate;
mod linear;
mod mode;
mod moreau;
mod run;
mod snapshot;
mod state;
mod trajectory;

pub use function::jet;
#[doc(hidden)]
pub use impact::process as impact_process;
#[doc(hidden)]
pub use integrate::midpoint;
pub use linear::{linalg, metric, span};
#[doc(hidden)]
pub use system::enclosure;

pub use batch::Lanes;
#[cfg(feature = "batch")]
pub use ensemble::{Member, ensemble, ensemble_here, ensemble_in_lanes};
pub use error::{
    ImpactError, NotPositiveDefinite, Residual, ResidualKind, StartError, TogetherError,
};
pub use forces::Forces;
pub use function::jet::Jet;
pub use function::{Smooth, SmoothFunction};
pub use hybrid::impacts::together::{ImpactInTurn, impacts_together};
pub use linear::singular::SingularMass;
pub use mode::Mode;
pub use moreau::{Stepped, SteppingRefusal};
pub use run::Run;
pub use run::options::{AbsoluteTolerance, ForceCheck, Method, Options, Sampling, StartPolicy};
pub use run::progress::Progress;
pub use run::scenario::{Given, ScenarioError, StartRule, run_scenario, start_scenario};
pub use run::simulate::simulate;
pub use run::start::{check as check_start, solve_unknowns};
pub use snapshot::{RestoreError, Snapshot};
pub use state::State;
pub use system::LaneSeries;
pub use system::conserved::{Conserved, ConservedTape};
pub use system::jacobian::StateJacobian;
pub use system::{
    Contacts, Declared, Energy, EventCount, Events, Friction, Law, ParameterError, Scenario,
    Sentence, System, total_energy,
};
pub use trajectory::end::{Counted, End, Unfollowed};
pub use trajectory::event::{Event, EventKind, Hit};
pub use trajectory::ledger::{Cause, Drift, Jump, Kept, Ledger, Source, Work};
pub use trajectory::stats::Stats;
pub use trajectory::watched::Watched;
pub use trajectory::{GuardCheck, ModeSpan, SavedTrajectory, Trajectory};

#[cfg(feature = "macros")]
pub use eom_macros::lagrangian;

/// The vectors and matrices of generated functions.
pub use nalgebra;

/// Elementary functions, as generated code calls them.
pub use eom_elementary as elementary;
/// Integrals, as generated code evaluates those of a declaration.
pub use eom_quadrature as quadrature;
