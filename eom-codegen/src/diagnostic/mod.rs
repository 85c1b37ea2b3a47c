//! Diagnostics: where a mistake stands, what is wrong, what to do; collected, never dropped.
//!
//! Parsing and resolving collect every mistake in one [`Errors`]; [`Errors::propagate`] is the
//! gate between stages. The words stand in one table, [`Problem`].

mod problem;

pub use problem::Problem;
pub(crate) use problem::{ENDS, NO_JUMPS, SWITCH, WHOLE_NUMBER, suggestion};

use crate::ast::Lost;
use crate::diagnosis::Diagnosis;
use eom_elementary::order;
use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use rustc_hash::FxHashSet;
use std::fmt;
use std::ops::Range;

/// Mistakes are shown up to this number; of the others their number is told.
pub(crate) const SHOWN_MAX: usize = 25;

/// A stretch of source from one token to another.
///
/// Spans of stable rustc cannot be joined, so both ends are kept.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first token.
    pub first: Span,
    /// The last token; its end is the end of the stretch.
    pub last: Span,
}

impl Region {
    /// The stretch from the start of `self` to the end of `end`.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { first: self.first, last: end.last }
    }

    /// Line and column of its first character, both from 1, as editors count.
    #[must_use]
    pub fn line_column(self) -> (usize, usize) {
        let start = self.first.start();
        (start.line, start.column + 1)
    }

    /// Its bytes in a text that was parsed as a whole.
    #[must_use]
    pub fn byte_range(self) -> Range<usize> {
        self.first.byte_range().start..self.last.byte_range().end
    }
}

impl From<Span> for Region {
    fn from(span: Span) -> Self {
        Self { first: span, last: span }
    }
}

/// Two tokens that carry the two ends: what `syn` needs to underline the whole stretch.
impl ToTokens for Region {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for span in [self.first, self.last] {
            let mut mark = Punct::new('.', Spacing::Alone);
            mark.set_span(span);
            tokens.extend([TokenTree::Punct(mark)]);
        }
    }
}

/// How grave something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The result would be wrong: nothing is derived.
    Error,
    /// It is suspicious: said wherever a declaration is compiled or read.
    Warning,
    /// It is true and usual: said where one asks, by `eom check`.
    Note,
}

impl Level {
    /// The word for it, for programs.
    pub fn name(self) -> &'static str {
        // table
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One mistake, or what is suspicious.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The tokens to underline.
    pub at: Region,
    /// What is wrong, in the user's own names.
    pub message: String,
    /// One thing to do.
    pub help: Option<String>,
    /// A second place, such as the first of two declarations, and what stands there.
    pub note: Option<(Region, String)>,
    /// How grave it is.
    pub level: Level,
    /// What it is about, by the name with which a declaration allows it; `None` for mistakes.
    pub diagnosis: Option<Diagnosis>,
    /// Whether more may be wrong that cannot be told before it is mended.
    pub hides: bool,
}

impl Diagnostic {
    /// A mistake of the table, at its place.
    #[must_use]
    pub fn new(at: impl Into<Region>, problem: &Problem) -> Self {
        let (message, help) = problem.words();
        Self::error(at.into(), message, help)
    }

    /// A mistake in words of its own.
    #[must_use]
    pub fn error(at: Region, message: String, help: Option<String>) -> Self {
        Self { at, message, help, note: None, level: Level::Error, diagnosis: None, hides: false }
    }

    /// The same with a second place.
    #[must_use]
    pub fn with_note(mut self, at: impl Into<Region>, note: impl Into<String>) -> Self {
        self.note = Some((at.into(), note.into()));
        self
    }

    /// Message and help, as rustc and the command print them.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// `compile_error!` at its place.
    #[must_use]
    pub fn to_compile_error(&self) -> TokenStream {
        self.to_syn().into_compile_error()
    }

    fn to_syn(&self) -> syn::Error {
        let mut error = syn::Error::new_spanned(self.at, self.text());
        if let Some((at, note)) = &self.note {
            error.combine(syn::Error::new_spanned(at, note));
        }
        error
    }
}

/// `line:column: message`, for a warning `line:column: warning[name]: message`; then the help and the second place on lines of their own.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.at.line_column();
        write!(f, "{line}:{column}: ")?;
        match (self.level, self.diagnosis) {
            (Level::Error, _) | (_, None) => {}
            (Level::Warning, Some(diagnosis)) => write!(f, "warning[{}]: ", diagnosis.name())?,
            (Level::Note, Some(diagnosis)) => write!(f, "note[{}]: ", diagnosis.name())?,
        }
        write!(f, "{}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        if let Some((at, note)) = &self.note {
            let (line, column) = at.line_column();
            write!(f, "\n  {line}:{column}: {note}")?;
        }
        Ok(())
    }
}

/// The mistakes found so far.
///
/// Whoever holds one must look at it, with [`Self::propagate`] or [`Self::into_diagnostics`];
/// dropping it unread is a defect of this crate and panics in debug builds.
#[derive(Debug, Default)]
#[must_use = "mistakes that nobody reads are lost"]
pub struct Errors {
    found: Vec<Diagnostic>,
    /// Places and messages, for what is unrolled from one place and repeats its mistake.
    known: FxHashSet<String>,
    /// Whether more may be wrong that cannot be told before these are mended.
    hiding: bool,
    /// What of the declaration could not be read.
    lost: Lost,
    read: bool,
}

impl Errors {
    /// No mistake so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records a mistake of the table.
    pub fn report(&mut self, at: impl Into<Region>, problem: &Problem) {
        self.push(Diagnostic::new(at, problem));
    }

    /// Records a mistake in words of its own, for what the algebra reports.
    pub fn error(
        &mut self,
        at: impl Into<Region>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.push(Diagnostic::error(at.into(), message.into(), help));
    }

    /// Records a mistake, once: what is unrolled from one place repeats it.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let (line, column) = diagnostic.at.line_column();
        if self.known.insert(format!("{line}:{column}: {}", diagnostic.message)) {
            self.found.push(diagnostic);
        }
    }

    /// Whether no mistake was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The number of mistakes.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Notes that some question was not asked, since a mistake stands before its answer.
    pub fn hide(&mut self) {
        self.hiding = true;
    }

    /// Notes what could not be read: names that stood there are not missed.
    pub(crate) fn lose(&mut self, lost: Lost) {
        self.lost = lost;
    }

    /// What could not be read.
    pub(crate) fn lost(&self) -> Lost {
        self.lost
    }

    /// The mistakes so far, where the stages after them were not come to.
    pub fn into_diagnostics_so_far(mut self) -> Vec<Diagnostic> {
        self.hide();
        self.into_diagnostics()
    }

    /// The mistakes in the order of their places.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.read = true;
        let mut found = std::mem::take(&mut self.found);
        for mistake in &mut found {
            mistake.hides |= self.hiding;
        }
        order::sort_by_key(&mut found, |mistake| mistake.at.line_column());
        found
    }

    /// The gate: passes if nothing was found, else all mistakes as one error of `syn`.
    pub fn propagate(self) -> syn::Result<()> {
        let all = self.into_diagnostics().iter().map(Diagnostic::to_syn).reduce(|mut all, next| {
            all.combine(next);
            all
        });
        all.map_or(Ok(()), Err)
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        debug_assert!(
            self.read || std::thread::panicking(),
            "the mistakes found in a declaration were not read"
        );
    }
}
