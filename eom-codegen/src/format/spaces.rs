//! Whether a space stands between two pieces of a line.

use super::pieces::{Kind, Piece};

/// Words behind which an expression begins.
const BEFORE_EXPRESSIONS: [&str; 3] = ["where", "when", "in"];

/// Signs with a space on both sides.
const SPACED: [&str; 8] = ["=", "<", ">", "<=", ">=", "&&", "<->", "->"];

/// Signs without.
const CLOSE: [&str; 6] = ["*", "/", "^", "..", "..=", "."];

/// Whether the sign of a piece stands before one number alone: −x.
pub(super) fn is_unary(before: Option<&Piece<'_>>, piece: &Piece<'_>) -> bool {
    piece.is_one_of(&["-", "+"])
        && before.is_none_or(|before| match before.kind {
            Kind::Word => BEFORE_EXPRESSIONS.contains(&before.text),
            Kind::Sign => !before.is_one_of(&[")", "]", "}"]),
            Kind::Literal => false,
            Kind::LineComment | Kind::BlockComment => true,
        })
}

/// Whether a space stands between two pieces; `unary` says it of a sign on the left.
pub(super) fn is_spaced(left: &Piece<'_>, right: &Piece<'_>, unary: bool) -> bool {
    if left.is_comment() || right.is_comment() {
        return true;
    }
    let is_close = right.is_one_of(&[")", "]", ",", ";", ":", "!"]);
    if unary || left.is_one_of(&["(", "[", "#", "!"]) || is_close {
        return false;
    }
    if left.is_one_of(&SPACED) || right.is_one_of(&SPACED) {
        return true;
    }
    if left.is_one_of(&CLOSE) || right.is_one_of(&CLOSE) {
        return false;
    }
    if left.is_one_of(&["+", "-"]) || right.is_one_of(&["+", "-"]) {
        return true;
    }
    if left.is_one_of(&["{", "}", ",", ";", ":"]) || right.is_one_of(&["{", "}"]) {
        return true;
    }
    if right.is_one_of(&["(", "["]) {
        // A call or an index stands at its name.
        return left.kind == Kind::Word && BEFORE_EXPRESSIONS.contains(&left.text);
    }
    match (left.kind, right.kind) {
        // Signs that the language does not have stay as they are.
        (Kind::Sign, _) if !left.is_one_of(&[")", "]"]) => right.gap > 0,
        (_, Kind::Sign) => right.gap > 0,
        _ => true,
    }
}
