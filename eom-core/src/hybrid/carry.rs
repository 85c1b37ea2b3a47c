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
//! all of them. Where at the end of a step its row no longer depends on the others, the step is made again
//! with its gap as its guard. So it is with a surface that lies in the plane of another and does not reach as far: it is
//! carried, and touches once it is reached.

use super::active_contacts::ActiveContacts;
use super::automaton::{Automaton, no_metric};
use super::event::Events;
use crate::end::End;
use crate::flow::Flow;

/// What is within so many ρ of zero touches.
const ROUNDINGS: f64 = 64.0;

impl Automaton<'_> {
    /// In a mode just entered: which of the touching contacts are carried.
    pub(super) fn carry(&mut self, active: &ActiveContacts) -> Result<(), End> {
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
        let (t, state) = (self.t(), self.flow.base.parts());
        let Events { guards, values, roundings, .. } = &mut self.events;
        let dependent =
            guards.dependent(&resting, t, state).map_err(|error| no_metric(t, error))?;
        for contact in dependent {
            guards.carry(contact);
            (values[contact], roundings[contact]) = (1.0, 0.0);
        }
        Ok(())
    }
}

impl Events<'_> {
    /// Whether a guard is within so many ρ of zero.
    fn is_near(&self, guard: usize, roundings: f64) -> bool {
        self.values[guard].abs() <= roundings * self.roundings[guard]
    }

    /// Whether some contacts are no longer carried at the end of the step just made: they are not from its start on.
    pub(super) fn drop_carried(&mut self, flow: &Flow<'_>) -> bool {
        let mut carried: Vec<usize> = self.guards.carried().collect();
        if carried.is_empty() {
            return false;
        }
        // Without a metric the step has not come to its end either.
        let (t, state) = (flow.next.t.high, flow.next.parts());
        let Ok(dependent) = self.guards.dependent(&carried, t, state) else { return false };
        carried.retain(|contact| !dependent.contains(contact));
        if carried.is_empty() {
            return false;
        }
        for contact in &carried {
            self.guards.drop(*contact);
        }
        self.evaluate(flow);
        for contact in carried {
            self.guards.leave(contact, self.values[contact]);
        }
        true
    }
}
