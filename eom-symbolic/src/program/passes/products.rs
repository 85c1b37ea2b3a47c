//! Products as multisets of factors: pairs that stand in several are multiplied once.
//!
//! Trees of multiplications are taken apart into their factors. Then pairs of factors that occur often
//! become factors of their own (`pairs`): of g·c·s and c²·s² it makes p = c·s, g·p, p². What is left of
//! a product is multiplied in the order in which its factors are ready, and a/d with a d of parameters
//! becomes a·(1/d). Sums stay as they are, so that rounding moves a result by units in its last place
//! only.

use super::pairs::{ENTRIES_MAX, Entry, INSTRUCTIONS_MAX, Kind, List, Pair, Pairs};
use crate::pool::ExprPool;
use crate::program::{Builder, Instruction, Program, Value};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lists of factors.
struct Product;

impl Program {
    /// The program with its divisors and products shared, where that costs less.
    pub(in crate::program) fn with_shared_products(self, pool: &ExprPool) -> Self {
        if self.instructions.len() > INSTRUCTIONS_MAX {
            return self;
        }
        let program = self.with_fewer_divisors(pool);
        let fixed = program.fixed(pool);
        let pairs = Pairs::new(&program, &fixed, (&Product, lists(&program)));
        let mut products = Products { program: &program, pairs };
        products.pairs.share();
        let shared = products.rebuilt();
        if shared.cost(pool).total() < program.cost(pool).total() { shared } else { program }
    }
}

/// The products of a program: the lists of those that others than products read.
struct Products<'p> {
    program: &'p Program,
    pairs: Pairs,
}

impl Products<'_> {
    /// Whether an instruction that is computed at each state divides by what is not.
    fn is_divided_once(&self, index: usize, instruction: &Instruction) -> bool {
        let fixed = |value: usize| self.pairs.entries[value].fixed;
        matches!(instruction, Instruction::Div(_, d) if fixed(d.index()) && !fixed(index))
    }

    /// The program with the products as they are now.
    fn rebuilt(&self) -> Program {
        let mut writer =
            Writer { products: &self.pairs, values: vec![None; self.pairs.entries.len()] };
        let rebuilt = self.program.rewritten(|builder, _, index, mapped| {
            let instruction = &self.program.instructions[index];
            let value = match self.pairs.lists.get(&(index as u32)) {
                Some(list) => writer.product(builder, list),
                // Products that only products read are written within these.
                None if matches!(instruction, Instruction::Mul(..)) => Value(0),
                None => match mapped {
                    Instruction::Div(a, d) if self.is_divided_once(index, instruction) => {
                        let inverse = builder.reciprocal(d);
                        builder.mul(a, inverse)
                    }
                    mapped => builder.push(mapped),
                },
            };
            writer.values[index] = Some((value, self.pairs.entries[index].ready));
            value
        });
        rebuilt.finish(self.program.name.clone())
    }
}

/// Writes products.
struct Writer<'p> {
    products: &'p Pairs,
    /// The value of each factor that was written, and when it is ready.
    values: Vec<Option<(Value, u32)>>,
}

impl Writer<'_> {
    fn factor(&mut self, builder: &mut Builder, factor: Entry) -> (Value, u32) {
        if let Some(known) = self.values[factor as usize] {
            return known;
        }
        let known = self.products.entries[factor as usize];
        let value = match known.pair {
            Some(Pair { first, second, .. }) => {
                let (a, b) = (self.factor(builder, first).0, self.factor(builder, second).0);
                builder.mul(a, b)
            }
            None => Value(0),
        };
        self.values[factor as usize] = Some((value, known.ready));
        (value, known.ready)
    }

    /// The product of a list: powers by squaring, then what is ready first.
    fn product(&mut self, builder: &mut Builder, list: &List) -> Value {
        let mut open: BinaryHeap<Reverse<(u32, bool, Value)>> = BinaryHeap::new();
        for (factor, exponent) in list.iter() {
            let (value, ready) = self.factor(builder, factor);
            let fixed = self.products.entries[factor as usize].fixed;
            let steps = u32::BITS - exponent.leading_zeros() - 1;
            let power = builder.powi(value, exponent);
            open.push(Reverse((ready + if fixed { 0 } else { steps }, !fixed, power)));
        }
        while let Some(Reverse((at, moves, a))) = open.pop() {
            let Some(Reverse((later, other_moves, b))) = open.pop() else { return a };
            let moves = moves || other_moves;
            let product = builder.mul(a, b);
            open.push(Reverse((at.max(later) + u32::from(moves), moves, product)));
        }
        builder.constant(1.0)
    }
}

/// The factors of each product that an output or an instruction other than a product reads.
fn lists(program: &Program) -> FxHashMap<u32, List> {
    let is_product = |instruction: &Instruction| matches!(instruction, Instruction::Mul(..));
    let mut needed = program.read_by(|_, instruction| !is_product(instruction));
    let mut all: Vec<List> = Vec::with_capacity(program.instructions.len());
    for (index, instruction) in program.instructions.iter().enumerate() {
        let Instruction::Mul(a, b) = instruction else {
            all.push(List::of(index as u32, 1));
            continue;
        };
        let mut list = all[a.index()].clone();
        for (factor, exponent) in all[b.index()].iter() {
            *list.number(factor) += exponent;
        }
        if list.iter().map(|(_, exponent)| exponent).sum::<u32>() > ENTRIES_MAX {
            // A product that others read as a whole is a product itself.
            list = List::default();
            for value in [a, b] {
                needed[value.index()] = true;
                *list.number(value.0) += 1;
            }
        }
        all.push(list);
    }
    let products = all.into_iter().enumerate();
    let products = products.filter(|(i, _)| needed[*i] && is_product(&program.instructions[*i]));
    products.map(|(index, list)| (index as u32, list)).collect()
}

impl Kind for Product {
    fn pairs(&self, list: &List) -> Vec<(Pair, u32)> {
        let pair = |first, second| Pair { first, second, opposite: false };
        let mut pairs = Vec::new();
        for (at, (a, times)) in list.iter().enumerate() {
            if times > 1 {
                pairs.push((pair(a, a), times / 2));
            }
            let behind = list.iter().skip(at + 1);
            pairs.extend(behind.map(|(b, others)| (pair(a, b), times.min(others))));
        }
        pairs
    }

    fn replace(&self, list: &mut List, Pair { first, second, .. }: Pair, made: Entry, _: bool) {
        let at = |factor| list.get(factor).unwrap_or(0);
        let times = if first == second { at(first) / 2 } else { at(first).min(at(second)) };
        for factor in [first, second] {
            if let Some(exponent) = list.get(factor) {
                match exponent.saturating_sub(times) {
                    0 => list.remove(factor),
                    left => *list.number(factor) = left,
                }
            }
        }
        if times > 0 {
            *list.number(made) += times;
        }
    }
}
