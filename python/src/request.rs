//! What a run is asked for by keywords: a scenario, what is set in it, when it ends, how it is made.
//!
//! A run starts where the command's would; how is said in `eom_interpreter::request`.

use crate::drive::Kept;
use crate::fault::{guarded, raised, unknown_name, value_error};
use crate::operands::{Entry, Operand};
use crate::system::{System, formula, number};
use eom_core::info::SystemInfo;
use eom_core::{
    AbsoluteTolerance, EventCount, ForceCheck, Law, Method, Options, Sampling, StartPolicy,
};
use eom_interpreter::Interpreted;
use eom_interpreter::conserved::Found;
use eom_interpreter::names::{Target, event, no_such, scenario, speeds};
use eom_interpreter::request::{Request, Settings, build, request};
use eom_symbolic::name::nearest;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyString};
use std::sync::Arc;

/// The keywords of a run, all of them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked<'py> {
    scenario: Option<String>,
    q0: Option<Bound<'py, PyAny>>,
    v0: Option<Bound<'py, PyAny>>,
    u: Option<Bound<'py, PyAny>>,
    t0: Option<f64>,
    until: Option<f64>,
    impacts: Option<usize>,
    events: Option<Bound<'py, PyAny>>,
    t_eval: Option<Vec<f64>>,
    every: Option<f64>,
    method: String,
    step: Option<f64>,
    order: Option<usize>,
    rtol: Option<f64>,
    atol: Option<Bound<'py, PyAny>>,
    impact: Option<Bound<'py, PyAny>>,
    max_step: Option<f64>,
    max_steps: Option<u64>,
    max_events: Option<usize>,
    start: String,
    start_tolerance: Option<f64>,
    forces: String,
    conserve: Option<Bound<'py, PyAny>>,
}

/// The system and what is set in its run: `values` name parameters, functions, initial values and inputs.
pub(crate) fn settings(
    py: Python<'_>,
    system: &System,
    values: &Bound<'_, PyDict>,
    asked: &Asked<'_>,
) -> PyResult<(Interpreted, Settings)> {
    let info = system.info();
    let mut settings = Settings { given: system.given.clone(), state: Vec::new() };
    let mut is_same = true;
    lists(py, info, asked, &mut settings)?;
    let listed: Vec<Target> = settings.state.iter().map(|(target, _)| *target).collect();
    let names: Vec<String> = values.keys().extract()?;
    for ((name, target), value) in
        names.iter().zip(distinct(py, info, &names, "")?).zip(values.values())
    {
        if listed.contains(&target) {
            let said = format!("`{name}` is given twice: by its name, and in q0, v0, u or t0");
            return Err(PyTypeError::new_err(said));
        }
        if let Target::Function(index) = target {
            settings.given.functions[index] = Some(formula(name, &value)?);
            is_same = false;
        } else if settings.set(target, number_of(name, &target, &value)?) {
            is_same = false;
        }
    }
    let inner = if is_same {
        system.inner.clone()
    } else {
        build(&system.inner, &settings.given).map_err(|refusal| raised(py, &refusal))?
    };
    Ok((inner, settings))
}

/// The number that is given to what a name stands for.
fn number_of(name: &str, target: &Target, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    if matches!(target, Target::Input(_)) {
        is_constant(name, value)?;
    }
    number(name, value)
}

/// Refuses inputs that are functions.
fn is_constant(name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if value.is_callable() || value.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "`{name}` is constant in a run: write what depends on t into the declaration in its place, or give other \
             values on the way to a `stepper`"
        )));
    }
    Ok(())
}

/// Refuses a function where numbers are swept.
pub(crate) fn is_number(name: &str, target: Target) -> PyResult<()> {
    match target {
        Target::Function(_) => Err(PyTypeError::new_err(format!(
            "`{name}` is a function: sweep a parameter that it depends on"
        ))),
        _ => Ok(()),
    }
}

/// What names stand for, each something else; messages begin with where they were given.
pub(crate) fn distinct<'n>(
    py: Python<'_>,
    info: &SystemInfo,
    names: impl IntoIterator<Item = &'n String>,
    given: &str,
) -> PyResult<Vec<Target>> {
    let mut found: Vec<(Target, &String)> = Vec::new();
    for name in names {
        let target = Target::find(name, info);
        let target = target.map_err(|said| unknown_name(py, format!("{given}{said}")))?;
        if let Some((_, first)) = found.iter().find(|(other, _)| *other == target) {
            let said = format!("{given}`{name}` is given twice: `{first}` is the same");
            return Err(PyTypeError::new_err(said));
        }
        found.push((target, name));
    }
    Ok(found.into_iter().map(|(target, _)| target).collect())
}

/// Samples of an interval may come to so many bytes.
const SAMPLES_MAX: f64 = 4e9;

/// The system with what is set, the options as they are given, and the run that they ask for. One that is stepped or asked
/// about needs no end.
pub(crate) fn begun(
    py: Python<'_>,
    system: &System,
    values: &Bound<'_, PyDict>,
    asked: &Asked<'_>,
    needs_end: bool,
) -> PyResult<(Interpreted, Options, Request)> {
    let (inner, settings) = settings(py, system, values, asked)?;
    let options = asked.options(py, system.info())?;
    let from = asked.scenario(py, system.info())?;
    let request = request(&inner, from, &settings, &options, needs_end);
    let request = request.map_err(|refusal| raised(py, &refusal))?;
    within_span(&request)?;
    Ok((inner, options, request))
}

/// Refuses times to be seen at that the run does not come to by its own end, as SciPy does, and more than there is room for.
fn within_span(request: &Request) -> PyResult<()> {
    let Request { start, options, .. } = request;
    let (from, to) = (start.t, options.until_time.unwrap_or(f64::INFINITY));
    let times = match &options.sampling {
        Sampling::At(times) => times,
        Sampling::Every(interval) => {
            let (samples, numbers) = ((to - from) / interval, 1 + start.q.len() + start.v.len());
            let size = samples * (numbers * size_of::<f64>()) as f64;
            // An interval that is none is refused by the run.
            if size <= SAMPLES_MAX || !size.is_finite() {
                return Ok(());
            }
            return Err(value_error(format!(
                "every: {samples:.1e} samples of {numbers} numbers are more than 4 GB\n  \
                 give a longer interval, or what is wanted of them as t_eval"
            )));
        }
        _ => return Ok(()),
    };
    match times.iter().find(|t| !(from..=to).contains(*t)) {
        None => Ok(()),
        Some(t) => {
            Err(value_error(format!("t_eval: {t} is not from {from} to {to}, the time of the run")))
        }
    }
}

/// q0, v0, u and t0: lists of numbers, or dictionaries by name.
fn lists(
    py: Python<'_>,
    info: &SystemInfo,
    asked: &Asked<'_>,
    settings: &mut Settings,
) -> PyResult<()> {
    let position = |i: usize| info.position_name(i);
    let coordinates =
        List { name: "q0", count: info.positions(), entry: &position, target: Target::Coordinate };
    let find = |text: &str| Target::coordinate(text, info);
    coordinates.set(py, asked.q0.as_ref(), &find, settings)?;
    let speed = |i: usize| speeds(info)[i].clone();
    let velocities =
        List { name: "v0", count: info.speeds(), entry: &speed, target: Target::Velocity };
    let find = |text: &str| Target::velocity(text, info);
    velocities.set(py, asked.v0.as_ref(), &find, settings)?;
    let input = |i: usize| info.inputs[i].name.to_owned();
    let inputs = List { name: "u", count: info.inputs.len(), entry: &input, target: Target::Input };
    let find = |text: &str| {
        Target::find(text, info).ok().filter(|target| matches!(target, Target::Input(_)))
    };
    if let Some(u) = &asked.u {
        is_constant("u", u)?;
    }
    inputs.set(py, asked.u.as_ref(), &find, settings)?;
    if let Some(t0) = asked.t0 {
        settings.set(Target::Time, t0);
    }
    Ok(())
}

/// A list of numbers that can be given, all of them or some by name.
struct List<'a> {
    name: &'static str,
    count: usize,
    /// What each is called.
    entry: Entry<'a>,
    target: fn(usize) -> Target,
}

impl List<'_> {
    fn set(
        &self,
        py: Python<'_>,
        given: Option<&Bound<'_, PyAny>>,
        find: &dyn Fn(&str) -> Option<Target>,
        settings: &mut Settings,
    ) -> PyResult<()> {
        let Self { name, count, entry, target } = self;
        let Some(given) = given else { return Ok(()) };
        if let Ok(given) = given.cast::<PyDict>() {
            let mut set: Vec<(Target, String)> = Vec::new();
            for (key, value) in given {
                let key: String = key.extract()?;
                let found = find(&key).ok_or_else(|| {
                    let entries: Vec<String> = (0..*count).map(entry).collect();
                    let near = nearest(&key, entries.iter().map(String::as_str));
                    let message = no_such(&format!("name in {name}"), &key, near);
                    unknown_name(py, format!("{message}\n  names: {}", entries.join(", ")))
                })?;
                settings.set(found, number(&key, &value)?);
                if let Some((_, first)) = set.iter().find(|(other, _)| *other == found) {
                    let said = format!("{name}: `{key}` is given twice: `{first}` is the same");
                    return Err(PyTypeError::new_err(said));
                }
                set.push((found, key));
            }
            return Ok(());
        }
        let operand = Operand::new(given, name, *count, entry)?;
        if operand.count.is_some() {
            return Err(value_error(format!("{name} is of one state: give {count} numbers")));
        }
        for (index, value) in operand.numbers().iter().enumerate() {
            settings.set(target(index), *value);
        }
        Ok(())
    }
}

impl<'py> Asked<'py> {
    /// The keywords of a dictionary; one that cannot be is named.
    pub(crate) fn new(keywords: &Bound<'py, PyDict>) -> PyResult<Self> {
        keywords.extract().map_err(|error: PyErr| {
            let said = error.to_string();
            let (py, field) = (keywords.py(), said.rsplit('.').next().unwrap_or_default());
            let why = error.cause(py).map_or(said.clone(), |cause| cause.value(py).to_string());
            PyTypeError::new_err(format!("{field}: {why}"))
        })
    }

    /// The scenario by its index: the one named, else the first, if there is one.
    pub(crate) fn scenario(&self, py: Python<'_>, info: &SystemInfo) -> PyResult<Option<usize>> {
        match &self.scenario {
            Some(name) => scenario(name, info).map(Some).map_err(|said| unknown_name(py, said)),
            None => Ok((!info.scenarios.is_empty()).then_some(0)),
        }
    }

    /// Whether something is to be kept.
    pub(crate) fn keeps(&self) -> bool {
        self.conserve.is_some()
    }

    /// What is to be kept of a system with its parameters, found and proven as by the command.
    pub(crate) fn kept(&self, py: Python<'_>, system: &Interpreted) -> PyResult<Kept> {
        let Some(given) = &self.conserve else { return Ok(None) };
        let names = match given.extract::<String>() {
            Ok(name) => vec![name],
            Err(_) => given
                .extract::<Vec<String>>()
                .map_err(|_| PyTypeError::new_err("conserve: give a name, or a list of names"))?,
        };
        py.detach(|| guarded(|| conserved(system, &names)))?.map_err(value_error)
    }

    /// The options of the runtime.
    pub(crate) fn options(&self, py: Python<'_>, info: &SystemInfo) -> PyResult<Options> {
        let default = Options::default();
        let sampling = match (&self.t_eval, self.every) {
            (Some(_), Some(_)) => return Err(value_error("give t_eval or every, not both")),
            (Some(times), None) => Sampling::At(times.as_slice().into()),
            (None, Some(interval)) => Sampling::Every(interval),
            (None, None) => Sampling::Steps,
        };
        Ok(Options {
            method: method(&self.method)?,
            step: self.step,
            series_order: self.order,
            relative_tolerance: self.rtol.unwrap_or(default.relative_tolerance),
            absolute_tolerance: self.absolute(py, info)?,
            until_time: self.until,
            until_impacts: self.impacts,
            until_events: self.until_events(py, info)?,
            law: self.impact.as_ref().map(law).transpose()?,
            sampling,
            start: choice(
                "start",
                &self.start,
                &[("refuse", StartPolicy::Refuse), ("project", StartPolicy::Project)],
            )?,
            start_tolerance: self.start_tolerance.unwrap_or(default.start_tolerance),
            step_size_max: self.max_step.unwrap_or(default.step_size_max),
            steps_max: self.max_steps.unwrap_or(default.steps_max),
            events_max: self.max_events.unwrap_or(default.events_max),
            forces: choice(
                "forces",
                &self.forces,
                &[("bounded", ForceCheck::Bounded), ("sampled", ForceCheck::Sampled)],
            )?,
            ledger: false,
            least_gaps: false,
        })
    }

    /// One tolerance for all, one for each entry of the state, or some by name: the others are as by default.
    fn absolute(&self, py: Python<'_>, info: &SystemInfo) -> PyResult<AbsoluteTolerance> {
        let default = Options::default().absolute_tolerance;
        let Some(given) = &self.atol else { return Ok(default) };
        let wanted = "atol: give a number, one for each coordinate and speed, or some by name";
        let Ok(by_name) = given.cast::<PyDict>() else {
            return match given.extract::<f64>() {
                Ok(value) => Ok(AbsoluteTolerance::All(value)),
                Err(_) => {
                    Ok(AbsoluteTolerance::Each(given.extract().map_err(|_| value_error(wanted))?))
                }
            };
        };
        let n = info.positions();
        let AbsoluteTolerance::All(rest) = default else { return Err(value_error(wanted)) };
        let mut each = vec![rest; n + info.speeds()];
        let names: Vec<String> = by_name.keys().extract()?;
        let targets = distinct(py, info, &names, "atol: ")?;
        for ((name, target), value) in names.iter().zip(targets).zip(by_name.values()) {
            let place = match target {
                Target::Coordinate(index) => index,
                Target::Velocity(index) => n + index,
                _ => {
                    let said = format!("atol: `{name}` is no coordinate and no speed");
                    return Err(value_error(said));
                }
            };
            each[place] = number(name, &value)?;
        }
        Ok(AbsoluteTolerance::Each(each))
    }

    /// A number of events of any kind, or (name, number).
    fn until_events(&self, py: Python<'_>, info: &SystemInfo) -> PyResult<Option<EventCount>> {
        let Some(given) = &self.events else { return Ok(None) };
        if let Ok(count) = given.extract::<usize>() {
            return Ok(Some(EventCount { event: None, count }));
        }
        let (name, count) = match given.extract::<String>() {
            Ok(name) => (name, 1),
            Err(_) => given.extract::<(String, usize)>().map_err(|_| {
                value_error("events: give a number from 1, the name of an event, or (name, number)")
            })?,
        };
        let index = event(&name, info).map_err(|said| unknown_name(py, said))?;
        Ok(Some(EventCount { event: Some(index), count }))
    }
}

/// The conserved quantities of these names, for a run to keep.
pub(crate) fn conserved(system: &Interpreted, names: &[String]) -> Result<Kept, String> {
    if names.is_empty() {
        return Ok(None);
    }
    let derivation = system.derivation();
    let found = Found::of(&derivation.model, &derivation.equations);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let kept = found.kept(&derivation.programs, &names, (system, system.functions()))?;
    Ok(Some(Arc::new(kept)))
}

/// SciPy's names of other methods, each with that of ours for the same motions.
const OF_SCIPY: [(&str, &str); 4] =
    [("rk45", "runge-kutta"), ("rk23", "runge-kutta"), ("lsoda", "automatic"), ("bdf", "radau")];

/// The method of a word; SciPy's for one of them besides.
fn method(text: &str) -> PyResult<Method> {
    let mut known = Method::NAMES.to_vec();
    known.push(("dop853", Method::RungeKutta));
    let of_scipy = OF_SCIPY.iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
    if let Some((_, ours)) = of_scipy {
        let message = format!("{}; `{ours}` goes in its place", no_such("method", text, None));
        return Err(one_of(&message, &known));
    }
    choice("method", text, &known)
}

fn choice<T: Copy>(what: &str, text: &str, known: &[(&str, T)]) -> PyResult<T> {
    let asked = text.to_lowercase();
    let found = known.iter().find(|(name, _)| *name == asked);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let near = nearest(&asked, known.iter().map(|(name, _)| *name));
        one_of(&no_such(what, text, near), known)
    })
}

/// What is to be said, and all that can be given.
fn one_of<T>(message: &str, known: &[(&str, T)]) -> PyErr {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    value_error(format!("{message}\n  give one of: {}", names.join(", ")))
}

/// `elastic`, `plastic`, `project`, or a restitution.
fn law(given: &Bound<'_, PyAny>) -> PyResult<Law> {
    if let Ok(e) = given.extract::<f64>() {
        return Ok(Law::Restitution(e));
    }
    let text: String = given
        .extract()
        .map_err(|_| value_error("impact: give a restitution, elastic, plastic or project"))?;
    choice(
        "impact law",
        &text,
        &[("elastic", Law::Elastic), ("plastic", Law::Plastic), ("project", Law::Project)],
    )
}
