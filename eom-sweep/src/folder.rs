//! The folder of a sweep: chunks that are written, and those that are there.

use crate::error::SweepError;
use crate::parquet::{Footer, Parquet, footer};
use crate::seal;
use crate::sweep::{Head, Sweep};
use crate::table::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The file that says what a folder is of.
pub(crate) const HEAD: &str = "sweep.json";
/// How the name of a file that is not whole yet ends.
const TEMPORARY: &str = ".tmp";
/// One that was last written to so long ago is written to no more.
const LEFT: Duration = Duration::from_secs(3600);

/// The folder of a sweep, to write chunks into.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    sweep: Sweep,
    digest: String,
}

impl Folder {
    /// The folder of a sweep, made where there is none.
    ///
    /// # Errors
    /// It is of another sweep, or cannot be written.
    pub fn open(path: &Path, sweep: Sweep) -> Result<Self, SweepError> {
        for table in &sweep.tables {
            let folder = path.join(&table.name);
            fs::create_dir_all(&folder).map_err(SweepError::file(folder))?;
        }
        let place = path.join(HEAD);
        // Of two that come at once both write the same bytes, or the loser finds out below.
        if fs::metadata(&place).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            write(&place, |file| file.write_all(sweep.json().as_bytes()))
                .map_err(SweepError::file(&place))?;
        }
        let text = fs::read_to_string(&place).map_err(SweepError::unread(&place))?;
        if let Some(reason) = Head::read(path, &text)?.differs(&sweep) {
            return Err(SweepError::OtherSweep { path: path.into(), reason });
        }
        let digest = sweep.digest();
        Ok(Self { path: path.into(), sweep, digest })
    }

    /// The sweep that it is of.
    #[must_use]
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }

    /// Removes files that processes which were killed have left: nobody writes to one for so long.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn clear(&self) -> Result<(), SweepError> {
        let tables: Vec<String> =
            self.sweep.tables.iter().map(|table| table.name.clone()).collect();
        for path in temporaries(&self.path, &tables)? {
            let written = fs::metadata(&path).and_then(|file| file.modified());
            let is_left = written.is_ok_and(|at| at.elapsed().is_ok_and(|since| since > LEFT));
            if is_left {
                // Another one may have removed it.
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }

    /// Whether a chunk is there. What is broken is not, and is written anew.
    ///
    /// # Errors
    /// There is no such chunk, a file of it is of another sweep, or cannot be read.
    pub fn is_done(&self, chunk: u64) -> Result<bool, SweepError> {
        let range = self.sweep.range(chunk)?;
        let tables = self.sweep.tables.iter().map(|table| table.name.as_str());
        let (is_done, _) =
            look(&self.path, tables, (&self.digest, chunk), range.end - range.start)?;
        Ok(is_done)
    }

    /// Writes a chunk: the rows of each table.
    ///
    /// # Errors
    /// There is no such chunk, or a file cannot be written.
    pub fn write(&self, chunk: u64, rows: Vec<Vec<Vec<Cell>>>) -> Result<(), SweepError> {
        let range = self.sweep.range(chunk)?;
        let pairs = [
            (Footer::DIGEST, self.digest.clone()),
            (Footer::CHUNK, chunk.to_string()),
            (Footer::RUNS, format!("{}..{}", range.start, range.end)),
            (seal::KEY, seal::BLANK.to_owned()),
        ];
        // The first table last: where it stands the others do.
        for (table, rows) in self.sweep.tables.iter().zip(rows).rev() {
            let path = place(&self.path, &table.name, chunk);
            let title = self.sweep.title.as_str();
            write(&path, |file| {
                let to = BufWriter::new(&mut *file);
                let mut to = Parquet::new(title, &table.columns, &pairs, to)?;
                for row in rows {
                    to.row(row)?;
                }
                to.finish(io::Write::flush)?;
                seal::seal(file)
            })
            .map_err(SweepError::file(&path))?;
        }
        Ok(())
    }
}

/// Where the file of a chunk stands.
pub(crate) fn place(folder: &Path, table: &str, chunk: u64) -> PathBuf {
    folder.join(table).join(format!("chunk-{chunk:06}.parquet"))
}

/// Whether a chunk is there, with the `runs` rows of its first table, and those of its files that are no chunk or not
/// all of one.
pub(crate) fn look<'t>(
    folder: &Path,
    tables: impl Iterator<Item = &'t str>,
    of: (&str, u64),
    runs: u64,
) -> Result<(bool, Vec<PathBuf>), SweepError> {
    let (mut is_done, mut broken) = (true, Vec::new());
    for (i, table) in tables.enumerate() {
        let path = place(folder, table, of.1);
        let rows = (i == 0).then_some(runs);
        let is_whole = is_whole(&path, of, rows)?;
        is_done &= is_whole == Some(true);
        if is_whole == Some(false) {
            broken.push(path);
        }
    }
    Ok((is_done, broken))
}

/// Whether a file is a whole chunk, with so many rows where their number is known; nothing where there is no file.
fn is_whole(
    path: &Path,
    (digest, chunk): (&str, u64),
    rows: Option<u64>,
) -> Result<Option<bool>, SweepError> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(SweepError::unread(path)(error)),
    };
    if !seal::is_whole(&mut file).map_err(SweepError::unread(path))? {
        return Ok(Some(false));
    }
    let Some(found) = footer(file) else { return Ok(Some(false)) };
    if let Some(other) = found.digest.filter(|found| found != digest) {
        return Err(SweepError::Mixed {
            path: path.into(),
            found: other,
            digest: digest.to_owned(),
        });
    }
    Ok(Some(found.chunk == Some(chunk) && rows.is_none_or(|rows| rows == found.rows)))
}

/// The files that are not whole in a folder and those of its tables.
pub(crate) fn temporaries(folder: &Path, tables: &[String]) -> Result<Vec<PathBuf>, SweepError> {
    let mut found = Vec::new();
    for folder in [folder.to_path_buf()].into_iter().chain(tables.iter().map(|t| folder.join(t))) {
        // Where the folder of a table is not there, all of its chunks are missing.
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.map_err(SweepError::unread(&folder))?.path();
            if is_temporary(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a file was left by a process that did not end its work, or is being written.
fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(TEMPORARY))
}

/// Writes a file beside its place, synchronised, and renames it.
pub(crate) fn write(
    place: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let (temporary, mut file) = beside(place)?;
    let written = fill(&mut file)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, place))
        .and_then(|()| synchronise(place));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file in the folder of another, that no other process has.
fn beside(place: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let name = place.file_name().ok_or(ErrorKind::IsADirectory)?.to_string_lossy();
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = format!(".{name}.{}-{number}{TEMPORARY}", process::id());
        let temporary = place.with_file_name(temporary);
        match OpenOptions::new().read(true).write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // One of another machine with the same number of the process, or of one that was killed.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// A name lasts once its folder is synchronised; where a folder cannot be opened as a file there is nothing to do.
fn synchronise(place: &Path) -> io::Result<()> {
    match place.parent().map(File::open) {
        Some(Ok(folder)) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}
