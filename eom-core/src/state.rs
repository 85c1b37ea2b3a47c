//! The state of a mechanical system: time, coordinates, velocities.

use crate::snapshot::words::value;

/// A state (t, q, v), in the units of the declaration.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates, then a unit quaternion (w, x, y, z) for each rotation: nq numbers.
    pub q: Vec<f64>,
    /// Speeds, m of them: v = q̇ but for quasi-velocities and rotations.
    pub v: Vec<f64>,
}

impl State {
    /// A state from its parts.
    pub fn new(t: f64, q: impl Into<Vec<f64>>, v: impl Into<Vec<f64>>) -> Self {
        Self { t, q: q.into(), v: v.into() }
    }
}

value! { State { t, q, v } }
