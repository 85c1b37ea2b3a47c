//! What functions and derivatives without brackets act on.
//!
//! A function takes what is printed as one product of constants and what they stand before: `\sin n\theta\cos\phi` is
//! sin(nθ)·cos(φ), `\cos\omega t + \phi` is cos(ωt) + φ, `\cos\psi\gamma_x` is cos(ψ)·γ_x, since an angle ends it, and
//! `\sin x\,y` is sin(x)·y, since a space does. Which symbols are constants, who declares says. A derivative takes one power:
//! `\frac{d}{dt} x^2` is that of x². Where more follows that may belong to it, as in `\sin xy` and `\frac{d}{dt} m\dot{x}`,
//! brackets have to say so.

use super::letters::{DOTTED, begins_symbol, function};
use super::lex::Token;
use super::parse::Parser;
use super::tree::{Node, NodeKind};
use super::{MistakeKind, Parsed, mistake};

impl Parser<'_> {
    /// What a function is of.
    pub(super) fn arguments_of(&mut self, command: &str) -> Parsed<Vec<Node>> {
        if self.peek_is(&Token::Sign('(')) {
            return self.list(')', "(");
        }
        if self.peek_is(&Token::Sign('[')) {
            return self.list(']', "[");
        }
        if let Some(list) = self.list_in_braces()? {
            return Ok(list);
        }
        Ok(vec![self.argument_of(command)?])
    }

    /// What a function without brackets is of.
    fn argument_of(&mut self, command: &str) -> Parsed<Node> {
        let (first, at) = (self.mark_here(), self.here());
        let unclear = || MistakeKind::Argument(command.to_owned());
        let Some((factors, ends)) = self.side_by_side()? else {
            return mistake(self.since(first), unclear());
        };
        if factors.is_empty() {
            return mistake(at, unclear());
        }
        let apart = self.is_spaced() || self.begins_sign_of_product();
        let more = !ends && (self.goes_on() || self.begins_sign_of_product());
        // `\sin\theta/2` may be half a sine, `\sin\theta t` that of θ t.
        let is_open = self.peek_is(&Token::Letter('t')) || self.peek_is(&Token::Sign('/'));
        if is_open || more && !apart {
            return mistake(self.since(first), unclear());
        }
        if let ([one], false) = (factors.as_slice(), more) {
            return Ok(one.clone());
        }
        let function = command.to_owned();
        Ok(self.node(NodeKind::Argument { function, factors, more }, first))
    }

    /// The factors that may be one argument, and whether the last of them ends it, whatever follows; none where braces hold a
    /// sum, which are not printed.
    fn side_by_side(&mut self) -> Parsed<Option<(Vec<Node>, bool)>> {
        let mut factors: Vec<Node> = Vec::new();
        loop {
            let numbers = factors.iter().all(|factor| matches!(factor.kind, NodeKind::Number(_)));
            let apart =
                !factors.is_empty() && self.is_spaced() && !self.peek_is(&Token::Letter('t'));
            let begins = if numbers { self.begins_atom() } else { self.begins_symbol_or_number() };
            if apart || !begins || self.begins_function() || !(numbers || self.goes_on()) {
                return Ok(Some((factors, false)));
            }
            let in_braces = self.peek_is(&Token::Open);
            let factor = self.power(false)?;
            let ends = ends_argument(&factor);
            match factor.kind {
                NodeKind::Sum(_) if in_braces => return Ok(None),
                NodeKind::Product(parts) if parts.iter().all(|(divides, _)| !divides) => {
                    factors.extend(parts.into_iter().map(|(_, part)| part));
                }
                _ => factors.push(factor),
            }
            if ends {
                return Ok(Some((factors, true)));
            }
        }
    }

    fn begins_symbol_or_number(&self) -> bool {
        match self.peek() {
            Some(Token::Letter(_) | Token::Number(_)) => true,
            Some(Token::Command(command)) => begins_symbol(command),
            _ => false,
        }
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
            None => {
                let in_braces = self.peek_is(&Token::Open);
                let of = self.power(false)?;
                let open = self.begins_atom() || self.begins_sign_of_product();
                (of, open || in_braces && self.joined)
            }
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

    pub(super) fn begins_sign_of_product(&self) -> bool {
        match self.peek() {
            Some(Token::Sign('/' | '*')) => true,
            Some(Token::Command(command)) => matches!(command.as_str(), "cdot" | "times" | "circ"),
            _ => false,
        }
    }
}

/// Whether an argument ends behind a factor, whatever follows: an angle is an argument by itself, a number, a frequency, a
/// wave number or a Latin letter is as well a factor of one.
fn ends_argument(last: &Node) -> bool {
    match &last.kind {
        NodeKind::Symbol(symbol) | NodeKind::Applied(symbol, _) => {
            let is_greek = |c: char| ('\u{370}'..'\u{400}').contains(&c);
            let is_factor = |c: char| matches!(c, 'π' | 'ω' | 'Ω' | 'κ' | 'λ' | 'ν');
            symbol.dots > 0 || symbol.letter.chars().any(|c| is_greek(c) && !is_factor(c))
        }
        NodeKind::Power(base, _) | NodeKind::Root(base) => ends_argument(base),
        NodeKind::Number(_) => false,
        NodeKind::Product(factors) => factors.iter().any(|(_, factor)| ends_argument(factor)),
        _ => true,
    }
}
