//! `eom fmt`: files in the layout of the language.

use crate::cli::FmtArguments;
use crate::error::{Failure, Outcome};
use crate::files::{Files, Output};
use crate::{mistakes, model, shell};
use std::path::Path;

/// Lays files out, or says which are not; those with mistakes are told and stay.
pub(crate) fn format(arguments: &FmtArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    // A file is its own output: what would be refused is that two of them are one.
    for file in &arguments.files {
        if arguments.check {
            files.reads("the file", file);
        } else {
            files.writes("the file", file);
        }
    }
    let permit = files.check(None)?;
    let mut outcome = Outcome::Done;
    for file in &arguments.files {
        let text = model::source(file)?;
        let formatted = match eom_codegen::formatted(&text) {
            Ok(formatted) => formatted,
            Err(found) => {
                shell::tell(mistakes::rendered(file, &text, &found));
                outcome = Outcome::Mistaken;
                continue;
            }
        };
        if arguments.check {
            if formatted != text {
                shell::tell(format_args!("{file} is not laid out: `eom fmt {file}` does it"));
                outcome = Outcome::Mistaken;
            }
        } else if formatted != text || file == "-" {
            Output::make(&permit, Path::new(file))?.replace(formatted.as_bytes())?;
        }
    }
    Ok(outcome)
}
