//! A run that a number of impacts or events ends: with all that happens at the instant of the last, by every method.

use eom_core::{EventKind, Method, Options, run_scenario};
use eom_interpreter::Interpreted;

const METHODS: [Method; 4] = [Method::Automatic, Method::RungeKutta, Method::Taylor, Method::Radau];

/// What the runs of a ball that comes to a wall at t = 1 tell, and where the ball is at their end.
fn check(items: &str, events: &[&str], place: f64) {
    let text = format!(
        "system Ball {{ coordinates {{ x }} kinetic = ẋ^2/2; contact wall {{ gap = 1 - x; impact = elastic; }}
           {items} scenario s {{ ẋ = 1; until impacts = 1; }} }}"
    );
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let name = |kind: &EventKind| match kind {
        EventKind::Impact { .. } => "impact",
        EventKind::Declared { event } => eom_core::System::info(&system).events[*event].name,
        _ => "other",
    };
    for method in METHODS {
        let run = run_scenario(&system, "s", &Options { method, ..Options::default() })
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(run.end.to_string().starts_with("reached 1 impact at"), "{method:?}: {}", run.end);
        let found: Vec<&str> = run.events.iter().map(|event| name(&event.kind)).collect();
        assert_eq!(found, events, "{method:?} {text}");
        let x = run.last().expect("a state").q[0];
        assert!((x - place).abs() < 1e-13, "{method:?} {text}: {x}");
        assert!((run.end.t() - 1.0).abs() < 1e-13, "{method:?} {text}: {}", run.end);
    }
}

#[test]
fn the_last_impact_is_not_alone_at_its_instant() {
    check("", &["impact"], 1.0);
    check("event touch { guard = 1 - x; falling; }", &["impact", "touch"], 1.0);
    check("event bell { guard = t - 1; rising; }", &["impact", "bell"], 1.0);
    check("event early { guard = t - 1/2; rising; }", &["early", "impact"], 1.0);
    check("event later { guard = t - 1.000001; rising; }", &["impact"], 1.0);
    check("event back { guard = 1 - x; falling; reset { x = 1/2; } }", &["impact", "back"], 0.5);
}
