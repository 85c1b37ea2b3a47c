//! `eom run`: opens the files, runs, writes samples, events, the figures and the summary.

use crate::cli::RunArguments;
use crate::complaint::{Complaint, refused};
use crate::error::{Failure, Outcome};
use crate::model::Model;
use crate::output::writer::{Format, Writer};
use crate::output::{columns, table::Cell, table::Column};
use crate::plot::{self, Drawn, ImageFormat, Spec, image_format};
use crate::run::balance::Watch;
use crate::run::files::Target;
use crate::run::ledger::ledger;
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
use std::path::{Path, PathBuf};

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
    single(&plan, arguments.format)
}

/// Refuses outputs that contradict each other.
fn check(output: &Output) -> Result<(), Failure> {
    let tables = files(output);
    if let (Some(_), [None, None, None, ..]) = (&output.sample, tables.map(|(_, path)| path)) {
        let message = "--sample needs samples to write: --csv <FILE>, --jsonl or --parquet";
        return Err(Failure::Refused(message.to_owned()));
    }
    let named: Vec<(&str, &String)> =
        tables.into_iter().filter_map(|(option, path)| Some((option, path?))).collect();
    for (i, (option, path)) in named.iter().enumerate() {
        if let Some((other, _)) = named[..i].iter().find(|(_, other)| other == path) {
            return Err(Failure::Refused(format!("{other} and {option} both write to {path}")));
        }
    }
    Ok(())
}

/// The tables by their options; those of samples come first.
fn files(output: &Output) -> [(&'static str, Option<&String>); 5] {
    [
        ("--csv", output.csv.as_ref()),
        ("--jsonl", output.jsonl.as_ref()),
        ("--parquet", output.parquet.as_ref()),
        ("--events", output.events.as_ref()),
        ("--table", output.table.as_ref()),
    ]
}

/// A table that is to be written, with its file open.
pub(crate) struct Sheet {
    /// The file.
    pub(crate) target: Target,
    /// How it is written.
    pub(crate) format: Format,
}

impl Sheet {
    fn open(option: &str, path: &str) -> Result<Self, Failure> {
        let path = Path::new(path);
        let format = match option {
            "--csv" => Format::Csv,
            "--jsonl" => Format::JsonLines,
            "--parquet" => Format::Parquet,
            _ => Format::of(path),
        };
        Ok(Self { target: Target::open(option, path)?, format })
    }

    /// Writes all of it; how many rows there are.
    pub(crate) fn write(
        &mut self,
        title: &str,
        columns: &[Column],
        rows: impl Iterator<Item = io::Result<Vec<Cell>>>,
    ) -> io::Result<usize> {
        self.target.begin()?;
        let mut writer = Writer::new(self.format, title, columns, &mut self.target)?;
        let mut count = 0;
        for row in rows {
            writer.row(row?)?;
            count += 1;
        }
        writer.finish()?;
        Ok(count)
    }
}

/// The tables of a run or sweep.
pub(crate) struct Sheets {
    /// Samples, in each format that is asked for.
    pub(crate) samples: Vec<Sheet>,
    /// Impacts and events.
    pub(crate) events: Option<Sheet>,
    /// A row a run.
    pub(crate) table: Option<Sheet>,
}

impl Sheets {
    /// Opens all files, so that a run is not lost to a name that cannot be written.
    pub(crate) fn open(output: &Output) -> Result<Self, Failure> {
        let open = |(option, path): (&'static str, Option<&String>)| {
            path.map(|path| Sheet::open(option, path)).transpose()
        };
        let [csv, jsonl, parquet, events, table] = files(output);
        let samples = [open(csv)?, open(jsonl)?, open(parquet)?].into_iter().flatten().collect();
        Ok(Self { samples, events: open(events)?, table: open(table)? })
    }

    /// Whether a table goes to standard output.
    pub(crate) fn use_stdout(&self) -> bool {
        let mut sheets = self.samples.iter().chain(&self.events).chain(&self.table);
        sheets.any(|sheet| sheet.target.is_stdout())
    }
}

/// What was written and what was lost.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    written: Vec<String>,
    lost: Vec<Failure>,
}

impl Fate {
    /// Takes note of a table; `what` are its rows.
    pub(crate) fn note(&mut self, target: &Target, what: &str, written: io::Result<usize>) {
        match written {
            Ok(count) => self.written.push(format!("{} ({count} {what})", target.name())),
            Err(error) => self.lost.push(Failure::output(&target.name(), error)),
        }
    }

    /// Says what is kept where not everything is, and gives the first loss.
    pub(crate) fn settle(mut self, interrupted: bool) -> Result<(), Failure> {
        let pipe_closed = self.lost.iter().any(Failure::is_closed_pipe);
        if (interrupted || !self.lost.is_empty()) && !pipe_closed && !self.written.is_empty() {
            eprintln!("note: kept in {}", self.written.join(", "));
        }
        if self.lost.is_empty() {
            return Ok(());
        }
        let first = self.lost.remove(0);
        for other in self.lost {
            eprintln!("error: {other}");
        }
        Err(first)
    }
}

/// A figure that is to be drawn, with its file open.
pub(crate) struct Picture {
    /// What is asked for.
    pub(crate) spec: Spec,
    /// What that is for the first run.
    drawn: Drawn,
    target: Target,
    format: ImageFormat,
}

impl Picture {
    /// Writes the picture of an SVG; the line that says where, if the user did not.
    pub(crate) fn write(&mut self, svg: &str, fate: &mut Fate) -> Result<String, Failure> {
        let image = plot::image(svg, self.format).map_err(Failure::refused)?;
        let name = self.target.name();
        match self.target.replace(&image) {
            Ok(()) if !self.spec.is_named() => return Ok(format!("{:13}{name}\n", "figure")),
            Ok(()) => {}
            Err(failure) => fate.lost.push(failure),
        }
        Ok(String::new())
    }
}

/// One run.
fn single(plan: &Plan, format: ImageFormat) -> Result<Outcome, Failure> {
    let request =
        plan.request(0).map_err(|complaint| refused(plan.source.as_ref(), &[complaint]))?;
    let mut pictures = pictures(plan, &request, format)?;
    let mut sheets = Sheets::open(&plan.output)?;
    // What is written or drawn decides what is kept of the run.
    let sampling = match request.interval {
        _ if sheets.samples.is_empty() && pictures.is_empty() => Sampling::Ends,
        Some(interval) if !sheets.samples.is_empty() => Sampling::Every(interval),
        _ => Sampling::Steps,
    };
    shell::watch_interrupts();
    let mut watch = Watch::new(&*request.system);
    let trajectory = execute(&request, &request.sampled(sampling), &mut watch)
        .map_err(|error| unstarted(plan, &request, &error))?;
    let interrupted = matches!(trajectory.end, End::Interrupted { .. });
    let mut fate = Fate::default();
    write_tables(&request, &trajectory, &mut sheets, &mut fate);
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
    for picture in &mut pictures {
        let seen = steps.as_ref().unwrap_or(&trajectory);
        let svg = plot::drawn(&request, seen, &law, &picture.drawn).map_err(Failure::refused)?;
        notes.push_str(&picture.write(&svg, &mut fate)?);
    }
    let mut text = summary(&request, &trajectory, &watch) + &notes;
    text.extend(trajectory.ledger.iter().map(|books| ledger(request.model.info, books)));
    print_summary(sheets.use_stdout(), &text)?;
    fate.settle(interrupted)?;
    Ok(match trajectory.end {
        End::Interrupted { .. } => Outcome::Interrupted,
        end if end.is_complete() => Outcome::Done,
        _ => Outcome::EndedEarly,
    })
}

/// The figures that are asked for, with their files open.
pub(crate) fn pictures(
    plan: &Plan,
    request: &Request,
    format: ImageFormat,
) -> Result<Vec<Picture>, Failure> {
    let refuse = |complaint: Complaint| refused(plan.source.as_ref(), &[complaint]);
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut pictures = Vec::new();
    for (text, origin) in &plan.output.plots {
        let spec = Spec::parse(text, origin).map_err(refuse)?;
        let scene = request.model.scene(&*request.system);
        let drawn = spec.drawn(scene, &*request.system).map_err(refuse)?;
        let path = spec.path(&request.model.name, drawn.words.as_ref(), format);
        if paths.contains(&path)
            || files(&plan.output)
                .iter()
                .any(|(_, other)| other.is_some_and(|other| Path::new(other) == path))
        {
            let message = format!("{} is written to already", path.display());
            return Err(refuse(origin.complain(message)));
        }
        let target = Target::open("--plot", &path)?;
        let format = image_format(&path).unwrap_or(format);
        pictures.push(Picture { spec, drawn, target, format });
        paths.push(path);
    }
    Ok(pictures)
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

fn write_tables(request: &Request, trajectory: &Trajectory, sheets: &mut Sheets, fate: &mut Fate) {
    let (info, title) = (request.model.info, request.model.title.as_str());
    for sheet in &mut sheets.samples {
        let rows = trajectory.samples.iter();
        let rows = rows.map(|state| Ok(columns::sample(&*request.system, &request.inputs, state)));
        let written = sheet.write(title, &columns::samples(info), rows);
        fate.note(&sheet.target, "samples", written);
    }
    if let Some(sheet) = &mut sheets.events {
        let rows = trajectory.events.iter().map(|event| Ok(columns::event(info, event)));
        let written = sheet.write(title, &columns::events(info), rows);
        fate.note(&sheet.target, "events", written);
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
    let written = io::stdout().lock().write_all(text.as_bytes());
    written.map_err(|error| Failure::output("standard output", error))
}
