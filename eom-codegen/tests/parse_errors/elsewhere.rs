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
            "2:11: inputs are declared without a value\n  help: say how a motion starts in a scenario: `scenario start { x = 1; until t = 10; }`",
        ),
        (
            "constraints { dx = 0; }",
            "2:18: expected `:` after the name of the row `dx`, found `=`\n  help: name the row: `row: dx = …;`",
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
