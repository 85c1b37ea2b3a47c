//! Texts that do not fall into tokens: every character that cannot be read, and the bracket that is
//! wrong, in one go.
//!
//! The lexer stops at its first complaint. It is asked again with that character exchanged for a letter
//! of the same length, so that all places stay; and once without brackets, so that their places are
//! those of tokens.

use super::item::ITEMS;
use crate::diagnostic::{Diagnostic, Errors, Problem};
use proc_macro2::{Span, TokenStream, TokenTree};

/// So many characters are named; who pastes a page of another language needs no more.
const CHARACTERS_MAX: usize = 20;

/// Reports why a text does not lex; `first` is where the lexer stopped.
pub(super) fn report(source: &str, first: Span, errors: &mut Errors) {
    let mut flat: String =
        source.chars().map(|c| if "()[]{}".contains(c) { ',' } else { c }).collect();
    for _ in 0..CHARACTERS_MAX {
        match flat.parse::<TokenStream>() {
            Ok(tokens) => return brackets(source, tokens, errors),
            Err(error) => {
                let place = error.span().byte_range().start;
                if let Some(sign) = comment_before(&flat, place) {
                    let end = flat[sign..].find('\n').map_or(flat.len(), |end| sign + end);
                    flat.replace_range(sign + 1..end, &" ".repeat(end - sign - 1));
                    continue;
                }
                let Some(found) = flat.get(place..).and_then(|rest| rest.chars().next()) else {
                    break;
                };
                let rest = &flat[place..];
                if let Some(end) = string_end(rest) {
                    // A claim says that its string is LaTeX.
                    let text = flat[..place].trim_end();
                    let is_tex = text.ends_with("tex") || text.ends_with(':');
                    let before = if is_tex { "tex " } else { "" };
                    errors.report(error.span(), &Problem::Escape { before });
                    let plain = rest[..end].replace(r#"\""#, "  ").replace('\\', " ");
                    flat.replace_range(place..place + end, &plain);
                    continue;
                }
                if let Some(length) = number_before_another(rest) {
                    flat.replace_range(place..place + length, &" ".repeat(length));
                    continue;
                }
                errors.report(error.span(), &problem(found, rest));
                if found == '"' || rest.starts_with("/*") {
                    // What was meant to be text would be read as a declaration.
                    return;
                }
                flat.replace_range(place..place + found.len_utf8(), letter(found.len_utf8()));
            }
        }
    }
    if errors.is_empty() {
        errors.report(first, &Problem::Unbalanced);
    }
}

/// The `#` or `%` on the line of a place, before it, that is meant to begin a comment.
fn comment_before(flat: &str, place: usize) -> Option<usize> {
    let start = flat.get(..place)?.rfind('\n').map_or(0, |end| end + 1);
    let line = &flat[start..place];
    // Brackets are commas here: `#[` is that of an attribute.
    let is_comment = |at: &usize| !line[*at..].starts_with("#,") && !line[*at..].starts_with("#!");
    let sign = line.match_indices(['#', '%']).map(|(at, _)| at).find(is_comment)?;
    let quiet = !line[..sign].contains("//") && !line[..sign].contains('"');
    quiet.then_some(start + sign)
}

fn problem(found: char, rest: &str) -> Problem {
    if rest.starts_with("/*") { Problem::OpenComment } else { Problem::Unreadable { found } }
}

/// The length of a number with a character behind it that cannot be read, `2·x`: the lexer complains of both.
fn number_before_another(rest: &str) -> Option<usize> {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.')?;
    let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
    (is_number && !rest[length..].starts_with(|c: char| c.is_ascii())).then_some(length)
}

/// The end of the string that begins here, which has a `\` that means nothing.
fn string_end(rest: &str) -> Option<usize> {
    let mut signs = rest.strip_prefix('"')?.char_indices();
    let mut escapes = false;
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return escapes.then_some(at + 2),
            '\\' => {
                escapes = true;
                signs.next();
            }
            _ => {}
        }
    }
    None
}

/// A letter, or a space, of so many bytes.
fn letter(bytes: usize) -> &'static str {
    // table
    match bytes {
        1 => " ",
        2 => "µ",
        3 => "ᴀ",
        _ => "𝐀",
    }
}

/// Reports comments of other languages, and the first bracket outside of them without its other one.
fn brackets(source: &str, flat: TokenStream, errors: &mut Errors) {
    let mut open: Vec<(char, Span)> = Vec::new();
    let mut lists = Lists::default();
    let mut comment = 0;
    let first = flat.clone().into_iter().next();
    for token in flat {
        if let TokenTree::Ident(word) = &token {
            lists.word(word.to_string(), open.last());
        }
        let TokenTree::Punct(mark) = token else { continue };
        let span = mark.span();
        if span.start().line == comment {
            continue;
        }
        let Some(rest) = source.get(span.byte_range().start..) else { continue };
        let Some(found) = rest.chars().next() else { continue };
        if found == '%' || found == '#' && !rest.starts_with("#[") && !rest.starts_with("#![") {
            errors.report(span, &Problem::Comment { sign: found });
            comment = span.start().line;
            continue;
        }
        if let Some(closing) = closing(found) {
            open.push((closing, span));
            lists.opened(span);
        } else if ")]}".contains(found) {
            match open.last().copied() {
                Some((wanted, _)) if wanted == found => drop(open.pop()),
                Some((wanted, opened)) if open.iter().any(|(other, _)| *other == found) => {
                    let problem = Problem::NotClosed { wanted };
                    let found = format!("`{found}` stands here before it");
                    return errors.push(Diagnostic::new(opened, &problem).with_note(span, found));
                }
                _ => return errors.push(not_opened(first, found, span)),
            }
        }
    }
    if let Some((wanted, opened)) = open.pop() {
        errors.report(lists.left_open.unwrap_or(opened), &Problem::NotClosed { wanted });
    }
}

/// A bracket that closes nothing: of what begins as no declaration does, that is said.
fn not_opened(first: Option<TokenTree>, found: char, span: Span) -> Diagnostic {
    match first {
        Some(TokenTree::Ident(word)) if !BEGINNINGS.contains(&word.to_string().as_str()) => {
            let problem = Problem::NoSystem { found: format!("`{word}`") };
            Diagnostic::new(word.span(), &problem)
        }
        _ => Diagnostic::new(span, &Problem::NotOpened { found }),
    }
}

/// The words with which a declaration begins.
const BEGINNINGS: &[&str] = &["system", "pub"];

/// Lists of names, in which no item begins: where one does, the list was to end before.
#[derive(Default)]
struct Lists {
    last_word: String,
    opened: Vec<Span>,
    left_open: Option<Span>,
}

impl Lists {
    fn opened(&mut self, bracket: Span) {
        if matches!(self.last_word.as_str(), "coordinates" | "parameters" | "inputs") {
            self.opened.push(bracket);
        }
    }

    fn word(&mut self, word: String, within: Option<&(char, Span)>) {
        let within = within.map(|(_, bracket)| bracket.byte_range());
        let list = self.opened.iter().find(|list| Some(list.byte_range()) == within);
        if ITEMS.contains(&word.as_str()) && self.left_open.is_none() {
            self.left_open = list.copied();
        }
        self.last_word = word;
    }
}

fn closing(open: char) -> Option<char> {
    // table
    match open {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    }
}
