//! Events whose guard is the gap of a contact, but for a factor.
//!
//! The gap g of a contact without conditions never falls below zero. It comes there where the contact is struck, goes back
//! from there, and is zero, but for rounding, while the contact is closed. So the event is that contact's impact, where it
//! fires on the way down, and nothing where it does not; its guard is not looked at, and stays 1.

use super::Guards;
use crate::info::GapGuard;

impl Guards<'_> {
    /// Whether the guard is that of an event which is a contact's impact.
    pub(super) fn is_struck(&self, guard: usize) -> bool {
        self.event(guard).is_some_and(|event| self.struck_with(event).is_some())
    }

    /// The gap that the guard of an event is.
    pub(in crate::hybrid) fn struck_with(&self, event: usize) -> Option<GapGuard> {
        self.system.info().events[event].gap
    }

    /// The events that are impacts.
    pub(in crate::hybrid) fn of_struck(&self) -> impl Iterator<Item = usize> + use<> {
        let events = self.system.info().events;
        events.iter().enumerate().filter_map(|(event, info)| info.gap.map(|_| event))
    }
}
