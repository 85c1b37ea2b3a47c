//! The solution of a chain of point masses by the [tensions](crate::mechanics::lagrange::tensions) of its rods.

use super::solve::{Kkt, Method, solve};
use crate::mechanics::EquationsOfMotion;
use crate::mechanics::lagrange::tensions::{Acceleration, Tensions, Term};
use crate::mechanics::lagrange::velocity_forms::Forms;
use crate::node::ExprId;
use crate::program::lower::Lowering;
use crate::program::{Builder, Value};

/// A program with v̇; `None` where there are constraints or not all is rods.
pub(in crate::program) fn lower(
    equations: &EquationsOfMotion,
    force: &[ExprId],
    forms: &Forms,
) -> Option<(Builder, Vec<Value>)> {
    if !equations.rows.is_empty() {
        return None;
    }
    let Tensions { pool, matrix, right, accelerations } = Tensions::of(forms, force)?;
    let mut lowering = Lowering::guarding(&pool, &equations.friction.guarded);
    let (mass, force) = (lowering.matrix(&matrix), lowering.list(&right));
    let kkt = Kkt { mass: &mass, rows: &[], force: &force, drift: &[] };
    let (unknowns, _) = solve(lowering.builder(), &kkt, Method::Factors);
    let value = |acceleration: &Acceleration| {
        let mut sum = lowering.lower(acceleration.own);
        for Term { unknown, coefficient, is_negative } in &acceleration.terms {
            let coefficient = lowering.lower(*coefficient);
            let b = lowering.builder();
            let term = b.mul(coefficient, unknowns[*unknown]);
            sum = if *is_negative { b.sub(sum, term) } else { b.add(sum, term) };
        }
        sum
    };
    let accelerations = accelerations.iter().map(value).collect();
    Some((lowering.into_builder(), accelerations))
}
