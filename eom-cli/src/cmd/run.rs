//! `eom run`: opens the files, runs, writes samples, events, the figures and the summary.

use crate::cli::RunArguments;
use crate::complaint::{Complaint, refused};
use crate::error::{Failure, Outcome};
use crate::model::Model;
use crate::plot;
use crate::run::conserved::{self, Kept};
use crate::run::drive::{Come, drive};
use crate::run::outputs::{Fate, Outputs, Picture};
use crate::run::plan::Plan;
use crate::run::precise::{self, Unstarted};
use crate::run::refusal::{must, refusal};
use crate::run::request::Request;
use crate::run::tables::Tables;
use crate::run::thin::Thin;
use crate::scenario::Output;
use crate::{files, film, shell, sweep};
use eom_core::{End, Options, Sampling, StartError, Trajectory};
use eom_interpreter::account::{Story, Watch, law, ledger, summary};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// Runs a model, once or as a sweep.
pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Failure> {
    let model = Model::find(&arguments.model)?;
    let plan = Plan::new(model, arguments)?;
    check(&plan.output, arguments)?;
    if plan.is_sweep() && arguments.conserved {
        return Err(Failure::refused("--conserved is of one run"));
    }
    if plan.is_sweep() && !arguments.conserve.is_empty() {
        return Err(Failure::refused("--conserve is of one run"));
    }
    if plan.has_precision() {
        refuse_beside_precision(&plan, arguments)?;
    }
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
fn check(output: &Output, arguments: &RunArguments) -> Result<(), Failure> {
    let is_film = output.gif.is_some() || arguments.frames.is_some();
    let paces = [("--fps", arguments.fps), ("--speed", arguments.speed)];
    if let Some((option, _)) = paces.iter().find(|(_, given)| !is_film && given.is_some()) {
        let message = format!("{option} is of a film: give --gif <FILE> or --frames <DIR>");
        return Err(Failure::Refused(message));
    }
    let samples = [&output.csv, &output.jsonl, &output.parquet];
    if output.sample.is_some() && samples.iter().all(|named| named.is_none()) {
        let message = "--sample needs samples to write: --csv <FILE>, --jsonl or --parquet";
        return Err(Failure::Refused(message.to_owned()));
    }
    Ok(())
}

/// What runs in higher precision have not: they are single runs, with tables and figures.
fn refuse_beside_precision(plan: &Plan, arguments: &RunArguments) -> Result<(), Failure> {
    let output = &plan.output;
    let others = [
        ("a sweep", plan.is_sweep()),
        ("--html", output.html.is_some()),
        ("--gif", output.gif.is_some()),
        ("--frames", arguments.frames.is_some()),
        ("--ledger", output.ledger),
        ("--conserve", !arguments.conserve.is_empty()),
    ];
    match others.iter().find(|(_, asked)| *asked) {
        Some((what, _)) => Err(Failure::Refused(format!("--precision goes without {what}"))),
        None => Ok(()),
    }
}

/// One run.
fn single(plan: &Plan, arguments: &RunArguments) -> Result<Outcome, Failure> {
    let mut request =
        plan.request(0).map_err(|complaint| refused(plan.source.as_ref(), &[complaint]))?;
    if !arguments.conserve.is_empty() {
        request.conserve = Some(conserved::kept(&request, &arguments.conserve)?);
    }
    let request = request;
    check_films(plan, arguments)?;
    let outputs = Outputs::open(plan, arguments, Some(&request))?;
    let use_stdout = outputs.use_stdout();
    let Outputs { sheets, pictures, page, gif, .. } = outputs;
    // What is written or drawn decides what is kept of the run.
    let sampling = match request.interval {
        _ if sheets.samples.is_empty() && pictures.is_empty() => Sampling::Ends,
        Some(interval) if !sheets.samples.is_empty() => Sampling::Every(interval),
        _ if sheets.samples.is_empty() => Sampling::Curve,
        _ => Sampling::Steps,
    };
    shell::watch_interrupts();
    let system = &*request.system;
    let (mut watch, mut story) = (Watch::new(system), Story::new(system));
    let is_told = arguments.conserved || request.conserve.is_some();
    let mut kept = is_told.then(|| Kept::new(&request)).transpose()?;
    let mut tables = Tables::begin(&request, sheets);
    let mut drawn = (!pictures.is_empty()).then(Thin::default);
    let is_curve = sampling == Sampling::Curve;
    let take = |come: Come| {
        story.take(&come.samples, &come.events);
        if let Some(kept) = &mut kept {
            kept.take(&come);
        }
        let goes_on = tables.write(&come) || drawn.is_some();
        if let Some(drawn) = &mut drawn {
            drawn.take(&come);
        }
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let options = Options { least_gaps: true, ..request.sampled(sampling) };
    let made = match request.precision {
        Some(digits) => precise::drive(&request, (digits, &options), &mut watch, take),
        None => drive(&request, &options, &mut watch, take)
            .map(|trajectory| (trajectory, String::new()))
            .map_err(Unstarted::Start),
    };
    let (trajectory, digits) = made.map_err(|error| unstarted(plan, &request, error))?;
    let mut fate = Fate::default();
    let is_left = tables.finish(&mut fate);
    let interrupted = matches!(trajectory.end, End::Interrupted { .. }) && !is_left;
    // Figures are drawn through curves; those of an interrupted run through what there is.
    let drawn = drawn.filter(|_| is_curve || interrupted);
    let notes = draw(plan, &request, (pictures, drawn), &trajectory, &mut fate)?;
    let mut text = summary(&request.headed(), &story, &trajectory, &watch) + &digits + &notes;
    if let Some(page) = page.filter(|_| !interrupted) {
        let html = film::html(&request, trajectory.end.t(), &text);
        if let Some(html) = fate.made(page.name(), html)
            && let Err(failure) = page.replace(html.as_bytes())
        {
            fate.lose(failure);
        }
    }
    text.extend(kept.iter().map(Kept::lines));
    // The page tells a ledger of its own.
    text.extend(trajectory.ledger.iter().map(|books| ledger(request.model.info, books)));
    if !interrupted {
        text.push_str(&films(&request, arguments, (trajectory.end.t(), gif), &mut fate)?);
    }
    // Who has left before the end reads no summary of it.
    let printed = if is_left { Ok(()) } else { shell::print_summary(use_stdout, &text) };
    printed.and(fate.tell(interrupted))?;
    Ok(match trajectory.end {
        End::Interrupted { .. } if interrupted => Outcome::Interrupted,
        end if end.is_complete() || is_left => Outcome::Done,
        _ => Outcome::EndedEarly,
    })
}

/// Refuses films of a pace that none can have, and a folder that is not empty, before the run is made.
fn check_films(plan: &Plan, arguments: &RunArguments) -> Result<(), Failure> {
    // How long the run goes on is not known yet.
    let span = 0.0;
    if plan.output.gif.is_some() {
        film::gif_count(arguments.pace(), span).map_err(Failure::refused)?;
    }
    if let Some(folder) = &arguments.frames {
        film::pictures_count(arguments.pace(), span).map_err(Failure::refused)?;
        film::prepare(folder).map_err(Failure::refused)?;
    }
    Ok(())
}

/// Writes the films of a run that has ended at a time; the lines that say how many pictures these have.
fn films(
    request: &Request,
    arguments: &RunArguments,
    (end, gif): (f64, Option<files::Output>),
    fate: &mut Fate,
) -> Result<String, Failure> {
    let look = arguments.look().map_err(|complaint| Failure::Refused(complaint.text()))?;
    let mut text = String::new();
    if let Some(gif) = gif {
        let made = film::gif(request, end, arguments.pace(), &look);
        if let Some((bytes, count)) = fate.made(gif.name(), made) {
            let _ = writeln!(text, "{:13}{count} in {}", "pictures", gif.name());
            if let Err(failure) = gif.replace(&bytes) {
                fate.lose(failure);
            }
        }
    }
    if let Some(folder) = &arguments.frames {
        let wishes = (arguments.pace(), arguments.format, &look);
        let made = film::pictures(request, end, folder, wishes);
        if let Some(count) = fate.made(&folder.display().to_string(), made) {
            let _ = writeln!(text, "{:13}{count} in {}", "pictures", folder.display());
        }
    }
    Ok(text)
}

/// Draws the figures, of the states that are kept for them or of the same run with all of its steps; the
/// lines that say where they are.
fn draw(
    plan: &Plan,
    request: &Request,
    (pictures, drawn): (Vec<Picture>, Option<Thin>),
    trajectory: &Trajectory,
    fate: &mut Fate,
) -> Result<String, Failure> {
    let mut notes = String::new();
    if pictures.is_empty() {
        return Ok(notes);
    }
    let seen = match drawn {
        Some(drawn) => drawn.trajectory(trajectory.clone()),
        None => again(request).map_err(|error| unstarted(plan, request, error))?,
    };
    let digits = request.precision.map(|digits| format!(", {} digits", digits.digits()));
    let law = law(&*request.system, request.options.law) + &digits.unwrap_or_default();
    for picture in pictures {
        let Some(drawn) = &picture.drawn else { continue };
        let svg = plot::drawn(request, &seen, &law, (drawn, &picture.look));
        notes.push_str(&picture.write(svg, fate));
    }
    Ok(notes)
}

/// The same run as a curve, for its figures.
fn again(request: &Request) -> Result<Trajectory, Unstarted> {
    let (mut watch, mut drawn) = (Watch::new(&*request.system), Thin::default());
    let take = |come: Come| {
        drawn.take(&come);
        ControlFlow::Continue(())
    };
    let options = request.sampled(Sampling::Curve);
    let trajectory = match request.precision {
        Some(digits) => precise::drive(request, (digits, &options), &mut watch, take)?.0,
        None => drive(request, &options, &mut watch, take)?,
    };
    Ok(drawn.trajectory(trajectory))
}

/// The refusal of a start; what the scenario file is at fault for is shown there.
fn unstarted(plan: &Plan, request: &Request, error: Unstarted) -> Failure {
    let error = &match error {
        Unstarted::Start(error) => error,
        Unstarted::Refused(reason) => return Failure::Refused(reason),
    };
    if let StartError::Option { name, value, low, high } = error
        && let Some(at) = plan.place(name)
    {
        let said = format!("it {}", must(*value, *low, *high));
        return refused(plan.source.as_ref(), &[Complaint::at(at, said)]);
    }
    refusal(request, error)
}
