//! Dry friction that holds what a closed contact holds too: their forces cannot be told apart, what they do can.

use eom_core::{End, EventKind, Method, Options, System as _, run_scenario};
use eom_interpreter::Interpreted;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

/// A declaration's only scenario has these events, named by what happens and to whom, and ends at this state.
fn check(text: &str, wanted: &[(f64, &str)], q: &[f64]) {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let (contacts, frictions) = (system.info().contacts, system.info().frictions);
    let told = |kind: &EventKind| match kind {
        EventKind::Impact { .. } => "impact".to_owned(),
        EventKind::Opening { contact } => format!("{} opens", contacts[*contact].name),
        EventKind::Stick { friction } => format!("{} sticks", frictions[*friction].name),
        EventKind::Slip { friction } => format!("{} slips", frictions[*friction].name),
        other => format!("{other:?}"),
    };
    for method in METHODS {
        let name = system.info().scenarios[0].name;
        let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
        let run = run_scenario(&system, name, &options).unwrap_or_else(|error| panic!("{error}"));
        assert!(matches!(run.end, End::ReachedTime { .. }), "{method:?} {text}: {}", run.end);
        let found: Vec<_> = run.events.iter().map(|event| (event.t, told(&event.kind))).collect();
        let same = |((t, what), (at, of)): (&(f64, String), &(f64, &str))| {
            what == of && (t - at).abs() <= 1e-10 * (1.0 + at)
        };
        let agrees = found.len() == wanted.len() && found.iter().zip(wanted).all(same);
        assert!(agrees, "{method:?} {text}: {found:?} for {wanted:?}");
        let end = run.samples.last().expect("the end");
        for (found, wanted) in end.q.iter().zip(q) {
            assert!((found - wanted).abs() <= 1e-9, "{method:?} {text}: {found} for {wanted}");
        }
    }
}

/// Pulled up by t − 1, it stays on the floor until t = 1, where the floor has nothing to do any more, and in its
/// friction until t = 13/10; then b = (t − 13/10)³/6.
#[test]
fn a_body_is_held_by_its_floor_and_then_by_friction() {
    let text = "system S { coordinates { b } parameters { μ = 3/10 } kinetic = ḃ^2/2; dissipation = μ*abs(ḃ);
        force b = t - 1; contact floor { gap = b; impact = plastic; } scenario s { until t = 2; } }";
    check(text, &[(1.0, "floor opens"), (1.3, "abs(ḃ) slips")], &[0.7_f64.powi(3) / 6.0]);
}

/// Two bodies on each other, the upper one held by a stop and by friction: the lower one slides up with
/// ä = −(k + μ)/2, and down again with −(k − μ)/2.
#[test]
fn friction_beside_a_closed_contact_moves_nothing() {
    let text = |speed: f64| {
        format!(
            "system S {{ coordinates {{ a, b }} parameters {{ k = 981/1000, μ = 3/10 }}
             kinetic = (ȧ^2 + (ȧ + ḃ)^2)/2; potential = k*(a + b); dissipation = μ*abs(ȧ) + μ*abs(ḃ);
             contact stop {{ gap = b + 1/2; impact = plastic; }}
             scenario s {{ a = -1; b = -1/2; ȧ = {speed:?}; until t = 2; }} }}"
        )
    };
    for speed in [0.65, 0.31, 0.77, 1.0] {
        let up = 2.0 * speed / (0.981 + 0.3);
        let rise = speed * up / 2.0;
        let fall = (0.981 - 0.3) / 4.0 * (2.0_f64 - up).powi(2);
        check(&text(speed), &[], &[-1.0 + rise - fall, -0.5]);
    }
}
