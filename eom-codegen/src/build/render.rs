//! Mistakes of a file as text: each with its line, a mark under its place, and one thing to do, in the
//! form in which rustc shows those of the macro.

use crate::diagnostic::Diagnostic;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// How mistakes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text.
    Plain,
    /// Text in colours, for a terminal.
    Coloured,
}

/// A mistake at a place of a file, of a declaration or of any other.
#[derive(Debug)]
pub struct Mark<'a> {
    /// Its bytes.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: &'a str,
    /// One thing to do.
    pub help: Option<&'a str>,
    /// A second place, and what stands there.
    pub note: Option<(Range<usize>, &'a str)>,
}

/// All mistakes of a declaration, and their number.
pub fn rendered(path: &str, source: &str, mistakes: &[Diagnostic], style: Style) -> String {
    let marks: Vec<Mark<'_>> = mistakes
        .iter()
        .map(|mistake| Mark {
            at: mistake.at.byte_range(),
            message: &mistake.message,
            help: mistake.help.as_deref(),
            note: mistake.note.as_ref().map(|(at, note)| (at.byte_range(), note.as_str())),
        })
        .collect();
    marked(path, source, &marks, style)
}

/// All mistakes of a file, and their number.
pub fn marked(path: &str, source: &str, marks: &[Mark<'_>], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut parts: Vec<String> =
        marks.iter().map(|mark| one(&renderer, path, source, mark)).collect();
    parts.push(match marks.len() {
        1 => format!("{path} has one mistake"),
        count => format!("{path} has {count} mistakes"),
    });
    parts.join("\n\n")
}

fn one(renderer: &Renderer, path: &str, source: &str, mark: &Mark<'_>) -> String {
    let place = AnnotationKind::Primary.span(within(source, &mark.at));
    let mut snippet = Snippet::source(source).path(path).annotation(place);
    if let Some((at, note)) = &mark.note {
        snippet = snippet.annotation(AnnotationKind::Context.span(within(source, at)).label(*note));
    }
    let title = Level::ERROR.primary_title(mark.message);
    let mut report: Group<'_> = title.element(snippet);
    if let Some(help) = mark.help {
        report = report.element(Level::HELP.message(help));
    }
    renderer.render(&[report])
}

/// The bytes of a place, kept inside of the text.
fn within(source: &str, at: &Range<usize>) -> Range<usize> {
    let inside = |at: usize| (0..=at).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0);
    inside(at.start)..inside(at.end.max(at.start))
}
