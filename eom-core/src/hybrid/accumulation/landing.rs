//! How contacts close whose flights are too low to be told: with the friction of the flights that are left out, and what
//! they carry along.
//!
//! From ġ⁺ > 0 infinitely many flights and impacts would go on for the time τ; the contact is held closed instead. Along the
//! normal both come to ġ = 0, and so their normal impulses differ by the one that takes ġ⁺ away,
//!
//! ```text
//! a (∫λ dt)_flights = −g̈ τ − ġ⁺        a (∫λ dt)_closed = −g̈ τ        a = ∇g N (∇gᵀ − μ Jᵀu)
//! ```
//!
//! and what slides has μ of the difference as friction: v changes by N (∇gᵀ − μ Jᵀu) Λ with Λ = −ġ⁺/a, for all contacts of the
//! mode together. With the last impact this is what a plastic one does. A slip that it would turn has come to rest in these
//! flights: s = 0 there, as of what sticks.

use super::flight::Flight;
use crate::friction::slip_state::unit;
use crate::hybrid::automaton::{Automaton, no_metric};
use crate::hybrid::frictional_impact::phase::Struck;
use crate::hybrid::frictional_impact::rough_impact::RoughImpact;
use crate::hybrid::mode::active_contacts::ActiveContacts;
use crate::hybrid::mode::contact::GapRate;
use crate::hybrid::stick_slip::Settled;
use crate::linear::linalg::dot;
use crate::mode::Mode;
use crate::state::State;
use crate::trajectory::end::End;

impl Automaton<'_> {
    /// The velocity with which a mode begins in which contacts are closed that would fly, or others are pushed by what has closed.
    pub(in crate::hybrid) fn landed(
        &mut self,
        mode: &Mode,
        (flights, active): (&[(usize, Flight)], &ActiveContacts),
        before: &State,
    ) -> Result<Vec<f64>, End> {
        let lands = flights.iter().any(|(contact, _)| mode.is_closed(*contact));
        let pushed = self.pushed_beside(mode, active)?;
        let acts = lands && self.has_contact_friction() || !pushed.is_empty();
        let landed = acts.then(|| self.with_friction_of(mode, &pushed, before));
        Ok(landed.flatten().unwrap_or_else(|| before.v.clone()))
    }

    /// The contacts that are not of the mode, and that closing others has made to close: what pushes them takes that away, too.
    fn pushed_beside(&mut self, mode: &Mode, active: &ActiveContacts) -> Result<Vec<usize>, End> {
        let mut pushed = Vec::new();
        for &contact in active.pushed.iter().filter(|contact| !mode.is_closed(**contact)) {
            let gap = self.gap_rate(contact)?;
            pushed.extend((gap.rate < -gap.tolerance).then_some(contact));
        }
        Ok(pushed)
    }

    /// ġ = 0 of all closed contacts and of those that are pushed, by impulses of any sign with the friction of what slides, to its
    /// rest at most.
    fn with_friction_of(&self, mode: &Mode, pushed: &[usize], state: &State) -> Option<Vec<f64>> {
        let struck = still(&[mode.closed(), pushed].concat());
        let mut impact = RoughImpact::new(self.system, (state, &self.inputs), &struck).ok()?;
        let (slips, terms) = (&self.slip.state, &impact.terms);
        let is_borne = |term: &usize| terms.bearer(*term).is_some();
        let acting = (0..terms.count()).filter(is_borne);
        let (mut sticking, sliding): (Vec<usize>, Vec<usize>) =
            acting.filter(|term| terms.acts(*term, mode.closed())).partition(|t| mode.sticks(*t));
        let directions = sliding.into_iter().map(|term| {
            let σ = slips.presses.get(term).copied().unwrap_or(1.0);
            (term, slips.direction(term, state.t, terms.w(term)), σ)
        });
        let mut directions: Vec<_> = directions.collect();
        loop {
            let velocity = impact.closed_by(&sticking, &directions)?;
            let turned = directions.extract_if(.., |(term, u, _)| {
                dot(u, &impact.slip(*term, &velocity)) < -impact.slip_rounding(*term)
            });
            let turned: Vec<usize> = turned.map(|(term, ..)| term).collect();
            if turned.is_empty() {
                return Some(velocity);
            }
            sticking.extend(turned);
        }
    }

    /// Where the turns go in a circle: contacts fly from what is held, and close on what slides. Their surfaces move by
    /// themselves, by less than forces tell, and carry along what does not stick without them: it slides as ġ = 0 has it.
    pub(in crate::hybrid) fn carried(
        &mut self,
        active: &ActiveContacts,
        held: &[usize],
    ) -> Result<Option<Settled>, End> {
        self.laws.forces.set_slip_state(held, &self.slip.state);
        self.load_forces(0.0, &[])?;
        let sticking = self.friction(active, held, &[])?;
        self.laws.forces.set_slip_state(&sticking, &self.slip.state);
        let (closed, _) = self.closed_contacts(active)?;
        let state = self.flow.base.state();
        let struck = still(&closed);
        let impact = RoughImpact::new(self.system, (&state, &self.inputs), &struck);
        let mut impact = impact.map_err(|error| no_metric(state.t, error))?;
        let Some(velocity) = impact.closed_by(&sticking, &[]) else { return Ok(None) };
        for term in held.iter().filter(|term| !sticking.contains(term)) {
            let slip = impact.slip(*term, &velocity);
            if slip.iter().all(|s| *s == 0.0) {
                return Ok(None);
            }
            if let Some(Some(slide)) = self.slip.state.slides.get_mut(*term) {
                slide.direction = unit(&slip);
            }
        }
        self.laws.forces.set_slip_state(&sticking, &self.slip.state);
        let (again, flights) = self.closed_contacts(active)?;
        Ok((again == closed).then_some((closed, flights, sticking)))
    }
}

/// Contacts that bear and do not move.
fn still(contacts: &[usize]) -> Vec<Struck> {
    let gap = GapRate { rate: 0.0, tolerance: 0.0 };
    contacts.iter().map(|contact| Struck::bearing(*contact, gap)).collect()
}
