//! The implicit method on every model of the catalogue: constraints, contacts, dry friction, rotations and
//! angles are the same by it as by the explicit one.

use eom_core::{AbsoluteTolerance, Method, Options, Sampling, run_scenario};

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

#[test]
fn scenarios_by_radau_are_those_by_runge_kutta() {
    const SAME: f64 = 1e-6;
    for model in models::catalogue() {
        let system = (model.build)(&vec![None; model.info.parameters.len()]).expect("defaults");
        let Some(scenario) = model.info.scenarios.first() else { continue };
        let name = model.info.name;
        let [stiff, steps] = [Method::Radau, Method::RungeKutta]
            .map(|method| run_scenario(&*system, scenario.name, &with(method)).expect("it starts"));
        assert!(stiff.stats.newton_iterations > 0 || stiff.stats.steps == 0, "{name}");
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
