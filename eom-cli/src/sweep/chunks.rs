//! A sweep in chunks: which are asked for, and what fills them. Their files are those of `eom-sweep`.

use crate::cli::SweepArguments;
use crate::error::Failure;
use crate::run::plan::Plan;
use crate::shell;
use crate::sweep::pool;
use crate::sweep::record::{self, Record, Wanted};
use crate::sweep::text::Tally;
use eom_sweep::table::{Cell, Column};
use eom_sweep::{Folder, Sweep, SweepError, Table};

/// More runs than this are not numbered.
pub(crate) const RUNS_MAX: usize = 1_000_000_000_000_000;

/// What became of the chunks that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// Those that were there.
    pub(crate) before: u64,
    /// Those that were made.
    pub(crate) written: u64,
    /// How their runs went.
    pub(crate) tally: Tally,
}

/// The sweep that a plan is.
pub(crate) fn sweep(plan: &Plan, arguments: &SweepArguments) -> Sweep {
    let wanted = wanted(plan, arguments);
    let identity = plan.identity(wanted.samples, wanted.events);
    let identity = identity.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let table = |name: &str, columns: Vec<Column>| Table { name: name.to_owned(), columns };
    let info = plan.model.info;
    let mut tables = vec![table("runs", record::summary(plan))];
    tables.extend(wanted.events.then(|| table("events", record::events(info))));
    tables.extend(wanted.samples.then(|| table("samples", record::samples(info))));
    let (title, runs) = (plan.model.title.clone(), plan.count as u64);
    Sweep { title, identity, runs, size: arguments.size, tables }
}

/// Which tables are kept.
pub(crate) fn wanted(plan: &Plan, arguments: &SweepArguments) -> Wanted {
    Wanted { samples: plan.output.sample.is_some(), events: arguments.events }
}

/// Makes the chunks of a list that are not there, until all are or an interrupt comes.
pub(crate) fn make(
    plan: &Plan,
    wanted: Wanted,
    jobs: usize,
    (folder, chunks): (&Folder, &[u64]),
) -> Result<Made, Failure> {
    let mut made = Made::default();
    let bar = pool::bar("chunks", chunks.len(), 0);
    for &chunk in chunks {
        if folder.is_done(chunk).map_err(failure)? {
            made.before += 1;
        } else if !shell::is_interrupted() {
            let runs = folder.sweep().range(chunk).map_err(failure)?;
            // A sweep has no more runs than a `usize` counts.
            let runs: Vec<usize> = runs.filter_map(|run| usize::try_from(run).ok()).collect();
            let mut records = Vec::with_capacity(runs.len());
            let keep = |record| {
                records.push(record);
                Ok(())
            };
            pool::work(jobs, &runs, |runs, hands| record::make(plan, runs, wanted, hands), keep)
                .map_err(|error| Failure::output("the chunk", error))?;
            // An interrupt has left some out.
            if records.len() < runs.len() {
                break;
            }
            records.sort_by_key(|record: &Record| record.run);
            for record in &records {
                made.tally.count(plan, record);
            }
            let rows = rows(&records, &folder.sweep().tables);
            folder.write(chunk, rows).map_err(failure)?;
            made.written += 1;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(made)
}

/// The rows of each table, under the numbers of their runs.
fn rows(records: &[Record], tables: &[Table]) -> Vec<Vec<Vec<Cell>>> {
    let of = |record: &Record, table: &str| match table {
        "events" => record.events.clone(),
        "samples" => record.samples.clone(),
        _ => vec![record.summary.clone()],
    };
    let numbered = |record: &Record, table: &str| {
        let run = Cell::count(record.run);
        let under = |row: Vec<Cell>| [vec![run.clone()], row].concat();
        of(record, table).into_iter().map(under).collect::<Vec<_>>()
    };
    let all =
        |table: &Table| records.iter().flat_map(|record| numbered(record, &table.name)).collect();
    tables.iter().map(all).collect()
}

/// The chunks of `--chunks`: `7`, `0..8`, `3,8..12`; without it all. A range may go beyond the last chunk.
pub(crate) fn chosen(list: Option<&str>, chunks: u64) -> Result<Vec<u64>, Failure> {
    let Some(list) = list else { return Ok((0..chunks).collect()) };
    let no = |part: &str| {
        let message =
            format!("--chunks {list}: `{part}` is neither a number from 0 nor a range as 0..8");
        Failure::Refused(message)
    };
    let mut chosen = Vec::new();
    for part in list.split(',').map(str::trim) {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| no(part));
        match part.split_once("..") {
            Some((first, end)) => {
                let (first, end) = (number(first)?, number(end)?);
                if first >= end {
                    return Err(no(part));
                }
                chosen.extend(first..end.min(chunks));
            }
            None => match number(part)? {
                chunk if chunk < chunks => chosen.push(chunk),
                chunk => return Err(failure(SweepError::NoSuchChunk { chunk, chunks })),
            },
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// What the command makes of a failure of files.
pub(crate) fn failure(error: SweepError) -> Failure {
    match error {
        SweepError::File { path, error } => Failure::output(&path.display().to_string(), error),
        other => Failure::refused(other),
    }
}
