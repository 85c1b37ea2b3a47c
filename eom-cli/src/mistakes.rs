//! Mistakes and warnings of a file for standard error: in colours on a terminal.

use crate::shell;
use eom_codegen::Style;
use eom_codegen::diagnostic::Diagnostic;

pub(crate) use eom_codegen::{Mark, counted};

/// All mistakes of a declaration and their number.
pub(crate) fn rendered(path: &str, source: &str, mistakes: &[Diagnostic]) -> String {
    eom_codegen::rendered(path, source, mistakes, style())
}

/// All mistakes of a file and their number.
pub(crate) fn marked(path: &str, source: &str, marks: &[Mark<'_>]) -> String {
    eom_codegen::marked(path, source, marks, style())
}

fn style() -> Style {
    if shell::colours_errors() { Style::Coloured } else { Style::Plain }
}
