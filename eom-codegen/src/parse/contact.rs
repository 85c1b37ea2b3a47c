//! Contacts with their laws, rows and conditions, and what constraints have of them: friction.

use super::block::{docs, items, once, separated, starts};
use super::expression::expression;
use super::hybrid::{assignments, item_word, needed, starts_setting, value};
use super::indexed::{blocks, element, names};
use super::rows::{bound, rows};
use super::tokens::{Parsed, Tokens, fault};
use crate::ast::{
    Bound, Contact, Docs, Expr, Family, Friction, Gap, Ident, Impacts, Indexed, Law, LawKind,
    Region, Resists, Row, RowFriction, Surface, Under, word_of,
};
use crate::diagnostic::{Diagnostic, Errors, Problem};
use eom_symbolic::mechanics::{self, Resisted, Restitution};
use proc_macro2::Delimiter;

const ITEMS: &[&str] = &[
    "gap",
    "point",
    "surface",
    "velocity",
    "impact",
    "constraints",
    "when",
    "releases",
    "relabel",
    "dissipation",
    "slip",
    "friction",
    "roll",
    "rolling",
    "spin",
    "spinning",
];

const ROW_ITEMS: &[&str] = &["slip", "friction"];

/// The items of a contact as far as they are read.
#[derive(Default)]
struct Items {
    gap: Option<(Expr, Region)>,
    point: Option<(Expr, Region)>,
    surface: Option<(Vec<Ident>, Expr, Region)>,
    velocity: Option<(Expr, Region)>,
    law: Option<Law>,
    dissipation: Option<(Expr, Region)>,
    /// What slips, rolls and spins, and how much is against it, in the order of [`Resisted::ALL`].
    motions: [Option<(Expr, Region)>; 3],
    frictions: [Option<Friction>; 3],
    rows: Vec<Row>,
    when: Vec<Bound>,
    releases: Vec<Ident>,
    relabel: Vec<(Ident, Ident)>,
}

/// `"contact" indexed "{" { { doc } contact_item } "}"`
pub(super) fn contact(
    tokens: &mut Tokens<'_>,
    docs: &Docs,
    (into, indexed): (&mut Vec<Contact>, &mut Vec<Indexed>),
    errors: &mut Errors,
) -> Parsed<()> {
    let names = blocks(tokens, ("contact", "a"), errors, |inside, name, errors| {
        one(inside, (docs.clone(), name), into, errors);
    })?;
    names.declare(Family::Contacts, indexed);
    Ok(())
}

/// The block of one contact.
fn one(
    mut inside: Tokens<'_>,
    (contact_docs, name): (Docs, Ident),
    into: &mut Vec<Contact>,
    errors: &mut Errors,
) {
    let mut read = Items::default();
    let before = errors.len();
    items(&mut inside, errors, starts_setting, |tokens, errors| {
        docs(tokens, errors)?;
        item(tokens, &mut read, errors)
    });
    let block = format!("contact `{}`", name.text);
    let whole = errors.len() == before;
    let gap = gap(&mut read, (&block, &name), whole, errors);
    let Items { law, dissipation, motions, frictions, rows, when, releases, relabel, .. } = read;
    let mut resists: [Resists; 3] = Default::default();
    // Of a block that was not read to its end it is not known whether the other of the two is there.
    for (resists, (motion, friction)) in
        resists.iter_mut().zip(motions.into_iter().zip(frictions)).filter(|_| whole)
    {
        *resists = Resists { motion: motion.map(|read| read.0), friction };
    }
    let law = needed(law, &name, (&block, "law of impact", "impact = elastic;"), whole, errors);
    if let (Some(gap), Some(law)) = (gap, law) {
        into.push(Contact {
            docs: contact_docs,
            name,
            gap,
            law,
            dissipation: dissipation.map(|read| read.0),
            resists,
            rows,
            when,
            releases,
            relabel,
        });
    }
}

/// The gap, told by itself or by a point and a surface.
fn gap(
    read: &mut Items,
    (block, name): (&str, &Ident),
    whole: bool,
    errors: &mut Errors,
) -> Option<Gap> {
    let (point, surface) = (read.point.take(), read.surface.take());
    if point.is_none() && surface.is_none() && read.velocity.is_none() {
        let gap = needed(read.gap.take(), name, (block, "gap", "gap = …;"), whole, errors);
        return gap.map(|(gap, _)| Gap::Value(gap));
    }
    let told = point.as_ref().map(|read| read.1);
    let told = told.or(surface.as_ref().map(|read| read.2)).or(read.velocity.as_ref().map(|v| v.1));
    if let (Some((_, first)), Some(told)) = (&read.gap, told) {
        let instead = "a contact has a gap, or a point and a surface";
        let problem = Problem::Twice { what: "the gap".to_owned(), instead };
        let diagnostic = Diagnostic::new(told, &problem);
        errors.push(diagnostic.with_note(*first, "first stated here"));
        return None;
    }
    let point = needed(point, name, (block, "point", "point = [X, Y];"), whole, errors);
    let form = (block, "surface", "surface(x, y) = y;");
    let surface = needed(surface, name, form, whole, errors);
    let velocity = read.velocity.take().map(|read| read.0);
    let ((point, _), (arguments, height, _)) = (point?, surface?);
    Some(Gap::Surface(Box::new(Surface { point, arguments, height, velocity })))
}

/// `"row" indexed "{" { "slip" "=" expression ";" | "friction" coefficients ";" } "}"`
pub(super) fn row(
    tokens: &mut Tokens<'_>,
    into: &mut Vec<RowFriction>,
    errors: &mut Errors,
) -> Parsed<()> {
    const ONE: &str = "a constraint has one slip and one friction";
    let name = element(tokens, "a constraint")?;
    let (mut inside, _) = tokens.braces(&format!("row `{}`", name.text))?;
    let (mut motion, mut friction) = (None::<(Expr, Region)>, None::<Friction>);
    let before = errors.len();
    items(&mut inside, errors, starts_setting, |tokens, errors| {
        docs(tokens, errors)?;
        let (word, region) = item_word(tokens, "a row", ROW_ITEMS)?;
        if word == Resisted::Slip.motion() {
            let read = (value(tokens, &word, errors)?, region);
            once(&mut motion, read, |read| read.1, (&word, ONE), errors);
        } else {
            let read = coefficients(tokens, (Resisted::Slip, region), errors)?;
            once(&mut friction, read, |read| read.region, (&word, ONE), errors);
        }
        Ok(())
    });
    // Of a block that was not read to its end it is not known whether the other of the two is there.
    if errors.len() == before {
        let resists = Resists { motion: motion.map(|read| read.0), friction };
        into.push(RowFriction { name, resists });
    }
    Ok(())
}

/// ```text
/// contact_item = "gap" "=" expression ";" | "impact" "=" law ";"
///              | "point" "=" expression ";" | "surface" "(" name { "," name } ")" "=" expression ";"
///              | "velocity" "=" expression ";"
///              | "constraints" "{" { { doc } name ":" row ";" } "}"
///              | "when" bound { "," bound } ";" | "releases" name { "," name } ";"
///              | "relabel" "{" { name "<->" name ";" } "}" | "dissipation" "=" expression ";"
///              | ( "slip" | "roll" | "spin" ) "=" expression ";"
///              | ( "friction" | "rolling" | "spinning" ) coefficients ";"
/// ```
fn item(tokens: &mut Tokens<'_>, read: &mut Items, errors: &mut Errors) -> Parsed<()> {
    const ONE: &str = "a contact has one gap, one law, one dissipation, one slip and one friction";
    const ONE_SURFACE: &str = "a contact has one point and one surface, with one velocity";
    let (word, region) = item_word(tokens, "a contact", ITEMS)?;
    for resisted in Resisted::ALL {
        let at = resisted as usize;
        if word == resisted.motion() {
            let motion = (value(tokens, &word, errors)?, region);
            once(&mut read.motions[at], motion, |read| read.1, (&word, ONE), errors);
            return Ok(());
        }
        if word == resisted.word() {
            let friction = coefficients(tokens, (resisted, region), errors)?;
            once(&mut read.frictions[at], friction, |read| read.region, (&word, ONE), errors);
            return Ok(());
        }
    }
    match word.as_str() {
        "gap" => {
            let gap = (value(tokens, &word, errors)?, region);
            once(&mut read.gap, gap, |gap| gap.1, ("gap", ONE), errors);
        }
        "point" => {
            let point = (value(tokens, &word, errors)?, region);
            once(&mut read.point, point, |read| read.1, ("point", ONE_SURFACE), errors);
        }
        "velocity" => {
            let velocity = (value(tokens, &word, errors)?, region);
            once(&mut read.velocity, velocity, |read| read.1, ("velocity", ONE_SURFACE), errors);
        }
        "surface" => {
            let mut arguments = Vec::new();
            let (mut inside, _) = tokens.parentheses("`surface`")?;
            separated(&mut inside, &mut arguments, |tokens| tokens.name("a place"))?;
            let surface = (arguments, value(tokens, &word, errors)?, region);
            once(&mut read.surface, surface, |read| read.2, ("surface", ONE_SURFACE), errors);
        }
        "dissipation" => {
            let dissipation = (value(tokens, &word, errors)?, region);
            let words = ("dissipation", ONE);
            once(&mut read.dissipation, dissipation, |read| read.1, words, errors);
        }
        "impact" => {
            tokens.sign("=", "`impact`")?;
            let law = law(tokens, errors)?;
            let assigned = matches!(law.kind, LawKind::Assign(_));
            once(&mut read.law, law, |law| law.region, ("impact", ONE), errors);
            if tokens.eat_sign(";").is_none() && !assigned {
                tokens.semicolon("the law", starts_setting, errors)?;
            }
        }
        "constraints" => rows(tokens, &word, (&mut read.rows, &mut Vec::new()), errors)?,
        "when" => {
            separated(tokens, &mut read.when, bound)?;
            if tokens.is_sign("&&") || tokens.is_word("and") {
                let found = if tokens.is_word("and") { "`and`" } else { "`&&`" };
                let what = "`,` between the conditions".to_owned();
                let problem = Problem::Expected { what, found: found.to_owned() };
                return Err(fault(tokens.here(), &problem));
            }
            tokens.semicolon("the conditions", starts_setting, errors)?;
        }
        "releases" => {
            separated(tokens, &mut read.releases, |tokens| element(tokens, "a constraint"))?;
            tokens.semicolon("`releases`", starts_setting, errors)?;
        }
        _ => {
            let (mut inside, _) = tokens.braces("`relabel`")?;
            items(&mut inside, errors, starts_exchange, |tokens, errors| {
                read.relabel.push(exchange(tokens)?);
                tokens.semicolon("the two names", starts_exchange, errors)
            });
        }
    }
    Ok(())
}

/// `coefficients = "=" expression | "(" expression [ "," expression ] ")"`: μ, or μ_s and μ.
fn coefficients(
    tokens: &mut Tokens<'_>,
    (resisted, region): (Resisted, Region),
    errors: &mut Errors,
) -> Parsed<Friction> {
    let Some(group) = tokens.eat_group(Delimiter::Parenthesis) else {
        let word = resisted.word();
        if let Some(at) = assigned_two(*tokens, word) {
            return Err(fault(at, &Problem::FrictionArguments { word }));
        }
        let sliding = value(tokens, resisted.word(), errors)?;
        return Ok(Friction { at_rest: None, sliding, region });
    };
    let (first, second) = one_or_two(group, &Problem::FrictionArguments { word: resisted.word() })?;
    tokens.semicolon("the friction", starts_setting, errors)?;
    Ok(match second {
        Some(sliding) => Friction { at_rest: Some(first), sliding, region },
        None => Friction { at_rest: None, sliding: first, region },
    })
}

/// Where `= friction(μ_s, μ)` stands: two coefficients, as if they were a value.
fn assigned_two(mut tokens: Tokens<'_>, word: &str) -> Option<Region> {
    tokens.eat_sign("=")?;
    let at = tokens.eat_word(word)?;
    let (mut inside, around) = tokens.eat_group(Delimiter::Parenthesis)?;
    while !inside.at_end() && !inside.is_sign(",") {
        inside.skip();
    }
    inside.is_sign(",").then(|| at.to(around))
}

fn starts_exchange(tokens: &Tokens<'_>) -> bool {
    let mut next = *tokens;
    next.skip();
    next.eat_group(Delimiter::Bracket);
    tokens.word().is_some() && next.is_sign("<->")
}

/// `name "<->" name`
fn exchange(tokens: &mut Tokens<'_>) -> Parsed<(Ident, Ident)> {
    let first = element(tokens, "a coordinate")?;
    tokens.sign("<->", &format!("`{}`", first.text))?;
    Ok((first, element(tokens, "a coordinate")?))
}

/// `"impacts" [ "{" indexed { "," indexed } [ "," ] "}" ] "=" ( "joint" | "sequential" | "tangential" ) ";"`
pub(super) fn impacts(
    tokens: &mut Tokens<'_>,
    keyword: Region,
    errors: &mut Errors,
) -> Parsed<Impacts> {
    let mut contacts = None;
    if let Some((mut inside, _)) = tokens.eat_group(Delimiter::Brace) {
        let mut listed = Vec::new();
        loop {
            let names = names(&mut inside, "a contact")?;
            listed.extend(names.elements().into_iter().map(|(name, _)| name));
            if inside.eat_sign(",").is_none() || inside.at_end() {
                break;
            }
        }
        if !inside.at_end() {
            return Err(inside.unexpected("`,` between names"));
        }
        contacts = Some(listed);
    }
    tokens.sign("=", "`impacts`")?;
    let kind = match tokens.word() {
        Some(word) if word == "joint" => mechanics::Impacts::Joint,
        Some(word) if word == "sequential" => mechanics::Impacts::Sequential,
        Some(word) if word == "tangential" => mechanics::Impacts::Tangential,
        Some(word) => return Err(fault(tokens.here(), &Problem::UnknownImpacts { word })),
        None => return Err(tokens.expected("`joint`, `sequential` or `tangential`")),
    };
    tokens.skip();
    tokens.semicolon("`impacts`", starts, errors)?;
    Ok(Impacts { keyword, contacts, kind })
}

/// `law = "elastic" | "plastic" | "restitution" "(" expression [ "," expression ] ")" | "poisson" "(" expression ")" |
/// "stronge" "(" expression ")" | "project" | "assign" "{" { assignment ";" } "}"`
pub(super) fn law(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<Law> {
    let start = tokens.here();
    let Some(word) = tokens.word() else { return Err(tokens.expected("a law of impact")) };
    let mut next = *tokens;
    next.skip();
    let kind = match word.as_str() {
        "elastic" => LawKind::Elastic,
        "plastic" => LawKind::Plastic,
        "project" => LawKind::Project,
        "restitution" => restitution(&mut next)?,
        "poisson" => process(&mut next, Restitution::Poisson)?,
        "stronge" => process(&mut next, Restitution::Stronge)?,
        "assign" => {
            let (mut inside, _) = next.braces("`assign`")?;
            let mut assigned = Vec::new();
            assignments(&mut inside, "what is assigned", &mut assigned, errors);
            LawKind::Assign(assigned)
        }
        "reflect" => return Err(fault(start, &Problem::LawOfClaims { law: "reflect" })),
        "corner" => return Err(fault(start, &Problem::LawOfClaims { law: "corner" })),
        _ => return Err(fault(start, &Problem::UnknownLaw { word })),
    };
    without_arguments(&next, word)?;
    *tokens = next;
    Ok(Law { kind, region: start.to(tokens.behind()) })
}

fn without_arguments(tokens: &Tokens<'_>, law: String) -> Parsed<()> {
    if tokens.is_group(Delimiter::Parenthesis) {
        return Err(fault(tokens.here(), &Problem::LawArguments { law }));
    }
    Ok(())
}

/// `under = law | "reflect" | "corner"`, of laws those that a contact need not fill in.
pub(super) fn under(tokens: &mut Tokens<'_>, errors: &mut Errors) -> Parsed<Under> {
    let start = tokens.here();
    let mut next = *tokens;
    next.skip();
    let map = match tokens.word().as_deref() {
        Some("reflect") => Under::Reflect,
        Some("corner") => Under::Corner(start),
        word => {
            if let Some(word @ ("assign" | "poisson" | "stronge")) = word {
                errors.report(start, &Problem::LawOfContacts { law: word.to_owned() });
            }
            return law(tokens, errors).map(Under::Law);
        }
    };
    without_arguments(&next, map.to_string())?;
    *tokens = next;
    Ok(map)
}

/// `"(" expression [ "," expression ] ")"`
fn restitution(tokens: &mut Tokens<'_>) -> Parsed<LawKind> {
    let wrong = Problem::LawArguments { law: "restitution".to_owned() };
    let Some(group) = tokens.eat_group(Delimiter::Parenthesis) else {
        return Err(fault(tokens.behind(), &wrong));
    };
    let (normal, tangential) = one_or_two(group, &wrong)?;
    Ok(LawKind::Restitution(Box::new(normal), tangential.map(Box::new)))
}

/// `"(" expression ")"`
fn process(tokens: &mut Tokens<'_>, restitution: Restitution) -> Parsed<LawKind> {
    let wrong = Problem::LawArguments { law: word_of(restitution).to_owned() };
    let Some(group) = tokens.eat_group(Delimiter::Parenthesis) else {
        return Err(fault(tokens.behind(), &wrong));
    };
    match one_or_two(group, &wrong)? {
        (e, None) => Ok(LawKind::Process(restitution, Box::new(e))),
        _ => Err(fault(tokens.behind(), &wrong)),
    }
}

/// `expression [ "," expression ]`, all that is in the brackets; `wrong` is said where these are fewer or more.
fn one_or_two(
    (mut inside, around): (Tokens<'_>, Region),
    wrong: &Problem,
) -> Parsed<(Expr, Option<Expr>)> {
    if inside.at_end() {
        return Err(fault(around, wrong));
    }
    let first = expression(&mut inside)?;
    if inside.at_end() {
        return Ok((first, None));
    }
    if inside.eat_sign(",").is_none() {
        return Err(inside.unexpected("`)`"));
    }
    if inside.at_end() {
        return Err(fault(around, wrong));
    }
    let second = expression(&mut inside)?;
    if inside.is_sign(",") {
        return Err(fault(around, wrong));
    }
    if !inside.at_end() {
        return Err(inside.unexpected("`)`"));
    }
    Ok((first, Some(second)))
}
