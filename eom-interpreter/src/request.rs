//! What a run is asked for by name: values of parameters, functions, inputs and of the start, in a scenario.
//!
//! A run starts in a declared scenario, or with everything 0, with what is set in place of its numbers, and its
//! unknowns solved from the constraints. The Python package and the page in the browser ask here.

use crate::names::Target;
use crate::{Interpreted, function};
use eom_core::info::{FunctionInfo, SystemInfo, Unknown};
use eom_core::{
    Jet, Options, ParameterError, SmoothFunction, StartError, StartRule, State, System,
    solve_unknowns,
};

/// What is given to parameters and functions, none where the declaration's is meant.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Numbers, a parameter each.
    pub parameters: Vec<Option<f64>>,
    /// Formulas, a function each.
    pub functions: Vec<Option<String>>,
}

impl Given {
    /// Nothing.
    pub fn nothing(info: &SystemInfo) -> Self {
        Self {
            parameters: vec![None; info.parameters.len()],
            functions: vec![None; info.functions.len()],
        }
    }
}

/// What is set by name.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Parameters and functions.
    pub given: Given,
    /// Numbers of the start and inputs.
    pub state: Vec<(Target, f64)>,
}

impl Settings {
    /// Nothing is set.
    pub fn nothing(info: &SystemInfo) -> Self {
        Self { given: Given::nothing(info), state: Vec::new() }
    }

    /// Sets a name; whether it is one of a parameter.
    pub fn set(&mut self, target: Target, value: f64) -> bool {
        if let Target::Parameter(index) = target {
            if let Some(parameter) = self.given.parameters.get_mut(index) {
                *parameter = Some(value);
            }
            return true;
        }
        self.state.retain(|(other, _)| *other != target);
        self.state.push((target, value));
        false
    }

    fn sets(&self, target: Target) -> bool {
        self.state.iter().any(|(other, _)| *other == target)
    }
}

/// A run, ready to start.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where it starts.
    pub start: State,
    /// Its inputs.
    pub inputs: Vec<f64>,
    /// How it is made.
    pub options: Options,
    /// What its start comes from.
    pub rule: StartRule,
}

/// Why there is no run or system with what is given.
#[derive(Debug, Clone)]
pub enum Refusal {
    /// Its start.
    Start(StartError),
    /// In words, with one thing to do.
    Words(String, Option<String>),
}

impl Refusal {
    /// In a line.
    pub fn text(&self) -> String {
        match self {
            Self::Start(error) => error.to_string(),
            Self::Words(message, _) => message.clone(),
        }
    }

    /// One thing to do about it.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Start(error) => error.help(),
            Self::Words(_, help) => help.as_deref(),
        }
    }
}

/// The start of a run with what is set; the scenario is one by index, or everything 0.
pub fn request(
    system: &Interpreted,
    from: Option<usize>,
    settings: &Settings,
    options: &Options,
    needs_end: bool,
) -> Result<Request, Refusal> {
    let info = system.info();
    let numbers = from.and_then(|index| system.scenario(index));
    let mut options = options.clone();
    let (mut start, mut inputs) = match numbers {
        Some(numbers) => {
            if !options.has_end() {
                options.end_as(&numbers);
            }
            (State::new(numbers.t, numbers.q, numbers.v), numbers.u)
        }
        None => (unmoved(info), vec![0.0; info.inputs.len()]),
    };
    for (target, value) in &settings.state {
        let slot = match *target {
            Target::Parameter(_) | Target::Function(_) => continue,
            Target::Time => &mut start.t,
            Target::Coordinate(i) => &mut start.q[i],
            Target::Velocity(i) => &mut start.v[i],
            Target::Input(i) => &mut inputs[i],
        };
        *slot = *value;
    }
    let solve = from.and_then(|index| info.scenarios.get(index)).map_or(&[][..], |s| s.solve);
    let is_set = |unknown: &Unknown| settings.sets(Target::from(*unknown));
    let unknowns: Vec<Unknown> = solve.iter().copied().filter(|unknown| !is_set(unknown)).collect();
    if !unknowns.is_empty() {
        solve_unknowns(system, &unknowns, &mut start).map_err(Refusal::Start)?;
    }
    check_end(&options, start.t, needs_end)?;
    let given = settings.state.iter().filter_map(|(target, _)| target.given()).collect();
    let rule = StartRule { scenario: from, given, solved: unknowns, ..StartRule::default() };
    Ok(Request { start, inputs, options, rule })
}

/// Refuses a run without an end, and one that ends before it begins.
fn check_end(options: &Options, t0: f64, needs_end: bool) -> Result<(), Refusal> {
    match options.until_time {
        Some(end) if end <= t0 => Err(Refusal::Words(
            format!("the end, until={end}, is not after the start, t = {t0}"),
            Some("give a later `until`".to_owned()),
        )),
        None if needs_end && !options.has_end() => Err(Refusal::Words(
            "nothing ends the run".to_owned(),
            Some("give until=<time>, impacts=<number> or events=<number>".to_owned()),
        )),
        _ => Ok(()),
    }
}

/// Everything 0, no rotation turned.
pub fn unmoved(info: &SystemInfo) -> State {
    let mut q = vec![0.0; info.positions()];
    for quaternion in q[info.coordinates.len()..].chunks_exact_mut(4) {
        quaternion[0] = 1.0;
    }
    State::new(0.0, q, vec![0.0; info.speeds()])
}

/// The system with these values.
pub fn build(system: &Interpreted, given: &Given) -> Result<Interpreted, Refusal> {
    let made = build_some(system, given)?;
    made.check_parameters().map_err(|error| unfit(&error))?;
    Ok(made)
}

/// The same where others may still be missing.
pub fn build_some(system: &Interpreted, given: &Given) -> Result<Interpreted, Refusal> {
    let info = system.info();
    // Formulas may use the parameters, whose values do not depend on them.
    let mut known: Vec<(String, f64)> = Vec::new();
    if given.functions.iter().any(Option::is_some) {
        let stand_ins: Vec<SmoothFunction> = info.functions.iter().map(stand_in).collect();
        let with = system.with_some(&given.parameters, &stand_ins);
        let mut values = vec![0.0; info.parameters.len()];
        with.parameters(&mut values);
        let named = info.parameters.iter().zip(values);
        known.extend(named.map(|(item, value)| (item.ascii.to_owned(), value)));
    }
    let mut functions = Vec::with_capacity(info.functions.len());
    for (item, text) in info.functions.iter().zip(&given.functions) {
        functions.push(match text {
            None => SmoothFunction::declared(),
            Some(text) => function(text, item.arguments, &known).map_err(|mistakes| {
                let found: Vec<&str> = mistakes.iter().map(|m| m.message.as_str()).collect();
                let mut names = item.arguments.to_vec();
                names.extend(known.iter().map(|(name, _)| name.as_str()));
                let (name, found, names) = (item.name, found.join("; "), names.join(", "));
                let help = format!("`{name}` may depend on {names}");
                Refusal::Words(format!("{name}=\"{text}\": {found}"), Some(help))
            })?,
        });
    }
    Ok(system.with_some(&given.parameters, &functions))
}

/// A function with which a system can be built to read its parameters.
pub fn stand_in(info: &FunctionInfo) -> SmoothFunction {
    match info.arguments.len() {
        _ if info.default.is_some() => SmoothFunction::declared(),
        1 => SmoothFunction::of(|[_]| Jet::from(0.0)),
        2 => SmoothFunction::of(|[_, _]| Jet::from(0.0)),
        _ => SmoothFunction::of(|[_, _, _]| Jet::from(0.0)),
    }
}

/// Parameters or functions with which there is no system, and what to write.
pub fn unfit(error: &ParameterError) -> Refusal {
    let help = match error {
        ParameterError::Missing { name } => Some(format!("write {name}=<number>")),
        ParameterError::MissingFunction { name } => {
            Some(format!("write {name}=\"<an expression of its arguments>\""))
        }
        _ => None,
    };
    Refusal::Words(error.to_string(), help)
}
