//! Pairs that stand in several lists, of the factors of products or the terms of sums.
//!
//! As long as it saves an operation, the pair that occurs most often becomes an entry of its own, in
//! the place of its two in every list. Two entries of parameters that meet in one list are put together
//! first, for what is made of them alone is computed once a run.

use crate::program::Program;
use eom_elementary::order;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lists of more entries are not taken further apart.
pub(in crate::program) const ENTRIES_MAX: u32 = 24;

/// Programs of more instructions stay as they are, so that large systems are derived fast; of the 12-link
/// pendulum it would save nothing.
pub(super) const INSTRUCTIONS_MAX: usize = 800;

/// An entry: a value of the program, or a pair that was made.
pub(in crate::program) type Entry = u32;

/// Two entries, the first of the lower number or the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::program) struct Pair {
    pub(in crate::program) first: Entry,
    pub(in crate::program) second: Entry,
    /// Of terms: whether their signs differ, so that it is first − second.
    pub(in crate::program) opposite: bool,
}

/// The factors of a product with their exponents, or the terms of a sum, of which 1 stands for a negative one: in the
/// order of the entries, each once.
#[derive(Debug, Clone, Default)]
pub(in crate::program) struct List(Vec<(Entry, u32)>);

impl List {
    /// One entry.
    pub(in crate::program) fn of(entry: Entry, number: u32) -> Self {
        Self(vec![(entry, number)])
    }

    pub(in crate::program) fn len(&self) -> usize {
        self.0.len()
    }

    pub(in crate::program) fn iter(&self) -> impl Iterator<Item = (Entry, u32)> {
        self.0.iter().copied()
    }

    /// Two entries each, the first before the second.
    pub(in crate::program) fn twos(&self) -> impl Iterator<Item = [(Entry, u32); 2]> {
        let behind = move |at: usize| {
            let first = self.0[at];
            self.0[at + 1..].iter().map(move |second| [first, *second])
        };
        (0..self.0.len()).flat_map(behind)
    }

    fn place(&self, entry: Entry) -> Result<usize, usize> {
        self.0.binary_search_by(|other| other.0.cmp(&entry))
    }

    /// The number of an entry.
    pub(in crate::program) fn get(&self, entry: Entry) -> Option<u32> {
        self.place(entry).ok().map(|place| self.0[place].1)
    }

    /// The number of an entry, 0 where it is new.
    pub(in crate::program) fn number(&mut self, entry: Entry) -> &mut u32 {
        let place = self.place(entry).unwrap_or_else(|place| {
            self.0.insert(place, (entry, 0));
            place
        });
        &mut self.0[place].1
    }

    pub(in crate::program) fn remove(&mut self, entry: Entry) {
        if let Ok(place) = self.place(entry) {
            self.0.remove(place);
        }
    }
}

/// What the lists are of: products or sums.
pub(in crate::program) trait Kind {
    /// The pairs of a list, each with how often it can be taken out.
    fn pairs(&self, list: &List) -> Vec<(Pair, u32)>;

    /// Of terms: whether the first of a pair is negative.
    fn begins_negative(&self, _: &List, _: Pair) -> bool {
        false
    }

    /// Puts `made`, the pair or its negative, in the place of a pair, as often as that occurs.
    fn replace(&self, list: &mut List, pair: Pair, made: Entry, negative: bool);
}

/// What is known of an entry.
#[derive(Debug, Clone, Copy)]
pub(in crate::program) struct Known {
    /// Whether it depends on parameters only.
    pub(in crate::program) fixed: bool,
    /// The cost of the longest chain up to it.
    pub(in crate::program) ready: u32,
    /// What it was made of.
    pub(in crate::program) pair: Option<Pair>,
    /// Of terms: whether it is −first ∓ second.
    pub(in crate::program) negative: bool,
}

/// Lists, and the pairs in them.
pub(in crate::program) struct Pairs {
    kind: &'static dyn Kind,
    /// Of values of the program the lists that they are made of.
    pub(in crate::program) lists: FxHashMap<u32, List>,
    /// Values first, then pairs.
    pub(in crate::program) entries: Vec<Known>,
    /// Of each pair in how many lists it occurs, with its multiplicity, and where.
    occurrences: FxHashMap<Pair, Occurrences>,
    queue: BinaryHeap<Candidate>,
}

#[derive(Debug, Default)]
struct Occurrences {
    count: u32,
    lists: Vec<u32>,
}

/// A pair by what it saves, then by how soon it is ready, then by its entries.
type Candidate = (u32, Reverse<u32>, Reverse<Pair>);

impl Pairs {
    /// The pairs of lists of a program whose values are `fixed` or not.
    pub(in crate::program) fn new(
        program: &Program,
        fixed: &[bool],
        (kind, lists): (&'static dyn Kind, FxHashMap<u32, List>),
    ) -> Self {
        let ready = program.ready(fixed);
        let known = |(fixed, ready)| Known { fixed, ready, pair: None, negative: false };
        let entries = fixed.iter().copied().zip(ready).map(known).collect();
        let mut order: Vec<u32> = lists.keys().copied().collect();
        order.sort_unstable();
        let (occurrences, queue) = (FxHashMap::default(), BinaryHeap::new());
        let mut pairs = Self { kind, lists, entries, occurrences, queue };
        for list in order {
            for pair in kind.pairs(&pairs.lists[&list]) {
                pairs.count(list, pair);
            }
        }
        let mut all: Vec<Pair> = pairs.occurrences.keys().copied().collect();
        order::sort(&mut all);
        for pair in all {
            pairs.queue_pair(pair);
        }
        pairs
    }

    /// Notes that a pair occurs in a list.
    fn count(&mut self, list: u32, (pair, times): (Pair, u32)) {
        let occurrences = self.occurrences.entry(pair).or_default();
        occurrences.count += times;
        occurrences.lists.push(list);
    }

    /// The two entries of a pair.
    fn known(&self, pair: Pair) -> [Known; 2] {
        [pair.first, pair.second].map(|entry| self.entries[entry as usize])
    }

    /// Whether a pair depends on parameters only.
    fn is_fixed(&self, pair: Pair) -> bool {
        self.known(pair).iter().all(|entry| entry.fixed)
    }

    /// What a pair saves: all but one of its operations, and all where it is computed once a run.
    fn saving(&self, pair: Pair) -> u32 {
        let count = self.occurrences.get(&pair).map_or(0, |occurrences| occurrences.count);
        if self.is_fixed(pair) { count } else { count.saturating_sub(1) }
    }

    fn queue_pair(&mut self, pair: Pair) {
        let saving = self.saving(pair);
        if saving > 0 {
            self.queue.push((saving, Reverse(self.ready(pair)), Reverse(pair)));
        }
    }

    fn ready(&self, pair: Pair) -> u32 {
        let [a, b] = self.known(pair);
        a.ready.max(b.ready) + u32::from(!self.is_fixed(pair))
    }

    /// Makes entries of pairs as long as that saves something.
    pub(in crate::program) fn share(&mut self) {
        while let Some((saving, _, Reverse(pair))) = self.queue.pop() {
            // An entry whose pair has changed since has another one behind it.
            if saving == self.saving(pair) {
                self.make(pair);
            }
        }
    }

    /// Whether the negative of a pair stands in more of these lists than it does itself, and is as soon
    /// written: b − a, or −m − a with a parameter m.
    fn is_negative(&self, pair: Pair, lists: &[u32]) -> bool {
        let is_free = pair.opposite || self.known(pair).iter().any(|entry| entry.fixed);
        let negative = |at: &&u32| {
            self.lists.get(at).is_some_and(|list| self.kind.begins_negative(list, pair))
        };
        is_free && 2 * lists.iter().filter(negative).count() > lists.len()
    }

    fn make(&mut self, pair: Pair) {
        let made = self.entries.len() as Entry;
        let mut lists = self.occurrences.remove(&pair).map(|found| found.lists).unwrap_or_default();
        lists.sort_unstable();
        lists.dedup();
        let negative = self.is_negative(pair, &lists);
        let (fixed, ready) = (self.is_fixed(pair), self.ready(pair));
        self.entries.push(Known { fixed, ready, pair: Some(pair), negative });
        let mut changed: Vec<Pair> = Vec::new();
        for at in lists {
            let Some(list) = self.lists.get(&at) else { continue };
            let before = self.kind.pairs(list);
            let mut list = list.clone();
            self.kind.replace(&mut list, pair, made, negative);
            for (other, times) in before {
                changed.push(other);
                if let Some(occurrences) = self.occurrences.get_mut(&other) {
                    occurrences.count = occurrences.count.saturating_sub(times);
                }
            }
            for found in self.kind.pairs(&list) {
                changed.push(found.0);
                self.count(at, found);
            }
            self.lists.insert(at, list);
        }
        order::sort(&mut changed);
        changed.dedup();
        for pair in changed {
            self.queue_pair(pair);
        }
    }
}
