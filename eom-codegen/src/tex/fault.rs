//! What is wrong in a string.

use crate::diagnostic::Problem;
use std::ops::Range;

/// What is wrong in a string, and the bytes of it.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: Range<usize>,
    pub(super) problem: Problem,
}

pub(super) type Read<T> = Result<T, Fault>;
