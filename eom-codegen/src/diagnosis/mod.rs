//! Diagnosis of a declaration that parses, resolves and has equations: the table of what can be
//! said, how grave it is, and what a declaration allows.
//!
//! What is found is the business of [`eom_symbolic::mechanics::diagnosis`]; the words stand in
//! `words`.

mod allows;
mod chetaev;
mod components;
mod events;
mod kind;
mod lets;
mod message;
mod messages;
mod starts;

pub(crate) use allows::{allows, check_allows};
pub use kind::Diagnosis;
pub(crate) use messages::{Terms, linear_term};

use crate::ast;
use crate::diagnostic::{Diagnostic, Errors, Level};
use crate::resolve::Places;
use allows::Allowed;
use eom_elementary::order;
use eom_symbolic::mechanics::claim::sample::Functions;
use eom_symbolic::mechanics::diagnosis::{Finding, Subject, diagnose, solvable};
use eom_symbolic::mechanics::report::EquationsText;
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use message::Message;
use messages::Messages;

/// A system whose equations determine nothing, wherever one looks: before claims are decided.
pub(crate) fn check_solvable(
    system: &ast::System,
    model: &mut SystemModel,
    (equations, functions): (&EquationsOfMotion, &Functions),
    (places, regular): (&Places, bool),
    errors: &mut Errors,
) {
    for finding in solvable(model, equations, functions, regular) {
        let mut said = Messages::new(system, places).say(model, &finding);
        said.level = Level::Error;
        errors.push(said.into_diagnostic());
    }
}

/// Everything else that is said of a declaration, errors first; what it allows is left out.
///
/// `model` and `equations` have a free symbol for each value of a declared function. What is printed, where
/// somebody reads it, is asked for where a `let` may be unused.
pub(crate) fn check_model<'p>(
    system: &ast::System,
    (model, equations): (&mut SystemModel, &EquationsOfMotion),
    subject: &Subject<'_>,
    (places, printed): (&Places, impl FnOnce() -> Option<&'p EquationsText>),
) -> Vec<Diagnostic> {
    let findings: Vec<Finding> = diagnose(model, equations, subject);
    let mut said: Vec<Message> = Vec::new();
    let speaker = Messages::new(system, places);
    said.extend(findings.iter().map(|finding| speaker.say(model, finding)));
    said.extend(lets::unused(system, printed));
    said.extend(events::undirected(system));
    said.extend(starts::impossible(system, model));
    said.extend(components::left_out(system, &model.empty_rows));
    said.extend(chetaev::rows(model, places));
    let mut allowed = Allowed::new(system);
    said.retain(|said| !allowed.takes(said));
    said.extend(allowed.unused());
    order::sort_by_key(&mut said, |said| said.level);
    said.into_iter().map(Message::into_diagnostic).collect()
}
