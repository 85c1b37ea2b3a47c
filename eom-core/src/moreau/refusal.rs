//! What a run by time stepping is refused for: what a step of fixed size does not tell.

use super::HERE;
use std::fmt::{self, Display, Formatter};

/// Why there is no run by time stepping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SteppingRefusal {
    /// No step is given.
    NoStep,
    /// A step is given to a method that chooses its own.
    NotStepping,
    /// It is left out of this program.
    NotHere,
    /// The law of a contact is for impacts of this contact alone, or its restitution none of rates.
    Law {
        /// The contact.
        contact: &'static str,
    },
    /// A contact fires under conditions, releases rows or exchanges names.
    Conditions {
        /// The contact.
        contact: &'static str,
    },
    /// Dry friction is an integral.
    Integral {
        /// As printed.
        friction: &'static str,
    },
    /// A row is not affine in the velocities, or forces hold multipliers.
    Rows,
    /// A constraint has friction.
    RowFriction {
        /// The row.
        row: &'static str,
    },
    /// Forces act with the normal force or the friction of a contact.
    Bears {
        /// The contact.
        contact: &'static str,
    },
    /// The guard of an event holds forces.
    Guard {
        /// The event.
        event: &'static str,
    },
    /// The ledger of the energy, or quantities that are kept.
    Books,
}

impl Display for SteppingRefusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStepping => {
                f.write_str("a step is given, and only time stepping, `moreau`, takes one")
            }
            // All that there can be then.
            _ if !HERE => f.write_str("there is no time stepping in the browser"),
            Self::NotHere => f.write_str("there is no time stepping here"),
            Self::NoStep => f.write_str("time stepping, `moreau`, has no step of its own"),
            Self::Law { contact } => {
                write!(f, "the impact law of `{contact}` is none for time stepping")
            }
            Self::Conditions { contact } => {
                write!(f, "contact `{contact}` has conditions, or releases or relabels something")
            }
            Self::Integral { friction } => write!(f, "the dry friction {friction} is an integral"),
            Self::Rows => f.write_str(
                "constraints are not affine in the velocities, or forces hold their multipliers",
            ),
            Self::RowFriction { row } => write!(f, "constraint `{row}` has friction"),
            Self::Bears { contact } => {
                write!(f, "forces act with the normal force or the friction of contact `{contact}`")
            }
            Self::Guard { event } => write!(f, "the guard of `{event}` holds forces"),
            Self::Books => f.write_str("time stepping keeps no ledger, and no conserved quantity"),
        }
    }
}

impl SteppingRefusal {
    /// One thing to do about it.
    pub fn help(self) -> &'static str {
        match self {
            Self::NotStepping => "leave the step out, or choose the method `moreau`",
            _ if !HERE => "run it with the command or from Python",
            Self::NoStep => {
                "give the step: `--step 1e-3`, `step=1e-3`, or `step: Some(1e-3)` in the options"
            }
            Self::NotHere => "run it with the command or from Python",
            Self::Law { .. } => {
                "give the contact `restitution(e)` of Newton and `impacts = joint;`, or another method"
            }
            Self::Books => "leave them out, or choose another method",
            Self::Conditions { .. }
            | Self::Integral { .. }
            | Self::Rows
            | Self::RowFriction { .. }
            | Self::Bears { .. }
            | Self::Guard { .. } => "choose another method: `automatic` follows it event by event",
        }
    }
}
