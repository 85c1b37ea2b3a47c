//! `eom analyse`: linear systems, periodic orbits, branches, Lyapunov exponents, conserved quantities.

use crate::analysis::along::{self, Diagram};
use crate::analysis::{bifurcation, linear, lyapunov, orbit, sensitivity};
use crate::cli::{AnalyseArguments, AnalyseFormat, Analysis, RunArguments};
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
    let diagram = Diagram::asked(arguments)?;
    if let Some(diagram) = &diagram {
        files.writes("--plot", &diagram.path);
    }
    let permit = files.check(None)?;
    check(arguments).map_err(Failure::refused)?;
    let model = Model::find(&arguments.model)?;
    if arguments.what == Analysis::Conserved {
        let is_json = arguments.format == AnalyseFormat::Json;
        shell::print_line(derive::conserved(&model, is_json)?.trim_end())?;
        return Ok(Outcome::Done);
    }
    let asked = RunArguments {
        sets: arguments.sets.clone(),
        scenario: arguments.scenario.clone(),
        sweeps: arguments.sweep.iter().cloned().collect(),
        along: arguments.along.clone(),
        until: arguments.until.clone(),
        impacts: arguments.impacts,
        until_event: arguments.until_event.clone(),
        ..RunArguments::default()
    };
    let plan = Plan::new(model, &asked)?;
    if plan.starts.len() > 1 || plan.axes.len() > 1 {
        let message =
            "a scenario file for `eom analyse` has one [state] and sweeps one name at most";
        return Err(Failure::refused(message));
    }
    let drawn = (diagram.as_ref(), &permit);
    match arguments.what {
        _ if arguments.along.is_some() => along::print(&plan, arguments, drawn),
        Analysis::Linear | Analysis::Equilibria | Analysis::Conserved => {
            linear::print(&plan, arguments)
        }
        Analysis::Orbit => orbit::print(&plan, arguments),
        Analysis::Sensitivity => sensitivity::print(&plan, arguments),
        Analysis::Lyapunov => lyapunov::print(&plan, arguments),
        Analysis::Bifurcation => bifurcation::print(&plan, arguments, drawn),
    }
}

/// Refuses what the question has no use for.
fn check(arguments: &AnalyseArguments) -> Result<(), &'static str> {
    let (what, is_along) = (arguments.what, arguments.along.is_some());
    let is_diagram = what == Analysis::Bifurcation;
    if is_along && !matches!(what, Analysis::Equilibria | Analysis::Orbit) {
        return Err("--along is of `equilibria` and `orbit`");
    }
    let is_set =
        !arguments.sets.is_empty() || arguments.scenario.is_some() || arguments.sweep.is_some();
    if is_set && what == Analysis::Conserved {
        return Err(
            "`conserved` is of the declaration, whatever its numbers are: leave out --set, --scenario and --sweep",
        );
    }
    if arguments.format == AnalyseFormat::Tsv && what == Analysis::Conserved {
        return Err("`conserved` is no table: --format text or json");
    }
    let returns = arguments.section.is_some() || arguments.period.is_some();
    if returns && what != Analysis::Orbit && !is_diagram {
        return Err("--section and --period are of `orbit` and `bifurcation`");
    }
    if arguments.plot.is_some() && !is_along && !is_diagram {
        return Err("--plot is of branches, with --along, and of `bifurcation`");
    }
    if !arguments.of.is_empty() && what != Analysis::Sensitivity && !is_diagram {
        return Err("--of is of `sensitivity` and `bifurcation`");
    }
    let ends = [
        ("--until is of `sensitivity` and `bifurcation`", arguments.until.is_some()),
        ("--impacts is of `sensitivity` and `bifurcation`", arguments.impacts.is_some()),
        ("--until-event is of `sensitivity` and `bifurcation`", arguments.until_event.is_some()),
    ];
    let has_end = what == Analysis::Sensitivity || is_diagram;
    if let Some((message, _)) = ends.iter().find(|(_, given)| *given && !has_end) {
        return Err(message);
    }
    let of_diagrams = [
        ("--last is of `bifurcation`", arguments.last.is_some()),
        ("--carry is of `bifurcation`", arguments.carry.is_some()),
    ];
    if let Some((message, _)) = of_diagrams.iter().find(|(_, given)| *given && !is_diagram) {
        return Err(message);
    }
    if arguments.jobs.is_some() && what != Analysis::Lyapunov && !is_diagram {
        return Err("--jobs is of `lyapunov` over a sweep and `bifurcation`");
    }
    let finds = arguments.find || what == Analysis::Equilibria;
    let looks = !arguments.hold.is_empty() || !arguments.trim.is_empty();
    if looks && !finds {
        return Err("--hold and --trim are of a steady motion that is looked for: give --find");
    }
    Ok(())
}
