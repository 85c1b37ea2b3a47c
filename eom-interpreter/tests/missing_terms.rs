//! Motions of whose series most terms are missing, so that the last two say nothing of those beyond: against closed forms.

use eom_core::{ForceCheck, Method, Options, State, simulate};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// From `start` = x, ẋ to a time, where ẋ is known, and x where it is.
struct Case {
    forces: &'static str,
    start: [f64; 2],
    until: f64,
    x: Option<f64>,
    ẋ: f64,
}

fn check(case: &Case) {
    let Case { forces, start: [x, ẋ], until, .. } = *case;
    let text = format!("system S {{ coordinates {{ x }} kinetic = ẋ^2/2; {forces} }}");
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    for relative_tolerance in [1e-5, 1e-8, 1e-12] {
        let options = Options {
            method: Method::Taylor,
            relative_tolerance,
            until_time: Some(until),
            // What comes after a time without force is seen by bounds only.
            forces: ForceCheck::Bounded,
            ..Options::default()
        };
        let start = State::new(0.0, [x], [ẋ]);
        let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
        let run = run.expect("a start");
        assert!(run.end.is_complete(), "{forces}: {}", run.end);
        let last = run.last().expect("a state");
        for (found, wanted) in [(last.q[0], case.x), (last.v[0], Some(case.ẋ))] {
            let error = wanted.map_or(0.0, |wanted| (found - wanted).abs());
            assert!(
                error <= 100.0 * relative_tolerance,
                "{forces} at {relative_tolerance}: {found} for {wanted:?}"
            );
        }
    }
}

/// V = x^m with ẋ = 1 at x = 0 has the period 4 x_max √π Γ(1 + 1/m)/Γ(1/2 + 1/m), x_max^m = 1/2.
#[test]
fn large_powers() {
    let periods = [
        ("potential = x^4;", 4.409_757_595_986_33),
        ("potential = x^6;", 4.327_363_498_027_503),
        ("potential = x^16;", 4.152_560_132_532_335),
        ("potential = x^22;", 4.114_894_344_748_293),
        ("potential = x^60;", 4.044_673_108_984_261),
    ];
    for (forces, period) in periods {
        for (turns, x, ẋ) in [(0.5, 0.0, -1.0), (1.0, 0.0, 1.0), (3.0, 0.0, 1.0)] {
            check(&Case { forces, start: [0.0, 1.0], until: turns * period, x: Some(x), ẋ });
        }
    }
}

/// ∫ cos^44 over half a turn is π C(44, 22)/2^44.
#[test]
fn forces_of_the_time() {
    let pulse = PI * 2_104_098_963_720.0 / 2.0_f64.powi(44);
    check(&Case {
        forces: "force x = cos(t)^44;",
        start: [0.0, 0.0],
        until: 3.0 * PI,
        x: None,
        ẋ: 3.0 * pulse,
    });
    check(&Case {
        forces: "force x = t^30;",
        start: [0.0, 0.0],
        until: 1.25,
        x: Some(1.25_f64.powi(32) / (31.0 * 32.0)),
        ẋ: 1.25_f64.powi(31) / 31.0,
    });
}
