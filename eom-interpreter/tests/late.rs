//! Runs that begin late: as exact as those that begin at 0 where nothing depends on the time, to the rounding of
//! the time where something does, and refused where that is too coarse for the tolerance. Runs whose rates are beyond what
//! series have numbers for.

use eom_core::{End, Method, Options, Sampling, StartError, State, System, simulate};
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

/// A force that grows with t lifts a body off a floor after half a second: as exactly as t is told, or it ends there, or does not begin.
#[test]
fn a_force_that_grows_with_time_lifts_in_time_or_not_at_all() {
    for (t, tolerance, begins) in [
        (0.0, 1e-14, true),
        (1e4, 1e-14, true),
        (1e9, 1e-14, false),
        (1e9, 1e-6, true),
        (1e15, 1e-6, false),
    ] {
        let text = format!(
            "system Lift {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = 10*x; force x = 20*(t - {t:e});
               contact floor {{ gap = x; impact = plastic; }} }}"
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options {
                method,
                relative_tolerance: tolerance,
                until_time: Some(t + 1.5),
                ..Options::default()
            };
            let start = State::new(t, [0.0], [0.0]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            assert_eq!(run.is_ok(), begins, "{t:e} {method:?}");
            let Ok(run) = run else { continue };
            if !run.end.is_complete() {
                // Right behind, where the motion is no more than what rounding of t makes of it.
                assert!(t > 1e6 && (run.end.t() - t - 0.5).abs() < 1e-5, "{method:?}: {}", run.end);
                continue;
            }
            let off = run.last().expect("it has ended").q[0] - 10.0 / 3.0;
            let allowed = 1e-12 + 100.0 * f64::EPSILON * t + 10.0 * tolerance;
            assert!(off.abs() < allowed, "{t:e} {method:?}: {off:e}");
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

/// A pulse that has done nothing yet where a run ends: free motion, though the force is another within the rounding of t.
#[test]
fn what_has_not_come_yet_is_not_too_fast() {
    let text = "system P { coordinates { x } kinetic = ẋ^2/2;
        force x = -14*exp(-((t - 1000000000.6)/0.1)^2); }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    for length in [0.01, 0.05, 0.1] {
        let until_time = Some(1e9 + length);
        let options = Options { until_time, relative_tolerance: 1e-14, ..Options::default() };
        let start = State::new(1e9, [0.3], [-1.8]);
        let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let last = run.expect("it starts").last().expect("it ends").clone();
        let way = last.t - 1e9;
        let error = (last.q[0] - (0.3 - 1.8 * way)).abs();
        assert!(error < 1e-12, "{length}: {error:e}");
    }
}

/// A run through a pulse of width w has the accuracy ε|t|/w that its own time allows: ẋ = −1.8 − 14 w √π/2 (erf((T − c)/w) +
/// erf(c/w)) with c = 0.625, exact in binary at 10⁹ too, by mpmath with 30 digits.
#[test]
fn a_pulse_is_passed_as_exactly_as_time_is_told() {
    let exact = -4.281_435_250_164_3;
    for t in [1e3, 1e6, 1e9] {
        let text = format!(
            "system P {{ coordinates {{ x }} kinetic = ẋ^2/2;
             force x = -14*exp(-((t - {:?})/0.1)^2); }}",
            t + 0.625
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, until_time: Some(t + 1.0), ..Options::default() };
            let start = State::new(t, [0.3], [-1.8]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            let error = (run.last().expect("it ends").v[0] - exact).abs();
            let allowed = 1e-11 + 2.5 * f64::EPSILON * t / 0.1;
            assert!(run.end.is_complete() && error < allowed, "{t:e} {method:?}: {error:e}");
        }
    }
}

/// Two floors 2·10⁻⁹ apart for a ball that falls on both at 10⁶, within what t tells there: the motion tells more, and the ball
/// stays on the upper one, however short the steps are. (Of the pole behind them a long step by series is told to stop.)
#[test]
fn what_closes_first_is_struck_first_whatever_the_steps() {
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
            assert_eq!(v, 0.0, "{step_size_max:e} {method:?} {}", run.end);
        }
    }
}

/// A pendulum of coordinates x and y that falls against a wall, with gravity ω² l: the motion in ω t is the same for all ω,
/// also where the terms of its series, as ωᵏ, are beyond all numbers or below them, from the start on or on the way.
#[test]
fn what_series_have_no_numbers_for_goes_on() {
    let at = |ω: f64| {
        let text = format!(
            "system Pendulum {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = {ω:?}^2*y;
             holonomic {{ rod: x^2 + y^2 = 1; }}
             contact wall {{ gap = x + 1/2; impact = restitution(0.8); }} }}"
        );
        let system = Interpreted::new(&text).expect("it is a system");
        let method = Method::Automatic;
        let options = Options { method, until_time: Some(6.0 / ω), ..Options::default() };
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        run.expect("the start is possible")
    };
    let slow = at(1.0);
    let times = |run: &eom_core::Trajectory, ω: f64| -> Vec<f64> {
        run.events.iter().map(|event| ω * event.t).collect()
    };
    for ω in [1e9, 4e9, 1e10, 1e12, 1e15, 1e-9, 1e-11, 1e-12, 1e-15, 1e-18, 1e-24, 1e-40, 1e-100] {
        let fast = at(ω);
        assert!(fast.end.is_complete(), "{ω}: {}", fast.end);
        let (one, other) = (times(&slow, 1.0), times(&fast, ω));
        assert_eq!(one.len(), other.len(), "{ω}");
        for (one, other) in one.iter().zip(other) {
            assert!((one - other).abs() < 1e-11, "{ω}: {other} for {one}");
        }
        let (one, other) = (slow.last().expect("it ran"), fast.last().expect("it ran"));
        for (one, other) in one.q.iter().zip(&other.q) {
            assert!((one - other).abs() < 1e-11, "{ω}: {other} for {one}");
        }
    }
}

/// A force that is too far to be felt, in place or in time, leaves a parabola: its terms are below all numbers, and no others.
#[test]
fn what_is_too_far_to_be_felt_leaves_a_parabola() {
    // (force, start, velocity, acceleration).
    for (force, t, v, a) in [
        ("-exp(-(t/0.01)^2)", 1.0, -1e-320, 0.0),
        ("-exp(-(t/0.01)^2)", 0.26, 1.0, 0.0),
        ("-exp(-((x + 3)/0.1)^2)", 0.0, -1.4, 0.0),
        ("-exp(-((x + 3)/0.1)^2)", 0.0, 0.3, 0.0),
        ("2 - exp(-((x + 3.2)/0.15)^2)", 0.0, -1.0, 2.0),
        ("2 - exp(-((x + 3.2)/0.15)^2)", 0.0, 0.0, 2.0),
    ] {
        let text = format!(
            "system Faint {{ coordinates {{ x }} kinetic = ẋ^2/2; force x = {force};
             contact wall {{ gap = 20 - x; impact = elastic; }} }}"
        );
        let system = Interpreted::new(&text).expect("it is a system");
        for method in [Method::Automatic, Method::Taylor, Method::RungeKutta, Method::Radau] {
            let options = Options { method, until_time: Some(t + 0.5), ..Options::default() };
            let start = State::new(t, [1.0], [v]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            assert!(run.end.is_complete(), "{force} {v} {method:?}: {}", run.end);
            let x = run.last().expect("it ran").q[0];
            let wanted = 1.0 + 0.5 * v + 0.125 * a;
            assert!((x - wanted).abs() < 1e-13, "{force} {v} {method:?}: {x} for {wanted}");
        }
    }
}

/// An orbit of Kepler's with e = 1/2 after ten periods T: it is where it was. Series alone say that they do not go on.
#[test]
fn an_orbit_closes_in_any_unit_of_time() {
    for period in [1e-15, 1e-6, 1.0, 1e10, 1e12, 1e15, 1e18] {
        let rate = 2.0 * std::f64::consts::PI / period;
        let text = format!(
            "system Orbit {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = -{:?}/sqrt(x^2 + y^2); }}",
            rate * rate
        );
        let system = Interpreted::new(&text).expect("it is a system");
        let start = State::new(0.0, [0.5, 0.0], [0.0, rate * 3.0_f64.sqrt()]);
        for method in [Method::Automatic, Method::Taylor] {
            let options = Options { method, until_time: Some(10.0 * period), ..Options::default() };
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("the start is possible");
            if method == Method::Taylor && !run.end.is_complete() {
                continue;
            }
            assert!(run.end.is_complete(), "{period}: {}", run.end);
            let last = run.last().expect("it ran");
            assert!((last.q[0] - 0.5).abs() < 1e-11, "{method:?} {period}: {last:?}");
            assert!(last.q[1].abs() < 1e-9, "{method:?} {period}: {last:?}");
        }
    }
}

/// sin(2000 t) has 637 roots a second. Where t is told well enough all of them are events; where not the run does not begin.
#[test]
fn guards_that_come_and_go_within_the_rounding_of_time_are_refused() {
    const RAPID: &str = "system Rapid { coordinates { x } kinetic = ẋ^2/2;
        event tick { guard = sin(2000*t); both; } }";
    const SHAKEN: &str = "system Shaken { coordinates { x } kinetic = ẋ^2/2; potential = x;
        contact table { gap = x + 2 - sin(2000*t); impact = elastic; } }";
    let system = |text| Interpreted::new(text).expect("a system");
    let begin = |system: &Interpreted, t: f64, method| {
        let options = Options {
            method,
            until_time: Some(t + 0.5),
            sampling: Sampling::Ends,
            ..Options::default()
        };
        let start = State::new(t, [0.0], [0.0]);
        simulate(system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
    };
    let (rapid, shaken) = (system(RAPID), system(SHAKEN));
    for method in [Method::RungeKutta, Method::Taylor] {
        for t in [0.1, 1e6, 1e9] {
            let run = begin(&rapid, t, method).expect("it begins");
            let roots = |t: f64| (2000.0 * t / std::f64::consts::PI).floor();
            let wanted = roots(t + 0.5) - roots(t);
            assert!(run.end.is_complete(), "{t:e} {method:?}: {}", run.end);
            let found = run.events.len() as f64;
            assert!((found - wanted).abs() <= 1.0, "{t:e} {method:?}: {found}, not {wanted}");
        }
        for t in [1e12, -1e14] {
            for (system, name) in [(&rapid, "tick"), (&shaken, "table")] {
                match begin(system, t, method) {
                    Err(StartError::LateGuard { guard, change, .. }) => {
                        assert_eq!(guard, name);
                        assert!(change > 1e-2, "{change:e}");
                    }
                    other => panic!("{t:e} {method:?}: {other:?}"),
                }
            }
        }
    }
}

/// A ball that is dropped, √2 from the start: at 10⁹ its bounces are told, at 10¹⁵ the first of them is shorter than t can tell,
/// and 0.25 high. It is not held on the floor.
#[test]
fn a_high_flight_that_t_cannot_tell_ends_the_run() {
    let text = "system Ball { coordinates { x } kinetic = ẋ^2/2; potential = x;
        contact floor { gap = x; impact = restitution(1/2); } }";
    let ball = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    for method in [Method::RungeKutta, Method::Taylor, Method::Radau] {
        for (t, is_told) in [(0.0, true), (1e9, true), (1e15, false)] {
            let options = Options { method, until_time: Some(t + 20.0), ..Options::default() };
            let start = State::new(t, [1.0], [0.0]);
            let run = simulate(&ball, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            assert_eq!(run.end.is_complete(), is_told, "{t:e} {method:?}: {}", run.end);
            assert!(is_told || matches!(run.end, End::UndecidedMode { .. }), "{}", run.end);
        }
    }
}

/// Two walls 10⁻⁶, 10⁻³ and 1/4 apart, an end of the run between them: at 10⁹ and beyond t tells less, and the motion does all the
/// same. What is behind the nearer wall is not met, and what is behind the end is not met before.
#[test]
fn what_comes_later_than_t_tells_has_not_come() {
    let check = |items: &str, t: f64, apart: f64, until: f64, wanted: [f64; 2]| {
        let text = format!(
            "system Walls {{ coordinates {{ x, y }} parameters {{ d = {apart:e} }} kinetic = (ẋ^2 + ẏ^2)/2; {items} }}"
        );
        let walls = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for method in [Method::Automatic, Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, until_time: Some(t + until), ..Options::default() };
            let start = State::new(t, [0.5, 0.0], [1.0, 0.0]);
            let run = simulate(&walls, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            assert!(run.end.is_complete(), "{method:?} {t:e}: {}", run.end);
            let last = run.last().expect("it has run");
            let off = (last.q[0] - wanted[0]).abs().max((last.q[1] - wanted[1]).abs());
            assert!(off < 1e-9, "{method:?} {t:e} {apart:e} {items}: {last:?}");
            assert!((last.v[0].abs() - 1.0).abs() < 1e-12, "{method:?} {t:e}: {last:?}");
        }
    };
    let wall = "contact wall { gap = 1 - x; impact = elastic; }";
    let lamp = "event lamp { guard = x - 1 - d; rising; reset { y = y + 1; } }";
    let turn = "event turn { guard = x - 1; rising; reset { ẋ = -ẋ; } }";
    for t in [0.0, 1e9, 1e12, 1e15] {
        for apart in [1e-6, 1e-3, 0.25] {
            check(&format!("{wall} {lamp}"), t, apart, 1.25, [0.25, 0.0]);
            check(&format!("{turn} {lamp}"), t, apart, 1.25, [0.25, 0.0]);
        }
        // A quarter of a second before the wall, and before the lamp beside it.
        check(wall, t, 0.5, 0.25, [0.75, 0.0]);
        check(lamp, t, 0.25, 0.5, [1.0, 0.0]);
    }
}

/// What moves with t itself is told as exactly as t is: at its end a clock strikes all the same.
#[test]
fn a_clock_strikes_at_the_end_however_late() {
    for (t, rate) in [(1e6, 1.0), (1e9, 1.0), (1e9, 0.3), (1e12, 1e-3)] {
        let text = format!(
            "system Clock {{ coordinates {{ x }} kinetic = ẋ^2/2; event e {{ guard = sin({rate:?}*t); both; }} }}"
        );
        let clock = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let turns = (t * rate / std::f64::consts::PI).floor();
        let end = (turns + 3.0) * std::f64::consts::PI / rate;
        for method in [Method::Automatic, Method::RungeKutta, Method::Taylor, Method::Radau] {
            let options = Options { method, until_time: Some(end), ..Options::default() };
            let start = State::new(t, [0.0], [1.0]);
            let run = simulate(&clock, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let run = run.expect("it starts");
            assert!(run.end.is_complete(), "{method:?} {t:e}: {}", run.end);
            assert_eq!(run.events.len(), 3, "{method:?} {t:e}: {:?}", run.events);
        }
    }
}
