//! Steps along which something is held by rows that depend on others: a contact that is carried, a term of friction that
//! sticks where what is closed leaves it no motion. It stays so as long as those others leave it none; where it does not, the
//! step is cut.
//!
//! ```text
//! a row that no longer depends on the others     the step is made again, with the gap as its guard
//! a gap that leaves zero (`proof::carried`)      the contact touches there
//! w = J v + b that leaves zero                   the term gives way there, along w
//! ```

use super::Events;
use super::arc::Cut;
use super::proof::Carried;
use crate::flow::{Flow, StepFailure};
use crate::trajectory::end::End;

/// Halvings of a step that place where a slip begins.
const HALVINGS: u32 = 40;

/// What became of what is held on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Held {
    Stays,
    /// A contact is not carried from the start of the step on.
    Again,
    /// The last trial is where something has left.
    Left(Cut),
}

impl Events<'_> {
    /// What becomes of what is held on the step h just made, up to its cut where it has one.
    pub(super) fn held(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        cut: Option<Cut>,
    ) -> Result<Held, End> {
        let end = cut.map_or(1.0, |cut| cut.τ / h);
        let carried = self.carried(flow, (h, end));
        let found = carried.and_then(|carried| match carried {
            Held::Stays => self.slip(flow, cut.map_or(h, |cut| cut.τ)),
            other => Ok(other),
        });
        found.map_err(|stuck| stuck.end(flow.t()))
    }

    /// Contacts that are carried.
    fn carried(&mut self, flow: &mut Flow<'_>, step: (f64, f64)) -> Result<Held, StepFailure> {
        let carried: Vec<usize> = self.guards.carried().collect();
        if carried.is_empty() {
            return Ok(Held::Stays);
        }
        // Without a metric the step has not come to its end either.
        let (t, state) = (flow.next.t.high, flow.next.parts());
        let Ok(dependent) = self.guards.dependent(&carried, t, state) else {
            return Ok(Held::Stays);
        };
        if dependent.len() == carried.len() {
            return self.gaps_stay(flow, step, &carried);
        }
        let left: Vec<usize> = carried.into_iter().filter(|c| !dependent.contains(c)).collect();
        self.let_go(flow, &left);
        Ok(Held::Again)
    }

    /// These contacts are carried no longer: their gaps are guards from the base point on. One whose surface does not reach as far as
    /// the end of the step touches nothing there, and goes to the side on which it is then.
    fn let_go(&mut self, flow: &Flow<'_>, contacts: &[usize]) {
        for contact in contacts {
            self.guards.drop(*contact);
        }
        self.guards.values(flow.next.t.high, &flow.next.y, &mut self.arc.values);
        self.evaluate(flow, true);
        for &contact in contacts {
            let sign = self.arc.values[contact].signum();
            if self.guards.is_beyond(contact, &flow.next) {
                self.guards.pass(contact, self.values[contact], sign, true);
            } else {
                self.guards.leave(contact, self.values[contact]);
            }
        }
    }

    /// Whether the gaps of these carried contacts stay at zero on the part [0, end] of the step h.
    fn gaps_stay(
        &mut self,
        flow: &mut Flow<'_>,
        (h, end): (f64, f64),
        contacts: &[usize],
    ) -> Result<Held, StepFailure> {
        let Self { guards, arc, proof, .. } = self;
        for contact in contacts {
            guards.drop(*contact);
        }
        arc.measure(flow, &flow.base.y, &flow.next.y);
        let (uncertainties, dense) = (&arc.uncertainties, &mut arc.dense);
        let found = proof.carried((flow, guards), (h, end), contacts, uncertainties, dense);
        if let Carried::Leaves { contact, .. } = found
            && guards.is_beyond(contact, &flow.next)
        {
            for other in contacts.iter().filter(|other| **other != contact) {
                guards.carry_on(*other);
            }
            self.let_go(flow, &[contact]);
            return Ok(Held::Again);
        }
        for &contact in contacts {
            match found {
                Carried::Leaves { contact: left, .. } if left == contact => {
                    guards.set_leaving(contact, false);
                }
                _ => guards.carry_on(contact),
            }
            self.sampled[contact] |= found == Carried::Unknown;
        }
        let Carried::Leaves { contact, s } = found else { return Ok(Held::Stays) };
        let τ = s * h;
        flow.trial(τ)?;
        Ok(Held::Left(Cut { τ, guard: contact, touch: None, side: Some(1.0) }))
    }

    /// A term that sticks, and slips at the time τ of the step; the last trial was there.
    fn slip(&mut self, flow: &mut Flow<'_>, τ: f64) -> Result<Held, StepFailure> {
        if !self.guards.is_sticking() {
            return Ok(Held::Stays);
        }
        let Self { guards, arc, .. } = self;
        arc.measure(flow, &flow.base.y, &flow.next.y);
        let sizes = arc.uncertainties();
        let mut slipping = |flow: &Flow<'_>| guards.slipping(flow.next.t.high, &flow.next.y, sizes);
        let Some(mut term) = slipping(flow) else { return Ok(Held::Stays) };
        let [mut low, mut high] = [0.0, τ];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            flow.trial(middle)?;
            match slipping(flow) {
                Some(found) => (term, high) = (found, middle),
                None => low = middle,
            }
        }
        flow.trial(high)?;
        let guard = self.guards.of_friction(term);
        Ok(Held::Left(Cut { τ: high, guard, touch: None, side: Some(1.0) }))
    }
}
