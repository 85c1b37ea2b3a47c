//! A program as a flat list of operations over registers.
//!
//! ```text
//! registers = t, q, v | u | parameters | constants | results
//! ```

use crate::operation::{Operation, Register};
use crate::paced::PEAK;
use crate::solve::Solve;
use eom_elementary::{Elementary, Pace};
use std::borrow::Cow;

/// How many numbers a tape is given, by what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inputs {
    /// Entries of q.
    pub positions: usize,
    /// Entries of v.
    pub speeds: usize,
    /// Inputs u.
    pub inputs: usize,
}

impl Inputs {
    /// The registers of t, q and v.
    #[must_use]
    pub const fn state(self) -> usize {
        1 + self.positions + self.speeds
    }

    /// Whether a register is that of a speed.
    pub(crate) const fn is_speed(self, register: usize) -> bool {
        register > self.positions && register < self.state()
    }

    /// The same with u.
    #[must_use]
    pub const fn total(self) -> usize {
        self.state() + self.inputs
    }
}

/// A program over registers.
///
/// The first operations read parameters, inputs and constants only: they are run when those are set. An operation
/// reads registers below its own and writes the next ones, from [`Tape::first`] on.
#[derive(Debug, Clone, PartialEq)]
pub struct Tape {
    /// What it is given.
    pub inputs: Inputs,
    /// The number of parameters.
    pub parameters: usize,
    /// Constants.
    pub constants: Cow<'static, [f64]>,
    /// How many operations come first that read nothing of the state.
    pub fixed: usize,
    /// The operations as words: [`Operation::code`].
    pub operations: Cow<'static, [u64]>,
    /// The number of its registers.
    pub registers: usize,
    /// Where the outputs stand.
    pub outputs: Cow<'static, [Register]>,
    /// The linear system whose solution is the result, where the outputs are the entries of one.
    pub solve: Option<Solve>,
}

impl Tape {
    /// The first register of parameters.
    #[must_use]
    pub const fn header(&self) -> usize {
        self.inputs.total()
    }

    /// The first register of results.
    #[must_use]
    pub fn first(&self) -> usize {
        self.header() + self.parameters + self.constants.len()
    }

    /// The first register of results that depend on the state.
    #[must_use]
    pub fn first_moving(&self) -> usize {
        let fixed = self.operations.iter().take(self.fixed);
        self.first() + fixed.map(|code| Operation::of(*code).results()).sum::<usize>()
    }

    /// How many numbers it gives.
    #[must_use]
    pub fn results(&self) -> usize {
        self.solve.map_or(self.outputs.len(), |solve| solve.unknowns)
    }

    /// Whether a result depends on a register of what is given.
    #[must_use]
    pub fn reads(&self, register: usize) -> bool {
        let named = |operand: Register| operand as usize == register;
        self.outputs.iter().any(|output| named(*output))
            || self.operations.iter().any(|code| {
                let (a, b) = Operation::of(*code).operands();
                named(a) || b.is_some_and(named)
            })
    }

    /// For each result, which of the registers of what is given, t, q, v, u and parameters, it reads.
    pub(crate) fn named(&self) -> Vec<Vec<bool>> {
        let given = self.header() + self.parameters;
        let unit = |register: usize| (0..given).map(|other| other == register).collect();
        let mut known: Vec<Vec<bool>> = (0..given).map(unit).collect();
        known.resize(self.first(), vec![false; given]);
        for code in self.operations.iter() {
            let operation = Operation::of(*code);
            let (a, b) = operation.operands();
            let mut union = known[a as usize].clone();
            if let Some(b) = b {
                union.iter_mut().zip(&known[b as usize]).for_each(|(one, other)| *one |= *other);
            }
            known.extend(std::iter::repeat_n(union, operation.results()));
        }
        let outputs = self.outputs.iter().map(|output| known[*output as usize].clone());
        let Some(solve) = self.solve else { return outputs.collect() };
        let all = outputs.fold(vec![false; given], |mut all, one| {
            all.iter_mut().zip(one).for_each(|(all, one)| *all |= one);
            all
        });
        vec![all; solve.unknowns]
    }

    /// Whether every register that is named exists when it is read.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut next = self.first();
        let each = self.operations.iter().map(|code| Operation::of(*code)).all(|operation| {
            let (a, b) = operation.operands();
            let known = (a as usize) < next && b.is_none_or(|b| (b as usize) < next);
            next += operation.results();
            known
        });
        let named = self.outputs.iter().all(|output| (*output as usize) < self.registers);
        each && named && next <= self.registers && self.fixed <= self.operations.len()
    }

    /// The operations on the state.
    fn moving(&self) -> impl Iterator<Item = Operation> {
        self.operations.iter().skip(self.fixed).map(|code| Operation::of(*code))
    }

    /// Whether a sign or an angle with a cut is taken of the state, or the size of two numbers of it: what jumps or bends at a point
    /// has no pace, and what lies between two such points that are close is not seen.
    #[must_use]
    pub fn has_breaks(&self) -> bool {
        let count =
            |f| self.moving().filter(|o| matches!(o, Operation::Call(g, _) if *g == f)).count();
        let angles = self.moving().filter(|o| matches!(o, Operation::Atan2(..))).count();
        count(Elementary::Sign) + angles > 0 || count(Elementary::Abs) > 1
    }

    /// Whether an operation on the state has a pace, see [`Paced`](crate::Paced).
    #[must_use]
    pub fn has_pace(&self) -> bool {
        let has_pace = self.moving().any(|operation| match operation {
            Operation::Call(f, _) => f.pace() != Pace::None,
            other => matches!(
                other,
                Operation::SinCos(_)
                    | Operation::Powf(..)
                    | Operation::Powi(..)
                    | Operation::Div(..)
                    | Operation::Atan2(..)
            ),
        });
        has_pace || self.has_long_products()
    }

    /// Whether an operation on the state has an edge that is no matter of pace: where its domain ends, or it jumps.
    #[must_use]
    pub fn has_edges(&self) -> bool {
        let is_edge = |o| matches!(o, Operation::Sqrt(_) | Operation::Call(Elementary::Sign, _));
        self.moving().any(is_edge)
    }

    /// Whether some product is one of so many that move that it may be a peak.
    fn has_long_products(&self) -> bool {
        let mut factors: Vec<f64> = vec![0.0; self.first()];
        factors[..self.header()].fill(1.0);
        for code in self.operations.iter() {
            let operation = Operation::of(*code);
            let of = |register: u32| factors[register as usize];
            let (a, b) = operation.operands();
            let own = match operation {
                Operation::Mul(a, b) => of(a) + of(b),
                Operation::Square(a) => 2.0 * of(a),
                Operation::Neg(a) => of(a),
                _ => of(a).max(b.map_or(0.0, of)).min(1.0),
            };
            if own > PEAK {
                return true;
            }
            factors.extend(std::iter::repeat_n(own, operation.results()));
        }
        false
    }
}
