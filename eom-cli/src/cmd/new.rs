//! `eom new`: an example file to start from.

use crate::cli::NewArguments;
use crate::error::{Failure, Outcome};
use crate::files::EXTENSION;
use crate::shell::{self, quoted};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The example; `{file}`, `{figure}`, `{film}` and `{system}` stand for names.
const EXAMPLE: &str = include_str!("example.eom");

/// Writes the example under a name that no file has.
pub(crate) fn write(arguments: &NewArguments) -> Result<Outcome, Failure> {
    let path = path(&arguments.name);
    let system = path.file_stem().and_then(|stem| stem.to_str()).and_then(system_name);
    let system = system.ok_or_else(|| {
        Failure::Refused(format!(
            "`{}` is no name for a system: begin with a letter, as in `eom new my-sleigh`",
            arguments.name
        ))
    })?;
    let shown = word(&path);
    let figure = word(&path.with_extension("svg"));
    let film = word(&path.with_extension("html"));
    let names =
        [("{file}", &shown), ("{figure}", &figure), ("{film}", &film), ("{system}", &system)];
    let text = names.iter().fold(EXAMPLE.to_owned(), |text, (mark, name)| text.replace(mark, name));
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&path).map_err(|error| {
            Failure::Refused(match error.kind() {
                ErrorKind::AlreadyExists => {
                    format!("{shown} is there already: choose another name")
                }
                _ => format!("cannot write {shown}: {error}"),
            })
        })?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // A part of it is of no use, and nothing was there before.
        let _ = fs::remove_file(&path);
        Failure::output(&shown, error)
    })?;
    let next = format!(
        "wrote {shown}: a sleigh in a rink; make it your own system\n\n  \
         eom check {shown}\n  eom derive {shown}\n  eom run {shown} --plot {figure}\n  \
         eom run {shown} --html {film}\n"
    );
    if shell::is_quiet() {
        return Ok(Outcome::Done);
    }
    shell::print(next)?;
    Ok(Outcome::Done)
}

/// A path as one word of a shell.
fn word(path: &Path) -> String {
    let shown = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._-/\\:+".contains(c);
    if shown.chars().all(is_plain) { shown } else { quoted(&shown) }
}

/// The file of a name, with or without its ending; what begins as an option does is in this folder.
fn path(name: &str) -> PathBuf {
    let here = if name.starts_with('-') { "./" } else { "" };
    let name = &format!("{here}{name}");
    let path = Path::new(name);
    if path.extension().is_some_and(|end| end == EXTENSION) {
        return path.to_owned();
    }
    PathBuf::from(format!("{name}.{EXTENSION}"))
}

/// `my-sleigh` → `MySleigh`; nothing where that is no name, or that of a file that is not seen.
fn system_name(stem: &str) -> Option<String> {
    if stem.starts_with('.') {
        return None;
    }
    let mut name = String::new();
    for word in stem.split(|c: char| !c.is_alphanumeric()) {
        let mut letters = word.chars();
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(letters.as_str());
    }
    name.starts_with(char::is_alphabetic).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_systems() {
        // table
        let cases = [
            ("sleigh", "sleigh.eom", Some("Sleigh")),
            ("my-first_system", "my-first_system.eom", Some("MyFirstSystem")),
            ("a/b.eom", "a/b.eom", Some("B")),
            ("rod2", "rod2.eom", Some("Rod2")),
            ("v1.2", "v1.2.eom", Some("V12")),
            ("2rods", "2rods.eom", None),
            ("-", "./-.eom", None),
            ("-x", "./-x.eom", Some("X")),
            ("", ".eom", None),
        ];
        for (name, file, system) in cases {
            let found = path(name);
            assert_eq!(found, Path::new(file), "{name}");
            let stem = found.file_stem().unwrap().to_str().unwrap();
            assert_eq!(system_name(stem).as_deref(), system, "{name}");
        }
    }

    #[test]
    fn commands_are_words_of_a_shell() {
        // table
        let cases =
            [("a/b.eom", "a/b.eom"), ("a b.eom", "'a b.eom'"), ("it's.eom", r"'it'\''s.eom'")];
        for (path, shown) in cases {
            assert_eq!(word(Path::new(path)), shown);
        }
    }
}
