//! What the tests of several crates share: systems declared with the macro, random states, runs.

pub mod random;
pub mod systems;
pub mod values;

use eom_core::{Options, State, System, Trajectory, simulate, start_scenario};
use std::ops::ControlFlow;

/// The examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub mod readme {}

/// The examples of the book.
#[cfg(doctest)]
pub mod book {
    #[doc = include_str!("../../book/src/language.md")]
    pub mod language {}
    #[doc = include_str!("../../book/src/running.md")]
    pub mod running {}
    #[doc = include_str!("../../book/src/contacts.md")]
    pub mod contacts {}
    #[doc = include_str!("../../book/src/analysis.md")]
    pub mod analysis {}
    #[doc = include_str!("../../book/src/claims.md")]
    pub mod claims {}
    #[doc = include_str!("../../book/src/locking.md")]
    pub mod locking {}
}

/// Runs a system without inputs and without an observer.
///
/// # Panics
/// Where the start is not admitted.
pub fn run(system: &dyn System, start: &State, options: &Options) -> Trajectory {
    run_with(system, start, &[], options)
}

/// The same with constant inputs.
///
/// # Panics
/// Where the start is not admitted.
pub fn run_with(
    system: &dyn System,
    start: &State,
    inputs: &[f64],
    options: &Options,
) -> Trajectory {
    simulate(system, start, inputs, options, &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{}: {error}", system.info().name))
}

/// The start of a scenario, its unknowns solved from the constraints, and its constant inputs.
///
/// # Panics
/// Where there is no such scenario, or the constraints do not determine its unknowns.
pub fn start_of(system: &dyn System, scenario: usize) -> (State, Vec<f64>) {
    let info = system.info();
    let numbers = system
        .scenario(scenario)
        .unwrap_or_else(|| panic!("{} has no scenario {scenario}", info.name));
    let start = start_scenario(system, info.scenarios[scenario].name)
        .unwrap_or_else(|error| panic!("{}: {error}", info.name));
    (start, numbers.u)
}

/// Options of a run to a time.
pub fn until(t: f64) -> Options {
    Options { until_time: Some(t), ..Options::default() }
}
