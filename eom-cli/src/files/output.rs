//! An output: a stream, a device, or a file that is written beside its place and moved there when it
//! is whole.
//!
//! ```text
//! open      .NAME.eom-PID-N.tmp is made in the folder of NAME; NAME stays as it is
//! finish    flushed, synchronised, given the permissions of the old NAME, renamed to NAME
//! drop      without finish: removed; NAME is as it was
//! ```
//!
//! A symbolic link stays one: the file that it leads to is replaced. Pipes and devices are written
//! directly, for nothing can be moved there; so is a file whose folder takes no new names.

use super::beside::Beside;
use super::identity::{is_descriptor, is_stdout, place};
use super::table::Permit;
use crate::error::Failure;
use crate::shell::Stdout;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Where an output goes.
#[derive(Debug)]
pub(crate) struct Output {
    /// What messages call it.
    name: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Stdout,
    Stderr,
    /// A pipe or a device.
    Device(File),
    /// A file in a folder that takes no new names; emptied when its output begins.
    Kept {
        file: File,
        is_begun: bool,
    },
    Beside(Beside),
}

impl Output {
    /// Opens an output: `-` is standard output. The error names the option.
    pub(crate) fn open(permit: &Permit, option: &str, path: &Path) -> Result<Self, Failure> {
        Self::of(permit, path).map_err(|error| {
            Failure::Refused(format!("{option}: cannot write {}: {error}", path.display()))
        })
    }

    /// Opens an output; where it cannot be, it is lost.
    pub(crate) fn make(permit: &Permit, path: &Path) -> Result<Self, Failure> {
        let made = Self::of(permit, path);
        made.map_err(|error| Failure::output(&path.display().to_string(), error))
    }

    /// Opens an output.
    pub(crate) fn of(_: &Permit, path: &Path) -> io::Result<Self> {
        if is_stdout(path) {
            return Ok(Self { name: "standard output".to_owned(), place: Place::Stdout });
        }
        Ok(Self { name: path.display().to_string(), place: Place::of(path)? })
    }

    /// Whether this is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.place, Place::Stdout)
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// All is written: the file takes its place.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match &self.place {
            Place::Beside(beside) => beside.finish(),
            Place::Kept { file, .. } => file.sync_all(),
            Place::Stdout | Place::Stderr | Place::Device(_) => Ok(()),
        }
    }

    /// Writes the whole output.
    pub(crate) fn replace(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let name = self.name.clone();
        let written = self.write_all(bytes).and_then(|()| self.finish());
        written.map_err(|error| Failure::output(&name, error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Stdout => Stdout.write(bytes),
            Place::Stderr => io::stderr().lock().write(bytes),
            Place::Device(file) | Place::Beside(Beside { file, .. }) => file.write(bytes),
            Place::Kept { file, is_begun } => {
                if !*is_begun {
                    file.set_len(0)?;
                    *is_begun = true;
                }
                file.write(bytes)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Stdout => Stdout.flush(),
            Place::Stderr => io::stderr().lock().flush(),
            Place::Device(file) | Place::Kept { file, .. } | Place::Beside(Beside { file, .. }) => {
                file.flush()
            }
        }
    }
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        if is_descriptor(path, |number| number == "2") {
            return Ok(Self::Stderr);
        }
        let is_open = is_descriptor(path, |_| true);
        let there = fs::metadata(path);
        if is_open || there.as_ref().is_ok_and(|data| !data.is_file() && !data.is_dir()) {
            // What another program opened as a file goes on at its end.
            return OpenOptions::new().append(true).open(path).map(Self::Device);
        }
        match there {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            // Whether it may be written is asked of the file itself; it is not changed.
            Ok(_) => drop(OpenOptions::new().write(true).open(path)?),
        }
        match Beside::new(place(path)) {
            Ok(beside) => Ok(Self::Beside(beside)),
            Err(error) => match OpenOptions::new().write(true).open(path) {
                Ok(file) => Ok(Self::Kept { file, is_begun: false }),
                Err(_) => Err(error),
            },
        }
    }
}
