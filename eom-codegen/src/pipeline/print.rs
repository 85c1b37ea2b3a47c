//! The equations as a person writes them and the differences of misprints, made when they are first asked for: a run
//! prints none, and of a large system the print takes longer than the derivation.

use crate::difference::differences;
use eom_symbolic::mechanics::report::{EquationsText, report};
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use std::sync::OnceLock;

/// What is printed of a system, and its print once it was asked for.
#[derive(Debug)]
pub(super) struct Print {
    /// The declaration as it was derived: terms stand in the order in which they were made, and what claims add
    /// must not move them.
    declared: SystemModel,
    text: OnceLock<EquationsText>,
    differences: OnceLock<Vec<String>>,
}

impl Print {
    pub(super) fn new(declared: &SystemModel) -> Self {
        Self { declared: declared.clone(), text: OnceLock::new(), differences: OnceLock::new() }
    }

    pub(super) fn text(&self, equations: &EquationsOfMotion) -> &EquationsText {
        self.text.get_or_init(|| report(&self.declared, equations))
    }

    /// Of the claims of a model, which `declared` has not yet.
    pub(super) fn differences(&self, model: &SystemModel) -> &[String] {
        self.differences.get_or_init(|| differences(&mut model.clone()))
    }
}
