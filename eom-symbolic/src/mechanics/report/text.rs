//! Sections of lines as plain text, LaTeX and Markdown.

use super::layout::{self, WIDTH};
use super::{Line, Printed};
use crate::print::{escaped, remark};
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

/// As LaTeX: a paragraph title and `align*` for each section, between which a page may end; needs amsmath.
pub fn to_latex(sections: &[Section]) -> String {
    let mut text = String::new();
    for Section { title, lines } in sections {
        let gap = if text.is_empty() { "" } else { "\n" };
        let title = remark(title);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{gap}\\paragraph{{{title}}}");
        let rows: Vec<Vec<String>> = rows(lines).iter().map(Row::aligned).collect();
        for block in blocks(rows) {
            let block = block.join(" \\\\\n  ");
            let _ = writeln!(text, "\\begin{{align*}}\n  {block}\n\\end{{align*}}");
        }
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
        let _ = writeln!(text, "{gap}### {}", markdown(title));
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

/// Rows, those of an equation together, in blocks between which a page may end.
fn blocks(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    /// Rows of a block.
    const ROWS: usize = 20;
    let mut blocks: Vec<Vec<String>> = Vec::new();
    for row in rows {
        match blocks.last_mut() {
            Some(block) if block.len() + row.len() <= ROWS => block.extend(row),
            _ => blocks.push(row),
        }
    }
    blocks
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
    fn aligned(&self) -> Vec<String> {
        let (lines, name) = match self.parts() {
            Parts::Note(note) => return vec![format!("& {}", note.latex)],
            Parts::Equation { left, right, name } => {
                let width = layout::width(left);
                let whole = || layout::latex(&format!("{left} = {right}"), 0);
                match layout::latex(&right, width) {
                    lines if lines.len() == 1 && width + layout::width(&lines[0]) < WIDTH => {
                        (vec![format!("{left} &= {right}")], name)
                    }
                    lines if width < LEFT_MAX => {
                        let first = |(at, line): (usize, String)| match at {
                            0 => format!("{left} &= {line}"),
                            _ => format!(r"&\quad {{}} {line}"),
                        };
                        (lines.into_iter().enumerate().map(first).collect(), name)
                    }
                    _ => {
                        let next = |(at, line): (usize, String)| match at {
                            0 => format!("& {line}"),
                            _ => format!(r"&\quad {{}} {line}"),
                        };
                        (whole().into_iter().enumerate().map(next).collect(), name)
                    }
                }
            }
        };
        let mut lines = lines;
        if let Some(first) = lines.first_mut().filter(|_| !name.is_empty()) {
            let _ = write!(first, " && {}", escaped(name));
        }
        lines
    }

    /// A formula by itself.
    fn displayed(&self) -> String {
        let (left, right, name) = match self.parts() {
            Parts::Note(note) => return note.latex.clone(),
            Parts::Equation { left, right, name } => (left, right, name),
        };
        let tag =
            if name.is_empty() { String::new() } else { format!(r" \qquad {}", escaped(name)) };
        let lines = layout::latex(&format!("{left} = {right}"), 0);
        match &lines[..] {
            [line] => format!("{line}{tag}"),
            lines => {
                let lines = lines.join(r" \\ &\quad {} ");
                format!(r"\begin{{aligned}} & {lines} \end{{aligned}}{tag}")
            }
        }
    }

    /// What the row says.
    fn parts(&self) -> Parts<'_> {
        let mut parts: Option<Parts<'_>> = None;
        for line in &self.lines {
            let (name, left, right) = match line {
                Line::Note(note) => return Parts::Note(note),
                Line::Equation { name, left, right } => (name.as_str(), left, right),
                Line::Definition { left, right } => ("", left, right),
            };
            match &mut parts {
                Some(Parts::Equation { right: first, .. }) => {
                    let _ = write!(first, r",\quad {} = {}", left.latex, right.latex);
                }
                _ => {
                    let right = right.latex.clone();
                    parts = Some(Parts::Equation { left: &left.latex, right, name });
                }
            }
        }
        parts.unwrap_or(Parts::Equation { left: "", right: String::new(), name: "" })
    }
}

/// A longer left side is broken with the right one.
const LEFT_MAX: usize = 30;

/// A remark, or the sides of an equation with its name.
enum Parts<'l> {
    Note(&'l Printed),
    Equation { left: &'l str, right: String, name: &'l str },
}

/// Words for Markdown: what is a sign of it is escaped.
fn markdown(text: &str) -> String {
    let mut set = String::new();
    for letter in text.chars() {
        if r"\`*_[]<>#|~$&".contains(letter) {
            set.push('\\');
        }
        set.push(letter);
    }
    set
}
