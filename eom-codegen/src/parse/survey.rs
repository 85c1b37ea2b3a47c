//! What is found in one walk before the tree is read, which is recursive: whether the text is too large, where it ends, and
//! which parameters size arrays.

use super::expression::DEPTH_MAX;
use super::sizes;
use super::tokens::Size;
use crate::diagnostic::Problem;
use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// The tokens of a declaration: ten thousand lines.
pub const TOKENS_MAX: usize = 250_000;

/// What was found in a text.
pub(super) struct Survey {
    /// Its last token.
    pub(super) end: Span,
    /// The sizes of its arrays.
    pub(super) sizes: Vec<Size>,
}

/// What a bracket may say of sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `parameters { N = 4, … }`
    Parameters,
    /// `[i in 1..=N]`
    Bracket,
    Other,
}

/// A bracket on the way to the present token.
struct Level {
    tokens: IntoIter,
    kind: Kind,
    /// What has been read since the last comma, where sizes are told.
    entry: Vec<TokenTree>,
    /// Whether the token before was the word `parameters`.
    is_named: bool,
}

impl Level {
    fn new(stream: TokenStream, kind: Kind) -> Self {
        Self { tokens: stream.into_iter(), kind, entry: Vec::new(), is_named: false }
    }

    /// What kind a bracket within this one is.
    fn kind_of(&self, delimiter: Delimiter) -> Kind {
        match delimiter {
            Delimiter::Brace if self.is_named => Kind::Parameters,
            Delimiter::Bracket => Kind::Bracket,
            _ => Kind::Other,
        }
    }

    fn take_in(&mut self, token: TokenTree, found: &mut sizes::Found) {
        self.is_named = matches!(&token, TokenTree::Ident(word) if *word == "parameters");
        match (&token, self.kind) {
            (_, Kind::Other) => {}
            (TokenTree::Punct(comma), _) if comma.as_char() == ',' => self.settle(found),
            _ => self.entry.push(token),
        }
    }

    /// An entry is over.
    fn settle(&mut self, found: &mut sizes::Found) {
        match self.kind {
            Kind::Parameters => found.parameter(&self.entry),
            Kind::Bracket => found.range(&self.entry),
            Kind::Other => {}
        }
        self.entry.clear();
    }
}

/// Walks through a text; the first bracket that is nested too deep, or the first token too many.
pub(super) fn survey(stream: &TokenStream) -> Result<Survey, (Span, Problem)> {
    let mut open = vec![Level::new(stream.clone(), Kind::Other)];
    let mut found = sizes::Found::default();
    let (mut end, mut count) = (Span::call_site(), 0);
    while let Some(level) = open.last_mut() {
        let Some(token) = level.tokens.next() else {
            level.settle(&mut found);
            open.pop();
            continue;
        };
        count += 1;
        if count > TOKENS_MAX {
            return Err((token.span(), Problem::TooLong { limit: TOKENS_MAX }));
        }
        let inside = match &token {
            TokenTree::Group(group) => {
                Some((group.span_open(), group.stream(), level.kind_of(group.delimiter())))
            }
            _ => None,
        };
        let at = token.span();
        level.take_in(token, &mut found);
        if open.len() == 1 {
            end = at;
        }
        if let Some((at, stream, kind)) = inside {
            if open.len() > DEPTH_MAX {
                return Err((at, Problem::TooDeep { limit: DEPTH_MAX }));
            }
            open.push(Level::new(stream, kind));
        }
    }
    Ok(Survey { end, sizes: found.sizes() })
}
