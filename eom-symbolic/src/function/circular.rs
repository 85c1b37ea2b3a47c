//! sin, cos, tan.

use super::Function;
use super::description::{
    Description, Exact, Formula, Latex, Numbers, ONE, Parity, Rule, Term, USUAL, VALUE_SQUARE,
};
use eom_elementary::Elementary;

pub(super) static SIN: Description = Description {
    name: "sin",
    numbers: Numbers::Sine,
    rule: Rule::slope(&[Term::Plus(Formula::Of(Function::Cos, &Formula::First))]),
    parity: Parity::Odd,
    quarters: Some(0),
    is_periodic: true,
    primitive: Some((-1, Function::Cos)),
    square: Some((1, Function::Cos)),
    latex: Latex::Powered(r"\sin"),
    ..USUAL
};

pub(super) static COS: Description = Description {
    name: "cos",
    numbers: Numbers::Cosine,
    rule: Rule::slope(&[Term::Minus(Formula::Of(Function::Sin, &Formula::First))]),
    parity: Parity::Even,
    at: &[(&[0], Exact::Integer(1))],
    quarters: Some(1),
    is_periodic: true,
    primitive: Some((1, Function::Sin)),
    latex: Latex::Powered(r"\cos"),
    ..USUAL
};

pub(super) static TAN: Description = Description {
    name: "tan",
    numbers: Numbers::One(Elementary::Tan),
    // 1 + x²
    rule: Rule::slope(&[Term::Plus(Formula::Sum(&ONE, &VALUE_SQUARE))]),
    parity: Parity::Odd,
    is_periodic: true,
    latex: Latex::Powered(r"\tan"),
    ..USUAL
};
