//! Rows that are not affine in the velocities, by Chetaev's rule: motions against closed forms, the work of their
//! reactions, starts, and what is refused.
#![allow(
    mixed_script_confusables,
    confusable_idents,
    non_snake_case,
    reason = "the names of the declarations"
)]

use eom_core::contact::Reactions;
use eom_core::info::Unknown;
use eom_core::{
    End, Kept, Method, Mode, Options, Source, StartError, StartPolicy, State, System, Trajectory,
    run_scenario, simulate, solve_unknowns,
};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

/// ẋ² + ẏ² = k² ż²: the example of Appell and Hamel.
const APPELL: &str = "system Appell {
    coordinates { x, y, z }
    parameters { m = 2, g = 9.81, k = 0.5 }
    kinetic = m/2*(ẋ^2 + ẏ^2 + ż^2);
    potential = m*g*z;
    constraints { cone: ẋ^2 + ẏ^2 = k^2*ż^2; }
    allow chetaev(cone);
}";

/// A point that keeps its speed where gravity acts.
const KEPT: &str = "system Kept {
    coordinates { x, y }
    parameters { m = 2, g = 9.81, v = 3 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = m*g*y;
    constraints { speed: ẋ^2 + ẏ^2 = v^2; }
    allow chetaev(speed);
    claim reaction: 2*v^2*λ(speed) = m*g*ẏ;
    claim turn: ẋ*ÿ - ẏ*ẍ = -g*ẋ;
    claim line when g = 0: motion(c, d) { x = c + v*t*cos(d); y = v*t*sin(d); };
    output reaction = λ(speed);
}";

/// The same in velocities of its own: u along a frame that is turned by a, w across it.
const TURNED: &str = "system Turned {
    coordinates { x, y }
    velocities { u = cos(x)*ẋ + sin(x)*ẏ, w = cos(x)*ẏ - sin(x)*ẋ }
    parameters { m = 2, g = 9.81, v = 3 }
    kinetic = m/2*(u^2 + w^2);
    potential = m*g*y;
    constraints { speed: sqrt(u^2 + w^2) = v; }
    allow chetaev;
}";

eom_core::lagrangian! {
    /// A row of place, time and a velocity of degree one besides, beside one that is affine.
    system Led {
        coordinates { x, y, θ }
        parameters { m = 2, g = 9.81, v = 3, ω = 1/3 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + θ̇^2/4;
        potential = m*g*y;
        constraints {
            speed: ẋ^2 + ẏ^2 = v^2*(1 + x/5)^2 + sin(ω*t)*ẋ;
            gear: θ̇ = x*ẏ - y*ẋ;
        }
        allow chetaev(speed);
        scenario thrown { x = 0.1; ẋ = 1; solve ẋ, θ̇; until t = 1; }
    }
}

fn check(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let error = (found - wanted).abs();
    assert!(error <= tolerance, "{what}: {found:?}, wanted {wanted:?}, error {error:e}");
}

fn system(source: &str) -> Interpreted {
    Interpreted::new(source).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

fn run(system: &Interpreted, start: &State, options: &Options) -> Trajectory {
    let trajectory = simulate(system, start, &[], options, &mut |_| ControlFlow::Continue(()));
    trajectory.expect("the start is possible")
}

/// To a time, with the ledger kept.
fn run_to(system: &Interpreted, start: &State, until: f64, method: Method) -> Trajectory {
    let options = Options { until_time: Some(until), ledger: true, method, ..Options::default() };
    let trajectory = run(system, start, &options);
    assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{}", trajectory.end);
    trajectory
}

fn last(trajectory: &Trajectory) -> &State {
    trajectory.last().expect("it has run")
}

/// max |φ| at the ends of steps.
fn drift(trajectory: &Trajectory) -> f64 {
    let ledger = trajectory.ledger.as_ref().expect("it was asked for");
    let rows = ledger.drifts.iter().filter(|drift| matches!(drift.kept, Kept::Row(_)));
    rows.map(|drift| drift.residual).fold(0.0, f64::max)
}

/// z̈ = −g/(1 + k²), and the speed across, k |ż|, grows in its first direction: λ = −m g/(2 ż (1 + k²)).
#[test]
fn appells_point_falls_along_a_line() {
    let appell = system(APPELL);
    let (g, k, α, t) = (9.81, 0.5, 0.7_f64, 1.5);
    let a = g / (1.0 + k * k);
    for method in METHODS {
        let start = State::new(0.0, [1.0, -2.0, 3.0], [k * α.cos(), k * α.sin(), -1.0]);
        let trajectory = run_to(&appell, &start, t, method);
        let state = last(&trajectory);
        let (fall, way) = (1.0 + a * t, t + 0.5 * a * t * t);
        for (i, direction) in [(0, k * α.cos()), (1, k * α.sin()), (2, -1.0)] {
            check("velocity", state.v[i], direction * fall, 1e-10);
            check("place", state.q[i], start.q[i] + direction * way, 1e-10);
        }
        let (mut acceleration, mut λ) = ([0.0; 3], [0.0]);
        appell.accelerations(state.t, &state.q, &state.v, &[], &mut acceleration, &mut λ);
        check("λ", λ[0], 2.0 * g / (2.0 * fall * (1.0 + k * k)), 1e-10);
        // φ is homogeneous: its reaction does no work.
        let ledger = trajectory.ledger.as_ref().expect("it was asked for");
        assert!(ledger.closes(), "{method:?}: {} {}", ledger.error, ledger.tolerance);
        check("work", ledger.work(Source::Row(0)), 0.0, 1e-9);
        assert!(drift(&trajectory) < 1e-12, "{method:?}: {:e}", drift(&trajectory));
    }
}

/// With s = g t/v − artanh sin θ₀: ẋ = v/cosh s, ẏ = −v tanh s, since v θ̇ = −g cos θ; λ = m g ẏ/(2 v²), which does the work
/// m g Δy.
fn check_kept(source: &str, velocity: impl Fn(f64, [f64; 2]) -> [f64; 2]) {
    let kept = system(source);
    let (m, g, v, θ, t) = (2.0, 9.81, 3.0, 1.1_f64, 1.4);
    let s0 = -θ.sin().atanh();
    let s = g * t / v + s0;
    let along = |s: f64| 2.0 * (s / 2.0).tanh().atan();
    for method in METHODS {
        let q = [0.4, 0.2];
        let start = State::new(0.0, q, velocity(q[0], [v * θ.cos(), v * θ.sin()]));
        let trajectory = run_to(&kept, &start, t, method);
        let state = last(&trajectory);
        check("x", state.q[0], q[0] + v * v / g * (along(s) - along(s0)), 1e-10);
        let fall = v * v / g * (s.cosh() / s0.cosh()).ln();
        check("y", state.q[1], q[1] - fall, 1e-10);
        let wanted = velocity(state.q[0], [v / s.cosh(), -v * s.tanh()]);
        check("v₁", state.v[0], wanted[0], 1e-10);
        check("v₂", state.v[1], wanted[1], 1e-10);
        let ledger = trajectory.ledger.as_ref().expect("it was asked for");
        assert!(ledger.closes(), "{method:?}: {} {}", ledger.error, ledger.tolerance);
        check("work", ledger.work(Source::Row(0)), -m * g * fall, 1e-8);
        assert!(drift(&trajectory) < 1e-13 * v * v, "{method:?}: {:e}", drift(&trajectory));
    }
}

#[test]
fn a_speed_is_kept_where_gravity_acts() {
    check_kept(KEPT, |_, v| v);
}

#[test]
fn a_speed_is_kept_in_velocities_of_ones_own() {
    check_kept(TURNED, |x, [a, b]| [x.cos() * a + x.sin() * b, x.cos() * b - x.sin() * a]);
}

/// Claims are decided at states on φ = 0: what does not follow is told.
#[test]
fn claims_are_decided_on_the_rows() {
    for (right, wrong) in [
        ("claim turn: ẋ*ÿ - ẏ*ẍ = -g*ẋ;", "claim turn: ẋ*ÿ - ẏ*ẍ = -g*ẏ;"),
        ("claim reaction: 2*v^2*λ(speed) = m*g*ẏ;", "claim reaction: v^2*λ(speed) = m*g*ẏ;"),
        ("x = c + v*t*cos(d); y = v*t*sin(d);", "x = c + 2*v*t*cos(d); y = 2*v*t*sin(d);"),
    ] {
        let source = KEPT.replace(right, wrong);
        assert_ne!(source, KEPT);
        let mistakes = Interpreted::new(&source).map(|_| ());
        assert!(mistakes.is_err(), "{wrong}");
    }
}

#[test]
fn the_reaction_can_be_looked_at() {
    let kept = system(KEPT);
    let mut found = [0.0];
    let state = State::new(0.0, [0.0, 0.0], [1.8, -2.4]);
    Reactions::new(&kept).outputs(&kept, &[], &state, &Mode::default(), &mut found);
    check("λ", found[0], 2.0 * 9.81 * -2.4 / (2.0 * 9.0), 1e-14);
}

/// ∂φ/∂t and ∂φ/∂q: along a line, ṡ = c (1 + t) and ṡ = k s cos α + k x₀ have closed forms.
#[test]
fn a_speed_may_depend_on_time_and_place() {
    let free = |speed: &str| {
        system(&format!(
            "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
             constraints {{ speed: ẋ^2 + ẏ^2 = {speed}; }} allow chetaev(speed); }}"
        ))
    };
    let (α, t) = (0.6_f64, 2.0);
    for method in METHODS {
        let start = State::new(0.0, [1.0, 0.0], [α.cos(), α.sin()]);
        let state = run_to(&free("(1 + t)^2"), &start, t, method);
        let way = t + 0.5 * t * t;
        check("x", last(&state).q[0], 1.0 + way * α.cos(), 1e-10);
        check("y", last(&state).q[1], way * α.sin(), 1e-10);
        let state = run_to(&free("x^2"), &start, t, method);
        let grown = (t * α.cos()).exp();
        check("x", last(&state).q[0], grown, 1e-9);
        check("y", last(&state).q[1], α.tan() * (grown - 1.0), 1e-9);
    }
}

/// On a circle a speed that is kept turns at one rate, whatever gravity does; beside a row that is affine.
#[test]
fn other_rows_stand_beside() {
    let bead = system(
        "system Bead {
            coordinates { x, y, θ }
            kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/10;
            potential = 9.81*y;
            holonomic { ring: x^2 + y^2 = 4; }
            constraints { gear: dθ - x*dy + y*dx; speed: ẋ^2 + ẏ^2 = 9; }
            allow chetaev(speed);
        }",
    );
    for method in METHODS {
        let start = State::new(0.0, [2.0, 0.0, 0.0], [0.0, 3.0, 6.0]);
        let trajectory = run_to(&bead, &start, 4.0, method);
        let (state, turn) = (last(&trajectory), 1.5 * 4.0_f64);
        check("x", state.q[0], 2.0 * turn.cos(), 1e-10);
        check("y", state.q[1], 2.0 * turn.sin(), 1e-10);
        check("θ", state.q[2], 4.0 * turn, 1e-10);
        let ledger = trajectory.ledger.as_ref().expect("it was asked for");
        assert!(ledger.closes(), "{method:?}: {} {}", ledger.error, ledger.tolerance);
    }
}

/// The smallest change of a velocity to a speed is along itself; unknowns are found from the values given.
#[test]
fn starts_are_brought_to_the_rows() {
    let kept = system(KEPT);
    let start = State::new(0.0, [0.0, 0.0], [0.6, 0.8]);
    let options = Options { until_time: Some(1e-9), ..Options::default() };
    let refused = simulate(&kept, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    let Err(StartError::Inconsistent { residuals }) = refused else { panic!("{refused:?}") };
    check("residual", residuals[0].value, 1.0 - 9.0, 1e-14);
    let options = Options { start: StartPolicy::Project, ..options };
    let trajectory = run(&kept, &start, &options);
    let first = &trajectory.samples[0];
    check("v₁", first.v[0], 1.8, 1e-14);
    check("v₂", first.v[1], 2.4, 1e-14);
    for (given, wanted) in [(1.0, 2.4), (-0.1, -2.4)] {
        let mut state = State::new(0.0, [0.0, 0.0], [1.8, given]);
        solve_unknowns(&kept, &[Unknown::Velocity(1)], &mut state).expect("it is determined");
        check("solved", state.v[1], wanted, 1e-14);
    }
    let mut nowhere = State::new(0.0, [0.0, 0.0], [5.0, 1.0]);
    let unsolved = solve_unknowns(&kept, &[Unknown::Velocity(1)], &mut nowhere);
    assert!(matches!(unsolved, Err(StartError::Unsolved { .. })), "{unsolved:?}");
    let mut at_rest = State::new(0.0, [0.0, 0.0], [1.8, 0.0]);
    let undetermined = solve_unknowns(&kept, &[Unknown::Velocity(1)], &mut at_rest);
    assert!(matches!(undetermined, Err(StartError::Undetermined { .. })), "{undetermined:?}");
}

/// Where ∂φ/∂v vanishes there is no reaction: Appell's point that is thrown up stops at its top, and none starts at rest.
#[test]
fn a_row_that_vanishes_ends_the_run() {
    let appell = system(APPELL);
    let rest = State::new(0.0, [0.0; 3], [0.0; 3]);
    let options = Options { until_time: Some(1.0), ..Options::default() };
    let refused = simulate(&appell, &rest, &[], &options, &mut |_| ControlFlow::Continue(()));
    let is_dependent = matches!(&refused, Err(StartError::DependentRows { rows, .. })
        if rows == &[("cone", 1.0)]);
    assert!(is_dependent, "{refused:?}");
    let top = 1.25 / 9.81;
    for method in METHODS {
        let up = State::new(0.0, [0.0; 3], [0.5, 0.0, 1.0]);
        let options = Options { method, ..options.clone() };
        let trajectory = run(&appell, &up, &options);
        assert!(!trajectory.end.is_complete(), "{method:?}: {}", trajectory.end);
        check("top", last(&trajectory).t, top, 1e-3);
        assert!(last(&trajectory).v.iter().all(|v| v.is_finite()));
    }
}

/// After a reset the rows hold again, by the smallest change.
#[test]
fn a_reset_is_brought_to_the_rows() {
    let source =
        KEPT.replace("output", "event turn { guard = y; falling; reset { ẏ = -2*ẏ; } } output");
    let kept = system(&source);
    let start = State::new(0.0, [0.0, 1e-3], [1.8, -2.4]);
    let options = Options { until_time: Some(1e-3), ..Options::default() };
    let trajectory = run(&kept, &start, &options);
    let [event] = &trajectory.events[..] else { panic!("{:?}", trajectory.events) };
    let [(_, before), (_, after)] = event.sides();
    let size = before[0].hypot(2.0 * before[1]);
    check("ẋ", after[0], 3.0 * before[0] / size, 1e-12);
    check("ẏ", after[1], -6.0 * before[1] / size, 1e-12);
}

#[test]
fn a_run_is_the_one_of_its_scenario() {
    let source = KEPT.replace("output", "scenario level { ẋ = v; until t = 2; } output");
    let trajectory = run_scenario(&system(&source), "level", &Options::default());
    let trajectory = trajectory.expect("it starts");
    let state = last(&trajectory);
    check("ẏ", state.v[1], -3.0 * (9.81_f64 * 2.0 / 3.0).tanh(), 1e-10);
}

/// The compiled type has the numbers and the motion of the interpreter; A = ∂φ/∂v by hand.
#[test]
fn compiled_types_have_such_rows() {
    let (compiled, read) = (Led::default(), system(Led::INFO.source));
    assert_eq!(read.info(), Led::INFO);
    let state = State::new(0.4, [0.3, -0.2, 1.0], [1.5, -0.7, 0.2]);
    let State { t, q, v } = &state;
    let rows = |system: &dyn System| {
        let (mut a, mut b) = ([0.0; 6], [0.0; 2]);
        system.constraint_rows_at(*t, q, v, &mut a, &mut b);
        (a, b)
    };
    let (a, b) = rows(&compiled);
    assert_eq!((a, b), rows(&read));
    let led = (0.4_f64 / 3.0).sin();
    let wanted = [3.0 - led, -1.4, 0.0, -0.2, -0.3, 1.0];
    a.iter().zip(wanted).for_each(|(a, wanted)| check("A", *a, wanted, 1e-15));
    let φ = 1.5 * 1.5 + 0.49 - 9.0 * 1.06 * 1.06 - led * 1.5;
    check("φ", a[0] * 1.5 - a[1] * 0.7 + b[0], φ, 1e-14);
    let [x, w] = [q, v].map(|list| eom_core::nalgebra::SVector::<f64, 3>::from_row_slice(list));
    let (matrix, offsets) = compiled.constraints(*t, &x, &w);
    assert_eq!((matrix.transpose().as_slice(), offsets.as_slice()), (&a[..], &b[..]));
    check("φ", compiled.constraint_residuals(*t, &x, &w)[0], φ, 1e-14);
    // As functions of (t, q) alone there are none.
    for system in [&compiled as &dyn System, &read] {
        let (mut a, mut b) = ([0.0; 6], [0.0; 2]);
        system.constraint_rows(*t, q, &mut a, &mut b);
        assert!(a.iter().chain(&b).all(|x| x.is_nan()));
    }
    let [of_type, of_text] = [&compiled as &dyn System, &read]
        .map(|system| run_scenario(system, "thrown", &Options::default()).expect("it starts"));
    assert!(of_type.end.is_complete(), "{}", of_type.end);
    assert_eq!(of_type.samples, of_text.samples);
}

/// The equations are printed with φ itself; forms that would eliminate velocities say why there are none.
#[test]
fn what_is_printed_says_the_rule() {
    let kept = system(KEPT);
    let text = kept.info().equations.as_str();
    for part in
        ["ẋ^2 + ẏ^2 - v^2 = 0", "λ(speed)", "by Chetaev's rule: speed", "none is eliminated"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}
