//! The page of a film: one file that plays without a network. Page, style and script are files of their own beside
//! this one; what is put into them is escaped for the place where it stands.

use super::data::data;
use super::{Film, Length, Subject};
use crate::account::ledger;
use eom_core::{Sampling, Trajectory};
use eom_symbolic::mechanics::report::{Section, formulas, to_text};
use eom_symbolic::print::mathml;
use std::fmt::Write as _;

const PAGE: &str = include_str!("player.html");
const STYLE: &str = include_str!("player.css");
const SCRIPTS: [&str; 2] = [include_str!("scene.js"), include_str!("player.js")];

/// A page is no longer, in bytes: what the equations leave is for numbers, 8 characters for 3 of them.
const PAGE_MAX: usize = 390_000;

/// Equations that would take more are shown as text.
const EQUATIONS_MAX: usize = 240_000;

/// What shapes, events, curves and the summary may take.
const REST: usize = 60_000;

/// The fewest numbers of a film.
const NUMBERS_LEAST: usize = 12_000;

/// What the page says beside the motion.
#[derive(Debug, Clone, Copy)]
pub struct Words<'w> {
    /// Its title.
    pub title: &'w str,
    /// The account of the run, line by line; the ledger is added where the run has one.
    pub account: &'w str,
    /// The equations.
    pub sections: &'w [Section],
}

/// The page of a run up to its end, which `run` makes once more with the sampling it is given.
///
/// # Errors
/// Those of `run`.
pub fn html<E>(
    subject: Subject<'_>,
    end: f64,
    words: &Words<'_>,
    run: impl FnOnce(Sampling) -> Result<Trajectory, E>,
) -> Result<String, E> {
    let equations = equations(words.sections);
    let script = SCRIPTS.concat();
    let fixed = PAGE.len() + STYLE.len() + script.len() + equations.len() + REST;
    let numbers = PAGE_MAX.saturating_sub(fixed) * 3 / 8;
    let film = Film::new(subject, end, Length::Numbers(numbers.max(NUMBERS_LEAST)), run)?;
    let info = subject.system.info();
    let books = film.trajectory.ledger.as_ref().map(|books| ledger(info, books));
    let told = format!("{}{}", words.account, books.unwrap_or_default());
    let described = format!("{}: {}", words.title, shapes(&film));
    let document = if info.document.is_empty() { info.name } else { info.document };
    let parts = [
        ("title", escaped(words.title)),
        ("subtitle", escaped(document)),
        ("described", escaped(&described)),
        ("style", STYLE.to_owned()),
        ("script", script),
        ("run", escaped(&told)),
        ("equations", equations),
        ("data", in_script(&data(&film).to_string())),
    ];
    Ok(filled(PAGE, &parts))
}

/// What is drawn, in words.
fn shapes(film: &Film<'_>) -> String {
    let words = film.subject.drawing.shapes().iter().map(|shape| shape.primitive.name);
    let mut each: Vec<&str> = Vec::new();
    for word in words {
        if !each.contains(&word) {
            each.push(word);
        }
    }
    if each.is_empty() { "nothing is drawn".to_owned() } else { each.join(", ") }
}

/// Equations as MathML under their titles; very long ones as text.
fn equations(sections: &[Section]) -> String {
    let mut html = String::from("<h2>Equations</h2>");
    for section in sections {
        // Writing to a string does not fail.
        let _ = write!(html, "<h3>{}</h3>", escaped(&section.title));
        for formula in formulas(&section.lines) {
            html.push_str(&mathml(&formula));
        }
    }
    if html.len() > EQUATIONS_MAX {
        return format!("<h2>Equations</h2><pre>{}</pre>", escaped(&to_text(sections)));
    }
    html
}

/// The page with its parts, each `{{name}}` once: what is put in is not looked at again.
fn filled(page: &str, parts: &[(&str, String)]) -> String {
    let mut pieces = page.split("{{");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        let part = parts.iter().find(|(known, _)| *known == name);
        text.push_str(part.map_or("", |(_, part)| part));
        text.push_str(rest);
    }
    text
}

/// Text of a page, also within quotation marks.
pub fn escaped(text: &str) -> String {
    let replaced = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    replaced.replace('"', "&quot;").replace('\'', "&#39;")
}

/// JSON within `<script>`: no `<` can end that.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::{escaped, filled, in_script};

    #[test]
    fn what_is_put_in_stays_text() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "2".to_owned())];
        assert_eq!(filled("1 {{a}} {{b}} {{c}}.", &parts), "1 {{b}} 2 .");
        assert_eq!(escaped("</title><script>'\"&"), "&lt;/title&gt;&lt;script&gt;&#39;&quot;&amp;");
        assert_eq!(in_script("\"</script><!--\""), "\"\\u003c/script>\\u003c!--\"");
    }
}
