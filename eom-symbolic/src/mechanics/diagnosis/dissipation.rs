//! A dissipation function takes energy away where it is convex with its minimum at rest, or at the
//! velocity of what the body moves in:
//!
//! ```text
//! −v·(∂D/∂v(v) − ∂D/∂v(0)) ≤ 0 for all v,  and D bounded below
//! ```
//!
//! c/2(ẋ − V)² passes, the drag of a medium that moves itself; −c/2ẋ² and cẋ do not. Velocities are
//! tried along each axis, at random, and along the lowest direction of ∂²D/∂v². The sign of dry
//! friction at points is that of its coefficient, which is checked apart; of friction that is spread
//! over a body, an integral, only the sign of D₁ is looked at, which costs one integral a velocity.

use super::{Active, Finding, STATES, ZERO, holds_functions, placed};
use crate::dense::{self, Matrix};
use crate::mechanics::claim::sample::{Functions, Sample, Sampler};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::program::Program;

/// On how many states with random parameters, and how many random velocities at each.
const WITHIN: usize = 8;
const DIRECTIONS: usize = 4;

/// At rest, where a root has no derivative, slopes are taken at this share of the velocity.
const AT_REST: f64 = 1e-7;

/// What terms of a bounded function may leave in this criterion by taking the slopes near rest.
const SLACK: f64 = 1e-5;

/// The dissipation functions that can create energy.
pub(super) fn active(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let slopes = smooth(model, equations);
    if slopes.iter().any(|slope| model.pool.has_integral(*slope)) {
        findings.extend(equations.friction.spread.and_then(|d| spread(model, d, functions)));
    } else {
        findings.extend(of_function(model, &slopes, None, functions));
    }
    for (contact, derived) in equations.contacts.iter().enumerate() {
        let slopes: Vec<ExprId> = derived.force.iter().map(|f| model.pool.neg(*f)).collect();
        findings.extend(of_function(model, &slopes, Some(contact), functions));
    }
    findings
}

/// The dissipation functions that depend on no velocity.
pub(super) fn idle(model: &SystemModel) -> Vec<Finding> {
    let velocities = model.velocities();
    let contacts = model.contacts.iter().enumerate().map(|(place, c)| (Some(place), c.dissipation));
    let all = [(None, model.dissipation)].into_iter().chain(contacts);
    let is_idle = |d: ExprId| {
        d != ExprPool::ZERO && !model.pool.symbols_in(&[d]).iter().any(|s| velocities.contains(s))
    };
    let idle = all.filter(|(_, d)| is_idle(*d));
    idle.map(|(contact, _)| Finding::IdleDissipation { contact }).collect()
}

/// ∂D/∂v without point friction: Q − F₀ where there is no multiplier in Q.
fn smooth(model: &mut SystemModel, equations: &EquationsOfMotion) -> Vec<ExprId> {
    if model.dissipation == ExprPool::ZERO {
        return Vec::new();
    }
    if !equations.friction.has_constant_points() {
        let velocities = model.velocities();
        return model.pool.gradient(model.dissipation, &velocities);
    }
    let applied = model.forces.clone();
    let pairs = applied.into_iter().zip(&equations.friction.frictionless);
    pairs.map(|(q, f)| model.pool.sub(q, *f)).collect()
}

/// D₁ < 0 of friction over a body, with the default parameters.
fn spread(model: &SystemModel, d: ExprId, functions: &Functions) -> Option<Finding> {
    const LOOKS: usize = 2;
    if holds_functions(model, &[d]) || !has_defaults(model, &parameters(model, &[d])) {
        return None;
    }
    let program = Program::of_expressions(&model.pool, "friction", [(String::new(), d)]);
    let mut sampler = Sampler::new(model, functions, 0xD155);
    let mut direction = Vec::new();
    for _ in 0..LOOKS {
        let mut sample = placed(&mut sampler)?;
        sampler.set_defaults(&mut sample);
        // NaN is no finding.
        if !sampler.run(&program, &sample).iter().any(|d| *d < 0.0) {
            return None;
        }
        let velocity = |i: usize| sample.value(SymbolKind::Velocity(i));
        direction = named(&(0..model.speeds.len()).map(velocity).collect::<Vec<f64>>());
    }
    Some(Finding::ActiveDissipation { contact: None, direction, active: Active::Everywhere })
}

fn has_defaults(model: &SystemModel, parameters: &[usize]) -> bool {
    parameters.iter().all(|parameter| model.parameters[*parameter].default.is_some())
}

fn of_function(
    model: &mut SystemModel,
    slopes: &[ExprId],
    contact: Option<usize>,
    functions: &Functions,
) -> Option<Finding> {
    if slopes.iter().all(|slope| *slope == ExprPool::ZERO) || holds_functions(model, slopes) {
        return None;
    }
    let entries = slopes.iter().map(|e| (String::new(), *e));
    let program = Program::of_expressions(&model.pool, "slopes", entries);
    let mut sampler = Sampler::new(model, functions, 0xD155);
    let parameters = parameters(model, slopes);
    let known = has_defaults(model, &parameters);
    let mut drag = Drag { program, n: slopes.len(), random: fastrand::Rng::with_seed(0xD1) };
    let mut found = Vec::new();
    for _ in 0..if known { STATES } else { 0 } {
        let mut sample = placed(&mut sampler)?;
        sampler.set_defaults(&mut sample);
        found.extend(drag.direction(&sampler, &mut sample).map(|direction| (direction, sample)));
    }
    if let Some((direction, sample)) = found.first().cloned() {
        let active =
            if found.len() == STATES { Active::Everywhere } else { somewhere(model, &sample) };
        return Some(Finding::ActiveDissipation { contact, direction, active });
    }
    for _ in 0..WITHIN {
        let mut sample = sampler.free().ok()?;
        if let Some(direction) = drag.direction(&sampler, &mut sample) {
            let value = |p: &usize| (*p, sample.value(SymbolKind::Parameter(*p)));
            let active = match parameters[..] {
                [] => somewhere(model, &sample),
                _ => Active::Within { parameters: parameters.iter().map(value).collect() },
            };
            return Some(Finding::ActiveDissipation { contact, direction, active });
        }
    }
    None
}

/// At the coordinates of a state.
fn somewhere(model: &SystemModel, sample: &Sample) -> Active {
    let value = |i: usize| (i, sample.value(SymbolKind::Coordinate(i)));
    Active::Somewhere { position: (0..model.coordinates.len()).map(value).collect() }
}

fn parameters(model: &SystemModel, expressions: &[ExprId]) -> Vec<usize> {
    let symbols = model.pool.symbols_in(expressions).into_iter();
    let index = |symbol| match model.pool.symbol_info(symbol).kind {
        SymbolKind::Parameter(index) => Some(index),
        _ => None,
    };
    symbols.filter_map(index).collect()
}

/// ∂D/∂v as a function of v at a state.
struct Drag {
    program: Program,
    n: usize,
    random: fastrand::Rng,
}

impl Drag {
    /// A velocity at which energy is created.
    fn direction(
        &mut self,
        sampler: &Sampler<'_>,
        sample: &mut Sample,
    ) -> Option<Vec<(usize, f64)>> {
        let n = self.n;
        let axis = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
        let rest = self.slopes(sampler, sample, &vec![0.0; n]);
        let mut tried: Matrix = (0..n).map(axis).collect();
        let mut drags = Matrix::new();
        if rest.iter().all(|slope| slope.is_finite()) {
            let columns: Matrix = (0..n)
                .map(|i| {
                    let slopes = self.slopes(sampler, sample, &axis(i));
                    slopes.iter().zip(&rest).map(|(g, g0)| g - g0).collect()
                })
                .collect();
            if let Some(direction) = self.unbounded(sampler, sample, &columns, &rest) {
                return Some(named(&direction));
            }
            let symmetric = |i: usize, j: usize| f64::midpoint(columns[i][j], columns[j][i]);
            let hessian: Matrix =
                (0..n).map(|i| (0..n).map(|j| symmetric(i, j)).collect()).collect();
            if hessian.iter().flatten().all(|entry| entry.is_finite()) {
                tried.push(dense::lowest(&hessian).1);
                drags = columns;
            }
        }
        for _ in 0..DIRECTIONS {
            tried.push((0..n).map(|_| 4.0 * self.random.f64() - 2.0).collect());
        }
        let found = tried.iter().find(|v| self.creates(sampler, sample, v, &drags));
        found.map(|v| named(v))
    }

    /// A direction in which D falls without end: where ∂D/∂v is affine in v, one of its kernel along
    /// which the part at rest does work.
    fn unbounded(
        &self,
        sampler: &Sampler<'_>,
        sample: &mut Sample,
        columns: &Matrix,
        rest: &[f64],
    ) -> Option<Vec<f64>> {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let size = largest(rest);
        if size == 0.0 {
            return None;
        }
        // Affine in v: twice the velocity gives twice the difference.
        let v: Vec<f64> = (0..self.n).map(|i| 1.0 + i as f64 / 7.0).collect();
        let twice: Vec<f64> = v.iter().map(|x| 2.0 * x).collect();
        let (once, twice) =
            (self.slopes(sampler, sample, &v), self.slopes(sampler, sample, &twice));
        let bent = (0..self.n).map(|i| twice[i] - 2.0 * once[i] + rest[i]);
        if bent.fold(0.0_f64, |m, x| m.max(x.abs())) > ZERO * (largest(&twice) + size) {
            return None;
        }
        let cleaned: Matrix = columns
            .iter()
            .map(|c| c.iter().map(|x| if x.abs() <= ZERO * size { 0.0 } else { *x }).collect())
            .collect();
        let mut kernel = dense::null_space(&cleaned, self.n).into_iter();
        kernel.find_map(|w| {
            let work = dense::dot(&w, rest);
            (work.abs() > ZERO * size).then(|| w.iter().map(|x| -work.signum() * x).collect())
        })
    }

    /// −v·(∂D/∂v(v) − ∂D/∂v(≈ 0)) > 0. Where the slopes cancel, along what nothing drags, the drag along the axes tells what
    /// rounding leaves.
    fn creates(
        &self,
        sampler: &Sampler<'_>,
        sample: &mut Sample,
        v: &[f64],
        drags: &Matrix,
    ) -> bool {
        let near: Vec<f64> = v.iter().map(|x| AT_REST * x).collect();
        let (slopes, rest) = (self.slopes(sampler, sample, v), self.slopes(sampler, sample, &near));
        let terms = (0..self.n).map(|i| v[i] * (slopes[i] - rest[i]));
        let size: f64 =
            (0..self.n).map(|i| (v[i] * slopes[i]).abs() + (v[i] * rest[i]).abs()).sum();
        let along = |(x, drag): (&f64, &Vec<f64>)| {
            x.abs() * v.iter().zip(drag).map(|(y, entry)| (y * entry).abs()).sum::<f64>()
        };
        let cancelled: f64 = v.iter().zip(drags).map(along).sum();
        -terms.sum::<f64>() > SLACK * size + ZERO * cancelled
    }

    fn slopes(&self, sampler: &Sampler<'_>, sample: &mut Sample, v: &[f64]) -> Vec<f64> {
        v.iter().enumerate().for_each(|(i, v)| sample.set(SymbolKind::Velocity(i), *v));
        sampler.run(&self.program, sample)
    }
}

/// The components that are not 0.
fn named(v: &[f64]) -> Vec<(usize, f64)> {
    v.iter().copied().enumerate().filter(|(_, x)| x.abs() > ZERO).collect()
}
