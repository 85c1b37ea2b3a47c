//! Claims and errata: where they are made and what they state.

use super::block::{listed, separated, starts, tex};
use super::contact::under;
use super::expression::{equation, expression, right_side};
use super::hybrid::assignments;
use super::indexed::element;
use super::notation::claim_name;
use super::rows::relation;
use super::sentence::sentence;
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{
    Claim, Docs, Equation, Erratum, Ident, Motion, Place, Relation, Statement, System, TexClaim,
    TexText,
};
use crate::diagnostic::{Errors, Problem};
use eom_symbolic::mechanics::Along;
use proc_macro2::{Delimiter, TokenTree};

/// `"claim" named ( [ place ] ":" ( equation | motion | printed ) | "of" sentence ) ";"`
pub(super) fn claim(
    tokens: &mut Tokens<'_>,
    docs: Docs,
    system: &mut System,
    errors: &mut Errors,
) -> Parsed<()> {
    let name = claim_name(tokens, "a claim")?;
    if tokens.eat_word("of").is_some() {
        return sentence(tokens, docs, name, &mut system.sentences, errors);
    }
    let Head { name, within, place } = head(tokens, name, errors)?;
    let after = format!("claim `{}`", name.text);
    tokens.sign(":", &after)?;
    let start = tokens.here();
    if let Some((motion, branch, printed)) = printed(tokens)? {
        tokens.semicolon(&after, starts, errors)?;
        system.printed.push(TexClaim {
            docs,
            name,
            within,
            place,
            motion,
            branch,
            printed,
            corrected: None,
        });
        return Ok(());
    }
    let (statement, region) = if let Some(motion) = motion(tokens, errors)? {
        let region = start.to(tokens.behind());
        tokens.eat_sign(";");
        (Statement::Motion(motion), region)
    } else {
        let equation = stated(tokens, &after)?;
        let region = start.to(tokens.behind());
        tokens.semicolon(&after, starts, errors)?;
        (Statement::Equation(equation), region)
    };
    system.claims.push(Claim { docs, name, place, statement, region, tex: None });
    Ok(())
}

/// `"erratum" named [ place ] ":" equation ";" "corrected" ":" equation ";"`, both in LaTeX or neither
pub(super) fn erratum(
    tokens: &mut Tokens<'_>,
    docs: Docs,
    system: &mut System,
    errors: &mut Errors,
) -> Parsed<()> {
    let name = claim_name(tokens, "an erratum")?;
    let Head { name, within, place } = head(tokens, name, errors)?;
    tokens.sign(":", &format!("erratum `{}`", name.text))?;
    if let Some((motion, branch, printed)) = printed(tokens)? {
        correction(tokens, &name, errors)?;
        let corrected = tokens.eat_word("tex").and_then(|_| tex(tokens));
        let corrected = corrected
            .ok_or_else(|| tokens.expected("`tex` and the corrected form in quotation marks"))?;
        tokens.semicolon("the corrected form", starts, errors)?;
        let corrected = Some(corrected);
        system.printed.push(TexClaim {
            docs,
            name,
            within,
            place,
            motion,
            branch,
            printed,
            corrected,
        });
        return Ok(());
    }
    let printed = equation(tokens)?;
    correction(tokens, &name, errors)?;
    let corrected = equation(tokens)?;
    tokens.semicolon("the corrected form", starts, errors)?;
    system.errata.push(Erratum { docs, name, place, printed, corrected, tex: None });
    Ok(())
}

/// The equation that a claim states.
fn stated(tokens: &mut Tokens<'_>, of: &str) -> Parsed<Equation> {
    let lhs = expression(tokens)?;
    if tokens.is_sign(";") || tokens.at_end() {
        return Err(fault(lhs.region, &Problem::NoSides { of: of.to_owned() }));
    }
    let sign = tokens.here();
    if let Some(bound) = relation(&mut { *tokens }) {
        let strict = matches!(bound, Relation::Less | Relation::Greater);
        return Err(fault(sign, &Problem::ClaimedBound { strict }));
    }
    Ok(Equation { lhs, rhs: right_side(tokens)? })
}

/// What stands before the colon of a claim or an erratum.
struct Head {
    name: Ident,
    within: Option<Ident>,
    place: Place,
}

/// `[ "in" name ] [ place ]` behind the name
fn head(tokens: &mut Tokens<'_>, name: Ident, errors: &mut Errors) -> Parsed<Head> {
    let within = within(tokens)?;
    Ok(Head { name, within, place: place(tokens, errors)? })
}

/// `[ "in" name ]`
fn within(tokens: &mut Tokens<'_>) -> Parsed<Option<Ident>> {
    match tokens.eat_word("in") {
        Some(_) => tokens.name("a notation").map(Some),
        None => Ok(None),
    }
}

/// `";" "corrected" ":"`
fn correction(tokens: &mut Tokens<'_>, name: &Ident, errors: &mut Errors) -> Parsed<()> {
    tokens.semicolon("the printed form", starts_correction, errors)?;
    if tokens.eat_word("corrected").is_none() {
        if let Some(misspelt) = tokens.misspelt(&["corrected"]) {
            return Err(misspelt);
        }
        let problem = Problem::NoCorrection { name: name.text.clone() };
        return Err(fault(name.region, &problem));
    }
    tokens.sign(":", "`corrected`").map(|_| ())
}

/// What stands before a string of LaTeX, and the string.
type Print = (Option<Vec<Ident>>, Option<usize>, TexText);

/// `[ "motion" "(" [ name { "," name } ] ")" ] [ "cases" integer ] "tex" string`, if it is one
fn printed(tokens: &mut Tokens<'_>) -> Parsed<Option<Print>> {
    let mut next = *tokens;
    let mut constants = None;
    if next.is_word("motion") {
        next.skip();
        let Some((mut inside, _)) = next.eat_group(Delimiter::Parenthesis) else { return Ok(None) };
        let mut names = Vec::new();
        if !inside.at_end() {
            separated(&mut inside, &mut names, |tokens| tokens.name("a free constant"))?;
        }
        constants = Some(names);
    }
    let mut branch = None;
    let mut after = next;
    if after.eat_word("cases").is_some() && matches!(after.skip(), Some(TokenTree::Literal(_))) {
        let number = next.eat_word("cases").and_then(|_| next.skip());
        branch = number.and_then(|number| number.to_string().parse().ok());
    }
    let mut string = next;
    string.skip();
    if !next.is_word("tex") || tex(&mut string).is_none() {
        return Ok(None);
    }
    next.skip();
    *tokens = next;
    Ok(tex(tokens).map(|text| (constants, branch, text)))
}

fn starts_correction(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    starts(tokens) || (next.eat_word("corrected").is_some() && next.is_sign(":"))
}

/// `place = [ "closed" touching { "," touching } ] [ "at" contact [ "under" law ] ] [ "when" … ]`
fn place(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<Place> {
    let mut place = Place::default();
    if tokens.eat_word("closed").is_some() {
        place.closed.push(touching(tokens)?);
        while tokens.eat_sign(",").is_some() {
            place.closed.push(touching(tokens)?);
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
        place.when.push(condition(tokens)?);
        while tokens.eat_sign(",").is_some() {
            place.when.push(condition(tokens)?);
        }
    }
    let mut words = vec!["closed", "at", "under", "when"];
    words.extend([Along::Sticks, Along::Slides].map(Along::word));
    let mut next = *tokens;
    next.skip();
    // `claim c atan(θ) = 1` lacks its colon.
    let is_placed = next.word().is_some() || next.is_sign(":") || next.is_sign(",");
    if let Some(misspelt) = tokens.misspelt(&words).filter(|_| is_placed) {
        return Err(misspelt);
    }
    Ok(place)
}

/// An equation: a comparison is met at no point by itself.
fn condition(tokens: &mut Tokens<'_>) -> Parsed<Equation> {
    let lhs = expression(tokens)?;
    if ["<", "<=", ">", ">="].iter().any(|sign| tokens.is_sign(sign)) {
        return Err(fault(tokens.here(), &Problem::ConditionCompares));
    }
    Ok(Equation { lhs, rhs: right_side(tokens)? })
}

/// `touching = contact [ "sticks" | "slides" ]`
fn touching(tokens: &mut Tokens<'_>) -> Parsed<(Ident, Option<Along>)> {
    let contact = element(tokens, "the contact")?;
    let said = [Along::Sticks, Along::Slides];
    let along = said.into_iter().find(|along| tokens.eat_word(along.word()).is_some());
    Ok((contact, along))
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
