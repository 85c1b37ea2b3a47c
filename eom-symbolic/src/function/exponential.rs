//! exp and ln.

use super::Function;
use super::description::{
    Description, Exact, Formula, Latex, Numbers, ONE, Rule, Spelling, Term, USUAL,
};
use eom_elementary::Elementary;

pub(super) static EXP: Description = Description {
    name: "exp",
    numbers: Numbers::One(Elementary::Exp),
    rule: Rule::slope(&[Term::Plus(Formula::Value)]),
    at: &[(&[0], Exact::Integer(1))],
    primitive: Some((1, Function::Exp)),
    latex: Latex::Operator(r"\exp"),
    ..USUAL
};

pub(super) static LN: Description = Description {
    name: "ln",
    numbers: Numbers::One(Elementary::Ln),
    // a dx = da
    rule: Rule::weighted(Formula::First, &[Term::Plus(ONE)]),
    at: &[(&[1], Exact::Integer(0)), (&[0], Exact::Undefined)],
    latex: Latex::Operator(r"\ln"),
    c: Spelling::Library("log"),
    python: Spelling::Library("log"),
    ..USUAL
};
