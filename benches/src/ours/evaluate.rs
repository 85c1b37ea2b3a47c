//! Accelerations and multipliers at a state, through the trait that all systems have.

use crate::clock::thread;
use crate::contest::{Contestant, Measured};
use crate::problem::Problem;
use eom_core::System;

/// Time of one measurement, ns.
const MEASUREMENT: f64 = 6e6;
/// States of a batch: a multiple of all lanes.
const BATCH: usize = 264;

/// s ← s₀ + 10⁻¹³ f(s), as in `peers/c/harness.c`.
pub(super) fn latency(problem: Problem) -> Vec<Contestant<'static>> {
    let system = problem.system();
    let contestant = Contestant::ours("ours", move || {
        let start = problem.state();
        let calls = calls(chained(&*system, &start, 2000));
        Ok(Measured {
            ns: chained(&*system, &start, calls),
            outputs: outputs(&*system, &start),
            ..Measured::default()
        })
    });
    vec![contestant]
}

/// So many calls last a measurement: a power of two times 500.
fn calls(ns: f64) -> usize {
    let mut calls = 500;
    while (calls as f64) * ns.max(1.0) < MEASUREMENT {
        calls *= 2;
    }
    calls
}

/// Multipliers of a system.
fn multipliers(system: &dyn System) -> usize {
    system.info().rows.len()
}

/// Accelerations, then multipliers.
fn outputs(system: &dyn System, state: &[f64]) -> Vec<f64> {
    let speeds = system.info().speeds();
    let mut out = vec![0.0; speeds + multipliers(system)];
    evaluate(system, state, &mut out);
    out
}

fn evaluate(system: &dyn System, state: &[f64], out: &mut [f64]) {
    let speeds = state.len() / 2;
    let (q, v) = state.split_at(speeds);
    let (a, λ) = out.split_at_mut(speeds);
    system.accelerations(0.0, q, v, &[], a, λ);
}

/// The time of one of a chain of calls, ns.
fn chained(system: &dyn System, start: &[f64], calls: usize) -> f64 {
    let mut state = start.to_vec();
    let mut out = outputs(system, start);
    let begin = thread();
    for _ in 0..calls {
        evaluate(system, &state, &mut out);
        for ((s, s0), f) in state.iter_mut().zip(start).zip(out.iter().cycle()) {
            *s = s0 + 1e-13 * f;
        }
    }
    (thread() - begin) * 1e9 / calls as f64
}

/// Many states, one after the other.
pub(super) fn batch(problem: Problem) -> Vec<Contestant<'static>> {
    let system = problem.system();
    let contestant = Contestant::ours("ours, state by state", move || {
        let start = problem.state();
        let states: Vec<Vec<f64>> = (0..BATCH).map(|b| moved(&start, b)).collect();
        let rounds = calls(one_by_one(&*system, &states, 8)) / BATCH + 1;
        Ok(Measured {
            ns: one_by_one(&*system, &states, rounds),
            outputs: outputs(&*system, &start),
            ..Measured::default()
        })
    });
    vec![contestant]
}

/// State b of a batch: component i moved by 10⁻³ b(i+1)/B.
fn moved(start: &[f64], b: usize) -> Vec<f64> {
    let moved = |(i, s): (usize, &f64)| s + 1e-3 * (b * (i + 1)) as f64 / BATCH as f64;
    start.iter().enumerate().map(moved).collect()
}

fn one_by_one(system: &dyn System, states: &[Vec<f64>], rounds: usize) -> f64 {
    let mut outputs: Vec<Vec<f64>> = states.iter().map(|state| outputs(system, state)).collect();
    let begin = thread();
    for _ in 0..rounds {
        for (state, out) in states.iter().zip(&mut outputs) {
            evaluate(system, state, out);
        }
    }
    (thread() - begin) * 1e9 / (rounds * states.len()) as f64
}
