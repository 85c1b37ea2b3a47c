//! Mistakes and warnings of a file as text: each with its line, a mark under its place, and one thing
//! to do, in the form in which rustc shows those of the macro.

use crate::diagnostic::{self, Diagnostic};
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
    /// How grave it is.
    pub level: diagnostic::Level,
    /// The name by which a declaration allows it.
    pub name: Option<&'static str>,
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
            level: mistake.level,
            name: mistake.diagnosis.map(crate::diagnosis::Diagnosis::name),
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
    let levels: Vec<diagnostic::Level> = marks.iter().map(|mark| mark.level).collect();
    parts.push(format!("{path} has {}", counted(&levels).join(" and ")));
    parts.join("\n\n")
}

/// `2 warnings`, `one note`: how many there are of each level, the graver first.
pub fn counted(said: &[diagnostic::Level]) -> Vec<String> {
    let levels = [
        (diagnostic::Level::Error, "mistake"),
        (diagnostic::Level::Warning, "warning"),
        (diagnostic::Level::Note, "note"),
    ];
    let words = levels.into_iter().filter_map(|(level, word)| {
        match said.iter().filter(|one| **one == level).count() {
            0 => None,
            1 => Some(format!("one {word}")),
            count => Some(format!("{count} {word}s")),
        }
    });
    words.collect()
}

fn one(renderer: &Renderer, path: &str, source: &str, mark: &Mark<'_>) -> String {
    let place = AnnotationKind::Primary.span(within(source, &mark.at));
    let mut snippet = Snippet::source(source).path(path).annotation(place);
    if let Some((at, note)) = &mark.note {
        snippet = snippet.annotation(AnnotationKind::Context.span(within(source, at)).label(*note));
    }
    let level = match mark.level {
        diagnostic::Level::Error => Level::ERROR,
        diagnostic::Level::Warning => Level::WARNING,
        diagnostic::Level::Note => Level::NOTE,
    };
    let mut title = level.primary_title(mark.message);
    if let Some(name) = mark.name {
        title = title.id(name);
    }
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
