//! Sparse Laurent polynomials over numbered atoms, with exact coefficients.

use crate::number::Rational;
use eom_elementary::order;
use num_integer::Integer;
use std::cmp::Ordering;

/// What a computation may still spend, in terms touched. `None` results end it.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// A budget of `terms` terms.
    pub(crate) fn new(terms: usize) -> Self {
        Self { left: terms }
    }

    /// Takes `terms` from the budget; `None` where it is exhausted.
    pub(crate) fn spend(&mut self, terms: usize) -> Option<()> {
        self.left = self.left.checked_sub(terms)?;
        Some(())
    }
}

/// ∏ atomᵉ, as pairs of atom and exponent ≠ 0, ascending in the atoms.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Monomial(Vec<(u32, i32)>);

impl Ord for Monomial {
    /// The lexicographic order of exponent vectors; it is kept by multiplication.
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (self.0.iter(), other.0.iter());
        loop {
            match (a.next(), b.next()) {
                (None, None) => return Ordering::Equal,
                (Some(x), None) => return x.1.cmp(&0),
                (None, Some(y)) => return 0.cmp(&y.1),
                (Some(x), Some(y)) if x == y => {}
                (Some(x), Some(y)) => {
                    return match x.0.cmp(&y.0) {
                        Ordering::Less => x.1.cmp(&0),
                        Ordering::Equal => x.1.cmp(&y.1),
                        Ordering::Greater => 0.cmp(&y.1),
                    };
                }
            }
        }
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Monomial {
    /// atomᵉ.
    pub(crate) fn power_of(atom: u32, exponent: i32) -> Self {
        if exponent == 0 { Self::default() } else { Self(vec![(atom, exponent)]) }
    }

    /// Whether this is 1.
    pub(crate) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// The atoms with their exponents.
    pub(crate) fn factors(&self) -> &[(u32, i32)] {
        &self.0
    }

    /// The exponent of an atom.
    pub(crate) fn exponent(&self, atom: u32) -> i32 {
        self.0.binary_search_by_key(&atom, |f| f.0).map_or(0, |at| self.0[at].1)
    }

    /// Merges two monomials, exponents combined by `combine` (a missing one is 0).
    fn merge(&self, other: &Self, combine: impl Fn(i32, i32) -> i32) -> Self {
        let mut merged = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut i, mut j) = (0, 0);
        while i < self.0.len() || j < other.0.len() {
            let a = self.0.get(i).map_or(u32::MAX, |f| f.0);
            let b = other.0.get(j).map_or(u32::MAX, |f| f.0);
            let atom = a.min(b);
            let mut exponents = (0, 0);
            if a == atom {
                exponents.0 = self.0[i].1;
                i += 1;
            }
            if b == atom {
                exponents.1 = other.0[j].1;
                j += 1;
            }
            let exponent = combine(exponents.0, exponents.1);
            if exponent != 0 {
                merged.push((atom, exponent));
            }
        }
        Self(merged)
    }

    /// self·other.
    pub(crate) fn times(&self, other: &Self) -> Self {
        self.merge(other, i32::saturating_add)
    }

    /// self/other.
    pub(crate) fn over(&self, other: &Self) -> Self {
        self.merge(other, i32::saturating_sub)
    }

    /// selfⁿ.
    pub(crate) fn power(&self, n: i32) -> Self {
        if n == 0 {
            return Self::default();
        }
        Self(self.0.iter().map(|&(atom, e)| (atom, e.saturating_mul(n))).collect())
    }

    /// The least exponent of each atom: what divides both.
    fn common(&self, other: &Self) -> Self {
        self.merge(other, i32::min)
    }

    /// The part in the atoms that `wanted` accepts, and the rest.
    pub(crate) fn split(&self, wanted: impl Fn(u32) -> bool) -> (Self, Self) {
        let (part, rest) = self.0.iter().partition(|f| wanted(f.0));
        (Self(part), Self(rest))
    }
}

/// Powers of sums beyond this are not multiplied out: nobody wants to read them.
const POWER_MAX: u32 = 64;

/// Σ coefficient·monomial, descending in the monomials, no coefficient 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Poly(Vec<(Monomial, Rational)>);

impl Poly {
    /// A number.
    pub(crate) fn constant(value: Rational) -> Self {
        Self::term(Monomial::default(), value)
    }

    /// coefficient·monomial.
    pub(crate) fn term(monomial: Monomial, coefficient: Rational) -> Self {
        if coefficient.is_zero() { Self::default() } else { Self(vec![(monomial, coefficient)]) }
    }

    /// Σ of terms in any order.
    pub(crate) fn from_terms(mut terms: Vec<(Monomial, Rational)>) -> Self {
        order::in_place_by(&mut terms, |a, b| b.0.cmp(&a.0));
        let mut merged: Vec<(Monomial, Rational)> = Vec::with_capacity(terms.len());
        for (monomial, coefficient) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == monomial => last.1 = last.1.add(&coefficient),
                _ => {
                    if merged.last().is_some_and(|last| last.1.is_zero()) {
                        merged.pop();
                    }
                    merged.push((monomial, coefficient));
                }
            }
        }
        if merged.last().is_some_and(|last| last.1.is_zero()) {
            merged.pop();
        }
        Self(merged)
    }

    /// The terms, descending.
    pub(crate) fn terms(&self) -> &[(Monomial, Rational)] {
        &self.0
    }

    /// The terms, descending, by value.
    pub(crate) fn into_terms(self) -> Vec<(Monomial, Rational)> {
        self.0
    }

    /// The number of terms.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is 1.
    pub(crate) fn is_one(&self) -> bool {
        matches!(&self.0[..], [(monomial, c)] if monomial.is_one() && c.is_one())
    }

    /// coefficient·monomial·self; the order of terms stays.
    pub(crate) fn times_term(&self, monomial: &Monomial, coefficient: &Rational) -> Self {
        if coefficient.is_zero() {
            return Self::default();
        }
        let unit = coefficient.is_one();
        let scale = |c: &Rational| if unit { c.clone() } else { c.mul(coefficient) };
        Self(self.0.iter().map(|(m, c)| (m.times(monomial), scale(c))).collect())
    }

    /// self·other.
    pub(crate) fn times(&self, other: &Self, budget: &mut Budget) -> Option<Self> {
        budget.spend(self.len() * other.len())?;
        Some(match (&self.0[..], &other.0[..]) {
            ([], _) | (_, []) => Self::default(),
            ([(m, c)], _) => other.times_term(m, c),
            (_, [(m, c)]) => self.times_term(m, c),
            (a, b) => {
                let mut terms = Vec::with_capacity(a.len() * b.len());
                for (m, c) in a {
                    terms.extend(b.iter().map(|(n, d)| (m.times(n), c.mul(d))));
                }
                Self::from_terms(terms)
            }
        })
    }

    /// selfⁿ for n ≥ 0.
    pub(crate) fn power(&self, n: u32, budget: &mut Budget) -> Option<Self> {
        if let [(m, c)] = &self.0[..] {
            return Some(Self::term(m.power(i32::try_from(n).ok()?), c.pow(i64::from(n))?));
        }
        if n > POWER_MAX {
            return None;
        }
        let mut power = Self::constant(Rational::ONE);
        for _ in 0..n {
            power = power.times(self, budget)?;
        }
        Some(power)
    }

    /// The numeric content with the sign of the leading term, and the monomial that divides all
    /// terms: self = content·monomial·primitive.
    pub(crate) fn content(&self) -> (Rational, Monomial) {
        let Some((first, rest)) = self.0.split_first() else {
            return (Rational::ONE, Monomial::default());
        };
        let mut monomial = first.0.clone();
        let mut content = first.1.abs();
        for (m, c) in rest {
            monomial = monomial.common(m);
            if !content.is_one() || c.as_integer().is_none() {
                content = common_content(&content, c);
            }
        }
        (if first.1.is_negative() { content.neg() } else { content }, monomial)
    }

    /// self/(content·monomial).
    pub(crate) fn primitive(&self, content: &Rational, monomial: &Monomial) -> Self {
        let inverse = content.recip().unwrap_or(Rational::ONE);
        self.times_term(&monomial.power(-1), &inverse)
    }

    /// The exact quotient, for a divisor of several terms that no atom divides; `None` where it
    /// does not divide or the budget ends.
    pub(crate) fn divided_by(&self, divisor: &Self, budget: &mut Budget) -> Option<Self> {
        if self.is_zero() {
            return Some(Self::default());
        }
        let (lead, lead_inverse) = (&divisor.0.first()?.0, divisor.0[0].1.recip()?);
        let (_, shift) = self.content();
        let mut rest = self.times_term(&shift.power(-1), &Rational::ONE);
        if !rest.may_be_divided_by(divisor) {
            return None;
        }
        let mut quotient = Vec::new();
        while let Some((m, c)) = rest.0.first() {
            let (m, c) = (m.over(lead), c.mul(&lead_inverse));
            if m.0.iter().any(|f| f.1 < 0) {
                return None;
            }
            budget.spend(rest.len() + divisor.len())?;
            let mut terms = rest.0.split_off(1);
            terms.extend(divisor.times_term(&m, &c.neg()).0.into_iter().skip(1));
            rest = Self::from_terms(terms);
            quotient.push((m.times(&shift), c));
        }
        Some(Self(quotient))
    }

    /// A cheap necessary condition: the lowest term must divide too, and the degrees must fit.
    fn may_be_divided_by(&self, divisor: &Self) -> bool {
        let divides = |a: Option<&(Monomial, Rational)>, b: Option<&(Monomial, Rational)>| {
            a.zip(b).is_some_and(|(a, b)| b.0.over(&a.0).0.iter().all(|f| f.1 >= 0))
        };
        self.len() >= divisor.len().min(2)
            && divides(divisor.0.first(), self.0.first())
            && divides(divisor.0.last(), self.0.last())
    }
}

/// The content of a pair of coefficients: the greatest common divisor of two integers.
pub(crate) fn common_content(a: &Rational, b: &Rational) -> Rational {
    let wide =
        a.as_integer().zip(b.as_integer()).map(|(a, b)| (a.unsigned_abs(), b.unsigned_abs()));
    match wide.map(|(a, b)| i64::try_from(a.gcd(&b))) {
        Some(Ok(divisor)) => Rational::integer(divisor),
        _ => a.content(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(terms: &[(&[(u32, i32)], i64)]) -> Poly {
        Poly::from_terms(
            terms.iter().map(|(m, c)| (Monomial(m.to_vec()), Rational::integer(*c))).collect(),
        )
    }

    #[test]
    fn a_product_divides_back() {
        let budget = &mut Budget::new(10_000);
        let a = poly(&[(&[(0, 1)], 1), (&[(1, 2)], -3), (&[], 2)]);
        let b = poly(&[(&[(0, 1), (2, 1)], 2), (&[(1, 1)], 5)]);
        let product = a.times(&b, budget).unwrap();
        assert_eq!(product.divided_by(&a, budget), Some(b.clone()));
        assert_eq!(product.divided_by(&b, budget), Some(a.clone()));
        let shifted = product.times_term(&Monomial(vec![(0, -3)]), &Rational::ONE);
        let quotient = shifted.divided_by(&a, budget).unwrap();
        assert_eq!(quotient.times(&a, budget).unwrap(), shifted);
        assert_eq!(a.divided_by(&b, budget), None);
    }

    #[test]
    fn terms_cancel_wherever_they_stand() {
        let zero = poly(&[(&[(0, 1)], 1), (&[(1, 1)], 2), (&[(0, 1)], -1), (&[(1, 1)], -2)]);
        assert!(zero.is_zero());
        let rest = poly(&[(&[(0, 1)], 1), (&[(1, 1)], 2), (&[(0, 1)], -1)]);
        assert_eq!(rest, poly(&[(&[(1, 1)], 2)]));
    }
}
