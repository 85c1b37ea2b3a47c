//! What happens at times that cannot be told apart: events whose guards are zero where a contact is struck, and what
//! falls on the end of a run.

use eom_core::{EventKind, Method, Options, Run, State, Trajectory};
use eom_interpreter::Interpreted;
use std::f64::consts::PI;

const METHODS: [Method; 4] = [Method::RungeKutta, Method::Taylor, Method::Radau, Method::Automatic];

fn run(text: &str, method: Method, start: &State, end: f64) -> Trajectory {
    let system = Interpreted::new(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let options = Options { method, until_time: Some(end), ..Options::default() };
    let mut run = Run::new(&system, start, &options).expect("a start");
    let _ = run.advance_to(f64::INFINITY);
    run.finish()
}

/// How many impacts and how many declared events there were.
fn counts(trajectory: &Trajectory) -> [usize; 2] {
    let is_event = |kind: &EventKind| matches!(kind, EventKind::Declared { .. });
    let events = trajectory.events.iter().filter(|event| is_event(&event.kind)).count();
    [trajectory.impacts().count(), events]
}

/// A guard that is zero where a gap is, whatever its factor: each impact has its event, on flights that go up and down in one
/// step as well, where the guard is flat, and where the impact leaves no velocity.
#[test]
fn an_event_fires_with_the_impact_that_turns_it_back() {
    for (gap, e) in [("y", 0.9), ("y", 0.5), ("exp(y) - 1", 0.7), ("y + 0.3*cos(2*x) - 0.2", 0.8)] {
        let start = State::new(0.0, [-0.587, 1.212], [0.169, -0.907]);
        let factors = ["g", "(g)*(2 + cos(x))", "(g)*(1 + ẋ^2)", "(g)^3", "1000*(g)", "atan(g)"];
        for factor in factors {
            let guard = factor.replace('g', gap);
            let text = format!(
                "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
                   contact floor {{ gap = {gap}; impact = restitution({e}); }}
                   event at {{ guard = {guard}; falling; }} }}"
            );
            for method in METHODS {
                let found = run(&text, method, &start, 1.4);
                assert!(found.end.is_complete(), "{method:?} {text}: {}", found.end);
                let [impacts, events] = counts(&found);
                assert!(impacts == events && impacts > 1, "{method:?} {text}: {impacts}, {events}");
            }
        }
    }
}

/// A guard that is a gap on a board that shakes, where it is zero but for rounding as long as the ball lies there: each
/// impact has its event on the way down, and none on the way up; the ball stays on the board.
#[test]
fn the_gap_of_a_closed_contact_is_no_event() {
    let start = State::new(0.0, [0.568, 1.672], [-0.816, 1.511]);
    let gap = "y + 0.05*sin(4*t)";
    let cases = [
        (gap, "falling", 1),
        (gap, "both", 1),
        (gap, "rising", 0),
        ("3*(0.05*sin(4*t) + y)", "falling", 1),
        ("-0.05*sin(4*t) - y", "rising", 1),
        ("-0.05*sin(4*t) - y", "falling", 0),
        ("-(y + 0.05*sin(4*t))/7", "rising", 1),
    ];
    for (guard, direction, fires) in cases {
        let text = format!(
            "system S {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y + 0.1*x^4;
               contact floor {{ gap = {gap}; impact = restitution(0.5); }}
               event at {{ guard = {guard}; {direction}; }} }}"
        );
        for method in METHODS {
            let found = run(&text, method, &start, 6.0);
            assert!(found.end.is_complete(), "{method:?} {guard}, {direction}: {}", found.end);
            let [impacts, events] = counts(&found);
            assert!(
                impacts > 20 && events == fires * impacts,
                "{method:?} {guard}, {direction}: {events}"
            );
            let height = found.last().expect("a state").q[1] + 0.05 * f64::sin(24.0);
            assert!(height.abs() < 1e-13, "{method:?} {guard}, {direction}: {height}");
        }
    }
}

/// An event that is an impact may reset the state: a ball is thrown up anew from the floor that takes all of its speed.
#[test]
fn an_impact_resets() {
    for method in METHODS {
        let text = "system S { coordinates { y } kinetic = ẏ^2/2; potential = 2*y;
            contact floor { gap = y; impact = restitution(0); }
            event thrown { guard = y; falling; reset { ẏ = 3; } } }";
        let found = run(text, method, &State::new(0.0, [0.0], [3.0]), 10.0);
        assert!(found.end.is_complete(), "{method:?}: {}", found.end);
        // Flights of 3 s.
        assert_eq!(counts(&found), [3, 3], "{method:?}");
        let (y, t) = (found.last().expect("a state").q[0], 1.0);
        assert!((y - (3.0 * t - t * t)).abs() < 1e-13, "{method:?}: {y}");
    }
}

/// The impacts of a ball on a spring come at π/2, 3π/2, …; the seventh half is where the run ends, but for some
/// roundings of t.
#[test]
fn what_cannot_be_told_from_the_end_of_a_run_happens_there() {
    let system = "coordinates { y } kinetic = ẏ^2/2; potential = y^2/2;";
    let cases = [
        ("contact floor { gap = y; impact = elastic; }", 3.5 * PI, 4),
        ("event passes { guard = y; both; }", 3.5 * PI, 4),
        ("event rings { guard = sin(10*t); both; }", 0.7 * PI, 7),
    ];
    for (item, end, count) in cases {
        let text = format!("system S {{ {system} {item} }}");
        for method in [Method::RungeKutta, Method::Taylor, Method::Automatic] {
            for (roundings, less) in [(-500, 1), (-3, 0), (-1, 0), (0, 0), (1, 0), (3, 0), (500, 0)]
            {
                let end = end * (1.0 + f64::from(roundings) * f64::EPSILON);
                let found = run(&text, method, &State::new(0.0, [1.0], [0.0]), end);
                assert!(found.end.is_complete(), "{method:?} {item}: {}", found.end);
                let total: usize = counts(&found).iter().sum();
                assert_eq!(total, count - less, "{method:?} {item} {roundings}");
            }
        }
    }
}

/// A gap comes down, is turned back at zero and has never been behind it: nothing rises through zero.
#[test]
fn a_gap_that_is_turned_back_does_not_rise() {
    let text = "system S { coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = y + x^2/2;
        contact hill { gap = y - 0.1*sin(3*x); impact = elastic; }
        event turns { guard = ẋ; both; } event rises { guard = y - 0.1*sin(3*x); rising; } }";
    let start = State::new(0.0, [-0.495, 1.297], [0.119, -1.237]);
    for method in METHODS {
        let found = run(text, method, &start, 2.614);
        assert_eq!(counts(&found), [1, 1], "{method:?}: {}", found.end);
    }
}
