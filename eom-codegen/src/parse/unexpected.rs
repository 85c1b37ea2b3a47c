//! What cannot follow a piece of syntax, in the words for what people write by habit.

use super::tokens::{Fault, Tokens, fault, normal};
use crate::ast::Region;
use crate::diagnostic::Problem;
use proc_macro2::{Delimiter, TokenTree};

impl Tokens<'_> {
    /// What is said of `my-pendulum` in place of a name, whose first word was read.
    pub(super) fn name_with_sign(mut self) -> Option<Fault> {
        let first = self.last;
        let mut meant = first.source_text()?;
        while ["-", "."].iter().any(|sign| self.eat_sign(sign).is_some()) {
            meant = format!("{meant}_{}", self.skip()?);
        }
        let region = Region::from(first).to(self.behind());
        let is_name = self.is_group(Delimiter::Brace) && self.last.end() != first.end();
        is_name.then(|| fault(region, &Problem::NameWithSign { meant }))
    }

    /// Whether a `%` is meant as a remainder, and not as a comment: one operand stands behind it, and a formula goes on
    /// or ends there on the same line.
    pub(super) fn is_remainder(&self) -> bool {
        let mut next = *self;
        if next.eat_sign("%").is_none() {
            return false;
        }
        next.eat_sign("-");
        let is_operand = !next.at_end()
            && !next.on_new_line()
            && next.skip().is_some_and(|token| !matches!(token, TokenTree::Punct(_)));
        let goes_on = matches!(next.cursor().token_tree(), Some((TokenTree::Punct(_), _)));
        let is_inside = self.is_within_brackets();
        is_operand && !next.on_new_line() && (goes_on || next.at_end() && is_inside)
    }

    /// Whether a `%` ends what is written here, as no comment does.
    fn is_percent(&self) -> bool {
        let mut next = *self;
        let ends = next.eat_sign("%").is_some() && !next.on_new_line();
        ends && (next.is_sign(";")
            || next.is_sign(",")
            || next.at_end() && self.is_within_brackets())
    }

    /// Whether the comma here stands in a number, `0,5`: digits on both sides, without a space.
    pub(super) fn is_decimal(&self) -> bool {
        let mut behind = *self;
        behind.skip();
        let touches = self.last.end() == self.cursor().span().start()
            && self.cursor().span().end() == behind.cursor().span().start();
        let number = behind.cursor().literal().is_some();
        let digit = |text: Option<String>| {
            text.is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        };
        number && touches && digit(self.last.source_text())
    }

    /// What is said of `0,5`.
    fn decimal_comma(mut self) -> Fault {
        let first = self.last;
        self.skip();
        let part = self.found_number();
        self.skip();
        let whole = first.source_text().unwrap_or_default();
        fault(Region::from(first).to(self.behind()), &Problem::DecimalComma { whole, part })
    }

    /// The number that is next, as it is written.
    pub(super) fn found_number(&self) -> String {
        self.cursor().literal().map(|(literal, _)| literal.to_string()).unwrap_or_default()
    }

    fn is_within_brackets(&self) -> bool {
        matches!(self.within, Some(Delimiter::Parenthesis | Delimiter::Bracket))
    }

    /// Why the next token cannot follow an expression.
    pub(super) fn unexpected(&self, expected: &str) -> Fault {
        let signs: [(&str, Problem); 12] = [
            ("@", Problem::Elementwise { sign: "@", instead: "*" }),
            (".*", Problem::Elementwise { sign: ".*", instead: "*" }),
            ("./", Problem::Elementwise { sign: "./", instead: "/" }),
            (".^", Problem::Elementwise { sign: ".^", instead: "^" }),
            ("==", Problem::EqualEqual),
            ("=", Problem::EqualsAgain),
            ("<=", Problem::Comparison { sign: "<=".into() }),
            (">=", Problem::Comparison { sign: ">=".into() }),
            ("<", Problem::Comparison { sign: "<".into() }),
            (">", Problem::Comparison { sign: ">".into() }),
            ("|", Problem::Bars),
            ("..", Problem::Range),
        ];
        if self.is_remainder() {
            return fault(self.here(), &Problem::Remainder);
        }
        if self.is_percent() {
            return fault(self.here(), &Problem::Percent);
        }
        if let Some(sign) = self.comment() {
            return fault(self.here(), &Problem::Comment { sign });
        }
        if self.is_sign("=") && !self.is_sign("==") && self.is_within_brackets() {
            return fault(self.here(), &Problem::NamedArgument);
        }
        if let Some((_, problem)) = signs.iter().find(|(sign, _)| self.is_sign(sign)) {
            return fault(self.here(), problem);
        }
        match self.cursor().token_tree() {
            Some((TokenTree::Punct(punct), _)) if punct.as_char() == '\'' => {
                fault(self.here(), &Problem::Prime)
            }
            Some((TokenTree::Literal(literal), _)) if literal.to_string().starts_with('\'') => {
                fault(self.here(), &Problem::Prime)
            }
            Some((TokenTree::Punct(punct), _)) if punct.as_char() == ',' && self.is_decimal() => {
                self.decimal_comma()
            }
            Some((TokenTree::Ident(word), _)) if normal(&word) == "in" => {
                fault(self.here(), &Problem::Interval { instead: BOUNDS.to_owned() })
            }
            Some((TokenTree::Ident(word), _)) if normal(&word) == "when" => {
                fault(self.here(), &Problem::WhenBehind)
            }
            Some((TokenTree::Ident(word), _)) if is_unit(&normal(&word)) => {
                fault(self.here(), &Problem::Unit { unit: normal(&word) })
            }
            Some((TokenTree::Ident(word), _)) if unit_or_factor(self).is_some() => {
                fault(self.here(), &Problem::UnitOrFactor { word: normal(&word) })
            }
            Some((TokenTree::Ident(_) | TokenTree::Literal(_), _)) => {
                fault(self.here(), &Problem::NoOperator { right: self.found() })
            }
            Some((TokenTree::Group(group), _)) if group.delimiter() == Delimiter::Parenthesis => {
                fault(self.here(), &Problem::NoOperator { right: self.found() })
            }
            _ => self.expected(expected),
        }
    }
}

/// How bounds are written, by what they are of.
pub(super) const BOUNDS: &str = "write two bounds: `x > 0, x < 1` in the `when` of a contact, \
    `where p >= 0 && p <= 1` at a parameter";

/// Whether a word behind an expression is a unit rather than a factor: those of several letters, and N.
pub(super) fn is_unit(word: &str) -> bool {
    // table
    matches!(
        word,
        "kg" | "cm"
            | "mm"
            | "km"
            | "ms"
            | "rad"
            | "deg"
            | "degree"
            | "degrees"
            | "Hz"
            | "Nm"
            | "N"
            | "Pa"
            | "kN"
    )
}

/// A word that ends a value, and may be a unit.
pub(super) fn unit_or_factor(tokens: &Tokens<'_>) -> Option<String> {
    let word =
        tokens.word().filter(|word| matches!(word.as_str(), "m" | "s" | "g" | "J" | "W" | "K"))?;
    let mut next = *tokens;
    next.skip();
    let ends = next.at_end() || [";", ",", "/"].iter().any(|sign| next.is_sign(sign));
    ends.then_some(word)
}
