//! Names in LaTeX.

use super::{LETTERS, key, leading_letters, normalize, spelled};

/// A base name in LaTeX: θ1 → `\theta_{1}`, γ_x → `\gamma_{x}`, roll_x → `\mathrm{roll}_{x}`, `A[1][2]` → `A_{1,2}`.
///
/// Dots are the caller's: `\dot{…}` goes around the letter, not around the subscript; see
/// [`latex_dotted`].
#[must_use]
pub fn latex(display: &str) -> String {
    latex_dotted(display, 0)
}

/// The n-th time derivative of a base name in LaTeX: θ1 → `\dot{\theta}_{1}`.
#[must_use]
pub fn latex_dotted(display: &str, dots: u8) -> String {
    latex_indexed(display, dots, None)
}

/// A partial derivative in LaTeX: `f_{xy}`, `h_{0,\theta\theta}`.
#[must_use]
pub fn latex_partial(display: &str, arguments: &[&str]) -> String {
    let index =
        arguments.iter().map(|argument| latex(argument)).fold(String::new(), |all, next| {
            let gap = if needs_space(&all, &next) { " " } else { "" };
            format!("{all}{gap}{next}")
        });
    latex_indexed(display, 0, Some(index).filter(|index| !index.is_empty()))
}

/// The name in LaTeX with one index more behind its own.
fn latex_indexed(display: &str, dots: u8, more: Option<String>) -> String {
    let display = normalize(display);
    if display.starts_with('_') || display.ends_with('_') || display.contains("__") {
        return latex_as_written(&display, dots);
    }
    let base = leading_letters(&display);
    let indices = display[base.len()..]
        .split(['_', '[', ']'])
        .filter(|index| !index.is_empty())
        .map(latex_index)
        .chain(more)
        .collect::<Vec<_>>()
        .join(",");
    let base = latex_dots(latex_run(base), dots);
    if indices.is_empty() { base } else { format!("{base}_{{{indices}}}") }
}

/// The n-th time derivative of a name with all behind its letters as it is written, upright: where its parts would not tell it,
/// as those of `x1` and `x_1`, or of `_x`, do not.
#[must_use]
pub fn latex_as_written(display: &str, dots: u8) -> String {
    let display = normalize(display);
    let base = leading_letters(&display);
    let upright = |text: &str| format!(r"\mathrm{{{}}}", key(text).replace('_', r"\_"));
    match &display[base.len()..] {
        "" => latex_dots(upright(base), dots),
        rest if base.is_empty() => latex_dots(upright(rest), dots),
        rest => format!("{}_{{{}}}", latex_dots(latex_run(base), dots), upright(rest)),
    }
}

fn latex_dots(base: String, dots: u8) -> String {
    match dots {
        0 => base,
        1 => format!(r"\dot{{{base}}}"),
        2 => format!(r"\ddot{{{base}}}"),
        3 => format!(r"\dddot{{{base}}}"),
        n => format!(r"{{{base}}}^{{({n})}}"),
    }
}

/// A subscript: its letters as a run, its digits as they are.
fn latex_index(index: &str) -> String {
    let letters = leading_letters(index);
    let rest = &index[letters.len()..];
    let run = latex_run(letters);
    if needs_space(&run, rest) { format!("{run} {rest}") } else { run + rest }
}

/// A run of letters: a spelled-out Greek letter, or its letters one by one, with several Latin
/// letters together upright.
fn latex_run(run: &str) -> String {
    if let Some(row) = LETTERS.iter().find(|row| row.1 == run) {
        return row.2.to_owned();
    }
    let mut latex = String::new();
    let mut letters = run.chars().peekable();
    while let Some(first) = letters.next() {
        let piece = if let Some((_, command)) = spelled(first) {
            command.to_owned()
        } else {
            let mut word = String::from(first);
            while let Some(next) = letters.next_if(|&next| spelled(next).is_none()) {
                word.push(next);
            }
            if word.chars().count() == 1 { word } else { format!(r"\mathrm{{{word}}}") }
        };
        if needs_space(&latex, &piece) {
            latex.push(' ');
        }
        latex.push_str(&piece);
    }
    latex
}

/// `\theta` followed by a letter needs a space between them.
fn needs_space(left: &str, right: &str) -> bool {
    left.rfind('\\').is_some_and(|at| left[at + 1..].chars().all(char::is_alphabetic))
        && right.starts_with(char::is_alphabetic)
}
