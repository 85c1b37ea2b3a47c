//! What is declared to happen: guards that fire where they pass zero, and the jumps there.

/// The declared events of a system, s of them. One without events has `impl Events for … {}`.
pub trait Events {
    /// Guards of the declared events, s of them; one that holds forces is not a number.
    fn guards(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], guards: &mut [f64]) {
        guards.fill(f64::NAN);
    }

    /// Whether the guard of an event holds forces, which jump where the mode changes.
    fn guard_holds_forces(&self, _event: usize) -> bool {
        false
    }

    /// The guards with the forces of a mode, as [`Reactions`](crate::contact::Reactions) writes them.
    fn guards_with_forces(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        u: &[f64],
        _forces: &[f64],
        guards: &mut [f64],
    ) {
        self.guards(t, q, v, u, guards);
    }

    /// Applies the reset of an event in place; right sides take the values from before.
    fn reset(&self, _event: usize, _t: f64, _q: &mut [f64], _v: &mut [f64], _u: &[f64]) {}
}

/// A number of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventCount {
    /// The declared event that is counted, by its index; without one every impact and every declared
    /// event is.
    pub event: Option<usize>,
    /// How many, at least 1.
    pub count: usize,
}
