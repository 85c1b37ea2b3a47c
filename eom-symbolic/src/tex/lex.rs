//! Lexemes: letters, numbers, commands, signs. What only sets type is passed over here: spaces, `\left`, sizes, labels.

use super::letters::function;
use super::{MistakeKind, Parsed, mistake};
use std::ops::Range;

/// A lexeme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Letter(char),
    Number(String),
    /// Without its backslash.
    Command(String),
    /// `{`
    Open,
    /// `}`
    Close,
    /// One of `+ - = < > ( ) [ ] | / , ; . ! * : ^ _ ' &`, and `‖` for `\|`.
    Sign(char),
    /// `\\`
    Break,
    /// `\quad`, a word between formulas, `$`.
    Gap,
    /// An environment that has a meaning.
    Begin(String),
    End(String),
}

/// A lexeme and its bytes.
#[derive(Debug, Clone)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) at: Range<usize>,
    /// Whether a space is printed before it.
    pub(super) spaced: bool,
}

/// What a sum that is conserved is equal to.
const CONSTANT: [&str; 3] = ["const", "const.", "constant"];

/// Commands that print a space.
const SPACES: &[&str] = &[",", ";", ":", " "];

/// Commands that set type and say nothing.
const SILENT: &[&str] = &[
    "!",
    "middle",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "biggl",
    "biggr",
    "Biggl",
    "Biggr",
    "displaystyle",
    "textstyle",
    "limits",
    "nonumber",
    "notag",
    "relax",
];

/// Environments that have a meaning; others only set type.
const MEANT: &[&str] =
    &["cases", "matrix", "pmatrix", "bmatrix", "Bmatrix", "array", "smallmatrix"];

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Whether a space was printed behind the last lexeme.
    spaced: bool,
    found: Vec<Lexeme>,
    /// The environment with which the text begins, where it collects equations: `cases`, `array`.
    collects: Option<String>,
}

/// Takes a text apart.
pub(super) fn lex(text: &str) -> Parsed<Vec<Lexeme>> {
    let mut lexer = Lexer { text, at: 0, spaced: false, found: Vec::new(), collects: None };
    while let Some(next) = lexer.peek() {
        lexer.step(next)?;
    }
    Ok(lexer.found)
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, token: Token, from: usize) {
        let spaced = std::mem::take(&mut self.spaced);
        self.found.push(Lexeme { token, at: from..self.at, spaced });
    }

    fn step(&mut self, next: char) -> Parsed<()> {
        let from = self.at;
        self.at += next.len_utf8();
        match next {
            '\\' => return self.command(from),
            '{' => self.push(Token::Open, from),
            '}' => self.close(from),
            '~' => self.spaced = true,
            '$' => self.gap(from),
            digit if digit.is_ascii_digit() || digit == '.' && self.digit_follows() => {
                return self.number(from);
            }
            letter if letter.is_alphabetic() => self.push(Token::Letter(letter), from),
            space if space.is_whitespace() => {}
            sign if "+-=<>()[]|/,;.!*:^_'&".contains(sign) => self.push(Token::Sign(sign), from),
            '−' => self.push(Token::Sign('-'), from),
            other => return mistake(from..self.at, MistakeKind::Character(other)),
        }
        Ok(())
    }

    /// `{}` is nothing, as in `{} - x`, but for what takes an argument.
    fn close(&mut self, from: usize) {
        let mut before = self.found.iter().rev().map(|lexeme| &lexeme.token);
        let is_empty = before.next() == Some(&Token::Open);
        if is_empty
            && !matches!(
                before.next(),
                Some(Token::Sign('^' | '_') | Token::Command(_) | Token::Close)
            )
        {
            self.found.pop();
        } else {
            self.push(Token::Close, from);
        }
    }

    /// Between formulas; at the beginning of a row it indents this.
    fn gap(&mut self, from: usize) {
        let mut before = self.found.iter().rev().map(|lexeme| &lexeme.token);
        let last = before.find(|token| **token != Token::Sign('&'));
        if last.is_some_and(|token| *token != Token::Break) {
            self.push(Token::Gap, from);
        }
    }

    fn digits(&mut self) {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += count;
    }

    /// Whether an argument of a fraction without braces comes next: of `\frac12` each digit is one.
    fn in_fraction(&self) -> bool {
        let mut before = self.found.iter().rev().map(|lexeme| &lexeme.token);
        let is_fraction = |token: Option<&Token>| matches!(token, Some(Token::Command(name)) if matches!(name.as_str(), "frac" | "dfrac" | "tfrac"));
        let last = before.next();
        is_fraction(last)
            || matches!(last, Some(Token::Number(_) | Token::Letter(_) | Token::Command(_)))
                && is_fraction(before.next())
    }

    fn digit_follows(&self) -> bool {
        self.peek().is_some_and(|c| c.is_ascii_digit())
    }

    /// `12`, `0.5`, `.5`. Spaces are not printed: `1\,000` is no product for who reads it.
    fn number(&mut self, from: usize) -> Parsed<()> {
        if self.in_fraction() {
            self.push(Token::Number(self.text[from..self.at].to_owned()), from);
            return Ok(());
        }
        let begins = self.text[from..].starts_with('.');
        self.digits();
        if !begins
            && self
                .rest()
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            self.at += 1;
            self.digits();
        }
        let text = self.text.get(from..self.at).unwrap_or_default();
        let text = if begins { format!("0{text}") } else { text.to_owned() };
        let mut before = self.found.iter().rev();
        if let Some(Lexeme { token: Token::Number(_), at, .. }) = before.next()
            && !before.next().is_some_and(|lexeme| matches!(lexeme.token, Token::Sign('_' | '^')))
        {
            return mistake(at.start..self.at, MistakeKind::Numbers);
        }
        self.push(Token::Number(text), from);
        Ok(())
    }

    fn command(&mut self, from: usize) -> Parsed<()> {
        let letters = self.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = match letters {
            0 => self.peek().map_or(0, char::len_utf8),
            letters => letters,
        };
        let name = self.text.get(self.at..self.at + length).unwrap_or_default().to_owned();
        self.at += length;
        match name.as_str() {
            "" => return mistake(from..self.at, MistakeKind::Expected("a command after `\\`")),
            "\\" | "newline" | "cr" => {
                // `\\[2mm]`
                if self.rest().starts_with('[') {
                    self.at += self.rest().find(']').map_or(0, |end| end + 1);
                }
                self.push(Token::Break, from);
            }
            "{" | "lbrace" => self.push(Token::Sign('('), from),
            "}" | "rbrace" => self.push(Token::Sign(')'), from),
            "|" | "Vert" | "lVert" | "rVert" => self.push(Token::Sign('‖'), from),
            "lvert" | "rvert" | "vert" => self.push(Token::Sign('|'), from),
            "quad" | "qquad" | "[" | "]" | "(" | ")" => self.gap(from),
            "top" | "intercal" if self.after_script() => self.push(Token::Letter('T'), from),
            "mathrm" | "mathsf" | "text" if self.after_script() && self.eat_upright_t() => {
                self.push(Token::Letter('T'), from);
            }
            "mathrm" | "operatorname" | "mathit" if self.eat_constant() => {
                self.upright(CONSTANT[0], from);
            }
            "label" | "tag" | "hspace" | "vspace" => {
                self.at += usize::from(self.rest().starts_with('*'));
                self.group(from)?;
            }
            "begin" | "end" => self.environment(&name, from)?,
            "text" | "textrm" | "mbox" if !self.after_script() => {
                let word = self.group(from)?;
                if matches!(word.trim(), "rank" | "rang" | "rk") {
                    self.push(Token::Command("rank".to_owned()), from);
                } else if CONSTANT.contains(&word.trim()) {
                    self.upright(CONSTANT[0], from);
                } else if self.is_name(&word) {
                    self.upright(&word, from);
                } else {
                    self.push(Token::Gap, from);
                }
            }
            "left" | "right" => {
                let before_rows = |rest: &str| rest.trim_start().starts_with(r"\begin");
                let brace = self.rest().strip_prefix(r"\{").is_some_and(before_rows);
                if self.rest().starts_with('.') {
                    self.at += 1;
                } else if brace && self.found.is_empty() {
                    self.at += 2;
                }
            }
            silent if SILENT.contains(&silent) => {}
            space if SPACES.contains(&space) => self.spaced = true,
            _ => self.push(Token::Command(name), from),
        }
        Ok(())
    }

    /// Whether a word stands for something: the d of a differential, a function, what has brackets or a script behind it.
    fn is_name(&self, word: &str) -> bool {
        let behind = self.rest().trim_start().trim_start_matches(r"\left").trim_start();
        let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
        let is_known = word.trim() == "d" || function(word).is_some();
        is_known || is_word && behind.starts_with(['(', '_', '^'])
    }

    /// `\text{word}`, read as `\mathrm{word}`.
    fn upright(&mut self, word: &str, from: usize) {
        self.push(Token::Command("mathrm".to_owned()), from);
        self.push(Token::Open, from);
        word.trim().chars().for_each(|letter| self.push(Token::Letter(letter), from));
        self.push(Token::Close, from);
    }

    /// The T of `^\mathsf{T}`.
    fn eat_upright_t(&mut self) -> bool {
        let rest = self.rest().trim_start();
        let Some(behind) = rest.strip_prefix("{T}").or_else(|| rest.strip_prefix('T')) else {
            return false;
        };
        self.at = self.text.len() - behind.len();
        true
    }

    /// `{const.}`
    fn eat_constant(&mut self) -> bool {
        let rest = self.rest().trim_start();
        let group = |word: &&str| rest.strip_prefix('{')?.strip_prefix(*word)?.strip_prefix('}');
        let Some(behind) = CONSTANT.iter().find_map(group) else { return false };
        self.at = self.text.len() - behind.len();
        true
    }

    /// Whether the lexeme before opens an index or an exponent.
    fn after_script(&self) -> bool {
        let mut before = self.found.iter().rev().map(|lexeme| &lexeme.token);
        let last = before.next();
        let open =
            last == Some(&Token::Open) && matches!(before.next(), Some(Token::Sign('_' | '^')));
        open || matches!(last, Some(Token::Sign('_' | '^')))
    }

    fn environment(&mut self, word: &str, from: usize) -> Parsed<()> {
        let name = self.group(from)?;
        let name = name.trim_end_matches('*').to_owned();
        let begins = word == "begin";
        if MEANT.contains(&name.as_str()) {
            if name == "array" && begins {
                self.group(from)?;
            }
            if begins && self.found.is_empty() && matches!(name.as_str(), "cases" | "array") {
                self.collects = Some(name);
            } else if !begins && self.closes_collection(&name) {
                self.collects = None;
            } else {
                self.push(if begins { Token::Begin(name) } else { Token::End(name) }, from);
            }
        } else if name.ends_with("matrix") || name.ends_with("cases") {
            // `vmatrix` prints a determinant.
            return mistake(from..self.at, MistakeKind::Command(format!("{word}{{{name}}}")));
        }
        Ok(())
    }

    fn closes_collection(&self, name: &str) -> bool {
        let is = |token: &Token, of: fn(String) -> Token| *token == of(name.to_owned());
        let tokens = || self.found.iter().map(|lexeme| &lexeme.token);
        let begun = tokens().filter(|token| is(token, Token::Begin)).count();
        let ended = tokens().filter(|token| is(token, Token::End)).count();
        self.collects.as_deref() == Some(name) && begun == ended
    }

    /// `{ … }` as text.
    fn group(&mut self, from: usize) -> Parsed<String> {
        let skipped = self.rest().len() - self.rest().trim_start().len();
        self.at += skipped;
        let rest = self.rest();
        let end = rest.strip_prefix('{').and_then(|inside| inside.find('}'));
        let Some(end) = end else {
            return mistake(from..self.at, MistakeKind::Expected("`{ … }`"));
        };
        let inside = rest.get(1..=end).unwrap_or_default().to_owned();
        self.at += end + 2;
        Ok(inside)
    }
}
