//! Which expressions do not tell an angle from one a whole turn further, and which coordinates are angles.

mod support;

use eom_symbolic::ExprPool;
use eom_symbolic::mechanics::{Direction, Event, Law, Named, Reset, Unknown};
use std::f64::consts::TAU;
use support::Declaration;

/// Of expressions in φ: k where they go on by 2πk with φ, as they show it.
const EXPRESSIONS: [(&str, Option<i64>); 18] = [
    ("x + 3", Some(0)),
    ("φ", Some(1)),
    ("2*φ - 3*x", Some(2)),
    ("-(φ - x)", Some(-1)),
    ("sin(φ)", Some(0)),
    ("x*cos(3*φ + x)^2", Some(0)),
    ("tan(x - φ)", Some(0)),
    ("exp(sin(φ))/(2 + cos(φ))", Some(0)),
    ("sqrt(2 + cos(φ)*x)", Some(0)),
    ("sin(φ)^cos(φ)", Some(0)),
    ("φ + sin(φ)", Some(1)),
    ("sin(φ + sin(φ))", Some(0)),
    ("φ^2", None),
    ("x*φ", None),
    ("sin(φ/2)", None),
    ("sin(x*φ)", None),
    ("exp(φ)", None),
    ("cos(φ) + atan2(φ, 1)", None),
];

/// What is read off is what values say.
#[test]
fn turns_are_read_off() {
    for (text, wanted) in EXPRESSIONS {
        let mut declaration = Declaration::new(&["x", "φ"], &[]);
        let expr = declaration.parse(text);
        let pool = &declaration.model.pool;
        let angle = declaration.model.coordinates[1].position;
        assert_eq!(pool.turns(expr, angle), wanted, "{text}");
        let Some(k) = wanted else { continue };
        let at = |φ: f64| pool.evaluate(&[expr], |s| if s == angle { φ } else { 0.7 })[0];
        let change = at(0.4 + TAU) - at(0.4) - TAU * k as f64;
        assert!(change.abs() < 1e-13, "{text}: {change:e}");
    }
}

/// A wheel φ on a disk θ, with a ball at x.
fn wheel() -> Declaration {
    Declaration::new(&["x", "θ", "φ"], &["k"])
        .energies("ẋ^2/2 + (2 + cos(φ - 2*θ))*θ̇^2 + φ̇^2/2", "k*cos(θ)*x")
}

fn event(mut declaration: Declaration, guard: &str, resets: Vec<Reset>) -> Declaration {
    let (guard, direction) = (declaration.parse(guard), Direction::Both);
    declaration.model.events.push(Event {
        named: Named::default(),
        guard,
        direction,
        resets,
        gap: None,
    });
    declaration
}

fn relabelled(mut declaration: Declaration) -> Declaration {
    declaration.model.contacts[0].relabel = vec![(1, 2)];
    declaration
}

/// One declaration for each place in which an angle can be told from one a turn further.
#[test]
fn angles_are_told_by_all_that_a_run_evaluates() {
    let spring = || wheel().energies("ẋ^2/2 + θ̇^2/2 + φ̇^2/2", "k*θ^2/2");
    let set = |target| vec![Reset { target, value: ExprPool::ZERO }];
    let wall = || wheel().contact("wall", "x - sin(θ)", Law::ELASTIC, "elastic");
    let cases = [
        ("as it is", wheel(), vec![1, 2]),
        ("of which nothing depends, or energy", spring(), vec![]),
        ("with an absolute force", wheel().force(0, "φ"), vec![1]),
        ("with friction that grows with the angle", wheel().dissipation("θ^2*ẋ^2"), vec![2]),
        ("on a helix", wheel().row("helix", "ẋ - φ*φ̇"), vec![1]),
        ("rolling", wheel().row("roll", "ẋ - cos(φ)*φ̇"), vec![1, 2]),
        ("with a wall", wall(), vec![1, 2]),
        ("with a stop", wall().contact("stop", "3 - θ", Law::ELASTIC, "elastic"), vec![2]),
        ("where names change", relabelled(wall()), vec![]),
        ("where turns are counted", event(wheel(), "φ - 6", Vec::new()), vec![1]),
        ("where φ is set", event(wheel(), "x", set(Unknown::Coordinate(2))), vec![1]),
        ("where ẋ is set", event(wheel(), "x", set(Unknown::Velocity(0))), vec![1, 2]),
    ];
    for (what, declaration, wanted) in cases {
        assert_eq!(declaration.model.angles(), wanted, "{what}");
    }
}
