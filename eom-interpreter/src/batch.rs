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

/// States that one call of the code takes.
pub(crate) const LANES: usize = 16;

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

/// The results of one state.
#[derive(Debug, Clone, Copy)]
pub struct Found<'r> {
    results: &'r [f64],
    lane: usize,
}

impl Found<'_> {
    /// Those from the place `first` on.
    pub fn copy(&self, first: usize, to: &mut [f64]) {
        let from = self.results[first * LANES..].iter().skip(self.lane).step_by(LANES);
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

impl Interpreted {
    /// v̇, then λ, of many states; none where there is no machine code for them, as on other machines, with functions that
    /// are given at run time or integrals, and where a loop solves for them.
    pub fn dynamics_in_lanes(&self) -> Option<InLanes<'_>> {
        let tapes = &self.source.tapes;
        let solved = self.source.derivation.programs.dynamics_solved;
        self.in_lanes(&tapes.lanes.dynamics, &tapes.dynamics).filter(|_| solved)
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
        if !self.is_machine_code() {
            return None;
        }
        let info = self.source.info;
        let lengths = [1, info.positions(), info.speeds(), info.inputs.len()];
        let machine = code.get_or_init(|| in_lanes_of_states(tape, lengths)).as_ref()?;
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
    /// Hands over the results of some states, whose t, q, v and u `at` gives.
    ///
    /// # Panics
    /// Where a list of a state has not the length that the system asks for.
    #[track_caller]
    pub fn each<'a>(
        &mut self,
        states: Range<usize>,
        at: impl Fn(usize) -> (f64, [&'a [f64]; 3]),
        mut take: impl FnMut(usize, Found<'_>),
    ) {
        for first in states.clone().step_by(LANES) {
            let together = (first + LANES).min(states.end) - first;
            for lane in 0..LANES {
                let (t, [q, v, u]) = at(first + lane.min(together - 1));
                self.put(lane, [&[t], q, v, u]);
            }
            self.run();
            for lane in 0..together {
                take(first + lane, Found { results: &self.results, lane });
            }
        }
    }

    /// Puts a state into its lane.
    fn put(&mut self, lane: usize, lists: [&[f64]; 4]) {
        let mut rest = &mut self.state[..];
        for (list, length) in lists.into_iter().zip(self.lengths) {
            assert_eq!(list.len(), length, "the length of a list of a state");
            let (own, behind) = rest.split_at_mut(length * LANES);
            for (lanes, number) in own.chunks_exact_mut(LANES).zip(list) {
                lanes[lane] = *number;
            }
            rest = behind;
        }
    }

    fn run(&mut self) {
        let [t, q, v, _] = self.lengths.map(|length| length * LANES);
        let (t, rest) = self.state.split_at(t);
        let (q, rest) = rest.split_at(q);
        let (v, u) = rest.split_at(v);
        let lists = [t, q, v, u, self.parameters];
        if !self.machine.run(0, lists, &mut self.room, [&mut self.results, &mut []]) {
            self.results.fill(f64::NAN);
        }
    }
}
