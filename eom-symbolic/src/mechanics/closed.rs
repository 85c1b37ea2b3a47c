//! A system whose contacts stay closed: motion in contact, as claims speak of it.

use super::declared::{Named, Row, RowKind};
use super::equations::EquationsOfMotion;
use super::system::SystemModel;

/// The system with these contacts closed: each gap is a holonomic constraint g(t,q) = 0 behind the
/// declared rows, so that the multiplier of its row ∇g is the normal force per unit gap, followed by
/// the contact's own rows, and each contact's dissipation adds to the system's. It has no claims,
/// and no lines of the energy.
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
    }
    closed
}
