//! `eom completions`: scripts by which shells complete its arguments.

use crate::cli::{Cli, CompletionsArguments};
use crate::error::{Failure, Outcome};
use clap::CommandFactory as _;
use clap_complete::generate;
use std::io::{self, Write as _};

/// Prints the script of a shell.
pub(crate) fn print(arguments: &CompletionsArguments) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "eom", &mut script);
    let written = io::stdout().lock().write_all(&script);
    written.map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}
