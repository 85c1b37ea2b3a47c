//! Files of declarations compiled by a build script: `eom_codegen::compile("models/penny.eom")`.

mod excerpt;
mod render;

pub use render::{Mark, Style, counted, marked, rendered};

use crate::diagnostic::Level;
use crate::languages::Language;
use crate::{generate, generate_with_derivatives};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

/// Compiles a file of a declaration to Rust in a build script.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), eom_codegen::BuildError> {
///     eom_codegen::compile("models/penny.eom")
/// }
/// ```
///
/// The path is relative to the package. The code goes to `penny.rs` in `OUT_DIR`, and is made again when
/// the file changes. It stands in a module as
///
/// ```ignore
/// include!(concat!(env!("OUT_DIR"), "/penny.rs"));
/// ```
///
/// and needs `eom-core` as a dependency. A mistake fails the build with its line and what to do.
pub fn compile(path: impl AsRef<Path>) -> Result<(), BuildError> {
    Build::new().file(path).compile()
}

/// Several files, or another place for the code.
///
/// ```no_run
/// fn main() -> Result<(), eom_codegen::BuildError> {
///     eom_codegen::Build::new().file("models/penny.eom").file("models/ball.eom").compile()
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Build {
    files: Vec<PathBuf>,
    out: Option<PathBuf>,
    derivatives: bool,
}

impl Build {
    /// No files yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, relative to the package.
    #[must_use]
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        self.files.push(path.as_ref().to_owned());
        self
    }

    /// Puts the code into this folder instead of `OUT_DIR`.
    #[must_use]
    pub fn out_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.out = Some(folder.as_ref().to_owned());
        self
    }

    /// Writes derivatives and inverse dynamics as methods, too.
    #[must_use]
    pub fn derivatives(mut self) -> Self {
        self.derivatives = true;
        self
    }

    /// Compiles all files; the mistakes of all of them are told in one go.
    pub fn compile(&self) -> Result<(), BuildError> {
        let out = match &self.out {
            Some(folder) => folder.clone(),
            None => env::var_os("OUT_DIR").map(PathBuf::from).ok_or(BuildError::NoOutDir)?,
        };
        let mut taken: Vec<(OsString, &Path)> = Vec::new();
        let mut mistakes = Vec::new();
        for path in &self.files {
            // Said before anything can fail, so that a corrected file is read again.
            println(&format!("cargo:rerun-if-changed={}", path.display()));
            let name = path.with_extension(Language::Rust.extension());
            let name = name.file_name().unwrap_or_default().to_owned();
            if let Some((_, first)) = taken.iter().find(|(other, _)| *other == name) {
                return Err(BuildError::SameName {
                    first: (*first).to_owned(),
                    second: path.clone(),
                });
            }
            match code(path, self.derivatives) {
                Ok(code) => write(&out.join(&name), &code)?,
                Err(BuildError::Mistakes(text)) => mistakes.push(text),
                Err(other) => return Err(other),
            }
            taken.push((name, path));
        }
        if mistakes.is_empty() { Ok(()) } else { Err(BuildError::Mistakes(mistakes.join("\n\n"))) }
    }
}

/// A directive for cargo, which reads standard output of a build script.
#[expect(clippy::print_stdout, reason = "it is how a build script talks to cargo")]
fn println(line: &str) {
    println!("{line}");
}

/// The Rust of a file.
fn code(path: &Path, derivatives: bool) -> Result<String, BuildError> {
    let read = |error| BuildError::Read { path: path.to_owned(), error };
    let text = fs::read_to_string(path).map_err(read)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let shown = path.display().to_string();
    let generate = if derivatives { generate_with_derivatives } else { generate };
    let (code, said) =
        generate(text, Language::Rust, &shown, "a build script").map_err(|mistakes| {
            BuildError::Mistakes(rendered(&shown, text, &mistakes, Style::Plain))
        })?;
    for warning in said.iter().filter(|one| one.level == Level::Warning) {
        let (line, column) = warning.at.line_column();
        println(&format!("cargo::warning={shown}:{line}:{column}: {}", warning.message));
    }
    Ok(code)
}

/// Writes the code unless it is there, so that nothing is compiled again.
fn write(path: &Path, code: &str) -> Result<(), BuildError> {
    if fs::read(path).is_ok_and(|old| old == code.as_bytes()) {
        return Ok(());
    }
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| fs::write(path, code));
    written.map_err(|error| BuildError::Write { path: path.to_owned(), error })
}

/// Why files could not be compiled. A build script that returns it shows it whole.
pub enum BuildError {
    /// `OUT_DIR` is not set: this is no build script.
    NoOutDir,
    /// A file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Files have mistakes: each with its line and one thing to do.
    Mistakes(String),
    /// The code of two files would have one name.
    SameName {
        /// The first of them.
        first: PathBuf,
        /// The second.
        second: PathBuf,
    },
    /// The code cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOutDir => write!(
                f,
                "OUT_DIR is not set: call it from build.rs, or name a folder with `Build::out_dir`"
            ),
            Self::Read { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Self::Mistakes(text) => write!(f, "{text}"),
            Self::SameName { first, second } => write!(
                f,
                "{} and {} would be compiled to one file: rename one of them",
                first.display(),
                second.display()
            ),
            Self::Write { path, error } => write!(f, "cannot write {}: {error}", path.display()),
        }
    }
}

/// The text itself: what `main` shows of an error that it returns.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } | Self::Write { error, .. } => Some(error),
            Self::NoOutDir | Self::Mistakes(_) | Self::SameName { .. } => None,
        }
    }
}
