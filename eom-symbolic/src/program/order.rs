//! The order of a program's instructions: one in which few values are live at once.
//!
//! A value is live from its instruction to the last one that reads it, an output to the end. What is not
//! held in a register waits in memory. A program is lowered in the order in which values are first needed,
//! which keeps few of them; where a greedy order keeps fewer at most, it is taken:
//!
//! ```text
//! of the instructions whose operands are known, the one that frees most values;
//! of those the first, in the order as lowered, or in that of a walk from the outputs, depth first
//! ```
//!
//! Which orders keep the fewest is NP-hard (Sethi, Complete register allocation problems, 1975). The
//! results have the same bits in any order.

use super::{Instruction, Output, Program, Value};
use std::collections::BTreeSet;

impl Instruction {
    /// Whether it computes something; others stand in place where they are read.
    pub(super) fn computes(&self) -> bool {
        use Instruction::{Captured, Constant, Input, Variable};
        !matches!(self, Input(_) | Constant(_) | Variable(_) | Captured(_))
    }
}

impl Program {
    /// The most values that are live at once.
    pub fn live_at_most(&self) -> usize {
        let mut graph = Graph::new(self);
        let (mut live, mut most) = (0_isize, 0);
        for (index, instruction) in self.instructions.iter().enumerate() {
            live += isize::from(instruction.computes()) - graph.freed(index);
            graph.read_by(index);
            most = most.max(live);
        }
        most.unsigned_abs()
    }

    /// The same program in the greedy order, where that keeps fewer values; one with integrals as it is.
    pub(super) fn ordered(self) -> Self {
        if !self.integrals.is_empty() {
            return self;
        }
        let as_lowered: Vec<usize> = (0..self.instructions.len()).collect();
        let others =
            [as_lowered, self.depth_first()].map(|rank| self.in_order(&greedy(&self, &rank)));
        let fewer = |best: Self, other: Self| {
            if other.live_at_most() < best.live_at_most() { other } else { best }
        };
        others.into_iter().fold(self, fewer)
    }

    /// The place of each instruction in a walk from the outputs, after what it reads.
    fn depth_first(&self) -> Vec<usize> {
        let mut rank = vec![usize::MAX; self.instructions.len()];
        let mut count = 0;
        let mut path: Vec<usize> = self.outputs.iter().rev().map(|o| o.value.index()).collect();
        while let Some(index) = path.last().copied() {
            let before = path.len();
            if rank[index] == usize::MAX {
                let missing = |value: &Value| rank[value.index()] == usize::MAX;
                self.instructions[index]
                    .for_operands(|v| path.extend(Some(v).filter(missing).map(Value::index)));
            }
            if path.len() == before {
                path.pop();
                if rank[index] == usize::MAX {
                    rank[index] = count;
                    count += 1;
                }
            }
        }
        rank
    }

    /// The same program with its instructions in this order.
    fn in_order(&self, order: &[usize]) -> Self {
        let mut place = vec![Value(0); self.instructions.len()];
        let mut instructions = Vec::with_capacity(order.len());
        for &index in order {
            place[index] = Value(instructions.len() as u32);
            instructions.push(self.instructions[index].map(|value| place[value.index()]));
        }
        let outputs = self.outputs.iter();
        let outputs =
            outputs.map(|o| Output { name: o.name.clone(), value: place[o.value.index()] });
        Self {
            name: self.name.clone(),
            instructions,
            integrals: Vec::new(),
            outputs: outputs.collect(),
        }
    }
}

/// Who reads whom.
struct Graph {
    /// The values that each instruction reads, each once.
    operands: Vec<Vec<usize>>,
    /// The instructions that read each value.
    readers: Vec<Vec<usize>>,
    /// How many of them are still to come; an output counts as one that never does.
    awaited: Vec<usize>,
    computes: Vec<bool>,
}

impl Graph {
    fn new(program: &Program) -> Self {
        let count = program.instructions.len();
        let mut readers = vec![Vec::new(); count];
        let operands = program.instructions.iter().enumerate().map(|(index, instruction)| {
            let mut operands: Vec<usize> = Vec::with_capacity(2);
            instruction.for_operands(|value| operands.push(value.index()));
            operands.sort_unstable();
            operands.dedup();
            for operand in &operands {
                readers[*operand].push(index);
            }
            operands
        });
        let operands: Vec<Vec<usize>> = operands.collect();
        let mut awaited: Vec<usize> = readers.iter().map(Vec::len).collect();
        program.outputs.iter().for_each(|output| awaited[output.value.index()] += 1);
        let computes = program.instructions.iter().map(Instruction::computes).collect();
        Self { operands, readers, awaited, computes }
    }

    /// How many values are live no more after an instruction.
    fn freed(&self, index: usize) -> isize {
        let last = |operand: &&usize| self.computes[**operand] && self.awaited[**operand] == 1;
        self.operands[index].iter().filter(last).count().cast_signed()
    }

    /// An instruction has been placed.
    fn read_by(&mut self, index: usize) {
        for operand in &self.operands[index] {
            self.awaited[*operand] -= 1;
        }
    }
}

/// The greedy order, of equals by their rank.
fn greedy(program: &Program, rank: &[usize]) -> Vec<usize> {
    let count = program.instructions.len();
    let mut graph = Graph::new(program);
    let mut missing: Vec<usize> = graph.operands.iter().map(Vec::len).collect();
    let gain = |graph: &Graph, index: usize| {
        (isize::from(graph.computes[index]) - graph.freed(index), rank[index], index)
    };
    let known = (0..count).filter(|index| missing[*index] == 0);
    let mut ready: BTreeSet<(isize, usize, usize)> =
        known.map(|index| gain(&graph, index)).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((_, _, index)) = ready.pop_first() {
        order.push(index);
        // Values that have one reader left are freed by it.
        let touched: Vec<usize> = graph.operands[index].clone();
        let last_readers = |graph: &Graph| -> Vec<usize> {
            let one_left = touched.iter().filter(|operand| graph.awaited[**operand] <= 2);
            one_left.flat_map(|operand| graph.readers[*operand].iter().copied()).collect()
        };
        let others = last_readers(&graph);
        let before: Vec<_> = others.iter().map(|other| gain(&graph, *other)).collect();
        graph.read_by(index);
        for (other, before) in others.into_iter().zip(before) {
            if ready.remove(&before) {
                ready.insert(gain(&graph, other));
            }
        }
        for reader in &graph.readers[index] {
            missing[*reader] -= 1;
            if missing[*reader] == 0 {
                ready.insert(gain(&graph, *reader));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Builder;

    /// Σ (aᵢ + 1)² of values that are all made first: one sum at a time needs two.
    #[test]
    fn values_that_wait_are_made_when_they_are_read() {
        let mut builder = Builder::new();
        let one = builder.constant(1.0);
        let symbols = (0..6).map(|i| builder.push(Instruction::Variable(i)));
        let symbols: Vec<Value> = symbols.collect();
        let sums: Vec<Value> = symbols.iter().map(|a| builder.add(*a, one)).collect();
        let squares: Vec<Value> = sums.iter().map(|a| builder.mul(*a, *a)).collect();
        let zero = builder.constant(0.0);
        let total = squares.iter().fold(zero, |total, a| builder.add(total, *a));
        builder.output("total", total);
        let program = builder.finish("sum");
        let ordered = program.clone().ordered();
        assert_eq!((program.live_at_most(), ordered.live_at_most()), (6, 2));
        assert_eq!(program.op_counts(), ordered.op_counts());
        let variables = [0.1, -0.7, 3.0, 0.25, 11.0, -2.5];
        let evaluated = |p: &Program| p.run(&|_| 0.0, &|_, _| 0.0, &variables, &[]);
        let [one, other] = [&program, &ordered].map(evaluated);
        assert_eq!(one, other);
    }
}
