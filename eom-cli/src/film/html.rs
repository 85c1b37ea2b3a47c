//! The page of a film: one file that plays without a network. Page, style and script are files of their own beside
//! this one; what is put into them is escaped for the place where it stands.

use super::data::data;
use super::{Film, Length};
use crate::run::ledger::ledger;
use crate::run::request::Request;
use eom_codegen::diagnostic::Diagnostic;
use eom_symbolic::mechanics::report::{formulas, to_text};
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

/// The page of a run that has ended at a time; `summary` is what the command says of it.
pub(crate) fn html(request: &Request, end: f64, summary: &str) -> Result<String, String> {
    let equations = equations(request)?;
    let fixed = PAGE.len() + STYLE.len() + SCRIPT.len() + equations.len() + REST;
    let numbers = PAGE_MAX.saturating_sub(fixed) * 3 / 8;
    let film = Film::new(request, end, Length::Numbers(numbers.max(NUMBERS_LEAST)))?;
    let info = request.model.info;
    let books = film.trajectory.ledger.as_ref().map(|books| ledger(info, books));
    let run = format!("{summary}{}", books.unwrap_or_default());
    let title = &request.model.title;
    let described = format!("{title}: {}", shapes(&film));
    let document = if info.document.is_empty() { info.name } else { info.document };
    let parts = [
        ("title", escaped(title)),
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

/// The equations of the model as MathML under their titles; very long ones as text.
fn equations(request: &Request) -> Result<String, String> {
    let written = request.model.derived(|derived| {
        let mut html = String::from("<h2>Equations</h2>");
        for section in derived.text.clone().sections() {
            // Writing to a string does not fail.
            let _ = write!(html, "<h3>{}</h3>", escaped(&section.title));
            for formula in formulas(&section.lines) {
                html.push_str(&mathml(&formula));
            }
        }
        if html.len() > EQUATIONS_MAX {
            let text = escaped(&to_text(&derived.text.clone().sections()));
            return format!("<h2>Equations</h2><pre>{text}</pre>");
        }
        html
    });
    written.map_err(|mistakes| mistakes.first().map(Diagnostic::to_string).unwrap_or_default())
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
pub(crate) fn escaped(text: &str) -> String {
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
