//! What is declared to happen: guards that fire where they pass zero, and the jumps there.

/// The declared events of a system, s of them. One without events has `impl Events for … {}`.
pub trait Events {
    /// Guards of the declared events, s of them.
    fn guards(&self, _t: f64, _q: &[f64], _v: &[f64], _u: &[f64], guards: &mut [f64]) {
        guards.fill(f64::NAN);
    }

    /// Applies the reset of an event in place; right sides take the values from before.
    fn reset(&self, _event: usize, _t: f64, _q: &mut [f64], _v: &mut [f64], _u: &[f64]) {}
}
