//! Dry friction that is spread over a body: integrals of terms c‖w‖.
//!
//! ```text
//! ∫ c‖w‖ ds        w = J(s) v linear in v,  c and the ends free of v
//! ```
//!
//! It is homogeneous of degree one, and differentiable but where all of the body is at rest. A term
//! whose w has a part that is free of v belongs to a body on a moving ground: it is left among the
//! smooth ones.

use crate::node::{ExprId, Function, SymbolId, View};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// The part of an expression that is made of such integrals.
pub(super) fn spread(pool: &mut ExprPool, velocities: &[SymbolId], expr: ExprId) -> Option<ExprId> {
    Search { pool, velocities }.part(expr, false)
}

struct Search<'p> {
    pool: &'p mut ExprPool,
    velocities: &'p [SymbolId],
}

impl Search<'_> {
    /// The part of degree one, of an integrand or of what stands outside of integrals.
    fn part(&mut self, expr: ExprId, inside: bool) -> Option<ExprId> {
        match self.pool.view(expr) {
            View::Sum(terms) => {
                let terms = terms.to_vec();
                let mut found = Vec::new();
                for (c, term) in terms {
                    found.extend(self.part(term, inside).map(|part| (c, part)));
                }
                (!found.is_empty()).then(|| self.pool.sum(&found))
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                self.product(expr, coefficient, &factors, inside)
            }
            View::Integral { variable, body, lower, upper } => {
                if [lower, upper].iter().any(|end| self.pool.holds_velocity(*end)) {
                    return None;
                }
                let part = self.part(body, true)?;
                Some(self.pool.integral(part, variable, lower, upper))
            }
            View::Call(Function::Abs, &[argument]) => {
                (inside && self.is_form(argument, 1)).then_some(expr)
            }
            _ => None,
        }
    }

    /// Of a product one factor moves: a root of a quadratic form, or what has such a part itself.
    fn product(
        &mut self,
        expr: ExprId,
        coefficient: ExprId,
        factors: &[(ExprId, ExprId)],
        inside: bool,
    ) -> Option<ExprId> {
        let moves = |factor: &&(ExprId, ExprId)| self.pool.holds_velocity(factor.0);
        let moving: Vec<(ExprId, ExprId)> = factors.iter().filter(moves).copied().collect();
        match moving[..] {
            [(base, ExprPool::HALF)] => (inside && self.is_form(base, 2)).then_some(expr),
            [(base, ExprPool::ONE)] => {
                let part = self.part(base, inside)?;
                let still = factors.iter().filter(|factor| factor.0 != base).copied();
                let still: Vec<_> = still.collect();
                let factor = self.pool.product(coefficient, &still);
                Some(self.pool.mul(factor, part))
            }
            _ => None,
        }
    }

    /// Whether an expression is a form of this degree in the velocities: its derivatives of that
    /// order are free of them, and it and those of lower order vanish with them.
    fn is_form(&mut self, expr: ExprId, degree: usize) -> bool {
        let mut derivatives = vec![expr];
        for _ in 0..degree {
            let zeros = self.velocities.iter().map(|v| (*v, ExprPool::ZERO));
            let mut at_rest = Substitution::new(zeros);
            if derivatives.iter().any(|d| at_rest.apply(self.pool, *d) != ExprPool::ZERO) {
                return false;
            }
            let next = derivatives.iter().flat_map(|d| self.pool.gradient(*d, self.velocities));
            derivatives = next.collect();
        }
        derivatives.iter().all(|d| !self.pool.holds_velocity(*d))
    }
}
