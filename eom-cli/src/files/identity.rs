//! Which file a path means. Two paths mean the same file where they lead to one inode of one device;
//! of files that are not there yet, where they lead to one name in one folder.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf, is_separator};

/// Links are followed this far, as Linux does.
const LINKS_MAX: usize = 40;

/// How the name of the file of a model ends.
pub(crate) const EXTENSION: &str = "eom";

/// Whether the name of a model is meant as a file.
pub(crate) fn is_path(text: &str) -> bool {
    text.contains(is_separator) || Path::new(text).extension().is_some_and(|end| end == EXTENSION)
}

/// A file, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    /// One that is there.
    Here {
        /// Its device and inode.
        node: Node,
        /// Whether its bytes stay: it is neither a pipe nor a terminal.
        keeps: bool,
    },
    /// A name in a folder.
    ToCome {
        /// The folder, without links.
        folder: PathBuf,
        /// The name.
        name: OsString,
    },
}

/// What the system knows a file by.
#[cfg(unix)]
pub(crate) type Node = (u64, u64);
/// What the system knows a file by: its path without links.
#[cfg(not(unix))]
pub(crate) type Node = PathBuf;

#[cfg(unix)]
fn node(_: &Path, data: &Metadata) -> Node {
    use std::os::unix::fs::MetadataExt as _;
    (data.dev(), data.ino())
}

#[cfg(not(unix))]
fn node(path: &Path, _: &Metadata) -> Node {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Identity {
    /// The file of a path. What is no path, such as a closed stream, is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if let Ok(data) = fs::metadata(path) {
            return Some(Self::Here { node: node(path, &data), keeps: data.is_file() });
        }
        let path = place(path);
        let folder = whole(path.parent().unwrap_or(Path::new("")));
        Some(Self::ToCome { folder, name: path.file_name()?.to_owned() })
    }

    /// Whether two are one file.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Here { node, .. }, Self::Here { node: other, .. }) => node == other,
            (Self::ToCome { folder, name }, Self::ToCome { folder: second, name: other }) => {
                folder == second
                    && (name == other || name.eq_ignore_ascii_case(other) && ignores_case(folder))
            }
            _ => false,
        }
    }

    /// Whether its bytes stay in it.
    pub(crate) fn keeps(&self) -> bool {
        !matches!(self, Self::Here { keeps: false, .. })
    }

    /// Whether it is the device that swallows everything.
    pub(crate) fn is_null(&self) -> bool {
        !self.keeps() && Self::of(Path::new("/dev/null")).is_some_and(|null| self.is(&null))
    }
}

/// Where a file of a path is or will be: its links followed, those that lead nowhere, too.
pub(crate) fn place(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&path) else { break };
        path = match path.parent() {
            Some(folder) => folder.join(target),
            None => target,
        };
    }
    path
}

/// Whether a path is standard output: `-`, or a name that systems have for it.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || is_descriptor(path, |number| number == "1")
}

/// Whether a path leads to an open file of this process of a number.
pub(crate) fn is_descriptor(path: &Path, is_number: impl Fn(&str) -> bool) -> bool {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let text = path.to_string_lossy().into_owned();
        if text == "/dev/stdout" && is_number("1") || text == "/dev/stderr" && is_number("2") {
            return true;
        }
        let process = format!("/proc/{}/fd/", std::process::id());
        let folders = ["/dev/fd/", "/proc/self/fd/", &process];
        if let Some(number) = folders.iter().find_map(|folder| text.strip_prefix(folder)) {
            return is_number(number);
        }
        let Ok(target) = fs::read_link(&path) else { return false };
        path = match path.parent() {
            Some(folder) => folder.join(target),
            None => target,
        };
    }
    false
}

/// A folder without links and dots; what of it is not there yet stands as it is written.
fn whole(folder: &Path) -> PathBuf {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let Ok(whole) = here.canonicalize() {
        return whole;
    }
    let (above, last) = (here.parent(), here.components().next_back());
    match (above, last) {
        (Some(above), Some(Component::ParentDir)) => {
            let mut whole = whole(above);
            whole.pop();
            whole
        }
        (Some(above), Some(last)) => whole(above).join(last),
        _ => here.to_owned(),
    }
}

/// Whether names in a folder are the same in upper and in lower case: told by a name that is there,
/// of an empty folder by its own.
fn ignores_case(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries.chain([folder.to_owned()]) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let swapped: String = name.chars().map(swap).collect();
        if swapped != name {
            let [one, other] = [path.clone(), path.with_file_name(swapped)]
                .map(|path| fs::symlink_metadata(&path).ok().map(|data| node(&path, &data)));
            return one.is_some() && one == other;
        }
    }
    false
}

fn swap(letter: char) -> char {
    if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    }
}
