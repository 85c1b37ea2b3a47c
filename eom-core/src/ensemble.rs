//! Many runs of one system, on the threads of rayon's pool.

use crate::error::StartError;
use crate::options::Options;
use crate::simulate::simulate;
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// [`simulate`] from each start, with the same inputs and options: the results in the order of the
/// starts, to the bit those of one run after another, whatever the number of threads. That is of the
/// present pool: `rayon::ThreadPool::install` chooses another.
///
/// A start that is refused takes nothing from the others.
pub fn ensemble(
    system: &(dyn System + Sync),
    starts: &[State],
    inputs: &[f64],
    options: &Options,
) -> Vec<Result<Trajectory, StartError>> {
    let run = |start: &State| {
        simulate(system, start, inputs, options, &mut |_| ControlFlow::Continue(()))
    };
    starts.par_iter().map(run).collect()
}
