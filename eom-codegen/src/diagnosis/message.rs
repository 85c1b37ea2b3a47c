//! A finding in words.

use super::kind::Diagnosis;
use crate::ast::Region;
use crate::diagnostic::{Diagnostic, Level};

/// A finding in words.
pub(super) struct Message {
    pub(super) diagnosis: Diagnosis,
    pub(super) level: Level,
    pub(super) at: Region,
    pub(super) text: String,
    pub(super) help: Option<String>,
    /// The names that `allow` may give.
    pub(super) subjects: Vec<String>,
}

impl Message {
    pub(super) fn into_diagnostic(self) -> Diagnostic {
        Diagnostic {
            at: self.at,
            message: self.text,
            help: self.help,
            note: None,
            level: self.level,
            diagnosis: Some(self.diagnosis),
            hides: false,
        }
    }
}
