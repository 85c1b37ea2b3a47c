//! Gradients: one reverse sweep over the graph gives the derivatives by all symbols.
//!
//! The adjoint of a node is the sum over its parents of (adjoint of the parent)·∂parent/∂node. In a
//! chain of sums, such as the positions of a pendulum's links, the contributions to one term begin with
//! those to the next:
//!
//! ```text
//! s₁ = t₁,  s₂ = t₁ + t₂,  …        adjoint of t_k = a_n + a_{n−1} + … + a_k
//! ```
//!
//! so that lists are kept by their prefixes, and the sum of a prefix is added up once.

use crate::diff::product_partial;
use crate::graph::Marks;
use crate::node::{ExprId, SymbolId, View};
use crate::pool::{ExprPool, Pair};
use rustc_hash::FxHashMap;

/// A list of contributions, by its last one.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Coefficient and term.
    term: Pair,
    /// The list before it.
    before: Option<u32>,
    /// The sum of the list, once it was asked for.
    sum: Option<ExprId>,
    /// The list by which it was continued first: in a chain all go on so.
    next: Option<u32>,
}

/// What has come to each node from its parents.
#[derive(Debug, Default)]
struct Contributions {
    links: Vec<Link>,
    /// A list by its last term and what is before it.
    known: FxHashMap<(Option<u32>, Pair), u32>,
    /// The list of each node.
    lists: Vec<Option<u32>>,
    /// The nodes with a list that is yet to be passed on.
    waiting: Marks,
}

impl Contributions {
    fn push(&mut self, node: ExprId, coefficient: ExprId, term: ExprId) {
        if node.index() >= self.lists.len() {
            self.lists.resize(node.index() + 1, None);
        }
        let list = &mut self.lists[node.index()];
        if list.is_none() {
            self.waiting.insert(node);
        }
        let links = &mut self.links;
        let (before, term) = (*list, (coefficient, term));
        let next = before.and_then(|before| links[before as usize].next);
        if let Some(next) = next.filter(|next| links[*next as usize].term == term) {
            *list = Some(next);
            return;
        }
        let continued = *self.known.entry((before, term)).or_insert_with(|| {
            links.push(Link { term, before, sum: None, next: None });
            links.len() as u32 - 1
        });
        *list = Some(continued);
        if let Some(before) = before {
            links[before as usize].next.get_or_insert(continued);
        }
    }

    /// The terms of a list from its last one back to the prefix at which to stop, and this prefix.
    fn tail(&self, list: u32, terms: &mut Vec<Pair>, stop: fn(&Link) -> bool) -> Option<u32> {
        let mut at = Some(list);
        while let Some(link) = at.map(|at| &self.links[at as usize]).filter(|link| !stop(link)) {
            terms.push(link.term);
            at = link.before;
        }
        at
    }

    /// Σ of a list.
    fn sum(&mut self, pool: &mut ExprPool, list: u32) -> ExprId {
        if let Some(sum) = self.links[list as usize].sum {
            return sum;
        }
        let mut terms = pool.spare();
        let prefix = self.tail(list, &mut terms, |link| link.sum.is_some());
        let known = prefix.and_then(|prefix| self.links[prefix as usize].sum);
        terms.extend(known.map(|sum| (ExprPool::ONE, sum)));
        terms.reverse();
        let sum = pool.sum(&terms);
        pool.give_back(terms);
        self.links[list as usize].sum = Some(sum);
        sum
    }

    /// The terms of a list in the order in which they came.
    fn terms(&self, pool: &mut ExprPool, list: u32) -> Vec<Pair> {
        let mut terms = pool.spare();
        self.tail(list, &mut terms, |_| false);
        terms.reverse();
        terms
    }
}

impl ExprPool {
    /// The gradient of `expr` with respect to `symbols`, by one reverse sweep.
    pub fn gradient(&mut self, expr: ExprId, symbols: &[SymbolId]) -> Vec<ExprId> {
        let mask = symbols.iter().fold(0, |mask, symbol| mask | Self::symbol_mask(*symbol));
        if self.mask(expr) & mask == 0 {
            return vec![Self::ZERO; symbols.len()];
        }
        let mut adjoints: FxHashMap<SymbolId, ExprId> = FxHashMap::default();
        let mut contributions = Contributions::default();
        contributions.push(expr, Self::ONE, Self::ONE);
        while let Some(id) = contributions.waiting.pop() {
            let Some(list) = contributions.lists[id.index()] else { continue };
            match self.view(id) {
                View::Symbol(symbol) => {
                    adjoints.insert(symbol, contributions.sum(self, list));
                }
                View::Integral { variable, body, lower, upper } => {
                    let adjoint = contributions.sum(self, list);
                    let integral = (variable, body, lower, upper);
                    self.spread_integral(integral, adjoint, symbols, &mut contributions);
                }
                // Term by term, so that the products meet their like in the forward sweep and
                // cancel there: (a + b)·f' would stay one product.
                View::Call(..) => {
                    let terms = contributions.terms(self, list);
                    for &(c, term) in &terms {
                        let adjoint = self.scale(c, term);
                        self.spread_adjoint(id, adjoint, mask, &mut contributions);
                    }
                    self.give_back(terms);
                }
                _ => {
                    let adjoint = contributions.sum(self, list);
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
        contributions: &mut Contributions,
    ) {
        for (sign, end) in [(Self::ONE, upper), (Self::MINUS_ONE, lower)] {
            if self.contains(end, |s| symbols.contains(&s)) {
                let value = self.integrand_at(body, variable, end);
                contributions.push(end, sign, self.mul(adjoint, value));
            }
        }
        for (symbol, slope) in symbols.iter().zip(self.gradient(body, symbols)) {
            if slope != Self::ZERO {
                let slope = self.integral(slope, variable, lower, upper);
                let symbol = self.symbol_expr(*symbol);
                contributions.push(symbol, Self::ONE, self.mul(adjoint, slope));
            }
        }
    }

    /// Adds a node's adjoint to those of its children.
    fn spread_adjoint(
        &mut self,
        id: ExprId,
        adjoint: ExprId,
        mask: u64,
        contributions: &mut Contributions,
    ) {
        match self.view(id) {
            View::Sum(terms) => {
                for &(c, e) in terms {
                    if self.mask(e) & mask != 0 {
                        contributions.push(e, c, adjoint);
                    }
                }
            }
            View::Product { .. } => {
                for at in self.pair_range(id) {
                    let (base, exponent) = self.pair(at);
                    if self.mask(base) & mask != 0 {
                        let term = product_partial(self, id, at, adjoint);
                        contributions.push(base, Self::ONE, term);
                    }
                    if self.mask(exponent) & mask != 0 {
                        let ln = self.call(crate::Function::Ln, &[base]);
                        let term = self.product_of(&[adjoint, ln, id]);
                        contributions.push(exponent, Self::ONE, term);
                    }
                }
            }
            View::Call(function, arguments) => {
                let arguments = arguments.to_vec();
                for (which, &argument) in arguments.iter().enumerate() {
                    if self.mask(argument) & mask != 0 {
                        let partial = self.call_derivative(function, &arguments, which);
                        contributions.push(argument, Self::ONE, self.mul(adjoint, partial));
                    }
                }
            }
            View::Integral { .. } | View::Number(_) | View::Symbol(_) | View::Undefined => {}
        }
    }
}
