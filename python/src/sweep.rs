//! Many runs of a system on all cores; what is kept of each is a row.
//!
//! A run depends on its row alone: the table has the same bits for any number of threads.

use crate::drive::LOOK;
use crate::fault::{guarded, value_error};
use crate::operands::Operand;
use crate::request::{Asked, settings};
use crate::system::System;
use crate::trajectory::part;
use eom_core::info::SystemInfo;
use eom_core::{End, Mode, Options, Sampling, System as _, simulate};
use eom_interpreter::Interpreted;
use eom_interpreter::motion::Part;
use eom_interpreter::names::{Target, speeds_ascii};
use eom_interpreter::request::{Refusal, Settings, build, request};
use eom_sweep::runs::{COUNTS, Ended, Names};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

/// What is kept of a run.
pub(crate) struct Row {
    pub(crate) ended: Ended,
    pub(crate) reason: String,
    /// t, q, v at the end, T + V there and its change, what was asked for.
    pub(crate) numbers: Vec<f64>,
    /// Impacts, events, steps.
    pub(crate) counts: [u64; 3],
}

/// What all runs share.
struct Plan<'a> {
    system: &'a Interpreted,
    settings: &'a Settings,
    from: Option<usize>,
    options: &'a Options,
    targets: &'a [Target],
    outcomes: &'a [Part],
}

impl Plan<'_> {
    /// Makes a run; nothing where it is stopped.
    fn make(&self, values: &[f64], stop: &AtomicBool) -> Option<Row> {
        match self.try_make(values, stop) {
            Ok(row) => row,
            Err(refusal) => {
                let info = self.system.info();
                let count = 1 + info.positions() + info.speeds() + 2 + self.outcomes.len();
                let numbers = vec![f64::NAN; count];
                let reason = refusal.text();
                Some(Row { ended: Ended::Refused, reason, numbers, counts: [0; 3] })
            }
        }
    }

    fn try_make(&self, values: &[f64], stop: &AtomicBool) -> Result<Option<Row>, Refusal> {
        let mut settings = self.settings.clone();
        let mut is_same = true;
        for (target, value) in self.targets.iter().zip(values) {
            is_same &= !settings.set(*target, *value);
        }
        let built = if is_same { None } else { Some(build(self.system, &settings.given)?) };
        let system = built.as_ref().unwrap_or(self.system);
        let asked = request(system, self.from, &settings, self.options, true)?;
        let made = simulate(system, &asked.start, &asked.inputs, &asked.options, &mut |_| {
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let made = made.map_err(Refusal::Start)?;
        if matches!(made.end, End::Interrupted { .. }) {
            return Ok(None);
        }
        let [first, last] = [made.samples.first(), made.last()].map(|s| s.unwrap_or(&asked.start));
        let [before, after] =
            [first, last].map(|state| system.energy(state.t, &state.q, &state.v).total());
        let mut numbers = vec![last.t];
        numbers.extend(last.q.iter().chain(&last.v));
        numbers.extend([after, after - before]);
        let free = Mode::default();
        let mode = made.modes.last().map_or(&free, |span| &span.mode);
        numbers.extend(self.outcomes.iter().map(|o| o.value(system, &asked.inputs, last, mode)));
        let ended = if made.end.is_complete() { Ended::Complete } else { Ended::Early };
        let stats = made.stats;
        let counts = [stats.impacts as u64, stats.events as u64, stats.steps];
        Ok(Some(Row { ended, reason: made.end.to_string(), numbers, counts }))
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
    let called = crate::sweep::names(system.get().info(), &targets, &outcomes);
    for (i, name) in called.swept.iter().enumerate() {
        let column: Vec<f64> = (0..made.len()).map(|j| numbers[j * names.len() + i]).collect();
        table.set_item(name, column.into_pyarray(py))?;
    }
    tell_ends(&table, &made, &called)?;
    Ok((table, stopped.map(|stop| stop.into_value(py).into_any())))
}

impl<'py> Of<'_, 'py> {
    /// What is set in each row.
    pub(crate) fn targets(&self) -> PyResult<Vec<Target>> {
        let (py, info) = (self.system.py(), self.system.get().info());
        let find = |name: &String| {
            let found = Target::find(name, info);
            found.map_err(|said| crate::fault::unknown_name(py, said))
        };
        self.names.iter().map(find).collect()
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
        let outcomes: Vec<Part> =
            self.outcomes.iter().map(|name| part(py, name, info)).collect::<PyResult<_>>()?;
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
        let (rows, stopped) = py.detach(|| work(&plan, numbers, count, jobs.max(1), update))?;
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

/// The columns of how the runs ended: those of `eom run --table`, the outcomes behind the energies.
fn tell_ends(table: &Bound<'_, PyDict>, made: &[Option<Row>], names: &Names) -> PyResult<()> {
    let py = table.py();
    let text = |of: &dyn Fn(&Row) -> String| -> Vec<String> {
        made.iter().map(|row| row.as_ref().map_or("missing".to_owned(), of)).collect()
    };
    table.set_item("ended", text(&|row| row.ended.word().to_owned()))?;
    table.set_item("reason", text(&|row| row.reason.clone()))?;
    for (i, (name, _)) in names.ends().enumerate() {
        let of = |row: &Option<Row>| row.as_ref().map_or(f64::NAN, |row| row.numbers[i]);
        table.set_item(name, made.iter().map(of).collect::<Vec<f64>>().into_pyarray(py))?;
    }
    for (i, name) in COUNTS.into_iter().enumerate() {
        let count = |row: &Row| i64::try_from(row.counts[i]).unwrap_or(i64::MAX);
        let of = |row: &Option<Row>| row.as_ref().map_or(0, count);
        table.set_item(name, made.iter().map(of).collect::<Vec<i64>>().into_pyarray(py))?;
    }
    Ok(())
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
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    let mut made: Vec<Option<Row>> = (0..count).map(|_| None).collect();
    let mut stopped = None;
    let mut defect = Ok(());
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(count) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let run = next.fetch_add(1, Ordering::Relaxed);
                    if run >= count {
                        break;
                    }
                    let row = &numbers[run * width..(run + 1) * width];
                    if sender.send((run, guarded(|| plan.make(row, stop)))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut looked = std::time::Instant::now();
        let mut fresh = 0_usize;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok((run, Ok(row))) => {
                    fresh += usize::from(row.is_some());
                    made[run] = row;
                }
                Ok((_, Err(error))) => {
                    stop.store(true, Ordering::Relaxed);
                    defect = Err(error);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stopped.is_none() && looked.elapsed() >= LOOK {
                looked = std::time::Instant::now();
                stopped = tell(update, std::mem::take(&mut fresh)).err();
                if stopped.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        if stopped.is_none() {
            stopped = tell(update, fresh).err();
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
