//! The arena in which expressions are interned: one node for each distinct expression, children
//! before parents.

mod intern;
mod kinds;

pub(crate) use kinds::Kinds;

use crate::name;
use crate::node::{ExprId, Function, Partial, SymbolId, SymbolKind, View};
use crate::number::Rational;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A term of a sum, coefficient and expression, or a factor of a product, base and exponent.
pub(crate) type Pair = (ExprId, ExprId);

/// A node as it is stored: children live in the pool's two argument arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Number(u32),
    Symbol(SymbolId),
    Sum {
        start: u32,
        len: u32,
    },
    Product {
        coefficient: ExprId,
        start: u32,
        len: u32,
    },
    Call {
        function: Function,
        start: u32,
        len: u32,
    },
    /// Body, lower and upper end from `start` on.
    Integral {
        variable: SymbolId,
        start: u32,
    },
    Undefined,
}

/// What is known of a node beside its parts.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// The hash under which it is interned.
    hash: u64,
    /// A filter of the symbols below it (bit = index mod 60), and four bits of what they are.
    mask: u64,
    /// Symbols, numbers and operations of the expression written out as a tree; the largest number where it is beyond.
    size: u32,
    /// A product without its coefficient, once it was asked for; else itself.
    bare: ExprId,
    /// Of a sum, once it was asked for: whether its content is 1.
    primitive: Option<bool>,
}

/// So many bits of a mask are those of symbols; the others say of what kinds they are.
const FILTER_BITS: usize = 60;

/// The integers whose nodes are found without hashing have a magnitude of at most this.
const SMALL_MAX: i64 = 256;

/// Nodes and operands that a pool holds at most: a hundred megabytes, a hundred times what the largest
/// of our models takes.
pub const SIZE_MAX: usize = 4_000_000;

/// Nodes that a pool has room for at least.
const ROOM_MIN: usize = 1024;

/// Bits that a numerator or a denominator has at most.
const NUMBER_BITS_MAX: u64 = 1 << 16;

/// What grew beyond all use: whatever is built afterwards is [`ExprPool::UNDEFINED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    /// More than [`SIZE_MAX`] nodes and operands.
    Size,
    /// An exact number of more than 2^16 bits.
    Number,
}

/// A symbol: its display name and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name as printed, `θ̇`.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
}

/// A declared function: its name and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The name as declared, `f`.
    pub name: String,
    /// The coordinates (or t) that the function is declared of, at most
    /// [`Partial::ARGUMENTS_MAX`](crate::Partial::ARGUMENTS_MAX).
    pub arguments: Vec<SymbolId>,
}

/// The interning arena of expressions.
///
/// Only the constructors of [`build`](crate::build) add nodes, so that every node is canonical
/// (see [`node`](crate::node)).
#[derive(Debug, Clone)]
pub struct ExprPool {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    /// For each node that holds integrals a number above those of their variables.
    binders: FxHashMap<ExprId, usize>,
    numbers: Vec<Rational>,
    pairs: Vec<Pair>,
    arguments: Vec<ExprId>,
    table: HashTable<u32>,
    number_table: FxHashMap<Rational, ExprId>,
    /// The nodes of −[`SMALL_MAX`], …, [`SMALL_MAX`]; [`ExprPool::UNDEFINED`] where there is none.
    small: Vec<ExprId>,
    symbols: Vec<Symbol>,
    symbol_table: FxHashMap<SymbolKind, SymbolId>,
    signatures: Vec<Signature>,
    exceeded: Option<Exceeded>,
    /// Lists that no constructor works on at present, kept for their memory.
    spare: Vec<Vec<Pair>>,
}

impl Default for ExprPool {
    fn default() -> Self {
        Self::new()
    }
}

impl ExprPool {
    /// 0.
    pub const ZERO: ExprId = ExprId(0);
    /// 1.
    pub const ONE: ExprId = ExprId(1);
    /// −1.
    pub const MINUS_ONE: ExprId = ExprId(2);
    /// The value of an operation outside its domain.
    pub const UNDEFINED: ExprId = ExprId(3);
    /// 2.
    pub const TWO: ExprId = ExprId(4);
    /// 1/2.
    pub const HALF: ExprId = ExprId(5);

    /// A pool that holds the constants only.
    pub fn new() -> Self {
        Self::with_room(ROOM_MIN)
    }

    /// The same with room for so many nodes: to move them while they are made takes as long as to find
    /// them.
    pub fn with_room(nodes: usize) -> Self {
        let nodes = nodes.clamp(ROOM_MIN, SIZE_MAX);
        let mut pool = Self {
            nodes: Vec::with_capacity(nodes),
            facts: Vec::with_capacity(nodes),
            binders: FxHashMap::default(),
            numbers: Vec::new(),
            pairs: Vec::with_capacity(4 * nodes),
            arguments: Vec::with_capacity(nodes / 4),
            table: HashTable::with_capacity(nodes),
            number_table: FxHashMap::default(),
            small: vec![Self::UNDEFINED; 2 * SMALL_MAX as usize + 1],
            symbols: Vec::new(),
            symbol_table: FxHashMap::default(),
            signatures: Vec::new(),
            exceeded: None,
            spare: Vec::new(),
        };
        pool.number(&Rational::ZERO);
        pool.number(&Rational::ONE);
        pool.number(&Rational::MINUS_ONE);
        pool.push(Node::Undefined, 0, 0);
        pool.number(&Rational::integer(2));
        if let Some(half) = Rational::new(1, 2) {
            pool.number(&half);
        }
        pool
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What grew beyond all use, if something did. Each stage of a derivation asks.
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded
    }

    /// Notes that there is room for so many operands, or that there is none.
    fn has_room(&mut self, operands: usize) -> bool {
        let size = self.nodes.len() + self.pairs.len() + self.arguments.len();
        if size + operands > SIZE_MAX {
            self.exceeded.get_or_insert(Exceeded::Size);
        }
        self.exceeded.is_none()
    }

    /// The number as a node, unless it is too long for any use.
    pub(crate) fn bounded_number(&mut self, value: &Rational) -> ExprId {
        if value.bits() > NUMBER_BITS_MAX {
            self.exceeded.get_or_insert(Exceeded::Number);
            return Self::UNDEFINED;
        }
        self.number(value)
    }

    /// Whether the pool holds nothing; it never does, the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Reads a node.
    #[expect(
        clippy::inline_always,
        reason = "a call would build what its caller takes apart at once"
    )]
    #[inline(always)]
    pub fn view(&self, id: ExprId) -> View<'_> {
        match self.nodes[id.index()] {
            Node::Number(index) => View::Number(&self.numbers[index as usize]),
            Node::Symbol(symbol) => View::Symbol(symbol),
            Node::Sum { start, len } => View::Sum(self.pair_slice(start, len)),
            Node::Product { coefficient, start, len } => {
                View::Product { coefficient, factors: self.pair_slice(start, len) }
            }
            Node::Call { function, start, len } => {
                View::Call(function, &self.arguments[start as usize..(start + len) as usize])
            }
            Node::Integral { variable, start } => {
                let at = |offset: usize| self.arguments[start as usize + offset];
                View::Integral { variable, body: at(0), lower: at(1), upper: at(2) }
            }
            Node::Undefined => View::Undefined,
        }
    }

    #[inline]
    fn pair_slice(&self, start: u32, len: u32) -> &[Pair] {
        &self.pairs[start as usize..(start + len) as usize]
    }

    /// Where the terms of a sum or the factors of a product stand, to be read by [`Self::pair`] while
    /// nodes are made; empty for other nodes.
    pub(crate) fn pair_range(&self, id: ExprId) -> Range<usize> {
        match self.nodes[id.index()] {
            Node::Sum { start, len } | Node::Product { start, len, .. } => {
                start as usize..(start + len) as usize
            }
            _ => 0..0,
        }
    }

    /// A term or factor of a [`Self::pair_range`].
    pub(crate) fn pair(&self, at: usize) -> Pair {
        self.pairs[at]
    }

    /// An empty list to build with, to be given back by [`Self::give_back`].
    pub(crate) fn spare(&mut self) -> Vec<Pair> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes back a list of [`Self::spare`].
    pub(crate) fn give_back(&mut self, mut list: Vec<Pair>) {
        list.clear();
        self.spare.push(list);
    }

    /// The symbol of an id.
    pub fn symbol_info(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols[symbol.index()]
    }

    /// All symbols, in the order of their declaration.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The symbol of a kind, where it has been declared.
    pub fn find_symbol(&self, kind: SymbolKind) -> Option<SymbolId> {
        self.symbol_table.get(&kind).copied()
    }

    /// Interns a symbol; the first name given to a kind stays.
    pub fn symbol(&mut self, kind: SymbolKind, name: &str) -> SymbolId {
        if let Some(symbol) = self.find_symbol(kind) {
            return symbol;
        }
        let symbol = SymbolId(index_u32(self.symbols.len()));
        self.symbols.push(Symbol { name: name.to_owned(), kind });
        self.symbol_table.insert(kind, symbol);
        symbol
    }

    /// Declares a function and returns it, underived.
    pub fn function(&mut self, name: &str, arguments: &[SymbolId]) -> Partial {
        let function = u16::try_from(self.signatures.len()).unwrap_or(u16::MAX);
        let arity = arguments.len().min(Partial::ARGUMENTS_MAX) as u8;
        self.signatures.push(Signature { name: name.to_owned(), arguments: arguments.to_vec() });
        Partial { function, arity, orders: [0; Partial::ARGUMENTS_MAX] }
    }

    /// The partial of the given orders of the function of an index.
    pub fn declared(
        &self,
        function: usize,
        orders: [u8; Partial::ARGUMENTS_MAX],
    ) -> Option<Partial> {
        let arity = self.signatures.get(function)?.arguments.len().min(Partial::ARGUMENTS_MAX);
        Some(Partial { function: u16::try_from(function).ok()?, arity: arity as u8, orders })
    }

    /// The name and the arguments of a declared function.
    pub fn signature(&self, partial: Partial) -> &Signature {
        &self.signatures[usize::from(partial.function)]
    }

    /// The names of the arguments by which a partial is differentiated, each as often as it is.
    fn partial_arguments(&self, partial: Partial) -> Vec<&str> {
        let arguments = self.signature(partial).arguments.iter().zip(partial.orders);
        arguments
            .flat_map(|(symbol, order)| {
                let name = self.symbol_info(*symbol).name.as_str();
                std::iter::repeat_n(name, usize::from(order))
            })
            .collect()
    }

    /// The name of a partial, `f_xy`.
    pub fn partial_name(&self, partial: Partial) -> String {
        name::partial(&self.signature(partial).name, &self.partial_arguments(partial))
    }

    /// A partial in LaTeX, `f_{xy}`.
    pub(crate) fn partial_latex(&self, partial: Partial) -> String {
        name::latex_partial(&self.signature(partial).name, &self.partial_arguments(partial))
    }

    /// Whether a partial stands at the arguments that it is declared of.
    pub fn is_at_arguments(&self, partial: Partial, arguments: &[ExprId]) -> bool {
        let declared = &self.signature(partial).arguments;
        declared.iter().map(|s| Some(*s)).eq(arguments.iter().map(|a| self.as_symbol(*a)))
    }

    /// Whether functions are declared.
    pub fn has_functions(&self) -> bool {
        !self.signatures.is_empty()
    }

    /// A partial of a declared function at its declared arguments.
    pub fn at_arguments(&mut self, partial: Partial) -> ExprId {
        let arguments = self.signature(partial).arguments.clone();
        let arguments: Vec<ExprId> = arguments.into_iter().map(|s| self.symbol_expr(s)).collect();
        self.call(Function::Declared(partial), &arguments)
    }

    /// The expression that is a symbol.
    pub fn symbol_expr(&mut self, symbol: SymbolId) -> ExprId {
        self.intern_symbol(symbol)
    }

    /// The symbol that an expression is, if it is one.
    pub fn as_symbol(&self, id: ExprId) -> Option<SymbolId> {
        match self.nodes[id.index()] {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Interns a number.
    pub fn number(&mut self, value: &Rational) -> ExprId {
        if let Some(n) = value.as_integer() {
            return self.integer(n);
        }
        match self.number_table.get(value) {
            Some(id) => *id,
            None => self.push_number(value.clone()),
        }
    }

    /// Interns an integer.
    pub fn integer(&mut self, value: i64) -> ExprId {
        let place = small_place(value);
        let known = match place {
            Some(place) => Some(self.small[place]).filter(|id| *id != Self::UNDEFINED),
            None => self.number_table.get(&Rational::integer(value)).copied(),
        };
        known.unwrap_or_else(|| {
            let id = self.push_number(Rational::integer(value));
            if let Some(place) = place {
                self.small[place] = id;
            }
            id
        })
    }

    fn push_number(&mut self, value: Rational) -> ExprId {
        let index = index_u32(self.numbers.len());
        self.numbers.push(value.clone());
        let id = self.push(Node::Number(index), 0, 0);
        self.number_table.insert(value, id);
        id
    }

    /// The number that an expression is, if it is one.
    #[inline]
    pub fn as_number(&self, id: ExprId) -> Option<&Rational> {
        match self.nodes[id.index()] {
            Node::Number(index) => Some(&self.numbers[index as usize]),
            _ => None,
        }
    }

    /// A filter of the symbols below a node: a symbol whose bit is clear does not occur.
    #[inline]
    pub(crate) fn mask(&self, id: ExprId) -> u64 {
        self.facts[id.index()].mask
    }

    /// The filter bit of a symbol.
    pub(crate) fn symbol_mask(symbol: SymbolId) -> u64 {
        1 << (symbol.index() % FILTER_BITS)
    }
}

/// Where a small integer stands in the table of those.
fn small_place(value: i64) -> Option<usize> {
    let small = (-SMALL_MAX..=SMALL_MAX).contains(&value);
    small.then(|| (value + SMALL_MAX).unsigned_abs() as usize)
}

/// Ids are 32 bits: 2³² nodes are some 100 GiB, memory ends before.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("a pool of 2^32 nodes does not fit in memory")
}
