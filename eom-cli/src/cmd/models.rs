//! `eom models`: the catalogue and the gallery as a list, or the catalogue as files.

use crate::cli::ModelsArguments;
use crate::declarations::Declarations;
use crate::error::{Failure, Outcome};
use crate::files::EXTENSION;
use crate::generated;
use crate::shell;
use models::ModelEntry;
use models::catalogue::by_document;
use models::gallery::GALLERY;
use std::path::Path;

/// Prints the list, by document, or writes the files.
pub(crate) fn list(arguments: &ModelsArguments) -> Result<Outcome, Failure> {
    if let Some(folder) = &arguments.out {
        return files(folder, arguments);
    }
    let texts: Vec<String> = by_document()
        .into_iter()
        .map(|(document, models)| {
            let head = format!("{}: {} ({})", document.key, document.title, document.authors);
            let models: Vec<String> = models.into_iter().map(describe).collect();
            format!("{head}\n\n{}", models.join("\n\n"))
        })
        .collect();
    let head = "gallery: systems of the literature, with the numbers that they hold";
    let systems = GALLERY.iter().map(|system| format!("  {}: {}", system.name, system.shows));
    let gallery = format!("{head}\n\n{}", systems.collect::<Vec<_>>().join("\n"));
    shell::print_line(texts.into_iter().chain([gallery]).collect::<Vec<_>>().join("\n\n"))?;
    Ok(Outcome::Done)
}

/// Each model as a file, from the declaration as it stands in the sources.
fn files(folder: &Path, arguments: &ModelsArguments) -> Result<Outcome, Failure> {
    let declarations = Declarations::read(&arguments.models)?;
    let mut files = Vec::new();
    for model in models::catalogue() {
        let text = declarations.as_file(model.info.name).ok_or_else(|| {
            let folder = arguments.models.display();
            Failure::Refused(format!("--models: {folder} does not declare {}", model.info.name))
        })?;
        files.push((format!("{}.{EXTENSION}", model.name), text));
    }
    let refused = format!("files of models are stale; run `eom models --out {}`", folder.display());
    let read = declarations.paths();
    generated::keep((folder, "--out"), &files, (read, arguments.check), ("files", &refused))
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
