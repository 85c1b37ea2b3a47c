//! The files of a run: opened before it starts, written after it.

use crate::error::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Where an output goes.
#[derive(Debug)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// A file.
    File(OutputFile),
}

/// A file that is open for writing. What it held stays until the output is written, and a file
/// that was made for an output that never came is removed.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    file: File,
    is_new: bool,
    is_written: bool,
}

impl Target {
    /// Opens a target: `-` is standard output.
    pub(crate) fn open(option: &str, path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        let is_new = !path.exists();
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|error| {
            Failure::Refused(format!("{option}: cannot write {}: {error}", path.display()))
        })?;
        Ok(Self::File(OutputFile { path: path.to_owned(), file, is_new, is_written: false }))
    }

    /// Whether this is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }

    /// Writes the whole output.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Stdout => {
                let mut stdout = io::stdout().lock();
                let result = stdout.write_all(bytes).and_then(|()| stdout.flush());
                result.map_err(|error| Failure::output("standard output", error))
            }
            Self::File(file) => {
                let result = file.replace(bytes);
                result.map_err(|error| Failure::output(&file.path.display().to_string(), error))
            }
        }
    }
}

impl OutputFile {
    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.is_written = true;
        // A device such as /dev/null has no length to set.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.file.write_all(bytes)?;
        self.file.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.is_new && !self.is_written {
            // The run did not happen, and its reason is being reported: a second one would hide it.
            let _ = fs::remove_file(&self.path);
        }
    }
}
