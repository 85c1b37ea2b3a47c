//! The grammar stands twice, at the parser and in the documentation of the macro: as one text.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

/// The lines of the block that holds the grammar, comment marks taken off.
fn grammar(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.strip_prefix("//!").unwrap_or(line).trim());
    let from = lines.skip_while(|line| !line.starts_with("declaration ="));
    from.take_while(|line| *line != "```").map(str::to_owned).collect()
}

#[test]
fn parser_and_documentation_state_one_grammar() {
    let here = env!("CARGO_MANIFEST_DIR");
    let parser = grammar(&format!("{here}/src/parse/mod.rs"));
    let documentation = grammar(&format!("{here}/../eom-macros/src/lagrangian.md"));
    assert!(parser.len() > 40, "the grammar was not found");
    assert_eq!(parser, documentation);
}
