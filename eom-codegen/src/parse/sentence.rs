//! Sentences: what a claim says of a whole motion.

use super::block::{separated, starts};
use super::expression::{expression, right_side};
use super::indexed::assignment;
use super::rows::relation;
use super::tokens::{Parsed, Tokens};
use crate::ast::{Assignment, Docs, Ident, Sentence};
use crate::diagnostic::Errors;

/// `sentence = name [ "with" assignment { "," assignment } ] ":" expression ( "=" | … ) expression [ "within" expression ] ";"`,
/// behind `"claim" named "of"`
pub(super) fn sentence(
    tokens: &mut Tokens<'_>,
    docs: Docs,
    name: Ident,
    into: &mut Vec<Sentence>,
    errors: &mut Errors,
) -> Parsed<()> {
    let scenario = tokens.name("a scenario")?;
    let settings = if tokens.eat_word("with").is_some() { settings(tokens)? } else { Vec::new() };
    if let Some(misspelt) = tokens.misspelt(&["with"]) {
        return Err(misspelt);
    }
    let after = format!("claim `{}`", name.text);
    tokens.sign(":", &after)?;
    let quantity = expression(tokens)?;
    let relation = relation(tokens);
    let value = if relation.is_some() { expression(tokens)? } else { right_side(tokens)? };
    let within = match tokens.eat_word("within") {
        Some(_) => Some(expression(tokens)?),
        None => None,
    };
    let sentence = Sentence { docs, name, scenario, settings, quantity, relation, value, within };
    into.push(sentence);
    tokens.semicolon(&after, starts, errors)
}

fn settings(tokens: &mut Tokens<'_>) -> Parsed<Vec<Assignment>> {
    let mut all = Vec::new();
    separated(tokens, &mut all, |tokens| {
        Ok(assignment(tokens, "a parameter, an input or an entry of the state")?.0)
    })?;
    Ok(all.concat())
}
