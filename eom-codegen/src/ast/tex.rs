//! Claims in LaTeX as they are written, and the notation that explains their symbols.

use super::{Docs, Expr, Ident, Place, Range, Region};
use proc_macro2::Literal;
use std::ops;

/// A string of LaTeX and the literal in which it stands.
#[derive(Clone, Debug)]
pub struct TexText {
    /// The string.
    pub text: String,
    /// The literal.
    pub literal: Literal,
}

impl TexText {
    /// Where it stands.
    #[must_use]
    pub fn region(&self) -> Region {
        self.literal.span().into()
    }

    /// Where bytes of it stand: in a file exactly; in a macro, where stable rustc gives no parts of literals, all of it.
    #[must_use]
    pub fn place(&self, bytes: &ops::Range<usize>) -> Region {
        let written = self.literal.to_string();
        // Behind the first quotation mark the text stands as it is, where nothing is escaped.
        let raw = written.starts_with('r') || !written.contains('\\');
        let offset = written.find('"').filter(|_| raw).map(|mark| mark + 1);
        let part = offset.and_then(|offset| {
            self.literal.subspan(offset + bytes.start..offset + bytes.end.max(bytes.start + 1))
        });
        part.map_or_else(|| self.region(), Region::from)
    }
}

/// `r"\mathbf{V}" = [u, v];`
#[derive(Clone, Debug)]
pub struct Notation {
    /// The name of its block; entries of a block without one are for all claims.
    pub within: Option<Ident>,
    /// Doc comment: why it is read so.
    pub docs: Docs,
    /// Whether the symbol has another meaning in the document, or none: `reading c = …;`
    pub reading: bool,
    /// What is explained.
    pub key: NotationKey,
    /// What it stands for.
    pub value: Explained,
}

/// What a notation explains, as written.
#[derive(Clone, Debug)]
pub enum NotationKey {
    /// A name without quotation marks.
    Name(Ident),
    /// LaTeX.
    Tex(TexText),
}

impl NotationKey {
    /// As written.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Name(ident) => &ident.text,
            Self::Tex(text) => &text.text,
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn region(&self) -> Region {
        match self {
            Self::Name(ident) => ident.region,
            Self::Tex(text) => text.region(),
        }
    }
}

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub enum Explained {
    /// An expression of the declaration.
    Value(Expr),
    /// A region: variables with their ranges, the innermost first.
    Region(Vec<(Ident, Range)>),
    /// Nothing: a statement that says what a letter ranges over, `given r"t \in [t_1, t_2]";`
    Given,
}

/// `claim "(29)": tex r"…";`, `erratum d2_8: tex r"…"; corrected: tex r"…";`
#[derive(Clone, Debug)]
pub struct TexClaim {
    /// Doc comment.
    pub docs: Docs,
    /// Its name; that of a row of several has a letter behind it.
    pub name: Ident,
    /// The block of the notation in which it is read first: `claim d6_8 in gravity: …`
    pub within: Option<Ident>,
    /// Where it is made.
    pub place: Place,
    /// The constants of the motion that it states, where it states one.
    pub motion: Option<Vec<Ident>>,
    /// Which branch of `cases` it states, from 1.
    pub branch: Option<usize>,
    /// The print.
    pub printed: TexText,
    /// What it should read, for an erratum.
    pub corrected: Option<TexText>,
}

/// What a claim keeps of the LaTeX from which it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tex {
    /// The whole string.
    pub whole: String,
    /// Its own part of it.
    pub printed: String,
    /// That of the correction; empty for a claim.
    pub corrected: String,
    /// The entries of the notation that were used, `\mathbf{V} = [u, v]`.
    pub notation: Vec<String>,
    /// Those of them that give a symbol a meaning that it does not have in the document.
    pub readings: Vec<String>,
}
