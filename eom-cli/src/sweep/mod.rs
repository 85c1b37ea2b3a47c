//! Sweeps: many runs on several threads, told in a table, kept through interrupts.
//!
//! ```text
//! workers: next number → run → record          in any order
//! here:    record → journal                    as it comes
//! at the end, and at an interrupt:
//!          journal → tables                    in the order of the numbers
//! ```
//!
//! A run depends on its number alone, and the tables on the runs alone: they have the same bytes for
//! any number of threads, and whether or not the sweep was interrupted.

pub(crate) mod chunks;
mod figures;
mod journal;
pub(crate) mod points;
pub(crate) mod pool;
pub(crate) mod record;
pub(crate) mod slurm;
mod text;

use crate::cli::RunArguments;
use crate::error::{Failure, Outcome};
use crate::run::outputs::{Fate, Outputs, Picture, Sheets};
use crate::run::plan::Plan;
use crate::shell;
use eom_sweep::runs::Ended;
use eom_sweep::table::Cell;
use journal::Journal;
pub(crate) use journal::journal_path;
pub(crate) use points::TableFigure;
use record::{Record, Wanted};
use std::io;
use std::num::NonZero;
use std::thread;

/// Runs all of a sweep that is not done yet.
pub(crate) fn run(plan: &Plan, arguments: &RunArguments) -> Result<Outcome, Failure> {
    let of_one = [
        ("--ledger", plan.output.ledger),
        ("--frames", arguments.frames.is_some()),
        ("--html", plan.output.html.is_some()),
        ("--gif", plan.output.gif.is_some()),
    ];
    if let Some((option, _)) = of_one.iter().find(|(_, is_asked)| *is_asked) {
        let message = format!("{option} is of one run: leave out what makes several");
        return Err(Failure::Refused(message));
    }
    let jobs = jobs(arguments.jobs)?;
    let drawn = figures::drawn(plan)?;
    let Outputs { sheets, pictures, permit, .. } = Outputs::open(plan, arguments, drawn.as_ref())?;
    let at_events = pictures.iter().any(Picture::is_at_events);
    let events = sheets.events.is_some() || at_events;
    let wanted = Wanted { samples: !sheets.samples.is_empty(), events };
    let mut journal = Journal::open(&permit, plan, wanted, arguments.resume)?;
    let before = journal.done();
    shell::watch_interrupts();
    let missing = journal.missing(plan.count);
    let bar = pool::bar("runs", plan.count, before);
    let kept = pool::work(
        jobs,
        &missing,
        |runs, hands| record::make(plan, runs, wanted, hands),
        |record| {
            bar.inc(1);
            journal.keep(record)
        },
    );
    bar.finish_and_clear();
    let kept = kept.map_err(|error| Failure::output(&journal::name(plan), error));
    let outcome = write(plan, &mut journal, (sheets, pictures), (before, kept.is_err()));
    kept?;
    let outcome = outcome?;
    if journal.done() == plan.count {
        journal.remove();
    }
    Ok(outcome)
}

/// The number of threads.
pub(crate) fn jobs(asked: Option<usize>) -> Result<usize, Failure> {
    match asked {
        Some(0) => Err(Failure::Refused("--jobs must be at least 1".to_owned())),
        Some(jobs) => Ok(jobs),
        None => Ok(thread::available_parallelism().map_or(1, NonZero::get)),
    }
}

/// Writes the tables of what is done, and says how the sweep went.
fn write(
    plan: &Plan,
    journal: &mut Journal,
    (sheets, pictures): (Sheets, Vec<Picture>),
    (before, is_cut): (usize, bool),
) -> Result<Outcome, Failure> {
    let title = plan.model.title.as_str();
    let mut fate = Fate::default();
    let Sheets { samples, events, table, use_stdout } = sheets;
    for sheet in samples {
        let rows = rows(journal, |record| record.samples);
        sheet.write((title, "samples"), &record::samples(plan.model.info), rows, &mut fate);
    }
    if let Some(sheet) = events {
        let rows = rows(journal, |record| record.events);
        sheet.write((title, "events"), &record::events(plan.model.info), rows, &mut fate);
    }
    let is_listed = table.is_none();
    if let Some(sheet) = table {
        let rows = rows(journal, |record| vec![record.summary]);
        sheet.write((title, "runs"), &record::summary(plan), rows, &mut fate);
    }
    let mut tally = text::Tally::default();
    for record in journal.records() {
        let record = record.map_err(|error| Failure::output(&journal::name(plan), error))?;
        tally.count(plan, &record);
    }
    let interrupted = shell::is_interrupted() && tally.done() < plan.count;
    let mut text = text::summary(plan, &tally, is_listed, (before, journal.broken()));
    if !interrupted {
        text.push_str(&figures::draw(plan, journal, pictures, &mut fate)?);
    }
    shell::print_summary(use_stdout, &text).and(fate.tell(interrupted || is_cut))?;
    if interrupted {
        return Ok(Outcome::Interrupted);
    }
    Ok(if tally.of(Ended::Complete) == plan.count { Outcome::Done } else { Outcome::EndedEarly })
}

/// The rows of all runs, each under its number.
fn rows(
    journal: &mut Journal,
    part: impl Fn(Record) -> Vec<Vec<Cell>>,
) -> impl Iterator<Item = io::Result<Vec<Cell>>> {
    journal.records().flat_map(move |record| {
        let rows: Vec<io::Result<Vec<Cell>>> = match record {
            Err(error) => vec![Err(error)],
            Ok(record) => {
                let run = Cell::count(record.run);
                let under = |row: Vec<Cell>| Ok([vec![run.clone()], row].concat());
                part(record).into_iter().map(under).collect()
            }
        };
        rows
    })
}
