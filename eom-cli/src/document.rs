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
    let mut text = format!("{number:<18} {:<10} ", row.verdict);
    let what = if stated(row) { conditional(row) } else { row.reason.clone() };
    let by = if row.by.is_empty() { String::new() } else { format!("  [{}]", row.by) };
    // Writing to a string does not fail.
    let _ = write!(text, "{what}{by}");
    if row.verdict == Verdict::Erratum {
        let forms = [
            ("where", place(row)),
            (
                if row.printed_tex.is_empty() { "read as" } else { "printed" },
                printed(row).to_owned(),
            ),
            ("corrected", corrected(row).to_owned()),
            ("difference", row.difference.to_owned()),
        ];
        for (name, form) in forms.iter().filter(|(_, form)| !form.is_empty()) {
            let _ = write!(text, "\n{:<30}{name:<11} {form}", "");
        }
    }
    if row.verdict == Verdict::Reading {
        let _ = write!(text, "\n{:<30}{:<11} {}", "", "reading", row.reading);
    }
    if !row.note.is_empty() {
        let _ = write!(text, "\n{:<30}{:<11} {}", "", "text", row.note);
    }
    text
}

/// Whether the row is the equation itself.
fn stated(row: &Row) -> bool {
    let follows = matches!(row.verdict, Verdict::Follows | Verdict::Reading | Verdict::Definition);
    follows && !row.printed.is_empty()
}

/// The equation, where and under which conditions it is stated.
fn conditional(row: &Row) -> String {
    match place(row) {
        place if place.is_empty() => printed(row).to_owned(),
        place => format!("{} {place}", printed(row)),
    }
}

/// `at floor under plastic when φ = 0`
fn place(row: &Row) -> String {
    let when = if row.when.is_empty() { String::new() } else { format!("when {}", row.when) };
    let gap = if row.place.is_empty() || when.is_empty() { "" } else { " " };
    format!("{}{gap}{when}", row.place)
}

/// `(25a)`, `Theorem 5.1`.
pub(crate) fn number(equation: &str) -> String {
    if equation.starts_with(|c: char| c.is_ascii_digit()) {
        format!("({equation})")
    } else {
        equation.to_owned()
    }
}

/// The columns of the table.
const COLUMNS: [&str; 11] = [
    "document",
    "equation",
    "place",
    "when",
    "verdict",
    "reading",
    "printed_tex",
    "corrected_tex",
    "difference",
    "reason",
    "by",
];

/// The print in LaTeX, where the text has it; else how it is read, in the language.
pub(crate) fn printed(row: &Row) -> &str {
    if row.printed_tex.is_empty() { row.printed } else { row.printed_tex }
}

/// How words, or glyphs, were read: what stands for them in the language. Nothing where the print is LaTeX.
fn read_as(row: &Row) -> &str {
    if row.printed_tex.is_empty() { row.printed } else { "" }
}

/// What symbols were taken for, and the whole where the text is no LaTeX.
fn reading(row: &Row) -> String {
    match (row.reading, read_as(row)) {
        (taken, "") => taken.to_owned(),
        ("", whole) => format!("read as {whole}"),
        (taken, whole) => format!("{taken}; read as {whole}"),
    }
}

/// What is right, the same.
pub(crate) fn corrected(row: &Row) -> &str {
    if row.corrected_tex.is_empty() { row.corrected } else { row.corrected_tex }
}

/// Why, and what the text leaves open.
fn reason(row: &Row) -> String {
    match (row.reason.as_str(), row.note) {
        (why, "") => why.to_owned(),
        ("", note) => note.to_owned(),
        (why, note) => format!("{why} ({note})"),
    }
}

/// One line an equation, after a line of the names of the columns.
pub(crate) fn tsv(documents: &[&Document]) -> String {
    let mut text = COLUMNS.join("\t") + "\n";
    for document in documents {
        for row in rows(document) {
            let fields = [
                document.key,
                &row.equation,
                &row.place,
                row.when,
                row.verdict.word(),
                &reading(&row),
                row.printed_tex,
                corrected(&row),
                row.difference,
                &reason(&row),
                &row.by,
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

/// The rows as a table of Markdown, print and correction side by side.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text =
        "| equation | verdict | printed | corrected | what | by |\n| --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for row in rows {
        let reading = match row.verdict {
            Verdict::Reading => format!(" Reading: {}.", code(row.reading)),
            _ => String::new(),
        };
        let note = if row.note.is_empty() { String::new() } else { format!(" ({})", row.note) };
        let difference = match row.difference {
            "" => String::new(),
            difference => format!(" The difference is {}.", code(difference)),
        };
        let whole = match read_as(row) {
            "" => String::new(),
            whole => format!(" Read as {}.", code(whole)),
        };
        let what = format!("{}{whole}{difference}{reading}{note}", row.reason);
        let shown = format!("{} {}", code(row.printed_tex), place(row));
        let cells = [
            number(&row.equation),
            row.verdict.to_string(),
            shown.trim().to_owned(),
            code(corrected(row)),
            what.trim().to_owned(),
            code(&row.by),
        ];
        let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// Code of Markdown; nothing for nothing.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}
