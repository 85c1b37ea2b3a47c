//! What a run by time stepping is refused for: what a step of fixed size does not tell.

use super::HERE;
use crate::error::StartError;
use crate::info::{ContactInfo, FrictionKind, Impacts};
use crate::options::{Method, Options};
use crate::system::{Restitution, System};
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
            | Self::Guard { .. } => "choose another method: `automatic` follows it event by event",
        }
    }
}

/// Refuses a run by time stepping of what it does not tell, and a step for other methods.
pub(crate) fn check(system: &dyn System, options: &Options) -> Result<(), StartError> {
    let refused = match (options.method, options.step) {
        (Method::Moreau, _) if !HERE => Some(SteppingRefusal::NotHere),
        (Method::Moreau, None) => Some(SteppingRefusal::NoStep),
        (Method::Moreau, Some(_)) if HERE => refusal(system, options),
        (_, Some(_)) => Some(SteppingRefusal::NotStepping),
        (_, None) => None,
    };
    refused.map_or(Ok(()), |why| Err(StartError::Stepping { why }))
}

fn refusal(system: &dyn System, options: &Options) -> Option<SteppingRefusal> {
    let info = system.info();
    if options.ledger {
        return Some(SteppingRefusal::Books);
    }
    if let Some(friction) = info.frictions.iter().find(|friction| friction.components == 0) {
        return Some(SteppingRefusal::Integral { friction: friction.name });
    }
    if let Some(row) = info.frictions.iter().find(|friction| friction.kind == FrictionKind::Row) {
        return Some(SteppingRefusal::RowFriction { row: row.name });
    }
    let zeros =
        [vec![0.0; info.positions()], vec![0.0; info.speeds()], vec![0.0; info.inputs.len()]];
    let [q, v, u] = &zeros;
    if info.has_nonlinear_rows() || system.pairing_sign(0.0, q, v, u).is_some() {
        return Some(SteppingRefusal::Rows);
    }
    let holds = |event: &usize| system.guard_holds_forces(*event);
    if let Some(event) = (0..info.events.len()).find(holds) {
        return Some(SteppingRefusal::Guard { event: info.events[event].name });
    }
    let mut contacts = info.contacts.iter().enumerate();
    contacts.find_map(|(index, contact)| of_contact(system, options, (index, contact)))
}

fn of_contact(
    system: &dyn System,
    options: &Options,
    (index, info): (usize, &ContactInfo),
) -> Option<SteppingRefusal> {
    let (contact, law) = (info.name, options.law.unwrap_or_else(|| system.law(index)));
    if info.is_conditional() || !info.releases.is_empty() || !info.relabels.is_empty() {
        return Some(SteppingRefusal::Conditions { contact });
    }
    let Some([_, e, tangential]) = law.restitutions() else {
        return Some(SteppingRefusal::Law { contact });
    };
    let is_newton = system.restitution(index) == Restitution::Newton;
    let in_turn = info.impacts == Some(Impacts::Sequential);
    let keeps_slip = !info.rows.is_empty() && tangential < 0.0;
    ((e > 0.0 && (!is_newton || in_turn)) || keeps_slip).then_some(SteppingRefusal::Law { contact })
}
