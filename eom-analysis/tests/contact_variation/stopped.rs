//! Slips that an impact brings to zero, as the speed of a belt changes that they are measured from.

use super::{letters_of, options};
use crate::common::interpreted;
use eom_analysis::Variations;
use eom_core::State;

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
