//! `eom documents`: the verdict of each equation of the documents.

use crate::cli::{DocumentsArguments, ReportFormat};
use crate::document;
use crate::error::{Failure, Outcome};
use crate::names;
use crate::shell;
use models::documents::{Document, documents};

/// Prints the report.
pub(crate) fn print(arguments: &DocumentsArguments) -> Result<Outcome, Failure> {
    let chosen: Vec<&Document> = match &arguments.document {
        Some(key) => vec![names::document(key).map_err(Failure::refused)?],
        None => documents().iter().collect(),
    };
    let text = match arguments.format {
        ReportFormat::Text => document::text(&chosen),
        ReportFormat::Tsv => document::tsv(&chosen),
        ReportFormat::Markdown => document::markdown(&chosen),
    };
    shell::print(text)?;
    Ok(Outcome::Done)
}
