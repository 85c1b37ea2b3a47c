//! An instant: the jumps at one time, in their order.

use super::IMPACTS_AT_ONCE_MAX;
use super::automaton::Automaton;
use super::contact::GapRate;
use super::event::NEAR;
use super::moment::Moment;
use crate::end::End;
use crate::event::EventKind;
use crate::impact::RATE_TOLERANCE;
use crate::mode::Mode;

/// Contacts close together where their times differ by less than this, in units of the resolution of a
/// root, or of ε|t|.
const SIMULTANEOUS_ROOTS: f64 = 8.0;
const SIMULTANEOUS_TIMES: f64 = 16.0;

/// δ in units of rounding of t and of the first step.
const ROUNDINGS: f64 = 16.0;

/// Contacts at one instant.
#[derive(Debug, Clone)]
pub(super) struct Touching {
    /// Whether each contact is at g ≈ 0.
    pub(super) at_zero: Vec<bool>,
    /// ġ⁺/|ġ⁻| of its last impact at this instant.
    pub(super) ratios: Vec<Option<f64>>,
    /// Contacts whose normal force has just fallen through zero, this one and those before it at this
    /// moment.
    pub(super) opening: Vec<usize>,
    /// Contacts whose gaps close by less than can be told, since others have been closed.
    pub(super) pushed: Vec<usize>,
    /// Terms of friction whose w has just come to zero.
    pub(super) stopping: Vec<usize>,
    /// Terms of friction that begin to slide, each with its direction.
    pub(super) breaking: Vec<(usize, Vec<f64>)>,
    /// The direction of v in which friction that is an integral gives way.
    pub(super) launch: Option<Vec<f64>>,
    /// Impacts so far.
    pub(super) impacts: usize,
    /// There were so many impacts that the rest of them are plastic.
    pub(super) collapses: bool,
    /// This is the start of the run.
    pub(super) starts: bool,
    /// By how much more than rounding a gap rate may be off zero.
    tolerance: f64,
    /// Changes of the state before this instant.
    pub(super) jumps: usize,
}

impl Touching {
    pub(super) fn new(contacts: usize) -> Self {
        Self {
            at_zero: vec![false; contacts],
            ratios: vec![None; contacts],
            opening: Vec::new(),
            pushed: Vec::new(),
            stopping: Vec::new(),
            breaking: Vec::new(),
            launch: None,
            impacts: 0,
            collapses: false,
            starts: false,
            tolerance: 1.0,
            jumps: 0,
        }
    }

    /// By how much more than rounding a rate may be off zero.
    pub(super) fn widening(&self) -> f64 {
        self.tolerance
    }

    /// The contacts at g ≈ 0.
    pub(super) fn contacts(&self) -> impl Iterator<Item = usize> + use<> {
        let touching: Vec<usize> = (0..self.at_zero.len()).filter(|&c| self.at_zero[c]).collect();
        touching.into_iter()
    }

    /// A gap rate with the tolerance of this instant.
    pub(super) fn widened(&self, gap: GapRate) -> GapRate {
        GapRate { tolerance: self.tolerance * gap.tolerance, ..gap }
    }

    /// Whether a contact that is closed now was so at the start: nothing happens to it.
    pub(super) fn starts_closed(&self, contact: usize) -> bool {
        self.starts && self.ratios[contact].is_none()
    }

    /// Takes an impact with ġ⁻ and ġ⁺.
    pub(super) fn struck(&mut self, contact: usize, minus: f64, plus: f64) {
        self.ratios[contact] = Some(plus / minus.abs());
        self.impacts += 1;
    }
}

impl Automaton<'_> {
    /// The first instant: contacts within the tolerance of the start are touching.
    pub(super) fn first_instant(&mut self) -> Result<(), End> {
        let t = self.t();
        self.flow.restart().map_err(|stuck| stuck.end(t))?;
        self.events.arc.measure(&self.flow, &self.flow.base.y, &self.flow.base.y);
        self.evaluate_guards()?;
        let contacts = self.system.info().contacts.len();
        let floors = self.options.floors(self.system.info());
        let mut touching = Touching::new(contacts);
        touching.starts = true;
        touching.jumps = self.records.jumps;
        self.moment = Moment::new(t, self.records.jumps);
        touching.tolerance = (self.options.start_tolerance / RATE_TOLERANCE).max(1.0);
        for contact in 0..contacts {
            let (q, _) = self.flow.base.parts();
            let scale = self.laws.probe.gap_scale(self.system, contact, t, q, &floors);
            touching.at_zero[contact] =
                self.events.values[contact] <= self.options.start_tolerance * scale;
            self.disarm(contact, None, &mut touching)?;
        }
        self.events.guards.reset(&self.events.values, &self.events.roundings);
        let jumps = self.records.jumps;
        self.impacts(&mut touching)?;
        touching.tolerance = if self.records.jumps == jumps { touching.tolerance } else { 1.0 };
        self.look_again(jumps)?;
        self.settle(&touching, self.records.jumps != jumps)
    }

    /// What happens at the base point, where the guard `located` has just been found to cross, or
    /// where these terms of friction have come to rest.
    pub(super) fn instant(
        &mut self,
        located: Option<usize>,
        stopping: Vec<usize>,
    ) -> Result<(), End> {
        self.laws.probe.begin();
        self.evaluate_guards()?;
        let contacts = self.system.info().contacts.len();
        let mut touching = Touching::new(contacts);
        self.arrive(located.and_then(|guard| self.events.guards.force(guard)))?;
        touching.opening.clone_from(&self.moment.opened);
        touching.impacts = self.moment.jumps_of(self.records.jumps);
        touching.stopping = stopping;
        touching.jumps = self.records.jumps;
        if let Some(friction) = located.and_then(|guard| self.events.guards.friction(guard)) {
            self.give_way(friction, &mut touching)?;
        }
        for contact in 0..contacts {
            if self.mode.is_closed(contact) || self.events.guards.is_carried(contact) {
                touching.at_zero[contact] = true;
                continue;
            }
            self.events.guards.set_leaving(contact, false);
            touching.at_zero[contact] = Some(contact) == located
                || self.is_at_zero(contact)
                || self.closes_at_once(contact)?;
            self.disarm(contact, located, &mut touching)?;
        }
        if let Some(located) = located
            && self.events.guards.gap(located).is_none_or(|contact| touching.at_zero[contact])
        {
            self.check_dip(located)?;
        }
        let due = self.events.guards.cross(located, &self.events.values, &self.events.roundings);
        self.release()?;
        let jumps = self.records.jumps;
        self.impacts(&mut touching)?;
        for event in due {
            self.declared(event, &mut touching)?;
        }
        if self.records.jumps != jumps {
            self.evaluate_guards()?;
            self.events.guards.reset(&self.events.values, &self.events.roundings);
            for contact in 0..contacts {
                touching.at_zero[contact] |= self.is_at_zero(contact);
                self.disarm(contact, None, &mut touching)?;
            }
            let jumps = self.records.jumps;
            self.impacts(&mut touching)?;
            self.complete_turns(&mut touching)?;
            self.look_again(jumps)?;
        }
        self.settle(&touching, self.records.jumps != jumps)
    }

    /// An open contact that is not armed does not touch: its gap passes zero.
    pub(super) fn disarm(
        &mut self,
        contact: usize,
        located: Option<usize>,
        touching: &mut Touching,
    ) -> Result<(), End> {
        if self.is_armed(contact) {
            return Ok(());
        }
        let (value, rounding) = (self.events.values[contact], self.events.roundings[contact]);
        let near = value.abs() <= rounding || touching.at_zero[contact] && value > 0.0;
        let sign = match located {
            Some(located) if located == contact => -1.0,
            _ if near => self.gap_rate(contact)?.rate.signum(),
            _ => value.signum(),
        };
        self.events.guards.pass(contact, value, sign, near || located == Some(contact));
        touching.at_zero[contact] = false;
        Ok(())
    }

    /// Whether a contact can fire at the base point.
    pub(super) fn is_armed(&self, contact: usize) -> bool {
        if !self.system.info().contacts[contact].is_conditional() {
            return true;
        }
        let (q, v) = self.flow.base.parts();
        self.system.armed(contact, self.t(), q, v, &self.inputs)
    }

    /// Closed contacts are no longer held: jumps may move them. Their guards are gaps again.
    fn release(&mut self) -> Result<(), End> {
        if self.mode.is_free() {
            return Ok(());
        }
        let free = Mode::default();
        self.flow.set_mode(&free, &self.slip.grip);
        self.events.guards.set_mode(&free, &self.slip.grip);
        self.evaluate_guards()
    }

    /// Values and sides of the guards are those before these jumps, if there were any since.
    pub(super) fn look_again(&mut self, jumps: usize) -> Result<(), End> {
        if self.records.jumps != jumps {
            self.evaluate_guards()?;
            self.events.guards.reset(&self.events.values, &self.events.roundings);
        }
        Ok(())
    }

    /// Whether a gap is zero to rounding at the base point.
    pub(super) fn is_at_zero(&self, contact: usize) -> bool {
        self.events.values[contact] <= self.events.roundings[contact]
    }

    /// Whether a gap that is still open closes at a time that cannot be told from this one: within 8 of
    /// the last root's resolutions or 16 ε|t|, whichever is longer. Both methods find roots to that, so
    /// they find the same contacts to close together.
    fn closes_at_once(&mut self, contact: usize) -> Result<bool, End> {
        if self.events.values[contact] > NEAR * self.events.arc.largest(contact) {
            return Ok(false);
        }
        let rate = self.gap_rate(contact)?.rate;
        let told = SIMULTANEOUS_ROOTS * self.events.arc.resolution();
        let resolution = told.max(SIMULTANEOUS_TIMES * f64::EPSILON * self.t().abs());
        Ok(self.events.values[contact] <= -rate * resolution)
    }

    /// The gap would dip below zero by ġ²/(2g̈) and come back. Where that is within its rounding
    /// the crossing cannot be told from a graze.
    fn check_dip(&mut self, guard: usize) -> Result<(), End> {
        let Some(contact) = self.events.guards.gap(guard) else { return Ok(()) };
        let (gap, rounding) = (self.gap_rate(contact)?, self.events.roundings[contact]);
        // A step resolves g̈: where the gap falls much farther in a small part of it there is none.
        if gap.rate >= 0.0 || -gap.rate * NEAR * self.flow.step_size() > rounding {
            return Ok(());
        }
        let acceleration = self.gap_acceleration(contact);
        if acceleration > 0.0 && gap.rate * gap.rate <= 2.0 * acceleration * rounding {
            let (t, guard, value) =
                (self.t(), self.events.guards.name(guard), self.events.values[contact]);
            return Err(End::UnresolvedEvent { t, guard, value, rounding });
        }
        Ok(())
    }

    /// One declared event.
    fn declared(&mut self, event: usize, touching: &mut Touching) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        if self.system.info().events[event].resets {
            let (mut q, mut v) = (before.q.clone(), before.v.clone());
            self.system.reset(event, t, &mut q, &mut v, &self.inputs);
            self.flow.jump(&q, &v).map_err(|stuck| stuck.end(t))?;
            self.records.jumps += 1;
            self.evaluate_guards()?;
            self.check_penetration(touching)?;
        }
        self.records.stats.events += 1;
        self.record(EventKind::Declared { event }, &before)
    }

    /// A reset may not put the state behind a contact; one that it lifts touches no more.
    pub(super) fn check_penetration(&mut self, touching: &mut Touching) -> Result<(), End> {
        let t = self.t();
        let floors = self.options.floors(self.system.info());
        for (contact, info) in self.system.info().contacts.iter().enumerate() {
            if !self.is_armed(contact) {
                touching.at_zero[contact] = false;
                continue;
            }
            let (q, _) = self.flow.base.parts();
            let scale = self.laws.probe.gap_scale(self.system, contact, t, q, &floors);
            let (gap, tolerance) =
                (self.events.values[contact], self.options.start_tolerance * scale);
            if gap < -tolerance {
                return Err(End::Penetrates { t, contact: info.name, gap, tolerance });
            }
            touching.at_zero[contact] &= gap <= tolerance;
        }
        Ok(())
    }

    /// An instant begins, at which the force of this contact has fallen through zero.
    pub(super) fn arrive(&mut self, opening: Option<usize>) -> Result<(), End> {
        let t = self.t();
        let resolution = ROUNDINGS * f64::EPSILON * (t.abs() + self.flow.first_step());
        self.moment.arrive(t, resolution, self.records.jumps);
        self.moment.opened.extend(opening);
        let guards = self.events.guards.count();
        let spent =
            self.moment.jumps_of(self.records.jumps) > 2 * IMPACTS_AT_ONCE_MAX * (guards + 1);
        if spent || self.moment.instants > 4 * (guards + 4) {
            return Err(self.undecided());
        }
        Ok(())
    }

    /// The mode at this moment cannot be told: the contacts that touch.
    fn undecided(&self) -> End {
        let contacts = self.system.info().contacts.iter().enumerate();
        let touch = contacts.filter(|(i, _)| {
            self.mode.is_closed(*i) || self.events.values[*i] <= self.events.roundings[*i]
        });
        End::UndecidedMode {
            t: self.t(),
            contacts: touch.map(|(_, contact)| contact.name).collect(),
        }
    }
}
