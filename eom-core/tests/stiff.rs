//! Stiff systems by the implicit method: Van der Pol's relaxation oscillator, penalty contacts, stiff
//! springs and dampers, against closed forms, published digits and an asymptotic period.

mod common;

use common::{Model, ball, describe, pendulum_in_the_plane, run};
use eom_core::info::Direction;
use eom_core::{
    AbsoluteTolerance, End, EventKind, Law, Method, Options, Run, Sampling, State, Trajectory,
};

const G: f64 = 9.81;

fn options(tolerance: f64, until: f64) -> Options {
    Options {
        method: Method::Radau,
        relative_tolerance: tolerance,
        absolute_tolerance: AbsoluteTolerance::All(tolerance / 100.0),
        until_time: Some(until),
        ..Options::default()
    }
}

/// The run reaches its end in fewer than so many steps; returns its last q and v.
fn reached(run: &Trajectory, steps: u64) -> [f64; 2] {
    assert!(matches!(run.end, End::ReachedTime { .. }), "{}", run.end);
    assert!(run.stats.steps < steps, "{:?}", run.stats);
    let last = run.last().expect("there are samples");
    [last.q[0], last.v[0]]
}

/// One coordinate of mass 1 with this acceleration, and an event where x falls through zero.
fn particle(acceleration: impl Fn(f64, f64, f64) -> f64 + Send + Sync + 'static) -> Model {
    let events = [("zero", Direction::Falling, false)];
    let mut model = Model::new(describe("Particle", &["x"], &[], &[], &events), &[1.0]);
    model.force = Box::new(move |t, q, v, force| force[0] = acceleration(t, q[0], v[0]));
    model.guards = Box::new(|_, q, _, guards| guards[0] = q[0]);
    model
}

/// ε ẍ = (1 − x²) ẋ − x from (2, 0), ε = 10⁻⁶; x and ẋ at t = 2 from the Test Set for IVP Solvers
/// (Mazzia, Magherini, release 2.4, problem VDPOL).
#[test]
fn the_test_set_of_van_der_pol() {
    let model = particle(|_, x, v| ((1.0 - x * x) * v - x) / 1e-6);
    let start = State::new(0.0, [2.0], [0.0]);
    for (tolerance, steps, error) in [(1e-14, 1000, 1e-11), (1e-10, 500, 3e-9), (1e-6, 250, 3e-6)] {
        let [x, v] = reached(&run(&model, &start, &options(tolerance, 2.0)), steps);
        assert!((x - 1.706_167_732_170_483).abs() < error, "{tolerance:e}: {x}");
        assert!((v + 0.892_809_701_024_797_5).abs() < error, "{tolerance:e}: {v}");
    }
}

/// ẍ = μ (1 − x²) ẋ − x with μ = 10⁶. Its period is
///
/// ```text
/// T = (3 − 2 ln 2) μ + 7.01432 μ^(−1/3) − (2/3) ln μ/μ + O(1/μ)
/// ```
///
/// (Dorodnicyn 1947; the constant is 3 α with α = 2.33811 the zero of Airy's function).
#[test]
fn the_period_of_the_relaxation_oscillator() {
    let μ = 1e6;
    let model = particle(move |_, x, v| μ * (1.0 - x * x) * v - x);
    let period = (3.0 - 2.0 * 2.0_f64.ln()) * μ + 7.014_32 * μ.powf(-1.0 / 3.0);
    for (tolerance, error) in [(1e-14, 1e-4), (1e-10, 1e-2), (1e-7, 10.0)] {
        let start = State::new(0.0, [2.0], [0.0]);
        // A little after its return, where it moves slowly.
        let one = run(&model, &start, &options(tolerance, 1.0001 * period));
        let [x, v] = reached(&one, 2000);
        assert!((x - 2.0).abs() < 3e-4 && (v + 6.67e-7).abs() < 1e-9, "{tolerance:e}: {x} {v}");
        let two = run(&model, &start, &options(tolerance, 2.0 * period));
        let times: Vec<f64> = two.events.iter().map(|event| event.t).collect();
        assert!(times.len() == 2 && (times[1] - times[0] - period).abs() < error, "{times:?}");
    }
}

/// Where the method is open, steps are explicit until the motion shows that it is stiff, and again where it is not.
#[test]
fn an_open_method_is_implicit_where_the_motion_is_stiff() {
    let open = |tolerance, until| Options {
        method: Method::Automatic,
        sampling: Sampling::Ends,
        ..options(tolerance, until)
    };
    let relaxation = particle(|_, x, v| ((1.0 - x * x) * v - x) / 1e-6);
    let start = State::new(0.0, [2.0], [0.0]);
    for (tolerance, steps, error) in [(1e-14, 2000, 1e-11), (1e-10, 1000, 3e-9), (1e-6, 800, 3e-6)]
    {
        let [x, v] = reached(&run(&relaxation, &start, &open(tolerance, 2.0)), steps);
        assert!((x - 1.706_167_732_170_483).abs() < error, "{tolerance:e}: {x}");
        assert!((v + 0.892_809_701_024_797_5).abs() < error, "{tolerance:e}: {v}");
    }
    let imposed = particle(|t, x, v| -t.cos() - 1e8 * (v + t.sin()) - 1e10 * (x - t.cos()));
    let on_it = run(&imposed, &State::new(0.0, [1.0], [0.0]), &open(1e-12, 10.0));
    let [x, v] = reached(&on_it, 2000);
    assert!((x - 10.0_f64.cos()).abs() < 1e-8 && (v + 10.0_f64.sin()).abs() < 1e-8, "{x} {v}");
    // Stiff until t = 1, and then an oscillator.
    let freed = particle(|t, x, v| if t < 1.0 { -1e6 * v - x } else { -x });
    let explicit = run(&freed, &State::new(0.0, [1.0], [0.0]), &open(1e-10, 100.0)).stats;
    assert!(explicit.newton_iterations > 0 && explicit.steps < 3000, "{explicit:?}");
    // What is not stiff: a fast swing without damping, a slow one, a rest, a coordinate that is far off.
    let swing = |k: f64, c: f64, x0: f64| particle(move |_, x, v| -k * (x - x0) - c * v);
    for (k, c, x0, x) in [(1e8, 0.0, 0.0, 1e-12), (1.0, 0.1, 0.0, 1.0), (1.0, 0.0, 1e6, 1e6 + 1.0)]
    {
        let stats = run(&swing(k, c, x0), &State::new(0.0, [x], [0.0]), &open(1e-12, 1.0)).stats;
        assert_eq!(stats.newton_iterations, 0, "k = {k:e}, c = {c}: {stats:?}");
    }
}

/// A run that has changed its method goes on from a copy of itself, bit for bit.
#[test]
fn a_stiff_run_is_restored() {
    let model = particle(|_, x, v| 1e4 * (1.0 - x * x) * v - x);
    let start = State::new(0.0, [2.0], [0.0]);
    let options = Options { method: Method::Automatic, ..options(1e-10, 3000.0) };
    let mut run = Run::new(&model, &start, &options).expect("it starts");
    assert!(run.advance_to(1000.0).is_continue());
    assert!(run.stats().newton_iterations > 0, "{:?}", run.stats());
    let saved = run.save();
    let mut other = Run::restore(&model, &saved).expect("it is the same system");
    for run in [&mut run, &mut other] {
        assert!(run.advance_to(2000.0).is_continue());
    }
    assert_eq!(run.state(), other.state());
}

/// A body that falls on a spring k = 10¹⁰ which only pushes, k (|x| − x)/2. It touches for
/// (2π − 2 arctan(v₁ω/g))/ω and leaves with the velocity with which it came.
#[test]
fn a_bounce_on_a_penalty_contact() {
    let k: f64 = 1e10;
    let model = particle(move |_, x, _| k * (x.abs() - x) / 2.0 - G);
    let (fall, v1, ω) = ((2.0 / G).sqrt(), (2.0 * G).sqrt(), k.sqrt());
    let contact = (std::f64::consts::TAU - 2.0 * (v1 * ω / G).atan()) / ω;
    let s = 1.0 - fall - contact;
    let exact = [v1 * s - G * s * s / 2.0, v1 - G * s];
    for (tolerance, error) in [(1e-14, 1e-8), (1e-10, 1e-6)] {
        let bounce = run(&model, &State::new(0.0, [1.0], [0.0]), &options(tolerance, 1.0));
        let found = reached(&bounce, 2000);
        for (found, exact) in found.iter().zip(exact) {
            assert!((found - exact).abs() < error, "{tolerance:e}: {found} for {exact}");
        }
    }
}

/// Prothero and Robinson: ẍ = φ̈ − c (ẋ − φ̇) − k (x − φ) with φ = cos t has the solution φ. The error of
/// a start beside it dies out.
#[test]
fn a_motion_that_a_stiff_spring_and_damper_impose() {
    for (k, c) in [(1e10, 1e5), (1e10, 0.2), (1e12, 1e7), (1.0, 1e8)] {
        let model = particle(move |t, x, v| -t.cos() - c * (v + t.sin()) - k * (x - t.cos()));
        let on_it = run(&model, &State::new(0.0, [1.0], [0.0]), &options(1e-12, 10.0));
        let [x, v] = reached(&on_it, 2000);
        let error = (x - 10.0_f64.cos()).abs().max((v + 10.0_f64.sin()).abs());
        assert!(error < 1e-8, "k = {k:e}, c = {c:e}: {error:e} {:?}", on_it.stats);
    }
    let model = particle(move |t, x, v| -t.cos() - 1e5 * (v + t.sin()) - 1e10 * (x - t.cos()));
    let beside = run(&model, &State::new(0.0, [2.0], [0.0]), &options(1e-10, 10.0));
    let [x, v] = reached(&beside, 2000);
    assert!((x - 10.0_f64.cos()).abs() < 1e-8 && (v + 10.0_f64.sin()).abs() < 1e-8, "{x} {v}");
}

/// ẍ = k (cos t − x) − c ẋ follows P cos t + Q sin t with
///
/// ```text
/// P = k (k − 1)/((k − 1)² + c²)        Q = k c/((k − 1)² + c²)
/// ```
///
/// Rounding of x makes forces of k ε, which tolerances as tight as these do not hold: steps do not grow shorter for that.
#[test]
fn rounding_of_a_stiff_force_does_not_hold_up() {
    for (k, c) in [(1e10, 1e4), (1e12, 1e6), (1e14, 1e6), (1e14, 1e8), (2e15, 1e8)] {
        let model = particle(move |t, x, v| k * (t.cos() - x) - c * v);
        let all = (k - 1.0) * (k - 1.0) + c * c;
        let (p, q) = (k * (k - 1.0) / all, k * c / all);
        let on_it = run(&model, &State::new(0.0, [p], [q]), &options(1e-14, 3.0));
        let [x, v] = reached(&on_it, 500);
        let (sin, cos) = 3_f64.sin_cos();
        let error = (x - (p * cos + q * sin)).abs().max((v - (q * cos - p * sin)).abs());
        assert!(error < 1e-10, "k = {k:e}, c = {c:e}: {error:e} {:?}", on_it.stats);
    }
}

/// Impacts, a closed contact and rest, on steps of this method: the ball of restitution e comes to rest at
/// √(2/g) (1 + e)/(1 − e).
#[test]
fn a_bouncing_ball_comes_to_rest() {
    let e = 0.5;
    let ball = ball(Law::Restitution(e));
    let bounces = run(&ball, &State::new(0.0, [1.0], [0.0]), &options(1e-14, 10.0));
    let exact = (2.0 / G).sqrt() * (1.0 + e) / (1.0 - e);
    let last = bounces.events.last().expect("it lands");
    assert!(matches!(last.kind, EventKind::Accumulation { .. }), "{last:?}");
    assert!((last.t - exact).abs() < 1e-12, "{}", last.t);
    assert_eq!(reached(&bounces, 2000), [0.0, 0.0]);
}

/// A pendulum in Cartesian coordinates keeps its rod and its energy, and is where the explicit method has it.
#[test]
fn a_constraint_is_kept() {
    let model = pendulum_in_the_plane();
    let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let [stiff, other] = [Method::Radau, Method::RungeKutta].map(|method| {
        let run = run(&model, &start, &Options { method, ..options(1e-13, 5.0) });
        assert!(matches!(run.end, End::ReachedTime { .. }), "{}", run.end);
        run.last().expect("samples").clone()
    });
    assert!((stiff.q[0].hypot(stiff.q[1]) - 1.0).abs() < 1e-14);
    for (a, b) in stiff.q.iter().chain(&stiff.v).zip(other.q.iter().chain(&other.v)) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

/// The work of a run is counted, and is the same every time.
#[test]
fn the_work_is_counted() {
    let model = particle(|_, x, v| 1e3 * (1.0 - x * x) * v - x);
    let count = || run(&model, &State::new(0.0, [2.0], [0.0]), &options(1e-9, 2000.0)).stats;
    let stats = count();
    assert_eq!(stats, count());
    assert!(stats.newton_iterations > stats.steps && stats.jacobians > 0, "{stats:?}");
    assert!(stats.jacobians <= stats.factorizations, "{stats:?}");
    assert!(stats.factorizations < 2 * (stats.steps + stats.rejected), "{stats:?}");
    let explicit = Options { method: Method::RungeKutta, ..options(1e-9, 1.0) };
    let none = run(&model, &State::new(0.0, [2.0], [0.0]), &explicit).stats;
    assert_eq!((none.newton_iterations, none.jacobians, none.factorizations), (0, 0, 0));
}
