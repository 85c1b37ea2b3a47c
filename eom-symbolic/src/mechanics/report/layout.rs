//! Formulas that fit a page: broken before `=` and at sums, where few brackets are open, into lines of at most [`WIDTH`]
//! symbols.
//!
//! A bracket that is open at a break is closed by `\right.` in LaTeX and opened again by `\left.`; fractions, roots and
//! exponents are not broken.

use crate::function::Function;

/// Symbols of a line.
pub(super) const WIDTH: usize = 100;

/// A line is not broken before this part of its width, where it can be broken behind.
const EARLY: usize = 3;

/// A place before a sign.
#[derive(Debug, Clone, Copy)]
struct Break {
    at: usize,
    /// Symbols before it.
    width: usize,
    /// Brackets that are open.
    depth: usize,
    /// A lower one is better.
    rank: usize,
}

impl Break {
    /// A place in a formula, where a sign or `=` follows.
    fn new(rest: &str, at: usize, width: usize, depth: usize) -> Option<Self> {
        let is_equation = depth == 0 && rest.starts_with(" = ");
        let is_sum = rest.starts_with(" + ") || rest.starts_with(" - ");
        let rank = if is_equation { 0 } else { depth + 1 };
        (is_equation || is_sum).then_some(Self { at, width, depth, rank })
    }
}

/// Text in the syntax of the language, line by line, the first of which begins behind `indent` symbols.
pub(super) fn text(formula: &str, indent: usize) -> Vec<&str> {
    let (mut breaks, mut depth) = (Vec::new(), 0_usize);
    let mut width = indent;
    for (at, c) in formula.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ' ' => breaks.extend(Break::new(&formula[at..], at, width, depth)),
            _ => {}
        }
        width += 1;
    }
    let places = chosen(&breaks, width, indent);
    let ends = places.iter().map(|b| b.at).chain([formula.len()]);
    let starts = [0].into_iter().chain(places.iter().map(|b| b.at + 1));
    starts.zip(ends).map(|(start, end)| &formula[start..end]).collect()
}

/// LaTeX line by line, the first of which begins behind `indent` symbols.
pub(super) fn latex(formula: &str, indent: usize) -> Vec<String> {
    let mut breaks = Vec::new();
    let (mut depth, mut braces, mut width) = (0_usize, 0_usize, indent);
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        let at = formula.len() - rest.len();
        let token = token(rest);
        match token {
            r"\left" => depth += 1,
            r"\right" => depth = depth.saturating_sub(1),
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            " " if braces == 0 => breaks.extend(Break::new(rest, at, width, depth)),
            _ => {}
        }
        width += symbols(token, first);
        rest = &rest[token.len()..];
    }
    let places = chosen(&breaks, width, indent);
    let mut lines = Vec::with_capacity(places.len() + 1);
    let (mut start, mut open) = (0, 0);
    for Break { at, depth, .. } in places {
        let reopened = r"\left. ".repeat(open);
        lines.push(format!("{reopened}{}{}", &formula[start..at], r" \right.".repeat(depth)));
        (start, open) = (at + 1, depth);
    }
    lines.push(format!("{}{}", r"\left. ".repeat(open), &formula[start..]));
    lines
}

/// The symbols of a formula in LaTeX.
pub(super) fn width(formula: &str) -> usize {
    let (mut width, mut rest) = (0, formula);
    while let Some(first) = rest.chars().next() {
        let token = token(rest);
        width += symbols(token, first);
        rest = &rest[token.len()..];
    }
    width
}

/// A command, or a character.
fn token(rest: &str) -> &str {
    let mut ends = rest.char_indices().skip(1);
    let end = match rest.strip_prefix('\\') {
        Some(name) => {
            let letters = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
            let sign = name.chars().next().map_or(0, char::len_utf8);
            1 + if letters == 0 { sign } else { letters }
        }
        None => ends.next().map_or(rest.len(), |(at, _)| at),
    };
    &rest[..end]
}

/// How many symbols of a token are seen.
fn symbols(token: &str, first: char) -> usize {
    match token {
        r"\left" | r"\right" | r"\frac" | r"\dot" | r"\ddot" | r"\mathrm" | r"\text" | r"\quad" => {
            0
        }
        _ if first == '\\' => match &token[1..] {
            name if Function::of_command(name).is_some() => name.len(),
            name => usize::from(name.len() > 1),
        },
        _ => usize::from(!matches!(first, ' ' | '{' | '}' | '^' | '_')),
    }
}

/// Where a formula of so many symbols is broken.
fn chosen(breaks: &[Break], width: usize, indent: usize) -> Vec<Break> {
    let mut places: Vec<Break> = Vec::new();
    let (mut start, mut left) = (0, breaks);
    while width - start > WIDTH && !left.is_empty() {
        let fitting = left.partition_point(|b| b.width - start <= WIDTH).max(1);
        let fitting = &left[..fitting];
        let early = |b: &&Break| b.width - start > WIDTH / EARLY;
        let late: Vec<&Break> = fitting.iter().filter(early).collect();
        let least = late.iter().map(|b| b.rank).min();
        let place = late.into_iter().rfind(|b| Some(b.rank) == least).or(fitting.last());
        let Some(&place) = place else { break };
        places.push(place);
        left = &left[left.partition_point(|b| b.at <= place.at)..];
        start = place.width.saturating_sub(indent);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, latex, text, width};

    /// A sum of products with brackets, as long as it takes.
    fn sum(terms: usize, minus: &str, product: &str) -> String {
        vec![product; terms].join(minus)
    }

    #[test]
    fn text_is_broken_before_signs_outside_of_brackets() {
        let long = sum(12, " - ", "m*(x + y)*cos(θ)");
        let lines = text(&long, 4);
        assert!(lines.len() > 1 && lines.join(" ") == long);
        for line in &lines[1..] {
            assert!(line.starts_with("- m") && line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn a_bracket_that_is_too_long_is_broken_within() {
        let long = format!("m*({})", sum(12, " + ", "a_1*cos(θ)"));
        assert!(text(&long, 4).len() > 1);
        let long = format!(r"m \left({}\right)", sum(40, " + ", r"a_{1} \cos\theta"));
        let lines = latex(&long, 4);
        assert!(lines.len() > 1);
        for line in &lines {
            assert_eq!(line.matches(r"\left").count(), line.matches(r"\right").count(), "{line}");
            assert!(width(line) <= WIDTH + 4, "{line}");
        }
    }

    #[test]
    fn an_equation_is_broken_before_its_sign() {
        let (left, right) = (sum(6, " + ", "m*ẍ*cos(θ)"), sum(6, " + ", "λ*sin(θ)"));
        let lines = text(&format!("{left} = {right}"), 2).join("|");
        assert_eq!(lines, format!("{left}|= {right}"));
    }

    #[test]
    fn fractions_are_not_broken() {
        let long = format!(r"\frac{{{}}}{{d}}", sum(60, " + ", "x"));
        assert_eq!(latex(&long, 0), [long.as_str()]);
    }

    #[test]
    fn short_formulas_stand_as_they_are() {
        assert_eq!(text("x + y", 4), ["x + y"]);
        assert_eq!(latex("x + y", 4), ["x + y"]);
        assert_eq!(text("", 0), [""]);
    }
}
