//! What one run of an ensemble is of, which of them go beside one another, and which share their room.

use crate::run::options::Options;
use crate::run::runner::Runner;
use crate::state::State;
use crate::system::System;
use std::fmt;

/// A run of an ensemble: its system with parameters, start, inputs and options, each its own or that of others, too.
#[derive(Clone, Copy)]
pub struct Member<'m> {
    /// Its system.
    pub system: &'m dyn System,
    /// Where it starts.
    pub start: &'m State,
    /// Its inputs.
    pub inputs: &'m [f64],
    /// How it is made.
    pub options: &'m Options,
}

impl Member<'_> {
    /// The order of its series, where it may ask for some and its system makes those of several motions at once.
    pub(super) fn order_in_lanes(&self) -> Option<usize> {
        let Self { system, options, .. } = self;
        goes_in_lanes(*system, options).then(|| options.order(system.info()))
    }

    /// Whether its series can be made beside those of another run: they are of one declaration and order.
    pub(super) fn goes_beside(&self, other: &Self) -> bool {
        std::ptr::eq(self.system.info(), other.system.info())
            && self.order_in_lanes().is_some_and(|order| other.order_in_lanes() == Some(order))
    }
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, start, inputs, options } = self;
        to.debug_struct("Member")
            .field("system", &system.info().name)
            .field("start", start)
            .field("inputs", inputs)
            .field("options", options)
            .finish()
    }
}

/// Whether runs of a system ask for series, and it makes those of several motions at once.
pub(super) fn goes_in_lanes(system: &dyn System, options: &Options) -> bool {
    options.method.has_series() && system.has_series_in_lanes()
}

/// The room for a run: that of the one before where it is of the same system, inputs and options. Whether it is new.
pub(super) fn room_of<'r, 'a>(
    runner: &'r mut Option<Runner<'a>>,
    Member { system, inputs, options, .. }: Member<'a>,
) -> (&'r mut Runner<'a>, bool) {
    let kept = runner.take().filter(|runner| runner.serves(system, inputs, options));
    let is_new = kept.is_none();
    let room = kept.unwrap_or_else(|| Runner::new(system, inputs, options));
    (runner.insert(room), is_new)
}
