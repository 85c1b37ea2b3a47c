//! What time stepping is refused for, and how that is said.

use super::system;
use eom_core::{Law, Method, Options, Run, StartError, State, SteppingRefusal};

fn moreau() -> Options {
    Options {
        method: Method::Moreau,
        step: Some(1e-3),
        until_time: Some(1.0),
        ..Options::default()
    }
}

fn refused(text: &str, options: &Options) -> Option<SteppingRefusal> {
    let system = system(text);
    let start = State::new(0.0, [1.0, 2.0], [0.0, 0.0]);
    match Run::new(&system, &start, options) {
        Err(StartError::Stepping { why }) => Some(why),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    }
}

const PAIR: &str = "system Pair { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;";

fn pair(rest: &str) -> String {
    format!("{PAIR} {rest} }}")
}

#[test]
fn what_steps_do_not_tell_is_refused() {
    let table = [
        ("contact a { gap = x; impact = project; }", SteppingRefusal::Law { contact: "a" }),
        (
            "contact a { gap = x; impact = assign { ẋ = -ẋ; }; }",
            SteppingRefusal::Law { contact: "a" },
        ),
        (
            "contact a { gap = x; impact = elastic; } contact b { gap = y; impact = elastic; } impacts = sequential;",
            SteppingRefusal::Law { contact: "a" },
        ),
        (
            "contact a { gap = x; slip = ẏ; friction = 1; impact = poisson(1/2); }",
            SteppingRefusal::Law { contact: "a" },
        ),
        (
            "contact a { gap = x; when ẏ > 0; impact = elastic; }",
            SteppingRefusal::Conditions { contact: "a" },
        ),
        (
            "holonomic { guide: x = 1; } row guide { slip = ẏ; friction = 1/2; }",
            SteppingRefusal::RowFriction { row: "guide" },
        ),
    ];
    for (text, wanted) in table {
        assert_eq!(refused(&pair(text), &moreau()), Some(wanted), "{text}");
        assert!(!wanted.help().is_empty() && !wanted.to_string().is_empty());
    }
    let free = pair("");
    let with = |options: Options| refused(&free, &options);
    assert_eq!(with(Options { step: None, ..moreau() }), Some(SteppingRefusal::NoStep));
    assert_eq!(with(Options { ledger: true, ..moreau() }), Some(SteppingRefusal::Books));
    assert_eq!(
        with(Options { method: Method::Taylor, ..moreau() }),
        Some(SteppingRefusal::NotStepping)
    );
    assert_eq!(with(moreau()), None);
    let wall = pair("contact a { gap = x; impact = project; }");
    assert_eq!(refused(&wall, &Options { law: Some(Law::Restitution(0.5)), ..moreau() }), None);
}

#[test]
fn a_step_is_a_positive_number() {
    let system = system(&pair(""));
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = Options { step: Some(step), ..moreau() };
        let refused = Run::new(&system, &State::new(0.0, [0.0; 2], [0.0; 2]), &options);
        assert!(matches!(refused, Err(StartError::Option { name: "step", .. })), "{step}");
    }
}
