//! Kernels: straight-line programs over lists of numbers, before they are code.

use std::fmt;

/// Lists that a kernel reads.
pub const READS: usize = 5;

/// Lists that a kernel writes, beside its room.
pub const WRITES: usize = 2;

/// Numbers that an instruction takes at once.
pub(crate) const FOUR: usize = 4;

/// More operations, and places of a list beyond, are refused: so that offsets fit the instructions that name them.
pub(crate) const PLACES_MAX: usize = 1 << 20;

/// A value of a kernel, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

impl Value {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Functions of one number or two, told apart by a number of theirs; the second argument of those of one is anything.
pub type Function = fn(f64, f64, usize) -> f64;

/// An operation; it computes one value, and a sine its cosine as the next.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    /// A number of a list.
    Read(u8, u32),
    /// The bits of a number.
    Constant(u64),
    /// −a.
    Neg(Value),
    /// |a|.
    Abs(Value),
    /// a + b.
    Add(Value, Value),
    /// a − b.
    Sub(Value, Value),
    /// a·b.
    Mul(Value, Value),
    /// a/b.
    Div(Value, Value),
    /// ±a·b ± c, rounded once.
    Fused(Fused, Value, Value, Value),
    /// 1/a, and 0 for a = 0.
    InverseOrZero(Value),
    /// √a.
    Sqrt(Value),
    /// The sine; its cosine is the next value.
    Sine(Value),
    /// That cosine.
    Cosine,
    /// A function.
    Call(Function, usize, Value, Value),
}

/// The signs of a fused product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fused {
    /// a·b + c.
    Add,
    /// a·b − c.
    Sub,
    /// c − a·b.
    From,
}

/// A straight-line program: values in the order in which they are computed, and where results are written.
#[derive(Clone, Default)]
pub struct Kernel {
    pub(crate) operations: Vec<Operation>,
    /// Which value is written to which place of which list.
    pub(crate) outputs: Vec<(Value, u8, u32)>,
    /// How long the lists are, of those that are read and of those that are written, where that is known.
    pub(crate) lengths: Option<([usize; READS], [usize; WRITES])>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a kernel of {} operations", self.operations.len())
    }
}

impl Kernel {
    /// One that computes nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists are as long as this, whatever is read and written of them: a call with others is refused.
    #[must_use]
    pub fn with_lengths(mut self, reads: [usize; READS], writes: [usize; WRITES]) -> Self {
        self.lengths = Some((reads, writes));
        self
    }

    /// How many operations it has.
    pub fn size(&self) -> usize {
        self.operations.len()
    }

    fn push(&mut self, operation: Operation) -> Value {
        self.operations.push(operation);
        Value(self.operations.len() as u32 - 1)
    }

    /// A number of a list that is read, of the first [`READS`].
    pub fn read(&mut self, list: u8, at: u32) -> Value {
        self.push(Operation::Read(list, at))
    }

    /// A constant.
    pub fn constant(&mut self, number: f64) -> Value {
        self.push(Operation::Constant(number.to_bits()))
    }

    /// −a.
    pub fn neg(&mut self, a: Value) -> Value {
        self.push(Operation::Neg(a))
    }

    /// |a|.
    pub fn abs(&mut self, a: Value) -> Value {
        self.push(Operation::Abs(a))
    }

    /// a + b.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Add(a, b))
    }

    /// a − b.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Sub(a, b))
    }

    /// a·b.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Mul(a, b))
    }

    /// a/b.
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        self.push(Operation::Div(a, b))
    }

    /// ±a·b ± c, rounded once.
    pub fn fused(&mut self, signs: Fused, a: Value, b: Value, c: Value) -> Value {
        self.push(Operation::Fused(signs, a, b, c))
    }

    /// 1/a, and 0 for a = 0.
    pub fn inverse_or_zero(&mut self, a: Value) -> Value {
        self.push(Operation::InverseOrZero(a))
    }

    /// √a.
    pub fn sqrt(&mut self, a: Value) -> Value {
        self.push(Operation::Sqrt(a))
    }

    /// Sine and cosine.
    pub fn sin_cos(&mut self, a: Value) -> (Value, Value) {
        (self.push(Operation::Sine(a)), self.push(Operation::Cosine))
    }

    /// `function(a, b, which)`, which must not panic.
    pub fn call(&mut self, function: Function, which: usize, a: Value, b: Value) -> Value {
        self.push(Operation::Call(function, which, a, b))
    }

    /// aⁿ, by the products of [`eom_elementary::powi`].
    pub fn powi(&mut self, a: Value, n: i32) -> Value {
        let (mut square, mut left, mut product) = (a, n.unsigned_abs(), None);
        while left > 0 {
            if left & 1 == 1 {
                // The first is 1·a, which is a.
                product = Some(product.map_or(square, |known| self.mul(known, square)));
            }
            left >>= 1;
            if left > 0 {
                square = self.mul(square, square);
            }
        }
        match (product, n < 0) {
            (None, _) => self.constant(1.0),
            (Some(product), false) => product,
            (Some(product), true) => {
                let one = self.constant(1.0);
                self.div(one, product)
            }
        }
    }

    /// Writes a value to a place of a list, of the [`WRITES`].
    pub fn write(&mut self, value: Value, list: u8, at: u32) {
        self.outputs.push((value, list, at));
    }

    /// Whether all lists are there, and each value is one before it.
    pub(crate) fn is_sound(&self) -> bool {
        let mut sound = self.operations.len() <= PLACES_MAX;
        for (index, operation) in self.operations.iter().enumerate() {
            operation.for_operands(|value| sound &= value.index() < index);
            sound &= match operation {
                Operation::Read(list, at) => is_place(*list, *at, READS),
                Operation::Cosine => {
                    let before = index.checked_sub(1).and_then(|i| self.operations.get(i));
                    matches!(before, Some(Operation::Sine(_)))
                }
                Operation::Sine(_) => {
                    matches!(self.operations.get(index + 1), Some(Operation::Cosine))
                }
                _ => true,
            };
        }
        let writes = |(value, list, at): &(Value, u8, u32)| {
            value.index() < self.operations.len() && is_place(*list, *at, WRITES)
        };
        sound && self.outputs.iter().all(writes)
    }
}

fn is_place(list: u8, at: u32, lists: usize) -> bool {
    usize::from(list) < lists && (at as usize) < PLACES_MAX
}

impl Operation {
    /// Calls `visit` with each value that it reads.
    pub(crate) fn for_operands(&self, mut visit: impl FnMut(Value)) {
        match *self {
            Self::Read(..) | Self::Constant(_) | Self::Cosine => {}
            Self::Neg(a)
            | Self::Abs(a)
            | Self::InverseOrZero(a)
            | Self::Sqrt(a)
            | Self::Sine(a) => visit(a),
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Call(_, _, a, b) => {
                visit(a);
                visit(b);
            }
            Self::Fused(_, a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }
}
