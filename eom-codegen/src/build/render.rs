//! Mistakes and warnings of a file as text: each with its line, a mark under its place, and one thing
//! to do, in the form in which rustc shows those of the macro.

use super::excerpt::{Excerpt, excerpt, line_and_column};
use crate::diagnostic::{self, Diagnostic, SHOWN_MAX};
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

/// The first mistakes of a declaration, and the number of all.
pub fn rendered(path: &str, source: &str, mistakes: &[Diagnostic], style: Style) -> String {
    let marks: Vec<Mark<'_>> = mistakes.iter().take(SHOWN_MAX).map(mark).collect();
    let levels: Vec<diagnostic::Level> = mistakes.iter().map(|mistake| mistake.level).collect();
    let so_far = mistakes.iter().any(|mistake| mistake.hides);
    written(path, source, (&marks, &levels, so_far), style)
}

/// Where a mistake stands, and what is said of it.
fn mark(mistake: &Diagnostic) -> Mark<'_> {
    Mark {
        at: mistake.at.byte_range(),
        message: &mistake.message,
        help: mistake.help.as_deref(),
        note: mistake.note.as_ref().map(|(at, note)| (at.byte_range(), note.as_str())),
        level: mistake.level,
        name: mistake.diagnosis.map(crate::diagnosis::Diagnosis::name),
    }
}

/// The first mistakes of a file, and the number of all. More than some twenty are not read.
pub fn marked(path: &str, source: &str, marks: &[Mark<'_>], style: Style) -> String {
    let levels: Vec<diagnostic::Level> = marks.iter().map(|mark| mark.level).collect();
    written(path, source, (&marks[..marks.len().min(SHOWN_MAX)], &levels, false), style)
}

/// Some mistakes, and the number of all by their levels; `so_far` where there may be more.
fn written(
    path: &str,
    source: &str,
    (shown, all, so_far): (&[Mark<'_>], &[diagnostic::Level], bool),
    style: Style,
) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut parts: Vec<String> =
        shown.iter().map(|mark| one(&renderer, path, source, mark)).collect();
    let left_out = match all.len() - shown.len() {
        0 => String::new(),
        _ => format!("; the first {} are shown", shown.len()),
    };
    let so_far = if so_far { " so far" } else { "" };
    parts.push(format!("{path} has {}{so_far}{left_out}", counted(all).join(" and ")));
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
    let mut places = vec![mark.at.clone()];
    places.extend(mark.note.iter().map(|(at, _)| at.clone()));
    let excerpt = excerpt(source, &places);
    let place = AnnotationKind::Primary.span(excerpt.places[0].clone());
    let mut snippet =
        Snippet::source(&excerpt.text).line_start(excerpt.line).path(path).annotation(place);
    if let (Some((_, note)), Some(at)) = (&mark.note, excerpt.places.get(1)) {
        snippet = snippet.annotation(AnnotationKind::Context.span(at.clone()).label(*note));
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
    placed(renderer.render(&[report]), &excerpt)
}

/// A mistake as it is shown, with the column in the text where it has that in a line that is cut.
fn placed(rendered: String, excerpt: &Excerpt) -> String {
    let (line, column) = excerpt.origin;
    let (_, shown) = line_and_column(&excerpt.text, excerpt.places[0].start);
    if shown == column {
        return rendered;
    }
    let (before, after) = rendered.split_at(rendered.find("--> ").unwrap_or(0));
    let [shown, told] = [shown, column].map(|column| format!(":{line}:{column}"));
    format!("{before}{}", after.replacen(&shown, &told, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_far_to_the_right_is_told_as_it_is() {
        // lines before, letters before in its line
        for (lines, letters) in [(0, 0), (2, 40), (0, 239), (0, 500), (3, 5000)] {
            let text = format!("{}{} y", "// ä\n".repeat(lines), "ä".repeat(letters));
            let at = text.len() - 1..text.len();
            let level = diagnostic::Level::Error;
            let mark = Mark { at, message: "`y`", help: None, note: None, level, name: None };
            for style in [Style::Plain, Style::Coloured] {
                let told = marked("a.eom", &text, std::slice::from_ref(&mark), style);
                let place = format!("a.eom:{}:{}", lines + 1, letters + 2);
                assert!(told.contains(&place), "{place}: {told}");
            }
        }
    }
}
