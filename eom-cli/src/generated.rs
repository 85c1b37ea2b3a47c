//! Files that are made of something else and kept in a repository: which are stale, and writing them.

use crate::error::{Failure, Outcome};
use crate::files::{Files, Output, Permit};
use crate::shell;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes those files below a folder that are stale, and says which; with `check` they are refused
/// instead. The folder has an option, `read` is what the files are made of, `kind` what they are,
/// `refused` what is said of stale ones.
pub(crate) fn keep<'p>(
    (folder, option): (&Path, &str),
    files: &[(String, String)],
    (read, check): (impl Iterator<Item = &'p Path>, bool),
    (kind, refused): (&str, &str),
) -> Result<Outcome, Failure> {
    let mut all = Files::default();
    read.for_each(|path| all.reads("the source", path));
    for (path, _) in files {
        all.writes(option, folder.join(path));
    }
    let permit = all.check(None)?;
    let stale = stale(folder, files);
    if check && !stale.is_empty() {
        return Err(Failure::Refused(format!("{refused}\n  {}", names(&stale))));
    }
    write(&permit, &stale)?;
    let summary = if stale.is_empty() {
        format!("{} {kind} are as the models have them", files.len())
    } else {
        format!("written:\n  {}", names(&stale))
    };
    shell::print_line(summary)?;
    Ok(Outcome::Done)
}

/// Those of some files below a folder that are not on disk as they should be.
fn stale(folder: &Path, files: &[(String, String)]) -> Vec<(PathBuf, String)> {
    let there = files.iter().map(|(path, text)| (folder.join(path), text.clone()));
    there.filter(|(path, text)| !is_current(path, text)).collect()
}

/// Whether a file has a text.
pub(crate) fn is_current(path: &Path, text: &str) -> bool {
    let has_length = |data: fs::Metadata| data.is_file() && data.len() == text.len() as u64;
    fs::metadata(path).is_ok_and(has_length)
        && fs::read(path).is_ok_and(|old| old == text.as_bytes())
}

/// Their paths, one a line.
fn names(files: &[(PathBuf, String)]) -> String {
    let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    names.join("\n  ")
}

/// Writes files, folders too.
fn write(permit: &Permit, files: &[(PathBuf, String)]) -> Result<(), Failure> {
    for (path, text) in files {
        if let Some(folder) = path.parent() {
            let shown = path.display().to_string();
            fs::create_dir_all(folder).map_err(|error| Failure::output(&shown, error))?;
        }
        Output::make(permit, path)?.replace(text.as_bytes())?;
    }
    Ok(())
}
