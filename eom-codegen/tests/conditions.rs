//! Claims `when`: equations that hold on part of the states only. Every equation here is worked
//! out by hand from the declaration it stands in.

use eom_codegen::derive_source;

/// A bead of mass m on a hoop of radius l, gravity g along −y.
const HOOP: &str = "coordinates { x, y }
    parameters { m = 1 where m > 0, l = 1 where l > 0, g = 9.81 }
    kinetic = m/2*(ẋ^2 + ẏ^2); potential = m*g*y;
    holonomic { hoop: (x^2 + y^2 - l^2)/2 = 0; }";

/// A block on a spring with viscous friction and a drive.
const BLOCK: &str = "coordinates { x }
    parameters { m = 1 where m > 0, k = 1 where k >= 0, c = 0 where c >= 0 }
    inputs { u }
    kinetic = m/2*ẋ^2; potential = k/2*x^2; dissipation = c/2*ẋ^2;
    force x = u;";

/// A ladder of length 2, mass m and inertia J that hits the floor with its lower end.
const LADDER: &str = "coordinates { y, θ }
    parameters { m = 1 where m > 0, J = 1/3 where J > 0, e = 1/2 where e >= 0 && e <= 1 }
    kinetic = m/2*ẏ^2 + J/2*θ̇^2;
    contact floor { gap = y - cos(θ); impact = restitution(e); }";

/// A sledge whose blade forbids sideways motion.
const SLEDGE: &str = "coordinates { x, y, θ }
    parameters { m = 1 where m > 0, J = 1 where J > 0 }
    kinetic = m/2*(ẋ^2 + ẏ^2) + J/2*θ̇^2;
    constraints { blade: -sin(θ)*dx + cos(θ)*dy; }";

fn complaints(system: &str, items: &str) -> Vec<String> {
    match derive_source(&format!("system S {{\n{items}\n{system}\n}}")) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

/// The items are accepted.
fn check(system: &str, items: &str) {
    let found = complaints(system, items);
    assert!(found.is_empty(), "{items}\n{}", found.join("\n"));
}

/// The items are refused, with these words.
fn refused(system: &str, items: &str, words: &str) {
    let found = complaints(system, items).join("\n");
    assert!(found.contains(words), "{items}\nexpected `{words}`, found\n{found}");
}

#[test]
fn conditions_on_coordinates_and_velocities_are_substituted() {
    // At the bottom of the hoop λ l = m v²/l + m g, from m ÿ = −m g + λ y with y = −l.
    check(HOOP, "claim bottom when x = 0, y = -l: -λ(hoop)*l^2 = m*ẋ^2 + m*g*l;");
    check(SLEDGE, "claim along_x when θ = 0: ẏ = 0;");
    check(SLEDGE, "claim diagonal when θ = pi/4: ẋ = ẏ;");
    check(SLEDGE, "claim straight when θ̇ = 0: ẍ = 0;");
    check(SLEDGE, "claim speed when x = θ, ẋ = θ̇: ẏ = θ̇*tan(x);");
}

/// A bead on a wire of any shape: λ (1 + f_x²) = m (g + f_xx ẋ²), which is positive at most states, not at all.
#[test]
fn a_sign_that_most_states_have_is_a_condition() {
    const WIRE: &str = "coordinates { x, z }
        parameters { m = 1 where m > 0, g = 9.81 where g > 0 }
        function f(x) = x^2/10 - x^4;
        kinetic = m/2*(ẋ^2 + ż^2); potential = m*g*z;
        holonomic { wire: z - f; }";
    check(WIRE, "claim pressed: λ(wire) = m*(g + f_xx*ẋ^2)/(1 + f_x^2);");
    check(WIRE, "claim size when sign(λ(wire)) = 1: abs(λ(wire)) = λ(wire);");
    refused(WIRE, "claim idle when sign(1 + ẋ^2) = 1: ż = f_x*ẋ;", "it holds at all states");
    // What the message says of the motion is of all of it: a shape held free does not say how its slope moves.
    for claim in
        ["claim still: λ(wire) = m*g/(1 + f_x^2);", "claim at_rest: ẍ = -g*f_x/(1 + f_x^2);"]
    {
        refused(WIRE, claim, "does not follow");
        let found = complaints(WIRE, claim).join("\n");
        assert!(!found.contains("the equations of motion"), "{found}");
    }
}

/// At y = 0 the bead moves along y, x ẋ = 0: where x = 0 as well both solutions meet, on hoops that have shrunk to a point, and
/// a state near there is none.
#[test]
fn solutions_that_meet_are_no_states() {
    check(HOOP, "claim side when y = 0: abs(x) = l;");
    check(HOOP, "claim along_y when y = 0: ẋ = 0;");
    check(HOOP, "claim on_top when x = 0: y^2 = l^2;");
    refused(HOOP, "claim one_side when y = 0: x = l;", "does not follow");
}

/// A condition of several roots is met at all of them.
#[test]
fn conditions_hold_at_all_of_their_roots() {
    let pendulum =
        "coordinates { x, θ } parameters { m = 1 where m > 0, s = 1 where s > 0 && s < 6 }
        kinetic = m/2*(ẋ^2 + θ̇^2); potential = -m*cos(θ);";
    for false_one in [
        "when sin(θ) = 0: cos(θ) = 1",
        "when θ̈ = 0: cos(θ) = 1",
        "when x*(x - 5) = 0: x = 0",
        "when x^3 - 6*x^2 + 11*x - 6 = 0: x = 1",
        "when abs(x - 3) = 1: x = 2",
    ] {
        refused(pendulum, &format!("claim c {false_one};"), "does not follow");
    }
    for true_one in [
        "when sin(θ) = 0: cos(θ)^2 = 1",
        "when θ̈ = 0: sin(2*θ) = 0",
        "when x*(x - 5) = 0: x^2 = 5*x",
        "when x^3 - 6*x^2 + 11*x - 6 = 0: x^4 = 25*x^2 - 60*x + 36",
        "when abs(x - 3) = 1: x^2 + 8 = 6*x",
        "when x^2 + θ^2 = s^2, ẋ = -θ: x*ẋ + θ*x = 0",
    ] {
        check(pendulum, &format!("claim c {true_one};"));
    }
}

/// A double root is known to the root of rounding.
#[test]
fn conditions_with_double_roots() {
    const PLANE: &str =
        "coordinates { x, y, θ } parameters { m = 1 where m > 0, a = 2 where a > 0 }
        kinetic = m/2*(ẋ^2 + ẏ^2 + θ̇^2);";
    for true_one in [
        "when θ^2 = 0: θ = 0",
        "when (x - 1)^2 = 0: x = 1",
        "when x^2 + y^2 = 0: x = y",
        "when cos(θ) = 1: sin(θ) = 0",
        "when cosh(x) = 1: x = 0",
        "when x^2 + a^2 = 2*a*x: x = a",
        "when kinetic = 0: ẋ = 0",
        "when m*ẋ^2 + θ̇^2 = 0: θ̇ = 0",
        "when (ẋ - ẏ)^2 = 0: ẋ = ẏ",
        "when x^4 = 0: x = 0",
        "when abs(x) = 0: x = 0",
        "when sqrt(x^2 + y^2) = 0: y = 0",
    ] {
        check(PLANE, &format!("claim c {true_one};"));
    }
    for false_one in [
        "when θ^2 = 0: θ = 1e-4",
        "when (x - 1)^2 = 0: x = 1.0001",
        "when x^2 + y^2 = 0: x = y + 1/1000",
        "when cos(θ) = 1: cos(θ) = 0.9999",
        "when x^2 = 0: y = 0",
        "when kinetic = 0: ẋ = 1e-4",
        "when x^4 = 0: x = 1e-6",
        "when sqrt(x^2 + y^2) = 0: x = θ",
    ] {
        refused(PLANE, &format!("claim c {false_one};"), "does not follow");
    }
}

/// A function has one value at a point, however the point is written: what is an identity of numbers, or holds under the
/// conditions or on the constraints, is one of points.
#[test]
fn values_of_functions_at_points_that_coincide() {
    const PLANE: &str = "coordinates { x, y, θ } parameters { m = 1 where m > 0 }
        function f(x); function p(x, y);
        kinetic = m/2*(ẋ^2 + ẏ^2 + θ̇^2); potential = f;
        holonomic { tie: x = sin(θ); }";
    for true_one in [
        ": f(sqrt(y^2)) = f(abs(y))",
        ": p(sqrt(y^2), θ) = p(abs(y), θ)",
        ": f((y + 1)^2) = f(y^2 + 2*y + 1)",
        ": f(sin(2*θ)) = f(2*sin(θ)*cos(θ))",
        ": f(abs(m)) = f(m)",
        ": f(f(sqrt(y^2))) = f(f(abs(y)))",
        ": f_x(sqrt(y^2)) - f(y) = f_x(abs(y)) - f(y)",
        ": f(x) = f(sin(θ))",
        ": m*ẍ = λ(tie) - f_x(sin(θ))",
        "when x = 0, y = 0: p(x, y) = p(0, 0)",
        "when (y - θ)^2 = 0: f(y) = f(θ)",
    ] {
        check(PLANE, &format!("claim c {true_one};"));
    }
    for false_one in [
        ": f(sqrt(y^2)) = f(y)",
        ": f(asin(sin(y))) = f(y)",
        ": f(sqrt(y^2)) = p(abs(y), 0)",
        ": f_x(sqrt(y^2)) = f(abs(y))",
        ": p(y, θ) = p(θ, y)",
        ": f(x) = f(θ)",
        "when y = 0: p(x, y) = p(0, 0)",
    ] {
        refused(PLANE, &format!("claim c {false_one};"), "does not follow");
    }
}

/// Far away the mass matrix of X = x + e^φ is singular to rounding: Cramer's rule by hand.
#[test]
fn accelerations_that_rounding_hides_far_away() {
    const LEVER: &str = "coordinates { x, φ } parameters { m = 1 where m > 0, M = 1 where M > 0 }
        let X = x + exp(φ); kinetic = m/2*(ẋ^2 + φ̇^2) + M/2*Ẋ^2;";
    for true_one in [
        "ẍ = -M*exp(φ)*φ̇^2/(m + M + M*exp(2*φ))",
        "φ̈ = -M*exp(2*φ)*φ̇^2/(m + M + M*exp(2*φ))",
        "m*ẍ = m*exp(-φ)*φ̈",
    ] {
        check(LEVER, &format!("claim c: {true_one};"));
    }
    for false_one in [
        "ẍ = -M*exp(φ)*φ̇^2/(m + M + M*exp(3*φ))",
        "φ̈ = -M*exp(2*φ)*φ̇^2/(m - M + M*exp(2*φ))",
        "m*ẍ = m*exp(φ)*φ̈",
    ] {
        refused(LEVER, &format!("claim c: {false_one};"), "does not follow");
    }
}

/// Both sides are defined where x, y and z are positive, at an eighth of the states.
#[test]
fn sides_that_are_seldom_defined() {
    let free = "coordinates { x, y, z } kinetic = ẋ^2 + ẏ^2 + ż^2;";
    check(free, "claim c: sqrt(x)*sqrt(y)*sqrt(z) = sqrt(x*y*z);");
    check(free, "claim c: ln(x*y*z) = ln(x) + ln(y) + ln(z);");
    refused(free, "claim c: sqrt(x)*sqrt(y)*sqrt(z) = x*y*z;", "does not follow");
}

/// What holds nearby and not on another branch, or far away.
#[test]
fn claims_hold_on_all_branches() {
    for false_one in [
        "asin(sin(x)) = x",
        "atan2(sin(x), cos(x)) = x",
        "acos(cos(x)) = sqrt(x^2)",
        "ramp(x, 20, 30) = 0",
        "sign(x - 20) = -1",
        "abs(x - 9) = 9 - x",
        "tanh(x + 40) = 1",
        "erf(x + 20) = 1",
        "m*ẍ = u - c*ẋ - k*abs(x + 9) + 9*k",
    ] {
        refused(BLOCK, &format!("claim c: {false_one};"), "does not follow");
    }
    for true_one in [
        "sin(asin(x/30)) = x/30",
        "abs(x)*sign(x) = x",
        "sqrt(x^2) = abs(x)",
        "ramp(x, 20, 30) + ramp(-x, -30, -20) = 1",
        "tanh(2*x)*(1 + tanh(x)^2) = 2*tanh(x)",
        "ln(exp(x)) = x",
        "m*ẍ = u - c*ẋ - k*abs(x)*sign(x)",
    ] {
        check(BLOCK, &format!("claim c: {true_one};"));
    }
}

#[test]
fn conditions_on_parameters_and_inputs() {
    check(BLOCK, "claim free when k = 0, c = 0: m*ẍ = u;");
    check(BLOCK, "claim balance when u = k*x + c*ẋ: ẍ = 0;");
    check(BLOCK, "claim heavy when m = 2*k: 2*k*ẍ + c*ẋ + k*x = u;");
    check(BLOCK, "claim both when [c, u] = [0, 0]: m*ẍ = -k*x;");
    check(BLOCK, "claim drift when k = 0, c = 0, u = 0: motion(a, b) { x = a + b*t; };");
}

#[test]
fn conditions_on_what_is_solved_for() {
    // The bead leaves the hoop where m v² = −m g y: m v²/l is all of the normal force.
    check(HOOP, "claim leaves when λ(hoop) = 0: ẋ^2 + ẏ^2 = g*y;");
    check(HOOP, "claim falls when λ(hoop) = 0: [ẍ, ÿ] = [0, -g];");
    check(HOOP, "claim level when ÿ = 0: λ(hoop)*y = m*g;");
    check(BLOCK, "claim coast when ẍ = 0: u = c*ẋ + k*x;");
    check(BLOCK, "claim circle when m*ẋ^2 + k*x^2 = 2: energy = 1;");
    check(SLEDGE, "claim unloaded when λ(blade) = 0: θ̇*(ẋ*cos(θ) + ẏ*sin(θ)) = 0;");
}

#[test]
fn conditions_at_an_impact() {
    // With ġ = ẏ + sin(θ) θ̇ and d = 1/m + sin²θ/J the impulse is −(1+e) ġ/d.
    check(LADDER, "claim upright at floor when θ = 0: θ̇_plus = θ̇;");
    check(
        LADDER,
        "claim flat at floor when θ = pi/2: m*ẏ_plus = m*ẏ - (1 + e)*(ẏ + θ̇)*m*J/(J + m);",
    );
    check(LADDER, "claim stops at floor when ẏ_plus = 0, e = 0: θ̇_plus*sin(θ) = 0;");
    check(LADDER, "claim soft at floor when e = 0: ẏ_plus + sin(θ)*θ̇_plus = 0;");
    check(LADDER, "claim bare at floor when impulse(floor) = 0: [ẏ_plus, θ̇_plus] = [ẏ, θ̇];");
}

#[test]
fn errata_are_decided_under_their_conditions() {
    check(HOOP, "erratum leaves when λ(hoop) = 0: ẋ^2 + ẏ^2 = -g*y; corrected: ẋ^2 + ẏ^2 = g*y;");
    refused(
        HOOP,
        "erratum leaves when λ(hoop) = 0: ẋ^2 + ẏ^2 = g*y; corrected: ÿ = -g;",
        "the printed form follows",
    );
}

#[test]
fn what_does_not_follow_under_conditions_is_refused() {
    refused(SLEDGE, "claim wrong when θ = 0: ẋ = 0;", "claim `wrong` does not follow");
    refused(HOOP, "claim wrong when λ(hoop) = 0: ẋ = 0;", "claim `wrong` does not follow");
    refused(
        BLOCK,
        "claim wrong when k = 0: motion(a, b) { x = a + b*t; };",
        "does not satisfy the equations of motion",
    );
}

#[test]
fn the_conditions_are_kept_as_written() {
    let source = format!("system S {{ claim a when θ = 0, ẋ = 1: ẏ + ẋ = 1; {SLEDGE} }}");
    let derived = derive_source(&source).expect("the claim follows");
    let written: Vec<&str> = derived.model.claims[0].when.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(written, ["θ = 0", "ẋ = 1"]);
}
