//! What is said of a declaration, with its places as an editor counts them: in units of UTF-16.

use crate::object::object;
use eom_codegen::diagnostic::{Diagnostic, Region};
use serde_json::Value;

/// The most that are told; nobody reads more.
const SHOWN_MAX: usize = 100;

/// Each finding: level, message, what to do, line and column, the stretch to mark, a second place.
pub(super) fn json(text: &str, found: &[Diagnostic]) -> Value {
    found.iter().take(SHOWN_MAX).map(|one| finding(text, one)).collect()
}

fn finding(text: &str, one: &Diagnostic) -> Value {
    object!({
        "level": one.level.name(),
        "name": one.diagnosis.map(eom_codegen::diagnosis::Diagnosis::name),
        "message": one.message.as_str(),
        "help": one.help.as_deref(),
        "place": place(text, one.at),
        "note": one.note.as_ref().map(|(at, note)| object!({ "place": place(text, *at), "message": note.as_str() })),
    })
}

fn place(text: &str, at: Region) -> Value {
    let (line, column) = at.line_column();
    let bytes = at.byte_range();
    let unit = |byte: usize| {
        let before = text.get(..byte).unwrap_or(text);
        before.encode_utf16().count()
    };
    object!({ "line": line, "column": column, "from": unit(bytes.start), "to": unit(bytes.end) })
}
