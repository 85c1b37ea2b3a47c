//! What is wrong with a request: at a place of the scenario file, or with an argument.

use crate::error::Failure;
use crate::mistakes::{self, Mark};
use eom_codegen::diagnostic::Level;
use std::ops::Range;

/// A mistake in what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// Its bytes in the scenario file; `None` where the message names an argument.
    pub(crate) at: Option<Range<usize>>,
    /// What is wrong.
    pub(crate) message: String,
    /// One thing to do.
    pub(crate) help: Option<String>,
}

impl Complaint {
    /// About something that stands nowhere in particular.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { at: None, message: message.into(), help: None }
    }

    /// About a place of the scenario file.
    pub(crate) fn at(at: Range<usize>, message: impl Into<String>) -> Self {
        Self { at: Some(at), message: message.into(), help: None }
    }

    /// The same; what stands on further lines of the message says what to do.
    pub(crate) fn lines(at: Range<usize>, message: &str) -> Self {
        let mut lines = message.lines().map(str::trim);
        let complaint = Self::at(at, lines.next().unwrap_or_default());
        let rest: Vec<&str> = lines.collect();
        if rest.is_empty() { complaint } else { complaint.help(rest.join("; ")) }
    }

    /// With one thing to do.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// As text without a place: the message, what to do on the next line.
    pub(crate) fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\n  {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Where a value was given, for messages about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An argument, as messages call it: `--until`, `--set a=1`.
    Argument(String),
    /// A place of the scenario file.
    File(Range<usize>),
}

impl Origin {
    /// A complaint about the value; what stands on further lines of the message says what to do.
    pub(crate) fn complain(&self, message: impl AsRef<str>) -> Complaint {
        match self {
            Self::Argument(name) => Complaint::new(format!("{name}: {}", message.as_ref())),
            Self::File(at) => Complaint::lines(at.clone(), message.as_ref()),
        }
    }
}

/// A scenario file.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// As it was named.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// The refusal of a request with all that is wrong with it.
pub(crate) fn refused(source: Option<&Source>, complaints: &[Complaint]) -> Failure {
    let mut placed: Vec<Mark<'_>> = complaints
        .iter()
        .filter_map(|complaint| {
            let Complaint { at, message, help } = complaint;
            Some(Mark {
                at: at.clone()?,
                message,
                help: help.as_deref(),
                note: None,
                level: Level::Error,
                name: None,
            })
        })
        .collect();
    placed.sort_by_key(|mark| mark.at.start);
    let others: Vec<String> = complaints
        .iter()
        .filter(|complaint| complaint.at.is_none() || source.is_none())
        .map(Complaint::text)
        .collect();
    match source {
        Some(source) if !placed.is_empty() => {
            let others: Vec<String> =
                others.iter().map(|other| format!("error: {other}\n\n")).collect();
            let marked = mistakes::marked(&source.path, &source.text, &placed);
            Failure::Mistakes(others.concat() + &marked)
        }
        _ => Failure::Refused(others.join("\nerror: ")),
    }
}
