//! How a command can end: done, ended early, refused before anything ran, or output lost.

use std::fmt;
use std::io;

/// What a command that did something has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All that was asked: exit code 0.
    Done,
    /// A run ended before what was asked of it: exit code 1.
    EndedEarly,
    /// An interrupt ended it; what was computed is kept: exit code 130.
    Interrupted,
    /// A file has mistakes, or numbers are missing; they are told: exit code 1.
    Mistaken,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing was run, since the request cannot be carried out: exit code 2.
    Refused(String),
    /// Nothing was run, since a file has mistakes, which are told already: exit code 2.
    Mistakes(String),
    /// The result could not be written: exit code 1.
    Output {
        /// Where to.
        target: String,
        /// What the system says.
        error: io::Error,
    },
}

impl Failure {
    /// A refusal from anything that explains itself.
    pub(crate) fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }

    /// Output that was lost.
    pub(crate) fn output(target: &str, error: impl Into<io::Error>) -> Self {
        Self::Output { target: target.to_owned(), error: error.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) | Self::Mistakes(reason) => write!(f, "{reason}"),
            Self::Output { target, error } => write!(f, "cannot write {target}: {error}"),
        }
    }
}
