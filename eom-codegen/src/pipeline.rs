//! The stages in order: tokens → syntax tree → model → equations → claims decided → programs.
//!
//! Where equations cannot be had, after parsing and resolving or after the derivation, the mistakes so
//! far are reported, as such. What no equation depends on, events, scenarios, outputs, claims, does not
//! stop anything: its mistakes are told with those of the claims that do not follow and of the diagnosis
//! of the model. Past that nothing can fail.

mod checks;
mod claims;
mod derivation;

use crate::ast;
use crate::closed::{derive_closed, free_of_functions};
use crate::diagnosis::{check_allows, check_model, check_solvable};
use crate::diagnostic::{Diagnostic, Errors, Level};
use crate::difference::write_differences;
use crate::resolve::{check_length, check_size, resolve, resolve_claims};
use checks::{check_defaults, check_frictions, check_numbers, check_orders};
use claims::decide_claims;
use derivation::report_derivation;
use eom_symbolic::mechanics::diagnosis::Subject;
use eom_symbolic::mechanics::report::{EquationsText, report};
use eom_symbolic::mechanics::sample::Functions;
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel, lagrange};
use eom_symbolic::program::SystemPrograms;

/// A derived system: what is emitted, printed and locked in snapshots.
#[derive(Debug)]
pub struct Derivation {
    /// The declaration, resolved, with its claims.
    pub model: SystemModel,
    /// The derived functions.
    pub equations: EquationsOfMotion,
    /// Their programs.
    pub programs: SystemPrograms,
    /// The terms of dry friction as printed: `norm([ẋ, ẏ])`.
    pub frictions: Vec<String>,
    /// The equations as a person writes them.
    pub text: EquationsText,
    /// The same as one text.
    pub equations_text: String,
}

impl Derivation {
    /// The listings of all programs that compute something, with their operation counts.
    pub fn listings(&self) -> String {
        let functions = self.programs.functions.iter().filter_map(|f| f.default.as_ref());
        let programs = self.programs.computing().chain(functions);
        let listings: Vec<String> = programs.map(|p| p.listing(&self.model.pool)).collect();
        listings.join("\n")
    }
}

/// A derived system, and the warnings and notes of its diagnosis in this order.
pub(crate) type Diagnosed = (Derivation, Vec<Diagnostic>);

/// Derives a parsed system, or says everything that is wrong with it.
pub(crate) fn derive(
    system: &ast::System,
    mut errors: Errors,
) -> Result<Diagnosed, Vec<Diagnostic>> {
    if !errors.is_empty() {
        // What could not be read may hold more.
        errors.hide();
    }
    check_allows(system, &mut errors);
    let Some(resolved) = resolve(system, &mut errors) else {
        return Err(errors.into_diagnostics_so_far());
    };
    let (mut model, places, scope) = (resolved.model, resolved.places, resolved.scope);
    let derived = lagrange::derive(&mut model);
    if !check_size(&model.pool, &system.name, &mut errors) {
        return Err(errors.into_diagnostics_so_far());
    }
    let Ok(equations) = derived else {
        for error in lagrange::mistakes(&mut model) {
            report_derivation(system, &mut model, &places, &error, &mut errors);
        }
        return Err(errors.into_diagnostics_so_far());
    };
    // Programs before claims: what claims add to the pool must not move a slot of theirs.
    let programs = SystemPrograms::new(&model, &equations);
    if !check_length(&programs, &system.name, &mut errors) {
        return Err(errors.into_diagnostics_so_far());
    }
    check_orders(&model, &programs, &places, &mut errors);
    let before = errors.len();
    check_defaults(&model, system, &mut errors);
    let usual = errors.len() == before;
    let text = report(&model, &equations);
    let mut closed = match derive_closed(system, &scope, &mut model, &equations) {
        Ok(closed) => closed,
        Err(error) => {
            report_derivation(system, &mut model, &places, &error, &mut errors);
            return Err(errors.into_diagnostics_so_far());
        }
    };
    let claim_places =
        resolve_claims(system, &mut model, scope, &equations, &mut closed, &mut errors);
    if !check_size(&model.pool, &system.name, &mut errors) {
        return Err(errors.into_diagnostics_so_far());
    }
    let mut free = free_of_functions(&model, &equations, &mut closed);
    let (decided, derived) = match &mut free {
        Some((model, equations)) => (model, &*equations),
        None => (&mut model, &equations),
    };
    let functions = Functions::new(decided, derived);
    let regular = programs.dynamics.is_finite();
    let found = errors.len();
    check_solvable(system, decided, (derived, &functions), (&places, regular), &mut errors);
    if errors.len() == found {
        check_numbers(decided, &programs, &places, &mut errors);
    }
    let solvable = errors.len() == found;
    if solvable {
        let whole = (derived, &functions);
        decide_claims(decided, whole, &mut closed, &claim_places, &mut errors);
    } else {
        errors.hide();
    }
    let frictions = check_frictions(&mut model, &equations, &places, &mut errors);
    if errors.is_empty() {
        write_differences(&mut model);
    }
    let equations_text = text.to_text();
    let mut said = Vec::new();
    if !usual {
        // Energies with defaults that cannot be say nothing.
        errors.hide();
    }
    if solvable && usual {
        let declared = model.clone();
        let subject = Subject { declared: &declared, equations: &equations, functions: &functions };
        let diagnosed =
            free.as_mut().map_or((&mut model, &equations), |(model, free)| (model, free));
        said = check_model(system, diagnosed, &subject, (&places, &text));
    }
    let (grave, rest): (Vec<Diagnostic>, Vec<Diagnostic>) =
        said.into_iter().partition(|diagnostic| diagnostic.level == Level::Error);
    for diagnostic in grave {
        errors.push(diagnostic);
    }
    let mistakes = errors.into_diagnostics();
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let derivation = Derivation { model, equations, programs, frictions, text, equations_text };
    Ok((derivation, rest))
}
