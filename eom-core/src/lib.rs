//! What generated mechanics runs on: systems, integrators, impacts, trajectories.
pub mod info;
pub mod system;

pub mod impact;
pub mod linalg;
pub mod metric;

mod constraints;
mod end;
mod error;
mod flow;
mod hybrid;
mod integrate;
mod options;
mod simulate;
mod start;
mod state;
mod stats;
mod trajectory;

pub use end::End;
pub use error::{ImpactError, NotPositiveDefinite, Residual, ResidualKind, StartError};
pub use options::{AbsoluteTolerance, Options, Sampling, StartPolicy};
pub use simulate::{Progress, simulate};
pub use start::solve_unknowns;
pub use state::State;
pub use stats::Stats;
pub use system::{Declared, Energy, Law, ParameterError, Scenario, System};
pub use trajectory::{Event, EventKind, Trajectory};

#[cfg(feature = "macros")]
pub use eom_macros::lagrangian;
