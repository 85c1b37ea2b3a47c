//! Many states at once: the dynamics and rates as machine code over lanes of states.
//!
//! ```text
//! columns   ──code──▶ columns, where they stand
//! rows      ──LANES of them──▶ t | q | v | u, the lanes of each number side by side ──code──▶ the same of the results
//!                              the last ones are filled up with the last state
//! ```
//!
//! Each state has the bits that it has alone: lanes do not meet.

use crate::Interpreted;
use crate::code::over_states;
use crate::tape::Tape;
use eom_machine::{Columns, States, Workspace};
use eom_symbolic::program::Kernel;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// States that are put into lanes at once: they have come to memory before code reads them, and the numbers of a large
/// system stay at hand.
const LANES: usize = 32;

/// States that one call of the code takes at most where they stand: what nobody asks for stays at hand.
const CHUNK: usize = 256;

/// The code of functions over lanes of states, made when it is first asked for; none where a function has none.
#[derive(Debug, Default)]
pub(crate) struct CodeInLanes {
    dynamics: OnceLock<Option<Arc<Columns>>>,
    rates: OnceLock<Option<Arc<Columns>>>,
}

/// A function over lanes of states, with what it works in.
#[derive(Debug)]
pub struct InLanes<'s> {
    code: Arc<Columns>,
    parameters: &'s [f64],
    /// How many numbers stand in each of t, q, v, u.
    lengths: [usize; 4],
    /// How many results there are; the speeds come after them.
    outputs: usize,
    state: Vec<f64>,
    work: Workspace,
    /// Lanes of each result, or a chunk of each that is not asked for.
    results: Vec<f64>,
}

/// A list of each state: number i of state j stands at `first + step·j + between·i`; with the step 0 it is one for all.
#[derive(Debug, Clone, Copy)]
pub struct Lists<'a> {
    /// Where they stand.
    pub numbers: &'a [f64],
    /// The place of the first one.
    pub first: usize,
    /// From one state to the next.
    pub step: usize,
    /// From one number of a state to the next.
    pub between: usize,
}

impl<'a> Lists<'a> {
    /// A number of a state.
    ///
    /// # Panics
    /// Where the numbers end before it.
    #[track_caller]
    #[inline]
    #[must_use]
    pub fn number(self, state: usize, i: usize) -> f64 {
        self.numbers[self.first + self.step * state + self.between * i]
    }

    /// The list of a state whose numbers stand side by side, of a length.
    ///
    /// # Panics
    /// Where the numbers end before it.
    #[track_caller]
    #[inline]
    #[must_use]
    pub fn of(self, state: usize, length: usize) -> &'a [f64] {
        debug_assert!(self.between == 1, "its numbers stand apart");
        &self.numbers[self.first + self.step * state..][..length]
    }

    /// A number of some states, from one on, that stands in a column; where it is one for all, the lanes that it was put into.
    #[track_caller]
    #[inline]
    fn column(self, (state, some): (usize, usize), number: usize, one: &'a [f64]) -> &'a [f64] {
        let Self { numbers, first, step, between } = self;
        if step == 0 { one } else { &numbers[first + state + between * number..][..some] }
    }

    /// A number of some states, from one on, into the lanes; where it is one for all, into all of them.
    #[track_caller]
    #[inline]
    fn spread(self, state: usize, together: usize, number: usize, lanes: &mut [f64; LANES]) {
        let Self { numbers, first, step, between } = self;
        let own = &numbers[first + step * state + between * number..];
        if step == 0 {
            return lanes.fill(own[0]);
        }
        // All lanes are a copy of a known length.
        if let Some(all) = own.first_chunk().filter(|_| step == 1 && together == LANES) {
            *lanes = *all;
            return;
        }
        let taken = &mut lanes[..together];
        if step == 1 {
            return taken.copy_from_slice(&own[..together]);
        }
        let mut at = 0;
        for to in taken {
            *to = own[at];
            at += step;
        }
    }

    /// The first numbers of some states, from one on, into the lanes: two of them of two states at a time, where those of a
    /// state stand side by side.
    #[track_caller]
    #[inline]
    fn take(self, state: usize, together: usize, lanes: &mut [[f64; LANES]]) {
        let Self { numbers, first, step, between } = self;
        let is_rows = between == 1 && step > 1 && together.is_multiple_of(2);
        let turned = if is_rows { lanes.len() / 2 * 2 } else { 0 };
        for i in (0..turned).step_by(2) {
            let [one, other] = &mut lanes.as_chunks_mut::<2>().0[i / 2];
            let pairs = one.as_chunks_mut::<2>().0.iter_mut().zip(other.as_chunks_mut::<2>().0);
            let mut at = first + step * state + i;
            for (one, other) in pairs.take(together / 2) {
                let [low, high] = [at, at + step].map(|at| &numbers[at..at + 2]);
                (*one, *other) = ([low[0], high[0]], [low[1], high[1]]);
                at += 2 * step;
            }
        }
        for (i, lanes) in lanes.iter_mut().enumerate().skip(turned) {
            self.spread(state, together, i, lanes);
        }
    }
}

/// Numbers of a state that are asked for.
#[derive(Debug, Clone, Copy)]
pub enum Origin {
    /// Results, from this one on.
    Results(usize),
    /// v itself.
    Speeds,
}

/// Which numbers are asked for, and the columns of a table that they go to.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// The first of them.
    pub from: Origin,
    /// How many.
    pub count: usize,
    /// The column of the first.
    pub column: usize,
}

/// Numbers of states that are written.
#[derive(Debug)]
pub enum Table<'o> {
    /// Rows of so many numbers, one for each state.
    Rows(&'o mut [f64], usize),
    /// A column for each number, of all states.
    Columns(Vec<&'o mut [f64]>),
}

impl Table<'_> {
    /// How many states it has.
    #[must_use]
    pub fn states(&self) -> usize {
        match self {
            Self::Rows(numbers, width) => numbers.len().checked_div(*width).unwrap_or(0),
            Self::Columns(columns) => columns.first().map_or(0, |column| column.len()),
        }
    }

    /// The first so many states, and the others.
    ///
    /// # Panics
    /// Where there are fewer.
    #[track_caller]
    #[must_use]
    pub fn split_at(self, states: usize) -> (Self, Self) {
        match self {
            Self::Rows(numbers, width) => {
                let (first, others) = numbers.split_at_mut(states * width);
                (Self::Rows(first, width), Self::Rows(others, width))
            }
            Self::Columns(columns) => {
                let parts = columns.into_iter().map(|column| column.split_at_mut(states));
                let (first, others) = parts.unzip();
                (Self::Columns(first), Self::Columns(others))
            }
        }
    }

    /// Writes numbers of some states that stand in lanes, from a row and a column on.
    ///
    /// # Panics
    /// Where the table ends before them.
    #[track_caller]
    #[inline]
    fn put(&mut self, (row, column): (usize, usize), together: usize, numbers: &[[f64; LANES]]) {
        match self {
            Self::Rows(rows, width) => {
                let (pairs, last) = numbers.as_chunks::<2>();
                let first = row * *width + column;
                for (i, [one, other]) in pairs.iter().enumerate() {
                    let mut at = first + 2 * i;
                    for (one, other) in one.iter().zip(other).take(together) {
                        rows[at..at + 2].copy_from_slice(&[*one, *other]);
                        at += *width;
                    }
                }
                for numbers in last {
                    let mut at = first + 2 * pairs.len();
                    for number in &numbers[..together] {
                        rows[at] = *number;
                        at += *width;
                    }
                }
            }
            Self::Columns(columns) => {
                for (column, numbers) in columns[column..].iter_mut().zip(numbers) {
                    let own = &mut column[row..][..together];
                    // All lanes are a copy of a known length.
                    match own.as_chunks_mut::<LANES>() {
                        ([own], []) => *own = *numbers,
                        _ => own.copy_from_slice(&numbers[..together]),
                    }
                }
            }
        }
    }
}

impl Wanted {
    /// Its first place among the results and the speeds, where there are so many results.
    fn first(&self, outputs: usize) -> usize {
        match self.from {
            Origin::Results(place) => place,
            Origin::Speeds => outputs,
        }
    }
}

/// The columns that results and speeds go to, in the order of these, none for what is not asked for; nothing where one is
/// asked for twice, or a column is not there.
fn in_order<'t>(
    columns: &'t mut [&mut [f64]],
    wanted: &[Wanted],
    (outputs, all): (usize, usize),
) -> Option<Vec<Option<&'t mut [f64]>>> {
    let mut found: Vec<Option<&mut [f64]>> = (0..all).map(|_| None).collect();
    for (place, column) in columns.iter_mut().enumerate() {
        let is_of =
            |wanted: &&Wanted| (wanted.column..wanted.column + wanted.count).contains(&place);
        if let Some(of) = wanted.iter().find(is_of) {
            *found.get_mut(of.first(outputs) + place - of.column)? = Some(column);
        }
    }
    let asked: usize = wanted.iter().map(|wanted| wanted.count).sum();
    (found.iter().flatten().count() == asked).then_some(found)
}

impl Interpreted {
    /// v̇, then λ, of many states; none where there is no machine code for them, as on other machines, with functions that
    /// are given at run time or integrals, and where a loop solves for them.
    pub fn dynamics_in_lanes(&self) -> Option<InLanes<'_>> {
        let tapes = &self.source.tapes;
        self.is_solved().then(|| self.in_lanes(&tapes.lanes.dynamics, &tapes.dynamics)).flatten()
    }

    /// The same over so many lanes, of those that this machine has, with code that is made for this: the bits are the same.
    pub fn dynamics_in(&self, lanes: usize) -> Option<InLanes<'_>> {
        let tape = &self.source.tapes.dynamics;
        let code =
            (self.is_solved() && self.has_code_of(tape)).then(|| self.code(tape, Some(lanes)));
        Some(self.in_lanes_by(code??, tape))
    }

    /// q̇ of many states, likewise.
    pub fn rates_in_lanes(&self) -> Option<InLanes<'_>> {
        let tapes = &self.source.tapes;
        self.in_lanes(&tapes.lanes.rates, tapes.one(Kernel::Rates))
    }

    /// Of what a loop solves no code is made.
    fn is_solved(&self) -> bool {
        self.source.derivation.programs.dynamics_solved
    }

    fn has_code_of(&self, tape: &Tape) -> bool {
        self.is_machine_code() && (self.declared || tape.calls.is_empty())
    }

    /// How many numbers stand in each of t, q, v, u.
    fn lengths(&self) -> [usize; 4] {
        let info = self.source.info;
        [1, info.positions(), info.speeds(), info.inputs.len()]
    }

    fn code(&self, tape: &Tape, lanes: Option<usize>) -> Option<Arc<Columns>> {
        over_states(tape, self.lengths(), &self.source.tapes.lists, lanes).map(Arc::new)
    }

    fn in_lanes<'s>(
        &'s self,
        code: &'s OnceLock<Option<Arc<Columns>>>,
        tape: &Tape,
    ) -> Option<InLanes<'s>> {
        if !self.has_code_of(tape) {
            return None;
        }
        let code = code.get_or_init(|| self.code(tape, None)).clone()?;
        Some(self.in_lanes_by(code, tape))
    }

    fn in_lanes_by(&self, code: Arc<Columns>, tape: &Tape) -> InLanes<'_> {
        let (lengths, outputs) = (self.lengths(), tape.outputs.len());
        InLanes {
            code,
            parameters: &self.parameters,
            lengths,
            outputs,
            state: vec![0.0; lengths.iter().sum::<usize>() * LANES],
            work: Workspace::default(),
            results: vec![0.0; (outputs + lengths[2]) * CHUNK],
        }
    }
}

impl InLanes<'_> {
    /// Writes numbers of some states, with their t, q, v and u, to a table, the first of them to a row. Whether all of these are
    /// finite.
    ///
    /// # Panics
    /// Where a list or the table ends before it should.
    #[track_caller]
    pub fn evaluate(
        &mut self,
        states: Range<usize>,
        lists: [Lists<'_>; 4],
        wanted: &[Wanted],
        (table, row): (&mut Table<'_>, usize),
    ) -> bool {
        let some = (states.clone(), lists);
        let (done, mut are_finite) = self.where_they_stand(some, wanted, (table, row));
        for (block, first) in (states.start + done..states.end).step_by(LANES).enumerate() {
            let together = (first + LANES).min(states.end) - first;
            self.take(first, together, lists);
            are_finite &= self.run(together);
            for wanted in wanted {
                let numbers = &self.numbers(wanted.from)[..wanted.count];
                table.put((row + done + block * LANES, wanted.column), together, numbers);
            }
        }
        are_finite
    }

    /// The same of as many states as fill registers, where all of their numbers stand in columns; how many these are, and
    /// whether their numbers are finite.
    #[track_caller]
    fn where_they_stand(
        &mut self,
        (states, lists): (Range<usize>, [Lists<'_>; 4]),
        wanted: &[Wanted],
        (table, row): (&mut Table<'_>, usize),
    ) -> (usize, bool) {
        let lanes = self.code.lanes();
        let count = states.len() / lanes * lanes;
        let is_apart = lists.iter().zip(self.lengths).any(|(list, n)| list.step > 1 && n > 0);
        let Table::Columns(columns) = table else { return (0, true) };
        let all = (self.outputs, self.outputs + self.lengths[2]);
        let into = (count > 0 && !is_apart).then(|| in_order(columns, wanted, all));
        let Some(mut into) = into.flatten() else { return (0, true) };
        let mut are_finite = true;
        // For the lists that are one for all.
        self.take(states.start, 1, lists);
        for first in (0..count).step_by(CHUNK) {
            let some = CHUNK.min(count - first);
            let at = (states.start + first, some);
            let lanes = self.state.chunks_exact(LANES);
            let numbers = lists.into_iter().zip(self.lengths);
            let numbers = numbers.flat_map(|(list, length)| (0..length).map(move |i| (list, i)));
            let columns = numbers.zip(lanes).map(|((list, i), one)| list.column(at, i, one));
            let moves = lists.map(|list| list.step > 0);
            let read = States { count: some, columns, moves, shared: self.parameters };
            let sinks = self.results.chunks_exact_mut(CHUNK);
            let written = into.iter_mut().zip(sinks).map(|(column, sink)| match column {
                Some(column) => &mut column[row + first..][..some],
                None => &mut sink[..some],
            });
            are_finite &= self.code.run(read, written, &mut self.work).unwrap_or_else(|| {
                let columns = into.iter_mut().flatten();
                columns.for_each(|column| column[row + first..][..some].fill(f64::NAN));
                false
            });
        }
        (count, are_finite)
    }

    /// Puts states into the lanes, the last one into those that are left.
    fn take(&mut self, first: usize, together: usize, lists: [Lists<'_>; 4]) {
        let mut rest = self.state.as_chunks_mut::<LANES>().0;
        for (list, length) in lists.into_iter().zip(self.lengths) {
            let (own, behind) = rest.split_at_mut(length);
            list.take(first, together, own);
            rest = behind;
        }
        for lanes in self.state.as_chunks_mut::<LANES>().0 {
            let last = lanes[together - 1];
            lanes[together..].fill(last);
        }
    }

    /// The lanes of such numbers.
    fn numbers(&self, from: Origin) -> &[[f64; LANES]] {
        let results: &[[f64; LANES]] = self.results.as_chunks().0;
        match from {
            Origin::Results(place) => &results[place..self.outputs],
            Origin::Speeds => &results[self.outputs..],
        }
    }

    fn run(&mut self, together: usize) -> bool {
        let states = States {
            count: together.next_multiple_of(self.code.lanes()),
            columns: self.state.chunks_exact(LANES),
            moves: [true; 4],
            shared: self.parameters,
        };
        let written = self.results.chunks_exact_mut(LANES);
        let made = self.code.run(states, written, &mut self.work);
        made.unwrap_or_else(|| {
            self.results.fill(f64::NAN);
            false
        })
    }
}
