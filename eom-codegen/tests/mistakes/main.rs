//! The mistakes that people make, each as they make it: the line with its mark, what is wrong, one
//! thing to do. `INSTA_UPDATE=always cargo test -p eom-codegen --test mistakes` accepts a change; read
//! the snapshots first.

mod claims;
mod elsewhere;

use eom_codegen::diagnostic::Diagnostic;
use eom_codegen::{derive_source, expand};
use proc_macro2::TokenStream;
use std::fmt::Write;

/// What most cases stand beside.
const FRAME: &str = "coordinates { x, y }
parameters { m = 1 where m > 0, e = 1/2 }";
const ENERGY: &str = "kinetic = m/2*(ẋ^2 + ẏ^2);";

/// Items beside coordinates, parameters and an energy.
fn beside(items: &str) -> String {
    format!("system S {{\n{items}\n{FRAME}\n{ENERGY}\n}}")
}

/// Items that are the whole of a system.
fn alone(items: &str) -> String {
    format!("system S {{\n{items}\n}}")
}

/// A mistake as the command shows it: the line, a mark under the place, the words.
fn shown(source: &str, mistake: &Diagnostic) -> String {
    let mut out = String::new();
    let range = mistake.at.byte_range();
    let start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[range.start..].find('\n').map_or(source.len(), |at| range.start + at);
    let width = |text: &str| text.chars().filter(|c| !('\u{300}'..'\u{370}').contains(c)).count();
    let before = " ".repeat(width(&source[start..range.start]));
    let marks = "^".repeat(width(&source[range.start..range.end.clamp(range.start, end)]).max(1));
    let (line, column) = mistake.at.line_column();
    let _ = writeln!(out, "{line}:{column} | {}", &source[start..end]);
    let margin = format!("{line}:{column}").len();
    let _ = writeln!(out, "{:margin$} | {before}{marks}", "");
    let _ = writeln!(out, "    {}", mistake.text().replace('\n', "\n    "));
    if let Some((at, note)) = &mistake.note {
        let (line, column) = at.line_column();
        let _ = writeln!(out, "    {line}:{column}: {note}");
    }
    out
}

/// Every case has as many messages as it has mistakes, each with one thing to do; the macro says the
/// same of it.
fn check(name: &str, wrap: fn(&str) -> String, mistakes: usize, cases: &[&str]) {
    let mut out = String::new();
    for items in cases {
        let source = wrap(items);
        let found = derive_source(&source).err().unwrap_or_default();
        for mistake in &found {
            out += &shown(&source, mistake);
            assert!(mistake.help.is_some(), "nothing to do:\n{out}");
        }
        out.push('\n');
        assert_eq!(found.len(), mistakes, "{items}\n{out}");
        if let Ok(tokens) = source.parse::<TokenStream>() {
            let said = expand(tokens).to_string();
            for mistake in &found {
                assert!(
                    said.contains(&mistake.message.escape_debug().to_string())
                        || said.contains(&mistake.message),
                    "{said}"
                );
            }
        }
    }
    insta::assert_snapshot!(name, out);
}

#[test]
fn characters() {
    check(
        "characters",
        beside,
        1,
        &[
            "potential = x';",
            "force x = -x'*y;",
            "potential = φ²;",
            "potential = ω₁;",
            "claim a: ẋ⁺ = 0;",
            "potential = m×x;",
            "potential = m·x;",
            "potential = x − y;",
            "parameters { k = 1 where k ≤ 2 }",
            "potential = ½*x^2;",
            "potential = √x;",
            "potential = x ÷ 2;",
            "potential = \\theta;",
            "document \"penny;",
            "potential = 30°;",
            "/* the energy\npotential = x;",
        ],
    );
}

#[test]
fn drawings() {
    check(
        "drawings",
        beside,
        1,
        &[
            "draw { dsik [x, y], 1; }",
            "draw { banana [x, y]; }",
            "draw { disk [x, y]; }",
            "draw { disk [x, y], 1, 2; }",
            "draw { disk x, 1; }",
            "draw { disk [x, y], [x, y]; }",
            "draw { point [x, z]; }",
            "draw { point [x, y]; point [x, y, 0]; }",
            "draw { path [x, y]; }",
            "draw { disk [x, y], 1, color rde; }",
            "draw { disk [x, y], 1, color \"#12\"; }",
            "draw { point [x, y], label wheel; }",
            "draw { point [x, y], spoke x; }",
            "draw { point [x, y], lable \"a\"; }",
            "draw { point [x, y], colour red; }",
            "draw { disk [x, y], 1, width x; }",
            "draw { disk [x, y], 1, width 4; }",
            "draw { disk [x, y], x\n point [x, y]; }",
            "draw { point [x, y], label \"a\", label \"b\"; }",
            "draw { ground y = φ; }",
            "draw { ground y; }",
            "draw { ground ẋ = 0; }",
            "draw { point [x, y]; sphere [x, y], 1; }",
            "draw { disk [x, y], 1, rotation x; }",
            "draw { box [0, 0, 0], 1, 1, 1, rotation x; }",
            "draw { axes [0, 0, 0], 1; ground x = 0; }",
            "draw { arrow [x, y], λ(rod)*[x, y]; }",
            "draw { point [x, y] }",
            "draw point [x, y];",
        ],
    );
}

#[test]
fn brackets() {
    check(
        "brackets",
        beside,
        1,
        &[
            "potential = m*(x + y;",
            "potential = m*x + y);",
            "potential = norm([x, y);",
            "constraints { a: dx;",
            "potential = sin(x;\nlet a = 1;",
            "potential = (x + y;\n}",
        ],
    );
}

#[test]
fn habits() {
    check(
        "habits",
        beside,
        1,
        &[
            "potential = 2m*x;",
            "potential = 2 x;",
            "potential = x y;",
            "potential = sin x;",
            "potential = x**2;",
            "potential == x;",
            "potential = x == y;",
            "potential = |x|;",
            "potential = .5*x;",
            "potential = 0x1F;",
            "potential = 1e400*x;",
            "potential = x = y;",
            "potential = x\nforce x = 1;",
            "potential = ;",
            "potential x;",
            "coordinates { z; }",
            "parameters { a = 1 b = 2 }",
            "parameters { a where 0 < a < 1 }",
            "parameters { k where k }",
            "coordinate { z }",
            "friction = ẋ^2;",
            "V = m*x;",
            "L = ẋ^2;",
            "let f(x) = x^2;",
            "let type = 3;",
            "potential = x; potential = y;",
            "system T { }",
            "#[derive(Debug)] let a = 1;",
            "use std;",
        ],
    );
}

#[test]
fn names() {
    check(
        "names",
        beside,
        1,
        &[
            "potential = k*x^2;",
            "potential = em*x;",
            "parameters { mass = 1 } potential = mas*x;",
            "potential = X;",
            "force x = -ż;",
            "force z = 1;",
            "force m = 1;",
            "potential = sine(x);",
            "potential = f(x);",
            "potential = m(x + y);",
            "potential = sin(x, y);",
            "potential = atan2(y);",
            "potential = dot([x, y]);",
            "parameters { x = 1 }",
            "coordinates { θ } parameters { theta = 1 }",
            "let m = 3;",
            "let x_dot = 3;",
            "let ẋ = 3;",
            "let x_plus = 1;",
            "let dx = 3;",
            "let t = 3;",
            "let sin = 3;",
            "coordinates { in }",
            "let fn = 1;",
            "claim a: x = x; claim a: y = y;",
        ],
    );
}

#[test]
fn energies() {
    check(
        "energies",
        alone,
        1,
        &[
            "coordinates { x }",
            "coordinates { x } potential = x;",
            "coordinates { } kinetic = 1;",
            "kinetic = 1;",
            "",
            "coordinates { x } kinetic = ẋ^2; lagrangian = ẋ^2;",
            "coordinates { x } lagrangian = ẋ^2; potential = x;",
            "coordinates { x, θ } kinetic = ẋ^2; holonomic { pin: x - sin(θ) = 0; }",
            "coordinates { x } kinetic = ẋ^2; potential = x*ẋ;",
            "coordinates { x } kinetic = ẋ^4;",
            "coordinates { x, y } kinetic = ẋ^2;",
            "coordinates { x } kinetic = ẋ^2/0;",
            "coordinates { x } kinetic = ẋ^2; potential = sqrt(-1)*x;",
            "coordinates { x } kinetic = ẋ^2; potential = ln(0);",
            "coordinates { x } kinetic = ẋ^2; potential = ln(2 - pi) + x;",
            "coordinates { x } kinetic = ẋ^2; potential = (3 - pi)^(1/2)*x;",
            "coordinates { x } kinetic = ẋ^2; potential = x*asin(2);",
            "coordinates { x } kinetic = ẋ^2; potential = x/(2 - 2);",
            "coordinates { x } kinetic = ẋ^2*10^10^10;",
            "coordinates { x } kinetic = ẋ^2; force x = -ẍ;",
            "coordinates { x } inputs { u } kinetic = ẋ^2; potential = u*x;",
            "coordinates { x } kinetic = ẋ^2; dissipation = -abs(ẋ);",
        ],
    );
}

#[test]
fn definitions_and_shapes() {
    check(
        "definitions",
        beside,
        1,
        &[
            "let a = b; let b = a;",
            "let a = a + 1;",
            "parameters { k = c, c = 1 }",
            "parameters { k = x }",
            "parameters { k = -1 where k > 0 }",
            "parameters { k = 1/0 }",
            "let v = [x, y]; potential = v;",
            "let v = [x, y]; potential = v*v;",
            "let v = [x, y]; potential = v + 1;",
            "let v = [x, y]; potential = v^2;",
            "let v = [x, y]; potential = v[3];",
            "let v = [x, y]; potential = v[0];",
            "let M = [[1, 2], [3]];",
            "let a[1..=3] = x; potential = a[4];",
            "potential = sum(x, i in 1..=m);",
            "potential = sum(x, i in 1..1);",
            "potential = sum(x, i in 1..=1000000000);",
            "potential = sum(x, 1..3);",
            "potential = integral(s, s in 0..ẋ);",
            "inputs { u } potential = integral(s, s in 0..u);",
            "potential = integral(s, s in 0..=1);",
            "potential = s + integral(s, s in 0..1);",
        ],
    );
}

#[test]
fn constraints() {
    check(
        "constraints",
        beside,
        1,
        &[
            "constraints { a: ẋ^2 = 1; }",
            "constraints { a: dx*dy; }",
            "constraints { a: dx = ẏ; }",
            "constraints { a: dx + 1; }",
            "constraints { a: x = 1; }",
            "constraints { dx - dy; }",
            "constraints { a: ẍ = 0; }",
            "constraints { a: dz; }",
            "constraints { a: ẋ - ẋ = 0; }",
            "constraints { }\nconstraint { a: dx; }",
            "holonomic { h: x + ẏ = 1; }",
            "holonomic { h: m = 1; }",
            "holonomic { h: x^2 + y^2; h: x = 1; }",
            "inputs { u } constraints { a: ẋ = u; }",
            "velocities { u = ẋ^2 }",
            "velocities { u = ẋ + ẏ }",
        ],
    );
}

#[test]
fn contacts_and_scenarios() {
    check(
        "contacts",
        beside,
        1,
        &[
            "contact c { gap = ẏ; impact = elastic; }",
            "event c { guard = z; }",
            "contact c { gap = y; impact = restitution(2); }",
            "contact c { gap = y; impact = restitution(-1/2); }",
            "contact c { gap = y; impact = restitution(x); }",
            "contact c { gap = y; impact = restitution; }",
            "contact c { gap = y; impact = bouncy; }",
            "contact c { gap = y; }",
            "contact c { impact = elastic; }",
            "contact c { gap = y; impact = elastic; bounce = 1; }",
            "contact c { gap = y; gap = x; impact = elastic; }",
            "contact { gap = y; impact = elastic; }",
            "contact c { gap = y; impact = assign { w = 0; } }",
            "scenario s { z = 1; until t = 1; }",
            "scenario s { x = 1; }",
            "scenario s { x = 1; x = 2; until t = 1; }",
            "scenario s { x = y; until t = 1; }",
            "scenario s { until bounces = 3; }",
            "scenario s { until impacts = 2.5; }",
            "scenario s { solve ż; until t = 1; }",
            "scenario s { x = 1; solve ẋ; until t = 1; }",
            "contact c { gap = y; impact = restitution(e = 0.5); }",
            "scenario s { }",
            "event e { reset { x = 0; } }",
            "output o = q;",
        ],
    );
}

/// k mistakes that have nothing to do with one another are k messages.
#[test]
fn several() {
    check(
        "several_2",
        beside,
        2,
        &[
            "potential = k*x; force z = 1;",
            "potential = φ² + ω₁;",
            "potential = ‖x‖;",
            "contact c { }",
            "document “penny”;",
            "potential = x';\nforce x = y';",
            "potential = 2m*x; force x = 3e*y;",
            "contact c { gap = ẏ; impact = restitution(2); }",
            "let a = b; let c = d;",
            "constraints { a: ẋ^2 = 1; b: dx = ẏ; }",
            "parameters { x = 1, y = 2 }",
        ],
    );
    check(
        "several_3",
        beside,
        3,
        &[
            "potential = k*x; let a = foo(x); scenario s { z = 1; until t = 1; }",
            "potential = ; force = 1; output = x;",
            "claim a: ẍ = 1; claim b: ÿ = 2; claim c: x = y;",
        ],
    );
    // What speaks of a mistaken thing is no mistake of its own.
    check(
        "several_1",
        beside,
        1,
        &[
            "let a = k*x; let b = a + 1; potential = a*b; output o = ȧ;",
            "coordinates { z w } potential = z*w;",
            "contact c { gap = h; impact = elastic; } claim a at c: ẋ_plus = ẋ; scenario s { until impacts = 3; }",
            "function f(q); potential = f; force x = f_q;",
            "velocities { u = k*ẋ } force u = 1; output o = u;",
            "constraints { r: ẋ = k; } claim c: λ(r) = 0;",
            // What a mistake of syntax took with it is not missed.
            "contact floor { gap = y; impact = elastik; } force x = -0.1*λ(floor); impacts { floor } = joint;",
            "contact c[i in 1..=2] { gap = y*i y; impact = elastic; } force x = λ(c[1]); output o = λ(c[2]);",
            "constraints { roll: ẋ == ẏ; } output r = λ(roll); row roll { slip = ẋ; friction = 0.1; } claim a: λ(roll) = 0;",
            "function f(x) = x > 0 ? 1 : 0; potential = f(x) + f_x;",
            "event top { guard = ẏ y; falling; } scenario s { until top; } claim a of s: stops(3) = 1;",
        ],
    );
}
