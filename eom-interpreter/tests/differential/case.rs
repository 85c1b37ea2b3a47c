//! A random system with its scenario, and what is known of it.

/// Something narrow: where a coordinate, or the time, passes a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Feature {
    /// The coordinate; the time without one.
    pub(crate) coordinate: Option<usize>,
    pub(crate) place: f64,
    pub(crate) width: f64,
}

/// A system with its scenario, and what is known of it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) begin: f64,
    pub(crate) end: f64,
    pub(crate) features: Vec<Feature>,
    /// The energy is the same along every arc.
    pub(crate) keeps_energy: bool,
    /// No impact, and no event, adds energy.
    pub(crate) gains_none: bool,
    /// The contacts whose gap holds at all times, by index: not those that pass a pole.
    pub(crate) contacts: usize,
    /// Whether some contact is touched at the start.
    pub(crate) touches: bool,
}
