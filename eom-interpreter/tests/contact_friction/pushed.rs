//! A row of rough boxes that is pushed to a wall: twelve contacts that touch, of which few feel the others.

use eom_core::{Options, run_scenario};
use eom_interpreter::Interpreted;

/// Six boxes of mass 1 with friction μ on the floor, the first pushed by P.
fn row(μ: f64, push: f64) -> String {
    let list = |of: &str, count: usize, between: &str| {
        let one = |i: usize| of.replace('#', &i.to_string()).replace('@', &(i + 1).to_string());
        (0..count).map(one).collect::<Vec<_>>().join(between)
    };
    format!(
        "system Row {{ coordinates {{ {} }} kinetic = {}; potential = {}; force x0 = {push};
         contact wall {{ gap = 7 - x5; impact = restitution(0.3); }} {} {}
         scenario s {{ {} until t = 6; }} }}",
        list("x#, y#", 6, ", "),
        list("(ẋ#^2 + ẏ#^2)/2", 6, " + "),
        list("9.81*y#", 6, " + "),
        list("contact c# { gap = x@ - x# - 1; impact = restitution(0.3); }", 5, "\n"),
        list(
            &format!("contact f# {{ gap = y#; slip = ẋ#; friction = {μ}; impact = plastic; }}"),
            6,
            "\n"
        ),
        list("x# = 1.1*#;", 6, " "),
    )
}

/// With P > 6 μ g they come to rest side by side against the wall.
#[test]
fn boxes_are_pushed_to_a_wall() {
    for (μ, push) in [(0.3, 40.0), (0.1, 30.0)] {
        let text = row(μ, push);
        let system = Interpreted::new(&text).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
        let run = run_scenario(&system, "s", &Options::default()).expect("it starts");
        assert!(run.end.is_complete(), "{}\n{text}", run.end);
        let last = run.last().expect("a state");
        let near = |(i, q): (usize, &f64)| (q - 2.0 - i as f64).abs() < 1e-9;
        assert!(last.q.iter().step_by(2).enumerate().all(near), "{last:?}");
        assert!(last.v.iter().all(|v| *v == 0.0), "{last:?}");
    }
}
