//! Many runs of one system, on the threads of rayon's pool, and in the lanes of their registers.
//!
//! ```text
//! starts ──chunks, one a thread──▶ as many runs as lanes, each on its own until it asks for a series
//!                                  those that wait: one expansion for all        SideBySide
//!                                  one that has ended: the next start            Place
//! ```
//!
//! Runs do not meet: of a run only the series is made beside others, by the operations that it takes
//! alone. Its steps, crossings and impacts are its own.

mod lanes;

use crate::error::StartError;
use crate::options::Options;
use crate::progress::Progress;
use crate::runner::Runner;
use crate::state::State;
use crate::system::LaneSeries;
use crate::system::System;
use crate::trajectory::Trajectory;
use lanes::{Lanes, Listed, SideBySide};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Chunks of starts a thread: what one has left, another takes.
const CHUNKS: usize = 8;

/// Starts of a chunk at least, where a thread has so many: they fill the lanes.
const CHUNK_MIN: usize = 8;

/// [`simulate`](crate::simulate) from each start, with the same inputs and options: the results in the order of the
/// starts, to the bit those of one run after another, whatever the number of threads. That is of the
/// present pool: `rayon::ThreadPool::install` chooses another.
///
/// A start that is refused takes nothing from the others. Where the system can make the series of several motions at once,
/// as one that was read from a file can, they are made so.
pub fn ensemble(
    system: &(dyn System + Sync),
    starts: &[State],
    inputs: &[f64],
    options: &Options,
) -> Vec<Result<Trajectory, StartError>> {
    if goes_in_lanes(system, options) {
        return in_lanes(&Listed(system), starts, inputs, options, &|_, run| run);
    }
    let runner = || Runner::new(system, inputs, options);
    let run = |runner: &mut Runner<'_>, start: &State| {
        runner.run(start, &mut |_| ControlFlow::Continue(()))
    };
    starts.par_iter().map_init(runner, run).collect()
}

/// [`ensemble`] on the thread that calls it, for those who have threads of their own. Where `goes_on` is false the runs
/// that are under way are interrupted, and no other is begun: `keep` is given those that were, each with the number of
/// its start, as they come.
pub fn ensemble_here<T>(
    system: &dyn System,
    starts: &[State],
    inputs: &[f64],
    options: &Options,
    goes_on: &dyn Fn() -> bool,
    keep: impl Fn(usize, Result<Trajectory, StartError>) -> T,
) -> Vec<T> {
    if goes_in_lanes(system, options) {
        return lanes::runs(&Listed(system), (starts, inputs, options), goes_on, &keep);
    }
    let mut runner = Runner::new(system, inputs, options);
    let mut look = |_: &Progress<'_>| {
        if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let begun = starts.iter().enumerate().take_while(|_| goes_on());
    begun.map(|(index, start)| keep(index, runner.run(start, &mut look))).collect()
}

/// Whether runs of a system ask for series, and it makes those of several motions at once.
fn goes_in_lanes(system: &dyn System, options: &Options) -> bool {
    options.method.has_series() && system.has_series_in_lanes()
}

/// [`ensemble`] with the series of several runs made together in the lanes of the machine's registers:
/// the same results, to the bit, whatever their width. It is faster where runs are made by
/// [`Method::Taylor`](crate::Method::Taylor), and no slower with another method.
///
/// `keep` is given each result with the number of its start, on the thread that made it, and says what
/// is kept: of a million runs not all trajectories. `|_, run| run` keeps them.
pub fn ensemble_in_lanes<S: LaneSeries + Sync, T: Send>(
    system: &S,
    starts: &[State],
    inputs: &[f64],
    options: &Options,
    keep: impl Fn(usize, Result<Trajectory, StartError>) -> T + Sync,
) -> Vec<T> {
    in_lanes(&Lanes(system), starts, inputs, options, &keep)
}

/// The runs of chunks of starts, each on a thread.
fn in_lanes<T: Send>(
    together: &dyn SideBySide,
    starts: &[State],
    inputs: &[f64],
    options: &Options,
    keep: &(impl Fn(usize, Result<Trajectory, StartError>) -> T + Sync),
) -> Vec<T> {
    let of_thread = starts.len().div_ceil(rayon::current_num_threads()).max(1);
    let chunk = of_thread.div_ceil(CHUNKS).max(of_thread.min(CHUNK_MIN));
    let runs = |(number, starts): (usize, &[State])| {
        let keep = |index, run| keep(number * chunk + index, run);
        lanes::runs(together, (starts, inputs, options), &|| true, &keep)
    };
    starts.par_chunks(chunk).enumerate().flat_map_iter(runs).collect()
}
