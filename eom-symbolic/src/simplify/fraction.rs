//! Fractions of polynomials, the denominator kept as powers of primitive factors.

use super::poly::{Budget, Monomial, Poly};
use crate::number::Rational;

/// numerator/∏ factorᵉ. Factors have several terms, content 1, and are divided by no atom: a
/// monomial denominator is a negative exponent of the numerator.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Fraction {
    /// The numerator.
    pub(crate) numerator: Poly,
    /// The factors of the denominator with their exponents.
    pub(crate) denominator: Vec<(Poly, u32)>,
}

impl From<Poly> for Fraction {
    fn from(numerator: Poly) -> Self {
        Self { numerator, denominator: Vec::new() }
    }
}

impl Fraction {
    /// A number.
    pub(crate) fn constant(value: Rational) -> Self {
        Poly::constant(value).into()
    }

    /// atomᵉ.
    pub(crate) fn atom(atom: u32, exponent: i32) -> Self {
        Poly::term(Monomial::power_of(atom, exponent), Rational::ONE).into()
    }

    /// Σ of fractions over their least common denominator.
    pub(crate) fn sum(terms: &[Self], budget: &mut Budget) -> Option<Self> {
        let mut denominator: Vec<(Poly, u32)> = Vec::new();
        for (factor, exponent) in terms.iter().flat_map(|t| &t.denominator) {
            match denominator.iter_mut().find(|f| f.0 == *factor) {
                Some(known) => known.1 = known.1.max(*exponent),
                None => denominator.push((factor.clone(), *exponent)),
            }
        }
        let mut numerator = Vec::new();
        for term in terms {
            let mut scaled = term.numerator.clone();
            for (factor, exponent) in &denominator {
                let own = term.denominator.iter().find(|f| f.0 == *factor).map_or(0, |f| f.1);
                if *exponent > own {
                    scaled = scaled.times(&factor.power(exponent - own, budget)?, budget)?;
                }
            }
            budget.spend(scaled.len())?;
            numerator.extend(scaled.into_terms());
        }
        Some(Self { numerator: Poly::from_terms(numerator), denominator })
    }

    /// self·other.
    pub(crate) fn times(&self, other: &Self, budget: &mut Budget) -> Option<Self> {
        let numerator = self.numerator.times(&other.numerator, budget)?;
        let mut denominator = self.denominator.clone();
        for (factor, exponent) in &other.denominator {
            match denominator.iter_mut().find(|f| f.0 == *factor) {
                Some(known) => known.1 += exponent,
                None => denominator.push((factor.clone(), *exponent)),
            }
        }
        Some(Self { numerator, denominator })
    }

    /// selfⁿ; `None` for 0 to a negative power.
    pub(crate) fn power(&self, n: i32, budget: &mut Budget) -> Option<Self> {
        if n < 0 {
            return self.reciprocal(budget)?.power(n.checked_neg()?, budget);
        }
        let n = n.unsigned_abs();
        let numerator = self.numerator.power(n, budget)?;
        let denominator = self.denominator.iter().map(|(f, e)| (f.clone(), e * n));
        let denominator = if n == 0 { Vec::new() } else { denominator.collect() };
        Some(Self { numerator, denominator })
    }

    /// 1/self.
    fn reciprocal(&self, budget: &mut Budget) -> Option<Self> {
        if self.numerator.is_zero() {
            return None;
        }
        let (content, monomial) = self.numerator.content();
        let mut numerator = Poly::term(monomial.power(-1), content.recip()?);
        for (factor, exponent) in &self.denominator {
            numerator = numerator.times(&factor.power(*exponent, budget)?, budget)?;
        }
        let factor = self.numerator.primitive(&content, &monomial);
        let denominator = if factor.is_one() { Vec::new() } else { vec![(factor, 1)] };
        Some(Self { numerator, denominator })
    }

    /// Divides out every factor of the denominator that divides the numerator.
    pub(crate) fn cancel(&mut self, budget: &mut Budget) {
        if self.numerator.is_zero() {
            self.denominator.clear();
        }
        for (factor, exponent) in &mut self.denominator {
            while *exponent > 0 {
                let Some(quotient) = self.numerator.divided_by(factor, budget) else { break };
                self.numerator = quotient;
                *exponent -= 1;
            }
        }
        self.denominator.retain(|f| f.1 > 0);
    }
}
