//! Which systems and options a run by time stepping admits.

use super::{HERE, SteppingRefusal};
use crate::error::StartError;
use crate::info::{ContactInfo, FrictionKind, Impacts};
use crate::run::options::{Method, Options};
use crate::system::{Restitution, System};

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
    if info.bears {
        return Some(SteppingRefusal::Bears { contact: info.name });
    }
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
