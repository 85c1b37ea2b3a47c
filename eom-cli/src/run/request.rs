//! What `eom run` was asked to do: the system, its start, and the options, all checked.

use crate::cli::RunArguments;
use crate::model::Model;
use crate::names::{self, Target, no_such};
use crate::numbers::{Known, evaluate};
use crate::run::settings::{Settings, parameters};
use eom_core::info::{ScenarioInfo, SystemInfo, Unknown};
use eom_core::{
    AbsoluteTolerance, Law, Options, Sampling, Scenario, StartPolicy, State, System, solve_unknowns,
};
use eom_symbolic::name::nearest;

/// A run, ready to start.
pub(crate) struct Request {
    /// The model.
    pub(crate) model: Model,
    /// The system with its parameters.
    pub(crate) system: Box<dyn System>,
    /// The scenario that gave the start; `None` where the model has none.
    pub(crate) scenario: Option<&'static ScenarioInfo>,
    /// The start.
    pub(crate) start: State,
    /// The inputs.
    pub(crate) inputs: Vec<f64>,
    /// The options, without the sampling.
    pub(crate) options: Options,
    /// The interval of the samples, where it was given.
    pub(crate) interval: Option<f64>,
    /// The arguments that set parameters, such as `--set R=1`.
    pub(crate) parameters_set: Vec<String>,
}

impl Request {
    /// Reads the arguments.
    pub(crate) fn new(model: Model, arguments: &RunArguments) -> Result<Self, String> {
        let settings = Settings::parse(&arguments.sets, model.info)?;
        let system = settings.build(&model)?;
        let known = parameters(&*system);
        let (scenario, numbers) = choose(arguments.scenario.as_deref(), &*system)?;

        let mut start = State::new(numbers.t, numbers.q, numbers.v);
        let mut inputs = numbers.u;
        settings.apply(&known, &mut start, &mut inputs)?;
        let solve = scenario.map_or(&[][..], |scenario| scenario.solve);
        let unknowns: Vec<Unknown> =
            solve.iter().copied().filter(|unknown| !settings.sets(target(*unknown))).collect();
        if !unknowns.is_empty() {
            solve_unknowns(&*system, &unknowns, &mut start).map_err(|error| error.to_string())?;
        }

        let mut options = options(arguments, &known)?;
        if arguments.until.is_none() && arguments.impacts.is_none() {
            options.until_time = numbers.until_time;
            options.until_impacts = numbers.until_impacts;
        }
        check_end(arguments, &options, start.t)?;
        let interval = number("--sample", arguments.sample.as_deref(), &known)?;
        let parameters_set = settings.of_parameters();
        Ok(Self { model, system, scenario, start, inputs, options, interval, parameters_set })
    }

    /// The options with a sampling.
    pub(crate) fn sampled(&self, sampling: Sampling) -> Options {
        Options { sampling, ..self.options.clone() }
    }
}

/// A velocity or coordinate that is set is no longer an unknown.
fn target(unknown: Unknown) -> Target {
    match unknown {
        Unknown::Coordinate(i) => Target::Coordinate(i),
        Unknown::Velocity(i) => Target::Velocity(i),
    }
}

/// The named scenario, else the first, else everything 0.
fn choose(
    name: Option<&str>,
    system: &dyn System,
) -> Result<(Option<&'static ScenarioInfo>, Scenario), String> {
    let info = system.info();
    let index = match name {
        Some(name) => names::scenario(name, info)?,
        None => 0,
    };
    let numbers = system.scenario(index).unwrap_or_else(|| Scenario {
        t: 0.0,
        q: identity(info),
        v: vec![0.0; info.speeds()],
        u: vec![0.0; info.inputs.len()],
        until_time: None,
        until_impacts: None,
    });
    Ok((info.scenarios.get(index), numbers))
}

/// All coordinates 0, no rotation turned.
fn identity(info: &SystemInfo) -> Vec<f64> {
    let mut q = vec![0.0; info.positions()];
    for quaternion in q[info.coordinates.len()..].chunks_exact_mut(4) {
        quaternion[0] = 1.0;
    }
    q
}

fn options(arguments: &RunArguments, known: &Known) -> Result<Options, String> {
    let mut options = Options {
        until_time: number("--until", arguments.until.as_deref(), known)?,
        until_impacts: arguments.impacts,
        ledger: arguments.ledger,
        ..Options::default()
    };
    if let Some(tolerance) = number("--rtol", arguments.rtol.as_deref(), known)? {
        options.relative_tolerance = tolerance;
    }
    if let Some(tolerance) = number("--atol", arguments.atol.as_deref(), known)? {
        options.absolute_tolerance = AbsoluteTolerance::All(tolerance);
    }
    if let Some(text) = &arguments.impact {
        options.law = Some(law(text, known).map_err(|error| format!("--impact {text}: {error}"))?);
    }
    if arguments.project_start {
        options.start = StartPolicy::Project;
    }
    Ok(options)
}

/// Refuses an end that would come before anything happens.
fn check_end(arguments: &RunArguments, options: &Options, t0: f64) -> Result<(), String> {
    if arguments.impacts == Some(0) {
        return Err("--impacts must be at least 1".to_owned());
    }
    match options.until_time {
        Some(end) if end <= t0 && arguments.until.is_some() => {
            Err(format!("--until must be after the start, t = {t0}; it is {end}"))
        }
        Some(end) if end <= t0 => Err(format!(
            "the scenario ends at t = {end}, not after the start, t = {t0}\n  give --until T"
        )),
        _ => Ok(()),
    }
}

fn number(option: &str, text: Option<&str>, known: &Known) -> Result<Option<f64>, String> {
    let value = text.map(|text| evaluate(text, known)).transpose();
    value.map_err(|error| format!("{option}: {error}"))
}

/// `elastic`, `plastic`, `project`, `restitution=E`.
fn law(text: &str, known: &Known) -> Result<Law, String> {
    let (name, argument) = match text.split_once('=') {
        Some((name, argument)) => (name.trim(), Some(argument)),
        None => (text.trim(), None),
    };
    match (name, argument) {
        ("elastic", None) => Ok(Law::Elastic),
        ("plastic", None) => Ok(Law::Plastic),
        ("project", None) => Ok(Law::Project),
        ("restitution", Some(argument)) => {
            let e = evaluate(argument, known).map_err(|mistake| mistake.to_string())?;
            if (0.0..=1.0).contains(&e) {
                Ok(Law::Restitution(e))
            } else {
                Err(format!("restitution {e} is not between 0 and 1"))
            }
        }
        ("restitution", None) => Err("write restitution=E with E between 0 and 1".to_owned()),
        ("elastic" | "plastic" | "project", Some(_)) => Err(format!("`{name}` takes no number")),
        _ => {
            const LAWS: [&str; 4] = ["elastic", "plastic", "project", "restitution"];
            let message = no_such("impact law", name, nearest(name, LAWS));
            Err(format!("{message}\n  laws: elastic, plastic, project, restitution=E"))
        }
    }
}
