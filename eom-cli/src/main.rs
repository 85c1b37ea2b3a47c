//! The `eom` command: it parses its arguments, dispatches, and turns the result into an exit code.

mod book;
mod cli;
mod cmd;
mod declarations;
mod document;
mod error;
mod eval;
mod figure;
mod made;
mod mistakes;
mod model;
mod names;
mod numbers;
mod plot;
#[cfg(test)]
mod printed;
mod run;

use clap::Parser;
use cli::{Cli, Command};
use error::{Failure, Outcome};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Models(arguments) => cmd::models::list(arguments),
        Command::New(arguments) => cmd::new::write(arguments),
        Command::Check(arguments) => cmd::check::check(arguments),
        Command::Eval(arguments) => cmd::eval::print(arguments),
        Command::Derive(arguments) => cmd::derive::print(arguments),
        Command::Documents(arguments) => cmd::documents::print(arguments),
        Command::Book(arguments) => cmd::book::write(arguments),
        Command::Figures(arguments) => cmd::figures::draw(arguments),
        Command::Run(arguments) => cmd::run::run(arguments),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::EndedEarly | Outcome::Mistaken) => ExitCode::from(1),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let start = if matches!(failure, Failure::Mistakes(_)) { "" } else { "error: " };
            eprintln!("{start}{failure}");
            ExitCode::from(match failure {
                Failure::Refused(_) | Failure::Mistakes(_) => 2,
                Failure::Output { .. } => 1,
            })
        }
    }
}
