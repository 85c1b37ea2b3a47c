//! Every way in which a run ends early or does not start, and what the others do not cover:
//! inputs, a nonholonomic invariant, a constraint that moves, a corner, samples at the end.

mod common;

use common::{Model, ball, describe, pendulum_in_the_plane, run};
use eom_core::info::{
    ContactInfo, Direction, EventInfo, Frame, FrictionInfo, FrictionKind, GapGuard, NameInfo,
    PowerInfo, PowerKind, RotationInfo, RowKind, ScenarioInfo, SystemInfo, Unknown,
};
use eom_core::system::{Contacts, Events, Friction, Specialised};
use eom_core::{
    AbsoluteTolerance, End, Energy, EventCount, ImpactError, Law, Options, Sampling, ScenarioError,
    StartError, StartPolicy, State, System, run_scenario, simulate, solve_unknowns,
};
use std::ops::ControlFlow;

fn until(time: f64) -> Options {
    Options { until_time: Some(time), ..Options::default() }
}

fn refuse(system: &dyn System, start: &State, inputs: &[f64], options: &Options) -> StartError {
    simulate(system, start, inputs, options, &mut |_| ControlFlow::Continue(()))
        .expect_err("the start is refused")
}

/// A reset that puts the ball below the floor.
#[test]
fn a_reset_behind_a_contact_ends_the_run() {
    let events = [("sink", Direction::Falling, true)];
    let mut model = ball(Law::Elastic);
    model.info = describe("Sinking", &["y"], &[], &["floor"], &events);
    model.guards = Box::new(|_, q, _, g| g[0] = q[0] - 0.5);
    model.reset = Box::new(|_, q, _| q[0] = -1.0);
    let trajectory = run(&model, &State::new(0.0, [1.0], [0.0]), &until(10.0));
    let End::Penetrates { t, contact, gap, tolerance } = trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert!((t - (1.0 / 9.81_f64).sqrt()).abs() < 1e-15 && contact == "floor");
    assert!(gap == -1.0 && tolerance < 1e-8, "{gap} {tolerance}");
    assert!(trajectory.end.to_string().contains("gap of `floor` is -1e0"));
}

/// A rail y = 0 that ends at x = 1.
#[test]
fn a_constraint_that_ends_ends_the_run() {
    let info = describe("Rail", &["x", "y"], &[("rail", RowKind::Holonomic)], &[], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.rows = Box::new(|_, _, a, b| {
        a.copy_from_slice(&[0.0, 1.0]);
        b[0] = 0.0;
    });
    model.drift = Box::new(|_, _, _, γ| γ[0] = 0.0);
    model.holonomic = Box::new(|_, q, _, φ| φ[0] = q[1] + 0.0 * (1.0 - q[0]).sqrt());
    let trajectory = run(&model, &State::new(0.0, [0.0, 0.0], [1.0, 0.0]), &until(10.0));
    let End::OffConstraints { t, residuals } = &trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert!((t - 1.0).abs() < 1e-12 && residuals[0].name == "rail", "{}", trajectory.end);
    assert!((trajectory.last().unwrap().q[0] - 1.0).abs() < 1e-12);
}

/// A lift that goes down with the row ẏ = −1 onto a floor: no impulse can stop it.
#[test]
fn an_impact_without_a_result_ends_the_run() {
    let info = describe("Lift", &["y"], &[("row", RowKind::Velocity)], &["floor"], &[]);
    let mut model = Model::new(info, &[1.0]);
    model.rows = Box::new(|_, _, a, b| (a[0], b[0]) = (1.0, 1.0));
    model.drift = Box::new(|_, _, _, γ| γ[0] = 0.0);
    model.gaps = Box::new(|_, q, _, g| g[0] = q[0]);
    model.gap_rows = Box::new(|_, _, grad, rate| (grad[0], rate[0]) = (1.0, 0.0));
    let trajectory = run(&model, &State::new(0.0, [1.0], [-1.0]), &until(10.0));
    let End::ImpossibleImpact { t, error, .. } = trajectory.end else {
        panic!("{}", trajectory.end)
    };
    assert!((t - 1.0).abs() < 1e-15 && error == ImpactError::Dependent, "{t} {error}");
}

/// x = t − 1: the guard x² touches zero at t = 1; x² + 10⁻⁹ does not, x² − 10⁻⁹ has two roots.
#[test]
fn a_touch_is_unresolved_and_a_near_miss_is_nothing() {
    let graze = |offset: f64, direction| {
        let info = describe("Graze", &["x"], &[], &[], &[("mark", direction, false)]);
        let mut model = Model::new(info, &[1.0]);
        model.guards = Box::new(move |_, q, _, g| g[0] = q[0] * q[0] + offset);
        run(&model, &State::new(0.0, [-1.0], [1.0]), &until(6.0))
    };
    for direction in [Direction::Falling, Direction::Rising, Direction::Both] {
        let touch = graze(0.0, direction);
        let End::UnresolvedEvent { t, guard, value, rounding } = touch.end else {
            panic!("{}", touch.end)
        };
        assert!((t - 1.0).abs() < 1e-6 && guard == "mark", "{t}");
        assert!(value.abs() <= rounding && rounding < 1e-12, "{value:e} {rounding:e}");
        assert_eq!(touch.last().unwrap().t, t);

        let miss = graze(1e-9, direction);
        assert_eq!((miss.events.len(), miss.end), (0, End::ReachedTime { t: 6.0 }));
    }
    let dip = graze(-1e-9, Direction::Both);
    assert_eq!((dip.events.len(), dip.end), (2, End::ReachedTime { t: 6.0 }));
}

/// A contact that a particle comes near to, y = x² + ε, is no impact; one that it grazes, y = x²,
/// cannot be told.
#[test]
fn a_grazed_contact_is_unresolved() {
    let info = describe("Dome", &["x", "y"], &[], &["dome"], &[]);
    let pass = |height: f64| {
        let mut model = Model::new(info, &[1.0, 1.0]);
        model.gaps = Box::new(|_, q, _, g| g[0] = q[1] + q[0] * q[0] - 1.0);
        model.gap_rows = Box::new(|_, q, grad, rate| {
            grad.copy_from_slice(&[2.0 * q[0], 1.0]);
            rate[0] = 0.0;
        });
        run(&model, &State::new(0.0, [-0.7, 1.0 + height], [1.0, 0.0]), &until(2.0))
    };
    let miss = pass(1e-9);
    assert_eq!((miss.events.len(), &miss.end), (0, &End::ReachedTime { t: 2.0 }));
    let graze = pass(0.0);
    assert!(matches!(graze.end, End::UnresolvedEvent { .. }), "{}", graze.end);
    assert!((graze.end.t() - 0.7).abs() < 1e-7 && graze.events.is_empty(), "{}", graze.end);
    let hit = pass(-1e-9);
    assert!((hit.events[0].t - (0.7 - 1e-9_f64.sqrt())).abs() < 1e-10, "{}", hit.end);
}

/// Nothing will hit a particle that moves away: the run ends by its budget or where t overflows.
#[test]
fn an_impact_that_never_comes_ends_the_run_soon() {
    let info = describe("Orbit", &["x", "y"], &[], &["wall"], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.force = Box::new(|_, q, _, f| f.copy_from_slice(&[-q[0], -q[1]]));
    model.gaps = Box::new(|_, q, _, g| g[0] = 2.0 - q[0]);
    model.gap_rows = Box::new(|_, _, grad, rate| {
        grad.copy_from_slice(&[-1.0, 0.0]);
        rate[0] = 0.0;
    });
    let options = Options {
        until_impacts: Some(1),
        steps_max: 50_000,
        sampling: Sampling::Ends,
        ..Options::default()
    };
    let trajectory = run(&model, &State::new(0.0, [1.0, 0.0], [0.0, 1.0]), &options);
    assert!(matches!(trajectory.end, End::StepBudget { steps: 50_000, .. }), "{}", trajectory.end);
    let balanced = run(&model, &State::new(0.0, [0.0, 0.0], [0.0, 0.0]), &options);
    assert_eq!(balanced.end, End::AtRest { t: 0.0 });
    assert!(!balanced.end.is_complete());
}

/// A ball in a field that grows from t = 5 on, as 110 (t − 5)⁹, is not at rest before: it falls
/// by (t − 5)¹¹.
#[test]
fn what_time_will_move_is_not_at_rest() {
    let mut model = ball(Law::Elastic);
    model.force = Box::new(|t, _, _, f| f[0] = -110.0 * (t - 5.0).max(0.0).powi(9));
    let options = Options { until_impacts: Some(1), step_size_max: 0.1, ..Options::default() };
    let trajectory = run(&model, &State::new(0.0, [1.0], [0.0]), &options);
    assert!((trajectory.end.t() - 6.0).abs() < 1e-12, "{}", trajectory.end);
    assert!(matches!(trajectory.end, End::ReachedImpacts { .. }), "{}", trajectory.end);
}

/// x = sin t passes 0 downwards at π, 3π, …, its rate upwards at 3π/2, …
#[test]
fn declared_events_end_a_run() {
    let events = [("down", Direction::Falling, false), ("top", Direction::Falling, false)];
    let table: [(Option<usize>, usize, f64, &str); 4] = [
        (None, 3, 2.5, "reached 3 events at t = "),
        (Some(0), 2, 3.0, "reached 2 events of `down` at t = "),
        (Some(1), 1, 0.5, "reached 1 event of `top` at t = "),
        (Some(1), 2, 2.5, "reached 2 events of `top` at t = "),
    ];
    for (event, count, halves, said) in table {
        let info = describe("Spring", &["x"], &[], &[], &events);
        let mut model = Model::new(info, &[1.0]);
        model.force = Box::new(|_, q, _, f| f[0] = -q[0]);
        model.guards = Box::new(|_, q, v, g| g.copy_from_slice(&[q[0], v[0]]));
        let until_events = Some(EventCount { event, count });
        let options = Options { until_events, ..Options::default() };
        let trajectory = run(&model, &State::new(0.0, [0.0], [1.0]), &options);
        assert!(trajectory.end.is_complete() && trajectory.end.to_string().starts_with(said));
        let t = halves * std::f64::consts::PI;
        assert!((trajectory.end.t() - t).abs() < 1e-12, "{}", trajectory.end);
    }
}

/// Without a name, impacts count among the events.
#[test]
fn impacts_are_events() {
    let until_events = Some(EventCount { event: None, count: 3 });
    let options = Options { until_events, ..Options::default() };
    let trajectory = run(&ball(Law::Elastic), &State::new(0.0, [1.0], [0.0]), &options);
    assert!(matches!(trajectory.end, End::ReachedEvents { event: None, events: 3, .. }));
    assert_eq!(trajectory.stats.impacts, 3);
}

/// The last sample of an interval that divides the time is the end, once.
#[test]
fn samples_end_with_the_end_once() {
    let free = Model::new(describe("Free", &["x"], &[], &[], &[]), &[1.0]);
    for (interval, end, count) in
        [(0.1, 1.0, 11), (0.1, 0.3, 4), (1.0 / 3.0, 2.0, 7), (0.4, 1.0, 4)]
    {
        let options = Options { sampling: Sampling::Every(interval), ..until(end) };
        let trajectory = run(&free, &State::new(0.0, [0.0], [1.0]), &options);
        let times: Vec<f64> = trajectory.samples.iter().map(|sample| sample.t).collect();
        assert_eq!(times.len(), count, "{times:?}");
        assert_eq!(*times.last().unwrap(), end);
        for (i, t) in times[..count - 1].iter().enumerate() {
            assert!((t - i as f64 * interval).abs() < 1e-15, "{times:?}");
        }
    }
}

/// Nothing tells how long a run goes on that an impact is to end: what it keeps of a fixed interval is bounded.
#[test]
fn samples_of_a_run_without_a_time_of_its_end_are_bounded() {
    let options =
        Options { until_impacts: Some(1), sampling: Sampling::Every(1e-9), ..Options::default() };
    let start = State::new(0.0, [1.0], [0.0]);
    let found = run(&ball(Law::Elastic), &start, &options);
    assert!(matches!(found.end, End::SampleBudget { samples: 4_194_304, .. }), "{}", found.end);
    assert!(!found.end.is_complete() && found.end.t() < 0.01, "{}", found.end);
    let timed = Options { until_time: Some(1e-3), ..options };
    assert_eq!(run(&ball(Law::Elastic), &start, &timed).samples.len(), 1_000_001);
}

#[test]
fn starts_that_mean_nothing_are_refused() {
    let ball = ball(Law::Elastic);
    let start = State::new(0.0, [1.0], [0.0]);
    let check = |error: StartError, wanted: &str| {
        let message = error.to_string();
        assert!(message.contains(wanted), "{message}");
    };
    let short = refuse(&ball, &State::new(0.0, [], [0.0]), &[], &until(1.0));
    assert_eq!(short, StartError::Length { what: "coordinates", expected: 1, found: 0 });
    let inputs = refuse(&ball, &start, &[1.0], &until(1.0));
    assert_eq!(inputs, StartError::Length { what: "inputs", expected: 0, found: 1 });
    check(
        refuse(&ball, &State::new(0.0, [1.0], [f64::INFINITY]), &[], &until(1.0)),
        "velocity of y",
    );
    assert_eq!(refuse(&ball, &start, &[], &Options::default()), StartError::NoEnd);
    let law = Options { law: Some(Law::Restitution(1.5)), ..until(1.0) };
    let error = ImpactError::Restitution { e: 1.5, low: 0.0 };
    assert_eq!(refuse(&ball, &start, &[], &law), StartError::Law { contact: "floor", error });
    let law = Options { law: Some(Law::Restitution(f64::NAN)), ..until(1.0) };
    check(refuse(&ball, &start, &[], &law), "restitution NaN is not in [0, 1]");
    let interval = Options { sampling: Sampling::Every(0.0), ..until(1.0) };
    check(refuse(&ball, &start, &[], &interval), "sampling interval 0");
    let endless = Options { sampling: Sampling::Every(1e-300), ..until(1.0) };
    check(refuse(&ball, &start, &[], &endless), "sampling interval 1e-300 is less than");
    let never = "time of the end inf is not finite";
    check(refuse(&ball, &start, &[], &until(f64::INFINITY)), never);
    let never = "time of the end NaN is not a number";
    check(refuse(&ball, &start, &[], &until(f64::NAN)), never);
    let tolerance = AbsoluteTolerance::All(0.0);
    let tolerance = Options { absolute_tolerance: tolerance, ..until(1.0) };
    check(refuse(&ball, &start, &[], &tolerance), "absolute tolerance 0");
    let nothing = Model::new(describe("Nothing", &[], &[], &[], &[]), &[]);
    let empty = State::new(0.0, [], []);
    assert_eq!(refuse(&nothing, &empty, &[], &until(1.0)), StartError::NoCoordinates);
    let massless = Model::new(describe("Massless", &["x"], &[], &[], &[]), &[0.0]);
    check(refuse(&massless, &start, &[], &until(1.0)), "singular at x = 1: nothing has inertia");
    let mut state = start.clone();
    let unknown = solve_unknowns(&ball, &[Unknown::Velocity(3)], &mut state);
    assert_eq!(unknown, Err(StartError::NoSuchCoordinate { index: 3 }));
}

/// x² + y² = 1 has no point nearest to the origin: its gradient is zero there.
#[test]
fn a_start_that_cannot_be_projected_is_refused() {
    let mut pendulum = pendulum_in_the_plane();
    pendulum.holonomic = Box::new(|_, q, _, φ| φ[0] = q[0] * q[0] + q[1] * q[1] + 1.0);
    let project = Options { start: StartPolicy::Project, ..until(1.0) };
    let error = refuse(&pendulum, &State::new(0.0, [1.0, 0.5], [0.0, 0.0]), &[], &project);
    let StartError::NotProjected { residuals } = error else { panic!("{error}") };
    assert_eq!(residuals[0].name, "rod");
}

/// ẍ = u₁ + 2 u₂.
#[test]
fn inputs_are_constant_forces() {
    let named = |name| NameInfo { name, ascii: name, doc: "" };
    let described = describe("Cart", &["x"], &[], &[], &[]);
    let inputs = Box::leak(Box::new([named("u1"), named("u2")]));
    let info = Box::leak(Box::new(SystemInfo { inputs, ..*described }));
    let mut model = Model::new(info, &[1.0]);
    model.drive = Box::new(|u, f| f[0] += u[0] + 2.0 * u[1]);
    let start = State::new(0.0, [0.0], [0.0]);
    let trajectory =
        simulate(&model, &start, &[1.0, -2.0], &until(2.0), &mut |_| ControlFlow::Continue(()))
            .unwrap();
    let last = trajectory.last().unwrap();
    assert!((last.q[0] + 6.0).abs() < 1e-14 && (last.v[0] + 6.0).abs() < 1e-14, "{last:?}");
}

/// The Chaplygin sleigh, C ahead of its blade by a: with u along the blade, ω = θ̇ and
/// κ² = (I + m a²)/m, u̇ = a ω², κ² ω̇ = −a u ω. Then u² + κ² ω² = c² is invariant, and
/// u = c tanh τ, ω = c/(κ cosh τ), τ = a c (t − t₀)/κ².
#[test]
fn a_chaplygin_sleigh_follows_its_closed_form() {
    let (mass, inertia, a): (f64, f64, f64) = (2.0, 0.3, 0.4);
    let rows = [("blade", RowKind::Velocity)];
    let info = describe("Sleigh", &["x", "y", "θ"], &rows, &[], &[]);
    let mut model = Model::new(info, &[mass, mass, inertia]);
    model.rows = Box::new(move |_, q, row, b| {
        let (sin, cos) = q[2].sin_cos();
        row.copy_from_slice(&[-sin, cos, -a]);
        b[0] = 0.0;
    });
    model.drift = Box::new(|_, q, v, γ| {
        let (sin, cos) = q[2].sin_cos();
        γ[0] = v[2] * (cos * v[0] + sin * v[1]);
    });
    let κ = ((inertia + mass * a * a) / mass).sqrt();
    let (c, τ0) = (1.3_f64, -2.0_f64);
    let (u, ω) = (c * τ0.tanh(), c / (κ * τ0.cosh()));
    let trajectory = run(&model, &State::new(0.0, [0.0; 3], [u, a * ω, ω]), &until(5.0));
    assert!(trajectory.samples.len() > 10);
    for State { t, q, v } in &trajectory.samples {
        let (sin, cos) = q[2].sin_cos();
        let (u, ω) = (cos * v[0] + sin * v[1], v[2]);
        let τ = τ0 + a * c * t / (κ * κ);
        assert!((u * u + κ * κ * ω * ω - c * c).abs() < 1e-14, "t = {t}");
        assert!((u - c * τ.tanh()).abs() < 1e-13, "t = {t}: u = {u}");
        assert!((ω - c / (κ * τ.cosh())).abs() < 1e-13, "t = {t}: ω = {ω}");
    }
}

/// A bead on a straight wire that turns with Ω: r = r₀ cosh Ωt.
#[test]
fn a_bead_on_a_turning_wire_is_thrown_out() {
    let turn = 1.5_f64;
    let info = describe("Wire", &["x", "y"], &[("wire", RowKind::Holonomic)], &[], &[]);
    let mut model = Model::new(info, &[1.0, 1.0]);
    model.holonomic = Box::new(move |t, q, _, φ| {
        let (sin, cos) = (turn * t).sin_cos();
        φ[0] = q[1] * cos - q[0] * sin;
    });
    model.rows = Box::new(move |t, q, a, b| {
        let (sin, cos) = (turn * t).sin_cos();
        a.copy_from_slice(&[-sin, cos]);
        b[0] = -turn * (q[0] * cos + q[1] * sin);
    });
    model.drift = Box::new(move |t, q, v, γ| {
        let (sin, cos) = (turn * t).sin_cos();
        γ[0] = 2.0 * turn * (cos * v[0] + sin * v[1]) + turn * turn * (q[1] * cos - q[0] * sin);
    });
    let trajectory = run(&model, &State::new(0.0, [0.2, 0.0], [0.0, 0.2 * turn]), &until(3.0));
    for State { t, q, .. } in &trajectory.samples {
        let r = 0.2 * (turn * t).cosh();
        let (sin, cos) = (turn * t).sin_cos();
        let error = (q[0] - r * cos).abs().max((q[1] - r * sin).abs());
        assert!(error < 1e-13 * r, "t = {t}: {error:e}");
    }
}

/// The corner of a box: both walls at t = 1. Elastic turns the velocity round, plastic stops it.
#[test]
fn a_corner_is_two_impacts_in_the_order_of_declaration() {
    let info = describe("Corner", &["x", "y"], &[], &["left", "floor"], &[]);
    let corner = |law| {
        let mut model = Model::new(info, &[1.0, 3.0]);
        model.gaps = Box::new(|_, q, _, g| g.copy_from_slice(q));
        model.gap_rows = Box::new(|_, _, grad, rate| {
            grad.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
            rate.fill(0.0);
        });
        model.law = law;
        run(&model, &State::new(0.0, [1.0, 2.0], [-1.0, -2.0]), &until(3.0))
    };
    let elastic = corner(Law::Elastic);
    assert_eq!(elastic.impacts().map(|(contact, _)| contact).collect::<Vec<_>>(), [0, 1]);
    assert!(elastic.events.iter().all(|event| (event.t - 1.0).abs() < 1e-15));
    let last = elastic.last().unwrap();
    assert_eq!((last.v[0], last.v[1]), (1.0, 2.0));
    assert!((last.q[0] - 2.0).abs() < 1e-14 && (last.q[1] - 4.0).abs() < 1e-14, "{last:?}");
    assert_eq!(elastic, corner(Law::Elastic), "the same on every run");

    let plastic = corner(Law::Plastic);
    assert_eq!(plastic.events.last().unwrap().v_plus(), [0.0, 0.0]);
    assert_eq!(plastic.end, End::ReachedTime { t: 3.0 }, "no force: it stays there");
}

/// A ball, y above a floor, that gives what falls, and nothing of what else its tables name.
#[derive(Debug)]
struct Silent {
    info: SystemInfo,
    /// The contact that bears the friction.
    bearer: Option<usize>,
}

const ONE: &[NameInfo] = &[NameInfo::new("y")];

const PLANE: &[NameInfo] = &[NameInfo::new("y"), NameInfo::new("x")];

const FLOOR: ContactInfo = ContactInfo::new("floor", "plastic");

const FRICTION: FrictionInfo = FrictionInfo {
    name: "rub",
    components: 1,
    kind: FrictionKind::Dissipation,
    weighted: false,
    bears: false,
    varies: false,
};

fn one<T>(entry: T) -> &'static [T] {
    Box::leak(Box::new([entry]))
}

impl Silent {
    #[expect(clippy::large_types_passed_by_value, reason = "tables read best where they are made")]
    fn new(info: SystemInfo) -> Self {
        let coordinates = if info.coordinates.is_empty() { ONE } else { info.coordinates };
        Self { info: SystemInfo { name: "Silent", coordinates, ..info }, bearer: None }
    }

    /// The message of the start, or of the end of a second.
    fn told(self) -> String {
        let system: &'static Self = Box::leak(Box::new(self));
        let info = &system.info;
        let start = State::new(0.0, vec![1.0; info.positions()], vec![0.0; info.speeds()]);
        let options = until(1.0);
        let run = simulate(system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        run.map_or_else(|error| error.to_string(), |run| run.end.to_string())
    }
}

impl System for Silent {
    fn info(&self) -> &'static SystemInfo {
        Box::leak(Box::new(self.info))
    }

    fn accelerations(&self, _: f64, _: &[f64], _: &[f64], _: &[f64], a: &mut [f64], _: &mut [f64]) {
        a.fill(-10.0);
    }

    fn mass_matrix(&self, _: f64, _: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        m.iter_mut().step_by(self.info.speeds() + 1).for_each(|m| *m = 1.0);
    }

    fn energy(&self, _: f64, q: &[f64], v: &[f64]) -> Energy {
        let (kinetic, potential) = (v[0] * v[0] / 2.0, 10.0 * q[0]);
        Energy { kinetic, potential, jacobi: kinetic + potential }
    }
}

impl Contacts for Silent {
    fn gaps(&self, _: f64, q: &[f64], g: &mut [f64]) {
        g.fill(q[0]);
    }

    fn gap_rows(&self, _: f64, _: &[f64], grad: &mut [f64], rate: &mut [f64]) {
        grad.fill(0.0);
        grad.iter_mut().step_by(self.info.speeds()).for_each(|by| *by = 1.0);
        rate.fill(0.0);
    }

    fn gap_drift(&self, _: f64, _: &[f64], _: &[f64], γ: &mut [f64]) {
        γ.fill(0.0);
    }

    fn law(&self, _: usize) -> Law {
        Law::Plastic
    }
}

impl Events for Silent {}

impl Friction for Silent {
    fn contact_of_friction(&self, _: usize) -> Option<usize> {
        self.bearer
    }
}

impl Specialised for Silent {}

/// 1 − 5 t² is zero at t = 0.447….
#[test]
fn what_is_named_and_not_given_is_no_number() {
    let check = |info: SystemInfo, wanted: &str| {
        let told = Silent::new(info).told();
        assert!(told.contains(wanted), "{told}, wanted {wanted}");
    };
    let empty = SystemInfo::EMPTY;
    check(empty, "reached t = 1");
    check(SystemInfo { contacts: one(FLOOR), ..empty }, "reached t = 1");
    let rows = one(ContactInfo { rows: ONE, ..FLOOR });
    check(SystemInfo { coordinates: PLANE, contacts: rows, ..empty }, "stopped at t = 0.447");
    check(SystemInfo { frictions: one(FRICTION), ..empty }, "stopped at t = 0");
    let bears = one(ContactInfo { bears: true, ..FLOOR });
    check(SystemInfo { contacts: bears, ..empty }, "stopped at t = 0.447");
    check(
        SystemInfo { coordinates: PLANE, velocities: ONE, ..empty },
        "velocity of y is not finite",
    );

    let powers = one(PowerInfo { name: "pull", kind: PowerKind::Force });
    let system = Silent::new(SystemInfo { powers, ..empty });
    let system: &'static Silent = Box::leak(Box::new(system));
    let options = Options { ledger: true, ..until(1.0) };
    let ledger = run(system, &State::new(0.0, [1.0], [0.0]), &options).ledger;
    assert!(ledger.is_some_and(|ledger| ledger.works[0].work.is_nan()));
}

#[test]
fn what_a_system_has_not_is_refused() {
    let check = |system: Silent, wanted: &str| assert_eq!(system.told(), wanted);
    let (of, empty) = (Silent::new, SystemInfo::EMPTY);
    let angles = SystemInfo { angles: &[1], ..empty };
    check(of(angles), "the system names coordinate 1 and has 1 of them");
    let contacts = one(ContactInfo { releases: &[0], ..FLOOR });
    check(of(SystemInfo { contacts, ..empty }), "the system names row 0 and has 0 of them");
    let contacts = one(ContactInfo { relabels: &[(0, 3)], ..FLOOR });
    let relabels = SystemInfo { contacts, ..empty };
    check(of(relabels), "the system names coordinate 3 and has 1 of them");
    let event = EventInfo {
        name: "hit",
        ascii: "hit",
        doc: "",
        direction: Direction::Falling,
        resets: false,
        gap: Some(GapGuard { contact: 0, rises: false }),
    };
    check(
        of(SystemInfo { events: one(event), ..empty }),
        "the system names contact 0 and has 0 of them",
    );
    let borne = of(SystemInfo { frictions: one(FRICTION), ..empty });
    let borne = Silent { bearer: Some(7), ..borne };
    check(borne, "the system names contact 7 and has 0 of them");
    let rotation = RotationInfo { name: "R", ascii: "R", doc: "", frame: Frame::Body };
    let plain = of(SystemInfo { rotations: one(rotation), ..empty });
    check(plain, "velocities of the tables: expected 5 numbers, found 1");

    let scenarios = one(ScenarioInfo { name: "fall", doc: "", solve: &[] });
    let system: &'static Silent = Box::leak(Box::new(of(SystemInfo { scenarios, ..empty })));
    let missing = StartError::NoSuch { what: "scenario", index: 0, count: 0 };
    let found = run_scenario(system, "fall", &until(1.0));
    assert_eq!(found, Err(ScenarioError::Start(missing)));
}
