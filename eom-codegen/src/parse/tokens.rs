//! The token reader: a place in the buffer, with what the messages need to name and point at.

use crate::ast::{Ident, Region};
use crate::diagnostic::{Diagnostic, Errors, Problem};
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use std::cell::{Cell, RefCell};
use syn::buffer::Cursor;

/// A parameter that sizes arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Size {
    /// Its name as it is read.
    pub(super) name: String,
    /// Its number.
    pub(super) value: i64,
}

/// A mistake that ends its item; boxed, since it travels in every result.
pub(super) struct Fault(pub(super) Box<Diagnostic>);

/// A piece of the tree, or the mistake that ends its item.
pub(super) type Parsed<T> = Result<T, Fault>;

/// What arrays may come to when their elements are written out, in names, numbers and operations.
pub const UNROLLED_MAX: usize = 200_000;

/// The letters of a name.
pub const NAME_MAX: usize = 100;

/// What is noted while a text is read.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// What the arrays come to, written out.
    unrolled: Cell<usize>,
    /// Mistakes that end no item: what is meant is plain.
    slips: RefCell<Vec<Diagnostic>>,
}

impl Read {
    /// Reports the mistakes that ended no item.
    pub(super) fn report(self, errors: &mut Errors) {
        self.slips.into_inner().into_iter().for_each(|slip| errors.push(slip));
    }
}

/// A place within one bracket; copying it is looking ahead.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    cursor: Cursor<'a>,
    /// The token read last, or the opening bracket.
    pub(super) last: Span,
    /// The closing bracket; at the outermost level the last token.
    end: Span,
    /// The bracket; none at the outermost level.
    pub(super) within: Option<Delimiter>,
    /// How deep expressions are nested here.
    pub(super) depth: usize,
    /// What has been read so far, for all places.
    read: &'a Read,
    /// The index that has a value here: the place of its name, and the value.
    index: Option<(Cursor<'a>, i64)>,
    /// The parameters that size arrays.
    sizes: &'a [Size],
}

impl<'a> Tokens<'a> {
    pub(super) fn outermost(
        cursor: Cursor<'a>,
        end: Span,
        read: &'a Read,
        sizes: &'a [Size],
    ) -> Self {
        let (last, within) = (cursor.span(), None);
        Self { cursor, last, end, within, depth: 0, read, index: None, sizes }
    }

    /// The same with the name at a place as an index of this value.
    pub(super) fn at_index(self, name: Option<Cursor<'a>>, value: i64) -> Self {
        Self { index: name.map(|name| (name, value)), ..self }
    }

    /// The value of the index, or of a size, where its name comes next.
    pub(super) fn index_value(&self) -> Option<i64> {
        if self.index.is_none() && self.sizes.is_empty() {
            return None;
        }
        let word = normal(&self.cursor.ident()?.0);
        let index = self.index.and_then(|(name, value)| Some((normal(&name.ident()?.0), value)));
        match index {
            Some((name, value)) if name == word => Some(value),
            _ => self.sizes.iter().find(|size| size.name == word).map(|size| size.value),
        }
    }

    /// The parameters that size arrays.
    pub(super) fn sizes(&self) -> &'a [Size] {
        self.sizes
    }

    /// Notes that so much is about to be written out; refused where it is too much in all.
    pub(super) fn unroll(&self, size: usize, at: Region) -> Parsed<()> {
        let size = self.read.unrolled.get().saturating_add(size);
        self.read.unrolled.set(size);
        if size > UNROLLED_MAX {
            return Err(fault(at, &Problem::LongUnrolling { limit: UNROLLED_MAX }));
        }
        Ok(())
    }

    pub(super) fn at_end(&self) -> bool {
        self.cursor.eof()
    }

    pub(super) fn cursor(&self) -> Cursor<'a> {
        self.cursor
    }

    /// The next token; the closing bracket at the end.
    pub(super) fn here(&self) -> Region {
        if self.at_end() { self.end.into() } else { self.cursor.span().into() }
    }

    /// The token read last.
    pub(super) fn behind(&self) -> Region {
        self.last.into()
    }

    /// Whether the next token stands on a later line than the last one.
    pub(super) fn on_new_line(&self) -> bool {
        self.here().first.start().line > self.last.end().line
    }

    /// Whether a comment `/// …` comes next, behind something on its line.
    pub(super) fn is_doc_behind(&self) -> bool {
        // A bracket, another comment, or at the outermost level this one.
        let opens = || self.last.source_text().is_some_and(|text| text.starts_with(['{', '/']));
        if !self.is_sign("#") || self.comment().is_some() || self.on_new_line() || opens() {
            return false;
        }
        let mut next = *self;
        next.skip();
        next.skip();
        next.at_end() || next.on_new_line()
    }

    /// The sign of what is meant as a comment, `#` or `%`: that of an attribute has a bracket behind it.
    pub(super) fn comment(&self) -> Option<char> {
        let Some((TokenTree::Punct(mark), rest)) = self.cursor.token_tree() else { return None };
        let is_attribute = || {
            let bracket = |cursor: Cursor<'_>| matches!(cursor.token_tree(), Some((TokenTree::Group(group), _)) if group.delimiter() == Delimiter::Bracket);
            let inner = match rest.punct() {
                Some((mark, rest)) if mark.as_char() == '!' => bracket(rest),
                _ => false,
            };
            bracket(rest) || inner
        };
        match mark.as_char() {
            '#' if !is_attribute() => Some('#'),
            '%' => Some('%'),
            _ => None,
        }
    }

    /// Passes all tokens that begin on this line.
    pub(super) fn skip_line(&mut self) {
        let line = self.here().first.start().line;
        while !self.at_end() && self.here().first.start().line == line {
            self.skip();
        }
    }

    /// The word that stands here where one of these is meant, and it is near.
    pub(super) fn misspelt(&self, known: &[&'static str]) -> Option<Fault> {
        let word = self.word()?;
        let meant = eom_symbolic::name::nearest(&word, known.iter().copied())?;
        Some(fault(self.here(), &Problem::Misspelt { word, meant }))
    }

    /// The next token in words.
    pub(super) fn found(&self) -> String {
        match self.cursor.token_tree() {
            None => self.closing().into(),
            Some((TokenTree::Group(group), _)) => match group.delimiter() {
                Delimiter::Parenthesis => "`(`".into(),
                Delimiter::Bracket => "`[`".into(),
                Delimiter::Brace => "`{`".into(),
                Delimiter::None => format!("`{group}`"),
            },
            Some((TokenTree::Ident(word), _)) => format!("`{}`", normal(&word)),
            // A doc comment reaches a macro as an attribute.
            Some((TokenTree::Punct(mark), _)) if mark.as_char() == '#' => "a doc comment".into(),
            Some((token, _)) => format!("`{token}`"),
        }
    }

    fn closing(&self) -> &'static str {
        match self.within {
            Some(Delimiter::Parenthesis) => "`)`",
            Some(Delimiter::Bracket) => "`]`",
            Some(Delimiter::Brace) => "`}`",
            Some(Delimiter::None) | None => "the end",
        }
    }

    pub(super) fn expected(&self, what: impl Into<String>) -> Fault {
        if self.is_doc_behind() {
            return fault(self.here(), &Problem::DocBehind);
        }
        fault(self.here(), &Problem::Expected { what: what.into(), found: self.found() })
    }

    fn advance(&mut self, last: Span, cursor: Cursor<'a>) {
        self.last = last;
        self.cursor = cursor;
    }

    /// Passes one token, or one bracket with all that is in it.
    pub(super) fn skip(&mut self) -> Option<TokenTree> {
        let (token, rest) = self.cursor.token_tree()?;
        let last = match &token {
            TokenTree::Group(group) => group.span_close(),
            other => other.span(),
        };
        self.advance(last, rest);
        Some(token)
    }

    /// Where the next token is, unless that is what a macro passed on as one: a cursor would look into it.
    fn single(&self) -> Option<Cursor<'a>> {
        (!self.is_group(Delimiter::None)).then_some(self.cursor)
    }

    /// The next token, if it is a word.
    pub(super) fn word(&self) -> Option<String> {
        self.single()?.ident().map(|(word, _)| normal(&word))
    }

    /// Whether the next token is this word of the language, which is of ASCII: it has one spelling.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.single().and_then(Cursor::ident).is_some_and(|(next, _)| next == word)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> Option<Region> {
        if !self.is_word(word) {
            return None;
        }
        self.skip();
        Some(self.behind())
    }

    /// Whether the next tokens are this sign, its characters side by side.
    pub(super) fn is_sign(&self, sign: &str) -> bool {
        self.after_sign(sign).is_some()
    }

    pub(super) fn eat_sign(&mut self, sign: &str) -> Option<Region> {
        let first = self.here();
        *self = self.after_sign(sign)?;
        Some(first.to(self.behind()))
    }

    fn after_sign(mut self, sign: &str) -> Option<Self> {
        let length = sign.chars().count();
        for (index, wanted) in sign.chars().enumerate() {
            let (punct, rest) = self.single()?.punct()?;
            let is_next = punct.as_char() == wanted
                && (index + 1 == length || punct.spacing() == Spacing::Joint);
            if !is_next {
                return None;
            }
            self.advance(punct.span(), rest);
        }
        Some(self)
    }

    /// The next bracket of a kind: what is in it, and the whole.
    pub(super) fn eat_group(&mut self, delimiter: Delimiter) -> Option<(Self, Region)> {
        let (inside, found, span, rest) = self.cursor.any_group()?;
        if found != delimiter {
            return None;
        }
        let inside = Self {
            cursor: inside,
            last: span.open(),
            end: span.close(),
            within: Some(delimiter),
            depth: self.depth,
            read: self.read,
            index: self.index,
            sizes: self.sizes,
        };
        self.advance(span.close(), rest);
        Some((inside, Region { first: span.open(), last: span.close() }))
    }

    pub(super) fn is_group(&self, delimiter: Delimiter) -> bool {
        self.cursor.any_group().is_some_and(|(_, found, ..)| found == delimiter)
    }

    /// A block in braces after `what`.
    pub(super) fn braces(&mut self, what: &str) -> Parsed<(Self, Region)> {
        self.eat_group(Delimiter::Brace).ok_or_else(|| {
            self.name_with_sign()
                .unwrap_or_else(|| self.expected(format!("`{{ … }}` after {what}")))
        })
    }

    /// A group in parentheses that must stand here.
    pub(super) fn parentheses(&mut self, what: &str) -> Parsed<(Self, Region)> {
        self.eat_group(Delimiter::Parenthesis)
            .ok_or_else(|| self.expected(format!("`( … )` after {what}")))
    }

    /// A sign that must stand here.
    pub(super) fn sign(&mut self, sign: &str, after: &str) -> Parsed<Region> {
        if sign == "=" && self.is_sign("==") {
            return Err(fault(self.here(), &Problem::EqualEqual));
        }
        if sign == "="
            && let Some(sign) = ["+=", "-=", "*=", "/="].into_iter().find(|sign| self.is_sign(sign))
        {
            return Err(fault(self.here(), &Problem::Compound { sign }));
        }
        self.eat_sign(sign).ok_or_else(|| self.expected(format!("`{sign}` after {after}")))
    }

    /// A name that must stand here; `what` says of what, with its article.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Ident> {
        let Some((word, rest)) = self.cursor.ident() else {
            return Err(self.expected(format!("the name of {what}")));
        };
        let region = Region::from(word.span());
        let text = checked(&word.to_string(), region)?;
        // A word since the edition of 2024, which syn does not know.
        let is_word = syn::parse2::<syn::Ident>(TokenTree::Ident(word.clone()).into()).is_err();
        if is_word || text == "gen" {
            return Err(fault(region, &Problem::Keyword { word: text }));
        }
        self.advance(word.span(), rest);
        Ok(Ident { text, region })
    }

    /// A name within an expression: words of Rust are only unknown names there.
    pub(super) fn mention(&mut self) -> Option<Parsed<Ident>> {
        let (word, rest) = self.single()?.ident()?;
        let region = Region::from(word.span());
        self.advance(word.span(), rest);
        Some(checked(&word.to_string(), region).map(|text| Ident { text, region }))
    }

    /// About how many tokens are left.
    pub(super) fn size(&self) -> usize {
        self.found_all().split_whitespace().count()
    }

    /// All tokens that are left, as text.
    pub(super) fn found_all(&self) -> String {
        self.cursor.token_stream().to_string()
    }

    /// Tokens up to a place further on, such as a visibility.
    pub(super) fn stream_until(self, end: Cursor<'a>) -> TokenStream {
        let mut stream = TokenStream::new();
        let mut tokens = self;
        while tokens.cursor != end {
            let Some(token) = tokens.skip() else { break };
            stream.extend([token]);
        }
        stream
    }

    /// `;` after an item. Where it is missing at the end of a line, that is all that is wrong.
    pub(super) fn semicolon(
        &mut self,
        after: &str,
        starts: fn(&Tokens<'_>) -> bool,
        errors: &mut Errors,
    ) -> Parsed<()> {
        if self.eat_sign(";").is_some() {
            return Ok(());
        }
        if self.at_end() || starts(self) || (self.on_new_line() && self.word().is_some()) {
            errors.report(self.behind(), &Problem::NoSemicolon { after: after.into() });
            return Ok(());
        }
        if self.is_sign("==") {
            return Err(fault(self.here(), &Problem::EqualsAgain));
        }
        Err(self.unexpected(&format!("`;` after {after}")))
    }

    /// A mistake that leaves no doubt of what is meant: reading goes on with that.
    pub(super) fn slip(&self, at: impl Into<Region>, problem: &Problem) {
        self.read.slips.borrow_mut().push(Diagnostic::new(at, problem));
    }

    /// Leaves what follows a mistake: up to the `;` or `{ … }` that ends the item, or to where
    /// the next one visibly begins. Always moves on from `start`.
    pub(super) fn recover(&mut self, start: Cursor<'a>, starts: fn(&Tokens<'_>) -> bool) {
        loop {
            if self.at_end() {
                return;
            }
            let moved = self.cursor != start;
            if moved && starts(self) {
                return;
            }
            let ends = self.is_sign(";") || self.is_group(Delimiter::Brace);
            self.skip();
            if ends {
                self.eat_sign(";");
                return;
            }
        }
    }
}

/// Refuses `r#name`, `_` and the dot of a product, which Rust takes for a letter; the text in NFC.
fn checked(text: &str, region: Region) -> Parsed<String> {
    if let Some(name) = text.strip_prefix("r#") {
        return Err(fault(region, &Problem::RawName { name: name.into() }));
    }
    if text.chars().nth(NAME_MAX).is_some() {
        return Err(fault(region, &Problem::LongName { limit: NAME_MAX }));
    }
    if text == "_" {
        let what = Problem::Expected { what: "a name".into(), found: "`_`".into() };
        return Err(fault(region, &what));
    }
    if text.contains('·') {
        return Err(fault(region, &Problem::Unreadable { found: '·' }));
    }
    Ok(eom_symbolic::name::normalize(text))
}

pub(super) fn normal(word: &proc_macro2::Ident) -> String {
    eom_symbolic::name::normalize(&word.to_string())
}

pub(super) fn fault(at: impl Into<Region>, problem: &Problem) -> Fault {
    Fault(Box::new(Diagnostic::new(at, problem)))
}
