//! Hybrid items: events with their resets, scenarios, and what they share with contacts.

use super::block::{docs, items, once};
use super::expression::expression;
use super::indexed::{assignment, blocks, element, names};
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{
    Assignment, Direction, Docs, Event, Expr, ExprKind, Family, Ident, Indexed, Region, Scenario,
};
use crate::diagnostic::{Errors, Problem};
use proc_macro2::Delimiter;

const EVENT_ITEMS: &[&str] = &["guard", "rising", "falling", "both", "reset"];

pub(super) fn starts_setting(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    if tokens.is_sign("#") {
        return true;
    }
    let Some(word) = tokens.word() else { return false };
    next.skip();
    let mut indexed = next;
    indexed.eat_group(Delimiter::Bracket);
    indexed.is_sign("=")
        || (matches!(word.as_str(), "solve" | "until" | "when" | "releases")
            && next.word().is_some())
        || (matches!(word.as_str(), "rising" | "falling" | "both") && next.is_sign(";"))
        || (matches!(word.as_str(), "reset" | "constraints" | "relabel")
            && next.is_group(Delimiter::Brace))
}

/// The word of an item within a block, refused if the block has no such item.
pub(super) fn item_word(
    tokens: &mut Tokens<'_>,
    block: &'static str,
    known: &'static [&'static str],
) -> Parsed<(String, Region)> {
    let Some(word) = tokens.word() else { return Err(tokens.expected("an item")) };
    let region = tokens.here();
    if !known.contains(&word.as_str()) {
        return Err(fault(region, &Problem::UnknownItem { word, block, known }));
    }
    tokens.skip();
    Ok((word, region))
}

pub(super) fn value(tokens: &mut Tokens<'_>, word: &str, errors: &mut Errors) -> Parsed<Expr> {
    tokens.sign("=", &format!("`{word}`"))?;
    let value = expression(tokens)?;
    if matches!(word, "guard" | "gap") {
        one_side(tokens, word, &value)?;
    }
    tokens.semicolon(&format!("`{word}`"), starts_setting, errors)?;
    Ok(value)
}

/// Signs of comparisons, and which way a guard passes 0 that is meant by them.
const SIGNS: &[(&str, &str)] = &[
    ("==", ""),
    ("=", ""),
    (">=", "; rising"),
    ("<=", "; falling"),
    (">", "; rising"),
    ("<", "; falling"),
];

/// Refuses `guard = x == 1` and `gap = y >= 0`, with what is meant.
fn one_side(tokens: &Tokens<'_>, word: &str, left: &Expr) -> Parsed<()> {
    let mut next = *tokens;
    let Some((sign, direction)) = SIGNS.iter().find(|(sign, _)| next.eat_sign(sign).is_some())
    else {
        return Ok(());
    };
    let right = expression(&mut next)?;
    let region = left.region.to(right.region);
    let meant = match word {
        "gap" if sign.starts_with('<') => difference(&right, left),
        "gap" => difference(left, &right),
        _ => format!("{}{direction}", difference(left, &right)),
    };
    let problem = Problem::OneSide { word: word.to_owned(), meant };
    Err(fault(region, &problem))
}

/// One side less another, as it is written.
fn difference(left: &Expr, right: &Expr) -> String {
    match (left.to_text(), right.to_text()) {
        (left, right) if right == "0" => left,
        (left, text) if matches!(right.kind, ExprKind::Sum(_) | ExprKind::Neg(_)) => {
            format!("{left} - ({text})")
        }
        (left, right) => format!("{left} - {right}"),
    }
}

/// A part that a block must have; what a mistake has already swallowed is not missed again.
pub(super) fn needed<T>(
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

/// `"event" indexed "{" "guard" "=" expression ";" [ direction ";" ] [ reset ] "}"`
pub(super) fn event(
    tokens: &mut Tokens<'_>,
    docs: &Docs,
    (into, indexed): (&mut Vec<Event>, &mut Vec<Indexed>),
    errors: &mut Errors,
) -> Parsed<()> {
    let names = blocks(tokens, ("event", "an"), errors, |inside, name, errors| {
        one(inside, (docs.clone(), name), into, errors);
    })?;
    names.declare(Family::Events, indexed);
    Ok(())
}

/// The block of one event.
fn one(
    mut inside: Tokens<'_>,
    (event_docs, name): (Docs, Ident),
    into: &mut Vec<Event>,
    errors: &mut Errors,
) {
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
        let direction = direction.map(|read| read.0);
        into.push(Event { docs: event_docs, name, guard, direction, reset });
    }
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
        incomplete: false,
        docs: scenario_docs,
        name,
        initial: Vec::new(),
        solve: Vec::new(),
        until_impacts: None,
        until_events: None,
        until_time: None,
    };
    let mut ends = Ends::default();
    let before = errors.len();
    items(&mut inside, errors, starts_setting, |tokens, errors| {
        docs(tokens, errors)?;
        setting(tokens, &mut scenario, &mut ends, errors)
    });
    scenario.incomplete = errors.len() > before;
    scenario.until_impacts = ends.impacts.map(|end| end.0);
    scenario.until_events = ends.events.map(|end| end.0);
    scenario.until_time = ends.time.map(|end| end.0);
    into.push(scenario);
    Ok(())
}

/// The ends of a scenario with their places, until it is known that each is stated once.
#[derive(Default)]
struct Ends {
    impacts: Option<(u64, Region)>,
    events: Option<((Option<Ident>, u64), Region)>,
    time: Option<(Expr, Region)>,
}

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
            scenario.solve.extend(unknowns.each(tokens, &[])?.into_iter().map(|(name, _)| name));
            if tokens.clone().mention().is_some() {
                return Err(tokens.expected("`,` between the names"));
            }
            if tokens.eat_sign(",").is_none() {
                break;
            }
        }
        return tokens.semicolon("`solve`", starts_setting, errors);
    }
    if !next.is_sign("=") && tokens.eat_word("until").is_some() {
        return until(tokens, ends, errors);
    }
    if next.word().is_some()
        && let Some(misspelt) = tokens.misspelt(&["solve", "until"])
    {
        return Err(misspelt);
    }
    let (read, called) = assignment(tokens, "a coordinate, a velocity or a parameter")?;
    tokens.semicolon(&called, starts_setting, errors)?;
    scenario.initial.extend(read);
    Ok(())
}

/// `"until" ( "t" "=" expression | ( "impacts" | "events" ) "=" integer | indexed [ "=" integer ] )`
fn until(tokens: &mut Tokens<'_>, ends: &mut Ends, errors: &mut Errors) -> Parsed<()> {
    const ONE: &str = "a scenario ends once by impacts, once by events and once by time";
    if tokens.word().is_none() && !tokens.at_end() {
        let word = tokens.found().replace('`', "");
        return Err(fault(tokens.here(), &Problem::UnknownEnd { word }));
    }
    let end = element(tokens, "an end: `t`, `impacts`, `events` or an event")?;
    let word = format!("until {}", end.text);
    match end.text.as_str() {
        "t" => {
            tokens.sign("=", &format!("`{word}`"))?;
            let value = expression(tokens)?;
            once(&mut ends.time, (value, end.region), |end| end.1, (&word, ONE), errors);
        }
        "impacts" => {
            let end = (counted(tokens, &word)?, end.region);
            once(&mut ends.impacts, end, |end| end.1, (&word, ONE), errors);
        }
        "events" => {
            let end = ((None, counted(tokens, &word)?), end.region);
            once(&mut ends.events, end, |end| end.1, (&word, ONE), errors);
        }
        _ => {
            let at = end.region;
            if !tokens.is_sign("=") && !tokens.is_sign(";") {
                return Err(fault(at, &Problem::UnknownEnd { word: end.text }));
            }
            let count = if tokens.is_sign(";") { 1 } else { counted(tokens, &word)? };
            once(&mut ends.events, ((Some(end), count), at), |end| end.1, (&word, ONE), errors);
        }
    }
    tokens.semicolon("`until`", starts_setting, errors)
}

/// `"=" integer`
fn counted(tokens: &mut Tokens<'_>, word: &str) -> Parsed<u64> {
    tokens.sign("=", &format!("`{word}`"))?;
    count(&expression(tokens)?, word)
}

fn count(value: &Expr, word: &str) -> Parsed<u64> {
    let count = match &value.kind {
        ExprKind::Number(number) if number.exponent == 0 => number.digits.parse().ok(),
        _ => None,
    };
    count.ok_or_else(|| fault(value.region, &Problem::NotACount { word: word.to_owned() }))
}
