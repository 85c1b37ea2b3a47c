//! Where lines break, and how far they are indented.

use super::pieces::{Kind, Piece};
use super::spaces::{is_spaced, is_unary};
use std::collections::BTreeSet;

/// The spaces of a level.
const LEVEL: usize = 4;

/// A bracket that is open.
#[expect(clippy::struct_excessive_bools, reason = "each is asked apart")]
struct Open {
    is_block: bool,
    /// Whether its braces stand on lines of their own.
    is_tall: bool,
    /// Whether it holds shapes.
    is_drawing: bool,
    /// Whether it stood at the end of its line.
    hangs: bool,
    /// The indentation of what it holds.
    inside: usize,
}

/// The text of pieces; with the alignment that they have where `keeps` says so.
pub(super) fn laid_out(pieces: &[Piece<'_>], keeps: bool) -> String {
    let columns: BTreeSet<(usize, usize)> =
        pieces.iter().map(|piece| (piece.row, piece.column)).collect();
    let mut writer =
        Writer { text: String::new(), open: Vec::new(), indent: 0, in_statement: false, body: 0 };
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|last| pieces.get(last));
        if let Some(before) = before {
            let earlier = at.checked_sub(2).and_then(|last| pieces.get(last));
            let is_apart =
                writer.is_figure(pieces, at) || is_spaced(before, piece, is_unary(earlier, before));
            writer.between((before, piece), is_apart, keeps.then_some(&columns));
        }
        writer.write(pieces, at);
    }
    writer.text.push('\n');
    writer.text.trim_start().to_owned()
}

struct Writer {
    text: String,
    open: Vec<Open>,
    /// The indentation of the present line.
    indent: usize,
    /// Whether a statement has begun that has not ended.
    in_statement: bool,
    /// The indentation of the lines of the present statement but its first.
    body: usize,
}

impl Writer {
    /// Whether the first figure of a shape begins: `disk [x, y]`, `disk[i in 1..=4] [X[i], Y[i]]`.
    fn is_figure(&self, pieces: &[Piece<'_>], at: usize) -> bool {
        let piece = |at: Option<usize>| at.and_then(|at| pieces.get(at));
        let Some(before) = piece(at.checked_sub(1)) else { return false };
        let begins = |before: &Piece<'_>| before.is_comment() || before.is_one_of(&["{", ";"]);
        let is_shape = before.kind == Kind::Word && piece(at.checked_sub(2)).is_some_and(begins);
        let is_index = piece(at.checked_add(2)).is_some_and(|word| word.text == "in");
        self.open.last().is_some_and(|open| open.is_drawing)
            && pieces[at].is_one_of(&["[", "("])
            && !is_index
            && (is_shape || before.is("]"))
    }

    /// Breaks or spaces before a piece; `is_apart` says whether one stands there on a line.
    fn between(
        &mut self,
        (before, piece): (&Piece<'_>, &Piece<'_>),
        is_apart: bool,
        columns: Option<&BTreeSet<(usize, usize)>>,
    ) {
        if self.breaks(before, piece) {
            let is_group = piece.breaks > 1 && !self.in_statement;
            if is_group && !before.is("{") && !piece.is("}") {
                self.text.push('\n');
            }
            self.indent = self.indentation(piece);
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', self.indent));
        } else if is_apart {
            let is_aligned = columns.is_some_and(|columns| {
                piece.breaks == 0
                    && (columns.contains(&(piece.row + 1, piece.column))
                        || piece.row > 0 && columns.contains(&(piece.row - 1, piece.column)))
            });
            let spaces = if is_aligned { piece.gap.max(1) } else { 1 };
            self.text.extend(std::iter::repeat_n(' ', spaces));
        }
    }

    /// Whether a piece begins a line.
    fn breaks(&self, before: &Piece<'_>, piece: &Piece<'_>) -> bool {
        if before.kind == Kind::LineComment {
            return true;
        }
        if piece.is_one_of(&[";", ","]) || piece.is("{") && !before.is_comment() {
            return false;
        }
        if piece.is_comment() && piece.breaks == 0 {
            return false;
        }
        let is_tall = self.open.last().is_some_and(|open| open.is_block && open.is_tall);
        // Each item of the system has a line of its own; short statements within an item may share one.
        let is_item = !self.in_statement && self.open.len() == 1 && corrected(piece) == 0;
        if is_tall && (before.is("{") || piece.is("}") || is_item) {
            return true;
        }
        let is_flat = self.open.last().is_some_and(|open| open.is_block && !open.is_tall);
        // A block on one line keeps to it, but for an expression that is broken.
        piece.breaks > 0 && !(is_flat && (before.is("{") || piece.is("}") || !self.in_statement))
    }

    /// The indentation of a line that begins with a piece.
    fn indentation(&self, piece: &Piece<'_>) -> usize {
        let Some(open) = self.open.last() else { return 0 };
        if piece.is_one_of(&["}", ")", "]"]) && (open.is_block || open.hangs) {
            return open.inside - LEVEL;
        }
        if open.is_block {
            return if self.in_statement { self.body } else { open.inside + corrected(piece) };
        }
        let hanging = self.open.iter().rev().find(|open| open.is_block || open.hangs);
        hanging.map_or(LEVEL, |outer| if outer.is_block { self.body } else { outer.inside })
    }

    /// Writes a piece, and notes what it opens and closes.
    fn write(&mut self, pieces: &[Piece<'_>], at: usize) {
        let Some(piece) = pieces.get(at) else { return };
        if !self.in_statement && !piece.is_comment() {
            // Both equations of an erratum are one statement.
            let further = if piece.text == "erratum" { 2 } else { 1 };
            self.body = self.indent + LEVEL * further;
        }
        self.text.push_str(piece.text);
        if piece.is_one_of(&["{", "(", "["]) {
            let is_block = piece.is("{");
            let next = pieces.get(at + 1);
            let hangs = next.is_some_and(|next| next.breaks > 0 || next.kind == Kind::LineComment);
            let is_tall = is_block && (self.open.is_empty() || is_tall(pieces, at));
            let inside = self.indent + LEVEL;
            let named = at.checked_sub(1).and_then(|last| pieces.get(last));
            let is_drawing = is_block && named.is_some_and(|word| word.text == "draw");
            self.open.push(Open { is_block, is_tall, is_drawing, hangs, inside });
            self.in_statement = !is_block;
        } else if piece.is_one_of(&["}", ")", "]"]) {
            let closed = self.open.pop();
            // A block ends its statement, unless it goes on behind it.
            let goes_on = pieces
                .get(at + 1)
                .is_some_and(|next| next.is_one_of(&[";", ",", "=", "]", ")", "*", "+", "-"]));
            self.in_statement = !closed.is_some_and(|closed| closed.is_block) || goes_on;
        } else if self.open.last().is_none_or(|open| open.is_block) {
            // The system's own items end with semicolons alone.
            let ends = piece.is(";") || piece.is(",") && self.open.len() > 1;
            self.in_statement =
                !self.open.is_empty() && !ends && (self.in_statement || !piece.is_comment());
        }
    }
}

/// The second equation of an erratum stands below the first.
fn corrected(piece: &Piece<'_>) -> usize {
    if piece.text == "corrected" { LEVEL } else { 0 }
}

/// Whether a block, by its brace, stands on several lines: where a line of the author's breaks between two statements.
fn is_tall(pieces: &[Piece<'_>], at: usize) -> bool {
    let mut depth = 0_usize;
    let mut is_between = true;
    for piece in &pieces[at + 1..] {
        if depth == 0 && (piece.kind == Kind::LineComment || is_between && piece.breaks > 0) {
            return true;
        }
        if piece.is_one_of(&["{", "(", "["]) {
            depth += 1;
        } else if piece.is_one_of(&["}", ")", "]"]) {
            if depth == 0 {
                return piece.breaks > 0;
            }
            depth -= 1;
        }
        is_between = depth == 0 && piece.is_one_of(&[";", ",", "}"]);
    }
    false
}
