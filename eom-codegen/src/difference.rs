//! By how much a misprint differs from the corrected equation.
//!
//! ```text
//! difference = (left − right of the printed form) − (left − right of the corrected form)
//! ```
//!
//! Both halves are equations of the same state, so that accelerations, multipliers and velocities
//! after an impact stand in it as they are: what is left is what the print has too much.

use eom_symbolic::ExprId;
use eom_symbolic::mechanics::{Claim, Statement, SystemModel};
use eom_symbolic::print::{self, Names};
use eom_symbolic::simplify::Simplifier;

/// The differences of the claims of a model, to whose pool they are added.
pub(crate) fn differences(model: &mut SystemModel) -> Vec<String> {
    model.claims.clone().iter().map(|claim| difference(model, claim)).collect()
}

/// The difference of an erratum in simplest form, by component where there are several; empty for
/// a claim.
fn difference(model: &mut SystemModel, claim: &Claim) -> String {
    let Some((Statement::Residuals(corrected), _)) = &claim.corrected else {
        return String::new();
    };
    let Statement::Residuals(printed) = &claim.statement else { return String::new() };
    if printed.len() != corrected.len() {
        return format!("{} components in place of {}", printed.len(), corrected.len());
    }
    let mut simplifier = Simplifier::default();
    let entries: Vec<ExprId> = printed
        .iter()
        .zip(corrected)
        .map(|(printed, corrected)| {
            let difference = model.pool.sub(*printed, *corrected);
            simplifier.simplify(&mut model.pool, difference)
        })
        .collect();
    let names = Names::new(model);
    let names = if claim.at.is_some() { names.at_impact() } else { names };
    let texts: Vec<String> =
        entries.iter().map(|entry| print::unicode(&model.pool, *entry, &names)).collect();
    match texts.as_slice() {
        [scalar] => scalar.clone(),
        components => format!("[{}]", components.join(", ")),
    }
}
