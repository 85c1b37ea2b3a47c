//! Walks over the graph of expressions, with sets and tables of nodes that are dense arrays.
//!
//! Children are interned before parents: descending ids are parents before children, so that a set of
//! nodes that grows downwards while it is read from its highest is a walk without a stack, and comes
//! out in order without sorting.

use crate::node::{ExprId, SymbolId, View};
use crate::number::Rational;
use crate::pool::ExprPool;

/// A set of nodes, a bit each, that is emptied from its highest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    words: Vec<u64>,
    /// No word from here on has a bit.
    end: usize,
}

impl Marks {
    /// Adds a node; whether it is new.
    pub(crate) fn insert(&mut self, id: ExprId) -> bool {
        let (word, bit) = (id.index() / 64, 1 << (id.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.end = self.end.max(word + 1);
        is_new
    }

    /// Takes out the highest node.
    pub(crate) fn pop(&mut self) -> Option<ExprId> {
        while self.end > 0 {
            let word = &mut self.words[self.end - 1];
            if *word != 0 {
                let bit = 63 - word.leading_zeros();
                *word ^= 1 << bit;
                return Some(ExprId((self.end as u32 - 1) * 64 + bit));
            }
            self.end -= 1;
        }
        None
    }
}

/// Nodes on a page of a [`Table`].
const PAGE: usize = 256;

/// A number for each of some nodes: an id, or a place in a list. It has the pages that hold some, so that a small
/// expression in a large pool takes little of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// [`Table::NONE`] where there is none.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl Table {
    const NONE: u32 = u32::MAX;

    /// The number of a node, where it has one.
    pub(crate) fn get(&self, id: ExprId) -> Option<u32> {
        let page = self.pages.get(id.index() / PAGE)?.as_ref()?;
        Some(page[id.index() % PAGE]).filter(|number| *number != Self::NONE)
    }

    /// Sets the number of a node.
    pub(crate) fn insert(&mut self, id: ExprId, number: u32) {
        let place = id.index() / PAGE;
        if place >= self.pages.len() {
            self.pages.resize_with(place + 1, || None);
        }
        let page = self.pages[place].get_or_insert_with(|| Box::new([Self::NONE; PAGE]));
        page[id.index() % PAGE] = number;
    }
}

/// A power so high, and a term so small, are as good as zero nearby.
const STEEP: i64 = 6;
const SMALL: f64 = 1e-6;

/// Nodes below which all symbols are known to be of some kind.
#[derive(Debug, Clone, Default)]
pub struct Vetted(Marks);

impl ExprPool {
    /// Whether an identity of these may hold on one part of the states, in doubles, and not on another: of polynomials of low
    /// powers, with coefficients that are not small, and of sines it cannot.
    pub(crate) fn has_branches(&self, roots: &[ExprId]) -> bool {
        self.below(roots).into_iter().any(|id| match self.view(id) {
            View::Call(function, _) => function.has_branches(),
            View::Product { factors, .. } => factors.iter().any(|(_, exponent)| {
                let exponent = self.as_number(*exponent).and_then(Rational::as_integer);
                exponent.is_none_or(|exponent| exponent.abs() >= STEEP)
            }),
            View::Sum(terms) => terms.iter().any(|(coefficient, _)| {
                self.as_number(*coefficient).is_some_and(|c| c.to_f64().abs() < SMALL)
            }),
            _ => false,
        })
    }

    /// Whether all symbols in the expressions are wanted, variables of integrals included. What was
    /// vetted before, with the same wants, is not looked at again.
    pub fn all_symbols(
        &self,
        expressions: &[ExprId],
        vetted: &mut Vetted,
        wanted: impl Fn(SymbolId) -> bool,
    ) -> bool {
        let mut waiting = expressions.to_vec();
        while let Some(id) = waiting.pop() {
            if self.mask(id) == 0 || !vetted.0.insert(id) {
                continue;
            }
            if let View::Symbol(symbol) = self.view(id)
                && !wanted(symbol)
            {
                // What holds it was taken for vetted.
                *vetted = Vetted::default();
                return false;
            }
            self.for_children(id, |child| waiting.push(child));
        }
        true
    }

    /// The nodes below `roots` that may contain a symbol of `mask`, children before parents.
    pub(crate) fn postorder(&self, roots: &[ExprId], mask: u64) -> Vec<ExprId> {
        walk(roots, |id| self.mask(id) & mask != 0, |id, visit| self.for_children(id, visit))
    }

    /// All nodes below the roots, numbers too, children before parents.
    pub(crate) fn below(&self, roots: &[ExprId]) -> Vec<ExprId> {
        walk(roots, |_| true, |id, visit| self.for_children(id, visit))
    }

    /// The same without those of integrands.
    pub(crate) fn below_outside(&self, roots: &[ExprId]) -> Vec<ExprId> {
        self.below_where(roots, |_| true)
    }

    /// Those of them that are reached through nodes that are wanted.
    pub(crate) fn below_where(
        &self,
        roots: &[ExprId],
        wanted: impl Fn(ExprId) -> bool,
    ) -> Vec<ExprId> {
        walk(roots, wanted, |id, visit| match self.view(id) {
            View::Integral { lower, upper, .. } => [lower, upper].into_iter().for_each(visit),
            _ => self.for_children(id, visit),
        })
    }

    /// Calls `visit` with each child of a node, coefficients left out.
    #[inline]
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

    /// Whether an expression holds forces that follow from a state and its mode.
    pub fn holds_forces(&self, expression: ExprId) -> bool {
        let symbols = self.symbols_in(&[expression]);
        symbols.into_iter().any(|symbol| self.symbol_info(symbol).kind.is_force())
    }

    /// The symbols that occur in the expressions, in the order of their declaration; the variable of
    /// an integral does not occur outside of it.
    pub fn symbols_in(&self, expressions: &[ExprId]) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = Vec::new();
        let mut marks = Marks::default();
        let mark = |marks: &mut Marks, id: ExprId| {
            if self.mask(id) != 0 {
                marks.insert(id);
            }
        };
        for id in expressions {
            mark(&mut marks, *id);
        }
        while let Some(id) = marks.pop() {
            match self.view(id) {
                View::Symbol(symbol) => found.push(symbol),
                View::Integral { variable, body, lower, upper } => {
                    found.extend(self.symbols_in(&[body]).iter().filter(|s| **s != variable));
                    for end in [lower, upper] {
                        mark(&mut marks, end);
                    }
                }
                _ => self.for_children(id, |child| mark(&mut marks, child)),
            }
        }
        eom_elementary::order::sort(&mut found);
        found.dedup();
        found
    }
}

/// The nodes that are reached from `roots` through nodes that are wanted, children before parents.
fn walk(
    roots: &[ExprId],
    wanted: impl Fn(ExprId) -> bool,
    for_children: impl Fn(ExprId, &mut dyn FnMut(ExprId)),
) -> Vec<ExprId> {
    let (mut marks, mut order) = (Marks::default(), Vec::new());
    for root in roots.iter().filter(|root| wanted(**root)) {
        marks.insert(*root);
    }
    while let Some(id) = marks.pop() {
        order.push(id);
        for_children(id, &mut |child| {
            if wanted(child) {
                marks.insert(child);
            }
        });
    }
    order.reverse();
    order
}
