//! The flight of a contact between two impacts: what of it can be told, and what is kept of flights that cannot.

use crate::snapshot::words::value;

/// What of a bounce is not resolved: its height, in units of ρ of the gap, and its flight, in units
/// of ε·t.
pub(super) const GAP_ROUNDING: f64 = 16.0;
pub(in crate::hybrid) const TIME_ROUNDING: f64 = 64.0;

/// How much a flight may differ from the one expected. Times of the last flights that are resolved
/// are known to a thirtieth.
pub(super) const FLIGHT_CHANGE: f64 = 0.125;

/// A series with a ratio closer to 1 than this does not end.
pub(in crate::hybrid) const RATIO_MARGIN: f64 = 1e-9;

/// A flight that t cannot tell is high where its height is so many times what the gap cannot tell.
pub(super) const HIGH: f64 = 1e6;

/// The flight that follows an impact.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Flight {
    pub(in crate::hybrid) duration: f64,
    pub(in crate::hybrid) height: f64,
    /// Whether it is far from zero to rounding of the gap: of a series what is left out of it is said, alone it is not left out.
    pub(super) is_high: bool,
}

/// A series that is over at a time still to come, with its contacts closed.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Accumulating {
    pub(in crate::hybrid) limit: f64,
    /// When its contacts were closed.
    pub(in crate::hybrid) since: f64,
    /// The contact, or those that take turns, the last struck first.
    pub(in crate::hybrid) contacts: Vec<usize>,
    pub(in crate::hybrid) ratio: f64,
    pub(in crate::hybrid) impacts: usize,
    pub(in crate::hybrid) height: f64,
    pub(in crate::hybrid) duration: f64,
}

value! {
    Accumulating { limit, since, contacts, ratio, impacts, height, duration },
    |it, from| from.contacts(&it.contacts)
}
