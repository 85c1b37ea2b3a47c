//! What can go wrong with the files of a sweep.

use std::io;
use std::path::PathBuf;

/// Why a folder of chunks cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system or the format says.
        error: io::Error,
    },
    /// The folder has no `sweep.json` that says what it is of.
    #[error("{} is no folder of a sweep: {reason}", path.display())]
    NoSweep {
        /// The folder.
        path: PathBuf,
        /// What is missing or broken.
        reason: String,
    },
    /// The folder is of another sweep.
    #[error("{} is of another sweep: {reason}\n  name another folder, or run what this one is of", path.display())]
    OtherSweep {
        /// The folder.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// A chunk is of another sweep than the folder.
    #[error("{} is of another sweep than its folder (digest {found}, not {digest})\n  remove it, and its chunk is made anew", path.display())]
    Mixed {
        /// The file.
        path: PathBuf,
        /// The digest in its footer.
        found: String,
        /// The digest of the folder.
        digest: String,
    },
    /// A table's folder has a file that is none of its chunks: whoever reads all files of it has its rows, too.
    #[error("{} is no chunk of the sweep, and who reads all files of its folder reads it, too\n  move it elsewhere", path.display())]
    Stranger {
        /// The file.
        path: PathBuf,
    },
    /// There is no such chunk.
    #[error("there is no chunk {chunk}: the sweep has {chunks}, from 0")]
    NoSuchChunk {
        /// The number that was asked for.
        chunk: u64,
        /// How many there are.
        chunks: u64,
    },
    /// A chunk is no place for the file of all of them.
    #[error("{} is a chunk of the sweep", path.display())]
    IsChunk {
        /// The file.
        path: PathBuf,
    },
    /// The sweep has no such table.
    #[error("there is no table `{table}`; tables: {}", tables.join(", "))]
    NoSuchTable {
        /// The name that was asked for.
        table: String,
        /// Those that there are.
        tables: Vec<String>,
    },
    /// Not all chunks are there.
    #[error("{} of {chunks} chunks are missing: {}", missing.len(), crate::listed(missing))]
    Incomplete {
        /// Those that are not there.
        missing: Vec<u64>,
        /// How many there should be.
        chunks: u64,
    },
}

impl SweepError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }

    pub(crate) fn unread(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::Unread { path, error }
    }
}
