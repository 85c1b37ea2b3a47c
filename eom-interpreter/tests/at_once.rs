//! What happens at times that cannot be told apart: events whose guards are zero where a contact is struck, or where others are,
//! and what falls on the end of a run.

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

/// p/q with p, q > 0.
#[derive(Clone, Copy)]
struct Fraction(i64, i64);

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}/{})", self.0, self.1)
    }
}

impl Fraction {
    fn after(self, Self(p, q): Self, Self(r, s): Self) -> Self {
        Self(self.0 * q * s + p * r * self.1, self.1 * q * s)
    }

    fn value(self) -> f64 {
        let whole = |part: i64| i32::try_from(part).map(f64::from).expect("a small number");
        whole(self.0) / whole(self.1)
    }
}

/// A particle in straight flight comes to several things at the time T = p/q exactly: each of them happens once, in the middle
/// of a run and at its end.
#[test]
fn things_of_one_time_happen_once_each() {
    let mut rng = fastrand::Rng::with_seed(7);
    let items = [
        ["event b { guard = y - Y; both; }", "event a { guard = x - X; both; }"],
        ["event a { guard = x - X; both; }", "event c { guard = t - T; rising; }"],
        ["contact a { gap = X - x; impact = elastic; }", "event b { guard = y - Y; both; }"],
        ["event a { guard = x^2 + y - X^2 - Y; both; }", "event b { guard = x - X; both; }"],
    ];
    for round in 0..120 {
        let mut draw = |of: std::ops::Range<i64>| Fraction(rng.i64(of), rng.i64(1..10));
        let (time, [x, y], [u, v]) =
            (draw(3..40), [draw(-9..10), draw(-9..10)], [draw(1..9), draw(1..9)]);
        let [there_x, there_y] = [x.after(time, u), y.after(time, v)];
        // Slopes of the third kind are beside zero: 2X u + v.
        if 2.0f64.mul_add(there_x.value() * u.value(), v.value()).abs() < 0.5 {
            continue;
        }
        let declared = items[round % items.len()].join(" ");
        let fill = |text: &str| {
            let there = [("X", there_x), ("Y", there_y), ("T", time)];
            there
                .iter()
                .fold(text.to_owned(), |text, (name, value)| text.replace(name, &value.to_string()))
        };
        let text = format!(
            "system Flight {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; {} }}",
            fill(&declared)
        );
        let wanted = if declared.contains("contact") { [1, 1] } else { [0, 2] };
        // A parabola may come to its guard a second time, before T or behind.
        let again = -(x.value() + there_x.value() + v.value() / u.value());
        let again = declared.contains("x^2").then_some(again / u.value());
        for end in [time.value(), time.value() + 0.1] {
            if again.is_some_and(|t| t > -0.1 && t < end + 0.1) {
                continue;
            }
            let start = State::new(0.0, [x.value(), y.value()], [u.value(), v.value()]);
            for method in METHODS {
                let found = run(&text, method, &start, end);
                assert!(found.end.is_complete(), "{method:?} {text} {start:?}: {}", found.end);
                assert_eq!(counts(&found), wanted, "{method:?} {end} {text} {start:?}");
            }
        }
    }
}

/// An event of another guard at the very root of one that resets does not fire that again: the side of what has just fired is not
/// told by what rounding leaves of it. At t = 1/7 ẏ is −0.7 − 1/7, and twice that from there on.
#[test]
fn what_has_fired_does_not_fire_again_for_another() {
    let jump = |extra: &str| {
        format!(
            "system Jump {{ coordinates {{ x, y }} kinetic = (ẋ^2 + ẏ^2)/2; potential = y; {extra}
               event e {{ guard = x^2 + y - 185911/11025; both; reset {{ ẏ = 2*ẏ; }} }}
               event f {{ guard = x + 409/105; both; }} }}"
        )
    };
    let start = State::new(0.0, [-3.8, 1.8], [-2.0 / 3.0, -0.7]);
    for extra in ["", "force x = 1e-30*abs(x);"] {
        for method in METHODS {
            let found = run(&jump(extra), method, &start, 8.0 / 7.0);
            assert_eq!(counts(&found), [0, 2], "{method:?}: {}", found.end);
            let last = found.last().expect("a state");
            let (y, v) = (1.8 - 0.1 - 0.5 / 49.0, -2.0 * (0.7 + 1.0 / 7.0));
            assert!((last.q[1] - (y + v - 0.5)).abs() < 1e-12, "{method:?}: {last:?}");
            assert!((last.v[1] - (v - 1.0)).abs() < 1e-12, "{method:?}: {last:?}");
        }
    }
}
