//! Products as multisets of factors: pairs that stand in several are multiplied once.
//!
//! Trees of multiplications are taken apart into their factors. Then, as long as it saves an
//! operation, the pair of factors that occurs most often becomes a factor of its own: of g·c·s and
//! c²·s² it makes p = c·s, g·p, p². Parameters that meet in one product are multiplied with each
//! other first, for what is made of them alone is computed once a run. What is left of a product is
//! multiplied in the order in which its factors are ready, and a/d with a d of parameters becomes
//! a·(1/d). Sums stay as they are, so that rounding
//! moves a result by units in its last place only.

use super::{Builder, Instruction, Program, Value};
use crate::pool::ExprPool;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Products of more factors are not taken further apart.
pub(super) const FACTORS_MAX: u32 = 24;

/// Programs of more instructions stay as they are, so that large systems are derived fast; of the 12-link
/// pendulum it would save nothing.
const INSTRUCTIONS_MAX: usize = 800;

/// A factor: a value of the program that is no product, or a pair that was made.
type Factor = u32;

/// Factors with their exponents.
type Multiset = BTreeMap<Factor, u32>;

impl Program {
    /// The program with its divisors and products shared, where that costs less.
    pub(super) fn with_shared_products(self, pool: &ExprPool) -> Self {
        if self.instructions.len() > INSTRUCTIONS_MAX {
            return self;
        }
        let program = self.with_fewer_divisors(pool);
        let fixed = program.fixed(pool);
        let mut products = Products::new(&program, &fixed);
        products.share();
        let shared = products.rebuilt();
        if shared.cost(pool).total() < program.cost(pool).total() { shared } else { program }
    }
}

/// The products of a program.
struct Products<'p> {
    program: &'p Program,
    /// Of each value its factors, where it is a product that others than products read.
    lists: FxHashMap<u32, Multiset>,
    /// What is known of each factor: values first, then pairs.
    factors: Vec<Known>,
    /// Of each pair in how many products it occurs, with its multiplicity, and where.
    pairs: FxHashMap<(Factor, Factor), Occurrences>,
    queue: BinaryHeap<Candidate>,
}

/// A factor.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// Whether it depends on parameters only.
    fixed: bool,
    /// The cost of the longest chain up to it.
    ready: u32,
    /// The pair it was made of.
    pair: Option<(Factor, Factor)>,
}

#[derive(Debug, Default)]
struct Occurrences {
    count: u32,
    products: Vec<u32>,
}

/// A pair by what it saves, then by how soon it is ready, then by its factors.
type Candidate = (u32, Reverse<u32>, Reverse<(Factor, Factor)>);

impl<'p> Products<'p> {
    fn new(program: &'p Program, fixed: &[bool]) -> Self {
        let ready = program.ready(fixed);
        let known = |(fixed, ready)| Known { fixed, ready, pair: None };
        let factors = fixed.iter().copied().zip(ready).map(known).collect();
        let lists = lists(program);
        let mut products =
            Self { program, lists, factors, pairs: FxHashMap::default(), queue: BinaryHeap::new() };
        let mut order: Vec<u32> = products.lists.keys().copied().collect();
        order.sort_unstable();
        for product in order {
            for pair in pairs_of(&products.lists[&product]) {
                products.count(product, pair);
            }
        }
        let mut all: Vec<(Factor, Factor)> = products.pairs.keys().copied().collect();
        all.sort_unstable();
        for pair in all {
            products.queue_pair(pair);
        }
        products
    }

    /// Notes that a pair occurs in a product.
    fn count(&mut self, product: u32, (pair, times): ((Factor, Factor), u32)) {
        let occurrences = self.pairs.entry(pair).or_default();
        occurrences.count += times;
        occurrences.products.push(product);
    }

    /// What a pair saves: all but one of its multiplications, and all where it is computed once a run.
    fn saving(&self, (a, b): (Factor, Factor)) -> u32 {
        let count = self.pairs.get(&(a, b)).map_or(0, |occurrences| occurrences.count);
        let fixed = self.factors[a as usize].fixed && self.factors[b as usize].fixed;
        if fixed { count } else { count.saturating_sub(1) }
    }

    fn queue_pair(&mut self, pair: (Factor, Factor)) {
        let saving = self.saving(pair);
        if saving > 0 {
            self.queue.push((saving, Reverse(self.ready(pair)), Reverse(pair)));
        }
    }

    fn ready(&self, (a, b): (Factor, Factor)) -> u32 {
        let (a, b) = (self.factors[a as usize], self.factors[b as usize]);
        a.ready.max(b.ready) + u32::from(!(a.fixed && b.fixed))
    }

    /// Makes factors of pairs as long as that saves something.
    fn share(&mut self) {
        while let Some((saving, _, Reverse(pair))) = self.queue.pop() {
            // An entry whose pair has changed since has another one behind it.
            if saving == self.saving(pair) {
                self.make(pair);
            }
        }
    }

    fn make(&mut self, pair: (Factor, Factor)) {
        let (a, b) = (self.factors[pair.0 as usize], self.factors[pair.1 as usize]);
        let made = self.factors.len() as Factor;
        let fixed = a.fixed && b.fixed;
        self.factors.push(Known { fixed, ready: self.ready(pair), pair: Some(pair) });
        let mut products = self.pairs.remove(&pair).map(|found| found.products).unwrap_or_default();
        products.sort_unstable();
        products.dedup();
        let mut changed: Vec<(Factor, Factor)> = Vec::new();
        for product in products {
            let Some(list) = self.lists.get(&product) else { continue };
            let before = pairs_of(list);
            let mut list = list.clone();
            replace(&mut list, pair, made);
            for (other, times) in before {
                changed.push(other);
                if let Some(occurrences) = self.pairs.get_mut(&other) {
                    occurrences.count = occurrences.count.saturating_sub(times);
                }
            }
            for found in pairs_of(&list) {
                changed.push(found.0);
                self.count(product, found);
            }
            self.lists.insert(product, list);
        }
        changed.sort_unstable();
        changed.dedup();
        for pair in changed {
            self.queue_pair(pair);
        }
    }

    /// Whether an instruction that is computed at each state divides by what is not.
    fn is_divided_once(&self, index: usize, instruction: &Instruction) -> bool {
        let fixed = |value: usize| self.factors[value].fixed;
        matches!(instruction, Instruction::Div(_, d) if fixed(d.index()) && !fixed(index))
    }

    /// The program with the products as they are now.
    fn rebuilt(&self) -> Program {
        let mut writer = Writer { products: self, values: vec![None; self.factors.len()] };
        let rebuilt = self.program.rewritten(|builder, _, index, mapped| {
            let instruction = &self.program.instructions[index];
            let value = match self.lists.get(&(index as u32)) {
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
            writer.values[index] = Some((value, self.factors[index].ready));
            value
        });
        rebuilt.finish(self.program.name.clone())
    }
}

/// Writes products.
struct Writer<'p> {
    products: &'p Products<'p>,
    /// The value of each factor that was written, and when it is ready.
    values: Vec<Option<(Value, u32)>>,
}

impl Writer<'_> {
    fn factor(&mut self, builder: &mut Builder, factor: Factor) -> (Value, u32) {
        if let Some(known) = self.values[factor as usize] {
            return known;
        }
        let known = self.products.factors[factor as usize];
        let value = match known.pair {
            Some((a, b)) => {
                let (a, b) = (self.factor(builder, a).0, self.factor(builder, b).0);
                builder.mul(a, b)
            }
            None => Value(0),
        };
        self.values[factor as usize] = Some((value, known.ready));
        (value, known.ready)
    }

    /// The product of a list: powers by squaring, then what is ready first.
    fn product(&mut self, builder: &mut Builder, list: &Multiset) -> Value {
        let mut open: BinaryHeap<Reverse<(u32, bool, Value)>> = BinaryHeap::new();
        for (&factor, &exponent) in list {
            let (value, ready) = self.factor(builder, factor);
            let fixed = self.products.factors[factor as usize].fixed;
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
fn lists(program: &Program) -> FxHashMap<u32, Multiset> {
    let is_product =
        |value: Value| matches!(program.instructions[value.index()], Instruction::Mul(..));
    let mut needed = vec![false; program.instructions.len()];
    let mut need = |value: Value| needed[value.index()] |= is_product(value);
    for instruction in &program.instructions {
        if !matches!(instruction, Instruction::Mul(..)) {
            instruction.for_operands(&mut need);
        }
    }
    program.integrals.iter().for_each(|integral| integral.for_operands(&mut need));
    program.outputs.iter().for_each(|output| need(output.value));
    let mut all: Vec<Multiset> = Vec::with_capacity(program.instructions.len());
    let mut lists = FxHashMap::default();
    for (index, instruction) in program.instructions.iter().enumerate() {
        let whole = Multiset::from([(index as u32, 1)]);
        let Instruction::Mul(a, b) = instruction else {
            all.push(whole);
            continue;
        };
        let mut list = all[a.index()].clone();
        for (&factor, &exponent) in &all[b.index()] {
            *list.entry(factor).or_default() += exponent;
        }
        if list.values().sum::<u32>() > FACTORS_MAX {
            // A product that others read as a whole is a product itself.
            needed[a.index()] |= is_product(*a);
            needed[b.index()] |= is_product(*b);
            list = Multiset::new();
            for value in [a, b] {
                *list.entry(value.0).or_default() += 1;
            }
        }
        all.push(list);
    }
    for (index, list) in all.into_iter().enumerate() {
        if needed[index] {
            lists.insert(index as u32, list);
        }
    }
    lists
}

/// The pairs of a product with their multiplicities.
fn pairs_of(list: &Multiset) -> Vec<((Factor, Factor), u32)> {
    let mut pairs = Vec::new();
    for (&a, &times) in list {
        if times > 1 {
            pairs.push(((a, a), times / 2));
        }
        let behind = list.range(a + 1..);
        pairs.extend(behind.map(|(&b, &others)| ((a, b), times.min(others))));
    }
    pairs
}

/// Puts `made` in the place of a pair, as often as that occurs.
fn replace(list: &mut Multiset, (a, b): (Factor, Factor), made: Factor) {
    let at = |list: &Multiset, factor| list.get(&factor).copied().unwrap_or(0);
    let times = if a == b { at(list, a) / 2 } else { at(list, a).min(at(list, b)) };
    for factor in [a, b] {
        if let Some(exponent) = list.get_mut(&factor) {
            *exponent = exponent.saturating_sub(times);
        }
    }
    list.retain(|_, exponent| *exponent > 0);
    if times > 0 {
        *list.entry(made).or_default() += times;
    }
}
