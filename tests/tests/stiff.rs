//! The implicit method, and the one that a run chooses along the way, on every model of the catalogue: constraints,
//! contacts, dry friction, rotations and angles are the same by them as by the explicit one.

use eom_core::system::Specialised as _;
use eom_core::{
    AbsoluteTolerance, End, Method, Options, Progress, Sampling, State, Stats, System,
    run_scenario, simulate,
};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

fn with(method: Method) -> Options {
    Options {
        method,
        relative_tolerance: 1e-12,
        absolute_tolerance: AbsoluteTolerance::All(1e-14),
        sampling: Sampling::Ends,
        ledger: true,
        events_max: 3,
        ..Options::default()
    }
}

/// Scenarios by a method are those by Runge–Kutta; `check` looks at a system and the work of its run.
fn check(method: Method, check: impl Fn(&dyn System, Stats) -> bool) {
    const SAME: f64 = 1e-6;
    for model in models::catalogue() {
        let system = (model.build)(&vec![None; model.info.parameters.len()]).expect("defaults");
        let Some(scenario) = model.info.scenarios.first() else { continue };
        let name = model.info.name;
        let [stiff, steps] = [method, Method::RungeKutta]
            .map(|method| run_scenario(&*system, scenario.name, &with(method)).expect("it starts"));
        let stats = stiff.stats;
        assert!(check(&*system, stats) || stats.steps == 0, "{name}: {stats:?}");
        let ends = [&stiff.end, &steps.end].map(std::mem::discriminant);
        assert_eq!(ends[0], ends[1], "{name}: {} and {}", stiff.end, steps.end);
        assert_eq!(stiff.events.len(), steps.events.len(), "{name}");
        for (a, b) in stiff.events.iter().zip(&steps.events) {
            assert!((a.t - b.t).abs() <= SAME * (1.0 + b.t.abs()), "{name}: {} and {}", a.t, b.t);
        }
        let (Some(a), Some(b)) = (stiff.last(), steps.last()) else { panic!("{name}: samples") };
        for (a, b) in a.q.iter().chain(&a.v).zip(b.q.iter().chain(&b.v)) {
            assert!((a - b).abs() <= SAME * (1.0 + b.abs()), "{name}: {a} and {b}");
        }
    }
}

#[test]
fn scenarios_by_radau() {
    check(Method::Radau, |_, stats| stats.newton_iterations > 0);
}

/// No model of the catalogue is stiff, but for the moment before the friction of a whole body holds it.
#[test]
fn scenarios_by_the_method_that_the_motion_asks_for() {
    check(Method::Automatic, |system, stats| {
        let is_stiff = stats.newton_iterations > 0;
        let rubs = !system.info().frictions.is_empty();
        (rubs || !is_stiff) && (stats.expansions > 0) == system.has_series()
    });
}

/// A macro's system with series, stiff from the start and later: Van der Pol's oscillator with μ = 10³, its period by
/// the asymptotic expansion (Dorodnicyn 1947, its last terms as Urabe has them, 1963) to its own error.
#[test]
fn series_give_way_where_the_motion_is_stiff() {
    let text = "system V { coordinates { x } parameters { μ = 1000 } kinetic = ẋ^2/2; potential = x^2/2; \
        force x = μ*(1 - x^2)*ẋ; event zero { guard = x; falling; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    assert!(system.has_series());
    let options =
        Options { method: Method::Automatic, until_time: Some(4000.0), ..Options::default() };
    let (start, go_on) =
        (State::new(0.0, [2.0], [0.0]), &mut |_: &Progress<'_>| ControlFlow::Continue(()));
    let run = simulate(&system, &start, &[], &options, go_on).expect("it starts");
    assert!(matches!(run.end, End::ReachedTime { .. }), "{}", run.end);
    assert!(run.stats.newton_iterations > 0 && run.stats.expansions > 0, "{:?}", run.stats);
    assert!(run.stats.steps < 20_000, "{:?}", run.stats);
    let times: Vec<f64> = run.events.iter().map(|event| event.t).collect();
    let μ: f64 = 1e3;
    let period = (3.0 - 2.0 * 2.0_f64.ln()) * μ + 7.014_32 * μ.powf(-1.0 / 3.0)
        - (2.0 / 3.0 * μ.ln() + 1.3246) / μ;
    assert!(times.len() >= 2 && (times[1] - times[0] - period).abs() < 1e-4, "{times:?}");
}
