//! What is said about claims.

use crate::check;

/// A claim with a function holds for every function.
#[test]
fn claims_with_functions() {
    check(
        "claims_with_functions",
        &[
            "function f(x, y); claim a: f_x = f_y;",
            "function f(x, y); claim a: f(x, y) = f(y, x);",
            "function f(x, y) = x; claim a: f_x = 1;",
            "function f(x); contact c { gap = y - f; impact = elastic; } claim a at c: ẋ_plus = ẋ;",
            "function f(t); claim a: motion() { x = f(t); y = 0; };",
        ],
    );
}

#[test]
fn claims() {
    const CONTACT: &str = "contact floor { gap = y; impact = restitution(e); }";
    let cases = [
        "claim a: ẍ = 1;",
        "claim a: m*ẍ = x;",
        "claim a: [ẍ, ÿ] = [0, x*y];",
        "claim a: [ẍ, ÿ] = 0;",
        "claim a at flor: ẏ_plus = 0;",
        "claim a at floor: ẏ_plus = e*ẏ_minus;",
        "claim a at floor under elastic: plus(energy) = energy + 1;",
        "claim a: ẏ_plus = 0;",
        "claim a: impulse(floor) = 0;",
        "claim a: λ(flor) = 0;",
        "claim a: λ(floor) = 0;",
        "claim a: λ(1) = 0;",
        "constraints { r: [dx, 0]; } claim a: λ(r) = [1, 0];",
        "constraints { r: [dx, 0]; } claim a: λ(r[2]) = 0;",
        "constraints { r: [dx, 0]; } claim a: λ(r[3]) = 0;",
        "constraints { r: [dx, dy]; } claim a: sharp(r) = 0;",
        "claim a: sharp(roof) = [0, 1];",
        "claim a: force(z) = 0;",
        "claim a: inverse(mass) = identity;",
        "claim a: energy_dot = 0;",
        "claim a: plus(energy, 2) = 0;",
        "claim a when x = 0: ẍ = 0;",
        "claim a when ẍ = 0: ẋ = 0;",
        "claim a when x = 1, x = y, y = 2: ẋ = 0;",
        "claim a when x = 1, y = x, y = 1: ẋ = 0;",
        "claim a when x^2 + y^2 = -1: ẋ = 0;",
        "claim a when x = 1: ẋ = 0;",
        "claim a when ẋ > 0: abs(ẋ) = ẋ;",
        "claim a when m = -m^2 - 1: ẋ = 0;",
        "claim a when ẋ_plus = 0: ẋ = 0;",
        "claim a when [x, y] = 0: ẋ = 0;",
        "claim a when z = 0: ẋ = 0;",
        "claim a when x = 0: motion(k) { x = k*t; y = 0; };",
        "claim a at floor when ẏ_plus = ẏ + 1, ẏ = 1: ẋ = 0;",
        "erratum a when x = 0: ẋ = ẋ; corrected: ẋ = x;",
        "claim a: ẍ = 0; claim a: ÿ = 0;",
        "claim a: motion(k) { x = k*t; };",
        "claim a: motion(k) { x = k*t; y = k; x = 2; };",
        "claim a: motion(k) { x = k*t^2; y = 0; };",
        "claim a: motion(k) { x = x; y = 0; };",
        "claim a: motion(k) { x = k*t; z = 0; };",
        "claim a: motion(x) { x = 1; y = 0; };",
        "claim a: ln(-1 - x^2) = 0;",
        "erratum a: ẍ = 0; corrected: m*ẍ = 0;",
        "erratum a: ẍ = 1; corrected: ẍ = 2;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {CONTACT}")).collect();
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    check("claims", &cases);
    check(
        "motions",
        &[
            "constraints { a: dy - dx; } claim b: motion(k) { x = k*t; y = 2*k*t; };",
            "holonomic { a: y = x; } claim b: motion(k) { x = k*t; y = k*t + 1; };",
            "constraints { a: dx + dy; b: 2*dx + 2*dy; } claim c: ẍ = 0;",
            "parameters { w where w > 1 && w < 0 } claim b: w*ẍ = 0;",
        ],
    );
}

/// What was forgotten is what the equations of motion leave of the two sides: damping, a rate of the rows.
#[test]
fn claims_that_lack_a_term() {
    check(
        "claims_that_lack_a_term",
        &[
            "parameters { c } dissipation = c/2*ẋ^2; claim a: m*ẍ = 0;",
            "parameters { c } dissipation = c/2*ẋ^2; claim a: m*ẋ*ẍ + m*ẏ*ÿ = 0;",
            "parameters { c } dissipation = c/2*ẋ^2; claim a: 2*x*ẍ = ẋ^2;",
            "constraints { r: dy - x*dx; } claim a: ÿ = x*ẍ;",
            "constraints { r: dy - x*dx; } claim a: λ(r) = 0;",
            "constraints { r: dy - x*dx; } claim a: ẏ = ẋ;",
            // What nobody would read is not shown.
            "claim a: sum(sin(i*x)*cos((i + x)*y)/(i + x^2), i in 1..=60) = 0;",
            "parameters { c } dissipation = c/2*ẋ^2; claim a: m*ẍ*sum(cos(i*x)*sin((i + x)*y)/(i + x^2), i in 1..=60) = 0;",
        ],
    );
}

#[test]
fn claims_about_the_rows_of_a_contact() {
    const CONTACT: &str = "constraints { roll: dx; } contact floor { gap = y; impact = elastic; \
        constraints { slip: ẋ = ẏ; } releases roll; } contact wall { gap = x; impact = plastic; }";
    let cases = [
        "claim a: floor.slip = 0;",
        "claim a at wall: impulse(floor.slip) = 0;",
        "claim a at floor: impulse(floor.slide) = 0;",
        "claim a at floor: impulse(flor.slip) = 0;",
        "claim a at floor: impulse(roll) = 0;",
        "claim a at floor: gram[roll, floor] = 0;",
        "claim a at floor: λ(floor.slip) = 0;",
        "claim a at floor: λ(wall.slip) = 0;",
        "claim a at floor: gram[floor.slip, floor.slip] = 0;",
        "claim a at floor under corner: ẋ_plus = 0;",
        "claim a at floor: sin(floor.slip) = 1;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {CONTACT}")).collect();
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    check("rows_of_contacts", &cases);
}
