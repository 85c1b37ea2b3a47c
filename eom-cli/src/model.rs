//! The model that a command is given: one of the catalogue or the gallery by its name, or a `.eom` file by its path.

use crate::error::Failure;
use crate::files::{EXTENSION, INPUT_MAX, is_path, text};
use crate::mistakes;
use crate::names::{self, Known};
use crate::plot::plain_scene;
use crate::shell;
use eom_codegen::diagnostic::{Diagnostic, Level};
use eom_codegen::{Derivation, Equations, derive_source};
use eom_core::info::SystemInfo;
use eom_core::{ParameterError, SmoothFunction, System};
use eom_interpreter::Interpreted;
use eom_symbolic::mechanics::report::EquationsText;
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use eom_symbolic::name::nearest;
use models::ModelEntry;
use models::scene::Scene;
use std::path::Path;
use std::{fs, io};

/// The equations of a model.
#[derive(Clone, Copy)]
pub(crate) struct Derived<'d> {
    pub(crate) model: &'d SystemModel,
    pub(crate) equations: &'d EquationsOfMotion,
    /// What is printed, made at each call.
    pub(crate) text: &'d dyn Fn() -> EquationsText,
}

/// A model, ready to be built with parameters.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    /// Its name in the catalogue, or its path as given.
    pub(crate) name: String,
    /// What it is, in a line.
    pub(crate) title: String,
    /// The static description.
    pub(crate) info: &'static SystemInfo,
    /// What is said of a file that is right; nothing of the catalogue, for which rustc said it.
    pub(crate) said: Findings,
    origin: Origin,
}

/// The warnings and notes of a file, with their lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    /// The warnings.
    pub(crate) warnings: Option<String>,
    /// The warnings and the notes.
    pub(crate) all: Option<String>,
    /// How many of each: `2 warnings`, `one note`.
    pub(crate) counts: Vec<String>,
}

impl Findings {
    pub(crate) fn of(path: &str, source: &str, said: &[Diagnostic]) -> Self {
        let is_warning = |one: &&Diagnostic| one.level == Level::Warning;
        let warnings: Vec<Diagnostic> = said.iter().filter(is_warning).cloned().collect();
        let levels: Vec<Level> = said.iter().map(|one| one.level).collect();
        let rendered = |said: &[Diagnostic]| {
            (!said.is_empty()).then(|| mistakes::rendered(path, source, said))
        };
        Self {
            warnings: rendered(&warnings),
            all: rendered(said),
            counts: mistakes::counted(&levels),
        }
    }
}

#[derive(Debug, Clone)]
enum Origin {
    Catalogue(&'static ModelEntry),
    File(Interpreted),
}

impl Model {
    /// The model of a name or path; the warnings of a file are said to standard error, unless all is to be quiet.
    pub(crate) fn find(text: &str) -> Result<Self, Failure> {
        let model = Self::find_silently(text)?;
        if let Some(warnings) = model.said.warnings.as_ref().filter(|_| !shell::is_quiet()) {
            shell::tell(warnings);
        }
        Ok(model)
    }

    /// The model of a name or path.
    pub(crate) fn find_silently(text: &str) -> Result<Self, Failure> {
        if is_path(text) {
            return Self::read(text);
        }
        match names::model(text) {
            Ok(Known::Model(entry)) => Ok(Self::compiled(entry)),
            Ok(Known::System(entry)) => Self::of_source(entry.name, entry.text),
            Err(_) if Path::new(text).is_file() => Err(Failure::Refused(format!(
                "`{text}` is no .eom file: a declaration stands in a file whose name ends in .{EXTENSION}"
            ))),
            Err(reason) => Err(Failure::Refused(match beside(text) {
                Some(path) => format!("{reason}\n  there is a file `{path}`: name it in full"),
                None => reason,
            })),
        }
    }

    /// A model of the catalogue.
    pub(crate) fn compiled(entry: &'static ModelEntry) -> Self {
        Self {
            name: entry.name.to_owned(),
            title: entry.title.to_owned(),
            info: entry.info,
            said: Findings::default(),
            origin: Origin::Catalogue(entry),
        }
    }

    /// A file, derived, its claims decided.
    pub(crate) fn read(path: &str) -> Result<Self, Failure> {
        Self::of_source(path, &source(path)?)
    }

    /// A declaration, derived, its claims decided.
    fn of_source(path: &str, source: &str) -> Result<Self, Failure> {
        let (derivation, said) = eom_codegen::diagnose_source(source)
            .map_err(|found| Failure::Mistakes(mistakes::rendered(path, source, &found)))?;
        let said = Findings::of(path, source, &said);
        let system = Interpreted::of(derivation, source);
        let info = system.info();
        let title = match info.doc.lines().next() {
            Some(line) if !line.is_empty() => line.trim_end_matches('.').to_owned(),
            _ => info.name.to_owned(),
        };
        Ok(Self { name: path.to_owned(), title, info, said, origin: Origin::File(system) })
    }

    /// Builds the system from one override a parameter and one function a declared function.
    pub(crate) fn build(
        &self,
        overrides: &[Option<f64>],
        functions: &[SmoothFunction],
    ) -> Result<Box<dyn System>, ParameterError> {
        match &self.origin {
            Origin::Catalogue(entry) => (entry.build_with)(overrides, functions),
            Origin::File(system) => Ok(Box::new(system.with_functions(overrides, functions)?)),
        }
    }

    /// Whether it was read from a file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.origin, Origin::File(_))
    }

    /// What a figure of a run shows.
    pub(crate) fn scene(&self, system: &dyn System) -> Scene {
        match &self.origin {
            Origin::Catalogue(entry) => (entry.scene)(system),
            Origin::File(_) => plain_scene(&self.title, system),
        }
    }

    /// Looks at the equations; those of a model of the catalogue are derived again.
    pub(crate) fn derived<R>(
        &self,
        look: impl FnOnce(Derived<'_>) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        match &self.origin {
            Origin::Catalogue(entry) => {
                let derived = eom_codegen::equations_source(entry.info.source)?;
                let Equations { model, equations } = &derived;
                Ok(look(Derived { model, equations, text: &|| derived.text() }))
            }
            Origin::File(system) => {
                let derivation = system.derivation();
                let Derivation { model, equations, .. } = derivation;
                Ok(look(Derived { model, equations, text: &|| derivation.text().clone() }))
            }
        }
    }

    /// Looks at the derivation with its programs; that of a model of the catalogue is made again.
    pub(crate) fn derivation<R>(
        &self,
        look: impl FnOnce(&Derivation) -> R,
    ) -> Result<R, Vec<Diagnostic>> {
        match &self.origin {
            Origin::Catalogue(entry) => Ok(look(&derive_source(entry.info.source)?)),
            Origin::File(system) => Ok(look(system.derivation())),
        }
    }

    /// The listings of the programs.
    pub(crate) fn listings(&self) -> Result<String, Vec<Diagnostic>> {
        self.derivation(Derivation::listings)
    }
}

/// The file that a name stands for without its ending, if there is one.
fn beside(name: &str) -> Option<String> {
    let path = format!("{name}.{EXTENSION}");
    Path::new(&path).is_file().then_some(path)
}

/// The text of a file.
pub(crate) fn source(path: &str) -> Result<String, Failure> {
    text(Path::new(path), INPUT_MAX).map_err(|error| Failure::Refused(unread(path, &error)))
}

/// Why a file cannot be read, with the nearest file that can.
fn unread(path: &str, error: &io::Error) -> String {
    let reason = format!("cannot read {path}: {error}");
    if error.kind() != io::ErrorKind::NotFound {
        return reason;
    }
    let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let mut names: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|end| end == EXTENSION) && file.is_file())
        .filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    let asked = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match nearest(asked, names.iter().map(String::as_str)) {
        Some(near) => format!("{reason}; did you mean `{near}`?"),
        None => format!("{reason}\n  `eom new NAME` writes an example NAME.{EXTENSION}"),
    }
}
