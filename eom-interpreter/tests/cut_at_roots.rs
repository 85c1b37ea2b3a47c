//! A run that is cut where an event is, or a few roundings or 10⁻¹³ of its time beside it, has each event once.

use eom_core::{Method, Options, Run, State, Trajectory};
use eom_interpreter::Interpreted;

const METHODS: [Method; 3] = [Method::RungeKutta, Method::Taylor, Method::Radau];

fn run(system: &Interpreted, start: &State, options: &Options, cut: Option<f64>) -> Trajectory {
    let mut run = Run::new(system, start, options).expect("a start");
    for t in cut.into_iter().chain(options.until_time) {
        // Its end is asked for behind.
        let _ = run.advance_to(t);
    }
    run.finish()
}

/// The first four events of a guard in a motion that is no polynomial, until a time.
fn check(guard: &str, speed: f64, until: f64) {
    let text = format!(
        "system S {{ coordinates {{ x }} kinetic = ẋ^2/2; potential = 1.381*x + sin(3*x)/2;
           dissipation = 0.348*ẋ^2; event e {{ guard = {guard}; both; }} }}"
    );
    let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let start = State::new(0.0, [0.042], [speed]);
    for method in METHODS {
        let options = Options { method, until_time: Some(until), ..Options::default() };
        let whole = run(&system, &start, &options, None);
        assert!(whole.end.is_complete() && !whole.events.is_empty(), "{guard}: {}", whole.end);
        for event in whole.events.iter().take(4) {
            for k in -12..=12 {
                let beside = if k % 2 == 0 { f64::EPSILON / 2.0 } else { 1e-14 };
                let cut = event.t * (1.0 + f64::from(k) * beside);
                let found = run(&system, &start, &options, Some(cut));
                assert!(found.end.is_complete(), "{method:?} {guard} {k}: {}", found.end);
                let times = |trajectory: &Trajectory| -> Vec<f64> {
                    trajectory.events.iter().map(|event| event.t).collect()
                };
                let (a, b) = (times(&whole), times(&found));
                assert_eq!(a.len(), b.len(), "{method:?} {guard}, cut at {cut}: {a:?}, {b:?}");
            }
        }
    }
}

#[test]
fn an_event_is_there_once_wherever_the_run_is_cut() {
    // What these are rounded by within themselves is far more than what an error of x does.
    check("sin((x + 7.403101716556286)/0.0003) + 0.9", -1.305, 0.002);
    check("sin((x + 1000)/0.3) + 0.3", 1.0, 2.0);
    check("sin(x/0.0003)", 1.0, 0.002);
    check("(x - 0.1)^2 - 1e-8", 1.0, 2.0);
    check("sin(0.3*x)", 1.0, 2.0);
    check("x", 1.0, 2.0);
}

/// Where friction in a plane begins to slide its direction is that of the load, wherever the run is cut or sampled about there: the
/// end is that of one go.
#[test]
fn a_slip_in_a_plane_is_the_same_wherever_the_run_is_cut() {
    let table: [(&str, &str, &[f64], &[f64]); 4] = [
        (
            "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*z;",
            "force x = 1.76*t; force y = 1.31*cos(0.69*t);
            contact f { gap = z; slip = [ẋ + 0.5, ẏ]; friction(0.4, 0.3); impact = plastic; }",
            &[0.0, 0.0, 0.0],
            &[-0.5, 0.0, 0.0],
        ),
        (
            "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*z;",
            "force x = 3*t; force y = 4;
            contact f { gap = z; slip = [ẋ - 0.7, ẏ]; friction(0.5, 0.4); impact = plastic; }",
            &[0.0, 0.0, 0.0],
            &[0.7, 0.0, 0.0],
        ),
        (
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2;",
            "force x = -2.88*t; force y = 1.92*cos(1.26*t); dissipation = 3.5*norm([ẋ + 2.64, ẏ]);",
            &[0.0, 0.0],
            &[-2.64, 0.0],
        ),
        (
            "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2;",
            "force z = -5; force x = 0.4*t; force y = sin(t); constraints { floor: ż = 0; }
            row floor { slip = [ẋ - 0.3, ẏ + 0.2]; friction(0.3, 0.2); }",
            &[0.0, 0.0, 0.0],
            &[0.3, -0.2, 0.0],
        ),
    ];
    for (body, more, q, v) in table {
        let text = format!("system S {{ {body} {more} }}");
        let system =
            Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
        let start = State::new(0.0, q, v);
        for method in METHODS {
            let options = Options { method, until_time: Some(4.0), ..Options::default() };
            let whole = run(&system, &start, &options, None);
            assert!(whole.end.is_complete() && !whole.events.is_empty(), "{text}: {}", whole.end);
            let last =
                |trajectory: &Trajectory| trajectory.samples.last().cloned().expect("an end");
            let expected = last(&whole);
            for k in -12..=40 {
                let cut = whole.events[0].t * (1.0 + f64::from(k) * f64::EPSILON / 2.0);
                let found = run(&system, &start, &options, Some(cut));
                assert!(found.end.is_complete(), "{method:?} {text} {k}: {}", found.end);
                let found = last(&found);
                for (a, b) in
                    found.q.iter().chain(&found.v).zip(expected.q.iter().chain(&expected.v))
                {
                    assert!((a - b).abs() < 1e-9, "{method:?} {text} {k}: {found:?} {expected:?}");
                }
            }
        }
    }
}

/// A ball from a height h meets the floor at t₁ (1 + 2e + … + 2eⁿ⁻¹), t₁ = √(2h/g): where that is the end of the run, as far as a
/// time is told, it is struck there, after any number of flights.
#[test]
fn the_last_impact_is_at_the_end() {
    let text =
        "system B { coordinates { z } parameters { e = 0.5 } kinetic = ż^2/2; potential = 10*z;
        contact floor { gap = z; impact = restitution(e); } }";
    let ball = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    for (e, flights) in [(0.5, 2.0), (0.5, 2.5), (0.25, 1.5), (1.0, 3.0), (1.0, 5.0)] {
        let system = ball.with_parameters(&[Some(e)]).expect("a parameter");
        // 1, 1 + 2e, 1 + 2e + 2e², …
        let (mut impacts, mut sum, mut flight) = (1, 1.0, 2.0 * e);
        while sum < flights {
            (impacts, sum, flight) = (impacts + 1, sum + flight, e * flight);
        }
        for k in 1..60 {
            let h = 0.05 * f64::from(k * k);
            let until = flights * (h / 5.0_f64).sqrt();
            for method in METHODS {
                let options = Options { method, until_time: Some(until), ..Options::default() };
                let found = run(&system, &State::new(0.0, [h], [0.0]), &options, None);
                assert_eq!(found.events.len(), impacts, "{method:?} {e} {h} {until}: {found:?}");
            }
        }
    }
}

/// A rod that falls on its ends, stopped some roundings from its first impact, goes on.
#[test]
fn a_stop_beside_a_hard_impact() {
    let text = "system R { coordinates { x, y, h } kinetic = 1.069/2*(ẋ^2 + ẏ^2) + 0.11974/2*ḣ^2; potential = 10.487*y;
        let X1 = x - 0.499*cos(h) + 0.295*sin(h); let Y1 = y - 0.499*sin(h) - 0.295*cos(h);
        let X2 = x + 0.499*cos(h) + 0.295*sin(h); let Y2 = y + 0.499*sin(h) - 0.295*cos(h);
        contact left { gap = Y1; slip = Ẋ1; friction(0.569, 0.371); impact = plastic; }
        contact right { gap = Y2; slip = Ẋ2; friction(0.569, 0.371); impact = plastic; } }";
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    for k in 0..40 {
        let turn = |a: f64| (f64::from(k) * a).fract() - 0.5;
        let q = [3.1 + turn(0.618), 1.6 + 0.5 * turn(0.732), 2.0 * turn(0.414)];
        let start = State::new(0.0, q, [1.5, turn(0.236), 2.0 * turn(0.317)]);
        let start = if k > 0 {
            start
        } else {
            State::new(0.0, [3.144, 1.197, -0.949], [1.557, 0.268, 1.295])
        };
        let options = Options { until_time: Some(0.86), ..Options::default() };
        let whole = run(&system, &start, &options, None);
        let Some(event) = whole.events.first() else { continue };
        let mut cut = event.t;
        (0..5).for_each(|_| cut = cut.next_down());
        for ulp in -5..4 {
            let found = run(&system, &start, &options, Some(cut));
            assert!(found.end.is_complete(), "{k}, {ulp} from {}: {}", event.t, found.end);
            cut = cut.next_up();
        }
    }
}
