//! What functions and derivatives without brackets act on.
//!
//! A function takes the number and the one symbol behind it: `\sin 2\theta\cos\phi` is sin(2θ)·cos(φ), `\cos\psi\gamma_x` is
//! cos(ψ)·γ_x. A derivative takes one power: `\frac{d}{dt} x^2` is that of x². Where more follows that may belong to it, as in
//! `\sin kx` and `\frac{d}{dt} m\dot{x}`, brackets have to say so.

use super::letters::DOTTED;
use super::lex::Token;
use super::parse::{Parser, function};
use super::tree::{Node, NodeKind};
use super::{MistakeKind, Parsed, mistake};

impl Parser<'_> {
    /// What a function is of.
    pub(super) fn arguments_of(&mut self, name: &str) -> Parsed<Vec<Node>> {
        if self.peek_is(&Token::Sign('(')) {
            return self.list(')', "(");
        }
        if self.peek_is(&Token::Sign('[')) {
            return self.list(']', "[");
        }
        let first = self.mark_here();
        let at = self.here();
        let mut factors = Vec::new();
        if let Some(Token::Number(_)) = self.peek() {
            factors.push((false, self.power(false)?));
        }
        if self.begins_atom() && !self.begins_function() {
            factors.push((false, self.power(false)?));
        }
        let Some((_, last)) = factors.last() else {
            return mistake(at, MistakeKind::Argument(name.to_owned()));
        };
        if self.peek_is(&Token::Letter('t')) || !ends_argument(last) && self.goes_on() {
            return mistake(self.since(first), MistakeKind::Argument(name.to_owned()));
        }
        Ok(vec![self.folded(factors, first)])
    }

    fn begins_function(&self) -> bool {
        matches!(self.peek(), Some(Token::Command(command)) if function(command).is_some())
    }

    /// Whether a factor follows that may stand in the argument: not another function, and nothing with dots.
    fn goes_on(&self) -> bool {
        let dotted = |command: &str| DOTTED.iter().any(|row| row.0 == command);
        let is_dotted = matches!(self.peek(), Some(Token::Command(command)) if dotted(command));
        self.begins_atom() && !self.begins_function() && !is_dotted
    }

    /// What stands behind `\frac{d}{dt}`: brackets, or one power.
    pub(super) fn differentiated(&mut self) -> Parsed<Node> {
        let first = self.mark_here();
        let close = match self.peek() {
            Some(Token::Sign('(')) => Some(')'),
            Some(Token::Sign('[')) => Some(']'),
            _ => None,
        };
        let (of, open) = match close {
            Some(close) => (self.one_in_brackets(close)?, self.peek_is(&Token::Sign('^'))),
            None => (self.power(false)?, self.begins_atom() || self.begins_sign_of_product()),
        };
        if open {
            return mistake(self.since(first), MistakeKind::Derivative);
        }
        Ok(of)
    }

    fn one_in_brackets(&mut self, close: char) -> Parsed<Node> {
        let at = self.here();
        let mut inside = self.list(close, "(")?;
        match (inside.len(), inside.pop()) {
            (1, Some(one)) => Ok(one),
            _ => mistake(at, MistakeKind::Expected("one formula")),
        }
    }

    fn begins_sign_of_product(&self) -> bool {
        match self.peek() {
            Some(Token::Sign('/' | '*')) => true,
            Some(Token::Command(command)) => matches!(command.as_str(), "cdot" | "times" | "circ"),
            _ => false,
        }
    }
}

/// Whether an argument ends behind a factor, whatever follows: an angle is an argument by itself, a number, a frequency or
/// a Latin letter is as well a factor of one.
fn ends_argument(last: &Node) -> bool {
    match &last.kind {
        NodeKind::Symbol(symbol) => {
            let is_greek = |c: char| ('\u{370}'..'\u{400}').contains(&c);
            symbol.dots > 0
                || symbol.letter.chars().any(is_greek)
                    && !matches!(symbol.letter.as_str(), "π" | "ω" | "Ω")
        }
        NodeKind::Power(base, _) => ends_argument(base),
        NodeKind::Number(_) => false,
        NodeKind::Product(factors) => factors.iter().any(|(_, factor)| ends_argument(factor)),
        _ => true,
    }
}
