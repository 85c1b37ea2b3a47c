//! How the end of a motion that ends by an event changes, against closed forms and differences of whole runs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::interpreted;
use eom_analysis::Variations;
use eom_core::nalgebra::DMatrix;
use eom_core::{EventCount, Options, Run, State, System};
use eom_interpreter::Interpreted;

/// An end by so many impacts.
fn impacts(count: usize) -> Options {
    Options { until_impacts: Some(count), ..Options::default() }
}

/// An end by so many of a declared event.
fn events(event: Option<usize>, count: usize) -> Options {
    Options { until_events: Some(EventCount { event, count }), ..Options::default() }
}

/// (t, y) at the end of a run.
fn end(system: &dyn System, start: &State, options: &Options) -> Vec<f64> {
    let options = Options { relative_tolerance: 1e-13, ..options.clone() };
    let mut run = Run::new(system, start, &options).unwrap();
    while !run.step().is_break() {}
    assert!(run.end().is_some_and(eom_core::End::is_complete), "{:?}", run.end());
    let State { t, q, v } = run.state();
    [&[*t], &q[..], v].concat()
}

/// (f(h) − f(−h))/2h with one step of Richardson.
fn difference(of: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        of(h).iter().zip(of(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (central(2e-4), central(1e-4));
    fine.iter().zip(coarse).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

fn check_column(found: &DMatrix<f64>, j: usize, expected: &[f64], what: &str) {
    let scale = found.amax();
    let off = found.column(j).iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-7 * scale, "{what}: off by {off:e} of {scale:e}\n{found}\n{expected:?}");
}

/// By each entry of the start in `free`, and by all parameters.
fn check(items: &str, (q, v): (&[f64], &[f64]), options: &Options, free: &[usize]) {
    let system: Interpreted = interpreted(&format!("system S {{ {items} }}"));
    let start = State::new(0.0, q, v);
    let variations = Variations::new(&system).unwrap();
    let by_start = variations.transition_to_end(&start, &[], options).unwrap().derivatives();
    for &j in free {
        let expected = difference(|h| {
            let mut moved = start.clone();
            *moved.q.iter_mut().chain(&mut moved.v).nth(j).unwrap() += h;
            end(&system, &moved, options)
        });
        check_column(&by_start, j, &expected, &format!("{items}\nby entry {j}"));
    }
    let names: Vec<&str> = system.info().parameters.iter().map(|known| known.name).collect();
    let by_names = variations.sensitivities_to_end(&start, &[], options, &names).unwrap();
    let by_names = by_names.derivatives();
    let mut values = vec![0.0; names.len()];
    system.parameters(&mut values);
    for (j, name) in names.iter().enumerate() {
        let expected = difference(|h| {
            let moved: Vec<Option<f64>> = values
                .iter()
                .enumerate()
                .map(|(i, p)| Some(p + if i == j { h } else { 0.0 }))
                .collect();
            end(&system.with_parameters(&moved).unwrap(), &start, options)
        });
        check_column(&by_names, j, &expected, &format!("{items}\nby {name}"));
    }
}

const BALL: &str = "coordinates { x, y } parameters { g = 9.81, e = 0.8, c = 0.1 }
kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y; dissipation = c/2*(ẋ^2 + ẏ^2);
contact floor { gap = y - x/10; impact = restitution(e); } event top { guard = ẏ; falling; }";

#[test]
fn impacts_and_events_that_end_a_motion() {
    let ball = (&[0.0, 1.0][..], &[2.0, 1.5][..]);
    check(BALL, ball, &impacts(1), &[0, 1, 2, 3]);
    check(BALL, ball, &impacts(3), &[0, 1, 2, 3]);
    check(BALL, ball, &events(Some(0), 2), &[0, 1, 2, 3]);
    check(BALL, ball, &events(None, 3), &[0, 1, 2, 3]);
}

#[test]
fn resets_and_forces_that_jump() {
    check(
        "coordinates { x } parameters { k = 3, a = 0.7 } kinetic = ẋ^2/2; potential = k*x^2/2;
event back { guard = x - a; falling; reset { ẋ = -0.5*ẋ; } }",
        (&[2.0], &[0.3]),
        &events(Some(0), 2),
        &[0, 1],
    );
    check(
        "coordinates { x } parameters { c = 3, k = 1 } kinetic = ẋ^2/2; potential = k*x^2/2; force x = -c*sign(x);
event zero { guard = x; both; }",
        (&[2.0], &[0.3]),
        &events(Some(0), 3),
        &[0, 1],
    );
}

#[test]
fn motion_in_contact_and_impacts_with_friction() {
    check(
        "coordinates { x, y } parameters { g = 9.81, μ = 0.3, a = 1 } kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; } event passes { guard = x - a; rising; }",
        (&[0.0, 0.0], &[3.0, 0.0]),
        &events(Some(0), 1),
        &[0, 2],
    );
    check(
        "coordinates { x, y, θ } parameters { g = 9.81, μ = 0.2, e = 0.6, r = 0.1 }
kinetic = (ẋ^2 + ẏ^2)/2 + r^2/5*θ̇^2; potential = g*y;
contact floor { gap = y - r; slip = ẋ + r*θ̇; friction = μ; impact = restitution(e); }",
        (&[0.0, 1.0, 0.0], &[2.0, 0.0, -30.0]),
        &impacts(2),
        &[0, 1, 2, 3, 4, 5],
    );
}

/// A block slides with v₀ on a rough floor until x = a: v² = v₀² − 2 μ g a, t = (v₀ − v)/(μ g).
#[test]
fn a_sliding_block_in_closed_form() {
    let block = interpreted(
        "system B { coordinates { x, y } parameters { μ = 0.3 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; } event passes { guard = x - 1; rising; } }",
    );
    let (start, options) = (State::new(0.0, [0.0, 0.0], [3.0, 0.0]), events(Some(0), 1));
    let variations = Variations::new(&block).unwrap();
    let found = variations.sensitivities_to_end(&start, &[], &options, &["μ"]).unwrap();
    let v = 3.0_f64.sqrt();
    let d_v = -10.0 / v;
    let d_t = -d_v / 3.0 - (3.0 - v) / (3.0 * 0.3);
    let expected = [d_t, 0.0, 0.0, d_v, 0.0];
    for (found, expected) in found.derivatives().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }
}

/// What comes first ends it.
#[test]
fn ends_in_time_and_flat_guards() {
    let ball = interpreted(&format!("system S {{ {BALL} }}"));
    let start = State::new(0.0, [0.0, 1.0], [2.0, 1.5]);
    let variations = Variations::new(&ball).unwrap();
    let options = Options { until_time: Some(0.9), ..impacts(9) };
    let found = variations.transition_to_end(&start, &[], &options).unwrap();
    let timed = variations.transition(&start, &[], &options, 0.9).unwrap();
    assert!(found.later.is_none());
    assert_eq!(found.transition, timed);
    let spring = interpreted(
        "system S { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2; event far { guard = x^3; both; } }",
    );
    let start = State::new(0.0, [1.0], [0.0]);
    let variations = Variations::new(&spring).unwrap();
    let found = variations.transition_to_end(&start, &[], &events(Some(0), 1)).unwrap();
    // x = cos t + v₀ sin t is 0 at π/2 + v₀, however flat the guard is there.
    let later = found.later.unwrap();
    assert!(later[(0, 0)].abs() < 1e-12 && (later[(0, 1)] - 1.0).abs() < 1e-12, "{later}");
}
