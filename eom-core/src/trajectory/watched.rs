//! The guards of a run, by what they are of.

use crate::info::SystemInfo;
use crate::snapshot::words::choice;

/// A guard, by the index of what it is of in the [`SystemInfo`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Watched {
    /// The gap of an open contact.
    Gap(usize),
    /// The normal force of a closed contact.
    Force(usize),
    /// The guard of a declared event.
    Event(usize),
    /// How far the surface of a closed contact reaches.
    Extent(usize),
    /// The slip or the cone of a term of dry friction.
    Friction(usize),
    /// The sign with which a constraint row with friction presses, by its term.
    Row(usize),
}

impl Watched {
    /// In words: `the normal force of floor`.
    pub fn text(self, info: &SystemInfo) -> String {
        // table
        let (what, name) = match self {
            Self::Gap(contact) => ("the gap of", info.contacts[contact].name),
            Self::Force(contact) => ("the normal force of", info.contacts[contact].name),
            Self::Event(event) => ("the event", info.events[event].name),
            Self::Extent(contact) => ("the extent of", info.contacts[contact].name),
            Self::Friction(term) => ("the friction of", info.frictions[term].name),
            Self::Row(term) => ("the sign of the force of", info.frictions[term].name),
        };
        format!("{what} {name}")
    }
}

choice! { Watched {
    0 => Gap(contact),
    1 => Force(contact),
    2 => Event(event),
    3 => Extent(contact),
    4 => Friction(term),
    5 => Row(term),
} }
