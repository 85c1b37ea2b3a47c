//! The arena in which expressions are interned: one node for each distinct expression, children
//! before parents.

use crate::name;
use crate::node::{ExprId, Function, Partial, SymbolId, SymbolKind, View};
use crate::number::Rational;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

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

/// Nodes and operands that a pool holds at most: a hundred megabytes, a hundred times what the largest
/// of our models takes.
pub const SIZE_MAX: usize = 4_000_000;

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
    /// For each node a 64-bit filter of the symbols below it (bit = index mod 64).
    masks: Vec<u64>,
    /// For each node that holds integrals a number above those of their variables.
    binders: FxHashMap<ExprId, usize>,
    numbers: Vec<Rational>,
    pairs: Vec<(ExprId, ExprId)>,
    arguments: Vec<ExprId>,
    table: HashTable<u32>,
    number_table: FxHashMap<Rational, u32>,
    symbols: Vec<Symbol>,
    symbol_table: FxHashMap<SymbolKind, SymbolId>,
    signatures: Vec<Signature>,
    exceeded: Option<Exceeded>,
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
        let mut pool = Self {
            nodes: Vec::with_capacity(1024),
            masks: Vec::with_capacity(1024),
            binders: FxHashMap::default(),
            numbers: Vec::new(),
            pairs: Vec::with_capacity(4096),
            arguments: Vec::with_capacity(256),
            table: HashTable::with_capacity(1024),
            number_table: FxHashMap::default(),
            symbols: Vec::new(),
            symbol_table: FxHashMap::default(),
            signatures: Vec::new(),
            exceeded: None,
        };
        pool.number(&Rational::ZERO);
        pool.number(&Rational::ONE);
        pool.number(&Rational::MINUS_ONE);
        pool.push(Node::Undefined, 0);
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

    fn pair_slice(&self, start: u32, len: u32) -> &[(ExprId, ExprId)] {
        &self.pairs[start as usize..(start + len) as usize]
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
        self.intern(Node::Symbol(symbol), 1 << (symbol.index() % 64))
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
        if let Some(id) = self.number_table.get(value) {
            return ExprId(*id);
        }
        let index = index_u32(self.numbers.len());
        self.numbers.push(value.clone());
        let id = self.push(Node::Number(index), 0);
        self.number_table.insert(value.clone(), id.0);
        id
    }

    /// Interns an integer.
    pub fn integer(&mut self, value: i64) -> ExprId {
        self.number(&Rational::integer(value))
    }

    /// The number that an expression is, if it is one.
    pub fn as_number(&self, id: ExprId) -> Option<&Rational> {
        match self.nodes[id.index()] {
            Node::Number(index) => Some(&self.numbers[index as usize]),
            _ => None,
        }
    }

    /// A filter of the symbols below a node: a symbol whose bit is clear does not occur.
    pub(crate) fn mask(&self, id: ExprId) -> u64 {
        self.masks[id.index()]
    }

    /// The filter bit of a symbol.
    pub(crate) fn symbol_mask(symbol: SymbolId) -> u64 {
        1 << (symbol.index() % 64)
    }

    /// Interns a sum whose terms are canonical.
    pub(crate) fn intern_sum(&mut self, terms: &[(ExprId, ExprId)]) -> ExprId {
        let mask = terms.iter().fold(0, |mask, (_, expr)| mask | self.mask(*expr));
        self.intern_pairs(0, Self::ONE, terms, mask)
    }

    /// Interns a product whose factors are canonical.
    pub(crate) fn intern_product(
        &mut self,
        coefficient: ExprId,
        factors: &[(ExprId, ExprId)],
    ) -> ExprId {
        let mask = factors
            .iter()
            .fold(0, |mask, (base, exponent)| mask | self.mask(*base) | self.mask(*exponent));
        self.intern_pairs(1, coefficient, factors, mask)
    }

    /// Interns a call that does not fold.
    pub(crate) fn intern_call(&mut self, function: Function, arguments: &[ExprId]) -> ExprId {
        let mask = arguments.iter().fold(0, |mask, argument| mask | self.mask(*argument));
        let hash = hash_of(&(2_u8, function, arguments));
        let (nodes, stored) = (&self.nodes, &self.arguments);
        let found = self.table.find(hash, |&id| match nodes[id as usize] {
            Node::Call { function: f, start, len } => {
                f == function && stored[start as usize..(start + len) as usize] == *arguments
            }
            _ => false,
        });
        if let Some(&id) = found {
            return ExprId(id);
        }
        if !self.has_room(arguments.len()) {
            return Self::UNDEFINED;
        }
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
        let (nodes, stored) = (&self.nodes, &self.arguments);
        let found = self.table.find(hash, |&id| match nodes[id as usize] {
            Node::Integral { variable: v, start } => {
                v == variable && stored[start as usize..start as usize + 3] == parts
            }
            _ => false,
        });
        if let Some(&id) = found {
            return ExprId(id);
        }
        if !self.has_room(parts.len()) {
            return Self::UNDEFINED;
        }
        let mask = parts.iter().fold(0, |mask, part| mask | self.mask(*part));
        let start = index_u32(self.arguments.len());
        self.arguments.extend_from_slice(&parts);
        self.insert(hash, Node::Integral { variable, start }, mask)
    }

    /// A number above those of the variables of the integrals in an expression; 0 without any.
    pub(crate) fn binders(&self, id: ExprId) -> usize {
        self.binders.get(&id).copied().unwrap_or(0)
    }

    /// Whether the expression holds an integral.
    pub fn has_integral(&self, id: ExprId) -> bool {
        self.binders(id) > 0
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

    fn intern_pairs(
        &mut self,
        tag: u8,
        coefficient: ExprId,
        pairs: &[(ExprId, ExprId)],
        mask: u64,
    ) -> ExprId {
        let hash = hash_of(&(tag, coefficient, pairs));
        let (nodes, stored) = (&self.nodes, &self.pairs);
        let same = |start: u32, len: u32| {
            len as usize == pairs.len() && stored[start as usize..(start + len) as usize] == *pairs
        };
        let found = self.table.find(hash, |&id| match nodes[id as usize] {
            Node::Sum { start, len } => tag == 0 && same(start, len),
            Node::Product { coefficient: c, start, len } => {
                tag == 1 && c == coefficient && same(start, len)
            }
            _ => false,
        });
        if let Some(&id) = found {
            return ExprId(id);
        }
        if !self.has_room(pairs.len()) {
            return Self::UNDEFINED;
        }
        let (start, len) = (index_u32(self.pairs.len()), index_u32(pairs.len()));
        self.pairs.extend_from_slice(pairs);
        let node = match tag {
            0 => Node::Sum { start, len },
            _ => Node::Product { coefficient, start, len },
        };
        self.insert(hash, node, mask)
    }

    fn intern(&mut self, node: Node, mask: u64) -> ExprId {
        let Node::Symbol(symbol) = node else { return self.push(node, mask) };
        let hash = hash_of(&(3_u8, symbol));
        let nodes = &self.nodes;
        if let Some(&id) = self.table.find(hash, |&id| nodes[id as usize] == node) {
            return ExprId(id);
        }
        self.insert(hash, node, mask)
    }

    fn insert(&mut self, hash: u64, node: Node, mask: u64) -> ExprId {
        let id = self.push(node, mask);
        let Self { table, nodes, pairs, arguments, .. } = self;
        table.insert_unique(hash, id.0, |&id| hash_node(&nodes[id as usize], pairs, arguments));
        id
    }

    fn push(&mut self, node: Node, mask: u64) -> ExprId {
        let id = ExprId(index_u32(self.nodes.len()));
        self.nodes.push(node);
        self.masks.push(mask);
        let binders = self.binders_of(id);
        if binders > 0 {
            self.binders.insert(id, binders);
        }
        id
    }
}

/// The hash under which a node was inserted; needed when the table grows.
fn hash_node(node: &Node, pairs: &[(ExprId, ExprId)], arguments: &[ExprId]) -> u64 {
    let range = |start: u32, len: u32| start as usize..(start + len) as usize;
    match *node {
        Node::Sum { start, len } => hash_of(&(0_u8, ExprPool::ONE, &pairs[range(start, len)])),
        Node::Product { coefficient, start, len } => {
            hash_of(&(1_u8, coefficient, &pairs[range(start, len)]))
        }
        Node::Call { function, start, len } => {
            hash_of(&(2_u8, function, &arguments[range(start, len)]))
        }
        Node::Symbol(symbol) => hash_of(&(3_u8, symbol)),
        Node::Integral { variable, start } => {
            let start = start as usize;
            let parts = [arguments[start], arguments[start + 1], arguments[start + 2]];
            hash_of(&(4_u8, variable, parts))
        }
        Node::Number(_) | Node::Undefined => 0,
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Ids are 32 bits: 2³² nodes are some 100 GiB, memory ends before.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("a pool of 2^32 nodes does not fit in memory")
}
