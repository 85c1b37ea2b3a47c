//! Items of a system: which word begins what, the declaring blocks and the definitions.

use super::expression::{expression, right_side};
use super::indexed::{Names, names};
use super::tokens::{Tokens, fault};
use super::{Parsed, claim, contact, docs, hybrid, items, kinematics, string};
use crate::ast::{
    Allow, Bound, Declared, Definition, Docs, Document, Expr, Family, Free, Function, Ident,
    Indexed, Parameter, Region, Relation, Row, SmoothFunction, System,
};
use crate::diagnostic::{Diagnostic, Errors, Problem};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The items, in the order in which a declaration usually has them.
const ITEMS: &[&str] = &[
    "document",
    "coordinates",
    "velocities",
    "rotation",
    "inputs",
    "parameters",
    "function",
    "let",
    "kinetic",
    "potential",
    "lagrangian",
    "dissipation",
    "force",
    "constraints",
    "holonomic",
    "free",
    "contact",
    "impacts",
    "event",
    "scenario",
    "output",
    "claim",
    "erratum",
    "allow",
];

/// The items that no other depends on.
const APART: &[&str] = &["document", "event", "scenario", "output", "claim", "erratum", "allow"];

/// A system without items.
pub(super) fn empty(name: Ident) -> System {
    System {
        docs: Docs::new(),
        attributes: TokenStream::new(),
        visibility: TokenStream::new(),
        name,
        document: None,
        coordinates: Vec::new(),
        velocities: Vec::new(),
        rotations: Vec::new(),
        inputs: Vec::new(),
        parameters: Vec::new(),
        functions: Vec::new(),
        lets: Vec::new(),
        kinetic: None,
        potential: None,
        lagrangian: None,
        dissipation: None,
        forces: Vec::new(),
        constraints: Vec::new(),
        holonomic: Vec::new(),
        free: Vec::new(),
        contacts: Vec::new(),
        impacts: Vec::new(),
        events: Vec::new(),
        scenarios: Vec::new(),
        outputs: Vec::new(),
        claims: Vec::new(),
        errata: Vec::new(),
        allows: Vec::new(),
        indexed: Vec::new(),
        incomplete: false,
    }
}

/// Whether an item visibly begins here: its word, and what follows it.
pub(super) fn starts(tokens: &Tokens<'_>) -> bool {
    if tokens.is_sign("#") {
        return true;
    }
    let Some(word) = tokens.word() else { return false };
    let mut next = *tokens;
    next.skip();
    match word.as_str() {
        "coordinates" | "velocities" | "inputs" | "parameters" | "constraints" | "holonomic" => {
            next.is_group(Delimiter::Brace)
        }
        "kinetic" | "potential" | "lagrangian" | "dissipation" => next.is_sign("="),
        "function" | "let" | "rotation" | "force" | "contact" | "event" | "scenario" | "output"
        | "claim" | "erratum" | "allow" | "free" => next.word().is_some(),
        "impacts" => next.is_group(Delimiter::Brace) || next.is_sign("="),
        "document" => matches!(next.cursor().token_tree(), Some((TokenTree::Literal(_), _))),
        _ => false,
    }
}

/// item = { doc } ( block | definition | hybrid | statement ); of one that cannot be read it is noted whether
/// others depend on it.
pub(super) fn item(
    tokens: &mut Tokens<'_>,
    system: &mut System,
    errors: &mut Errors,
) -> Parsed<()> {
    let docs = docs(tokens, errors)?;
    let apart = tokens.word().is_some_and(|word| APART.contains(&word.as_str()));
    let before = errors.len();
    let read = described(tokens, docs, system, errors);
    system.incomplete |= !apart && (read.is_err() || errors.len() > before);
    read
}

/// item without its docs
fn described(
    tokens: &mut Tokens<'_>,
    docs: Docs,
    system: &mut System,
    errors: &mut Errors,
) -> Parsed<()> {
    let Some(word) = tokens.word() else { return Err(tokens.expected("an item")) };
    let keyword = tokens.here();
    if !ITEMS.contains(&word.as_str()) {
        let problem = Problem::UnknownItem { word, block: "a system", known: ITEMS };
        return Err(fault(keyword, &problem));
    }
    tokens.skip();
    match word.as_str() {
        "document" => document(tokens, keyword, system, errors),
        "coordinates" => {
            let into = (&mut system.coordinates, &mut system.indexed);
            declared_block(tokens, "coordinate", into, errors)
        }
        "velocities" => kinematics::velocities(tokens, &mut system.velocities, errors),
        "rotation" => system.rotations.take_in(kinematics::rotation(tokens, docs)),
        "inputs" => {
            let into = (&mut system.inputs, &mut system.indexed);
            declared_block(tokens, "input", into, errors)
        }
        "parameters" => parameters(tokens, (&mut system.parameters, &mut system.indexed), errors),
        "constraints" | "holonomic" => {
            let into =
                if word == "holonomic" { &mut system.holonomic } else { &mut system.constraints };
            rows(tokens, &word, (into, &mut system.indexed), errors)
        }
        "kinetic" | "potential" | "lagrangian" | "dissipation" => {
            let value = value(tokens, &format!("`{word}`"), errors)?;
            let function = Function { docs, keyword, value };
            let slot = match word.as_str() {
                "kinetic" => &mut system.kinetic,
                "potential" => &mut system.potential,
                "lagrangian" => &mut system.lagrangian,
                _ => &mut system.dissipation,
            };
            once(
                slot,
                function,
                |function| function.keyword,
                (&word, "add the terms up in one item"),
                errors,
            );
            Ok(())
        }
        "function" => system.functions.take_in(function(tokens, docs, errors)),
        "let" => {
            let names = definition(tokens, &docs, "a `let`", &mut system.lets, errors)?;
            names.declare(Family::Values, &mut system.indexed);
            Ok(())
        }
        "output" => {
            let names = definition(tokens, &docs, "an output", &mut system.outputs, errors)?;
            names.declare(Family::Outputs, &mut system.indexed);
            Ok(())
        }
        "force" if tokens.is_group(Delimiter::Brace) => {
            let inside = tokens.eat_group(Delimiter::Brace).and_then(|(inside, _)| inside.word());
            let form = format!("force {} = …;", inside.as_deref().unwrap_or("x"));
            Err(fault(keyword, &Problem::Block { item: "force", form }))
        }
        "force" => {
            let what = "the coordinate on which the force acts";
            definition(tokens, &docs, what, &mut system.forces, errors).map(|_| ())
        }
        "contact" => {
            let into = (&mut system.contacts, &mut system.indexed);
            contact::contact(tokens, &docs, into, errors)
        }
        "impacts" => system.impacts.take_in(contact::impacts(tokens, keyword, errors)),
        "event" => hybrid::event(tokens, docs, &mut system.events, errors),
        "scenario" => hybrid::scenario(tokens, docs, &mut system.scenarios, errors),
        "allow" => allow(tokens, &mut system.allows, errors),
        "free" => free(tokens, keyword, &mut system.free, errors),
        "claim" => system.claims.take_in(claim::claim(tokens, docs, errors)),
        _ => system.errata.take_in(claim::erratum(tokens, docs, errors)),
    }
}

/// A list that takes what was read, or passes the mistake on.
trait TakeIn<T> {
    fn take_in(&mut self, parsed: Parsed<T>) -> Parsed<()>;
}

impl<T> TakeIn<T> for Vec<T> {
    fn take_in(&mut self, parsed: Parsed<T>) -> Parsed<()> {
        self.push(parsed?);
        Ok(())
    }
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

/// `document "title";`
fn document(
    tokens: &mut Tokens<'_>,
    keyword: Region,
    system: &mut System,
    errors: &mut Errors,
) -> Parsed<()> {
    let title = string(tokens)
        .ok_or_else(|| tokens.expected("the title of the document in quotation marks"))?;
    let document = Document { title, region: keyword.to(tokens.behind()) };
    once(
        &mut system.document,
        document,
        |document| document.region,
        ("document", "name the one whose equations the claims cite"),
        errors,
    );
    tokens.semicolon("the title", starts, errors)
}

/// `"free" indexed { "," indexed } ";"`
fn free(
    tokens: &mut Tokens<'_>,
    keyword: Region,
    into: &mut Vec<Free>,
    errors: &mut Errors,
) -> Parsed<()> {
    let mut lists = Vec::new();
    contact::separated(tokens, &mut lists, |tokens| {
        let speeds = names(tokens, "a velocity that is free")?;
        let speeds = speeds.each(tokens, &[])?.into_iter().map(|(name, _)| name);
        Ok(speeds.collect::<Vec<Ident>>())
    })?;
    let speeds = lists.concat();
    into.push(Free { speeds, region: keyword.to(tokens.behind()) });
    tokens.semicolon("`free`", starts, errors)
}

/// `"allow" allowed { "," allowed } ";"` with `allowed = name [ "(" subject { "," subject } ")" ]`
fn allow(tokens: &mut Tokens<'_>, into: &mut Vec<Allow>, errors: &mut Errors) -> Parsed<()> {
    contact::separated(tokens, into, |tokens| {
        let name = tokens.name("a diagnosis")?;
        let mut subjects = Vec::new();
        if let Some((mut inside, _)) = tokens.eat_group(Delimiter::Parenthesis) {
            contact::separated(&mut inside, &mut subjects, subject)?;
            if !inside.at_end() {
                return Err(inside.unexpected("`,` between names"));
            }
        }
        Ok(Allow { name, subjects })
    })?;
    tokens.semicolon("`allow`", starts, errors)
}

/// `subject = name [ "." name | "[" digits "]" ]`
fn subject(tokens: &mut Tokens<'_>) -> Parsed<Ident> {
    let mut subject = tokens.name("what is allowed")?;
    if tokens.eat_sign(".").is_some() {
        let row = tokens.name("a row")?;
        subject.text = format!("{}.{}", subject.text, row.text);
        subject.region = subject.region.to(row.region);
    } else if let Some((inside, region)) = tokens.eat_group(Delimiter::Bracket) {
        subject.text = format!("{}[{}]", subject.text, inside.found_all());
        subject.region = subject.region.to(region);
    }
    Ok(subject)
}

/// `"=" expression ";"`
fn value(tokens: &mut Tokens<'_>, of: &str, errors: &mut Errors) -> Parsed<Expr> {
    tokens.sign("=", of)?;
    let value = expression(tokens)?;
    tokens.semicolon(of, starts, errors)?;
    Ok(value)
}

/// `indexed "=" expression ";"`: one definition for each value of the index.
fn definition(
    tokens: &mut Tokens<'_>,
    docs: &Docs,
    what: &str,
    into: &mut Vec<Definition>,
    errors: &mut Errors,
) -> Parsed<Names> {
    let names = names(tokens, what)?;
    if tokens.is_group(Delimiter::Parenthesis) {
        let problem = Problem::LetWithArguments { name: names.called() };
        return Err(fault(tokens.here(), &problem));
    }
    let value = value(tokens, &format!("`{}`", names.called()), errors)?;
    for (name, at) in names.each(tokens, &[&value])? {
        into.push(Definition { docs: docs.clone(), name, value: at.of(&value) });
    }
    Ok(names)
}

/// `name "(" [ name { "," name } [ "," ] ] ")" [ "=" expression ] ";"`
fn function(tokens: &mut Tokens<'_>, docs: Docs, errors: &mut Errors) -> Parsed<SmoothFunction> {
    let name = tokens.name("a function")?;
    let Some((mut inside, _)) = tokens.eat_group(Delimiter::Parenthesis) else {
        return Err(tokens.expected(format!("`(…)` after the function `{}`", name.text)));
    };
    let mut arguments = Vec::new();
    listed(&mut inside, "arguments", errors, |tokens, _| {
        arguments.push(tokens.name("an argument")?);
        Ok(())
    });
    let default = if tokens.is_sign("=") { Some(right_side(tokens)?) } else { None };
    tokens.semicolon(&format!("`{}`", name.text), starts, errors)?;
    Ok(SmoothFunction { docs, name, arguments, default })
}

/// `"{" [ declared { "," declared } [ "," ] ] "}"`
fn declared_block(
    tokens: &mut Tokens<'_>,
    what: &str,
    (into, indexed): (&mut Vec<Declared>, &mut Vec<Indexed>),
    errors: &mut Errors,
) -> Parsed<()> {
    let article = if what.starts_with('i') { "an" } else { "a" };
    let entries = if what == "input" { "inputs" } else { "coordinates" };
    let (mut inside, _) = tokens.braces(&format!("`{entries}`"))?;
    listed(&mut inside, entries, errors, |tokens, errors| {
        let docs = docs(tokens, errors)?;
        let names = names(tokens, &format!("{article} {what}"))?;
        for (name, _) in names.each(tokens, &[])? {
            into.push(Declared { docs: docs.clone(), name });
        }
        names.declare(Family::Values, indexed);
        Ok(())
    });
    Ok(())
}

/// `parameter = { doc } indexed [ "=" expression ] [ "where" bound { "&&" bound } ]`
fn parameters(
    tokens: &mut Tokens<'_>,
    (into, indexed): (&mut Vec<Parameter>, &mut Vec<Indexed>),
    errors: &mut Errors,
) -> Parsed<()> {
    let (mut inside, _) = tokens.braces("`parameters`")?;
    listed(&mut inside, "parameters", errors, |tokens, errors| {
        let docs = docs(tokens, errors)?;
        let names = names(tokens, "a parameter")?;
        let default = if tokens.is_sign("=") { Some(right_side(tokens)?) } else { None };
        let bounds = if tokens.eat_word("where").is_some() { bounds(tokens)? } else { Vec::new() };
        let sides = bounds.iter().flat_map(|bound| [&bound.lhs, &bound.rhs]);
        let written: Vec<&Expr> = default.iter().chain(sides).collect();
        for (name, at) in names.each(tokens, &written)? {
            let bound = |b: &Bound| Bound { lhs: at.of(&b.lhs), rhs: at.of(&b.rhs), ..b.clone() };
            let bounds = bounds.iter().map(bound).collect();
            let default = default.as_ref().map(|default| at.of(default));
            into.push(Parameter { docs: docs.clone(), name, default, bounds });
        }
        names.declare(Family::Values, indexed);
        Ok(())
    });
    Ok(())
}

fn bounds(tokens: &mut Tokens<'_>) -> Parsed<Vec<Bound>> {
    let mut bounds = vec![bound(tokens)?];
    while tokens.eat_sign("&&").is_some() {
        bounds.push(bound(tokens)?);
    }
    Ok(bounds)
}

/// `bound = expression ( "<" | "<=" | ">" | ">=" ) expression`
pub(super) fn bound(tokens: &mut Tokens<'_>) -> Parsed<Bound> {
    let lhs = expression(tokens)?;
    let relation =
        relation(tokens).ok_or_else(|| tokens.expected("`<`, `<=`, `>` or `>=` in a bound"))?;
    let rhs = expression(tokens)?;
    let here = tokens.here();
    if relation_follows(*tokens) {
        return Err(fault(here, &Problem::ComparisonChain));
    }
    Ok(Bound { lhs, relation, rhs })
}

fn relation_follows(mut tokens: Tokens<'_>) -> bool {
    relation(&mut tokens).is_some()
}

fn relation(tokens: &mut Tokens<'_>) -> Option<Relation> {
    [
        ("<=", Relation::LessEqual),
        (">=", Relation::GreaterEqual),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ]
    .into_iter()
    .find_map(|(sign, relation)| tokens.eat_sign(sign).map(|_| relation))
}

/// Entries separated by commas; after a mistake it goes on behind the next comma.
pub(super) fn listed<'a>(
    tokens: &mut Tokens<'a>,
    entries: &'static str,
    errors: &mut Errors,
    mut entry: impl FnMut(&mut Tokens<'a>, &mut Errors) -> Parsed<()>,
) {
    while !super::comments(tokens, errors) {
        let depth = tokens.depth;
        let read = entry(tokens, errors).and_then(|()| separated(tokens, entries, errors));
        tokens.depth = depth;
        if let Err(fault) = read {
            errors.push(*fault.0);
            while !tokens.at_end() && tokens.eat_sign(",").is_none() {
                tokens.skip();
            }
        }
    }
}

fn separated(tokens: &mut Tokens<'_>, entries: &'static str, errors: &mut Errors) -> Parsed<()> {
    if tokens.at_end() || tokens.eat_sign(",").is_some() {
        return Ok(());
    }
    if let Some(semicolon) = tokens.eat_sign(";") {
        errors.report(semicolon, &Problem::SemicolonInList { entries });
        return Ok(());
    }
    if tokens.comment().is_some()
        && (super::comments(tokens, errors) || tokens.eat_sign(",").is_some())
    {
        return Ok(());
    }
    if let Some(misspelt) = tokens.misspelt(&["where"]).filter(|_| entries == "parameters") {
        return Err(misspelt);
    }
    let comma = format!("`,` between {entries}");
    Err(if tokens.word().is_some() { tokens.expected(comma) } else { tokens.unexpected(&comma) })
}

/// `"{" { { doc } indexed ":" row ";" } "}"`
pub(super) fn rows(
    tokens: &mut Tokens<'_>,
    word: &str,
    (into, indexed): (&mut Vec<Row>, &mut Vec<Indexed>),
    errors: &mut Errors,
) -> Parsed<()> {
    let (mut inside, _) = tokens.braces(&format!("`{word}`"))?;
    items(&mut inside, errors, starts_row, |tokens, errors| {
        let docs = docs(tokens, errors)?;
        let names = names(tokens, "a row and `:`")?;
        tokens.sign(":", &format!("the name of the row `{}`", names.called()))?;
        let (lhs, rhs) = row(tokens)?;
        tokens.semicolon(&format!("row `{}`", names.called()), starts_row, errors)?;
        let written: Vec<&Expr> = rhs.iter().chain([&lhs]).collect();
        for (name, at) in names.each(tokens, &written)? {
            let rhs = rhs.as_ref().map(|rhs| at.of(rhs));
            into.push(Row { docs: docs.clone(), name, lhs: at.of(&lhs), rhs });
        }
        names.declare(Family::Rows, indexed);
        Ok(())
    });
    Ok(())
}

/// `row = expression [ "=" expression ]`
fn row(tokens: &mut Tokens<'_>) -> Parsed<(Expr, Option<Expr>)> {
    let lhs = expression(tokens)?;
    let rhs = if tokens.is_sign("=") { Some(right_side(tokens)?) } else { None };
    Ok((lhs, rhs))
}

fn starts_row(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    if tokens.is_sign("#") {
        return true;
    }
    let named = next.mention().is_some();
    next.eat_group(Delimiter::Bracket);
    named && next.is_sign(":")
}
