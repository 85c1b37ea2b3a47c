//! Many runs of a system on all cores; what is kept of each is a row.
//!
//! ```text
//! rows ──some, to a thread──▶ systems with their parameters, starts ──eom_core::ensemble_here──▶ a row each
//! ```
//!
//! A run depends on its row alone: the table has the same bits for any number of threads.

use crate::drive::LOOK;
use crate::fault::{guarded, value_error};
use crate::number::Number;
use crate::operands::Operand;
use crate::request::{Asked, distinct, is_number, settings};
use crate::system::System;
use eom_core::info::SystemInfo;
use eom_core::{
    End, Member, Mode, Options, Sampling, State, System as _, Trajectory, ensemble_here,
    total_energy,
};
use eom_interpreter::Interpreted;
use eom_interpreter::motion::Observer;
use eom_interpreter::names::{Target, speeds_ascii};
use eom_interpreter::request::{Refusal, Request, Settings, build, request};
use eom_sweep::Shares;
use eom_sweep::runs::{COUNTS, Ended, Names};
use eom_sweep::table::Column;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Instant;

/// What is kept of a run.
pub(crate) struct Row {
    pub(crate) ended: Ended,
    pub(crate) reason: String,
    /// t, q, v at the end, T + V there and its change, what was asked for.
    pub(crate) numbers: Vec<f64>,
    /// Impacts, events, steps.
    pub(crate) counts: [u64; 3],
}

impl Row {
    /// How many of a kind there were; a run that was refused has no number of them.
    fn count(&self, i: usize) -> Option<u64> {
        (self.ended != Ended::Refused).then(|| self.counts[i])
    }
}

/// What all runs share.
struct Plan<'a> {
    system: &'a Interpreted,
    settings: &'a Settings,
    from: Option<usize>,
    options: &'a Options,
    targets: &'a [Target],
    outcomes: &'a [Number],
}

/// A run that can be made.
struct Ready {
    /// Its place among those of its thread.
    place: usize,
    /// Its system, where that has other parameters than that of the sweep.
    system: Option<Arc<Interpreted>>,
    /// What it shares with the others of its thread, by its position, and its start.
    way: usize,
    start: State,
}

impl Ready {
    fn system<'r>(&'r self, plan: &'r Plan<'_>) -> &'r Interpreted {
        self.system.as_deref().unwrap_or(plan.system)
    }
}

/// The inputs and options of runs.
type Way = (Vec<f64>, Options);

impl Plan<'_> {
    /// Makes runs together and hands on each as it comes, with its place; those that are stopped it does not.
    fn make(
        &self,
        rows: &[f64],
        count: usize,
        goes_on: &dyn Fn() -> bool,
        keep: &dyn Fn(usize, Row),
    ) {
        let (mut ways, mut ready) = (Vec::new(), Vec::new());
        let mut last = None;
        for place in 0..count {
            let values = &rows[place * self.targets.len()..][..self.targets.len()];
            match self.prepare(values, &mut last, &mut ways) {
                Ok((system, way, start)) => ready.push(Ready { place, system, way, start }),
                Err(refusal) => keep(place, self.refused(&refusal)),
            }
        }
        let members = ready.iter().map(|run: &Ready| {
            let (inputs, options): &Way = &ways[run.way];
            Member { system: run.system(self), start: &run.start, inputs, options }
        });
        let members: Vec<Member<'_>> = members.collect();
        ensemble_here(&members, goes_on, |index, made| {
            let run = &ready[index];
            match made {
                Ok(made) if matches!(made.end, End::Interrupted { .. }) => {}
                Ok(made) => {
                    let row = self.done(run.system(self), &ways[run.way].0, &run.start, &made);
                    keep(run.place, row);
                }
                Err(error) => keep(run.place, self.refused(&Refusal::Start(error))),
            }
        });
    }

    /// The system of a run with these values, its way and start. `last` are the parameters before, and their system.
    fn prepare(
        &self,
        values: &[f64],
        last: &mut Option<(Vec<Option<f64>>, Arc<Interpreted>)>,
        ways: &mut Vec<Way>,
    ) -> Result<(Option<Arc<Interpreted>>, usize, State), Refusal> {
        let mut settings = self.settings.clone();
        let mut is_same = true;
        for (target, value) in self.targets.iter().zip(values) {
            is_same &= !settings.set(*target, *value);
        }
        let parameters = &settings.given.parameters;
        let built = match last {
            _ if is_same => None,
            Some((before, system)) if before == parameters => Some(Arc::clone(system)),
            _ => {
                let system = Arc::new(build(self.system, &settings.given)?);
                *last = Some((parameters.clone(), Arc::clone(&system)));
                Some(system)
            }
        };
        let system = built.as_deref().unwrap_or(self.system);
        let Request { start, inputs, options, .. } =
            request(system, self.from, &settings, self.options, true)?;
        let way = (inputs, options);
        if ways.last() != Some(&way) {
            ways.push(way);
        }
        Ok((built, ways.len() - 1, start))
    }

    fn refused(&self, refusal: &Refusal) -> Row {
        let info = self.system.info();
        let count = 1 + info.positions() + info.speeds() + 2 + self.outcomes.len();
        let numbers = vec![f64::NAN; count];
        Row { ended: Ended::Refused, reason: refusal.text(), numbers, counts: [0; 3] }
    }

    fn done(&self, system: &Interpreted, inputs: &[f64], start: &State, made: &Trajectory) -> Row {
        let [first, last] = [made.samples.first(), made.last()].map(|s| s.unwrap_or(start));
        let [before, after] =
            [first, last].map(|state| total_energy(system, state.t, &state.q, &state.v));
        let mut numbers = vec![last.t];
        numbers.extend(last.q.iter().chain(&last.v));
        numbers.extend([after, after - before]);
        let free = Mode::default();
        let mode = made.modes.last().map_or(&free, |span| &span.mode);
        let mut observer = Observer::new(system, inputs);
        let mut at = observer.see(last, mode);
        numbers.extend(self.outcomes.iter().map(|outcome| outcome.value(system, &mut at)));
        let ended = if made.end.is_complete() { Ended::Complete } else { Ended::Early };
        let stats = made.stats;
        let counts = [stats.impacts as u64, stats.events as u64, stats.steps];
        Row { ended, reason: made.end.to_string(), numbers, counts }
    }
}

/// What a sweep is of, in Python's values.
#[derive(Clone, Copy)]
pub(crate) struct Of<'a, 'py> {
    pub(crate) system: &'a Bound<'py, System>,
    pub(crate) values: &'a Bound<'py, PyDict>,
    pub(crate) asked: &'a Bound<'py, PyDict>,
    pub(crate) names: &'a [String],
    pub(crate) outcomes: &'a [String],
}

/// The runs that were made, and what Python stopped them with.
pub(crate) struct Made {
    pub(crate) rows: Vec<Option<Row>>,
    pub(crate) stopped: Option<PyErr>,
    /// What was set, row by row.
    pub(crate) numbers: Vec<f64>,
    pub(crate) targets: Vec<Target>,
}

/// The columns of a sweep, and what Python stopped it with.
type Swept<'py> = (Bound<'py, PyDict>, Option<Py<PyAny>>);

/// Makes the runs of the rows, in which the names have other values; `update` is told how many more are done.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called in one place, by the package itself")]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
    names: Vec<String>,
    rows: &Bound<'py, PyAny>,
    outcomes: Vec<String>,
    jobs: usize,
    update: Option<Py<PyAny>>,
) -> PyResult<Swept<'py>> {
    let of = Of { system, values, asked, names: &names, outcomes: &outcomes };
    let Made { rows: made, stopped, numbers, targets } = of.make(rows, jobs, update.as_ref())?;
    let table = PyDict::new(py);
    let columns = crate::sweep::names(system.get().info(), &targets, &outcomes).columns();
    // A dictionary has no number of a run: its rows are in their order.
    let (swept, ends) = columns[1..].split_at(targets.len());
    for (i, column) in swept.iter().enumerate() {
        let set: Vec<f64> = (0..made.len()).map(|j| numbers[j * targets.len() + i]).collect();
        table.set_item(&column.name, set.into_pyarray(py))?;
    }
    tell_ends(&table, &made, ends)?;
    Ok((table, stopped.map(|stop| stop.into_value(py).into_any())))
}

impl<'py> Of<'_, 'py> {
    /// What is set in each row.
    pub(crate) fn targets(&self) -> PyResult<Vec<Target>> {
        let (py, info) = (self.system.py(), self.system.get().info());
        let set: Vec<String> = self.values.keys().extract()?;
        let mut targets = distinct(py, info, set.iter().chain(self.names), "")?;
        let targets = targets.split_off(set.len());
        self.names.iter().zip(&targets).try_for_each(|(name, target)| is_number(name, *target))?;
        Ok(targets)
    }

    /// Makes the runs of the rows.
    pub(crate) fn make(
        &self,
        rows: &Bound<'py, PyAny>,
        jobs: usize,
        update: Option<&Py<PyAny>>,
    ) -> PyResult<Made> {
        let (py, own) = (self.system.py(), self.system.get());
        let (info, asked) = (own.info(), Asked::new(self.asked)?);
        if asked.keeps() {
            return Err(value_error("conserve is of one run"));
        }
        let (inner, settings) = settings(py, own, self.values, &asked)?;
        let options = Options { sampling: Sampling::Ends, ..asked.options(py, info)? };
        let from = asked.scenario(py, info)?;
        let targets = self.targets()?;
        let outcomes = Number::all(py, self.outcomes, info)?;
        let names = self.names;
        let operand = Operand::new(rows, "rows", names.len(), &|i| names[i].clone())?;
        let (numbers, count) = (operand.numbers(), operand.count.unwrap_or(1));
        let plan = Plan {
            system: &inner,
            settings: &settings,
            from,
            options: &options,
            targets: &targets,
            outcomes: &outcomes,
        };
        let (rows, stopped) = py.detach(|| work(&plan, numbers, count, jobs, update))?;
        Ok(Made { rows, stopped, numbers: numbers.to_vec(), targets })
    }
}

/// What the columns are called.
pub(crate) fn names(info: &SystemInfo, targets: &[Target], outcomes: &[String]) -> Names {
    let positions = (0..info.positions()).map(|index| info.position_ascii(index));
    Names {
        starts: false,
        swept: targets.iter().map(|target| target.ascii(info)).collect(),
        state: ["t".to_owned()].into_iter().chain(positions).chain(speeds_ascii(info)).collect(),
        outcomes: outcomes.iter().map(|name| name.trim().to_owned()).collect(),
    }
}

/// The columns of how the runs ended: those of `eom run --table`.
fn tell_ends(table: &Bound<'_, PyDict>, made: &[Option<Row>], columns: &[Column]) -> PyResult<()> {
    let py = table.py();
    let text = |of: &dyn Fn(&Row) -> String| -> Vec<String> {
        made.iter().map(|row| row.as_ref().map_or("missing".to_owned(), of)).collect()
    };
    let [ended, reason, numbers @ ..] = columns else { return Ok(()) };
    table.set_item(&ended.name, text(&|row| row.ended.word().to_owned()))?;
    table.set_item(&reason.name, text(&|row| row.reason.clone()))?;
    let (numbers, counts) = numbers.split_at(numbers.len() - COUNTS.len());
    for (i, column) in numbers.iter().enumerate() {
        let of = |row: &Option<Row>| row.as_ref().map_or(f64::NAN, |row| row.numbers[i]);
        let values: Vec<f64> = made.iter().map(of).collect();
        table.set_item(&column.name, values.into_pyarray(py))?;
    }
    for (i, column) in counts.iter().enumerate() {
        tell_counts(table, &column.name, made.iter().map(|row| row.as_ref()?.count(i)))?;
    }
    Ok(())
}

/// A column of whole numbers; where a run has none, of numbers, with NaN for it.
fn tell_counts(
    table: &Bound<'_, PyDict>,
    name: &str,
    counts: impl Iterator<Item = Option<u64>>,
) -> PyResult<()> {
    let py = table.py();
    let counts: Vec<Option<u64>> = counts.collect();
    let all: Option<Vec<i64>> = counts.iter().map(|count| i64::try_from((*count)?).ok()).collect();
    if let Some(all) = all {
        return table.set_item(name, all.into_pyarray(py));
    }
    let of = |count: &Option<u64>| count.map_or(f64::NAN, |count| count as f64);
    table.set_item(name, counts.iter().map(of).collect::<Vec<_>>().into_pyarray(py))
}

/// Makes all runs, or those that are done when Python stops it.
fn work(
    plan: &Plan<'_>,
    numbers: &[f64],
    count: usize,
    jobs: usize,
    update: Option<&Py<PyAny>>,
) -> PyResult<(Vec<Option<Row>>, Option<PyErr>)> {
    let width = plan.targets.len();
    let (shares, stop) = (Shares::new(jobs, count), AtomicBool::new(false));
    let (sender, receiver) = channel();
    let mut made: Vec<Option<Row>> = (0..count).map(|_| None).collect();
    let mut stopped = None;
    let mut defect = Ok(());
    std::thread::scope(|scope| {
        for _ in 0..shares.threads() {
            let (sender, shares, stop) = (sender.clone(), &shares, &stop);
            scope.spawn(move || {
                let goes_on = || !stop.load(Ordering::Relaxed);
                let parcel = RefCell::new((Vec::new(), Instant::now()));
                // Who does not listen any more has stopped the others, too.
                let send = |rows: &mut Vec<_>| drop(sender.send(Ok(std::mem::take(rows))));
                while goes_on() {
                    let Some(share) = shares.take() else { break };
                    let keep = |place, row| {
                        let (rows, since) = &mut *parcel.borrow_mut();
                        rows.push((share.start + place, row));
                        if since.elapsed() >= LOOK {
                            send(rows);
                            *since = Instant::now();
                        }
                    };
                    let rows = &numbers[share.start * width..share.end * width];
                    if let Err(error) = guarded(|| plan.make(rows, share.len(), &goes_on, &keep)) {
                        drop(sender.send(Err(error)));
                    }
                }
                send(&mut parcel.into_inner().0);
            });
        }
        drop(sender);
        let mut looked = Instant::now();
        let mut fresh = 0_usize;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(Ok(rows)) => {
                    fresh += rows.len();
                    for (run, row) in rows {
                        made[run] = Some(row);
                    }
                }
                Ok(Err(error)) => {
                    stop.store(true, Ordering::Relaxed);
                    defect = Err(error);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stopped.is_none() && looked.elapsed() >= LOOK {
                looked = Instant::now();
                stopped = tell(update, std::mem::take(&mut fresh)).err();
                if stopped.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        match stopped {
            None => stopped = tell(update, fresh).err(),
            // A second Ctrl-C that comes while the threads end asks for the same, and is not to cost what is done.
            Some(_) => drop(tell(None, 0)),
        }
    });
    defect?;
    Ok((made, stopped))
}

/// Tells Python how many more are done, and hears what it wants.
fn tell(update: Option<&Py<PyAny>>, fresh: usize) -> PyResult<()> {
    Python::attach(|py| {
        if let Some(update) = update
            && fresh > 0
        {
            update.call1(py, (fresh,))?;
        }
        py.check_signals()
    })
}
