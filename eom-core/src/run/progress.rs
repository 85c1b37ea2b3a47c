//! What an observer of a run sees.

use crate::trajectory::stats::Stats;

/// What an observer sees after each accepted step and each instant.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// The work done so far.
    pub stats: Stats,
}
