//! Symbols: a letter in its font and accent, dots, primes, index, mark.

use super::letters::{DOTTED, DRESSED, greek};
use super::lex::Token;
use super::parse::Parser;
use super::tree::{Mark, Symbol};
use super::{MistakeKind, Parsed, mistake};

impl Parser<'_> {
    /// A symbol with all that belongs to it.
    pub(super) fn symbol(&mut self) -> Parsed<Symbol> {
        let mut symbol = self.letter()?;
        loop {
            if self.eat('\'') {
                symbol.primes = symbol.primes.saturating_add(1);
            } else if symbol.index.is_empty() && self.eat('_') {
                symbol.index = self.index()?;
            } else if symbol.mark == Mark::None
                && let Some(mark) = self.mark()
            {
                symbol.mark = mark;
                self.pass_script();
            } else if let Some(primes) = self.primes() {
                symbol.primes = symbol.primes.saturating_add(primes);
                self.pass_primes();
            } else {
                return Ok(symbol);
            }
        }
    }

    fn letter(&mut self) -> Parsed<Symbol> {
        let at = self.here();
        match self.next() {
            Some(Token::Letter(letter)) => Ok(Symbol {
                letter: crate::name::normalize(&letter.to_string()),
                ..Symbol::default()
            }),
            Some(Token::Command(command)) => {
                if let Some(letter) = greek(&command) {
                    return Ok(Symbol { letter: letter.to_owned(), ..Symbol::default() });
                }
                if let Some((_, dots)) = DOTTED.iter().find(|row| row.0 == command) {
                    let mut inner = self.argument_symbol()?;
                    inner.dots = inner.dots.saturating_add(*dots);
                    return Ok(inner);
                }
                if DRESSED.contains(&command.as_str()) {
                    return self.dressed(&command);
                }
                mistake(at, MistakeKind::Command(command))
            }
            _ => mistake(at, MistakeKind::Expected("a symbol")),
        }
    }

    /// `\mathbf{u}_1`, `\hat{\mathbf{n}}`, `\overline{SC}`.
    fn dressed(&mut self, command: &str) -> Parsed<Symbol> {
        if self.eat_token(&Token::Open) {
            let at = self.here();
            let mut parts: Vec<Symbol> = Vec::new();
            while !self.eat_token(&Token::Close) {
                if self.at_end() {
                    return mistake(at, MistakeKind::NotClosed("{".to_owned()));
                }
                parts.push(self.dressed_part()?);
            }
            return match parts.as_slice() {
                [one] => {
                    Ok(Symbol { letter: format!("\\{command}{{{}}}", one.letter), ..one.clone() })
                }
                [] => mistake(at, MistakeKind::Expected("a symbol")),
                several => {
                    let letters: String = several.iter().map(ToString::to_string).collect();
                    Ok(Symbol { letter: format!("\\{command}{{{letters}}}"), ..Symbol::default() })
                }
            };
        }
        let inner = self.dressed_part()?;
        Ok(Symbol { letter: format!("\\{command}{{{}}}", inner.letter), ..inner })
    }

    /// A symbol, or a digit: `\mathbf{0}`.
    fn dressed_part(&mut self) -> Parsed<Symbol> {
        match self.peek().cloned() {
            Some(Token::Number(letter)) => {
                self.next();
                Ok(Symbol { letter, ..Symbol::default() })
            }
            _ => self.symbol(),
        }
    }

    /// The symbol under a dot, in braces or without.
    fn argument_symbol(&mut self) -> Parsed<Symbol> {
        if !self.eat_token(&Token::Open) {
            return self.letter();
        }
        let symbol = self.symbol()?;
        if !self.eat_token(&Token::Close) {
            return mistake(self.here(), MistakeKind::Expected("`}`"));
        }
        Ok(symbol)
    }

    /// An index in one spelling.
    fn index(&mut self) -> Parsed<String> {
        let braced = self.eat_token(&Token::Open);
        let at = self.here();
        let mut depth = 0_usize;
        let mut text = String::new();
        loop {
            match self.next() {
                Some(Token::Close) if braced && depth == 0 => return Ok(text),
                Some(Token::Open) => depth += 1,
                Some(Token::Close) => depth = depth.saturating_sub(1),
                Some(Token::Letter(letter)) => text.push(letter),
                Some(Token::Number(number)) if braced || number.len() < 2 => text.push_str(&number),
                Some(Token::Sign(sign)) if braced => text.push(sign),
                Some(Token::Command(command)) => match greek(&command) {
                    Some(letter) => text.push_str(letter),
                    None if matches!(
                        command.as_str(),
                        "text" | "mathrm" | "textrm" | "mbox" | "operatorname"
                    ) =>
                    {
                        if !braced {
                            return self.index();
                        }
                    }
                    None => text.push_str(&command),
                },
                _ => return mistake(at, MistakeKind::Expected("an index")),
            }
            if !braced {
                return Ok(text);
            }
        }
    }

    /// `^+`, `^-`, `^*`, `^{\pm}`, where one comes next.
    fn mark(&self) -> Option<Mark> {
        if !self.peek_is(&Token::Sign('^')) {
            return None;
        }
        let marks = [
            (Token::Sign('+'), Mark::Plus),
            (Token::Sign('-'), Mark::Minus),
            (Token::Sign('*'), Mark::Star),
            (Token::Command("pm".to_owned()), Mark::Both),
            (Token::Command("ast".to_owned()), Mark::Star),
        ];
        marks.into_iter().find(|(token, _)| self.script_is(token)).map(|(_, mark)| mark)
    }

    /// How many primes the script has that comes next, where it has nothing else: `^\prime`, `^{\prime\prime}`.
    fn primes(&self) -> Option<u8> {
        if !self.peek_is(&Token::Sign('^')) {
            return None;
        }
        let is_prime = |by: usize| match self.ahead(by) {
            Some(Token::Command(command)) => command == "prime",
            other => other == Some(&Token::Sign('\'')),
        };
        if is_prime(1) {
            return Some(1);
        }
        let count = (2..=usize::from(u8::MAX)).take_while(|by| is_prime(*by)).count();
        let closed =
            self.ahead(1) == Some(&Token::Open) && self.ahead(2 + count) == Some(&Token::Close);
        u8::try_from(count).ok().filter(|count| *count > 0 && closed)
    }

    /// Passes a script of primes.
    fn pass_primes(&mut self) {
        self.next();
        if !self.eat_token(&Token::Open) {
            self.next();
            return;
        }
        while !self.eat_token(&Token::Close) {
            self.next();
        }
    }

    /// Whether the script that comes next is this lexeme alone, in braces or without.
    pub(super) fn script_is(&self, token: &Token) -> bool {
        match self.ahead(1) {
            Some(Token::Open) => {
                self.ahead(2) == Some(token) && self.ahead(3) == Some(&Token::Close)
            }
            next => next == Some(token),
        }
    }

    /// Passes a script of one lexeme.
    pub(super) fn pass_script(&mut self) {
        self.next();
        if self.eat_token(&Token::Open) {
            self.next();
        }
        self.next();
    }
}
