//! A file that is written beside its place, and those that are not whole yet.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A file beside the one that it will replace.
#[derive(Debug)]
pub(super) struct Beside {
    place: PathBuf,
    temporary: PathBuf,
    pub(super) file: File,
}

/// The numbers of files beside others: no two of a process are one.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// What is not whole yet, to be removed where the process ends at once.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what is not whole yet.
pub(crate) fn remove_temporaries() {
    let all = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
    for path in all.iter() {
        // The process ends: there is nobody to tell.
        let _ = fs::remove_file(path);
    }
}

impl Beside {
    /// Makes it in the same folder.
    pub(super) fn new(place: PathBuf) -> io::Result<Self> {
        let name = place.file_name().ok_or(ErrorKind::IsADirectory)?;
        // A longer name may be too long where the name itself is not.
        let shown: String = name.to_string_lossy().chars().take(40).collect();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = format!(".{shown}.eom-{}-{number}.tmp", std::process::id());
        let temporary = place.with_file_name(temporary);
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner).push(temporary.clone());
        Ok(Self { place, temporary, file })
    }

    /// It is whole: it takes its place.
    pub(super) fn finish(&self) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.place) {
            self.file.set_permissions(old.permissions())?;
        }
        self.file.sync_all()?;
        fs::rename(&self.temporary, &self.place)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Once it has taken its place there is nothing to remove; before, the reason is being told.
        let _ = fs::remove_file(&self.temporary);
        let mut all = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|path| *path != self.temporary);
    }
}
