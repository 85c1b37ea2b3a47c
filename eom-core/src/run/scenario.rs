//! Declared scenarios: from a name to a trajectory.

use super::options::Options;
use super::simulate::simulate;
use super::start::solve_unknowns;
use crate::error::StartError;
use crate::info::{SystemInfo, Unknown};
use crate::state::State;
use crate::system::{Scenario, System};
use crate::trajectory::Trajectory;
use std::fmt;
use std::ops::ControlFlow;

/// Why a scenario was not run.
///
/// `Debug` prints the message and what to do: a `main` that returns the error shows it that way.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ScenarioError {
    /// No scenario has this name.
    #[error("`{system}` has no scenario `{name}`; it has: {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The system.
        system: &'static str,
        /// The scenarios there are.
        known: String,
    },
    /// Its start state cannot be used.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl fmt::Debug for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => fmt::Debug::fmt(error, f),
            Self::Unknown { .. } => fmt::Display::fmt(self, f),
        }
    }
}

/// What the numbers of a start come from: how it moves with the parameters where a motion is begun anew.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StartRule {
    /// The scenario whose numbers it has, by its index. Without one they are given, and stay.
    pub scenario: Option<usize>,
    /// What is given in place of the scenario's numbers. It stays, but for what follows.
    pub given: Vec<Given>,
    /// What is given as a function of parameters: ∂given/∂p, with the index of p.
    pub moves: Vec<(Given, usize, f64)>,
    /// What is solved from the constraints.
    pub solved: Vec<Unknown>,
}

/// A number of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// The time at which it begins.
    Time,
    /// An entry of q, by its index.
    Position(usize),
    /// A speed, by its index.
    Velocity(usize),
    /// An input, by its index.
    Input(usize),
}

impl StartRule {
    /// That of a declared scenario, by its index.
    pub fn of_scenario(info: &SystemInfo, index: usize) -> Self {
        let solved = info.scenarios.get(index).map_or(&[][..], |scenario| scenario.solve);
        Self { scenario: Some(index), solved: solved.to_vec(), ..Self::default() }
    }
}

/// The initial state of a declared scenario, its unknowns solved from the constraints.
///
/// # Errors
/// Where there is no such scenario, a parameter cannot be used, or the constraints do not determine the
/// unknowns.
pub fn start_scenario(system: &dyn System, name: &str) -> Result<State, ScenarioError> {
    Ok(begin(system, name)?.0)
}

/// Runs a declared scenario: its initial state with the unknowns solved from the constraints, its
/// inputs, and its end unless the options have one of their own.
pub fn run_scenario(
    system: &dyn System,
    name: &str,
    options: &Options,
) -> Result<Trajectory, ScenarioError> {
    let (start, scenario) = begin(system, name)?;
    let mut options = options.clone();
    if !options.has_end() {
        options.end_as(&scenario);
    }
    Ok(simulate(system, &start, &scenario.u, &options, &mut |_| ControlFlow::Continue(()))?)
}

impl Options {
    /// Ends a run as a scenario does.
    pub fn end_as(&mut self, scenario: &Scenario) {
        self.until_time = scenario.until_time;
        self.until_impacts = scenario.until_impacts;
        self.until_events = scenario.until_events;
    }
}

/// The names of the scenarios; of many the first, and how many others.
fn listed(info: &SystemInfo) -> String {
    let names: Vec<&str> = info.scenarios.iter().map(|scenario| scenario.name).collect();
    if names.len() <= SystemInfo::LISTED_MAX {
        return names.join(", ");
    }
    let (shown, others) = names.split_at(SystemInfo::LISTED_FEW);
    format!("{}, and {} others", shown.join(", "), others.len())
}

/// The state in which a scenario starts, and the scenario.
fn begin(system: &dyn System, name: &str) -> Result<(State, Scenario), ScenarioError> {
    let info = system.info();
    let index = info.scenarios.iter().position(|scenario| scenario.name == name);
    let Some(index) = index else {
        let (name, known) = (name.to_owned(), listed(info));
        return Err(ScenarioError::Unknown { name, system: info.name, known });
    };
    let scenario = system.scenario(index);
    let scenario = scenario.ok_or(StartError::NoSuch { what: "scenario", index, count: 0 })?;
    // First, since a parameter that is not a number would show as a strange start state.
    system.check_parameters().map_err(StartError::from)?;
    let mut start = State::new(scenario.t, scenario.q.as_slice(), scenario.v.as_slice());
    solve_unknowns(system, info.scenarios[index].solve, &mut start)?;
    Ok((start, scenario))
}
