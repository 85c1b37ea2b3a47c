//! abs and sign.

use super::Function;
use super::description::{
    Description, Formula, Latex, Numbers, Parity, Rule, Rust, Smooth, Spelling, Term, USUAL,
};
use crate::number::Rational;
use eom_elementary::Elementary;

pub(super) static ABS: Description = Description {
    name: "abs",
    numbers: Numbers::One(Elementary::Abs),
    rule: Rule::slope(&[Term::Plus(Formula::Of(Function::Sign, &Formula::First))]),
    smooth: Smooth::Corner,
    parity: Parity::Even,
    of_number: Some(Rational::abs),
    cost: 1,
    latex: Latex::Bars,
    rust: Rust::Method("abs"),
    c: Spelling::Library("fabs"),
    ..USUAL
};

pub(super) static SIGN: Description = Description {
    name: "sign",
    numbers: Numbers::One(Elementary::Sign),
    rule: Rule::slope(&[Term::Plus(Formula::Integer(0))]),
    smooth: Smooth::Corner,
    parity: Parity::Odd,
    of_number: Some(sign),
    cost: 1,
    latex: Latex::Operator(r"\operatorname{sign}"),
    rust: Rust::ZeroOr("signum"),
    c: Spelling::Own("eom_sign", ""),
    ..USUAL
};

fn sign(x: &Rational) -> Rational {
    match (x.is_zero(), x.is_negative()) {
        (true, _) => Rational::ZERO,
        (false, true) => Rational::MINUS_ONE,
        (false, false) => Rational::ONE,
    }
}
