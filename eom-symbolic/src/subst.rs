//! Simultaneous substitution of expressions for symbols.

use crate::node::{ExprId, SymbolId, View};
use crate::pool::ExprPool;
use rustc_hash::FxHashMap;

/// A substitution; keeps what it has rebuilt, so several expressions share the work.
#[derive(Debug, Clone, Default)]
pub struct Substitution {
    images: FxHashMap<SymbolId, ExprId>,
    mask: u64,
    known: FxHashMap<ExprId, ExprId>,
}

impl Substitution {
    /// Replaces each symbol by its image, all at once.
    pub fn new(images: impl IntoIterator<Item = (SymbolId, ExprId)>) -> Self {
        let images: FxHashMap<_, _> = images.into_iter().collect();
        let mask = images.keys().fold(0, |mask, symbol| mask | ExprPool::symbol_mask(*symbol));
        Self { images, mask, known: FxHashMap::default() }
    }

    /// The expression with the symbols replaced.
    pub fn apply(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        for id in pool.postorder(&[expr], self.mask) {
            if !self.known.contains_key(&id) {
                let image = self.node_image(pool, id);
                self.known.insert(id, image);
            }
        }
        self.get(expr)
    }

    fn get(&self, id: ExprId) -> ExprId {
        self.known.get(&id).copied().unwrap_or(id)
    }

    fn node_image(&self, pool: &mut ExprPool, id: ExprId) -> ExprId {
        match pool.view(id) {
            View::Symbol(symbol) => self.images.get(&symbol).copied().unwrap_or(id),
            View::Integral { variable, body, lower, upper } => {
                let body = self.body_image(pool, variable, body);
                pool.integral(body.1, body.0, self.get(lower), self.get(upper))
            }
            _ => pool.rebuilt(id, |child| self.get(child)),
        }
    }
}

impl Substitution {
    /// The body of an integral with its variable: where that is replaced outside, it is another one
    /// inside; where an image holds it, the inner one is renamed.
    fn body_image(
        &self,
        pool: &mut ExprPool,
        variable: SymbolId,
        body: ExprId,
    ) -> (SymbolId, ExprId) {
        let shadowed = self.images.contains_key(&variable);
        let images: Vec<ExprId> = self.images.values().copied().collect();
        let captured = pool.contains_any(&images, variable);
        if !shadowed && !captured {
            return (variable, self.get(body));
        }
        let others = self.images.iter().filter(|image| *image.0 != variable);
        let mut others: Vec<(SymbolId, ExprId)> = others.map(|(s, e)| (*s, *e)).collect();
        let mut inner = variable;
        if captured {
            inner = pool.fresh_variable(variable);
            others.push((variable, pool.symbol_expr(inner)));
        }
        (inner, Self::new(others).apply(pool, body))
    }
}

impl ExprPool {
    /// The node with its children replaced; a node without children is itself.
    pub(crate) fn rebuilt(&mut self, id: ExprId, image: impl Fn(ExprId) -> ExprId) -> ExprId {
        match self.view(id) {
            View::Number(_) | View::Undefined | View::Symbol(_) => id,
            View::Sum(terms) => {
                let terms: Vec<_> = terms.iter().map(|(c, e)| (*c, image(*e))).collect();
                self.sum(&terms)
            }
            View::Product { coefficient, factors } => {
                let factors: Vec<_> = factors.iter().map(|(b, e)| (image(*b), image(*e))).collect();
                self.product(coefficient, &factors)
            }
            View::Call(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|a| image(*a)).collect();
                self.call(function, &arguments)
            }
            View::Integral { variable, body, lower, upper } => {
                self.integral(image(body), variable, image(lower), image(upper))
            }
        }
    }
}
