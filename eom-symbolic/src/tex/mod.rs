//! LaTeX mathematics as papers print it: text to statements, with the place of every piece.
//!
//! ```text
//! text ──lex──▶ lexemes ──display──▶ chains of members a = b = c ──parse──▶ nodes
//! ```
//!
//! The reader knows how formulas are set, not what their letters mean: `\frac{d}{dt}` is a rate, `|…|` are bars,
//! `L(x)` is a symbol with arguments behind it. Whether that is a function or a product, and what a symbol stands
//! for, is the question of who declares. What can be read in two ways is refused, at its place.

mod arguments;
mod braces;
mod calculus;
mod display;
mod environment;
mod letters;
mod lex;
mod parse;
mod phrase;
mod signs;
mod spaces;
mod symbol;
mod tree;

pub use display::{Chain, Display, Member, read, read_key};
pub use phrase::Phrases;
pub use signs::Relation;
pub use tree::{Key, Mark, Node, NodeKind, Symbol};

use std::ops::Range;

/// What cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The bytes in the text.
    pub at: Range<usize>,
    /// What it is.
    pub kind: MistakeKind,
}

/// The ways in which a formula cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MistakeKind {
    /// A character that formulas do not hold.
    Character(char),
    /// A command that is not known, such as `\foo`.
    Command(String),
    /// Something else was expected here.
    Expected(&'static str),
    /// A bracket, bar or environment that does not end.
    NotClosed(String),
    /// Nesting beyond all use.
    TooDeep,
    /// No `=`, `<` or `>` in it.
    NoRelation,
    /// All of it is given.
    OnlyGiven,
    /// `\sin \omega t`: where the argument ends is not printed.
    Argument(String),
    /// `\frac{d}{dt} m\dot{x}`: where what is differentiated ends is not printed.
    Derivative,
    /// `{x+y}^2`: braces print no brackets.
    Braces,
    /// `1\,000`: whether that is one number or a product is not printed.
    Numbers,
    /// `p/ml^2`: whether what follows stands below the slash is not printed. The bytes of the slash and of what follows,
    /// from the start of the piece.
    Slash {
        /// Where the slash is.
        slash: usize,
        /// Where the factor begins that may stand below or beside.
        behind: usize,
    },
    /// Something that only a person can decide: a limit, a dot leader, `\pm`.
    Undecidable(String),
    /// A key of a notation that is no symbol.
    NotASymbol,
}

/// A piece of the tree, or the mistake that ends the reading.
type Parsed<T> = Result<T, Mistake>;

fn mistake<T>(at: Range<usize>, kind: MistakeKind) -> Parsed<T> {
    Err(Mistake { at, kind })
}
