//! `eom derive`: the equations of a model.

use crate::cli::{DeriveArguments, Format};
use crate::error::{Failure, Outcome};
use crate::names;
use eom_codegen::diagnostic::Diagnostic;
use eom_core::info::SystemInfo;
use std::io::{self, Write as _};

/// Prints the equations.
pub(crate) fn print(arguments: &DeriveArguments) -> Result<Outcome, Failure> {
    let model = names::model(&arguments.model).map_err(Failure::refused)?;
    let text = derivation(model.info, arguments.format).map_err(|errors| explain(&errors))?;
    writeln!(io::stdout().lock(), "{}", text.trim_end())
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

/// The equations in a format. The text is the one that the macro wrote into the model; the
/// others are derived again from its declaration.
fn derivation(info: &SystemInfo, format: Format) -> Result<String, Vec<Diagnostic>> {
    match format {
        Format::Text => Ok(info.equations.to_owned()),
        Format::Latex => Ok(eom_codegen::derive_source(info.source)?.text.to_latex()),
        Format::Rust => eom_codegen::rust_source(info.source),
        Format::Program => Ok(eom_codegen::derive_source(info.source)?.listings()),
    }
}

fn explain(diagnostics: &[Diagnostic]) -> Failure {
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    Failure::refused(texts.join("\n"))
}
