//! A run that goes on when it is told to.

use crate::drive::{Kept, Looks, begin, interrupted};
use crate::fault::{guarded, raised, value_error};
use crate::number::Number;
use crate::operands::{Operand, with_numpy};
use crate::request::{Asked, begun};
use crate::system::System;
use crate::trajectory::{Described, Ending, described, ending};
use eom_core::info::SystemInfo;
use eom_core::{Event, Options, Run, Sampling, Snapshot, StartError, System as _};
use eom_interpreter::Interpreted;
use eom_interpreter::motion::Observer;
use eom_interpreter::names::speeds;
use eom_interpreter::request::Refusal;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use self_cell::self_cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

self_cell!(
    /// A run beside the system that it borrows.
    struct Held {
        owner: Interpreted,
        #[not_covariant]
        dependent: Run,
    }
);

/// A run under way.
#[pyclass(subclass, frozen, module = "eom._eom")]
pub(crate) struct Stepper {
    /// No object of Python is made while it is locked: that may run code which asks for it again.
    under_way: Mutex<UnderWay>,
    /// Whether it is locked for long.
    is_advancing: AtomicBool,
    system: Py<System>,
    info: &'static SystemInfo,
    kept: Kept,
}

/// What changes as it goes on.
struct UnderWay {
    held: Held,
    /// What happened in the last advance.
    events: Vec<Event>,
}

#[pymethods]
impl Stepper {
    #[new]
    fn new(
        py: Python<'_>,
        system: &Bound<'_, System>,
        values: &Bound<'_, PyDict>,
        asked: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        with_numpy(py)?;
        let asked = Asked::new(asked)?;
        let (inner, given, request) = begun(py, system.get(), values, &asked, false)?;
        // The end of a scenario is none of a run that is stepped; nothing is kept of it.
        let options = Options {
            until_time: given.until_time,
            until_impacts: given.until_impacts,
            until_events: given.until_events,
            sampling: Sampling::Ends,
            ..request.options.clone()
        };
        let kept = asked.kept(py, &inner)?;
        let held = guarded(|| -> Result<Held, StartError> {
            Held::try_new(inner, |system| begin(system, &request, &options, &kept))
        })?;
        let held = held.map_err(|error| raised(py, &Refusal::Start(error)))?;
        let info = held.borrow_owner().info();
        let under_way = UnderWay { held, events: Vec::new() };
        Ok(Self {
            under_way: Mutex::new(under_way),
            is_advancing: AtomicBool::new(false),
            system: system.clone().unbind(),
            info,
            kept,
        })
    }

    #[getter]
    fn system(&self, py: Python<'_>) -> Py<System> {
        self.system.clone_ref(py)
    }

    #[getter]
    fn t(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |_, run| run.t())
    }

    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(fixed(py, self.look(py, |_, run| run.state().q.clone())?))
    }

    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(fixed(py, self.look(py, |_, run| run.state().v.clone())?))
    }

    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let y = self.look(py, |_, run| [run.state().q.as_slice(), &run.state().v].concat())?;
        Ok(fixed(py, y))
    }

    #[getter]
    fn u<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(fixed(py, self.look(py, |_, run| run.inputs().to_vec())?))
    }

    #[setter]
    fn set_u(&self, py: Python<'_>, u: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = |i: usize| self.info.inputs[i].name.to_owned();
        let inputs = Operand::new(u, "u", self.info.inputs.len(), &name)?;
        if inputs.count.is_some() {
            return Err(value_error("u is of one state: give a list of numbers"));
        }
        let inputs = inputs.numbers();
        let mut alone = self.alone(py)?;
        let set = alone.held.with_dependent_mut(|_, run| guarded(|| run.set_inputs(inputs)))?;
        drop(alone);
        set.map_err(|error| raised(py, &Refusal::Start(error)))
    }

    /// Go on to a time; whether the run can go on from there.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a time before the present one.
    /// RuntimeError
    ///     Where another thread is at it.
    /// Interrupted
    ///     At Ctrl-C; the stepper stands where it came to, and can go on.
    fn advance(slf: &Bound<'_, Self>, t: f64) -> PyResult<bool> {
        go_on(slf, |_| t)
    }

    /// Go on by a time; whether the run can go on from there.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a negative time.
    /// RuntimeError
    ///     Where another thread is at it.
    /// Interrupted
    ///     At Ctrl-C; the stepper stands where it came to, and can go on.
    fn step(slf: &Bound<'_, Self>, dt: f64) -> PyResult<bool> {
        go_on(slf, |now| now + dt)
    }

    /// Put another state, its coordinates or its speeds, in place of the present one.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where the run has ended.
    #[pyo3(signature = (q=None, v=None))]
    fn apply(
        &self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        v: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let info = self.info;
        let (n, m) = (info.positions(), info.speeds());
        let q = q.map(|q| Operand::new(q, "q", n, &|i| info.position_name(i))).transpose()?;
        let v = v.map(|v| Operand::new(v, "v", m, &|i| speeds(info)[i].clone())).transpose()?;
        if [&q, &v].into_iter().flatten().any(|operand| operand.count.is_some()) {
            return Err(value_error("a state is one: give q and v as lists of numbers"));
        }
        let applied = self.alone(py)?.held.with_dependent_mut(|_, run| {
            if let Some(end) = run.end() {
                let help = "restore a saved one, or make another stepper";
                return Err(value_error(format!("the run has ended: {end}; {help}")));
            }
            let mut state = run.state().clone();
            if let Some(q) = &q {
                q.numbers().clone_into(&mut state.q);
            }
            if let Some(v) = &v {
                v.numbers().clone_into(&mut state.v);
            }
            guarded(|| run.apply(&state))
        })?;
        applied.map_err(|error| raised(py, &Refusal::Start(error)))
    }

    /// The events of the last advance, as those of a result.
    fn _events<'py>(&self, py: Python<'py>) -> PyResult<Described<'py>> {
        let events = self.alone(py)?.events.clone();
        described(py, self.info, &events)
    }

    /// What acts: accelerations, multipliers, contacts.
    fn _forces<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<f64>>; 3]> {
        let forces =
            self.alone(py)?.held.with_dependent_mut(|_, run| guarded(|| run.forces().clone()))?;
        let lists = [forces.accelerations, forces.multipliers, forces.contacts];
        Ok(lists.map(|list| PyArray1::from_vec(py, list)))
    }

    /// A number of the motion at present, by those names that a result knows.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        let found = Number::read(py, name, self.info)?;
        self.look(py, |system, run| {
            let mut observer = Observer::new(system, run.inputs());
            guarded(|| found.value(system, &mut observer.see(run.state(), run.mode())))
        })?
    }

    /// The closed contacts.
    #[getter]
    fn closed(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.look(py, |system, run| {
            let name = |contact: &usize| system.info().contacts[*contact].name;
            run.mode().closed().iter().map(name).collect()
        })
    }

    /// How it has ended, as that of a result.
    fn _end(&self, py: Python<'_>) -> PyResult<Option<Ending>> {
        self.look(py, |_, run| run.end().map(ending).transpose())?
    }

    /// The run as it stands, to be restored later.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let json = serde_json::to_vec(&self.look(py, |_, run| run.save())?);
        Ok(PyBytes::new(py, &json.map_err(|error| value_error(error.to_string()))?))
    }

    /// The run is as it was when `save` gave these bytes.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let damaged = |error: String| value_error(format!("no saved run: {error}"));
        let snapshot: Snapshot =
            serde_json::from_slice(saved).map_err(|error| damaged(error.to_string()))?;
        let kept = self.kept.clone();
        let restore = |run: &mut Run<'_>| -> Result<(), String> {
            run.restore_to(&snapshot).map_err(|error| error.to_string())?;
            // A snapshot has the levels, not what they are of.
            kept.map_or(Ok(()), |kept| run.conserve(kept).map_err(|error| error.to_string()))
        };
        let mut alone = self.alone(py)?;
        let restored = alone.held.with_dependent_mut(|_, run| guarded(|| restore(run)))?;
        restored.map_err(damaged)?;
        alone.events.clear();
        Ok(())
    }
}

impl Stepper {
    /// The run, of which nobody else has hold. Whoever comes while it advances is sent away: a signal's handler that
    /// waited for the run that it has interrupted would wait for ever.
    fn alone<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, UnderWay>> {
        if self.is_advancing.load(Ordering::Acquire) {
            let message = "the stepper is at work in another thread: ask it when that has returned, or give each thread \
                           a stepper of its own";
            return Err(PyRuntimeError::new_err(message));
        }
        // What a panic has left is still a run.
        Ok(self.under_way.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner))
    }

    fn look<T>(
        &self,
        py: Python<'_>,
        look: impl for<'a> FnOnce(&'a Interpreted, &Run<'a>) -> T,
    ) -> PyResult<T> {
        Ok(self.alone(py)?.held.with_dependent(look))
    }
}

/// Numbers of the run as an array that cannot be written: what were written to it would not be to the run.
fn fixed(py: Python<'_>, numbers: Vec<f64>) -> Bound<'_, PyArray1<f64>> {
    let array = PyArray1::from_vec(py, numbers);
    drop(array.readwrite().make_nonwriteable());
    array
}

/// Goes on to a time, which is told from the present one.
fn go_on(slf: &Bound<'_, Stepper>, to: impl FnOnce(f64) -> f64) -> PyResult<bool> {
    let py = slf.py();
    let mut alone = slf.get().alone(py)?;
    let now = alone.held.with_dependent(|_, run| run.t());
    let t = to(now);
    // Neither is a time that is not a number after the present one.
    if !(t >= now && t < f64::INFINITY) {
        return Err(value_error(format!("cannot advance to t = {t}: it is at t = {now}")));
    }
    let mut stop = None;
    slf.get().is_advancing.store(true, Ordering::Release);
    let gone = alone.held.with_dependent_mut(|_, run| {
        py.detach(|| {
            guarded(|| {
                let mut looks = Looks::new();
                let goes_on = run.advance_observed(t, |_, _| {
                    stop = looks.look();
                    if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let goes_on = goes_on.is_continue();
                (run.take_events(), goes_on, run.t())
            })
        })
    });
    slf.get().is_advancing.store(false, Ordering::Release);
    let (events, goes_on, at) = gone?;
    alone.events = events;
    drop(alone);
    match stop {
        None => Ok(goes_on),
        Some(stop) => {
            let said = format!("interrupted at t = {at}");
            Err(interrupted(py, stop, &said, slf.clone().into_any().unbind()))
        }
    }
}
