//! Files that are made of something else and kept in a repository: which are stale, and writing them.

use crate::error::{Failure, Outcome};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes those files below a folder that are stale, and says which; with `check` they are refused
/// instead. `kind` is what they are, `refused` what is said of stale ones.
pub(crate) fn keep(
    folder: &Path,
    files: &[(String, String)],
    check: bool,
    (kind, refused): (&str, &str),
) -> Result<Outcome, Failure> {
    let stale = stale(folder, files);
    if check && !stale.is_empty() {
        return Err(Failure::Refused(format!("{refused}\n  {}", names(&stale))));
    }
    write(&stale)?;
    let summary = if stale.is_empty() {
        format!("{} {kind} are as the models have them", files.len())
    } else {
        format!("written:\n  {}", names(&stale))
    };
    writeln!(io::stdout().lock(), "{summary}")
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

/// Those of some files below a folder that are not on disk as they should be.
fn stale(folder: &Path, files: &[(String, String)]) -> Vec<(PathBuf, String)> {
    let there = files.iter().map(|(path, text)| (folder.join(path), text.clone()));
    there.filter(|(path, text)| !is_current(path, text)).collect()
}

/// Whether a file has a text.
pub(crate) fn is_current(path: &Path, text: &str) -> bool {
    fs::read(path).is_ok_and(|old| old == text.as_bytes())
}

/// Their paths, one a line.
fn names(files: &[(PathBuf, String)]) -> String {
    let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    names.join("\n  ")
}

/// Writes files, folders too.
fn write(files: &[(PathBuf, String)]) -> Result<(), Failure> {
    for (path, text) in files {
        let shown = path.display().to_string();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::output(&shown, error))?;
        }
        store(path, text)?;
    }
    Ok(())
}

/// Writes a file whole or not at all: beside its place first, then moved there.
pub(crate) fn store(path: &Path, text: &str) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let beside =
        path.with_file_name(format!(".{}.{}", name.unwrap_or_default(), std::process::id()));
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    moved.map_err(|error| {
        // What could not be moved is of no use; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&beside);
        Failure::output(&shown, error)
    })
}
