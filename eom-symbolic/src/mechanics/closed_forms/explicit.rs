//! The equations of motion solved: accelerations and multipliers as functions of the state on the
//! constraints. For people to read; programs solve by factors.

use super::omitted::readable;
use super::reduce::{Omitted, Reduction, free_accelerations, multipliers, residuals};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::linear::{dot, inverse, transposed};
use crate::mechanics::system::SystemModel;
use crate::node::ExprId;
use crate::pool::ExprPool;
use crate::simplify::Simplifier;
use crate::subst::Substitution;

/// An acceleration of more symbols and operations than this is not for reading.
pub const EXPLICIT_SIZE_MAX: usize = 1000;

/// v̇ and λ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explicit {
    /// v̇, one a speed, in t, q and the free velocities.
    pub accelerations: Vec<ExprId>,
    /// λ, one a row.
    pub multipliers: Vec<ExprId>,
}

/// Solves for the accelerations: with v = S v_f + c of the reduction,
///
/// ```text
/// v̇_f = −G⁻¹ Sᵀ(M v̇ + h − F)|_{v̇_f = 0}        v̇ = S v̇_f + D(S) v_f + D(c)        G = SᵀMS
/// ```
pub fn explicit(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Result<Explicit, Omitted> {
    if equations.is_coupled() {
        return coupled(model, equations, reduction, simplifier);
    }
    let residuals = residuals(model, equations, reduction, ExprPool::ONE);
    let free = free_accelerations(model, equations, reduction, &residuals, simplifier)?;
    let images = reduction.free.iter().map(|free| free.acceleration).zip(free);
    let mut solved = Substitution::new(images.collect::<Vec<_>>());
    let mut accelerations = Vec::with_capacity(reduction.acceleration.len());
    for acceleration in &reduction.acceleration {
        let value = solved.apply(&mut model.pool, *acceleration);
        accelerations.push(readable(&mut model.pool, value, simplifier, EXPLICIT_SIZE_MAX)?);
    }
    let multipliers = match model.rows.len() {
        0 => Vec::new(),
        _ => multipliers(model, equations, reduction, simplifier)?,
    };
    Ok(Explicit { accelerations, multipliers })
}

/// The same where forces hold multipliers: v̇ = M⁻¹(F₀ − h + Rᵀλ) on the constraints.
fn coupled(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Result<Explicit, Omitted> {
    let multipliers = multipliers(model, equations, reduction, simplifier)?;
    let velocities = model.velocities().into_iter().zip(reduction.velocity.iter().copied());
    let mut on_constraints = Substitution::new(velocities);
    let pool = &mut model.pool;
    let mass = equations.mass.entries(pool);
    let mass = inverse(pool, &mass, simplifier)?;
    let columns = transposed(&equations.reactions, equations.force.len());
    let mut pushes = Vec::with_capacity(columns.len());
    for ((force, bias), column) in equations.force.iter().zip(&equations.bias).zip(&columns) {
        let reaction = dot(pool, column, &multipliers);
        let own = pool.sub(*force, *bias);
        pushes.push(pool.add(own, reaction));
    }
    let mut accelerations = Vec::with_capacity(mass.len());
    for row in &mass {
        let value = dot(pool, row, &pushes);
        let value = on_constraints.apply(pool, value);
        accelerations.push(readable(pool, value, simplifier, EXPLICIT_SIZE_MAX)?);
    }
    Ok(Explicit { accelerations, multipliers })
}
