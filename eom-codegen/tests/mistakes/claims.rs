//! Mistakes in claims.

use super::{beside, check};

#[test]
fn claims() {
    check(
        "claims",
        beside,
        1,
        &[
            "claim a: ẍ = 1;",
            "claim a at floor: x = 0;",
            "contact floor { gap = y; impact = elastic; } claim a at flor: x = 0;",
            "claim a: λ(rod) = 0;",
            "claim a: ẋ_plus = 0;",
            "claim a: x;",
            "claim a: x == 0;",
            "claim: x = 0;",
            "contact c { gap = y; impact = elastic; } claim a at c under bouncy: x = 0;",
            "contact c { gap = y; impact = elastic; } claim a: λ(c) = 0;",
            "erratum a: x = 1;",
            "erratum a: ẍ = 0; corrected: ẍ = 0;",
            "claim a: projector[x, z] = 0;",
            "claim a when x = x: y = 0;",
            "claim a: ẍ = 0 when y = 0;",
            "claim a: energy = constant;",
            "claim a: rate(H) = 0;",
            "contact c { gap = y; impact = elastic; } claim a closed c: λ_c = 0;",
            "coordinates { z[1..=3] } dissipation = sum(ż_i^2, i in 1..=3);",
            "output h = x*y; event top { guard = ḣ; falling; }",
            "scenario s { until t = 1; } claim a: value(x, 1) = 0;",
        ],
    );
}

/// Claims of whole motions.
#[test]
fn sentences() {
    let start = |claim: &str| format!("scenario start {{ x = 1; until t = 1; }} {claim}");
    let cases = [
        "claim a of strat: eigenvalues[1] = 0;",
        "claim a of start: eigenvalue[1] = 0;",
        "claim a of start: x + y = 0;",
        "claim a of start: eigenvalues[0] = 0;",
        "claim a of start: eigenvalues(2)[1] = 0;",
        "claim a of start: critical(m, 1)[1] = 0;",
        "claim a of start: critical(1, 2, 3)[1] = 0;",
        "claim a of start: critical(mass, 2, 3)[1] = 0;",
        "claim a of start: multipliers[1] = 0;",
        "claim a of start: period(2, 1/2) = 0;",
        "claim a of start: period(2)[1] = 1;",
        "claim a of start: lyapunov = x;",
        "claim a of start wiht m = 2: lyapunov = 0;",
        "claim a of start with m = 2, m = 3: lyapunov = 0;",
        "claim a of start with z = 2: lyapunov = 0;",
        "claim a of start: lyapunov;",
        "claim a of start: lyapunov > 0 > 1;",
        "claim a of start: lyapunov = 0 claim b: ẍ = 0;",
        "claim start of start: lyapunov = 0; claim start: ẍ = 0;",
    ];
    let cases: Vec<String> = cases.iter().map(|claim| start(claim)).collect();
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    check("sentences", beside, 1, &cases);
}
