//! Blocks: items one after another, entries between commas, doc comments, slots that are filled once.

use super::tokens::{Fault, Parsed, Tokens, fault};
use super::unexpected::{BOUNDS, is_unit, unit_or_factor};
use crate::ast::{Docs, Region, TexText};
use crate::diagnostic::{Diagnostic, Errors, Problem};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether an item visibly begins here: its word, and what follows it.
pub(super) fn starts(tokens: &Tokens<'_>) -> bool {
    if tokens.is_sign("#") {
        return true;
    }
    let Some(word) = tokens.word() else { return false };
    let mut next = *tokens;
    next.skip();
    match word.as_str() {
        "coordinates" | "velocities" | "inputs" | "parameters" | "constraints" | "holonomic"
        | "draw" => next.is_group(Delimiter::Brace),
        "notation" => next.is_group(Delimiter::Brace) || next.word().is_some(),
        "kinetic" | "potential" | "lagrangian" | "dissipation" => next.is_sign("="),
        "function" | "let" | "rotation" | "force" | "contact" | "row" | "event" | "scenario"
        | "output" | "allow" | "free" => next.word().is_some(),
        "claim" | "erratum" => next.word().is_some() || is_literal(&next),
        "impacts" => next.is_group(Delimiter::Brace) || next.is_sign("="),
        "document" => is_literal(&next),
        _ => false,
    }
}

fn is_literal(tokens: &Tokens<'_>) -> bool {
    matches!(tokens.cursor().token_tree(), Some((TokenTree::Literal(_), _)))
}

/// Reads items to the end of a block; after a mistake it goes on with the next one.
pub(super) fn items<'a>(
    tokens: &mut Tokens<'a>,
    errors: &mut Errors,
    starts: fn(&Tokens<'_>) -> bool,
    mut item: impl FnMut(&mut Tokens<'a>, &mut Errors) -> Parsed<()>,
) {
    while !comments(tokens, errors) {
        let start = tokens.cursor();
        let depth = tokens.depth;
        if let Err(fault) = item(tokens, errors) {
            errors.push(*fault.0);
            tokens.recover(start, starts);
        }
        tokens.depth = depth;
    }
}

/// Passes what is meant as comments of other languages, `# …` and `% …` to the end of the line; whether that
/// was all there is.
pub(super) fn comments(tokens: &mut Tokens<'_>, errors: &mut Errors) -> bool {
    while let Some(sign) = tokens.comment() {
        errors.report(tokens.here(), &Problem::Comment { sign });
        tokens.skip_line();
    }
    tokens.at_end()
}

/// Fills a slot; a second value is a mistake that points to both. `words` name the item and say
/// what to do with two.
pub(super) fn once<T>(
    slot: &mut Option<T>,
    value: T,
    region: impl Fn(&T) -> Region,
    (word, instead): (&str, &'static str),
    errors: &mut Errors,
) {
    match slot {
        None => *slot = Some(value),
        Some(first) => {
            let problem = Problem::Twice { what: format!("`{word}`"), instead };
            let diagnostic = Diagnostic::new(region(&value), &problem);
            errors.push(diagnostic.with_note(region(first), "first stated here"));
        }
    }
}

/// Entries between commas, at least one.
pub(super) fn separated<'a, T>(
    tokens: &mut Tokens<'a>,
    into: &mut Vec<T>,
    entry: impl Fn(&mut Tokens<'a>) -> Parsed<T>,
) -> Parsed<()> {
    into.push(entry(tokens)?);
    while tokens.eat_sign(",").is_some() {
        into.push(entry(tokens)?);
    }
    Ok(())
}

/// Entries separated by commas; after a mistake it goes on behind the next comma.
pub(super) fn listed<'a>(
    tokens: &mut Tokens<'a>,
    entries: &'static str,
    errors: &mut Errors,
    mut entry: impl FnMut(&mut Tokens<'a>, &mut Errors) -> Parsed<()>,
) {
    while !comments(tokens, errors) {
        let depth = tokens.depth;
        let read = entry(tokens, errors).and_then(|()| comma(tokens, entries, errors));
        tokens.depth = depth;
        if let Err(fault) = read {
            errors.push(*fault.0);
            while !tokens.at_end() && tokens.eat_sign(",").is_none() {
                tokens.skip();
            }
        }
    }
}

fn comma(tokens: &mut Tokens<'_>, entries: &'static str, errors: &mut Errors) -> Parsed<()> {
    if tokens.at_end() || tokens.eat_sign(",").is_some() {
        return Ok(());
    }
    if let Some(semicolon) = tokens.eat_sign(";") {
        errors.report(semicolon, &Problem::SemicolonInList { entries });
        return Ok(());
    }
    let is_comment = tokens.comment().is_some() && !tokens.is_remainder();
    if is_comment && (comments(tokens, errors) || tokens.eat_sign(",").is_some()) {
        return Ok(());
    }
    if let Some(misspelt) = tokens.misspelt(&["where"]).filter(|_| entries == "parameters") {
        return Err(misspelt);
    }
    if let Some(fault) = beside_list(tokens, entries) {
        return Err(fault);
    }
    let comma = format!("`,` between {entries}");
    Err(if tokens.word().is_some() { tokens.expected(comma) } else { tokens.unexpected(&comma) })
}

/// What others write in such a list.
fn beside_list(tokens: &Tokens<'_>, entries: &'static str) -> Option<Fault> {
    let parameters = entries == "parameters";
    let expected = |what: &str| Problem::Expected { what: what.to_owned(), found: tokens.found() };
    let problem = if let Some(unit) = unit(tokens) {
        return Some(unit);
    } else if parameters && tokens.is_word("and") {
        expected("`&&` between bounds")
    } else if parameters && tokens.is_word("in") {
        Problem::Interval { instead: BOUNDS.to_owned() }
    } else if parameters && tokens.is_sign(":") {
        let mut next = *tokens;
        next.skip();
        if let Some(unit) = unit(&next) {
            return Some(unit);
        }
        expected("`=` before a value")
    } else if !parameters && (tokens.is_sign("=") || tokens.is_sign(":")) {
        Problem::ValueInList { entries }
    } else if tokens.is_sign("..") {
        Problem::RangeOfNames
    } else if let Some(word) = unit_or_factor(tokens).filter(|_| parameters) {
        Problem::Unit { unit: word }
    } else if !parameters && tokens.is_group(Delimiter::Parenthesis) {
        Problem::OfTime { entries }
    } else {
        return None;
    };
    Some(fault(tokens.here(), &problem))
}

/// A unit that stands here.
fn unit(tokens: &Tokens<'_>) -> Option<Fault> {
    let unit = tokens.word().filter(|word| is_unit(word))?;
    Some(fault(tokens.here(), &Problem::Unit { unit }))
}

/// Doc comments; anything else is a mistake, but no reason to stop.
pub(super) fn docs(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<Docs> {
    let start = *tokens;
    let (docs, others) = attributes(tokens, errors)?;
    if !others.is_empty() {
        errors.report(start.here().to(tokens.behind()), &Problem::Attribute);
    }
    Ok(docs)
}

/// `{ "#" "[" … "]" }`, doc comments apart.
pub(super) fn attributes(
    tokens: &mut Tokens<'_>,
    errors: &mut Errors,
) -> Parsed<(Docs, TokenStream)> {
    let mut docs = Docs::new();
    let mut others = TokenStream::new();
    let behind = tokens.is_doc_behind().then(|| fault(tokens.here(), &Problem::DocBehind));
    while tokens.is_sign("#") {
        let start = *tokens;
        tokens.skip();
        if let Some(mark) = tokens.eat_sign("!") {
            errors.report(start.here().to(mark), &Problem::InnerAttribute);
        }
        let Some((inside, _)) = tokens.eat_group(Delimiter::Bracket) else {
            return Err(tokens.expected("`[` after `#`"));
        };
        match doc_text(inside) {
            Some(text) => docs.extend(text.split('\n').map(unindented)),
            None => others.extend(start.stream_until(tokens.cursor())),
        }
    }
    // What a macro passes on has them all behind something on their line.
    behind.filter(|_| tokens.at_end()).map_or(Ok((docs, others)), Err)
}

/// The text of `doc = "…"`, also where a macro passed it on as one.
fn doc_text(mut inside: Tokens<'_>) -> Option<String> {
    if let Some((passed, _)) = inside.eat_group(Delimiter::None) {
        inside = passed;
    }
    inside.eat_word("doc")?;
    inside.eat_sign("=")?;
    inside
        .eat_group(Delimiter::None)
        .map_or_else(|| string(&mut inside), |(mut group, _)| string(&mut group))
}

/// A string literal of LaTeX.
pub(super) fn tex(tokens: &mut Tokens<'_>) -> Option<TexText> {
    let (TokenTree::Literal(literal), _) = tokens.cursor().token_tree()? else { return None };
    let text = string(tokens)?;
    Some(TexText { text, literal })
}

/// The value of a string literal.
pub(super) fn string(tokens: &mut Tokens<'_>) -> Option<String> {
    let (TokenTree::Literal(literal), _) = tokens.cursor().token_tree()? else { return None };
    let syn::Lit::Str(text) = syn::Lit::new(literal) else { return None };
    tokens.skip();
    Some(text.value())
}

fn unindented(line: &str) -> String {
    line.strip_prefix(' ').unwrap_or(line).to_owned()
}
