//! What is said about what is written so elsewhere, and about what is meant in another place.

use crate::{check, check_alone};

#[test]
fn names_and_derivatives() {
    check(
        "habits_of_names",
        &[
            "claim a: ẍ = mx;",
            "claim a: mẍ = 0;",
            "claim a: x.dot = 0;",
            "claim a: x.ddot = 0;",
            "claim a: x_double_dot = 0;",
            "claim a: diff(x, t, 2) = 0;",
            "claim a: diff(x, t, t) = 0;",
            "let P = [x, y]; output s = rate(P[1]);",
            "claim a: diff(energy, ẋ) = m*ẋ;",
            "claim a: Sin[x] = 0;",
            "output E = energy;",
            "output E = kinetic;",
            "draw { line [x, y] [0, 0]; }",
            "constraints { r: ẋ = 0; } contact c { gap = y; impact = elastic; } claim a at c: rank(gram) = 1;",
        ],
    );
}

#[test]
fn places() {
    check_alone(
        "habits_of_places",
        &[
            "coordinates { x, y } kinetic = norm([ẋ, ẏ]);",
            "coordinates { x } kinetic = ẋ^2; holonomic { h: ẋ = 1; }",
            "coordinates { x } inputs { u } kinetic = ẋ^2; potential = -u*x;",
            "coordinates { x } parameters { m = 2*k, k = 1 } kinetic = m*ẋ^2;",
            "coordinates { x, y, z } kinetic = ẋ^2 + ẏ^2 + ż^2; velocities { w = ẋ + ẏ + ż }",
        ],
    );
}
