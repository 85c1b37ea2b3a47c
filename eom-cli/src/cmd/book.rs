//! `eom book`: writes the pages of the book that are made from the models, or says which are stale.

use crate::book;
use crate::cli::BookArguments;
use crate::error::{Failure, Outcome};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes the pages, or compares them.
pub(crate) fn write(arguments: &BookArguments) -> Result<Outcome, Failure> {
    let sources = sources(&arguments.models)?;
    let declaration = |name: &str| sources.iter().find_map(|text| declaration(text, name));
    let files = book::files(&declaration).map_err(Failure::Refused)?;
    let root = arguments.book.join("src");
    let mut stale = Vec::new();
    for (path, text) in &files {
        let path = root.join(path);
        if fs::read_to_string(&path).is_ok_and(|old| old == *text) {
            continue;
        }
        stale.push(path.display().to_string());
        if !arguments.check {
            store(&path, text)?;
        }
    }
    let summary = match (arguments.check, stale.as_slice()) {
        (_, []) => format!("{} pages and figures are as the models have them", files.len()),
        (true, stale) => {
            return Err(Failure::Refused(format!(
                "the book is stale; run `eom book`\n  {}",
                stale.join("\n  ")
            )));
        }
        (false, stale) => format!("written:\n  {}", stale.join("\n  ")),
    };
    writeln!(io::stdout().lock(), "{summary}")
        .map_err(|error| Failure::output("standard output", error))?;
    Ok(Outcome::Done)
}

fn store(path: &Path, text: &str) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(path, text)).map_err(|error| Failure::output(&shown, error))
}

/// The Rust files below a folder, in the order of their paths.
fn sources(folder: &Path) -> Result<Vec<String>, Failure> {
    let refuse = |error: io::Error| {
        Failure::Refused(format!(
            "--models: cannot read {}: {error}\n  run it from the root of the repository",
            folder.display()
        ))
    };
    let mut paths = Vec::new();
    collect(folder, &mut paths).map_err(refuse)?;
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).map_err(refuse)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

/// The declaration of a system as it stands in a file, without the claims: from `pub system NAME`
/// to its last brace, moved to the left margin.
fn declaration(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let head = format!("pub system {name} {{");
    let first = lines.iter().position(|line| line.trim_start() == head)?;
    let margin = lines[first].len() - lines[first].trim_start().len();
    let end = format!("{}}}", " ".repeat(margin));
    let last = first + lines[first..].iter().position(|line| *line == end)?;
    let shown = lines[first..=last].iter().map(|line| line.get(margin..).unwrap_or_default());
    Some(without_claims(&shown.collect::<Vec<_>>()))
}

/// The lines without `claim …;` and `erratum …;`, their comments, and blank lines that follow a
/// blank line.
fn without_claims(lines: &[&str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut claim = false;
    let mut depth = 0_usize;
    for line in lines {
        let words = line.trim_start();
        claim |= words.starts_with("claim ") || words.starts_with("erratum ");
        if claim {
            while kept.last().is_some_and(|line| line.trim_start().starts_with("//")) {
                kept.pop();
            }
            depth += line.matches('{').count();
            depth = depth.saturating_sub(line.matches('}').count());
            let more = words.starts_with("erratum ") && !line.contains("corrected:");
            claim = depth > 0 || !line.trim_end().ends_with(';') || more;
        } else if !(line.is_empty() && kept.last().is_none_or(|last| last.is_empty())) {
            kept.push(line);
        }
    }
    let blank_before_the_end =
        kept.len() > 1 && kept[kept.len() - 2].is_empty() && kept[kept.len() - 1] == "}";
    if blank_before_the_end {
        kept.remove(kept.len() - 2);
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_shown_without_its_claims() {
        let text = "\
mod a {
    eom_core::lagrangian! {
        /// Docs.
        pub system Ball {
            coordinates { x }

            // What follows.
            /// Why.
            claim eq1: ẍ = 0;
            erratum eq2: x = 1;
                corrected: x = x;
            claim eq3: motion(a) {
                x = a*t;
            };

            kinetic = ẋ^2/2;

            claim eq4: x =
                x;
        }
    }
}
";
        let shown = declaration(text, "Ball");
        let expected = "pub system Ball {\n    coordinates { x }\n\n    kinetic = ẋ^2/2;\n}";
        assert_eq!(shown.as_deref(), Some(expected));
        assert_eq!(declaration(text, "Cube"), None);
    }
}
