//! The threads of a sweep.

use crate::error::Failure;
use crate::run::plan::Plan;
use crate::shell;
use crate::sweep::journal::{self, Journal};
use crate::sweep::record::{Record, Wanted, make};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Records on their way to the journal, for each thread.
const WAITING: usize = 4;

/// Makes the runs that the journal has not, until all are made or an interrupt comes.
pub(crate) fn work(
    plan: &Plan,
    wanted: Wanted,
    jobs: usize,
    journal: &mut Journal,
) -> Result<(), Failure> {
    let missing = journal.missing(plan.count);
    let bar = bar(plan.count, journal.done());
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<Record>(WAITING * jobs);
    thread::scope(|scope| {
        for _ in 0..jobs.min(missing.len()) {
            let (sender, next, stop, missing) = (sender.clone(), &next, &stop, &missing);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !shell::is_interrupted() {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&run) = missing.get(turn) else { break };
                    let Some(record) = make(plan, run, wanted) else { break };
                    if sender.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut kept = Ok(());
        for record in receiver {
            if kept.is_ok() {
                kept = journal.keep(record);
                bar.inc(1);
            }
            if kept.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        bar.finish_and_clear();
        kept.map_err(|error| Failure::output(&journal::name(plan), error))
    })
}

/// A bar with the rate and the time left, on standard error where that is a terminal.
fn bar(count: usize, done: usize) -> ProgressBar {
    if !shell::shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64).with_position(done as u64);
    let template = "{bar:30} {pos} of {len} runs  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}
