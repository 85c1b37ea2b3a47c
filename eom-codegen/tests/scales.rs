//! Claims about what is small beside something else, or where a function jumps: decided by the terms that they are between.

use eom_codegen::derive_source;

/// Two coordinates that nothing couples; the acceleration of y is that of `potential`.
fn apart(potential: &str) -> String {
    format!(
        "coordinates {{ x, y }} parameters {{ m = 1 where m > 0, k = 2 }}
        kinetic = m/2*(ẋ^2 + ẏ^2); potential = k*x^2/2{potential};"
    )
}

/// A body above a floor.
const BODY: &str =
    "coordinates { x, y } parameters { m = 1 where m > 0, e = 1/2 where e >= 0 && e <= 1 }
    kinetic = m/2*(ẋ^2 + ẏ^2); potential = m*9.81*y;
    contact f { gap = y; impact = restitution(e); }";

/// An electron between plates, beside a table.
const ELECTRON: &str =
    "coordinates { y, z } parameters { V = 2 where V > 0, d = 1 where d > 0, k = 3 }
    kinetic = 9.109e-31*ẏ^2/2 + ż^2/2; potential = 1.602e-19*V/d*y + k*z^2/2;";

/// A claim of a system, and whether it follows.
fn check(system: &str, claim: &str, follows: bool) {
    let source = format!("system S {{ {system} claim c {claim}; }}");
    let said = derive_source(&source).map(|_| ()).map_err(|mistakes| mistakes[0].to_string());
    let refused = said.as_ref().is_err_and(|said| {
        said.contains("`c` does not follow")
            || said.contains("`c` cannot be decided: no state was found")
    });
    assert!(if follows { said.is_ok() } else { refused }, "{claim}: {said:?}");
}

#[test]
fn small_accelerations_are_told_apart() {
    let pushed = &apart(" + 1e-13*y");
    // table: ÿ = −1e-13/m, then 0.
    for (claim, follows) in [
        (": m*ÿ = -1e-13", true),
        (": m*ÿ = 0", false),
        (": m*ÿ = 1e-13", false),
        (": m*ÿ = -2e-13", false),
        (": m*ẍ = -k*x", true),
    ] {
        check(pushed, claim, follows);
    }
    for (claim, follows) in
        [(": m*ÿ = 0", true), (": m*ÿ = 1e-13*x", false), (": ẏ*ÿ = 1e-20*x", false)]
    {
        check(&apart(""), claim, follows);
    }
    for (claim, follows) in [
        (": 9.109e-31*ÿ = -1.602e-19*V/d", true),
        (": 9.109e-31*ÿ = 1.602e-19*V/d", false),
        (": 9.109e-31*ÿ = 0", false),
        (": z̈ = -k*z", true),
    ] {
        check(ELECTRON, claim, follows);
    }
}

/// Of a long chain the terms of a power are a thousand times as large as it: rounding of them is not there at each state.
#[test]
fn a_billionth_of_a_small_term_is_seen() {
    let chain = "parameters { N = 20, m = 1 where m > 0, l = 1 where l > 0, g = 9.81, c = 0.1 where c >= 0 }
        coordinates { θ[i in 1..=N] }
        let X[i in 1..=N] = sum(l*sin(θ[j]), j in 1..=i);
        let Y[i in 1..=N] = -sum(l*cos(θ[j]), j in 1..=i);
        kinetic = m/2*sum(Ẋ[i]^2 + Ẏ[i]^2, i in 1..=N);
        potential = m*g*sum(Y[i], i in 1..=N);
        dissipation = c/2*sum(θ̇[i]^2, i in 1..=N);";
    check(chain, ": rate(energy) = -c*sum(θ̇[i]^2, i in 1..=N)", true);
    check(chain, ": rate(energy) = -(1 + 1e-9)*c*sum(θ̇[i]^2, i in 1..=N)", false);
}

/// Of bodies that hardly move against each other, (ẋ + ẏ)²/2 + ε ẏ²/2, the solve has the condition 1/ε at all states.
#[test]
fn what_a_solve_amplifies_is_no_difference() {
    for ε in ["1e-3", "1e-5", "1e-6", "1e-8"] {
        let system = format!(
            "coordinates {{ x, y }} kinetic = (ẋ + ẏ)^2/2 + {ε}/2*ẏ^2; potential = x^2/2 + 3*x*y + sin(y);"
        );
        check(&system, &format!(": ÿ = (3*y - 2*x - cos(y))/{ε}"), true);
        check(&system, &format!(": ÿ = (3*y - 2*x - 1.0001*cos(y))/{ε}"), false);
    }
}

/// The terms of a force may cancel, and leave their rounding.
#[test]
fn what_cancels_in_a_small_force_is_zero() {
    let cancels = &apart(" + 3*y*(sin(x)^2 + cos(x)^2 - exp(ln(2 + x^2))/(2 + x^2))");
    check(cancels, ": m*ÿ = 0", true);
    check(cancels, ": m*ÿ = 1e-6*y", false);
}

/// A kink of a parameter near its bound has both its sides.
#[test]
fn branches_near_a_bound_are_seen() {
    let system = "coordinates { x } parameters { b = 2 where b > 1 && b < 4, c = 1 where c > 0 }
        kinetic = ẋ^2/2; potential = b*c*x;";
    for (claim, follows) in [
        (": abs(b - 4) = 4 - b", true),
        (": abs(b - 3.9) = 3.9 - b", false),
        (": abs(b - 3.98) = 3.98 - b", false),
        (": abs(b - 1.01) = b - 1.01", false),
        (": sign(c - 0.01) = 1", false),
        (": sign(c + 0.01) = 1", true),
        (": ramp(b, 3.95, 5) = 0", false),
    ] {
        check(system, claim, follows);
    }
}

/// A sign of rounding is no sign.
#[test]
fn signs_of_zero_are_zero() {
    // table
    for (claim, follows) in [
        (": sign(m*ÿ) = 1", false),
        (": sign(m*ÿ) = 0", true),
        (": sign(m*ẍ + k*x) = 1", false),
        (": sign(m*ẍ + k*x) = 0", true),
        (": sign(abs(x) - x) = 1", false),
        (": sign(sin(x)^2 + cos(x)^2 - 1) = 5", false),
        (": atan2(m*ÿ, m*ẍ + k*x) = 7", false),
        (": sign(1 + x^2) = 1", true),
    ] {
        check(&apart(""), claim, follows);
    }
    for claim in ["at f: sign(ẋ_plus - ẋ_minus) = 1", "closed f: sign(ÿ) = 1"] {
        check(BODY, claim, false);
    }
    let notation = "notation { x = x; }";
    for (claim, follows) in [
        (r"x < |x|", false),
        (r"0 < |x| - x", false),
        (r"\cos^2 x < 1 - \sin^2 x", false),
        (r"x^2 < x^2 + 1", true),
    ] {
        check(&format!("{} {notation}", apart("")), &format!(": tex r\"{claim}\""), follows);
    }
}
