//! Mistakes of a file as text: each with its line, a mark under its place, and one thing to do, in the
//! form in which rustc shows those of the macro.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use eom_codegen::diagnostic::{Diagnostic, Region};
use std::io::IsTerminal as _;
use std::ops::Range;
use std::{env, io};

/// All mistakes and their number, for standard error: in colours on a terminal.
pub(crate) fn rendered(path: &str, source: &str, mistakes: &[Diagnostic]) -> String {
    // https://no-color.org
    let coloured =
        io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let mut parts: Vec<String> =
        mistakes.iter().map(|mistake| one(&renderer, path, source, mistake)).collect();
    parts.push(match mistakes.len() {
        1 => format!("{path} has one mistake"),
        count => format!("{path} has {count} mistakes"),
    });
    parts.join("\n\n")
}

fn one(renderer: &Renderer, path: &str, source: &str, mistake: &Diagnostic) -> String {
    let place = AnnotationKind::Primary.span(within(source, mistake.at));
    let mut snippet = Snippet::source(source).path(path).annotation(place);
    if let Some((at, note)) = &mistake.note {
        let note = note.as_str();
        snippet = snippet.annotation(AnnotationKind::Context.span(within(source, *at)).label(note));
    }
    let title = Level::ERROR.primary_title(mistake.message.as_str());
    let mut report: Group<'_> = title.element(snippet);
    if let Some(help) = &mistake.help {
        report = report.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[report])
}

/// The bytes of a region, kept inside of the text.
fn within(source: &str, region: Region) -> Range<usize> {
    let Range { start, end } = region.byte_range();
    let inside = |at: usize| (0..=at).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0);
    inside(start)..inside(end.max(start))
}
