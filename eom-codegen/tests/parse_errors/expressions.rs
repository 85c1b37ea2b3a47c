//! Expressions, their characters, and how long and deep they may be.

use crate::{check, complaints};
use eom_codegen::parse::{DEPTH_MAX, parse_text};

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
    check(
        "let a = x.powi(3);",
        "2:9: `x.powi(…)`: a function stands before its brackets\n  help: write `x^2`",
    );
    check("let a = x % 2;", REMAINDER);
    check("let a = x % (y + 1)*2;", REMAINDER);
    check(
        "let a = sin(x % -y);",
        "2:15: `%` is not an operator\n  help: a formula has no jumps: what jumps is an `event` with a `reset`",
    );
    let one = "2:11: an equation has one `=`\n  help: state the second equation in an item of its own; a guard or a gap is the side that becomes zero";
    check("let a = x == 2;", one);
    check("let a = 1 = 2;", one);
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
    check(
        "let a = (a, b);",
        "2:9: round brackets hold one value\n  help: write the range of a sum or an integral as `s in 0..1`, a vector as `[0, 1]`",
    );
    check("let a = a.b.c;", "2:12: expected `;` after `a`, found `.`\n  help: write `;`");
    check("let a = a & b;", "2:11: expected `;` after `a`, found `&`\n  help: write `;`");
    check(
        "let a = x < 2;",
        "2:11: `<` cannot stand here\n  help: bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, a contact, `ramp` or `smoothstep`; a gap is what stays positive, `gap = y;`",
    );
    check(
        "let a = a..b;",
        "2:10: a range stands in `sum`, `integral` and behind a name that is declared only\n  help: write the terms out, or `sum`",
    );
    check(
        "let a = a >= b;",
        "2:11: `>=` cannot stand here\n  help: bounds stand at a parameter, joined by `&&`: `R = 1 where R > 0 && R < 2`; what switches is an `event`, a contact, `ramp` or `smoothstep`; a gap is what stays positive, `gap = y;`",
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
    check("let a = 2·x;", "2:10: `·` cannot be read here\n  help: write `*`");
    check("let a = x.*x;", "2:10: `.*` is not an operator\n  help: write `*`");
    check("let a = x.^2;", "2:10: `.^` is not an operator\n  help: write `^`");
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
