//! What is narrower than a step: wires, posts, bumps, pulses, bands of events, poles; by both methods, in one
//! go and with the end at other places.

use eom_core::{
    AbsoluteTolerance, End, Event, EventKind, GuardCheck, Method, Options, Progress, Run, State,
    Trajectory, simulate,
};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;
use std::ops::ControlFlow;

const METHODS: [Method; 2] = [Method::RungeKutta, Method::Taylor];

/// Runs the only scenario of a declaration, to a time of its own where one is given.
fn run(text: &str, method: Method, until: Option<f64>) -> Trajectory {
    run_with(text, Options { method, ..Options::default() }, until)
}

fn run_with(text: &str, options: Options, until: Option<f64>) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = eom_core::System::scenario(&system, 0).expect("a scenario");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let until_time = until.or(scenario.until_time);
    let options = Options { until_time, ..options };
    simulate(&system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Both methods find events at these times, and nothing else.
fn check(text: &str, times: &[f64], tolerance: f64) {
    for method in METHODS {
        let trajectory = run(text, method, None);
        assert!(matches!(trajectory.end, End::ReachedTime { .. }), "{text}: {}", trajectory.end);
        assert_eq!(trajectory.guards, GuardCheck::Proven, "{text}");
        let found: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
        assert_eq!(found.len(), times.len(), "{method:?} {text}: {found:?} for {times:?}");
        for (found, wanted) in found.iter().zip(times) {
            assert!((found - wanted).abs() <= tolerance, "{method:?} {text}: {found} for {wanted}");
        }
    }
}

fn puck(gap: &str, start: &str, until: f64) -> String {
    format!(
        "system Puck {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
           contact c {{ gap = {gap}; impact = elastic; }}
           scenario s {{ {start} until t = {until:?}; }} }}"
    )
}

fn clock(guard: &str, until: f64) -> String {
    format!(
        "system Clock {{ coordinates {{ x }} kinetic = ẋ^2/2;
           event e {{ guard = {guard}; both; }} scenario s {{ ẋ = 1; until t = {until:?}; }} }}"
    )
}

/// A puck meets a round post of radius r head on, or off its centre by b: at d − √(r² − b²).
#[test]
fn a_post_is_met_from_afar() {
    let posts: [(f64, f64, f64); 6] = [
        (10.0, 1e-3, 0.0),
        (200.0, 0.1, 0.0),
        (100.0, 0.1, 0.099),
        (1000.0, 0.1, 0.099),
        (1e4, 1e-2, 9.99e-3),
        (3e5, 0.1, 0.05),
    ];
    for (d, r, b) in posts {
        let start = format!("x = -{d:?}; y = {b:?}; ẋ = 1;");
        let text = puck(&format!("sqrt(x^2 + y^2) - {r:?}"), &start, 2.0 * d);
        check(&text, &[d - (r * r - b * b).sqrt()], 1e-9 * d);
    }
}

/// y = 1/5 meets the flank of a Gaussian bump of width w where e^(−s²) = 2/5.
#[test]
fn a_bump_is_met() {
    for w in [0.1, 1e-2, 1e-3, 1e-4] {
        let bump = format!("y - exp(-((x - 0.37)/{w:?})^2)/2");
        let met = 0.37 - w * 2.5_f64.ln().sqrt();
        let text = puck(&bump, "y = 0.2; ẋ = 1;", 0.37);
        check(&text, &[met], 1e-10);
    }
}

/// A wall that strikes out for a moment meets what rests.
#[test]
fn a_wall_that_strikes_out_is_met() {
    for w in [1e-2, 1e-3, 1e-4] {
        let text = puck(&format!("x - exp(-((t - 0.37)/{w:?})^2)/2"), "x = 0.2;", 0.4);
        check(&text, &[0.37 - w * 2.5_f64.ln().sqrt()], 1e-10);
    }
}

#[test]
fn a_band_is_entered_and_left() {
    for w in [1e-2, 1e-4, 1e-6] {
        let text = clock(&format!("(x - 0.3)^2 - {:?}", w * w), 1.0);
        check(&text, &[0.3 - w, 0.3 + w], 1e-10);
    }
}

/// A band that is entered and left at 3.7 ∓ w √ln 2, however narrow it is. Where the motion is not known as exactly as that
/// the run ends there, or does not say that there is none.
#[test]
fn a_band_is_met_or_not_denied() {
    let band = |w: f64| clock(&format!("exp(-((x - 3.7)/{w:?})^2) - 0.5"), 10.0);
    for w in [1e-3, 1e-6, 1e-9, 1e-11] {
        let half = w * 2.0_f64.ln().sqrt();
        for method in METHODS {
            let found: Vec<f64> = run(&band(w), method, None).events.iter().map(|e| e.t).collect();
            assert_eq!(found.len(), 2, "{method:?} {w}: {found:?}");
            for (found, wanted) in found.into_iter().zip([3.7 - half, 3.7 + half]) {
                assert!((found - wanted).abs() < 1e-14, "{method:?} {w}: {found} for {wanted}");
            }
        }
    }
    for w in [3e-12, 1e-12, 1e-13, 1e-15, 1e-17] {
        for method in METHODS {
            let trajectory = run(&band(w), method, None);
            let end = &trajectory.end;
            let is_told = matches!(end, End::UnresolvedEvent { t, .. } if (t - 3.7).abs() < 1e-10);
            let met = trajectory.events.len() == 2 || trajectory.guards == GuardCheck::Sampled;
            let is_complete = matches!(end, End::ReachedTime { .. }) && met;
            assert!(is_told || is_complete, "{method:?} {w}: {end}, {:?}", trajectory.guards);
        }
    }
}

/// All zeros of sin(k t) in (0, T), each once.
#[test]
fn zeros_of_a_sine_are_counted_once() {
    for (k, end) in [(10.0, 100.0), (1.0, 1000.5), (37.0, 20.0), (300.0, 3.0)] {
        let zeros = (1..).map(|n| f64::from(n) * PI / k);
        let times: Vec<f64> = zeros.take_while(|t| *t < end).collect();
        check(&clock(&format!("sin({k:?}*t)"), end), &times, 1e-12 * end);
        check(&clock(&format!("sin({k:?}*x)"), end), &times, 1e-11 * end);
    }
}

/// The same events wherever the run is cut.
#[test]
fn the_end_of_a_run_changes_nothing_before_it() {
    let text = puck("sqrt(x^2 + y^2) - 0.01", "x = -20; y = 0.003; ẋ = 1;", 40.0);
    for method in METHODS {
        let whole = run(&text, method, None);
        for until in [20.0, 21.3, 25.0, 33.333, 39.999] {
            let cut = run(&text, method, Some(until));
            let before = |event: &&Event| event.t < until;
            let (a, b) = (whole.events.iter().filter(before), cut.events.iter().filter(before));
            assert_eq!(a.count(), b.count(), "{method:?}, until {until}");
        }
    }
}

/// Where a gap has a pole, or no value, the run ends.
#[test]
fn poles_and_ends_of_domains_are_told() {
    for (gap, place) in [
        ("1/x", 1.0),
        ("1/x + 5", 1.0),
        ("tan(x)", 1.0 + PI / 2.0),
        ("1/(x - 0.5)^3 + 20*x", 0.5),
        ("2 + sqrt(x)", 1.0),
        ("20 + ln(x)", 1.0),
        ("2 + asin(x - 1)", 1.0),
    ] {
        for method in METHODS {
            let start = if gap == "tan(x)" { "x = 4; ẋ = -1;" } else { "x = 1; ẋ = -1;" };
            let trajectory = run(&puck(gap, start, 3.0), method, None);
            let end = &trajectory.end;
            let met = trajectory.impacts().count() > 0;
            let told = matches!(end, End::SingularGuard { .. } | End::NonFinite { .. });
            assert!(told || met, "{method:?} {gap}: {end}");
            assert!(met || end.t() <= place + 1.5 || gap == "tan(x)", "{method:?} {gap}: {end}");
        }
    }
}

/// Far above zero on both sides of its pole, a gap is no contact.
#[test]
fn a_pole_without_a_change_of_sign_is_passed() {
    for method in METHODS {
        let trajectory = run(&puck("1/x^2", "x = 1; ẋ = -1;", 3.0), method, None);
        assert!(trajectory.events.is_empty(), "{method:?}");
    }
}

#[test]
fn a_touch_cannot_be_decided() {
    for method in METHODS {
        let trajectory = run(&clock("(x - 0.3)^2", 1.0), method, None);
        assert!(matches!(trajectory.end, End::UnresolvedEvent { .. }), "{}", trajectory.end);
    }
}

/// sin(s) = −0.9 at s = −asin(0.9) and π + asin(0.9), and whole turns from there: what the guard is rounded by within
/// itself is far more than what its argument is.
/// A block under a load that touches zero rests on.
#[test]
fn a_load_that_touches_zero_lifts_nothing() {
    for load in ["(t - 1)^2", "(t - 1)^4", "(x - 1)^2", "(t - 1)^2 + 1e-20", "9*(x - 1)^2*exp(t)"] {
        let text = format!(
            "system Block {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; force y = -({load});
               contact floor {{ gap = y; impact = restitution(0.5); }}
               scenario s {{ ẋ = 1; until t = 3; }} }}"
        );
        for method in METHODS {
            let trajectory = run(&text, method, None);
            let last = trajectory.last().expect("it has run");
            assert!(
                matches!(trajectory.end, End::ReachedTime { .. }),
                "{text}: {}",
                trajectory.end
            );
            assert!(trajectory.events.is_empty(), "{text}: {:?}", trajectory.events);
            assert_eq!((last.q[1], last.v[1]), (0.0, 0.0), "{text}");
            assert!((last.q[0] - 3.0).abs() < 1e-12, "{text}: {last:?}");
        }
    }
}

/// A puck goes along a wall that is flat at its sides, where gravity is along it: it presses with v²κ + (g·n) = O(y²), and keeps its
/// energy.
#[test]
fn a_puck_goes_along_where_a_wall_is_flat() {
    let energy = |y: f64, v: &[f64]| 0.5 * (v[0] * v[0] + v[1] * v[1]) + y;
    for (x, y) in [(1.891, 1.649), (2.0, 1.5), (1.7, 2.1), (1.5, 2.5)] {
        let text = format!(
            "system Puck {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = y;
               contact wall {{ gap = 1 - x^4 - (y/1.5)^4; impact = plastic; }}
               scenario s {{ y = 0.4; ẋ = -{x}; ẏ = -{y}; until t = 3; }} }}"
        );
        for method in METHODS {
            let trajectory = run(&text, method, None);
            assert!(
                matches!(trajectory.end, End::ReachedTime { .. }),
                "{text}: {}",
                trajectory.end
            );
            let closed = &trajectory.events[1];
            let last = trajectory.last().expect("it has run");
            let gap = 1.0 - last.q[0].powi(4) - (last.q[1] / 1.5).powi(4);
            let kept = energy(last.q[1], &last.v) - energy(closed.q_plus()[1], closed.v_plus());
            assert!(gap.abs() < 1e-12 && kept.abs() < 1e-9, "{text}: {gap:e}, {kept:e}");
        }
    }
}

#[test]
fn a_steep_guard_is_told_to_its_rounding() {
    let (c, w, end) = (1.0, 3e-4, 0.02);
    let arc = 0.9_f64.asin();
    let mut times: Vec<f64> = (-600..0)
        .flat_map(|n| [-arc, PI + arc].map(|s| c + w * (s + 2.0 * PI * f64::from(n))))
        .filter(|t| *t > 0.0 && *t < end)
        .collect();
    times.sort_by(f64::total_cmp);
    check(&clock("sin((x - 1)/0.0003) + 0.9", end), &times, 1e-14);
}

/// At zero at the start, on no side as yet: it falls at π/10 and rises at π/5.
#[test]
fn a_guard_that_starts_at_zero_takes_its_side() {
    let both = clock("sin(10*t)", 0.7);
    let (rises, falls) = (both.replace("both", "rising"), both.replace("both", "falling"));
    let beside = "event far { guard = x + 3 - exp(-((x - 9)/0.03)^2); } scenario";
    for text in [&rises, &rises.replace("scenario", beside)] {
        check(text, &[PI / 5.0], 1e-15);
    }
    check(&falls, &[PI / 10.0], 1e-15);
}

/// The declaration is looked at with other parameters, of which the gap is not flat.
fn flat(gap: &str, start: &str) -> String {
    puck(gap, start, 2.0).replace("kinetic", "parameters { o = 0 } kinetic")
}

/// A triple root is one event. A contact that is flat there has no direction in which it could push.
#[test]
fn a_flat_guard_is_an_event_and_no_impact() {
    check(&clock("(x - 0.3)^3", 1.0), &[0.3], 1e-8);
    for method in METHODS {
        for (start, speed) in [("x = 1; ẋ = -1;", 1.0), ("x = 1; y = 1; ẋ = -0.7; ẏ = 0.3;", 0.7)]
        {
            let end = run(&flat("(x - 0.3107176470588235)^3 + o", start), method, None).end;
            assert!(matches!(end, End::UnresolvedEvent { .. }), "{method:?}: {end}");
            let place = (1.0 - 0.310_717_647_058_823_5) / speed;
            assert!((end.t() - place).abs() < 1e-6, "{method:?}: {end} for {place}");
        }
    }
    check(&flat("(x - 0.3)^4 - 1e-12 + o", "x = 1; ẋ = -1;"), &[0.699], 1e-12);
}

/// The domain of a guard ends at x = 7/10, which the motion does not reach: it is turned back at 6/10.
#[test]
fn a_domain_that_is_not_left_ends_nothing() {
    for guard in ["1 + sqrt(0.7 - x)", "20 + ln(0.7 - x)", "1/(0.7 - x)", "2 + asin(x + 0.3)"] {
        let text = puck("0.6 - x", "x = -0.2; ẋ = 1;", 1.5);
        check(
            &text.replace("scenario", &format!("event e {{ guard = {guard}; }} scenario")),
            &[0.8],
            1e-14,
        );
    }
}

/// A run ends where a guard does, not where a step begins.
#[test]
fn a_pole_is_told_at_its_place() {
    for gap in ["-(1/(x - 0.7) + 0.1)", "-1/(x - 0.7)^3", "20 + sqrt(0.7 - x)", "40 + ln(0.7 - x)"]
    {
        for method in METHODS {
            let end = run(&puck(gap, "x = -0.2; ẋ = 1;", 3.0), method, None).end;
            assert!(!end.is_complete() && (end.t() - 0.9).abs() < 1e-6, "{method:?} {gap}: {end}");
        }
    }
}

/// x = t: the slope at the root tells nothing of its place.
#[test]
fn a_root_without_a_slope_is_found_where_it_is() {
    for guard in ["(x - 0.3)^3", "(x - 0.3)^5", "(x - 0.3)*abs(x - 0.3)"] {
        check(&clock(guard, 1.0), &[0.3], 1e-14);
    }
}

/// A run that is stopped at the time of an impact, or so close to it that its gap is zero to rounding, has the
/// impacts of one that is not.
#[test]
fn a_stop_at_an_impact_changes_nothing() {
    let wall = "system Wall { coordinates { x } kinetic = ẋ^2/2;
        contact c { gap = x - exp(-((t - 2.1)/1e-4)^2)/2; impact = elastic; }
        scenario s { x = 0.2; until t = 3; } }";
    let ball = "system Ball { coordinates { x } kinetic = ẋ^2/2; potential = -9*cos(x);
        contact c { gap = (x - 0.8982816375978075) + 0.127; impact = restitution(0.5); }
        scenario s { x = 0.8; ẋ = 1; until t = 2; } }";
    for (text, method) in [wall, ball].into_iter().flat_map(|text| METHODS.map(|m| (text, m))) {
        let whole = run(text, method, None);
        let system = Interpreted::new(text).expect("it was run before");
        let scenario = eom_core::System::scenario(&system, 0).expect("a scenario");
        let start = State::new(scenario.t, scenario.q, scenario.v);
        let options = Options { method, until_time: scenario.until_time, ..Options::default() };
        let impacts = whole.impacts().map(|(_, event)| (event.t, event.v_minus()[0].abs()));
        let told = impacts.filter(|(_, speed)| *speed > 2e-6);
        let stops = told.flat_map(|(t, speed)| {
            let (near, rounding) = (f64::EPSILON * t, f64::EPSILON / (speed + 1e-3));
            [-4.0, -1.0, 0.0, 1.0, 4.0]
                .map(|k| t + k * near)
                .into_iter()
                .chain([t - 0.1 * rounding])
        });
        for stop in stops {
            let mut run = Run::new(&system, &start, &options).expect("it starts");
            let _ = run.advance_to(stop);
            let _ = run.advance_to(f64::INFINITY);
            let cut = run.finish();
            assert_eq!(cut.end, whole.end, "{method:?} {text} stopped at {stop:?}");
            assert_eq!(cut.events.len(), whole.events.len(), "{method:?} {text}: {stop:?}");
        }
    }
}

/// A swing passes a pole of the gap slowly, near its turning point. Late, a step that ends before the pole may be shorter
/// than the time can be told by a few of its roundings only.
#[test]
fn a_pole_is_told_late_as_it_is_early() {
    let text = "system Late { coordinates { x } kinetic = ẋ^2/2; potential = x^2/2;
        contact c { gap = -(1/(x - 1) + 0.3); impact = restitution(0.6); } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    for (i, t) in (1..100).flat_map(|i| [(i, 0.0), (i, 1e6)]) {
        let amplitude = 1.0 + 2e-5 * f64::from(i);
        let met = t + (1.0 / amplitude).asin();
        for method in METHODS {
            let options = Options { method, until_time: Some(t + 3.0), ..Options::default() };
            let start = State::new(t, [0.0], [amplitude]);
            let run = simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
            let end = run.expect("it starts").end;
            let is_pole = matches!(end, End::SingularGuard { .. } | End::NonFinite { .. });
            assert!(is_pole && (end.t() - met).abs() < 1e-7, "{method:?} {amplitude} {t:e}: {end}");
        }
    }
}

/// All that is left of the velocity of what rests is rounding, and strikes nothing at an event.
#[test]
fn what_rests_is_not_struck() {
    let text = "system Rests { coordinates { x } kinetic = 1.621*ẋ^2/2; potential = 0.372*x;
        contact c0 { gap = -(0.74*x + 0.969*x) + 0.6494770000000001; impact = elastic; }
        contact c1 { gap = -(x + 0.852*sin(3*x)) + 1.0854801614120926; impact = plastic; }
        contact c2 { gap = -((-0.574)*x + 0.823*x) + 0.616097; impact = elastic; }
        inputs { u } force x = u;
        event e0 { guard = sin(37.0*t); rising; }
        contact c3 { gap = (abs(x + 0.6205425046267737) - 0.001); impact = restitution(0); }
        event e1 { guard = tanh((x + 0.9107866748920422)/0.0001) + 0.134; both; }
        scenario s { u = -0.795; x = 0.153; ẋ = -1.557; until t = 1; } }";
    for method in METHODS.into_iter().chain([Method::Radau]) {
        let run = run(text, method, None);
        assert_eq!((run.impacts().count(), run.events.len()), (1, 7), "{method:?}");
    }
}

/// At 2πk two events cross together, in whichever order rounding has them; the reset of the one changes nothing that
/// the other is told by.
#[test]
fn of_two_events_at_one_time_none_is_lost() {
    let text = "system Two { coordinates { x } kinetic = ẋ^2/2;
        event a { guard = sin(37*t); rising; reset { ẋ = -ẋ; } }
        event b { guard = sin(3*t); rising; reset { ẋ = 2*ẋ; } }
        contact c { gap = x + 2000; impact = elastic; }
        scenario s { t = 0.1; ẋ = 1e-3; until t = 60; } }";
    for method in METHODS.into_iter().chain([Method::Radau]) {
        let run = run(text, method, None);
        let count = |event| {
            let of = |e: &&Event| e.kind == EventKind::Declared { event };
            run.events.iter().filter(of).count()
        };
        // ⌊60 k/(2π)⌋ for k = 37 and 3.
        assert_eq!([count(0), count(1)], [353, 28], "{method:?}: {}", run.end);
    }
}

/// x = −t enters a band between two samples and leaves it where the run is stopped: the guard is zero to rounding
/// there, and falls before it as it is seen by its bounds only.
#[test]
fn a_stop_at_the_end_of_a_band_loses_no_event() {
    let text = "system Band { coordinates { x } kinetic = ẋ^2/2;
        event e { guard = abs(x - 0.2) - 3e-4; rising; } scenario s { x = 0.743; ẋ = -1; until t = 3; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let start = State::new(0.0, [0.743], [-1.0]);
    for method in METHODS.into_iter().chain([Method::Radau]) {
        let options = Options { method, until_time: Some(3.0), ..Options::default() };
        let left = 0.743 - (0.2 - 3e-4);
        for stop in (-3..=3).map(|k| left + f64::from(k) * f64::EPSILON / 4.0) {
            let mut run = Run::new(&system, &start, &options).expect("it starts");
            let _ = run.advance_to(0.3);
            let _ = run.advance_to(stop);
            let _ = run.advance_to(f64::INFINITY);
            assert_eq!(run.event_count(), 1, "{method:?} stopped at {stop:?}");
        }
    }
}

/// Two events of one guard come together, always.
#[test]
fn of_two_events_of_one_guard_none_is_lost() {
    let text = "system Twins { coordinates { x, y } kinetic = ẋ^2/2 + (1 + 0.3*sin(y))*ẏ^2/2;
        contact floor { gap = x; impact = plastic; }
        event a { guard = sin(37*t); falling; reset { ẏ = 0.8*ẏ; } }
        event b { guard = sin(37*t); falling; reset { ẏ = -ẏ; } }
        scenario s { x = 0.1; ẋ = -1; ẏ = 0.3; until t = 20; } }";
    for method in METHODS.into_iter().chain([Method::Radau]) {
        let run = run(text, method, None);
        let of = |event| move |e: &&Event| e.kind == EventKind::Declared { event };
        let counts = [0, 1].map(|event| run.events.iter().filter(of(event)).count());
        // Odd multiples of π/37 up to 20.
        assert_eq!(counts, [118, 118], "{method:?}");
    }
}

/// Friction of a contact that is open is nothing that could be missed: flights between its impacts are proven, y = 1 − 5t².
#[test]
fn flights_of_what_has_friction_are_proven() {
    let text = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y;
        contact floor { gap = y; slip = ẋ; friction = 1/10; impact = elastic; }
        scenario s { y = 1; ẋ = 9; until t = 4; } }";
    let first = 0.2_f64.sqrt();
    let times: Vec<f64> =
        (0..5).map(|i| first * f64::from(2 * i + 1)).take_while(|t| *t < 4.0).collect();
    check(text, &times, 1e-12);
}

/// Two events with one guard fire together at every of its roots, also where t is told so badly that the root of the one leaves
/// the guard before zero. Whether the first resets the velocity says nothing.
#[test]
fn two_events_with_one_guard() {
    for (begin, reset) in
        [0.0, 1e3, 1e6, 1e9].into_iter().flat_map(|t| [(t, ""), (t, "reset { ẋ = ẋ - 0.17; }")])
    {
        let text = format!(
            "system S {{ coordinates {{ x }} kinetic = ẋ^2/2;
             event first {{ guard = sin(37*t); falling; {reset} }} event second {{ guard = sin(37*t); falling; }}
             scenario s {{ t = {begin:?}; ẋ = 0.057; until t = {:?}; }} }}",
            begin + 1.0
        );
        // sin(37 t) falls where 37 t/π is odd.
        let turns = |t: f64| (37.0 * t / PI - 1.0) / 2.0;
        let first = turns(begin).floor() + 1.0;
        let count = turns(begin + 1.0).floor() + 1.0 - first;
        for method in METHODS {
            let run = run(&text, method, None);
            let times: Vec<f64> = run.events.iter().map(|event| event.t).collect();
            assert_eq!(times.len() as f64, 2.0 * count, "{method:?} {text}: {times:?}");
            for (k, pair) in times.chunks(2).enumerate() {
                let root = (2.0 * (first + k as f64) + 1.0) * PI / 37.0;
                let off = 1e-12 + 16.0 * f64::EPSILON * begin;
                assert!(pair.iter().all(|t| (t - root).abs() < off), "{method:?} {root}: {pair:?}");
            }
        }
    }
}

/// A run that is cut at the root of an event, or some roundings beside it, has the event once, alone and beside a contact whose
/// bodies touch: what rounding makes of a step of three roundings of the time is no way back.
#[test]
fn a_cut_at_a_root_has_the_event_once() {
    let root = 0.638_961_038_961_039_3;
    let touching = "parameters { p = 0 } contact c { gap = y - x - 1 + p; impact = elastic; }";
    let guards = ["abs(x - 0.0462) - 0.003", "x - 0.0492", "(x - 0.0462)^2 - 0.000009"];
    for (guard, contact) in guards.into_iter().flat_map(|guard| [(guard, ""), (guard, touching)]) {
        let text = format!(
            "system S {{ coordinates {{ x, y }} kinetic = (0.7*ẋ^2 + ẏ^2)/2; {contact}
             event e {{ guard = {guard}; rising; }} }}"
        );
        let system = Interpreted::new(&text).expect("a system");
        let start = State::new(0.0, [0.0, 1.0], [0.077; 2]);
        for (method, k) in
            METHODS.into_iter().flat_map(|method| (-12..=12).map(move |k| (method, k)))
        {
            let cut = root + f64::from(k) * f64::EPSILON / 2.0;
            let options = Options { method, until_time: Some(6.0), ..Options::default() };
            let mut run = Run::new(&system, &start, &options).expect("a start");
            let _ = run.advance_to(cut);
            let _ = run.advance_to(6.0);
            let whole = run.finish();
            let go_on = &mut |_: &Progress<'_>| ControlFlow::Continue(());
            let short = Options { until_time: Some(cut), ..options };
            let short = simulate(&system, &start, &[], &short, go_on).expect("a run");
            // What touches is moved by the rounding of the other body, twenty times what the guard knows of: a run may end there.
            let least = usize::from(whole.end.is_complete());
            assert!(least == 1 || !contact.is_empty(), "{}", whole.end);
            for (events, least) in [(whole.events, least), (short.events, 0)] {
                let times: Vec<f64> = events.iter().map(|event| event.t).collect();
                let is_one = (least..=1).contains(&times.len());
                assert!(is_one, "{method:?} {guard} {contact} {k}: {times:?}");
            }
        }
    }
}

/// What happens in a run from the only scenario, as loosely as this, with nothing else than `kind`.
fn times_at(text: &str, method: Method, tolerance: f64, kind: fn(&EventKind) -> bool) -> Vec<f64> {
    let options = Options {
        method,
        relative_tolerance: tolerance,
        absolute_tolerance: AbsoluteTolerance::All(0.01 * tolerance),
        ..Options::default()
    };
    let run = run_with(text, options, None);
    run.events.iter().filter(|event| kind(&event.kind)).map(|event| event.t).collect()
}

/// The same events by every method, however loose its tolerance.
fn check_loosely(text: &str, kind: fn(&EventKind) -> bool, wanted: &[f64]) {
    for method in [Method::Automatic, Method::RungeKutta, Method::Taylor, Method::Radau] {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-9] {
            let found = times_at(text, method, tolerance, kind);
            assert_eq!(found.len(), wanted.len(), "{method:?} {tolerance:e} {text}: {found:?}");
            for (found, wanted) in found.iter().zip(wanted) {
                let error = (found - wanted).abs();
                assert!(error < 0.1, "{method:?} {tolerance:e} {text}: {found} for {wanted}");
            }
        }
    }
}

/// x = 2 cos t has x⁴ = 2 at kπ ± 0.934…, e^{6x} = 20 at 2kπ ± 1.318….
#[test]
fn no_event_is_passed_by_a_loose_tolerance() {
    let declared = |kind: &EventKind| matches!(kind, EventKind::Declared { .. });
    let oscillator = |guard: &str| {
        format!(
            "system O {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = x^2/2;
               event e {{ guard = {guard}; both; }} scenario s {{ x = 2; until t = 20; }} }}"
        )
    };
    let around = |step: f64, angle: f64| {
        let times = (0..8).flat_map(|k| [step * f64::from(k) - angle, step * f64::from(k) + angle]);
        times.filter(|t| (0.0..20.0).contains(t)).collect::<Vec<f64>>()
    };
    let fourth = around(PI, 0.125_f64.powf(0.25).acos());
    check_loosely(&oscillator("x^4 - 2"), declared, &fourth);
    check_loosely(
        &oscillator("exp(6*x) - 20"),
        declared,
        &around(2.0 * PI, (20_f64.ln() / 12.0).acos()),
    );
}

/// A bead that friction holds at r = 1 of a rod whose rate grows as t/2: it gives way where θ̇² = F = 4.
#[test]
fn friction_gives_way_at_a_loose_tolerance() {
    let bead = "system Bead { coordinates { r, θ } inputs { τ } parameters { F = 4 }
        kinetic = (ṙ^2 + (1 + r^2)*θ̇^2)/2; dissipation = F*norm([ṙ]); force θ = τ;
        scenario s { r = 1; τ = 1; until t = 5; } }";
    check_loosely(bead, |kind| matches!(kind, EventKind::Slip { .. }), &[4.0]);
}
