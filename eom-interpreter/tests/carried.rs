//! What is held by rows that depend on others, and what moves those: a wall that strikes out under what friction holds, a bump
//! in a surface that lies in another.

use eom_core::{Event, EventKind, ForceCheck, Method, Options, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

fn run(text: &str, method: Method) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = eom_core::System::scenario(&system, 0).expect("a scenario");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let options = Options {
        method,
        until_time: scenario.until_time,
        forces: ForceCheck::Bounded,
        ..Options::default()
    };
    simulate(&system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn block(gap: &str, start: &str) -> String {
    format!(
        "system Block {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = x/10; dissipation = 0.5*abs(ẋ);
           contact wall {{ gap = {gap}; impact = plastic; }} scenario s {{ {start} until t = 3; }} }}"
    )
}

/// The time of the last event of a kind, and the rate of the first coordinate there.
fn last(trajectory: &Trajectory, is_it: impl Fn(&EventKind) -> bool) -> (f64, f64) {
    let found = trajectory.events.iter().rev().find(|event| is_it(&event.kind));
    let Event { t, .. } = found.unwrap_or_else(|| panic!("{:?}", trajectory.events));
    (*t, found.expect("it is there").v_plus()[0])
}

/// A wall that is a e^(−s²), s = (t − c)/w, pushes a block that friction holds at it. It leaves the wall where that is fastest, at
/// s = −1/√2 with √2 a e^(−½)/w; before that it has slid with it, and after it slides on to rest by its friction.
#[test]
fn a_wall_that_strikes_out_pushes_what_sticks_at_it() {
    let (a, w) = (1e-3, 3e-4);
    let fastest = 2.0_f64.sqrt() * a * (-0.5_f64).exp() / w;
    // At rest from the start; come to rest there; and where friction alone holds it.
    for (start, potential) in [("", "x/10"), ("x = 0.1; ẋ = -0.4;", "x/10"), ("", "0")] {
        let text = block(&format!("x - {a:?}*exp(-((t - 1)/{w:?})^2)"), start);
        let text = text.replace("potential = x/10", &format!("potential = {potential}"));
        for method in METHODS {
            let trajectory = run(&text, method);
            assert!(trajectory.end.is_complete(), "{method:?} {text}: {}", trajectory.end);
            let opening = |kind: &EventKind| matches!(kind, EventKind::Opening { .. });
            let (t, v) = last(&trajectory, opening);
            let wanted = 1.0 - w / 2.0_f64.sqrt();
            assert!((t - wanted).abs() < 1e-7, "{method:?} {text}: opens at {t}, not {wanted}");
            assert!((v - fastest).abs() < 1e-5 * fastest, "{method:?} {text}: {v} of {fastest}");
            let slips = trajectory.events.iter().find(|e| matches!(e.kind, EventKind::Slip { .. }));
            assert!(slips.is_some_and(|slip| slip.t < t), "{method:?} {text}");
            // No jump but at impacts: of what is thrown off ½v² is spent by friction and potential.
            let end = trajectory.last().expect("it has run");
            let force = if potential == "0" { 0.5 } else { 0.6 };
            let x = a * (-0.5_f64).exp();
            let held = 3.0 - t - fastest / force;
            let far = if held > 0.0 {
                x + 0.5 * fastest * fastest / force
            } else {
                x + fastest * (3.0 - t) - 0.5 * force * (3.0 - t) * (3.0 - t)
            };
            assert!((end.q[0] - far).abs() < 1e-5, "{method:?} {text}: {} for {far}", end.q[0]);
        }
    }
}

/// A plane with a bump: what slides along the plane is thrown off at the flank of the bump where its path falls faster than
/// the surface, by every method at the same place.
#[test]
fn a_bump_in_a_plane_is_met() {
    let (height, width) = (0.01, 3e-3);
    let surfaces = |bump: &str| {
        format!(
            "system Puck {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = y;
               contact plane {{ gap = y; impact = plastic; }} contact bump {{ gap = {bump}; impact = plastic; }}
               scenario s {{ ẋ = 1; until t = 2; }} }}"
        )
    };
    let both = surfaces(&format!("y - {height:?}*exp(-((x - 1.5)/{width:?})^2)"));
    let mut found = Vec::new();
    for method in METHODS {
        let trajectory = run(&both, method);
        assert!(trajectory.end.is_complete(), "{method:?}: {}", trajectory.end);
        let thrown = trajectory.events.last().expect("it is thrown off");
        assert_eq!(thrown.kind, EventKind::Opening { contact: 1 }, "{method:?}: {thrown:?}");
        // ½v² + y is what it was: the plane and the bump take no energy.
        let v = thrown.v_plus();
        let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + thrown.q_plus()[1];
        assert!((energy - 0.5).abs() < 1e-7, "{method:?}: {energy}");
        found.push((thrown.t, thrown.q_plus()[0]));
    }
    for (t, x) in &found {
        assert!((t - found[0].0).abs() < 1e-6 && (x - found[0].1).abs() < 1e-6, "{found:?}");
    }
    // Over a dip it slides as if nothing were there.
    for method in METHODS {
        let dip = surfaces(&format!("y + {height:?}*exp(-((x - 1.5)/{width:?})^2)"));
        let trajectory = run(&dip, method);
        let end = trajectory.last().expect("it has run");
        assert!(trajectory.end.is_complete() && trajectory.events.is_empty(), "{method:?}");
        assert!((end.q[0] - 2.0).abs() < 1e-12 && end.q[1].abs() < 1e-15, "{method:?}: {end:?}");
    }
}
