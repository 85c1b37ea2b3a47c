//! Many runs of systems with one declaration, on the threads of rayon's pool, and in the lanes of their registers.
//!
//! ```text
//! starts ──chunks, one a thread──▶ as many runs as lanes, each on its own until it asks for a series
//!                                  those that wait: one expansion for all        SideBySide
//!                                  one that has ended: the next one              Place
//! ```
//!
//! Runs do not meet: of a run only the series is made beside others, by the operations that it takes
//! alone. Its steps, crossings and impacts are its own.

mod lanes;
mod member;

use crate::error::StartError;
use crate::run::options::Options;
use crate::run::progress::Progress;
use crate::run::runner::Runner;
use crate::state::State;
use crate::system::LaneSeries;
use crate::system::System;
use crate::trajectory::Trajectory;
use lanes::{Lanes, Listed, SideBySide};
use member::{goes_in_lanes, room_of};
use rayon::prelude::*;
use std::ops::ControlFlow;

pub use member::Member;

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
        return in_lanes(&Listed(system), (system, inputs, options), starts, &|_, run| run);
    }
    let runner = || Runner::new(system, inputs, options);
    let run = |runner: &mut Runner<'_>, start: &State| {
        runner.run(start, &mut |_| ControlFlow::Continue(()))
    };
    starts.par_iter().map_init(runner, run).collect()
}

/// Runs on the thread that calls it, for those who have threads of their own: the same results, to the bit, as each run
/// alone, in their order. Where `goes_on` is false the runs that are under way are interrupted, and no other is begun:
/// `keep` is given those that were, each with its number, as they come.
///
/// Their systems may differ in their parameters: of those that were read from one file the series are made beside one
/// another, too. Runs beside one another that share system, inputs and options by reference share their room, which
/// is some of the time of a short run.
pub fn ensemble_here<T>(
    members: &[Member<'_>],
    goes_on: &dyn Fn() -> bool,
    mut keep: impl FnMut(usize, Result<Trajectory, StartError>) -> T,
) -> Vec<T> {
    let mut kept: Vec<Option<T>> = members.iter().map(|_| None).collect();
    let mut take = |index: usize, run| kept[index] = Some(keep(index, run));
    let first = members.iter().find(|member| member.order_in_lanes().is_some());
    let goes_beside = |member: &Member<'_>| first.is_some_and(|first| member.goes_beside(first));
    let numbered = || members.iter().copied().enumerate();
    if let Some(first) = first {
        let mut queue = numbered().filter(|(_, member)| goes_beside(member));
        lanes::runs(&Listed(first.system), *first, &mut queue, goes_on, &mut take);
    }
    let mut runner: Option<Runner<'_>> = None;
    let mut look = |_: &Progress<'_>| {
        if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    for (index, member) in numbered().filter(|(_, member)| !goes_beside(member)) {
        if !goes_on() {
            break;
        }
        take(index, room_of(&mut runner, member).0.run(member.start, &mut look));
    }
    kept.into_iter().flatten().collect()
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
    in_lanes(&Lanes(system), (system, inputs, options), starts, &keep)
}

/// The runs of chunks of starts, each on a thread.
fn in_lanes<T: Send>(
    together: &dyn SideBySide,
    (system, inputs, options): (&(dyn System + Sync), &[f64], &Options),
    starts: &[State],
    keep: &(impl Fn(usize, Result<Trajectory, StartError>) -> T + Sync),
) -> Vec<T> {
    let of_thread = starts.len().div_ceil(rayon::current_num_threads()).max(1);
    let chunk = of_thread.div_ceil(CHUNKS).max(of_thread.min(CHUNK_MIN));
    let runs = |(number, starts): (usize, &[State])| {
        let mut kept: Vec<Option<T>> = starts.iter().map(|_| None).collect();
        let mut take = |index: usize, run| kept[index] = Some(keep(number * chunk + index, run));
        let member = |start| Member { system, start, inputs, options };
        if let Some(first) = starts.first() {
            let mut queue = starts.iter().map(member).enumerate();
            lanes::runs(together, member(first), &mut queue, &|| true, &mut take);
        }
        kept.into_iter().flatten()
    };
    starts.par_chunks(chunk).enumerate().flat_map_iter(runs).collect()
}
