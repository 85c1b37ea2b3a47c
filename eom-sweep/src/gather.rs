//! Gathering: whether all chunks of a folder are there and of one sweep, and one file of them.

use crate::error::SweepError;
use crate::folder::{HEAD, look, place, temporaries, write};
use crate::groups::Groups;
use crate::join::join;
use crate::sweep::Head;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder of chunks that was looked through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathered {
    /// The folder.
    pub path: PathBuf,
    /// How many runs the sweep has.
    pub runs: u64,
    /// How many chunks.
    pub chunks: u64,
    /// Its tables; each is a folder of Parquet files of one schema.
    pub tables: Vec<String>,
    /// The chunks that are not there.
    pub missing: Vec<u64>,
    /// Files that are no chunk or not all of one; their chunks are among the missing.
    pub broken: Vec<PathBuf>,
    /// Files that are being written, or were left by a process that was killed.
    pub temporaries: Vec<PathBuf>,
}

impl Gathered {
    /// Looks through a folder, and whether the bytes of each chunk are those that were written.
    ///
    /// # Errors
    /// It is no folder of a sweep, a chunk is of another one, a file is no chunk of it, or cannot be read.
    pub fn look(folder: &Path) -> Result<Self, SweepError> {
        let text = fs::read_to_string(folder.join(HEAD)).map_err(|error| SweepError::NoSweep {
            path: folder.into(),
            reason: format!("{HEAD}: {error}"),
        })?;
        let head = Head::read(folder, &text)?;
        let (mut missing, mut broken) = (Vec::new(), Vec::new());
        for chunk in 0..head.chunks() {
            let tables = head.tables.iter().map(String::as_str);
            let (is_done, files) = look(folder, tables, (&head.digest, chunk), head.count(chunk))?;
            broken.extend(files);
            if !is_done {
                missing.push(chunk);
            }
        }
        for table in &head.tables {
            check_strangers(folder, table, head.chunks())?;
        }
        let temporaries = temporaries(folder, &head.tables)?;
        Ok(Self {
            path: folder.into(),
            runs: head.runs,
            chunks: head.chunks(),
            tables: head.tables,
            missing,
            broken,
            temporaries,
        })
    }

    /// The files of a table, in the order of their runs.
    ///
    /// # Errors
    /// There is no such table, or not all of them are there.
    pub fn files(&self, table: &str) -> Result<Vec<PathBuf>, SweepError> {
        if !self.tables.iter().any(|name| name == table) {
            let (table, tables) = (table.to_owned(), self.tables.clone());
            return Err(SweepError::NoSuchTable { table, tables });
        }
        if !self.missing.is_empty() {
            let missing = self.missing.clone();
            return Err(SweepError::Incomplete { missing, chunks: self.chunks });
        }
        Ok((0..self.chunks).map(|chunk| place(&self.path, table, chunk)).collect())
    }

    /// The rows of a table, a row group at a time.
    ///
    /// # Errors
    /// Not all chunks are there, or the first cannot be read.
    pub fn groups(&self, table: &str) -> Result<Groups, SweepError> {
        Groups::of(self.files(table)?)
    }

    /// Writes a table as one Parquet file: the chunks behind each other, as they stand.
    ///
    /// # Errors
    /// Not all chunks are there, or a file cannot be read or written.
    pub fn join<W: Write + Send>(&self, table: &str, to: W) -> Result<(), SweepError> {
        join(&self.files(table)?, to)
    }

    /// Refuses a place among the chunks for a file of all of them.
    ///
    /// # Errors
    /// It is in the folder of a table.
    pub fn check_place(&self, place: &Path) -> Result<(), SweepError> {
        let folder = place.parent().and_then(|folder| folder.canonicalize().ok());
        let is_in = |table: &String| self.path.join(table).canonicalize().ok() == folder;
        if folder.is_some() && self.tables.iter().any(is_in) {
            return Err(SweepError::Stranger { path: place.into() });
        }
        Ok(())
    }

    /// The same into a file, which is there whole or not at all.
    ///
    /// # Errors
    /// Not all chunks are there, the file is one of them, or a file cannot be read or written.
    pub fn join_into(&self, table: &str, place: &Path) -> Result<(), SweepError> {
        let chunks = self.files(table)?;
        let real = |path: &Path| path.canonicalize().ok();
        let to = real(place);
        if to.is_some() && chunks.iter().any(|chunk| real(chunk) == to) {
            return Err(SweepError::IsChunk { path: place.into() });
        }
        self.check_place(place)?;
        let mut joined = Ok(());
        let written = write(place, |file| {
            joined = join(&chunks, file);
            // Why it failed is told below.
            if joined.is_ok() { Ok(()) } else { Err(io::Error::other("it was not joined")) }
        });
        joined.and(written.map_err(SweepError::file(place)))
    }
}

/// Refuses a Parquet file beside the chunks of a table.
fn check_strangers(folder: &Path, table: &str, chunks: u64) -> Result<(), SweepError> {
    // Where the folder of a table is not there, all of its chunks are missing.
    let Ok(entries) = fs::read_dir(folder.join(table)) else { return Ok(()) };
    let mut strangers = Vec::new();
    for entry in entries {
        let path = entry.map_err(SweepError::unread(folder.join(table)))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(stem) = name.strip_suffix(".parquet") else { continue };
        let number = stem.strip_prefix("chunk-").and_then(|number| number.parse().ok());
        let is_chunk = |number: &u64| *number < chunks && place(folder, table, *number) == path;
        if !number.is_some_and(|number| is_chunk(&number)) {
            strangers.push(path);
        }
    }
    strangers.into_iter().min().map_or(Ok(()), |path| Err(SweepError::Stranger { path }))
}
