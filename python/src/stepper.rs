//! A run that goes on when it is told to.

use crate::drive::{Kept, Looks, begin, interrupted};
use crate::fault::{guarded, raised, value_error};
use crate::operands::Operand;
use crate::request::{Asked, begun};
use crate::system::System;
use crate::trajectory::{Described, Ending, described, ending, part};
use eom_core::info::SystemInfo;
use eom_core::{Event, Options, Run, Sampling, Snapshot, StartError, State, System as _};
use eom_interpreter::Interpreted;
use eom_interpreter::names::speeds;
use eom_interpreter::request::Refusal;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use self_cell::self_cell;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

self_cell!(
    /// A run beside the system that it borrows.
    struct Held {
        owner: Interpreted,
        #[not_covariant]
        dependent: Run,
    }
);

/// A run under way.
#[pyclass(subclass, module = "eom._eom")]
pub(crate) struct Stepper {
    /// A run is not looked at by two threads at once.
    held: Mutex<Held>,
    system: Py<System>,
    inputs: Vec<f64>,
    kept: Kept,
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
        let (system, inputs) = (system.clone().unbind(), request.inputs);
        Ok(Self { held: Mutex::new(held), system, inputs, kept, events: Vec::new() })
    }

    #[getter]
    fn system(&self, py: Python<'_>) -> Py<System> {
        self.system.clone_ref(py)
    }

    #[getter]
    fn t(&self) -> f64 {
        self.look(|_, run| run.t())
    }

    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.look(|_, run| PyArray1::from_slice(py, &run.state().q))
    }

    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.look(|_, run| PyArray1::from_slice(py, &run.state().v))
    }

    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.look(|_, run| {
            let State { q, v, .. } = run.state();
            PyArray1::from_vec(py, [q.as_slice(), v.as_slice()].concat())
        })
    }

    #[getter]
    fn u<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.inputs)
    }

    #[setter]
    fn set_u(&mut self, py: Python<'_>, u: &Bound<'_, PyAny>) -> PyResult<()> {
        let info = self.info();
        let name = |i: usize| info.inputs[i].name.to_owned();
        let inputs = Operand::new(u, "u", info.inputs.len(), &name)?;
        if inputs.count.is_some() {
            return Err(value_error("u is of one state: give a list of numbers"));
        }
        let inputs = inputs.numbers().to_vec();
        let set = self.own().with_dependent_mut(|_, run| guarded(|| run.set_inputs(&inputs)))?;
        set.map_err(|error| raised(py, &Refusal::Start(error)))?;
        self.inputs = inputs;
        Ok(())
    }

    /// Go on to a time; whether the run can go on from there.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     For a time before the present one.
    /// Interrupted
    ///     At Ctrl-C; the stepper stands where it came to, and can go on.
    fn advance(slf: &Bound<'_, Self>, t: f64) -> PyResult<bool> {
        let py = slf.py();
        let mut stepper = slf.try_borrow_mut()?;
        let now = stepper.t();
        // Neither is a time that is not a number after the present one.
        if !(t >= now && t < f64::INFINITY) {
            return Err(value_error(format!("cannot advance to t = {t}: it is at t = {now}")));
        }
        let mut stop = None;
        let held = stepper.own();
        let (events, goes_on) = held.with_dependent_mut(|_, run| {
            py.detach(|| {
                guarded(|| {
                    let mut looks = Looks::new();
                    let goes_on = run.advance_observed(t, |_, _| {
                        stop = looks.look();
                        if stop.is_some() {
                            ControlFlow::Break(())
                        } else {
                            ControlFlow::Continue(())
                        }
                    });
                    let goes_on = goes_on.is_continue();
                    (run.take_events(), goes_on)
                })
            })
        })?;
        stepper.events = events;
        let at = stepper.t();
        drop(stepper);
        match stop {
            None => Ok(goes_on),
            Some(stop) => {
                let said = format!("interrupted at t = {at}");
                Err(interrupted(py, stop, &said, slf.clone().into_any().unbind()))
            }
        }
    }

    /// Put another state, its coordinates or its speeds, in place of the present one.
    #[pyo3(signature = (q=None, v=None))]
    fn apply(
        &mut self,
        py: Python<'_>,
        q: Option<&Bound<'_, PyAny>>,
        v: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let info = self.info();
        let (n, m) = (info.positions(), info.speeds());
        let q = q.map(|q| Operand::new(q, "q", n, &|i| info.position_name(i))).transpose()?;
        let v = v.map(|v| Operand::new(v, "v", m, &|i| speeds(info)[i].clone())).transpose()?;
        if [&q, &v].into_iter().flatten().any(|operand| operand.count.is_some()) {
            return Err(value_error("a state is one: give q and v as lists of numbers"));
        }
        let applied = self.own().with_dependent_mut(|_, run| {
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
        described(py, self.info(), &self.events)
    }

    /// What acts: accelerations, multipliers, contacts.
    fn _forces<'py>(&mut self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<f64>>; 3]> {
        self.own().with_dependent_mut(|_, run| {
            let forces = guarded(|| run.forces().clone())?;
            let lists = [forces.accelerations, forces.multipliers, forces.contacts];
            Ok(lists.map(|list| PyArray1::from_vec(py, list)))
        })
    }

    /// A number of the motion at present, by those names that a result knows.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        let found = part(py, name, self.info())?;
        self.look(|system, run| {
            guarded(|| found.value(system, &self.inputs, run.state(), run.mode()))
        })
    }

    /// The closed contacts.
    #[getter]
    fn closed(&self) -> Vec<&'static str> {
        self.look(|system, run| {
            let name = |contact: &usize| system.info().contacts[*contact].name;
            run.mode().closed().iter().map(name).collect()
        })
    }

    /// How it has ended, as that of a result.
    fn _end(&self) -> PyResult<Option<Ending>> {
        self.look(|_, run| run.end().map(ending).transpose())
    }

    /// The run as it stands, to be restored later.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let snapshot = self.look(|_, run| run.save());
        let json = serde_json::to_vec(&(&self.inputs, snapshot));
        Ok(PyBytes::new(py, &json.map_err(|error| value_error(error.to_string()))?))
    }

    /// The run is as it was when `save` gave these bytes.
    fn restore(&mut self, saved: &[u8]) -> PyResult<()> {
        let damaged = |error: String| value_error(format!("no saved run: {error}"));
        let (inputs, snapshot): (Vec<f64>, Snapshot) =
            serde_json::from_slice(saved).map_err(|error| damaged(error.to_string()))?;
        let kept = self.kept.clone();
        let restore = |run: &mut Run<'_>| -> Result<(), String> {
            run.restore_to(&snapshot).map_err(|error| error.to_string())?;
            // A snapshot has the levels, not what they are of.
            kept.map_or(Ok(()), |kept| run.conserve(kept).map_err(|error| error.to_string()))
        };
        let restored = self.own().with_dependent_mut(|_, run| guarded(|| restore(run)))?;
        restored.map_err(damaged)?;
        self.inputs = inputs;
        self.events.clear();
        Ok(())
    }
}

impl Stepper {
    fn look<T>(&self, look: impl for<'a> FnOnce(&'a Interpreted, &Run<'a>) -> T) -> T {
        // What a panic has left is still a run.
        self.held.lock().unwrap_or_else(PoisonError::into_inner).with_dependent(look)
    }

    fn own(&mut self) -> &mut Held {
        self.held.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn info(&self) -> &'static SystemInfo {
        self.look(|system, _| system.info())
    }
}
