//! erf.

use super::Function;
use super::description::{
    Description, FIRST_SQUARE, Formula, Latex, Numbers, Parity, Rule, Spelling, Term, USUAL,
};
use eom_elementary::Elementary;

pub(super) static ERF: Description = Description {
    name: "erf",
    numbers: Numbers::One(Elementary::Erf),
    // √π dx = 2 e^(−a²) da
    rule: Rule::weighted(
        Formula::Root(&Formula::Pi),
        &[Term::Plus(Formula::Product(
            &Formula::Integer(2),
            &Formula::Of(Function::Exp, &Formula::Difference(&Formula::Integer(0), &FIRST_SQUARE)),
        ))],
    ),
    parity: Parity::Odd,
    latex: Latex::Operator(r"\operatorname{erf}"),
    python: Spelling::Own(
        "_erf",
        r#"def _erf(a):
    """erf a of each number: NumPy has none."""
    from math import erf

    return np.vectorize(erf, otypes=[float])(a)[()]"#,
    ),
    ..USUAL
};
