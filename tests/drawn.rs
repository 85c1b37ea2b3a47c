//! How many of the random cases a run of the tests draws.

/// The numbers of all cases where `CI` is set; else of each fifth, so that odd ones are among them.
pub(crate) fn drawn(all: usize) -> std::iter::StepBy<std::ops::Range<usize>> {
    (0..all).step_by(if std::env::var_os("CI").is_some() { 1 } else { 5 })
}
