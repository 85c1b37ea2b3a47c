//! Signs between formulas: relations, brackets by their depth, what separates statements.

use super::lex::{Lexeme, Token};

/// A relation between two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `=`, `\equiv`, `\triangleq`, `:=`
    Equal,
    /// `<`
    Less,
    /// `\leq`
    LessEqual,
    /// `>`
    Greater,
    /// `\geq`
    GreaterEqual,
    /// `\approx`: equal to the digits of a number.
    Near,
    /// `\in`: of a subspace, a set or an interval.
    In,
    /// `\notin`: of a kernel.
    NotIn,
    /// `\subseteq`: of subspaces.
    Within,
    /// `\perp`: of subspaces or vectors.
    Orthogonal,
    /// `f : U \to V`
    Takes,
    /// `\mapsto`: what a map or an impact takes something to.
    Maps,
}

/// The relation that stands at a place: no index, such as that of `v_\perp`, and no half of `:=` is one.
pub(super) fn relation_at(lexemes: &[Lexeme], place: usize) -> Option<Relation> {
    let token = |place: usize| lexemes.get(place).map(|lexeme| &lexeme.token);
    if place.checked_sub(1).and_then(token).is_some_and(|t| matches!(t, Token::Sign('_' | '^'))) {
        return None;
    }
    let found = token(place)?;
    if *found == Token::Sign(':') && token(place + 1) != Some(&Token::Sign('=')) {
        return Some(Relation::Takes);
    }
    relation(found)
}

/// The relation of a lexeme by itself.
pub(super) fn relation(token: &Token) -> Option<Relation> {
    // table
    Some(match token {
        Token::Sign('=') => Relation::Equal,
        Token::Sign('<') => Relation::Less,
        Token::Sign('>') => Relation::Greater,
        Token::Command(command) => match command.as_str() {
            "equiv" | "triangleq" | "coloneqq" | "doteq" => Relation::Equal,
            "lt" => Relation::Less,
            "gt" => Relation::Greater,
            "le" | "leq" | "leqslant" => Relation::LessEqual,
            "ge" | "geq" | "geqslant" => Relation::GreaterEqual,
            "approx" | "simeq" => Relation::Near,
            "in" => Relation::In,
            "notin" => Relation::NotIn,
            "perp" => Relation::Orthogonal,
            "subset" | "subseteq" => Relation::Within,
            "mapsto" => Relation::Maps,
            _ => return None,
        },
        _ => return None,
    })
}

/// Depth of brackets and environments, by which separators are told from commas in lists.
pub(super) fn deepened(depth: usize, token: &Token) -> usize {
    match token {
        Token::Open | Token::Begin(_) | Token::Sign('(' | '[') => depth + 1,
        Token::Command(command) if command == "langle" => depth + 1,
        Token::Command(command) if command == "rangle" => depth.saturating_sub(1),
        Token::Close | Token::End(_) | Token::Sign(')' | ']') => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Whether a lexeme stands between statements.
pub(super) fn separates(token: &Token) -> bool {
    matches!(token, Token::Gap | Token::Break | Token::Sign(',' | ';' | '.' | '&'))
}
