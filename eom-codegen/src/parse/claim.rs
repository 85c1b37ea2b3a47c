//! Claims and errata: where they are made and what they state.

use super::block::{listed, starts};
use super::contact::under;
use super::expression::equation;
use super::hybrid::assignments;
use super::indexed::element;
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{Claim, Docs, Erratum, Motion, Place, Statement};
use crate::diagnostic::{Errors, Problem};
use proc_macro2::Delimiter;

/// `"claim" name [ place ] ":" ( equation | motion ) ";"`
pub(super) fn claim(tokens: &mut Tokens<'_>, docs: Docs, errors: &mut Errors) -> Parsed<Claim> {
    let name = tokens.name("a claim")?;
    let place = place(tokens, errors)?;
    tokens.sign(":", &format!("claim `{}`", name.text))?;
    let start = tokens.here();
    let after = format!("claim `{}`", name.text);
    let (statement, region) = if let Some(motion) = motion(tokens, errors)? {
        let region = start.to(tokens.behind());
        tokens.eat_sign(";");
        (Statement::Motion(motion), region)
    } else {
        let equation = equation(tokens)?;
        let region = start.to(tokens.behind());
        tokens.semicolon(&after, starts, errors)?;
        (Statement::Equation(equation), region)
    };
    Ok(Claim { docs, name, place, statement, region })
}

/// `"erratum" name [ place ] ":" equation ";" "corrected" ":" equation ";"`
pub(super) fn erratum(tokens: &mut Tokens<'_>, docs: Docs, errors: &mut Errors) -> Parsed<Erratum> {
    let name = tokens.name("an erratum")?;
    let place = place(tokens, errors)?;
    tokens.sign(":", &format!("erratum `{}`", name.text))?;
    let printed = equation(tokens)?;
    tokens.semicolon("the printed form", starts_correction, errors)?;
    if tokens.eat_word("corrected").is_none() {
        if let Some(misspelt) = tokens.misspelt(&["corrected"]) {
            return Err(misspelt);
        }
        return Err(fault(name.region, &Problem::NoCorrection { name: name.text }));
    }
    tokens.sign(":", "`corrected`")?;
    let corrected = equation(tokens)?;
    tokens.semicolon("the corrected form", starts, errors)?;
    Ok(Erratum { docs, name, place, printed, corrected })
}

fn starts_correction(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    starts(tokens) || (next.eat_word("corrected").is_some() && next.is_sign(":"))
}

/// `place = [ "closed" contact { "," contact } ] [ "at" contact [ "under" law ] ] [ "when" … ]`
fn place(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<Place> {
    let mut place = Place::default();
    if tokens.eat_word("closed").is_some() {
        place.closed.push(element(tokens, "the contact")?);
        while tokens.eat_sign(",").is_some() {
            place.closed.push(element(tokens, "the contact")?);
        }
    }
    if tokens.eat_word("at").is_some() {
        place.at = Some(element(tokens, "the contact")?);
    }
    if let Some(word) = tokens.eat_word("under") {
        if place.at.is_none() {
            return Err(fault(word, &Problem::UnderWithoutAt));
        }
        place.under = Some(under(tokens, errors)?);
    }
    if tokens.eat_word("when").is_some() {
        place.when.push(equation(tokens)?);
        while tokens.eat_sign(",").is_some() {
            place.when.push(equation(tokens)?);
        }
    }
    if let Some(misspelt) = tokens.misspelt(&["closed", "at", "under", "when"]) {
        return Err(misspelt);
    }
    Ok(place)
}

/// `motion = "motion" "(" [ name { "," name } ] ")" "{" { assignment ";" } "}"`, if it is one
fn motion(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<Option<Motion>> {
    let mut next = *tokens;
    if next.eat_word("motion").is_none() {
        return Ok(None);
    }
    let Some((mut arguments, _)) = next.eat_group(Delimiter::Parenthesis) else { return Ok(None) };
    *tokens = next;
    let (mut constants, mut components) = (Vec::new(), Vec::new());
    listed(&mut arguments, "constants", errors, |tokens, _| {
        constants.push(tokens.name("a free constant")?);
        Ok(())
    });
    let (mut body, _) = tokens.braces("`motion(…)`")?;
    assignments(&mut body, "a coordinate", &mut components, errors);
    Ok(Some(Motion { constants, components }))
}
