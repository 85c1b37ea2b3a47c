//! What happens where guards cross: the impact of a contact, then the events that fire.

use super::{Runner, Side};
use crate::instant::{Impossible, Instant, Struck};
use crate::motion::Exact;
use crate::number::Real;
use crate::record::What;
use crate::start::to_constraints;
use eom_core::{End, EventCount, ImpactError, Unfollowed};
use eom_symbolic::mechanics::system::declared::Direction;

impl Runner<'_> {
    /// What guards do that cross here.
    pub(super) fn at_crossing(&mut self, guards: &[usize]) -> Result<(), End> {
        self.load()?;
        self.recorder.arc_ends(&self.at, self.instant.value(self.outline.energy));
        let contacts = self.outline.contacts.len();
        let mut falls = Vec::new();
        let mut fired = Vec::new();
        for guard in guards {
            let Side::On(side) = self.sides[*guard] else { continue };
            self.sides[*guard] = Side::Leaving;
            match guard.checked_sub(contacts) {
                None if side > 0 && self.instant.is_armed(&self.outline.contacts[*guard]) => {
                    falls.push(*guard);
                }
                Some(event) if fires(self.outline.events[event].direction, side) => {
                    fired.push(event);
                }
                None | Some(_) => {}
            }
        }
        if let Some(contact) = falls.first() {
            self.struck(*contact)?;
        }
        for event in fired {
            self.declared(event)?;
        }
        Ok(())
    }

    /// The impact of a contact, which nothing else touches.
    pub(super) fn struck(&mut self, contact: usize) -> Result<(), End> {
        let outline = &self.outline.contacts[contact];
        let others = (0..self.outline.contacts.len()).filter(|other| *other != contact);
        let sizes = self.instant.sizes(&self.scales);
        let touches = |other: &usize| {
            let other = &self.outline.contacts[*other];
            let near =
                self.instant.value(other.gap).to_f64().abs() <= self.untold() * sizes[other.gap];
            near && self.instant.is_armed(other)
        };
        if others.into_iter().any(|other| touches(&other)) {
            return Err(self.not_followed(contact, Unfollowed::Together));
        }
        let made = self
            .instant
            .impact(outline, self.options.law)
            .map_err(|why| self.impossible(contact, why))?;
        let Struck { y, rates, impulse, dropped } = made;
        let speed = rates[0].to_f64().abs();
        if rates[1].to_f64() < -self.untold() * speed {
            let name = self.info.contacts[contact].name;
            return Err(End::LawLeavesGapClosing {
                t: self.t(),
                contact: name,
                rate: rates[1].to_f64(),
            });
        }
        self.rebounds[contact] = rates[1].to_f64() > self.untold() * speed;
        self.recorder.stats.impacts += 1;
        let what = What::Impact { contact, rates, impulse, dropped };
        self.jump(what, y)?;
        self.check_rows(contact)?;
        let wanted =
            self.options.until_impacts.filter(|wanted| self.recorder.stats.impacts >= *wanted);
        if let Some(impacts) = wanted {
            return Err(End::ReachedImpacts { t: self.t(), impacts });
        }
        self.budget()
    }

    /// The constraints have to hold after an impact, those that were left out in it too.
    fn check_rows(&self, contact: usize) -> Result<(), End> {
        let half = self.precision.part(self.precision.digits() / 2);
        let broken = self.instant.residuals().into_iter().enumerate();
        let mut broken = broken.filter(|(_, (residual, size))| residual.abs() > half * size);
        let Some((row, (residual, _))) = broken.next() else { return Ok(()) };
        let error = ImpactError::LeavesConstraint { row, residual };
        let contact = self.info.contacts[contact].name;
        Err(End::ImpossibleImpact { t: self.t(), contact, error })
    }

    fn impossible(&self, contact: usize, why: Impossible) -> End {
        let name = self.info.contacts[contact].name;
        match why {
            Impossible::NoValue(why) => self.undefined(why),
            Impossible::Law(ImpactError::LeavesGapClosing { rate }) => {
                End::LawLeavesGapClosing { t: self.t(), contact: name, rate }
            }
            Impossible::Law(error) => End::ImpossibleImpact { t: self.t(), contact: name, error },
        }
    }

    /// A declared event, with its resets.
    fn declared(&mut self, event: usize) -> Result<(), End> {
        self.recorder.stats.events += 1;
        let y = self.instant.reset(event);
        let y = if self.outline.events[event].resets.is_empty() { y } else { self.brought(y)? };
        self.jump(What::Event(event), y)?;
        self.check_gaps()?;
        self.strike_what_closes()?;
        let counts = |of: Option<usize>| of.is_none_or(|of| of == event);
        if self
            .options
            .until_events
            .is_some_and(|EventCount { event, .. }| event.is_some() && counts(event))
        {
            self.counted += 1;
        }
        self.budget()
    }

    /// What a reset leaves beside the constraints is taken away.
    fn brought(&self, y: Vec<Real>) -> Result<Vec<Real>, End> {
        let reset = Exact { t: self.at.t.clone(), y };
        let at = to_constraints(self.outline, self.precision, reset, &self.motion.fixed);
        at.map(|at| at.y).map_err(|why| self.undefined(why))
    }

    /// A contact on whose surface a reset put the state is struck where it closes.
    fn strike_what_closes(&mut self) -> Result<(), End> {
        let closes = (0..self.outline.contacts.len()).find(|index| {
            let contact = &self.outline.contacts[*index];
            let touches = self.sides[*index] == Side::Leaving && self.instant.is_armed(contact);
            touches && self.instant.rate(contact).sign() < 0
        });
        closes.map_or(Ok(()), |contact| self.struck(contact))
    }

    /// Refuses what a reset put behind a contact.
    fn check_gaps(&self) -> Result<(), End> {
        for (index, contact) in self.outline.contacts.iter().enumerate() {
            let gap = self.instant.value(contact.gap);
            if self.sides[index] == Side::On(-1) && self.instant.is_armed(contact) {
                let (contact, gap) = (self.info.contacts[index].name, gap.to_f64());
                return Err(End::Penetrates { t: self.t(), contact, gap, tolerance: 0.0 });
            }
        }
        Ok(())
    }

    /// From the state to another at the same time.
    fn jump(&mut self, what: What, y: Vec<Real>) -> Result<(), End> {
        let before = self.at.clone();
        let guards = self.outline.guards();
        let values = |instant: &Instant<'_>| -> Vec<Real> {
            guards.iter().map(|node| instant.value(*node)).collect()
        };
        let old = values(&self.instant);
        self.at.y = y;
        self.load()?;
        self.recorder.jump(what, &before, &self.at, self.instant.value(self.outline.energy));
        let new = values(&self.instant);
        let sides = self.sides_here();
        for (index, side) in sides.into_iter().enumerate() {
            // A guard that has just crossed and that the jump leaves stays at zero.
            let stays = self.sides[index] == Side::Leaving && old[index] == new[index];
            if !stays {
                self.sides[index] = side;
            }
        }
        Ok(())
    }

    /// Ends that are counted.
    fn budget(&self) -> Result<(), End> {
        let stats = &self.recorder.stats;
        let all = stats.impacts + stats.events;
        if let Some(EventCount { event, count }) = self.options.until_events {
            let reached = if event.is_some() { self.counted } else { all };
            if reached >= count {
                let event = event.map(|event| self.info.events[event].name);
                return Err(End::ReachedEvents { t: self.t(), event, events: count });
            }
        }
        if all >= self.options.events_max {
            return Err(End::EventBudget { t: self.t(), events: all });
        }
        Ok(())
    }
}

/// Whether an event fires that comes from a side.
fn fires(direction: Direction, side: i8) -> bool {
    match direction {
        Direction::Falling => side > 0,
        Direction::Rising => side < 0,
        Direction::Both => true,
    }
}
