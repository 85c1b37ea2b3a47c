//! Runs against closed forms, and what a run says where it cannot go on.

mod common;

use common::{Model, Penny, ball, describe, pendulum_in_the_plane, run};
use eom_core::info::{Direction, RowKind, Unknown};
use eom_core::{
    AbsoluteTolerance, End, EventKind, Law, Options, Sampling, StartError, StartPolicy, State,
    System, simulate, solve_unknowns,
};
use std::f64::consts::PI;
use std::ops::ControlFlow;

fn until(time: f64) -> Options {
    Options { until_time: Some(time), ..Options::default() }
}

/// Impact k of a ball dropped from 1 m: t₁ = √(2/g), then flights of 2eᵏt₁ each.
#[test]
fn the_bouncing_ball_hits_at_its_closed_form_times() {
    let options = Options { until_impacts: Some(150), ..Options::default() };
    let trajectory = run(&ball(Law::Restitution(0.9)), &State::new(0.0, [1.0], [0.0]), &options);
    let first = (2.0_f64 / 9.81).sqrt();
    let (mut exact, mut flight) = (first, 2.0 * first);
    for (k, event) in trajectory.events.iter().enumerate() {
        assert!((event.t - exact).abs() < 2e-13, "impact {k}: {} for {exact}", event.t);
        flight *= 0.9;
        exact += flight;
    }
    assert_eq!(trajectory.events.len(), 150);
}

/// A ball thrown from the floor leaves it, and returns after 2 v/g: within one step.
#[test]
fn a_contact_that_separates_does_not_fire_before_its_return() {
    let start = State::new(0.0, [0.0], [3.0]);
    let options = Options { until_impacts: Some(1), ..Options::default() };
    let trajectory = run(&ball(Law::Elastic), &start, &options);
    assert!((trajectory.events[0].t - 6.0 / 9.81).abs() < 1e-15, "{}", trajectory.end);
}

/// Coordinates and velocities of the pendulum released level: the period is 4 K(1/√2)·√(l/g),
/// K(1/√2) = π/(2 agm(1, 1/√2)).
#[test]
fn a_holonomic_pendulum_keeps_its_rod_its_energy_and_its_period() {
    let pendulum = pendulum_in_the_plane();
    let (mut a, mut b) = (1.0, 0.5_f64.sqrt());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let period = 2.0 * PI / a / 9.81_f64.sqrt();
    let trajectory =
        run(&pendulum, &State::new(0.0, [1.0, 0.0], [0.0, 0.0]), &until(50.0 * period));
    let last = trajectory.last().unwrap();
    assert_eq!(trajectory.end, End::ReachedTime { t: 50.0 * period });
    assert!((last.q[0] - 1.0).abs() < 1e-12 && last.q[1].abs() < 1e-11, "{last:?}");
    for State { t, q, v } in &trajectory.samples {
        let rod = q[0] * q[0] + q[1] * q[1] - 1.0;
        assert!(rod.abs() < 1e-15, "t = {t}: {rod:e}");
        assert!((q[0] * v[0] + q[1] * v[1]).abs() < 5e-15, "t = {t}");
        let energy = pendulum.energy(*t, q, v).total();
        assert!(energy.abs() < 9.81e-12, "t = {t}: {energy:e}");
    }
}

/// A particle x = cos t with declared events.
fn oscillator(guard: fn(f64) -> f64, direction: Direction) -> Model {
    let info = describe("Oscillator", &["x"], &[], &[], &[("mark", direction, false)]);
    let mut model = Model::new(info, &[1.0]);
    model.force = Box::new(|_, q, _, f| f[0] = -q[0]);
    model.guards = Box::new(move |_, q, _, g| g[0] = guard(q[0]));
    model
}

/// Times of the events, to rounding of the guard divided by its slope |sin t|.
fn check_events(guard: fn(f64) -> f64, direction: Direction, end: f64, times: &[f64]) {
    let model = oscillator(guard, direction);
    let trajectory = run(&model, &State::new(0.0, [1.0], [0.0]), &until(end));
    let found: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
    assert_eq!(found.len(), times.len(), "{direction:?}: {found:?} for {times:?}");
    for (found, exact) in found.iter().zip(times) {
        let bound = 5e-15 / exact.sin().abs() + 1e-14;
        assert!((found - exact).abs() < bound, "{found} for {exact}");
    }
}

#[test]
fn events_fire_in_their_direction() {
    check_events(|x| x, Direction::Falling, 10.0, &[0.5 * PI, 2.5 * PI]);
    check_events(|x| x, Direction::Rising, 10.0, &[1.5 * PI]);
    check_events(|x| x, Direction::Both, 10.0, &[0.5 * PI, 1.5 * PI, 2.5 * PI]);
    // The guard is zero at the start, which is no crossing.
    check_events(|x| x - 1.0, Direction::Both, 3.0, &[]);
}

/// x + 0.9999 dips below zero for 0.03 around t = π: shorter than a step. x + 1.0001 never does.
#[test]
fn a_dip_within_a_step_is_two_crossings() {
    let half = 0.9999_f64.acos();
    check_events(|x| x + 0.9999, Direction::Both, 6.0, &[PI - half, PI + half]);
    check_events(|x| x + 0.999_999_99, Direction::Falling, 6.0, &[PI - 0.999_999_99_f64.acos()]);
    check_events(|x| x + 1.000_001, Direction::Both, 6.0, &[]);
}

/// A reset as a bounce: right sides take the values from before.
#[test]
fn a_reset_changes_the_state_once() {
    let info = describe("Bounce", &["y"], &[], &[], &[("bounce", Direction::Falling, true)]);
    let mut model = Model::new(info, &[1.0]);
    model.force = Box::new(|_, _, _, f| f[0] = -9.81);
    model.guards = Box::new(|_, q, _, g| g[0] = q[0]);
    model.reset = Box::new(|_, _, v| v[0] *= -0.5);
    let trajectory = run(&model, &State::new(0.0, [1.0], [0.0]), &until(1.2));
    let first = (2.0_f64 / 9.81).sqrt();
    let times: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
    for (found, flights) in times.iter().zip([1.0, 2.0, 2.5]) {
        assert!((found - flights * first).abs() < 1e-14, "{times:?}");
    }
    assert_eq!(times.len(), 3);
    assert_eq!(trajectory.events[0].kind, EventKind::Declared { event: 0 });
    assert_eq!(trajectory.events[0].v_plus()[0], -0.5 * trajectory.events[0].v_minus()[0]);
}

/// A particle in the corner x ≥ 0, y ≥ 0 hits both walls at once.
#[test]
fn contacts_that_are_hit_at_one_time_are_one_event() {
    let info = describe("Corner", &["x", "y"], &[], &["left", "floor"], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.gaps = Box::new(|_, q, _, g| g.copy_from_slice(q));
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        rate.fill(0.0);
    });
    let trajectory = run(&model, &State::new(0.0, [1.0, 1.0], [-1.0, -1.0]), &until(3.0));
    let contacts: Vec<usize> = trajectory.impacts().map(|(contact, _)| contact).collect();
    assert_eq!(contacts, [0, 1]);
    assert_eq!((trajectory.events.len(), trajectory.stats.impacts), (1, 2));
    let last = trajectory.last().unwrap();
    assert!((last.q[0] - 2.0).abs() < 1e-14 && (last.q[1] - 2.0).abs() < 1e-14, "{last:?}");
}

#[test]
fn starts_off_the_constraints_are_refused_with_numbers_or_projected() {
    let penny = Penny::table_1();
    let mut start = penny.start();
    start.v[0] += 1e-3;
    let admit = |start: &State, options: &Options| {
        simulate(&penny, start, &[], options, &mut |_| ControlFlow::Continue(()))
    };
    let StartError::Inconsistent { residuals } = admit(&start, &until(1.0)).unwrap_err() else {
        panic!()
    };
    assert_eq!((residuals.len(), residuals[0].name), (1, "roll_x"));
    assert!((residuals[0].value - 1e-3).abs() < 1e-15 && residuals[0].tolerance < 1e-8);

    let project = Options { start: StartPolicy::Project, ..until(1.0) };
    let trajectory = admit(&start, &project).unwrap();
    let v = &trajectory.samples[0].v;
    assert!((v[0] - penny.r * penny.start().q[3].cos() * v[2]).abs() < 1e-17);

    let outside = penny.rolling(0.0, &[0.2, 0.0, 0.0, 0.0], 1.0, 0.0);
    let message = admit(&outside, &project).unwrap_err().to_string();
    assert!(message.contains("front: gap = -9.600e-1"), "{message}");
}

#[test]
fn holonomic_starts_are_checked_and_projected() {
    let pendulum = pendulum_in_the_plane();
    let start = State::new(0.0, [1.2, 0.1], [0.3, 1.0]);
    let project = Options { start: StartPolicy::Project, ..until(0.1) };
    let refused = simulate(&pendulum, &start, &[], &until(0.1), &mut |_| ControlFlow::Continue(()));
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("rod: φ = 4.500e-1 (tol"), "{message}");
    let trajectory = run(&pendulum, &start, &project);
    let State { q, v, .. } = &trajectory.samples[0];
    assert!((q[0] * q[0] + q[1] * q[1] - 1.0).abs() < 1e-15, "{q:?}");
    assert!((q[0] * v[0] + q[1] * v[1]).abs() < 1e-15, "{v:?}");
    // The foot of the perpendicular on the circle.
    assert!((q[1] / q[0] - 0.1 / 1.2).abs() < 1e-12, "{q:?}");
}

#[test]
fn unknowns_are_solved_from_the_constraints() {
    let penny = Penny::table_1();
    let mut state = State::new(0.0, [0.0, 0.0, 0.0, 1.0], [9.0, 9.0, 10.0, 0.2]);
    solve_unknowns(&penny, &[Unknown::Velocity(0), Unknown::Velocity(1)], &mut state).unwrap();
    let wanted = penny.rolling(0.0, &[0.0, 0.0, 0.0, 1.0], 10.0, 0.2);
    assert!((state.v[0] - wanted.v[0]).abs() < 1e-17 && (state.v[1] - wanted.v[1]).abs() < 1e-17);

    let error = solve_unknowns(&penny, &[Unknown::Velocity(3)], &mut state).unwrap_err();
    assert!(error.to_string().contains("do not determine velocity of φ"), "{error}");

    let pendulum = pendulum_in_the_plane();
    let mut state = State::new(0.0, [0.6, 0.5], [1.0, 0.0]);
    let unknowns = [Unknown::Coordinate(1), Unknown::Velocity(1)];
    solve_unknowns(&pendulum, &unknowns, &mut state).unwrap();
    assert!((state.q[1] - 0.8).abs() < 1e-15 && (state.v[1] + 0.75).abs() < 1e-15, "{state:?}");

    let mut far = State::new(0.0, [1.5, 0.5], [0.0, 0.0]);
    let error = solve_unknowns(&pendulum, &[Unknown::Coordinate(1)], &mut far).unwrap_err();
    assert!(matches!(error, StartError::Unsolved { .. }), "{error}");
}

#[test]
fn options_and_numbers_without_meaning_are_refused() {
    let ball = ball(Law::Elastic);
    let start = State::new(0.0, [1.0], [0.0]);
    let check = |start: &State, options: Options, wanted: &str| {
        let result = simulate(&ball, start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let message = result.unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
    };
    check(&start, Options::default(), "nothing ends the run");
    check(&start, until(-1.0), "time of the end -1");
    check(&start, Options { relative_tolerance: f64::NAN, ..until(1.0) }, "relative tolerance NaN");
    let short = AbsoluteTolerance::Each(vec![1e-12]);
    check(&start, Options { absolute_tolerance: short, ..until(1.0) }, "expected 2 numbers");
    let law = Some(Law::Restitution(-0.1));
    check(&start, Options { law, ..until(1.0) }, "`floor`: restitution -0.1");
    check(&State::new(0.0, [1.0, 2.0], [0.0]), until(1.0), "coordinates: expected 1");
    check(&State::new(0.0, [1.0], [f64::NAN]), until(1.0), "velocity of y = NaN");
}

/// ẍ = force(x).
fn particle(force: fn(f64) -> f64) -> Model {
    let mut model = Model::new(describe("Particle", &["x"], &[], &[], &[]), &[1.0]);
    model.force = Box::new(move |_, q, _, f| f[0] = force(q[0]));
    model
}

#[test]
fn runs_that_cannot_go_on_say_where_and_why() {
    let start = State::new(0.0, [1.0], [0.0]);
    // ẍ = −1/x² falls into the centre at π/√8.
    let fall = run(&particle(|x| -1.0 / (x * x)), &start, &until(10.0));
    let stuck = matches!(fall.end, End::StepUnderflow { .. } | End::NonFinite { .. });
    assert!(stuck && (fall.end.t() - PI / 8.0_f64.sqrt()).abs() < 1e-6, "{}", fall.end);
    // ẍ = −√x has no real value beyond x = 0.
    let root = run(&particle(|x| -x.sqrt()), &start, &until(10.0));
    let End::NonFinite { what, .. } = &root.end else { panic!("{}", root.end) };
    assert!(what.contains('x'), "{what}");
    assert!(root.last().unwrap().q[0] > -1e-6);
    let singular = run(&particle(|_| f64::NAN), &start, &until(1.0));
    assert_eq!(
        singular.end.to_string(),
        "stopped at t = 0: the acceleration of x is not finite beyond this time"
    );
    assert_eq!(singular.samples, std::slice::from_ref(&start));
    // Its weight overflows, its mass does not.
    let mut heavy = Model::new(describe("Heavy", &["x"], &[], &[], &[]), &[1e308]);
    heavy.force = Box::new(|_, _, _, f| f[0] = 9.81 * 1e308);
    let End::NonFinite { .. } = run(&heavy, &start, &until(1.0)).end else {
        panic!("a mass is told to be none")
    };
}

#[test]
fn budgets_and_observers_end_a_run() {
    let ball = ball(Law::Elastic);
    let start = State::new(0.0, [1.0], [0.0]);
    let few = run(&ball, &start, &Options { events_max: 3, ..until(100.0) });
    assert!(matches!(few.end, End::EventBudget { events: 3, .. }), "{}", few.end);
    let short = run(&ball, &start, &Options { steps_max: 5, ..until(100.0) });
    assert!(matches!(short.end, End::StepBudget { steps: 5, .. }), "{}", short.end);
    let mut seen = 0;
    let stopped = simulate(&ball, &start, &[], &until(100.0), &mut |progress| {
        seen += 1;
        if progress.t > 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let stopped = stopped.unwrap();
    assert!(matches!(stopped.end, End::Interrupted { .. }) && seen > 1, "{}", stopped.end);
    let ends = run(&ball, &start, &Options { sampling: Sampling::Ends, ..until(2.0) });
    assert_eq!((ends.samples.len(), ends.samples[1].t), (2, 2.0));
}

/// Laws that leave the gap closing end the run: a wall hit under a constraint that `project` turns
/// back into it.
#[test]
fn a_law_that_leaves_the_gap_closing_ends_the_run() {
    // Sliding on the line y = x tan 80° towards the wall x = 0: reflected alone, then projected.
    let (sin, cos) = (80.0_f64).to_radians().sin_cos();
    let info = describe("Rail", &["x", "y"], &[("rail", RowKind::Velocity)], &["wall"], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.rows = Box::new(move |_, _, a, b| {
        a.copy_from_slice(&[sin, -cos]);
        b[0] = 0.0;
    });
    model.drift = Box::new(|_, _, _, γ| γ[0] = 0.0);
    model.gaps = Box::new(|_, q, _, g| g[0] = q[0]);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[1.0, 0.0]);
        rate[0] = 0.0;
    });
    model.law = Law::Project;
    let start = State::new(0.0, [cos, sin], [-cos, -sin]);
    let trajectory = run(&model, &start, &until(10.0));
    let End::LawLeavesGapClosing { t, rate, .. } = trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert!((t - 1.0).abs() < 1e-15 && (rate + cos * (sin * sin - cos * cos)).abs() < 1e-14);
    assert_eq!(trajectory.last().unwrap().v, start.v, "the state is that before the impact");
}
