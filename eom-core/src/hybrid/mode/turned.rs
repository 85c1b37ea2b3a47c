//! Slips that the closing of contacts has turned, or brought to rest: the mode is chosen anew where it has.

use crate::friction::slip_state::norm;
use crate::hybrid::automaton::Automaton;
use crate::trajectory::end::End;

/// Slips that turn at one instant, one after another.
const TURNS_MAX: usize = 8;

impl Automaton<'_> {
    /// Whether anything moves.
    pub(super) fn is_moving(&self) -> bool {
        self.flow.base.parts().1.iter().any(|v| *v != 0.0)
    }

    /// Whether closing contacts, which takes away rates that cannot be told, has turned a slip, or brought one to rest of
    /// those that were `slipping`: it slides the other way then, or sticks. So it may where all that `moved` has come to
    /// rest with them. What goes on turning cannot be decided.
    pub(super) fn has_turned(
        &mut self,
        moved: bool,
        slipping: &[usize],
        turns: &mut usize,
    ) -> Result<bool, End> {
        if !self.goes_by_cones() {
            return Ok(false);
        }
        *turns += 1;
        let stopped = moved && !self.is_moving();
        if !stopped && !self.slides_otherwise(slipping)? {
            return Ok(false);
        }
        if *turns > TURNS_MAX {
            return Err(self.undecided());
        }
        Ok(true)
    }

    /// Whether something that slides in the present mode does so against its direction, or has come to rest: by more than
    /// what rounding of all that moves makes of a slip.
    fn slides_otherwise(&mut self, slipping: &[usize]) -> Result<bool, End> {
        self.load_forces(0.0, &[])?;
        let v = self.flow.base.parts().1.to_vec();
        let speed = self.laws.forces.norm(&v).max(self.laws.probe.speed());
        let mut otherwise = false;
        for term in 0..self.laws.forces.terms.count() {
            let told = self.laws.forces.slip_rounding(term, &v, speed);
            let terms = &self.laws.forces.terms;
            let w = terms.w(term);
            let σ = self.slip.state.sign(term).filter(|_| w.len() == 1);
            let turned = σ.is_some_and(|σ| σ * w[0] < -told);
            let rests = slipping.contains(&term) && norm(w) <= terms.rounding(term, &v, w);
            let slides = terms.acts(term, self.mode.closed()) && !self.mode.sticks(term);
            otherwise |= slides && (turned || rests);
        }
        Ok(otherwise)
    }
}
