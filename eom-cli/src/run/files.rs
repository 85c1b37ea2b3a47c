//! The files of a run: opened before it starts, written after it.

use crate::error::Failure;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
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

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdout => "standard output".to_owned(),
            Self::File(file) => file.path.display().to_string(),
        }
    }

    /// Empties a file, since its output comes now.
    pub(crate) fn begin(&mut self) -> io::Result<()> {
        let Self::File(OutputFile { file, is_written, .. }) = self else { return Ok(()) };
        *is_written = true;
        // A device such as /dev/null has no length to set.
        if file.metadata()?.is_file() {
            file.set_len(0)?;
            io::Seek::rewind(file)?;
        }
        Ok(())
    }

    /// Writes the whole output.
    pub(crate) fn replace(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.begin().and_then(|()| self.write_all(bytes)).and_then(|()| self.flush());
        written.map_err(|error| Failure::output(&self.name(), error))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout => io::stdout().lock().write(bytes),
            Self::File(file) => file.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout => io::stdout().lock().flush(),
            Self::File(file) => file.file.flush(),
        }
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
