//! The printed equations are true: each line of the derived text, stated as a claim of the system it
//! came from, must follow. Printer, simplifier and reduction on one side, on the other the numerical
//! decision of claims from M, h, A alone.

use eom_codegen::{Derivation, derive_source};
use eom_tests::systems::{Fixture, every_system};

/// The parts of the text whose lines are equations in the syntax of the language.
const PARTS: [&str; 6] = [
    "Lagrangian",
    "Energy",
    "Constraints",
    "Equations of motion",
    "Reduced equations",
    "Multipliers",
];

fn derive(name: &str, source: &str) -> Derivation {
    derive_source(source).unwrap_or_else(|mistakes| {
        let said: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        panic!("{name}: {}", said.join("\n"))
    })
}

/// A line as an equation of the language.
fn equation(part: &str, line: &str) -> Option<String> {
    if line.starts_with('(') && line.ends_with(')') && !line.contains(" = ") {
        return None;
    }
    let line = match (part, line.split_once(": ")) {
        ("Constraints", Some((_, row))) => row,
        _ => line,
    };
    let words = [("L = ", "lagrangian = "), ("E = ", "energy = ")];
    for (short, long) in words {
        if let Some(rest) = line.strip_prefix(short) {
            return Some(format!("{long}{rest}"));
        }
    }
    Some(line.to_owned())
}

/// The equations of the text.
fn printed(text: &str) -> Vec<String> {
    let mut part = "";
    let mut equations = Vec::new();
    for line in text.lines() {
        if !line.starts_with(' ') {
            part = line;
        } else if PARTS.contains(&part) {
            equations.extend(equation(part, line.trim()));
        }
    }
    equations
}

/// The source with further claims before its last brace.
fn with_claims(source: &str, equations: &[String]) -> String {
    let end = source.rfind('}').expect("a declaration ends with a brace");
    let claims = equations.iter().enumerate();
    let claims: Vec<String> =
        claims.map(|(i, equation)| format!("claim printed_{i}: {equation};")).collect();
    format!("{}\n{}\n{}", &source[..end], claims.join("\n"), &source[end..])
}

fn check(fixture: &Fixture) {
    let source = fixture.info.source;
    let before = derive(fixture.name, source);
    let equations = printed(&before.equations_text);
    assert!(equations.len() >= 2 + fixture.info.dimension(), "{}: {equations:?}", fixture.name);
    let after = derive(fixture.name, &with_claims(source, &equations));
    assert_eq!(after.model.claims.len(), before.model.claims.len() + equations.len());
}

#[test]
fn every_printed_equation_follows() {
    for fixture in every_system() {
        check(&fixture);
    }
}

/// The check can fail: a wrong sign in a printed equation does not follow.
#[test]
fn a_wrong_equation_does_not_follow() {
    for fixture in every_system() {
        let equations = printed(&derive(fixture.name, fixture.info.source).equations_text);
        let lagrangian = equations[0].replacen("lagrangian =", "lagrangian = 1 +", 1);
        assert!(derive_source(&with_claims(fixture.info.source, &[lagrangian])).is_err());
    }
}
