//! Rows of friction that vanish where the motion passes: those of a slip c w with a factor c(t, q) that passes through zero.
//!
//! There s = c w is zero, and w is not. A force that acts on s is none on w, so nothing stops: s passes zero, and goes on in the
//! direction that it has a little later with the velocities as they are.

use super::onset::LATER;
use crate::friction::slip_state::{norm, unit};
use crate::hybrid::automaton::Automaton;
use crate::hybrid::mode::active_contacts::ActiveContacts;
use crate::trajectory::end::End;

/// Where steps have become short before an instant, this part of the arc is a step.
const PART: f64 = 1e-2;

/// A row has vanished where it is below this part of what it is a little later.
const VANISHED: f64 = 1e-2;

impl Automaton<'_> {
    /// Lets terms with w = 0 whose rows vanish begin to slide: they do not come to rest. Forces are those of the base point.
    pub(super) fn pass_vanishing_rows(&mut self, active: &mut ActiveContacts) -> Result<(), End> {
        let v = self.flow.base.parts().1.to_vec();
        let terms = &self.laws.forces.terms;
        let at_zero = |term: &usize| {
            let w = terms.w(*term);
            let is_zero = norm(w) <= terms.rounding(*term, &v, w) && !self.mode.sticks(*term);
            is_zero || active.stopping.contains(term)
        };
        let sized = |term: usize| (term, norm(terms.rows(term)));
        let zero: Vec<(usize, f64)> = (0..terms.count()).filter(at_zero).map(sized).collect();
        if zero.is_empty() {
            return Ok(());
        }
        let step = self.flow.step_size().max(PART * (self.t() - self.slip.since));
        let is_told = self.load_forces(LATER * step, &[]).is_ok();
        let terms = &self.laws.forces.terms;
        let passing = zero.into_iter().filter_map(|(term, size)| {
            let w = terms.w(term);
            let has_vanished = size <= VANISHED * norm(terms.rows(term));
            let moves = norm(w) > terms.rounding(term, &v, w);
            (is_told && has_vanished && moves).then(|| (term, unit(w)))
        });
        let passing: Vec<(usize, Vec<f64>)> = passing.collect();
        active.stopping.retain(|term| passing.iter().all(|(passes, _)| passes != term));
        active.breaking.extend(passing);
        self.load_forces(0.0, &[])
    }
}
