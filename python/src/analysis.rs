//! What a motion means: linear systems, orbits, exponents, sensitivities, as dictionaries of which `eom._analysis` makes
//! classes. What is asked and how is that of `eom analyse`, to the bit.

use crate::drive::Looks;
use crate::fault::{exception, guarded, unknown_name, value_error};
use crate::operands::with_numpy;
use crate::request::{Asked, begun};
use crate::system::System;
use eom_analysis::{
    AnalysisError, Entry, LinearAnswer, LinearQuestion, Linearisation, LyapunovOptions, ModePart,
    ModePartKind, Section, SteadyOptions, Variations, latest_return,
};
use eom_core::nalgebra::{Complex, DMatrix, DVector, Scalar};
use eom_core::{State, System as _};
use eom_interpreter::Interpreted;
use eom_interpreter::names::{Guard, guard, spelled};
use eom_interpreter::request::Request;
use numpy::{Element, IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// A system with the start that is asked about.
fn start(
    py: Python<'_>,
    system: &Bound<'_, System>,
    values: &Bound<'_, PyDict>,
    asked: &Bound<'_, PyDict>,
) -> PyResult<(Interpreted, Request)> {
    with_numpy(py)?;
    let (inner, _, request) = begun(py, system.get(), values, &Asked::new(asked)?, false)?;
    Ok((inner, request))
}

/// Asks without the GIL, and looks now and then at whether Python wants to stop it; why there is no answer is an
/// `AnalysisError` of Python.
fn answered<T: Send>(
    py: Python<'_>,
    ask: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> Result<T, AnalysisError> + Send,
) -> PyResult<T> {
    let looks = Mutex::new((Looks::new(), None));
    let goes_on = || {
        let (looks, stop) = &mut *looks.lock().unwrap_or_else(PoisonError::into_inner);
        if stop.is_none() {
            *stop = looks.look();
        }
        stop.is_none()
    };
    let answer = py.detach(|| guarded(|| ask(&goes_on)))?;
    if let (_, Some(stop)) = looks.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(stop);
    }
    // What is over before the first look has not heard anything yet.
    py.check_signals()?;
    answer.map_err(|error| {
        let said = error.to_string();
        let said = match &error {
            AnalysisError::NoSuchEntry { .. } => return unknown_name(py, said),
            AnalysisError::NotSteady { .. } => {
                said + "\n  find=True looks for a steady motion near this state"
            }
            AnalysisError::LeftOut { name } => format!("{said}, with keep=[\"{name}\"]"),
            _ => said,
        };
        exception(py, "AnalysisError", (said,))
    })
}

/// The linear system along the steady motion of a start, or along the one that is found near it.
#[pyfunction]
#[pyo3(signature = (system, values, asked, find, hold, trim, free, keep))]
#[expect(clippy::too_many_arguments, reason = "the keywords of a method of Python")]
pub(crate) fn linear<'py>(
    py: Python<'py>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
    find: bool,
    hold: Vec<String>,
    trim: Vec<String>,
    free: Vec<String>,
    keep: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    if !(find || hold.is_empty() && trim.is_empty()) {
        return Err(value_error("hold and trim are of find=True, which finds a steady motion"));
    }
    let (inner, Request { start, inputs, .. }) = start(py, system, values, asked)?;
    let [hold, trim, free, keep] =
        [hold, trim, free, keep].map(|names| spelled(&names, inner.info()));
    let options = SteadyOptions { hold: borrowed(&hold), free_inputs: borrowed(&trim) };
    let question = LinearQuestion {
        find: find.then_some(options),
        free: borrowed(&free),
        keep: borrowed(&keep),
    };
    let (answer, modes, is_stable) = answered(py, |_| {
        let answer = question.ask(&inner, start, inputs)?;
        let modes = answer.linear.modes()?;
        let is_stable = answer.linear.is_stable()?;
        Ok((answer, modes, is_stable))
    })?;
    let LinearAnswer { state, inputs, found, uncertainty, linear, second_order } = answer;
    let count = modes.len();
    let eigenvalues: Vec<Complex<f64>> = modes.iter().map(|mode| mode.value).collect();
    let vectors = DMatrix::from_fn(count, count, |i, j| modes[j].vector[i]);
    let answer = state_of(py, &state)?;
    answer.set_item("u", inputs.into_pyarray(py))?;
    answer.set_item("found", found)?;
    answer.set_item("uncertainty", uncertainty)?;
    answer.set_item("free", names(&linear.free))?;
    answer.set_item("entries", names(&linear.entries))?;
    answer.set_item("outputs", &linear.outputs)?;
    let Linearisation { a, b, c, d, embedding, .. } = &linear;
    for (name, of) in [("A", a), ("B", b), ("C", c), ("D", d), ("embedding", embedding)] {
        answer.set_item(name, matrix(py, of)?)?;
    }
    let second_order = second_order.as_ref().map(|found| {
        let [m, c, k, f] =
            [&found.mass, &found.damping, &found.stiffness, &found.force].map(|of| matrix(py, of));
        PyResult::Ok((names(&found.coordinates), m?, c?, k?, f?))
    });
    answer.set_item("second_order", second_order.transpose()?)?;
    answer.set_item("stable", is_stable)?;
    answer.set_item("eigenvalues", eigenvalues.into_pyarray(py))?;
    answer.set_item("eigenvectors", matrix(py, &vectors)?)?;
    answer.set_item("mode", linear.mode.iter().map(in_force).collect::<Vec<_>>())?;
    let turns: Vec<(&str, f64)> =
        linear.turns.iter().map(|turn| (turn.what.as_str(), turn.rate)).collect();
    answer.set_item("turns", turns)?;
    Ok(answer)
}

/// The periodic orbit near a start.
#[pyfunction]
pub(crate) fn orbit<'py>(
    py: Python<'py>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
    section: Option<String>,
    period: Option<f64>,
    returns: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (inner, Request { start, inputs, mut options, .. }) = start(py, system, values, asked)?;
    let section = match (section, period) {
        _ if returns == 0 => return Err(value_error("returns: an orbit returns once at least")),
        (Some(name), None) => {
            let count = returns;
            match guard(&name, inner.info()).map_err(|said| unknown_name(py, said))? {
                Guard::Contact(contact) => Section::Impacts { contact, count },
                Guard::Event(event) => Section::Events { event, count },
            }
        }
        (None, Some(period)) if period > 0.0 && period.is_finite() => {
            Section::Period(period * returns as f64)
        }
        (None, Some(period)) => {
            return Err(value_error(format!("period = {period}: a period is above 0")));
        }
        _ => {
            let message = "give `section`, the contact or event at which the orbit returns, or the \
                           `period` of what drives it";
            return Err(value_error(message));
        }
    };
    (options.until_impacts, options.until_events) = (None, None);
    options.until_time = Some(latest_return(start.t, &options));
    let found = answered(py, |goes_on| {
        Variations::new(&inner)?.watched(goes_on).orbit(&start, &inputs, &options, section)
    })?;
    let answer = state_of(py, &found.state)?;
    answer.set_item("u", inputs.into_pyarray(py))?;
    answer.set_item("period", found.period)?;
    answer.set_item("stable", found.is_stable())?;
    answer.set_item("entries", names(&found.entries))?;
    answer.set_item("multipliers", found.multipliers.into_pyarray(py))?;
    answer.set_item("uncertainties", found.uncertainties.into_pyarray(py))?;
    answer.set_item("found", (found.steps, found.residual))?;
    Ok(answer)
}

/// Lyapunov exponents, each with one standard deviation.
#[pyfunction]
pub(crate) fn lyapunov(
    py: Python<'_>,
    system: &Bound<'_, System>,
    values: &Bound<'_, PyDict>,
    asked: &Bound<'_, PyDict>,
    of: (Option<usize>, f64, usize, usize),
) -> PyResult<Vec<(f64, f64)>> {
    let (count, span, spans, transient) = of;
    if !(span > 0.0 && span.is_finite()) {
        return Err(value_error(format!("span = {span}: a span is above 0")));
    }
    if spans == 0 || count == Some(0) {
        return Err(value_error("one span and one exponent are the least"));
    }
    let (inner, Request { start, inputs, mut options, .. }) = start(py, system, values, asked)?;
    (options.until_time, options.until_impacts, options.until_events) = (None, None, None);
    let asked = LyapunovOptions { count: count.unwrap_or(usize::MAX), span, spans, transient };
    let found = answered(py, |goes_on| {
        Variations::new(&inner)?.watched(goes_on).lyapunov(&start, &inputs, &options, asked)
    })?;
    Ok(found.iter().map(|one| (one.value, one.error)).collect())
}

/// How the state at the end, and its time where an event ends the motion, change with the start, the inputs and the parameters.
#[pyfunction]
pub(crate) fn sensitivity<'py>(
    py: Python<'py>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let (inner, request) = start(py, system, values, asked)?;
    check_end(&request)?;
    let Request { start, inputs, options, rule } = &request;
    let by = others(&inner);
    let (ended, each) = answered(py, |goes_on| {
        let variations = Variations::new(&inner)?.watched(goes_on).begun(rule.clone());
        let ended = variations.transition_to_end(start, inputs, options)?;
        Ok((ended, variations.sensitivities_to_end_of_each(start, inputs, options, &by)?))
    })?;
    let by_start = ended.derivatives();
    let mut by_names = DMatrix::from_element(by_start.nrows(), by.len(), f64::NAN);
    let without = PyDict::new(py);
    for (place, (name, column)) in by.iter().zip(each).enumerate() {
        match column {
            Ok(column) => by_names.set_column(place, &column),
            Err(why) => without.set_item(*name, why.to_string())?,
        }
    }
    let first = usize::from(ended.later.is_some());
    let of_state = |all: &DMatrix<f64>| matrix(py, &all.rows(first, all.nrows() - first).into());
    let of_time = |all: &DMatrix<f64>| {
        let row: Vec<f64> = all.rows(0, first).iter().copied().collect();
        (first == 1).then(|| row.into_pyarray(py))
    };
    let end = ended.transition;
    let answer = state_of(py, &end.state)?;
    answer.set_item("count", end.events.len())?;
    answer.set_item("one_sided", end.one_sided)?;
    answer.set_item("names", by)?;
    answer.set_item("by_start", of_state(&by_start)?)?;
    answer.set_item("by_names", of_state(&by_names)?)?;
    answer.set_item("time_by_start", of_time(&by_start))?;
    answer.set_item("time_by_names", of_time(&by_names))?;
    answer.set_item("without", without)?;
    Ok(answer)
}

/// The gradient of Σ w_i y_i at the end, by one sweep backwards; forwards where an event ends the motion.
#[pyfunction]
pub(crate) fn gradient<'py>(
    py: Python<'py>,
    system: &Bound<'py, System>,
    values: &Bound<'py, PyDict>,
    asked: &Bound<'py, PyDict>,
    weights: Vec<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (inner, request) = start(py, system, values, asked)?;
    check_end(&request)?;
    let Request { start, inputs, options, rule } = &request;
    let (by, outcome) = (others(&inner), DVector::from_vec(weights));
    let found = answered(py, |goes_on| {
        let variations = Variations::new(&inner)?.watched(goes_on).begun(rule.clone());
        variations.gradient_to_end(start, inputs, options, &outcome)
    })?;
    let by_others: Vec<f64> = found.by_inputs.iter().chain(&found.by_parameters).copied().collect();
    let answer = state_of(py, &found.state)?;
    answer.set_item("count", found.events.len())?;
    answer.set_item("one_sided", found.one_sided)?;
    answer.set_item("names", by)?;
    answer.set_item("by_start", found.by_start.as_slice().to_vec().into_pyarray(py))?;
    answer.set_item("by_names", by_others.into_pyarray(py))?;
    Ok(answer)
}

/// Refuses a motion that nothing ends.
fn check_end(request: &Request) -> PyResult<()> {
    let words = "nothing ends the motion: give until=<time>, impacts=<number> or events=<name>";
    if request.options.has_end() { Ok(()) } else { Err(value_error(words)) }
}

/// What a motion depends on beside its start: inputs, then parameters.
fn others(system: &Interpreted) -> Vec<&'static str> {
    let info = system.info();
    let inputs = info.inputs.iter().map(|input| input.name);
    inputs.chain(info.parameters.iter().map(|known| known.name)).collect()
}

fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.name.as_str()).collect()
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// A dictionary that begins with a state.
fn state_of<'py>(py: Python<'py>, state: &State) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("t", state.t)?;
    answer.set_item("q", state.q.clone().into_pyarray(py))?;
    answer.set_item("v", state.v.clone().into_pyarray(py))?;
    Ok(answer)
}

/// An array of two dimensions.
fn matrix<'py, T: Element + Scalar + Copy>(
    py: Python<'py>,
    of: &DMatrix<T>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let rows = (0..of.nrows()).flat_map(|i| (0..of.ncols()).map(move |j| of[(i, j)]));
    rows.collect::<Vec<T>>().into_pyarray(py).reshape([of.nrows(), of.ncols()])
}

/// What is in force beside the constraints: its name, what it does, the number of its condition.
fn in_force(ModePart { name, kind }: &ModePart) -> (&'static str, &'static str, f64) {
    match *kind {
        ModePartKind::Closed { force } => (name, "closed", force),
        ModePartKind::Sticks { load } => (name, "sticks", load),
        ModePartKind::Slides { speed } => (name, "slides", speed),
    }
}
