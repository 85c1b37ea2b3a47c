//! What acts with normal forces, multipliers and frictions, as an operation.

use super::{Operation, Results, Sizes, operation, part, sizes};
use crate::pipeline::Derivation;
use eom_symbolic::program::Kernel;

/// Whose forces are listed of those that act with multipliers and frictions.
fn about_borne([contacts, of_rows, of_friction]: [usize; 3]) -> &'static str {
    match (contacts, of_rows, of_friction) {
        (_, 0, 0) => "one row a contact, in the order of v",
        (_, _, 0) => "one row a contact, then one a multiplier, in the order of v",
        (0, 0, _) => "one row a component of the friction, in the order of v",
        (_, 0, _) => "one row a contact, then one a component of the friction, in the order of v",
        _ => {
            "one row a contact, then one a multiplier, then one a component of the friction, in the order of v"
        }
    }
}

/// What acts with normal forces, multipliers and frictions.
pub(super) fn of_borne(derivation: &Derivation) -> Option<Operation<'_>> {
    let Sizes { m, c, .. } = sizes(derivation);
    let equations = &derivation.equations;
    let points = &equations.friction.points;
    let holds = points.iter().any(|point| !point.beside.is_empty());
    let components = points.iter().map(|point| point.components.len()).sum::<usize>();
    let parts = [c, equations.borne.len(), if holds { components } else { 0 }];
    let borne =
        if derivation.programs.borne_forces.outputs.is_empty() { 0 } else { parts.iter().sum() };
    let about = if holds {
        "What acts with the normal force of each contact and with its friction, for a force of 1."
    } else {
        "What acts with the normal force of each contact, for a normal force of 1."
    };
    let part = part("forces", about_borne(parts), &[borne, m]);
    operation(derivation, Kernel::BorneForces, None, about, Results::Parts(vec![part]))
}
