//! What is kept of a run of a sweep, and the columns that it fills.

use crate::names::speeds_ascii;
use crate::output::columns::{self, Observer};
use crate::run::drive::execute_quietly;
use crate::run::plan::Plan;
use crate::run::request::Request;
use eom_core::info::SystemInfo;
use eom_core::{End, Mode, Sampling, Trajectory};
use eom_sweep::table::{Cell, Column, Kind};

/// Which tables are written beside the one of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Samples.
    pub(crate) samples: bool,
    /// Impacts and events.
    pub(crate) events: bool,
}

/// A run that is done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// Its number.
    pub(crate) run: usize,
    /// Its row, without the number.
    pub(crate) summary: Vec<Cell>,
    /// Its samples.
    pub(crate) samples: Vec<Vec<Cell>>,
    /// Its events.
    pub(crate) events: Vec<Vec<Cell>>,
}

/// How a run of a sweep went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It reached what was asked of it.
    Complete,
    /// It ended before.
    Early,
    /// It did not start.
    Refused,
}

impl Ended {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Complete, Self::Early, Self::Refused];

    /// What the table calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Early => "early",
            Self::Refused => "refused",
        }
    }
}

/// The columns of samples.
pub(crate) fn samples(info: &SystemInfo) -> Vec<Column> {
    [vec![columns::run()], columns::samples(info)].concat()
}

/// The columns of events.
pub(crate) fn events(info: &SystemInfo) -> Vec<Column> {
    [vec![columns::run()], columns::events(info)].concat()
}

/// The columns of the runs: the number, what is set, how it ended, the state at the end.
pub(crate) fn summary(plan: &Plan) -> Vec<Column> {
    let info = plan.model.info;
    let mut columns = vec![columns::run()];
    if plan.starts.len() > 1 {
        columns.push(Column::new("state", Kind::Text, "the start"));
    }
    let swept = plan.axes.iter().map(|axis| axis.target.ascii(info));
    columns.extend(swept.map(|name| Column::new(name, Kind::Number, "swept")));
    columns.push(Column::new("ended", Kind::Text, "complete, early or refused"));
    columns.push(Column::new("reason", Kind::Text, "how it ended"));
    let numbers = ["t".to_owned()].into_iter();
    let numbers = numbers.chain((0..info.positions()).map(|index| info.position_ascii(index)));
    let numbers = numbers.chain(speeds_ascii(info));
    let end = |name: String| Column::new(name + "_end", Kind::Number, "at the end").optional();
    columns.extend(numbers.map(end));
    for (name, doc) in [("energy", "T + V at the end"), ("energy_change", "since the start")] {
        columns.push(Column::new(name, Kind::Number, doc).optional());
    }
    for name in ["impacts", "events", "steps"] {
        columns.push(Column::new(name, Kind::Count, "how many").optional());
    }
    columns
}

/// What a run keeps of its states.
fn sampling(wanted: Wanted, interval: Option<f64>) -> Sampling {
    match interval {
        _ if !wanted.samples => Sampling::Ends,
        Some(interval) => Sampling::Every(interval),
        None => Sampling::Steps,
    }
}

/// Makes a run; nothing where it is interrupted.
pub(crate) fn make(plan: &Plan, run: usize, wanted: Wanted) -> Option<Record> {
    let request = match plan.request(run) {
        Ok(request) => request,
        Err(complaint) => return Some(refused(plan, run, &complaint.text())),
    };
    let options = request.sampled(sampling(wanted, request.interval));
    match execute_quietly(&request, &options) {
        Ok(trajectory) if matches!(trajectory.end, End::Interrupted { .. }) => None,
        Ok(trajectory) => Some(done(plan, run, wanted, &request, &trajectory)),
        Err(error) => Some(refused(plan, run, &error.to_string())),
    }
}

/// What is set in a run.
fn set(plan: &Plan, run: usize) -> Vec<Cell> {
    let (start, values) = plan.point(run);
    let name = (plan.starts.len() > 1).then(|| Cell::Text(plan.start_name(start)));
    name.into_iter().chain(values.into_iter().map(Cell::number)).collect()
}

fn refused(plan: &Plan, run: usize, reason: &str) -> Record {
    let mut summary = set(plan, run);
    summary.push(Cell::Text(Ended::Refused.word().to_owned()));
    summary.push(Cell::Text(reason.lines().map(str::trim).collect::<Vec<_>>().join("; ")));
    let info = plan.model.info;
    let empty = 1 + info.positions() + info.speeds() + 2 + 3;
    summary.extend(std::iter::repeat_n(Cell::Missing, empty));
    Record { run, summary, samples: Vec::new(), events: Vec::new() }
}

fn done(
    plan: &Plan,
    run: usize,
    wanted: Wanted,
    request: &Request,
    trajectory: &Trajectory,
) -> Record {
    let (info, system) = (plan.model.info, &*request.system);
    let mut summary = set(plan, run);
    let ended = if trajectory.end.is_complete() { Ended::Complete } else { Ended::Early };
    summary.push(Cell::Text(ended.word().to_owned()));
    summary.push(Cell::Text(trajectory.end.to_string()));
    let [first, last] =
        [trajectory.samples.first(), trajectory.last()].map(|s| s.unwrap_or(&request.start));
    let numbers = [last.t].into_iter().chain(last.q.iter().copied()).chain(last.v.iter().copied());
    summary.extend(numbers.map(Cell::number));
    let [before, after] =
        [first, last].map(|state| system.energy(state.t, &state.q, &state.v).total());
    summary.extend([after, after - before].map(Cell::number));
    let stats = trajectory.stats;
    summary.extend([stats.impacts, stats.events].map(Cell::count));
    summary.push(Cell::Count(stats.steps));
    let mut observer = Observer::new(system, &request.inputs);
    let free = Mode::default();
    let samples = trajectory.samples.iter().enumerate().filter(|_| wanted.samples);
    let samples = samples.map(|(index, state)| {
        let mode = trajectory.mode_of_sample(index).unwrap_or(&free);
        columns::sample(&mut observer, state, mode)
    });
    let events = trajectory.events.iter().filter(|_| wanted.events);
    Record {
        run,
        summary,
        samples: samples.collect(),
        events: events.map(|event| columns::event(info, event)).collect(),
    }
}
