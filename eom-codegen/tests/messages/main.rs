//! What is said about declarations that parse but mean nothing: `line:column: message`, the help
//! below. One snapshot a stage, each mistake with the items it stands in.

mod claims;
mod habits;

use eom_codegen::derive_source;
use std::fmt::Write;

/// What most cases stand in: coordinates x, y, parameters m, e, masses on both.
const FRAME: &str = "coordinates { x, y } parameters { m = 1, e = 1/2 }";
const ENERGY: &str = "kinetic = m/2*(ẋ^2 + ẏ^2);";

fn complaints(source: &str) -> String {
    match derive_source(source) {
        Ok(_) => "no mistake\n".to_owned(),
        Err(mistakes) => {
            let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            said.join("\n")
        }
    }
}

/// Items of a system from line 2 on, and what is said about them.
fn report(out: &mut String, items: &str, rest: &str) {
    let said = complaints(&format!("system S {{\n{items}\n{rest}\n}}"));
    writeln!(out, "{items}").expect("a string");
    for line in said.lines() {
        writeln!(out, "    {line}").expect("a string");
    }
    out.push('\n');
}

/// Each case beside coordinates, parameters and energy.
fn check(name: &str, cases: &[&str]) {
    let mut out = String::new();
    for items in cases {
        report(&mut out, items, &format!("{FRAME} {ENERGY}"));
    }
    assert!(!out.contains("no mistake"), "{out}");
    insta::assert_snapshot!(name, out);
}

/// Each case is all of its system.
fn check_alone(name: &str, cases: &[&str]) {
    let mut out = String::new();
    for items in cases {
        report(&mut out, items, "");
    }
    assert!(!out.contains("no mistake"), "{out}");
    insta::assert_snapshot!(name, out);
}

#[test]
fn rates_and_powers() {
    check(
        "rates_and_powers",
        &[
            "claim loss: d/dt(energy) = 0;",
            "claim loss: d(kinetic)/dt = 0;",
            "claim loss: d/dt(x) = 0;",
            "claim loss: 2*d/dt(m*x^2)/m = 0;",
            "claim loss: power(dissipation) = 0;",
            "potential = d/dt(x);",
        ],
    );
}

#[test]
fn free_speeds() {
    let rows = "constraints { edge: ẋ*sin(x) = ẏ*cos(x); }";
    let cases = [
        "free z_dot;",
        "free x;",
        "free ẋ, ẏ;",
        "free ẋ, ẋ;",
        "free ẋ; free ẏ;",
        "free ẋ ẏ;",
        "free;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {rows}")).collect();
    let undetermined = "free ẋ; constraints { stop: ẋ = t; }".to_owned();
    let cases: Vec<&str> = cases.iter().chain([&undetermined]).map(String::as_str).collect();
    check("free_speeds", &cases);
}

#[test]
fn names() {
    check(
        "names",
        &[
            "potential = k*x^2;",
            "potential = mm*x^2;",
            "potential = X;",
            "let h = ż;",
            "potential = sinn(x);",
            "potential = m(x);",
            "potential = foo(x);",
            "potential = sin(x, y);",
            "potential = atan2(x);",
            "potential = smoothstep(x, 1);",
            "let m = 3;",
            "let sin = 3;",
            "let t = 3;",
            "let pi = 3;",
            "let x_dot = 3;",
            "let Y = 2*x; output Y = Y; output Y_dot = Ẏ;",
            "contact floor { gap = y; impact = elastic; } contact floor_plus { gap = x; impact = elastic; }",
            "let y_plus = 3;",
            "let dx = 3;",
            "inputs { u, u }",
            "inputs { mu, μ }",
            "let a = ṁ;",
            "let a = x_ddot_dot;",
            "inputs { u } output o = u_dot;",
        ],
    );
}

/// Multipliers in forces.
#[test]
fn multipliers() {
    check(
        "multipliers",
        &[
            "holonomic { r: y = x^2; } force x = abs(λ(r));",
            "holonomic { r: y = x^2; } force x = λ(r)*λ(r);",
            "holonomic { r: y = x^2; } force x = λ(s);",
            "holonomic { r: y = x^2; } force x = λ(r, r);",
            "holonomic { r: y = x^2; } force x = λ(2);",
            "holonomic { r: y = x^2; } potential = λ(r);",
            "holonomic { r: y = x^2; } let N = λ(r); force x = N;",
            "holonomic { r: y = x^2; } dissipation = λ(r)*ẋ^2;",
            "holonomic { r: y = x^2; } force x = λ(r); dissipation = e*abs(ẏ);",
            "holonomic { r: y = x^2; } force x = λ(r); contact c { gap = x; impact = project; }",
            "holonomic { r: y = x^2; } force x = λ(r); contact c { gap = x; releases r; impact = elastic; }",
            "holonomic { r: y = x^2; } force x = λ(r); contact c { gap = x; impact = elastic; } dissipation = abs(ẋ);",
        ],
    );
}

#[test]
fn functions() {
    check(
        "functions",
        &[
            "function f();",
            "function f(x, y, x, t);",
            "function f(x, x);",
            "function f(x, m);",
            "function f(xx);",
            "function f(u, v) = u*v; potential = f(x, f_u(x, y));",
            "function f(ẋ);",
            "function f(x) = y;",
            "function f(x) = ẋ;",
            "function f(x); function g(x) = f;",
            "function f(x); function g(x) = f(m);",
            "function f(x); let f_x = 3;",
            "function f(x); function f(y);",
            "function f(x); function f_xx(y);",
            "function f(x); let df = 3;",
            "function sin(x);",
            "function f(x); potential = f_y;",
            "function f(x, y); potential = f_xz;",
            "function f(x); potential = f(x, y);",
            "function f(x, y); potential = f_x(x);",
            "function f(x); potential = f([x, y]);",
            "function f(x); potential = ḟ;",
            "function f(x); potential = ḟ(m*x);",
            "function f(x); parameters { k = f(1) }",
            "function f(x); parameters { k where f(1) > 0 }",
            "function f(x); scenario s { x = f; until t = 1; }",
            "function f(x); contact c { gap = f; impact = restitution(f(m)); }",
            "function f(x); output o = f_xxxxx;",
            "function f(x); potential = g(x);",
            "let f(x) = x^2;",
        ],
    );
}

#[test]
fn lets_and_shapes() {
    check(
        "lets_and_shapes",
        &[
            "let a = b; let b = a;",
            "let a = b; let b = c; let c = 2*a;",
            "let a = a + 1;",
            "let v = [x, y]; potential = v;",
            "let v = [x, y]; potential = v + 1;",
            "let v = [x, y]; potential = dot(v, [x, y, 1]);",
            "let v = [x, y]; potential = v[3];",
            "let v = [x, y]; potential = v[0];",
            "let v = [x, y]; potential = v[m];",
            "let v = [x, y]; potential = v*v;",
            "let v = [x, y]; potential = 1/v;",
            "let v = [x, y]; potential = v^2;",
            "let v = [x, y]; potential = sin(v);",
            "let M = [[1, 2], [3]];",
            "let M = transpose(x);",
            "let v = [x, y]; potential = transpose(v)*[x, y, 1];",
            "let v = [x, y]; potential = transpose(v) + v;",
            "potential = x[1];",
            "potential = dot(x, y);",
            "let v = cross([x, y], [1, 2]);",
            "let v = cross([x, y, 1]);",
            "let s = norm(x);",
            "let s = norm([x, y], [1, 2]);",
            "let w = vee([[0, x], [-x, 0]]);",
            "let R = rot_x([x]);",
            "let R = rot_w(x);",
            "let w = x/0;",
            "let w = ln(0);",
            "let w = smoothstep(x, 2, 2);",
            "let w = 0^(-1);",
        ],
    );
}

#[test]
fn indices_and_sums() {
    check(
        "indices",
        &[
            "let a[1..=3] = x; potential = a[4];",
            "let a[1..=3] = x; potential = a[m];",
            "let a[1..=3] = x; potential = a[1, 2];",
            "let a[1] = x; let a[3] = y; potential = a[2];",
            "let a[i in 1..=3] = a[i - 1];",
            "let a[0] = 0; let a[i in 1..=3] = a[4 - i];",
            "let a[1..=3] = x; let a2 = y;",
            "let a[1..=3] = x; let a = y;",
            "let a[1..=3] = x; let a[3..=4] = y;",
            "let a[x in 1..=3] = 1;",
            "let a[t in 1..=3] = 1;",
            "let a[1] = x; let a[2] = [x, y]; potential = a;",
            "let ȧ[1..=2] = x;",
            "potential = sum(x, i in 1..1);",
            "potential = sum(x, i in 1..=m);",
            "potential = sum(x, i in 0..=5000);",
            "parameters { n = 2.5 } potential = sum(x, i in 1..=n);",
            "parameters { n = 2 where n > 0 } let a[1..=n] = x;",
            "parameters { n = 2 } let a[1..=n] = x; potential = a[n + 1];",
            "parameters { n = -2 } let a[1..=n] = x;",
            "potential = sum(z, i in 1..=5);",
            "potential = sum(i*x, x in 1..=5);",
            "potential = sum(x, sin in 1..=5);",
            "potential = sum([x, y], i in 1..=2);",
            "let v = [x, y]; potential = sum(v[i], i in 1..=3);",
            "inputs { u[1..=2] } force x = u[3];",
            "constraints { a[i in 1..=2]: i*dx; }",
            "constraints { a[1..=1]: dx; } claim c: λ(a[2]) = 0;",
            "force x[1] = 1;",
            "parameters { k[i in 1..=2] = 1/(i - 1) }",
            "parameters { k[i in 1..=2] = 1 - i where k[i] >= 0 }",
        ],
    );
}

#[test]
fn integrals() {
    check(
        "integrals",
        &[
            "potential = integral(z, s in 0..1);",
            "potential = integral(s, s in 0..z);",
            "potential = integral(s, x in 0..1);",
            "potential = integral(s, sin in 0..1);",
            "dissipation = integral(s*ẋ^2, s in 0..ẋ);",
            "inputs { u } force x = integral(s, s in 0..u);",
            "potential = integral(s*ẋ, s in 0..1);",
            "potential = integral(s, s in 0..1)*s;",
            "let a = s; potential = integral(a, s in 0..1);",
            "potential = integral([x, s], s in 0..1);",
            "potential = integral(s, s in 0..[1, 2]);",
            "potential = integral(s_dot, s in 0..1);",
            "potential = integral(1/0, s in 0..1);",
            "function f(x); potential = integral(f(x + s), s in 0..1);",
            "claim a: integral(exp(-s^2), s in 0..x) = x;",
            "claim a: integral(1/s, s in -1..1) = x;",
        ],
    );
}

#[test]
fn energies_and_forces() {
    check_alone(
        "energies",
        &[
            "coordinates { x }",
            "coordinates { x } potential = x;",
            "kinetic = 1;",
            "coordinates { } kinetic = 1;",
            "coordinates { x } kinetic = ẋ^2; lagrangian = ẋ^2;",
            "coordinates { x } lagrangian = ẋ^2; potential = x;",
            "coordinates { x } kinetic = ẋ^4;",
            "coordinates { x } kinetic = sqrt(1 + ẋ^2);",
            "coordinates { x, y } kinetic = ẋ^2;",
            "coordinates { x } kinetic = ẋ^2/0;",
            "coordinates { x } kinetic = ẋ^2; potential = ẋ;",
            "coordinates { x } inputs { u } kinetic = u*ẋ^2;",
            "coordinates { x } kinetic = ẋ^2 + x_ddot;",
            "coordinates { x } kinetic = ẋ^2; dissipation = x_ddot^2;",
            "coordinates { x } lagrangian = ẋ^4; contact c { gap = x; impact = elastic; }",
            "coordinates { x } kinetic = 1e999*ẋ^2;",
            "coordinates { x } kinetic = 1e299*1e299*ẋ^2;",
        ],
    );
    check(
        "forces",
        &[
            "force z = 1;",
            "force m = 1;",
            "force x_dot = 1;",
            "force x = 1; force x = 2;",
            "force x = ẍ;",
        ],
    );
}

#[test]
fn dry_friction() {
    check(
        "frictions",
        &[
            "dissipation = m*ẏ*abs(ẋ);",
            "let w = ẋ^2; dissipation = e*abs(w - ẏ);",
            "dissipation = norm([ẋ*ẏ, ẏ]);",
            "dissipation = sqrt(ẋ^2 + 2*ẋ*ẏ + ẏ^2);",
            "dissipation = exp(abs(ẋ));",
            "dissipation = -abs(ẋ);",
            "dissipation = (e - m)*sqrt(ẋ^2 + ẏ^2);",
            "dissipation = abs(ẋ) + x_ddot;",
            "contact floor { gap = y; slip = ẋ; friction = m/(1 + ẋ^2); impact = plastic; }",
        ],
    );
}

#[test]
fn parameters() {
    check("parameters", &["coordinates { θ }", "output o = q;"]);
    check_alone(
        "defaults",
        &[
            "coordinates { x } kinetic = ẋ^2; parameters { a = b, b = 1 }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = x }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = t }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = -1 where a > 0 }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = 2 where a > 0 && a <= 1 }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = 0, b = 1/a }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = ln(-1) }",
            "coordinates { x } kinetic = ẋ^2; parameters { a where a > ẋ }",
            "coordinates { x } kinetic = ẋ^2; parameters { a = 1 where a > 1, a = 2 }",
        ],
    );
}

#[test]
fn velocities_and_rotations() {
    check(
        "velocities_and_rotations",
        &[
            "velocities { u = ẋ^2 }",
            "velocities { u = ẋ + 1 }",
            "velocities { u = t*ẋ }",
            "velocities { u = ẍ }",
            "velocities { u = ẋ + ẏ }",
            "velocities { u = ẋ + ẏ, w = 2*ẋ + 2*ẏ }",
            "velocities { u = ẋ, w = u + ẏ }",
            "velocities { u = ω_1, w = ẏ } rotation R { body: ω_1, ω_2, ω_3 }",
            "velocities { u = R[1][1]*ẋ } rotation R { body: ω_1, ω_2, ω_3 }",
            "velocities { x = ẋ }",
            "velocities { u = ẋ } scenario s { ẋ = 1; until t = 1; }",
            "velocities { u = ẋ } claim c: u_ddot = 0;",
            "velocities { u = ẋ } claim c: projector[x, y] = 0;",
            "velocities { u = ẋ } force u = 1; force u = 2;",
            "rotation R { body: ω_1, ω_2, ω_3 }",
            "rotation R { body: x, ω_2, ω_3 }",
            "rotation R { body: ω_1, ω_2, ω_3 } let R_w = 1;",
            "rotation R { body: ω_1, ω_2, ω_3 } dissipation = ω_1^2 + R;",
            "rotation R { body: ω_1, ω_2, ω_3 } force R = 1;",
            "rotation R { body: ω_1, ω_2, ω_3 } scenario s { R = 1; until t = 1; }",
            "rotation R { body: ω_1, ω_2, ω_3 } scenario s { R = rot_x(x); until t = 1; }",
            "rotation R { body: ω_1, ω_2, ω_3 } event e { guard = x; reset { R = 1; } }",
        ],
    );
    check_alone(
        "velocities_and_rotations_alone",
        &["rotation R { body: ω_1, ω_2, ω_3 } coordinates { x } kinetic = ẋ^2 + ω_1^2 + ω_2^2 \
             + ω_3^2; claim c: motion(a) { x = a*t; };"],
    );
}

#[test]
fn rows() {
    check(
        "rows",
        &[
            "constraints { a: dx = ẏ; }",
            "constraints { a: x*dx - ẏ; }",
            "constraints { a: dx + 1; }",
            "constraints { a: ẋ^2 = 1; }",
            "constraints { a: dx*dy; }",
            "constraints { a: x = 1; }",
            "constraints { a: ẋ - ẋ = 0; }",
            "constraints { a: dz; }",
            "let phi = x*y; constraints { a: dψ + dx; }",
            "constraints { a: ẍ = 0; }",
            "constraints { a: dx; a: dy; }",
            "constraints { a: dx/0; }",
            "let V = ẋ + 1; constraints { a: dV; }",
            "holonomic { h: x^2 + ẏ = 1; }",
            "holonomic { h: 1 = 1; }",
            "holonomic { h: m = 1; }",
            "constraints { a: dx; } holonomic { a: y = 1; }",
            "inputs { u } constraints { a: ẋ = u; }",
            "constraints { a: [ẋ, ẏ] = 0; }",
            "constraints { a: [ẋ, ẏ] = [0, 0, 0]; }",
            "constraints { a: [ẋ - ẋ, sin(x)^2 + cos(x)^2 - 1]; }",
            "constraints { a: [dx, ẏ^2]; }",
            "holonomic { h: [x, y] = [1, ẋ]; }",
            "holonomic { h: [x, m] = [1, 1]; }",
        ],
    );
}

#[test]
fn contacts_events_scenarios() {
    check(
        "hybrid",
        &[
            "contact c { gap = ẏ; impact = elastic; }",
            "contact c { gap = y/0; impact = elastic; }",
            "contact c { gap = y; impact = restitution(2); }",
            "contact c { gap = y; impact = restitution(-1/2); }",
            "contact c { gap = y; impact = restitution(x); }",
            "contact c { gap = y; impact = elastic; } contact c { gap = x; impact = plastic; }",
            "contact c { gap = y; impact = restitution(1, 2); }",
            "contact c { gap = y; impact = restitution(1, -2); }",
            "contact c { gap = y; impact = elastic; constraints { a: dz; } }",
            "contact c { gap = y; impact = elastic; constraints { a: dx; a: dy; } }",
            "contact c { gap = y; impact = elastic; constraints { a: dx/0; } }",
            "contact c { gap = y; impact = elastic; constraints { a: x = 0; } }",
            "contact c { gap = y; impact = elastic; when ẍ > 0; }",
            "contact c { gap = y; impact = elastic; releases roll; }",
            "constraints { rol: dx; } contact c { gap = y; impact = elastic; releases roll; }",
            "constraints { a: dx; } contact c { gap = y; impact = elastic; releases a, a; }",
            "contact c { gap = y; impact = elastic; relabel { x <-> z; } }",
            "contact c { gap = y; impact = elastic; relabel { ẋ <-> ẏ; } }",
            "contact c { gap = y; impact = elastic; relabel { x <-> x; } }",
            "contact c { gap = y; impact = assign { y = 0; }; }",
            "contact c { gap = y; impact = assign { ẏ = 0; ẏ = 1; }; }",
            "contact c { gap = y; impact = assign { ẏ = ẍ; }; }",
            "potential = c.a; contact c { gap = y; impact = elastic; constraints { a: dx; } }",
            "impacts = joint;",
            "impacts { d } = joint; contact c { gap = y; impact = elastic; }",
            "impacts { c, c } = joint; contact c { gap = y; impact = elastic; }",
            "contact c { gap = y; impact = elastic; } impacts = joint; impacts = sequential;",
            "event e { guard = ẍ; }",
            "event e { guard = 1; }",
            "event e { guard = m*e - x + x; rising; }",
            "event e { guard = x; reset { z = 1; } }",
            "event e { guard = x; reset { m = 1; } }",
            "event e { guard = x; reset { ẍ = 1; } }",
            "event e { guard = x; reset { x = 1; x = 2; } }",
            "event e { guard = x; } event e { guard = y; }",
            "contact c[i in 1..=2] { gap = i*zz; impact = elastic; }",
            "contact c[i in 1..=2] { gap = x; impact = elastic; } claim a closed c[3]: ẍ = 0;",
            "contact c[i in 1..=2] { gap = x; impact = elastic; } claim a closed c[1]: λ(c[2]) = 0;",
            "contact c[i in 1..=2] { gap = x; impact = elastic; } claim a closed c[1]: λ(c[3]) = 0;",
            "contact c[i in 1..=2] { gap = x; impact = elastic; } force x = λ(c[1])*λ(c[2]);",
            "contact c[i in 1..=2] { gap = sum(i*x, i in 1..=2); impact = elastic; }",
            "contact c[m in 1..=2] { gap = x; impact = elastic; }",
            "contact c[i in 1..=2] { gap = x; impact = elastic; } contact c2 { gap = y; impact = elastic; }",
            "contact c[i in 1..=2] { gap = x; impact = elastic; } impacts { c[4] } = joint;",
            "scenario s { x = 1; }",
            "scenario s { x = y; until t = 1; }",
            "scenario s { xx = 1; until t = 1; }",
            "scenario s { x = 1; x = 2; until t = 1; }",
            "scenario s { ẋ = 1; x_dot = 2; until t = 1; }",
            "scenario s { solve ẋ, ẋ; until t = 1; }",
            "scenario s { solve m; until t = 1; }",
            "scenario s { until t = 1; } scenario s { until t = 2; }",
            "output o = x; output o = y;",
            "output o = ẍ;",
        ],
    );
}

#[test]
fn several_stages_of_one_declaration() {
    check(
        "several",
        &[
            "potential = k*x; force z = 1;\ncontact c { gap = ẋ; impact = restitution(2); }\nclaim a: ẍ = 1;",
            "claim a: ẍ = 1;\nclaim b: ÿ = 2;\nclaim c: zz = 3;",
            "claim a: ẍ = 1;\nclaim b: ÿ = 2;",
        ],
    );
}

/// How many mistakes are told in one go, and whether more may stand behind them.
#[test]
fn mistakes_of_all_stages_in_one_go() {
    // table
    let cases = [
        ("claim a: ẍ = 1;", 1, false),
        ("potential = k*x; claim a: ẍ = 1;", 1, true),
        ("potential = k*x + z; force z = 1; claim a: ẍ = 1;", 3, true),
        ("event e { guard = zz; } claim a: ẍ = 1;", 2, false),
        ("event e { guard = ; } claim a: ẍ = 1;", 2, true),
        ("scenario s { x = ; until t = 1; } output o = zz; claim a: ẍ = 1;", 3, true),
        ("output o = zz; scenario s { zz = 1; until t = 1; } claim a: ẍ = 1;", 3, false),
        ("output o = 1 + ; output p = zz; claim a: yy = 1; claim b: ẍ = 1;", 4, true),
        ("allow something; let b = k; claim a: ẍ = 1;", 2, true),
        ("allow something; claim a: ẍ = 1;", 2, false),
        ("claim a: ẍ = 1; dissipation = -ẋ^2;", 2, false),
        ("parameters { k = -1 where k > 0 } dissipation = k*ẋ^2;", 1, true),
        ("claim a: ẍ = 1; contact c { gap = x^2; impact = elastic; }", 2, false),
        ("holonomic { a: x = y; b: x = y; } claim c: ẍ = 1;", 1, true),
        ("inputs { u[ } output o = u; potential = zz; claim a: ẍ = 1;", 1, true),
        ("dissipation = abs(ẋ)^(1/2); contact c { gap = 1/0; impact = elastic; }", 1, true),
        ("dissipation = sqrt(abs(ẋ)); claim a: ẍ = 1;", 1, true),
    ];
    for (items, count, hides) in cases {
        let source = format!("system S {{ {items} {FRAME} {ENERGY} }}");
        let mistakes = derive_source(&source).expect_err(items);
        let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), count, "{items}: {said:#?}");
        assert!(mistakes.iter().all(|one| one.hides == hides), "{items}: {said:#?}");
    }
    let without = derive_source("system S { coordinates { x, y, z } kinetic = ẏ^2; }");
    assert_eq!(without.expect_err("no inertia").len(), 2);
}
