//! `eom analyse`: linear systems, periodic orbits, Lyapunov exponents, conserved quantities.

use crate::analysis::{linear, lyapunov, orbit};
use crate::cli::{AnalyseArguments, Analysis, RunArguments};
use crate::cmd::derive;
use crate::error::{Failure, Outcome};
use crate::files::Files;
use crate::model::Model;
use crate::run::plan::Plan;
use crate::shell;

/// Prints what is asked of a model.
pub(crate) fn analyse(arguments: &AnalyseArguments) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    files.reads_model(&arguments.model);
    files.check(None)?;
    let model = Model::find(&arguments.model)?;
    let print = match arguments.what {
        Analysis::Linear => linear::print,
        Analysis::Orbit => orbit::print,
        Analysis::Lyapunov => lyapunov::print,
        Analysis::Conserved => {
            shell::print_line(derive::conserved(&model)?.trim_end())?;
            return Ok(Outcome::Done);
        }
    };
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
    print(&plan, arguments)
}
