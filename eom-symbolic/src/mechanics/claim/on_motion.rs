//! An expression on the motion: accelerations and multipliers are what the equations of motion make of them, and
//! dependent velocities what the constraints do.
//!
//! ```text
//! r(t, q, v, v̇, λ) → r(t, q, v(q, v_f), v̇(t, q, v_f), λ(t, q, v_f))
//! ```
//!
//! What is left of a residual in this way is what the equations of motion lack, or have too much:
//! J θ̈ + m g l sin θ of a pendulum whose bearing is damped is −c θ̇.

use crate::mechanics::closed_forms::explicit::{Explicit, explicit};
use crate::mechanics::closed_forms::reduce::{Reduction, reduce};
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::simplify::{self, Simplifier};
use crate::subst::Substitution;

/// More free velocities are not solved for a message.
const FREE_MAX: usize = 4;

/// What is longer than the residual itself is no explanation, where it is longer than this.
const SHORT: usize = 24;

/// The expression on the motion in simplest form; none where it has nothing to be replaced, where the equations
/// cannot be solved in closed form, or where it gets longer. Rows with values of declared functions, which claims hold
/// free, are not differentiated again: a jet does not say how it moves.
pub fn on_motion(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    expression: ExprId,
) -> Option<ExprId> {
    let symbols = model.pool.symbols_in(&[expression]);
    let has_forces = symbols.iter().any(|symbol| {
        matches!(
            model.pool.symbol_info(*symbol).kind,
            SymbolKind::Acceleration(_) | SymbolKind::Multiplier(_)
        )
    });
    let velocities = model.velocities();
    let has_rows = !model.rows.is_empty() && symbols.iter().any(|s| velocities.contains(s));
    if !has_forces && !has_rows || has_jets(model, equations) {
        return None;
    }
    let mut simplifier = Simplifier::default();
    let reduction = reduce(model, equations, &mut simplifier).ok()?;
    if reduction.free.len() > FREE_MAX || !reduction.free.iter().all(|free| free.is_coordinate) {
        return None;
    }
    let images = images(model, equations, &reduction, &mut simplifier)?;
    let before = simplify::size(&model.pool, expression);
    let value = Substitution::new(images).apply(&mut model.pool, expression);
    let value = simplifier.simplify(&mut model.pool, value);
    let size = simplify::size(&model.pool, value);
    (value != expression && size <= before.max(SHORT)).then_some(value)
}

fn has_jets(model: &SystemModel, equations: &EquationsOfMotion) -> bool {
    let rows = equations.rows.iter().flatten().chain(&equations.affine);
    let symbols = model.pool.symbols_in(&rows.copied().collect::<Vec<_>>());
    symbols.iter().any(|s| matches!(model.pool.symbol_info(*s).kind, SymbolKind::Jet(_)))
}

/// What stands for accelerations, multipliers and velocities.
fn images(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    reduction: &Reduction,
    simplifier: &mut Simplifier,
) -> Option<Vec<(SymbolId, ExprId)>> {
    let Explicit { accelerations, multipliers } =
        explicit(model, equations, reduction, simplifier).ok()?;
    let speeds = model.speeds.iter();
    let mut images: Vec<(SymbolId, ExprId)> =
        speeds.map(|speed| speed.acceleration).zip(accelerations).collect();
    images.extend(model.velocities().into_iter().zip(reduction.velocity.iter().copied()));
    for (row, value) in multipliers.into_iter().enumerate() {
        let symbol = model.pool.find_symbol(SymbolKind::Multiplier(row));
        images.extend(symbol.map(|symbol| (symbol, value)));
    }
    Some(images)
}
