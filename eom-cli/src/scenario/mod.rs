//! Scenario files: a start, an end, the solver and the output of `eom run`, as TOML.
//!
//! ```text
//! [state]                      or [[state]], once a start; without it the declared scenario
//! from = "glide"               a declared scenario for what is not named; without it that is 0
//! t = 0
//! q = { x = 1, theta = "pi/3" }
//! v = { theta = 0.4 }
//! solve = ["x_dot"]            taken from the constraints
//! [parameters]  [functions]  [inputs]
//! e = "1/2"
//! [sweep]
//! a = [0.1, 0.2]
//! m = { from = 1, to = 2, count = 5 }
//! e = { uniform = [0.5, 1], seed = 7 }
//! [end]
//! time = 10                    impacts = 20   events = 3   event = "top"
//! [solver]                     rtol, atol, …
//! [output]                     csv, events, plot, …
//! ```
//!
//! Every mistake is found in one go, at its place.

mod axis;
mod random;
mod read;
mod sections;
mod value;

pub(crate) use axis::{Axis, RUNS_MAX, Values, axis_of_ends, axis_of_sweep};
pub(crate) use read::read;

use crate::complaint::Origin;
use crate::run::settings::{Assignment, Expression};
use eom_core::EventCount;
use eom_core::info::Unknown;
use std::ops::Range;
use std::path::PathBuf;

/// What a file, or the command line, asks for. What is `None` is not asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// Parameters, functions and inputs.
    pub(crate) settings: Vec<Assignment>,
    /// The starts; none where the declared scenario is one.
    pub(crate) starts: Vec<Start>,
    /// What is swept.
    pub(crate) axes: Vec<Axis>,
    /// When runs end.
    pub(crate) end: Ending,
    /// How they are integrated.
    pub(crate) solver: Solver,
    /// What is written.
    pub(crate) output: Output,
}

/// A start.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    /// What it is called among several.
    pub(crate) name: Option<String>,
    /// The declared scenario that gives what is not named, by its index; without it that is 0.
    pub(crate) from: Option<usize>,
    /// Initial values.
    pub(crate) settings: Vec<Assignment>,
    /// What is taken from the constraints; `None` for what the declared scenario says.
    pub(crate) solve: Option<Vec<Unknown>>,
}

/// When a run ends: at whatever comes first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ending {
    /// At a time.
    pub(crate) time: Option<Expression>,
    /// After so many impacts.
    pub(crate) impacts: Option<(usize, Origin)>,
    /// After so many events: impacts and declared ones, or one of these by its name.
    pub(crate) events: Option<EventCount>,
}

impl Ending {
    /// Whether it says anything.
    pub(crate) fn is_given(&self) -> bool {
        self.time.is_some() || self.impacts.is_some() || self.events.is_some()
    }
}

/// How a run is integrated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Solver {
    /// Relative tolerance.
    pub(crate) rtol: Option<Expression>,
    /// Absolute tolerance.
    pub(crate) atol: Option<Expression>,
    /// Those of entries of the state that have their own.
    pub(crate) atols: Vec<Assignment>,
    /// How far a start may be off its constraints.
    pub(crate) start_tolerance: Option<Expression>,
    /// The largest step.
    pub(crate) step_max: Option<Expression>,
    /// The most steps.
    pub(crate) steps: Option<u64>,
    /// The most impacts and events.
    pub(crate) events: Option<usize>,
    /// How arcs are integrated.
    pub(crate) method: Option<Expression>,
    /// Decimal digits of a run in higher precision.
    pub(crate) precision: Option<(u64, Origin)>,
    /// The step of time stepping.
    pub(crate) step: Option<Expression>,
    /// How forces are looked at.
    pub(crate) forces: Option<Expression>,
    /// The impact law of all contacts.
    pub(crate) impact: Option<Expression>,
    /// Whether a start is moved to its constraints.
    pub(crate) project_start: bool,
}

/// A file that is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// Its path; `-` is standard output.
    pub(crate) path: PathBuf,
    /// Where the file says so; `None` for an option.
    pub(crate) at: Option<Range<usize>>,
}

impl Named {
    /// What messages call it that is asked for with an option: `--csv`, or `csv` in a file.
    pub(crate) fn what(&self, option: &str) -> String {
        match self.at {
            Some(_) => format!("`{}`", option.trim_start_matches('-')),
            None => option.to_owned(),
        }
    }
}

/// What is written of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// Samples as CSV.
    pub(crate) csv: Option<Named>,
    /// Samples as JSON lines.
    pub(crate) jsonl: Option<Named>,
    /// Samples as Parquet.
    pub(crate) parquet: Option<Named>,
    /// Impacts and events.
    pub(crate) events: Option<Named>,
    /// A row a run.
    pub(crate) table: Option<Named>,
    /// The motion as a page.
    pub(crate) html: Option<Named>,
    /// The motion as a GIF.
    pub(crate) gif: Option<Named>,
    /// Figures.
    pub(crate) plots: Vec<(String, Origin)>,
    /// The interval of samples.
    pub(crate) sample: Option<Expression>,
    /// Whether the ledger is kept.
    pub(crate) ledger: bool,
    /// Whether there may be very many samples.
    pub(crate) large: bool,
}

impl Asked {
    /// What the command line asks for, and where it is silent what the file does.
    pub(crate) fn over(self, file: Self) -> Self {
        let Self { settings: _, starts: _, axes: _, end, solver, output } = self;
        let is_given = solver.atol.is_some() || !solver.atols.is_empty();
        let (atol, atols) = if is_given {
            (solver.atol, solver.atols)
        } else {
            (file.solver.atol, file.solver.atols)
        };
        Self {
            end: if end.is_given() { end } else { file.end },
            solver: Solver {
                rtol: solver.rtol.or(file.solver.rtol),
                atol,
                atols,
                method: solver.method.or(file.solver.method),
                precision: solver.precision.or(file.solver.precision),
                step: solver.step.or(file.solver.step),
                forces: solver.forces.or(file.solver.forces),
                impact: solver.impact.or(file.solver.impact),
                project_start: solver.project_start || file.solver.project_start,
                ..file.solver
            },
            output: Output {
                csv: output.csv.or(file.output.csv),
                jsonl: output.jsonl.or(file.output.jsonl),
                parquet: output.parquet.or(file.output.parquet),
                events: output.events.or(file.output.events),
                table: output.table.or(file.output.table),
                html: output.html.or(file.output.html),
                gif: output.gif.or(file.output.gif),
                plots: if output.plots.is_empty() { file.output.plots } else { output.plots },
                sample: output.sample.or(file.output.sample),
                ledger: output.ledger || file.output.ledger,
                large: output.large || file.output.large,
            },
            ..file
        }
    }
}
