//! What the forces of the present mode are solved from, for whoever bounds them.

use super::Guards;
use crate::friction::slip_state::{SlipState, Terms};
use crate::mode::Mode;
use crate::system::System;

/// The present mode with its friction.
#[derive(Clone, Copy)]
pub(in crate::hybrid::event) struct Held<'g> {
    pub(in crate::hybrid::event) mode: &'g Mode,
    pub(in crate::hybrid::event) slip_state: &'g SlipState,
    pub(in crate::hybrid::event) terms: &'g Terms,
    /// κ of contacts, of terms of friction, of rows with friction.
    pub(in crate::hybrid::event) shifts: [&'g [f64]; 3],
    /// Whether closed contacts dissipate.
    pub(in crate::hybrid::event) is_damped: bool,
    /// Forces that the motion leaves open, with the places of their rows.
    pub(in crate::hybrid::event) given: &'g [(usize, f64)],
}

impl<'a> Guards<'a> {
    /// The system, with the inputs.
    pub(in crate::hybrid::event) fn of(&self) -> (&'a dyn System, &[f64]) {
        (self.system, &self.inputs)
    }

    /// The number of the mode, another one where something of it has changed.
    pub(in crate::hybrid::event) fn number_of_mode(&self) -> u64 {
        self.number
    }

    /// It, where the motion determines all forces, or cones those that it leaves open: at the state of the last values.
    pub(in crate::hybrid::event) fn held(&self) -> Option<Held<'_>> {
        let Self { mode, slip_state, forces, shifts, friction_shifts, row_shifts, .. } = self;
        let given = forces.given().filter(|_| slip_state.launch.is_none());
        given.map(|given| Held {
            given,
            mode,
            slip_state,
            terms: &forces.terms,
            shifts: [shifts, friction_shifts, row_shifts],
            is_damped: forces.is_damped(),
        })
    }

    /// Whether some guard is one.
    pub(in crate::hybrid::event) fn has_forces(&self) -> bool {
        !self.mode.closed().is_empty() || !self.friction_shifts.is_empty()
    }

    /// Whether the motion leaves some forces open, which cones determine.
    pub(in crate::hybrid::event) fn shares(&self) -> bool {
        self.forces.given().is_some_and(|given| !given.is_empty())
    }

    /// Whether the guard is of what may be one of these.
    pub(in crate::hybrid::event) fn is_shared(&self, guard: usize) -> bool {
        let is_open = |contact| !self.forces.is_determined(self.mode.closed(), contact);
        self.shares() && (self.holds(guard) || self.force(guard).is_some_and(is_open))
    }

    /// Whether the guard is a force or a slip: of a closed contact, of friction, of a row with friction.
    pub(in crate::hybrid::event) fn is_of_forces(&self, guard: usize) -> bool {
        self.force(guard).is_some() || self.friction(guard).is_some() || self.row(guard).is_some()
    }
}
