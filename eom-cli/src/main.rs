//! The `eom` command: it parses its arguments, dispatches, and turns the result into an exit code.

mod analysis;
mod book;
mod cli;
mod cmd;
mod complaint;
mod declarations;
mod document;
mod engines;
mod error;
mod eval;
mod figure;
mod files;
mod film;
mod generated;
mod mistakes;
mod model;
mod output;
mod plot;
mod run;
mod scenario;
mod shell;
mod studio;
mod sweep;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _};
use cli::{Cli, Command};
use eom_cli::{names, numbers};
use error::{Failure, Outcome};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Its help and its mistakes have colours by the same rule, which is known once all is read.
    // What is no text is refused by the parser, with its words.
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let read = Cli::command().color(colour(arguments)).try_get_matches();
    let cli = match read.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return code(shell::print_help(&help).map(|()| Outcome::Done)),
    };
    shell::speak(cli.color, cli.quiet);
    let result = match &cli.command {
        Command::Models(arguments) => cmd::models::list(arguments),
        Command::New(arguments) => cmd::new::write(arguments),
        Command::Check(arguments) => cmd::check::check(arguments),
        Command::Fmt(arguments) => cmd::fmt::format(arguments),
        Command::Eval(arguments) => cmd::eval::print(arguments),
        Command::Derive(arguments) => cmd::derive::print(arguments),
        Command::Generate(arguments) => cmd::generate::generate(arguments),
        Command::Documents(arguments) => cmd::documents::print(arguments),
        Command::Book(arguments) => cmd::book::write(arguments),
        Command::Figures(arguments) => cmd::figures::draw(arguments),
        Command::Run(arguments) => cmd::run::run(arguments),
        Command::Sweep(arguments) => cmd::sweep::run(arguments),
        Command::Gather(arguments) => cmd::gather::gather(arguments),
        Command::Studio(arguments) => cmd::studio::serve(arguments),
        Command::Engine(arguments) => cmd::engine::answer(arguments),
        Command::Analyse(arguments) => cmd::analyse::analyse(arguments),
        Command::Completions(arguments) => cmd::completions::print(arguments),
    };
    code(result)
}

/// The exit code, once the reason of a failure is told.
fn code(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::EndedEarly | Outcome::Mistaken) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(shell::INTERRUPTED),
        Err(failure) => {
            let start = if matches!(failure, Failure::Mistakes(_)) { "" } else { "error: " };
            shell::tell(format_args!("{start}{failure}"));
            ExitCode::from(match failure {
                Failure::Refused(_) | Failure::Mistakes(_) => 2,
                Failure::Output { .. } => 1,
            })
        }
    }
}

/// What `--color` says among the arguments.
fn colour(arguments: impl Iterator<Item = String>) -> ColorChoice {
    let arguments: Vec<String> = arguments.collect();
    let follows = |i: usize| arguments.get(i + 1).map(String::as_str);
    let places = arguments.iter().enumerate().rev();
    let mut words = places.filter_map(|(i, argument)| match argument.as_str() {
        "--color" => follows(i),
        other => other.strip_prefix("--color="),
    });
    words.next().and_then(|word| word.parse().ok()).unwrap_or(ColorChoice::Auto)
}
