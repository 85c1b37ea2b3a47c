//! The files of a command, all of them, and the check that no output is an input or another output.
//!
//! ```text
//! input,  output          refused where they are one file
//! output, output          refused where they are one file, /dev/null apart
//! stream, input or output refused where the stream was led into that file
//! output                  refused where its name ends as that of another kind of file
//! ```
//!
//! Streams are standard output and standard error. They may be one file, as in `> log 2>&1`.

use super::identity::{Identity, is_descriptor, is_path, is_stdout};
use crate::complaint::{Complaint, Source, refused};
use crate::error::Failure;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The files of a command as they are declared.
#[derive(Debug, Default)]
pub(crate) struct Files {
    entries: Vec<Entry>,
}

/// The files of a command may be opened: none of them is another.
#[derive(Debug)]
pub(crate) struct Permit(());

/// A file as it is declared.
#[derive(Debug)]
struct Entry {
    /// What it is: `--csv`, `the model`.
    what: String,
    path: PathBuf,
    /// Where the scenario file names it.
    at: Option<Range<usize>>,
    role: Role,
    identity: Option<Identity>,
    /// How the names of its kind end; none where it is said elsewhere.
    endings: &'static [&'static str],
}

/// How the names of files end of which others think something.
const ENDINGS: [&str; 21] = [
    "csv", "jsonl", "ndjson", "json", "parquet", "pq", "xlsx", "xls", "ods", "svg", "png", "pdf",
    "gif", "html", "htm", "eom", "toml", "rs", "c", "h", "py",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Read,
    Written,
    Stream,
}

impl Files {
    /// A file that is read. Standard input is none.
    pub(crate) fn reads(&mut self, what: &str, path: impl AsRef<Path>) {
        if path.as_ref().as_os_str() != "-" {
            self.add(what, path.as_ref(), None, (Role::Read, &[]));
        }
    }

    /// The file of a model; a model of the catalogue has none.
    pub(crate) fn reads_model(&mut self, name: &str) {
        if is_path(name) {
            self.reads("the model", name);
        }
    }

    /// A file that is written; `-` is standard output.
    pub(crate) fn writes(&mut self, what: &str, path: impl AsRef<Path>) {
        self.writes_at(what, path, None);
    }

    /// The same, of a file that the scenario file names.
    pub(crate) fn writes_at(
        &mut self,
        what: &str,
        path: impl AsRef<Path>,
        at: Option<Range<usize>>,
    ) {
        self.writes_kind(what, path, at, &[]);
    }

    /// The same, of a kind whose names end so.
    pub(crate) fn writes_kind(
        &mut self,
        what: &str,
        path: impl AsRef<Path>,
        at: Option<Range<usize>>,
        endings: &'static [&'static str],
    ) {
        self.add(what, path.as_ref(), at, (Role::Written, endings));
    }

    fn add(
        &mut self,
        what: &str,
        path: &Path,
        at: Option<Range<usize>>,
        (role, endings): (Role, &'static [&'static str]),
    ) {
        let identity = match role {
            Role::Written if is_stdout(path) => None,
            _ => Identity::of(path),
        };
        self.entries.push(Entry {
            what: what.to_owned(),
            path: path.to_owned(),
            at,
            role,
            identity,
            endings,
        });
    }

    /// Refuses an output that is an input or another output, or that would be taken for something else.
    pub(crate) fn check(mut self, source: Option<&Source>) -> Result<Permit, Failure> {
        for (stream, path) in
            [("standard output", "/dev/stdout"), ("standard error", "/dev/stderr")]
        {
            self.add(stream, Path::new(path), None, (Role::Stream, &[]));
        }
        for (index, later) in self.entries.iter().enumerate() {
            for earlier in &self.entries[..index] {
                if let Some(complaint) = earlier.conflict(later) {
                    return Err(refused(source, &[complaint]));
                }
            }
        }
        if let Some(complaint) = self.entries.iter().find_map(Entry::misnamed) {
            return Err(refused(source, &[complaint]));
        }
        Ok(Permit(()))
    }
}

impl Entry {
    /// What is wrong with a name that ends as those of another kind.
    fn misnamed(&self) -> Option<Complaint> {
        let ending = self.path.extension()?.to_ascii_lowercase();
        let is_of = |endings: &[&str]| endings.iter().any(|own| ending == *own);
        if self.endings.is_empty() || is_of(self.endings) || !is_of(&ENDINGS) {
            return None;
        }
        let own: Vec<String> = self.endings.iter().map(|own| format!(".{own}")).collect();
        let message =
            format!("{} {} does not end in {}", self.what, self.path.display(), own.join(", "));
        Some(Complaint { at: self.at.clone(), message, help: Some("name another file".to_owned()) })
    }

    /// What is wrong between this file and one that was declared later.
    fn conflict(&self, later: &Self) -> Option<Complaint> {
        let (first, second) = if later.role == Role::Read { (later, self) } else { (self, later) };
        let said = match (first.role, second.role) {
            (Role::Written, Role::Written) if first.is_stdout() && second.is_stdout() => {
                format!("{} and {} both write to standard output", first.what, second.what)
            }
            (Role::Written, Role::Written) if first.is(second) && !first.is_null() => {
                second.both(first)
            }
            (Role::Read, Role::Written) if first.is(second) && first.keeps() => {
                let (what, shown) = (&second.what, second.path.display());
                format!("{what} {shown} would overwrite {} {}", first.what, first.path.display())
            }
            (Role::Read | Role::Written, Role::Stream)
                if first.is(second) && first.keeps() && !first.is_stream() =>
            {
                format!("{} goes to {} {}", second.what, first.what, first.path.display())
            }
            _ => return None,
        };
        let at = second.at.clone().or_else(|| first.at.clone());
        Some(Complaint { at, message: said, help: Some("name another file".to_owned()) })
    }

    /// Two outputs that are one file.
    fn both(&self, earlier: &Self) -> String {
        let [one, other] = [earlier, self].map(|entry| entry.path.display().to_string());
        let (what, second) = (&earlier.what, &self.what);
        if one == other {
            format!("{what} and {second} both write to {one}")
        } else {
            format!("{what} {one} and {second} {other} both write to one file")
        }
    }

    fn is(&self, other: &Self) -> bool {
        let pair = self.identity.as_ref().zip(other.identity.as_ref());
        pair.is_some_and(|(one, other)| one.is(other))
    }

    fn is_stdout(&self) -> bool {
        self.role == Role::Written && self.identity.is_none() && is_stdout(&self.path)
    }

    /// Whether it is written to what another program opened.
    fn is_stream(&self) -> bool {
        self.role == Role::Written && is_descriptor(&self.path, |_| true)
    }

    fn keeps(&self) -> bool {
        self.identity.as_ref().is_some_and(Identity::keeps)
    }

    fn is_null(&self) -> bool {
        self.identity.as_ref().is_some_and(Identity::is_null)
    }
}
