//! How a sweep went, for people: a line a run where there is no table, then the counts.

use crate::run::plan::Plan;
use crate::sweep::journal;
use crate::sweep::record::{self, Record};
use eom_core::Counted;
use eom_sweep::runs::Ended;
use eom_sweep::table::Cell;
use std::fmt::Write as _;

/// The most runs that are listed.
const LISTED: usize = 40;

/// What is told of the runs.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: [usize; 3],
    lines: Vec<String>,
}

impl Tally {
    /// Takes note of a run.
    pub(crate) fn count(&mut self, plan: &Plan, record: &Record) {
        let set = usize::from(plan.starts.len() > 1) + plan.axes.len();
        let word = |cell: Option<&Cell>| match cell {
            Some(Cell::Text(text)) => text.clone(),
            _ => String::new(),
        };
        let [ended, reason] = [0, 1].map(|i| word(record.summary.get(set + i)));
        for (index, kind) in Ended::ALL.iter().enumerate() {
            self.counts[index] += usize::from(kind.word() == ended);
        }
        if self.lines.len() < LISTED {
            let name = plan.describe(record.run);
            let is_told = reason.contains("impact");
            let impacts = if is_told { String::new() } else { impacts(plan, record) };
            self.lines.push(format!("{:>6}  {name}: {reason}{impacts}", record.run));
        }
    }

    /// The number of runs that ended in a way.
    pub(crate) fn of(&self, ended: Ended) -> usize {
        Ended::ALL.iter().position(|kind| *kind == ended).map_or(0, |index| self.counts[index])
    }

    /// The number of runs.
    pub(crate) fn done(&self) -> usize {
        self.counts.iter().sum()
    }
}

/// `, 3 impacts`, where there are contacts.
fn impacts(plan: &Plan, record: &Record) -> String {
    let columns = record::summary(plan);
    let place = columns[1..].iter().position(|column| column.name == "impacts");
    match place.and_then(|place| record.summary.get(place)) {
        Some(Cell::Count(count)) if *count == 1 || !plan.model.info.contacts.is_empty() => {
            format!(", {}", Counted(*count, "impact"))
        }
        _ => String::new(),
    }
}

/// The summary of a sweep; `before` of its runs were done when it went on, and as many records were
/// `broken`.
pub(crate) fn summary(
    plan: &Plan,
    tally: &Tally,
    listed: bool,
    (before, broken): (usize, usize),
) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{:13}{} ({})", "model", plan.model.name, plan.model.title);
    let parts: Vec<String> = [(Ended::Early, "ended early"), (Ended::Refused, "refused")]
        .into_iter()
        .filter(|(ended, _)| tally.of(*ended) > 0)
        .map(|(ended, words)| format!(", {} {words}", tally.of(ended)))
        .collect();
    let complete = tally.of(Ended::Complete);
    let _ = writeln!(text, "{:13}{}: {complete} complete{}", "runs", plan.count, parts.concat());
    if before > 0 {
        let _ = writeln!(text, "{:13}{before} were done before", "");
    }
    if broken > 0 {
        let records = if broken == 1 { "1 record was" } else { &format!("{broken} records were") };
        let _ = writeln!(text, "{:13}{records} broken: what they told was made anew", "");
    }
    if tally.done() < plan.count {
        let _ = writeln!(text, "{:13}after {} of {} runs", "interrupted", tally.done(), plan.count);
        if journal::journal_path(plan).is_some() {
            let _ =
                writeln!(text, "{:13}{} keeps them: go on with --resume", "", journal::name(plan));
        }
    }
    if listed {
        for line in &tally.lines {
            let _ = writeln!(text, "{line}");
        }
        let more = tally.done() - tally.lines.len();
        if more > 0 {
            let _ = writeln!(text, "{:>6}  and {more} more: write them with --table FILE", "");
        }
    }
    text
}
