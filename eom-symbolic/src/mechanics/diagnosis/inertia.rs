//! The mass matrix: singular everywhere, or not positive.

use super::{Finding, STATES, ZERO, holds_functions, placed};
use crate::dense::{self, Matrix};
use crate::mechanics::claim::sample::{Functions, Sampler, elsewhere};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::linear;
use crate::mechanics::system::SystemModel;
use crate::node::ExprId;
use crate::pool::ExprPool;
use crate::simplify::Simplifier;

/// On how many states M is looked at.
const LOOKS: usize = 8;

const SEED: u64 = 0x0004_A11C;

/// The most components of a direction that is written out.
const WRITTEN_MAX: usize = 3;

/// Components below this share of the largest are rounding.
const COMPONENT: f64 = 1e-6;

/// M v = 0 at every state for some v ≠ 0.
pub(super) fn singular(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
) -> Option<Finding> {
    let mut near = Sampler::new(model, functions, SEED);
    let mut found: Option<Vec<usize>> = None;
    if (0..LOOKS).any(|_| is_regular(&mut near, &mut found)) {
        return None;
    }
    let mut others = elsewhere(model, functions, &[], SEED);
    if found.is_some() && others.iter_mut().any(|sampler| is_regular(sampler, &mut found)) {
        return None;
    }
    let speeds = found?;
    let mass = equations.mass.entries(&mut model.pool);
    if is_light(&mut model.pool, &mass, &speeds) {
        return None;
    }
    let direction = written(model, &mass, &speeds);
    Some(Finding::SingularMass { direction })
}

/// Whether the block of some speeds is regular by exact numbers, where rounding saw a singular one: a light body on a heavy one.
fn is_light(pool: &mut ExprPool, mass: &[Vec<ExprId>], speeds: &[usize]) -> bool {
    let block: Vec<Vec<ExprId>> =
        speeds.iter().map(|i| speeds.iter().map(|j| mass[*i][*j]).collect()).collect();
    let mut entries = block.iter().flatten();
    if speeds.len() > WRITTEN_MAX || entries.any(|entry| pool.as_number(*entry).is_none()) {
        return false;
    }
    linear::determinant(pool, &block) != ExprPool::ZERO
}

/// Whether M is regular at a state, which is enough: elsewhere the run time says where it fails. Where it is not, `found` has the
/// speeds of its shortest direction without kinetic energy.
fn is_regular(sampler: &mut Sampler<'_>, found: &mut Option<Vec<usize>>) -> bool {
    let Some(sample) = placed(sampler) else { return false };
    let mass = sampler.dynamics(&sample).mass;
    if mass.iter().flatten().any(|entry| !entry.is_finite()) {
        return false;
    }
    let is_regular = dense::inverse(&mass).is_some();
    if found.is_none() && !is_regular {
        let null = dense::null_space(&mass, mass.len());
        *found = null.into_iter().map(|v| support(&v)).min_by_key(Vec::len);
    }
    is_regular
}

fn support(vector: &[f64]) -> Vec<usize> {
    (0..vector.len()).filter(|i| vector[*i].abs() > COMPONENT).collect()
}

/// The null direction of the block of some speeds: the cofactors of one of its rows, the first
/// that is not 0 made 1.
fn written(
    model: &mut SystemModel,
    mass: &[Vec<ExprId>],
    speeds: &[usize],
) -> Vec<(usize, Option<ExprId>)> {
    let unknown = || speeds.iter().map(|speed| (*speed, None)).collect();
    if speeds.len() > WRITTEN_MAX {
        return unknown();
    }
    let pool = &mut model.pool;
    let mut simplifier = Simplifier::default();
    let block: Vec<Vec<ExprId>> =
        speeds.iter().map(|i| speeds.iter().map(|j| mass[*i][*j]).collect()).collect();
    for row in 0..block.len() {
        let mut cofactors = Vec::new();
        for column in 0..block.len() {
            let cofactor = linear::cofactor(pool, &block, row, column);
            cofactors.push(simplifier.simplify(pool, cofactor));
        }
        if cofactors.contains(&ExprPool::ZERO) {
            continue;
        }
        let first = cofactors[0];
        let mut parts = Vec::new();
        for (speed, cofactor) in speeds.iter().zip(cofactors) {
            let part = pool.div(cofactor, first);
            parts.push((*speed, Some(simplifier.simplify(pool, part))));
        }
        return parts;
    }
    unknown()
}

/// T(v) < 0 for some v, with the default parameters.
pub(super) fn negative(
    model: &SystemModel,
    equations: &EquationsOfMotion,
    functions: &Functions,
) -> Option<Finding> {
    let entries = equations.mass.given().concat();
    if holds_functions(model, &entries) || !has_values(model, &entries) {
        return None;
    }
    let mut sampler = Sampler::new(model, functions, 0x1CE);
    let (mut looks, mut negative, mut direction) = (0, 0, None);
    for _ in 0..STATES {
        let mut sample = placed(&mut sampler)?;
        sampler.set_defaults(&mut sample);
        let mass = sampler.dynamics(&sample).mass;
        if mass.iter().flatten().any(|entry| !entry.is_finite()) {
            continue;
        }
        looks += 1;
        if let Some(found) = lowest_direction(&mass) {
            negative += 1;
            direction = direction.or(Some(found));
        }
    }
    Some(Finding::NegativeMass { direction: direction?, everywhere: negative == looks })
}

/// Whether the pivots of LDLᵀ are positive.
fn is_positive(matrix: &Matrix) -> bool {
    let mut a = matrix.clone();
    for step in 0..a.len() {
        let pivot = a[step][step];
        if pivot <= ZERO {
            return false;
        }
        for i in step + 1..a.len() {
            let factor = a[i][step] / pivot;
            if factor != 0.0 {
                for j in step..a.len() {
                    a[i][j] -= factor * a[step][j];
                }
            }
        }
    }
    true
}

/// Whether each parameter in the expressions has a default, or at least a bound.
fn has_values(model: &SystemModel, expressions: &[ExprId]) -> bool {
    let symbols = model.pool.symbols_in(expressions);
    let held = model.parameters.iter().filter(|parameter| symbols.contains(&parameter.symbol));
    held.into_iter().all(|p| p.default.is_some() || !p.bounds.is_empty())
}

/// A direction with vᵀMv < 0: one speed where that is enough; scaled to largest component 1.
fn lowest_direction(mass: &Matrix) -> Option<Vec<(usize, f64)>> {
    if let Some(speed) = (0..mass.len()).find(|i| mass[*i][*i] < 0.0) {
        return Some(vec![(speed, 1.0)]);
    }
    // Units differ: D^(−1/2) M D^(−1/2) has the same sign.
    let largest = mass.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let size = |i: usize| if mass[i][i] > 0.0 { mass[i][i] } else { largest };
    let scale: Vec<f64> = (0..mass.len()).map(|i| size(i).sqrt().recip()).collect();
    let scaled = |i: usize, j: usize| mass[i][j] * scale[i] * scale[j];
    let scaled: Matrix =
        (0..mass.len()).map(|i| (0..mass.len()).map(|j| scaled(i, j)).collect()).collect();
    if is_positive(&scaled) {
        return None;
    }
    let (least, axis) = dense::lowest(&scaled);
    if least >= -ZERO {
        return None;
    }
    let direction: Vec<f64> = axis.iter().zip(&scale).map(|(x, s)| x * s).collect();
    let largest = direction.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let parts = direction.iter().map(|x| x / largest).enumerate();
    Some(parts.filter(|(_, x)| x.abs() > COMPONENT).collect())
}
