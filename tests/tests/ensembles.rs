//! Many runs at once are, to the bit, the runs one after another: whatever room they share, threads they
//! are on, and lanes their series are made in.

use eom_core::system::Specialised as _;
use eom_core::{
    AbsoluteTolerance, Declared, End, LaneSeries, Member, Method, Options, Sampling, StartError,
    StartPolicy, State, System, Trajectory, ensemble, ensemble_here, ensemble_in_lanes, simulate,
};
use eom_interpreter::Interpreted;
use eom_tests::systems::{
    Ball, BeltBlock, Coin, CompassWalker, DoublePendulum, Dumbbell, Ladder, Paddle, Pendulum, Puck,
    RoughDisc, Sleigh, Stepper, Top,
};
use eom_tests::{random, start_of};
use fastrand::Rng;
use std::cell::Cell;
use std::ops::ControlFlow;

/// More than lanes, and no multiple of them.
const STARTS: u32 = 19;

type Runs = Vec<Result<Trajectory, StartError>>;

/// Starts around that of the first scenario, or any one: velocities are scaled, of every fifth one is
/// moved off what rows allow.
fn around(system: &dyn System) -> (Vec<State>, Vec<f64>) {
    let info = system.info();
    let (start, inputs) = if info.scenarios.is_empty() {
        let any = random::state(&mut Rng::with_seed(11), info);
        (any, vec![0.3; info.inputs.len()])
    } else {
        start_of(system, 0)
    };
    let moved = |i: u32| {
        let mut state = start.clone();
        state.v.iter_mut().for_each(|v| *v *= 1.0 - 0.01 * f64::from(i));
        if i % 5 == 4 {
            state.v[0] += 0.1;
        }
        state
    };
    ((0..STARTS).map(moved).collect(), inputs)
}

/// Runs of both methods, to an impact, to a time with all steps, to a time with a ledger; and by the method that the
/// motion asks for. Any start is projected.
fn ways(t: f64, projects: bool) -> [Options; 5] {
    let of = |method| Options {
        method,
        relative_tolerance: 1e-11,
        absolute_tolerance: AbsoluteTolerance::All(1e-13),
        sampling: Sampling::Ends,
        events_max: 12,
        until_time: Some(t),
        start: if projects { StartPolicy::Project } else { StartPolicy::Refuse },
        ..Options::default()
    };
    let by_series = of(Method::Taylor);
    [
        Options { until_impacts: Some(4), ..by_series.clone() },
        Options { sampling: Sampling::Steps, ..by_series.clone() },
        Options { sampling: Sampling::Every(0.1), ledger: true, ..by_series },
        of(Method::RungeKutta),
        Options { sampling: Sampling::Steps, ..of(Method::Automatic) },
    ]
}

fn system<S: Declared>() -> S {
    let defaults = vec![None; S::INFO.parameters.len()];
    S::with_parameters(&defaults).unwrap_or_else(|error| panic!("{}: {error}", S::INFO.name))
}

/// What `runs` makes of a system, on one thread and on more, is what `simulate` does.
fn check(system: &dyn System, runs: impl Fn(&[State], &[f64], &Options) -> Runs + Sync) {
    let name = system.info().name;
    let (starts, inputs) = around(system);
    for options in ways(starts[0].t + 1.5, system.info().scenarios.is_empty()) {
        let one = |start: &State| {
            simulate(system, start, &inputs, &options, &mut |_| ControlFlow::Continue(()))
        };
        let wanted: Runs = starts.iter().map(one).collect();
        assert!(wanted.iter().any(Result::is_ok), "{name} runs");
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads start");
            let found = pool.install(|| runs(&starts, &inputs, &options));
            assert_eq!(found.len(), wanted.len(), "{name}");
            for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                assert!(
                    found == wanted,
                    "{name}, {threads} threads, {:?}, run {i}:\n{found:?}\n{wanted:?}",
                    options.method,
                );
            }
        }
    }
}

fn check_threads<S: Declared + Sync>() {
    let system = system::<S>();
    check(&system, |starts, inputs, options| ensemble(&system, starts, inputs, options));
}

fn check_lanes<S: Declared + LaneSeries + Sync>() {
    let system = system::<S>();
    check(&system, |starts, inputs, options| {
        ensemble_in_lanes(&system, starts, inputs, options, |_, run| run)
    });
    // From its text, without rustc: in lanes of their own.
    let read = Interpreted::new(S::INFO.source).expect("it derives");
    let read = read.with_parameters(&vec![None; S::INFO.parameters.len()]).expect("defaults");
    assert_eq!(read.has_series_in_lanes(), read.is_machine_code(), "{}", S::INFO.name);
    check(&read, |starts, inputs, options| ensemble(&read, starts, inputs, options));
}

#[test]
fn runs_share_their_room() {
    check_threads::<models::Penny>();
    check_threads::<models::SlidingPenny>();
    check_threads::<models::FloorBall>();
    check_threads::<Paddle>();
    check_threads::<Stepper>();
    check_threads::<RoughDisc>();
    check_threads::<CompassWalker>();
    check_threads::<Top>();
}

#[test]
fn dry_friction_leaves_nothing_in_it() {
    check_threads::<Puck>();
    check_threads::<Dumbbell>();
    check_threads::<BeltBlock>();
    check_threads::<Ladder>();
}

#[test]
fn series_are_made_in_lanes() {
    check_lanes::<models::Penny>();
    check_lanes::<models::FloorBall>();
    check_lanes::<Ball>();
    check_lanes::<Paddle>();
    check_lanes::<Coin>();
    check_lanes::<DoublePendulum>();
    check_lanes::<Pendulum>();
    check_lanes::<Sleigh>();
    check_lanes::<Top>();
}

/// No starts, one, whose series nobody shares, and more than fill the lanes.
#[test]
fn any_number_of_starts() {
    let penny = models::Penny::default();
    let (start, _) = start_of(&penny, 0);
    let to_time = Options { until_time: Some(0.3), method: Method::Taylor, ..Options::default() };
    let to_impact = Options { until_impacts: Some(2), ..to_time.clone() };
    for options in [&to_time, &to_impact] {
        let wanted = simulate(&penny, &start, &[], options, &mut |_| ControlFlow::Continue(()));
        assert!(wanted.is_ok());
        for count in [0, 1, 2, 8, 33] {
            let starts = vec![start.clone(); count];
            let found = ensemble_in_lanes(&penny, &starts, &[], options, |i, run| (i, run));
            assert_eq!(found.len(), count);
            for (i, (number, run)) in found.iter().enumerate() {
                assert!(*number == i && *run == wanted, "{i} of {count}: {run:?}\n{wanted:?}");
            }
        }
    }
    // What is wrong with all of them is said of each.
    let wrong = Options { relative_tolerance: 0.0, ..to_time };
    let refused = ensemble_in_lanes(&penny, &vec![start; 3], &[], &wrong, |_, run| run);
    assert_eq!(refused.len(), 3);
    assert!(refused.iter().all(|found| matches!(found, Err(StartError::Option { .. }))));
}

/// Runs that are stopped are interrupted where they are, no other is begun, and those that were over are whole.
#[test]
fn what_is_stopped_is_interrupted() {
    let penny = Interpreted::new(models::Penny::INFO.source).expect("it derives");
    let starts = vec![start_of(&penny, 0).0; 40];
    for method in [Method::Automatic, Method::RungeKutta] {
        let options = Options { method, until_impacts: Some(3), ..Options::default() };
        let looks = Cell::new(0);
        let runs = |most: u32| {
            looks.set(0);
            let goes_on = || looks.replace(looks.get() + 1) < most;
            let member = |start| Member { system: &penny, start, inputs: &[], options: &options };
            let members: Vec<Member<'_>> = starts.iter().map(member).collect();
            ensemble_here(&members, &goes_on, |i, run| (i, run))
        };
        let whole = runs(u32::MAX);
        assert_eq!(whole.len(), starts.len());
        // In the middle of a run, not between two.
        let stopped = runs(looks.get() / 2 + 1);
        let is_cut = |run: &Trajectory| matches!(run.end, End::Interrupted { .. });
        let ended = stopped.iter().filter(|(_, run)| !run.as_ref().is_ok_and(is_cut)).count();
        assert!(ended > 0 && ended < stopped.len() && stopped.len() < starts.len(), "{ended}");
        for (i, run) in &stopped {
            assert!(run.as_ref().is_ok_and(is_cut) || (*i, run) == (whole[*i].0, &whole[*i].1));
        }
    }
}
