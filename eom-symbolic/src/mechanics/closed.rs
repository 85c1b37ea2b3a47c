//! A system whose contacts stay closed: motion in contact, as claims speak of it.

use super::contact::Contact;
use super::declared::{Named, Row, RowKind};
use super::equations::EquationsOfMotion;
use super::system::SystemModel;
use crate::node::SymbolKind;

/// The system with these contacts closed: each gap is a holonomic constraint g(t,q) = 0 behind the
/// declared rows, so that the multiplier of its row ∇g is the normal force per unit gap, followed by
/// the contact's own rows, each contact's dissipation adds to the system's, and what acts with its normal force to the
/// forces. It has no claims, and no lines of the energy.
///
/// The pool moves into the result, so that ids stay those of the model: move it back.
pub fn with_closed(
    model: &mut SystemModel,
    equations: &EquationsOfMotion,
    contacts: &[usize],
) -> SystemModel {
    let pool = std::mem::take(&mut model.pool);
    let mut closed = SystemModel { lines: Vec::new(), claims: Vec::new(), ..model.clone() };
    closed.pool = pool;
    for &contact in contacts {
        let declared = &model.contacts[contact];
        let derived = &equations.contacts[contact];
        let row = closed.rows.len();
        closed.rows.push(Row {
            named: declared.named.clone(),
            kind: RowKind::Holonomic { residual: derived.gap },
            coefficients: derived.gradient.clone(),
            affine: derived.rate,
            declared: derived.gap,
        });
        closed.rows.extend(declared.rows.iter().map(|row| Row {
            named: Named {
                name: format!("{}.{}", declared.named.name, row.named.name),
                key: format!("{}.{}", declared.named.key, row.named.key),
                doc: row.named.doc.clone(),
            },
            ..row.clone()
        }));
        closed.dissipation = closed.pool.add(closed.dissipation, declared.dissipation);
        add_borne(&mut closed, row, declared);
    }
    closed
}

/// Adds λ ∂Q/∂λ of a contact to the forces, λ the multiplier of this row.
fn add_borne(closed: &mut SystemModel, row: usize, declared: &Contact) {
    if declared.borne.is_empty() {
        return;
    }
    let pool = &mut closed.pool;
    let λ = pool.symbol(SymbolKind::Multiplier(row), &format!("λ({})", declared.named.name));
    let λ = pool.symbol_expr(λ);
    for (force, slope) in closed.forces.iter_mut().zip(&declared.borne) {
        let term = pool.mul(*slope, λ);
        *force = pool.add(*force, term);
    }
}
