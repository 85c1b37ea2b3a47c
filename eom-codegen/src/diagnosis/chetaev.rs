//! Rows that are not affine in the velocities: a declaration says that it means Chetaev's rule, by allowing them.

use super::kind::Diagnosis;
use super::message::Message;
use crate::diagnostic::Level;
use crate::resolve::Places;
use eom_symbolic::mechanics::{RowKind, SystemModel};

/// The rows by Chetaev's rule. Without the `allow` that takes each of these they are mistakes before.
pub(super) fn rows(model: &SystemModel, places: &Places) -> Vec<Message> {
    let rows = model.rows.iter().enumerate().filter(|(_, row)| row.kind == RowKind::Chetaev);
    rows.map(|(index, row)| {
        let name = &row.named.name;
        Message {
            diagnosis: Diagnosis::Chetaev,
            level: Level::Warning,
            at: places.rows[index],
            text: format!("row `{name}` is not affine in the velocities: its reaction is λ ∂φ/∂q̇"),
            help: Some(format!("write `allow chetaev({name});` where Chetaev's rule is meant")),
            subjects: vec![name.clone()],
        }
    })
    .collect()
}
