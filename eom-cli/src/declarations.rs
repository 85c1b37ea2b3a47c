//! The declarations as they stand in the Rust files of the models, layout and comments kept: what the
//! book shows, and what files of the models are made of.

use crate::error::Failure;
use crate::files::{INPUT_MAX, text};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The line that begins a declaration.
const MACRO: &str = "eom_core::lagrangian! {";

/// The Rust files below a folder.
#[derive(Debug)]
pub(crate) struct Declarations {
    /// Each path with its text, in the order of the paths.
    files: Vec<(PathBuf, String)>,
}

impl Declarations {
    /// Reads a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Failure> {
        let refuse = |error: io::Error| {
            Failure::Refused(format!(
                "--models: cannot read {}: {error}\n  run it from the root of the repository",
                folder.display()
            ))
        };
        let mut paths = Vec::new();
        collect(folder, &mut paths).map_err(refuse)?;
        paths.sort();
        let read = |path: PathBuf| text(&path, INPUT_MAX).map(|text| (path, text));
        let files = paths.into_iter().map(read).collect::<io::Result<_>>().map_err(refuse)?;
        Ok(Self { files })
    }

    /// The files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// The declaration of a system without its claims, for a page.
    pub(crate) fn without_claims(&self, system: &str) -> Option<String> {
        self.files.iter().find_map(|(_, text)| declaration(text, system))
    }

    /// The declaration of a system as a `.eom` file: what stands inside of the macro, and above it
    /// what the Rust file says at its top.
    pub(crate) fn as_file(&self, system: &str) -> Option<String> {
        self.files.iter().find_map(|(path, text)| file(path, text, system))
    }
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

/// The lines from the first to the last line of a system, `pub system NAME {` to its last brace.
fn lines_of(lines: &[&str], name: &str) -> Option<(usize, usize, usize)> {
    let head = format!("pub system {name} {{");
    let first = lines.iter().position(|line| line.trim_start() == head)?;
    let margin = lines[first].len() - lines[first].trim_start().len();
    let end = format!("{}}}", " ".repeat(margin));
    let last = first + lines[first..].iter().position(|line| *line == end)?;
    Some((first, last, margin))
}

/// The declaration of a system as it stands in a file, without the claims, moved to the left margin.
fn declaration(text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (first, last, margin) = lines_of(&lines, name)?;
    let shown = lines[first..=last].iter().map(|line| line.get(margin..).unwrap_or_default());
    Some(without_claims(&shown.collect::<Vec<_>>()))
}

/// The declaration of a system as a file of its own. `pub` is a word of Rust, and left out.
fn file(path: &Path, text: &str, name: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (head, last, margin) = lines_of(&lines, name)?;
    let first = 1 + lines[..head].iter().rposition(|line| line.trim_start() == MACRO)?;
    let shown = path.to_string_lossy().replace('\\', "/");
    let mut written =
        vec![format!("// Made of {shown} by `eom models --out`: change it there."), String::new()];
    let about = lines.iter().map_while(|line| line.strip_prefix("//!"));
    written.extend(about.map(|line| format!("//{line}")));
    written.push(String::new());
    for (index, line) in lines[first..=last].iter().enumerate() {
        let line = line.get(margin..).unwrap_or_default();
        let line = if first + index == head { line.trim_start_matches("pub ") } else { line };
        written.push(line.to_owned());
    }
    Some(written.join("\n") + "\n")
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
    #[test]
    fn a_declaration_becomes_a_file() {
        let text = "\
//! A ball.
//!
//! It falls.

/// Nobody reads this.
fn other() {}

eom_core::lagrangian! {
    /// Docs.
    pub system Ball {
        coordinates { x }

        // Its energy.
        kinetic = ẋ^2/2;
    }
}
";
        let made = file(Path::new("models/src/ball.rs"), text, "Ball");
        let expected = "\
// Made of models/src/ball.rs by `eom models --out`: change it there.

// A ball.
//
// It falls.

/// Docs.
system Ball {
    coordinates { x }

    // Its energy.
    kinetic = ẋ^2/2;
}
";
        assert_eq!(made.as_deref(), Some(expected));
    }
}
