//! `eom completions`: scripts by which shells complete its arguments.

use crate::cli::{Cli, CompletionsArguments};
use crate::error::{Failure, Outcome};
use crate::shell;
use clap::CommandFactory as _;
use clap_complete::generate;

/// Prints the script of a shell.
pub(crate) fn print(arguments: &CompletionsArguments) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Cli::command(), "eom", &mut script);
    shell::print(String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}
