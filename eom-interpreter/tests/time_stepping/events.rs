//! Declared events, stops, copies and snapshots of runs by time stepping.

use super::{BALL, last, run_with, stepped, system};
use eom_core::{Event, EventKind, GuardCheck, Method, Options, Run, Sampling, State, Trajectory};

const BOUNCER: &str = "system Bouncer { coordinates { y } parameters { e = 0.7, g = 9.81 }
    kinetic = ẏ^2/2; potential = g*y;
    event floor { guard = y; falling; reset { ẏ = -e*ẏ; } }
    event top { guard = ẏ; falling; } }";

fn times(run: &Trajectory, wanted: usize) -> Vec<f64> {
    let of =
        |event: &&Event| matches!(event.kind, EventKind::Declared { event } if event == wanted);
    run.events.iter().filter(of).map(|event| event.t).collect()
}

/// Events are found to first order, and resets happen once each.
#[test]
fn events_are_found_by_straight_lines() {
    let bouncer = system(BOUNCER);
    let start = State::new(0.0, [1.0], [0.0]);
    let options = Options { until_time: Some(1.5), ..Options::default() };
    let exact = run_with(&bouncer, &start, &options);
    for h in [1e-2, 1e-3] {
        let run = stepped(&bouncer, &start, 1.5, h);
        for event in [0, 1] {
            let (found, wanted) = (times(&run, event), times(&exact, event));
            assert_eq!(found.len(), wanted.len(), "{event}: {found:?} {wanted:?}");
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!((found - wanted).abs() < h, "{event} {h}: {found} {wanted}");
            }
        }
    }
    let options = Options {
        method: Method::Moreau,
        step: Some(1e-3),
        until_events: Some(eom_core::EventCount { event: Some(0), count: 2 }),
        ..Options::default()
    };
    let run = run_with(&bouncer, &start, &options);
    assert!(run.end.is_complete(), "{}", run.end);
    assert_eq!(times(&run, 0).len(), 2);
}

fn options() -> Options {
    Options {
        method: Method::Moreau,
        step: Some(1e-3),
        until_time: Some(1.0),
        ..Options::default()
    }
}

/// A run that is copied, or saved and restored, goes on to the bit; the same run twice has the same bits.
#[test]
fn runs_are_saved() {
    for (text, start) in [
        (BALL, State::new(0.0, [0.0, 1.0, 0.0], [1.0, 0.0, 3.0])),
        (BOUNCER, State::new(0.0, [1.0], [0.0])),
    ] {
        let system = system(text);
        let mut run = Run::new(&system, &start, &options()).expect("it is possible");
        let _ = run.advance_to(0.6);
        let saved = run.save();
        let mut other = Run::restore(&system, &saved).expect("it is whole");
        assert_eq!(other.save(), saved);
        let _ = run.advance_to(1.0);
        let _ = other.advance_to(1.0);
        assert_eq!(run.save(), other.save());
        assert_eq!(run.finish(), other.finish());
        assert_eq!(run_with(&system, &start, &options()), run_with(&system, &start, &options()));
    }
}

/// Samples at an interval are on the straight way between steps, the last at the end.
#[test]
fn samples_are_at_their_times() {
    let ball = system(BALL);
    let start = State::new(0.0, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
    let every = Options { sampling: Sampling::Every(0.03), ..options() };
    let run = run_with(&ball, &start, &every);
    assert_eq!(run.guards, GuardCheck::Stepped);
    assert_eq!(run.samples.len(), 35);
    for (i, sample) in run.samples[..34].iter().enumerate() {
        assert!((sample.t - 0.03 * i as f64).abs() < 1e-12);
    }
    let whole = stepped(&ball, &start, 1.0, 1e-3);
    assert_eq!(last(&run), last(&whole));
    let told = run.stepped.as_ref().expect("it is stepped");
    assert_eq!((told.step, told.largest.len(), told.last.len()), (1e-3, 3, 6));
}

/// A gap that closes where the run ends is struck there, as it is by the other methods.
#[test]
fn a_gap_that_closes_at_the_end_is_struck() {
    for (e, v) in [("elastic", -1.0), ("restitution(0.25)", -0.25), ("plastic", 0.0)] {
        let text = format!(
            "system Ball {{ coordinates {{ x }} kinetic = ẋ^2/2; contact wall {{ gap = 1 - x; impact = {e}; }} }}"
        );
        let ball = system(&text);
        let start = State::new(0.0, [0.0], [1.0]);
        for h in [0.5, 0.1, 0.03, 1e-3] {
            let run = stepped(&ball, &start, 1.0, h);
            assert!(run.end.is_complete(), "{e} {h}: {}", run.end);
            let state = last(&run);
            assert!((state.t, run.stats.impacts) == (1.0, 1), "{e} {h}: {:?}", run.stats);
            assert!((state.v[0] - v).abs() < 1e-12, "{e} {h}: {state:?}");
            assert!((state.q[0] - 1.0).abs() < 1e-8 * h + 1e-13, "{e} {h}: {state:?}");
            let before = stepped(&ball, &start, 1.0 - 1e-8, h);
            assert!(before.stats.impacts == 0, "{e} {h}: {:?}", before.stats);
        }
    }
}
