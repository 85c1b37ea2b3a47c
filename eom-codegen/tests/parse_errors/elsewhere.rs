//! What is written so elsewhere, and what is written here.

use crate::{check, complaints};

#[test]
fn items_of_other_names() {
    for (items, expected) in [
        (
            "banana = 1;",
            "2:1: `banana` is not an item of a system\n  help: a definition is `let banana = …;`, a force `force x = …;`, a value stands in `parameters`",
        ),
        (
            "equations { }",
            "2:1: `equations` is not an item of a system\n  help: equations are derived: state `kinetic`, `potential`, `force x = …;` and `constraints { … }`",
        ),
        (
            "initial { x = 1; }",
            "2:1: `initial` is not an item of a system\n  help: write `scenario start { x = 1; until t = 10; }`",
        ),
        (
            "for i in 1..=3 { }",
            "2:1: `for` is not an item of a system\n  help: write an index: `contact c[i in 1..=4] { … }`, `x[1..=3]`, `sum(…, i in 1..=3)`",
        ),
        (
            "impact floor { }",
            "2:1: `impact` is not an item of a system\n  help: did you mean `contact`?",
        ),
        (
            "Q[x] = 1;",
            "2:1: `Q` is not an item of a system\n  help: write `force x = …;`, one for each coordinate",
        ),
        (
            "contact c { gap = x; e = 0.5; }",
            "2:22: `e` is not an item of a contact\n  help: write `impact = restitution(e);`, or `elastic`, `plastic`",
        ),
        (
            "contact c { gap = x; mu = 0.5; impact = plastic; }",
            "2:22: `mu` is not an item of a contact\n  help: did you mean `friction`?",
        ),
        (
            "force = [1, 2];",
            "2:7: expected the name of the coordinate on which the force acts, found `=`\n  help: write `force x = …;`, one for each coordinate",
        ),
    ] {
        check(items, expected);
    }
}

#[test]
fn items_of_other_languages() {
    for (items, expected) in [
        (
            "m*ẍ + k*x = 0;",
            "2:1: `m …` begins no item of a system\n  help: equations are derived: state `kinetic`, `potential`, `force x = …;` and `constraints { … }`",
        ),
        (
            "der(x) = 1;",
            "2:1: `der …` begins no item of a system\n  help: equations are derived: state `kinetic`, `potential`, `force x = …;` and `constraints { … }`",
        ),
        (
            "Real x;",
            "2:1: `Real` is not an item of a system\n  help: write `coordinates { x }`, and values as `parameters { m = 1 }`",
        ),
        (
            "const X = 3;",
            "2:1: `const` is not an item of a system\n  help: write `let X = …;`, or a value in `parameters { X = 3 }`",
        ),
        (
            "kinetic_energy = ẋ^2;",
            "2:1: `kinetic_energy` is not an item of a system\n  help: did you mean `kinetic`?",
        ),
        (
            "impact = elastic;",
            "2:1: `impact` is an item of a contact\n  help: write it there: `contact floor { gap = y; impact = elastic; }`",
        ),
        (
            "event e { guard = x - 1; terminal = 1; }",
            "2:26: `terminal` is not an item of an event\n  help: a scenario says what ends a run: `until NAME;`, with the name of this event",
        ),
        (
            "event e { guard = x - 1; direction = 1; }",
            "2:26: `direction` is not an item of an event\n  help: write `rising;`, `falling;` or `both;`",
        ),
        (
            "event e { when = x; }",
            "2:11: `when` is not an item of an event\n  help: an event happens where its guard passes 0: write `guard = x - 1;`",
        ),
        (
            "scenario s { until x > 5; }",
            "2:20: a scenario cannot end by `x`\n  help: write `until t = 3;` or `until impacts = 20;`; that a motion passes a place is an event, `event passes { guard = x - 1; rising; }`, and ends it by `until passes;`",
        ),
        (
            "function f(x): x^2;",
            "2:14: expected `=` before the formula of `f`, found `:`\n  help: write `=`",
        ),
    ] {
        check(items, expected);
    }
}

#[test]
fn signs_that_are_left_out() {
    for (items, expected) in [
        (
            "constraints { ẋ*sin(θ) - ẏ = 0; }",
            "2:15: the row has no name\n  help: name the row: `row: ẋ*sin(θ) - ẏ = 0;`",
        ),
        (
            "claim k atan(θ) = 1;",
            "2:9: expected `:` after claim `k`, found `atan`\n  help: write `:`",
        ),
        (
            "let X[i=1..=3] = x;",
            "2:8: expected `in` after the index `i`, found `=`\n  help: write `in`",
        ),
    ] {
        check(items, expected);
    }
}

#[test]
fn ranges_and_bounds() {
    const TWO: &str = "write two bounds: `x > 0, x < 1` in the `when` of a contact, `where p >= 0 && p <= 1` at a parameter";
    for (items, expected) in [
        (
            "let a = integral(s, s in (0, 1));",
            "2:26: round brackets hold one value\n  help: write the range of a sum or an integral as `s in 0..1`, a vector as `[0, 1]`",
        ),
        (
            "let a = integrate(s, (s, 0, 1));",
            "2:22: round brackets hold one value\n  help: write the range of a sum or an integral as `s in 0..1`, a vector as `[0, 1]`",
        ),
        (
            "let a = sum(i, i in [1, 3]);",
            "2:21: `in` stands before a range of a sum or an integral\n  help: write `i in 1..3`",
        ),
        ("let a = (0,5)*x;", "2:10: a number has a decimal point\n  help: write `0.5` for `0,5`"),
        (
            "parameters { g = 9,81 }",
            "2:20: a number has a decimal point\n  help: write `9.81` for `9,81`",
        ),
        ("let a = F @ x;", "2:11: `@` is not an operator\n  help: write `*`"),
        (
            "force F @ x;",
            "2:7: a force is written behind the coordinate on which it acts\n  help: write `force x = F;`",
        ),
        (
            "force x += F;",
            "2:9: `+=` is not a sign of the language\n  help: write the whole value behind `=`: `x = x + 1` in a reset, one sum in `force x = …;`",
        ),
        (
            "event e { guard = x; reset { ẋ *= 2; } }",
            "2:32: `*=` is not a sign of the language\n  help: write the whole value behind `=`: `x = x + 1` in a reset, one sum in `force x = …;`",
        ),
        (
            "potential = piecewise(x < 0, x^2, 0);",
            "2:13: `piecewise` is no part of a formula\n  help: write `ramp(x, a, b)` or `smoothstep(x, a, b)`; what switches is an `event` or a contact",
        ),
        (
            "potential = Piecewise((0, x > 0), (x^2, True));",
            "2:13: `Piecewise` is no part of a formula\n  help: write `ramp(x, a, b)` or `smoothstep(x, a, b)`; what switches is an `event` or a contact",
        ),
        (
            "event e { guard = θ̇ == 0; }",
            "2:19: a guard is one value: the event is where it passes 0\n  help: write `guard = θ̇;`",
        ),
        (
            "event e { guard = x > 1 + y; }",
            "2:19: a guard is one value: the event is where it passes 0\n  help: write `guard = x - (1 + y); rising;`",
        ),
        (
            "contact c { gap = y >= 0; impact = elastic; }",
            "2:19: a gap is one value, which stays positive\n  help: write `gap = y;`",
        ),
        (
            "contact c { gap = y < 1; impact = elastic; }",
            "2:19: a gap is one value, which stays positive\n  help: write `gap = 1 - y;`",
        ),
        (
            "contact left-wall { gap = x; impact = elastic; }",
            "2:9: a name has letters, digits and `_`\n  help: write `left_wall`",
        ),
        (
            "function f(x) { x^2 }",
            "2:15: expected `= …;` after the arguments of `f`, found `{`\n  help: write `= …;`",
        ),
        (
            "parameters { q = 1 in [0, 1] }",
            &format!("2:20: `in` stands before a range of a sum or an integral\n  help: {TWO}"),
        ),
        (
            "contact c { gap = y; impact = elastic; when x in [0, 1]; }",
            &format!("2:47: `in` stands before a range of a sum or an integral\n  help: {TWO}"),
        ),
    ] {
        check(items, expected);
    }
}

#[test]
fn powers_and_angles() {
    for (items, expected) in [
        (
            "let a = sin^2(θ);",
            "2:9: the power of a function stands behind its brackets\n  help: write `sin(θ)^2`",
        ),
        (
            "let a = cos^-1(θ);",
            "2:9: the power of a function stands behind its brackets\n  help: write `acos(θ)` or `1/cos(θ)`",
        ),
        (
            "let a = 2rad;",
            "2:9: `rad` is no part of a number\n  help: an angle is in radians: write `2`",
        ),
        (
            "scenario s { θ = 90deg; until t = 1; }",
            "2:18: `deg` is no part of a number\n  help: write an angle in radians: `90*pi/180`",
        ),
    ] {
        check(items, expected);
    }
}

#[test]
fn texts_of_other_languages() {
    for (source, expected) in [
        (
            "class S:\n    pass\n}",
            "1:1: expected a declaration, found `class`\n  help: write `system Name { … }`",
        ),
        (
            "system S { claim a: tex \"m\\ddot{x} = 0\"; }",
            "1:25: `\\` has another meaning in this string\n  help: write `tex r\"…\"`: a raw string, in which `\\` stands for itself",
        ),
        (
            "system S { claim a: \"m\\ddot{x} = 0\"; }",
            "1:21: `\\` has another meaning in this string\n  help: write `tex r\"…\"`: a raw string, in which `\\` stands for itself",
        ),
        (
            "system S { notation { \"\\mathbf{V}\" = x; } }",
            "1:23: `\\` has another meaning in this string\n  help: write `r\"…\"`: a raw string, in which `\\` stands for itself",
        ),
        (
            "system S { document \"open; }",
            "1:21: `\"` cannot be read here\n  help: close the string",
        ),
    ] {
        assert_eq!(complaints(source), [expected], "{source}");
    }
}

#[test]
fn laws_of_other_names() {
    for (law, expected) in [
        (
            "inelastic",
            "2:31: `inelastic` is not an impact law\n  help: write `plastic`, or `restitution(e)` with e in [0, 1]",
        ),
        (
            "newton(0.5)",
            "2:31: `newton` is not an impact law\n  help: write `restitution(e)` with e in [0, 1]",
        ),
        (
            "0.5",
            "2:31: expected a law of impact, found `0.5`\n  help: write `elastic`, `plastic`, `restitution(e)` with e in [0, 1], `restitution(e, e_t)` or `project`",
        ),
        ("restitution(50%)", "2:45: `%` is no part of a number\n  help: write `0.5` for `50%`"),
    ] {
        check(&format!("contact c {{ gap = x; impact = {law}; }}"), expected);
    }
}

#[test]
fn lists_and_values() {
    for (items, expected) in [
        (
            "parameters { \"l\": 1 }",
            "2:14: a name stands without quotes\n  help: write `l = 1` for `\"l\": 1`",
        ),
        (
            "parameters { l = 1 m }",
            "2:20: `m` is no part of a number\n  help: say units in a comment: `// m`",
        ),
        (
            "parameters { l = 1 m = 2 }",
            "2:20: expected `,` between parameters, found `m`\n  help: write `,`",
        ),
        (
            "coordinates { x_1..x_3 }",
            "2:18: names do not run from one to another\n  help: write `x[1..=3]` for x[1], x[2], x[3]",
        ),
        (
            "inputs { u: 0 }",
            "2:11: inputs are declared without a value\n  help: leave it out: an input is 0 until a scenario, `scenario pushed { F = 1; until t = 10; }`, or who runs it gives a value; what stays is a parameter, `parameters { F = 1 }`",
        ),
        (
            "constraints { dx = 0; }",
            "2:15: the row has no name\n  help: name the row: `row: dx = 0;`",
        ),
        (
            "scenario s { until t = 10 s; }",
            "2:27: an operator is missing before `s`\n  help: write `*` for a product; a unit stands in a comment: `// s`",
        ),
        (
            "scenario s { solve x y; until t = 1; }",
            "2:22: expected `,` between the names, found `y`\n  help: write `,`",
        ),
        (
            "scenario s { λ(floor) = 1; until t = 1; }",
            "2:14: `λ(floor)` cannot be set: forces follow from the motion\n  help: leave it out",
        ),
    ] {
        check(items, expected);
    }
}

/// A list that is not closed is told by the item that begins in it.
#[test]
fn lists_that_are_left_open() {
    for (source, expected) in [
        (
            "system S { coordinates { x, y kinetic = x; }",
            "1:24: this is not closed by `}`\n  help: add `}`",
        ),
        (
            "system S { coordinates { x } parameters { m = 1, kinetic = x; potential = 1; }",
            "1:41: this is not closed by `}`\n  help: add `}`",
        ),
        (
            "system S { coordinates { x } kinetic = x;",
            "1:10: this is not closed by `}`\n  help: add `}`",
        ),
    ] {
        assert_eq!(complaints(source), [expected], "{source}");
    }
}
