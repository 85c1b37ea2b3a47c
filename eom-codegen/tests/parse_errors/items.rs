//! The items of a system, and what stands in them.

use crate::{check, complaints};

#[test]
fn items_and_blocks() {
    check(
        "kinetc = 1;",
        "2:1: `kinetc` is not an item of a system\n  help: did you mean `kinetic`?",
    );
    check(
        "banana { }",
        "2:1: `banana` is not an item of a system\n  help: it may hold document, coordinates, velocities, rotation, inputs, parameters, function, let, kinetic, potential, lagrangian, dissipation, force, constraints, holonomic, row, free, contact, impacts, event, scenario, output, draw, notation, claim, erratum, allow",
    );
    check(
        "draw { disk at [0, y], r; }",
        "2:13: shapes are written without `at`\n  help: write `disk [x, y], R;`",
    );
    check(
        "draw { line [0, 0] to [0, y]; }",
        "2:20: shapes are written without `to`\n  help: write `line [x, y], [X, Y];`",
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
    check("coordinates { gen }", "2:15: `gen` is a word of Rust\n  help: choose another name");
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
        "2:7: expected the name of the coordinate on which the force acts, found `2`\n  help: write `force x = …;`, one for each coordinate",
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
fn doc_comments() {
    const BEHIND: &str = "a doc comment documents what follows it\n  help: write it on the line above, or as a plain comment, `// …`";
    check("parameters { m = 1 /// mass\n, l = 2 }", &format!("2:20: {BEHIND}"));
    check("parameters { m = 1, /// mass\n}", &format!("2:21: {BEHIND}"));
    check("kinetic = 1; /// of the cart\n", &format!("2:14: {BEHIND}"));
    for items in [
        "parameters { /// mass\nm = 1, /** length */ l = 2,\n/// gravity\ng = 9.81 }",
        "kinetic = 1; /** of the spring */ potential = 2;",
        "parameters { m = 1, /// length\nl = 2 }",
    ] {
        let source = format!("system S {{\n{items}\n}}");
        assert!(complaints(&source).is_empty(), "{items}");
    }
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

#[test]
fn parameters() {
    check(
        "parameters { a = 1 where a }",
        "2:28: expected `<`, `<=`, `>` or `>=` in a bound, found `}`\n  help: write `<`",
    );
    check(
        "parameters { b where 0 < b < 1 }",
        "2:28: a bound compares two values\n  help: write two, `0 < x && x < 1` at a parameter, `0 < x, x < 1` in `when`",
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
        "2:31: `<` cannot stand here\n  help: bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, a contact, `ramp` or `smoothstep`; a gap is what stays positive, `gap = y;`",
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
        "2:14: the quasi-velocity `u` is not given in velocities of coordinates\n  help: leave out what is the velocity of a coordinate; another speed is given: `u = ẋ + ẏ`",
    );
    check(
        "velocities { u + ẋ }",
        "2:16: expected `=` and velocities of coordinates after `u`, found `+`\n  help: write `=`",
    );
    check(
        "parameters { m: kg = 1 }",
        "2:17: `kg` is no part of a number\n  help: say units in a comment: `// kg`",
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
        "2:51: expected `,` between the conditions, found `&&`\n  help: write `,`",
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
        "2:15: the row has no name\n  help: name the row: `row: dx - dy;`",
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
        "2:26: an equation has one `=`\n  help: state the second equation in an item of its own; a guard or a gap is the side that becomes zero",
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
        "2:31: `bouncy` is not an impact law\n  help: write `elastic`, `plastic`, `restitution(e)` with e in [0, 1], `restitution(e, e_t)` or `project`",
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
        "2:30: impacts and events are counted in whole numbers\n  help: write `until impacts = 20;`",
    );
    check(
        "scenario s { until bounce = x; }",
        "2:29: impacts and events are counted in whole numbers\n  help: write `until bounce = 20;`",
    );
    check(
        "scenario s { until bounce; until events = 3; }",
        "2:34: `until events` is stated twice\n  help: a scenario ends once by impacts, once by events and once by time\n  2:20: first stated here",
    );
    check(
        "scenario s { until t = 1; until t = 2; }",
        "2:33: `until t` is stated twice\n  help: a scenario ends once by impacts, once by events and once by time\n  2:20: first stated here",
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
    check(
        "claim a: x >= 0;",
        "2:12: what is claimed of states is an equation\n  help: write `abs(b - a) = b - a` for `a <= b`",
    );
    check(
        "claim a: x < 1;",
        "2:12: what is claimed of states is an equation\n  help: write `sign(b - a) = 1` for `a < b`",
    );
    check("claim a: x;", "2:10: claim `a` states no equation\n  help: write both sides, `… = 0`");
    check(
        "claim a under elastic: x = 1;",
        "2:9: a law belongs to a contact\n  help: write `at contact under law`",
    );
    check(
        "claim a at floor under gravity: x = 1;",
        "2:24: `gravity` is not an impact law\n  help: write `elastic`, `plastic`, `restitution(e)` with e in [0, 1], `restitution(e, e_t)` or `project`",
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
