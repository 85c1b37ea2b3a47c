//! Guards that are steep, flat, or without a value just behind their roots: their rounding at the root is another than
//! at the ends of a step, and so is what may be told of them.

use eom_core::{End, EventKind, Method, Options, Run, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

/// Runs the only scenario of a declaration from another time, stopped at these times on the way.
fn run(text: &str, method: Method, from: f64, stops: &[f64]) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = eom_core::System::scenario(&system, 0).expect("a scenario");
    let start = State::new(from + scenario.t, scenario.q, scenario.v);
    let until_time = scenario.until_time.map(|until| from + until);
    let options = Options { method, until_time, ..Options::default() };
    if stops.is_empty() {
        return simulate(&system, &start, &[], &options, &mut |_| ControlFlow::Continue(()))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    let mut run = Run::new(&system, &start, &options).expect("it starts");
    for stop in stops.iter().chain([&f64::INFINITY]) {
        let _ = run.advance_to(*stop);
    }
    run.finish()
}

/// Events at these times by all methods, wherever the run is stopped.
fn check(text: &str, times: &[f64], tolerance: f64) {
    for method in METHODS {
        for stops in [&[][..], &[0.06], &[0.21, 0.24], &[0.1, 0.2, 0.299]] {
            let run = run(text, method, 0.0, stops);
            assert!(run.end.is_complete(), "{method:?} {stops:?} {text}: {}", run.end);
            let found: Vec<f64> = run.events.iter().map(|event| event.t).collect();
            assert_eq!(found.len(), times.len(), "{method:?} {stops:?} {text}: {found:?}");
            for (found, wanted) in found.iter().zip(times) {
                let off = (found - wanted).abs();
                assert!(off <= tolerance, "{method:?} {stops:?} {text}: {found} for {wanted}");
            }
        }
    }
}

/// ġ jumps by 10⁹ at a wall 20 + ln x, where g̈ = −ẋ²/x² would bring a parabola back within the rounding of t: the ball
/// flies off with e times its speed all the same. A run by series may end before the wall, which it cannot expand.
#[test]
fn a_steep_wall_is_left_late_as_it_is_early() {
    let (speed, e, place) = (1.61, 0.402, (-20.0_f64).exp());
    let text = format!(
        "system Wall {{ coordinates {{ x }} kinetic = ẋ^2/2;
           contact c {{ gap = 20 + ln(x); impact = restitution({e}); }}
           scenario s {{ x = 0.39; ẋ = -{speed}; until t = 1; }} }}"
    );
    for (from, method) in [0.0, 1e6, 1e9].into_iter().flat_map(|t| METHODS.map(|m| (t, m))) {
        let run = run(&text, method, from, &[]);
        if matches!(run.end, End::NonFinite { .. }) && method == Method::Taylor {
            assert!(run.end.t() - from < (0.39 - place) / speed, "{from:e}: {}", run.end);
            continue;
        }
        assert!(run.end.is_complete(), "{method:?} {from:e}: {}", run.end);
        let last = run.last().expect("it has run");
        let back = e * speed * (1.0 - (0.39 - place) / speed);
        let off = [last.v[0] - e * speed, last.q[0] - place - back];
        let told = 1e-10 + 4.0 * f64::EPSILON * from;
        assert!(off.iter().all(|off| off.abs() < told), "{method:?} {from:e}: {last:?}");
    }
}

/// x = −A cos ωt leaves a narrow band about 0.76, upwards and on its way back: behind the root, where the guard is zero to its
/// rounding, its series end within the band.
#[test]
fn a_narrow_band_is_left_by_an_oscillator() {
    for ω in [2.0, 5.0, 8.307] {
        for (amplitude, w) in [(0.8, 1e-3_f64), (0.8, 3e-4), (0.819, 1e-3), (1.2, 3e-3)] {
            let text = format!(
                "system Swing {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = {ω:?}^2*x^2/2;
                   event e {{ guard = 0.39/(exp(-2*((x - 0.76)/{w:?})^2) + 0.05) - 0.494; rising; }}
                   scenario s {{ x = -{amplitude:?}; until t = {:?}; }} }}",
                6.3 / ω
            );
            let edge = w * (-0.5 * (0.39 / 0.494 - 0.05_f64).ln()).sqrt();
            let time = |x: f64| (-x / amplitude).acos() / ω;
            let times = [time(0.76 + edge), 2.0 * std::f64::consts::PI / ω - time(0.76 - edge)];
            check(&text, &times, 1e-12);
        }
    }
}

/// x = 0.487 t and x = sin t pass a dip of 10⁻¹⁶ and one of 8·10⁻¹¹, of which a rounding of the guard as large as at
/// the ends of the step would leave nothing.
#[test]
fn a_flat_dip_is_entered_and_left() {
    for w in [1e-4, 3e-3] {
        let guard = format!("guard = (x - 0.2435)^4 - {w:?}^4");
        let uniform = format!(
            "system Dip {{ coordinates {{ x }} kinetic = ẋ^2/2; event e {{ {guard}; both; }}
               scenario s {{ ẋ = 0.487; until t = 3; }} }}"
        );
        check(&uniform, &[(0.2435 - w) / 0.487, (0.2435 + w) / 0.487], 1e-12);
        let swing = uniform.replace("event", "potential = x^2/2; event").replace("0.487", "1");
        let [enters, leaves] = [-w, w].map(|w| (0.2435 + w).asin());
        let π = std::f64::consts::PI;
        check(&swing, &[enters, leaves, π - leaves, π - enters], 1e-9);
    }
}

/// 20 + ln x has no value behind its root, at 2·10⁻⁹, and a step may end there.
#[test]
fn a_root_before_the_end_of_a_domain_is_found() {
    let place = (-20.0_f64).exp();
    for past in [0.0, 1e-9, 4e-9, 1e-7] {
        let until = 0.25 + past;
        let text = format!(
            "system Edge {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = 0.3*sin(x);
               contact c {{ gap = 20 + ln(x); impact = elastic; }}
               scenario s {{ x = 0.3; ẋ = -1.2; until t = {until:?}; }} }}"
        );
        for method in [Method::RungeKutta, Method::Radau] {
            let run = run(&text, method, 0.0, &[]);
            let is_behind = run.samples.iter().any(|sample| sample.q[0] < 0.5 * place);
            assert!(!is_behind, "{method:?} {past:e}: {:?} {}", run.last(), run.end);
        }
    }
}

/// A contact slides from the flank of a bump to level ground, where nothing lifts it and nothing presses, and comes to another
/// bump: still closed it is carried up its flank, open it strikes it, or what it does cannot be told; it does not pass through.
#[test]
fn what_stays_at_zero_meets_a_bump() {
    let text = "system Level { coordinates { x, y } kinetic = ẋ^2 + ẏ^2/2; dissipation = 0.651/2*ẏ^2;
        contact ground { gap = y - 1.175 - exp(-((x - 0.024)/0.001)^2) - exp(-((x + 0.2)/0.001)^2)/2;
            impact = plastic; }
        scenario s { y = 1.24; ẋ = 1.038; ẏ = -1.117; until t = 1; } }";
    let bump = |x: f64| (-(x / 0.001).powi(2)).exp();
    for method in METHODS {
        let run = run(text, method, 0.0, &[]);
        for sample in &run.samples {
            let ground = 1.175 + bump(sample.q[0] - 0.024) + 0.5 * bump(sample.q[0] + 0.2);
            let gap = sample.q[1] - ground;
            assert!(gap > -1e-9, "{method:?}: {gap:e} at t = {} ({})", sample.t, run.end);
        }
        let rides = run.last().is_some_and(|last| last.q[1] > 1.3);
        let strikes = run.impacts().count() > 1;
        assert!(!run.end.is_complete() || strikes || rides, "{method:?}: {}", run.end);
    }
}

/// Within the rounding of a pole a gap is on no side.
#[test]
fn a_start_on_a_pole_is_told() {
    let text = "system Pole { coordinates { x } kinetic = ẋ^2/2; potential = 2*x^2;
        contact wall { gap = 0.1 - x; impact = restitution(0.7); }
        contact pole { gap = 1/(x - (-0.29300000000000004)) + 0.5; impact = elastic; }
        scenario s { x = -0.293; ẋ = 1.4; until t = 2; } }";
    for method in METHODS {
        let end = run(text, method, 0.0, &[]).end;
        assert!(matches!(end, End::SingularGuard { t: 0.0, .. }), "{method:?}: {end}");
    }
}

/// A puck runs into a corner between a wall that it leaves with e = 0 and one that it bounces from: what is left of
/// the first gap when the second is met again is rounding, and it meets both.
#[test]
fn a_corner_is_met_by_all_methods_alike() {
    let text = "system Corner { coordinates { x, y } kinetic = 1.477*ẋ^2/2 + 1.092*ẏ^2/2;
        potential = 4.625/2*(x^2 + y^2) - 1.423*y;
        contact slope { gap = 0.891*x - 0.484*y - 0.367437; impact = restitution(0.467); }
        contact wall { gap = 1/(x + 0.06933509394181672)^2 - 35.7; impact = restitution(0); }
        scenario s { x = 0.047; y = -0.84; ẋ = -1.401; ẏ = -0.771; until t = 0.9; } }";
    let impacts = METHODS.map(|method| {
        let run = run(text, method, 0.0, &[]);
        let times = run.events.iter().filter(|e| matches!(e.kind, EventKind::Impact { .. }));
        times.map(|event| event.t).collect::<Vec<f64>>()
    });
    assert!(impacts[0].len() > 5, "{impacts:?}");
    for other in &impacts[1..] {
        assert_eq!(other.len(), impacts[0].len(), "{impacts:?}");
        let off = other.iter().zip(&impacts[0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-10, "{impacts:?}");
    }
}

/// A puck passes a post at a distance, between the ends of two steps, and a swing turns back before a wall: the least
/// gaps are those of the whole motion.
#[test]
fn the_least_gap_is_that_of_the_whole_motion() {
    let text =
        "system Near { coordinates { x, y, φ } kinetic = (ẋ^2 + ẏ^2 + φ̇^2)/2; potential = φ^2/2;
        contact post { gap = sqrt(x^2 + y^2) - 0.5; impact = elastic; }
        contact bump { gap = y + 0.3 - exp(-((x - 1)/0.001)^2); impact = elastic; }
        contact wall { gap = 1.2 - φ; impact = elastic; }
        scenario s { x = -20.3; y = 0.9; ẋ = 1; φ = 0.3; φ̇ = 0.4; until t = 40; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let start = State::new(0.0, [-20.3, 0.9, 0.3], [1.0, 0.0, 0.4]);
    let wanted = [0.9 - 0.5, 0.9 + 0.3 - 1.0, 1.2 - 0.3_f64.hypot(0.4)];
    for method in METHODS {
        let mut options = Options { method, until_time: Some(40.0), ..Options::default() };
        let run = |options: &Options| {
            simulate(&system, &start, &[], options, &mut |_| ControlFlow::Continue(()))
                .expect("it starts")
        };
        let without = run(&options);
        options.least_gaps = true;
        let with = run(&options);
        assert!(with.events.is_empty() && with.samples == without.samples, "{method:?}");
        assert!(without.least_gaps.is_empty(), "{method:?}");
        for (found, wanted) in with.least_gaps.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-10, "{method:?}: {found} for {wanted}");
        }
    }
}
