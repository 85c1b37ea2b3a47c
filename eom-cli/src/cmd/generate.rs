//! `eom generate`: code of a model in Rust, C or Python, to be kept beside one's own.

use crate::cli::GenerateArguments;
use crate::error::{Failure, Outcome};
use crate::files::is_path;
use crate::files::{Files, Output, is_stdout};
use crate::generated;
use crate::mistakes;
use crate::model::{Findings, Model, source};
use crate::shell;
use eom_codegen::Language;
use std::path::Path;

/// Prints the code, writes it, or says whether the file is as it would be written.
pub(crate) fn generate(arguments: &GenerateArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    files.reads_model(&arguments.model);
    let language = language(arguments)?;
    if let Some(path) = &arguments.out {
        files.writes_kind("--out", path, None, endings(language));
    }
    let permit = files.check(None)?;
    let code = code(arguments, language)?;
    let Some(path) = arguments.out.as_deref().filter(|path| !is_stdout(path)) else {
        shell::print(code)?;
        return Ok(Outcome::Done);
    };
    let shown = path.display();
    let current = generated::is_current(path, &code);
    if arguments.check && !current {
        let why = if path.exists() { "is stale" } else { "is not there" };
        shell::tell(format_args!("{shown} {why}: run `{}`", again(arguments, language, path)));
        return Ok(Outcome::Mistaken);
    }
    if !current {
        Output::make(&permit, path)?.replace(code.as_bytes())?;
    }
    let said = if current { format!("{shown} is up to date") } else { format!("wrote {shown}") };
    shell::print_line(said)?;
    Ok(Outcome::Done)
}

/// How the names of files of code end.
fn endings(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust | Language::NoStd => &["rs"],
        Language::C => &["c", "h"],
        Language::Python => &["py"],
    }
}

/// What is asked for; only Rust can do without `std`.
fn language(arguments: &GenerateArguments) -> Result<Language, Failure> {
    match (arguments.lang, arguments.no_std) {
        (Language::Rust, true) => Ok(Language::NoStd),
        (language, false) => Ok(language),
        (language, true) => Err(Failure::Refused(format!(
            "`--no-std` is of `--lang rust`; leave it out with `--lang {}`",
            language.options()
        ))),
    }
}

/// The code of a model of the catalogue or of a file.
fn code(arguments: &GenerateArguments, language: Language) -> Result<String, Failure> {
    let named = arguments.model.as_str();
    let text =
        if is_path(named) { source(named)? } else { Model::find(named)?.info.source.to_owned() };
    // The name without its folder: the same bytes wherever the command is called.
    let origin = Path::new(named).file_name().map_or_else(|| named.into(), |n| n.to_string_lossy());
    let again = format!("eom generate {origin}{}", options(arguments, language));
    let generate = if arguments.derivatives {
        eom_codegen::generate_with_derivatives
    } else {
        eom_codegen::generate
    };
    let (code, said) = generate(&text, language, &origin, &again)
        .map_err(|found| Failure::Mistakes(mistakes::rendered(named, &text, &found)))?;
    let file = is_path(named).then(|| Findings::of(named, &text, &said));
    if let Some(warnings) = file.and_then(|said| said.warnings) {
        shell::tell(warnings);
    }
    Ok(code)
}

/// The call that writes a file.
fn again(arguments: &GenerateArguments, language: Language, out: &Path) -> String {
    let (model, options) = (&arguments.model, options(arguments, language));
    format!("eom generate {model}{options} --out {}", out.display())
}

/// What is asked for, as it is written in a call.
fn options(arguments: &GenerateArguments, language: Language) -> String {
    let derivatives = if arguments.derivatives { " --derivatives" } else { "" };
    format!(" --lang {}{derivatives}", language.options())
}
