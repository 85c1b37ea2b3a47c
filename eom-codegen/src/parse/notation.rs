//! `notation { … }`: what the symbols of a document stand for.

use super::block::{docs, items, starts, string, tex};
use super::expression::{expression, range_from};
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Docs, Explained, Ident, Notation, NotationKey, Range, TexText};
use crate::diagnostic::{Errors, Problem};

/// `"notation" [ name ] "{" { { doc } ( [ "reading" ] ( name | string ) "=" meaning | "given" string ) ";" } "}"`
pub(super) fn notation(
    tokens: &mut Tokens<'_>,
    into: &mut Vec<Notation>,
    errors: &mut Errors,
) -> Parsed<()> {
    let within = match tokens.word() {
        Some(_) => Some(tokens.name("a notation")?),
        None => None,
    };
    let (mut inside, _) = tokens.braces("`notation`")?;
    items(&mut inside, errors, starts_entry, |tokens, errors| {
        let docs = docs(tokens, errors)?;
        into.push(entry(tokens, (docs, within.clone()), errors)?);
        Ok(())
    });
    Ok(())
}

fn starts_entry(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    let named = next.skip().is_some();
    tokens.is_sign("#")
        || tokens.is_word("reading")
        || tokens.is_word("given")
        || (named && next.is_sign("="))
        || starts(tokens)
}

fn entry(
    tokens: &mut Tokens<'_>,
    (docs, within): (Docs, Option<Ident>),
    errors: &mut Errors,
) -> Parsed<Notation> {
    if let Some(statement) = given(tokens) {
        let key = NotationKey::Tex(statement);
        tokens.semicolon("what is given", starts_entry, errors)?;
        return Ok(Notation { within, docs, reading: false, key, value: Explained::Given });
    }
    let mut next = *tokens;
    let reading = next.eat_word("reading").is_some() && !next.is_sign("=");
    if reading {
        *tokens = next;
    }
    let key = match tex(tokens) {
        Some(text) => NotationKey::Tex(text),
        None => NotationKey::Name(tokens.name("a symbol, or its LaTeX in quotation marks")?),
    };
    let after = format!("`{}`", key.text());
    tokens.sign("=", &after)?;
    let value = match ranges(tokens)? {
        Some(ranges) => Explained::Region(ranges),
        None => Explained::Value(expression(tokens)?),
    };
    tokens.semicolon(&after, starts_entry, errors)?;
    Ok(Notation { within, docs, reading, key, value })
}

/// `given r"t \in [t_1, t_2]"`, if that is what stands here.
fn given(tokens: &mut Tokens<'_>) -> Option<TexText> {
    let mut next = *tokens;
    next.eat_word("given")?;
    let statement = tex(&mut next)?;
    *tokens = next;
    Some(statement)
}

/// `α in -a..a, β in -b..b`, if that is what stands here.
fn ranges(tokens: &mut Tokens<'_>) -> Parsed<Option<Vec<(Ident, Range)>>> {
    let mut next = *tokens;
    next.skip();
    if tokens.word().is_none() || !next.is_word("in") {
        return Ok(None);
    }
    let mut found = Vec::new();
    loop {
        let name = tokens.name("a variable of the region")?;
        if tokens.eat_word("in").is_none() {
            return Err(tokens.expected("`in` after the variable"));
        }
        let first = expression(tokens)?;
        found.push((name, range_from(first, tokens)?));
        if tokens.eat_sign(",").is_none() {
            return Ok(Some(found));
        }
    }
}

/// The name of a claim: a name, or the number of the equation in quotation marks.
pub(super) fn claim_name(tokens: &mut Tokens<'_>, what: &str) -> Parsed<Ident> {
    let region = tokens.here();
    let Some(number) = string(tokens) else { return tokens.name(what) };
    match crate::equation::name_of_number(&number) {
        Some(text) => Ok(Ident { text, region }),
        None => Err(fault(region, &Problem::NotANumberOfEquation { text: number })),
    }
}
