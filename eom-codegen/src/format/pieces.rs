//! A text in pieces, and what stands before each.

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a word of the language.
    Word,
    /// A number or a string.
    Literal,
    /// A sign: `+`, `..=`, `{`.
    Sign,
    /// A comment to the end of its line, documentation too.
    LineComment,
    /// A comment between two marks.
    BlockComment,
}

/// A piece.
#[derive(Clone, Debug)]
pub(super) struct Piece<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// The breaks of lines before it.
    pub(super) breaks: usize,
    /// The spaces before it on its line.
    pub(super) gap: usize,
    /// Its line and column, in characters that take room.
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Piece<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Sign && self.text == text
    }

    pub(super) fn is_one_of(&self, texts: &[&str]) -> bool {
        self.kind == Kind::Sign && texts.contains(&self.text)
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }
}

/// Signs of several characters, the longer ones first.
const SIGNS: [&str; 7] = ["<->", "..=", "..", "<=", ">=", "&&", "->"];

/// The pieces of a text in their order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let (mut row, mut column) = (0, 0);
    let (mut breaks, mut gap) = (0, 0);
    while let Some(first) = rest.chars().next() {
        if first == '\n' {
            (breaks, gap, row, column) = (breaks + 1, 0, row + 1, 0);
            rest = &rest[1..];
            continue;
        }
        if first.is_whitespace() {
            (gap, column) = (gap + 1, column + 1);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (kind, length) = measured(rest, first);
        let (piece, after) = rest.split_at(length);
        let piece = if kind == Kind::LineComment { piece.trim_end() } else { piece };
        pieces.push(Piece { kind, text: piece, breaks, gap, row, column });
        row += piece.matches('\n').count();
        column += width(piece);
        (breaks, gap, rest) = (0, 0, after);
    }
    pieces
}

/// The characters that take room: the dots of φ̈ stand above.
fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

/// What begins here, and its length.
fn measured(rest: &str, first: char) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::LineComment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::BlockComment, comment(rest));
    }
    if let Some(length) = string(rest) {
        return (Kind::Literal, length);
    }
    if first.is_ascii_digit() {
        return (Kind::Literal, number(rest));
    }
    if is_letter(first) {
        return (Kind::Word, rest.find(|c| !is_letter(c)).unwrap_or(rest.len()));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    (Kind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
}

fn is_letter(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace()
}

/// The length of a comment between marks, which may be nested.
fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(left) = rest.get(at..).filter(|left| !left.is_empty()) {
        if left.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if left.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += left.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a string, a raw one too.
fn string(rest: &str) -> Option<usize> {
    let raw = rest.strip_prefix('r').unwrap_or(rest);
    let hashes =
        if raw.len() < rest.len() { raw.len() - raw.trim_start_matches('#').len() } else { 0 };
    let prefix = rest.len() - raw.len() + hashes;
    let inside = rest.get(prefix..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if !escaped && inside[at..].starts_with(&end) {
            return Some(prefix + 1 + at + end.len());
        }
        escaped = prefix == 0 && c == '\\' && !escaped;
    }
    Some(rest.len())
}

/// The length of a number; `1..3` are two.
fn number(rest: &str) -> usize {
    let digits = |at: usize| {
        rest.get(at..)
            .map_or(0, |left| left.find(|c: char| !c.is_ascii_digit()).unwrap_or(left.len()))
    };
    let mut at = digits(0);
    if rest[at..].starts_with('.') && !rest[at..].starts_with("..") {
        at += 1 + digits(at + 1);
    }
    if rest[at..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[at + 1..].starts_with(['+', '-']));
        let power = digits(at + 1 + sign);
        if power > 0 {
            at += 1 + sign + power;
        }
    }
    at
}
