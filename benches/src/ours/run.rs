//! Runs: smooth ones, impacts, an ensemble.

use crate::clock::{nanoseconds, process};
use crate::contest::{Contestant, Measured};
use crate::problem::{Problem, penny_of_ensemble, state_of};
use crate::reference::runs;
use crate::systems::{BouncingBall, Penny};
use crate::work::ORDERS;
use eom_core::{
    AbsoluteTolerance, Method, Options, Progress, Sampling, StartError, State, System, Trajectory,
    ensemble_in_lanes, simulate,
};
use std::ops::ControlFlow;

/// Tolerances of the smooth runs.
const TOLERANCES: [f64; 8] = [1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13, 1e-14, 2e-15];
/// Tolerances of the penny; the absolute one is a hundredth, as by default.
const TOLERANCES_OF_IMPACTS: [f64; 4] = [1e-9, 1e-11, 1e-12, 1e-14];
const IMPACTS: usize = 10_000;
const PENNIES: u32 = 10_000;
const IMPACTS_OF_EACH: usize = 20;

/// Both ways to integrate, with what tables call them.
const METHODS: [(Method, &str); 2] =
    [(Method::RungeKutta, "ours, DOP853"), (Method::Taylor, "ours, Taylor")];

pub(super) fn options(method: Method, relative: f64, absolute: f64) -> Options {
    Options {
        method,
        relative_tolerance: relative,
        absolute_tolerance: AbsoluteTolerance::All(absolute),
        sampling: Sampling::Ends,
        ..Options::default()
    }
}

pub(super) fn run(
    system: &dyn System,
    start: &State,
    options: &Options,
) -> Result<Trajectory, String> {
    let go_on = &mut |_: &Progress<'_>| ControlFlow::Continue(());
    simulate(system, start, &[], options, go_on).map_err(|error| error.to_string())
}

/// The last state and the work of a run.
pub(super) fn ended(ns: f64, run: &Trajectory) -> Measured {
    let state = run.samples.last().map(|s| [&s.q[..], &s.v[..]].concat()).unwrap_or_default();
    Measured { ns, state, steps: Some(run.stats.steps), ..Measured::default() }
}

/// To the end of a problem, from each of its starts.
pub(super) fn smooth(problem: Problem) -> Vec<Contestant<'static>> {
    let at = |(method, name): (Method, &str), tolerance: f64| {
        let system = problem.system();
        let starts = runs(problem).starts;
        let starts: Vec<State> = starts.iter().map(|list| state_of(&*system, list)).collect();
        let end = Some(problem.end());
        let options = Options { until_time: end, ..options(method, tolerance, tolerance) };
        let contestant = Contestant::ours(name, move || {
            let all = || starts.iter().map(|start| run(&*system, start, &options)).collect();
            let (ns, runs): (f64, Result<Vec<Trajectory>, String>) = nanoseconds(all);
            runs.map(|runs| of_each(ns, &runs))
        });
        contestant.at(tolerance)
    };
    METHODS.into_iter().flat_map(|named| TOLERANCES.map(|tolerance| at(named, tolerance))).collect()
}

/// The last states and the work of one of several runs, which together took so long.
fn of_each(ns: f64, runs: &[Trajectory]) -> Measured {
    let count = runs.len().max(1);
    let ends = runs.iter().map(|run| ended(ns, run));
    Measured {
        ns: ns / count as f64,
        state: ends.flat_map(|end| end.state).collect(),
        steps: Some(runs.iter().map(|run| run.stats.steps).sum::<u64>() / count as u64),
        ..Measured::default()
    }
}

/// One step of the double pendulum at the tolerance that asks for an order.
pub(super) fn taylor(order: u32) -> Vec<Contestant<'static>> {
    let of_order = ORDERS.into_iter().filter(|(other, _)| *other == order);
    let contestants = of_order.map(|(_, tolerance)| {
        let problem = Problem::DoublePendulum;
        let system = problem.system();
        let start = state_of(&*system, &problem.start());
        let end = Some(problem.end());
        let tolerance = tolerance.max(TOLERANCES[TOLERANCES.len() - 1]);
        let order = usize::try_from(order).ok();
        let options = Options {
            until_time: end,
            series_order: order,
            ..options(Method::Taylor, tolerance, tolerance)
        };
        let contestant = Contestant::ours("ours", move || {
            let (ns, run) = nanoseconds(|| run(&*system, &start, &options));
            run.map(|run| ended(ns / run.stats.steps.max(1) as f64, &run))
        });
        contestant.at(tolerance)
    });
    contestants.collect()
}

/// The times of the events of a run.
fn times(run: &Trajectory, count: usize) -> Vec<f64> {
    run.impacts().take(count).map(|(_, event)| event.t).collect()
}

/// 10,000 elastic impacts of the penny.
pub(super) fn impacts() -> Vec<Contestant<'static>> {
    let at = |(method, name): (Method, &str), tolerance: f64| {
        let system = Penny::default();
        let start = state_of(&system, &Problem::Penny.start());
        let ends = Some(IMPACTS);
        let options =
            Options { until_impacts: ends, ..options(method, tolerance, tolerance / 100.0) };
        let contestant = Contestant::ours(name, move || {
            let (ns, run) = nanoseconds(|| run(&system, &start, &options));
            run.map(|run| Measured {
                times: times(&run, IMPACTS_OF_EACH),
                ..ended(ns / IMPACTS as f64, &run)
            })
        });
        contestant.at(tolerance)
    };
    let named = METHODS.into_iter();
    named.flat_map(|named| TOLERANCES_OF_IMPACTS.map(|tolerance| at(named, tolerance))).collect()
}

/// 150 bounces of a ball with e = 0.9, from rest at height 1.
pub(super) fn bounces() -> Vec<Contestant<'static>> {
    let of_method = |(method, name): (Method, &str)| {
        let system = BouncingBall::default();
        let start = State { t: 0.0, q: vec![1.0], v: vec![0.0] };
        let options = Options { until_impacts: Some(150), ..options(method, 1e-12, 1e-12) };
        Contestant::ours(name, move || {
            let (ns, run) = nanoseconds(|| run(&system, &start, &options));
            run.map(|run| {
                let times = times(&run, 150);
                let ns = ns / times.len().max(1) as f64;
                Measured { times, ..ended(ns, &run) }
            })
        })
    };
    METHODS.map(of_method).into()
}

/// 10,000 pennies on two threads.
pub(super) fn ensemble() -> Vec<Contestant<'static>> {
    let of_method = |(method, name): (Method, &str)| {
        let options = options(method, 1e-12, 1e-14);
        let options = Options { until_impacts: Some(IMPACTS_OF_EACH), ..options };
        Contestant::ours(name, move || on_two_threads(&options)).at(1e-12)
    };
    METHODS.map(of_method).into()
}

/// The times of the last impacts.
fn on_two_threads(options: &Options) -> Result<Measured, String> {
    let penny = Penny::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let begin = process();
    let starts: Vec<State> =
        (0..PENNIES).map(|i| state_of(&penny, &penny_of_ensemble(i))).collect();
    let last = |_, run: Result<Trajectory, StartError>| run.map(|run| run.end.t());
    let times = pool.install(|| ensemble_in_lanes(&penny, &starts, &[], options, last));
    let ns = (process() - begin) * 1e9 / f64::from(PENNIES);
    let times = times.into_iter().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    Ok(Measured { ns, times, ..Measured::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Pace, hold};
    use crate::judge::figures;
    use crate::work::Work;
    use std::time::Duration;

    /// The median errors at the tightest tolerance, of the references' 40 digits: by Runge–Kutta, by
    /// series.
    #[test]
    fn rounding_leaves_no_more_than_it_has_to() {
        let table = [
            (Problem::DoublePendulum, 2e-9, 4e-10),
            (Problem::Pendulum6, 4e-14, 6e-15),
            (Problem::Particle, 8e-14, 2e-14),
            (Problem::Ball, 1e-13, 3e-14),
        ];
        for (problem, by_stages, by_series) in table {
            let mut tightest = smooth(problem);
            tightest.retain(|found| found.tolerance == TOLERANCES.last().copied());
            let standings = hold(&mut tightest, Pace { rounds: 1, time: Duration::ZERO });
            let figures = figures(Work::Precision(problem), &standings);
            for (figure, largest) in figures.iter().zip([by_stages, by_series]) {
                let error = figure.as_ref().ok().and_then(|figure| figure.error);
                assert!(error.is_some_and(|error| error <= largest), "{problem:?}: {figure:?}");
            }
        }
    }
}
