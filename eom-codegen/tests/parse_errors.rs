//! What the parser says about mistakes: the place, the message, the help, and all of them at once.

use eom_codegen::parse::{DEPTH_MAX, parse_text};

/// All complaints about a text, help lines under their message.
fn complaints(source: &str) -> Vec<String> {
    let (_, errors) = parse_text(source);
    errors.into_diagnostics().iter().map(ToString::to_string).collect()
}

/// Items of a system with one mistake, and what is said about it.
fn check(items: &str, expected: &str) {
    // The items begin at line 2, column 1.
    let source = format!("system S {{\n{items}\n}}");
    assert_eq!(complaints(&source), [expected], "{items}");
}

#[test]
fn items_and_blocks() {
    check(
        "kinetc = 1;",
        "2:1: `kinetc` is not an item of a system\n  help: did you mean `kinetic`?",
    );
    check(
        "banana = 1;",
        "2:1: `banana` is not an item of a system\n  help: it may hold document, coordinates, velocities, rotation, inputs, parameters, function, let, kinetic, potential, lagrangian, dissipation, force, constraints, holonomic, row, free, contact, impacts, event, scenario, output, draw, notation, claim, erratum, allow",
    );
    check("3", "2:1: expected an item, found `3`\n  help: remove it");
    check("kinetic = 1;;", "2:13: expected an item, found `;`\n  help: remove it");
    check("kinetic 1;", "2:9: expected `=` after `kinetic`, found `1`\n  help: write `=`");
    check(
        "kinetic = ;",
        "2:11: expected an expression, found `;`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check("kinetic == 1;", "2:9: `==` is not a sign of an equation\n  help: write `=`");
    check(
        "kinetic = 1; kinetic = 2;",
        "2:14: `kinetic` is stated twice\n  help: add the terms up in one item\n  2:1: first stated here",
    );
    check(
        "coordinates x, y;",
        "2:13: expected `{ … }` after `coordinates`, found `x`\n  help: write `{ … }`",
    );
    check(
        "coordinates { x; y }",
        "2:16: coordinates are separated by `,`\n  help: write `,` for `;`",
    );
    check(
        "coordinates { x y }",
        "2:17: expected `,` between coordinates, found `y`\n  help: write `,`",
    );
    check("coordinates { in }", "2:15: `in` is a word of Rust\n  help: choose another name");
    check(
        "coordinates { 3 }",
        "2:15: expected the name of a coordinate, found `3`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check("inputs { r#u }", "2:10: `r#u` is not a name here\n  help: leave out `r#`");
    check(
        "coordinates { _ }",
        "2:15: expected a name, found `_`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "document penny;",
        "2:10: expected the title of the document in quotation marks, found `penny`\n  help: write the title of the document in quotation marks",
    );
    check(
        "document \"a\"; document \"b\";",
        "2:15: `document` is stated twice\n  help: name the one whose equations the claims cite\n  2:1: first stated here",
    );
    check(
        "force 2 = x;",
        "2:7: expected the name of the coordinate on which the force acts, found `2`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "#[cfg(test)] kinetic = 1;",
        "2:1: only doc comments can stand here\n  help: write `/// …`",
    );
    check(
        "//! inner\nkinetic = 1;",
        "2:1: `//!` and `#![…]` cannot stand here\n  help: document the item that follows with `///`",
    );
}

#[test]
fn semicolons() {
    check("kinetic = m*x\npotential = 2;", "2:13: `;` is missing after `kinetic`\n  help: add `;`");
    check("kinetic = m*x potential = 2;", "2:13: `;` is missing after `kinetic`\n  help: add `;`");
    check("kinetic = 1", "2:11: `;` is missing after `kinetic`\n  help: add `;`");
    check("constraints { a: dx\nb: dy; }", "2:18: `;` is missing after row `a`\n  help: add `;`");
    check("scenario s { x = 1\ny = 2; }", "2:18: `;` is missing after `x`\n  help: add `;`");
    check(
        "claim c: x = 1\n/// doc\nkinetic = 1;",
        "2:14: `;` is missing after claim `c`\n  help: add `;`",
    );
    check(
        "erratum e: x = 1 corrected: x = 2;",
        "2:16: `;` is missing after the printed form\n  help: add `;`",
    );
}

const REMAINDER: &str = "2:11: `%` is not an operator\n  help: a formula has no jumps: what jumps is an `event` with a `reset`";

#[test]
fn every_power_is_told() {
    let told = complaints("system S {\nlet a = x**2 + sin(y**2)**z;\nkinetic = 1/x**2;\n}");
    let places = ["2:10", "2:21", "2:25", "3:14"];
    let expected =
        places.map(|at| format!("{at}: `**` is not an operator\n  help: write `^` for a power"));
    assert_eq!(told, expected);
}

#[test]
fn operators() {
    check("let a = x**2;", "2:10: `**` is not an operator\n  help: write `^` for a power");
    check("let a = x % 2;", REMAINDER);
    check("let a = x % (y + 1)*2;", REMAINDER);
    check(
        "let a = sin(x % -y);",
        "2:15: `%` is not an operator\n  help: a formula has no jumps: what jumps is an `event` with a `reset`",
    );
    check("let a = x == 2;", "2:11: `==` is not a sign of an equation\n  help: write `=`");
    check(
        "let a = 1 = 2;",
        "2:11: an equation has one `=`\n  help: state the second equation in an item of its own",
    );
    check(
        "let a = x y;",
        "2:11: an operator is missing before `y`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check(
        "let a = 2 (x);",
        "2:11: an operator is missing before `(`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check(
        "let a = 2 x;",
        "2:11: an operator is missing before `x`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check(
        "let a = sin x;",
        "2:13: an operator is missing before `x`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check("let a = |x|;", "2:9: `|` is not an operator\n  help: write `abs(x)` for |x|");
    check("let a = x |y|;", "2:11: `|` is not an operator\n  help: write `abs(x)` for |x|");
    check(
        "let a = 1 +* 2;",
        "2:12: expected an expression, found `*`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check(
        "let a = x^;",
        "2:11: expected an expression, found `;`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check(
        "let a = a +;",
        "2:12: expected an expression, found `;`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check(
        "let a = ();",
        "2:10: expected an expression, found `)`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check(
        "let a = x[];",
        "2:11: expected an expression, found `]`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check(
        "let a = f(x y);",
        "2:13: an operator is missing before `y`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check(
        "let a = [1 2];",
        "2:12: an operator is missing before `2`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check("let a = (a, b);", "2:11: expected `)`, found `,`\n  help: write `)`");
    check("let a = a.b.c;", "2:12: expected `;` after `a`, found `.`\n  help: write `;`");
    check("let a = a & b;", "2:11: expected `;` after `a`, found `&`\n  help: write `;`");
    check(
        "let a = x < 2;",
        "2:11: `<` cannot stand here\n  help: bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, a contact, `ramp` or `smoothstep`",
    );
    check(
        "let a = a..b;",
        "2:10: a range stands in `sum`, `integral` and behind a name that is declared only\n  help: write the terms out, or `sum`",
    );
    check(
        "let a = a >= b;",
        "2:11: `>=` cannot stand here\n  help: bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, a contact, `ramp` or `smoothstep`",
    );
}

#[test]
fn literals() {
    check("let a = 2m*x;", "2:9: an operator is missing in `2m`\n  help: write `2*m`");
    check("let a = 2e*x;", "2:9: an operator is missing in `2e`\n  help: write `2*e`");
    check("let a = 2e3x;", "2:9: an operator is missing in `2e3x`\n  help: write `2e3*x`");
    check("let a = 1f64;", "2:9: `1f64`: numbers carry no type here\n  help: write `1`");
    check("let a = 0xff;", "2:9: `0xff` is not a decimal number\n  help: write it in base ten");
    check("let a = .5;", "2:9: a number begins with a digit\n  help: write `0.5` for `.5`");
    check("let a = \"one\";", "2:9: \"one\" is not a number\n  help: write a number or a name");
    check("let a = 'c';", "2:9: 'c' is not a number\n  help: write a number or a name");
    check(
        "let a = 1e999;",
        "2:9: a number has at most 64 digits and lies between 1e-300 and 1e300\n  help: choose other units",
    );
    check(
        "let a = 1e-999;",
        "2:9: a number has at most 64 digits and lies between 1e-300 and 1e300\n  help: choose other units",
    );
    check("let a = 2.0.1;", "2:12: expected `;` after `a`, found `.`\n  help: write `;`");
}

#[test]
fn characters_that_rust_does_not_read() {
    check("let a = x·y;", "2:9: `·` cannot be read here\n  help: write `*`");
    check("let a = x²;", "2:10: `²` cannot be read here\n  help: write `^2`");
    check(
        "let a = x';",
        "2:10: `'` cannot be read here\n  help: write a derivative as `ẋ` or `x_dot`",
    );
    check("let a = x − y;", "2:11: `−` cannot be read here\n  help: write `-`");
    check(
        "let a = ω₁;",
        "2:10: `₁` cannot be read here\n  help: write an index in the name: ω1 or ω_1",
    );
    check("let a = x ≤ y;", "2:11: `≤` cannot be read here\n  help: write `<=`");
    check(
        "let a = (x;",
        "2:9: this is not closed by `)`\n  help: add `)`\n  3:1: `}` stands here before it",
    );
    check("let a = x);", "2:10: `)` closes nothing\n  help: remove `)`, or open it before");
    check("document \"penny;", "2:10: `\"` cannot be read here\n  help: close the string");
}

#[test]
fn parameters() {
    check(
        "parameters { a = 1 where a }",
        "2:28: expected `<`, `<=`, `>` or `>=` in a bound, found `}`\n  help: write `<`",
    );
    check(
        "parameters { b where 0 < b < 1 }",
        "2:28: a bound compares two values\n  help: write `0 < x && x < 1` for `0 < x < 1`",
    );
    check(
        "parameters { c = , d }",
        "2:18: expected an expression, found `,`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check("parameters { d == 2 }", "2:16: `==` is not a sign of an equation\n  help: write `=`");
    check(
        "parameters { e = 1 f = 2 }",
        "2:20: expected `,` between parameters, found `f`\n  help: write `,`",
    );
    check(
        "parameters { g where g > 0, g < 1 }",
        "2:31: `<` cannot stand here\n  help: bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, a contact, `ramp` or `smoothstep`",
    );
    check(
        "parameters { h where h = 1 }",
        "2:24: expected `<`, `<=`, `>` or `>=` in a bound, found `=`\n  help: write `<`",
    );
    check(
        "parameters { k = 1; l }",
        "2:19: parameters are separated by `,`\n  help: write `,` for `;`",
    );
}

#[test]
fn names_with_indices_and_sums() {
    let range = "the end of `a..b` does not belong to it, that of `a..=b` does";
    check("let x[i in 3..3] = 2;", &format!("2:6: nothing lies in this range\n  help: {range}"));
    check(
        "let x[i in 1..=n] = 2;",
        "2:16: this is not a whole number\n  help: write an index as `3`, by the indices around it, `2*i - 1`, or by a parameter that sizes an array, a whole number without a bound: `N = 4`",
    );
    check("let x[-1] = 2;", "2:6: a name has no negative index\n  help: count from 0 or 1");
    check(
        "let x[1..=5000] = 2;",
        "2:6: a range holds at most 1000 numbers\n  help: shorten it; a body of many points has an `integral`",
    );
    check(
        "let x[1..=2 3] = 2;",
        "2:13: an operator is missing before `3`\n  help: write `*` for a product, brackets for a function: `sin(x)`",
    );
    check(
        "coordinates { θ[i 1..=6] }",
        "2:19: expected `..` or `..=` in a range, found `1`\n  help: write `..`",
    );
    check(
        "let s = sum(a);",
        "2:14: expected `, i in 1..=n` after the term of `sum`, found `)`\n  help: write `, i in 1..=n`",
    );
    check(
        "let s = sum(a, 1..3);",
        "2:16: expected the index of `sum`, found `1`\n  help: write `sum(…, i in 1..=3)`",
    );
    check(
        "let s = integral(a);",
        "2:19: expected `, s in a..b` after what `integral` integrates, found `)`\n  help: write `, s in a..b`",
    );
    check(
        "let s = integral(a, 0..1);",
        "2:21: expected the variable of `integral`, found `0`\n  help: write `integral(…, s in 0..l)`",
    );
    check(
        "let s = integral(a, s in 0..=1);",
        "2:26: an integral has no last term\n  help: write its ends as `a..b`",
    );
    check(
        "let s = sum(a, i in 1);",
        "2:22: expected `..` or `..=` in a range, found `)`\n  help: write `..`",
    );
}

#[test]
fn velocities_and_rotations() {
    check(
        "rotation R { inertial: a, b, c }",
        "2:14: expected `body:` or `space:` before the components of the angular velocity, found `inertial`\n  help: write `body:`",
    );
    check(
        "rotation R { body: a, b }",
        "2:25: expected `,` and the three components of the angular velocity, found `}`\n  help: write `,`",
    );
    check(
        "rotation R { body: a, b, c, d }",
        "2:29: expected `}` after three components, found `d`\n  help: write `}`",
    );
    check(
        "velocities { u }",
        "2:16: expected `=` and velocities of coordinates after `u`, found `}`\n  help: write `=`",
    );
    check(
        "velocities { u = ẋ w = ẏ }",
        "2:20: expected `,` between quasi-velocities, found `w`\n  help: write `,`",
    );
}

#[test]
fn what_later_versions_have() {
    check(
        "let f(x) = 1;",
        "2:6: `f(…)`: a definition has no arguments\n  help: write `f = …;`, or `function f(x, y) = …;` of coordinates",
    );
    check(
        "function f;",
        "2:11: expected `(…)` after the function `f`, found `;`\n  help: write `(…)`",
    );
    check("function f(x y);", "2:14: expected `,` between arguments, found `y`\n  help: write `,`");
    check(
        "function f(2);",
        "2:12: expected the name of an argument, found `2`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check("function f(x) == 1;", "2:15: `==` is not a sign of an equation\n  help: write `=`");
}

#[test]
fn items_of_a_contact() {
    check(
        "contact c { gap = x; impact = elastic; when x; }",
        "2:46: expected `<`, `<=`, `>` or `>=` in a bound, found `;`\n  help: write `<`",
    );
    check(
        "contact c { gap = x; impact = elastic; when x > 0 && y > 0; }",
        "2:51: expected `;` after the conditions, found `&`\n  help: write `;`",
    );
    check(
        "contact c { gap = x; impact = elastic; releases; }",
        "2:48: expected the name of a constraint, found `;`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "contact c { gap = x; impact = elastic; relabel { a, b; } }",
        "2:51: expected `<->` after `a`, found `,`\n  help: write `<->`",
    );
    check(
        "contact c { gap = x; impact = elastic; relabel a <-> b; }",
        "2:48: expected `{ … }` after `relabel`, found `a`\n  help: write `{ … }`",
    );
    check(
        "contact c { gap = x; impact = elastic; constraints { dx; } }",
        "2:56: expected `:` after the name of the row `dx`, found `;`\n  help: write `:`",
    );
    check(
        "contact c { gap = x; impact = restitution(1,); }",
        "2:42: restitution takes one number, or one for the gap and one for the contact's rows\n  help: write `restitution(e)` with e in [0, 1]",
    );
    check(
        "contact c { gap = x; impact = elastic; } impacts = newton;",
        "2:52: `newton` does not say what contacts do that are struck at one time\n  help: write `joint`, all together, `sequential`, one after another, or `tangential`, with impacts of what jams",
    );
    check(
        "contact c { gap = x; impact = elastic; } impacts { } = joint;",
        "2:52: expected the name of a contact, found `}`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "contact c { gap = x; impact = assign; }",
        "2:37: expected `{ … }` after `assign`, found `;`\n  help: write `{ … }`",
    );
    check(
        "contact c { gap = x; impact = assign { ẋ = 0; } bounce = 1; }",
        "2:49: `bounce` is not an item of a contact\n  help: it may hold gap, point, surface, velocity, impact, constraints, when, releases, relabel, dissipation, slip, friction, roll, rolling, spin, spinning",
    );
    check(
        "claim a at c under assign { ẋ = 0; }: x = 0;",
        "2:20: `assign` is a law of contacts only\n  help: state the claim at a contact with that law, without `under`",
    );
    check("claim a: impulse(foot.) = 0;", "2:22: expected `,`, found `.`\n  help: write `,`");
}

#[test]
fn rows() {
    check(
        "constraints { dx - dy; }",
        "2:18: expected `:` after the name of the row `dx`, found `-`\n  help: write `:`",
    );
    check(
        "constraints { a: dx = = dy; }",
        "2:23: expected an expression, found `=`\n  help: write a number, a name, or a formula such as `m*g*y`",
    );
    check(
        "constraints { a dx; }",
        "2:17: expected `:` after the name of the row `a`, found `dx`\n  help: write `:`",
    );
    check(
        "constraints { a: dx = dy = 0; }",
        "2:26: an equation has one `=`\n  help: state the second equation in an item of its own",
    );
    check(
        "holonomic { rod: x = 1; friction rod = a; }",
        "2:25: the friction of a row stands beside the rows, with what slips along it\n  help: write `row rod { slip = ẋ; friction = μ; }` as an item of the system",
    );
    check(
        "holonomic x = 1;",
        "2:11: expected `{ … }` after `holonomic`, found `x`\n  help: write `{ … }`",
    );
}

#[test]
fn contacts_and_events() {
    check(
        "contact { gap = x; }",
        "2:9: expected the name of a contact, found `{`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "contact c { gap = 1; }",
        "2:9: contact `c` has no law of impact\n  help: add `impact = elastic;`",
    );
    check("contact c { impact = elastic; }", "2:9: contact `c` has no gap\n  help: add `gap = …;`");
    check(
        "contact c { gap = x; impact = bouncy; }",
        "2:31: `bouncy` is not an impact law\n  help: write elastic, plastic, restitution(e), restitution(e, e_t) or project",
    );
    check(
        "contact c { gap = x; impact = reflect; }",
        "2:31: `reflect` is a law for claims only\n  help: write elastic, plastic, restitution(e) or project",
    );
    check(
        "contact c { gap = x; impact = restitution; }",
        "2:31: restitution takes one number, or one for the gap and one for the contact's rows\n  help: write `restitution(e)` with e in [0, 1]",
    );
    check(
        "contact c { gap = x; impact = restitution(); }",
        "2:42: restitution takes one number, or one for the gap and one for the contact's rows\n  help: write `restitution(e)` with e in [0, 1]",
    );
    check(
        "contact c { gap = x; impact = restitution(1, 2, 3); }",
        "2:42: restitution takes one number, or one for the gap and one for the contact's rows\n  help: write `restitution(e)` with e in [0, 1]",
    );
    check(
        "contact c { gap = x; impact = elastic(1); }",
        "2:38: `elastic` takes no arguments\n  help: write `elastic`",
    );
    check(
        "contact c { gap = x; slip = ẋ; friction = friction(a, b); impact = plastic; }",
        "2:43: friction takes one coefficient, or one for what sticks and one for what slides\n  help: write `friction = μ;` or `friction(μ_s, μ);`",
    );
    check(
        "contact c { gap = x; gap = y; impact = plastic; }",
        "2:22: `gap` is stated twice\n  help: a contact has one gap, one law, one dissipation, one slip and one friction\n  2:13: first stated here",
    );
    check(
        "contact c { gapp = x; }",
        "2:13: `gapp` is not an item of a contact\n  help: did you mean `gap`?",
    );
    check("event e { rising; }", "2:7: event `e` has no guard\n  help: add `guard = …;`");
    check(
        "event e { guard = x; rising; falling; }",
        "2:30: `falling` is stated twice\n  help: an event has one direction\n  2:22: first stated here",
    );
    check(
        "event e { guard = x; reset { x 1; } }",
        "2:32: expected `=` after `x`, found `1`\n  help: write `=`",
    );
    check(
        "event e { guard = x; up; }",
        "2:22: `up` is not an item of an event\n  help: it may hold guard, rising, falling, both, reset",
    );
    check(
        "event e { guard = x; guard = y; }",
        "2:22: `guard` is stated twice\n  help: an event has one guard\n  2:11: first stated here",
    );
}

#[test]
fn scenarios() {
    check(
        "scenario s { until impacts = 2.5; }",
        "2:30: impacts are counted in whole numbers\n  help: write `until impacts = 20;`",
    );
    check(
        "scenario s { until bounces = 3; }",
        "2:20: a scenario cannot end by `bounces`\n  help: write `until impacts = 20;` or `until t = 3;`",
    );
    check(
        "scenario s { until t = 1; until t = 2; }",
        "2:33: `until t` is stated twice\n  help: a scenario ends once by impacts and once by time\n  2:20: first stated here",
    );
    check(
        "scenario s { solve; }",
        "2:19: expected the name of a velocity or a coordinate, found `;`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "scenario s { θ(0) = 1; }",
        "2:14: `θ(0)` cannot be set: a value is given to `θ`\n  help: leave `(0)` out",
    );
    check("scenario s { x; }", "2:15: expected `=` after `x`, found `;`\n  help: write `=`");
    check(
        "scenario s { until impacts 3; }",
        "2:28: expected `=` after `until impacts`, found `3`\n  help: write `=`",
    );
}

#[test]
fn claims() {
    check("claim a: x;", "2:11: expected `=`, found `;`\n  help: write `=`");
    check(
        "claim a under elastic: x = 1;",
        "2:9: a law belongs to a contact\n  help: write `at contact under law`",
    );
    check(
        "claim a at floor under gravity: x = 1;",
        "2:24: `gravity` is not an impact law\n  help: write elastic, plastic, restitution(e), restitution(e, e_t) or project",
    );
    check("claim a x = 1;", "2:9: expected `:` after claim `a`, found `x`\n  help: write `:`");
    check(
        "claim: x = 1;",
        "2:6: expected the name of a claim, found `:`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check(
        "erratum a: x = 1;",
        "2:9: erratum `a` has no corrected form\n  help: write `; corrected: …;` after the printed equation",
    );
    check(
        "erratum a: x = 1; corrected x = 2;",
        "2:29: expected `:` after `corrected`, found `x`\n  help: write `:`",
    );
    check(
        "claim a: motion(b) x = 1;",
        "2:20: expected `{ … }` after `motion(…)`, found `x`\n  help: write `{ … }`",
    );
    check(
        "claim a: motion(b, 3) { x = 1; }",
        "2:20: expected the name of a free constant, found `3`\n  help: write a name: letters, digits and `_`, a letter first",
    );
    check("claim a when x: x = 1;", "2:15: expected `=`, found `:`\n  help: write `=`");
}

#[test]
fn the_declaration_itself() {
    for (source, expected) in [
        ("", "1:1: expected a declaration, found the end\n  help: write `system Name { … }`"),
        ("sistem S {}", "1:1: `sistem` cannot stand here\n  help: did you mean `system`?"),
        (
            "system {}",
            "1:8: expected the name of the system, found `{`\n  help: write a name: letters, digits and `_`, a letter first",
        ),
        ("system S", "1:8: expected `{ … }` after `S`, found the end\n  help: write `{ … }`"),
        (
            "system S {} system T {}",
            "1:13: a declaration holds one system\n  help: declare the second system on its own",
        ),
        ("system type {}", "1:8: `type` is a word of Rust\n  help: choose another name"),
        (
            "fn main() {}",
            "1:1: expected a declaration, found `fn`\n  help: write `system Name { … }`",
        ),
        (
            "pub struct S {}",
            "1:5: expected a declaration, found `struct`\n  help: write `system Name { … }`",
        ),
    ] {
        assert_eq!(complaints(source), [expected], "{source}");
    }
}

#[test]
fn several_mistakes_are_reported_together() {
    let source = "system S {
    kinetic = 2m*x;
    potental = 3;
    constraints { a: dx +; b: dy; c dx; }
    contact floor { gap = ; impact = bouncy; }
    scenario s { x = 1 y = 2; until bounces = 3; }
    rotation R { body: a, b }
    claim c1: x == 2;
    output o = x y;
}";
    let places = complaints(source)
        .iter()
        .map(|text| text.split(": ").next().unwrap_or_default().to_owned())
        .collect::<Vec<_>>();
    let expected =
        ["2:15", "3:5", "4:26", "4:37", "5:27", "5:38", "6:22", "6:37", "7:29", "8:17", "9:18"];
    assert_eq!(places, expected);
}

#[test]
fn what_can_be_read_is_kept_beside_mistakes() {
    let (system, errors) = parse_text("system S { kinetic = 1 +; potential = 2; let a = 3 }");
    assert_eq!(errors.into_diagnostics().len(), 2);
    let system = system.unwrap();
    assert!(system.kinetic.is_none());
    assert_eq!(system.potential.unwrap().value.to_text(), "2");
    assert_eq!(system.lets[0].value.to_text(), "3");
}

#[test]
fn all_mistakes_pass_the_gate_as_one_error() {
    let (_, errors) = parse_text("system S { kinetic = 1; kinetic = 2; a = 3; }");
    let error = errors.propagate().unwrap_err();
    let texts = error.into_iter().map(|error| error.to_string()).collect::<Vec<_>>();
    assert_eq!(texts.len(), 3);
    assert_eq!(texts[1], "first stated here");
}

/// Hostile texts end in a message, not in a broken stack, and in linear time.
#[test]
fn depth_is_limited() {
    let many = 50_000;
    let nested = |open: &str, close: &str| {
        format!("system S {{ let a = {}x{}; }}", open.repeat(many), close.repeat(many))
    };
    let deep = [
        nested("(", ")"),
        nested("[", "]"),
        nested("{", "}"),
        nested("f(", ")"),
        nested("-", ""),
        nested("x^", ""),
        nested("(-", ")"),
        nested("2^-", ""),
    ];
    for source in deep {
        let found = complaints(&source);
        assert_eq!(found.len(), 1);
        let message = format!("the expression is nested more than {DEPTH_MAX} deep");
        assert!(found[0].contains(&message), "{}", found[0]);
    }
}

#[test]
fn the_greatest_depth_can_be_read_and_printed() {
    // Each form takes so many levels; the system's braces and the expression itself take one.
    for (open, close, levels) in [
        ("(1 + 2*", ")", 1),
        ("(", ")^2", 1),
        ("f(-g*", ")", 1),
        ("-", "", 1),
        ("x^", "", 1),
        ("a*-(1 + ", ")", 2),
        ("[", "][1][1]", 1),
    ] {
        let text = |many: usize| {
            let text = format!("{}x{}", open.repeat(many), close.repeat(many));
            format!("system S {{ let a = {text}; }}")
        };
        let deepest = (DEPTH_MAX - 2) / levels;
        let (system, errors) = parse_text(&text(deepest));
        assert!(errors.propagate().is_ok(), "{open}");
        assert!(!system.unwrap().lets[0].value.to_text().is_empty());
        assert_eq!(complaints(&text(deepest + 4)).len(), 1, "{open}");
    }
}

#[test]
fn long_texts_are_read() {
    let terms = vec!["a*b"; 10_000];
    for separator in [" + ", " - ", "*", "/"] {
        let source = format!("system S {{ let s = {}; }}", terms.join(separator));
        let (system, errors) = parse_text(&source);
        assert!(errors.propagate().is_ok());
        assert!(system.unwrap().lets[0].value.to_text().len() > 30_000);
    }
    let digits = "7".repeat(100_000);
    let found = complaints(&format!("system S {{ let s = {digits}; let t = 1e{digits}; }}"));
    assert_eq!(found.len(), 2);
    let found = complaints(&format!("system S {{ {} }}", "a; ".repeat(3_000)));
    assert_eq!(found.len(), 3_000);
}
