//! Each run is taken once, by whatever threads there are.

use eom_sweep::Shares;
use std::thread;

fn check(wanted: usize, count: usize) {
    let shares = Shares::new(wanted, count);
    assert!((1..=1024).contains(&shares.threads()), "{wanted} threads are wanted");
    let take = || -> Vec<usize> { std::iter::from_fn(|| shares.take()).flatten().collect() };
    let mut taken: Vec<usize> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    taken.sort_unstable();
    assert!(taken.iter().copied().eq(0..count), "{wanted} threads, {count} runs: {taken:?}");
    assert_eq!(shares.take(), None);
}

#[test]
fn each_run_is_taken_once() {
    for wanted in [0, 1, 2, 7, 1000, usize::MAX] {
        for count in [0, 1, 2, 63, 64, 65, 1000, 20_011] {
            check(wanted, count);
        }
    }
}
