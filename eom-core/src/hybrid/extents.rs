//! Where the surface of a closed contact ends.
//!
//! ```text
//! closed, and an extent falls through 0:   open from here on, x⁺ = x⁻; its gap, which is 0, may pass zero
//! ```
//!
//! Nothing is struck there: no velocity changes. What else touches takes over, or the body flies on.

use super::active_contacts::ActiveContacts;
use super::automaton::Automaton;

impl Automaton<'_> {
    /// Whether the surface of a contact that is held ends at the base point, where `located` is the guard found to cross, or
    /// before it. It does so for the rest of the moment.
    pub(super) fn ends(&mut self, contact: usize, located: Option<usize>) -> bool {
        if self.moment.ended.contains(&contact) {
            return true;
        }
        let (t, state, guards) = (self.t(), self.flow.base.parts(), &self.events.guards);
        let ends = located.is_some_and(|guard| guards.extent(guard) == Some(contact))
            || guards.is_beyond(contact, t, state);
        if ends {
            self.moment.ended.push(contact);
        }
        ends
    }

    /// Those whose surface has ended go behind it, unless they leave it: their guards are gaps again.
    pub(super) fn pass_ends(&mut self, active: &ActiveContacts) {
        for &contact in &self.moment.ended {
            if !active.at_zero[contact] {
                let gap = self.events.values[contact];
                self.events.guards.pass(contact, gap, -1.0, true);
            }
        }
    }

    /// In a mode just entered: the extents of what is closed or carried there are guards.
    pub(super) fn begin_extents(&mut self) {
        self.events.begin_extents(&self.flow, &self.moment.ended);
    }
}
