//! The threads of a sweep.

use crate::run::plan::Plan;
use crate::shell;
use crate::sweep::record::{Record, Wanted, make};
use indicatif::{ProgressBar, ProgressStyle};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Records on their way to the journal, for each thread.
const WAITING: usize = 4;

/// Makes the runs of a list, until all are made or an interrupt comes; each is kept as it comes, in any order.
pub(crate) fn work(
    plan: &Plan,
    wanted: Wanted,
    jobs: usize,
    runs: &[usize],
    mut keep: impl FnMut(Record) -> io::Result<()>,
) -> io::Result<()> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<Record>(WAITING * jobs);
    thread::scope(|scope| {
        for _ in 0..jobs.min(runs.len()) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !shell::is_interrupted() {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&run) = runs.get(turn) else { break };
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
                kept = keep(record);
            }
            if kept.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        kept
    })
}

/// A bar with the rate and the time left, on standard error where that is a terminal.
pub(crate) fn bar(what: &str, count: usize, done: usize) -> ProgressBar {
    if !shell::shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64).with_position(done as u64);
    let template = format!("{{bar:30}} {{pos}} of {{len}} {what}  {{per_sec}}  {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}
