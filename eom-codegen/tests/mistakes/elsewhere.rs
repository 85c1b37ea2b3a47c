//! What is written as elsewhere: in other languages, other scripts, with a letter too many.

use super::{beside, check};

/// Comments of other languages; none of what they say is read.
#[test]
fn comments() {
    check(
        "comments",
        beside,
        1,
        &[
            "# the potential, in J\npotential = m*x;",
            "potential = m*x; # in J; that is { not } read",
            "potential = m*x % in J\n;",
            "potential = m*x; % in J",
            "# don't read this\npotential = m*x;",
            "potential = m*x; % it's \"odd\" { here",
            "scenario s { # a start\nx = 1; until t = 1; }",
            "parameters { k = 1, # N/m\nl = 2 }",
            "parameters { k = 1 # N/m\n, l = 2 }",
            "# the last",
        ],
    );
}

/// Letters of another script, words with a letter too many, and what stands in a module elsewhere.
#[test]
fn words_that_are_nearly_right() {
    check(
        "nearly",
        beside,
        1,
        &[
            "parameters { a = 1 } potential = а*x;",
            "parameters { o = 1 } potential = ο*x;",
            "parameters { ρ = 1 } potential = p*x;",
            // Declared in another script.
            "parameters { \u{430} = 1 } potential = a*x;",
            "coordinates { \u{43e} } dissipation = o_dot^2;",
            "potential = соs(x);",
            "роtential = x;",
            "force х = 1;",
            "contact wall { gap = x; impact = elаstic; }",
            "scenario s { х = 1; until t = 1; }",
            "potential = np.cos(x);",
            "potential = math.cos(x) + Math.sin(0);",
            "potential = x*np.pi;",
            "potential = x.sin();",
            "scenario s { x = 1; untl t = 4; }",
            "scenario s { sove ẋ; until t = 4; }",
            "scenario s { x = 1; until impact = 4; }",
            "scenario s { x = 1; until time = 4; }",
            "event passes { guard = x - 1; both; } scenario s { until pases = 2; }",
            "event passes { guard = x - 1; both; } scenario s { until x = 2; }",
            "parameters { mass = 1 } scenario s { until t = 1; } claim a of s: critical(mas, 1, 2)[1] = 1;",
            "force { x: 1; y: 2; }",
            "contact c { gap = x; impct = elastic; }",
            "contact c { gap = x; impact = elastc; }",
            "contact c { gap = x; impact = elastic; } impacts = sequental;",
            "event e { guard = x; risng; }",
            "event e { gaurd = x; }",
            "parameters { k = 1 were k > 0 }",
            "claim a att c: ẍ = 0;",
            "claim a wen x = 0: ẍ = 0;",
            "erratum a: ẍ = 1; corected: ẍ = 0;",
            "rotation R { bdy: ω_1, ω_2, ω_3 }",
            "holonmic { r: x = y; }",
            "potential = summ(i*x, i in 1..=3);",
            "allow unsed_let;",
            "contact c { gap = x; impact = elastic; } force y = m*friction(c);",
            "contact c { gap = x; impact = elastic; constraints { s: ẏ = 0; } } force y = λ(c.s);",
        ],
    );
}

/// What is written otherwise in other languages: derivatives, functions, numbers, switches.
#[test]
fn as_written_elsewhere() {
    let derivatives = [
        "potential = m*xdot;",
        "claim a: x_ddot = yddot;",
        "claim a: ẍ = y_dotdot;",
        "claim a: ẋ = dot_x;",
        "claim a: ẋ = xd;",
        "dissipation = dx^2;",
        "dissipation = (dx/dt)^2;",
        "claim a: d/dt(y) = 0;",
        "dissipation = diff(x, t)^2;",
        "dissipation = Derivative(x + y, t)^2;",
        "dissipation = x.diff(t)^2;",
        "dissipation = dot(y)^2;",
        "force xdot = 1;",
        "force ẋ = 1;",
        "contact c { gap = x; impact = assign { xdot = 1; }; }",
        "scenario s { ydot = 1; until t = 1; }",
        "event e { guard = x; falling; reset { xdot = 1; } }",
        "constraints { roll: xdot = ẏ; }",
        "constraints { roll: dx/dt = ẏ; }",
    ];
    check("elsewhere_derivatives", beside, 1, &derivatives);
    let formulas = [
        "potential = log(x);",
        "potential = max(x, y);",
        "potential = heaviside(x);",
        "potential = floor(x);",
        "potential = inf*x;",
        "potential = Pi*x;",
        "potential = sin*x;",
        "potential = if x > 0 { x };",
        "potential = (x > 0)*x;",
        "potential = 0,5*x;",
        "parameters { a = 0,5 }",
        "parameters { a = 1 kg }",
        "parameters { a = 1 [kg] }",
        "parameters { a = 1e301 }",
        "parameters { a: 1 }",
        "parameters { a := 1 }",
        "parameters { a = 1 where a > 0 and a < 2 }",
        "coordinates { a = 0 }",
        "coordinates { a(t) }",
        "scenario s { x = 30 deg; until t = 1; }",
        "scenario s { x = radians(30); until t = 1; }",
        "scenario s { x = 30*deg; until t = 1; }",
        "scenario s { until 10; }",
        "let v = [x, y]; let w = cross(v, v);",
        "let v = [x, y]; let w = dot(v, x);",
        "contact c { gap = m; impact = elastic; }",
        "contact c { gap = t - 1; impact = elastic; }",
        "potential = m•x;",
        "potential = x\u{37e}",
        "potential = x_plus;",
        "let v = x + y; potential = v_plus;",
    ];
    check("elsewhere_formulas", beside, 1, &formulas);
    let declarations = [
        "System S { coordinates { x } kinetic = ẋ^2; }",
        "# a pendulum\nsystem S { coordinates { x } kinetic = ẋ^2; }",
        "system S { coordinates { x } kinetic = ẋ^2; };",
        "use eom_core::lagrangian;",
        "lagrangian! { system S { coordinates { x } kinetic = ẋ^2; } }",
    ];
    check("elsewhere_declarations", str::to_owned, 1, &declarations);
}
