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
