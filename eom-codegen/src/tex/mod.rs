//! Claims in LaTeX become claims of the language: what their symbols mean is looked up in the notation and among
//! the declared names, and each link a = b of a display becomes a row.
//!
//! ```text
//! claim d2_5: tex r"a = b = c";      →      claim d2_5a: a = b;   claim d2_5b: b = c;
//! ```
//!
//! Nothing is guessed: a symbol that is neither explained nor declared is a mistake at its place, and so is one that
//! is both. Of an erratum the links that print and correction share are claims, the others are errata.

mod arguments;
mod fault;
mod forms;
mod lists;
mod names;
mod reader;
mod relations;
mod spaces;

use crate::ast::{
    Assignment, Claim, Docs, Equation, Erratum, Expr, Ident, Motion, Statement, System, Tex,
    TexClaim, TexText,
};
use crate::diagnostic::{Errors, Problem};
use eom_symbolic::tex::{Chain, Display, Mark, Member, Node, NodeKind, Relation, Symbol, read};
use fault::{Fault, Read};
use names::Names;
use reader::Reader;

/// A link of a display: an equation and what is printed of it.
#[derive(Debug)]
struct Link {
    equation: Equation,
    printed: String,
    /// The entries of the notation that were used, and those of them that are readings.
    used: (Vec<String>, Vec<String>),
}

impl Link {
    /// What the row of the link keeps of the string.
    fn tex(&self, whole: &TexText) -> Tex {
        let (notation, readings) = self.used.clone();
        let (whole, printed) = (whole.text.clone(), self.printed.clone());
        Tex { whole, printed, corrected: String::new(), notation, readings }
    }
}

/// Puts the rows of all claims in LaTeX among the others.
pub(crate) fn expand(system: &mut System, errors: &mut Errors) {
    if system.printed.is_empty() && system.notation.is_empty() {
        return;
    }
    let printed = std::mem::take(&mut system.printed);
    let names = Names::collect(system, errors);
    let (mut claims, mut errata) = (Vec::new(), Vec::new());
    for claim in &printed {
        rows(claim, &names, (&mut claims, &mut errata), errors);
    }
    system.claims.extend(claims);
    system.errata.extend(errata);
    system.printed = printed;
}

/// The rows of one claim.
fn rows(
    claim: &TexClaim,
    names: &Names<'_>,
    (claims, errata): (&mut Vec<Claim>, &mut Vec<Erratum>),
    errors: &mut Errors,
) {
    if let Some(constants) = &claim.motion {
        claims.extend(motion(claim, constants, names, errors));
        return;
    }
    let Some(printed) = links(claim, &claim.printed, names, errors) else { return };
    let count = printed.len();
    let Some(correction) = &claim.corrected else {
        claims.extend(printed.into_iter().enumerate().map(|(place, link)| {
            let tex = link.tex(&claim.printed);
            row(claim, (place, count), claim.docs.clone(), Statement::Equation(link.equation), tex)
        }));
        return;
    };
    let Some(corrected) = links(claim, correction, names, errors) else { return };
    if count != corrected.len() {
        let problem = Problem::RowsDiffer { printed: count, corrected: corrected.len() };
        errors.report(correction.region(), &problem);
        return;
    }
    if printed.iter().zip(&corrected).all(|(print, right)| print.printed == right.printed) {
        let name = claim.name.text.clone();
        errors.report(correction.region(), &Problem::NothingCorrected { name });
        return;
    }
    for (place, (print, right)) in printed.into_iter().zip(corrected).enumerate() {
        let tex = print.tex(&claim.printed);
        if print.printed == right.printed {
            let statement = Statement::Equation(print.equation);
            claims.push(row(claim, (place, count), Docs::new(), statement, tex));
            continue;
        }
        errata.push(Erratum {
            docs: claim.docs.clone(),
            name: numbered(&claim.name, place, count),
            place: claim.place.clone(),
            printed: print.equation,
            corrected: right.equation,
            tex: Some(Tex { corrected: right.printed, ..tex }),
        });
    }
}

fn row(
    claim: &TexClaim,
    (place, count): (usize, usize),
    docs: Docs,
    statement: Statement,
    tex: Tex,
) -> Claim {
    Claim {
        docs,
        name: numbered(&claim.name, place, count),
        place: claim.place.clone(),
        statement,
        region: claim.printed.region(),
        tex: Some(tex),
    }
}

/// `d2_5b`: the second of several rows. Behind the letters two stand: `z`, `za`.
fn numbered(name: &Ident, place: usize, count: usize) -> Ident {
    if count < 2 {
        return name.clone();
    }
    let letter = char::from(b'a' + u8::try_from(place % 26).unwrap_or_default());
    let more = "z".repeat(place / 26);
    Ident { text: format!("{}{more}{letter}", name.text), region: name.region }
}

/// The links of a string.
fn links(
    claim: &TexClaim,
    text: &TexText,
    names: &Names<'_>,
    errors: &mut Errors,
) -> Option<Vec<Link>> {
    let mut reader = Reader::new(names, claim.within.as_ref(), text, &[]);
    let found = display(claim, text, names).and_then(|(display, given)| {
        let mut links = Vec::new();
        let mut before: Option<&Chain> = None;
        for chain in &display.chains {
            reader.note_given(given.iter().copied());
            chain_links(chain, (claim.branch, before.and_then(map)), &mut reader, &mut links)?;
            before = Some(chain);
        }
        Ok(links)
    });
    told(found, text, errors)
}

/// The string taken apart, and the entries of the notation that it is given by.
fn display(claim: &TexClaim, text: &TexText, names: &Names<'_>) -> Read<(Display, Vec<usize>)> {
    let (phrases, entries) = names.phrases(claim.within.as_ref());
    let display = read(&text.text, &phrases).map_err(|m| Fault::unread(m, &text.text))?;
    let given = display.given.iter().filter_map(|place| entries.get(*place).copied()).collect();
    Ok((display, given))
}

/// What was read; a mistake is reported at its place.
fn told<T>(found: Read<T>, text: &TexText, errors: &mut Errors) -> Option<T> {
    found.map_err(|fault| errors.report(text.place(&fault.at), &fault.problem)).ok()
}

/// The map of `f : U \to V`; a statement `v \mapsto a` behind it says what f makes of v.
fn map(chain: &Chain) -> Option<&Node> {
    let is_map = chain.relations.first() == Some(&Relation::Takes);
    chain.members.first().filter(|_| is_map).map(|member| &member.node)
}

/// a = b = c is a = b and b = c; with `^\pm` in it each is two.
fn chain_links(
    chain: &Chain,
    (branch, map): (Option<usize>, Option<&Node>),
    reader: &mut Reader<'_>,
    links: &mut Vec<Link>,
) -> Read<()> {
    reader.note_variables(chain.members.iter().map(|member| &member.node));
    for (pair, relation) in chain.members.windows(2).zip(&chain.relations) {
        let [left, right] = pair else { continue };
        let sides = if has_both(&left.node) || has_both(&right.node) {
            vec![Some(Mark::Plus), Some(Mark::Minus)]
        } else {
            vec![None]
        };
        for side in sides {
            reader.side = side;
            for (left, right) in branches(left, right, branch)? {
                let (l, r) = (sized(&left.printed), sized(&right.printed));
                let printed = format!("{l} {} {r}", relations::sign(*relation));
                let equations = match map.filter(|_| *relation == Relation::Maps) {
                    Some(map) => relations::mapped(map, &left.node, &right.node, reader)?,
                    None => relations::equations(&left.node, *relation, &right.node, reader)?,
                };
                let used = reader.take_used();
                let link =
                    |equation| Link { equation, printed: printed.clone(), used: used.clone() };
                links.extend(equations.into_iter().map(link));
            }
        }
        reader.side = None;
    }
    Ok(())
}

/// A member with the `\left` before its first bracket, which stands before its first lexeme.
fn sized(printed: &str) -> String {
    // `\rightarrow` is another word.
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphabetic());
    let count = |word: &str| printed.split(word).skip(1).filter(|rest| ends(rest)).count();
    if count(r"\right") > count(r"\left") {
        return format!(r"\left{printed}");
    }
    printed.to_owned()
}

/// The equation once for each branch of `cases` that is stated.
fn branches(left: &Member, right: &Member, branch: Option<usize>) -> Read<Vec<(Member, Member)>> {
    let NodeKind::Cases(cases) = &right.node.kind else {
        return Ok(vec![(left.clone(), right.clone())]);
    };
    let unexplained = || {
        let what = "a branch holds where no state drawn at random is";
        let help = "write `cases 1 tex r\"…\"` to state the first branch";
        Fault::unexplained(right.node.at.clone(), what, help)
    };
    let chosen: Vec<&(Node, bool)> = match branch {
        Some(number) => cases.iter().skip(number.saturating_sub(1)).take(1).collect(),
        None if cases.iter().all(|(_, usual)| *usual) => cases.iter().collect(),
        None => return Err(unexplained()),
    };
    if chosen.is_empty() {
        return Err(unexplained());
    }
    let row = |(node, _): &(Node, bool)| {
        (left.clone(), Member { node: node.clone(), printed: right.printed.clone() })
    };
    Ok(chosen.into_iter().map(row).collect())
}

/// Whether a symbol with `^\pm` stands in it.
fn has_both(node: &Node) -> bool {
    let mut found = false;
    forms::for_symbols(node, &mut |symbol: &Symbol| found |= symbol.mark == Mark::Both);
    found
}

/// A motion in closed form: a chain for each coordinate, each a row of the same statement.
fn motion(
    claim: &TexClaim,
    constants: &[Ident],
    names: &Names<'_>,
    errors: &mut Errors,
) -> Vec<Claim> {
    let text = &claim.printed;
    let mut reader = Reader::new(names, claim.within.as_ref(), text, constants);
    let components = display(claim, text, names).and_then(|(display, given)| {
        reader.note_given(given);
        display.chains.iter().map(|chain| component(chain, &mut reader)).collect::<Read<Vec<_>>>()
    });
    let Some(components) = told(components, text, errors) else { return Vec::new() };
    let components = components.concat();
    let (notation, readings) = reader.take_used();
    let count = components.len();
    let assigned: Vec<Assignment> = components
        .iter()
        .flat_map(|(targets, values, _)| targets.iter().zip(values))
        .map(|(target, value)| Assignment { target: target.clone(), value: value.clone() })
        .collect();
    let each = components.into_iter().enumerate().map(|(place, (.., printed))| {
        let tex = Tex {
            whole: text.text.clone(),
            printed,
            corrected: String::new(),
            notation: notation.clone(),
            readings: readings.clone(),
        };
        let statement = Motion { constants: constants.to_vec(), components: assigned.clone() };
        row(claim, (place, count), claim.docs.clone(), Statement::Motion(statement), tex)
    });
    each.collect()
}

type Component = (Vec<Ident>, Vec<Expr>, String);

/// `x(t) = …`, or a vector of coordinates; further members are rows of the same motion.
fn component(chain: &Chain, reader: &mut Reader<'_>) -> Read<Vec<Component>> {
    let Some((first, rest)) = chain.members.split_first() else { return Ok(Vec::new()) };
    let targets = reader.targets(&first.node)?;
    let member = |member: &Member| {
        let values = reader.values(&member.node, targets.len())?;
        Ok((targets.clone(), values, format!("{} = {}", first.printed, member.printed)))
    };
    // The motion is that of the first member behind the coordinate.
    rest.iter().take(1).map(member).collect()
}
