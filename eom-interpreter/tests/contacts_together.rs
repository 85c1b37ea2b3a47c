//! Several contacts at one time: bodies that touch without pressing, corners, rings; by both methods.

use eom_core::{End, Method, Options, State, System, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// Runs the only scenario of a declaration by one method.
fn run(text: &str, method: Method) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = system.scenario(0).expect("a scenario");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let options = Options {
        method,
        until_time: Some(scenario.until_time.expect("an end")),
        events_max: 2_000_000,
        ..Options::default()
    };
    simulate(&system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Runs by both methods; the last states have to agree with each other and with what is wanted.
fn check(name: &str, text: &str, wanted: impl Fn(&State) -> f64, tolerance: f64) {
    for method in [Method::RungeKutta, Method::Taylor] {
        let trajectory = run(text, method);
        assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{name}: {}", trajectory.end);
        let error = wanted(trajectory.last().expect("a state"));
        assert!(error <= tolerance, "{name} {method:?}: {:?}, off by {error:e}", trajectory.last());
    }
}

/// One item for each index, one after another.
fn list(indices: std::ops::Range<usize>, between: &str, item: impl Fn(usize) -> String) -> String {
    indices.map(item).collect::<Vec<_>>().join(between)
}

/// Balls of these masses on a line, each touching the next; `forces` are added to the declaration.
fn touching(masses: &[f64], speed: f64, forces: impl Fn(usize) -> String) -> String {
    let n = masses.len();
    let gap = |i: usize| format!("gap = x{i} - x{} - 1; impact = elastic;", i - 1);
    format!(
        "system Line {{ coordinates {{ {} }} kinetic = {};\n{}\n{}\n\
         scenario s {{ {} until t = 2; }} }}",
        list(0..n, ", ", |i| format!("x{i}")),
        list(0..n, " + ", |i| format!("{:?}*ẋ{i}^2/2", masses[i])),
        list(0..n, "\n", forces),
        list(1..n, "\n", |i| format!("contact c{i} {{ {} }}", gap(i))),
        list(0..n, " ", |i| format!("x{i} = {i}; ẋ{i} = {speed:?};"))
    )
}

/// Contacts without a force stay what they are: nothing opens, nothing closes, nothing is lost.
#[test]
fn bodies_that_touch_without_pressing_move_on() {
    for masses in [&[1.0; 3][..], &[0.1, 3.0, 2.7, 1.0], &[1.0; 6]] {
        for (speed, force, moved) in [
            (0.0, "", 0.0),
            (1.0, "", 2.0),
            (-1.0 / 3.0, "", -2.0 / 3.0),
            (0.3, "9.81", 0.6 + 9.81 * 2.0),
            // ∬ s = t³/6, ∬ sin 3s = t/3 − sin(3t)/9
            (0.0, "t", 8.0 / 6.0),
            (0.0, "sin(3*t)", 2.0 / 3.0 - 6_f64.sin() / 9.0),
        ] {
            let text = touching(masses, speed, |i| {
                let none = force.is_empty();
                if none {
                    String::new()
                } else {
                    format!("force x{i} = {:?}*({force});", masses[i])
                }
            });
            let error = |last: &State| {
                let place = |(i, x): (usize, &f64)| (x - i as f64 - moved).abs();
                last.q.iter().enumerate().map(place).fold(0.0, f64::max)
            };
            check(&format!("{masses:?} {speed} {force}"), &text, error, 2e-13);
            let events = run(&text, Method::RungeKutta).events;
            assert!(events.is_empty(), "{masses:?} {speed} {force}: {events:?}");
        }
    }
}

/// n beads on a ring that they fill: their gaps have a sum that is 0 and depend on each other.
fn ring(n: usize, speed: f64, first: f64, law: &str) -> String {
    let gap = |i: usize| {
        let next = if i + 1 < n { format!("x{}", i + 1) } else { "x0 + 2*pi".to_owned() };
        format!("contact c{i} {{ gap = {next} - x{i} - 2*pi/{n}; impact = {law}; }}")
    };
    let speed = |i: usize| if i == 0 { first } else { speed };
    format!(
        "system Ring {{ coordinates {{ {} }} kinetic = {};\n{}\nscenario s {{ {} until t = 2; }} }}",
        list(0..n, ", ", |i| format!("x{i}")),
        list(0..n, " + ", |i| format!("ẋ{i}^2/2")),
        list(0..n, "\n", gap),
        list(0..n, " ", |i| format!("x{i} = 2*pi*{i}/{n}; ẋ{i} = {:?};", speed(i)))
    )
}

/// A ring turns as one. A bead that is faster than the others cannot stay so: with e < 1 all have the
/// mean speed from there on, since momentum is kept; with e = 1 it is thrown to and fro for ever.
#[test]
fn a_full_ring_turns_as_one() {
    for n in [3, 5, 8] {
        let off = |mean: f64| {
            move |last: &State| last.v.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max)
        };
        check(&format!("{n}"), &ring(n, 0.3, 0.3, "elastic"), off(0.3), 1e-14);
        for e in ["0", "1/2", "0.9"] {
            let text = ring(n, 0.3, 1.3, &format!("restitution({e})"));
            check(&format!("{n} {e}"), &text, off(0.3 + 1.0 / n as f64), 1e-12);
        }
        for method in [Method::RungeKutta, Method::Taylor] {
            let end = run(&ring(n, 0.3, 1.3, "elastic"), method).end;
            assert!(matches!(end, End::EndlessImpacts { t: 0.0, .. }), "{n}: {end}");
        }
    }
}

/// Into the apex of a corner, from any distance, at any speed: both sides are struck together, and
/// v⁺ = −e v⁻ where both of them push.
#[test]
fn a_corner_is_struck_on_both_sides_by_both_methods() {
    for (turned, corner) in [(0.0, 2.0 * PI / 3.0), (0.3, 2.5), (1.1, 1.0), (0.0, PI / 2.0)] {
        for (part, e) in [(0.5_f64, 1.0), (0.5, 0.5), (0.45, 0.3)] {
            for (distance, speed) in [(1.0, 1.0), (100.0, 1.0), (7.3, 30.0), (1e-3, 0.01)] {
                let (sin, cos) = f64::sin_cos(turned + part * corner);
                let side = |angle: f64| angle.sin_cos();
                let ((s0, c0), (s1, c1)) = (side(turned), side(turned + corner));
                let text = format!(
                    "system Corner {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
                     contact f {{ gap = y*{c0:?} - x*{s0:?}; impact = restitution({e}); }}
                     contact w {{ gap = x*{s1:?} - y*{c1:?}; impact = restitution({e}); }}
                     scenario s {{ x = {:?}; y = {:?}; ẋ = {:?}; ẏ = {:?}; until t = {:?}; }} }}",
                    distance * cos,
                    distance * sin,
                    -speed * cos,
                    -speed * sin,
                    1.5 * distance / speed
                );
                let error = |last: &State| {
                    let wanted = [e * speed * cos, e * speed * sin];
                    let parts = last.v.iter().zip(wanted).map(|(v, wanted)| (v - wanted).abs());
                    parts.fold(0.0, f64::max) / speed
                };
                check(&format!("{turned} {corner} {part} {e} {distance}"), &text, error, 1e-13);
            }
        }
    }
}
