//! What is kept of a run of a sweep, and the columns that it fills.

use crate::names::speeds_ascii;
use crate::output::columns;
use crate::run::plan::{Plan, Prepared};
use crate::run::request::Request;
use eom_core::info::SystemInfo;
use eom_core::{
    End, Member, Mode, Options, Sampling, State, Trajectory, ensemble_here, total_energy,
};
use eom_interpreter::motion::Observer;
use eom_sweep::runs::{Ended, Names, cells};
use eom_sweep::table::{Cell, Column};

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

/// The columns of samples.
pub(crate) fn samples(info: &SystemInfo) -> Vec<Column> {
    columns::of_runs(columns::samples(info))
}

/// The columns of events.
pub(crate) fn events(info: &SystemInfo) -> Vec<Column> {
    columns::of_runs(columns::events(info))
}

/// The columns of the runs.
pub(crate) fn summary(plan: &Plan) -> Vec<Column> {
    names(plan).columns()
}

fn names(plan: &Plan) -> Names {
    let info = plan.model.info;
    let positions = (0..info.positions()).map(|index| info.position_ascii(index));
    Names {
        starts: plan.starts.len() > 1,
        swept: plan.axes.iter().map(|axis| axis.target.ascii(info)).collect(),
        state: ["t".to_owned()].into_iter().chain(positions).chain(speeds_ascii(info)).collect(),
        outcomes: Vec::new(),
    }
}

/// What a run keeps of its states.
fn sampling(wanted: Wanted, interval: Option<f64>) -> Sampling {
    match interval {
        _ if !wanted.samples => Sampling::Ends,
        Some(interval) => Sampling::Every(interval),
        None => Sampling::Steps,
    }
}

/// Whether to go on, and whom to hand what is left of a run: whether it was taken.
pub(crate) type Hands<'h, T> = (&'h dyn Fn() -> bool, &'h dyn Fn(T) -> bool);

/// What became of a run.
pub(crate) enum Made<'r> {
    /// There is none.
    Refused(String),
    /// As it was asked for, where it began, and its motion.
    Done(&'r Request, &'r State, &'r Trajectory),
}

/// Makes runs for as long as it is to go on, together, and hands on a record of each as it comes. Whether all were
/// made and taken: of those that are interrupted there is no record.
pub(crate) fn make(
    plan: &Plan,
    runs: &[usize],
    wanted: Wanted,
    (goes_on, keep): Hands<'_, Record>,
) -> bool {
    let sampled = |request: &Request| sampling(wanted, request.interval);
    motions(plan, runs, &sampled, goes_on, &|run, made| {
        keep(match made {
            Made::Refused(reason) => refused(plan, run, &reason),
            Made::Done(request, start, made) => done(plan, (run, wanted), (request, start), made),
        })
    })
}

/// Makes runs together, with what is to be sampled of each; `take` is given each as it comes, by its number.
pub(crate) fn motions(
    plan: &Plan,
    runs: &[usize],
    sampled: &dyn Fn(&Request) -> Sampling,
    goes_on: &dyn Fn() -> bool,
    take: &dyn Fn(usize, Made<'_>) -> bool,
) -> bool {
    let Prepared { requests, runs, refused } = plan.prepared(runs);
    if !refused.iter().all(|(run, complaint)| take(*run, Made::Refused(complaint.text()))) {
        return false;
    }
    let options: Vec<Options> =
        requests.iter().map(|request| request.sampled(sampled(request))).collect();
    let members = runs.iter().map(|(_, place, start)| {
        let Request { system, inputs, .. } = &requests[*place];
        Member { system: &**system, start, inputs, options: &options[*place] }
    });
    let members: Vec<Member<'_>> = members.collect();
    let kept = ensemble_here(&members, goes_on, |index, made| {
        let (run, place, start) = &runs[index];
        match made {
            Ok(made) if matches!(made.end, End::Interrupted { .. }) => false,
            Ok(made) => take(*run, Made::Done(&requests[*place], start, &made)),
            Err(error) => take(*run, Made::Refused(error.to_string())),
        }
    });
    kept.len() == runs.len() && kept.into_iter().all(|kept| kept)
}

/// What is set in a run.
fn set(plan: &Plan, run: usize) -> Vec<Cell> {
    let (start, values) = plan.point(run);
    let name = (plan.starts.len() > 1).then(|| Cell::Text(plan.start_name(start)));
    name.into_iter().chain(values.into_iter().map(Cell::number)).collect()
}

fn refused(plan: &Plan, run: usize, reason: &str) -> Record {
    let reason = reason.lines().map(str::trim).collect::<Vec<_>>().join("; ");
    let none = vec![f64::NAN; names(plan).ends().count()];
    let row = cells(Ended::Refused, &reason, &none, [0; 3]);
    let summary = [set(plan, run), row].concat();
    Record { run, summary, samples: Vec::new(), events: Vec::new() }
}

fn done(
    plan: &Plan,
    (run, wanted): (usize, Wanted),
    (request, start): (&Request, &State),
    trajectory: &Trajectory,
) -> Record {
    let (info, system) = (plan.model.info, &*request.system);
    let ended = if trajectory.end.is_complete() { Ended::Complete } else { Ended::Early };
    let [first, last] = [trajectory.samples.first(), trajectory.last()].map(|s| s.unwrap_or(start));
    let [before, after] =
        [first, last].map(|state| total_energy(system, state.t, &state.q, &state.v));
    let ends = [&[last.t][..], &last.q, &last.v, &[after, after - before]].concat();
    let stats = trajectory.stats;
    let counts = [stats.impacts as u64, stats.events as u64, stats.steps];
    let row = cells(ended, &trajectory.end.to_string(), &ends, counts);
    let summary = [set(plan, run), row].concat();
    let mut observer = Observer::new(system, &request.inputs);
    let free = Mode::default();
    let samples = trajectory.samples.iter().enumerate().filter(|_| wanted.samples);
    let samples = samples.map(|(index, state)| {
        let mode = trajectory.mode_of_sample(index).unwrap_or(&free);
        columns::sample(observer.see(state, mode))
    });
    let events = trajectory.events.iter().filter(|_| wanted.events);
    Record {
        run,
        summary,
        samples: samples.collect(),
        events: events.map(|event| columns::event(info, event)).collect(),
    }
}
