//! The shortest of the forms that sin² + cos² = 1 and the addition theorems leave open.

use super::normal::{Level, Normaliser};
use super::poly::{Monomial, Poly};
use crate::node::{ExprId, Function, View};
use crate::number::Rational;
use eom_elementary::order;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Above this many terms, forms are not compared.
const TERMS_MAX: usize = 400;

impl Normaliser<'_> {
    /// The form of fewest terms: for each angle cosines reduced instead of sines, pairs
    /// X − X·cos² → X·sin², and products of two angles → sin, cos of their sum or difference.
    pub(crate) fn shortest(&mut self, poly: &Poly) -> Poly {
        if poly.len() > TERMS_MAX {
            return poly.clone();
        }
        let mut best = self.merged(poly);
        let squared = squared(poly);
        for (sine, cosine, circular) in self.sine_pairs() {
            if !circular || !squared.contains(&cosine) {
                continue;
            }
            // The best so far may hold sin² already: start from it with cos² → 1 − sin².
            let Some(flipped) = self.without_squares(best.clone(), cosine, sine, true) else {
                continue;
            };
            let flipped = self.merged(&flipped);
            if weight(&flipped) < weight(&best) {
                best = flipped;
            }
        }
        match self.joined_angles(&best) {
            Some(joined) if weight(&joined) < weight(&best) => joined,
            _ => best,
        }
    }

    /// X − X·cos² → X·sin² and X − X·sin² → X·cos², as often as it applies.
    fn merged(&self, poly: &Poly) -> Poly {
        let squared = squared(poly);
        let is_squared = |atom: u32| squared.contains(&atom);
        let pairs: Vec<(u32, u32)> = self
            .sine_pairs()
            .into_iter()
            .filter(|&(sine, cosine, circular)| {
                circular && (is_squared(sine) || is_squared(cosine))
            })
            .flat_map(|(sine, cosine, _)| [(cosine, sine), (sine, cosine)])
            .collect();
        if pairs.is_empty() {
            return poly.clone();
        }
        let mut terms = order::map(poly.terms().iter().cloned());
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &pairs {
                let squares: Vec<Monomial> =
                    terms.keys().filter(|m| m.exponent(from) >= 2).cloned().collect();
                for squared in squares {
                    let bare = squared.times(&Monomial::power_of(from, -2));
                    let Some(c) = terms.get(&bare).cloned() else { continue };
                    if terms.get(&squared) != Some(&c.neg()) {
                        continue;
                    }
                    terms.remove(&squared);
                    terms.remove(&bare);
                    add(&mut terms, bare.times(&Monomial::power_of(to, 2)), &c);
                    changed = true;
                }
            }
        }
        Poly::from_terms(terms.into_iter().collect())
    }

    /// cos a·cos b ± sin a·sin b → cos(a ∓ b), sin a·cos b ± cos a·sin b → sin(a ± b); `None`
    /// where no term has two angles.
    fn joined_angles(&mut self, poly: &Poly) -> Option<Poly> {
        let pairs: Vec<_> = self.sine_pairs().into_iter().filter(|p| p.2).collect();
        let angles = pairs.iter().enumerate().flat_map(|(at, p)| [(p.0, at), (p.1, at)]);
        let angles: FxHashMap<u32, usize> = angles.collect();
        let mut next = next_together(&angles, poly.terms().iter().map(|t| &t.0), (0, 0));
        next?;
        let mut terms = order::map(poly.terms().iter().cloned());
        while let Some((a, b)) = next {
            let ((sine_a, cosine_a, _), (sine_b, cosine_b, _)) = (pairs[a], pairs[b]);
            let two = [sine_a, sine_b].map(|s| self.angle(s));
            self.join(&mut terms, [sine_a, cosine_a], [sine_b, cosine_b], two);
            next = next_together(&angles, terms.keys(), (a, b));
        }
        Some(Poly::from_terms(terms.into_iter().collect()))
    }

    fn angle(&self, sine: u32) -> ExprId {
        match self.pool.view(self.atom(sine).expr) {
            View::Call(_, arguments) => arguments[0],
            _ => self.atom(sine).expr,
        }
    }

    /// The joins of one pair of angles a, b; each is given as [sine, cosine].
    fn join(
        &mut self,
        terms: &mut BTreeMap<Monomial, Rational>,
        [sa, ca]: [u32; 2],
        [sb, cb]: [u32; 2],
        [a, b]: [ExprId; 2],
    ) {
        let product = |x: u32, y: u32| Monomial::power_of(x, 1).times(&Monomial::power_of(y, 1));
        // (first product, second product, function): same sign and opposite sign of the second.
        let joins = [
            (product(ca, cb), product(sa, sb), Function::Cos),
            (product(sa, cb), product(ca, sb), Function::Sin),
        ];
        for (first, second, function) in joins {
            let found: Vec<(Monomial, bool)> = terms
                .iter()
                .filter(|(m, _)| first.factors().iter().all(|f| m.exponent(f.0) >= 1))
                .filter_map(|(m, c)| {
                    let other = terms.get(&m.over(&first).times(&second))?;
                    (other.abs() == c.abs()).then(|| (m.clone(), other == c))
                })
                .collect();
            for (m, same) in found {
                let other = m.over(&first).times(&second);
                if !terms.contains_key(&other) || !terms.contains_key(&m) {
                    continue;
                }
                // cos(a − b) and sin(a + b) have equal signs.
                let plus = same == (function == Function::Sin);
                let angle = if plus { self.pool.add(a, b) } else { self.pool.sub(a, b) };
                let call = self.pool.call(function, &[angle]);
                let Some((atom, negative)) = self.signed_atom(call) else { continue };
                terms.remove(&other);
                if let Some(c) = terms.remove(&m) {
                    let c = if negative { c.neg() } else { c };
                    add(terms, m.over(&first).times(&Monomial::power_of(atom, 1)), &c);
                }
            }
        }
    }

    /// ±atom as atom and sign.
    fn signed_atom(&mut self, e: ExprId) -> Option<(u32, bool)> {
        let (c, bare) = self.pool.split_coefficient(e);
        let negative = self.pool.as_number(c)?.is_negative();
        let is_call = matches!(self.pool.view(bare), View::Call(..));
        let poly = is_call.then(|| self.atom_power(bare, 1).numerator)?;
        poly.terms().first()?.0.factors().first().map(|f| (f.0, negative))
    }

    /// The level of a monomial's part, see [`Level`].
    pub(crate) fn at_level(&self, m: &Monomial, level: Level) -> (Monomial, Monomial) {
        m.split(|atom| self.atom(atom).level == level)
    }
}

/// The atoms of which a square divides a term.
fn squared(poly: &Poly) -> FxHashSet<u32> {
    let factors = poly.terms().iter().flat_map(|(m, _)| m.factors());
    factors.filter(|(_, exponent)| *exponent >= 2).map(|(atom, _)| *atom).collect()
}

/// The first two angles after some that stand in one term, of the angles of atoms.
fn next_together<'m>(
    angles: &FxHashMap<u32, usize>,
    terms: impl Iterator<Item = &'m Monomial>,
    after: (usize, usize),
) -> Option<(usize, usize)> {
    let mut least: Option<(usize, usize)> = None;
    for m in terms {
        let own: Vec<usize> =
            m.factors().iter().filter_map(|f| angles.get(&f.0).copied()).collect();
        for (a, b) in own.iter().flat_map(|a| own.iter().map(move |b| (*a, *b))) {
            if a < b && (a, b) > after && least.is_none_or(|least| (a, b) < least) {
                least = Some((a, b));
            }
        }
    }
    least
}

fn add(terms: &mut BTreeMap<Monomial, Rational>, m: Monomial, c: &Rational) {
    let sum = terms.get(&m).map_or_else(|| c.clone(), |known| known.add(c));
    if sum.is_zero() {
        terms.remove(&m);
    } else {
        terms.insert(m, sum);
    }
}

/// Terms first, then their total degree.
fn weight(poly: &Poly) -> (usize, u32) {
    let degree = |m: &Monomial| m.factors().iter().map(|f| f.1.unsigned_abs()).sum::<u32>();
    (poly.len(), poly.terms().iter().map(|(m, _)| degree(m)).sum())
}
