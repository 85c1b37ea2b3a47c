//! Accelerations and multipliers at a state, through the trait that all systems have.

use crate::clock::thread;
use crate::contest::{Contestant, Measured, Role};
use crate::problem::Problem;
use crate::systems::{Ball, DoublePendulum, Particle, Pendulum6, Pendulum12, Penny};
use eom_core::batch::{States, accelerations};
use eom_core::{Lanes, System};
use std::hint::black_box;

/// Time of one measurement, ns.
const MEASUREMENT: f64 = 6e6;
/// States of a batch: a multiple of all lanes.
const BATCH: usize = 264;

/// A system with what depends on its parameters only, computed once, as a run does.
struct Prepared {
    system: Box<dyn System>,
    numbers: Vec<f64>,
}

impl Prepared {
    fn new(problem: Problem) -> Self {
        let system = problem.system();
        let mut numbers = vec![0.0; system.prepared()];
        system.prepare(&mut numbers);
        Self { system, numbers }
    }

    /// Accelerations, then multipliers, of a state.
    fn evaluate(&self, state: &[f64], out: &mut [f64]) {
        let speeds = state.len() / 2;
        let (q, v) = state.split_at(speeds);
        let (a, λ) = out.split_at_mut(speeds);
        self.system.prepared_accelerations(&self.numbers, 0.0, q, v, &[], a, λ);
    }

    fn outputs(&self, state: &[f64]) -> Vec<f64> {
        let info = self.system.info();
        let mut out = vec![0.0; info.speeds() + info.rows.len()];
        self.evaluate(state, &mut out);
        out
    }

    /// The time of one of many states, one after the other, ns.
    fn one_by_one(&self, states: &[Vec<f64>], rounds: usize) -> f64 {
        let mut outputs: Vec<Vec<f64>> = states.iter().map(|state| self.outputs(state)).collect();
        let begin = thread();
        for _ in 0..rounds {
            for (state, out) in states.iter().zip(&mut outputs) {
                self.evaluate(state, out);
            }
        }
        (thread() - begin) * 1e9 / (rounds * states.len()) as f64
    }
}

/// So many calls last a measurement: a power of two times 500.
fn calls(ns: f64) -> usize {
    let mut calls = 500;
    while (calls as f64) * ns.max(1.0) < MEASUREMENT {
        calls *= 2;
    }
    calls
}

/// Each evaluation waits for the one before.
pub(super) fn latency(problem: Problem) -> Vec<Contestant<'static>> {
    vec![function("ours", problem)]
}

/// The function of a problem in a chain of calls.
pub(super) fn function(name: &str, problem: Problem) -> Contestant<'static> {
    let prepared = Prepared::new(problem);
    let outputs = prepared.outputs(&problem.state());
    let mut o = outputs.clone();
    in_chain(name, problem, outputs, move |start, s| {
        prepared.evaluate(s, &mut o);
        feed(start, s, &o);
    })
}

/// A function of a state in a chain of calls with the loop of `peers/c/harness.c`: `step` evaluates it at a state and feeds what
/// it gives to the next. `outputs` are those at the state itself.
pub(super) fn in_chain(
    name: &str,
    problem: Problem,
    outputs: Vec<f64>,
    mut step: impl FnMut(&[f64], &mut [f64]) + 'static,
) -> Contestant<'static> {
    let start = problem.state();
    let mut chained = move |count: usize| {
        let mut s = start.clone();
        let begin = thread();
        for _ in 0..count {
            step(&start, &mut s);
        }
        (thread() - begin) * 1e9 / count as f64
    };
    Contestant::ours(name, move || {
        let calls = calls(chained(2000));
        let ns = chained(calls);
        Ok(Measured { ns, outputs: outputs.clone(), ..Measured::default() })
    })
}

/// s ← s₀ + 10⁻¹³ o, the outputs again and again where they are fewer.
#[inline]
pub(super) fn feed(start: &[f64], s: &mut [f64], o: &[f64]) {
    let mut j = 0;
    for (s, s0) in s.iter_mut().zip(start) {
        *s = s0 + 1e-13 * o[j];
        j += 1;
        if j == o.len() {
            j = 0;
        }
    }
}

/// Many states: in lanes, and one after the other.
pub(super) fn batch(problem: Problem) -> Vec<Contestant<'static>> {
    let in_lanes = match problem {
        Problem::DoublePendulum => in_lanes::<DoublePendulum>(problem),
        Problem::Pendulum6 => in_lanes::<Pendulum6>(problem),
        Problem::Pendulum12 => in_lanes::<Pendulum12>(problem),
        Problem::Penny => in_lanes::<Penny>(problem),
        Problem::Particle => in_lanes::<Particle>(problem),
        Problem::Ball => in_lanes::<Ball>(problem),
    };
    vec![in_lanes, state_by_state(problem).as_role(Role::Aside)]
}

/// Numbers that begin at a line of the cache, as the arrays of the hand-written code do.
struct Lines {
    room: Vec<f64>,
    first: usize,
}

impl Lines {
    fn new(length: usize) -> Self {
        let room = vec![0.0; length + 8];
        let first = room.as_ptr().align_offset(64).min(8);
        Self { room, first }
    }

    fn numbers(&mut self) -> &mut [f64] {
        let length = self.room.len() - 8;
        &mut self.room[self.first..][..length]
    }
}

/// A batch in the lanes of this machine, on this thread.
fn in_lanes<S: Lanes + Default + 'static>(problem: Problem) -> Contestant<'static> {
    let system = S::default();
    let start = problem.state();
    let columns: Vec<f64> = (0..start.len())
        .flat_map(|i| (0..BATCH).map(move |b| (i, b)))
        .map(|(i, b)| start[i] + step(i, b))
        .collect();
    let (times, speeds) = (vec![0.0; BATCH], start.len() / 2);
    let rows = system.info().rows.len();
    let (mut a, mut λ) = (Lines::new(speeds * BATCH), Lines::new(rows * BATCH));
    let mut states = Lines::new(columns.len());
    states.numbers().copy_from_slice(&columns);
    Contestant::ours("ours, in lanes", move || {
        let (a, λ) = (a.numbers(), λ.numbers());
        let (q, v) = states.numbers().split_at(speeds * BATCH);
        let states = States { t: &times, q, v, u: &[] };
        let mut evaluate = |rounds: usize| {
            let begin = thread();
            for _ in 0..rounds {
                accelerations(&system, black_box(states), a, λ).map_err(|e| e.to_string())?;
            }
            Ok::<f64, String>((thread() - begin) * 1e9 / (rounds * BATCH) as f64)
        };
        let rounds = calls(evaluate(8)?) / BATCH + 1;
        let ns = evaluate(rounds)?;
        // State 0 is the start itself.
        let outputs = a.iter().chain(&*λ).step_by(BATCH).copied().collect();
        Ok(Measured { ns, outputs, ..Measured::default() })
    })
}

/// Many states, one after the other.
fn state_by_state(problem: Problem) -> Contestant<'static> {
    let prepared = Prepared::new(problem);
    Contestant::ours("ours, state by state", move || {
        let start = problem.state();
        let states: Vec<Vec<f64>> = (0..BATCH).map(|b| moved(&start, b)).collect();
        let rounds = calls(prepared.one_by_one(&states, 8)) / BATCH + 1;
        let ns = prepared.one_by_one(&states, rounds);
        Ok(Measured { ns, outputs: prepared.outputs(&start), ..Measured::default() })
    })
}

/// State b of a batch.
fn moved(start: &[f64], b: usize) -> Vec<f64> {
    start.iter().enumerate().map(|(i, s)| s + step(i, b)).collect()
}

/// How far component i of state b is moved: 10⁻³ b(i+1)/B.
fn step(i: usize, b: usize) -> f64 {
    1e-3 * (b * (i + 1)) as f64 / BATCH as f64
}
