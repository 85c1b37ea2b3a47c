//! `eom models`: the catalogue as a list.

use crate::error::{Failure, Outcome};
use models::ModelEntry;
use models::catalogue::by_document;
use std::io::{self, Write as _};

/// Prints the list, by document.
pub(crate) fn list() -> Result<Outcome, Failure> {
    let texts: Vec<String> = by_document()
        .into_iter()
        .map(|(document, models)| {
            let head = format!("{}: {} ({})", document.key, document.title, document.authors);
            let models: Vec<String> = models.into_iter().map(describe).collect();
            format!("{head}\n\n{}", models.join("\n\n"))
        })
        .collect();
    writeln!(io::stdout().lock(), "{}", texts.join("\n\n"))
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

fn describe(model: &ModelEntry) -> String {
    let info = model.info;
    let counts = [
        count(info.coordinates.len(), "coordinate"),
        count(info.inputs.len(), "input"),
        count(info.rows.len(), "constraint"),
        count(info.contacts.len(), "contact"),
        count(info.events.len(), "event"),
        count(info.claims.len(), "checked equation"),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let scenarios: Vec<&str> = info.scenarios.iter().map(|scenario| scenario.name).collect();
    let mut lines = vec![
        format!("  {}: {}", model.name, model.title),
        format!("    section {}; {}", model.section, counts.join(", ")),
    ];
    if !scenarios.is_empty() {
        lines.push(format!("    scenarios: {}", scenarios.join(", ")));
    }
    lines.join("\n")
}

/// `2 contacts`; nothing for none.
fn count(number: usize, noun: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{number} {noun}s")),
    }
}
