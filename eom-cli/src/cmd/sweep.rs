//! `eom sweep`: makes chunks of a sweep, or writes the script that makes them on a cluster.

use crate::cli::{RunArguments, SweepArguments};
use crate::error::{Failure, Outcome};
use crate::files::{Files, Output};
use crate::model::Model;
use crate::run::plan::Plan;
use crate::run::size;
use crate::shell;
use crate::sweep::chunks::{RUNS_MAX, chosen, failure, make, sweep, wanted};
use crate::sweep::{jobs, slurm};
use eom_core::Counted;
use eom_sweep::Folder;
use eom_sweep::runs::Ended;
use std::fmt::Write as _;

/// Makes the chunks that are asked for.
pub(crate) fn run(arguments: &SweepArguments) -> Result<Outcome, Failure> {
    let model = Model::find(&arguments.model)?;
    let plan = Plan::of_at_most(model, &as_run(arguments), RUNS_MAX)?;
    size::check_chunk(&plan, arguments.size.get())?;
    let sweep = sweep(&plan, arguments);
    let chunks = sweep.chunks();
    if let Some(path) = &arguments.slurm {
        let mut files = Files::default();
        files.reads_model(&arguments.model);
        plan.source.iter().for_each(|source| files.reads("the scenario file", &source.path));
        files.writes("--slurm", path);
        let permit = files.check(plan.source.as_ref())?;
        let script = slurm::script(arguments, chunks);
        Output::open(&permit, "--slurm", path)?.replace(script.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let chosen = chosen(arguments.chunks.as_deref(), chunks)?;
    let jobs = jobs(arguments.jobs)?;
    let folder = Folder::open(&arguments.out, sweep).map_err(failure)?;
    folder.clear().map_err(failure)?;
    shell::watch_interrupts();
    let made = make(&plan, wanted(&plan, arguments), jobs, (&folder, &chosen))?;
    let done = made.before + made.written;
    let mut text = format!(
        "{}: {done} of {} in {}",
        plan.model.title,
        Counted(chosen.len() as u64, "chunk"),
        arguments.out.display()
    );
    let counts = [(made.before, "there before"), (made.written, "made")];
    for (count, words) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(text, ", {count} {words}");
    }
    if made.written > 0 {
        let told = Ended::ALL.map(|kind| (made.tally.of(kind), kind.word()));
        let told = told.into_iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = told.map(|(count, word)| format!("{count} {word}")).collect();
        let _ = write!(text, "; of their runs {}", told.join(", "));
    }
    text.push('\n');
    shell::print_summary(false, &text)?;
    let is_all = done == chosen.len() as u64;
    Ok(if is_all { Outcome::Done } else { Outcome::Interrupted })
}

/// The arguments of a run that has the same start, end and sweep.
fn as_run(arguments: &SweepArguments) -> RunArguments {
    RunArguments {
        model: arguments.model.clone(),
        scenario: arguments.scenario.clone(),
        sets: arguments.sets.clone(),
        sweeps: arguments.sweeps.clone(),
        sample: arguments.sample.clone(),
        ..RunArguments::default()
    }
}
