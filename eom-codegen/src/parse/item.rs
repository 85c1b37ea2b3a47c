//! Items of a system: which word begins what, the declaring blocks and the definitions.

use super::block::{docs, listed, once, separated, starts, string};
use super::expression::{expression, right_side};
use super::indexed::{Names, names};
use super::rows::{bound, rows};
use super::tokens::{Fault, Parsed, Tokens, fault};
use super::{claim, contact, draw, hybrid, kinematics, notation};
use crate::ast::{
    Allow, Bound, Declared, Definition, Docs, Document, Expr, Family, Free, Function, Ident,
    Indexed, Lost, Parameter, Region, SmoothFunction, System,
};
use crate::diagnostic::{Errors, Problem};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The items, in the order in which a declaration usually has them.
pub(super) const ITEMS: &[&str] = &[
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
    "row",
    "free",
    "contact",
    "impacts",
    "event",
    "scenario",
    "output",
    "draw",
    "notation",
    "claim",
    "erratum",
    "allow",
];

/// The items that no other depends on.
const APART: &[&str] =
    &["document", "event", "scenario", "output", "draw", "notation", "claim", "erratum", "allow"];

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
        row_frictions: Vec::new(),
        free: Vec::new(),
        contacts: Vec::new(),
        impacts: Vec::new(),
        events: Vec::new(),
        scenarios: Vec::new(),
        outputs: Vec::new(),
        drawn: Vec::new(),
        claims: Vec::new(),
        errata: Vec::new(),
        sentences: Vec::new(),
        notation: Vec::new(),
        printed: Vec::new(),
        allows: Vec::new(),
        indexed: Vec::new(),
        lost: Lost::Nothing,
    }
}

/// item = { doc } ( block | definition | hybrid | drawing | statement ); of one that cannot be read it is noted whether
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
    if read.is_err() || errors.len() > before {
        system.lost = system.lost.max(if apart { Lost::Apart } else { Lost::Items });
    }
    read
}

/// Of a word that begins no item: a name that is defined by `=`, where it is near to none.
fn unknown_item(tokens: &Tokens<'_>, word: String) -> Problem {
    let mut next = *tokens;
    next.skip();
    next.eat_group(Delimiter::Bracket);
    let is_formula = next.is_group(Delimiter::Parenthesis)
        || ["*", "/", "+", "-", "^"].iter().any(|sign| next.is_sign(sign));
    if next.is_sign("=") && matches!(word.as_str(), "impact" | "gap") {
        return Problem::InContact { word };
    }
    let unknown = Problem::UnknownItem { word: word.clone(), block: "a system", known: ITEMS };
    if next.is_sign("=") && unknown.is_like_no_item() {
        Problem::Definition { word }
    } else if is_formula && unknown.is_like_no_item() {
        Problem::EquationOfMotion { word }
    } else {
        unknown
    }
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
        return Err(fault(keyword, &unknown_item(tokens, word)));
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
            if let Some(fault) = force_at(*tokens) {
                return Err(fault);
            }
            definition(tokens, &docs, what, &mut system.forces, errors).map(|_| ())
        }
        "contact" => {
            let into = (&mut system.contacts, &mut system.indexed);
            contact::contact(tokens, &docs, into, errors)
        }
        "row" => contact::row(tokens, &mut system.row_frictions, errors),
        "impacts" => system.impacts.take_in(contact::impacts(tokens, keyword, errors)),
        "event" => {
            let into = (&mut system.events, &mut system.indexed);
            hybrid::event(tokens, &docs, into, errors)
        }
        "scenario" => hybrid::scenario(tokens, docs, &mut system.scenarios, errors),
        "draw" => draw::draw(tokens, &mut system.drawn, errors),
        "allow" => allow(tokens, &mut system.allows, errors),
        "free" => free(tokens, keyword, &mut system.free, errors),
        "notation" => notation::notation(tokens, &mut system.notation, errors),
        "claim" => claim::claim(tokens, docs, system, errors),
        _ => claim::erratum(tokens, docs, system, errors),
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
    separated(tokens, &mut lists, |tokens| {
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
    separated(tokens, into, |tokens| {
        let name = tokens.name("a diagnosis")?;
        let mut subjects = Vec::new();
        if let Some((mut inside, _)) = tokens.eat_group(Delimiter::Parenthesis) {
            separated(&mut inside, &mut subjects, subject)?;
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

/// What is said of `force F @ x`.
fn force_at(mut tokens: Tokens<'_>) -> Option<Fault> {
    let (at, force) = (tokens.here(), tokens.word()?);
    tokens.skip();
    tokens.eat_sign("@")?;
    let coordinate = tokens.word()?;
    Some(fault(at.to(tokens.here()), &Problem::ForceAt { coordinate, force }))
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
    if tokens.is_sign(":") {
        return Err(tokens.expected(format!("`=` before the formula of `{}`", name.text)));
    }
    if tokens.is_group(Delimiter::Brace) {
        return Err(tokens.expected(format!("`= …;` after the arguments of `{}`", name.text)));
    }
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
        if let Some((TokenTree::Literal(literal), _)) = tokens.cursor().token_tree() {
            let is_quoted = string(&mut tokens.clone()).is_some();
            let part = literal.to_string();
            let whole =
                into.last().and_then(|last: &Parameter| last.default.as_ref()).map(Expr::to_text);
            let is_digits = |text: &String| text.bytes().all(|byte| byte.is_ascii_digit());
            return Err(match whole.filter(|whole| is_digits(whole) && is_digits(&part)) {
                _ if is_quoted => fault(tokens.here(), &Problem::QuotedName),
                Some(whole) => fault(tokens.here(), &Problem::DecimalComma { whole, part }),
                None => tokens.expected("the name of a parameter"),
            });
        }
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
