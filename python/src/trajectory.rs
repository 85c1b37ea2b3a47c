//! What a run leaves, as arrays.

use crate::drive::{Kept, Made, begin, interrupted, make, observed};
use crate::fault::{guarded, raised, value_error};
use crate::number::{Number, symbol};
use crate::operands::with_numpy;
use crate::request::{Asked, begun, conserved};
use crate::system::System;
use eom_core::info::SystemInfo;
use eom_core::{
    End, Event, Mode, Options, Sampling, SavedTrajectory, StartRule, State, System as _,
};
use eom_interpreter::Interpreted;
use eom_interpreter::motion::{Observer, Part, happening};
use eom_interpreter::request::{Refusal, Request};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::ops::ControlFlow;

/// A run that is over.
#[pyclass(subclass, frozen, module = "eom._eom")]
pub(crate) struct Trajectory {
    /// The system that the run was asked of; `inner` has the parameters that it was made with.
    system: Py<System>,
    pub(crate) inner: Interpreted,
    pub(crate) request: Request,
    pub(crate) kept: Kept,
    pub(crate) made: eom_core::Trajectory,
    /// The samples that are shown: of those at given times not the start and end.
    shown: Vec<usize>,
    /// What was set by name.
    values: Py<PyDict>,
}

/// Makes a run of a system, of the class that is given.
#[pyfunction]
pub(crate) fn run<'py>(
    py: Python<'py>,
    class: &Bound<'py, PyAny>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(asked)?;
    let (inner, _, request) = begun(py, system.get(), values, &asked, true)?;
    let kept = asked.kept(py, &inner)?;
    let Made { trajectory, stopped } = make(py, &inner, &request, &kept)?;
    let end = trajectory.end.t();
    let left = Left { inner, request, kept, made: trajectory };
    let made = class.call1((system, values, Holder(Some(left))))?;
    match stopped {
        None => Ok(made),
        Some(stop) => {
            Err(interrupted(py, stop, &format!("interrupted at t = {end}"), made.unbind()))
        }
    }
}

/// What a trajectory is made of, on its way through the constructor of a class of Python.
struct Left {
    inner: Interpreted,
    request: Request,
    kept: Kept,
    made: eom_core::Trajectory,
}

/// [`Left`], to be taken once.
#[pyclass]
pub(crate) struct Holder(Option<Left>);

#[pymethods]
impl Trajectory {
    #[new]
    fn new(
        system: Bound<'_, System>,
        values: Bound<'_, PyDict>,
        left: &Bound<'_, Holder>,
    ) -> PyResult<Self> {
        let left = left.borrow_mut().0.take();
        let Left { inner, request, kept, made } =
            left.ok_or_else(|| value_error("results are made by `System.run`"))?;
        let shown = shown(&request.options, &made.samples);
        let (system, values) = (system.unbind(), values.unbind());
        Ok(Self { system, inner, request, kept, made, shown, values })
    }

    #[getter]
    fn system(&self, py: Python<'_>) -> Py<System> {
        self.system.clone_ref(py)
    }

    #[getter]
    fn _settings(&self, py: Python<'_>) -> Py<PyDict> {
        self.values.clone_ref(py)
    }

    /// The times of the samples.
    fn _t<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        with_numpy(py)?;
        Ok(self.samples().map(|state| state.t).collect::<Vec<f64>>().into_pyarray(py))
    }

    /// (n + m, N): a row for each coordinate, then one for each velocity.
    fn _y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.width(), self.shown.len(), self.samples())
    }

    /// A number of the motion at the samples.
    fn _number<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.along(py, &Number::read(py, name, self.info())?)
    }

    /// The declared output of this index, which may be called as something else is.
    fn _output<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.along(py, &Number::Part(Part::Output(index)))
    }
    /// How the run ended: its name, its numbers as JSON, its words, one thing to do, whether it is what was asked.
    fn _end(&self) -> PyResult<Ending> {
        ending(&self.made.end)
    }

    /// The work done, as JSON.
    fn _stats(&self) -> PyResult<String> {
        serde_json::to_string(&self.made.stats).map_err(|error| value_error(error.to_string()))
    }

    /// How many events there are.
    fn _event_count(&self) -> usize {
        self.made.events.len()
    }

    /// The events, or the one of a place: t, kind, names, impulses, then q and v before and after.
    #[pyo3(signature = (at=None))]
    fn _events<'py>(&self, py: Python<'py>, at: Option<usize>) -> PyResult<Described<'py>> {
        let all = &self.made.events[..];
        let asked = at.map_or(all, |at| all.get(at..=at).unwrap_or_default());
        described(py, self.info(), asked)
    }

    /// The modes: when each begins, the closed contacts, the friction that sticks.
    fn _modes(&self) -> Vec<(f64, Vec<&'static str>, Vec<&'static str>)> {
        let info = self.info();
        let one = |span: &eom_core::ModeSpan| {
            let closed = span.mode.closed().iter().map(|c| info.contacts[*c].name).collect();
            let sticking = span.mode.sticking().iter().map(|f| info.frictions[*f].name).collect();
            (span.t, closed, sticking)
        };
        self.made.modes.iter().map(one).collect()
    }

    /// How guards and forces are known, and since when nothing moves.
    fn _checks(&self) -> (bool, bool, Option<f64>) {
        let guards = self.made.guards == eom_core::GuardCheck::Proven;
        (guards, self.made.forces == eom_core::ForceCheck::Bounded, self.made.rest)
    }

    /// The guards that were only sampled, in words.
    fn _sampled(&self) -> Vec<String> {
        self.made.sampled_in_words(self.info())
    }

    /// The step and the error of a run by time stepping, as JSON.
    fn _stepped(&self) -> PyResult<String> {
        serde_json::to_string(&self.made.stepped).map_err(|error| value_error(error.to_string()))
    }

    /// The time of the start.
    fn _start_t(&self) -> f64 {
        self.request.start.t
    }

    /// The inputs.
    fn _inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        with_numpy(py)?;
        Ok(PyArray1::from_slice(py, &self.request.inputs))
    }

    /// The states at times in rising order, none before the start: the same run once more, seen at them.
    fn _states<'py>(
        &self,
        py: Python<'py>,
        times: Vec<f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let last = times.last().copied().unwrap_or(self.request.start.t);
        let sampling = Sampling::At(times.as_slice().into());
        let options = Options { sampling, ..self.request.options.clone() };
        let past =
            |t: f64| if t > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let made = self.again(py, &options, past)?;
        // The start stands for all times before it, the end for its own.
        let mut rows: Vec<&State> = Vec::with_capacity(times.len());
        for time in &times {
            let at = made.samples.partition_point(|state| state.t < *time);
            rows.extend(made.samples.get(at).or(made.samples.last()));
        }
        table(py, self.width(), rows.len(), rows.into_iter())
    }

    /// The same run seen at times in rising order; itself where its samples were asked for.
    fn _seen_at<'py>(
        slf: &Bound<'py, Self>,
        class: &Bound<'py, PyAny>,
        times: Vec<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = slf.get();
        if own.request.options.sampling != Sampling::Steps {
            return Ok(slf.clone().into_any());
        }
        let sampling = Sampling::At(times.into());
        let options = Options { sampling, ..own.request.options.clone() };
        let cut = own.cut();
        let past =
            |t: f64| if t >= cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let made = own.again(slf.py(), &options, past)?;
        let request = Request { options, ..own.request.clone() };
        let left = Left { inner: own.inner.clone(), request, kept: own.kept.clone(), made };
        class.call1((own.system.bind(slf.py()), own.values.bind(slf.py()), Holder(Some(left))))
    }

    /// The ledger of the same run: start, end, works, jumps, drifts, error, tolerance.
    fn _ledger<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options =
            Options { ledger: true, sampling: Sampling::Ends, ..self.request.options.clone() };
        let cut = self.cut();
        let past =
            |t: f64| if t >= cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let made = self.again(py, &options, past)?;
        let ledger = made.ledger.ok_or_else(|| value_error("the run kept no ledger"))?;
        let (info, dict) = (self.info(), PyDict::new(py));
        let works = ledger.works.iter().map(|w| (w.source.describe(info), w.work));
        let jumps = ledger.jumps.iter().map(|j| (j.cause.describe(info), j.count, j.change));
        let drifts = ledger.drifts.iter().map(|d| (d.kept.describe(info), d.residual, d.t));
        dict.set_item("start", ledger.start)?;
        dict.set_item("end", ledger.end)?;
        dict.set_item("works", works.collect::<Vec<_>>())?;
        dict.set_item("jumps", jumps.collect::<Vec<_>>())?;
        dict.set_item("drifts", drifts.collect::<Vec<_>>())?;
        dict.set_item("error", ledger.error)?;
        dict.set_item("tolerance", ledger.tolerance)?;
        Ok(dict)
    }

    /// What acts at the ends of the steps of the same run: t, and the forces of contacts.
    fn _forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = Options { sampling: Sampling::Ends, ..self.request.options.clone() };
        let cut = self.cut();
        let info = self.info();
        let (mut t, mut contacts) = (Vec::new(), vec![Vec::new(); info.contacts.len()]);
        let collect = || -> Result<(), eom_core::StartError> {
            let mut run = begin(&self.inner, &self.request, &options, &self.kept)?;
            loop {
                t.push(run.t());
                for (list, force) in contacts.iter_mut().zip(&run.forces().contacts) {
                    list.push(*force);
                }
                if run.end().is_some() || run.t() >= cut {
                    return Ok(());
                }
                // How it ends is asked of the run itself.
                let _ = run.step();
            }
        };
        let made = py.detach(|| guarded(collect))?;
        made.map_err(|error| raised(py, &Refusal::Start(error)))?;
        with_numpy(py)?;
        let dict = PyDict::new(py);
        dict.set_item("t", t.into_pyarray(py))?;
        for (contact, forces) in info.contacts.iter().zip(contacts) {
            dict.set_item(contact.name, forces.into_pyarray(py))?;
        }
        Ok(dict)
    }

    /// The number of the motion that a name stands for: its ASCII name and its symbol.
    fn _symbol(&self, py: Python<'_>, name: &str) -> PyResult<(String, String)> {
        symbol(py, name, self.info())
    }

    /// What a copy is made of.
    fn _saved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let Request { start, inputs, options, .. } = &self.request;
        let kept = self.kept.as_ref().map_or(&[][..], |kept| kept.names());
        let json = serde_json::to_vec(&(start, inputs, options, kept, self.made.save(&self.inner)));
        Ok(PyBytes::new(py, &json.map_err(|error| value_error(error.to_string()))?))
    }
}

/// A trajectory of what `_saved` gave.
#[pyfunction]
pub(crate) fn restored<'py>(
    class: &Bound<'py, PyAny>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    inner: &Bound<'py, System>,
    saved: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    with_numpy(class.py())?;
    let damaged = |error: &dyn std::fmt::Display| value_error(format!("no saved run: {error}"));
    let (start, inputs, options, names, trajectory): (
        State,
        Vec<f64>,
        Options,
        Vec<String>,
        SavedTrajectory,
    ) = serde_json::from_slice(saved).map_err(|error| damaged(&error))?;
    let inner = inner.get().inner.clone();
    let begins = guarded(|| eom_core::check_start(&inner, &start, &inputs, &options))?;
    begins.map_err(|error| damaged(&error))?;
    let kept = guarded(|| conserved(&inner, &names))?.map_err(|error| damaged(&error))?;
    let made = guarded(|| eom_core::Trajectory::restore(&inner, &trajectory))?;
    let made = made.map_err(|error| damaged(&error))?;
    let request = Request { start, inputs, options, rule: StartRule::default() };
    class.call1((system, values, Holder(Some(Left { inner: inner.clone(), request, kept, made }))))
}

impl Trajectory {
    pub(crate) fn info(&self) -> &'static SystemInfo {
        self.inner.info()
    }

    fn width(&self) -> usize {
        self.info().positions() + self.info().speeds()
    }

    /// A number at the samples that are shown.
    fn along<'py>(&self, py: Python<'py>, number: &Number) -> PyResult<Bound<'py, PyArray1<f64>>> {
        with_numpy(py)?;
        let free = Mode::default();
        let values = || -> Vec<f64> {
            let mut observer = Observer::new(&self.inner, &self.request.inputs);
            let value = |index: &usize| {
                let mode = self.made.mode_of_sample(*index).unwrap_or(&free);
                number.value(&self.inner, &mut observer.see(&self.made.samples[*index], mode))
            };
            self.shown.iter().map(value).collect()
        };
        Ok(py.detach(|| guarded(values))?.into_pyarray(py))
    }

    fn samples(&self) -> impl Iterator<Item = &State> {
        self.shown.iter().filter_map(|index| self.made.samples.get(*index))
    }

    /// The time at which Python stopped the run, which would else have gone on.
    pub(crate) fn cut(&self) -> f64 {
        match self.made.end {
            End::Interrupted { t } => t,
            _ => f64::INFINITY,
        }
    }

    /// The same run with other options of what is kept, up to a time.
    fn again(
        &self,
        py: Python<'_>,
        options: &Options,
        past: impl Fn(f64) -> ControlFlow<()> + Sync,
    ) -> PyResult<eom_core::Trajectory> {
        let mut looks = crate::drive::Looks::new();
        let mut stopped = None;
        let run = || {
            let run = begin(&self.inner, &self.request, options, &self.kept)?;
            Ok(observed(run, |progress| {
                stopped = looks.look();
                if stopped.is_some() { ControlFlow::Break(()) } else { past(progress.t) }
            }))
        };
        let made = py.detach(|| guarded(run))?;
        if let Some(stop) = stopped {
            return Err(stop);
        }
        made.map_err(|error: eom_core::StartError| raised(py, &Refusal::Start(error)))
    }
}

/// The samples that are shown.
fn shown(options: &Options, samples: &[State]) -> Vec<usize> {
    match &options.sampling {
        Sampling::At(times) => {
            // A time that is asked for twice is shown twice: of the start and of the end there is one sample.
            let sample = |time: &f64| {
                let at = samples.partition_point(|state| state.t < *time);
                samples.get(at).is_some_and(|state| state.t == *time).then_some(at)
            };
            times.iter().filter_map(sample).collect()
        }
        _ => (0..samples.len()).collect(),
    }
}

/// States as columns.
fn table<'py, 'a>(
    py: Python<'py>,
    width: usize,
    count: usize,
    states: impl Iterator<Item = &'a State>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    with_numpy(py)?;
    let mut out = vec![0.0; width * count];
    for (j, state) in states.enumerate() {
        for (i, number) in state.q.iter().chain(&state.v).enumerate() {
            out[i * count + j] = *number;
        }
    }
    out.into_pyarray(py).reshape([width, count])
}

/// t, kind, names and impulses by contact of events, then q and v on both sides of all of them: (N, 2, n) and (N, 2, m).
pub(crate) type Described<'py> =
    (Bound<'py, PyList>, Bound<'py, PyArray3<f64>>, Bound<'py, PyArray3<f64>>);

/// Events for Python.
pub(crate) fn described<'py>(
    py: Python<'py>,
    info: &SystemInfo,
    events: &[Event],
) -> PyResult<Described<'py>> {
    with_numpy(py)?;
    let (n, m, count) = (info.positions(), info.speeds(), events.len());
    let (mut q, mut v) = (Vec::with_capacity(2 * n * count), Vec::with_capacity(2 * m * count));
    let rows = PyList::empty(py);
    for event in events {
        let (kind, names, impulses) = happening(info, event);
        rows.append((event.t, kind, names, impulses))?;
        for (of_q, of_v) in event.sides() {
            q.extend_from_slice(of_q);
            v.extend_from_slice(of_v);
        }
    }
    let q = q.into_pyarray(py).reshape([count, 2, n])?;
    Ok((rows, q, v.into_pyarray(py).reshape([count, 2, m])?))
}

/// [`ending`].
pub(crate) type Ending = (String, String, Option<&'static str>, bool);

/// An end for Python: its name and numbers as JSON, its words, one thing to do, whether it is what was asked.
pub(crate) fn ending(end: &End) -> PyResult<Ending> {
    let json = serde_json::to_string(end).map_err(|error| value_error(error.to_string()))?;
    Ok((json, end.to_string(), end.help(), end.is_complete()))
}
