//! The pages of the book that are made from the models: one a document, with its figures.
//!
//! ```text
//! SUMMARY.md                 the hand-written pages, the gallery, then a line for each document
//! gallery.md                 a row a system, a row a number that it holds, a row a claim of a motion with what is found
//! documents/KEY.md           systems as declared, equations as derived, verdicts, errata, figures
//! figures/NAME.svg
//! ```

use crate::analysis::sentences::{complaint, decided};
use crate::document;
use crate::figure;
use crate::model::Model;
use eom_symbolic::mechanics::report::{EquationsText, Line, formulas};
use models::ModelEntry;
use models::catalogue::by_document;
use models::documents::report::{Row, Verdict, counts, rows};
use models::documents::{Document, documents};
use models::figures::{FigureEntry, figures};
use models::gallery::{GALLERY, GalleryEntry, Number, numbers};
use std::fmt::Write as _;

/// A file of the book: its path below the book's `src`, and its text.
pub(crate) type File = (String, String);

/// The hand-written pages in a reader's order: first runs, the language, contacts, many runs, equations and code.
const PAGES: [(&str, &str); 15] = [
    ("Introduction", "introduction.md"),
    ("From eom new to a plot", "files.md"),
    ("Running", "running.md"),
    ("The language", "language.md"),
    ("Claims", "claims.md"),
    ("From a paper's LaTeX to verdicts", "papers.md"),
    ("Locking your own models", "locking.md"),
    ("Contacts and impacts", "contacts.md"),
    ("Scenario files and sweeps", "sweeps.md"),
    ("Drawings and films", "drawings.md"),
    ("What a motion means", "analysis.md"),
    ("Many states at once", "batch.md"),
    ("From Python", "python.md"),
    ("The equations and their forms", "equations.md"),
    ("Code from a file", "generated.md"),
];

/// Every generated file. `source` finds the text of a system's declaration by its type's name.
pub(crate) fn files(source: &dyn Fn(&str) -> Option<String>) -> Result<Vec<File>, String> {
    let mut files =
        vec![("SUMMARY.md".to_owned(), summary()), ("gallery.md".to_owned(), gallery()?)];
    for document in documents() {
        files.push((page_path(document), page(document, source)?));
    }
    for entry in figures() {
        let svg = figure::svg(entry).map_err(|reason| format!("{}: {reason}", entry.name))?;
        files.push((format!("figures/{}.svg", entry.name), svg));
    }
    Ok(files)
}

fn page_path(document: &Document) -> String {
    format!("documents/{}.md", document.key)
}

fn summary() -> String {
    let mut text = "# Summary\n\n".to_owned();
    for (title, path) in PAGES {
        // Writing to a string does not fail.
        let _ = writeln!(text, "- [{title}]({path})");
    }
    text.push_str("- [Gallery](gallery.md)\n");
    text.push_str("\n# The documents\n\n");
    for document in documents() {
        let _ = writeln!(text, "- [{}]({})", document.title, page_path(document));
    }
    text
}

/// The systems of the literature with the numbers that they hold.
fn gallery() -> Result<String, String> {
    let mut text = GALLERY_HEAD.to_owned();
    for system in &GALLERY {
        let held = numbers().filter(|number| number.model == system.name).count();
        // Writing to a string does not fail.
        let _ = writeln!(text, "| `{}` | {} | {held} |", system.name, system.shows);
    }
    text.push_str(NUMBERS_HEAD);
    for Number { model, what, asked, value, within, source, .. } in numbers() {
        let cells =
            [model, what, asked, value, within, source].map(|cell| cell.replace('|', "\\|"));
        let [model, what, asked, value, within, source] = cells;
        let row = format!("| {model} | {what} | `{asked}` | {value} | {within} | {source} |");
        let _ = writeln!(text, "{row}");
    }
    text.push_str(SENTENCES_HEAD);
    for system in GALLERY.iter().filter(|system| says_something(system)) {
        text.push_str(&said_of(system)?);
    }
    Ok(text)
}

/// Whether a system has a claim of a motion; to derive those that have none would take its time.
fn says_something(system: &GalleryEntry) -> bool {
    let is_said = |line: &str| line.trim_start().starts_with("claim ") && line.contains(" of ");
    system.text.lines().any(is_said)
}

/// The claims of motions of a system, with what was found.
fn said_of(system: &GalleryEntry) -> Result<String, String> {
    let model = Model::find_silently(system.name).map_err(|failure| failure.to_string())?;
    let mut text = String::new();
    for decided in decided(&model) {
        if let Some(complaint) = complaint(&decided) {
            return Err(format!("{}: {complaint}", system.name));
        }
        let (said, verdict) = decided;
        let found = verdict.map_or(String::new(), |verdict| found(&verdict));
        let _ =
            writeln!(text, "| {} | {} | `{}` | {found} |", system.name, said.name, said.printed);
    }
    Ok(text)
}

/// What was found, to the digits that are claimed.
fn found(verdict: &eom_analysis::Verdict) -> String {
    let eom_analysis::Verdict { found, error, within, .. } = *verdict;
    if error > 0.0 {
        return format!("{found:.4} ± {error:.4}");
    }
    let decimals = ((-within.log10()).ceil().clamp(0.0, 15.0) as i32).unsigned_abs() as usize;
    format!("{found:.decimals$}")
}

const SENTENCES_HEAD: &str = "
## Claims of motions

What a file says of its motions itself, decided by `eom check`: [`claim … of scenario: …`](claims.md#claims-of-motions).

| system | claim | as written | found |
| --- | --- | --- | --- |
";

const GALLERY_HEAD: &str = "\
# Gallery

Systems of the literature, each a file of the language in `models/gallery` with its source in the first lines. Their names
are known to every command: `eom run figure-eight --plot x1,y1`, `eom analyse compass-walker orbit --section heel`,
`eom derive kovalevskaya`. What a paper states as an equation is a claim of the file and holds for all parameters; what it
states as a number is a line of `models/gallery/numbers.tsv`, which the tests compute by the command.

| system | what it shows | numbers held |
| --- | --- | --- |
";

const NUMBERS_HEAD: &str = "
## Numbers

Behind `eom`, the command of a line, with the name of the system as its model. *by hand* is a closed form or a program of
other origin; where a printed number is held only to less than its digits, its source says what we have.

| system | number | command | value | within | source |
| --- | --- | --- | --- | --- | --- |
";

fn page(document: &Document, source: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let rows = rows(document);
    let mut text = format!("# {}\n\n*{}*\n\n", document.title, document.authors);
    let _ = writeln!(text, "{}\n", document.about);
    let _ = writeln!(text, "Its equations: {}.\n", counts(&rows));
    let groups = by_document();
    let models = groups.iter().find(|(other, _)| other.key == document.key);
    if let Some((_, models)) = models {
        text.push_str("## Systems\n");
        for model in models {
            text.push_str(&system(model, source)?);
        }
    }
    let errata: Vec<&Row> = rows.iter().filter(|row| row.verdict == Verdict::Erratum).collect();
    if !errata.is_empty() {
        text.push_str("\n## Errata\n");
        for row in errata {
            text.push_str(&erratum(row));
        }
    }
    let drawn: Vec<&FigureEntry> =
        figures().iter().filter(|figure| figure.document == document.key).collect();
    if !drawn.is_empty() {
        text.push_str("\n## Figures\n");
        for figure in drawn {
            text.push_str(&drawing(figure));
        }
    }
    let _ = write!(text, "\n## Equations\n\n{}", document::table(&rows));
    Ok(text)
}

/// A model: what it is, how it is declared, what follows.
fn system(model: &ModelEntry, source: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let info = model.info;
    let mut text =
        format!("\n### {}\n\n{} (section {}).\n", model.name, model.title, model.section);
    if let Some(declaration) = source(info.name) {
        let _ = writeln!(text, "\n```rust,ignore\n{declaration}\n```");
    }
    let derived = eom_codegen::equations_source(info.source).map_err(|mistakes| {
        let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        format!("{}: {}", model.name, texts.join("\n"))
    })?;
    text.push_str("\nDerived:\n");
    for lines in parts(&derived.text()) {
        for formula in formulas(lines) {
            let _ = writeln!(text, "\n$$ {formula} $$");
        }
    }
    Ok(text)
}

/// What a page shows: with constraints the reduced equations, else those of all coordinates.
fn parts(equations: &EquationsText) -> [&[Line]; 6] {
    let motion =
        if equations.reduced.is_empty() { &equations.equations } else { &equations.reduced };
    [
        &equations.lagrangian,
        &equations.abbreviations,
        &equations.named,
        &equations.constraints,
        motion,
        &equations.multipliers,
    ]
}

/// `### (5a)`, the reason, the two forms, the difference.
fn erratum(row: &Row) -> String {
    let number = document::number(&row.equation);
    let note = if row.note.is_empty() { String::new() } else { format!("\n\n{}", row.note) };
    let forms = [
        ("printed", document::printed(row)),
        ("corrected", document::corrected(row)),
        ("difference", row.difference),
    ];
    let mut text = format!("\n### {number}\n\n{}{note}\n\n```text\n", row.reason);
    for (name, form) in forms.into_iter().filter(|(_, form)| !form.is_empty()) {
        let _ = writeln!(text, "{name:<11} {form}");
    }
    text + "```\n"
}

fn drawing(figure: &FigureEntry) -> String {
    let number =
        if figure.number.is_empty() { String::new() } else { format!("**{}.** ", figure.number) };
    let FigureEntry { name, caption, .. } = figure;
    format!("\n![{caption}](../figures/{name}.svg)\n\n{number}{caption}\n")
}
