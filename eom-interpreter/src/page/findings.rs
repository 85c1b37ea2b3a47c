//! What is said of a declaration, with its places as an editor counts them: in units of UTF-16.

use eom_codegen::diagnostic::{Diagnostic, Region};
use serde_json::{Value, json};

/// The most that are told; nobody reads more.
const SHOWN_MAX: usize = 100;

/// Each finding: level, message, what to do, line and column, the stretch to mark, a second place.
pub(super) fn json(text: &str, found: &[Diagnostic]) -> Value {
    found.iter().take(SHOWN_MAX).map(|one| finding(text, one)).collect()
}

fn finding(text: &str, one: &Diagnostic) -> Value {
    json!({
        "level": one.level.name(),
        "name": one.diagnosis.map(eom_codegen::diagnosis::Diagnosis::name),
        "message": one.message,
        "help": one.help,
        "place": place(text, one.at),
        "note": one.note.as_ref().map(|(at, note)| json!({ "place": place(text, *at), "message": note })),
    })
}

fn place(text: &str, at: Region) -> Value {
    let (line, column) = at.line_column();
    let bytes = at.byte_range();
    let unit = |byte: usize| {
        let before = text.get(..byte).unwrap_or(text);
        before.encode_utf16().count()
    };
    json!({ "line": line, "column": column, "from": unit(bytes.start), "to": unit(bytes.end) })
}
