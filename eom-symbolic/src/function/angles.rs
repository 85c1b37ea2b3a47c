//! asin, acos, atan, atan2.

use super::description::{
    Description, Exact, FIRST_SQUARE, Formula, Latex, Numbers, ONE, Parity, Rule, SECOND_SQUARE,
    Smooth, Spelling, Term, USUAL,
};
use eom_elementary::Elementary;

/// √(1 − a²).
const COSINE: Formula = Formula::Root(&Formula::Difference(&ONE, &FIRST_SQUARE));

pub(super) static ASIN: Description = Description {
    name: "asin",
    numbers: Numbers::One(Elementary::Asin),
    rule: Rule::weighted(COSINE, &[Term::Plus(ONE)]),
    parity: Parity::Odd,
    latex: Latex::Operator(r"\arcsin"),
    python: Spelling::Library("arcsin"),
    ..USUAL
};

pub(super) static ACOS: Description = Description {
    name: "acos",
    numbers: Numbers::One(Elementary::Acos),
    rule: Rule::weighted(COSINE, &[Term::Minus(ONE)]),
    at: &[(&[1], Exact::Integer(0))],
    latex: Latex::Operator(r"\arccos"),
    python: Spelling::Library("arccos"),
    ..USUAL
};

pub(super) static ATAN: Description = Description {
    name: "atan",
    numbers: Numbers::One(Elementary::Atan),
    // (1 + a²) dx = da
    rule: Rule::weighted(Formula::Sum(&ONE, &FIRST_SQUARE), &[Term::Plus(ONE)]),
    parity: Parity::Odd,
    latex: Latex::Operator(r"\arctan"),
    python: Spelling::Library("arctan"),
    ..USUAL
};

/// The angle of (b, a).
pub(super) static ATAN2: Description = Description {
    name: "atan2",
    numbers: Numbers::Angle,
    // (a² + b²) dx = b da − a db
    rule: Rule::weighted(
        Formula::Sum(&FIRST_SQUARE, &SECOND_SQUARE),
        &[Term::Plus(Formula::Second), Term::Minus(Formula::First)],
    ),
    // A series goes on through the cut at b = 0, a < 0, where the angle jumps.
    smooth: Smooth::Pieces,
    at: &[(&[0, 0], Exact::Undefined)],
    latex: Latex::Operator(r"\operatorname{atan2}"),
    python: Spelling::Library("arctan2"),
    ..USUAL
};
