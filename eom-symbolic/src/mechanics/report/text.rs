//! Sections of lines as plain text, LaTeX and Markdown.

use super::Line;
use crate::print::escaped;
use std::fmt::Write;

/// Lines under a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Section {
    /// Lines under a title.
    pub(super) fn of(title: &str, lines: Vec<Line>) -> Self {
        Self { title: title.to_owned(), lines }
    }
}

/// As plain text, each section under its title, in the syntax of the language.
pub fn to_text(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, lines } in sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{gap}{title}");
        for line in lines {
            let _ = match line {
                Line::Note(note) => writeln!(text, "  ({})", note.unicode),
                Line::Equation { name, left, right } if name.is_empty() => {
                    writeln!(text, "  {} = {}", left.unicode, right.unicode)
                }
                Line::Equation { name, left, right } => {
                    writeln!(text, "  {name}: {} = {}", left.unicode, right.unicode)
                }
            };
        }
    }
    text
}

/// As LaTeX: a paragraph title and an `align*` for each section; needs amsmath.
pub fn to_latex(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, lines } in sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        let title = title.replace('_', r"\_");
        let rows: Vec<String> = lines.iter().map(Line::latex).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{gap}\\paragraph{{{title}}}");
        let _ = writeln!(text, "\\begin{{align*}}\n  {}\n\\end{{align*}}", rows.join(" \\\\\n  "));
    }
    text
}

/// As Markdown for readers that know `$$`, GitHub and mdBook among them: a heading for each section, a
/// formula a line.
pub fn to_markdown(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, lines } in sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{gap}### {}", title.replace('_', r"\_"));
        for line in lines {
            let _ = match line {
                Line::Note(note) => writeln!(text, "\n$$ {} $$", note.latex),
                Line::Equation { name, left, right } if name.is_empty() => {
                    writeln!(text, "\n$$ {} = {} $$", left.latex, right.latex)
                }
                Line::Equation { name, left, right } => {
                    let (left, right, name) = (&left.latex, &right.latex, escaped(name));
                    writeln!(text, "\n$$ {left} = {right} \\qquad {name} $$")
                }
            };
        }
    }
    text
}

impl Line {
    /// A row of an `align*`.
    fn latex(&self) -> String {
        match self {
            Self::Note(note) => format!("& {}", note.latex),
            Self::Equation { name, left, right } if name.is_empty() => {
                format!("{} &= {}", left.latex, right.latex)
            }
            Self::Equation { name, left, right } => {
                format!("{} &= {} && {}", left.latex, right.latex, escaped(name))
            }
        }
    }
}
