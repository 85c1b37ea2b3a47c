//! An instant: the jumps at one time, in their order.

use super::IMPACTS_AT_ONCE_MAX;
use super::automaton::Automaton;
use super::event::{Events, NEAR, RESOLUTION, Simultaneous};
use super::mode::active_contacts::ActiveContacts;
use super::moment::Moment;
use crate::impact::RATE_TOLERANCE;
use crate::info::GapGuard;
use crate::mode::Mode;
use crate::trajectory::end::End;
use crate::trajectory::event::EventKind;

/// Contacts close together where their times differ by less than this, in units of the resolution of a
/// root, or of ε|t|.
const SIMULTANEOUS_ROOTS: f64 = 8.0;
pub(super) const SIMULTANEOUS_TIMES: f64 = 16.0;
/// Roots of what the motion alone moves are told to this part of a step, however late it is.
const LATE: f64 = 1e-9;

/// The gap falls by much more than ρ/√ε beyond so many ρ.
const DEEP: f64 = 1e9;

/// On a step on which a gap moves by so many ρ it is not seen which way it goes.
const FEW: f64 = 64.0;

/// The parts of a step over which γ̇ and γ̈ of a declared event are differenced.
const SLIGHTLY: f64 = 1e-6;
const LITTLE: f64 = 1e-4;

/// δ in units of rounding of t and of the first step.
const ROUNDINGS: f64 = 16.0;

impl Automaton<'_> {
    /// The first instant: contacts within the tolerance of the start are touching.
    pub(super) fn first_instant(&mut self) -> Result<(), End> {
        if self.is_stepping() {
            return self.begin_stepping();
        }
        let t = self.t();
        self.restart()?;
        self.events.arc.measure(&self.flow, &self.flow.base.y, &self.flow.base.y);
        self.evaluate_within()?;
        if let Some(guard) = self.events.at_pole(&self.flow) {
            return Err(End::SingularGuard { t, guard: self.events.guards.name(guard) });
        }
        let contacts = self.system.info().contacts.len();
        let floors = self.options.touching_floors(self.system.info());
        let mut active = ActiveContacts::new(contacts);
        active.starts = true;
        active.jumps = self.records.jumps;
        self.moment = Moment::new(t, self.records.jumps);
        active.tolerance = (self.options.start_tolerance / RATE_TOLERANCE).max(1.0);
        for contact in 0..contacts {
            let (q, _) = self.flow.base.parts();
            let scale = self.laws.probe.gap_scale(self.system, contact, t, q, &floors);
            active.at_zero[contact] =
                self.events.values[contact] <= self.options.touching() * scale;
            self.disarm(contact, None, &mut active)?;
        }
        self.events.guards.reset(&self.events.values, &self.events.roundings);
        let jumps = self.records.jumps;
        self.impacts(&mut active)?;
        active.tolerance = if self.records.jumps == jumps { active.tolerance } else { 1.0 };
        self.look_again(jumps)?;
        self.select_mode(&active, self.records.jumps != jumps)
    }

    /// What happens at the base point, where the guard `located` has just been found to cross, or
    /// where these terms of friction have come to rest.
    pub(super) fn instant(
        &mut self,
        located: Option<usize>,
        stopping: Vec<usize>,
    ) -> Result<(), End> {
        self.laws.probe.begin();
        self.evaluate_within()?;
        let contacts = self.system.info().contacts.len();
        let mut active = ActiveContacts::new(contacts);
        self.arrive(located.and_then(|guard| self.events.guards.force(guard)))?;
        active.opening.clone_from(&self.moment.opened);
        active.impacts = self.moment.jumps_of(self.records.jumps);
        active.stopping = stopping;
        active.jumps = self.records.jumps;
        if let Some(friction) = located.and_then(|guard| self.events.guards.friction(guard)) {
            self.give_way(friction, &mut active)?;
        }
        if located.is_some_and(|guard| self.events.guards.event(guard).is_some()) {
            let stopping = self.events.stopping();
            active.stopping.extend(stopping);
        }
        active.turning.extend(located.and_then(|guard| self.events.guards.row(guard)));
        for contact in 0..contacts {
            if self.is_held(contact) {
                active.at_zero[contact] = !self.ends(contact, located);
                active.carried.extend(self.events.guards.is_carried(contact).then_some(contact));
                continue;
            }
            let takes_over = self.takes_over(contact, located);
            if self.is_behind(contact) && !takes_over {
                continue;
            }
            let has_not_left = self.has_not_left(contact, self.events.values[contact]);
            self.events.guards.set_leaving(contact, false);
            active.at_zero[contact] = Some(contact) == located
                || takes_over
                || self.is_at_zero(contact)
                || has_not_left
                || self.closes_at_once(contact)?;
            self.disarm(contact, located, &mut active)?;
        }
        if let Some(located) = located
            && self.events.guards.gap(located).is_none_or(|contact| active.at_zero[contact])
        {
            self.check_dip(located)?;
        }
        let mut due =
            self.events.guards.cross(located, &self.events.values, &self.events.roundings);
        let may_jump = active.at_zero.contains(&true) || self.resets(&due);
        let next = if may_jump { self.due_next()? } else { Vec::new() };
        let before = self.events.values.clone();
        self.release()?;
        self.pass_ends(&active)?;
        if let Some(contact) = located.and_then(|guard| self.events.guards.gap(guard))
            && active.at_zero[contact]
            && !self.is_held(contact)
        {
            self.check_row(contact)?;
        }
        let jumps = self.records.jumps;
        self.impacts(&mut active)?;
        let struck = self.events_struck(&active);
        due.extend(struck.iter().copied());
        for &event in &due {
            self.declared(event, &mut active)?;
        }
        if self.records.jumps != jumps {
            self.fire_turned(next, &mut due, &mut active)?;
            self.evaluate_within()?;
            self.take_sides(&before);
            self.pass_ends(&active)?;
            for contact in 0..contacts {
                if self.is_held(contact) {
                    continue;
                }
                if self.events.guards.side(contact).sign < 0.0 && !self.is_behind(contact) {
                    self.events.guards.set_leaving(contact, false);
                }
                active.at_zero[contact] |= self.is_at_zero(contact);
                if active.ratios[contact].is_none() || !self.reaches(contact) {
                    self.disarm(contact, None, &mut active)?;
                }
            }
            let jumps = self.records.jumps;
            self.impacts(&mut active)?;
            for event in
                self.events_struck(&active).into_iter().filter(|event| !struck.contains(event))
            {
                self.declared(event, &mut active)?;
            }
            self.complete_turns(&mut active)?;
            self.look_again(jumps)?;
        }
        let has_jumped = self.records.jumps != jumps;
        self.select_mode(&active, has_jumped)?;
        self.depart(if has_jumped { &due } else { &[] })
    }

    /// Events whose guard is the gap of a contact that has been struck.
    fn events_struck(&self, active: &ActiveContacts) -> Vec<usize> {
        let guards = &self.events.guards;
        let is_struck = |event: &usize| {
            guards.struck_with(*event).is_some_and(|GapGuard { contact, rises }| {
                let side = if rises { -1.0 } else { 1.0 };
                let fires = guards.rule(guards.of_event(*event)).fires(side, 0.0);
                fires && active.ratios[contact].is_some()
            })
        };
        guards.of_struck().filter(is_struck).collect()
    }

    /// Whether one of these events resets the state.
    fn resets(&self, events: &[usize]) -> bool {
        events.iter().any(|event| self.system.info().events[*event].resets)
    }

    /// Declared events that the motion carries to zero right after this instant, by less than can be told.
    fn due_next(&mut self) -> Result<Vec<usize>, End> {
        let mut waiting = self.events.waiting();
        if !waiting.is_empty() {
            self.restart()?;
            let together = self.simultaneous();
            waiting.retain(|event| self.events.reaches_zero(&self.flow, *event, together));
        }
        Ok(waiting)
    }

    /// Those fire with this instant that its jumps keep from crossing by themselves.
    fn fire_turned(
        &mut self,
        next: Vec<usize>,
        due: &mut Vec<usize>,
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        if next.is_empty() {
            return Ok(());
        }
        self.evaluate_within()?;
        self.restart()?;
        let together = self.simultaneous();
        for event in next {
            if self.events.is_kept(&self.flow, event, together) {
                due.push(event);
                self.declared(event, active)?;
            }
        }
        Ok(())
    }

    /// Events that have fired go to where the motion after the jumps takes them; others at zero that go to where they
    /// are leave it.
    fn depart(&mut self, due: &[usize]) -> Result<(), End> {
        let mut others = self.events.at_zero();
        others.retain(|event| !due.contains(event));
        if due.is_empty() && others.is_empty() {
            return Ok(());
        }
        self.restart()?;
        for &event in due {
            if self.events.depart(&self.flow, event) {
                return Err(self.accumulates(event));
            }
        }
        for event in others {
            self.events.turns_back(&self.flow, event);
        }
        Ok(())
    }

    /// The resets of an event turn its guard back without end.
    pub(super) fn accumulates(&self, event: usize) -> End {
        End::AccumulatingEvent { t: self.t(), event: self.system.info().events[event].name }
    }

    /// An open contact that is not armed does not touch: its gap passes zero.
    pub(super) fn disarm(
        &mut self,
        contact: usize,
        located: Option<usize>,
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        if self.is_armed(contact) {
            return Ok(());
        }
        let (value, rounding) = (self.events.values[contact], self.events.roundings[contact]);
        let near = value.abs() <= rounding || active.at_zero[contact] && value > 0.0;
        let sign = match located {
            Some(located) if located == contact => -1.0,
            _ if near => {
                let gap = self.gap_rate(contact)?;
                // One that stays at zero, or falls from there, passes nothing where it is behind already.
                if gap.rate > gap.tolerance { 1.0 } else { -1.0 }
            }
            _ => value.signum(),
        };
        self.events.guards.pass(contact, value, sign, near || located == Some(contact));
        active.at_zero[contact] = false;
        Ok(())
    }

    /// Whether a contact can fire at the base point.
    pub(super) fn is_armed(&self, contact: usize) -> bool {
        if !self.system.info().contacts[contact].is_conditional() {
            return true;
        }
        self.reaches(contact) && self.is_armed_at(contact)
    }

    /// Whether the surface of a contact reaches as far as the base point. One that has been struck there was armed, and its
    /// impacts accumulate whatever conditions of velocities do behind them.
    fn reaches(&self, contact: usize) -> bool {
        !self.moment.ended.contains(&contact) && !self.is_beyond(contact)
    }

    /// Closed contacts are no longer held: jumps may move them. Their guards are gaps again.
    pub(super) fn release(&mut self) -> Result<(), End> {
        if self.mode.is_free() {
            return Ok(());
        }
        let free = Mode::default();
        self.flow.set_mode(&free, &self.slip.state);
        self.events.guards.set_mode(&free, &self.slip.state);
        self.evaluate_within()
    }

    /// Values and sides of the guards are those before these jumps, if there were any since.
    pub(super) fn look_again(&mut self, jumps: usize) -> Result<(), End> {
        if self.records.jumps != jumps {
            let before = self.events.values.clone();
            self.evaluate_within()?;
            self.take_sides(&before);
        }
        Ok(())
    }

    /// Sides of the declared events anew whose guards have jumped from these values. The others are on their sides,
    /// however near to zero they are: one may cross later than this instant by less than can be told.
    fn take_sides(&mut self, before: &[f64]) {
        let Events { guards, values, roundings, .. } = &mut self.events;
        guards.jump(before, values, roundings);
    }

    /// Whether a contact is closed or carried: it stays so until it opens or its surface ends.
    pub(super) fn is_held(&self, contact: usize) -> bool {
        self.mode.is_closed(contact) || self.events.guards.is_carried(contact)
    }

    /// Whether a gap is zero to rounding at the base point.
    pub(super) fn is_at_zero(&self, contact: usize) -> bool {
        self.events.values[contact] <= self.events.roundings[contact] && !self.is_behind(contact)
    }

    /// Whether a contact that was not armed has passed zero, and not come back: armed or not, it does not touch.
    pub(super) fn is_behind(&self, contact: usize) -> bool {
        let Events { guards, values, roundings, .. } = &self.events;
        guards.side(contact).sign < 0.0 && values[contact] < -roundings[contact]
    }

    /// Whether a contact that leaves is still where it began to: a root is solved in t, and what is left of its gap
    /// may be more than rounding of the gap.
    pub(super) fn has_not_left(&self, contact: usize, gap: f64) -> bool {
        let Events { guards, roundings, .. } = &self.events;
        let side = guards.side(contact);
        side.leaving && side.sign > 0.0 && gap <= guards.floor(contact) + roundings[contact]
    }

    /// Times that differ by less cannot be told apart: 8 of the last root's resolutions or 16 ε|t|, whichever is longer.
    /// All methods find roots to that, so they find the same contacts to close together, and the same events with them.
    /// Roots are parts of a step: where t is large, and what moves a guard is the motion alone, they are told to more than t is.
    fn simultaneous(&self) -> Simultaneous {
        let resolution = self.events.arc.resolution();
        let told = SIMULTANEOUS_ROOTS * resolution;
        let by_time = SIMULTANEOUS_TIMES * f64::EPSILON * self.t().abs();
        let late = LATE * resolution / RESOLUTION;
        Simultaneous { by_motion: told.max(by_time.min(late)), by_time: told.max(by_time) }
    }

    /// Whether a gap that is still open closes at a time that cannot be told from this one.
    fn closes_at_once(&mut self, contact: usize) -> Result<bool, End> {
        let simultaneous = self.simultaneous();
        let Self { events, flow, .. } = self;
        let resolution = events.not_told_apart(flow, contact, simultaneous);
        // In a short part of a step no gap falls by more than a small part of what it has had there.
        let is_short = resolution <= NEAR * NEAR.sqrt() * self.flow.step_size();
        let rate = self.gap_rate(contact)?.rate;
        let Events { arc, values, .. } = &self.events;
        // A flight of one step is at zero at both ends of it, and was not between.
        let of_flight = -rate * arc.resolution() / RESOLUTION;
        if is_short && values[contact] > NEAR * arc.largest(contact).max(of_flight) {
            return Ok(false);
        }
        Ok(values[contact] <= -rate * resolution)
    }

    /// A gap that closes, or else a declared event that comes to zero, at a time that cannot be told from the end of the
    /// last step, h long.
    pub(super) fn reached_at_end(&mut self, h: f64) -> Result<Option<usize>, End> {
        if self.events.guards.count() == 0 {
            return Ok(None);
        }
        self.laws.probe.begin();
        self.events.arc.begin_resolution(h, self.is_of_moment());
        self.events.arc.measure(&self.flow, &self.flow.base.y, &self.flow.base.y);
        self.evaluate_within()?;
        for contact in 0..self.system.info().contacts.len() {
            let is_watched = !self.is_held(contact) && !self.is_behind(contact);
            let leaves = self.events.guards.side(contact).leaving;
            if is_watched && !leaves && self.is_armed(contact) && self.strikes_at_once(contact)? {
                return Ok(Some(contact));
            }
        }
        let (mut waiting, together) = (self.events.waiting(), self.simultaneous());
        if !waiting.is_empty() {
            self.restart()?;
            waiting.retain(|event| self.events.crosses_within(&self.flow, *event, together));
        }
        Ok(waiting.first().map(|event| self.events.guards.of_event(*event)))
    }

    /// Declared events that come to zero at a time that cannot be told from this instant.
    pub(super) fn pass_events_at_once(&mut self) -> Result<(), End> {
        let (mut waiting, together) = (self.events.waiting(), self.simultaneous());
        if waiting.is_empty() {
            return Ok(());
        }
        self.restart()?;
        waiting.retain(|event| self.events.crosses_within(&self.flow, *event, together));
        let mut active = ActiveContacts::new(self.system.info().contacts.len());
        waiting.into_iter().try_for_each(|event| self.declared(event, &mut active))
    }

    /// Whether a gap closes at once, and its crossing can be told from a graze.
    fn strikes_at_once(&mut self, contact: usize) -> Result<bool, End> {
        let gap = self.gap_rate(contact)?;
        let closes = gap.rate < -gap.tolerance && self.closes_at_once(contact)?;
        Ok(closes && self.check_dip(contact).is_ok())
    }

    /// Whether a gap that is zero here to its rounding closes beyond that, and is not seen to on a step h in which it moves by little
    /// more: one that was left here, as by a stop.
    pub(super) fn closes_clearly(
        &mut self,
        guard: usize,
        (h, rounding): (f64, f64),
    ) -> Result<bool, End> {
        let Some(contact) = self.events.guards.gap(guard) else { return Ok(false) };
        if !self.is_armed(contact) {
            return Ok(false);
        }
        let gap = self.gap_rate(contact)?;
        if gap.rate >= -gap.tolerance || -gap.rate * h > FEW * rounding {
            return Ok(false);
        }
        let acceleration = self.gap_acceleration(contact);
        Ok(acceleration <= 0.0 || gap.rate * gap.rate > 2.0 * acceleration * rounding)
    }

    /// The same of a declared event: one that comes to its root with another thing, and that the step from there hardly moves. Its
    /// slope leads through, and is no rest of a graze.
    pub(super) fn goes_through(
        &mut self,
        guard: usize,
        (h, rounding): (f64, f64),
    ) -> Result<bool, End> {
        let Some(event) = self.events.guards.event(guard) else { return Ok(false) };
        self.restart()?;
        self.evaluate_guards()?;
        let Some(rate) = self.events.rate_through(&self.flow, event) else { return Ok(false) };
        let size = self.flow.step_size().max(self.flow.first_step());
        let [_, bend] = self.events.rates_over(&mut self.flow, guard, LITTLE * size);
        let is_slope = rate * rate > FEW * bend.abs() * rounding;
        Ok(is_slope && rate.abs() * h <= FEW * rounding)
    }

    /// A gap would dip below zero by ġ²/(2g̈) and come back; so does the guard of an event. Where that is within its rounding
    /// the crossing cannot be told from a graze.
    fn check_dip(&mut self, guard: usize) -> Result<(), End> {
        let guards = &self.events.guards;
        let mut rounding = self.events.roundings[guard];
        let (rate, acceleration) = if let Some(contact) = guards.gap(guard) {
            let gap = self.gap_rate(contact)?;
            // A step h resolves g̈, which is of the size of the terms of the gap over h², and these of ρ/ε: the dip is deep
            // where the gap falls by much more than ρ/√ε within the step.
            if gap.rate >= 0.0 || -gap.rate * self.flow.step_size() > DEEP * rounding {
                return Ok(());
            }
            (gap.rate, self.gap_acceleration(contact))
        } else if guards.event(guard).is_some() {
            // Steps to what is near a graze are short.
            let size = self.flow.step_size().max(self.flow.first_step());
            let rate = self.events.rate_over(&self.flow, guard, SLIGHTLY * size);
            if rate.abs() * size > DEEP * rounding {
                return Ok(());
            }
            rounding = self.events.rounding_of_dip(&self.flow, guard);
            self.events.rates_over(&mut self.flow, guard, LITTLE * size).into()
        } else {
            return Ok(());
        };
        if rate * acceleration < 0.0 && rate * rate <= 2.0 * acceleration.abs() * rounding {
            let (t, guard, value) =
                (self.t(), self.events.guards.name(guard), self.events.values[guard]);
            return Err(End::UnresolvedEvent { t, guard, value, rounding });
        }
        Ok(())
    }

    /// One declared event.
    fn declared(&mut self, event: usize, active: &mut ActiveContacts) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        if self.system.info().events[event].resets {
            let (mut q, mut v) = (before.q.clone(), before.v.clone());
            self.system.reset(event, t, &mut q, &mut v, &self.inputs);
            self.changed_by_reset(&before, (&q, &v));
            self.flow.jump(&q, &v).map_err(|stuck| stuck.end(t))?;
            self.records.jumps += 1;
            self.check_energy()?;
            self.evaluate_guards()?;
            self.check_penetration(active)?;
        }
        self.records.stats.events += 1;
        self.record(EventKind::Declared { event }, &before)
    }

    /// A reset may not put the state where the energy has no value.
    pub(super) fn check_energy(&self) -> Result<(), End> {
        let (t, (q, v)) = (self.t(), self.flow.base.parts());
        match self.system.energy(t, q, v).lost(self.system.info()) {
            Some((part, _)) => Err(End::NonFinite { t, what: format!("the {part} after a reset") }),
            None => Ok(()),
        }
    }

    /// A reset may not put the state behind a contact; one that it lifts touches no more.
    pub(super) fn check_penetration(&mut self, active: &mut ActiveContacts) -> Result<(), End> {
        let t = self.t();
        let floors = self.options.floors(self.system.info());
        for (contact, info) in self.system.info().contacts.iter().enumerate() {
            let is_held = self.is_held(contact) && !self.ends(contact, None);
            let is_armed = self.is_armed(contact);
            if !(is_armed || is_held) || self.is_behind(contact) {
                active.at_zero[contact] = false;
                continue;
            }
            let (q, _) = self.flow.base.parts();
            let scale = self.laws.probe.gap_scale(self.system, contact, t, q, &floors);
            let (gap, tolerance) =
                (self.events.values[contact], self.options.start_tolerance * scale);
            if is_armed && gap < -tolerance {
                return Err(End::Penetrates { t, contact: info.name, gap, tolerance });
            }
            active.at_zero[contact] &= gap.abs() <= tolerance;
        }
        Ok(())
    }

    /// An instant begins, at which the force of this contact has fallen through zero.
    pub(super) fn arrive(&mut self, opening: Option<usize>) -> Result<(), End> {
        let t = self.t();
        let resolution = self.resolution_of_time();
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

    /// Times that differ by no more are one moment.
    pub(super) fn resolution_of_time(&self) -> f64 {
        ROUNDINGS * f64::EPSILON * (self.t().abs() + self.flow.first_step())
    }

    /// Whether this time cannot be told from the last instant.
    pub(super) fn is_of_moment(&self) -> bool {
        self.moment.is_at(self.t(), self.resolution_of_time())
    }

    /// The mode at this moment cannot be told: the contacts that touch.
    pub(super) fn undecided(&self) -> End {
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
