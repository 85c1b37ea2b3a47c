//! A run: from a start state to a trajectory.

use super::options::Options;
use super::progress::Progress;
use super::runner::Runner;
use crate::error::StartError;
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;
use std::ops::ControlFlow;

/// Integrates a system from a start state with constant inputs, until the time or the number of
/// impacts that the options give, until the observer breaks, or until it cannot go on.
///
/// # Errors
/// A start that is not admitted: wrong lengths, numbers that are not finite, options without a
/// meaning, a state that violates a constraint or penetrates a contact. Whatever happens later is
/// the [`End`](crate::End) of the trajectory, which keeps what was computed before.
pub fn simulate(
    system: &dyn System,
    start: &State,
    inputs: &[f64],
    options: &Options,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Result<Trajectory, StartError> {
    Runner::new(system, inputs, options).run(start, observer)
}
