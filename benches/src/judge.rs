//! What is said beside a time: error, energy, constraints.

use crate::contest::{Role, Standing};
use crate::problem::{Problem, state_of};
use crate::reference::{evaluation, impacts, jacobian, runs};
use crate::work::Work;
use eom_core::System;

/// The figures of one measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// Time of one unit of work, ns.
    pub ns: f64,
    /// The largest error: of outputs and states relative to max(1, |reference|), of times in s. Of
    /// several runs the median.
    pub error: Option<f64>,
    /// |E − E*|/max(|E*|, T*), E* that of the reference at the end. Of several runs the median.
    pub energy: Option<f64>,
    /// max |A v + b| at the end, of all runs.
    pub constraint: Option<f64>,
    /// Steps of an integrator.
    pub steps: Option<u64>,
}

/// How fast the box is along the floor, m/s.
pub const HOPS_SPEED: f64 = 6.0;
/// When its run ends, s.
pub const HOPS_END: f64 = 3.0;

/// How many boxes there are in the stack.
pub const BOXES: usize = 10;
/// Their μ and φ.
pub const STACK: [f64; 2] = [0.02, 0.05];
/// When their run ends, s.
pub const STACK_END: f64 = 0.5;

/// Bounces that are timed, and that are to be found at least.
const BOUNCES: usize = 150;
const BOUNCES_MIN: usize = 140;

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
    let at_end = |problem: Problem, ends: &[Vec<f64>]| ended(problem, &measured.state, ends);
    let (error, ended) = match work {
        Work::DeriveLinks(_) | Work::Derive(_) | Work::Macro(_) | Work::Setup(_) => (None, None),
        Work::Latency(problem) | Work::Batch(problem) => {
            (far(&measured.outputs, &evaluation(problem)), None)
        }
        Work::Jacobian(problem) => (far(&measured.outputs, &jacobian(problem)), None),
        Work::Taylor(_) => {
            at_end(Problem::DoublePendulum, &runs(Problem::DoublePendulum).ends[..1])
        }
        Work::Precision(problem) => at_end(problem, &runs(problem).ends),
        // What is lost at the penny's edge is nothing: its energy is that of the start.
        Work::Impacts => {
            let (_, ended) = at_end(Problem::Penny, &[Problem::Penny.start()]);
            (late(&measured.times, impacts()), ended)
        }
        // Ours tells when bounces are too small to be told apart, some before the last.
        Work::Bounces => {
            let found = measured.times.len().max(BOUNCES_MIN);
            (late(&measured.times, &bounces()[..found.min(BOUNCES)]), None)
        }
        Work::Hops => (far(&measured.state, &rest_of_box()), None),
        Work::Stack => (far(&measured.state, &end_of_stack()), None),
        Work::Ensemble => (late_by_median(&measured.times, exact), None),
    };
    Ok(Figure {
        ns: measured.ns,
        error,
        energy: ended.as_ref().and_then(|ended| ended.energy),
        constraint: ended.and_then(|ended| ended.constraint),
        steps: measured.steps,
    })
}

/// The error of last states, one after another in a list, and what they say themselves.
fn ended(problem: Problem, states: &[f64], ends: &[Vec<f64>]) -> (Option<f64>, Option<Ended>) {
    let size = problem.start().len();
    if ends.is_empty() || states.len() != ends.len() * size {
        return (None, None);
    }
    let pairs: Vec<(&[f64], &[f64])> =
        states.chunks_exact(size).zip(ends.iter().map(Vec::as_slice)).collect();
    let error = median(pairs.iter().filter_map(|(state, end)| far(state, end)).collect());
    (error, Some(Ended::of(&*problem.system(), &pairs)))
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
fn late_by_median(found: &[f64], reference: &[f64]) -> Option<f64> {
    median(found.iter().zip(reference).map(|(t, t0)| (t - t0).abs()).collect())
}

/// The one in the middle; what is not a number is infinitely bad.
fn median(errors: Vec<f64>) -> Option<f64> {
    let mut errors: Vec<f64> = errors.into_iter().map(bad_if_none).collect();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).copied()
}

fn bad_if_none(error: f64) -> f64 {
    if error.is_nan() { f64::INFINITY } else { error }
}

/// The largest, where there is one; what is not a number is infinitely bad.
fn worst(errors: impl Iterator<Item = f64>) -> Option<f64> {
    errors.map(bad_if_none).reduce(f64::max)
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

/// The box at rest that fell flat from height 1 with 6 along, e = 1/2, μ = 0.3: it slides through all its impacts, loses
/// μ (1 + e) eᵏ v₁ at each of them, flies 2 eᵏ⁺¹ v₁/g after it, and is stopped by μ g from the last.
pub fn rest_of_box() -> Vec<f64> {
    let (g, e, μ, height) = (9.81_f64, 0.5_f64, 0.3_f64, 0.25);
    let (first, v) = ((2.0 / g).sqrt(), (2.0 * g).sqrt());
    let (mut speed, mut place, mut rate) = (HOPS_SPEED, HOPS_SPEED * first, v);
    for _ in 0..200 {
        speed -= μ * (1.0 + e) * rate;
        rate *= e;
        place += speed * 2.0 * rate / g;
    }
    vec![place + speed * speed / (2.0 * μ * g), height, 0.0, 0.0, 0.0, 0.0]
}

/// The ten boxes, which slide as one: g (sin φ − μ cos φ).
pub fn end_of_stack() -> Vec<f64> {
    let (μ, φ, t) = (STACK[0], STACK[1], STACK_END);
    let a = 9.81 * (φ.sin() - μ * φ.cos());
    let of = |value: &dyn Fn(usize) -> f64| (0..BOXES).map(value).collect::<Vec<f64>>();
    let along = [of(&|_| 0.5 * a * t * t), of(&|_| a * t)];
    let zeros = vec![0.0; BOXES];
    let heights = of(&|i| i as f64 + 0.5);
    [&along[0][..], &heights, &zeros, &along[1], &zeros, &zeros].concat()
}

/// What last states say.
#[derive(Debug)]
struct Ended {
    energy: Option<f64>,
    constraint: Option<f64>,
}

impl Ended {
    /// Of pairs of a state and its reference.
    fn of(system: &dyn System, pairs: &[(&[f64], &[f64])]) -> Self {
        let lost = |(state, end): &(&[f64], &[f64])| {
            let [ours, theirs] = [state, end].map(|list| energy(system, list));
            (ours.0 - theirs.0).abs() / theirs.0.abs().max(theirs.1)
        };
        Self {
            energy: median(pairs.iter().map(lost).collect()),
            constraint: worst(pairs.iter().filter_map(|(state, _)| constraint(system, state))),
        }
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
    system.constraint_rows_at(0.0, &state.q, &state.v, &mut a, &mut b);
    let row = |(a, b): (&[f64], &f64)| b + a.iter().zip(&state.v).map(|(a, v)| a * v).sum::<f64>();
    worst(a.chunks(speeds.max(1)).zip(&b).map(|pair| row(pair).abs()))
}
