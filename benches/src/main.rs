//! `eom-benches`: the table of ratios, instruction counts, compile times. `benches/README.md`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "tables are its output")]

use clap::{Args, Parser, Subcommand};
use eom_benches::contest::{Pace, hold};
use eom_benches::peers::{Peers, Place};
use eom_benches::report::{Row, derivatives, everyone, plots, ratios, surroundings};
use eom_benches::work::Work;
use eom_benches::{compile, files, instructions, ours};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Times of eom, of other tools and of hand-written code, side by side.
#[derive(Debug, Parser)]
#[command(name = "eom-benches")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    table: Table,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The table of ratios, with the peers; what runs without a command.
    Table(Table),
    /// The table of compile times: each declaration of the benchmarks and of the models.
    Compile {
        /// Only declarations whose names hold this text; may be repeated. Nothing is written.
        #[arg(long)]
        only: Vec<String>,
        /// Each crate once; nothing is written.
        #[arg(long)]
        quick: bool,
    },
    /// The same systems from files, without rustc, beside the compiled ones.
    Files {
        /// Only rows whose names hold this text; may be repeated. Nothing is written.
        #[arg(long)]
        only: Vec<String>,
    },
    /// The table of instruction counts, by valgrind.
    Instructions {
        /// Only pieces whose names hold this text; may be repeated. Nothing is written.
        #[arg(long)]
        only: Vec<String>,
        /// Fails where a count is so many percent above the table in the repository, which stays.
        #[arg(long, value_name = "PERCENT")]
        check: Option<f64>,
    },
    /// Does a piece of work so many times: what `instructions` counts.
    #[command(hide = true)]
    Repeat { piece: String, times: u32 },
}

/// Which rows, how long, with whom.
#[derive(Debug, Args)]
struct Table {
    /// Only rows whose names hold this text, such as `latency` or `derive/nlink32`; may be repeated.
    #[arg(long)]
    only: Vec<String>,
    /// Rough figures in a minute; the files are left as they are.
    #[arg(long)]
    quick: bool,
    /// Our side alone.
    #[arg(long)]
    no_peers: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    match arguments.command.unwrap_or(Command::Table(arguments.table)) {
        Command::Table(options) => table(&options),
        Command::Compile { only, quick } => compile_times(&only, quick),
        Command::Files { only } => from_files(&only),
        Command::Instructions { only, check } => instruction_counts(&only, check),
        Command::Repeat { piece, times } => Ok(instructions::repeat(&piece, times)?),
    }
}

/// A file of the benchmarks in the repository.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn compile_times(only: &[String], quick: bool) -> Result<(), Box<dyn Error>> {
    let repeats = if quick { 1 } else { 3 };
    let text = compile::table(only, repeats, |name| eprintln!("{name}"))?;
    println!("{text}");
    if only.is_empty() && !quick {
        std::fs::write(file("COMPILE.md"), text)?;
    }
    Ok(())
}

fn from_files(only: &[String]) -> Result<(), Box<dyn Error>> {
    let text = files::table(only)?;
    println!("{text}");
    if only.is_empty() {
        std::fs::write(file("FILES.md"), text)?;
    }
    Ok(())
}

fn instruction_counts(only: &[String], check: Option<f64>) -> Result<(), Box<dyn Error>> {
    let counts = instructions::count(only, |name| eprintln!("{name}"))?;
    let (text, path) = (instructions::table(&counts), file("INSTRUCTIONS.md"));
    println!("{text}");
    if let Some(percent) = check {
        let worse = instructions::worse(&counts, &path, percent)?;
        return if worse.is_empty() { Ok(()) } else { Err(worse.join("\n").into()) };
    }
    if only.is_empty() {
        std::fs::write(path, text)?;
    }
    Ok(())
}

fn table(options: &Table) -> Result<(), Box<dyn Error>> {
    let wanted =
        |work: &Work| options.only.is_empty() || options.only.iter().any(|o| work.id().contains(o));
    let works: Vec<Work> = Work::all().into_iter().filter(wanted).collect();
    let peers = if options.no_peers {
        Peers::default()
    } else {
        eprintln!("The peers get ready…");
        Peers::start(&Place::new(&compile::target()?)?, &works, options.quick)
    };
    let rows: Vec<Row> = works.iter().map(|work| row(*work, &peers, options.quick)).collect();
    let text = report(&rows, &peers, options.quick);
    println!("{text}");
    // A part of the rows, or rough figures, must not take the place of all.
    if options.only.is_empty() && !options.quick && !options.no_peers {
        write(&text, &rows)?;
    }
    Ok(())
}

/// Holds the contest of one row.
fn row(work: Work, peers: &Peers, quick: bool) -> Row {
    eprintln!("{}", work.title());
    let mut contestants = ours::contestants(work);
    contestants.extend(peers.contestants(work));
    // The clock of a machine that is shared rises and falls for seconds: who has many beside him has to have
    // as many turns as who has few.
    let seconds = if quick { 1 } else { contestants.len().max(8) };
    let pace =
        Pace { rounds: if quick { 3 } else { 40 }, time: Duration::from_secs(seconds as u64) };
    Row::new(work, &hold(&mut contestants, pace))
}

fn report(rows: &[Row], peers: &Peers, quick: bool) -> String {
    let mut text = format!(
        "# Results\n\n{}\n\n{}\n{}## Everyone\n\n{}",
        surroundings(&peers.versions, quick),
        ratios(rows),
        derivatives(rows),
        everyone(rows)
    );
    if !peers.missing.is_empty() {
        text.push_str("\nMissing:\n\n");
        for missing in &peers.missing {
            let _ = writeln!(text, "- {missing}");
        }
    }
    text
}

/// Writes the table and the figures into the repository.
fn write(text: &str, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    std::fs::write(file("RESULTS.md"), text)?;
    std::fs::create_dir_all(file("figures"))?;
    for (name, svg) in plots(rows) {
        std::fs::write(file("figures").join(name), svg)?;
    }
    Ok(())
}
