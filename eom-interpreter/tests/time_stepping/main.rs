//! Time stepping by Moreau's and Jean's rule: first order against runs that follow events and against closed forms, its
//! estimate against its error, many contacts, and what it is refused for.
#![allow(
    mixed_script_confusables,
    confusable_idents,
    non_snake_case,
    reason = "the names of the declarations"
)]

mod drift;
mod events;
mod many;
mod refusals;

use eom_core::{End, GuardCheck, Method, Options, State, System, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn system(source: &str) -> Interpreted {
    Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

fn run_with(system: &Interpreted, start: &State, options: &Options) -> Trajectory {
    simulate(system, start, &[], options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A run by steps h.
fn stepped(system: &Interpreted, start: &State, until: f64, h: f64) -> Trajectory {
    let options = Options {
        method: Method::Moreau,
        step: Some(h),
        until_time: Some(until),
        ..Options::default()
    };
    let run = run_with(system, start, &options);
    assert_eq!(run.end, End::ReachedTime { t: until });
    assert_eq!(run.guards, GuardCheck::Stepped);
    run
}

/// A run that follows its events.
fn followed(system: &Interpreted, start: &State, until: f64) -> Trajectory {
    let run = run_with(system, start, &Options { until_time: Some(until), ..Options::default() });
    assert_eq!(run.end, End::ReachedTime { t: until });
    run
}

fn last(run: &Trajectory) -> &State {
    run.last().expect("the end")
}

/// The largest difference of the coordinates, and that of the velocities.
fn distance(a: &State, b: &State) -> [f64; 2] {
    let largest =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0_f64, f64::max);
    [largest(&a.q, &b.q), largest(&a.v, &b.v)]
}

/// A block on an incline.
const BLOCK: &str = "system Block {
    coordinates { x, y } parameters { φ = 0.3, μ = 0.4, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = g*(y*cos(φ) - x*sin(φ));
    contact floor { gap = y; slip = ẋ; friction = μ; impact = plastic; } }";

/// A homogeneous ball on a floor, of the radius 1/10.
const BALL: &str = "system Ball {
    coordinates { x, y, θ } parameters { μ = 0.2, e = 0.5, r = 0.1, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + r^2/5*θ̇^2; potential = g*y;
    contact floor { gap = y - r; slip = ẋ + r*θ̇; friction = μ; impact = restitution(e); } }";

/// A billiard ball with side spin.
const CUE: &str = "system Cue {
    coordinates { x, y, z } rotation R { space: ω_1, ω_2, ω_3 } parameters { μ = 0.2, r = 0.5, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2 + r^2/5*(ω_1^2 + ω_2^2 + ω_3^2); potential = g*z;
    contact cloth { gap = z - r; slip = [ẋ - r*ω_2, ẏ + r*ω_1]; friction = μ; impact = plastic; } }";

/// A block on a belt, held by a spring: it sticks and slips.
const BELT: &str = "system Belt {
    coordinates { x, y } parameters { k = 10, u = 0.5, μ = 0.2, μ_s = 0.4, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y + k/2*x^2;
    contact belt { gap = y; slip = ẋ - u; friction(μ_s, μ); impact = plastic; } }";

/// A disc whose rolling is resisted.
const DISC: &str = "system Disc {
    coordinates { x, y, θ } parameters { μ = 0.5, δ = 0.01, r = 0.2, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2 + r^2/4*θ̇^2; potential = g*y;
    contact floor { gap = y - r; slip = ẋ + r*θ̇; friction = μ; roll = θ̇; rolling = δ; impact = plastic; } }";

/// A mass on a spring with dry friction that grows with nothing.
const RUBBED: &str = "system Rubbed { coordinates { x } parameters { c = 0.3 }
    kinetic = ẋ^2/2; potential = x^2/2; dissipation = c*norm([ẋ]); }";

/// A pendulum in Cartesian coordinates, whose bob strikes a wall and slides on a plate.
const BOB: &str = "system Bob { coordinates { x, y } parameters { l = 1, g = 9.81 }
    kinetic = (ẋ^2 + ẏ^2)/2; potential = g*y;
    holonomic { rod: x^2 + y^2 = l^2; }
    contact wall { gap = x + 1/5; impact = restitution(0.6); } }";

/// Errors against the run that follows its events are of the size of h, and what the twin tells is theirs. Where in a step
/// an impact falls makes the factor of h another one in each: the largest of three steps falls with those.
#[test]
fn it_is_of_first_order() {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let table: [(&str, &str, State, f64); 9] = [
        ("block slides", BLOCK, State::new(0.0, [0.0, 0.0], [2.0, 0.0]), 1.0),
        ("block has stopped", BLOCK, State::new(0.0, [0.0, 0.0], [0.3, 0.0]), 1.0),
        ("oblique throw", BLOCK, State::new(0.0, [0.0, 1.0], [3.0, 1.0]), 0.9),
        ("ball slides, then rolls", BALL, State::new(0.0, [0.0, 0.1, 0.0], [1.0, 0.0, 0.0]), 0.4),
        ("ball bounces", BALL, State::new(0.0, [0.0, 1.0, 0.0], [1.0, 0.0, 3.0]), 0.8),
        ("belt", BELT, State::new(0.0, [0.0, 0.0], [0.5, 0.0]), 4.0),
        ("resisted disc", DISC, State::new(0.0, [0.0, 0.2, 0.0], [1.0, 0.0, -5.0]), 1.0),
        ("dry friction", RUBBED, State::new(0.0, [2.0], [0.0]), 8.0),
        ("bob", BOB, State::new(0.0, [quarter, -quarter], [0.0, 0.0]), 1.2),
    ];
    for (name, text, start, until) in table {
        let system = system(text);
        let exact = followed(&system, &start, until);
        let mut errors = Vec::new();
        for h in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4] {
            let run = stepped(&system, &start, until, h);
            let [error, fast] = distance(last(&run), last(&exact));
            let told = run.stepped.as_ref().expect("it is stepped");
            let estimate = told.largest.iter().copied().fold(0.0, f64::max);
            assert!(error <= 8.0 * h && fast <= 25.0 * h, "{name} {h}: {error:e} {fast:e}");
            assert!(error <= 8.0 * estimate + 1e-6 * h, "{name} {h}: {error:e} {estimate:e}");
            errors.push(error);
        }
        let [coarse, fine] = [&errors[..3], &errors[3..]]
            .map(|errors| errors.iter().copied().fold(0.0_f64, f64::max));
        assert!(fine <= 0.5 * coarse + 1e-12, "{name}: {errors:?}");
    }
}

/// A ball that slides rolls with 5/7 of its velocity; one with side spin goes on along a line.
#[test]
fn a_ball_rolls() {
    let ball = system(BALL);
    let run = stepped(&ball, &State::new(0.0, [0.0, 0.1, 0.0], [1.0, 0.0, 0.0]), 1.0, 1e-3);
    let v = &last(&run).v;
    assert!((v[0] - 5.0 / 7.0).abs() < 1e-12, "{v:?}");
    assert!((v[0] + 0.1 * v[2]).abs() < 1e-12, "{v:?}");
    // v₀ = 1, rω = (0, 1): v ends with 5/7 v + 2/7 r (ω_2, −ω_1).
    let cue = system(CUE);
    let start =
        State::new(0.0, [0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 2.0, 0.0, 3.0]);
    let run = stepped(&cue, &start, 1.0, 1e-3);
    let v = &last(&run).v;
    let wanted = [5.0 / 7.0, -2.0 / 7.0];
    for (v, wanted) in v.iter().zip(wanted) {
        assert!((v - wanted).abs() < 1e-11, "{v} {wanted}");
    }
    assert_eq!(v[5], 3.0);
}

/// Below tan φ a block stays to rounding, above it slides with g (sin φ − μ cos φ).
#[test]
fn a_block_stays_or_slides() {
    let φ = 0.3_f64;
    for part in [1e-6, -1e-6] {
        let μ = φ.tan() * (1.0 + part);
        let text = BLOCK.replace("μ = 0.4", &format!("μ = {μ}"));
        let run = stepped(&system(&text), &State::new(0.0, [0.0; 2], [0.0; 2]), 1.0, 1e-2);
        let wanted = (G * (φ.sin() - μ * φ.cos())).max(0.0);
        let State { q, v, .. } = last(&run);
        assert!((v[0] - wanted).abs() < 1e-13, "{v:?} {wanted}");
        assert!((q[0] - wanted / 2.0).abs() < 1e-13 && q[1].abs() < 1e-13, "{q:?}");
        assert_eq!(run.modes.last().expect("a mode").mode.sticks(0), part > 0.0);
    }
}

/// μ_s holds what rests, and what a force turns back where it comes to rest, whatever brakes it as it slides: drawn by 6 sin t from
/// 6 sin t = 5 on, and thrown against 2, which stops it after v²/(2 (2 + 10 μ)).
#[test]
fn friction_at_rest_holds_what_turns() {
    for slip in ["ẋ", "[ẋ, ż]"] {
        let block = |force: &str, μ: f64| {
            let source = format!(
                "system Block {{ coordinates {{ x, y, z }}
                    kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*y; force x = {force};
                    contact floor {{ gap = y; slip = {slip}; friction(0.5, {μ:?}); impact = plastic; }} }}"
            );
            system(&source)
        };
        let t = (5.0_f64 / 6.0).asin();
        let drawn = 6.0 * (t.cos() * (3.0 - t) - (3.0_f64.sin() - t.sin()));
        for h in [1e-3, 7e-4] {
            let rest = State::new(0.0, [0.0; 3], [0.0; 3]);
            let found = stepped(&block("6*sin(t)", 0.0), &rest, 3.0, h);
            assert!((last(&found).q[0] - drawn).abs() < 10.0 * h, "{slip}: {:?}", last(&found));
            for μ in [0.0, 0.1, 0.45] {
                let thrown = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.0]);
                let found = stepped(&block("-2", μ), &thrown, 3.0, h);
                let State { q, v, .. } = last(&found);
                let place = 0.5 / (2.0 + 10.0 * μ);
                assert!(
                    (q[0] - place).abs() < 2.0 * h && v[0].abs() < 1e-12,
                    "{slip} {μ}: {q:?} {v:?}"
                );
            }
        }
    }
}

/// What bounces with e loses e² of its energy each time, and takes the time 2ev/g from one impact to the next.
#[test]
fn a_ball_bounces() {
    let ball = system(&BALL.replace("μ = 0.2", "μ = 0"));
    let start = State::new(0.0, [0.0, 1.1, 0.0], [0.0; 3]);
    for h in [1e-3, 1e-4] {
        let run = stepped(&ball, &start, 1.2, h);
        let impacts: Vec<f64> = run.impacts().map(|(_, event)| event.t).collect();
        let first = (2.0 / G).sqrt();
        let wanted = [first, 2.0 * first, 2.5 * first];
        assert_eq!(impacts.len(), 3, "{impacts:?}");
        for (t, wanted) in impacts.iter().zip(wanted) {
            assert!((t - wanted).abs() < 3.0 * h, "{t} {wanted}");
        }
    }
}

/// With e ≤ 1 nothing that acts gives energy.
#[test]
fn energy_does_not_grow() {
    for (text, q, v) in [
        (BALL, vec![0.0, 1.0, 0.0], vec![2.0, 0.0, 30.0]),
        (BLOCK, vec![0.0, 0.2], vec![-2.0, 0.0]),
        (DISC, vec![0.0, 0.4, 0.0], vec![1.0, 0.0, 40.0]),
        (BOB, vec![0.6, -0.8], vec![0.0, 0.0]),
    ] {
        let system = system(text);
        let run = stepped(&system, &State::new(0.0, q, v), 3.0, 1e-3);
        let energy = |state: &State| {
            let energy = system.energy(state.t, &state.q, &state.v);
            (energy.total(), energy.kinetic)
        };
        let first = energy(&run.samples[0]).0;
        for pair in run.samples.windows(2) {
            let (before, after) = (energy(&pair[0]), energy(&pair[1]));
            let allowed = 1e-5 * (1.0 + after.1);
            assert!(after.0 <= before.0 + allowed, "{text} {}: {before:?} {after:?}", pair[1].t);
        }
        assert!(energy(last(&run)).0 <= first);
    }
}
