//! Contacts that are carried: they touch, and their rows depend on those in force.
//!
//! The fourth leg of a table, the second corner of a face that lies on another, two bodies that touch and that friction
//! holds together: with C the rows of the closed contacts and of what sticks, and A,
//!
//! ```text
//! ∇g = c·[A; C]      ġ = c·(A v + b, C v + ċ) + rest = 0      along the motion, as long as this holds
//! ```
//!
//! so g stays at zero without a force of its own, and whether rounding puts it above or below zero means nothing.
//! Its guard does not judge it. It touches at the next instant as the closed ones do, and the mode is chosen of
//! all of them. Where at the end of a step its row no longer depends on the others, or its gap has left zero
//! anywhere within it (`proof::carried`), the step is made again with its gap as its guard. So it is with a surface that
//! lies in the plane of another and does not reach as far: it is carried, and touches once it is reached.

use super::active_contacts::ActiveContacts;
use crate::hybrid::automaton::{Automaton, no_metric};
use crate::hybrid::event::Events;
use crate::trajectory::end::End;

/// What is within so many ρ of zero touches.
const ROUNDINGS: f64 = 64.0;

impl Automaton<'_> {
    /// In a mode just entered: which of the touching contacts are carried.
    pub(in crate::hybrid) fn carry(&mut self, active: &ActiveContacts) -> Result<(), End> {
        if self.mode.is_free() {
            return Ok(());
        }
        let mut resting = Vec::new();
        let beyond = |c: &usize| self.moment.ended.contains(c) || self.is_beyond(*c);
        let touching: Vec<usize> = (0..active.at_zero.len())
            .filter(|contact| active.at_zero[*contact] || beyond(contact))
            .collect();
        for contact in touching {
            let opens = self.mode.is_closed(contact) || active.opening.contains(&contact);
            let near = self.events.is_near(contact, ROUNDINGS);
            if opens || !near {
                continue;
            }
            let gap = active.widened(self.gap_rate(contact)?);
            if gap.rate.abs() <= gap.tolerance {
                resting.push(contact);
            }
        }
        self.carry_dependent(&resting).map(|_| ())
    }

    /// Carries those of these contacts, at zero and at rest there, whose rows depend on those in force. Whether there are any.
    fn carry_dependent(&mut self, resting: &[usize]) -> Result<bool, End> {
        let (t, state) = (self.t(), self.flow.base.parts());
        let Events { guards, values, roundings, .. } = &mut self.events;
        let dependent = guards.dependent(resting, t, state).map_err(|error| no_metric(t, error))?;
        for &contact in &dependent {
            guards.carry(contact);
            (values[contact], roundings[contact]) = (1.0, 0.0);
        }
        Ok(!dependent.is_empty())
    }

    /// Whether a guard that touches zero is a gap that closes on what lies still before it, and is carried from here on.
    pub(in crate::hybrid) fn is_carried_on(&mut self, guard: usize) -> Result<bool, End> {
        let Some(contact) = self.events.guards.gap(guard).filter(|_| !self.mode.is_free()) else {
            return Ok(false);
        };
        self.restart()?;
        self.evaluate_guards()?;
        let gap = self.gap_rate(contact)?;
        let rests = gap.rate.abs() <= gap.tolerance && self.events.is_near(contact, ROUNDINGS);
        let carried = rests && self.carry_dependent(&[contact])?;
        if carried {
            self.begin_extents();
        }
        Ok(carried)
    }
}

impl Events<'_> {
    /// Whether a guard is within so many ρ of zero.
    pub(in crate::hybrid) fn is_near(&self, guard: usize, roundings: f64) -> bool {
        self.values[guard].abs() <= roundings * self.roundings[guard]
    }
}
