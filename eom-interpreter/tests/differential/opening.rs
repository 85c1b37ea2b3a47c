//! To what the time can be told at which a contact opens, and whether one closes by rounding alone.
//!
//! It closes by rounding where its force is then zero: it may as well fly beside its surface. It opens where its force
//! μ falls through zero, and a force that fades is so wherever rounding has it. At times
//! t − d before the opening, d = w, w/4, w/16, …, w the time for which it was closed, that is the longest d with
//!
//! ```text
//! |μ(t − d)| ≤ 10⁻¹² (1 + max |μ|)
//! ```

use crate::runs::{Subject, Told};
use eom_core::Method;

/// The part of a force, of size 1 and more, that its computation leaves.
const ROUNDING: f64 = 1e-12;

/// A contact that closes at a time is closed this part of it later.
const AFTER: f64 = 4.0 * f64::EPSILON;

/// Quarters of the time for which the contact was closed.
const QUARTERS: i32 = 24;

/// The contact that opens at an event.
fn opening(what: &str) -> Option<usize> {
    what.strip_prefix("opening ").and_then(|contact| contact.parse().ok())
}

/// The contact that closes at an event.
fn closing(what: &str) -> Option<usize> {
    what.strip_prefix("closing [")?.strip_suffix(']')?.parse().ok()
}

/// Whether some contact opens or closes.
pub(crate) fn changes_mode(told: &Told) -> bool {
    told.events.iter().any(|event| opening(&event.what).or(closing(&event.what)).is_some())
}

/// Adds to the events of a run how well the openings among them, and before them, are told, and which closings are
/// rounding.
pub(crate) fn tell(subject: &Subject, method: Method, told: &mut Told) {
    let Ok(mut run) = subject.begin(method) else { return };
    let (mut sum, mut before) = (0.0, subject.start.t);
    for event in &mut told.events {
        if let Some(contact) = closing(&event.what) {
            let is_there = run.advance_to(event.t * (1.0 + AFTER)).is_continue();
            event.is_slight |= is_there && run.forces().contacts[contact].abs() <= ROUNDING;
        }
        if let Some(contact) = opening(&event.what) {
            let times: Vec<f64> =
                (0..QUARTERS).map(|k| event.t - (event.t - before) * 0.25_f64.powi(k)).collect();
            let forces: Vec<f64> = times
                .iter()
                .map(|t| match run.advance_to(*t) {
                    _ if run.end().is_some() => f64::INFINITY,
                    _ => run.forces().contacts[contact].abs(),
                })
                .collect();
            let most = forces.iter().copied().filter(|μ| μ.is_finite()).fold(1.0, f64::max);
            let zero = forces.iter().position(|μ| *μ <= ROUNDING * most);
            sum += zero.map_or(0.0, |k| event.t - times[k]);
        }
        event.told += sum;
        before = event.t;
    }
}
