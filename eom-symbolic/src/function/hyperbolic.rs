//! sinh, cosh, tanh.

use super::Function;
use super::description::{
    Description, Exact, Formula, Latex, Numbers, ONE, Parity, Rule, Term, USUAL, VALUE_SQUARE,
};
use eom_elementary::Elementary;

pub(super) static SINH: Description = Description {
    name: "sinh",
    numbers: Numbers::One(Elementary::Sinh),
    rule: Rule::slope(&[Term::Plus(Formula::Of(Function::Cosh, &Formula::First))]),
    parity: Parity::Odd,
    primitive: Some((1, Function::Cosh)),
    square: Some((-1, Function::Cosh)),
    latex: Latex::Powered(r"\sinh"),
    ..USUAL
};

pub(super) static COSH: Description = Description {
    name: "cosh",
    numbers: Numbers::One(Elementary::Cosh),
    rule: Rule::slope(&[Term::Plus(Formula::Of(Function::Sinh, &Formula::First))]),
    parity: Parity::Even,
    at: &[(&[0], Exact::Integer(1))],
    primitive: Some((1, Function::Sinh)),
    latex: Latex::Powered(r"\cosh"),
    ..USUAL
};

pub(super) static TANH: Description = Description {
    name: "tanh",
    numbers: Numbers::One(Elementary::Tanh),
    // 1 − x²
    rule: Rule::slope(&[Term::Plus(Formula::Difference(&ONE, &VALUE_SQUARE))]),
    parity: Parity::Odd,
    latex: Latex::Powered(r"\tanh"),
    ..USUAL
};
