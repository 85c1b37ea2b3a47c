//! Derivatives: directional by a forward sweep, gradients by a reverse sweep. Both visit each
//! shared node once, so the cost is that of the graph, not of the tree.

use crate::node::{ExprId, SymbolId, View};
use crate::pool::ExprPool;
use rustc_hash::FxHashMap;

/// A forward sweep: the derivative of expressions in one direction, symbol s moving at `seed(s)`.
///
/// Keeps what it has computed, so several expressions of one direction share their work.
#[derive(Debug, Clone, Default)]
pub struct Tangent {
    seeds: FxHashMap<SymbolId, ExprId>,
    mask: u64,
    known: FxHashMap<ExprId, ExprId>,
}

impl Tangent {
    /// The direction in which each symbol moves at the given rate, all others stand still.
    pub fn new(seeds: impl IntoIterator<Item = (SymbolId, ExprId)>) -> Self {
        let seeds: FxHashMap<_, _> = seeds.into_iter().collect();
        let mask = seeds.keys().fold(0, |mask, symbol| mask | ExprPool::symbol_mask(*symbol));
        Self { seeds, mask, known: FxHashMap::default() }
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
        for id in pool.postorder(&[expr], self.mask) {
            if !self.known.contains_key(&id) {
                let derivative = self.node_derivative(pool, id);
                self.known.insert(id, derivative);
            }
        }
        self.get(expr)
    }

    fn get(&self, id: ExprId) -> ExprId {
        self.known.get(&id).copied().unwrap_or(ExprPool::ZERO)
    }

    fn node_derivative(&self, pool: &mut ExprPool, id: ExprId) -> ExprId {
        match pool.view(id) {
            View::Number(_) => ExprPool::ZERO,
            View::Undefined => ExprPool::UNDEFINED,
            View::Symbol(symbol) => self.seeds.get(&symbol).copied().unwrap_or(ExprPool::ZERO),
            // d Σ cᵢ eᵢ = Σ cᵢ deᵢ
            View::Sum(terms) => {
                let terms: Vec<_> = terms.iter().map(|(c, e)| (*c, self.get(*e))).collect();
                pool.sum(&terms)
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                self.product_derivative(pool, id, coefficient, &factors)
            }
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
    fn product_derivative(
        &self,
        pool: &mut ExprPool,
        id: ExprId,
        coefficient: ExprId,
        factors: &[(ExprId, ExprId)],
    ) -> ExprId {
        let mut terms = Vec::with_capacity(factors.len());
        for (which, &(base, exponent)) in factors.iter().enumerate() {
            let (db, de) = (self.get(base), self.get(exponent));
            if db != ExprPool::ZERO {
                let partial = product_partial(pool, coefficient, factors, which);
                terms.push((ExprPool::ONE, pool.mul(partial, db)));
            }
            if de != ExprPool::ZERO {
                let ln = pool.call(crate::Function::Ln, &[base]);
                terms.push((ExprPool::ONE, pool.product_of(&[ln, id, de])));
            }
        }
        pool.sum(&terms)
    }
}

/// ∂/∂b of c·∏ bᵉ for factor `which`: c·e·b^(e−1)·∏ of the others.
fn product_partial(
    pool: &mut ExprPool,
    coefficient: ExprId,
    factors: &[(ExprId, ExprId)],
    which: usize,
) -> ExprId {
    let mut partial = factors.to_vec();
    let exponent = partial[which].1;
    partial[which].1 = pool.sub(exponent, ExprPool::ONE);
    partial.push((exponent, ExprPool::ONE));
    pool.product(coefficient, &partial)
}

impl ExprPool {
    /// ∂expr/∂symbol.
    pub fn partial(&mut self, expr: ExprId, symbol: SymbolId) -> ExprId {
        Tangent::partial(symbol).derivative(self, expr)
    }

    /// The gradient of `expr` with respect to `symbols`, by one reverse sweep: the adjoint of a
    /// node is the sum over its parents of (adjoint of parent)·∂parent/∂node.
    pub fn gradient(&mut self, expr: ExprId, symbols: &[SymbolId]) -> Vec<ExprId> {
        let mask = symbols.iter().fold(0, |mask, symbol| mask | Self::symbol_mask(*symbol));
        let order = self.postorder(&[expr], mask);
        let mut contributions: FxHashMap<ExprId, Vec<(ExprId, ExprId)>> = FxHashMap::default();
        contributions.insert(expr, vec![(Self::ONE, Self::ONE)]);
        let mut adjoints: FxHashMap<SymbolId, ExprId> = FxHashMap::default();
        for &id in order.iter().rev() {
            let Some(terms) = contributions.remove(&id) else { continue };
            match self.view(id) {
                View::Symbol(symbol) => {
                    let adjoint = self.sum(&terms);
                    adjoints.insert(symbol, adjoint);
                }
                View::Integral { variable, body, lower, upper } => {
                    let adjoint = self.sum(&terms);
                    let integral = (variable, body, lower, upper);
                    self.spread_integral(integral, adjoint, symbols, &mut contributions);
                }
                // Term by term, so that the products meet their like in the forward sweep and
                // cancel there: (a + b)·f' would stay one product.
                View::Call(..) => {
                    for (c, term) in terms {
                        let adjoint = self.scale(c, term);
                        self.spread_adjoint(id, adjoint, mask, &mut contributions);
                    }
                }
                _ => {
                    let adjoint = self.sum(&terms);
                    self.spread_adjoint(id, adjoint, mask, &mut contributions);
                }
            }
        }
        symbols.iter().map(|s| adjoints.get(s).copied().unwrap_or(Self::ZERO)).collect()
    }

    /// Adds the adjoint of ∫ₐᵇ f ds to those of the ends and, through ∫ₐᵇ ∂f/∂x ds, of the symbols.
    fn spread_integral(
        &mut self,
        (variable, body, lower, upper): (SymbolId, ExprId, ExprId, ExprId),
        adjoint: ExprId,
        symbols: &[SymbolId],
        contributions: &mut FxHashMap<ExprId, Vec<(ExprId, ExprId)>>,
    ) {
        for (sign, end) in [(Self::ONE, upper), (Self::MINUS_ONE, lower)] {
            if self.contains(end, |s| symbols.contains(&s)) {
                let value = self.integrand_at(body, variable, end);
                let term = self.mul(adjoint, value);
                contributions.entry(end).or_default().push((sign, term));
            }
        }
        for (symbol, slope) in symbols.iter().zip(self.gradient(body, symbols)) {
            if slope != Self::ZERO {
                let slope = self.integral(slope, variable, lower, upper);
                let term = self.mul(adjoint, slope);
                let symbol = self.symbol_expr(*symbol);
                contributions.entry(symbol).or_default().push((Self::ONE, term));
            }
        }
    }

    /// Adds a node's adjoint to those of its children.
    fn spread_adjoint(
        &mut self,
        id: ExprId,
        adjoint: ExprId,
        mask: u64,
        contributions: &mut FxHashMap<ExprId, Vec<(ExprId, ExprId)>>,
    ) {
        match self.view(id) {
            View::Sum(terms) => {
                for &(c, e) in terms {
                    if self.mask(e) & mask != 0 {
                        contributions.entry(e).or_default().push((c, adjoint));
                    }
                }
            }
            View::Product { coefficient, factors } => {
                let factors = factors.to_vec();
                for (which, &(base, exponent)) in factors.iter().enumerate() {
                    if self.mask(base) & mask != 0 {
                        let partial = product_partial(self, coefficient, &factors, which);
                        let term = self.mul(adjoint, partial);
                        contributions.entry(base).or_default().push((Self::ONE, term));
                    }
                    if self.mask(exponent) & mask != 0 {
                        let ln = self.call(crate::Function::Ln, &[base]);
                        let term = self.product_of(&[adjoint, ln, id]);
                        contributions.entry(exponent).or_default().push((Self::ONE, term));
                    }
                }
            }
            View::Call(function, arguments) => {
                let arguments = arguments.to_vec();
                for (which, &argument) in arguments.iter().enumerate() {
                    if self.mask(argument) & mask != 0 {
                        let partial = self.call_derivative(function, &arguments, which);
                        let term = self.mul(adjoint, partial);
                        contributions.entry(argument).or_default().push((Self::ONE, term));
                    }
                }
            }
            View::Integral { .. } | View::Number(_) | View::Symbol(_) | View::Undefined => {}
        }
    }

    /// The nodes below `roots` that may contain a symbol of `mask`, children before parents.
    pub(crate) fn postorder(&self, roots: &[ExprId], mask: u64) -> Vec<ExprId> {
        let mut seen: rustc_hash::FxHashSet<ExprId> = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExprId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if self.mask(id) & mask == 0 || !seen.insert(id) {
                continue;
            }
            self.for_children(id, |child| stack.push(child));
        }
        let mut order: Vec<ExprId> = seen.into_iter().collect();
        // Children are interned before parents: ascending ids are a topological order.
        order.sort_unstable();
        order
    }

    /// Calls `visit` with each child of a node, coefficients left out.
    pub fn for_children(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match self.view(id) {
            View::Sum(terms) => terms.iter().for_each(|(_, e)| visit(*e)),
            View::Product { factors, .. } => factors.iter().for_each(|(base, exponent)| {
                visit(*base);
                visit(*exponent);
            }),
            View::Call(_, arguments) => arguments.iter().for_each(|argument| visit(*argument)),
            View::Integral { body, lower, upper, .. } => {
                [body, lower, upper].into_iter().for_each(visit);
            }
            View::Number(_) | View::Symbol(_) | View::Undefined => {}
        }
    }

    /// Whether a symbol that `wanted` accepts occurs in the expression.
    pub fn contains(&self, expr: ExprId, wanted: impl Fn(SymbolId) -> bool) -> bool {
        self.symbols_in(&[expr]).into_iter().any(wanted)
    }

    /// The symbols that occur in the expressions, in the order of their declaration; the variable of
    /// an integral does not occur outside of it.
    pub fn symbols_in(&self, expressions: &[ExprId]) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = Vec::new();
        let mut seen: rustc_hash::FxHashSet<ExprId> = rustc_hash::FxHashSet::default();
        let mut stack: Vec<ExprId> = expressions.to_vec();
        while let Some(id) = stack.pop() {
            if self.mask(id) == 0 || !seen.insert(id) {
                continue;
            }
            match self.view(id) {
                View::Symbol(symbol) => found.push(symbol),
                View::Integral { variable, body, lower, upper } => {
                    found.extend(self.symbols_in(&[body]).iter().filter(|s| **s != variable));
                    stack.extend([lower, upper]);
                }
                _ => self.for_children(id, |child| stack.push(child)),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether an operation outside its domain, such as 1/0, occurred: it swallows its parents.
    pub fn is_undefined(&self, expr: ExprId) -> bool {
        expr == Self::UNDEFINED
    }
}
