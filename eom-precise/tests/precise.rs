//! Runs of forty digits and more, against closed forms of as many digits that are not from this code.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_core::{
    End, EventCount, Law, Method, Options, Sampling, State, System, Trajectory, Unfollowed,
};
use eom_interpreter::Interpreted;
use eom_precise::{Given, Precise, Precision, Real, Refusal, run};
use std::ops::ControlFlow;

/// A system from its text, and where its scenario starts.
fn started(source: &str) -> (Interpreted, State) {
    let system = Interpreted::new(source).unwrap_or_else(|found| panic!("{found:?}"));
    let scenario = system.scenario(0).unwrap();
    let mut start = State::new(scenario.t, scenario.q, scenario.v);
    let unknowns = system.info().scenarios[0].solve;
    if !unknowns.is_empty() {
        eom_core::solve_unknowns(&system, unknowns, &mut start).unwrap();
    }
    (system, start)
}

/// The run in doubles.
fn in_doubles(source: &str, options: &Options) -> Trajectory {
    let (system, start) = started(source);
    let mut observer = |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
    eom_core::simulate(&system, &start, &[], options, &mut observer).unwrap()
}

/// The run of many digits.
fn refused_or(source: &str, digits: u32, options: &Options) -> Result<Precise, Refusal> {
    let (system, start) = started(source);
    let info = system.info();
    let mut parameters = vec![0.0; info.parameters.len()];
    system.parameters(&mut parameters);
    let given = Given {
        t: start.t,
        q: &start.q,
        v: &start.v,
        inputs: &[],
        parameters: &parameters,
        scenario: Some(0),
    };
    let derivation = system.derivation();
    let precision = Precision::new(digits).unwrap();
    let system = (&derivation.model, &derivation.equations);
    run(system, info, given, (options, precision), &mut |_| ControlFlow::Continue(()))
}

fn precise(source: &str, digits: u32, options: &Options) -> Precise {
    refused_or(source, digits, options).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn until(t: f64) -> Options {
    Options { until_time: Some(t), sampling: Sampling::Ends, ..Options::default() }
}

fn impacts(count: usize) -> Options {
    Options { until_impacts: Some(count), sampling: Sampling::Ends, ..Options::default() }
}

/// |a − b| is below 10^−digits of the larger of |b| and 1.
fn agree(found: &Real, wanted: &Real, digits: f64) {
    let error = (found - wanted).log2() / std::f64::consts::LOG2_10;
    let size = wanted.log2().max(0.0) / std::f64::consts::LOG2_10;
    assert!(
        error <= size - digits,
        "{} {}, 1e{error:.1}",
        found.to_digits(50),
        wanted.to_digits(50)
    );
}

const OSCILLATOR: &str = "system Oscillator {
    coordinates { x }
    parameters { m = 3/7 where m > 0, k = 1/3 where k > 0 }
    kinetic = m/2*ẋ^2;
    potential = k/2*x^2;
    scenario start { x = 1/3; ẋ = 2/3; until t = 10; }
}";

/// x = x₀ cos ωt + v₀/ω sin ωt with ω² = 7/9.
#[test]
fn an_oscillator_has_its_digits() {
    for digits in [17, 40, 100] {
        let found = precise(OSCILLATOR, digits, &until(10.0));
        let p = Precision::new(digits).unwrap();
        let ω = p.integer(7).sqrt().unwrap().over(&p.integer(3)).unwrap();
        let angle = &ω * &p.integer(10);
        let (cos, sin) = (angle.call("cos").unwrap(), angle.call("sin").unwrap());
        let third = p.integer(1).over(&p.integer(3)).unwrap();
        let swing = (&p.integer(2) * &third).over(&ω).unwrap();
        let x = &(&third * &cos) + &(&swing * &sin);
        agree(&found.last.y[0], &x, f64::from(digits));
        agree(&found.energy_change, &p.zero(), f64::from(digits));
        assert!(matches!(found.trajectory.end, End::ReachedTime { t: 10.0 }));
    }
}

const BALL: &str = "system Ball {
    coordinates { x, y }
    parameters { m = 1 where m > 0, g = 9.81, e = 1 }
    kinetic = m/2*(ẋ^2 + ẏ^2);
    potential = m*g*y;
    contact floor { gap = y; impact = restitution(e); }
    event apex { guard = ẏ; }
    scenario drop { y = 1.1; ẋ = 0.3; until t = 20; }
}";

/// The nth impact of an elastic ball from h at rest is at (2n − 1)√(2h/g).
#[test]
fn an_elastic_ball_strikes_in_time() {
    let found = precise(BALL, 40, &impacts(20));
    let p = Precision::new(40).unwrap();
    let ratio = p.decimal("2.2").unwrap().over(&p.decimal("9.81").unwrap()).unwrap();
    let fall = ratio.sqrt().unwrap();
    let struck: Vec<_> = found.happened.iter().filter(|what| what.contact == Some(0)).collect();
    assert_eq!(struck.len(), 20);
    for (n, what) in (0..).zip(&struck) {
        let time = &p.integer(2 * n + 1) * &fall;
        agree(&what.before.t, &time, 40.0);
        agree(&what.before.y[0], &(&p.decimal("0.3").unwrap() * &time), 40.0);
        agree(&what.before.y[1], &p.zero(), 40.0);
    }
    let apices = found.happened.iter().filter(|what| what.event == Some(0)).count();
    assert_eq!(apices, 19, "one between two impacts");
    assert!(matches!(found.trajectory.end, End::ReachedImpacts { impacts: 20, .. }));
    agree(&found.energy_change, &p.zero(), 38.0);
}

/// With e = 1/2 flights halve: they are followed as far as the digits tell, twice as far with twice the digits.
#[test]
fn impacts_that_accumulate_end_typed() {
    let source = BALL.replace("e = 1 }", "e = 1/2 }").replace("event apex { guard = ẏ; }", "");
    let count = |digits| {
        let found = precise(&source, digits, &until(20.0));
        let end = &found.trajectory.end;
        assert!(
            matches!(end, End::NotFollowed { contact: "floor", why: Unfollowed::Accumulates, .. }),
            "{end}"
        );
        // Σ of all flights: √(2h/g)(1 + 2e/(1 − e)) = 3√(2h/g).
        assert!((end.t() - 3.0 * (2.2_f64 / 9.81).sqrt()).abs() < 1e-9, "{end}");
        found.happened.len()
    };
    let (forty, eighty) = (count(40), count(80));
    assert!((115..130).contains(&forty), "{forty}");
    assert!((240..265).contains(&eighty), "{eighty}");
}

const PENDULUM: &str = "system Pendulum {
    coordinates { θ }
    parameters { m = 1 where m > 0, l = 0.7 where l > 0, g = 9.81 }
    kinetic = m*l^2/2*θ̇^2;
    potential = -m*g*l*cos(θ);
    event down { guard = θ; both; }
    scenario aside { θ = 1; until t = 20; }
}";

/// A quarter of the period is π/2 √(l/g)/agm(1, cos θ₀/2) (Gauss).
#[test]
fn a_pendulum_keeps_the_period_of_gauss() {
    let options = Options {
        until_events: Some(EventCount { event: Some(0), count: 7 }),
        sampling: Sampling::Ends,
        ..Options::default()
    };
    let found = precise(PENDULUM, 50, &options);
    let p = Precision::new(50).unwrap();
    let half = p.integer(1).over(&p.integer(2)).unwrap();
    let (mut a, mut b) = (p.integer(1), half.call("cos").unwrap());
    for _ in 0..8 {
        (a, b) = (&(&a + &b) * &half, (&a * &b).sqrt().unwrap());
    }
    let root = p.decimal("0.7").unwrap().over(&p.decimal("9.81").unwrap()).unwrap().sqrt().unwrap();
    let quarter = (&(&p.pi() * &half) * &root).over(&a).unwrap();
    for (n, what) in (0..).zip(&found.happened) {
        agree(&what.before.t, &(&p.integer(2 * n + 1) * &quarter), 50.0);
    }
    assert_eq!(found.happened.len(), 7);
    agree(&found.energy_change, &p.zero(), 48.0);
}

/// The same in Cartesian coordinates on a rod: the constraint is kept, by power series and at the start.
#[test]
fn a_pendulum_on_a_rod_keeps_it_too() {
    let source = "system Rod {
        coordinates { x, y }
        parameters { m = 2 where m > 0, l = 0.7 where l > 0, g = 9.81 }
        kinetic = m/2*(ẋ^2 + ẏ^2);
        potential = m*g*y;
        holonomic { rod: x^2 + y^2 = l^2; }
        event down { guard = x; both; }
        scenario aside { x = l*sin(1); y = -l*cos(1); until t = 20; }
    }";
    let options =
        Options { until_events: Some(EventCount { event: Some(0), count: 3 }), ..until(20.0) };
    let (found, angle) = (precise(source, 40, &options), precise(PENDULUM, 40, &options));
    let p = Precision::new(40).unwrap();
    assert_eq!(found.happened.len(), 3);
    for (rod, angle) in found.happened.iter().zip(&angle.happened) {
        agree(&rod.before.t, &angle.before.t, 40.0);
        let [x, y] = [&rod.after[0], &rod.after[1]];
        agree(&(&(x * x) + &(y * y)), &p.decimal("0.49").unwrap(), 40.0);
    }
}

/// Flights of a ball with e = 1/3 last 2√(2h/g)/3ⁿ.
#[test]
fn a_ball_loses_a_third_of_its_rate() {
    let source = BALL.replace("e = 1 }", "e = 1/3 }").replace("event apex { guard = ẏ; }", "");
    let found = precise(&source, 40, &impacts(15));
    let p = Precision::new(40).unwrap();
    let ratio = p.decimal("2.2").unwrap().over(&p.decimal("9.81").unwrap()).unwrap();
    let fall = ratio.sqrt().unwrap();
    let (mut time, mut flight) = (fall.clone(), &p.integer(2) * &fall);
    for what in &found.happened {
        agree(&what.before.t, &time, 40.0);
        flight = flight.over(&p.integer(3)).unwrap();
        time = &time + &flight;
    }
    assert_eq!(found.happened.len(), 15);
}

/// A plastic impact on a wall that a force leads away from: x = 1 − 2t + t²/2 until 2 − √2, then half a square; a weight
/// rests instead, and the run says so.
#[test]
fn a_plastic_impact_leaves_or_rests() {
    let source = "system Wall {
        coordinates { x }
        parameters { f = 1 }
        kinetic = ẋ^2/2;
        force x = f;
        contact wall { gap = x; impact = plastic; }
        scenario throw { x = 1; ẋ = -2; until t = 3; }
    }";
    let found = precise(source, 40, &until(3.0));
    let p = Precision::new(40).unwrap();
    let struck = &p.integer(2) - &p.integer(2).sqrt().unwrap();
    agree(&found.happened[0].before.t, &struck, 40.0);
    let after = &p.integer(3) - &struck;
    let x = (&after * &after).over(&p.integer(2)).unwrap();
    agree(&found.last.y[0], &x, 39.0);
    let resting = source.replace("f = 1", "f = -1");
    let found = precise(&resting, 40, &until(3.0));
    let end = found.trajectory.end;
    assert!(matches!(end, End::NotFollowed { why: Unfollowed::Rests, .. }), "{end}");
    // 1 − 2t − t²/2 = 0.
    assert!((end.t() - (6.0_f64.sqrt() - 2.0)).abs() < 1e-15, "{end}");
}

/// x = 1 − 2t + (1 + δ) t² is least at t = 1/(1 + δ), δ/(1 + δ): for δ = 10⁻²⁵ it touches nothing, for δ = −10⁻²⁵ it strikes
/// at (1 − √−δ)/(1 + δ), and for δ = 0 no number of digits tells.
#[test]
fn a_graze_is_told_as_far_as_it_can_be() {
    let run = |force: &str| {
        let source = "system Graze {
            coordinates { x }
            parameters { f = FORCE }
            kinetic = ẋ^2/2;
            force x = f;
            contact wall { gap = x; impact = elastic; }
            scenario throw { x = 1; ẋ = -2; until t = 1.5; }
        }";
        precise(&source.replace("FORCE", force), 40, &until(1.5))
    };
    let passes = run("2 + 2/10^25");
    assert!(passes.trajectory.end.is_complete() && passes.happened.is_empty());
    let strikes = run("2 - 2/10^25");
    let p = Precision::new(40).unwrap();
    let (one, δ) = (p.integer(1), p.decimal("1e-25").unwrap());
    let time = (&one - &δ.sqrt().unwrap()).over(&(&one - &δ)).unwrap();
    agree(&strikes.happened[0].before.t, &time, 38.0);
    for force in ["2", "2/2 + 1"] {
        let end = run(force).trajectory.end;
        let End::UnresolvedEvent { t, value, rounding, .. } = end else { panic!("{end}") };
        assert!((t - 1.0).abs() < 1e-15 && value.abs() <= rounding && rounding < 1e-36);
    }
}

/// Resets: from x = 1 back to 0, three times as slow each time, so at 1, 4, 13, 40.
#[test]
fn events_reset_the_state() {
    let source = "system Lap {
        coordinates { x }
        kinetic = ẋ^2/2;
        event line { guard = 1 - x; reset { x = 0; ẋ = ẋ/3; } }
        scenario go { ẋ = 1; until t = 50; }
    }";
    let found = precise(source, 40, &until(50.0));
    let p = Precision::new(40).unwrap();
    let times: Vec<&Real> = found.happened.iter().map(|what| &what.before.t).collect();
    assert_eq!(times.len(), 4);
    for (time, wanted) in times.into_iter().zip([1, 4, 13, 40]) {
        agree(time, &p.integer(wanted), 38.0);
    }
    agree(&found.last.y[0], &p.integer(10).over(&p.integer(81)).unwrap(), 38.0);
}

/// A reset that leaves the constraints is brought back to them. At (3, −4)/5 the tangent of the circle is τ = (4, 3)/5: of v = s τ
/// with half of ẋ it leaves (8 + 9)/25 of s. A place that is set is taken back along the radius: (3, −4)/5 with x = 16/15 is on
/// the ray of (4, −3)/5.
#[test]
fn resets_are_brought_to_the_constraints() {
    let source = |reset: &str| {
        format!(
            "system Rod {{
                coordinates {{ x, y }}
                parameters {{ m = 2 where m > 0, g = 9.81 }}
                kinetic = m/2*(ẋ^2 + ẏ^2);
                potential = m*g*y;
                holonomic {{ rod: x^2 + y^2 = 1; }}
                event there {{ guard = x - 3/5; rising; reset {{ {reset} }} }}
                scenario below {{ y = -1; ẋ = 3; until t = 1; }}
            }}"
        )
    };
    let p = Precision::new(40).unwrap();
    let of = |a: i64, b: i64| p.integer(a).over(&p.integer(b)).unwrap();
    let found = precise(&source("ẋ = ẋ/2;"), 40, &until(1.0));
    let there = &found.happened[0];
    for entry in [2, 3] {
        agree(&there.after[entry], &(&of(17, 25) * &there.before.y[entry]), 38.0);
    }
    let found = precise(&source("x = 16/15;"), 40, &until(1.0));
    for (entry, wanted) in [(0, of(4, 5)), (1, of(-3, 5))] {
        agree(&found.happened[0].after[entry], &wanted, 38.0);
    }
}

/// Samples at an interval, and events, are those of a run in doubles.
#[test]
fn samples_are_those_of_doubles() {
    let every = Options { sampling: Sampling::Every(0.25), ..until(2.0) };
    let found = precise(PENDULUM, 30, &every);
    let doubles = in_doubles(PENDULUM, &every);
    let samples = &found.trajectory.samples;
    assert_eq!(samples.len(), doubles.samples.len());
    for (one, other) in samples.iter().zip(&doubles.samples) {
        assert_eq!(one.t, other.t);
        assert!((one.q[0] - other.q[0]).abs() < 1e-12 && (one.v[0] - other.v[0]).abs() < 1e-12);
    }
    assert_eq!(found.trajectory.events.len(), doubles.events.len());
}

/// Systems with rotations, functions, quasi-velocities, rows of contacts, names that are exchanged, resets and conditions: the
/// events of doubles, and their times to what doubles know.
#[test]
fn models_do_as_in_doubles() {
    // table: the system, until when, events
    for (source, t, count) in [
        (include_str!("../../models/eom/table-ball.eom"), 0.56, 3),
        (include_str!("../../models/eom/wall-ball.eom"), 3.0, 1),
        (include_str!("../../models/eom/box-ball.eom"), 12.0, 3),
        (include_str!("../../models/eom/newton-ball.eom"), 0.75, 0),
        (include_str!("../../models/gallery/compass-walker.eom"), 3.0, 2),
        (include_str!("../../models/gallery/rimless-wheel.eom"), 3.0, 1),
        (include_str!("../../models/gallery/heavy-top.eom"), 1.0, 0),
        (include_str!("../../models/gallery/rattleback.eom"), 0.5, 0),
    ] {
        let options = Options { method: Method::Automatic, ..until(t) };
        let (found, doubles) = (precise(source, 25, &options), in_doubles(source, &options));
        assert!(found.trajectory.end.is_complete(), "{}", found.trajectory.end);
        assert_eq!(found.happened.len(), doubles.events.len());
        assert!(found.happened.len() >= count, "{} of {count}", found.happened.len());
        for (one, other) in found.trajectory.events.iter().zip(&doubles.events) {
            assert!((one.t - other.t).abs() < 1e-10, "{} {}", one.t, other.t);
            for (one, other) in one.v_plus().iter().zip(other.v_plus()) {
                assert!((one - other).abs() < 1e-8 * (1.0 + other.abs()), "{one} {other}");
            }
        }
        let [one, other] = [&found.trajectory, &doubles].map(|run| run.samples.last().unwrap());
        for (one, other) in one.q.iter().zip(&other.q) {
            assert!((one - other).abs() < 1e-8 * (1.0 + other.abs()), "{one} {other}");
        }
    }
}

/// A run is the same bits again.
#[test]
fn runs_repeat() {
    let [one, other] = [0, 1].map(|_| precise(PENDULUM, 60, &until(1.0)).last);
    assert_eq!(one, other);
}

/// Forces that a number could not have: typed ends, no panics.
#[test]
fn what_has_no_value_ends_typed() {
    let source = "system Root {
        coordinates { x }
        parameters { p = 1 }
        kinetic = ẋ^2/2;
        potential = POT;
        scenario go { x = 1; ẋ = -1; until t = 3; }
    }";
    for (potential, start) in [
        ("ln(x)", "x = 1"),
        ("sqrt(x)", "x = 1"),
        ("-1/x", "x = 1"),
        ("-x^4", "x = 2"),
        ("sqrt(x)", "x = 0"),
        ("exp(exp(exp(x)))", "x = 5"),
    ] {
        let text = source.replace("POT", potential).replace("x = 1;", &format!("{start};"));
        let found = precise(&text, 30, &Options { steps_max: 3000, ..until(3.0) });
        let end = &found.trajectory.end;
        assert!(!end.is_complete(), "{potential}: {end}");
        let finite =
            |state: &State| state.q.iter().chain(&state.v).all(|number| number.is_finite());
        assert!(found.trajectory.samples.iter().all(finite), "{potential}");
    }
}

fn penny(shape: &str) -> (String, Options) {
    let source = include_str!("../../models/eom/penny.eom");
    let source = source.replace("a = 0.15 where", &format!("a = {shape} where"));
    (source, Options { law: Some(Law::Project), method: Method::Taylor, ..impacts(20) })
}

/// Figures 2 and 4 of bouncing-penny: twenty plastic impacts, which doubles cannot tell; forty digits and sixty agree,
/// and with the first eighteen times in the reference of `eom-core/tests/penny.rs`.
#[test]
fn a_penny_grazes_on() {
    // Doubles tell sixteen, or one more by the luck of roundings.
    let table = [("0.20", 7.559_507_942_091_633), ("0.15", 24.831_555_986_165_24)];
    for (shape, last) in table {
        let (source, options) = penny(shape);
        let [forty, sixty] = [40, 60].map(|digits| precise(&source, digits, &options));
        for found in [&forty, &sixty] {
            let end = &found.trajectory.end;
            assert!(matches!(end, End::ReachedImpacts { impacts: 20, .. }), "{shape}: {end}");
        }
        let p = Precision::new(40).unwrap();
        for (one, other) in forty.happened.iter().zip(&sixty.happened) {
            assert_eq!(one.contact, other.contact);
            let read = |real: &Real| p.decimal(&real.to_digits(50)).unwrap();
            agree(&one.before.t, &read(&other.before.t), 38.0);
            for (one, other) in one.after.iter().zip(&other.after) {
                agree(one, &read(other), 38.0);
            }
        }
        let t = forty.happened[17].before.t.to_f64();
        assert!((t - last).abs() < 1e-13, "{t} {last}");
        agree(&forty.energy_change, &p.zero(), 38.0);
        assert!(forty.shared_digits(&sixty.last) >= 40);
        // What doubles tell, to what their roundings make of it.
        let doubles = in_doubles(&source, &options);
        assert!(matches!(doubles.end, End::UnresolvedEvent { .. }), "{}", doubles.end);
        assert!([16, 17].contains(&doubles.events.len()), "{shape}: {}", doubles.events.len());
        for (event, happened) in doubles.events.iter().zip(&forty.happened) {
            let error = (event.t - happened.before.t.to_f64()).abs();
            assert!(error < 1e-7, "{shape}, t = {}: {error:e}", event.t);
        }
    }
}

#[test]
fn what_is_not_done_is_refused() {
    let rough = BALL
        .replace("impact = restitution(e);", "impact = restitution(e); slip = ẋ; friction = 1/2;");
    let refusal = refused_or(&rough, 40, &until(1.0)).expect_err("friction");
    assert_eq!(refusal, Refusal::Friction { contact: Some("floor".to_owned()) });
    let folded = OSCILLATOR.replace("k/2*x^2", "k*erf(x)");
    let refusal = refused_or(&folded, 40, &until(1.0)).expect_err("erf");
    assert_eq!(
        refusal.to_string(),
        "no run in higher precision: `erf` has no series of many digits"
    );
}
