//! The parser: tokens or text to the syntax tree, with every mistake it finds.
//!
//! # Grammar
//!
//! ```text
//! declaration = { doc | attribute } [ visibility ] "system" name "{" { item } "}"
//!
//! item        = { doc } ( block | definition | hybrid | drawing | notation | statement )
//! block       = "coordinates" "{" [ declared { "," declared } [ "," ] ] "}"
//!             | "inputs"      "{" [ declared { "," declared } [ "," ] ] "}"
//!             | "parameters"  "{" [ parameter { "," parameter } [ "," ] ] "}"
//!             | "constraints" "{" { { doc } indexed ":" row ";" } "}"
//!             | "holonomic"   "{" { { doc } indexed ":" row ";" } "}"
//!             | "velocities"  "{" [ quasi { ( "," | ";" ) quasi } [ "," | ";" ] ] "}"
//!             | "rotation" name "{" ( "body" | "space" ) ":" name "," name "," name [ "," | ";" ] "}"
//! declared    = { doc } indexed
//! quasi       = { doc } name "=" expression
//! parameter   = { doc } indexed [ "=" expression ] [ "where" bound { "&&" bound } ]
//! bound       = expression ( "<" | "<=" | ">" | ">=" ) expression
//! row         = expression [ "=" expression ]
//! indexed     = name [ "[" ( expression | [ name "in" ] range ) "]" ]
//! range       = expression ( ".." | "..=" ) expression
//!
//! definition  = "let" indexed "=" expression ";"
//!             | "function" name "(" [ name { "," name } [ "," ] ] ")" [ "=" expression ] ";"
//!             | "output" indexed "=" expression ";"
//!             | "force" indexed "=" expression ";"
//!             | ( "kinetic" | "potential" | "lagrangian" | "dissipation" ) "=" expression ";"
//!             | "document" string ";"
//!             | "free" indexed { "," indexed } ";"
//!             | "allow" allowed { "," allowed } ";"
//! allowed     = name [ "(" subject { "," subject } ")" ]
//! subject     = name [ "." name | "[" digits "]" ]
//!
//! hybrid      = "contact" indexed "{" { { doc } about } "}"
//!             | "row" indexed "{" { "slip" "=" expression ";" | "friction" coefficients ";" } "}"
//!             | "impacts" [ "{" indexed { "," indexed } [ "," ] "}" ] "=" ( "joint" | "sequential" | "tangential" ) ";"
//!             | "event" indexed "{" "guard" "=" expression ";" [ direction ";" ] [ reset ] "}"
//!             | "scenario" name "{" { setting ";" } "}"
//! about       = "gap" "=" expression ";" | "impact" "=" law ";"
//!             | "point" "=" expression ";" | "surface" "(" name { "," name } ")" "=" expression ";"
//!             | "velocity" "=" expression ";"
//!             | "constraints" "{" { { doc } indexed ":" row ";" } "}"
//!             | "when" bound { "," bound } ";" | "releases" indexed { "," indexed } ";"
//!             | "relabel" "{" { indexed "<->" indexed ";" } "}" | "dissipation" "=" expression ";"
//!             | ( "slip" | "roll" | "spin" ) "=" expression ";"
//!             | ( "friction" | "rolling" | "spinning" ) coefficients ";"
//! coefficients = "=" expression | "(" expression [ "," expression ] ")"
//! law         = "elastic" | "plastic" | "restitution" "(" expression [ "," expression ] ")"
//!             | "poisson" "(" expression ")" | "stronge" "(" expression ")"
//!             | "project" | "assign" "{" { assignment ";" } "}"
//! direction   = "falling" | "rising" | "both"
//! reset       = "reset" "{" { assignment ";" } "}"
//! setting     = assignment
//!             | "solve" indexed { "," indexed }
//!             | "until" ( "t" "=" expression | ( "impacts" | "events" ) "=" integer | indexed [ "=" integer ] )
//! assignment  = indexed "=" expression
//!
//! drawing     = "draw" "{" { { doc } shape ";" } "}"
//! shape       = name [ "[" name "in" range "]" ] figure { [ "," ] figure } { "," option }
//! figure      = expression | equation
//! option      = "color" ( name | string ) | "label" string | ( "spoke" | "rotation" | "scale" ) expression
//!
//! notation    = "notation" [ name ] "{" { { doc } ( [ "reading" ] ( name | string ) "=" meaning | "given" string ) ";" } "}"
//! meaning     = expression | name "in" range { "," name "in" range }
//! statement   = "claim" named [ "in" name ] [ place ] ":" ( equation | motion | printed ) ";"
//!             | "claim" named "of" sentence ";"
//!             | "erratum" named [ place ] ":" equation ";" "corrected" ":" equation ";"
//!             | "erratum" named [ "in" name ] [ place ] ":" printed ";" "corrected" ":" "tex" string ";"
//! named       = name | string
//! printed     = [ "motion" "(" [ name { "," name } ] ")" ] [ "cases" integer ] "tex" string
//! place       = [ "closed" touching { "," touching } ]
//!               [ "at" indexed [ "under" ( law | "reflect" | "corner" ) ] ]
//!               [ "when" equation { "," equation } ]
//! touching    = indexed [ "slides" | "sticks" ]
//! sentence    = name [ "with" assignment { "," assignment } ] ":" quantity
//!               ( "=" expression [ "within" expression ] | ( "<" | "<=" | ">" | ">=" ) expression )
//! quantity    = expression, read as a quantity of a motion: a word, numbers in brackets, an index, `re`, `im`, `abs` of it
//! equation    = expression "=" expression
//! motion      = "motion" "(" [ name { "," name } ] ")" "{" { assignment ";" } "}"
//!
//! expression  = [ "+" | "-" ] product { ( "+" | "-" ) product }
//! product     = unary { ( "*" | "/" ) unary }
//! unary       = "-" unary | power
//! power       = postfix [ "^" unary ]
//! postfix     = primary { "[" expression { "," expression } "]" }
//! primary     = number | name [ "[" expression "]" ] "." name | name [ "(" [ expression { "," expression } ] ")" ]
//!             | ( "sum" | "integral" ) "(" expression "," name "in" range ")"
//!             | "(" expression ")" | "[" [ expression { "," expression } ] "]"
//! number      = digits [ "." [ digits ] ] [ ( "e" | "E" ) [ "+" | "-" ] digits ]
//! ```
//!
//! Items stand in any order. `^` binds tightest and to the right: −x^2 = −(x^2), a^b^c = a^(b^c).
//! Literals are exact. The items of a contact and of an event stand in any order too, each once.
//! After a mistake the parser goes on with the next item, so that all mistakes are reported.

mod block;
mod claim;
mod contact;
mod draw;
mod expression;
mod hybrid;
mod indexed;
mod item;
mod kinematics;
mod notation;
mod rows;
mod sentence;
mod sizes;
mod survey;
mod tokens;
mod unexpected;
mod unreadable;

use crate::ast::{Expr, System};
use crate::diagnostic::{Errors, Problem};
use block::{attributes, comments, items, starts};
pub use expression::DEPTH_MAX;
use proc_macro2::{Delimiter, TokenStream};
pub use survey::TOKENS_MAX;
use survey::{Survey, survey};
use syn::buffer::TokenBuffer;
pub use tokens::{NAME_MAX, UNROLLED_MAX};
use tokens::{Parsed, Read, Tokens, fault};

/// Coordinates of a system: its matrices are dense.
pub const COORDINATES_MAX: usize = 250;

/// Parameters, definitions and other items of a kind.
pub const ITEMS_MAX: usize = 5000;

/// Reads one declaration. The system comes back as far as it could be read.
pub fn parse_system(stream: TokenStream) -> (Option<System>, Errors) {
    let mut errors = Errors::new();
    let Survey { end, sizes } = match survey(&stream) {
        Ok(found) => found,
        Err((at, problem)) => {
            errors.report(at, &problem);
            return (None, errors);
        }
    };
    let (buffer, read) = (TokenBuffer::new2(stream), Read::default());
    let mut tokens = Tokens::outermost(buffer.begin(), end, &read, &sizes);
    let system = match system(&mut tokens, &mut errors) {
        Ok(system) => Some(system),
        Err(fault) => {
            errors.push(*fault.0);
            None
        }
    };
    read.report(&mut errors);
    (system, errors)
}

/// Reads one declaration from the text of a file.
pub fn parse_text(source: &str) -> (Option<System>, Errors) {
    match source.parse::<TokenStream>() {
        Ok(stream) => parse_system(stream),
        Err(error) => {
            let mut errors = Errors::new();
            unreadable::report(source, error.span(), &mut errors);
            (None, errors)
        }
    }
}

/// The number of what sizes arrays in a declaration given as text, by its name.
pub fn size_source(source: &str, name: &str) -> Option<i64> {
    let found = survey(&source.parse::<TokenStream>().ok()?).ok()?;
    found.sizes.into_iter().find(|size| size.name == name).map(|size| size.value)
}

/// Reads one expression from text.
pub(crate) fn parse_expression(source: &str, errors: &mut Errors) -> Option<Expr> {
    let stream = match source.parse::<TokenStream>() {
        Ok(stream) => stream,
        Err(error) => {
            unreadable::report(source, error.span(), errors);
            return None;
        }
    };
    let end = match survey(&stream) {
        Ok(found) => found.end,
        Err((at, problem)) => {
            errors.report(at, &problem);
            return None;
        }
    };
    let (buffer, read) = (TokenBuffer::new2(stream), Read::default());
    let mut tokens = Tokens::outermost(buffer.begin(), end, &read, &[]);
    let parsed = expression::expression(&mut tokens).and_then(|expr| {
        if tokens.at_end() { Ok(expr) } else { Err(tokens.unexpected("the end of the expression")) }
    });
    read.report(errors);
    parsed.map_err(|fault| errors.push(*fault.0)).ok()
}

/// `declaration = { doc | attribute } [ visibility ] "system" name "{" { item } "}"`
fn system(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<System> {
    comments(tokens, errors);
    let (docs, attributes) = attributes(tokens, errors)?;
    let visibility = visibility(tokens);
    if let Some(misspelt) = tokens.misspelt(&["system"]).filter(|_| !tokens.is_word("system")) {
        return Err(misspelt);
    }
    if tokens.eat_word("system").is_none() {
        return Err(fault(tokens.here(), &Problem::NoSystem { found: tokens.found() }));
    }
    let name = tokens.name("the system")?;
    let (mut inside, _) = tokens.braces(&format!("`{}`", name.text))?;
    let mut system = item::empty(name);
    (system.docs, system.attributes, system.visibility) = (docs, attributes, visibility);
    items(&mut inside, errors, starts, |tokens, errors| item::item(tokens, &mut system, errors));
    if tokens.is_sign(";") {
        errors.push(*tokens.expected("an item").0);
    } else if !tokens.at_end() {
        errors.report(tokens.here(), &Problem::AfterSystem);
    }
    sizes::settle(&mut system, tokens.sizes());
    crate::tex::expand(&mut system, errors);
    check_counts(&system)?;
    Ok(system)
}

/// Refuses more items of a kind than any system has: what follows would take hours.
fn check_counts(system: &System) -> Parsed<()> {
    // table
    let counts = [
        ("coordinates", system.coordinates.len() + 3 * system.rotations.len(), COORDINATES_MAX),
        ("inputs", system.inputs.len(), ITEMS_MAX),
        ("parameters", system.parameters.len(), ITEMS_MAX),
        ("functions", system.functions.len(), ITEMS_MAX),
        ("definitions", system.lets.len(), ITEMS_MAX),
        ("constraints", system.constraints.len() + system.holonomic.len(), COORDINATES_MAX),
        ("contacts", system.contacts.len(), COORDINATES_MAX),
        ("events", system.events.len(), COORDINATES_MAX),
        ("outputs", system.outputs.len(), ITEMS_MAX),
        ("shapes", system.drawn.len(), ITEMS_MAX),
        ("scenarios", system.scenarios.len(), ITEMS_MAX),
        ("claims", system.claims.len() + system.errata.len() + system.sentences.len(), ITEMS_MAX),
    ];
    match counts.into_iter().find(|(_, count, limit)| count > limit) {
        Some((what, _, limit)) => Err(fault(system.name.region, &Problem::TooMany { what, limit })),
        None => Ok(()),
    }
}

/// `pub`, `pub(…)`, or what a macro passed on as one.
fn visibility(tokens: &mut Tokens<'_>) -> TokenStream {
    let start = *tokens;
    if tokens.eat_group(Delimiter::None).is_none() && tokens.eat_word("pub").is_some() {
        tokens.eat_group(Delimiter::Parenthesis);
    }
    start.stream_until(tokens.cursor())
}
