//! A run: the system, its start, and the options, all checked.

use crate::complaint::{Complaint, Origin};
use crate::model::Model;
use crate::names::{Target, no_such};
use crate::numbers::{Known, evaluate};
use crate::run::settings::{Assignment, Expression, Settings, parameters};
use crate::run::tolerances;
use crate::scenario::{Ending, Output, Solver, Start};
use eom_core::info::{ScenarioInfo, SystemInfo, Unknown};
use eom_core::{
    Conserved, ForceCheck, Law, Method, Options, Sampling, Scenario, SmoothFunction, StartPolicy,
    StartRule, State, System, solve_unknowns,
};
use eom_interpreter::account::Headed;
use eom_interpreter::request::unmoved;
use eom_precise::Precision;
use eom_symbolic::name::nearest;
use std::sync::Arc;

/// A run, ready to start.
pub(crate) struct Request {
    /// The model.
    pub(crate) model: Model,
    /// The system with its parameters.
    pub(crate) system: Box<dyn System>,
    /// The declared scenario that gave the start; `None` where there is none.
    pub(crate) scenario: Option<&'static ScenarioInfo>,
    /// The start.
    pub(crate) start: State,
    /// The inputs.
    pub(crate) inputs: Vec<f64>,
    /// What the start comes from, but for how what is set moves with parameters.
    rule: StartRule,
    /// What sets numbers of the start and inputs.
    given: Vec<Assignment>,
    /// Functions in place of those of the declaration.
    pub(crate) functions: Vec<SmoothFunction>,
    /// The options, without the sampling.
    pub(crate) options: Options,
    /// The interval of the samples, where it was given.
    pub(crate) interval: Option<f64>,
    /// What sets parameters, such as `--set R=1`.
    pub(crate) parameters_set: Vec<String>,
    /// Conserved quantities that the run keeps.
    pub(crate) conserve: Option<Arc<dyn Conserved>>,
    /// The digits of a run in higher precision.
    pub(crate) precision: Option<Precision>,
}

impl Request {
    /// A run from all that is asked of it.
    pub(crate) fn new(
        model: Model,
        settings: &Settings,
        from: &Start,
        (ending, solver, output): (&Ending, &Solver, &Output),
    ) -> Result<Self, Complaint> {
        let (system, functions) = settings.build(&model)?;
        let known = parameters(&*system);
        let (scenario, numbers) = choose(from.from, &*system);
        let (start, inputs, rule) = begun(&*system, &known, settings, from)?;
        let mut options = options(solver, &known, system.info())?;
        options.ledger = output.ledger;
        if ending.is_given() {
            let time = ending.time.as_ref();
            options.until_time = time.map(|time| time.value(&known)).transpose()?;
            options.until_impacts = ending.impacts.as_ref().map(|(count, _)| *count);
            options.until_events = ending.events;
        } else {
            options.end_as(&numbers);
        }
        check_end(ending, &options, start.t)?;
        let interval = output.sample.as_ref().map(|sample| sample.value(&known)).transpose()?;
        let parameters_set = settings.of_parameters();
        Ok(Self {
            model,
            system,
            scenario,
            start,
            inputs,
            rule,
            given: settings.iter().filter(|each| each.target.given().is_some()).cloned().collect(),
            functions,
            options,
            interval,
            parameters_set,
            conserve: None,
            precision: precision(solver, settings)?,
        })
    }

    /// The start and the inputs of a run that sets the same parameters and functions as this one and other values of the
    /// state or the inputs.
    pub(crate) fn beside(
        &self,
        settings: &Settings,
        from: &Start,
        ending: &Ending,
    ) -> Result<(State, Vec<f64>), Complaint> {
        let known = parameters(&*self.system);
        let (start, inputs, _) = begun(&*self.system, &known, settings, from)?;
        check_end(ending, &self.options, start.t)?;
        Ok((start, inputs))
    }

    /// What the start comes from: how it moves with parameters.
    pub(crate) fn rule(&self) -> Result<StartRule, Complaint> {
        let known = parameters(&*self.system);
        let mut rule = self.rule.clone();
        for assignment in &self.given {
            let Some(given) = assignment.target.given() else { continue };
            let rates = assignment.rates(&known)?;
            rule.moves.extend(rates.into_iter().map(|(parameter, rate)| (given, parameter, rate)));
        }
        Ok(rule)
    }

    /// What is run, as the summary has it.
    pub(crate) fn headed(&self) -> Headed<'_> {
        Headed {
            name: &self.model.name,
            title: &self.model.title,
            system: &*self.system,
            scenario: self.scenario.map(|scenario| scenario.name),
            inputs: &self.inputs,
            law: self.options.law,
        }
    }

    /// The options with a sampling.
    pub(crate) fn sampled(&self, sampling: Sampling) -> Options {
        Options { sampling, ..self.options.clone() }
    }
}

/// Where a run begins, and its inputs: those of its scenario, what is set in their place, what is solved for.
fn begun(
    system: &dyn System,
    known: &Known,
    settings: &Settings,
    from: &Start,
) -> Result<(State, Vec<f64>, StartRule), Complaint> {
    let (scenario, numbers) = choose(from.from, system);
    let mut start = State::new(numbers.t, numbers.q, numbers.v);
    let mut inputs = numbers.u;
    settings.apply(known, &mut start, &mut inputs)?;
    let declared = || scenario.map_or(&[][..], |scenario| scenario.solve);
    let solve = from.solve.as_deref().unwrap_or_else(declared);
    let unknowns: Vec<Unknown> =
        solve.iter().copied().filter(|unknown| !settings.sets((*unknown).into())).collect();
    if !unknowns.is_empty() {
        solve_unknowns(system, &unknowns, &mut start).map_err(|error| {
            let complaint = Complaint::new(error.to_string());
            error.help().map_or(complaint.clone(), |help| complaint.help(help))
        })?;
    }
    let given = settings.iter().filter_map(|assignment| assignment.target.given()).collect();
    let rule = StartRule { scenario: from.from, given, solved: unknowns, ..StartRule::default() };
    Ok((start, inputs, rule))
}

/// The declared scenario of an index, else everything 0.
fn choose(index: Option<usize>, system: &dyn System) -> (Option<&'static ScenarioInfo>, Scenario) {
    let info = system.info();
    let numbers = index.and_then(|index| system.scenario(index)).unwrap_or_else(|| {
        let State { t, q, v } = unmoved(info);
        let u = vec![0.0; info.inputs.len()];
        Scenario { t, q, v, u, until_time: None, until_impacts: None, until_events: None }
    });
    (index.and_then(|index| info.scenarios.get(index)), numbers)
}

fn options(solver: &Solver, known: &Known, info: &SystemInfo) -> Result<Options, Complaint> {
    let number = |expression: &Option<Expression>, default: f64| {
        expression.as_ref().map_or(Ok(default), |expression| expression.value(known))
    };
    let default = Options::default();
    Ok(Options {
        method: solver.method.as_ref().map_or(Ok(Method::Automatic), method)?,
        step: solver.step.as_ref().map(|step| step.value(known)).transpose()?,
        forces: solver.forces.as_ref().map_or(Ok(ForceCheck::Bounded), force_check)?,
        relative_tolerance: number(&solver.rtol, default.relative_tolerance)?,
        absolute_tolerance: tolerances::absolute(solver, known, info)?
            .unwrap_or(default.absolute_tolerance),
        start_tolerance: number(&solver.start_tolerance, default.start_tolerance)?,
        step_size_max: number(&solver.step_max, default.step_size_max)?,
        steps_max: solver.steps.unwrap_or(default.steps_max),
        events_max: solver.events.unwrap_or(default.events_max),
        law: solver.impact.as_ref().map(|impact| law(impact, known)).transpose()?,
        start: if solver.project_start { StartPolicy::Project } else { default.start },
        ..Options::default()
    })
}

/// The digits of a run in higher precision, which has a method and tolerances of its own.
fn precision(solver: &Solver, settings: &Settings) -> Result<Option<Precision>, Complaint> {
    let Some((digits, origin)) = &solver.precision else { return Ok(None) };
    let own = [
        ("method", &solver.method),
        ("step", &solver.step),
        ("rtol", &solver.rtol),
        ("atol", &solver.atol),
    ];
    let given = own.iter().find(|(_, given)| given.is_some()).map(|(name, _)| *name);
    if let Some(name) = given.or((!solver.atols.is_empty()).then_some("atol")) {
        return Err(
            origin.complain(format!("it goes without `{name}`: the digits say how it runs"))
        );
    }
    if settings.iter().any(|assignment| matches!(assignment.target, Target::Function(_))) {
        return Err(origin.complain("functions are those of the declaration"));
    }
    let found = u32::try_from(*digits).ok().and_then(Precision::new);
    let (low, high) = (Precision::MIN, Precision::MAX);
    let within = || origin.complain(format!("from {low} to {high} digits; it is {digits}"));
    found.map(Some).ok_or_else(within)
}

/// Refuses an end that would come before anything happens.
fn check_end(ending: &Ending, options: &Options, t0: f64) -> Result<(), Complaint> {
    if let Some((0, origin)) = &ending.impacts {
        return Err(match origin {
            Origin::Argument(name) => Complaint::new(format!("{name} must be at least 1")),
            Origin::File(_) => origin.complain("it must be at least 1"),
        });
    }
    match (options.until_time, &ending.time) {
        (Some(end), Some(time)) if end <= t0 => {
            let late = format!("must be after the start, t = {t0}; it is {end}");
            Err(match &time.origin {
                Origin::Argument(name) => Complaint::new(format!("{name} {late}")),
                origin @ Origin::File(_) => origin.complain(format!("the end {late}")),
            })
        }
        (Some(end), None) if end <= t0 => Err(Complaint::new(format!(
            "the scenario ends at t = {end}, not after the start, t = {t0}"
        ))
        .help("give --until T")),
        _ => Ok(()),
    }
}

/// The method of a word.
fn method(asked: &Expression) -> Result<Method, Complaint> {
    Method::named(&asked.text).ok_or_else(|| {
        let names = Method::NAMES.map(|(name, _)| name).join(", ");
        asked.origin.complain(format!("the method is one of {names}, not `{}`", asked.text))
    })
}

/// `bounded`, `sampled`.
fn force_check(asked: &Expression) -> Result<ForceCheck, Complaint> {
    match asked.text.as_str() {
        "bounded" => Ok(ForceCheck::Bounded),
        "sampled" => Ok(ForceCheck::Sampled),
        other => {
            let message = format!("forces are bounded or sampled, not `{other}`");
            Err(asked.origin.complain(message))
        }
    }
}

/// `elastic`, `plastic`, `project`, `restitution=E`.
fn law(asked: &Expression, known: &Known) -> Result<Law, Complaint> {
    let (name, argument) = match asked.text.split_once('=') {
        Some((name, argument)) => (name.trim(), Some(argument)),
        None => (asked.text.trim(), None),
    };
    let complain = |message: String| asked.origin.complain(message);
    match (name, argument) {
        ("elastic", None) => Ok(Law::Elastic),
        ("plastic", None) => Ok(Law::Plastic),
        ("project", None) => Ok(Law::Project),
        ("restitution", Some(argument)) => {
            let e = evaluate(argument, known).map_err(|mistake| complain(mistake.to_string()))?;
            if (0.0..=1.0).contains(&e) {
                Ok(Law::Restitution(e))
            } else {
                Err(complain(format!("restitution {e} is not between 0 and 1")))
            }
        }
        ("restitution", None) => {
            Err(complain("write restitution=E with E between 0 and 1".to_owned()))
        }
        ("elastic" | "plastic" | "project", Some(_)) => {
            Err(complain(format!("`{name}` takes no number")))
        }
        _ => {
            const LAWS: [&str; 4] = ["elastic", "plastic", "project", "restitution"];
            let complaint = complain(no_such("impact law", name, nearest(name, LAWS)));
            Err(complaint.help("laws: elastic, plastic, project, restitution=E"))
        }
    }
}
