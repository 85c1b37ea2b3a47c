//! Indices of a system that was written by hand: a declaration has none that is wrong.

use crate::error::StartError;
use crate::system::{Bearer, System};

/// Refuses tables and bearers of friction that name what the system does not have.
pub(crate) fn check_indices(system: &dyn System) -> Result<(), StartError> {
    let info = system.info();
    let mut contacts: Vec<usize> = Vec::new();
    let mut rows: Vec<usize> = Vec::new();
    let mut coordinates = info.angles.to_vec();
    contacts.extend(info.events.iter().filter_map(|event| Some(event.gap?.contact)));
    for contact in info.contacts {
        rows.extend(contact.releases);
        coordinates.extend(contact.relabels.iter().flat_map(|(one, other)| [one, other]));
    }
    let points = info.frictions.iter().filter(|friction| friction.components > 0).count();
    for term in 0..points {
        match Bearer::of(system, term) {
            Some(Bearer::Contact(contact)) => contacts.push(contact),
            Some(Bearer::Row(row)) => rows.push(row),
            Some(Bearer::Rows { first, count }) => rows.extend([first, first + count.max(1) - 1]),
            None => {}
        }
    }
    let named = [
        ("contact", contacts, info.contacts.len()),
        ("row", rows, info.rows.len()),
        ("coordinate", coordinates, info.coordinates.len()),
    ];
    for (what, indices, count) in named {
        if let Some(index) = indices.into_iter().find(|index| *index >= count) {
            return Err(StartError::NoSuch { what, index, count });
        }
    }
    // Where q̇ = v, both have one length.
    let speeds = if info.is_plain() { info.positions() } else { info.speeds() };
    StartError::check_length("velocities of the tables", speeds, info.speeds())
}
