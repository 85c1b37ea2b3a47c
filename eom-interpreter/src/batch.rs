//! Many states at once: the dynamics and rates as machine code over lanes of states.
//!
//! ```text
//! states ──LANES of them──▶ t | q | v | u, the lanes of each number side by side ──code──▶ the same of the results
//!                           the last ones are filled up with the last state
//! ```
//!
//! Each state has the bits that it has alone: lanes do not meet.

use crate::Interpreted;
use crate::code::in_lanes_of_states;
use crate::tape::Tape;
use eom_machine::Machine;
use eom_symbolic::program::Kernel;
use std::ops::Range;
use std::sync::OnceLock;

/// States that one call of the code takes at most: what is put into the lanes has come to memory before code reads it, and
/// the numbers of a large system stay at hand.
pub(crate) const LANES: usize = 32;

/// The code of functions over lanes of states, made when it is first asked for; none where a function has none.
#[derive(Debug, Default)]
pub(crate) struct CodeInLanes {
    dynamics: OnceLock<Option<Machine>>,
    rates: OnceLock<Option<Machine>>,
}

/// A function over lanes of states, with what it works in.
#[derive(Debug)]
pub struct InLanes<'s> {
    machine: &'s Machine,
    parameters: &'s [f64],
    /// How many numbers stand in each of t, q, v, u.
    lengths: [usize; 4],
    state: Vec<f64>,
    room: Vec<f64>,
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

impl Interpreted {
    /// v̇, then λ, of many states; none where there is no machine code for them, as on other machines, with functions that
    /// are given at run time or integrals, and where a loop solves for them.
    pub fn dynamics_in_lanes(&self) -> Option<InLanes<'_>> {
        let tapes = &self.source.tapes;
        // Of what a loop solves no code is made.
        let solved = self.source.derivation.programs.dynamics_solved;
        solved.then(|| self.in_lanes(&tapes.lanes.dynamics, &tapes.dynamics)).flatten()
    }

    /// q̇ of many states, likewise.
    pub fn rates_in_lanes(&self) -> Option<InLanes<'_>> {
        let tapes = &self.source.tapes;
        self.in_lanes(&tapes.lanes.rates, tapes.one(Kernel::Rates))
    }

    fn in_lanes<'s>(
        &'s self,
        code: &'s OnceLock<Option<Machine>>,
        tape: &Tape,
    ) -> Option<InLanes<'s>> {
        if !self.is_machine_code() || !(self.declared || tape.calls.is_empty()) {
            return None;
        }
        let info = self.source.info;
        let lengths = [1, info.positions(), info.speeds(), info.inputs.len()];
        let lists = &self.source.tapes.lists;
        let machine = code.get_or_init(|| in_lanes_of_states(tape, lengths, lists)).as_ref()?;
        Some(InLanes {
            machine,
            parameters: &self.parameters,
            lengths,
            state: vec![0.0; lengths.iter().sum::<usize>() * LANES],
            room: vec![0.0; machine.room(0)],
            results: vec![0.0; tape.outputs.len() * LANES],
        })
    }
}

impl InLanes<'_> {
    /// Writes numbers of some states, with their t, q, v and u, to a table, the first of them to a row.
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
    ) {
        for (block, first) in states.clone().step_by(LANES).enumerate() {
            let together = (first + LANES).min(states.end) - first;
            self.take(first, together, lists);
            self.run(together);
            for Wanted { from, count, column } in wanted {
                let numbers = &self.numbers(*from)[..*count];
                table.put((row + block * LANES, *column), together, numbers);
            }
        }
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
        let [t, q, v, _] = self.lengths;
        match from {
            Origin::Results(place) => &self.results.as_chunks().0[place..],
            Origin::Speeds => &self.state.as_chunks().0[t + q..][..v],
        }
    }

    fn run(&mut self, together: usize) {
        let [t, q, v, _] = self.lengths.map(|length| length * LANES);
        let (t, rest) = self.state.split_at(t);
        let (q, rest) = rest.split_at(q);
        let (v, u) = rest.split_at(v);
        let lists = [t, q, v, u, self.parameters];
        let writes = [&mut self.results[..], &mut []];
        if !self.machine.run_some((0, together), lists, &mut self.room, writes) {
            self.results.fill(f64::NAN);
        }
    }
}
