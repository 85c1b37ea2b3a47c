//! Runs that begin late: as exact as those that begin at 0 where nothing depends on the time, to the rounding of
//! the time where something does, and refused where that is too coarse for the tolerance.

use eom_core::{Method, Options, Sampling, StartError, State, System, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const FREE: &str = "system Free { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; }";
const DRIVEN: &str =
    "system Driven { coordinates { x } kinetic = ẋ^2/2; potential = 2*x^2 - x*cos(t); }";

/// x 16 after the start t₀ from (x₀, 0).
fn end(text: &str, from: (f64, f64), method: Method, tolerance: f64) -> Result<f64, StartError> {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let (t, x) = from;
    let options = Options {
        method,
        relative_tolerance: tolerance,
        until_time: Some(t + 16.0),
        sampling: Sampling::Ends,
        ..Options::default()
    };
    let start = State::new(t, [x], [0.0]);
    let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))?;
    assert!(run.end.is_complete(), "{} from {t:e}: {}", system.info().name, run.end);
    Ok(run.last().expect("it has ended").q[0])
}

#[test]
fn what_does_not_depend_on_time_is_as_exact_as_at_0() {
    for t in [0.0, 1e6, 1e9, 1e12, 1e15] {
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let x = end(FREE, (t, 1.0), method, 1e-12).expect("it starts");
            let error = (x - 16.0_f64.cos()).abs();
            assert!(error < 1e-10, "{t:e} {method:?}: {error:e}");
        }
    }
}

/// A ball between steep walls, which reach 3·10⁻⁴ far: a root that is off by the rounding of t at each of 100
/// impacts would show in the last.
#[test]
fn impacts_are_as_far_from_the_start_as_at_0() {
    let text = "system Slit { coordinates { x } kinetic = ẋ^2/2;
        contact wall { gap = sin((x - 0.5)/3e-4) + 0.9; impact = elastic; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let speed: f64 = 1.241;
    for t in [0.0, 1e6, 1e9] {
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, until_impacts: Some(100), ..Options::default() };
            let start = State::new(t, [0.5], [speed]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            let edge = 0.9_f64.asin();
            let way = 3e-4 * (std::f64::consts::PI + edge)
                + 99.0 * 3e-4 * (std::f64::consts::PI + 2.0 * edge);
            let found = (run.last().expect("it has ended").t - t) * speed;
            let error = (found - way).abs() / speed;
            assert!(error < 1e-13 + 4.0 * f64::EPSILON * t, "{t:e} {method:?}: {error:e}");
        }
    }
}

#[test]
fn what_depends_on_time_is_as_exact_as_time_is_told() {
    // ẍ = −4x + cos t from rest at 0.
    let exact = |t: f64, start: f64| {
        let (c, s) = ((2.0 * (t - start)).cos(), (2.0 * (t - start)).sin());
        (t.cos() - start.cos() * c + 0.5 * start.sin() * s) / 3.0
    };
    for (t, tolerance, allowed) in [(1e3, 1e-12, 1e-10), (1e6, 1e-12, 1e-9), (1e9, 1e-6, 1e-5)] {
        for method in [Method::RungeKutta, Method::Taylor] {
            let x = end(DRIVEN, (t, 0.0), method, tolerance).expect("it starts");
            let error = (x - exact(t + 16.0, t)).abs();
            assert!(error < allowed, "{t:e} {method:?}: {error:e}");
        }
    }
    for (t, tolerance) in [(1e9, 1e-13), (1e12, 1e-10), (1e15, 1e-6)] {
        for method in [Method::RungeKutta, Method::Taylor] {
            match end(DRIVEN, (t, 0.0), method, tolerance) {
                Err(StartError::LateTime { change, .. }) => {
                    assert!(change > tolerance, "{change:e}");
                }
                other => panic!("{t:e} {method:?}: {other:?}"),
            }
        }
    }
}

/// Two floors 2·10⁻⁹ apart for a ball that falls on both at 10⁶, within what can be told there: it is struck by both, and leaves
/// with the larger e, however short the steps are. (Of the pole behind them a long step by series is told to stop.)
#[test]
fn what_closes_at_one_time_is_struck_together_whatever_the_steps() {
    let text = "system Two { coordinates { x } kinetic = ẋ^2/2;
        contact flat { gap = x; impact = restitution(0.5); }
        contact steep { gap = 20 + ln(x); impact = plastic; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    for step_size_max in [f64::INFINITY, 1e-2, 1e-3, 1e-4, 1e-5] {
        for method in [Method::RungeKutta, Method::Radau] {
            let options =
                Options { method, step_size_max, until_impacts: Some(1), ..Options::default() };
            let start = State::new(1e6, [1.3e-3], [-1.0]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            let v = run.last().expect("it has ended").v[0];
            assert_eq!(v, 0.5, "{step_size_max:e} {method:?} {}", run.end);
        }
    }
}
