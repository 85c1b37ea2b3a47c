//! `eom generate`: code of a model in Rust, C or Python, to be kept beside one's own.

use crate::cli::{GenerateArguments, Lang};
use crate::error::{Failure, Outcome};
use crate::made;
use crate::mistakes;
use crate::model::{Model, Said, is_path, source};
use eom_codegen::Language;
use std::io::{self, Write as _};
use std::path::Path;

/// Prints the code, writes it, or says whether the file is as it would be written.
pub(crate) fn generate(arguments: &GenerateArguments) -> Result<Outcome, Failure> {
    let code = code(arguments)?;
    let Some(path) = &arguments.out else {
        io::stdout()
            .lock()
            .write_all(code.as_bytes())
            .map_err(|error| Failure::output("standard output", error))?;
        return Ok(Outcome::Done);
    };
    let shown = path.display();
    let current = made::is_current(path, &code);
    if arguments.check && !current {
        let why = if path.exists() { "is stale" } else { "is not there" };
        eprintln!("{shown} {why}: run `{}`", again(arguments, path));
        return Ok(Outcome::Mistaken);
    }
    if !current {
        made::store(path, &code)?;
    }
    let said = if current { format!("{shown} is up to date") } else { format!("wrote {shown}") };
    writeln!(io::stdout().lock(), "{said}")
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

/// The code of a model of the catalogue or of a file.
fn code(arguments: &GenerateArguments) -> Result<String, Failure> {
    let named = arguments.model.as_str();
    let text =
        if is_path(named) { source(named)? } else { Model::find(named)?.info.source.to_owned() };
    // The name without its folder: the same bytes wherever the command is called.
    let origin = Path::new(named).file_name().map_or_else(|| named.into(), |n| n.to_string_lossy());
    let lang = arguments.lang.name();
    let again = format!("eom generate {origin} --lang {lang}");
    let language = Language::from(arguments.lang);
    let (code, said) = eom_codegen::generate(&text, language, &origin, &again)
        .map_err(|found| Failure::Mistakes(mistakes::rendered(named, &text, &found)))?;
    let file = is_path(named).then(|| Said::of(named, &text, &said));
    if let Some(warnings) = file.and_then(|said| said.warnings) {
        eprintln!("{warnings}");
    }
    Ok(code)
}

/// The call that writes a file.
fn again(arguments: &GenerateArguments, out: &Path) -> String {
    let GenerateArguments { model, lang, .. } = arguments;
    format!("eom generate {model} --lang {} --out {}", lang.name(), out.display())
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Rust => Self::Rust,
            Lang::C => Self::C,
            Lang::Python => Self::Python,
        }
    }
}

impl Lang {
    fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Python => "python",
        }
    }
}
