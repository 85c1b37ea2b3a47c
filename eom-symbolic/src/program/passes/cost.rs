//! What a program costs: the work of its operations, and the longest chain of them.

use crate::pool::ExprPool;
use crate::program::{Instruction, Program};

/// In units of an addition: operations one after the other, and all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::program) struct Cost {
    /// The sum of the weights.
    pub(in crate::program) work: u32,
    /// The largest sum of weights along a chain of instructions, each reading the one before.
    pub(in crate::program) path: u32,
}

impl Cost {
    /// One evaluation waits for the path, many for the work: both count alike.
    pub(in crate::program) fn total(self) -> u32 {
        self.work.saturating_add(self.path)
    }
}

/// The weight of an instruction.
pub(in crate::program) fn weight(instruction: &Instruction) -> u32 {
    // table
    match instruction {
        Instruction::Input(_)
        | Instruction::Constant(_)
        | Instruction::Variable(_)
        | Instruction::Captured(_) => 0,
        Instruction::Neg(_)
        | Instruction::Add(..)
        | Instruction::Sub(..)
        | Instruction::Mul(..)
        | Instruction::MulAdd(..)
        | Instruction::MulSub(..)
        | Instruction::NegMulAdd(..) => 1,
        Instruction::Div(..) | Instruction::InverseOrZero(_) => 5,
        Instruction::Sqrt(_) => 6,
        Instruction::Call(function, ..) => function.description().map_or(12, |of| of.cost),
        Instruction::Powi(..) | Instruction::Powf(..) | Instruction::Partial(..) => 20,
        Instruction::Integral(..) => 1000,
    }
}

impl Program {
    /// For each instruction whether its value depends on parameters and numbers only.
    pub(in crate::program) fn fixed(&self, pool: &ExprPool) -> Vec<bool> {
        let mut fixed: Vec<bool> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let value = match instruction {
                Instruction::Input(symbol) => pool.symbol_info(*symbol).kind.is_fixed(),
                // Functions that are given at run time may be anything.
                Instruction::Variable(_)
                | Instruction::Captured(_)
                | Instruction::Integral(..)
                | Instruction::Partial(..) => false,
                other => {
                    let mut all = true;
                    other.for_operands(|value| all &= fixed[value.index()]);
                    all
                }
            };
            fixed.push(value);
        }
        fixed
    }

    /// The cost of the longest chain up to each value; what is `fixed` is ready from the start.
    pub(in crate::program) fn ready(&self, fixed: &[bool]) -> Vec<u32> {
        self.ready_from(|index| fixed[index].then_some(0))
    }

    /// The same where each variable is known at its time.
    pub(in crate::program) fn ready_with(&self, variables: &[u32]) -> Vec<u32> {
        self.ready_from(|index| match self.instructions[index] {
            Instruction::Variable(variable) => Some(variables[variable as usize]),
            _ => None,
        })
    }

    /// The same where some instructions are ready at times that are known.
    fn ready_from(&self, known: impl Fn(usize) -> Option<u32>) -> Vec<u32> {
        let mut ready: Vec<u32> = Vec::with_capacity(self.instructions.len());
        for (index, instruction) in self.instructions.iter().enumerate() {
            let mut at = 0;
            instruction.for_operands(|value| at = at.max(ready[value.index()]));
            ready.push(known(index).unwrap_or(at + weight(instruction)));
        }
        ready
    }

    /// Its cost; what depends on parameters only is free.
    pub(in crate::program) fn cost(&self, pool: &ExprPool) -> Cost {
        let fixed = self.fixed(pool);
        let (ready, mut cost) = (self.ready(&fixed), Cost::default());
        for (index, instruction) in self.instructions.iter().enumerate() {
            let second = || self.sin_cos_partner(index).is_some_and(|partner| partner < index);
            if !fixed[index] && !second() {
                cost.work = cost.work.saturating_add(weight(instruction));
            }
        }
        cost.path =
            self.outputs.iter().map(|output| ready[output.value.index()]).max().unwrap_or(0);
        cost
    }
}
