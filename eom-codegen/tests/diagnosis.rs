//! What is said of declarations that have equations: each diagnosis with its words, and a table of
//! systems whose answers are known from elsewhere.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use eom_codegen::diagnose_source;
use eom_codegen::diagnostic::Diagnostic;
use std::fmt::Write;

/// All that is said of a declaration: its mistakes, or its warnings and notes.
fn said(source: &str) -> Vec<Diagnostic> {
    match diagnose_source(source) {
        Ok((_, said)) => said,
        Err(mistakes) => mistakes,
    }
}

/// Each case is all of its system; what is said of each, in its words.
fn check(name: &str, cases: &[&str]) {
    let mut out = String::new();
    for items in cases {
        writeln!(out, "{items}").unwrap();
        let said = said(&format!("system S {{\n{items}\n}}"));
        if said.is_empty() {
            writeln!(out, "    nothing").unwrap();
        }
        for line in said
            .iter()
            .flat_map(|one| one.to_string().lines().map(str::to_owned).collect::<Vec<_>>())
        {
            writeln!(out, "    {line}").unwrap();
        }
        out.push('\n');
    }
    insta::assert_snapshot!(name, out);
}

#[test]
fn inertia() {
    check(
        "inertia",
        &[
            "coordinates { x, y } kinetic = (ẋ + ẏ)^2/2; potential = x*y;",
            "coordinates { x, y } parameters { m = 1 } kinetic = m/2*(ẋ - 2*ẏ)^2; potential = x*y;",
            "coordinates { x, y, θ } kinetic = (cos(θ)*ẋ + sin(θ)*ẏ)^2/2 + θ̇^2/2; potential = x*y;",
            "coordinates { x, y, z } kinetic = (ẋ + ẏ + ż)^2/2; potential = x*y*z;",
            "coordinates { x, y } kinetic = (ẋ + ẏ)^2/2; potential = x*y; holonomic { r: x = y; }",
            "coordinates { x, y, z, w } kinetic = (ẋ + 2*ẏ + 3*ż)^2 + (ẋ - ẏ + ẇ)^2 + (ẋ + ẏ - x*ẇ)^2;",
            "coordinates { x } parameters { m = 1 } kinetic = -m/2*ẋ^2;",
            "coordinates { x, θ } parameters { l = 1 } kinetic = ẋ^2 + l^2/2*θ̇ + l*ẋ*θ̇*cos(θ);",
            "coordinates { x, y } parameters { B = 1 } kinetic = ẋ^2/2 - ẏ^2/2 + B*x*ẏ;",
            "coordinates { x, y } kinetic = (ẋ^2 - ẏ^2)/2 + x*ẏ*0; potential = x*y;",
            "coordinates { x, y } parameters { c = 3 } kinetic = (ẋ^2 + ẏ^2)/2 + c*ẋ*ẏ;",
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2 + x*ẋ*ẏ;",
            "coordinates { x, y } parameters { c = 1/2 } kinetic = (ẋ^2 + ẏ^2)/2 + c*ẋ*ẏ;",
            // Bateman's Lagrangian of the damped oscillator means it.
            "coordinates { x, y } parameters { m = 1, c = 0.1, k = 2 } lagrangian = m*ẋ*ẏ + c/2*(x*ẏ - ẋ*y) - k*x*y;",
            "coordinates { x, y } parameters { m } kinetic = m/2*(ẋ^2 + ẏ^2 + ẋ*ẏ);",
            // A light body on a heavy one: the determinant is 2e-12.
            "coordinates { x, y } kinetic = (ẋ + ẏ)^2/2 + 1e-12*ẏ^2; potential = x*y;",
        ],
    );
}

/// A square that was forgotten; and what is linear in the velocities and is meant: frames that move, a
/// vector potential, whole derivatives of a general Lagrangian.
#[test]
fn squares() {
    const MASS: &str = "parameters { m = 1 where m > 0, V = 2 }";
    let cases = [
        "coordinates { x, y } kinetic = m/2*ẋ + m/2*(ẋ + ẏ)^2 + ẏ^2; potential = V*x*y;",
        "coordinates { x, y } kinetic = m/2*ẋ + m/2*ẏ^2; potential = V*x*y;",
        "coordinates { x, y } kinetic = m/2*(ẋ + ẏ^2); potential = V*x*y;",
        "coordinates { θ } let X = cos(θ); let Y = sin(θ); kinetic = m/2*(Ẋ^2 + Ẏ) + θ̇^2; potential = V*Y;",
        "coordinates { x[1..=2] } kinetic = m/2*sum(ẋ[i]^2, i in 1..=2) + ẋ[2]; potential = V*x[1]*x[2];",
        "coordinates { x, y } kinetic = m/2*(ẋ^2 + ẏ^2 + x*ẏ - y*ẋ) + m*ẋ/2; potential = V*x*y;",
        "coordinates { x, y } velocities { u = ẋ + ẏ, w = ẋ - ẏ } kinetic = m/2*(u^2 + w^2) + w; potential = V*x*y;",
        "coordinates { x } kinetic = m/2*ẋ^2 + ẋ; potential = V*x; allow linear_kinetic;",
        "coordinates { x } kinetic = m/2*(ẋ + V)^2; potential = x^2;",
        "coordinates { x } kinetic = m/2*ẋ^2 + m*V*ẋ + m/2*V^2; potential = x^2;",
        "coordinates { x } kinetic = m/2*(ẋ + V*t)^2; potential = x^2;",
        "coordinates { x, y } kinetic = m/2*((ẋ - V*y)^2 + (ẏ + V*x)^2);",
        "coordinates { θ } let X = V*t + cos(θ); let Y = sin(θ); kinetic = m/2*(Ẋ^2 + Ẏ^2); potential = Y;",
        "coordinates { x, y } kinetic = m/2*(ẋ^2 + ẏ^2) + V/2*(x*ẏ - y*ẋ);",
        "coordinates { x } lagrangian = m/2*ẋ^2 + V*x*ẋ - x^2;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {MASS}")).collect();
    check("squares", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn rows() {
    const BODY: &str = "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = x*y*z;";
    let cases = [
        "constraints { a: y*ẋ - x*ż; b: 2*y*ẋ = 2*x*ż; }",
        "constraints { a: y*ẋ - x*ż; b: z*ẋ - ẏ; c: ẏ = (y/3 + z)*ẋ - x*ż/3; }",
        "constraints { a: y*ẋ - ż; b: z*ẏ - ẋ; c: (x*y - 1)*ẋ + z*ẏ = x*ż; }",
        "constraints { a: y*ẋ - ż; b: 2*y*ẋ - 2*ż = 1; }",
        "constraints { a: (sin(x)^2 + cos(x)^2 - 1)*ẋ; }",
        "constraints { a: (sin(x)^2 + cos(x)^2 - 1)*ẋ = 1; }",
        "holonomic { a: x = y; b: 2*x = 2*y; }",
        "holonomic { a: x = y; b: x = y + 1; }",
        "holonomic { a: x^2 + y^2 = 1; } constraints { b: x*ẋ + y*ẏ = 0; }",
        // Components: 0 = 0 as it stands, by identities that the normal form knows and does not know, by
        // a bound; and what is not 0.
        "constraints { a: cross([0, 0, 1], [ẋ, ẏ + x*ż, ż]) = [0, 0, 0]; }",
        "constraints { a: [ẏ - x*ż, (cos(2*x) - cos(x)^2 + sin(x)^2)*ẋ]; }",
        "constraints { a: [ẏ - x*ż, (exp(ln(2 + x^2)) - 2 - x^2)*ẋ]; }",
        "constraints { a: [ẏ - x*ż, exp(ln(2 + x^2)) - 2 - x^2]; } force x = λ(a[1]);",
        "constraints { a: [ẏ - x*ż, exp(ln(2 + x^2)) - 2 - x^2]; } force x = λ(a[2]);",
        "parameters { l = 1 where l > 0 } holonomic { a: [y, sqrt(l^2)] = [x^2, l]; }",
        "parameters { l = 1 } holonomic { a: [y, sqrt(l^2)] = [x^2, l]; }",
        "contact c { gap = y; impact = plastic; constraints { a: [ẋ, (exp(ln(2 + x^2)) - 2 - x^2)*ż]; } }",
        "contact c { gap = y; impact = plastic; constraints { a: [ẋ, exp(ln(2 + x^2)) - 2 - x^2]; } }",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("rows", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

/// 1-forms, and what is said of them: the name of the diagnosis and the start of its message.
type Forms<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);

/// The 1-forms of a body with coordinates x, y, z, w, θ, φ, and what is said of them: the name of
/// the diagnosis and the start of its message.
fn check_forms(forms: &[&str], expected: &[(&str, &str)]) {
    let rows: Vec<String> =
        forms.iter().enumerate().map(|(i, form)| format!("r{i}: {form};")).collect();
    let source = format!(
        "system S {{ coordinates {{ x, y, z, w, θ, φ }} parameters {{ R = 0.3 where R > 0 }}
        kinetic = (ẋ^2 + ẏ^2 + ż^2 + ẇ^2 + θ̇^2 + R^2*φ̇^2)/2; potential = x*y*z*w*θ*φ;
        constraints {{ {} }} }}",
        rows.concat()
    );
    let said = said(&source);
    let found: Vec<(&str, &str)> = said
        .iter()
        .map(|one| (one.diagnosis.map_or("", |d| d.name()), one.message.as_str()))
        .collect();
    assert_eq!(found.len(), expected.len(), "{forms:?}: {found:?}");
    for ((name, message), (expected, start)) in found.iter().zip(expected) {
        assert!(name == expected && message.starts_with(start), "{forms:?}: {found:?}");
    }
}

/// Closed forms, and the derived flags of the normal forms in the literature (Bryant et al.,
/// Exterior Differential Systems, II).
#[test]
fn forms_with_known_derived_flags() {
    const INTEGRABLE: &str = "integrable_row";
    const TOGETHER: &str = "holonomic_together";
    // table
    let cases: [Forms<'_>; 29] = [
        // d(x² + y²)/2
        (
            &["x*dx + y*dy"],
            &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `x^2/2 + y^2/2`")],
        ),
        (&["dx - R*dθ"], &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `x - R*θ`")]),
        (
            &["dx - cos(θ)*dθ"],
            &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `x - sin(θ)`")],
        ),
        // Not closed: x²·d(y/x), and in the plane of two coordinates every form is integrable.
        (&["x*dy - y*dx"], &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `")]),
        (
            &["sin(x*y)*dx + (2 + cos(x*y))*dy"],
            &[(INTEGRABLE, "constraint `r0` is integrable: it keeps a function")],
        ),
        (&["dx - 3*dt"], &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `x - 3*t`")]),
        (
            &["dx - cos(t)*dt"],
            &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `x - sin(t)`")],
        ),
        (&["dx - t*dy"], &[]),
        (&["dx - y*dt"], &[]),
        // z d(x + y): (x + y) z is not kept.
        (&["z*dx + z*dy"], &[(INTEGRABLE, "constraint `r0` is integrable: it keeps `x + y`")]),
        // Steps that end elsewhere: they are nonholonomic where they act, the last where two do.
        (&["dx - smoothstep(z, 5, 7)*dy"], &[]),
        (&["dx - ramp(z, 50, 60)*dy"], &[]),
        (&["cos(ramp(t, 5, 10))*dy - sin(ramp(t, 5, 10))*dx"], &[]),
        (&["ramp(z, 5, 6)*dx + ramp(y, 5, 6)*dz"], &[]),
        // Darboux: dz − y dx; Martinet: dz − y²dx; the knife edge.
        (&["dz - y*dx"], &[]),
        (&["dz - y^2*dx"], &[]),
        (&["sin(θ)*dx - cos(θ)*dy"], &[]),
        // The wheel that rolls and turns.
        (&["dx - R*cos(φ)*dθ", "dy - R*sin(φ)*dθ"], &[]),
        // The same wheel on rails: φ is held, and rolling becomes holonomic with that row.
        (
            &["dx - R*cos(φ)*dθ", "dy - R*sin(φ)*dθ", "dφ"],
            &[
                (INTEGRABLE, "constraint `r2` is integrable: it keeps `φ`"),
                (TOGETHER, "constraint `r0` is holonomic together with `r2`: it keeps a function"),
                (TOGETHER, "constraint `r1` is holonomic together with `r2`: it keeps a function"),
            ],
        ),
        // Neither alone, both together: they are dx/x = dy/y = dz/z mixed.
        (
            &["z*dx - x*dz + y*(z*dy - y*dz)", "z*dx - x*dz - y*(z*dy - y*dz)"],
            &[(
                TOGETHER,
                "constraints `r0` and `r1` are holonomic together: they keep 2 functions",
            )],
        ),
        // dx + y dz and dy with a multiple of the first: only the difference is exact.
        (
            &["dx + y*dz", "dx + y*dz + dw"],
            &[(TOGETHER, "constraints `r0` and `r1` are holonomic together: they keep a function")],
        ),
        // Engel: I⁽¹⁾ = {dy − z dx}, I⁽²⁾ = 0.
        (&["dy - z*dx", "dz - w*dx"], &[]),
        // Goursat of five: I⁽¹⁾ ⊃ I⁽²⁾ ⊃ I⁽³⁾ = 0.
        (&["dy - z*dx", "dz - w*dx", "dw - θ*dx"], &[]),
        // Engel beside an exact form.
        (
            &["dy - z*dx", "dz - w*dx", "dθ - 2*dφ"],
            &[(INTEGRABLE, "constraint `r2` is integrable: it keeps `θ - 2*φ`")],
        ),
        // Engel and an exact form, mixed: the flag is 3 ⊃ 2 ⊃ 1.
        (
            &["dy - z*dx", "dz - w*dx + dθ + x*dφ + φ*dx", "dz - w*dx"],
            &[(TOGETHER, "constraints `r1` and `r2` are holonomic together: they keep a function")],
        ),
        // Contact form on two factors.
        (&["dz - y*dx", "dθ - φ*dw"], &[]),
        // (dx, dz − y dx): on x constant z is constant.
        (
            &["dx", "dz - y*dx"],
            &[
                (INTEGRABLE, "constraint `r0` is integrable: it keeps `x`"),
                (TOGETHER, "constraint `r1` is holonomic together with `r0`"),
            ],
        ),
        // With time: on t the turntable turns, nonholonomic still.
        (&["sin(t)*dx - cos(t)*dy"], &[]),
        (
            &["sin(t)*dx - cos(t)*dy", "cos(t)*dx + sin(t)*dy"],
            &[(
                TOGETHER,
                "constraints `r0` and `r1` are holonomic together: they keep 2 functions",
            )],
        ),
    ];
    for (forms, expected) in cases {
        check_forms(forms, expected);
    }
}

#[test]
fn forms() {
    check(
        "forms",
        &[
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y; constraints { r: y*ẋ + x*ẏ = 0; }",
            "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = x*y*z;\n\
             holonomic { floor: y = 1; } constraints { r: dz - y*dx; }",
            "coordinates { x, y, θ } velocities { u = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ }\n\
             kinetic = (u^2 + w^2 + θ̇^2)/2; potential = x*y*θ; constraints { blade: w = 0; }",
            "coordinates { x, y, θ } velocities { u = cos(θ)*ẋ + sin(θ)*ẏ, w = cos(θ)*ẏ - sin(θ)*ẋ }\n\
             kinetic = (u^2 + w^2 + θ̇^2)/2; potential = x*y*θ; constraints { a: cos(θ)*u = sin(θ)*w; }",
            "rotation R { body: ω_1, ω_2, ω_3 } kinetic = (ω_1^2 + ω_2^2 + ω_3^2)/2; potential = R[3][3];\n\
             constraints { suslov: ω_3 = 0; }",
            "rotation R { body: ω_1, ω_2, ω_3 } kinetic = (ω_1^2 + ω_2^2 + ω_3^2)/2; potential = R[3][3];\n\
             constraints { a: ω_3 = 0; b: ω_2 = 0; }",
            "coordinates { x, y } function f(x); kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y; constraints { r: dy - f*dx; }",
            "coordinates { x, y, z } function f(x, z); kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = x*y*z;\n\
             constraints { r: dy - f*dx; s: dy - df; }",
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y; constraints { stand: dx; }\n\
             contact foot { gap = y; impact = plastic; releases stand; }",
        ],
    );
}

#[test]
fn dissipation() {
    const BODY: &str = "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;";
    let cases = [
        "parameters { c = 1 } dissipation = -c/2*ẋ^2;",
        "parameters { c = 1, k = -0.01 } dissipation = c/2*ẋ^2 + k/2*ẏ^2;",
        "parameters { c = 1, k = 2 } dissipation = c/2*(ẋ^2 + ẏ^2) + k*ẋ*ẏ;",
        "parameters { c = 1, k = 0.9 } dissipation = c/2*(ẋ^2 + ẏ^2) + k*ẋ*ẏ;",
        "parameters { c = 1 where c > 0 } dissipation = c/2*ẋ^2;",
        "parameters { c = 1 where c > 0 } dissipation = c*x/2*ẋ^2;",
        "parameters { c = 1 where c > 0 } dissipation = c*ẋ;",
        "parameters { c = 1 where c > 0, V = 2 } dissipation = c/2*(ẋ - V)^2;",
        "parameters { c = 1 where c > 0, V = 2 } dissipation = c/2*(ẋ - V)^2 + ẏ;",
        "parameters { c = 1 where c > 0 } dissipation = c*(ẋ^4 - ẋ^2);",
        "parameters { c = 1 where c > 0 } dissipation = c*ẋ^4 + abs(ẋ)^3;",
        "parameters { c = 1 where c > 0, V = 2 } dissipation = c*norm([ẋ - V, ẏ]) + ẋ^2;",
        "parameters { c = 1 where c > 0 } dissipation = integral(-c*norm([ẋ - s*ẏ, ẏ]), s in 0..1);",
        "contact c { gap = x; impact = plastic; dissipation = -ẏ^2; }",
        "function f(x); dissipation = f*ẋ^2;",
        "parameters { c = 1 where c > 0 } dissipation = c/2*x^2;",
        "contact c { gap = x; impact = plastic; dissipation = y^2; }",
        "contact c { gap = x; impact = plastic; dissipation = 0; } dissipation = 0;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("dissipation", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn contacts() {
    const BODY: &str = "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;";
    let cases = [
        "contact c { gap = x^2; impact = elastic; }",
        "contact c { gap = (x^2 + y^2 - 1)^2; impact = elastic; }",
        "contact c { gap = x^2 + y^2 - 1; impact = elastic; }",
        "constraints { r: ẋ = sin(y)*ẏ; } contact c { gap = x + cos(y); impact = elastic; }",
        "holonomic { r: x = y^2; } contact c { gap = 1 + 2*x - 2*y^2; impact = elastic; }",
        "holonomic { r: x = y^2; } contact c { gap = y; impact = elastic; }",
        "holonomic { r: x = y^2; } contact c { gap = x - y^2; impact = elastic; releases r; }",
        "contact c { gap = x; impact = elastic; constraints { slip: ẏ = ẋ; } }",
        "contact c { gap = x; impact = elastic; constraints { slip: y*ẋ = 0; } }",
        "holonomic { r: y = 2*x; } contact c { gap = x; impact = elastic; }",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("contacts", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn what_changes_nothing() {
    const BODY: &str = "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;";
    let cases = [
        "parameters { k = 1 }",
        "parameters { k = 1, l = k }",
        "parameters { k = 1, l = k } force x = l;",
        "parameters { k = 1, l = 2 where l > k } force x = l;",
        "parameters { k = 1 } output o = k*x;",
        "parameters { k = 1 } scenario s { x = k; until t = 1; }",
        "parameters { k = 1 } claim a: ẍ + k*y = k*y - y;",
        "parameters { k = 1 } event e { guard = x - k; }",
        "parameters { k = 1 } contact c { gap = x; impact = restitution(k); }",
        "inputs { u, v } force x = u;",
        "function f(x); function g(y); force x = g;",
        "function f(x); force x = f_x;",
        "let a = x + y; let b = 2*a; let c = x*y; force x = ċ;",
        "let a[i in 1..=3] = i*x; let b[1..=3] = y; force x = a[2];",
        "let a = x*y;",
        "let a = sin(x)*y + 3; let b = 2*a; let c[1..=2] = tan(x);",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("idle", &cases.iter().map(String::as_str).collect::<Vec<_>>());
    check(
        "cancelled",
        &[
            "coordinates { x } parameters { m = 1 where m > 0, g = 9.81, h = 2 } kinetic = m/2*ẋ^2; potential = m*g*(x - h);",
            "coordinates { x, y } parameters { k = 1 } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;\n\
             force x = tan(k*x) - sin(k*x)/cos(k*x);",
            "coordinates { x, y } parameters { k = 1 } lagrangian = (ẋ^2 + ẏ^2)/2 - x*y + k*(x*ẏ + y*ẋ);",
            "coordinates { x, y } parameters { l = 1 } kinetic = (ẋ^2 + ẏ^2)/2; potential = y;\n\
             holonomic { rod: x^2 + y^2 = l^2; }",
        ],
    );
}

/// A stiffness that is felt on one side of a place only is none that cancels.
#[test]
fn what_matters_on_one_side_matters() {
    for (sign, place) in
        ["+", "-"].into_iter().flat_map(|sign| [-1.5, 0.0, 1.5].map(|place| (sign, place)))
    {
        let source = format!(
            "system S {{ coordinates {{ x }} parameters {{ k = 2 }} kinetic = ẋ^2/2;
             potential = x^2/2 + k*(x - {place:?} {sign} abs(x - {place:?}))^2; }}"
        );
        let said = said(&source);
        assert!(said.is_empty(), "{source}: {said:?}");
    }
}

/// Nor is a load that is nothing beside a stiffness in micrometres, at states near 1.
#[test]
fn what_is_small_in_its_units_matters() {
    for body in [
        "potential = 1e18*x^4; force x = 1e-6*k;",
        "potential = 1e18*x^4 - 1e-6*k*x;",
        "potential = 1e18*x^4; force x = 1e-6*k*ẋ; ",
    ] {
        let source = format!(
            "system S {{ coordinates {{ x }} parameters {{ k = 2 }} kinetic = ẋ^2/2; {body} }}"
        );
        let said = said(&source);
        assert!(said.is_empty(), "{source}: {said:?}");
    }
}

#[test]
fn directions() {
    const BODY: &str = "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;";
    let cases = [
        "event e { guard = x; reset { ẋ = -ẋ; } }",
        "event e { guard = x; reset { ẋ = -ẋ; } } allow undirected_event(e);",
        "event e { guard = x; falling; reset { ẋ = -ẋ; } }",
        "event e { guard = x; both; reset { ẋ = -ẋ; } }",
        "event e { guard = x; }",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("directions", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn scenarios() {
    let system = |items: &str| {
        format!(
            "coordinates {{ x, y }} parameters {{ a = 2, b = a/2, c }} kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y*b*c; {items}"
        )
    };
    let contact = "contact wall { gap = a - x; impact = elastic; }";
    let cases = [
        format!("{contact} scenario s {{ x = 3*b; until t = 1; }}"),
        format!("{contact} scenario s {{ x = 3*b; until t = 1; }} allow impossible_scenario(s);"),
        format!("{contact} scenario s {{ x = a; until impacts = 1; }}"),
        format!("{contact} scenario s {{ x = a*c; until t = c; }}"),
        "contact wall { gap = x - t; impact = elastic; } scenario s { t = 1; until t = 2; }".to_owned(),
        "contact wall { gap = x; impact = elastic; when y > 0; } scenario s { x = -1; until t = 1; }".to_owned(),
        "holonomic { r: x = 1; } contact wall { gap = 2*x - 1 + y; impact = elastic; } scenario s { solve x; until t = 1; }"
            .to_owned(),
        "scenario s { until t = -1; }".to_owned(),
        "scenario s { t = 5; until t = 3; } scenario r { t = -5; until t = b; }".to_owned(),
        "scenario s { until impacts = 3; }".to_owned(),
        "scenario s { until events = 3; }".to_owned(),
        "event e { guard = x - 1; both; } scenario s { until events = 3; }".to_owned(),
        "scenario s { until impacts = 3; until t = 1; }".to_owned(),
    ];
    let cases: Vec<String> = cases.iter().map(|items| system(items)).collect();
    check("scenarios", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn parts() {
    check(
        "parts",
        &[
            "coordinates { x, y, z } parameters { g = 9.81 } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = g*z;",
            "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = x*y;",
            "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = x*y; contact c { gap = z - x^2; impact = elastic; }",
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; event e { guard = x; reset { ẏ = -ẏ; } }",
            "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; event e { guard = x - y; }",
            "coordinates { x, y, θ } kinetic = (ẋ^2 + ẏ^2 + θ̇^2)/2; constraints { blade: sin(θ)*dx - cos(θ)*dy; }",
            "coordinates { x, y } rotation R { body: ω_1, ω_2, ω_3 } kinetic = (ẋ^2 + ẏ^2 + ω_1^2 + 2*ω_2^2 + 3*ω_3^2)/2; potential = x*y;",
            "coordinates { x } kinetic = ẋ^2/2;",
        ],
    );
}

#[test]
fn rows_by_chetaevs_rule() {
    const BODY: &str = "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;";
    let cases = [
        "constraints { s: ẋ^2 + ẏ^2 = 1; } allow chetaev(s);",
        "constraints { s: [ẋ^2 - ẏ, x*ẋ*ẏ]; } allow chetaev(s[1]);",
        "constraints { s: sqrt(ẋ^2 + ẏ^2) = 1; } allow chetaev(r);",
        "constraints { s: ẋ + x*ẏ = 1; } allow chetaev(s);",
        "constraints { s: dx*dy; } allow chetaev(s);",
        "constraints { s: (ẋ + ẏ)^2 = 1; r: ẋ + ẏ = 1; } allow chetaev(s), integrable_row;",
        "constraints { s: ẋ^2 + ẏ^2 = 1; r: ẋ^2 + ẏ^2 = 4; } allow chetaev;",
        "constraints { s: ẋ^2 + ẏ^2 = 1; r: x*(ẋ^2 + ẏ^2 - 1); } allow chetaev(s, r);",
        "constraints { s: ẋ^2 + ẏ^2 = 1; } allow chetaev(s); contact c { gap = y; impact = elastic; }",
        "contact c { gap = y; impact = elastic; constraints { s: ẋ^2 = 1; } } allow chetaev(c.s);",
        "constraints { s: ẋ^2 + ẏ^2 = 1; } allow chetaev(s); dissipation = abs(ẋ);",
        "constraints { s: ẋ^2 + ẏ^2 = 1; } allow chetaev(s); dissipation = ẋ^2;",
        "constraints { s: ẋ^2 + ẏ^2 = 1; } allow chetaev(s); free ẋ;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("chetaev", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

/// A sum of squares creates nothing, whatever rounding makes of the direction along which it is zero; less a ten-thousandth of
/// one more it does.
#[test]
fn squares_create_no_energy() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut number = || f64::from(random.i32(-99..=99)) / 100.0;
    for case in 0..60 {
        let mut square = || format!("({}*ȧ + {}*ḃ + {}*ċ)^2", number(), number(), number());
        let passive = format!("{} + 0.7*{}", square(), square());
        let system = |dissipation: &str| {
            format!(
                "system S {{ coordinates {{ a, b, c }} kinetic = (ȧ^2 + ḃ^2 + ċ^2)/2;
                potential = a*b*c; dissipation = {dissipation}; }}"
            )
        };
        let found = said(&system(&passive));
        assert!(found.is_empty(), "{case}, {passive}: {found:?}");
        let active = format!("{passive} - 1e-4*(ȧ^2 + ḃ^2 + ċ^2)");
        assert!(!said(&system(&active)).is_empty(), "{case}, {active}");
    }
}

#[test]
fn what_is_allowed() {
    const BODY: &str = "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2; potential = x*y;";
    let cases = [
        "parameters { k = 1 } allow unused_parameter;",
        "parameters { k = 1, l = 2 } allow unused_parameter(k);",
        "parameters { k = 1, l = 2 } allow unused_parameter(k, l);",
        "parameters { κ = 1 } inputs { u } allow unused_parameter(kappa), unused_input(u);",
        "parameters { k[1..=3] = 1 } allow unused_parameter(k[1], k[2]);",
        "parameters { k = 1 } allow unused_parameter(m);",
        "parameters { k = 1 } allow unused_parameters;",
        "parameters { k = 1 } allow something;",
        "parameters { k = 1 } force x = k; allow unused_parameter;",
        "parameters { k = 1 } force x = k; allow unused_parameter, unused_allow;",
        "parameters { k = 1 } force x = k; allow unused_allow;",
        "allow singular_mass;",
        "allow ;",
        "allow unused_parameter(;",
        "allow unused_parameter(1);",
        "allow unused_parameter() ;",
        "allow unused_let unused_input;",
        "let a = x; let b = y; allow unused_let(a);",
        "constraints { r: [dx, dy]; } allow integrable_row(r);",
        "constraints { r: [dx, dy]; } allow integrable_row(r[2]);",
        "contact c { gap = x; impact = elastic; constraints { s: ẋ = 0; } } allow dependent_contact_row(c.s);",
        "contact c { gap = x^2; impact = elastic; } allow idle_contact(c);",
        "dissipation = -ẋ^2; allow active_dissipation;",
    ];
    let cases: Vec<String> = cases.iter().map(|case| format!("{case} {BODY}")).collect();
    check("allowed", &cases.iter().map(String::as_str).collect::<Vec<_>>());
}

/// What is flat nearby acts elsewhere, and what is small acts.
#[test]
fn what_acts_elsewhere_is_no_mistake() {
    const BODY: &str = "coordinates { x, y, z } kinetic = (ẋ^2 + ẏ^2 + ż^2)/2; potential = x*y*z;";
    // table
    let silent = [
        // 0 at y = 5 with the slope −15/32.
        format!("{BODY} contact c {{ gap = 1/2 - smoothstep(y, 3, 7); impact = elastic; }}"),
        format!("{BODY} contact c {{ gap = 1 - 2*ramp(x, 5, 6); impact = elastic; }}"),
        format!("{BODY} holonomic {{ a: ramp(x, 5, 6) = y*ramp(z, 5, 6); }}"),
        "coordinates { x, z } kinetic = ẋ^2/2 + ramp(x, 5, 6)*ż^2/2; potential = x*z;".to_owned(),
        "coordinates { x, y } kinetic = (ẋ^2 + ẏ^2)/2 + ẋ*ramp(y, 50, 60); potential = x*y;"
            .to_owned(),
        // ÿ = −3.5e11 m/s² at 2 V over 1 m.
        "coordinates { y, z } parameters { V = 2 where V > 0, d = 1 where d > 0, k = 3 }
        kinetic = 9.109e-31*ẏ^2/2 + ż^2/2; potential = 1.602e-19*V/d*y + k*z^2/2;
        allow decoupled;"
            .to_owned(),
    ];
    for items in silent {
        let said = said(&format!("system S {{ {items} }}"));
        assert!(said.is_empty(), "{items}: {said:?}");
    }
    // (1 − x²) ẋ² takes energy away within |x| < 1 only.
    let active = said(
        "system S { coordinates { x } kinetic = ẋ^2/2; potential = x^2; dissipation = (1 - x^2)*ẋ^2; }",
    );
    let words = active.iter().map(|one| one.message.as_str()).collect::<Vec<_>>();
    assert!(matches!(words[..], [one] if one.contains("creates energy at x = ")), "{words:?}");
}
