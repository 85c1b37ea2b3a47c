//! Integrals ∫ₐᵇ f ds as expressions.
//!
//! The variable of an integral is the symbol [`SymbolKind::Bound`]`(k)`, k the least number above
//! those of the integrals within f: renaming the variable changes nothing, equal integrals are
//! equal nodes. What the constructor does by itself:
//!
//! ```text
//! ∫ₐᵃ f ds = 0                          ∫ₐᵇ c f ds = c ∫ₐᵇ f ds          for c free of s
//! ∫ₐᵇ Σ cₙ sⁿ ds = Σ cₙ (bⁿ⁺¹ − aⁿ⁺¹)/(n + 1)                           for cₙ free of s
//! ∫ₐᵇ (Σ cₙ sⁿ + f) ds = ∫ₐᵇ Σ cₙ sⁿ ds + ∫ₐᵇ f ds
//! ```
//!
//! Other sums stay together: of ∫ (cos s − 1)/s ds neither term has an integral.
//!
//! d ∫ₐᵇ f ds = ∫ₐᵇ df ds + f(b) db − f(a) da

use crate::node::{ExprId, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use crate::subst::Substitution;
use rustc_hash::FxHashMap;

/// Polynomials of a higher degree are not multiplied out.
const DEGREE_MAX: usize = 8;

impl ExprPool {
    /// ∫ body d(variable) from `lower` to `upper`; [`ExprPool::UNDEFINED`] where a part is. The ends
    /// are taken outside: the variable does not stand for itself in them.
    pub fn integral(
        &mut self,
        body: ExprId,
        variable: SymbolId,
        lower: ExprId,
        upper: ExprId,
    ) -> ExprId {
        if [body, lower, upper].contains(&Self::UNDEFINED) {
            return Self::UNDEFINED;
        }
        if lower == upper || body == Self::ZERO {
            return Self::ZERO;
        }
        if let Some(polynomial) = self.polynomial_in(body, variable) {
            return self.integral_of_polynomial(&polynomial, lower, upper);
        }
        if let View::Sum(terms) = self.view(body) {
            let terms = terms.to_vec();
            if let Some(split) = self.split_polynomial(&terms, variable, lower, upper) {
                return split;
            }
        }
        let (factor, body) = self.pull_out(body, variable);
        if factor != Self::ONE {
            let integral = self.integral(body, variable, lower, upper);
            return self.mul(factor, integral);
        }
        let (bound, body) = self.bound_body(body, variable);
        self.intern_integral(bound, body, lower, upper)
    }

    /// A variable of integration that occurs nowhere yet, called like another one.
    pub fn fresh_variable(&mut self, like: SymbolId) -> SymbolId {
        let name = self.symbol_info(like).name.clone();
        self.new_variable(&name)
    }

    /// A variable of integration that occurs nowhere yet.
    pub fn new_variable(&mut self, name: &str) -> SymbolId {
        let variables = self.symbols().iter().filter(|s| matches!(s.kind, SymbolKind::Variable(_)));
        let unused = variables.count();
        self.symbol(SymbolKind::Variable(unused), name)
    }

    /// How deep integrals stand in integrals at most: 0 without any.
    pub(crate) fn integral_depth(&self, roots: &[ExprId]) -> usize {
        if !roots.iter().any(|root| self.has_integral(*root)) {
            return 0;
        }
        let mut depths: FxHashMap<ExprId, usize> = FxHashMap::default();
        let mut deepest = 0;
        for id in self.below(roots) {
            let mut depth = 0;
            self.for_children(id, |child| {
                depth = depth.max(depths.get(&child).copied().unwrap_or(0));
            });
            depth += usize::from(matches!(self.view(id), View::Integral { .. }));
            deepest = deepest.max(depth);
            depths.insert(id, depth);
        }
        deepest
    }

    /// Whether a symbol occurs in one of the expressions.
    pub(crate) fn contains_any(&self, expressions: &[ExprId], symbol: SymbolId) -> bool {
        expressions.iter().any(|e| self.moves(*e, symbol))
    }

    /// f at a value of the variable.
    pub fn integrand_at(&mut self, body: ExprId, variable: SymbolId, value: ExprId) -> ExprId {
        Substitution::new([(variable, value)]).apply(self, body)
    }

    /// The body in the variable that it is stored with: Bound(k) with k above those within, and
    /// not free in it.
    fn bound_body(&mut self, body: ExprId, variable: SymbolId) -> (SymbolId, ExprId) {
        let free = self.symbols_in(&[body]);
        let taken = |pool: &Self, k: usize| {
            let known = pool.find_symbol(SymbolKind::Bound(k));
            known.is_some_and(|symbol| symbol != variable && free.contains(&symbol))
        };
        let mut k = self.binders(body);
        while taken(self, k) {
            k += 1;
        }
        let bound = self.bound_symbol(k, variable);
        if bound == variable {
            return (bound, body);
        }
        let image = self.symbol_expr(bound);
        (bound, Substitution::new([(variable, image)]).apply(self, body))
    }

    /// The symbol Bound(k), called like the first variable that became it, or like that one twice
    /// where another variable is called so.
    fn bound_symbol(&mut self, k: usize, variable: SymbolId) -> SymbolId {
        if let Some(known) = self.find_symbol(SymbolKind::Bound(k)) {
            return known;
        }
        let mut name = self.symbol_info(variable).name.clone();
        while self.symbols().iter().any(|s| is_bound(s.kind) && s.name == name) {
            let letters: String = name.chars().take(1).collect();
            name.push_str(&letters);
        }
        self.symbol(SymbolKind::Bound(k), &name)
    }

    /// (c, f) with body = c·f, c free of the variable and made of what all terms share.
    fn pull_out(&mut self, body: ExprId, variable: SymbolId) -> (ExprId, ExprId) {
        match self.view(body) {
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                let (moving, free): (Vec<_>, Vec<_>) = factors
                    .into_iter()
                    .partition(|f| self.moves(f.0, variable) || self.moves(f.1, variable));
                (self.product(coefficient, &free), self.product(Self::ONE, &moving))
            }
            View::Sum(terms) => {
                let terms = terms.to_vec();
                let shared = self.shared_factors(&terms, variable);
                let content = self.content(&terms);
                let factor = self.product(content, &shared);
                if factor == Self::ONE {
                    return (Self::ONE, body);
                }
                let inverse = self.pow(factor, Self::MINUS_ONE);
                let rest: Vec<_> = terms
                    .iter()
                    .map(|&(c, e)| {
                        let term = self.mul(e, inverse);
                        (c, term)
                    })
                    .collect();
                (factor, self.sum(&rest))
            }
            _ => (Self::ONE, body),
        }
    }

    /// The powers, free of the variable, that are factors of every term.
    fn shared_factors(
        &self,
        terms: &[(ExprId, ExprId)],
        variable: SymbolId,
    ) -> Vec<(ExprId, ExprId)> {
        let factors = |e: ExprId| match self.view(e) {
            View::Product { factors, .. } => factors.to_vec(),
            _ => vec![(e, Self::ONE)],
        };
        let mut shared = factors(terms[0].1);
        shared.retain(|f| !self.moves(f.0, variable) && !self.moves(f.1, variable));
        for (_, e) in &terms[1..] {
            let own = factors(*e);
            shared.retain(|factor| own.contains(factor));
        }
        shared
    }

    /// Whether the variable occurs.
    pub(crate) fn moves(&self, e: ExprId, variable: SymbolId) -> bool {
        self.mask(e) & Self::symbol_mask(variable) != 0 && self.contains(e, |s| s == variable)
    }

    /// The integral of the terms that are polynomials, and of the others; `None` where there are
    /// not both.
    fn split_polynomial(
        &mut self,
        terms: &[(ExprId, ExprId)],
        variable: SymbolId,
        lower: ExprId,
        upper: ExprId,
    ) -> Option<ExprId> {
        let (mut closed, mut open) = (Vec::new(), Vec::new());
        for &(c, e) in terms {
            match self.polynomial_in(e, variable) {
                Some(polynomial) => {
                    let integral = self.integral_of_polynomial(&polynomial, lower, upper);
                    closed.push((c, integral));
                }
                None => open.push((c, e)),
            }
        }
        if closed.is_empty() {
            return None;
        }
        let open = self.sum(&open);
        let open = self.integral(open, variable, lower, upper);
        closed.push((Self::ONE, open));
        Some(self.sum(&closed))
    }

    /// Σ cₙ (bⁿ⁺¹ − aⁿ⁺¹)/(n + 1).
    fn integral_of_polynomial(
        &mut self,
        polynomial: &[ExprId],
        lower: ExprId,
        upper: ExprId,
    ) -> ExprId {
        let mut terms = Vec::with_capacity(polynomial.len());
        for (n, coefficient) in (1_i64..).zip(polynomial) {
            if *coefficient == Self::ZERO {
                continue;
            }
            let (high, low) = (self.powi(upper, n), self.powi(lower, n));
            let difference = self.sub(high, low);
            let share = Rational::new(1, n).unwrap_or(Rational::ONE);
            let share = self.number(&share);
            terms.push((share, self.mul(*coefficient, difference)));
        }
        self.sum(&terms)
    }

    /// c₀, c₁, … of Σ cₙ sⁿ with cₙ free of s; `None` where it is not one, or its degree is high.
    fn polynomial_in(&mut self, e: ExprId, variable: SymbolId) -> Option<Vec<ExprId>> {
        if !self.moves(e, variable) {
            return Some(vec![e]);
        }
        match self.view(e) {
            View::Symbol(_) => Some(vec![Self::ZERO, Self::ONE]),
            View::Sum(terms) => {
                let terms = terms.to_vec();
                let mut sums: Vec<Vec<(ExprId, ExprId)>> = Vec::new();
                for (c, e) in terms {
                    for (n, coefficient) in self.polynomial_in(e, variable)?.into_iter().enumerate()
                    {
                        sums.resize_with(sums.len().max(n + 1), Vec::new);
                        sums[n].push((c, coefficient));
                    }
                }
                Some(sums.iter().map(|terms| self.sum(terms)).collect())
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                let mut product = vec![coefficient];
                for (base, exponent) in factors {
                    if !self.moves(base, variable) && !self.moves(exponent, variable) {
                        let power = self.pow(base, exponent);
                        for c in &mut product {
                            *c = self.mul(*c, power);
                        }
                        continue;
                    }
                    let n = self.as_number(exponent)?.as_integer()?;
                    let n = usize::try_from(n).ok().filter(|n| *n <= DEGREE_MAX)?;
                    let factor = self.polynomial_in(base, variable)?;
                    for _ in 0..n {
                        product = self.times_polynomial(&product, &factor)?;
                    }
                }
                Some(product)
            }
            _ => None,
        }
    }

    fn times_polynomial(&mut self, a: &[ExprId], b: &[ExprId]) -> Option<Vec<ExprId>> {
        let length = a.len() + b.len() - 1;
        if length > DEGREE_MAX + 1 {
            return None;
        }
        let mut sums = vec![Vec::new(); length];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                let product = self.mul(*x, *y);
                sums[i + j].push((Self::ONE, product));
            }
        }
        Some(sums.iter().map(|terms| self.sum(terms)).collect())
    }
}

/// Whether a symbol is the variable of an integral.
pub(crate) fn is_bound(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Bound(_))
}
