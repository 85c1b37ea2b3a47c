//! Pieces of print that a notation explains as a whole, and statements that it takes as given.
//!
//! A paper's `\frac{\partial L}{\partial x}(x(t), \dot{x}(t))` is one thing, and `t \in [t_1, t_2]` says what a letter
//! ranges over. Both are found by their lexemes, so that white space and sizes do not matter.

use super::lex::{Lexeme, Token, lex};
use super::signs::{deepened, relation, separates};
use super::{MistakeKind, Parsed, mistake};

/// The pieces and the statements of a notation.
#[derive(Debug, Clone, Default)]
pub struct Phrases {
    pieces: Vec<(Vec<Token>, String)>,
    given: Vec<Vec<Token>>,
}

/// A notation without any.
pub(super) static NONE: Phrases = Phrases { pieces: Vec::new(), given: Vec::new() };

impl Phrases {
    /// A piece that is explained; its spelling is that of its key.
    ///
    /// # Errors
    /// Where it cannot be one.
    pub fn explain(&mut self, text: &str) -> Result<(), super::Mistake> {
        let tokens = piece(text)?;
        self.pieces.push((tokens, spelled(text)));
        Ok(())
    }

    /// A statement that is no claim.
    ///
    /// # Errors
    /// Where it cannot be taken apart.
    pub fn give(&mut self, text: &str) -> Result<(), super::Mistake> {
        let tokens = tokens(text)?;
        self.given.push(tokens);
        Ok(())
    }

    /// The longest piece that begins here, and how many lexemes it has.
    ///
    /// A script behind a piece belongs to its last symbol, so that it is another piece.
    pub(super) fn at(&self, lexemes: &[Lexeme]) -> Option<(&str, usize)> {
        let begins = |(tokens, _): &&(Vec<Token>, String)| {
            let found = lexemes.iter().map(|lexeme| &lexeme.token);
            let next = lexemes.get(tokens.len()).map(|lexeme| &lexeme.token);
            tokens.len() <= lexemes.len()
                && tokens.iter().eq(found.take(tokens.len()))
                && (tokens.len() == 1 || !matches!(next, Some(Token::Sign('^' | '_' | '\''))))
        };
        let longest = self.pieces.iter().filter(begins).max_by_key(|(tokens, _)| tokens.len());
        longest.map(|(tokens, text)| (text.as_str(), tokens.len()))
    }

    /// The statement that is given here, by its place, and how many lexemes it has; it ends where statements do.
    pub(super) fn given_at(&self, lexemes: &[Lexeme]) -> Option<(usize, usize)> {
        let mut found =
            self.given.iter().enumerate().map(|(place, tokens)| (place, length(tokens, lexemes)));
        found.find_map(|(place, length)| Some((place, length?)))
    }
}

/// How many lexemes a statement has where it begins here and ends as statements do; what aligns it is passed over.
fn length(tokens: &[Token], lexemes: &[Lexeme]) -> Option<usize> {
    let mut at = 0;
    for token in tokens {
        while *token != Token::Sign('&') && lexemes.get(at)?.token == Token::Sign('&') {
            at += 1;
        }
        if lexemes.get(at)?.token != *token {
            return None;
        }
        at += 1;
    }
    let ends = lexemes
        .get(at)
        .is_none_or(|next| separates(&next.token) || matches!(next.token, Token::End(_)));
    (ends && !tokens.is_empty()).then_some(at)
}

/// The lexemes of a text, without those that only align it.
fn tokens(text: &str) -> Parsed<Vec<Token>> {
    let mut depth = 0;
    let mut found = Vec::new();
    for lexeme in lex(text)? {
        depth = deepened(depth, &lexeme.token);
        if depth > 0 || !matches!(lexeme.token, Token::Sign('&') | Token::Break) {
            found.push(lexeme.token);
        }
    }
    Ok(found)
}

/// A key in one spelling.
pub(super) fn spelled(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The lexemes of a piece: it stands where a factor may, so that no sum and no relation is one.
pub(super) fn piece(text: &str) -> Parsed<Vec<Token>> {
    let found = tokens(text)?;
    let mut depth = 0;
    let mut whole = !matches!(found.first(), None | Some(Token::Number(_)));
    for (place, token) in found.iter().enumerate() {
        let joins =
            matches!(token, Token::Gap | Token::Sign('+' | '-' | '/' | '*' | ',' | ';' | '.'));
        let before = place.checked_sub(1).and_then(|before| found.get(before));
        let is_script = matches!(before, Some(Token::Sign('_' | '^')));
        let relates = relation(token).is_some() && !is_script;
        whole &= depth > 0 || !(joins || relates);
        let closes = matches!(token, Token::Close | Token::End(_) | Token::Sign(')' | ']'));
        whole &= depth > 0 || !closes;
        depth = deepened(depth, token);
    }
    if whole && depth == 0 {
        return Ok(found);
    }
    mistake(0..text.len(), MistakeKind::NotASymbol)
}
