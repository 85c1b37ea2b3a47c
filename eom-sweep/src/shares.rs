//! Which thread makes which runs: each comes for a range of them until none is left.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs that a thread takes at once, at most: they are made together.
const TAKEN: usize = 64;

/// Threads at most: no machine has more cores, and a system has no room for any number of threads.
const THREADS_MAX: usize = 1024;

/// How often each thread comes for more at least, so that all are at work to the end.
const TURNS: usize = 8;

/// The runs 0 … count − 1 on their way to threads.
#[derive(Debug)]
pub struct Shares {
    count: usize,
    threads: usize,
    taken: usize,
    next: AtomicUsize,
}

impl Shares {
    /// So many runs for as many threads as are wanted, if there are runs and room for these.
    pub fn new(wanted: usize, count: usize) -> Self {
        let threads = wanted.min(count).clamp(1, THREADS_MAX);
        let taken = (count / (TURNS * threads)).clamp(1, TAKEN);
        Self { count, threads, taken, next: AtomicUsize::new(0) }
    }

    /// How many threads there are to be.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The next runs that a thread makes together; none where all are taken.
    pub fn take(&self) -> Option<Range<usize>> {
        let first = self.next.fetch_add(self.taken, Ordering::Relaxed);
        (first < self.count).then(|| first..self.count.min(first + self.taken))
    }
}
