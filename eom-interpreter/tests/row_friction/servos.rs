//! Forces with the friction of a constraint: what acts with it, in motion and at impacts, against closed forms.

use super::{G, METHODS, changes, check, complete, run, run_by, system};
use eom_core::{Options, State, simulate};
use eom_interpreter::Interpreted;
use std::ops::ControlFlow;

/// A bead on a straight wire, slowed by (1 + k) f, with c f across the wire and h f on another body.
fn bead(parameters: &[f64], wall: &str) -> Interpreted {
    let source = format!(
        "system Bead {{ coordinates {{ x, y, z }}
            parameters {{ k = 0, μ = 0.3, h = 0, c = 0, F = 0, r = 0, g = {G} }}
            kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*y; holonomic {{ wire: y = 0; }}
            row wire {{ slip = ẋ; friction = μ; }}
            force x = F + r*t + k*friction(wire);
            force y = -c*friction(wire);
            force z = h*friction(wire);
            {wall} }}"
    );
    system(&source, parameters)
}

/// λ = g + c f, f = −μ λ σ.
#[test]
fn a_bead_is_slowed_by_what_acts_with_its_friction() {
    for (k, μ, h, c) in [(1.5, 0.3, -2.0, 0.0), (-0.6, 0.7, 1.0, 0.5), (0.0, 0.4, 3.0, -0.8)] {
        for method in METHODS {
            let wire = bead(&[k, μ, h, c], "");
            let trajectory = run_by(&wire, method, (&[0.0; 3], &[3.0, 0.0, 0.25]), 4.0);
            let last = complete(&trajectory);
            let slows = (1.0 + k) * μ * G / (1.0 + c * μ);
            let [(t, 1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
            check("stops", t, 3.0 / slows, 1e-11);
            check("place", last.q[0], 4.5 / slows, 1e-11);
            check("ż", last.v[2], 0.25 - h * 3.0 / (1.0 + k), 1e-11);
        }
    }
}

#[test]
fn it_holds_up_to_what_the_servo_makes_of_friction() {
    for (k, μ, r) in [(1.5, 0.3, 2.0), (-0.6, 0.5, 1.0), (4.0, 0.1, 7.0)] {
        let onset = (1.0 + k) * μ * G / r;
        let wire = bead(&[k, μ, 2.0, 0.0, 0.0, r], "");
        let trajectory = run(&wire, &[0.0; 3], &[0.0; 3], onset + 0.5);
        let [(t, -1)] = changes(&trajectory)[..] else { panic!("{:?}", trajectory.events) };
        check("breaks away", t, onset, 1e-12 * onset);
        let last = complete(&trajectory);
        check("ẋ", last.v[0], 0.5 * r * 0.25, 1e-11);
        // While it holds f = −r t/(1 + k).
        let held = -r * onset * onset / 2.0 / (1.0 + k);
        check("ż", last.v[2], 2.0 * (held - μ * G * 0.5), 1e-11);
    }
}

/// Struck along the wire by a wall that leans: Λ of the wire is b Λ_w, its friction −μ |b| Λ_w σ.
#[test]
fn at_an_impact_the_impulse_of_its_friction_acts() {
    let wall = "contact wall { gap = 1 - x - b*y; impact = restitution(1/2); }";
    let wall = wall.replace("b*y", "0.5*y");
    for (k, μ, h) in [(1.5, 0.3, -2.0), (-0.4, 0.2, 3.0)] {
        let wire = bead(&[k, μ, h, 0.0, (1.0 + k) * μ * G], &wall);
        // It comes with its speed, and is thrown back by Λ_w against its friction.
        let trajectory = run(&wire, &[0.0; 3], &[2.0, 0.0, 0.0], 0.5 + 1e-9);
        let last = complete(&trajectory);
        // The wire bears −0.5 of the wall's impulse: N⁺ = −(−0.5 Λ) of its row, |Λ_wire| = Λ/2. The slip after it is −1.
        // 1 + 2 = Λ + (1 + k) Φ·(−1), Φ = +μ Λ/2 on the slip.
        let normal = 3.0 / (1.0 - (1.0 + k) * μ / 2.0);
        check("ẋ", last.v[0], -1.0, 1e-7);
        let before = -h * μ * G * 0.5;
        check("ż", last.v[2], before + h * μ * normal / 2.0, 1e-6);
    }
}

#[test]
fn books_are_kept_of_it() {
    let wire = bead(&[0.7, 0.3, -2.0, 0.4, 0.5, 3.0], "");
    let options = Options { until_time: Some(3.0), ledger: true, ..Options::default() };
    let start = State::new(0.0, [0.0; 3], [2.0, 0.0, 0.1]);
    let trajectory = simulate(&wire, &start, &[], &options, &mut |_| ControlFlow::Continue(()));
    let trajectory = trajectory.expect("the start is possible");
    complete(&trajectory);
    let ledger = trajectory.ledger.as_ref().expect("it is asked for");
    assert!(ledger.closes(), "{ledger:?}");
}
