//! The test whether an expression is 0.

use super::normal::Normaliser;
use super::poly::{Monomial, Poly};
use super::{EXPANDED, Simplifier};
use crate::eval::Estimate;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;

/// Terms that the zero test may touch.
const BUDGET: usize = 200_000;

/// Points at which a value is compared with its rounding.
const POINTS: u64 = 6;

/// A value beyond this many roundings is not 0.
const ROUNDINGS: f64 = 1e4;

/// Whether an expression is 0 wherever it is defined.
///
/// `Some(true)` is proved by the normal form: it knows sin² + cos² = 1 and its like
/// ([`square`](crate::function::Description::square)), the addition theorems at integer multiples,
/// tan = sin/cos and the powers of roots, and no other identity of functions. `Some(false)` is seen
/// at points: a value far beyond its rounding. `None`: neither.
pub fn is_zero(pool: &mut ExprPool, expr: ExprId) -> Option<bool> {
    if expr == ExprPool::ZERO {
        return Some(true);
    }
    if pool.as_number(expr).is_some() {
        return Some(false);
    }
    if is_nonzero_somewhere(pool, expr) {
        return Some(false);
    }
    let mut simplifier = Simplifier::default();
    let mut normaliser = Normaliser::new(pool, &mut simplifier, EXPANDED, BUDGET);
    let numerator = normaliser.fraction(expr)?.numerator;
    let numerator = normaliser.without_negative_roots(&numerator)?;
    numerator.is_zero().then_some(true)
}

impl Normaliser<'_> {
    /// Multiplied by what makes all exponents of roots ≥ 0, then reduced: 0 stays 0.
    fn without_negative_roots(&mut self, numerator: &Poly) -> Option<Poly> {
        let mut shift = Monomial::default();
        for (m, _) in numerator.terms() {
            for &(atom, exponent) in m.factors() {
                let missing = -exponent - shift.exponent(atom);
                if missing > 0 {
                    shift = shift.times(&Monomial::power_of(atom, missing));
                }
            }
        }
        let shifted = numerator.times_term(&shift, &crate::Rational::ONE);
        Some(self.reduced(shifted.into())?.numerator)
    }
}

/// Whether the value exceeds its rounding at one of a few fixed points: then it is not 0.
fn is_nonzero_somewhere(pool: &ExprPool, expr: ExprId) -> bool {
    (0..POINTS).any(|point| {
        let estimate = pool.evaluate_with_error(&[expr], |s| at_point(pool, point, s))[0];
        let bound = ROUNDINGS * f64::EPSILON * estimate.size;
        estimate.value.is_finite() && bound.is_finite() && estimate.value.abs() > bound
    })
}

/// The value of a symbol at one of the points.
pub(crate) fn at_point(pool: &ExprPool, point: u64, symbol: SymbolId) -> Estimate {
    Estimate::exact(match pool.symbol_info(symbol).kind {
        SymbolKind::Pi => std::f64::consts::PI,
        _ => point_value(point, symbol.index() as u64),
    })
}

/// A fixed pseudo-random value in (0.3, 1.3), by splitmix64 [Steele et al. 2014].
fn point_value(point: u64, symbol: u64) -> f64 {
    let mut z = (point << 32 | symbol).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    0.3 + (z >> 11) as f64 / (1_u64 << 53) as f64
}
