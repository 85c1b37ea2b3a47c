//! Components of vector rows that are 0 = 0: they are no rows, which a person should know.

use super::kind::Diagnosis;
use super::message::Message;
use crate::ast::{self, Region};
use crate::diagnostic::Level;

/// The components that were left out, by their names: `roll[3]`, `foot.roll[3]`.
pub(super) fn left_out(system: &ast::System, names: &[String]) -> Vec<Message> {
    names.iter().map(|name| message(system, name)).collect()
}

fn message(system: &ast::System, name: &str) -> Message {
    Message {
        diagnosis: Diagnosis::EmptyComponent,
        level: Level::Note,
        at: place(system, name),
        text: format!("component `{name}` is 0 = 0: it is left out, and has no multiplier"),
        help: None,
        subjects: vec![name.to_owned()],
    }
}

/// The name of the declared row.
fn place(system: &ast::System, name: &str) -> Region {
    let whole = name.split('[').next().unwrap_or(name);
    let of_contacts = system.contacts.iter().find_map(|contact| {
        let own = whole.strip_prefix(&contact.name.text)?.strip_prefix('.')?;
        contact.rows.iter().find(|row| row.name.text == own)
    });
    let mut rows = system.constraints.iter().chain(&system.holonomic);
    let declared = of_contacts.or_else(|| rows.find(|row| row.name.text == whole));
    declared.map_or(system.name.region, |row| row.name.region)
}
