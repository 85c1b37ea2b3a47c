//! `eom derive`: the equations of a model.

use crate::cli::{DeriveArguments, Format, Part};
use crate::error::{Failure, Outcome};
use crate::model::Model;
use eom_codegen::Derivation;
use eom_codegen::diagnostic::Diagnostic;
use eom_symbolic::mechanics::report::EquationsText;
use std::io::{self, Write as _};

/// Prints the equations.
pub(crate) fn print(arguments: &DeriveArguments) -> Result<Outcome, Failure> {
    let model = Model::find(&arguments.model)?;
    let DeriveArguments { format, part, .. } = *arguments;
    if part != Part::All && !matches!(format, Format::Text | Format::Latex) {
        return Err(Failure::refused("--part needs --format text or --format latex"));
    }
    if part == Part::Contacts && model.info.contacts.is_empty() {
        return Err(Failure::refused(format!("{} has no contacts", model.name)));
    }
    let text = derivation(&model, format, part).map_err(|errors| explain(&errors))?;
    writeln!(io::stdout().lock(), "{}", text.trim_end())
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

/// The equations in a format. The text of a model of the catalogue is the one that the macro wrote
/// into it; the others are derived again from its declaration.
fn derivation(model: &Model, format: Format, part: Part) -> Result<String, Vec<Diagnostic>> {
    let info = model.info;
    let equations = || model.derived(|derived| select(derived.text.clone(), part));
    match format {
        Format::Text if part == Part::All => Ok(info.equations.to_owned()),
        Format::Text => Ok(equations()?.to_text()),
        Format::Latex => Ok(format!("% needs amsmath\n{}", equations()?.to_latex())),
        Format::Rust => eom_codegen::rust_source(info.source),
        Format::Program => model.derived(Derivation::listings),
    }
}

/// The equations without those that were not asked for.
fn select(text: EquationsText, part: Part) -> EquationsText {
    match part {
        Part::All => text,
        Part::Equations => EquationsText { impacts: Vec::new(), ..text },
        Part::Contacts => EquationsText {
            lagrangian: Vec::new(),
            energy: Vec::new(),
            jacobi: Vec::new(),
            abbreviations: Vec::new(),
            kinematics: Vec::new(),
            constraints: Vec::new(),
            equations: Vec::new(),
            reduced: Vec::new(),
            multipliers: Vec::new(),
            impacts: text.impacts,
        },
    }
}

fn explain(diagnostics: &[Diagnostic]) -> Failure {
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    Failure::refused(texts.join("\n"))
}
