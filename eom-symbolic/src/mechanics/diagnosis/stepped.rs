//! Forces that jump with the sign of a velocity: friction written so that it cannot stick.
//!
//! A term c sign(w) with w of velocities and c ≠ 0 at rest has no value at w = 0 that could hold the body: a run would change
//! from one sign to the other at every step. A drag c w² sign(w) does not jump, and is none of them.

use super::Finding;
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::LineKind;
use crate::node::{ExprId, Function, View};
use crate::pool::ExprPool;
use crate::subst::Substitution;

/// One finding for each `force` with such a term, by its place among the forces.
pub(super) fn stepped(model: &mut SystemModel) -> Vec<Finding> {
    let forces = model.lines.iter().filter_map(|line| match &line.kind {
        LineKind::Force(parts) => Some(parts.iter().map(|(_, part)| *part).collect()),
        LineKind::Dissipation(_) => None,
    });
    let forces: Vec<Vec<ExprId>> = forces.collect();
    let mut findings = Vec::new();
    for (force, parts) in forces.into_iter().enumerate() {
        if let Some(of) = parts.into_iter().find_map(|part| step(model, part)) {
            findings.push(Finding::SteppedForce { force, of });
        }
    }
    findings
}

/// w of a term c sign(w) that jumps.
fn step(model: &mut SystemModel, force: ExprId) -> Option<ExprId> {
    let terms = match model.pool.view(force) {
        View::Sum(terms) => terms.iter().map(|(_, term)| *term).collect(),
        _ => vec![force],
    };
    terms.into_iter().find_map(|term| {
        let (of, rest) = sign_of(&mut model.pool, term)?;
        let velocities = model.velocities();
        let mut at_rest = Substitution::new(velocities.iter().map(|v| (*v, ExprPool::ZERO)));
        (at_rest.apply(&mut model.pool, rest) != ExprPool::ZERO).then_some(of)
    })
}

/// w and c of c sign(w).
fn sign_of(pool: &mut ExprPool, term: ExprId) -> Option<(ExprId, ExprId)> {
    let argument = |pool: &ExprPool, e: ExprId| match pool.view(e) {
        View::Call(Function::Sign, &[w]) if pool.holds_velocity(w) => Some(w),
        _ => None,
    };
    if let Some(w) = argument(pool, term) {
        return Some((w, ExprPool::ONE));
    }
    let View::Product { factors, .. } = pool.view(term) else { return None };
    let factors = factors.to_vec();
    let found = factors.iter().position(|(base, exponent)| {
        *exponent == ExprPool::ONE && argument(pool, *base).is_some()
    })?;
    let w = argument(pool, factors[found].0)?;
    let rest = factors.iter().enumerate().filter(|(i, _)| *i != found).map(|(_, f)| *f);
    let rest: Vec<(ExprId, ExprId)> = rest.collect();
    Some((w, pool.product(ExprPool::ONE, &rest)))
}
