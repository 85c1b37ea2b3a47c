//! Hybrid items: contacts with their laws, events with their resets, scenarios.

use super::expression::{assignment, expression};
use super::indexed::names;
use super::item::once;
use super::tokens::{Tokens, fault};
use super::{Parsed, docs, items};
use crate::ast::{
    Assignment, Contact, Direction, Docs, Event, Expr, ExprKind, Ident, Law, LawKind, Region,
    Scenario,
};
use crate::diagnostic::{Errors, Problem};
use proc_macro2::Delimiter;

const CONTACT_ITEMS: &[&str] = &["gap", "impact", "dissipation"];
const EVENT_ITEMS: &[&str] = &["guard", "rising", "falling", "both", "reset"];

/// Items of a contact in later versions, and what to write instead.
const LATER_CONTACT_ITEMS: &[(&str, &str)] = &[
    ("when", "arm the contact by its gap, or write an `event`"),
    ("releases", "state the rows that stay in force in `constraints`"),
    ("relabel", "write an `event` with a `reset`"),
    ("constraints", "state rows in the system's own `constraints`"),
];

/// Where a claim's law may say more than a contact's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LawOf {
    Contact,
    Claim,
}

fn starts_setting(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    if tokens.is_sign("#") {
        return true;
    }
    let Some(word) = tokens.word() else { return false };
    next.skip();
    let mut indexed = next;
    indexed.eat_group(Delimiter::Bracket);
    indexed.is_sign("=")
        || (matches!(word.as_str(), "solve" | "until") && next.word().is_some())
        || (matches!(word.as_str(), "rising" | "falling" | "both") && next.is_sign(";"))
        || (matches!(word.as_str(), "reset" | "constraints" | "relabel")
            && next.is_group(Delimiter::Brace))
}

/// The word of an item within a block, refused if the block has no such item.
fn item_word(
    tokens: &mut Tokens<'_>,
    block: &'static str,
    known: &'static [&'static str],
) -> Parsed<(String, Region)> {
    let Some(word) = tokens.word() else { return Err(tokens.expected("an item")) };
    let region = tokens.here();
    let later = LATER_CONTACT_ITEMS.iter().find(|(later, _)| *later == word);
    if let Some((_, instead)) = later.filter(|_| block == "a contact") {
        return Err(fault(region, &Problem::Later { word, instead }));
    }
    if !known.contains(&word.as_str()) {
        return Err(fault(region, &Problem::UnknownItem { word, block, known }));
    }
    tokens.skip();
    Ok((word, region))
}

fn value(tokens: &mut Tokens<'_>, word: &str, errors: &mut Errors) -> Parsed<Expr> {
    tokens.sign("=", &format!("`{word}`"))?;
    let value = expression(tokens)?;
    tokens.semicolon(&format!("`{word}`"), starts_setting, errors)?;
    Ok(value)
}

/// `"contact" name "{" "gap" "=" expression ";" "impact" "=" law ";" [ "dissipation" … ] "}"`
pub(super) fn contact(
    tokens: &mut Tokens<'_>,
    contact_docs: Docs,
    into: &mut Vec<Contact>,
    errors: &mut Errors,
) -> Parsed<()> {
    const ONE: &str = "a contact has one gap, one law and one dissipation";
    let name = tokens.name("a contact")?;
    let (mut inside, _) = tokens.braces(&format!("contact `{}`", name.text))?;
    let (mut gap, mut law) = (None::<(Expr, Region)>, None::<Law>);
    let mut dissipation = None::<(Expr, Region)>;
    let before = errors.len();
    items(&mut inside, errors, starts_setting, |tokens, errors| {
        docs(tokens, errors)?;
        let (word, region) = item_word(tokens, "a contact", CONTACT_ITEMS)?;
        if word == "gap" {
            let read = (value(tokens, &word, errors)?, region);
            once(&mut gap, read, |read| read.1, ("gap", ONE), errors);
            return Ok(());
        }
        if word == "dissipation" {
            let read = (value(tokens, &word, errors)?, region);
            once(&mut dissipation, read, |read| read.1, ("dissipation", ONE), errors);
            return Ok(());
        }
        tokens.sign("=", "`impact`")?;
        let read = self::law(tokens, LawOf::Contact)?;
        tokens.semicolon("the law", starts_setting, errors)?;
        once(&mut law, read, |law| law.region, ("impact", ONE), errors);
        Ok(())
    });
    let block = format!("contact `{}`", name.text);
    let whole = errors.len() == before;
    let gap = needed(gap, &name, (&block, "gap", "gap = …;"), whole, errors);
    let law = needed(law, &name, (&block, "law of impact", "impact = elastic;"), whole, errors);
    if let (Some((gap, _)), Some(law)) = (gap, law) {
        let dissipation = dissipation.map(|read| read.0);
        into.push(Contact { docs: contact_docs, name, gap, law, dissipation });
    }
    Ok(())
}

/// A part that a block must have; what a mistake has already swallowed is not missed again.
fn needed<T>(
    part: Option<T>,
    name: &Ident,
    (block, what, form): (&str, &'static str, &'static str),
    whole: bool,
    errors: &mut Errors,
) -> Option<T> {
    if part.is_none() && whole {
        let problem = Problem::Lacks { block: block.to_owned(), part: what, form };
        errors.report(name.region, &problem);
    }
    part
}

/// `law = "elastic" | "plastic" | "restitution" "(" expression ")" | "project"`
pub(super) fn law(tokens: &mut Tokens<'_>, of: LawOf) -> Parsed<Law> {
    let start = tokens.here();
    let Some(word) = tokens.word() else { return Err(tokens.expected("a law of impact")) };
    let mut next = *tokens;
    next.skip();
    let kind = match word.as_str() {
        "elastic" => LawKind::Elastic,
        "plastic" => LawKind::Plastic,
        "project" => LawKind::Project,
        "restitution" => LawKind::Restitution(restitution(&mut next)?),
        "reflect" if of == LawOf::Claim => LawKind::Reflect,
        "corner" if of == LawOf::Claim => LawKind::Corner,
        "reflect" => return Err(fault(start, &Problem::LawOfClaims { law: "reflect" })),
        "corner" => return Err(fault(start, &Problem::LawOfClaims { law: "corner" })),
        _ => return Err(fault(start, &Problem::UnknownLaw { word })),
    };
    if next.is_group(Delimiter::Parenthesis) {
        let law = match kind {
            LawKind::Elastic => "elastic",
            LawKind::Plastic => "plastic",
            LawKind::Project => "project",
            LawKind::Reflect => "reflect",
            LawKind::Corner => "corner",
            LawKind::Restitution(_) => "restitution",
        };
        return Err(fault(next.here(), &Problem::LawArguments { law }));
    }
    *tokens = next;
    Ok(Law { kind, region: start.to(tokens.behind()) })
}

fn restitution(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let one = Problem::LawArguments { law: "restitution" };
    let Some((mut inside, region)) = tokens.eat_group(Delimiter::Parenthesis) else {
        return Err(fault(tokens.behind(), &one));
    };
    if inside.at_end() {
        return Err(fault(region, &one));
    }
    let coefficient = expression(&mut inside)?;
    if inside.is_sign(",") {
        return Err(fault(region, &one));
    }
    if !inside.at_end() {
        return Err(inside.unexpected("`)`"));
    }
    Ok(coefficient)
}

/// `"event" name "{" "guard" "=" expression ";" [ direction ";" ] [ reset ] "}"`
pub(super) fn event(
    tokens: &mut Tokens<'_>,
    event_docs: Docs,
    into: &mut Vec<Event>,
    errors: &mut Errors,
) -> Parsed<()> {
    let name = tokens.name("an event")?;
    let (mut inside, _) = tokens.braces(&format!("event `{}`", name.text))?;
    let (mut guard, mut direction) = (None::<(Expr, Region)>, None::<(Direction, Region)>);
    let mut reset = Vec::new();
    let before = errors.len();
    items(&mut inside, errors, starts_setting, |tokens, errors| {
        docs(tokens, errors)?;
        let (word, region) = item_word(tokens, "an event", EVENT_ITEMS)?;
        match word.as_str() {
            "guard" => {
                let read = (value(tokens, &word, errors)?, region);
                once(&mut guard, read, |read| read.1, ("guard", "an event has one guard"), errors);
            }
            "reset" => {
                let (mut body, _) = tokens.braces("`reset`")?;
                assignments(&mut body, "what is reset", &mut reset, errors);
                tokens.eat_sign(";");
            }
            _ => {
                tokens.semicolon(&format!("`{word}`"), starts_setting, errors)?;
                let read = (direction_of(&word), region);
                let words = (word.as_str(), "an event has one direction");
                once(&mut direction, read, |read| read.1, words, errors);
            }
        }
        Ok(())
    });
    let block = format!("event `{}`", name.text);
    let whole = errors.len() == before;
    if let Some((guard, _)) = needed(guard, &name, (&block, "guard", "guard = …;"), whole, errors)
    {
        let direction = direction.map(|read| read.0).unwrap_or_default();
        into.push(Event { docs: event_docs, name, guard, direction, reset });
    }
    Ok(())
}

fn direction_of(word: &str) -> Direction {
    match word {
        "rising" => Direction::Rising,
        "both" => Direction::Both,
        _ => Direction::Falling,
    }
}

/// `{ assignment ";" }`
pub(super) fn assignments(
    tokens: &mut Tokens<'_>,
    what: &str,
    into: &mut Vec<Assignment>,
    errors: &mut Errors,
) {
    items(tokens, errors, starts_setting, |tokens, errors| {
        let (read, called) = assignment(tokens, what)?;
        tokens.semicolon(&called, starts_setting, errors)?;
        into.extend(read);
        Ok(())
    });
}

/// `"scenario" name "{" { setting ";" } "}"`
pub(super) fn scenario(
    tokens: &mut Tokens<'_>,
    scenario_docs: Docs,
    into: &mut Vec<Scenario>,
    errors: &mut Errors,
) -> Parsed<()> {
    let name = tokens.name("a scenario")?;
    let (mut inside, _) = tokens.braces(&format!("scenario `{}`", name.text))?;
    let mut scenario = Scenario {
        docs: scenario_docs,
        name,
        initial: Vec::new(),
        solve: Vec::new(),
        until_impacts: None,
        until_time: None,
    };
    let mut ends = (None, None);
    items(&mut inside, errors, starts_setting, |tokens, errors| {
        docs(tokens, errors)?;
        setting(tokens, &mut scenario, &mut ends, errors)
    });
    scenario.until_impacts = ends.0.map(|end: (u64, Region)| end.0);
    scenario.until_time = ends.1.map(|end: (Expr, Region)| end.0);
    into.push(scenario);
    Ok(())
}

/// The ends of a scenario with their places, until it is known that each is stated once.
type Ends = (Option<(u64, Region)>, Option<(Expr, Region)>);

/// `setting = assignment | "solve" indexed { "," indexed } | "until" end`
fn setting(
    tokens: &mut Tokens<'_>,
    scenario: &mut Scenario,
    ends: &mut Ends,
    errors: &mut Errors,
) -> Parsed<()> {
    let mut next = *tokens;
    next.skip();
    if !next.is_sign("=") && tokens.eat_word("solve").is_some() {
        loop {
            let unknowns = names(tokens, "a velocity or a coordinate")?;
            scenario.solve.extend(unknowns.each().into_iter().map(|(name, _)| name));
            if tokens.eat_sign(",").is_none() {
                break;
            }
        }
        return tokens.semicolon("`solve`", starts_setting, errors);
    }
    if !next.is_sign("=") && tokens.eat_word("until").is_some() {
        return until(tokens, ends, errors);
    }
    let (read, called) = assignment(tokens, "a coordinate, a velocity or a parameter")?;
    tokens.semicolon(&called, starts_setting, errors)?;
    scenario.initial.extend(read);
    Ok(())
}

/// `"until" ( "impacts" "=" integer | "t" "=" expression )`
fn until(tokens: &mut Tokens<'_>, ends: &mut Ends, errors: &mut Errors) -> Parsed<()> {
    const ONE: &str = "a scenario ends once by impacts and once by time";
    let end = tokens.name("an end: `impacts` or `t`")?;
    if end.text != "impacts" && end.text != "t" {
        return Err(fault(end.region, &Problem::UnknownEnd { word: end.text }));
    }
    tokens.sign("=", &format!("`until {}`", end.text))?;
    let value = expression(tokens)?;
    if end.text == "t" {
        once(&mut ends.1, (value, end.region), |end| end.1, ("until t", ONE), errors);
    } else {
        let count = count(&value)?;
        once(&mut ends.0, (count, end.region), |end| end.1, ("until impacts", ONE), errors);
    }
    tokens.semicolon("`until`", starts_setting, errors)
}

fn count(value: &Expr) -> Parsed<u64> {
    let count = match &value.kind {
        ExprKind::Number(number) if number.exponent == 0 => number.digits.parse().ok(),
        _ => None,
    };
    count.ok_or_else(|| fault(value.region, &Problem::NotACount))
}
