//! Interning: a node whose parts are canonical is found, or made.

use super::{ExprPool, FILTER_BITS, Facts, Kinds, Node, Pair, index_u32};
use crate::node::{ExprId, Function, SymbolId, SymbolKind};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Sums and products of equal parts differ in their hashes by this.
const SUM: u64 = 0;
const PRODUCT: u64 = 1;

impl ExprPool {
    /// Interns a sum whose terms are canonical.
    pub(crate) fn intern_sum(&mut self, terms: &[Pair]) -> ExprId {
        let hash = hash_of_pairs((SUM, Self::ONE), terms);
        let found = self.find(hash, |pool, node| match node {
            Node::Sum { start, len } => pool.pair_slice(start, len) == terms,
            _ => false,
        });
        if let Some(id) = found {
            return id;
        }
        let mask = terms.iter().fold(0, |mask, (_, expr)| mask | self.mask(*expr));
        let Some((start, len)) = self.store(terms) else { return Self::UNDEFINED };
        self.insert(hash, Node::Sum { start, len }, mask)
    }

    /// Interns a product whose factors are canonical.
    pub(crate) fn intern_product(&mut self, coefficient: ExprId, factors: &[Pair]) -> ExprId {
        let hash = hash_of_pairs((PRODUCT, coefficient), factors);
        let found = self.find(hash, |pool, node| match node {
            Node::Product { coefficient: c, start, len } => {
                c == coefficient && pool.pair_slice(start, len) == factors
            }
            _ => false,
        });
        if let Some(id) = found {
            return id;
        }
        let both = |(base, exponent): &Pair| self.mask(*base) | self.mask(*exponent);
        let mask = factors.iter().fold(0, |mask, factor| mask | both(factor));
        let Some((start, len)) = self.store(factors) else { return Self::UNDEFINED };
        self.insert(hash, Node::Product { coefficient, start, len }, mask)
    }

    /// The factors of a product with another coefficient, 1 without one.
    pub(crate) fn with_coefficient(&mut self, coefficient: ExprId, product: ExprId) -> ExprId {
        let mut factors = self.spare();
        factors.extend_from_slice(&self.pairs[self.pair_range(product)]);
        let id = self.intern_product(coefficient, &factors);
        self.give_back(factors);
        id
    }

    /// A product without its coefficient: a single factor is itself.
    pub(crate) fn bare_product(&mut self, product: ExprId) -> ExprId {
        let known = self.facts[product.index()].bare;
        if known != product {
            return known;
        }
        let range = self.pair_range(product);
        let bare = match self.pairs[range] {
            [(base, Self::ONE)] => base,
            _ => self.with_coefficient(Self::ONE, product),
        };
        self.facts[product.index()].bare = bare;
        bare
    }

    /// What is known of whether the content of a sum is 1.
    pub(crate) fn primitive(&mut self, sum: ExprId) -> &mut Option<bool> {
        &mut self.facts[sum.index()].primitive
    }

    /// Interns a call that does not fold.
    pub(crate) fn intern_call(&mut self, function: Function, arguments: &[ExprId]) -> ExprId {
        let hash = hash_of(&(2_u8, function, arguments));
        let found = self.find(hash, |pool, node| match node {
            Node::Call { function: f, start, len } => {
                f == function
                    && pool.arguments[start as usize..(start + len) as usize] == *arguments
            }
            _ => false,
        });
        if let Some(id) = found {
            return id;
        }
        if !self.has_room(arguments.len()) {
            return Self::UNDEFINED;
        }
        let mask = arguments.iter().fold(0, |mask, argument| mask | self.mask(*argument));
        let (start, len) = (index_u32(self.arguments.len()), index_u32(arguments.len()));
        self.arguments.extend_from_slice(arguments);
        self.insert(hash, Node::Call { function, start, len }, mask)
    }

    /// Interns an integral whose variable and body are canonical.
    pub(crate) fn intern_integral(
        &mut self,
        variable: SymbolId,
        body: ExprId,
        lower: ExprId,
        upper: ExprId,
    ) -> ExprId {
        let parts = [body, lower, upper];
        let hash = hash_of(&(4_u8, variable, parts));
        let found = self.find(hash, |pool, node| match node {
            Node::Integral { variable: v, start } => {
                v == variable && pool.arguments[start as usize..start as usize + 3] == parts
            }
            _ => false,
        });
        if let Some(id) = found {
            return id;
        }
        if !self.has_room(parts.len()) {
            return Self::UNDEFINED;
        }
        let mask = parts.iter().fold(0, |mask, part| mask | self.mask(*part));
        let start = index_u32(self.arguments.len());
        self.arguments.extend_from_slice(&parts);
        self.insert(hash, Node::Integral { variable, start }, mask)
    }

    pub(super) fn intern_symbol(&mut self, symbol: SymbolId) -> ExprId {
        let hash = hash_of(&(3_u8, symbol));
        let found = self.find(hash, |_, node| node == Node::Symbol(symbol));
        found.unwrap_or_else(|| {
            let kinds = Kinds::of(self.symbol_info(symbol).kind).0 << FILTER_BITS;
            let mask = Self::symbol_mask(symbol) | kinds;
            self.insert(hash, Node::Symbol(symbol), mask)
        })
    }

    /// A number above those of the variables of the integrals in an expression; 0 without any.
    pub(crate) fn binders(&self, id: ExprId) -> usize {
        self.binders.get(&id).copied().unwrap_or(0)
    }

    /// Whether the expression holds an integral.
    pub fn has_integral(&self, id: ExprId) -> bool {
        self.binders(id) > 0
    }

    /// The size of an expression written out as a tree: one for each symbol, number and operation.
    pub(crate) fn size(&self, id: ExprId) -> usize {
        self.facts[id.index()].size as usize
    }

    /// That of a new node.
    fn size_of(&self, node: Node) -> u32 {
        let size = |id: ExprId| self.facts[id.index()].size;
        let unit = |c: ExprId| u32::from(c != Self::ONE && c != Self::MINUS_ONE);
        let add = |sum: u32, more: u32| sum.saturating_add(more);
        match node {
            Node::Number(_) | Node::Symbol(_) | Node::Undefined => 1,
            Node::Sum { start, len } => self
                .pair_slice(start, len)
                .iter()
                .fold(len - 1, |sum, (c, term)| add(add(sum, unit(*c)), size(*term))),
            Node::Product { coefficient, start, len } => {
                let power = |exponent: ExprId| u32::from(exponent != Self::ONE);
                let factors = self.pair_slice(start, len).iter();
                factors.fold(len - 1 + unit(coefficient), |sum, (base, exponent)| {
                    add(add(sum, power(*exponent)), size(*base))
                })
            }
            Node::Call { start, len, .. } => self.size_of_all(1, start, len),
            Node::Integral { start, .. } => self.size_of_all(1, start, 3),
        }
    }

    /// Some operations and the size of arguments.
    fn size_of_all(&self, operations: u32, start: u32, len: u32) -> u32 {
        let arguments = &self.arguments[start as usize..(start + len) as usize];
        let sizes = arguments.iter().map(|argument| self.facts[argument.index()].size);
        sizes.fold(operations, u32::saturating_add)
    }

    /// That number for a new node.
    fn binders_of(&self, id: ExprId) -> usize {
        let mut binders = match self.nodes[id.index()] {
            Node::Integral { variable, .. } => match self.symbol_info(variable).kind {
                SymbolKind::Bound(k) => k + 1,
                _ => 1,
            },
            _ => 0,
        };
        if !self.binders.is_empty() {
            self.for_children(id, |child| binders = binders.max(self.binders(child)));
        }
        binders
    }

    /// The node of a hash that is `same`.
    fn find(&self, hash: u64, same: impl Fn(&Self, Node) -> bool) -> Option<ExprId> {
        let found = self.table.find(hash, |&id| {
            self.facts[id as usize].hash == hash && same(self, self.nodes[id as usize])
        });
        found.map(|id| ExprId(*id))
    }

    /// Appends operands, where there is room for them: their start and number.
    fn store(&mut self, pairs: &[Pair]) -> Option<(u32, u32)> {
        if !self.has_room(pairs.len()) {
            return None;
        }
        let start = index_u32(self.pairs.len());
        self.pairs.extend_from_slice(pairs);
        Some((start, index_u32(pairs.len())))
    }

    fn insert(&mut self, hash: u64, node: Node, mask: u64) -> ExprId {
        let id = self.push(node, hash, mask);
        let facts = &self.facts;
        self.table.insert_unique(hash, id.0, |&id| facts[id as usize].hash);
        id
    }

    pub(super) fn push(&mut self, node: Node, hash: u64, mask: u64) -> ExprId {
        let id = ExprId(index_u32(self.nodes.len()));
        self.nodes.push(node);
        let size = self.size_of(node);
        self.facts.push(Facts { hash, mask, size, bare: id, primitive: None });
        let binders = self.binders_of(id);
        if binders > 0 {
            self.binders.insert(id, binders);
        }
        id
    }
}

/// The hash of a sum or product: a word for each pair.
fn hash_of_pairs((tag, coefficient): (u64, ExprId), pairs: &[Pair]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(tag << 32 | u64::from(coefficient.0));
    for (a, b) in pairs {
        hasher.write_u64(u64::from(a.0) << 32 | u64::from(b.0));
    }
    hasher.finish()
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
