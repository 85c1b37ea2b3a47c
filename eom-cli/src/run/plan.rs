//! What `eom run` was asked to do: a run, or the runs of a sweep, each by its number.
//!
//! The runs are the starts × the first axis × the second …; the last axis changes first. What is drawn anew for each run
//! is an axis of one place.

use crate::cli::RunArguments;
use crate::complaint::{Complaint, Origin, Source, refused};
use crate::error::Failure;
use crate::files::{SCENARIO_MAX, text};
use crate::model::Model;
use crate::names::{self, Target};
use crate::run::request::Request;
use crate::run::settings::{Assignment, Expression, Settings};
use crate::run::tolerances;
use crate::scenario::{
    self, Asked, Axis, Ending, Named, Output, RUNS_MAX, Solver, Start, Values, axis_of_ends,
    axis_of_sweep,
};
use eom_core::elementary::Digits;
use eom_core::info::SystemInfo;
use eom_core::{EventCount, State};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How the name of a scenario file ends.
const EXTENSION: &str = "toml";

/// Mistakes of starts are looked for until there are so many.
const MISTAKES_MAX: usize = 100;

/// The runs that are asked for.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The model.
    pub(crate) model: Model,
    /// The scenario file, where one was given.
    pub(crate) source: Option<Source>,
    /// What every run sets, initial values of `--set` included.
    base: Settings,
    /// The starts; one at least.
    pub(crate) starts: Vec<Start>,
    /// What is swept.
    pub(crate) axes: Vec<Axis>,
    end: Ending,
    solver: Solver,
    /// What is written.
    pub(crate) output: Output,
    /// The number of runs.
    pub(crate) count: usize,
}

/// Runs as they can be made, by their numbers.
#[derive(Default)]
pub(crate) struct Prepared {
    /// What is asked of them; those beside one another with the same parameters and inputs share it.
    pub(crate) requests: Vec<Request>,
    /// Those that can be made: number, request and start.
    pub(crate) runs: Vec<(usize, usize, State)>,
    /// Those that cannot, and why.
    pub(crate) refused: Vec<(usize, Complaint)>,
}

impl Plan {
    /// Reads the arguments, and the scenario file that they name.
    pub(crate) fn new(model: Model, arguments: &RunArguments) -> Result<Self, Failure> {
        Self::of_at_most(model, arguments, RUNS_MAX)
    }

    /// The same, with at most so many runs.
    pub(crate) fn of_at_most(
        model: Model,
        arguments: &RunArguments,
        most: usize,
    ) -> Result<Self, Failure> {
        let info = model.info;
        let named = arguments.scenario.as_deref();
        let source = named.filter(|name| is_file(name)).map(source).transpose()?;
        let sets = Settings::parse(&arguments.sets, info).map_err(Failure::Refused)?;
        let file = match &source {
            Some(source) => scenario::read(&source.text, info)
                .map_err(|complaints| refused(Some(source), &complaints))?,
            None => Asked::default(),
        };
        let mut asked = of_arguments(arguments, info).map_err(Failure::Refused)?.over(file);
        let axes = axes(std::mem::take(&mut asked.axes), arguments, &sets, &model)
            .map_err(|complaint| refused(None, &[complaint]))?;
        let declared = named.filter(|_| source.is_none());
        let declared = declared.map(|name| names::scenario(name, info)).transpose();
        let declared = declared.map_err(Failure::Refused)?;
        let mut starts = asked.starts;
        if starts.is_empty() {
            let from = Some(declared.unwrap_or(0));
            starts.push(Start { name: None, from, settings: Vec::new(), solve: None });
        }
        // What the command line sets stands above all that the file says.
        for start in &mut starts {
            start.settings.retain(|assignment| !sets.sets(assignment.target));
        }
        let mut base = Settings::default();
        base.set(asked.settings);
        base.set(sets.iter().cloned());
        let sizes = axes.iter().map(|axis| axis.values.len());
        let count = sizes.chain([starts.len()]).try_fold(1_usize, usize::checked_mul);
        let too_many = || Failure::Refused(format!("more than {most} runs are too many"));
        let count = count.filter(|count| *count <= most).ok_or_else(too_many)?;
        let Asked { end, solver, output, .. } = asked;
        let plan = Self { model, source, base, starts, axes, end, solver, output, count };
        let mistakes = plan.mistakes();
        if mistakes.is_empty() { Ok(plan) } else { Err(refused(plan.source.as_ref(), &mistakes)) }
    }

    /// The one run of some arguments.
    pub(crate) fn only(model: Model, arguments: &RunArguments) -> Result<Request, String> {
        let plan = Self::new(model, arguments).map_err(|failure| failure.to_string())?;
        plan.request(0).map_err(|complaint| complaint.text())
    }

    /// Whether runs are in higher precision.
    pub(crate) fn has_precision(&self) -> bool {
        self.solver.precision.is_some()
    }

    /// Whether there is more than one run to make, or one of a kind that is told in a table.
    pub(crate) fn is_sweep(&self) -> bool {
        !self.axes.is_empty() || self.starts.len() > 1 || self.output.table.is_some()
    }

    /// The start of a run by its place in the list, and the swept values.
    pub(crate) fn point(&self, run: usize) -> (usize, Vec<f64>) {
        let mut rest = run;
        let mut values: Vec<f64> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let count = axis.values.len();
                let value = axis.values.at(rest % count, run);
                rest /= count;
                value
            })
            .collect();
        values.reverse();
        (rest, values)
    }

    /// A run, by its number from 0.
    pub(crate) fn request(&self, run: usize) -> Result<Request, Complaint> {
        let (start, values) = self.point(run);
        self.request_at(start, &values)
    }

    /// Runs by their numbers.
    pub(crate) fn prepared(&self, runs: &[usize]) -> Prepared {
        let mut found = Prepared::default();
        let mut last: Option<(usize, Vec<f64>)> = None;
        for &run in runs {
            let point = self.point(run);
            if let (Some(request), Some(before)) = (found.requests.last(), &last)
                && self.is_beside(before, &point)
            {
                let settings = self.settings(point.0, &point.1);
                match request.beside(&settings, &self.starts[point.0], &self.end) {
                    Ok((start, inputs)) if inputs == request.inputs => {
                        found.runs.push((run, found.requests.len() - 1, start));
                        continue;
                    }
                    // Told as it is of one run.
                    Ok(_) | Err(_) => {}
                }
            }
            match self.request_at(point.0, &point.1) {
                Ok(request) => {
                    found.runs.push((run, found.requests.len(), request.start.clone()));
                    found.requests.push(request);
                    last = Some(point);
                }
                Err(complaint) => found.refused.push((run, complaint)),
            }
        }
        found
    }

    /// Whether two runs come from one start and have the same parameters.
    fn is_beside(&self, one: &(usize, Vec<f64>), other: &(usize, Vec<f64>)) -> bool {
        let is_same = |axis: &Axis, (a, b): (&f64, &f64)| {
            !matches!(axis.target, Target::Parameter(_) | Target::Function(_))
                || a.to_bits() == b.to_bits()
        };
        one.0 == other.0
            && self
                .axes
                .iter()
                .zip(one.1.iter().zip(&other.1))
                .all(|(axis, two)| is_same(axis, two))
    }

    /// A run from a start, by its place in the list, with these values of what is swept.
    pub(crate) fn request_at(&self, start: usize, values: &[f64]) -> Result<Request, Complaint> {
        let settings = self.settings(start, values);
        let start = &self.starts[start];
        Request::new(self.model.clone(), &settings, start, (&self.end, &self.solver, &self.output))
    }

    /// All that the runs depend on, in names and values: what a sweep that goes on must share with
    /// the one that was interrupted.
    pub(crate) fn identity(&self, samples: bool, events: bool) -> Vec<(&'static str, String)> {
        let set = |settings: &mut dyn Iterator<Item = &Assignment>| {
            let info = self.model.info;
            let mut texts: Vec<String> = settings
                .map(|item| format!("{}={}", item.target.ascii(info), item.value.text))
                .collect();
            texts.sort();
            texts.join(" ")
        };
        let starts: Vec<String> = self
            .starts
            .iter()
            .map(|start| {
                let values = set(&mut start.settings.iter());
                format!("{:?} {:?} {values} {:?}", start.name, start.from, start.solve)
            })
            .collect();
        let axes: Vec<String> =
            self.axes.iter().map(|axis| format!("{:?} {}", axis.target, values(axis))).collect();
        let expression = |expression: &Option<Expression>| {
            expression.as_ref().map_or(String::new(), |expression| expression.text.clone())
        };
        let Ending { time, impacts, events: until } = &self.end;
        let impacts = impacts.as_ref().map(|(count, _)| count);
        let Solver { method, step, rtol, atol, start_tolerance, step_max, impact, .. } =
            &self.solver;
        let Solver { steps, events: most, forces, .. } = &self.solver;
        let numbers =
            [rtol, atol, start_tolerance, step_max, impact, method, step, forces].map(expression);
        let own = set(&mut self.solver.atols.iter());
        let project = self.solver.project_start;
        let wanted = [("samples", samples), ("events", events)];
        let wanted: Vec<&str> =
            wanted.into_iter().filter_map(|(word, on)| on.then_some(word)).collect();
        vec![
            ("version of eom", env!("CARGO_PKG_VERSION").to_owned()),
            ("model", self.model.info.source.to_owned()),
            ("parameters and initial values", set(&mut self.base.iter())),
            ("starts", starts.join("; ")),
            ("sweep", axes.join("; ")),
            ("end", format!("{} {impacts:?} {until:?}", expression(time))),
            ("solver", format!("{numbers:?} {own} {steps:?} {most:?} {project}")),
            ("output", format!("{} {}", wanted.join(" "), expression(&self.output.sample))),
        ]
    }

    /// Where the file gives an option of the run time.
    pub(crate) fn place(&self, option: &str) -> Option<Range<usize>> {
        let expression = match option {
            "step" => &self.solver.step,
            "relative tolerance" => &self.solver.rtol,
            "absolute tolerance" => &self.solver.atol,
            "start tolerance" => &self.solver.start_tolerance,
            "largest step" => &self.solver.step_max,
            "sampling interval" => &self.output.sample,
            _ => &None,
        };
        match expression.as_ref().map(|expression| &expression.origin) {
            Some(Origin::File(at)) => Some(at.clone()),
            _ => None,
        }
    }

    /// What a run says of itself among others: `slow, e = 0.5`.
    pub(crate) fn describe(&self, run: usize) -> String {
        self.described(run, |value| value)
    }

    /// The same of all runs with as many digits as a legend has room for; with all where some would have one name.
    pub(crate) fn legends(&self) -> Vec<String> {
        let brief: Vec<String> =
            (0..self.count).map(|run| self.described(run, six_digits)).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for legend in &brief {
            *counts.entry(legend).or_default() += 1;
        }
        let told = |(run, legend): (usize, &String)| {
            if counts[legend.as_str()] == 1 { legend.clone() } else { self.describe(run) }
        };
        brief.iter().enumerate().map(told).collect()
    }

    fn described(&self, run: usize, shown: impl Fn(f64) -> f64) -> String {
        let (start, values) = self.point(run);
        let named = (self.starts.len() > 1).then(|| self.start_name(start));
        let set = self.axes.iter().zip(values).map(|(axis, value)| {
            format!("{} = {}", axis.target.name(self.model.info), Digits(shown(value)))
        });
        named.into_iter().chain(set).collect::<Vec<_>>().join(", ")
    }

    /// The name of a start, or its number from 1.
    pub(crate) fn start_name(&self, start: usize) -> String {
        self.starts[start].name.clone().unwrap_or_else(|| (start + 1).to_string())
    }

    /// All that is set in a run from a start with these values of what is swept.
    fn settings(&self, start: usize, values: &[f64]) -> Settings {
        let mut settings = self.base.clone();
        settings.set(self.starts[start].settings.iter().cloned());
        let swept = self.axes.iter().zip(values).map(|(axis, value)| {
            let name = axis.name.clone();
            let text = format!("{value:?}");
            let value = Expression::argument(&format!("{name}={text}"), &text);
            Assignment { target: axis.target, name, value }
        });
        settings.set(swept);
        settings
    }

    /// Everything that is wrong with expressions, in all starts.
    fn mistakes(&self) -> Vec<Complaint> {
        let runs = (0..self.starts.len()).map(|start| start * (self.count / self.starts.len()));
        let mut mistakes: Vec<Complaint> = Vec::new();
        for run in runs {
            let (start, values) = self.point(run);
            for mistake in self.settings(start, &values).mistakes(&self.model) {
                if !mistakes.contains(&mistake) {
                    mistakes.push(mistake);
                }
            }
            // More are not shown.
            if mistakes.len() > MISTAKES_MAX {
                break;
            }
        }
        mistakes
    }
}

/// The values of an axis, in words that tell them from others.
fn values(axis: &Axis) -> String {
    match &axis.values {
        Values::Listed(values) => format!("{values:?}"),
        random => format!("{random:?}"),
    }
}

fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == EXTENSION)
}

fn source(path: &str) -> Result<Source, Failure> {
    let text = text(Path::new(path), SCENARIO_MAX)
        .map_err(|error| Failure::Refused(format!("--scenario: cannot read {path}: {error}")))?;
    Ok(Source { path: path.to_owned(), text })
}

/// What `--until-event` counts.
fn until_event(text: &str, info: &SystemInfo) -> Result<EventCount, String> {
    let (name, count) = text.split_once('=').map_or((text, Some(1)), |(name, count)| {
        (name, count.trim().parse().ok().filter(|count| *count > 0))
    });
    let count = count.ok_or_else(|| {
        format!("--until-event: `{text}` does not count: write NAME, or NAME=N with N from 1")
    })?;
    let event = match name.trim() {
        "events" => None,
        name => Some(names::event(name, info).map_err(|said| format!("--until-event: {said}"))?),
    };
    Ok(EventCount { event, count })
}

/// What the command line asks for.
fn of_arguments(arguments: &RunArguments, info: &SystemInfo) -> Result<Asked, String> {
    let expression = |name: &str, text: &Option<String>| {
        text.as_ref().map(|text| Expression::argument(name, text))
    };
    let (impact, method) = (arguments.impact.as_ref(), arguments.method.as_ref());
    let forces = arguments.forces.as_ref();
    let (atol, atols) = tolerances::parse(&arguments.atol, info)?;
    let path =
        |path: &Option<PathBuf>| path.as_ref().map(|path| Named { path: path.clone(), at: None });
    Ok(Asked {
        end: Ending {
            time: expression("--until", &arguments.until),
            impacts: arguments.impacts.map(|n| (n, Origin::Argument("--impacts".to_owned()))),
            events: arguments
                .until_event
                .as_ref()
                .map(|text| until_event(text, info))
                .transpose()?,
        },
        solver: Solver {
            precision: arguments.precision.map(|n| (n, Origin::Argument("--precision".to_owned()))),
            step: expression("--step", &arguments.step),
            rtol: expression("--rtol", &arguments.rtol),
            atol,
            atols,
            method: method.map(|m| Expression::argument(&format!("--method {m}"), m)),
            forces: forces.map(|how| Expression::argument(&format!("--forces {how}"), how)),
            impact: impact.map(|law| Expression::argument(&format!("--impact {law}"), law)),
            project_start: arguments.project_start,
            ..Solver::default()
        },
        output: Output {
            csv: path(&arguments.csv),
            jsonl: path(&arguments.jsonl),
            parquet: path(&arguments.parquet),
            events: path(&arguments.events),
            table: path(&arguments.table),
            html: path(&arguments.html),
            gif: path(&arguments.gif),
            plots: arguments
                .plot
                .iter()
                .map(|plot| (plot.clone(), Origin::Argument(format!("--plot {plot}"))))
                .collect(),
            sample: expression("--sample", &arguments.sample),
            ledger: arguments.ledger,
            large: arguments.large,
        },
        ..Asked::default()
    })
}

/// The number that six digits give.
fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The axes of the file and of the command line, whose own stand above those of the file; what the
/// command line sets is not swept by the file.
fn axes(
    file: Vec<Axis>,
    arguments: &RunArguments,
    sets: &Settings,
    model: &Model,
) -> Result<Vec<Axis>, Complaint> {
    let mut own: Vec<Axis> = Vec::new();
    let swept =
        arguments.sweeps.iter().map(|text| ("--sweep", text, axis_of_sweep(text, model.info)));
    let along =
        arguments.along.iter().map(|text| ("--along", text, axis_of_ends(text, model.info)));
    for (option, text, axis) in swept.chain(along) {
        let axis = axis?;
        let complain = |what: &str| Err(Complaint::new(format!("{option} {text}: {what}")));
        if sets.sets(axis.target) {
            return complain(&format!("`{}` is set by --set, too", axis.name));
        }
        if own.iter().any(|other| other.target == axis.target) {
            return complain(&format!("`{}` is swept already", axis.name));
        }
        own.push(axis);
    }
    let is_taken =
        |axis: &Axis| sets.sets(axis.target) || own.iter().any(|other| other.target == axis.target);
    let mut axes: Vec<Axis> = file.into_iter().filter(|axis| !is_taken(axis)).collect();
    axes.extend(own);
    Ok(axes)
}
