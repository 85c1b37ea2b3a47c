//! Guards that come to zero and go back without a slope there: by a kink, by a cusp, or flat beyond second order. The run
//! ends at the place, by every method; where they miss zero, or pass it, it goes on.

use eom_core::{End, EventKind, Method, Options, State, Trajectory, run_scenario, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

fn run(text: &str, method: Method) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let scenario = eom_core::System::scenario(&system, 0).expect("a scenario");
    let start = State::new(scenario.t, scenario.q, scenario.v);
    let options =
        Options { method, until_time: scenario.until_time, steps_max: 3000, ..Options::default() };
    simulate(&system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn event(guard: &str) -> String {
    format!(
        "system Clock {{ coordinates {{ x }} kinetic = ẋ^2/2;
           event e {{ guard = {guard}; both; }} scenario s {{ ẋ = 1; until t = 1; }} }}"
    )
}

fn contact(gap: &str) -> String {
    format!(
        "system Puck {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2;
           contact c {{ gap = {gap}; impact = restitution(0.5); }} scenario s {{ ẋ = 1; until t = 1; }} }}"
    )
}

/// It ends at the touch, at this time.
fn check_touch(text: &str, time: f64) {
    check_touch_within(text, time, 1e-11);
}

/// The same of a graze, whose place is known to the root of rounding.
fn check_touch_within(text: &str, time: f64, off: f64) {
    for method in METHODS {
        let trajectory = run(text, method);
        let End::UnresolvedEvent { t, rounding, .. } = trajectory.end else {
            panic!("{method:?} {text}: {}, {:?}", trajectory.end, trajectory.events)
        };
        assert!((t - time).abs() < off, "{method:?} {text}: {t} for {time}");
        assert!(rounding.is_finite(), "{method:?} {text}: {rounding}");
        assert!(trajectory.events.is_empty(), "{method:?} {text}: {:?}", trajectory.events);
    }
}

/// It goes to its end, with events at these times.
fn check_events(text: &str, times: &[f64]) {
    for method in METHODS {
        let trajectory = run(text, method);
        assert!(trajectory.end.is_complete(), "{method:?} {text}: {}", trajectory.end);
        let found: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
        let same = found.iter().zip(times).all(|(found, time)| (found - time).abs() < 1e-13);
        assert!(found.len() == times.len() && same, "{method:?} {text}: {found:?}");
    }
}

#[test]
fn a_guard_that_touches_by_a_kink_or_a_cusp_is_told() {
    for guard in [
        "abs(x - 0.7)",
        "-abs(x - 0.7)",
        "sqrt((x - 0.7)^2)",
        "abs(x - 0.7)^(1/2)",
        "((x - 0.7)^2)^(1/3)",
        "abs(x - 0.7)^(3/2)",
        "abs(x - 0.7)^3",
        "abs(x - 0.7) + 0.5*(x - 0.7)",
        "abs(x - 0.7) - 0.5*(x - 0.7)",
        "abs(x - 0.7) - 1e-17",
        "abs(t - 0.7)",
        "abs(x - 0.7)*(1 + x^2)",
        "abs(sin(x - 0.7))",
    ] {
        check_touch(&event(guard), 0.7);
    }
    // Where steps and their halves end.
    check_touch(&event("abs(x - 0.5)"), 0.5);
    check_touch(&event("abs(x - 0.3)*abs(x - 0.7)"), 0.3);
    for gap in ["sqrt((x - 0.7)^2)", "abs(x - 0.7)^(1/2)", "abs(x - 0.7) + 0.5*(x - 0.7)"] {
        check_touch(&contact(gap), 0.7);
    }
}

#[test]
fn a_kink_beside_zero_or_through_it_is_none() {
    let above = ["abs(x - 0.7) + 1e-12", "abs(x - 0.7)^(1/2) + 1e-6", "abs(x)", "abs(x) + x"];
    for guard in above {
        check_events(&event(guard), &[]);
    }
    check_events(&event("abs(x - 0.7) - 1e-12"), &[0.7 - 1e-12, 0.7 + 1e-12]);
    check_events(&event("abs(x - 0.7) + 2*(x - 0.7)"), &[0.7]);
    check_events(&event("abs(x - 0.7)*(x - 0.7)"), &[0.7]);
    check_events(&contact("abs(x - 0.7) - 1e-12"), &[0.7 - 1e-12]);
    // What is zero for a while, and leaves zero with a kink.
    for text in [contact("abs(x - 0.7) + (x - 0.7)"), event("abs(x) - x")] {
        for method in METHODS {
            let trajectory = run(&text, method);
            assert!(trajectory.end.is_complete(), "{method:?} {text}: {}", trajectory.end);
        }
    }
}

/// At the end of a run, too: what crosses there happens, what touches there is told.
#[test]
fn a_guard_that_comes_to_zero_at_the_end_is_told() {
    for guard in ["1 - x", "2 - 2*x", "1 - x^2", "2 - x - t"] {
        check_events(&event(guard), &[1.0]);
        check_events(&contact(guard), &[1.0]);
    }
    for gap in ["(t - 1)^2 + y", "(x - 1)^2 + y"] {
        check_touch(&contact(gap), 1.0);
    }
}

#[test]
fn a_graze_with_a_slope_before_it_is_told() {
    for gap in ["(t^2 + 0.49)/2 - 0.7*x", "(x - 0.7)^2/2 + y", "sqrt((x - 0.7)^2 + (y - 1)^2) - 1"]
    {
        check_touch_within(&contact(gap), 0.7, 1e-7);
    }
}

/// A point that a blade leads round a circle of radius r grazes y = 2r: by Radau, too, it is no event, and what its steps leave of
/// the circle is less than ten tolerances.
#[test]
fn a_circle_grazes_a_line() {
    for (radius, rate) in [(1.0, 1.0), (0.7, 1.3), (2.6, 1.9), (4.4, 2.58), (3.1, 0.9)] {
        let text = format!(
            "system Circle {{ coordinates {{ x, y, θ }} kinetic = (ẋ^2 + ẏ^2 + θ̇^2)/2;
               constraints {{ blade: ẋ*sin(θ) - ẏ*cos(θ) = 0; }}
               event e {{ guard = y - 2; both; }}
               scenario s {{ ẋ = {:?}; θ̇ = {rate:?}; until t = {:?}; }} }}",
            radius * rate,
            2.0 / rate
        );
        let trajectory = run(&text, Method::Radau);
        let (sin, cos) = 2.0_f64.sin_cos();
        let last = trajectory.last().expect("it has run");
        let off = (last.q[0] - radius * sin).abs().max((last.q[1] - radius * (1.0 - cos)).abs());
        assert!(off < 1e-13 * radius, "{text}: {off:e}");
        assert!(trajectory.stats.steps < 60, "{text}: {:?}", trajectory.stats);
        if radius == 1.0 {
            check_no_event(&text.replace("until t = 2.0", "until t = 5"));
        }
    }
}

/// What grazes fires no event: it is told, or stays on its side as it is computed.
fn check_no_event(text: &str) {
    for method in METHODS {
        let trajectory = run(text, method);
        let is_told = matches!(trajectory.end, End::UnresolvedEvent { .. });
        assert!(is_told || trajectory.end.is_complete(), "{method:?} {text}: {}", trajectory.end);
        assert!(trajectory.events.is_empty(), "{method:?} {text}: {:?}", trajectory.events);
    }
}

/// A circle of radius r and rate ω by a blade, by a rod, and by springs, that grazes a line; r ω and r² are rounded.
#[test]
fn circles_of_all_sizes_graze_a_line() {
    for (r, ω) in [
        (0.7, 1.3),
        (0.339, 1.504),
        (1.0, 1.0),
        (3.19, 2.277),
        (4.017, 2.839),
        (3.752, 2.783),
        (4.728, 2.017),
        (4.524, 0.517),
        (1e-3, 40.0),
        (250.0, 0.02),
    ] {
        let (speed, until) = (r * ω, 5.0 / ω);
        check_no_event(&format!(
            "system Blade {{ coordinates {{ x, y, θ }} kinetic = (ẋ^2 + ẏ^2 + θ̇^2)/2;
               constraints {{ blade: ẋ*sin(θ) - ẏ*cos(θ) = 0; }} event e {{ guard = y - {:?}; both; }}
               scenario s {{ ẋ = {speed:?}; θ̇ = {ω:?}; until t = {until:?}; }} }}",
            2.0 * r
        ));
        for force in [
            format!("holonomic {{ rod: x^2 + y^2 = {r:?}^2; }}"),
            format!("potential = {ω:?}^2*(x^2 + y^2)/2;"),
        ] {
            for guard in [
                format!("event e {{ guard = y - {r:?}; both; }}"),
                format!("event e {{ guard = {r:?} - y; falling; reset {{ ẏ = -ẏ; }} }}"),
                format!("contact c {{ gap = {r:?} - y; impact = elastic; }}"),
            ] {
                check_no_event(&format!(
                    "system Circle {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; {force} {guard}
                       scenario s {{ x = {r:?}; ẏ = {speed:?}; until t = {until:?}; }} }}"
                ));
            }
        }
    }
}

/// One that passes the line by more than its rounding is two events, at ±√(2d/r)/ω about the top.
#[test]
fn a_circle_beyond_a_line_passes_it_twice() {
    for depth in [1e-6_f64, 1e-9, 1e-12] {
        let text = format!(
            "system Circle {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = (x^2 + y^2)/2;
               event e {{ guard = y - 1 + {depth:e}; both; }} scenario s {{ x = 1; ẏ = 1; until t = 3; }} }}"
        );
        for method in METHODS {
            let trajectory = run(&text, method);
            assert!(trajectory.end.is_complete(), "{method:?} {depth:e}: {}", trajectory.end);
            let times: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
            let half = 2.0 * (0.5 * depth).sqrt().asin();
            let top = std::f64::consts::FRAC_PI_2;
            assert_eq!(times.len(), 2, "{method:?} {depth:e}: {times:?}");
            let off = (times[0] - top + half).abs().max((times[1] - top - half).abs());
            assert!(off < 1e-13 / half, "{method:?} {depth:e}: {off:e}");
        }
    }
}

/// What is positive and becomes smaller than all numbers has not come to zero, nor where something else happens then.
#[test]
fn what_is_smaller_than_numbers_is_not_zero() {
    let clock = |guard: &str, start: &str| {
        format!(
            "system Clock {{ coordinates {{ x }} kinetic = ẋ^2/2; event e {{ guard = {guard}; both; }}
               event f {{ guard = x - 900; both; }} scenario s {{ x = {start}; ẋ = 1; until t = 2000; }} }}"
        )
    };
    for (guard, start) in
        [("exp(-x)", "0"), ("-3*exp(-x)", "0"), ("exp(-x^2)", "-100"), ("1e-200*exp(-2*x)", "-100")]
    {
        for method in METHODS {
            let trajectory = run(&clock(guard, start), method);
            assert!(trajectory.end.is_complete(), "{method:?} {guard}: {}", trajectory.end);
            let found: Vec<f64> = trajectory.events.iter().map(|event| event.t).collect();
            let wanted = if start == "0" { 900.0 } else { 1000.0 };
            assert_eq!(found.len(), 1, "{method:?} {guard}: {found:?}");
            assert!((found[0] - wanted).abs() < 1e-9, "{method:?} {guard}: {found:?}");
        }
    }
}

/// A root that is solved on steps is not that of the polynomial of a longer step, which is off there by more than rounding: a guard
/// that rose before, the way that does not fire, and comes down through zero does not touch it. x = cos(ω t).
#[test]
fn a_root_on_steps_is_no_touch_of_a_polynomial() {
    for (ω, f, a) in [(7.164, 9.94, 0.645), (5.36, 30.188, 0.561), (7.597, 30.116, 0.802)] {
        let guard = |t: f64| (f * (ω * t).cos()).sin() * (3.0 * t).cos() - a;
        let text = format!(
            "system S {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = {ω:?}^2*x^2/2;
               event e {{ guard = sin({f:?}*x)*cos(3*t) - {a:?}; falling; }} scenario s {{ x = 1; until t = 5; }} }}"
        );
        let parts: Vec<f64> = (0..=500_000).map(|k| f64::from(k) * 1e-5).collect();
        let falls = |pair: &&[f64]| guard(pair[0]) > 0.0 && guard(pair[1]) <= 0.0;
        let brackets: Vec<&[f64]> = parts.windows(2).filter(falls).collect();
        for method in METHODS {
            let trajectory = run(&text, method);
            assert!(trajectory.end.is_complete(), "{method:?} {text}: {}", trajectory.end);
            let is_in = |(event, bracket): (&eom_core::Event, &&[f64])| {
                event.t >= bracket[0] - 1e-7 && event.t <= bracket[1] + 1e-7
            };
            let agrees = trajectory.events.iter().zip(&brackets).all(is_in);
            assert!(
                agrees && trajectory.events.len() == brackets.len(),
                "{method:?} {text}: {} of {}",
                trajectory.events.len(),
                brackets.len()
            );
        }
    }
}

/// A wall sin x = 1/10 − a sin ωt carries a mass until its force falls through zero, and the gap leaves as a cube: from where it was
/// kept to, some roundings off zero. λ cos x = ẍ + k x − f cos(2.7 t), with x, ẋ and ẍ of the wall.
#[test]
fn what_a_wall_lets_go_does_not_touch_it() {
    let cases = [
        [5.7, 0.13, 1.06, 0.09],
        [6.71, 0.27, 3.9, 0.45],
        [7.03, 0.29, 1.8, 0.48],
        [4.1, 0.23, 2.1, 0.45],
    ];
    for [k, a, ω, f] in cases {
        let text = format!(
            "system Carried {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = {k}*x^2/2; force x = {f}*cos(2.7*t);
               contact c {{ gap = sin(x) - 0.1 + {a}*sin({ω}*t); impact = plastic; }}
               scenario s {{ x = 1; until t = 20; }} }}"
        );
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for method in METHODS {
            let run = run_scenario(&system, "s", &Options { method, ..Options::default() });
            let run = run.expect("a start");
            assert!(run.end.is_complete(), "{method:?} {text}: {}", run.end);
            let opens = run.events.iter().filter(|e| matches!(e.kind, EventKind::Opening { .. }));
            for t in opens.map(|event| event.t) {
                let x = (0.1 - a * (ω * t).sin()).asin();
                let ẋ = -a * ω * (ω * t).cos() / x.cos();
                let ẍ = (a * ω * ω * (ω * t).sin() + x.sin() * ẋ * ẋ) / x.cos();
                let force = ẍ + k * x - f * (2.7 * t).cos();
                assert!(force.abs() < 1e-9, "{method:?} {text}: {force:e} at {t}");
            }
        }
    }
}

/// Where a gap has no slope, which way its contact pushes is rounding: the run ends before that, whatever else is closed or
/// pressed there, and with the velocities of the way to it.
#[test]
fn a_wall_without_a_slope_is_not_struck() {
    let pushed =
        "system S { coordinates { x, y } parameters { p = 0 } kinetic = 0.35*(ẋ^2 + ẏ^2); IMPACTS
        contact pair { gap = y - x - 1; impact = restitution(0.8); }
        contact wall { gap = -(x - 0.405675)^3 + p; impact = restitution(1); }
        scenario s { ẋ = 1.803; y = 1; ẏ = 1.803; until t = 1; } }";
    let merged = "system S { coordinates { x, y } parameters { p = 0 } kinetic = ẋ^2 + ẏ^2; IMPACTS
        contact pair { gap = y - x - 1; impact = plastic; }
        contact wall { gap = (y - 1.190375)^3 + p; impact = elastic; }
        scenario s { ẋ = 0.705; y = 1.446; ẏ = -0.75; until t = 2; } }";
    for (text, t, v) in [(pushed, 0.225, 1.803), (merged, 1.45, -0.0225)] {
        for impacts in ["", "impacts = sequential;"] {
            let text = text.replace("IMPACTS", impacts);
            for method in METHODS {
                let trajectory = run(&text, method);
                let end = &trajectory.end;
                assert!(
                    matches!(
                        end,
                        End::UnresolvedEvent { .. }
                            | End::DependentRows { .. }
                            | End::SingularGuard { .. }
                            | End::StepUnderflow { .. }
                    ),
                    "{text} {method:?}: {end}"
                );
                assert!((end.t() - t).abs() < 1e-6, "{text} {method:?}: {end}");
                let last = trajectory.last().expect("a state");
                let error = last.v.iter().map(|w| (w - v).abs()).fold(0.0, f64::max);
                assert!(error < 1e-12, "{text} {method:?}: {last:?}");
            }
        }
    }
}
