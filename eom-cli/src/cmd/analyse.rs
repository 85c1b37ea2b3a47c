//! `eom analyse`: linear systems, periodic orbits, Lyapunov exponents.

use crate::analysis::{linear, lyapunov, orbit};
use crate::cli::{AnalyseArguments, Analysis, RunArguments};
use crate::error::{Failure, Outcome};
use crate::files::Files;
use crate::model::Model;
use crate::run::plan::Plan;

/// Prints what is asked of a model.
pub(crate) fn analyse(arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    files.reads_model(&arguments.model);
    files.check(None)?;
    let model = Model::find(&arguments.model)?;
    let asked = RunArguments {
        sets: arguments.sets.clone(),
        scenario: arguments.scenario.clone(),
        sweeps: arguments.sweep.iter().cloned().collect(),
        ..RunArguments::default()
    };
    let plan = Plan::new(model, &asked)?;
    if plan.starts.len() > 1 || plan.axes.len() > 1 {
        let message =
            "a scenario file for `eom analyse` has one [state] and sweeps one name at most";
        return Err(Failure::refused(message));
    }
    match arguments.what {
        Analysis::Linear => linear::print(&plan, arguments),
        Analysis::Orbit => orbit::print(&plan, arguments),
        Analysis::Lyapunov => lyapunov::print(&plan, arguments),
    }
}
