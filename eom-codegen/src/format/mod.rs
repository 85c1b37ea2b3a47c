//! The layout of a declaration: indentation, spaces, empty lines. Words, comments and breaks of lines within an
//! expression stay as they are.
//!
//! ```text
//! text ──pieces──▶ tokens and comments, and what stood between them ──layout──▶ text, again until nothing changes
//! ```
//!
//! Each item of the system has a line of its own. Blocks that stand on one line stay there,
//! `scenario rest { x = 1; until t = 3; }`. Columns that the author has aligned stay aligned. A result is a fixed point, and its tokens
//! are those of the text, or there is no result.

mod layout;
mod pieces;
mod spaces;

use crate::diagnostic::Diagnostic;
use crate::parse::parse_text;
use proc_macro2::{TokenStream, TokenTree};

/// Passes after which spaces of alignment that still move are given up: each pass takes some of them away.
const PASSES_MAX: usize = 50;

/// The declaration in its layout, or the mistakes of one that cannot be read.
pub fn formatted(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, errors) = parse_text(source);
    // Only how it reads was looked at.
    let mistakes = errors.into_diagnostics_so_far();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut text = source.to_owned();
    for pass in 0..PASSES_MAX {
        let next = layout::laid_out(&pieces::pieces(&text), pass + 1 < PASSES_MAX);
        if next == text {
            break;
        }
        text = next;
    }
    // What the layout does not know it must not change.
    Ok(if tokens(&text) == tokens(source) { text } else { source.to_owned() })
}

/// The tokens as texts, documentation among them; nothing where there are none. How far signs stand apart is left out.
fn tokens(source: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    // Spaces at the end of documentation are part of its token.
    let lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    flatten(lines.join("\n").parse().ok()?, &mut found);
    Some(found)
}

fn flatten(tokens: TokenStream, into: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                into.push(format!("{:?}", group.delimiter()));
                flatten(group.stream(), into);
                into.push("end".to_owned());
            }
            TokenTree::Punct(sign) => into.push(sign.as_char().to_string()),
            other => into.push(other.to_string()),
        }
    }
}
