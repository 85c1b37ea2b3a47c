//! Derivatives: directional by a forward sweep; gradients are taken by a reverse sweep in
//! [`gradient`](crate::gradient). Both visit each shared node once, so the cost is that of the graph,
//! not of the tree.

use crate::graph::{Marks, Table};
use crate::node::{ExprId, SymbolId, View};
use crate::pool::ExprPool;
use rustc_hash::FxHashMap;
use std::mem::take;

/// A forward sweep: the derivative of expressions in one direction, symbol s moving at `seed(s)`.
///
/// Keeps what it has computed, so several expressions of one direction share their work.
#[derive(Debug, Clone, Default)]
pub struct Tangent {
    seeds: FxHashMap<SymbolId, ExprId>,
    mask: u64,
    /// The derivatives of the nodes that were visited.
    known: Table,
    /// The nodes that are yet to be visited, and those that were; empty between calls.
    marks: Marks,
    order: Vec<ExprId>,
}

impl Tangent {
    /// The direction in which each symbol moves at the given rate, all others stand still.
    pub fn new(seeds: impl IntoIterator<Item = (SymbolId, ExprId)>) -> Self {
        let seeds: FxHashMap<_, _> = seeds.into_iter().collect();
        let mask = seeds.keys().fold(0, |mask, symbol| mask | ExprPool::symbol_mask(*symbol));
        Self { seeds, mask, ..Self::default() }
    }

    /// The direction of one symbol: the partial derivative.
    pub fn partial(symbol: SymbolId) -> Self {
        Self::new([(symbol, ExprPool::ONE)])
    }

    /// d(expr) in this direction.
    pub fn derivative(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        if pool.mask(expr) & self.mask == 0 {
            return if expr == ExprPool::UNDEFINED { expr } else { ExprPool::ZERO };
        }
        if let Some(known) = self.known.get(expr) {
            return ExprId(known);
        }
        let (mut order, mut marks) = (take(&mut self.order), take(&mut self.marks));
        marks.insert(expr);
        while let Some(id) = marks.pop() {
            order.push(id);
            pool.for_children(id, |child| {
                if pool.mask(child) & self.mask != 0 && self.known.get(child).is_none() {
                    marks.insert(child);
                }
            });
        }
        for id in order.drain(..).rev() {
            let derivative = self.node_derivative(pool, id);
            self.known.insert(id, derivative.0);
        }
        (self.order, self.marks) = (order, marks);
        self.get(expr)
    }

    fn get(&self, id: ExprId) -> ExprId {
        self.known.get(id).map_or(ExprPool::ZERO, ExprId)
    }

    fn node_derivative(&self, pool: &mut ExprPool, id: ExprId) -> ExprId {
        match pool.view(id) {
            View::Number(_) => ExprPool::ZERO,
            View::Undefined => ExprPool::UNDEFINED,
            View::Symbol(symbol) => self.seeds.get(&symbol).copied().unwrap_or(ExprPool::ZERO),
            // d Σ cᵢ eᵢ = Σ cᵢ deᵢ
            View::Sum(_) => {
                let mut terms = pool.spare();
                for at in pool.pair_range(id) {
                    let (c, e) = pool.pair(at);
                    if pool.mask(e) & self.mask != 0 {
                        terms.push((c, self.get(e)));
                    }
                }
                let sum = pool.sum(&terms);
                pool.give_back(terms);
                sum
            }
            View::Product { .. } => self.product_derivative(pool, id),
            View::Integral { variable, body, lower, upper } => {
                self.integral_derivative(pool, (variable, body), (lower, upper))
            }
            // d f(x, y) = f_x dx + f_y dy
            View::Call(function, arguments) => {
                let arguments = arguments.to_vec();
                let mut terms = Vec::with_capacity(arguments.len());
                for (which, argument) in arguments.iter().enumerate() {
                    let inner = self.get(*argument);
                    if inner != ExprPool::ZERO {
                        let outer = pool.call_derivative(function, &arguments, which);
                        terms.push((ExprPool::ONE, pool.mul(outer, inner)));
                    }
                }
                pool.sum(&terms)
            }
        }
    }

    /// d ∫ₐᵇ f ds = ∫ₐᵇ df ds + f(b) db − f(a) da
    fn integral_derivative(
        &self,
        pool: &mut ExprPool,
        (variable, body): (SymbolId, ExprId),
        (lower, upper): (ExprId, ExprId),
    ) -> ExprId {
        let within = pool.integral(self.get(body), variable, lower, upper);
        let mut terms = vec![(ExprPool::ONE, within)];
        for (sign, end) in [(ExprPool::ONE, upper), (ExprPool::MINUS_ONE, lower)] {
            let rate = self.get(end);
            if rate != ExprPool::ZERO {
                let value = pool.integrand_at(body, variable, end);
                terms.push((sign, pool.mul(value, rate)));
            }
        }
        pool.sum(&terms)
    }

    /// d ∏ bᵉ = Σ (∂/∂b ∏)·db + ln(b)·∏·de
    fn product_derivative(&self, pool: &mut ExprPool, id: ExprId) -> ExprId {
        let mut terms = pool.spare();
        for at in pool.pair_range(id) {
            let (base, exponent) = pool.pair(at);
            let (db, de) = (self.get(base), self.get(exponent));
            if db != ExprPool::ZERO {
                terms.push((ExprPool::ONE, product_partial(pool, id, at, db)));
            }
            if de != ExprPool::ZERO {
                let ln = pool.call(crate::Function::Ln, &[base]);
                terms.push((ExprPool::ONE, pool.product_of(&[ln, id, de])));
            }
        }
        let sum = pool.sum(&terms);
        pool.give_back(terms);
        sum
    }
}

/// ∂/∂b of c·∏ bᵉ for the factor at a place, times another: c·e·b^(e−1)·∏ of the others·other.
pub(crate) fn product_partial(
    pool: &mut ExprPool,
    product: ExprId,
    place: usize,
    other: ExprId,
) -> ExprId {
    let View::Product { coefficient, .. } = pool.view(product) else { return ExprPool::ZERO };
    let mut factors = pool.spare();
    for at in pool.pair_range(product) {
        let (base, exponent) = pool.pair(at);
        if at != place {
            factors.push((base, exponent));
        } else if exponent != ExprPool::ONE {
            factors.push((base, pool.sub(exponent, ExprPool::ONE)));
            factors.push((exponent, ExprPool::ONE));
        }
    }
    factors.push((other, ExprPool::ONE));
    let partial = pool.product(coefficient, &factors);
    pool.give_back(factors);
    partial
}

impl ExprPool {
    /// ∂expr/∂symbol.
    pub fn partial(&mut self, expr: ExprId, symbol: SymbolId) -> ExprId {
        Tangent::partial(symbol).derivative(self, expr)
    }

    /// Whether an operation outside its domain, such as 1/0, occurred: it swallows its parents.
    pub fn is_undefined(&self, expr: ExprId) -> bool {
        expr == Self::UNDEFINED
    }
}
