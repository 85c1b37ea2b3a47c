//! What the time drives while a body rests: belts, rows, constraints that begin to move long after the start, against integrals
//! and closed forms. A body at rest is one that nothing will move.

use eom_core::{End, ForceCheck, Method, Options, Source, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const G: f64 = 9.81;
const UNTIL: f64 = 4.0;

fn run(text: &str, start: &State, method: Method) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let options = Options {
        method,
        until_time: Some(UNTIL),
        forces: ForceCheck::Bounded,
        ..Options::default()
    };
    let run = simulate(&system, start, &[], &options, &mut |_| ControlFlow::Continue(()));
    run.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Entries of q at the end.
fn check(text: &str, start: &State, expected: &[(usize, f64)]) {
    for method in [Method::Automatic, Method::RungeKutta, Method::Taylor, Method::Radau] {
        let made = run(text, start, method);
        assert!(matches!(made.end, End::ReachedTime { .. }), "{text} {method:?}: {}", made.end);
        let last = made.last().expect("a state");
        for &(place, value) in expected {
            let off = (last.q[place] - value).abs();
            assert!(off < 1e-8, "{text} {method:?}: {} for {value}", last.q[place]);
        }
    }
}

/// s = u³ (10 − 15 u + 6 u²) of u from 0 at t = 1 to 1 at t = 1.1.
fn smoothstep(t: f64) -> f64 {
    let u = ((t - 1.0) / 0.1).clamp(0.0, 1.0);
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}

/// ∫ f from a to b, by Simpson's rule in pieces.
fn integral(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let (pieces, mut sum) = (20_000, 0.0);
    let h = (b - a) / f64::from(pieces);
    for k in 0..pieces {
        let t = a + h * f64::from(k);
        sum += h / 6.0 * (f(t) + 4.0 * f(t + h / 2.0) + f(t + h));
    }
    sum
}

/// x of a block with friction μ on a belt that comes to move with s(t): it sticks up to s′ = μ g, then slides until it is as fast.
fn dragged(μ: f64) -> f64 {
    let pull = μ * G;
    let slope = |t: f64| {
        let u = (t - 1.0) / 0.1;
        300.0 * u * u * (1.0 - u) * (1.0 - u)
    };
    let (mut low, mut high) = (1.0, 1.05);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(middle) < pull { low = middle } else { high = middle }
    }
    let slides = smoothstep(low);
    let time = (1.0 - slides) / pull;
    let x = integral(smoothstep, 1.0, low) + slides * time + pull * time * time / 2.0;
    x + (UNTIL - low - time)
}

#[test]
fn belts_that_begin_to_move() {
    let rest = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let contact = |slip: &str| {
        format!(
            "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
            contact f {{ gap = y; slip = {slip}; friction = 0.3; impact = plastic; }} }}"
        )
    };
    check(&contact("ẋ - smoothstep(t, 1, 1.1)"), &rest, &[(0, dragged(0.3)), (1, 0.0)]);
    let row = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
        holonomic { g: y = 0; } row g { slip = ẋ - smoothstep(t, 1, 1.1); friction = 0.3; } }";
    check(row, &rest, &[(0, dragged(0.3))]);
    // A block that was slow and stopped long before.
    let slow = State::new(0.0, [0.0, 0.0], [1e-3, 0.0]);
    let stopped = 1e-6 / (2.0 * 0.3 * G);
    check(&contact("ẋ - smoothstep(t, 1, 1.1)"), &slow, &[(0, dragged(0.3) + stopped)]);
}

#[test]
fn rows_that_begin_to_move() {
    let rest = |n: usize| State::new(0.0, vec![0.0; n], vec![0.0; n]);
    let whole = integral(smoothstep, 1.0, 1.1) + UNTIL - 1.1;
    // ẋ + θ̇ = s with ẋ = λ, θ̇ = 2 λ.
    let own = "system S { coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/4; potential = 9.81*y;
        contact f { gap = y; constraints { s: ẋ + θ̇ = smoothstep(t, 1, 1.1); } impact = plastic; } }";
    check(own, &rest(3), &[(0, whole / 3.0), (2, 2.0 * whole / 3.0)]);
    let pulse = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; allow integrable_row(h);
        constraints { h: ẋ + 2*ẏ = smoothstep(t, 1, 1.1) - smoothstep(t, 1.5, 1.6); } }";
    check(pulse, &rest(2), &[(0, 0.1), (1, 0.2)]);
    let bell = "system S { coordinates { x } kinetic = ẋ^2/2; allow integrable_row(h);
        constraints { h: ẋ = exp(-1000*(t - 1.2345)^2); } }";
    let area = (std::f64::consts::PI / 1000.0).sqrt();
    check(bell, &rest(1), &[(0, area)]);
    let held = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
        holonomic { h: x = smoothstep(t, 1, 1.1); } }";
    check(held, &rest(2), &[(0, 1.0), (1, 0.0)]);
}

/// A skate that turns at rest and comes to move along its blade.
#[test]
fn a_skate_that_begins_to_move() {
    let text = "system S { coordinates { x, y, φ } kinetic = (ẋ^2 + ẏ^2 + φ̇^2)/2; allow holonomic_together(blade, motor);
        constraints { blade: sin(φ)*ẋ - cos(φ)*ẏ = 0; motor: cos(φ)*ẋ + sin(φ)*ẏ = smoothstep(t, 1, 1.1); } }";
    let start = State::new(0.0, [0.0; 3], [0.0, 0.0, 0.5]);
    let along = |f: fn(f64) -> f64| {
        let moved = |t: f64| smoothstep(t) * f(t / 2.0);
        integral(moved, 1.0, 1.1) + integral(moved, 1.1, UNTIL)
    };
    check(text, &start, &[(0, along(f64::cos)), (1, along(f64::sin)), (2, 2.0)]);
}

/// A friction that is lost for a moment on an incline, where the block that has begun to slide goes on.
#[test]
fn friction_that_is_lost_for_a_moment() {
    let text = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*(y*cos(0.3) - x*sin(0.3));
        contact f { gap = y; slip = ẋ; friction(0.5 - 0.4*exp(-1000*(t - 1)^2), 0.1); impact = plastic; } }";
    // μ_s falls to tan 0.3.
    let falls = 1.0 - ((0.4_f64 / (0.5 - 0.3_f64.tan())).ln() / 1000.0).sqrt();
    let pull = G * (0.3_f64.sin() - 0.1 * 0.3_f64.cos());
    let x = pull * (UNTIL - falls).powi(2) / 2.0;
    check(text, &State::new(0.0, [0.0; 2], [0.0; 2]), &[(0, x)]);
}

/// The angle between −π and π has a jump, of which a power series knows nothing: half a turn of ẍ = −θ(x) takes asin(π/4).
#[test]
fn angles_that_jump() {
    let text = "system W { coordinates { a } kinetic = ȧ^2/2; force a = -atan2(sin(a), cos(a)); }";
    let start = State::new(0.0, [0.0], [4.0]);
    let half = (std::f64::consts::PI / 4.0).asin();
    // Between a = −π and π: a = 4 sin t.
    let turns = (UNTIL / (2.0 * half)).round();
    let a = 2.0 * std::f64::consts::PI * turns + 4.0 * (UNTIL - 2.0 * half * turns).sin();
    check(text, &start, &[(0, a)]);
    let driven =
        "system W { coordinates { x } kinetic = ẋ^2/2; force x = atan2(sin(3*t), cos(3*t)); }";
    // v = 3 t²/2 − 2π Σ (t − tⱼ) at tⱼ = (2j − 1) π/3.
    let jumps = (1..).map(|j| (2.0 * f64::from(j) - 1.0) * std::f64::consts::PI / 3.0);
    let x = UNTIL.powi(3) / 2.0
        - jumps
            .take_while(|jump| *jump < UNTIL)
            .map(|jump| std::f64::consts::PI * (UNTIL - jump).powi(2))
            .sum::<f64>();
    check(driven, &State::new(0.0, [0.0], [0.0]), &[(0, x)]);
}

/// A force 5.7 sin 1.6 t does the work (u̇² − 9)/2 with u̇ = 3 + 5.7 (1 − cos 1.6 t)/1.6, beside a body whose bounces accumulate
/// at 0.8037258: the ledger has it, wherever the run ends.
#[test]
fn the_ledger_has_the_work_between_impacts() {
    let text = "system Beside {
        coordinates { y, u, a } kinetic = (ẏ^2 + u̇^2 + 0.2*ȧ^2)/2; potential = 10*y;
        force u = 5.7*sin(1.6*t);
        contact c { gap = y - 0.5*sin(a); impact = restitution(0.4); } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let start = State::new(0.0, [1.0, 0.0, 0.8], [0.0, 3.0, 0.0]);
    for method in [Method::Automatic, Method::Taylor, Method::RungeKutta, Method::Radau] {
        for until in [0.803_725_75, 0.803_725_82, 0.803_725_83, 0.803_73, 0.81, 1.1, 1.2] {
            let options =
                Options { method, until_time: Some(until), ledger: true, ..Options::default() };
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
                .expect("the start is possible");
            let ledger = run.ledger.expect("it was asked for");
            let speed = 3.0 + 5.7 * (1.0 - (1.6 * until).cos()) / 1.6;
            let work = (speed * speed - 9.0) / 2.0;
            let error = ledger.work(Source::Line(0)) - work;
            assert!(error.abs() < 1e-10 && ledger.closes(), "{method:?} {until}: {error:e}");
        }
    }
}
