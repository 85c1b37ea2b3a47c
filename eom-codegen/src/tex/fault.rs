//! What is wrong in a string.

use crate::diagnostic::Problem;
use eom_symbolic::tex::Mistake;
use std::ops::Range;

/// What is wrong in a string, and the bytes of it.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: Range<usize>,
    pub(super) problem: Problem,
}

pub(super) type Read<T> = Result<T, Fault>;

impl Fault {
    /// What cannot be read in a text.
    pub(super) fn unread(mistake: Mistake, text: &str) -> Self {
        let found = text.get(mistake.at.clone()).unwrap_or_default().to_owned();
        Self { at: mistake.at, problem: Problem::Tex { kind: mistake.kind, found } }
    }

    /// What needs a word of explanation.
    pub(super) fn unexplained(at: Range<usize>, what: &'static str, help: &str) -> Self {
        Self { at, problem: Problem::Unexplained { what, help: help.to_owned() } }
    }
}
