//! An instant: the jumps at one time, in their order, and what the contacts do afterwards.

use super::IMPACTS_AT_ONCE_MAX;
use super::arc::NEAR;
use super::automaton::Automaton;
use crate::end::End;
use crate::error::ImpactError;
use crate::trajectory::{Event, EventKind};

/// What of a bounce is not resolved: its height, in units of ρ of the gap, and its flight, in units
/// of ε·t.
const GAP_ROUNDING: f64 = 8.0;
const TIME_ROUNDING: f64 = 64.0;

/// A ratio of gap rates below this is a law's zero: no series of bounces.
const RATIO_ZERO: f64 = 1e-6;

/// Contacts at one instant.
#[derive(Debug, Default)]
pub(super) struct Touching {
    /// Whether each contact is at g ≈ 0.
    at_zero: Vec<bool>,
    /// ġ⁺/|ġ⁻| of its last impact at this instant.
    ratios: Vec<Option<f64>>,
    impacts: usize,
}

impl Automaton<'_> {
    /// The first instant: contacts within the tolerance of the start are touching.
    pub(crate) fn begin(&mut self) -> Result<(), End> {
        let t = self.t();
        self.flow.restart().map_err(|stuck| stuck.end(t))?;
        self.arc.measure(&self.flow, &self.flow.base.y, &self.flow.base.y);
        self.evaluate_guards()?;
        let contacts = self.system.info().contacts.len();
        let floors = self.options.floors(self.system.info());
        let mut touching = Touching::new(contacts);
        for contact in 0..contacts {
            let (q, _) = self.flow.base.parts();
            let scale = self.probe.gap_scale(self.system, contact, t, q, &floors);
            touching.at_zero[contact] =
                self.values[contact] <= self.options.start_tolerance * scale;
        }
        self.guards.reset(&self.values, &self.roundings);
        let jumps = self.jumps;
        self.impacts(&mut touching)?;
        self.look_again(jumps)?;
        self.separate(&touching)
    }

    /// What happens at the base point, where the guard `located` has just been found to cross.
    pub(super) fn instant(&mut self, located: usize) -> Result<(), End> {
        self.probe.begin();
        self.evaluate_guards()?;
        let contacts = self.system.info().contacts.len();
        let mut touching = Touching::new(contacts);
        for contact in 0..contacts {
            self.guards.set_leaving(contact, false);
            touching.at_zero[contact] =
                contact == located || self.is_at_zero(contact) || self.closes_at_once(contact)?;
        }
        self.check_dip(located)?;
        let due = self.guards.cross(Some(located), &self.values, &self.roundings);
        let jumps = self.jumps;
        self.impacts(&mut touching)?;
        for event in due {
            self.declared(event)?;
        }
        if self.jumps != jumps {
            self.evaluate_guards()?;
            self.guards.reset(&self.values, &self.roundings);
            for contact in 0..contacts {
                touching.at_zero[contact] |= self.is_at_zero(contact);
            }
            let jumps = self.jumps;
            self.impacts(&mut touching)?;
            self.look_again(jumps)?;
        }
        self.separate(&touching)
    }

    /// Values and sides of the guards are those before these jumps, if there were any since.
    fn look_again(&mut self, jumps: usize) -> Result<(), End> {
        if self.jumps != jumps {
            self.evaluate_guards()?;
            self.guards.reset(&self.values, &self.roundings);
        }
        Ok(())
    }

    /// Whether a gap is zero to rounding at the base point.
    fn is_at_zero(&self, contact: usize) -> bool {
        self.values[contact] <= self.roundings[contact]
    }

    /// Whether a gap that is still open closes at a time that cannot be told from this one.
    fn closes_at_once(&mut self, contact: usize) -> Result<bool, End> {
        if self.values[contact] > NEAR * self.arc.largest(contact) {
            return Ok(false);
        }
        let rate = self.gap_rate(contact)?.rate;
        Ok(self.values[contact] <= -rate * self.arc.resolution())
    }

    /// The gap would dip below zero by ġ²/(2g̈) and come back. Where that is within its rounding
    /// the crossing cannot be told from a graze.
    fn check_dip(&mut self, guard: usize) -> Result<(), End> {
        let Some(contact) = self.guards.contact(guard) else { return Ok(()) };
        let (gap, rounding) = (self.gap_rate(contact)?, self.roundings[contact]);
        // A step resolves g̈: where the gap falls much farther in a small part of it there is none.
        if gap.rate >= 0.0 || -gap.rate * NEAR * self.flow.step_size > rounding {
            return Ok(());
        }
        let (acceleration, _) = self.gap_acceleration(contact, gap);
        if acceleration > 0.0 && gap.rate * gap.rate <= 2.0 * acceleration * rounding {
            let (t, guard, value) = (self.t(), self.guards.name(guard), self.values[contact]);
            return Err(End::UnresolvedEvent { t, guard, value, rounding });
        }
        Ok(())
    }

    /// Impacts of the touching contacts whose gaps are closing, until none is.
    fn impacts(&mut self, touching: &mut Touching) -> Result<(), End> {
        let contacts = touching.at_zero.len();
        loop {
            let mut closing = None;
            for contact in (0..contacts).filter(|&c| touching.at_zero[c]) {
                let gap = self.gap_rate(contact)?;
                if gap.rate < -gap.tolerance {
                    closing = Some(contact);
                    break;
                }
            }
            let Some(contact) = closing else { return Ok(()) };
            touching.ratios[contact] = Some(self.impact(contact)?);
            touching.impacts += 1;
            if touching.impacts > IMPACTS_AT_ONCE_MAX * contacts {
                let ratio = touching.ratios[contact].unwrap_or(0.0);
                return Err(self.accumulation(contact, ratio, self.t()));
            }
        }
    }

    /// One impact. Returns ġ⁺/|ġ⁻|.
    fn impact(&mut self, contact: usize) -> Result<f64, End> {
        let (t, before) = (self.t(), self.flow.base.state());
        let name = self.system.info().contacts[contact].name;
        let law = self.options.law.unwrap_or_else(|| self.system.law(contact));
        let mut v = before.v.clone();
        let rates = (self.map.load(self.system, contact, t, &before.q))
            .and_then(|()| self.map.apply(self.system, law, &mut v))
            .map_err(|error| match error {
                ImpactError::LeavesGapClosing { rate } => {
                    End::LawLeavesGapClosing { t, contact: name, rate }
                }
                error => End::ImpossibleImpact { t, contact: name, error },
            })?;
        self.flow.jump(&before.q, &v).map_err(|stuck| stuck.end(t))?;
        self.jumps += 1;
        self.stats.impacts += 1;
        let kind = EventKind::Impact {
            contact,
            rate_minus: rates.minus,
            rate_plus: rates.plus,
            dropped: self.map.dropped().to_vec(),
        };
        self.record(kind, before)?;
        Ok(rates.plus / rates.minus.abs())
    }

    /// One declared event.
    fn declared(&mut self, event: usize) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        if self.system.info().events[event].resets {
            let (mut q, mut v) = (before.q.clone(), before.v.clone());
            self.system.reset(event, t, &mut q, &mut v, self.inputs);
            self.flow.jump(&q, &v).map_err(|stuck| stuck.end(t))?;
            self.jumps += 1;
            self.evaluate_guards()?;
            self.check_penetration()?;
        }
        self.stats.events += 1;
        self.record(EventKind::Declared { event }, before)
    }

    /// Keeps an event that led from `before` to the base point, and ends the run where that was
    /// the last one allowed.
    fn record(&mut self, kind: EventKind, before: crate::State) -> Result<(), End> {
        let after = self.flow.base.state();
        let t = before.t;
        self.events.push(Event {
            t,
            kind,
            q_minus: before.q,
            v_minus: before.v,
            q_plus: after.q,
            v_plus: after.v,
        });
        let impacts = self.stats.impacts;
        if self.options.until_impacts.is_some_and(|wanted| impacts >= wanted) {
            return Err(End::ReachedImpacts { t, impacts });
        }
        if self.events.len() >= self.options.events_max {
            return Err(End::EventBudget { t, events: self.events.len() });
        }
        Ok(())
    }

    /// A reset may not put the state behind a contact.
    fn check_penetration(&mut self) -> Result<(), End> {
        let t = self.t();
        let floors = self.options.floors(self.system.info());
        for (contact, info) in self.system.info().contacts.iter().enumerate() {
            let (q, _) = self.flow.base.parts();
            let scale = self.probe.gap_scale(self.system, contact, t, q, &floors);
            let (gap, tolerance) = (self.values[contact], self.options.start_tolerance * scale);
            if gap < -tolerance {
                return Err(End::Penetrates { t, contact: info.name, gap, tolerance });
            }
        }
        Ok(())
    }

    /// What the touching contacts do from here on: leave, or end the run.
    fn separate(&mut self, touching: &Touching) -> Result<(), End> {
        let at_rest = self.is_at_rest();
        if at_rest && self.options.until_time.is_none() {
            return Err(End::AtRest { t: self.t() });
        }
        for contact in (0..touching.at_zero.len()).filter(|&c| touching.at_zero[c]) {
            let gap = self.gap_rate(contact)?;
            let (acceleration, rounding) = self.gap_acceleration(contact, gap);
            let ratio = touching.ratios[contact];
            if gap.rate > gap.tolerance {
                if let Some(ratio) = ratio.filter(|_| acceleration < -rounding) {
                    self.check_flight(contact, ratio, gap.rate, -acceleration)?;
                }
            } else if acceleration <= rounding && !at_rest {
                return Err(match ratio {
                    Some(ratio) if ratio > RATIO_ZERO => {
                        self.accumulation(contact, ratio, self.t())
                    }
                    _ => End::ContactStaysClosed {
                        t: self.t(),
                        contact: self.system.info().contacts[contact].name,
                        acceleration,
                    },
                });
            }
            self.guards.set_leaving(contact, true);
        }
        Ok(())
    }

    /// Ends the run where the flight after an impact is below rounding: with fall = −g̈ it lasts
    /// 2ġ⁺/fall and rises to ġ⁺²/(2 fall).
    fn check_flight(
        &mut self,
        contact: usize,
        ratio: f64,
        rate: f64,
        fall: f64,
    ) -> Result<(), End> {
        let t = self.t();
        let (flight, apex) = (2.0 * rate / fall, rate * rate / (2.0 * fall));
        let resolved = flight > TIME_ROUNDING * f64::EPSILON * t.abs()
            && apex > GAP_ROUNDING * self.roundings[contact];
        if resolved {
            return Ok(());
        }
        let limit = if ratio < 1.0 { t + flight / (1.0 - ratio) } else { f64::INFINITY };
        Err(self.accumulation(contact, ratio, limit))
    }

    fn accumulation(&self, contact: usize, ratio: f64, limit: f64) -> End {
        let contact = self.system.info().contacts[contact].name;
        End::ImpactsAccumulate { t: self.t(), contact, ratio, limit }
    }
}

impl Touching {
    fn new(contacts: usize) -> Self {
        Self { at_zero: vec![false; contacts], ratios: vec![None; contacts], impacts: 0 }
    }
}
