//! Forces that leave what they hold for less than a step: a normal force through zero, friction beyond its limit, with steps
//! that do not look for narrow forces; by all methods, and with the end at other places.

use eom_core::{
    End, EventKind, ForceCheck, GuardCheck, Method, Options, State, System, Trajectory, Watched,
    simulate,
};
use eom_interpreter::Interpreted;
use fastrand::Rng;
use std::ops::ControlFlow;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

/// Runs the only scenario of a declaration.
fn run(
    system: &Interpreted,
    method: Method,
    until: Option<f64>,
    from: Option<State>,
) -> Trajectory {
    let scenario = system.scenario(0).expect("a scenario");
    let start = from.unwrap_or_else(|| State::new(scenario.t, scenario.q, scenario.v));
    let until_time = until.or(scenario.until_time);
    let options = Options { method, until_time, forces: ForceCheck::Sampled, ..Options::default() };
    simulate(system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn system(text: &str) -> Interpreted {
    Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

/// What happens in a run that has to come to its end: the times of openings and of slips that begin.
fn given_way(text: &str, run: &Trajectory) -> Vec<f64> {
    assert!(matches!(run.end, End::ReachedTime { .. }), "{text}: {}", run.end);
    let gives_way =
        |kind: &EventKind| matches!(kind, EventKind::Opening { .. } | EventKind::Slip { .. });
    run.events.iter().filter(|event| gives_way(&event.kind)).map(|event| event.t).collect()
}

/// What is held gives way at these times, whatever the method; where the run is cut before and goes on, at the rest of them.
fn check(text: &str, times: &[f64]) {
    let system = system(text);
    for method in METHODS {
        let whole = run(&system, method, None, None);
        let found = given_way(text, &whole);
        assert_eq!(found.len(), times.len(), "{method:?} {text}: {found:?} for {times:?}");
        for (found, wanted) in found.iter().zip(times) {
            assert!((found - wanted).abs() <= 1e-9, "{method:?} {text}: {found} for {wanted}");
        }
        let mut rng = Rng::with_seed(23);
        for _ in 0..4 {
            let cut = rng.f64() * times.first().copied().unwrap_or(1.0);
            let first = run(&system, method, Some(cut), None);
            assert_eq!(given_way(text, &first), [0.0; 0], "{method:?} {cut} {text}");
            let state = first.last().expect("a state").clone();
            let rest = given_way(text, &run(&system, method, None, Some(state)));
            assert_eq!(rest.len(), times.len(), "{method:?} cut at {cut} {text}: {rest:?}");
            for (found, wanted) in rest.iter().zip(times) {
                assert!((found - wanted).abs() <= 1e-9, "{method:?} {cut} {text}: {found}");
            }
        }
    }
}

fn block(forces: &str, contact: &str, until: f64) -> String {
    format!(
        "system Block {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y; {forces}
           contact floor {{ gap = y; {contact} impact = restitution(0); }}
           scenario s {{ until t = {until:?}; }} }}"
    )
}

/// N = 10 − 40 exp(−((t−1)/w)²) is zero at t = 1 − w √(ln 4).
#[test]
fn what_rests_leaves_where_a_pulse_lifts_it() {
    for width in [1e-2_f64, 1e-4, 1e-6] {
        let pulse = format!("force y = 40*exp(-((t - 1)/{width:?})^2);");
        check(&block(&pulse, "", 3.0), &[1.0 - width * 4.0_f64.ln().sqrt()]);
    }
    // It stays where the pulse is less than its weight, or presses.
    for size in [9.999, -40.0] {
        let pulse = format!("force y = {size:?}*exp(-((t - 1)/1e-4)^2);");
        check(&block(&pulse, "", 3.0), &[]);
    }
}

/// 30 exp(−((t−1)/w)²) passes μN = 5 at t = 1 − w √(ln 6); in a plane likewise.
#[test]
fn what_sticks_slips_where_a_pulse_pulls_it() {
    for width in [1e-2_f64, 1e-5] {
        let time = 1.0 - width * 6.0_f64.ln().sqrt();
        let pulse = format!("force x = 30*exp(-((t - 1)/{width:?})^2);");
        check(&block(&pulse, "slip = [ẋ]; friction(0.5);", 3.0), &[time]);
        let plane = format!(
            "system Plane {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*z;
               force x = 18*exp(-((t - 1)/{width:?})^2); force y = 24*exp(-((t - 1)/{width:?})^2);
               contact floor {{ gap = z; slip = [ẋ, ẏ]; friction(0.5); impact = restitution(0); }}
               scenario s {{ until t = 3; }} }}"
        );
        check(&plane, &[time]);
    }
    check(
        &block("force x = 4.999*exp(-((t - 1)/1e-5)^2);", "slip = [ẋ]; friction(0.5);", 3.0),
        &[],
    );
}

/// A ball that rolls holds 2/7 of what pulls at its centre: 60/7 exp(−((t−1)/w)²) passes 5.
#[test]
fn what_rolls_slips_where_a_pulse_pulls_it() {
    for width in [1e-3_f64, 1e-5] {
        let text = format!(
            "system Ball {{ coordinates {{ x, y, s }} kinetic = (ẋ^2 + ẏ^2)/2 + ṡ^2/5; potential = 10*y;
               force x = 30*exp(-((t - 1)/{width:?})^2);
               contact floor {{ gap = y; slip = [ẋ - ṡ]; friction(0.5); impact = restitution(0); }}
               scenario s {{ ẋ = 1; ṡ = 1; until t = 3; }} }}"
        );
        check(&text, &[1.0 - width * (60.0_f64 / 35.0).ln().sqrt()]);
    }
}

/// A table whose top is z = 2·10⁻⁷ exp(−s²), s = (t−1)/10⁻⁴: N = 10 + z̈ = 10 + 20 (4s² − 2) exp(−s²) falls through zero
/// between s = −0.7 and 0.
#[test]
fn what_rests_leaves_a_table_that_draws_back() {
    let [mut low, mut high] = [-0.7_f64, 0.0];
    for _ in 0..60 {
        let s = 0.5 * (low + high);
        let normal = 10.0 + 20.0 * (4.0 * s * s - 2.0) * (-s * s).exp();
        if normal > 0.0 { low = s } else { high = s }
    }
    let text = "system Table { coordinates { y } kinetic = ẏ^2/2; potential = 10*y;
        contact top { gap = y - 2e-7*exp(-((t - 1)/1e-4)^2); impact = restitution(0); }
        scenario s { until t = 1; } }";
    check(text, &[1.0 + 1e-4 * low]);
}

/// A bead that is held on a rough wire by |5 cos(30 t)|·0.3 against 1 − x.
#[test]
fn what_a_wire_holds_slips_where_it_presses_less() {
    let text = "system Wire { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;
        allow integrable_row(wire); force y = 5*cos(30*t); force x = 1;
        constraints { wire: ẏ = 0; } row wire { slip = ẋ; friction(0.3); }
        scenario s { until t = 0.03; } }";
    let time = (1.0_f64 / 1.5).acos() / 30.0;
    let system = system(text);
    for method in METHODS {
        let run = run(&system, method, None, None);
        assert_eq!(run.guards, GuardCheck::Proven, "{method:?} {:?}", run.sampled);
        let found = given_way(text, &run);
        assert!(found.len() == 1 && (found[0] - time).abs() < 1e-12, "{method:?} {found:?} {time}");
    }
}

/// What is sampled is named, and nothing else.
#[test]
fn what_is_sampled_is_named() {
    let proven =
        [block("", "", 3.0), block("force x = 7*cos(3*t);", "slip = [ẋ]; friction(0.5);", 3.0)];
    for text in proven {
        let run = run(&system(&text), Method::RungeKutta, None, None);
        assert_eq!((run.guards, run.sampled), (GuardCheck::Proven, Vec::new()), "{text}");
    }
    // Two feet of one body along one line hold the same slip.
    let two =
        "system Two { coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/6; potential = 10*y;
        force x = 1 + t/10;
        contact left { gap = y - sin(θ); slip = [ẋ]; friction(0.5); impact = restitution(0); }
        contact right { gap = y + sin(θ); slip = [ẋ]; friction(0.5); impact = restitution(0); }
        scenario s { until t = 1; } }";
    let run = run(&system(two), Method::RungeKutta, None, None);
    assert_eq!(run.guards, GuardCheck::Sampled);
    assert!(run.sampled.contains(&Watched::Friction(0)), "{:?}", run.sampled);
    assert!(!run.sampled.contains(&Watched::Gap(0)), "{:?}", run.sampled);
}
