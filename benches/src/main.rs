//! `eom-benches`: the table of ratios, instruction counts, compile times. `benches/README.md`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "tables are its output")]

use clap::{Args, Parser, Subcommand};
use eom_benches::contest::{Pace, hold};
use eom_benches::ours;
use eom_benches::peers::{Peers, Place};
use eom_benches::report::{Row, everyone, plots, ratios, surroundings};
use eom_benches::work::Work;
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
    }
}

/// The target folder of this build.
fn target() -> Result<PathBuf, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let folder = program.parent().and_then(Path::parent).ok_or("no target folder")?;
    Ok(folder.to_path_buf())
}

fn table(options: &Table) -> Result<(), Box<dyn Error>> {
    let wanted =
        |work: &Work| options.only.is_empty() || options.only.iter().any(|o| work.id().contains(o));
    let works: Vec<Work> = Work::all().into_iter().filter(wanted).collect();
    let peers = if options.no_peers {
        Peers::default()
    } else {
        eprintln!("The peers get ready…");
        Peers::start(&Place::new(&target()?)?, &works, options.quick)
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
    let pace = Pace {
        rounds: if quick { 3 } else { 40 },
        time: Duration::from_secs(if quick { 1 } else { 8 }),
    };
    Row::new(work, &hold(&mut contestants, pace))
}

fn report(rows: &[Row], peers: &Peers, quick: bool) -> String {
    let mut text = format!(
        "# Results\n\n{}\n\n{}\n## Everyone\n\n{}",
        surroundings(&peers.versions, quick),
        ratios(rows),
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::write(folder.join("RESULTS.md"), text)?;
    for (name, svg) in plots(rows) {
        std::fs::write(folder.join("figures").join(name), svg)?;
    }
    Ok(())
}
