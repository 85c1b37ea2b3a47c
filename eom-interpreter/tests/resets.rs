//! Declared events whose resets leave their guards at zero: turned back, carried on, again and again; by all methods,
//! in one go and cut at other places.

use eom_core::{End, EventKind, Method, Options, Run, State, System as _};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;

const METHODS: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

/// Parts of the span at which a run is cut.
const CUTS: [&[f64]; 3] = [&[], &[0.5], &[0.11, 0.37, 0.371, 0.83]];

/// The time of each event, and which it was.
type Events = Vec<(f64, &'static str)>;

/// Runs the only scenario of a declaration, in parts.
fn run(text: &str, method: Method, cuts: &[f64]) -> (Events, End) {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = system.scenario(0).expect("a scenario");
    let end = scenario.until_time.expect("an end");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let options = Options { method, relative_tolerance: 1e-12, ..Options::default() };
    let mut run = Run::with_inputs(&system, &start, &scenario.u, &options).expect("a start");
    for part in cuts.iter().chain(&[1.0]) {
        if run.advance_to(scenario.t + part * (end - scenario.t)).is_break() {
            break;
        }
    }
    let name = |kind: &EventKind| match kind {
        EventKind::Declared { event } => system.info().events[*event].name,
        EventKind::Stick { .. } => "stick",
        EventKind::Slip { .. } => "slip",
        kind => panic!("{text}: {kind:?}"),
    };
    let events = run.events_since(0).iter().map(|event| (event.t, name(&event.kind)));
    (events.collect(), run.end().cloned().unwrap_or(End::ReachedTime { t: run.t() }))
}

/// All methods and all cuts find these events, and reach the end.
fn check(items: &str, scenario: &str, wanted: &[(f64, &str)]) {
    let text = format!(
        "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; {items} scenario s {{ {scenario} }} }}"
    );
    for method in METHODS {
        for cuts in CUTS {
            let (found, end) = run(&text, method, cuts);
            assert!(matches!(end, End::ReachedTime { .. }), "{method:?} {cuts:?} {text}: {end}");
            let same = |((t, name), (wanted, of)): (&(f64, &str), &(f64, &str))| {
                name == of && (t - wanted).abs() <= 1e-10 * (1.0 + wanted)
            };
            let agrees = found.len() == wanted.len() && found.iter().zip(wanted).all(same);
            assert!(agrees, "{method:?} {cuts:?} {text}: {found:?} for {wanted:?}");
        }
    }
}

const END: f64 = 18.0;

/// x = cos t is turned back at −1/2, at 2π/3: from there on it has a period of 4π/3.
fn turned(twins: &[&'static str]) -> Vec<(f64, &'static str)> {
    let (turn, period) = (2.0 * PI / 3.0, 4.0 * PI / 3.0);
    let passes = 0.3_f64.acos();
    let mut events = vec![(passes, "top")];
    for k in 0..4 {
        let t = turn + f64::from(k) * period;
        events.extend(twins.iter().map(|twin| (t, *twin)));
        events.extend([(t + turn - passes, "top"), (t + turn + passes, "top")]);
    }
    events.retain(|(t, _)| *t < END);
    events
}

const OSCILLATOR: &str =
    "potential = (x^2 + y^2)/2; event turn { guard = x + 1/2; falling; reset { ẋ = -ẋ; } }";
const TOP: &str = "event top { guard = x - 0.3; both; }";

#[test]
fn a_motion_that_is_turned_back_passes_its_guard_once() {
    let start = "x = 1; until t = 18;";
    check(&format!("{OSCILLATOR} {TOP}"), start, &turned(&["turn"]));
    // The same where the guard rises, and where it may do both.
    let mirrored = OSCILLATOR.replace("x + 1/2; falling", "-1/2 - x; rising");
    check(&format!("{mirrored} {TOP}"), start, &turned(&["turn"]));
    let both = OSCILLATOR.replace("falling", "both");
    check(&format!("{both} {TOP}"), start, &turned(&["turn"]));
}

/// Events at the same root to the last digit, that the first one turns back with it.
#[test]
fn what_is_turned_back_at_its_own_root_has_been_there() {
    let twins =
        "event twin { guard = 3*x + 1.5; falling; } event third { guard = 0.7*x + 0.35; both; }";
    check(
        &format!("{OSCILLATOR} {twins} {TOP}"),
        "x = 1; until t = 18;",
        &turned(&["turn", "twin", "third"]),
    );
}

/// A reset that does not turn the guard, and one that moves another coordinate only.
#[test]
fn a_motion_that_goes_on_passes_its_guard_once() {
    let slower = "event gate { guard = x; both; reset { ẋ = ẋ/2; } } event behind { guard = x + 0.25; both; }";
    check(slower, "x = 1; ẋ = -1; until t = 4;", &[(1.0, "gate"), (1.5, "behind")]);
    let aside = "event gate { guard = x; falling; reset { y = y + 1; } }";
    check(aside, "x = 1; ẋ = -1; until t = 4;", &[(1.0, "gate")]);
}

/// Where the reset takes all speed there is a root behind, and no event: it has been told.
#[test]
fn a_motion_that_is_stopped_at_its_guard_passes_it_once() {
    let stop = "potential = 9.81*x; event floor { guard = x; falling; reset { ẋ = 0; } }";
    let fall = (2.0 / 9.81_f64).sqrt();
    check(stop, "x = 1; until t = 3;", &[(fall, "floor")]);
}

/// A ball by an event: at (2k + 1) t₁ without loss.
#[test]
fn a_ball_by_an_event_bounces() {
    let ball = "potential = 9.81*x; event floor { guard = x; falling; reset { ẋ = -ẋ; } }";
    let fall = (2.0 / 9.81_f64).sqrt();
    let bounces: Vec<_> = (0..8).map(|k| (f64::from(2 * k + 1) * fall, "floor")).collect();
    check(ball, "x = 1; until t = 7;", &bounces);
}

/// With e = 1/2 the bounces accumulate at 3 t₁, and what comes behind is not declared: no ball falls through a floor
/// in silence.
#[test]
fn resets_that_accumulate_end_a_run() {
    let limit = 3.0 * (2.0 / 9.81_f64).sqrt();
    let text = "system Ball { coordinates { x } kinetic = ẋ^2/2; potential = 9.81*x;
        event floor { guard = x; falling; reset { ẋ = -ẋ/2; } } scenario s { x = 1; until t = 9; } }";
    for method in METHODS {
        let (events, end) = run(text, method, &[]);
        let End::AccumulatingEvent { t, event: "floor" } = end else { panic!("{method:?}: {end}") };
        // Radau's steps err by about their tolerance, and so is the guard known: what is left of the limit is its root.
        let left = if method == Method::Radau { 4e-8 } else { 1e-8 };
        assert!((t - limit).abs() <= left, "{method:?}: {t} for {limit}");
        assert!(events.len() > 20, "{method:?}: {}", events.len());
    }
}

/// A guard that a reset itself sets back, by 1.9|v|: with v₁ = −1/4 it is at zero again 1.4|v| later, and v falls to half, so
/// that the limit is 2.9.
#[test]
fn resets_that_set_a_guard_back_by_less_and_less_end_a_run() {
    let text = "system Ball { coordinates { x } kinetic = ẋ^2/2; potential = x;
        event e { guard = ẋ - 5/14*t + 29/28; falling; reset { ẋ = -0.9*ẋ; } }
        scenario s { ẋ = 1; until t = 5; } }";
    for method in METHODS {
        let (events, end) = run(text, method, &[]);
        let End::AccumulatingEvent { t, event: "e" } = end else { panic!("{method:?}: {end}") };
        assert!((t - 2.9).abs() <= 1e-13, "{method:?}: {t}");
        assert!(events.len() > 40, "{method:?}: {}", events.len());
    }
}

/// A block that slides on a floor, or on a rail, between walls by events: at t with 2t − gμt²/2 = 1, back at half the
/// speed, and stopped there after v/(gμ).
#[test]
fn friction_has_guards_beside_declared_events() {
    let walls = "event half { guard = x - 1/2; both; } event wall { guard = 1 - x; falling; reset { ẋ = -ẋ/2; } }";
    let contact =
        "potential = 10*y; contact floor { gap = y; slip = ẋ; friction = 1/10; impact = plastic; }";
    let rail = "dissipation = abs(ẋ);";
    let reach = |x: f64| 2.0 - (4.0 - 2.0 * x).sqrt();
    // It comes back at √2/2, and stops 1/4 from the wall.
    let stops = reach(1.0) + 0.5_f64.sqrt();
    let wanted = [(reach(0.5), "half"), (reach(1.0), "wall"), (stops, "stick")];
    for items in [contact, rail] {
        check(&format!("{items} {walls}"), "ẋ = 2; until t = 4;", &wanted);
    }
}

/// A guard that passes zero the way that does not fire, at the root of an event with a reset.
#[test]
fn a_guard_that_passes_the_other_way_does_not_fire() {
    let clock = "event up { guard = sin(37*t); rising; reset { x = x - 0.0736; } } event down { guard = sin(37*t); falling; }";
    let told: Vec<_> = (1..36)
        .map(|k| (f64::from(k) * PI / 37.0, if k % 2 == 1 { "down" } else { "up" }))
        .collect();
    check(clock, "x = 0.561; ẋ = 0.559; until t = 3;", &told);
}

/// A body between two events that turn it round, as walls do: a root that is solved on a step far longer than the way to it is
/// left by more than the guard is rounded by, and no root of the way back.
#[test]
fn events_turn_a_body_round() {
    let items = "event right { guard = x - 1; both; reset { ẋ = -ẋ; } }
        event left { guard = x; both; reset { ẋ = -ẋ; } }";
    let name = |k: u32| if k.is_multiple_of(2) { "right" } else { "left" };
    let wanted: Vec<_> = (0..20).map(|k| (0.5 + f64::from(k), name(k))).collect();
    check(items, "x = 0.5; ẋ = 1; until t = 20.0;", &wanted);
}

/// What is turned round where its guard is zero has not been behind zero: another event of the same guard does not fire on the
/// way back.
#[test]
fn what_is_turned_round_at_zero_does_not_rise_through_it() {
    let items = "event up { guard = x; rising; reset { ẋ = -1; } }
        event down { guard = x; falling; reset { ẋ = 1; } }";
    check(items, "x = 1; ẋ = -1; until t = 3.0;", &[(1.0, "down")]);
}
