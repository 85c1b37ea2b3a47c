//! Sums of a recurrence in the order in which their terms are known.
//!
//! An order waits for the one before: for what of it is known last. Of the terms of a sum, over all of its
//! additions that nothing else reads, the two that are known first are added first, so that the last one
//! waits for one addition alone. When a variable is known follows from the recurrence itself, in
//! operations:
//!
//! ```text
//! known(yₖ₊₁) = known(ẏₖ) + 1        known([a, b]ₖ₊₁) = max(known(aₖ), known(bₖ)) + 2
//! ```
//!
//! After some orders the differences between these are the same for all that follow. A coordinate is known
//! an order before its velocity.

use super::recurrence::{STATE, Series};
use crate::program::{Builder, Instruction, Program, Value};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Orders after which the differences are taken.
const ORDERS: usize = 16;

impl Series {
    /// When each variable of the recurrence is known, of one order.
    pub(super) fn known(&self) -> Vec<u32> {
        let Self { recurrence, state, observed, sums, handed, .. } = self;
        let first = STATE as usize;
        let mut known = vec![0; first + state + handed + sums];
        for _ in 0..ORDERS {
            let ready = recurrence.ready_with(&known);
            let made: Vec<u32> =
                recurrence.outputs.iter().map(|output| ready[output.value.index()]).collect();
            let (slopes, rest) = made.split_at(*state);
            let (left, rest) = rest[*observed..].split_at(*sums);
            let (right, before) = rest.split_at(*sums);
            let states = slopes.iter().map(|slope| slope + 1);
            let pairs = left.iter().zip(right).map(|(left, right)| left.max(right) + 2);
            let next = states.chain(before.iter().copied()).chain(pairs);
            known.truncate(first);
            known.extend(next);
        }
        known
    }
}

impl Program {
    /// The program with the terms of each sum in the order in which they are known, where its variables
    /// are known at these times.
    pub(super) fn adding_late_terms_last(self, known: &[u32]) -> Self {
        let ready = self.ready_with(known);
        let inner = self.inner_sums();
        let mut builder = Builder::new();
        let mut place: Vec<Value> = Vec::with_capacity(self.instructions.len());
        for (index, instruction) in self.instructions.iter().enumerate() {
            let value = match instruction {
                // Of no use by themselves: their terms are those of another sum.
                _ if inner[index] => Value(0),
                _ if is_sum(instruction) => {
                    let terms = self.terms(Value(index as u32), &inner).into_iter();
                    let terms = terms
                        .map(|(minus, value)| (ready[value.index()], minus, place[value.index()]));
                    total(&mut builder, terms)
                }
                _ => builder.push(instruction.map(|value| place[value.index()])),
            };
            place.push(value);
        }
        for output in &self.outputs {
            builder.output(output.name.clone(), place[output.value.index()]);
        }
        builder.finish_as_is(self.name)
    }

    /// Whether each value is a sum that only another sum reads, once.
    fn inner_sums(&self) -> Vec<bool> {
        let (mut reads, mut by_sums) =
            (vec![0; self.instructions.len()], vec![0; self.instructions.len()]);
        for instruction in &self.instructions {
            let by_sum = is_sum(instruction);
            instruction.for_operands(|value| {
                reads[value.index()] += 1;
                by_sums[value.index()] += usize::from(by_sum);
            });
        }
        self.outputs.iter().for_each(|output| reads[output.value.index()] += 1);
        let sums = self.instructions.iter().map(is_sum);
        sums.zip(reads.into_iter().zip(by_sums))
            .map(|(sum, counts)| sum && counts == (1, 1))
            .collect()
    }

    /// The terms of a sum, and whether each is subtracted.
    fn terms(&self, sum: Value, inner: &[bool]) -> Vec<(bool, Value)> {
        let (mut open, mut terms) = (vec![(false, sum)], Vec::new());
        while let Some((minus, value)) = open.pop() {
            match self.instructions[value.index()] {
                _ if value != sum && !inner[value.index()] => terms.push((minus, value)),
                Instruction::Add(a, b) => open.extend([(minus, b), (minus, a)]),
                Instruction::Sub(a, b) => open.extend([(!minus, b), (minus, a)]),
                Instruction::Neg(a) => open.push((!minus, a)),
                _ => terms.push((minus, value)),
            }
        }
        terms
    }
}

/// Whether an instruction is made of terms.
fn is_sum(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Add(..) | Instruction::Sub(..) | Instruction::Neg(_))
}

/// The sum of terms, of each when it is known and whether it is subtracted; of those that are known at
/// once the first come first.
fn total(b: &mut Builder, terms: impl Iterator<Item = (u32, bool, Value)>) -> Value {
    let terms = terms.enumerate();
    let mut open: BinaryHeap<Reverse<(u32, usize, bool, Value)>> =
        terms.map(|(place, (known, minus, value))| Reverse((known, place, minus, value))).collect();
    let mut made = open.len();
    while let Some(Reverse((known, _, minus, x))) = open.pop() {
        let Some(Reverse((later, _, other, y))) = open.pop() else {
            return if minus { b.neg(x) } else { x };
        };
        let (minus, value) = match (minus, other) {
            (false, true) => (false, b.sub(x, y)),
            (true, false) => (false, b.sub(y, x)),
            (minus, _) => (minus, b.add(x, y)),
        };
        open.push(Reverse((known.max(later) + 1, made, minus, value)));
        made += 1;
    }
    b.constant(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sum of variables and products of them, in words, whose letters are known at these times: the
    /// same sum with parentheses.
    fn check(sum: &str, known: [u32; 5], expected: &str) {
        let mut builder = Builder::new();
        let mut total: Option<Value> = None;
        let mut sign = '+';
        for term in sum.split_inclusive(['+', '-']) {
            let letters = term.trim_end_matches(['+', '-']).bytes();
            let variables = letters.map(|letter| u32::from(letter - b'a'));
            let factors: Vec<Value> =
                variables.map(|index| builder.push(Instruction::Variable(index))).collect();
            let product = factors.into_iter().reduce(|a, b| builder.mul(a, b)).unwrap();
            total = Some(match (total, sign) {
                (None, _) => product,
                (Some(total), '-') => builder.sub(total, product),
                (Some(total), _) => builder.add(total, product),
            });
            sign = term.chars().last().unwrap();
        }
        builder.output("sum", total.unwrap());
        let plain = builder.finish("sum");
        let ordered = plain.clone().adding_late_terms_last(&known);
        assert_eq!(words(&ordered, ordered.outputs[0].value), expected, "{sum}");
        let run = |p: &Program| p.run(&|_| 0.0, &|_, _| 0.0, &[0.1, -0.7, 3.0, 0.25, 11.0], &[]);
        assert!((run(&plain)[0] - run(&ordered)[0]).abs() < 1e-14, "{sum}");
    }

    fn words(program: &Program, value: Value) -> String {
        let words = |value: Value| words(program, value);
        match program.instructions[value.index()] {
            Instruction::Variable(index) => char::from(b'a' + index as u8).to_string(),
            Instruction::Neg(a) => format!("-{}", words(a)),
            Instruction::Add(a, b) => format!("({}+{})", words(a), words(b)),
            Instruction::Sub(a, b) => format!("({}-{})", words(a), words(b)),
            Instruction::Mul(a, b) => words(a) + &words(b),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn what_is_known_last_is_added_last() {
        check("a+b+c", [3, 0, 1, 0, 0], "(a+(b+c))");
        check("a+b+c", [0, 1, 3, 0, 0], "(c+(a+b))");
        check("a-b-c", [5, 0, 0, 0, 0], "(a-(b+c))");
        check("a-b+c", [0, 9, 0, 0, 0], "((a+c)-b)");
        check("ab+c+de", [9, 0, 0, 0, 0], "(ab+(c+de))");
        check("a+b+c+d", [0, 0, 0, 0, 0], "((a+b)+(c+d))");
    }

    /// p = a + b is read twice: q = p − c and r = d p.
    #[test]
    fn a_sum_that_others_read_stays_one() {
        let mut builder = Builder::new();
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| builder.push(Instruction::Variable(i)));
        let p = builder.add(a, b);
        let (q, r) = (builder.sub(p, c), builder.mul(d, p));
        let minus = builder.push(Instruction::Neg(q));
        for value in [r, minus] {
            builder.output("", value);
        }
        let ordered = builder.finish("sums").adding_late_terms_last(&[9, 0, 0, 0]);
        let outputs = [0, 1].map(|i| words(&ordered, ordered.outputs[i].value));
        assert_eq!(outputs, ["d(a+b)", "(c-(a+b))"]);
    }
}
