//! How many sums the series of a motion take.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use eom_symbolic::mechanics::lagrange::derive;
use eom_symbolic::program::SystemPrograms;
use support::Declaration;

#[track_caller]
fn check(mut declaration: Declaration, sums: usize) {
    let equations = derive(&mut declaration.model).unwrap();
    let programs = SystemPrograms::new(&declaration.model, &equations);
    let series = programs.series.unwrap();
    assert_eq!(series.sums, sums, "{:#?}", series.start);
}

/// One rule, one case.
#[test]
fn series_take_few_sums() {
    let moved = |force: &str| {
        Declaration::new(&["x", "y"], &["k"]).energies("ẋ^2/2 + ẏ^2/2", "0").force(0, force)
    };
    // [x², x].
    check(moved("x^3"), 2);
    // Two quotients with y, and no reciprocal.
    check(moved("x/(1 + y)").force(1, "y/(1 + y)"), 2);
    // The reciprocal itself is a force: [r, y], [r, x].
    check(moved("x/(1 + y)").force(1, "1/(1 + y)"), 2);
    // sin x, cos x, sin y, cos y, then two of x − y.
    let angles = "sin(x) + sin(y) + k*sin(x - y)";
    check(moved(angles).force(1, "k*cos(x - y)"), 6);
    // One of them alone stays as its two products.
    check(moved(angles).force(1, "x"), 6);
    // With one angle that does not move there are no sums of products.
    check(moved("sin(x) + sin(x - k)*sin(k)").force(1, "cos(x - k)"), 2);
}
