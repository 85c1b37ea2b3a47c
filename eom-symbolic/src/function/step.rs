//! ramp and smoothstep: from 0 to 1 as their argument is, or as x goes from a to b.

use super::Function;
use super::description::{
    Description, Formula, Latex, Numbers, ONE, Rule, Smooth, Spelling, Term, USUAL,
};
use crate::number::Rational;
use eom_elementary::Elementary;

/// min(max(a, 0), 1).
pub(super) static RAMP: Description = Description {
    name: "ramp",
    numbers: Numbers::One(Elementary::Ramp),
    between: true,
    // 2 dx = (sign a + sign(1 − a)) da
    rule: Rule::weighted(
        Formula::Integer(2),
        &[Term::Plus(Formula::Sum(
            &Formula::Of(Function::Sign, &Formula::First),
            &Formula::Of(Function::Sign, &Formula::Difference(&ONE, &Formula::First)),
        ))],
    ),
    smooth: Smooth::Corner,
    of_number: Some(ramp),
    cost: 2,
    latex: Latex::Operator(r"\operatorname{ramp}"),
    c: Spelling::Own(
        "eom_ramp",
        "/* a between 0 and 1; the nearer of them elsewhere. */
static inline double eom_ramp(double a)
{
    return a < 0.0 ? 0.0 : a > 1.0 ? 1.0 : a;
}",
    ),
    python: Spelling::Own(
        "_ramp",
        r#"def _ramp(a):
    """a between 0 and 1; the nearer of them elsewhere."""
    return np.clip(a, 0.0, 1.0)"#,
    ),
    ..USUAL
};

/// r, and r (1 − r).
const R: Formula = Formula::Of(Function::Ramp, &Formula::First);
const ARCH: Formula = Formula::Product(&R, &Formula::Difference(&ONE, &R));

/// r³ (10 − 15 r + 6 r²), r = ramp(a).
pub(super) static SMOOTHSTEP: Description = Description {
    name: "smoothstep",
    numbers: Numbers::One(Elementary::Smoothstep),
    between: true,
    // 30 r² (1 − r)²
    rule: Rule::slope(&[Term::Plus(Formula::Product(
        &Formula::Integer(30),
        &Formula::Product(&ARCH, &ARCH),
    ))]),
    smooth: Smooth::Pieces,
    of_number: Some(smoothstep),
    cost: 8,
    latex: Latex::Operator(r"\operatorname{smoothstep}"),
    c: Spelling::Own(
        "eom_smoothstep",
        "/* From 0 for a <= 0 to 1 for a >= 1, by a polynomial with two derivatives that are 0 there. */
static inline double eom_smoothstep(double a)
{
    const double r = a < 0.0 ? 0.0 : a > 1.0 ? 1.0 : a, s = r <= 0.5 ? r : 1.0 - r;
    const double half = (10.0 - s * (15.0 - 6.0 * s)) * s * s * s;
    return r <= 0.5 ? half : 1.0 - half;
}",
    ),
    python: Spelling::Own(
        "_smoothstep",
        r#"def _smoothstep(a):
    """From 0 for a <= 0 to 1 for a >= 1, by a polynomial with two derivatives that are 0 there."""
    r = np.clip(a, 0.0, 1.0)
    s = np.where(r <= 0.5, r, 1.0 - r)
    half = (10.0 - s * (15.0 - 6.0 * s)) * s * s * s
    return np.where(r <= 0.5, half, 1.0 - half)[()]"#,
    ),
    ..USUAL
};

fn ramp(x: &Rational) -> Rational {
    match (x.is_negative(), Rational::ONE.add(&x.neg()).is_negative()) {
        (true, _) => Rational::ZERO,
        (false, true) => Rational::ONE,
        (false, false) => x.clone(),
    }
}

fn smoothstep(x: &Rational) -> Rational {
    let (r, of) = (ramp(x), Rational::integer);
    let factor = of(10).add(&r.mul(&of(-15).add(&of(6).mul(&r))));
    factor.mul(&r).mul(&r).mul(&r)
}
