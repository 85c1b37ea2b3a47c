//! Sections of lines as plain text, LaTeX and Markdown.

use super::layout::{self, WIDTH};
use super::{Line, Printed};
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

/// As plain text, each section under its title, in the syntax of the language. What is long goes on in lines that are
/// indented further.
pub fn to_text(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, lines } in sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{gap}{title}");
        for line in lines {
            let line = match line {
                Line::Note(note) => format!("({})", note.unicode),
                Line::Equation { name, .. } if !name.is_empty() => {
                    format!("{name}: {}", line.unicode())
                }
                _ => line.unicode(),
            };
            let _ = writeln!(text, "  {}", layout::text(&line, 2).join("\n      "));
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
        let rows: Vec<String> = rows(lines).iter().map(|row| row.aligned()).collect();
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
        for formula in formulas(lines) {
            let _ = writeln!(text, "\n$$ {formula} $$");
        }
    }
    text
}

/// Lines as displayed formulas in LaTeX, each for itself; short definitions together.
pub fn formulas(lines: &[Line]) -> Vec<String> {
    rows(lines).iter().map(Row::displayed).collect()
}

/// Lines that stand side by side.
struct Row<'l> {
    lines: Vec<&'l Line>,
    width: usize,
}

/// The lines with short definitions side by side.
fn rows(lines: &[Line]) -> Vec<Row<'_>> {
    /// Between two of them.
    const GAP: usize = 4;
    let mut rows: Vec<Row<'_>> = Vec::new();
    for line in lines {
        let width = match line {
            Line::Definition { left, right } => {
                layout::width(&left.latex) + 1 + layout::width(&right.latex)
            }
            _ => WIDTH,
        };
        match rows.last_mut() {
            Some(row) if row.width + GAP + width <= WIDTH => {
                row.lines.push(line);
                row.width += GAP + width;
            }
            _ => rows.push(Row { lines: vec![line], width }),
        }
    }
    rows
}

impl Row<'_> {
    /// Rows of an `align*`.
    fn aligned(&self) -> String {
        let (first, name) = self.parts();
        let tag = if name.is_empty() { String::new() } else { format!(" && {}", escaped(name)) };
        match first {
            Parts::Note(note) => format!("& {}", note.latex),
            Parts::Equation(left, lines) => {
                let mut lines = lines.into_iter();
                let first = lines.next().unwrap_or_default();
                let rest: String =
                    lines.map(|line| format!(" \\\\\n  &\\quad {{}} {line}")).collect();
                format!("{left} &= {first}{tag}{rest}")
            }
        }
    }

    /// A formula by itself.
    fn displayed(&self) -> String {
        let (first, name) = self.parts();
        let tag =
            if name.is_empty() { String::new() } else { format!(r" \qquad {}", escaped(name)) };
        match first {
            Parts::Note(note) => note.latex.clone(),
            Parts::Equation(left, lines) => match &lines[..] {
                [line] => format!("{left} = {line}{tag}"),
                lines => {
                    let lines = lines.join(r" \\ &\quad {} ");
                    format!(r"\begin{{aligned}} {left} &= {lines} \end{{aligned}}{tag}")
                }
            },
        }
    }

    /// What the row says, and the name of its equation.
    fn parts(&self) -> (Parts<'_>, &str) {
        let mut parts: Option<(Parts<'_>, &str)> = None;
        for line in &self.lines {
            let (name, left, right) = match line {
                Line::Note(note) => return (Parts::Note(note), ""),
                Line::Equation { name, left, right } => (name.as_str(), left, right),
                Line::Definition { left, right } => ("", left, right),
            };
            match &mut parts {
                Some((Parts::Equation(_, lines), _)) => {
                    if let Some(last) = lines.last_mut() {
                        let _ = write!(last, r",\quad {} = {}", left.latex, right.latex);
                    }
                }
                _ => {
                    let lines = layout::latex(&right.latex, layout::width(&left.latex));
                    parts = Some((Parts::Equation(&left.latex, lines), name));
                }
            }
        }
        parts.unwrap_or((Parts::Equation("", Vec::new()), ""))
    }
}

/// A remark, or the sides of an equation, the right one line by line.
enum Parts<'l> {
    Note(&'l Printed),
    Equation(&'l str, Vec<String>),
}
