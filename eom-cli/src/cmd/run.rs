//! `eom run`: opens the files, runs, writes samples, events, the figure and the summary.

use crate::cli::RunArguments;
use crate::error::{Failure, Outcome};
use crate::model::Model;
use crate::plot::{self, ImageFormat};
use crate::run::balance::Watch;
use crate::run::files::Target;
use crate::run::ledger::ledger;
use crate::run::progress::Bar;
use crate::run::refusal::refusal;
use crate::run::request::Request;
use crate::run::summary::{law, summary};
use crate::run::table;
use eom_core::{Sampling, StartError, Trajectory, simulate};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The files of a run.
struct Targets {
    csv: Option<Target>,
    events: Option<Target>,
    plot: Option<(Target, ImageFormat)>,
}

/// Runs a model.
pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Failure> {
    let model = Model::find(&arguments.model)?;
    let request = Request::new(model, arguments).map_err(Failure::refused)?;
    let mut targets = open(arguments)?;
    // What is written or drawn decides what is kept of the run.
    let sampling = match request.interval {
        _ if targets.csv.is_none() && targets.plot.is_none() => Sampling::Ends,
        Some(interval) if targets.csv.is_some() => Sampling::Every(interval),
        _ => Sampling::Steps,
    };
    let mut watch = Watch::new(&*request.system);
    let trajectory =
        execute(&request, sampling, &mut watch).map_err(|error| refusal(&request, &error))?;
    write_tables(&request, &trajectory, &mut targets)?;
    if let Some((target, format)) = &mut targets.plot {
        let drawn = if sampling == Sampling::Steps {
            trajectory.clone()
        } else {
            let mut again = Watch::new(&*request.system);
            execute(&request, Sampling::Steps, &mut again)
                .map_err(|error| refusal(&request, &error))?
        };
        let law = law(&*request.system, request.options.law);
        let svg = plot::svg(&request, &drawn, &law).map_err(Failure::refused)?;
        target.write(&plot::image(&svg, *format).map_err(Failure::refused)?)?;
    }
    let mut text = summary(&request, &trajectory, &watch);
    text.extend(trajectory.ledger.iter().map(|books| ledger(request.model.info, books)));
    print_summary(&targets, &text)?;
    Ok(if trajectory.end.is_complete() { Outcome::Done } else { Outcome::EndedEarly })
}

/// Opens all files, so that a run is not lost to a name that cannot be written.
fn open(arguments: &RunArguments) -> Result<Targets, Failure> {
    let named =
        [("--csv", &arguments.csv), ("--events", &arguments.events), ("--plot", &arguments.plot)];
    for (i, (option, path)) in named.iter().enumerate() {
        let twin = named[..i].iter().find(|(_, other)| path.is_some() && other == path);
        if let (Some((other, _)), Some(path)) = (twin, path) {
            let path = path.display();
            return Err(Failure::Refused(format!("{other} and {option} both write to {path}")));
        }
    }
    let format = arguments.plot.as_deref().map(image_format).transpose()?;
    let open = |option: &str, path: &Option<_>| {
        path.as_ref().map(|path: &PathBuf| Target::open(option, path)).transpose()
    };
    Ok(Targets {
        csv: open("--csv", &arguments.csv)?,
        events: open("--events", &arguments.events)?,
        plot: open("--plot", &arguments.plot)?.zip(format),
    })
}

fn image_format(path: &Path) -> Result<ImageFormat, Failure> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(ImageFormat::Svg),
        Some("png") => Ok(ImageFormat::Png),
        _ => Err(Failure::Refused(format!(
            "--plot {}: the name of a figure ends in .svg or .png",
            path.display()
        ))),
    }
}

fn execute(
    request: &Request,
    sampling: Sampling,
    watch: &mut Watch<'_>,
) -> Result<Trajectory, StartError> {
    let options = request.sampled(sampling);
    let mut bar = Bar::new(request.start.t, &options);
    let mut observer = |progress: &eom_core::Progress<'_>| {
        watch.see(progress.t, progress.q, progress.v);
        bar.see(progress);
        ControlFlow::Continue(())
    };
    let trajectory =
        simulate(&*request.system, &request.start, &request.inputs, &options, &mut observer);
    bar.finish();
    trajectory
}

fn write_tables(
    request: &Request,
    trajectory: &Trajectory,
    targets: &mut Targets,
) -> Result<(), Failure> {
    let info = request.model.info;
    if let Some(target) = &mut targets.csv {
        target.write(&table::samples(info, trajectory).map_err(Failure::refused)?)?;
    }
    if let Some(target) = &mut targets.events {
        target.write(&table::events(info, trajectory).map_err(Failure::refused)?)?;
    }
    Ok(())
}

/// The summary goes to standard output, unless a table does.
fn print_summary(targets: &Targets, text: &str) -> Result<(), Failure> {
    let tables = [&targets.csv, &targets.events];
    if tables.into_iter().flatten().any(Target::is_stdout) {
        let written = io::stderr().lock().write_all(text.as_bytes());
        return written.map_err(|error| Failure::output("standard error", error));
    }
    let written = io::stdout().lock().write_all(text.as_bytes());
    written.map_err(|error| Failure::output("standard output", error))
}
