//! Friction that is zero where something slides, or where it rests: μ = 0 beside μ_s > 0, patches, coefficients that begin with
//! zero. Against closed forms.

use super::{changes, check, system};
use eom_core::{End, Method, Options, State, Trajectory, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

const METHODS: [Method; 3] = [Method::Automatic, Method::RungeKutta, Method::Radau];

/// A run from a time by a method, which has to reach its end.
fn run(system: &Interpreted, method: Method, start: &State, until: f64) -> Trajectory {
    let options =
        Options { until_time: Some(until), method, steps_max: 20_000, ..Options::default() };
    let made = simulate(system, start, &[], &options, &mut |_| ControlFlow::Continue(()))
        .expect("the start is possible");
    assert!(matches!(made.end, End::ReachedTime { .. }), "{}", made.end);
    made
}

/// A block of mass 1 with a weight of 10 and a force on it.
fn block(force: &str, contact: &str) -> Interpreted {
    let source = format!(
        "system Block {{ coordinates {{ x, y, z, θ }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2 + θ̇^2)/2; potential = 10*y; {force} {contact} }}"
    );
    system(&source, &[])
}

/// x(3) of what a force f sin t draws from rest, once that exceeds 5/6 of f.
fn drawn(f: f64) -> (f64, f64) {
    let t = (5.0_f64 / 6.0).asin();
    (t, f * (t.cos() * (3.0 - t) - (3.0_f64.sin() - t.sin())))
}

/// μ_s holds what nothing brakes once it slides.
#[test]
fn friction_at_rest_needs_none_of_what_slides() {
    let table = [
        (
            "force x = 6*sin(t);",
            "contact a { gap = y; slip = ẋ; friction(0.5, 0); impact = plastic; }",
            0,
        ),
        (
            "force x = 6*sin(t);",
            "contact a { gap = y; slip = [ẋ, ż]; friction(0.5, 0); impact = plastic; }",
            0,
        ),
        ("force x = 6*sin(t);", "holonomic { a: y = 0; } row a { slip = ẋ; friction(0.5, 0); }", 0),
        (
            "force x = 6*sin(t);",
            "holonomic { a: [y, z] = [0, 0]; } row a { slip = ẋ; friction(0.5, 0); }",
            0,
        ),
        (
            "force θ = 6*sin(t);",
            "contact a { gap = y; slip = ẋ; friction = 1; roll = θ̇; rolling(0.5, 0); impact = plastic; }",
            3,
        ),
        (
            "force θ = 6*sin(t);",
            "contact a { gap = y; slip = [ẋ, ż]; friction = 1; spin = θ̇; spinning(0.5, 0); impact = plastic; }",
            3,
        ),
    ];
    for (force, contact, coordinate) in table {
        let block = block(force, contact);
        let (gives_way, place) = drawn(6.0);
        for method in METHODS {
            let made = run(&block, method, &State::new(0.0, [0.0; 4], [0.0; 4]), 3.0);
            check(contact, made.last().expect("it has run").q[coordinate], place, 1e-8);
            let changes = changes(&made);
            check(contact, changes[0].0, gives_way, 1e-9);
        }
    }
}

/// Thrown against a force of 2 it turns, and is held there by μ_s N = 5.
#[test]
fn what_turns_is_held_by_friction_at_rest() {
    for slip in ["ẋ", "[ẋ, ż]"] {
        let contact = format!(
            "contact a {{ gap = y; slip = {slip}; friction(0.5, 0*x); impact = plastic; }}"
        );
        let block = block("force x = -2;", &contact);
        for method in METHODS {
            let start = State::new(0.0, [2.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
            let made = run(&block, method, &start, 3.0);
            check(slip, made.last().expect("it has run").q[0], 2.25, 1e-10);
        }
    }
}

/// Down an incline with μ = b x: ẍ = g sin φ − b g cos φ x until ẋ = 0, at x = 2 tan φ/b and t = π/√(b g cos φ).
#[test]
fn friction_that_grows_along_an_incline_stops_a_block() {
    let source = "system Textbook { coordinates { x, y } parameters { φ = 0.5, b = 0.7 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*(y*cos(φ) - x*sin(φ));
        contact incline { gap = y; slip = ẋ; friction = b*x; impact = plastic; } }";
    for (φ, b) in [(0.5_f64, 0.7_f64), (0.1, 3.0)] {
        let block = system(source, &[φ, b]);
        for method in METHODS {
            let made = run(&block, method, &State::new(0.0, [0.0; 2], [0.0; 2]), 6.0);
            let stop = std::f64::consts::PI / (b * 10.0 * φ.cos()).sqrt();
            check("place", made.last().expect("it has run").q[0], 2.0 * φ.tan() / b, 1e-9);
            let [(t, 1)] = changes(&made)[..] else { panic!("{:?}", made.events) };
            check("stop", t, stop, 1e-8);
        }
    }
}

/// From rest on the smooth part by a force of 2 into a rough one: 2 x = 4 (x − 1.1) where it stops, whatever the form of the
/// ramp between 1 and 1.2 that is even about its middle.
#[test]
fn what_starts_on_a_smooth_part_stops_on_the_rough_one() {
    let ramp = "0.4*ramp(x, 1, 1.2)";
    let floor = |slip: &str, μ: &str| {
        format!("contact a {{ gap = y; slip = {slip}; friction = {μ}; impact = plastic; }}")
    };
    let table = [
        (floor("ẋ", ramp), 0.0, 2.2),
        (floor("ẋ", "0.4*smoothstep(x, 1, 1.2)"), 0.0, 2.2),
        (floor("[ẋ, ż]", ramp), 0.0, 2.2),
        (format!("holonomic {{ a: y = 0; }} row a {{ slip = ẋ; friction = {ramp}; }}"), 0.0, 2.2),
        ("dissipation = 4*ramp(x, 1, 1.2)*norm([ẋ]);".to_owned(), 0.0, 2.2),
        // It has gone 0.3 when it is stopped.
        (floor("ẋ", ramp) + "event latch { guard = t - 0.5; rising; reset { ẋ = 0; } }", 0.1, 1.9),
        // Thrown at a wall, it is stopped there and drawn back: 2 (x + 0.5) = 4 (x − 1.1).
        (floor("ẋ", ramp) + "contact wall { gap = x + 0.5; impact = plastic; }", -3.0, 2.7),
    ];
    for (contact, speed, place) in table {
        let block = block("force x = 2;", &contact);
        for method in METHODS {
            let start = State::new(0.0, [0.0; 4], [speed, 0.0, 0.0, 0.0]);
            let made = run(&block, method, &start, 9.0);
            let last = made.last().expect("it has run");
            check(&contact, last.q[0], place, 1e-8);
            assert_eq!(last.v[0], 0.0, "{contact}");
        }
    }
}

/// Rests at a wall on the smooth part until a force draws it away that grows to 2 from t = 0.35 to 0.4: v²/2 = δ²/2 and x = δ²/3
/// after δ = 0.05, then 4 (x − 1.1) takes away what the force does.
#[test]
fn what_a_wall_held_on_the_smooth_part_stops_on_the_rough_one() {
    let contacts =
        "contact a { gap = y; slip = ẋ; friction = 0.4*ramp(x, 1, 1.2); impact = plastic; }
        contact wall { gap = x; impact = plastic; }";
    let block = block("force x = 2*ramp(t, 0.35, 0.4);", contacts);
    for method in METHODS {
        let made = run(&block, method, &State::new(0.0, [0.0; 4], [0.0; 4]), 6.0);
        let [δ, last] = [0.05, made.last().expect("it has run").q[0]];
        let begins = (δ * δ / 2.0, δ * δ / 3.0);
        check("place", last, (4.4 + begins.0 - 2.0 * begins.1) / 2.0, 1e-8);
    }
}

/// A disc that rolls from rest onto a part with resistance: F x = δ g/r (x − 0.6).
#[test]
fn what_rolls_onto_a_part_with_resistance_stops() {
    let source = "system Disc { coordinates { x, y, θ } parameters { r = 0.2, g = 9.81 }
        kinetic = (ẋ^2 + ẏ^2)/2 + r^2/4*θ̇^2; potential = g*y; force x = 0.3;
        contact floor { gap = y - r; slip = ẋ + r*θ̇; friction = 0.5; roll = θ̇;
            rolling = 0.02*ramp(x, 0.5, 0.7); impact = plastic; } }";
    let disc = system(source, &[]);
    let resistance = 0.02 * 9.81 / 0.2;
    for method in METHODS {
        let made = run(&disc, method, &State::new(0.0, [0.0, 0.2, 0.0], [0.0; 3]), 8.0);
        let place = 0.6 * resistance / (resistance - 0.3);
        check("place", made.last().expect("it has run").q[0], place, 1e-8);
    }
}

/// A brake that is applied from t = 0, μ = 0.8 t, on what begins to slide down then.
#[test]
fn a_brake_that_begins_with_nothing_stops() {
    let source = "system Brake { coordinates { x, y } parameters { φ = 0.2 }
        kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*(y*cos(φ) - x*sin(φ));
        contact floor { gap = y; slip = ẋ; friction = 0.8*t; impact = plastic; } }";
    let brake = system(source, &[]);
    let (sin, cos) = 0.2_f64.sin_cos();
    let stop = sin / cos / 0.4;
    let place = 10.0 * stop * stop * (sin / 2.0 - 0.4 * cos * stop / 3.0);
    for method in METHODS {
        let made = run(&brake, method, &State::new(0.0, [0.0; 2], [0.0; 2]), 1.0);
        check("place", made.last().expect("it has run").q[0], place, 1e-9);
        let [(t, 1)] = changes(&made)[..] else { panic!("{:?}", made.events) };
        check("stop", t, stop, 1e-9);
    }
}

/// Friction and the force against it begin with zero together: it holds where 10 μ grows as fast, and slides where not.
#[test]
fn friction_and_force_that_begin_together() {
    let table = [
        ("0.3*(1 - cos(t))", "0.01*t^3", 0.0),
        ("0.3*t", "2*t", 0.0),
        ("0.3*t", "0.5*t^2", 0.0),
        ("0.3*ramp(t, 0, 1)", "0.5*t", 0.0),
        ("0.3*ramp(t, 1, 2)", "0.5*ramp(t, 1, 2)", 0.0),
        ("0.3*ramp(t, 0, 1)", "0", 0.0),
        ("0.3*abs(sin(t + 1))", "0.2*sin(t + 1)", 0.0),
        ("0.3*sin(t + 1)^2", "0.5*sin(t + 1)^2", 0.0),
        ("0.3*abs(sin(t))", "abs(sin(t))", 0.0),
        ("0.3*sin(t)^2", "sin(t)^2", 0.0),
        ("0.5, 0.3*sin(t)^2", "2", 0.0),
        ("0.5, 0.3*x^2", "0.5", 0.0),
        // (4 − 3) t³/6, and what meets no friction on its way.
        ("0.3*t", "4*t", 4.0_f64.powi(3) / 6.0),
        ("0.3*ramp(x, 9, 10)", "sin(t)", 4.0 - 4.0_f64.sin()),
    ];
    for (μ, force, place) in table {
        let contact = |slip: &str| {
            format!("contact a {{ gap = y; slip = {slip}; friction({μ}); impact = plastic; }}")
        };
        let mut all = vec![contact("ẋ"), contact("[ẋ, ż]")];
        if !μ.contains(", 0.3") {
            all.push(format!("dissipation = 10*({μ})*norm([ẋ]);"));
        }
        for contact in all {
            let block = block(&format!("force x = {force};"), &contact);
            for method in METHODS {
                let made = run(&block, method, &State::new(0.0, [0.0; 4], [0.0; 4]), 4.0);
                check(&contact, made.last().expect("it has run").q[0], place, 1e-8);
            }
        }
    }
}

/// Two feet of one body, one of them on a smooth part: the other holds it, and it alone.
#[test]
fn a_foot_without_friction_is_held_by_the_other() {
    let source = "system Box { coordinates { x, y, θ } parameters { F = 3 }
        kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/4; potential = 10*y; force x = F;
        contact left { gap = y - sin(θ)/2; slip = ẋ; friction = 0.8; impact = plastic; }
        contact right { gap = y + sin(θ)/2; slip = ẋ; friction = 0.8*ramp(x, 1, 2); impact = plastic; } }";
    // The feet bear 5 each.
    for (force, place) in [(3.9, 0.0), (4.2, 0.1)] {
        let feet = system(source, &[force]);
        for method in METHODS {
            let made = run(&feet, method, &State::new(0.0, [0.0; 3], [0.0; 3]), 1.0);
            check("place", made.last().expect("it has run").q[0], place, 1e-10);
        }
    }
}

/// μ_y that is next to nothing beside μ_x takes away no velocity along y.
#[test]
fn the_weaker_direction_slides_on() {
    for μ in [0.0, 1e-13, 1e-12, 1e-9] {
        let source = format!(
            "system Skid {{ coordinates {{ x, y, z }} kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = 10*z;
                contact a {{ gap = z; slip = [ẋ, ẏ]; friction([0.5, {μ}]); impact = plastic; }} }}"
        );
        let made = run(
            &system(&source, &[]),
            Method::Automatic,
            &State::new(0.0, [0.0; 3], [0.0, 1.0, 0.0]),
            1.0,
        );
        let last = made.last().expect("it has run");
        check("speed", last.v[1], 1.0 - 10.0 * μ, 1e-13);
    }
}
