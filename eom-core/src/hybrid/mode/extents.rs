//! Where the surface of a closed contact ends.
//!
//! ```text
//! closed, and an extent falls through 0:   open from here on, x⁺ = x⁻; its gap, which is 0, may pass zero
//! ```
//!
//! Nothing is struck there: no velocity changes. What else touches takes over, or the body flies on.

use super::active_contacts::ActiveContacts;
use crate::hybrid::automaton::Automaton;
use crate::hybrid::event::{Events, Side};
use crate::trajectory::end::End;

/// The way ahead on which the rate of an extent is seen, in units of the first step.
const AHEAD: f64 = 1e-3;

/// Where a surface ends or begins is told to so many roundings: that of where another is met counts, too.
const NEAR: f64 = 64.0;

impl Automaton<'_> {
    /// Whether the surface of a contact that is held ends at the base point, where `located` is the guard found to cross, or
    /// before it. It does so for the rest of the moment.
    pub(in crate::hybrid) fn ends(&mut self, contact: usize, located: Option<usize>) -> bool {
        if self.moment.ended.contains(&contact) {
            return true;
        }
        let guards = &self.events.guards;
        // That of a carried one may have risen: it is reached.
        let falls = |guard: usize| guards.side(guard).sign >= 0.0;
        let own = located.filter(|guard| guards.extent(*guard) == Some(contact));
        let ends = own.is_some_and(falls) || self.is_beyond(contact);
        if ends {
            self.moment.ended.push(contact);
        }
        ends
    }

    /// Whether the surface of a contact does not reach as far as the base point, unless it begins on the way from there sooner than
    /// times or places can be told, as where another ends, or what is there rests; or whether it ends so.
    pub(in crate::hybrid) fn is_beyond(&self, contact: usize) -> bool {
        let (t, (q, v), guards) = (self.t(), self.flow.base.parts(), &self.events.guards);
        let here = guards.extents_of(contact, t, (q, v));
        if here.is_empty() {
            return false;
        }
        let (δ, moved) = self.ahead();
        let there = guards.extents_of(contact, t + δ, (&moved, v));
        let told = self.resolution_of_time() / δ;
        let roundings = self.roundings_of_extents(contact, &here);
        let mut extents = here.into_iter().zip(there).zip(roundings);
        extents.any(|((here, there), rounding)| {
            let soon = (here - there).abs() * told;
            let begins = there >= here && -here <= soon.max(rounding);
            let ends = there < here && here <= soon;
            here < 0.0 && !begins || ends
        })
    }

    /// Whether the surface of a contact ends, or begins, where that cannot be told from the base point.
    pub(in crate::hybrid) fn is_at_its_end(&self, contact: usize) -> bool {
        let here = self.events.guards.extents_of(contact, self.t(), self.flow.base.parts());
        let roundings = self.roundings_of_extents(contact, &here);
        !here.is_empty() && here.iter().zip(roundings).all(|(here, rounding)| *here >= -rounding)
    }

    /// Whether a contact begins where the surface of another ends, and is there, whatever rounding says of its side: it takes over.
    pub(in crate::hybrid) fn takes_over(&mut self, contact: usize, located: Option<usize>) -> bool {
        let ends = located.is_some_and(|guard| self.events.guards.extent(guard).is_some());
        let begins = self.system.info().contacts[contact].extents > 0;
        ends && begins && self.events.is_near(contact, NEAR) && self.is_armed(contact)
    }

    /// What the errors of places make of the extents of a contact, which have these values at the base point.
    fn roundings_of_extents(&self, contact: usize, here: &[f64]) -> Vec<f64> {
        let mut roundings = vec![0.0; here.len()];
        let v = self.flow.base.parts().1;
        for q in self.beside() {
            let there = self.events.guards.extents_of(contact, self.t(), (&q, v));
            for (rounding, (here, there)) in roundings.iter_mut().zip(here.iter().zip(there)) {
                *rounding += 0.5 * (there - here).abs();
            }
        }
        roundings
    }

    /// The places that cannot be told from the base point, each coordinate more or less by its error.
    fn beside(&self) -> impl Iterator<Item = Vec<f64>> {
        let (q, sizes) = (self.flow.base.parts().0, self.events.arc.uncertainties());
        (0..2 * q.len()).map(move |i| {
            let mut moved = q.to_vec();
            moved[i / 2] += NEAR * if i % 2 == 0 { sizes[i / 2] } else { -sizes[i / 2] };
            moved
        })
    }

    /// Whether the conditions of a contact whose surface reaches as far as the base point hold there, or, where that begins at it,
    /// right ahead, or beside it.
    pub(in crate::hybrid) fn is_armed_at(&self, contact: usize) -> bool {
        let (t, (q, v), inputs) = (self.t(), self.flow.base.parts(), &self.inputs);
        let is_armed = |t: f64, q: &[f64]| self.system.armed(contact, t, q, v, inputs);
        let extents = self.events.guards.extents_of(contact, t, (q, v));
        // At the end itself what is declared counts, `<` or `<=`.
        let is_at_end = extents.contains(&0.0);
        let is_armed_near = || {
            let (δ, moved) = self.ahead();
            is_armed(t + δ, &moved) || !is_at_end && self.beside().any(|q| is_armed(t, &q))
        };
        is_armed(t, q) || !extents.is_empty() && is_armed_near()
    }

    /// Whether a guard is the gap of a contact whose surface does not reach as far as the base point, where it comes to zero and
    /// touches nothing: it goes back to its side, or, where it was to leave zero for that, to the other one.
    pub(in crate::hybrid) fn touches_nothing(&mut self, guard: usize, value: f64) -> bool {
        let guards = &mut self.events.guards;
        let beyond = guards.gap(guard).filter(|it| guards.is_beyond(*it, &self.flow.base));
        if let Some(contact) = beyond {
            let Side { sign, leaving } = guards.side(guard);
            guards.pass(contact, value, if leaving { -sign } else { sign }, true);
        }
        beyond.is_some()
    }

    /// A time ahead, short for the motion, and the places then.
    fn ahead(&self) -> (f64, Vec<f64>) {
        let (δ, (q, v)) = (AHEAD * self.flow.first_step(), self.flow.base.parts());
        let mut rates = vec![0.0; q.len()];
        self.system.rates(self.t(), q, v, &mut rates);
        (δ, q.iter().zip(rates).map(|(q, rate)| q + δ * rate).collect())
    }

    /// Those whose surface has ended go behind it, unless they leave it: their guards are gaps again.
    pub(in crate::hybrid) fn pass_ends(&mut self, active: &ActiveContacts) -> Result<(), End> {
        let ended = self.moment.ended.clone();
        for contact in ended.into_iter().filter(|contact| !active.at_zero[*contact]) {
            let rate = self.gap_rate(contact)?;
            let sign = if rate.rate > rate.tolerance { 1.0 } else { -1.0 };
            self.events.guards.pass(contact, self.events.values[contact], sign, true);
        }
        Ok(())
    }

    /// Those whose surface has ended are no longer to leave zero: they stay on their side of it.
    pub(super) fn let_go_of_ended(&mut self, active: &ActiveContacts) {
        let Events { guards, values, .. } = &mut self.events;
        for &contact in self.moment.ended.iter().filter(|contact| !active.at_zero[**contact]) {
            let Side { sign, leaving } = guards.side(contact);
            if leaving && guards.gap(contact).is_some() {
                guards.pass(contact, values[contact], sign, true);
            }
        }
    }

    /// In a mode just entered: the extents of what is closed or carried there are guards.
    pub(in crate::hybrid) fn begin_extents(&mut self) {
        self.events.begin_extents(&self.flow, &self.moment.ended);
    }
}
