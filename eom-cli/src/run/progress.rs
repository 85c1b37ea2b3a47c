//! The progress bar of a run that takes longer than a moment.

use crate::shell;
use eom_core::{Counted, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// A run that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two updates.
const REFRESH: Duration = Duration::from_millis(100);
/// The length of the bar: it shows per mille.
const LENGTH: u64 = 1000;

/// A bar on standard error, where that is a terminal.
pub(crate) struct Bar {
    start_time: f64,
    until_time: Option<f64>,
    until_impacts: Option<usize>,
    begun: Instant,
    next: Option<Instant>,
    shown: Option<ProgressBar>,
}

impl Bar {
    /// A bar for a run from a time to whichever end comes first.
    pub(crate) fn new(start_time: f64, options: &eom_core::Options) -> Self {
        let begun = Instant::now();
        Self {
            start_time,
            until_time: options.until_time,
            until_impacts: options.until_impacts,
            begun,
            next: shell::shows_progress().then(|| begun + PATIENCE),
            shown: None,
        }
    }

    /// Shows how far the run is.
    pub(crate) fn see(&mut self, progress: &Progress<'_>) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + REFRESH);
        let done = self.per_mille(progress);
        let seconds = (now - self.begun).as_secs_f64();
        let bar = self.shown.get_or_insert_with(new_bar);
        bar.set_position(done);
        bar.set_message(format!(
            "t = {:.4}, {}, {:.0} steps/s",
            progress.t,
            Counted(progress.stats.impacts as u64, "impact"),
            progress.stats.steps as f64 / seconds
        ));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// How much is done.
    #[expect(clippy::cast_sign_loss, reason = "a part of a whole is not negative")]
    fn per_mille(&self, progress: &Progress<'_>) -> u64 {
        let time = self.until_time.map(|t| (progress.t - self.start_time) / (t - self.start_time));
        let impacts = self.until_impacts.map(|n| progress.stats.impacts as f64 / n as f64);
        let part = time.unwrap_or(0.0).max(impacts.unwrap_or(0.0)).clamp(0.0, 1.0);
        (part * LENGTH as f64) as u64
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::new(LENGTH);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  {eta} left") {
        bar.set_style(style);
    }
    bar
}
