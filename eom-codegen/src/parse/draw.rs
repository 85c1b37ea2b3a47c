//! `draw { … }`: shapes, their arguments and options. What a shape takes stands in [`PRIMITIVES`].

use super::block::{docs, items, string};
use super::expression::{expression, right_side};
use super::indexed::names;
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Drawn, DrawnOption, Equation, Expr, ExprKind, OptionValue};
use crate::diagnostic::{Errors, Problem};
use eom_symbolic::mechanics::drawing::{COLORS, OPTIONS, PRIMITIVES, Primitive, Takes};
use proc_macro2::{Delimiter, TokenTree};

/// The words of the primitives.
const NAMES: [&str; PRIMITIVES.len()] = {
    let mut names = [""; PRIMITIVES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = PRIMITIVES[at].name;
        at += 1;
    }
    names
};

/// What prose puts before a point.
const PROSE: [&str; 6] = ["at", "from", "to", "between", "through", "with"];

fn starts_shape(tokens: &Tokens<'_>) -> bool {
    tokens.on_new_line() && tokens.word().is_some_and(|word| NAMES.contains(&word.as_str()))
}

/// `"draw" "{" { shape ";" } "}"`
pub(super) fn draw(
    tokens: &mut Tokens<'_>,
    into: &mut Vec<Drawn>,
    errors: &mut Errors,
) -> Parsed<()> {
    let (mut inside, _) = tokens.braces("`draw`")?;
    items(&mut inside, errors, starts_shape, |tokens, errors| {
        docs(tokens, errors)?;
        shape(tokens, into, errors)
    });
    Ok(())
}

/// `shape = primitive [ "[" name "in" range "]" ] argument { [ "," ] argument } { "," option }`; one with an
/// index is as many as that has values.
fn shape(tokens: &mut Tokens<'_>, into: &mut Vec<Drawn>, errors: &mut Errors) -> Parsed<()> {
    let Some(word) = tokens.word() else { return Err(tokens.expected("a shape")) };
    let region = tokens.here();
    let Some(primitive) = Primitive::of(&word) else {
        let problem = Problem::UnknownItem { word, block: "`draw`", known: &NAMES };
        return Err(fault(region, &problem));
    };
    let index = if is_index(tokens) { Some(names(tokens, "a shape")?) } else { None };
    if index.is_none() {
        tokens.skip();
    }
    let mut drawn =
        Drawn { primitive, word: region, arguments: Vec::new(), curve: None, options: Vec::new() };
    arguments(tokens, &mut drawn, errors)?;
    tokens.semicolon(&format!("`{word}`"), starts_shape, errors)?;
    let Some(index) = index else {
        into.push(drawn);
        return Ok(());
    };
    let written: Vec<&Expr> = drawn.expressions().collect();
    let each = index.each(tokens, &written)?.into_iter();
    into.extend(each.map(|(_, at)| drawn.map(&|expr| at.of(expr))));
    Ok(())
}

/// Whether a bracket `[i in …]` follows the word: a point has no `in`.
fn is_index(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    next.skip();
    next.eat_group(Delimiter::Bracket).is_some_and(|(mut inside, _)| {
        inside.word().is_some() && inside.skip().is_some() && inside.is_word("in")
    })
}

fn arguments(tokens: &mut Tokens<'_>, drawn: &mut Drawn, errors: &mut Errors) -> Parsed<()> {
    loop {
        no_prose(tokens, drawn.primitive)?;
        if is_option(tokens) || is_meant_as_option(tokens) {
            option(tokens, drawn, errors)?;
        } else if takes_curve(drawn.primitive) && drawn.curve.is_none() {
            let lhs = expression(tokens)?;
            let rhs = right_side(tokens)?;
            drawn.curve = Some(Equation { lhs, rhs });
        } else {
            drawn.arguments.push(expression(tokens)?);
        }
        // Between a point and what follows it no comma is needed: `disk [x, y] R`.
        let is_point = drawn.options.is_empty()
            && drawn.arguments.last().is_some_and(|last| matches!(last.kind, ExprKind::Array(_)));
        let ended = tokens.at_end() || tokens.is_sign(";") || starts_shape(tokens);
        if ended || (tokens.eat_sign(",").is_none() && !is_point) {
            return Ok(());
        }
    }
}

/// A word of prose before a point is named; as an array it would be read.
fn no_prose(tokens: &Tokens<'_>, primitive: &Primitive) -> Parsed<()> {
    let mut next = *tokens;
    next.skip();
    let word = tokens.word().filter(|word| PROSE.contains(&word.as_str()));
    match word.filter(|_| next.eat_group(Delimiter::Bracket).is_some()) {
        Some(word) => {
            let form = primitive.form(primitive.in_space);
            Err(fault(tokens.here(), &Problem::ShapeWord { word, form }))
        }
        None => Ok(()),
    }
}

fn takes_curve(primitive: &Primitive) -> bool {
    primitive.arguments.iter().any(|argument| argument.takes == Takes::Curve)
}

/// Whether the word of an option comes next, with something behind it that is no operator.
fn is_option(tokens: &Tokens<'_>) -> bool {
    let Some(word) = tokens.word() else { return false };
    let mut next = *tokens;
    next.skip();
    let follows = match next.cursor().token_tree() {
        Some((TokenTree::Punct(sign), _)) => sign.as_char() == '-',
        Some(_) => true,
        None => false,
    };
    follows && OPTIONS.iter().any(|(known, _)| *known == word)
}

/// Whether a word and then another one, a number or a text come next, as no expression has it.
fn is_meant_as_option(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    next.skip();
    let is_literal = matches!(next.cursor().token_tree(), Some((TokenTree::Literal(_), _)));
    let follows = next.word().is_some() && !starts_shape(&next) || is_literal;
    tokens.word().is_some() && follows
}

/// `option = "color" colour | "label" string | "spoke" angle | "rotation" matrix | "scale" number`
fn option(tokens: &mut Tokens<'_>, drawn: &mut Drawn, errors: &mut Errors) -> Parsed<()> {
    let word = tokens.name("an option")?;
    let primitive = drawn.primitive;
    let is_common = ["color", "label"].contains(&word.text.as_str());
    if !is_common && !primitive.options.contains(&word.text.as_str()) {
        let takes = primitive.options.iter().chain(&["color", "label"]).copied().collect();
        let problem = Problem::ShapeOption { option: word.text, shape: primitive.name, takes };
        return Err(fault(word.region, &problem));
    }
    let value = match word.text.as_str() {
        "label" => {
            let label = string(tokens).ok_or_else(|| tokens.expected("a label in quotation marks"));
            OptionValue::Text(label?)
        }
        "color" => OptionValue::Text(color(tokens)?),
        _ => OptionValue::Expr(expression(tokens)?),
    };
    if let Some(first) = drawn.options.iter().find(|option| option.word.text == word.text) {
        let what = format!("`{}`", first.word.text);
        errors.report(word.region, &Problem::Twice { what, instead: "remove one of them" });
    }
    drawn.options.push(DrawnOption { word, value });
    Ok(())
}

/// `colour = word | "\"#rrggbb\""`
fn color(tokens: &mut Tokens<'_>) -> Parsed<String> {
    let here = tokens.here();
    let written = match tokens.word() {
        Some(word) => {
            tokens.skip();
            word
        }
        None => string(tokens).ok_or_else(|| tokens.expected("a colour"))?,
    };
    let is_number = written
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()));
    if is_number || COLORS.contains(&written.as_str()) {
        return Ok(written);
    }
    Err(fault(here, &Problem::UnknownColor { written }))
}
