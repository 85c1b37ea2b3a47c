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

use crate::program::{Instruction, Output, Program, Value};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Instruction {
    /// Whether it computes something; others stand in place where they are read.
    pub(in crate::program) fn computes(&self) -> bool {
        use Instruction::{Captured, Constant, Input, Variable};
        !matches!(self, Input(_) | Constant(_) | Variable(_) | Captured(_))
    }
}

impl Program {
    /// The most values that are live at once.
    pub fn live_at_most(&self) -> usize {
        Graph::new(self).live_at_most(0..self.instructions.len())
    }

    /// The same program in the greedy order, where that keeps fewer values; one with integrals as it is.
    pub(in crate::program) fn ordered(self) -> Self {
        if !self.integrals.is_empty() {
            return self;
        }
        let graph = Graph::new(&self);
        let as_lowered: Vec<usize> = (0..self.instructions.len()).collect();
        let (mut fewest, mut best) = (graph.live_at_most(as_lowered.iter().copied()), None);
        for rank in [as_lowered, self.depth_first()] {
            let order = graph.greedy(&rank);
            let live = graph.live_at_most(order.iter().copied());
            if live < fewest {
                (fewest, best) = (live, Some(order));
            }
        }
        match best {
            Some(order) => self.in_order(&order),
            None => self,
        }
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

/// A list of numbers for each instruction, one behind the other.
struct Lists {
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    fn of(&self, index: usize) -> impl Iterator<Item = usize> {
        let [start, end] = [self.starts[index], self.starts[index + 1]];
        self.entries[start as usize..end as usize].iter().map(|entry| *entry as usize)
    }

    fn len(&self, index: usize) -> u32 {
        self.starts[index + 1] - self.starts[index]
    }

    /// For each instruction those in whose lists it stands, in their order.
    fn reversed(&self) -> Self {
        let count = self.starts.len() - 1;
        let mut starts = vec![0; count + 1];
        self.entries.iter().for_each(|entry| starts[*entry as usize + 1] += 1);
        (0..count).for_each(|index| starts[index + 1] += starts[index]);
        let (mut next, mut entries) = (starts.clone(), vec![0; self.entries.len()]);
        for index in 0..count {
            for entry in self.of(index) {
                entries[next[entry] as usize] = index as u32;
                next[entry] += 1;
            }
        }
        Self { starts, entries }
    }
}

/// Who reads whom.
struct Graph {
    /// The values that each instruction reads, each once.
    operands: Lists,
    /// The instructions that read each value.
    readers: Lists,
    /// How many of them there are; an output counts as one that never comes.
    awaited: Vec<u32>,
    computes: Vec<bool>,
}

impl Graph {
    fn new(program: &Program) -> Self {
        let (mut starts, mut entries) =
            (vec![0], Vec::with_capacity(2 * program.instructions.len()));
        for instruction in &program.instructions {
            let start = entries.len();
            instruction.for_operands(|value| {
                let operand = value.index() as u32;
                if !entries[start..].contains(&operand) {
                    entries.push(operand);
                }
            });
            starts.push(entries.len() as u32);
        }
        let operands = Lists { starts, entries };
        let readers = operands.reversed();
        let mut awaited: Vec<u32> =
            (0..program.instructions.len()).map(|index| readers.len(index)).collect();
        program.outputs.iter().for_each(|output| awaited[output.value.index()] += 1);
        let computes = program.instructions.iter().map(Instruction::computes).collect();
        Self { operands, readers, awaited, computes }
    }

    /// The most values that are live at once in an order.
    fn live_at_most(&self, order: impl Iterator<Item = usize>) -> usize {
        let mut awaited = self.awaited.clone();
        let (mut live, mut most) = (0, 0);
        for index in order {
            live += usize::from(self.computes[index]);
            for operand in self.operands.of(index) {
                awaited[operand] -= 1;
                live -= usize::from(awaited[operand] == 0 && self.computes[operand]);
            }
            most = most.max(live);
        }
        most
    }

    /// The greedy order, of equals by their rank.
    fn greedy(&self, rank: &[usize]) -> Vec<usize> {
        let count = rank.len();
        let mut awaited = self.awaited.clone();
        let mut missing: Vec<u32> = (0..count).map(|index| self.operands.len(index)).collect();
        // How many values an instruction adds to those that are live, if it is the next.
        let frees =
            |awaited: &[u32], operand: usize| self.computes[operand] && awaited[operand] == 1;
        let added = |index: usize| {
            let freed = self.operands.of(index).filter(|operand| frees(&awaited, *operand)).count();
            isize::from(self.computes[index]) - freed.cast_signed()
        };
        let mut added: Vec<isize> = (0..count).map(added).collect();
        let mut placed = vec![false; count];
        // What an instruction adds only falls: what stands here of before comes after it.
        let entry = |added: isize, index: usize| Reverse((added, rank[index], index));
        let mut ready: BinaryHeap<_> = (0..count)
            .filter(|index| missing[*index] == 0)
            .map(|index| entry(added[index], index))
            .collect();
        let mut order = Vec::with_capacity(count);
        while let Some(Reverse((_, _, index))) = ready.pop() {
            if std::mem::replace(&mut placed[index], true) {
                continue;
            }
            order.push(index);
            for operand in self.operands.of(index) {
                awaited[operand] -= 1;
                if !frees(&awaited, operand) {
                    continue;
                }
                // One reader is left: it frees the value, unless that is an output.
                let left = self.readers.of(operand).find(|reader| !placed[*reader]);
                if let Some(reader) = left {
                    added[reader] -= 1;
                    if missing[reader] == 0 {
                        ready.push(entry(added[reader], reader));
                    }
                }
            }
            for reader in self.readers.of(index) {
                missing[reader] -= 1;
                if missing[reader] == 0 {
                    ready.push(entry(added[reader], reader));
                }
            }
        }
        order
    }
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
