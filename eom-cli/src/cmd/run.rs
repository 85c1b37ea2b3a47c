//! `eom run`: opens the files, runs, writes samples, events, the figures and the summary.

use crate::cli::RunArguments;
use crate::complaint::{Complaint, refused};
use crate::error::{Failure, Outcome};
use crate::model::Model;
use crate::output::columns;
use crate::plot;
use crate::run::balance::Watch;
use crate::run::ledger::ledger;
use crate::run::outputs::{Fate, Outputs, Sheets};
use crate::run::plan::Plan;
use crate::run::progress::Bar;
use crate::run::refusal::{must, refusal};
use crate::run::request::Request;
use crate::run::summary::{law, summary};
use crate::scenario::Output;
use crate::{shell, sweep};
use eom_core::{End, Options, Sampling, StartError, Trajectory, simulate};
use std::io::{self, Write as _};
use std::ops::ControlFlow;

/// Runs a model, once or as a sweep.
pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Failure> {
    let model = Model::find(&arguments.model)?;
    let plan = Plan::new(model, arguments)?;
    check(&plan.output)?;
    if plan.is_sweep() {
        return sweep::run(&plan, arguments);
    }
    if arguments.resume {
        return Err(Failure::Refused(
            "--resume goes on with a sweep: give --sweep, too".to_owned(),
        ));
    }
    single(&plan, arguments)
}

/// Refuses what no output asks for.
fn check(output: &Output) -> Result<(), Failure> {
    let samples = [&output.csv, &output.jsonl, &output.parquet];
    if output.sample.is_some() && samples.iter().all(|named| named.is_none()) {
        let message = "--sample needs samples to write: --csv <FILE>, --jsonl or --parquet";
        return Err(Failure::Refused(message.to_owned()));
    }
    Ok(())
}

/// One run.
fn single(plan: &Plan, arguments: &RunArguments) -> Result<Outcome, Failure> {
    let request =
        plan.request(0).map_err(|complaint| refused(plan.source.as_ref(), &[complaint]))?;
    let Outputs { sheets, pictures, .. } = Outputs::open(plan, arguments, Some(&request))?;
    // What is written or drawn decides what is kept of the run.
    let sampling = match request.interval {
        _ if sheets.samples.is_empty() && pictures.is_empty() => Sampling::Ends,
        Some(interval) if !sheets.samples.is_empty() => Sampling::Every(interval),
        _ => Sampling::Steps,
    };
    shell::watch_interrupts();
    let mut watch = Watch::new(&*request.system);
    let trajectory = execute(&request, &request.sampled(sampling.clone()), &mut watch)
        .map_err(|error| unstarted(plan, &request, &error))?;
    let interrupted = matches!(trajectory.end, End::Interrupted { .. });
    let mut fate = Fate::default();
    let use_stdout = sheets.use_stdout;
    write_tables(&request, &trajectory, sheets, &mut fate);
    let steps = match sampling {
        Sampling::Every(_) if !pictures.is_empty() && !interrupted => {
            let mut again = Watch::new(&*request.system);
            let options = request.sampled(Sampling::Steps);
            let all = execute(&request, &options, &mut again);
            Some(all.map_err(|error| unstarted(plan, &request, &error))?)
        }
        _ => None,
    };
    let law = law(&*request.system, request.options.law);
    let mut notes = String::new();
    for picture in pictures {
        let seen = steps.as_ref().unwrap_or(&trajectory);
        let svg = plot::drawn(&request, seen, &law, &picture.drawn).map_err(Failure::refused)?;
        notes.push_str(&picture.write(&svg, &mut fate)?);
    }
    let mut text = summary(&request, &trajectory, &watch) + &notes;
    text.extend(trajectory.ledger.iter().map(|books| ledger(request.model.info, books)));
    print_summary(use_stdout, &text).and(fate.tell(interrupted))?;
    Ok(match trajectory.end {
        End::Interrupted { .. } => Outcome::Interrupted,
        end if end.is_complete() => Outcome::Done,
        _ => Outcome::EndedEarly,
    })
}

/// The refusal of a start; what the scenario file is at fault for is shown there.
pub(crate) fn unstarted(plan: &Plan, request: &Request, error: &StartError) -> Failure {
    if let StartError::Option { name, value, low, high } = error
        && let Some(at) = plan.place(name)
    {
        let said = format!("it {}", must(*value, *low, *high));
        return refused(plan.source.as_ref(), &[Complaint::at(at, said)]);
    }
    refusal(request, error)
}

/// Runs to the end, or to an interrupt.
pub(crate) fn execute(
    request: &Request,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Trajectory, StartError> {
    let mut bar = Bar::new(request.start.t, options);
    let mut observer = |progress: &eom_core::Progress<'_>| {
        watch.see(progress.t, progress.q, progress.v);
        bar.see(progress);
        if shell::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let trajectory =
        simulate(&*request.system, &request.start, &request.inputs, options, &mut observer);
    bar.finish();
    trajectory
}

/// The same without a bar and without a look at the constraints.
pub(crate) fn execute_quietly(
    request: &Request,
    options: &Options,
) -> Result<Trajectory, StartError> {
    let mut observer = |_: &eom_core::Progress<'_>| {
        if shell::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    simulate(&*request.system, &request.start, &request.inputs, options, &mut observer)
}

fn write_tables(request: &Request, trajectory: &Trajectory, sheets: Sheets, fate: &mut Fate) {
    let (info, title) = (request.model.info, request.model.title.as_str());
    for sheet in sheets.samples {
        let rows = trajectory.samples.iter();
        let rows = rows.map(|state| Ok(columns::sample(&*request.system, &request.inputs, state)));
        sheet.write((title, "samples"), &columns::samples(info), rows, fate);
    }
    if let Some(sheet) = sheets.events {
        let rows = trajectory.events.iter().map(|event| Ok(columns::event(info, event)));
        sheet.write((title, "events"), &columns::events(info), rows, fate);
    }
}

/// The summary goes to standard output, unless a table does.
pub(crate) fn print_summary(table_on_stdout: bool, text: &str) -> Result<(), Failure> {
    if shell::is_quiet() {
        return Ok(());
    }
    if table_on_stdout {
        let written = io::stderr().lock().write_all(text.as_bytes());
        return written.map_err(|error| Failure::output("standard error", error));
    }
    shell::print(text)
}
