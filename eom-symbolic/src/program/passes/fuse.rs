//! Sums that take a product with them: a b + c, rounded once.
//!
//! ```text
//! p = a·b, s = p + c   →   s = a·b + c        also p − c and c − p
//! ```
//!
//! A product is fused with the sums that read it where nothing else does: then it need not be computed. Of
//! two products that make a sum the one that is known last is fused, for the sum waits for it. Products
//! of parameters stay by themselves, since they are computed once a run.
//!
//! a b + c is an operation of IEEE 754, with one rounding where there were two: results are as accurate, in
//! other last bits, and the same on all machines. It is the last of the passes, of the dynamics and of series.

use crate::pool::ExprPool;
use crate::program::{Instruction, Program, Value};

impl Program {
    /// The program with its sums fused with products.
    pub(in crate::program) fn fused(self, pool: &ExprPool) -> Self {
        self.fused_keeping(pool, &mut [])
    }

    /// The same, where each variable is known at its time.
    pub(in crate::program) fn fused_with(self, pool: &ExprPool, variables: &[u32]) -> Self {
        Fusion::new(&self, pool, self.ready_with(variables)).program()
    }

    /// The same, with some of its values kept: others read them.
    pub(in crate::program) fn fused_keeping(mut self, pool: &ExprPool, kept: &mut [Value]) -> Self {
        let outputs = self.outputs.len();
        for value in &*kept {
            self.outputs.push(crate::program::Output { name: String::new(), value: *value });
        }
        let ready = self.ready(&self.fixed(pool));
        let mut fused = Fusion::new(&self, pool, ready).program();
        for (value, output) in kept.iter_mut().zip(fused.outputs.drain(outputs..)) {
            *value = output.value;
        }
        fused
    }
}

/// What is known of a program that is being fused.
struct Fusion<'p> {
    program: &'p Program,
    /// Whether each value is a product that only sums read.
    fusable: Vec<bool>,
    /// When each value is known.
    ready: Vec<u32>,
}

impl<'p> Fusion<'p> {
    fn new(program: &'p Program, pool: &ExprPool, ready: Vec<u32>) -> Self {
        let fixed = program.fixed(pool);
        let is_sum = |instruction: &Instruction| matches!(instruction, Instruction::Add(a, b) | Instruction::Sub(a, b) if a != b);
        let read_otherwise = program.read_by(|_, instruction| !is_sum(instruction));
        let is_fusable = |(index, instruction): (usize, &Instruction)| {
            matches!(instruction, Instruction::Mul(..)) && !fixed[index] && !read_otherwise[index]
        };
        let fusable = program.instructions.iter().enumerate().map(is_fusable).collect();
        Self { program, fusable, ready }
    }

    /// The factors of a product that may be fused.
    fn factors(&self, value: Value) -> Option<(Value, Value)> {
        match self.program.instructions[value.index()] {
            Instruction::Mul(a, b) if self.fusable[value.index()] => Some((a, b)),
            _ => None,
        }
    }

    /// The sum of two terms with the product among them that is known later: as the first of `sums` where
    /// that is x, as the second where it is y.
    fn sum(
        &self,
        (x, y): (Value, Value),
        sums: [fn(Value, Value, Value) -> Instruction; 2],
    ) -> Option<Instruction> {
        let later = self.ready[x.index()] > self.ready[y.index()];
        match (self.factors(x), self.factors(y)) {
            (Some((a, b)), second) if second.is_none() || later => Some(sums[0](a, b, y)),
            (_, Some((a, b))) => Some(sums[1](a, b, x)),
            _ => None,
        }
    }

    /// An instruction with its product, where it is a sum of one.
    fn instruction(&self, instruction: Instruction) -> Instruction {
        let fused = match instruction {
            Instruction::Add(x, y) if x != y => self.sum((x, y), [Instruction::MulAdd; 2]),
            Instruction::Sub(x, y) if x != y => {
                self.sum((x, y), [Instruction::MulSub, Instruction::NegMulAdd])
            }
            _ => None,
        };
        fused.unwrap_or(instruction)
    }

    fn program(&self) -> Program {
        let fused = self.program.rewritten(|builder, place, index, _| {
            let fused = self.instruction(self.program.instructions[index]);
            builder.push(fused.map(|value| place[value.index()]))
        });
        fused.finish_as_is(self.program.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Builder;
    use crate::program::passes::words;

    /// Sums in words: the operations that are left, and the values, which a fused product rounds once.
    fn check(sums: &[&str], left: [usize; 3]) {
        let (pool, plain) = words::sums(sums);
        let fused = plain.clone().fused(&pool);
        let counts = fused.op_counts();
        assert_eq!([counts.add, counts.mul, counts.fused], left, "{sums:?}: {fused:?}");
        words::compare(&pool, &plain, &fused);
    }

    #[test]
    fn a_product_is_fused_where_only_sums_read_it() {
        check(&["ab+c"], [0, 0, 1]);
        check(&["ab-c", "c-ab"], [0, 0, 2]);
        check(&["ab+c", "ab+d"], [0, 0, 2]);
        check(&["ab+c", "ab"], [1, 1, 0]);
        check(&["ab+c", "abd"], [1, 2, 0]);
        check(&["ab+cd"], [0, 1, 1]);
        check(&["abc+ad"], [0, 2, 1]);
        check(&["a+b", "ab"], [1, 1, 0]);
        check(&["mg+a"], [1, 1, 0]);
        check(&["mg+ab"], [0, 1, 1]);
    }

    #[test]
    fn values_that_others_read_are_kept() {
        let mut builder = Builder::new();
        let [a, b, c] = [0, 1, 2].map(|i| builder.push(Instruction::Variable(i)));
        let product = builder.mul(a, b);
        let sum = builder.add(product, c);
        builder.output("sum", sum);
        let mut kept = [product];
        let program = builder.finish("sum").fused_keeping(&ExprPool::new(), &mut kept);
        assert_eq!(program.outputs.len(), 1);
        assert!(matches!(program.instructions[kept[0].index()], Instruction::Mul(..)));
    }
}
