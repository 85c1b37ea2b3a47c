//! Sums as lists of signed terms: pairs that stand in several are added once.
//!
//! Trees of additions, subtractions and negations are taken apart into terms with their signs. Then pairs
//! that occur often, up to the sign of the pair, become terms of their own (`pairs`):
//!
//! ```text
//! a − b + c,  b − a   →   p = a − b,  p + c,  −p
//! ```
//!
//! What is left of a sum that has changed is added in the order in which its terms are ready, those of
//! parameters first; where all are negative one of these is negated, once a run. Terms are added in
//! another order then: the result is taken where it costs less and rounding moves it no further
//! (`accuracy`).

use super::accuracy::is_as_good;
use super::pairs::{ENTRIES_MAX, Entry, INSTRUCTIONS_MAX, Kind, List, Pair, Pairs};
use crate::pool::ExprPool;
use crate::program::{Builder, Instruction, Program, Value};
use eom_elementary::order;
use rustc_hash::FxHashMap;

/// Terms, the negative ones with this number.
const NEGATIVE: u32 = 1;

/// Lists of terms.
struct Sum;

impl Program {
    /// The program with its sums shared, where that costs less once sums are fused with products.
    pub(in crate::program) fn with_shared_sums(self, pool: &ExprPool) -> Self {
        if self.instructions.len() > INSTRUCTIONS_MAX {
            return self;
        }
        let fixed = self.fixed(pool);
        let mut pairs = Pairs::new(&self, &fixed, (&Sum, lists(&self, &fixed)));
        pairs.share();
        let shared = Sums { program: &self, pairs }.rebuilt();
        let cost = |program: &Self| program.clone().fused(pool).cost(pool).total();
        if cost(&shared) < cost(&self) && is_as_good(&shared, &self, pool) { shared } else { self }
    }
}

/// The sums of a program: the lists of those that others than sums read.
struct Sums<'p> {
    program: &'p Program,
    pairs: Pairs,
}

impl Sums<'_> {
    /// The terms of a sum that is written anew: pairs are among them, or all are negative and one is of
    /// parameters.
    fn anew(&self, index: usize) -> Option<&List> {
        let terms = self.pairs.lists.get(&(index as u32))?;
        let known = || terms.iter().map(|(entry, _)| self.pairs.entries[entry as usize]);
        let is_shared = known().any(|entry| entry.pair.is_some());
        let is_negative = terms.len() > 1 && is_negative(terms);
        (is_shared || is_negative && known().any(|entry| entry.fixed)).then_some(terms)
    }

    /// The program with the sums as they are now.
    fn rebuilt(&self) -> Program {
        let mut writer = Writer { sums: &self.pairs, values: vec![None; self.pairs.entries.len()] };
        let rebuilt = self.program.rewritten(|builder, _, index, mapped| {
            let value = match self.anew(index) {
                Some(terms) => writer.sum(builder, terms),
                None => builder.simplified(mapped),
            };
            writer.values[index] = Some(value);
            value
        });
        rebuilt.finish(self.program.name.clone())
    }
}

/// Writes sums.
struct Writer<'p> {
    sums: &'p Pairs,
    /// The value of each term that was written.
    values: Vec<Option<Value>>,
}

impl Writer<'_> {
    fn term(&mut self, builder: &mut Builder, term: Entry) -> Value {
        if let Some(value) = self.values[term as usize] {
            return value;
        }
        let known = self.sums.entries[term as usize];
        let value = match known.pair {
            Some(Pair { first, second, opposite }) => {
                let mut terms = List::of(first, u32::from(known.negative));
                *terms.number(second) = u32::from(opposite != known.negative);
                self.sum(builder, &terms)
            }
            None => Value(0),
        };
        self.values[term as usize] = Some(value);
        value
    }

    /// The sum of its terms: parameters first, then what is ready first.
    fn sum(&mut self, builder: &mut Builder, terms: &List) -> Value {
        let mut order: Vec<(bool, u32, Entry, bool)> = Vec::with_capacity(terms.len());
        for (entry, number) in terms.iter() {
            let known = self.sums.entries[entry as usize];
            order.push((!known.fixed, known.ready, entry, number == NEGATIVE));
        }
        order::sort(&mut order);
        let all_negative = is_negative(terms);
        let mut sum: Option<(Value, bool)> = None;
        for (moves, _, entry, negative) in order {
            let value = self.term(builder, entry);
            sum = Some(match sum {
                None if all_negative && !moves => (builder.neg(value), false),
                None => (value, negative),
                Some((sum, false)) if negative => (builder.sub(sum, value), false),
                Some((sum, true)) if !negative => (builder.sub(value, sum), false),
                Some((sum, negative)) => (builder.add(sum, value), negative),
            });
        }
        match sum {
            Some((sum, true)) => builder.neg(sum),
            Some((sum, false)) => sum,
            None => builder.constant(0.0),
        }
    }
}

/// The terms of each sum that an output or an instruction other than a sum reads; sums of parameters
/// stay whole.
fn lists(program: &Program, fixed: &[bool]) -> FxHashMap<u32, List> {
    let operands = |index: usize| match program.instructions[index] {
        Instruction::Add(a, b) => Some((a, Some((b, false)))),
        Instruction::Sub(a, b) => Some((a, Some((b, true)))),
        Instruction::Neg(a) => Some((a, None)),
        _ => None,
    };
    let is_sum = |index: usize| !fixed[index] && operands(index).is_some();
    let mut needed = program.read_by(|index, _| !is_sum(index));
    let mut all: Vec<List> = Vec::with_capacity(program.instructions.len());
    let mut lists = FxHashMap::default();
    for index in 0..program.instructions.len() {
        let sum = operands(index).filter(|_| !fixed[index]);
        let terms = sum.and_then(|(a, second)| match second {
            None => Some(negated(&all[a.index()])),
            Some((b, opposite)) => {
                merged(&all[a.index()], &all[b.index()], opposite).or_else(|| {
                    // A sum that is not taken apart is a term itself.
                    (needed[a.index()], needed[b.index()]) = (true, true);
                    let [a, b] = [a, b].map(|value| List::of(value.0, 0));
                    merged(&a, &b, opposite)
                })
            }
        });
        all.push(terms.unwrap_or_else(|| List::of(index as u32, 0)));
    }
    for (index, terms) in all.into_iter().enumerate() {
        if needed[index] && is_sum(index) {
            lists.insert(index as u32, terms);
        }
    }
    lists
}

/// Whether all terms are negative.
fn is_negative(terms: &List) -> bool {
    terms.iter().all(|(_, number)| number == NEGATIVE)
}

/// The terms of −a.
fn negated(terms: &List) -> List {
    let mut negated = terms.clone();
    for (term, number) in terms.iter() {
        *negated.number(term) = number ^ NEGATIVE;
    }
    negated
}

/// The terms of a ± b; none where one is in both, or where they are too many.
fn merged(a: &List, b: &List, opposite: bool) -> Option<List> {
    if a.len() + b.len() > ENTRIES_MAX as usize {
        return None;
    }
    let mut terms = a.clone();
    for (term, number) in b.iter() {
        if terms.get(term).is_some() {
            return None;
        }
        *terms.number(term) = number ^ u32::from(opposite);
    }
    Some(terms)
}

impl Kind for Sum {
    fn pairs(&self, list: &List) -> Vec<(Pair, u32)> {
        let pair = |[(first, negative), (second, other)]: [(Entry, u32); 2]| {
            (Pair { first, second, opposite: negative != other }, 1)
        };
        list.twos().map(pair).collect()
    }

    fn begins_negative(&self, list: &List, pair: Pair) -> bool {
        list.get(pair.first) == Some(NEGATIVE)
    }

    fn replace(
        &self,
        list: &mut List,
        Pair { first, second, opposite }: Pair,
        made: Entry,
        negative: bool,
    ) {
        if let (Some(a), Some(b)) = (list.get(first), list.get(second))
            && (a != b) == opposite
        {
            list.remove(first);
            list.remove(second);
            *list.number(made) = u32::from((a == NEGATIVE) != negative);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::passes::words;

    /// Sums in words: the additions that are computed at each state, and the values.
    fn check(sums: &[&str], additions: usize) {
        let (pool, plain) = words::sums(sums);
        let shared = plain.clone().with_shared_sums(&pool);
        let fixed = shared.fixed(&pool);
        let adds = |(instruction, fixed): &(&Instruction, &bool)| {
            use Instruction::{Add, Neg, Sub};
            !*fixed && matches!(instruction, Add(..) | Sub(..) | Neg(_))
        };
        let found = shared.instructions.iter().zip(&fixed).filter(adds).count();
        assert_eq!(found, additions, "{sums:?}: {shared:?}");
        words::compare(&pool, &plain, &shared);
    }

    #[test]
    fn pairs_of_terms_are_added_once() {
        // table
        check(&["a+b"], 1);
        check(&["a+b", "a-b"], 2);
        check(&["a+c+b", "a+d+b"], 3);
        check(&["c+a-b", "d+b-a"], 3);
        check(&["a+b+c+d", "a+c", "b+d"], 3);
        check(&["ab+d+c", "ab-c+d"], 3);
        check(&["a+b", "a+b+c"], 2);
    }

    #[test]
    fn a_negated_sum_is_the_negative_of_one() {
        // table
        check(&["a-b", "b-a"], 2);
        check(&["-a-b"], 2);
        check(&["-a-m"], 1);
        check(&["m-a", "m-a-g"], 2);
        check(&["c-a-m", "d-a-m"], 3);
        check(&["-a-m", "c-a-m"], 2);
    }

    #[test]
    fn a_term_that_stands_twice_stays() {
        check(&["a+b+a", "a+b"], 2);
        check(&["a+b-a"], 2);
        check(&["a-b-a+c"], 3);
    }

    #[test]
    fn the_longest_sums_are_taken_apart_no_further() {
        let long =
            "a+b+c+d+ab+ac+ad+bc+bd+cd+aa+bb+cc+dd+aab+aac+aad+abb+abc+abd+acc+acd+add+bbc+bbd";
        check(&[long], 24);
    }
}
