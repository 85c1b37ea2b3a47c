//! `Program`: straight-line code, the form that is counted, interpreted and emitted.
//!
//! Invariants: an instruction reads only earlier values; every value is used by a later one or
//! by an output; no two instructions are the same; a divisor that several values share is
//! inverted once.

mod builder;
mod derivatives;
mod drawing;
mod dynamics;
mod evaluate;
mod functions;
mod integral;
mod kernels;
mod listing;
mod lower;
mod passes;
pub mod series;
mod system;
mod tape;

pub use builder::Builder;
pub use derivatives::NoDerivatives;
pub use drawing::DrawingPrograms;
pub use dynamics::DYNAMICS_STATEMENTS_MAX;
pub use dynamics::{Passes, SolvedFor};
pub use functions::FunctionProgram;
pub use integral::{Integral, KinkForm};
pub use kernels::{Kernel, Reads};
pub use passes::hoist::Prepared;
pub use series::Series;
pub use system::{SERIES_STATEMENTS_MAX, SystemPrograms};
pub use tape::{SystemTape, SystemTapes};

use crate::node::{Function, Partial, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use std::fmt;
use std::ops::AddAssign;

/// Names a value: the result of the instruction at this position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) u32);

impl Value {
    /// The position of the instruction that computes it.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// The value of a symbol, given from outside.
    Input(SymbolId),
    /// A constant, as the bits of an f64 so that instructions compare and hash.
    Constant(u64),
    /// −a
    Neg(Value),
    /// a + b
    Add(Value, Value),
    /// a − b
    Sub(Value, Value),
    /// a·b
    Mul(Value, Value),
    /// a·b + c, rounded once
    MulAdd(Value, Value, Value),
    /// a·b − c, rounded once
    MulSub(Value, Value, Value),
    /// c − a·b, rounded once
    NegMulAdd(Value, Value, Value),
    /// a/b
    Div(Value, Value),
    /// 1/a, and 0 for a = 0: the length of a direction that dry friction has there
    InverseOrZero(Value),
    /// √a
    Sqrt(Value),
    /// aⁿ for integers too large to be multiplied out
    Powi(Value, i32),
    /// aᵇ
    Powf(Value, Value),
    /// A function; the second value is used by functions of two arguments only.
    Call(Function, Value, Value),
    /// A partial of a declared function at a point; entries beyond its arity repeat the first.
    Partial(Partial, [Value; Partial::ARGUMENTS_MAX]),
    /// Of an integrand: the variable, and in a [`KinkForm`] those of the integrals within.
    Variable(u32),
    /// Of an integrand: a value that it captures, by its place in that list; of [`Prepared`]
    /// programs an output of the one before them.
    Captured(u32),
    /// A component of an integral of [`Program::integrals`].
    Integral(u32, u32),
}

/// A named result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// What it is, as printed in listings.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// Straight-line code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What it computes.
    pub name: String,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// The integrals that instructions name.
    pub integrals: Vec<Integral>,
    /// The results.
    pub outputs: Vec<Output>,
}

/// How many operations a program does; inputs and constants are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpCounts {
    /// Additions, subtractions and negations.
    pub add: usize,
    /// Multiplications.
    pub mul: usize,
    /// Multiplications with an addition, rounded once.
    pub fused: usize,
    /// Divisions.
    pub div: usize,
    /// Square roots.
    pub sqrt: usize,
    /// Angles whose sine, cosine or both are taken.
    pub sin_cos: usize,
    /// Other function calls and powers.
    pub call: usize,
    /// Integrals, each of as many components as are evaluated together.
    pub integral: usize,
}

impl OpCounts {
    /// All of them.
    pub fn total(&self) -> usize {
        self.add
            + self.mul
            + self.fused
            + self.div
            + self.sqrt
            + self.sin_cos
            + self.call
            + self.integral
    }
}

impl AddAssign for OpCounts {
    fn add_assign(&mut self, other: Self) {
        self.add += other.add;
        self.mul += other.mul;
        self.fused += other.fused;
        self.div += other.div;
        self.sqrt += other.sqrt;
        self.sin_cos += other.sin_cos;
        self.call += other.call;
        self.integral += other.integral;
    }
}

impl fmt::Display for OpCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            ("add", self.add),
            ("mul", self.mul),
            ("fused", self.fused),
            ("div", self.div),
            ("sqrt", self.sqrt),
            ("sincos", self.sin_cos),
            ("call", self.call),
            ("integral", self.integral),
        ];
        write!(f, "{} operations", self.total())?;
        let parts: Vec<String> =
            named.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{n} {name}")).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join(", ")) }
    }
}

impl Instruction {
    /// Calls `visit` with each value the instruction reads; those of an integral are its own
    /// [`Integral::for_operands`].
    pub fn for_operands(&self, mut visit: impl FnMut(Value)) {
        match *self {
            Self::Input(_)
            | Self::Constant(_)
            | Self::Variable(_)
            | Self::Captured(_)
            | Self::Integral(..) => {}
            Self::Neg(a) | Self::InverseOrZero(a) | Self::Sqrt(a) | Self::Powi(a, _) => visit(a),
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Powf(a, b) => {
                visit(a);
                visit(b);
            }
            Self::MulAdd(a, b, c) | Self::MulSub(a, b, c) | Self::NegMulAdd(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Self::Call(function, a, b) => {
                visit(a);
                if function.arity() == 2 {
                    visit(b);
                }
            }
            Self::Partial(partial, point) => {
                point[..usize::from(partial.arity)].iter().for_each(|value| visit(*value));
            }
        }
    }

    /// The same instruction on other values.
    #[must_use]
    pub fn map(self, mut f: impl FnMut(Value) -> Value) -> Self {
        match self {
            Self::Input(_)
            | Self::Constant(_)
            | Self::Variable(_)
            | Self::Captured(_)
            | Self::Integral(..) => self,
            Self::Neg(a) => Self::Neg(f(a)),
            Self::InverseOrZero(a) => Self::InverseOrZero(f(a)),
            Self::Sqrt(a) => Self::Sqrt(f(a)),
            Self::Powi(a, n) => Self::Powi(f(a), n),
            Self::Add(a, b) => Self::Add(f(a), f(b)),
            Self::Sub(a, b) => Self::Sub(f(a), f(b)),
            Self::Mul(a, b) => Self::Mul(f(a), f(b)),
            Self::MulAdd(a, b, c) => Self::MulAdd(f(a), f(b), f(c)),
            Self::MulSub(a, b, c) => Self::MulSub(f(a), f(b), f(c)),
            Self::NegMulAdd(a, b, c) => Self::NegMulAdd(f(a), f(b), f(c)),
            Self::Div(a, b) => Self::Div(f(a), f(b)),
            Self::Powf(a, b) => Self::Powf(f(a), f(b)),
            Self::Call(function, a, b) => Self::Call(function, f(a), f(b)),
            Self::Partial(partial, point) => Self::Partial(partial, point.map(f)),
        }
    }
}

impl Program {
    /// The operations of one evaluation.
    pub fn op_counts(&self) -> OpCounts {
        let mut counts = OpCounts::default();
        let mut angles = Vec::new();
        for instruction in &self.instructions {
            match instruction {
                Instruction::Input(_)
                | Instruction::Constant(_)
                | Instruction::Variable(_)
                | Instruction::Captured(_)
                | Instruction::Integral(..) => {}
                Instruction::Neg(_) | Instruction::Add(..) | Instruction::Sub(..) => {
                    counts.add += 1;
                }
                Instruction::Mul(..) => counts.mul += 1,
                Instruction::MulAdd(..) | Instruction::MulSub(..) | Instruction::NegMulAdd(..) => {
                    counts.fused += 1;
                }
                Instruction::Div(..) | Instruction::InverseOrZero(_) => counts.div += 1,
                Instruction::Sqrt(_) => counts.sqrt += 1,
                Instruction::Call(Function::Sin | Function::Cos, angle, _) => angles.push(*angle),
                _ => counts.call += 1,
            }
        }
        eom_elementary::order::sort(&mut angles);
        angles.dedup();
        counts.sin_cos = angles.len();
        counts.integral = self.integrals.len();
        counts
    }

    /// Whether every constant is a finite number, in integrands too.
    pub fn is_finite(&self) -> bool {
        let finite = self.instructions.iter().all(|instruction| match instruction {
            Instruction::Constant(bits) => f64::from_bits(*bits).is_finite(),
            _ => true,
        });
        finite && self.integrals.iter().all(|integral| integral.integrand.is_finite())
    }

    /// Whether it reads forces that follow from a state and its mode.
    pub fn reads_forces(&self, pool: &ExprPool) -> bool {
        self.inputs().into_iter().any(|symbol| pool.symbol_info(symbol).kind.is_force())
    }

    /// Whether it reads accelerations.
    pub fn reads_accelerations(&self, pool: &ExprPool) -> bool {
        let is_one = |symbol| matches!(pool.symbol_info(symbol).kind, SymbolKind::Acceleration(_));
        self.inputs().into_iter().any(is_one)
    }

    /// Whether it reads weights or a direction.
    pub fn reads_direction(&self, pool: &ExprPool) -> bool {
        let is_one = |symbol| {
            matches!(
                pool.symbol_info(symbol).kind,
                SymbolKind::Weight(_) | SymbolKind::Direction(_)
            )
        };
        self.inputs().into_iter().any(is_one)
    }

    /// The symbols it reads, in the order of their first use.
    pub fn inputs(&self) -> Vec<SymbolId> {
        let inputs = self.instructions.iter();
        inputs
            .filter_map(|i| match i {
                Instruction::Input(symbol) => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// Which values are read by an integral, an output or an instruction that `reads` of its place and itself
    /// tells to count.
    fn read_by(&self, reads: impl Fn(usize, &Instruction) -> bool) -> Vec<bool> {
        let mut read = vec![false; self.instructions.len()];
        let mut note = |value: Value| read[value.index()] = true;
        for (index, instruction) in self.instructions.iter().enumerate() {
            if reads(index, instruction) {
                instruction.for_operands(&mut note);
            }
        }
        self.integrals.iter().for_each(|integral| integral.for_operands(&mut note));
        self.outputs.iter().for_each(|output| note(output.value));
        read
    }
}
