//! Changes from outside, at the base point: other inputs, or another state.
//!
//! **Inputs** jump, the state does not. Slopes are taken anew. A jump is no crossing: a declared event whose
//! guard has jumped gets its side anew, the others keep theirs, and none fires. Forces of closed contacts
//! and the load of what sticks jump too, so the mode is chosen anew, as after any instant (`select_mode`).
//! Where nothing touches that could close, and all guards in force stay clearly on their sides, the
//! mode is the same, and no more is done than that.
//!
//! **A state** is entered as that of a start is: contacts within the tolerance of the start touch, they are
//! struck, closed or leave. Nothing is left of what the run knew: impacts in a row, the size of
//! the step.

use super::automaton::{Automaton, Sliding};
use super::event::Events;
use super::mode::active_contacts::ActiveContacts;
use super::moment::Moment;
use crate::contact::ContactForces;
use crate::error::StartError;
use crate::forces::Forces;
use crate::friction::slip_state::SlipState;
use crate::mode::Mode;
use crate::run::on_demand::OnDemand;
use crate::run::start::admit;
use crate::state::State;
use crate::trajectory::end::End;

/// A guard is clearly on its side beyond so many times its rounding.
const CLEAR: f64 = 4.0;

impl Automaton<'_> {
    /// The inputs are these from the base point on.
    pub(crate) fn set_inputs(&mut self, inputs: &[f64]) -> Result<(), End> {
        if self.inputs == inputs {
            return Ok(());
        }
        self.inputs.copy_from_slice(inputs);
        self.flow.set_inputs(inputs);
        self.events.set_inputs(inputs);
        self.course.rest = None;
        if self.is_stepping() {
            return Ok(());
        }
        if self.flow.knows_guards() {
            self.flow.forget();
        } else {
            self.restart()?;
        }
        if self.keeps_mode() { Ok(()) } else { self.resume() }
    }

    /// Whether the mode is that before with the present inputs, seen by the guards alone; then these are
    /// those at the base point.
    fn keeps_mode(&mut self) -> bool {
        if self.events.guards.count() == 0 {
            return true;
        }
        let t = self.t();
        let Self { flow, system, events: Events { guards, arc, values, roundings, .. }, .. } = self;
        guards.values(t, &flow.base.y, &mut arc.values);
        let mut keeps = system.info().contacts.iter().all(|contact| !contact.is_conditional());
        for (guard, (before, rounding)) in values.iter_mut().zip(roundings).enumerate() {
            let (side, now) = (guards.side(guard), arc.values[guard]);
            let is_event = guards.event(guard).is_some();
            let clear = now.abs() > CLEAR * *rounding && !side.leaving && now.is_finite();
            // An event whose guard has not jumped is on its side, however near it is.
            let same = is_event && now == *before;
            keeps &= same || clear && now.signum() == side.sign;
            *before = now;
        }
        keeps
    }

    /// Sides, forces and the mode at the base point anew.
    fn resume(&mut self) -> Result<(), End> {
        self.laws.probe.begin();
        let t = self.t();
        self.restart()?;
        self.events.arc.measure(&self.flow, &self.flow.base.y, &self.flow.base.y);
        let before = self.events.values.clone();
        self.evaluate_within()?;
        let Self { events: Events { guards, values, roundings, .. }, .. } = self;
        guards.jump(&before, values, roundings);
        let contacts = self.system.info().contacts.len();
        let mut active = ActiveContacts::new(contacts);
        active.jumps = self.records.jumps;
        self.moment = Moment::new(t, self.records.jumps);
        for contact in 0..contacts {
            if self.is_held(contact) {
                active.at_zero[contact] = !self.ends(contact, None);
                active.carried.extend(self.events.guards.is_carried(contact).then_some(contact));
                continue;
            }
            active.at_zero[contact] = self.is_at_zero(contact);
            self.disarm(contact, None, &mut active)?;
        }
        if !self.moment.ended.is_empty() {
            self.release()?;
            self.pass_ends(&active)?;
        }
        let jumps = self.records.jumps;
        self.impacts(&mut active)?;
        self.look_again(jumps)?;
        self.select_mode(&active, self.records.jumps != jumps)
    }

    /// Whether a state can be that of the base point.
    pub(crate) fn check_state(&mut self, state: &mut State) -> Result<(), StartError> {
        let Self { system, inputs, options, .. } = self;
        let (system, inputs, options) = (*system, inputs.clone(), options.clone());
        let admitted = admit(system, self.manifold(), state, &inputs, &options);
        self.flow.set_mode(&self.mode, &self.slip.state);
        admitted
    }

    /// The base point is this state, which has been checked.
    pub(crate) fn set_state(&mut self, state: &State) -> Result<(), End> {
        self.flow.place(state);
        self.events.guards.rewind();
        self.laws.forces.set_slip_state(&[], &SlipState::default());
        self.laws.probe.begin();
        self.accumulation.rewind();
        (self.slip.state, self.course.rest, self.slip.since) =
            (SlipState::default(), None, self.t());
        if !self.mode.is_free() {
            self.mode = Mode::default();
            self.records.enter(self.t(), &self.mode);
        }
        self.records.jumps += 1;
        if let Some(book) = &mut self.records.book {
            book.replaced(self.system, &self.flow.base);
        }
        let outcome = self.first_instant();
        self.keep_sample();
        self.close_instant(outcome)
    }

    /// Forces and accelerations at the base point, found by `forces`; not a number where there is no metric.
    pub(crate) fn write_forces(
        &mut self,
        forces: &mut OnDemand<'_, ContactForces>,
        to: &mut Forces,
    ) {
        let t = self.t();
        let Self { system, inputs, mode, flow, slip: Sliding { state: slip_state, .. }, .. } = self;
        forces.set_slip_state(mode.sticking(), slip_state);
        let (q, v) = flow.base.parts();
        if mode.is_free() && forces.is_plain() {
            system.accelerations(t, q, v, inputs, &mut to.accelerations, &mut to.multipliers);
            to.contacts.fill(0.0);
            to.contact_rows.fill(0.0);
            to.frictions.fill(0.0);
            return;
        }
        if forces.solve(*system, mode, (t, q, v, inputs)).is_err() {
            return to.fill(f64::NAN);
        }
        forces.determine(mode.closed());
        to.accelerations.copy_from_slice(forces.accelerations());
        to.multipliers.copy_from_slice(forces.multipliers());
        to.contacts.copy_from_slice(forces.forces());
        to.contact_rows.copy_from_slice(forces.row_forces());
        for term in 0..forces.terms.count() {
            let terms = &forces.terms;
            let components = terms.components(term);
            let written = &mut to.frictions[components.clone()];
            if mode.sticks(term) {
                let reactions = &forces.reactions()[components];
                written.iter_mut().zip(reactions).for_each(|(to, f)| *to = -f);
            } else {
                let (c, u) = (forces.strength(term), slip_state.direction(term, t, terms.w(term)));
                written.iter_mut().zip(u).for_each(|(to, u)| *to = -c * u);
            }
            terms.to_slip(term, written);
        }
    }
}
