//! Power series of motions: they satisfy the equations of motion, their guards are the guards, the
//! interpreter has the same bits, and runs by series are those by Runge–Kutta.

use eom_core::info::SystemInfo;
use eom_core::series::Series;
use eom_core::{
    AbsoluteTolerance, EventKind, Method, Mode, Options, Sampling, State, System, Trajectory,
    run_scenario, simulate,
};
use eom_interpreter::Interpreted;
use eom_tests::systems::{Fixture, every_system};
use eom_tests::{random, run, until};
use fastrand::Rng;
use std::ops::ControlFlow;

eom_core::lagrangian! {
    /// Every function that has a series, of arguments that move.
    system Everything {
        coordinates { x, y }
        parameters { a = 0.7 }
        force x = sin(x)*tan(y/2) + exp(-x^2)*atan(y) + ln(2 + x*y/5)*sqrt(3 + x) + cosh(x/2)/(2 + sinh(y/3)^2);
        force y = asin(x/4)*acos(y/5) + tanh(x + y) + (3 + x)^a + (3 + y)^(x/3) + atan((2 + x/3)*y) + cos(t*x) + y/(4 + x)^70*1e40 + erf(x*y);
        kinetic = (2 + cos(x - y)/2)*ẋ^2/2 + ẏ^2/2 + sin(x)*ẋ*ẏ/3;
        potential = 0;
        event up { guard = x*y - 1/2; }
    }
}

eom_core::lagrangian! {
    /// Sines and cosines of sums and differences either way, and quotients with one divisor.
    system Shortcuts {
        coordinates { x, y }
        parameters { a = 0.7 }
        kinetic = ẋ^2/2 + ẏ^2/2;
        potential = cos(x)*sin(y);
        force x = sin(x - y)*(1 + cos(y - x)) + cos(x)/(2 + cos(x + y)) + sin(a)*cos(x);
        force y = sin(y - x) + sin(x + y)/(2 + cos(x + y)) + sin(y)*cos(a) + x/(3 + y) + y/(3 + y)^2;
        event up { guard = x*y - 1/2; }
    }
}

const ORDER: usize = 14;

/// The series at a state, and a part of its radius of convergence at which what is left out is rounding.
fn expanded(system: &dyn System, state: &State, inputs: &[f64]) -> (Series, f64) {
    let mut series = Series::new(ORDER);
    system.series(state.t, &state.q, &state.v, inputs, &mut series);
    let radius = (1..=ORDER).map(|k| {
        let largest = series.coefficients(k).iter().fold(1e-3, |l: f64, c| l.max(c.abs()));
        largest.powf(-1.0 / k as f64)
    });
    let radius = radius.fold(1.0, f64::min);
    (series, radius / 16.0)
}

/// Σ cₖ τᵏ and its derivative.
fn along(coefficients: &[f64], τ: f64) -> (f64, f64) {
    coefficients
        .iter()
        .rev()
        .fold((0.0, 0.0), |(value, slope), c| (value * τ + c, slope * τ + value))
}

/// The coefficients of each number of y, then of what is observed.
fn columns(series: &Series, info: &SystemInfo) -> Vec<Vec<f64>> {
    let of_y = |i| (0..=ORDER).map(|k| series.coefficients(k)[i]).collect();
    let of_observed = |i| series.observed(i).to_vec();
    let observed = info.contacts.len() + info.events.len();
    (0..info.positions() + info.speeds()).map(of_y).chain((0..observed).map(of_observed)).collect()
}

/// ẏ = f(y) along the series, and gaps and guards there.
fn check_motion(name: &str, system: &dyn System, state: &State, inputs: &[f64]) {
    let info = system.info();
    let (n, m) = (info.positions(), info.speeds());
    let (series, τ) = expanded(system, state, inputs);
    for part in [1.0, -0.5] {
        let τ = part * τ;
        let (values, slopes): (Vec<f64>, Vec<f64>) =
            columns(&series, info).iter().map(|column| along(column, τ)).unzip();
        let (q, rest) = values.split_at(n);
        let (v, observed) = rest.split_at(m);
        let (mut rates, mut a, mut λ) = (vec![0.0; n], vec![0.0; m], vec![0.0; info.rows.len()]);
        system.rates(state.t + τ, q, v, &mut rates);
        system.accelerations(state.t + τ, q, v, inputs, &mut a, &mut λ);
        let (mut gaps, mut guards) = (vec![0.0; info.contacts.len()], vec![0.0; info.events.len()]);
        system.gaps(state.t + τ, q, &mut gaps);
        system.guards(state.t + τ, q, v, inputs, &mut guards);
        let wanted = rates.iter().chain(&a).chain(&gaps).chain(&guards);
        let found = slopes[..n + m].iter().chain(observed);
        let size = wanted.clone().fold(1.0, |l: f64, x| l.max(x.abs()));
        for (i, (wanted, found)) in wanted.zip(found).enumerate() {
            let error = (wanted - found).abs() / size;
            assert!(error < 1e-10, "{name}: entry {i} is {found}, not {wanted} ({error:.1e})");
        }
    }
}

/// Systems that have a series, by name.
fn with_series() -> Vec<Fixture> {
    let has = |fixture: &Fixture| {
        (fixture.build)(&vec![Some(1.0); fixture.info.parameters.len()])
            .is_ok_and(|system| system.has_series())
    };
    every_system().into_iter().filter(has).collect()
}

#[test]
fn series_satisfy_the_equations_of_motion() {
    let mut rng = Rng::with_seed(0x5E1E5);
    let mut checked = 0;
    for fixture in with_series() {
        for _ in 0..10 {
            let system = random::system(&mut rng, &fixture);
            let state = random::state(&mut rng, fixture.info);
            let inputs: Vec<f64> =
                fixture.info.inputs.iter().map(|_| random::between(&mut rng, -2.0, 2.0)).collect();
            let mut a = vec![0.0; fixture.info.speeds()];
            let mut λ = vec![0.0; fixture.info.rows.len()];
            system.accelerations(state.t, &state.q, &state.v, &inputs, &mut a, &mut λ);
            if a.iter().all(|a| a.abs() < 1e6) {
                check_motion(fixture.name, &*system, &state, &inputs);
                checked += 1;
            }
        }
    }
    assert!(checked > 250, "{checked} states");
}

#[test]
fn every_function_has_its_series() {
    let mut rng = Rng::with_seed(7);
    let systems: [(&str, Box<dyn System>); 2] =
        [("everything", Box::<Everything>::default()), ("shortcuts", Box::<Shortcuts>::default())];
    for _ in 0..100 {
        let mut draw = || random::between(&mut rng, -1.2, 1.2);
        let state = State::new(draw(), [draw(), draw()], [draw(), draw()]);
        for (name, system) in &systems {
            assert!(system.has_series(), "{name}");
            check_motion(name, &**system, &state, &[]);
        }
    }
}

/// The sums of a series, and what is handed on: what does not move has none, what is linear in t has
/// only the last.
#[test]
fn what_is_still_or_linear_has_no_sums() {
    let check = |source: &str, sums: usize, handed: usize| {
        let derivation = eom_codegen::derive_source(source).expect("it is a system");
        let series = derivation.programs.series.expect("it has a series");
        assert_eq!((series.sums, series.handed), (sums, handed), "{source}");
    };
    // q̈ = 0: nothing is left.
    check("system Free { coordinates { x } kinetic = ẋ^2/2; potential = 0; }", 0, 0);
    // θ̈ = 0 and ẍ = cos θ: sin and cos of what is linear.
    let turning = "kinetic = (θ̇^2 + ẋ^2)/2; potential = 0; force x = cos(θ);";
    check(&format!("system Turning {{ coordinates {{ θ, x }} {turning} }}"), 0, 2);
    // sin(2 t) and t x: time is linear.
    let driven = "kinetic = ẋ^2/2; potential = 0; force x = sin(2*t) + t*x;";
    check(&format!("system Driven {{ coordinates {{ x }} {driven} }}"), 0, 3);
    // A pendulum: both of sin and cos times θ̇.
    let pendulum = "kinetic = θ̇^2/2; potential = -cos(θ);";
    check(&format!("system Pendulum {{ coordinates {{ θ }} {pendulum} }}"), 2, 0);
    // Of the penny's 11 sums the squares of both points of its rim are left.
    check(models::Penny::INFO.source, 4, 2);
}

/// Another order makes other steps of the same motion.
#[test]
fn any_order_follows_the_motion() {
    use eom_tests::systems::Ball;
    let ball = Ball::default();
    let start = State::new(0.0, [0.0, 1.0], [1.0, 0.0]);
    let times = |series_order: Option<usize>| -> Vec<f64> {
        let options = Options { method: Method::Taylor, series_order, ..until(3.0) };
        run(&ball, &start, &options).events.iter().map(|event| event.t).collect()
    };
    let usual = times(None);
    for order in [4, 12, 32] {
        let other = times(Some(order));
        assert_eq!(usual.len(), other.len());
        assert!(usual.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12), "order {order}");
    }
    let beyond = Options { method: Method::Taylor, series_order: Some(33), ..until(3.0) };
    let refused =
        simulate(&ball, &start, &[], &beyond, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(refused.to_string().contains("order of the series"), "{refused}");
}

/// Friction of Coulomb, functions known at run time, integrals and |x| have none.
#[test]
fn systems_without_a_series_say_so() {
    let without: Vec<&str> = every_system()
        .into_iter()
        .filter(|fixture| !with_series().iter().any(|other| other.name == fixture.name))
        .map(|fixture| fixture.name)
        .collect();
    for name in ["thin-rod", "rough-particle", "lattice", "puck"] {
        assert!(without.contains(&name), "{name} is not among {without:?}");
    }
}

#[test]
fn the_interpreter_has_the_same_bits() {
    let mut rng = Rng::with_seed(0xB175);
    for fixture in with_series() {
        let read = Interpreted::new(fixture.info.source).expect("it was compiled");
        let system = random::system(&mut rng, &fixture);
        let mut parameters = vec![0.0; fixture.info.parameters.len()];
        system.parameters(&mut parameters);
        let overrides: Vec<Option<f64>> = parameters.into_iter().map(Some).collect();
        let read = read.with_parameters(&overrides).expect("they are within their bounds");
        let state = random::state(&mut rng, fixture.info);
        let inputs = vec![0.3; fixture.info.inputs.len()];
        let [(compiled, _), (read, _)] =
            [&*system, &read].map(|system| expanded(system, &state, &inputs));
        let bits = |series: &Series| -> Vec<u64> {
            columns(series, fixture.info).into_iter().flatten().map(f64::to_bits).collect()
        };
        assert_eq!(bits(&compiled), bits(&read), "{}", fixture.name);
    }
}

fn with(method: Method, tolerance: f64) -> Options {
    Options {
        method,
        relative_tolerance: tolerance,
        absolute_tolerance: AbsoluteTolerance::All(tolerance / 100.0),
        sampling: Sampling::Ends,
        ..Options::default()
    }
}

/// The same events in the same order, and the same last state, to the tolerance.
fn check_same(name: &str, series: &Trajectory, steps: &Trajectory, tolerance: f64) {
    assert!(series.stats.expansions > 0, "{name}");
    let ends = [&series.end, &steps.end].map(std::mem::discriminant);
    assert_eq!(ends[0], ends[1], "{name}: {} and {}", series.end, steps.end);
    let kinds = |run: &Trajectory| -> Vec<_> {
        run.events.iter().map(|event| std::mem::discriminant(&event.kind)).collect()
    };
    assert_eq!(kinds(series), kinds(steps), "{name}: {:?}, {:?}", series.events, steps.events);
    for (a, b) in series.events.iter().zip(&steps.events) {
        assert!((a.t - b.t).abs() <= tolerance * (1.0 + b.t.abs()), "{name}: {} and {}", a.t, b.t);
    }
    let (Some(a), Some(b)) = (series.last(), steps.last()) else { panic!("{name} has samples") };
    for (a, b) in a.q.iter().chain(&a.v).zip(b.q.iter().chain(&b.v)) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{name}: {a} and {b}");
    }
}

#[test]
fn scenarios_by_series_are_those_by_steps() {
    for model in models::catalogue() {
        let system = (model.build)(&vec![None; model.info.parameters.len()]).expect("defaults");
        let Some(scenario) = model.info.scenarios.first().filter(|_| system.has_series()) else {
            continue;
        };
        let [series, steps] = [Method::Taylor, Method::RungeKutta].map(|method| {
            let options = Options { events_max: 4, ..with(method, 1e-13) };
            run_scenario(&*system, scenario.name, &options)
                .unwrap_or_else(|error| panic!("{}: {error}", model.name))
        });
        check_same(model.name, &series, &steps, 1e-6);
    }
}

/// A ball that bounces: times in closed form, to the accumulation of its impacts.
#[test]
fn a_free_fall_is_exact() {
    use eom_tests::systems::Ball;
    let ball = Ball::default();
    let start = State::new(0.0, [0.0, 1.0], [1.0, 0.0]);
    let [series, steps] = [Method::Taylor, Method::RungeKutta]
        .map(|method| run(&ball, &start, &Options { method, ..until(10.0) }));
    let accumulation = |run: &Trajectory| {
        let events = run.events.iter();
        events.filter(|e| matches!(e.kind, EventKind::Accumulation { .. })).map(|e| e.t).next()
    };
    let [Some(a), Some(b)] = [&series, &steps].map(accumulation) else { panic!("no accumulation") };
    assert!((a - b).abs() < 1e-8, "{a} and {b}");
    assert_eq!(series.mode_of_sample(series.samples.len() - 1).map(Mode::closed), Some(&[0][..]));
    for (a, b) in series.events.iter().zip(&steps.events) {
        assert!((a.t - b.t).abs() < 1e-12, "{} and {}", a.t, b.t);
    }
}
