//! Impacts that accumulate, of which each changes something, or a reset between them: where that does not fall with them there is
//! no state behind their limit, and where it does there is one.

use eom_core::{End, Method, Options, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// A ball that falls from a height of 1 with ẋ = 1 and y beside it, whose impacts are over at √(2/10)·3 = 1.3416…
fn run(contact: &str, method: Method) -> Trajectory {
    let text = format!(
        "system Ball {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*z; {contact} }}"
    );
    let ball = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let start = State::new(0.0, [0.0, 2.0, 1.0], [1.0, 0.0, 0.0]);
    let options = Options { method, until_time: Some(2.0), ..Options::default() };
    simulate(&ball, &start, &[], &options, &mut |_| ControlFlow::Continue(())).expect("a start")
}

fn check(contact: &str, has_limit: bool) {
    for method in [Method::RungeKutta, Method::Taylor, Method::Automatic] {
        let made = run(contact, method);
        let told = match made.end {
            End::NoLimit { t, contact: "floor" } => {
                assert!((t - 3.0 * 0.2_f64.sqrt()).abs() < 1e-5, "{contact}: {t}");
                false
            }
            ref end => {
                assert!(end.is_complete(), "{contact} {method:?}: {end}");
                true
            }
        };
        assert_eq!(told, has_limit, "{contact} {method:?}: {}", made.end);
    }
}

const BOUNCES: &str = "contact floor { gap = z; impact = restitution(1/2); }";

#[test]
fn impacts_with_new_names() {
    check("contact floor { gap = z; impact = restitution(1/2); relabel { x <-> y; } }", false);
    check("contact floor { gap = z; impact = plastic; relabel { x <-> y; } }", true);
}

#[test]
fn laws_that_are_assigned() {
    let assigned =
        |ẋ: &str| format!("contact floor {{ gap = z; impact = assign {{ ż = -ż/2; ẋ = {ẋ}; }} }}");
    for (ẋ, has_limit) in
        [("-ẋ", false), ("ẋ + 1", false), ("0.9*ẋ", false), ("ẋ", true), ("ẋ/2", true), ("0", true)]
    {
        check(&assigned(ẋ), has_limit);
    }
}

#[test]
fn rows_that_are_turned_back() {
    let oblique = |e: &str| {
        format!(
            "contact floor {{ gap = z; impact = restitution(1/2, {e}); constraints {{ grip: ẋ = 0; }} }}"
        )
    };
    for (e, has_limit) in [("1", false), ("1/2", true), ("0", true)] {
        check(&oblique(e), has_limit);
    }
}

#[test]
fn resets_between_impacts() {
    let reset = |guard: &str, reset: &str| {
        format!("{BOUNCES} event apex {{ guard = {guard}; falling; reset {{ {reset} }} }}")
    };
    for (text, has_limit) in [
        (reset("ż", "x = -x - 1;"), false),
        (reset("ż", "ẋ = -ẋ;"), false),
        (reset("ż", "y = 5;"), true),
        (reset("1.3 - t", "ẋ = -ẋ;"), true),
        (reset("z - 0.01", "ẋ = -ẋ;"), true),
    ] {
        check(&text, has_limit);
    }
}
