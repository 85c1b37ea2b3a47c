//! What is said beside a time: error, energy, constraints. The references have another origin:
//! `peers/python/reference.py` computes them with 40 digits and more.

use crate::contest::{Measured, Role, Standing};
use crate::problem::{Problem, state_of};
use crate::work::Work;
use eom_core::System;
use serde_json::Value;
use std::sync::LazyLock;

/// The figures of one measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// Time of one unit of work, ns.
    pub ns: f64,
    /// The largest error: of outputs and states relative to max(1, |reference|), of times in s.
    pub error: Option<f64>,
    /// |E − E*|/max(|E*|, T*), E* that of the reference at the end.
    pub energy: Option<f64>,
    /// max |A v + b| at the end.
    pub constraint: Option<f64>,
    /// Steps of an integrator.
    pub steps: Option<u64>,
}

/// Bounces that are timed, and that are to be found at least.
const BOUNCES: usize = 150;
const BOUNCES_MIN: usize = 140;

/// A table of lists by name, and the impact times.
struct References {
    evaluations: Value,
    runs: Value,
    impacts: Vec<f64>,
}

static REFERENCES: LazyLock<References> = LazyLock::new(|| {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
    References {
        evaluations: read(include_str!("../data/evaluations.json")),
        runs: read(include_str!("../data/runs.json")),
        impacts: numbers(&read(include_str!("../data/impacts.json"))),
    }
});

/// The numbers of a JSON list; of anything else, none.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Figures of the standings of a row, each or why there are none.
pub fn figures(work: Work, standings: &[Standing]) -> Vec<Result<Figure, String>> {
    // The pennies of the ensemble have no other reference than the exact arcs of the limit.
    let exact = standings.iter().find(|standing| standing.role == Role::Limit);
    let exact = exact.and_then(|standing| standing.best.as_ref().ok());
    let times = exact.map(|measured| measured.times.as_slice()).unwrap_or_default();
    standings.iter().map(|standing| figure(work, standing, times)).collect()
}

fn figure(work: Work, standing: &Standing, exact: &[f64]) -> Result<Figure, String> {
    let measured = standing.best.as_ref().map_err(Clone::clone)?;
    let ended = |problem: Problem| Ended::of(problem, &measured.state);
    let (error, ended) = match work {
        Work::DeriveLinks(_) | Work::Derive(_) | Work::Macro(_) | Work::Setup(_) => (None, None),
        Work::Latency(problem) | Work::Batch(problem) => {
            (far(&measured.outputs, &numbers(&REFERENCES.evaluations[problem.id()])), None)
        }
        Work::Taylor(_) => state_error(Problem::DoublePendulum, measured, ended),
        Work::Precision(problem) => state_error(problem, measured, ended),
        Work::Impacts => (late(&measured.times, &REFERENCES.impacts), ended(Problem::Penny)),
        // Ours tells when bounces are too small to be told apart, some before the last.
        Work::Bounces => {
            let found = measured.times.len().max(BOUNCES_MIN);
            (late(&measured.times, &bounces()[..found.min(BOUNCES)]), None)
        }
        Work::Ensemble => (median(&measured.times, exact), None),
    };
    Ok(Figure {
        ns: measured.ns,
        error,
        energy: ended.as_ref().and_then(|ended| ended.energy),
        constraint: ended.and_then(|ended| ended.constraint),
        steps: measured.steps,
    })
}

fn state_error(
    problem: Problem,
    measured: &Measured,
    ended: impl Fn(Problem) -> Option<Ended>,
) -> (Option<f64>, Option<Ended>) {
    (far(&measured.state, &numbers(&REFERENCES.runs[problem.id()])), ended(problem))
}

/// max |y − y*|/max(1, |y*|), over as many as there are: some tools give no multipliers.
fn far(found: &[f64], reference: &[f64]) -> Option<f64> {
    let errors = found.iter().zip(reference).map(|(y, y0)| (y - y0).abs() / y0.abs().max(1.0));
    worst(errors)
}

/// max |t − t*|; infinite where there are too few.
fn late(found: &[f64], reference: &[f64]) -> Option<f64> {
    if found.len() < reference.len() {
        return Some(f64::INFINITY);
    }
    worst(found.iter().zip(reference).map(|(t, t0)| (t - t0).abs()))
}

/// The median of |t − t*|: twenty impacts of a few pennies magnify errors beyond all measure.
fn median(found: &[f64], reference: &[f64]) -> Option<f64> {
    let mut errors: Vec<f64> = found.iter().zip(reference).map(|(t, t0)| (t - t0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).copied()
}

/// The largest, where there is one; what is not a number is infinitely bad.
fn worst(errors: impl Iterator<Item = f64>) -> Option<f64> {
    errors.map(|e| if e.is_nan() { f64::INFINITY } else { e }).reduce(f64::max)
}

/// t_n of the ball from height 1 with e = 0.9: t₁ = √(2/g), then flights of 2 v₁ eᵏ/g, v₁ = √(2g).
pub fn bounces() -> Vec<f64> {
    let (g, e) = (9.81_f64, 0.9_f64);
    let (first, v) = ((2.0 / g).sqrt(), (2.0 * g).sqrt());
    let mut flights = 0.0;
    let mut power = 1.0;
    let mut times = vec![first];
    for _ in 1..BOUNCES {
        power *= e;
        flights += power;
        times.push(first + 2.0 * v / g * flights);
    }
    times
}

/// What a last state says.
#[derive(Debug)]
struct Ended {
    energy: Option<f64>,
    constraint: Option<f64>,
}

impl Ended {
    fn of(problem: Problem, state: &[f64]) -> Option<Self> {
        let system = problem.system();
        let size = system.info().positions() + system.info().speeds();
        if state.len() != size {
            return None;
        }
        let start = problem.start();
        // Friction takes energy from the ball; what is lost at the penny's edge is nothing.
        let reference = match numbers(&REFERENCES.runs[problem.id()]) {
            known if known.len() == size => known,
            _ => start,
        };
        let [ours, theirs] = [state, &reference].map(|list| energy(&*system, list));
        let scale = theirs.0.abs().max(theirs.1);
        Some(Self {
            energy: Some((ours.0 - theirs.0).abs() / scale),
            constraint: constraint(&*system, state),
        })
    }
}

/// E and T of a state.
fn energy(system: &dyn System, list: &[f64]) -> (f64, f64) {
    let state = state_of(system, list);
    let energy = system.energy(0.0, &state.q, &state.v);
    (energy.total(), energy.kinetic)
}

/// max |A v + b|, where there are constraints.
fn constraint(system: &dyn System, list: &[f64]) -> Option<f64> {
    let state = state_of(system, list);
    let (rows, speeds) = (system.info().rows.len(), system.info().speeds());
    let (mut a, mut b) = (vec![0.0; rows * speeds], vec![0.0; rows]);
    system.constraint_rows(0.0, &state.q, &mut a, &mut b);
    let row = |(a, b): (&[f64], &f64)| b + a.iter().zip(&state.v).map(|(a, v)| a * v).sum::<f64>();
    worst(a.chunks(speeds.max(1)).zip(&b).map(|pair| row(pair).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_there() {
        for problem in Problem::ALL {
            let system = problem.system();
            let info = system.info();
            let count = info.speeds() + info.rows.len();
            assert_eq!(numbers(&REFERENCES.evaluations[problem.id()]).len(), count, "{problem:?}");
        }
        for problem in Problem::SMOOTH {
            let found = numbers(&REFERENCES.runs[problem.id()]).len();
            assert_eq!(found, problem.start().len(), "{problem:?}");
        }
        assert_eq!(REFERENCES.impacts.len(), 20);
    }
}
