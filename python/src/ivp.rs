//! What an integrator of others needs beside the right-hand side: its Jacobian, and what a contact or an event does to
//! a state.

use crate::fault::{guarded, unknown_name, value_error};
use crate::kernels::{States, fill, shaped};
use crate::operands::Operand;
use crate::system::System;
use eom_analysis::{AnalysisError, OpenJacobian};
use eom_core::impact::ImpactMap;
use eom_core::info::{Direction, FrictionKind};
use eom_core::{Contacts as _, Events as _, ImpactError, State, StateJacobian};
use eom_interpreter::names::{contact, speeds};
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

#[pymethods]
impl System {
    /// ∂ẏ/∂y of `rhs`, (n + m, n + m) or (N, n + m, n + m): the Jacobian for `scipy.integrate.solve_ivp`.
    ///
    /// It is exact to rounding: the programs of the system run over numbers with derivatives. Friction is that of `rhs`: what
    /// slides does so to the side to which it slides there.
    ///
    /// Parameters
    /// ----------
    /// t : float or array_like
    ///     The time, or N times.
    /// y : array_like
    ///     (q, v) of one state (n + m,), or (N, n + m) of many.
    /// u : array_like, optional
    ///     Inputs (r,) or (N, r); without them they are zero.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     Entry (i, j) is the derivative of ẏ_i by y_j.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where there is none: with integrals, with functions given as formulas, and where friction of a constraint has no
    ///     solution.
    #[pyo3(signature = (t, y, u=None))]
    fn jac<'py>(
        &self,
        py: Python<'py>,
        t: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
        u: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_values(py)?;
        let (info, system) = (self.info(), &self.inner);
        let states = States::new(info, t, y, u)?;
        if info.frictions.iter().any(|term| term.kind == FrictionKind::Row) {
            return self.jac_with_friction(py, &states);
        }
        let d = info.positions() + info.speeds();
        let at = states.at();
        let zeros = vec![0.0; info.inputs.len()];
        let Some(jacobian) = guarded(|| StateJacobian::of(system, &zeros))? else {
            return Err(value_error(format!(
                "{} has no derivatives: it has an integral, or a function that is given as a formula; write the \
                 formula into the declaration",
                info.name
            )));
        };
        fill(
            py,
            states.count,
            &[d, d],
            || jacobian.clone(),
            |j, out, jacobian| {
                let (t, y, u) = at(j);
                if !u.is_empty() {
                    jacobian.set_inputs(u);
                }
                jacobian.evaluate(t, y, out);
            },
        )
    }

    /// The speeds after an impact of a contact at one state, by its law, (m,).
    ///
    /// It is the map of the law at q, wherever that is: whether the gap is closed there, and what `when` says, is not asked.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     Where there is none, and where the gap opens: nothing is struck there.
    fn impact<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        t: f64,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_values(py)?;
        let info = self.info();
        let index = contact(name, info).map_err(|said| unknown_name(py, said))?;
        if !t.is_finite() {
            return Err(value_error(format!("t = {t} is not a finite number")));
        }
        let q = Operand::new(q, "q", info.positions(), &|i| info.position_name(i))?;
        let v = Operand::new(v, "v", info.speeds(), &|i| speeds(info)[i].clone())?;
        if q.count.or(v.count).is_some() {
            return Err(value_error("an impact is of one state: q and v are lists of numbers"));
        }
        let mut y = [q.numbers(), v.numbers()].concat();
        self.strike(index, t, &mut y)?;
        shaped(py, y[info.positions()..].to_vec(), &[info.speeds()])
    }

    /// For each contact and then each event: its direction, and whether the state jumps.
    fn _watched(&self) -> Vec<(i8, bool)> {
        let info = self.info();
        let contacts = info.contacts.iter().map(|_| (-1, true));
        let events = info.events.iter().map(|event| (sign(event.direction), event.resets));
        contacts.chain(events).collect()
    }

    /// y after an impact of the contact of this index, or after the event of the index behind those of contacts.
    #[pyo3(signature = (index, t, y, u=None))]
    fn _after<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        t: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
        u: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_values(py)?;
        let info = self.info();
        let states = States::new(info, t, y, u)?;
        if states.count.is_some() {
            return Err(value_error("what happens is of one state: y is a list of numbers"));
        }
        let at = states.at();
        let (t, y, u) = at(0);
        let mut y = y.to_vec();
        match index.checked_sub(info.contacts.len()) {
            None => self.strike(index, t, &mut y)?,
            Some(event) => guarded(|| {
                let (q, v) = y.split_at_mut(info.positions());
                self.inner.reset(event, t, q, v, u);
            })?,
        }
        let width = y.len();
        shaped(py, y, &[width])
    }
}

impl System {
    /// `jac` where constraints have friction.
    fn jac_with_friction<'py>(
        &self,
        py: Python<'py>,
        states: &States<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (info, system) = (self.info(), &self.inner);
        let (n, at) = (info.positions(), states.at());
        let d = n + info.speeds();
        let none = |error: AnalysisError| value_error(format!("{}: {error}", info.name));
        guarded(|| OpenJacobian::new(system).map(drop))?.map_err(none)?;
        let failed = Mutex::new(None);
        let made = fill(
            py,
            states.count,
            &[d, d],
            || OpenJacobian::new(system),
            |j, out, jacobian| {
                let (t, y, u) = at(j);
                let (q, v) = y.split_at(n);
                let state = State::new(t, q, v);
                let evaluated = match jacobian {
                    Ok(jacobian) => jacobian.evaluate(&state, u, out),
                    Err(error) => Err(error.clone()),
                };
                if let (Err(error), Ok(mut failed)) = (evaluated, failed.lock()) {
                    *failed = Some(error);
                }
            },
        )?;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(made), |error| Err(none(error)))
    }

    /// Takes y = (q, v) through an impact.
    fn strike(&self, index: usize, t: f64, y: &mut [f64]) -> PyResult<()> {
        let (info, system) = (self.info(), &self.inner);
        let (q, v) = y.split_at_mut(info.positions());
        let struck = guarded(|| {
            let mut map = ImpactMap::new(system);
            map.load(system, index, t, q)?;
            let rates = map.transform(system, system.law(index), v)?;
            system.relabel(index, q, v);
            Ok(rates)
        })?;
        let name = info.contacts.get(index).map_or("", |contact| contact.name);
        let none = |why: &dyn Display| value_error(format!("no impact at `{name}`: {why}"));
        let rates = struck.map_err(|error: ImpactError| none(&error))?;
        if rates.minus > rates.tolerance {
            return Err(none(&format!("its gap opens, at the rate {}", rates.minus)));
        }
        Ok(())
    }
}

/// As SciPy has it: from which side a guard is zero.
fn sign(direction: Direction) -> i8 {
    match direction {
        Direction::Falling => -1,
        Direction::Rising => 1,
        Direction::Both => 0,
    }
}
