//! The page of a film: one file that plays without a network. Page, style and script are files of their own beside
//! this one; what is put into them is escaped for the place where it stands.

use crate::data::data;
use crate::film::{Film, Length, Make, Subject};
use eom_interpreter::ledger::ledger;
use eom_symbolic::mechanics::report::{Section, formulas, to_text};
use eom_symbolic::print::mathml;
use std::fmt::Write as _;

const PAGE: &str = include_str!("player.html");
const STYLE: &str = include_str!("player.css");
const SCRIPT: &str = include_str!("player.js");

/// A page is no longer, in bytes: what the equations leave is for numbers, 8 characters for 3 of them.
const PAGE_MAX: usize = 390_000;

/// Equations that would take more are shown as text.
const EQUATIONS_MAX: usize = 240_000;

/// What shapes, events, curves and the summary may take.
const REST: usize = 60_000;

/// The fewest numbers of a film.
const NUMBERS_LEAST: usize = 12_000;

/// What a page says beside the motion.
#[derive(Debug, Clone, Copy)]
pub struct Page<'p> {
    /// Its title.
    pub title: &'p str,
    /// What is told of the run; the ledger stands below it.
    pub summary: &'p str,
    /// The equations.
    pub sections: &'p [Section],
}

/// The page of a run that has ended at a time.
///
/// # Errors
/// The words of what is wrong with the drawing or the start.
pub fn html(
    subject: Subject<'_>,
    end: f64,
    page: &Page<'_>,
    make: Make<'_>,
) -> Result<String, String> {
    let equations = equations(page.sections);
    let fixed = PAGE.len() + STYLE.len() + SCRIPT.len() + equations.len() + REST;
    let numbers = PAGE_MAX.saturating_sub(fixed) * 3 / 8;
    let film = Film::new(subject, end, Length::Numbers(numbers.max(NUMBERS_LEAST)), make)?;
    let info = subject.system.info();
    let books = film.trajectory.ledger.as_ref().map(|books| ledger(info, books));
    let run = format!("{}{}", page.summary, books.unwrap_or_default());
    let described = format!("{}: {}", page.title, shapes(&film));
    let document = if info.document.is_empty() { info.name } else { info.document };
    let parts = [
        ("title", escaped(page.title)),
        ("subtitle", escaped(document)),
        ("described", escaped(&described)),
        ("style", STYLE.to_owned()),
        ("script", SCRIPT.to_owned()),
        ("run", escaped(&run)),
        ("equations", equations),
        ("data", in_script(&data(&film).to_string())),
    ];
    Ok(filled(PAGE, &parts))
}

/// What is drawn, in words.
fn shapes(film: &Film<'_>) -> String {
    let words = film.drawing.shapes().iter().map(|shape| shape.primitive.name);
    let mut each: Vec<&str> = Vec::new();
    for word in words {
        if !each.contains(&word) {
            each.push(word);
        }
    }
    if each.is_empty() { "nothing is drawn".to_owned() } else { each.join(", ") }
}

/// The equations as MathML under their titles; very long ones as text.
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
