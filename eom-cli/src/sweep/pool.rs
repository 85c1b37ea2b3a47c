//! The threads of a sweep.

use crate::shell;
use eom_sweep::Shares;
use indicatif::{ProgressBar, ProgressStyle};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Records on their way to the journal, for each thread.
const WAITING: usize = 16;

/// Makes the runs of a list by `make`, some at once, until all are made or an interrupt comes; what is left of each is kept as it
/// comes, in any order. `make` is told whether to go on and whom to hand what is left; whether it made all is its answer.
pub(crate) fn work<T: Send>(
    jobs: usize,
    runs: &[usize],
    make: impl Fn(&[usize], (&dyn Fn() -> bool, &dyn Fn(T) -> bool)) -> bool + Sync,
    mut keep: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let (shares, stop) = (Shares::new(jobs, runs.len()), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<T>(WAITING * shares.threads());
    thread::scope(|scope| {
        for _ in 0..shares.threads() {
            let (sender, shares, stop, make) = (sender.clone(), &shares, &stop, &make);
            scope.spawn(move || {
                let goes_on = || !stop.load(Ordering::Relaxed) && !shell::is_interrupted();
                let keep = |record| sender.send(record).is_ok();
                while goes_on() {
                    let Some(share) = shares.take() else { break };
                    if !make(&runs[share], (&goes_on, &keep)) {
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

/// What is left of so many runs, in their order, with a bar of what they are; of an interrupt those that were made.
pub(crate) fn collected<T: Send>(
    jobs: usize,
    (what, count): (&str, usize),
    make: impl Fn(&[usize], (&dyn Fn() -> bool, &dyn Fn((usize, T)) -> bool)) -> bool + Sync,
) -> io::Result<Vec<(usize, T)>> {
    let all: Vec<usize> = (0..count).collect();
    let bar = bar(what, count, 0);
    let mut made = Vec::with_capacity(count);
    let kept = work(jobs, &all, make, |row| {
        bar.inc(1);
        made.push(row);
        Ok(())
    });
    bar.finish_and_clear();
    made.sort_by_key(|(run, _)| *run);
    kept.map(|()| made)
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
