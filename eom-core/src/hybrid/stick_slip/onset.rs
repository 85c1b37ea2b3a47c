//! What of the friction with a strength of its own sticks after an instant, and whither the rest leaves: the convex problem of
//! `friction`.

use super::ROUNDINGS;
use crate::friction::onset_of;
use crate::friction::slip_state::{Slide, SlipState, norm, unit};
use crate::hybrid::automaton::Automaton;
use crate::hybrid::mode::active_contacts::ActiveContacts;
use crate::mode::Mode;
use crate::trajectory::end::End;

/// The part of a step after which a force is looked at that begins with zero.
pub(in crate::hybrid) const LATER: f64 = 1e-3;

impl Automaton<'_> {
    /// The terms that stick with these contacts closed; sets how the others slide.
    pub(in crate::hybrid) fn friction(
        &mut self,
        active: &ActiveContacts,
        held: &[usize],
        closed: &[usize],
    ) -> Result<Vec<usize>, End> {
        let at_rest = self.flow.base.parts().1.iter().all(|v| *v == 0.0);
        if self.has_integral() && at_rest {
            return self.whole_friction(active, closed);
        }
        let points = self.laws.forces.terms.count();
        let held: Vec<usize> = held.iter().copied().filter(|term| *term < points).collect();
        if held.is_empty() {
            return Ok(Vec::new());
        }
        let onset =
            self.laws.forces.onset(closed).map_err(|error| self.impossible_friction(error))?;
        let mut sticking: Vec<usize> =
            held.iter().zip(&onset.sticks).filter(|(_, s)| **s).map(|(term, _)| *term).collect();
        self.slip.state.slides = self.slides(active, &held, Some(&onset));
        self.pass_what_others_hold(&mut sticking, closed);
        Ok(sticking)
    }

    /// Whether a term that sticks has no force, and the motion determines it, after [`ContactForces::close`](crate::contact::ContactForces).
    pub(super) fn bears_nothing(&self, friction: usize) -> bool {
        let forces = &self.laws.forces;
        let f = &forces.reactions()[forces.terms.components(friction)];
        !forces.is_redundant() && f.iter().all(|f| *f == 0.0)
    }

    /// The direction in which a term leaves that gives way where its force begins with zero: that of the force a little later.
    pub(super) fn leaves_later(
        &mut self,
        friction: usize,
        closed: &[usize],
    ) -> Result<Vec<(usize, Vec<f64>)>, End> {
        let a = self.flow.slope()[self.flow.base.parts().0.len()..].to_vec();
        self.load_forces(LATER * self.flow.step_size(), &a)?;
        let forces = &mut self.laws.forces;
        forces.close_determined(closed);
        let f = unit(&forces.reactions()[forces.terms.components(friction)]);
        let leaves = !forces.determined(friction).holds && f.iter().any(|f| *f != 0.0);
        self.load_forces(0.0, &[])?;
        self.laws.forces.close_determined(closed);
        Ok(if leaves { vec![(friction, f)] } else { Vec::new() })
    }

    /// What sticks has been brought to rest to the last digit, and where the rows of a slip in a plane that has come to rest with it
    /// and leaves depend on those, it is left with what the root of its stop leaves: that is no slip, and tells no direction.
    pub(in crate::hybrid) fn begin_beside_what_sticks(
        &mut self,
        mode: &Mode,
        active: &ActiveContacts,
    ) -> Result<(), End> {
        if mode.sticking().is_empty() || active.stopping.is_empty() {
            return Ok(());
        }
        self.load_forces(0.0, &[])?;
        let (terms, mut takes) = (&self.laws.forces.terms, false);
        for (term, slide) in self.slip.state.slides.iter_mut().enumerate() {
            let Some(slide) = slide.as_mut().filter(|_| active.stopping.contains(&term)) else {
                continue;
            };
            let speed = norm(terms.w(term));
            if slide.direction.len() > 1 && speed > slide.floor {
                (slide.floor, takes) = (speed, true);
            }
        }
        if !takes {
            return Ok(());
        }
        self.flow.set_mode(mode, &self.slip.state);
        self.events.guards.set_mode(mode, &self.slip.state);
        self.laws.forces.set_slip_state(mode.sticking(), &self.slip.state);
        self.restart()
    }

    /// What has nothing to hold by does not stick where others hold its slip: its force would be no one's.
    fn pass_what_others_hold(&mut self, sticking: &mut Vec<usize>, closed: &[usize]) {
        let forces = &mut self.laws.forces;
        if sticking.iter().all(|term| forces.terms.holds_by_some(*term)) {
            return;
        }
        forces.set_slip_state(sticking, &self.slip.state);
        forces.close(closed);
        if forces.is_redundant() {
            sticking.retain(|term| forces.terms.holds_by_some(*term));
        }
    }

    /// All friction of a body at rest, an integral among it: it sticks, or the body leaves in one
    /// direction.
    fn whole_friction(
        &mut self,
        active: &ActiveContacts,
        closed: &[usize],
    ) -> Result<Vec<usize>, End> {
        let (t, system) = (self.t(), self.system);
        let q = self.flow.base.parts().0.to_vec();
        let (metric, force, rows) = self.laws.forces.whole(closed);
        let direction = match &active.launch {
            Some(direction) => Ok(direction.clone()),
            None => onset_of(metric, &force, &rows, |w, f| system.dry_friction(t, &q, w, f)),
        };
        let direction = direction.map_err(|error| self.impossible_friction(error))?;
        self.slip.state = SlipState::default();
        if direction.iter().all(|v| *v == 0.0) {
            return Ok((0..self.system.info().frictions.len()).collect());
        }
        let growth = ROUNDINGS * f64::EPSILON * norm(self.laws.forces.free());
        let floor = f64::MIN_POSITIVE;
        self.slip.state.launch = Some(Slide {
            direction: unit(&direction),
            turning: Vec::new(),
            since: t,
            floor,
            growth,
        });
        Ok(Vec::new())
    }
}
