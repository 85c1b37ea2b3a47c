//! The work done by a run, counted.

use crate::snapshot::words::value;

/// Counts of a run. They are the same on every run of the same problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// Steps that were kept, those cut short at an event included.
    pub steps: u64,
    /// Steps whose error was too large and which were repeated with a smaller size.
    pub rejected: u64,
    /// Evaluations of the accelerations.
    pub evaluations: u64,
    /// Series of the motion that were made.
    pub expansions: u64,
    /// Steps of Newton's method in implicit steps.
    pub newton_iterations: u64,
    /// Jacobians that they were made with.
    pub jacobians: u64,
    /// Factorizations of their matrices.
    pub factorizations: u64,
    /// Trial steps made to locate guards.
    pub root_iterations: u64,
    /// Impacts.
    pub impacts: usize,
    /// Declared events.
    pub events: usize,
}

value! { Stats {
    steps, rejected, evaluations, expansions, newton_iterations, jacobians, factorizations,
    root_iterations, impacts, events,
} }
