//! Signs between formulas: relations, brackets by their depth, what separates statements.

use super::lex::Token;

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
    /// `\in`: of a kernel or an interval.
    In,
    /// `\subseteq`: of kernels.
    Within,
    /// `\mapsto`: what an impact takes something to.
    Maps,
}

/// The relation of a lexeme.
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
