//! Slips that an impact brings to zero, as the speed of a belt changes that they are measured from.

use super::{end, letters_of, options};
use crate::common::interpreted;
use eom_analysis::Variations;
use eom_core::{State, System};
use eom_interpreter::Interpreted;
use nalgebra::DVector;

/// A ball with friction on a belt of speed p along x, whose floor stops it along x: from there on the belt carries it.
///
/// ```text
/// t₁ = √(2/g)      x(T) = u t₁ − c t₁²/2 + p (T − t₁)      at p = 0
/// ```
#[test]
fn a_belt_carries_what_an_impact_has_stopped() {
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { x, y } parameters { c = 0.1, p = 0 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 9.81*y;
        dissipation = c*abs(ẋ - p);
        contact floor { gap = y; slip = ẋ; friction = 0.9; impact = restitution(0.8); } }",
    );
    let start = State::new(0.0, [0.0, 1.0], [0.5, 0.0]);
    let variations = Variations::new(&ball).unwrap();
    let names = ["p", "c"];
    let found = variations.sensitivities(&start, &[], &options(), 1.0, &names).unwrap();
    assert_eq!(letters_of(&found.events), "is");
    let first = (2.0_f64 / 9.81).sqrt();
    let expected = [[1.0 - first, 0.0, 1.0, 0.0], [-0.5 * first * first, 0.0, 0.0, 0.0]];
    for (column, expected) in expected.iter().enumerate() {
        for (entry, expected) in expected.iter().enumerate() {
            let off = found.matrix[(entry, column)] - expected;
            assert!(off.abs() < 1e-9, "{entry} {column}: {}", found.matrix);
        }
    }
}

/// One that a wall stops, and that is pulled back at once, turns on a belt of one sense and not on one of the other: there is no
/// derivative by the speed of the belt where that is zero, and there is one by all else.
#[test]
fn a_belt_at_rest_has_two_sides() {
    let block = interpreted(
        "/// A block. \n system B { coordinates { x } parameters { c = 0.5, p = 0, F = 3 } kinetic = ẋ^2/2; potential = F*x;
        dissipation = c*abs(ẋ - p); contact wall { gap = 1 - x; impact = plastic; } }",
    );
    let start = State::new(0.0, [0.0], [4.0]);
    let variations = Variations::new(&block).unwrap();
    let by = |name: &str| variations.sensitivities(&start, &[], &options(), 1.0, &[name]);
    let refused = by("p").unwrap_err().to_string();
    assert!(refused.contains("abs(ẋ - p) has no slip after a jump"), "{refused}");
    // x = 1 − (F − c)(t − t₁)²/2, with t₁ = (4 − √(16 − 2(F + c)))/(F + c).
    let end = |pull: f64| {
        let (rise, fall) = (pull + 0.5, pull - 0.5);
        1.0 - 0.5 * fall * (1.0 - (4.0 - (16.0 - 2.0 * rise).sqrt()) / rise).powi(2)
    };
    let expected = (end(3.0 + 1e-5) - end(3.0 - 1e-5)) / 2e-5;
    let found = by("F").unwrap().matrix;
    assert!((found[(0, 0)] - expected).abs() < 1e-8, "{found} {expected}");
}

/// A slip that an impact has brought to zero, and that slides on at once, begins later where the impact does: at the impact it is
/// zero whatever the parameters are. One foot of a rod slides, the other strikes.
#[test]
fn what_slides_on_from_an_impact() {
    let rod = interpreted(
        "/// A rod. \n system R { coordinates { x, y, θ } parameters { m = 1.3, g = 9, μ = 0.1, e = 0.6, k = 0.2, F = 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2) + m/6*θ̇^2; potential = m*g*y; force x = F;
        contact left { gap = y - sin(θ); slip = ẋ + sin(θ)*θ̇; friction = μ; impact = restitution(0.3); }
        contact right { gap = y + sin(θ) + k; slip = ẋ - sin(θ)*θ̇; friction = μ; impact = restitution(e); } }",
    );
    let θ = 0.3_f64;
    let start = State::new(0.0, [0.0, θ.sin(), θ], [0.5, -θ.cos(), -1.0]);
    check_by_differences(&rod, &start, 0.5, &["m", "g", "μ", "e", "k", "F"], 1e-4, false);
}

/// A contact whose restitution is a parameter that is 0, and that stays closed, does so to first order where it is a little more:
/// friction that lacks while it flies is given by the impacts.
#[test]
fn a_restitution_of_zero() {
    for law in ["restitution", "poisson", "stronge"] {
        let ball = interpreted(&format!(
            "/// A ball on an incline. \n system B {{ coordinates {{ x, y, θ }} parameters {{ e = 0, μ = 0.1 }}
            kinetic = (ẋ^2 + ẏ^2)/2 + θ̇^2/5; potential = 9*y - 3*x; contact floor {{ gap = y + x^2/20;
            slip = ẋ + θ̇; friction = μ; impact = {law}(e); }} }}"
        ));
        let start = State::new(0.0, [0.0, 0.5, 0.0], [1.0, 0.0, 0.5]);
        check_by_differences(&ball, &start, 0.8, &["e"], 1e-4, true);
    }
    let ball = interpreted(
        "/// A ball. \n system B { coordinates { y } parameters { e = 0 } kinetic = ẏ^2/2; potential = -4*y;
        contact floor { gap = y; impact = restitution(e); } }",
    );
    // What leaves at once leaves with e|ẏ⁻|.
    check_by_differences(&ball, &State::new(0.0, [1.0], [-4.0]), 0.8, &["e"], 1e-4, true);
}

/// A slip of two components along one direction goes through zero, as the run does; its variations have no derivative there.
#[test]
fn a_slip_of_two_components_turns_round() {
    let block = interpreted(
        "/// A block. \n system B { coordinates { x, y } parameters { μ = 0.2 } kinetic = (ẋ^2 + ẏ^2)/2; potential = 10*y + 2*x^2;
        contact floor { gap = y; slip = [ẋ, 2*ẋ]; friction = μ; impact = plastic; } }",
    );
    let start = State::new(0.0, [2.0, 0.0], [1.0, 0.0]);
    check_by_differences(&block, &start, 0.07, &["μ"], 1e-4, false);
    let variations = Variations::new(&block).unwrap();
    let refused = variations.sensitivities(&start, &[], &options(), 0.2, &["μ"]).unwrap_err();
    assert!(refused.to_string().contains("turns round in its plane"), "{refused}");
}

/// Sensitivities against differences of runs, of fourth order, or to one side.
fn check_by_differences(
    system: &Interpreted,
    start: &State,
    t: f64,
    names: &[&str],
    h: f64,
    one_sided: bool,
) {
    let variations = Variations::new(system).unwrap();
    let found = variations.sensitivities(start, &[], &options(), t, names).unwrap();
    let known = system.info().parameters;
    let mut values = vec![0.0; known.len()];
    system.parameters(&mut values);
    for (column, name) in names.iter().enumerate() {
        let at = |h: f64| {
            let moved = known.iter().zip(&values);
            let moved = moved.map(|(known, p)| Some(if known.name == *name { p + h } else { *p }));
            let moved = system.with_parameters(&moved.collect::<Vec<_>>()).unwrap();
            DVector::from_vec(end(&moved, start, t))
        };
        let (expected, within) = if one_sided {
            ((at(h) * 4.0 - at(2.0 * h) - at(0.0) * 3.0) / (2.0 * h), 1e-6)
        } else {
            ((at(h) * 8.0 - at(-h) * 8.0 - at(2.0 * h) + at(-2.0 * h)) / (12.0 * h), 1e-8)
        };
        let off = (found.matrix.column(column) - &expected).amax();
        assert!(
            off <= within * (1.0 + expected.amax()),
            "{name}: {off:e} {} {expected}",
            found.matrix
        );
    }
}
