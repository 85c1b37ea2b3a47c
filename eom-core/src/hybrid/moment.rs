//! Instants at one time, and why there are finitely many of them.
//!
//! A *moment* is a chain of instants each of which comes within
//!
//! ```text
//! δ = 16 ε (|t| + h₀)        h₀ the first step of the run
//! ```
//!
//! of the one before: their times cannot be told apart.
//!
//! **Lemma.** A moment has finitely many instants. *Proof.* Take the pair (J, N), ordered by its first
//! number, then by its second: J the changes of the state that the moment may still make, N the instants
//! it may still have without one. An instant that changes the state lowers J by one at least and sets N
//! to N₀ = 4 (guards + 4). One that does not leaves J and lowers N by one. So each instant lowers the
//! pair, and of such pairs there is no infinite falling sequence. The impacts within one instant lower
//! J too (`impacts`). Where J or N is spent the run ends, with the contacts that touch. ∎
//!
//! What is right needs few of them. The contacts that have opened at this moment, since the state changed
//! last, stay open: the mode is chosen of the others, unless g̈ < 0 presses one of them back, or g̈ stays zero with those
//! others open. So each
//! opening takes a contact from those to be chosen of, and N₀ is never reached by a system whose forces
//! say the same twice.

use crate::snapshot::words::value;

/// What has happened at one time.
#[derive(Debug, Clone, Default)]
pub(super) struct Moment {
    /// The time of its last instant.
    t: f64,
    /// Changes of the state in the run before it, and up to its last instant.
    first_jump: usize,
    last_jump: usize,
    /// Instants since the state changed last.
    pub(super) instants: usize,
    /// Contacts whose force has fallen through zero since then.
    pub(super) opened: Vec<usize>,
    /// Contacts whose surface has ended since then.
    pub(super) ended: Vec<usize>,
}

impl Moment {
    /// A moment that begins at t, after so many changes of the state in the run.
    pub(super) fn new(t: f64, jumps: usize) -> Self {
        Self { t, first_jump: jumps, last_jump: jumps, ..Self::default() }
    }

    /// The changes of the state at this moment, of those in the run.
    pub(super) fn jumps_of(&self, jumps: usize) -> usize {
        jumps - self.first_jump
    }

    /// Whether it can be one of a run with so many changes of the state.
    pub(super) fn is_of(&self, jumps: usize) -> bool {
        self.first_jump <= jumps && self.last_jump <= jumps
    }

    /// Whether a time cannot be told from its last instant.
    pub(super) fn is_at(&self, t: f64, resolution: f64) -> bool {
        (t - self.t).abs() <= resolution
    }

    /// Takes an instant at t, after so many changes of the state in the run.
    pub(super) fn arrive(&mut self, t: f64, resolution: f64, jumps: usize) {
        if !self.is_at(t, resolution) {
            *self = Self::new(t, jumps);
        }
        if jumps != self.last_jump {
            self.opened.clear();
            self.ended.clear();
            self.instants = 0;
        }
        (self.t, self.last_jump) = (t, jumps);
        self.instants += 1;
    }
}

value! {
    Moment { t, first_jump, last_jump, instants, opened, ended },
    |it, from| from.contacts(&it.opened).and(from.contacts(&it.ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_forgets_what_opened_where_the_state_or_the_time_has_changed() {
        let mut moment = Moment::new(1.0, 5);
        for (t, jumps, opened, instants, here) in [
            (1.0, 5, 0, 1, 0),
            (1.0, 5, 1, 2, 0),
            (1.0 + 1e-16, 6, 0, 1, 1),
            (1.0 + 1e-16, 6, 1, 2, 1),
            (1.1, 6, 0, 1, 0),
        ] {
            moment.arrive(t, 1e-15, jumps);
            let found = (moment.opened.len(), moment.instants, moment.jumps_of(jumps));
            assert_eq!(found, (opened, instants, here), "at {t} after {jumps}");
            moment.opened.push(3);
        }
    }
}
