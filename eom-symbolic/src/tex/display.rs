//! A display: chains of members a = b = c, a row or several.
//!
//! A row that begins with a sign of relation goes on with the chain above; one that begins with `+` or `-`, or
//! follows a row that ends in an operator, goes on with its formula.

use super::lex::{Lexeme, Token, lex};
use super::parse::Parser;
use super::phrase::{self, Phrases};
use super::signs::{Relation, deepened, relation, relation_at, separates};
use super::tree::{Key, Node, NodeKind, Symbol};
use super::{MistakeKind, Parsed, mistake};

/// A member of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// What it is.
    pub node: Node,
    /// As printed, without alignment.
    pub printed: String,
}

/// Members with the relations between them: one fewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The members.
    pub members: Vec<Member>,
    /// The relations.
    pub relations: Vec<Relation>,
}

/// What a text states.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Display {
    /// Its chains.
    pub chains: Vec<Chain>,
    /// The places of the statements that are taken as given.
    pub given: Vec<usize>,
}

/// Reads a display with the phrases of a notation.
///
/// # Errors
/// Where something in it cannot be read.
pub fn read(text: &str, phrases: &Phrases) -> Result<Display, super::Mistake> {
    let mut display = Display::default();
    let stated = without_given(&lex(text)?, phrases, &mut display.given);
    for piece in statements(&stated) {
        display.chains.push(chain(&piece, text, phrases)?);
    }
    share(&mut display.chains);
    match display.chains.iter().find(|chain| chain.relations.is_empty()) {
        Some(Chain { members, .. }) => {
            let at = members.first().map_or(0..text.len(), |member| member.node.at.clone());
            mistake(at, MistakeKind::NoRelation)
        }
        None if display.chains.is_empty() => {
            let given = !display.given.is_empty();
            let kind = if given { MistakeKind::OnlyGiven } else { MistakeKind::NoRelation };
            mistake(0..text.len(), kind)
        }
        None => Ok(display),
    }
}

/// The lexemes without the statements that are given; the places of these among the phrases.
fn without_given(lexemes: &[Lexeme], phrases: &Phrases, given: &mut Vec<usize>) -> Vec<Lexeme> {
    let mut kept: Vec<Lexeme> = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(lexeme) = lexemes.get(at) {
        let begins = kept.last().is_none_or(|last| separates(&last.token));
        let found = phrases.given_at(&lexemes[at..]).filter(|_| depth == 0 && begins);
        if let Some((place, length)) = found {
            given.push(place);
            at += length;
            continue;
        }
        depth = deepened(depth, &lexeme.token);
        kept.push(lexeme.clone());
        at += 1;
    }
    kept
}

/// `u, v > 0` is u > 0 and v > 0, `x, y \in S` the same.
fn share(chains: &mut [Chain]) {
    for place in (1..chains.len()).rev() {
        let (before, after) = chains.split_at_mut(place);
        let (Some(first), Some(next)) = (before.last_mut(), after.first()) else { continue };
        let equal = |relation: &Relation| matches!(relation, Relation::Equal | Relation::Near);
        if first.relations.is_empty() && !next.relations.iter().any(equal) {
            first.relations.clone_from(&next.relations);
            first.members.extend(next.members.iter().skip(1).cloned());
        }
    }
}

/// Reads what a notation explains.
///
/// # Errors
/// Where it is no symbol.
pub fn read_key(text: &str) -> Result<Key, super::Mistake> {
    let lexemes = lex(text)?;
    let dots: Vec<&Token> = lexemes.iter().map(|lexeme| &lexeme.token).collect();
    let cdot = Token::Command("cdot".to_owned());
    if dots == [&Token::Sign('['), &cdot, &Token::Sign(','), &cdot, &Token::Sign(']')] {
        return Ok(Key::Bracket);
    }
    if dots == [&Token::Command("perp".to_owned())] {
        return Ok(Key::Orthogonal);
    }
    let mut parser = Parser::new(&lexemes, text.len(), &phrase::NONE);
    if let Some(over) = region(&mut parser) {
        return Ok(Key::Region(over));
    }
    parser.back_to(0);
    let node = parser.product();
    match node.map(|node| node.kind) {
        Ok(NodeKind::Symbol(symbol)) if parser.at_end() => Ok(Key::Symbol(symbol)),
        Ok(NodeKind::Applied(symbol, arguments)) if parser.at_end() => {
            let arguments = Node::arguments(&arguments, text);
            Ok(Key::Applied(symbol, arguments))
        }
        _ => phrase::piece(text).map(|_| Key::Phrase(phrase::spelled(text))),
    }
}

/// The region of `\int_R dR`, if that is all there is.
fn region(parser: &mut Parser<'_>) -> Option<Symbol> {
    if !(parser.eat_command("int") && parser.eat('_')) {
        return None;
    }
    let NodeKind::Symbol(over) = parser.script().ok()?.kind else { return None };
    let same = parser.eat_d() && parser.symbol().ok()? == over;
    (same && parser.at_end()).then_some(over)
}

/// The lexemes of each statement, without alignment and breaks.
fn statements(lexemes: &[Lexeme]) -> Vec<Vec<Lexeme>> {
    let mut found: Vec<Vec<Lexeme>> = vec![Vec::new()];
    let mut depth = 0;
    for (place, lexeme) in lexemes.iter().enumerate() {
        let ends = depth == 0
            && match &lexeme.token {
                Token::Break => ends_statement(
                    found.last().map_or(&[][..], Vec::as_slice),
                    &lexemes[place + 1..],
                ),
                Token::Gap | Token::Sign(',' | ';' | '.') => true,
                _ => false,
            };
        depth = deepened(depth, &lexeme.token);
        let sets_type = depth == 0 && matches!(lexeme.token, Token::Break | Token::Sign('&'));
        if ends {
            if found.last().is_some_and(|last| !last.is_empty()) {
                found.push(Vec::new());
            }
        } else if !sets_type && let Some(last) = found.last_mut() {
            last.push(lexeme.clone());
        }
    }
    found.retain(|statement| !statement.is_empty() && !is_number_of_equation(statement));
    found
}

/// `(12)` or `(2.10)` behind a display, as some set the number of an equation.
fn is_number_of_equation(statement: &[Lexeme]) -> bool {
    let tokens: Vec<&Token> = statement.iter().map(|lexeme| &lexeme.token).collect();
    matches!(tokens.as_slice(), [Token::Sign('('), Token::Number(_), Token::Sign(')')])
}

/// Whether a break ends a statement: there is a relation before it, and another formula begins behind it.
fn ends_statement(before: &[Lexeme], behind: &[Lexeme]) -> bool {
    let operator = |token: &Token| match token {
        Token::Sign('+' | '-' | '=' | '<' | '>' | '/' | '*') => true,
        Token::Command(command) => {
            matches!(command.as_str(), "cdot" | "times" | "oplus" | "cap")
                || relation(token).is_some()
        }
        _ => false,
    };
    let first = behind.iter().map(|lexeme| &lexeme.token).find(|token| **token != Token::Sign('&'));
    let related = (0..before.len()).any(|place| relation_at(before, place).is_some());
    let open = before.last().is_some_and(|last| operator(&last.token));
    // A row that begins with a sign goes on, unless it is an equation of its own.
    let goes_on = first.is_none_or(|token| match token {
        Token::Sign('+' | '-') => !begins_equation(behind),
        other => operator(other),
    });
    // A row without a relation goes on with the one above.
    related && !open && !goes_on && begins_equation(behind)
}

/// Whether a relation stands in the row, not at its beginning.
fn begins_equation(row: &[Lexeme]) -> bool {
    let mut depth = 0;
    let mut first = true;
    for (place, lexeme) in row.iter().enumerate() {
        if depth == 0 && lexeme.token == Token::Break {
            return false;
        }
        if depth == 0 && relation_at(row, place).is_some() {
            return !first;
        }
        depth = deepened(depth, &lexeme.token);
        first &= lexeme.token == Token::Sign('&');
    }
    false
}

fn chain(lexemes: &[Lexeme], text: &str, phrases: &Phrases) -> Parsed<Chain> {
    let mut found = Chain { members: Vec::new(), relations: Vec::new() };
    let mut depth = 0;
    let mut start = 0;
    for (place, lexeme) in lexemes.iter().enumerate() {
        let between = relation_at(lexemes, place).filter(|_| depth == 0);
        depth = deepened(depth, &lexeme.token);
        if let Some(relation) = between {
            // `:=`
            let end =
                place - usize::from(place > start && lexemes[place - 1].token == Token::Sign(':'));
            found.members.push(member(&lexemes[start..end], text, lexeme.at.start, phrases)?);
            found.relations.push(relation);
            start = place + 1;
        }
    }
    let end = lexemes.last().map_or(text.len(), |last| last.at.end);
    found.members.push(member(&lexemes[start..], text, end, phrases)?);
    Ok(found)
}

fn member(lexemes: &[Lexeme], text: &str, end: usize, phrases: &Phrases) -> Parsed<Member> {
    let mut parser = Parser::new(lexemes, end, phrases);
    let node = parser.member()?;
    if !parser.at_end() {
        let at = parser.here();
        return match parser.peek() {
            Some(Token::Command(command)) => mistake(at, MistakeKind::Command(command.clone())),
            _ => mistake(at, MistakeKind::Expected("an operator or the end of the formula")),
        };
    }
    let bytes = lexemes.first().map_or(0, |first| first.at.start)
        ..lexemes.last().map_or(0, |last| last.at.end);
    let printed = text.get(bytes).unwrap_or_default();
    Ok(Member { node, printed: unaligned(printed) })
}

/// A formula without what aligned it with others, white space made one space.
fn unaligned(printed: &str) -> String {
    let in_environment = printed.contains(r"\begin");
    let printed = if in_environment {
        printed.to_owned()
    } else {
        printed.replace(r"\\", " ").replace('&', " ")
    };
    printed.split_whitespace().collect::<Vec<_>>().join(" ")
}
