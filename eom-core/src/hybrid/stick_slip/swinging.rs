//! The direction in which what gives way in a plane begins to slide, and how it turns with the force that held it.

use crate::friction::slip_state::unit;
use crate::hybrid::automaton::Automaton;
use crate::hybrid::mode::active_contacts::ActiveContacts;
use crate::trajectory::end::End;

/// The part of a step over which the direction of a load is seen to turn.
const TURN: f64 = 1e-4;

impl Automaton<'_> {
    /// The direction of the force that holds a term.
    pub(super) fn held_direction(&self, term: usize) -> Vec<f64> {
        let forces = &self.laws.forces;
        unit(&forces.reactions()[forces.terms.components(term)])
    }

    /// How the directions in which terms give way turn along the motion that goes on to hold them. At its limit a slip grows as t²,
    /// and the force that holds it may turn faster: in the direction of its first instant it would be driven aside, further than
    /// it comes by itself.
    pub(super) fn see_turning(
        &mut self,
        closed: &[usize],
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        let is_plane = |term: usize| self.laws.forces.terms.components(term).len() > 1;
        let terms: Vec<usize> =
            active.breaking.iter().map(|(term, _)| *term).filter(|term| is_plane(*term)).collect();
        if terms.is_empty() || self.laws.forces.is_redundant() {
            return Ok(());
        }
        let ε = TURN * self.flow.step_size();
        let a = self.flow.slope()[self.flow.base.parts().0.len()..].to_vec();
        let mut sides = Vec::new();
        for ε in [ε, -ε, 0.0] {
            self.load_forces(ε, &a)?;
            self.laws.forces.close(closed);
            sides.push(terms.iter().map(|term| self.held_direction(*term)).collect::<Vec<_>>());
        }
        for ((term, after), before) in terms.iter().zip(&sides[0]).zip(&sides[1]) {
            let rates =
                after.iter().zip(before).map(|(after, before)| (after - before) / (2.0 * ε));
            let rates: Vec<f64> = rates.collect();
            if rates.iter().all(|rate| rate.is_finite()) {
                active.swinging.push((*term, rates));
            }
        }
        Ok(())
    }

    /// Terms that begin to slide in the direction of what held them turn with it.
    pub(in crate::hybrid) fn swing(&mut self, active: &ActiveContacts) {
        for (term, rates) in &active.swinging {
            if let Some(Some(slide)) = self.slip.state.slides.get_mut(*term)
                && active.breaking.iter().any(|(breaking, _)| breaking == term)
            {
                slide.turning.clone_from(rates);
            }
        }
    }
}
