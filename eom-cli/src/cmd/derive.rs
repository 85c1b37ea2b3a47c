//! `eom derive`: the equations of a model.

use crate::cli::{DeriveArguments, Format};
use crate::error::{Failure, Outcome};
use crate::names;
use eom_core::info::SystemInfo;
use std::io::{self, Write as _};

/// Prints the equations.
pub(crate) fn print(arguments: &DeriveArguments) -> Result<Outcome, Failure> {
    let model = names::model(&arguments.model).map_err(Failure::refused)?;
    let text = derivation(model.info, arguments.format).map_err(Failure::refused)?;
    writeln!(io::stdout().lock(), "{}", text.trim_end())
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

/// The equations in a format; the text form is the one that the macro wrote.
fn derivation(info: &SystemInfo, format: Format) -> Result<String, String> {
    match format {
        Format::Text => Ok(info.equations.to_owned()),
        Format::Latex | Format::Rust => {
            Err(format!("the declaration of `{}` is not available in this format", info.name))
        }
    }
}
