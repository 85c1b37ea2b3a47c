//! From the normal form back to an expression: terms grouped as a person collects them.
//!
//! Groups nest: what the equations are linear in (velocities, accelerations, multipliers), then
//! coordinates and their functions, then parameters. A coefficient of several terms gives up what
//! divides them all: m₁·g·l·sin θ + m₂·g·l·sin θ = g·l·(m₁ + m₂)·sin θ.

use super::fraction::Fraction;
use super::normal::{Level, Normaliser};
use super::poly::{Monomial, Poly};
use crate::node::ExprId;
use crate::number::Rational;
use crate::pool::ExprPool;
use eom_elementary::order;

/// Whether what divides a whole sum is taken out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// m·(ẋ² + ẏ²): the shortest.
    Factored,
    /// m·ẋ² + m·ẏ²: the sides of an equation.
    Collected,
}

impl Normaliser<'_> {
    /// The fraction as a sum of fractions, one for each part of the numerator that the equations
    /// are linear in, each cancelled for itself; `None` where there is one part only.
    pub(crate) fn rebuild_split(&mut self, fraction: &Fraction, style: Style) -> Option<ExprId> {
        if fraction.denominator.is_empty() {
            return None;
        }
        let groups = grouped(&fraction.numerator, |m| (self.at_level(m, Level::Rate).0, m.clone()));
        if groups.len() < 2 {
            return None;
        }
        let mut parts = Vec::with_capacity(groups.len());
        for (_, terms) in groups {
            let numerator = Poly::from_terms(terms);
            let mut part = Fraction { numerator, denominator: fraction.denominator.clone() };
            part.cancel(&mut self.budget);
            parts.push((ExprPool::ONE, self.rebuild(&part, style)));
        }
        Some(self.pool.sum(&parts))
    }

    /// The fraction as an expression.
    pub(crate) fn rebuild(&mut self, fraction: &Fraction, style: Style) -> ExprId {
        let numerator = self.shortest(&fraction.numerator);
        let top = match style {
            Style::Factored => self.factored(&numerator, Level::Rate),
            Style::Collected => self.collected(&numerator, Level::Rate),
        };
        let mut factors = vec![(top, ExprPool::ONE)];
        for (factor, exponent) in &fraction.denominator {
            let factor = self.shortest(factor);
            let base = self.factored(&factor, Level::Rate);
            let exponent = self.pool.integer(-i64::from(*exponent));
            factors.push((base, exponent));
        }
        self.pool.product(ExprPool::ONE, &factors)
    }

    /// content·(primitive, collected).
    fn factored(&mut self, poly: &Poly, level: Level) -> ExprId {
        if poly.len() < 2 {
            return self.collected(poly, level);
        }
        let (content, monomial) = poly.content();
        let primitive = poly.primitive(&content, &monomial);
        let inner = self.collected(&primitive, level);
        let outer = self.monomial(&monomial, &content);
        self.pool.mul(outer, inner)
    }

    /// Σ key·coefficient over the distinct parts of the monomials at `level`.
    fn collected(&mut self, poly: &Poly, level: Level) -> ExprId {
        let inner = match level {
            Level::Rate => Level::State,
            Level::State => Level::Parameter,
            Level::Parameter => return self.flat(poly),
        };
        let groups = grouped(poly, |m| self.at_level(m, level));
        let mut sum = Vec::with_capacity(groups.len());
        for (key, terms) in groups {
            let coefficient = Poly::from_terms(terms);
            let term = if key.is_one() {
                self.collected(&coefficient, inner)
            } else {
                let coefficient = self.factored(&coefficient, inner);
                let key = self.monomial(&key, &Rational::ONE);
                self.pool.mul(coefficient, key)
            };
            sum.push((ExprPool::ONE, term));
        }
        self.pool.sum(&sum)
    }

    fn flat(&mut self, poly: &Poly) -> ExprId {
        let mut sum = Vec::with_capacity(poly.len());
        for (m, c) in poly.terms() {
            sum.push((ExprPool::ONE, self.monomial(m, c)));
        }
        self.pool.sum(&sum)
    }

    fn monomial(&mut self, m: &Monomial, c: &Rational) -> ExprId {
        let mut factors = Vec::with_capacity(m.factors().len());
        for &(atom, exponent) in m.factors() {
            let exponent = self.pool.integer(i64::from(exponent));
            let base = self.atom(atom).expr;
            factors.push((base, exponent));
        }
        let c = self.pool.number(c);
        // A root's power: (b^(1/n))^e = b^(e/n).
        let factors: Vec<_> = factors.into_iter().map(|f| self.pool.root_factor(f)).collect();
        self.pool.product(c, &factors)
    }
}

/// Parts of monomials in their order, each with the terms of which it is a part: what is left of them.
fn grouped(
    poly: &Poly,
    parted: impl Fn(&Monomial) -> (Monomial, Monomial),
) -> Vec<(Monomial, Vec<(Monomial, Rational)>)> {
    let mut parts: Vec<_> = poly.terms().iter().map(|(m, c)| (parted(m), c)).collect();
    order::sort_by(&mut parts, |a, b| a.0.0.cmp(&b.0.0));
    let mut groups: Vec<(Monomial, Vec<(Monomial, Rational)>)> = Vec::new();
    for ((key, rest), c) in parts {
        match groups.last_mut().filter(|(last, _)| *last == key) {
            Some((_, terms)) => terms.push((rest, c.clone())),
            None => groups.push((key, vec![(rest, c.clone())])),
        }
    }
    groups
}

impl ExprPool {
    /// (b^x)^n → (b, x·n) for the atoms that are powers; integer n.
    fn root_factor(&mut self, (base, exponent): (ExprId, ExprId)) -> (ExprId, ExprId) {
        match self.view(base) {
            crate::View::Product { coefficient: Self::ONE, factors: &[(b, x)] } => {
                (b, self.mul(x, exponent))
            }
            _ => (base, exponent),
        }
    }
}
