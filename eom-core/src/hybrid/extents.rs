//! Where the surface of a closed contact ends.
//!
//! ```text
//! closed, and an extent falls through 0:   open from here on, x⁺ = x⁻; its gap, which is 0, may pass zero
//! ```
//!
//! Nothing is struck there: no velocity changes. What else touches takes over, or the body flies on.

use super::active_contacts::ActiveContacts;
use super::automaton::Automaton;

/// The way ahead on which the rate of an extent is seen, in units of the first step.
const AHEAD: f64 = 1e-3;

impl Automaton<'_> {
    /// Whether the surface of a contact that is held ends at the base point, where `located` is the guard found to cross, or
    /// before it. It does so for the rest of the moment.
    pub(super) fn ends(&mut self, contact: usize, located: Option<usize>) -> bool {
        if self.moment.ended.contains(&contact) {
            return true;
        }
        let guards = &self.events.guards;
        let ends = located.is_some_and(|guard| guards.extent(guard) == Some(contact))
            || self.is_beyond(contact);
        if ends {
            self.moment.ended.push(contact);
        }
        ends
    }

    /// Whether the surface of a contact does not reach as far as the base point, unless it begins on the way from there sooner than
    /// times can be told, as where another ends; or whether it ends so.
    pub(super) fn is_beyond(&self, contact: usize) -> bool {
        let (t, (q, v), guards) = (self.t(), self.flow.base.parts(), &self.events.guards);
        let here = guards.extents_of(contact, t, (q, v));
        if here.is_empty() {
            return false;
        }
        let (δ, moved) = self.ahead();
        let there = guards.extents_of(contact, t + δ, (&moved, v));
        let told = self.resolution_of_time() / δ;
        let mut pairs = here.into_iter().zip(there);
        pairs.any(|(here, there)| {
            let soon = (here - there).abs() * told;
            let (begins, ends) = (there > here && -here <= soon, there < here && here <= soon);
            here < 0.0 && !begins || ends
        })
    }

    /// Whether the conditions of a contact whose surface reaches as far as the base point hold there, or, where that begins at it,
    /// right ahead.
    pub(super) fn is_armed_at(&self, contact: usize) -> bool {
        let (t, (q, v), inputs) = (self.t(), self.flow.base.parts(), &self.inputs);
        let has_extents = self.system.info().contacts[contact].extents > 0;
        let is_armed_ahead = || {
            let (δ, moved) = self.ahead();
            self.system.armed(contact, t + δ, &moved, v, inputs)
        };
        self.system.armed(contact, t, q, v, inputs) || has_extents && is_armed_ahead()
    }

    /// A time ahead, short for the motion, and the places then.
    fn ahead(&self) -> (f64, Vec<f64>) {
        let (δ, (q, v)) = (AHEAD * self.flow.first_step(), self.flow.base.parts());
        let mut rates = vec![0.0; q.len()];
        self.system.rates(self.t(), q, v, &mut rates);
        (δ, q.iter().zip(rates).map(|(q, rate)| q + δ * rate).collect())
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
