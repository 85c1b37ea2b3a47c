//! The report on the documents as text, as tab-separated values, as Markdown.

use models::documents::Document;
use models::documents::report::{Row, Verdict, counts, rows};
use std::fmt::Write as _;

/// Text to read: a line an equation; below an erratum its two forms and their difference.
pub(crate) fn text(documents: &[&Document]) -> String {
    let texts: Vec<String> = documents
        .iter()
        .map(|document| {
            let rows = rows(document);
            let head = format!("{}: {}, {}", document.key, document.authors, document.title);
            let lines: Vec<String> = rows.iter().map(line).collect();
            format!("{head}\n{}\n\n{}\n", counts(&rows), lines.join("\n"))
        })
        .collect();
    texts.join("\n")
}

fn line(row: &Row) -> String {
    let number = number(&row.equation);
    let mut text = format!("{number:<18} {:<11}", row.verdict);
    let what = if row.verdict == Verdict::Follows { conditional(row) } else { row.reason.clone() };
    let by = if row.by.is_empty() { String::new() } else { format!("  [{}]", row.by) };
    // Writing to a string does not fail.
    let _ = write!(text, "{what}{by}");
    if row.verdict == Verdict::Erratum {
        let forms = [
            ("printed", row.printed),
            ("corrected", row.corrected),
            ("difference", row.difference),
        ];
        for (name, form) in forms {
            let _ = write!(text, "\n{:<30}{name:<11} {form}", "");
        }
    }
    if !row.note.is_empty() {
        let _ = write!(text, "\n{:<30}{:<11} {}", "", "text", row.note);
    }
    text
}

/// The equation, and the conditions under which it is stated.
fn conditional(row: &Row) -> String {
    match row.when {
        "" => row.printed.to_owned(),
        when => format!("{} when {when}", row.printed),
    }
}

/// `(25a)`, `Theorem 5.1`.
pub(crate) fn number(equation: &str) -> String {
    if equation.starts_with(|c: char| c.is_ascii_digit()) {
        format!("({equation})")
    } else {
        equation.to_owned()
    }
}

/// One line an equation, after a line of the names of the columns.
pub(crate) fn tsv(documents: &[&Document]) -> String {
    let mut text = "document\tequation\tverdict\tprinted\tcorrected\tdifference\n".to_owned();
    for document in documents {
        for row in rows(document) {
            let fields = [
                document.key,
                &row.equation,
                row.verdict.word(),
                row.printed,
                row.corrected,
                row.difference,
            ];
            text.push_str(&fields.map(|field| field.replace(['\t', '\n'], " ")).join("\t"));
            text.push('\n');
        }
    }
    text
}

/// A table for each document.
pub(crate) fn markdown(documents: &[&Document]) -> String {
    let texts: Vec<String> = documents
        .iter()
        .map(|document| {
            let rows = rows(document);
            let head = format!("# {}\n\n*{}*\n", document.title, document.authors);
            format!("{head}\n{}\n\n{}", counts(&rows), table(&rows))
        })
        .collect();
    texts.join("\n")
}

/// The rows as a table of Markdown.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = "| equation | verdict | what | by |\n| --- | --- | --- | --- |\n".to_owned();
    for row in rows {
        let what = match row.verdict {
            Verdict::Follows => code(&conditional(row)),
            Verdict::Erratum => format!(
                "{} Printed {}; right is {}; the difference is {}.",
                row.reason,
                code(row.printed),
                code(row.corrected),
                code(row.difference)
            ),
            Verdict::Definition | Verdict::General | Verdict::Open => row.reason.clone(),
        };
        let note = if row.note.is_empty() { String::new() } else { format!(" ({})", row.note) };
        let cells = [number(&row.equation), row.verdict.to_string(), what + &note, code(&row.by)];
        let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// Code of Markdown; nothing for nothing.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}
