//! Jacobians: the derivatives of expressions by many symbols, by one forward sweep.
//!
//! Each node has a row, its derivatives that are not zero:
//!
//! ```text
//! row(xⱼ) = eⱼ        row(Σ cᵢ eᵢ) = Σ cᵢ row(eᵢ)        row(f(e₁, e₂, …)) = Σ ∂f/∂eᵢ row(eᵢ)
//! ```
//!
//! The n momenta of a chain of n bodies have n terms each, and a Jacobian with n² entries: that many
//! steps are taken, where n sweeps in the direction of one symbol would each pass all terms.
//!
//! Of a symmetric Jacobian the columns behind the diagonal are those below it.

use crate::diff::{Tangent, product_partial};
use crate::graph::{Marks, Table};
use crate::node::{ExprId, SymbolId, View};
use crate::pool::{ExprPool, Pair};
use eom_elementary::order;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A derivative c·e by the symbol of a column; e may not be a number unless it is 1.
#[derive(Debug, Clone, Copy)]
struct Entry {
    column: u32,
    term: Pair,
}

/// A sweep.
struct Sweep<'s> {
    symbols: &'s [SymbolId],
    columns: FxHashMap<SymbolId, u32>,
    mask: u64,
    /// How many of the first columns are asked for.
    count: u32,
    /// The place in `rows` of each node that was visited.
    known: Table,
    /// Ranges of `entries`, which are in the order of their columns.
    rows: Vec<Range<usize>>,
    entries: Vec<Entry>,
    /// The row that is being made.
    row: Vec<Entry>,
    marks: Marks,
    order: Vec<ExprId>,
}

impl ExprPool {
    /// ∂eᵢ/∂xⱼ, by rows: as many as there are expressions, of as many entries as symbols.
    pub fn jacobian(&mut self, expressions: &[ExprId], symbols: &[SymbolId]) -> Vec<Vec<ExprId>> {
        let mut sweep = Sweep::new(symbols);
        expressions.iter().map(|e| sweep.derivatives(self, *e)).collect()
    }

    /// How many derivatives a sweep makes that are not 0 as the nodes show it.
    pub(crate) fn derivatives_below(&self, expressions: &[ExprId], symbols: &[SymbolId]) -> usize {
        let sweep = Sweep::new(symbols);
        let words = symbols.len().div_ceil(64);
        // The symbols in each node, a bit each, and where those of a node begin.
        let (mut within, mut places, mut count) = (Vec::new(), Table::default(), 0);
        for id in self.postorder(expressions, sweep.mask) {
            let at = within.len();
            within.resize(at + words, 0_u64);
            if let View::Symbol(symbol) = self.view(id)
                && let Some(column) = sweep.columns.get(&symbol)
            {
                within[at + *column as usize / 64] |= 1 << (column % 64);
            }
            self.for_children(id, |child| {
                if let Some(from) = places.get(child) {
                    (0..words).for_each(|word| within[at + word] |= within[from as usize + word]);
                }
            });
            places.insert(id, at as u32);
            count += within[at..].iter().map(|word| word.count_ones() as usize).sum::<usize>();
        }
        count
    }

    /// The same of as many expressions as symbols, ∂eᵢ/∂xⱼ = ∂eⱼ/∂xᵢ: the derivatives of eᵢ by x₀, …,
    /// xᵢ, each brought to the form that `finished` gives it and mirrored.
    pub(crate) fn symmetric_jacobian(
        &mut self,
        expressions: &[ExprId],
        symbols: &[SymbolId],
        finished: impl Fn(&mut Self, ExprId) -> ExprId,
    ) -> Vec<Vec<ExprId>> {
        let n = symbols.len();
        let mut sweep = Sweep::new(symbols);
        let mut matrix = vec![vec![Self::ZERO; n]; n];
        // From the last: what a node has been asked for is as much as it will be.
        for (row, expr) in expressions.iter().enumerate().rev() {
            sweep.count = row as u32 + 1;
            for (column, entry) in sweep.derivatives(self, *expr).into_iter().enumerate() {
                let entry = finished(self, entry);
                matrix[row][column] = entry;
                matrix[column][row] = entry;
            }
        }
        matrix
    }
}

impl<'s> Sweep<'s> {
    fn new(symbols: &'s [SymbolId]) -> Self {
        Self {
            symbols,
            columns: symbols.iter().copied().zip(0..).collect(),
            mask: symbols.iter().fold(0, |mask, symbol| mask | ExprPool::symbol_mask(*symbol)),
            count: symbols.len() as u32,
            known: Table::default(),
            rows: Vec::new(),
            entries: Vec::new(),
            row: Vec::new(),
            marks: Marks::default(),
            order: Vec::new(),
        }
    }

    /// The derivatives of an expression that are asked for.
    fn derivatives(&mut self, pool: &mut ExprPool, expr: ExprId) -> Vec<ExprId> {
        let count = self.count as usize;
        if pool.is_undefined(expr) {
            return vec![expr; count];
        }
        let mut derivatives = vec![ExprPool::ZERO; count];
        self.visit(pool, expr);
        for at in self.wanted(expr) {
            let Entry { column, term: (c, e) } = self.entries[at];
            derivatives[column as usize] = pool.scale(c, e);
        }
        derivatives
    }

    /// Makes the rows of the nodes below an expression that have none yet.
    fn visit(&mut self, pool: &mut ExprPool, expr: ExprId) {
        let Self { marks, order, known, mask, .. } = self;
        let mark = |marks: &mut Marks, id: ExprId| {
            if pool.mask(id) & *mask != 0 && known.get(id).is_none() {
                marks.insert(id);
            }
        };
        mark(marks, expr);
        while let Some(id) = marks.pop() {
            order.push(id);
            pool.for_children(id, |child| mark(marks, child));
        }
        while let Some(id) = self.order.pop() {
            self.make_row(pool, id);
            self.merge(pool);
            self.known.insert(id, self.rows.len() as u32);
            let start = self.entries.len();
            self.entries.append(&mut self.row);
            self.rows.push(start..self.entries.len());
        }
    }

    /// Where the entries of a node stand that are asked for.
    fn wanted(&self, id: ExprId) -> Range<usize> {
        let Some(place) = self.known.get(id) else { return 0..0 };
        let Range { start, end } = self.rows[place as usize].clone();
        start..start + self.entries[start..end].partition_point(|e| e.column < self.count)
    }

    /// The contributions to the row of a node.
    fn make_row(&mut self, pool: &mut ExprPool, id: ExprId) {
        match pool.view(id) {
            View::Number(_) | View::Undefined => {}
            View::Symbol(symbol) => {
                let column = self.columns.get(&symbol).filter(|column| **column < self.count);
                let entry = |column| Entry { column, term: (ExprPool::ONE, ExprPool::ONE) };
                self.row.extend(column.copied().map(entry));
            }
            View::Sum(_) => {
                for at in pool.pair_range(id) {
                    let (c, e) = pool.pair(at);
                    self.add(pool, c, e);
                }
            }
            View::Product { .. } => self.add_product(pool, id),
            View::Call(function, arguments) => {
                let arguments = arguments.to_vec();
                for (which, &argument) in arguments.iter().enumerate() {
                    if !self.wanted(argument).is_empty() {
                        let outer = pool.call_derivative(function, &arguments, which);
                        self.add_times(pool, outer, argument);
                    }
                }
            }
            // Rare, and each derivative an integral of its own.
            View::Integral { .. } => {
                for (column, symbol) in (0..self.count).zip(self.symbols) {
                    let slope = Tangent::partial(*symbol).derivative(pool, id);
                    let term = pool.split_coefficient(slope);
                    self.row.push(Entry { column, term });
                }
            }
        }
    }

    /// d ∏ bᵉ = Σ (∂/∂b ∏)·db + ln(b)·∏·de
    fn add_product(&mut self, pool: &mut ExprPool, id: ExprId) {
        for at in pool.pair_range(id) {
            let (base, exponent) = pool.pair(at);
            if !self.wanted(base).is_empty() {
                let partial = product_partial(pool, id, at, ExprPool::ONE);
                self.add_times(pool, partial, base);
            }
            if !self.wanted(exponent).is_empty() {
                let ln = pool.call(crate::Function::Ln, &[base]);
                let partial = pool.mul(ln, id);
                self.add_times(pool, partial, exponent);
            }
        }
    }

    /// Adds c·row(e).
    fn add(&mut self, pool: &mut ExprPool, c: ExprId, e: ExprId) {
        for at in self.wanted(e) {
            let Entry { column, term: (own, value) } = self.entries[at];
            self.row.push(Entry { column, term: (pool.mul_numbers(c, own), value) });
        }
    }

    /// Adds factor·row(e).
    fn add_times(&mut self, pool: &mut ExprPool, factor: ExprId, e: ExprId) {
        let (c, factor) = pool.split_coefficient(factor);
        if factor == ExprPool::ONE {
            return self.add(pool, c, e);
        }
        for at in self.wanted(e) {
            let Entry { column, term: (own, value) } = self.entries[at];
            let product = pool.mul(factor, value);
            let (more, product) = pool.split_coefficient(product);
            let c = pool.mul_numbers(c, own);
            self.row.push(Entry { column, term: (pool.mul_numbers(c, more), product) });
        }
    }

    /// Orders the contributions by their columns, in each as they came, and adds up those of one.
    fn merge(&mut self, pool: &mut ExprPool) {
        let row = &mut self.row;
        if row.windows(2).all(|pair| pair[0].column < pair[1].column) {
            return;
        }
        order::sort_by_key(row, |entry| entry.column);
        let (mut kept, mut read) = (0, 0);
        let mut terms = pool.spare();
        while let Some(&Entry { column, mut term }) = row.get(read) {
            let same = row[read..].iter().take_while(|entry| entry.column == column).count();
            if same > 1 {
                terms.extend(row[read..read + same].iter().map(|entry| entry.term));
                let sum = pool.sum(&terms);
                terms.clear();
                term = pool.split_coefficient(sum);
            }
            read += same;
            if term.0 != ExprPool::ZERO {
                row[kept] = Entry { column, term };
                kept += 1;
            }
        }
        row.truncate(kept);
        pool.give_back(terms);
    }
}
