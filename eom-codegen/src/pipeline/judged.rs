//! The last stages: whether the equations determine a motion, whether the claims follow, what else is to be said.

use super::claims::{Stated, decide_claims};
use super::derivation::Derived;
use super::lowered::check_numbers;
use super::print::Print;
use crate::ast;
use crate::diagnosis::{check_model, check_solvable};
use crate::diagnostic::{Diagnostic, Errors, Level};
use eom_symbolic::mechanics::claim::sample::Functions;
use eom_symbolic::mechanics::diagnosis::Subject;
use eom_symbolic::mechanics::{EquationsOfMotion, SystemModel};
use eom_symbolic::program::SystemPrograms;

/// Of a system of more nodes nobody reads the print, for which a `let` might be: it takes longer than all else.
const READ_MAX: usize = 8_000;

/// What is decided at random states: the system, with a free symbol for each value of a declared function.
fn decidable<'s>(
    model: &'s mut SystemModel,
    equations: &'s EquationsOfMotion,
    free: &'s mut Option<(SystemModel, EquationsOfMotion)>,
) -> (&'s mut SystemModel, &'s EquationsOfMotion) {
    free.as_mut().map_or((model, equations), |(model, equations)| (model, equations))
}

/// Whether claims follow. The functions that random states need; none where the equations determine nothing.
pub(super) fn judged(
    system: &ast::System,
    derived: &mut Derived,
    programs: &SystemPrograms,
    stated: &mut Stated,
    errors: &mut Errors,
) -> Option<Functions> {
    let Derived { model, equations, places } = derived;
    let (model, equations) = decidable(model, equations, &mut stated.free);
    let functions = Functions::new(model, equations);
    let regular = programs.dynamics.is_finite();
    let found = errors.len();
    check_solvable(system, model, (equations, &functions), (places, regular), errors);
    if errors.len() == found {
        check_numbers(model, programs, places, errors);
    }
    if errors.len() > found {
        errors.hide();
        return None;
    }
    let whole = (equations, &functions);
    decide_claims(model, whole, &mut stated.closed, &stated.places, errors);
    Some(functions)
}

/// The diagnosis of the model: its warnings and notes; its errors are mistakes.
pub(super) fn diagnosed(
    system: &ast::System,
    derived: &mut Derived,
    (stated, functions): (&mut Stated, &Functions),
    print: &Print,
    errors: &mut Errors,
) -> Vec<Diagnostic> {
    let Derived { model, equations, places } = derived;
    let declared = model.clone();
    let subject = Subject { declared: &declared, equations, functions };
    let decidable = decidable(model, equations, &mut stated.free);
    let is_read = declared.pool.len() <= READ_MAX;
    let printed = || is_read.then(|| print.text(equations));
    let said = check_model(system, decidable, &subject, (places, printed));
    let (grave, rest) = said.into_iter().partition(|said| said.level == Level::Error);
    let grave: Vec<Diagnostic> = grave;
    for diagnostic in grave {
        errors.push(diagnostic);
    }
    rest
}
