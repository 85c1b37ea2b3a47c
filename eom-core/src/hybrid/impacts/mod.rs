//! Impacts at one instant: one contact after the other where each is alone, several together where
//! they touch.

mod collision;
mod lasting;
pub(super) mod laws;
mod sequence;
mod simple_impact;
pub(crate) mod together;

use self::collision::Participant;
use self::laws::Laws;
use self::sequence::{
    Accumulated, Blow, Order, Outcome, SEQUENCE_MAX, Sequencer, Touch, undecided_order,
};
use super::IMPACTS_AT_ONCE_MAX;
use super::accumulation::flight::RATIO_MARGIN;
use super::automaton::{Automaton, no_metric};
use super::mode::active_contacts::ActiveContacts;
use super::mode::admissible::NoSet;
use super::mode::contact::GapRate;
use crate::error::ImpactError;
use crate::info::Impacts;
use crate::system::Law;
use crate::trajectory::end::End;
use crate::trajectory::event::{EventKind, Hit};
use eom_elementary::order;

/// The part of its mean rate on a step by which a gap falls still at its root, where its row is looked at.
const SLOWED: f64 = 1e-2;

/// Contacts with their gap rates.
type Gaps = Vec<(usize, GapRate)>;

impl Automaton<'_> {
    /// Impacts of the touching contacts whose gaps are closing, until none is.
    pub(super) fn impacts(&mut self, active: &mut ActiveContacts) -> Result<(), End> {
        loop {
            let (closing, resting) = self.approaching(active)?;
            let [first, others @ ..] = closing.as_slice() else { return Ok(()) };
            let allowed = IMPACTS_AT_ONCE_MAX * active.at_zero.len();
            if active.impacts > 2 * allowed {
                let closing = closing.iter().map(|(contact, _)| *contact);
                return Err(self.impossible(closing, NoSet::Impossible));
            }
            active.collapses = active.impacts > allowed;
            if active.collapses && closing.iter().any(|(contact, _)| self.gives_all_back(*contact))
            {
                return Err(self.endless(&closing));
            }
            let single = closing.iter().find(|(contact, _)| self.is_single(*contact));
            let alone = others.is_empty() && resting.is_empty();
            let alone = single.or(alone.then_some(first)).filter(|_| !active.collapses);
            let mut all = closing.iter().chain(&resting);
            if single.is_none() && self.has_friction_among(&closing, &resting) {
                self.collide_with_friction(&closing, &resting, active)?;
            } else if let Some(&(contact, _)) = alone {
                self.impact(contact, active)?;
            } else if all.any(|(contact, _)| self.is_sequential(*contact)) {
                self.impacts_in_turn(active)?;
            } else if resting.is_empty() || !self.complete_turns(active)? {
                // Of contacts in turn, one that rests only since it was struck just before is none that bears.
                self.collide(&closing, &resting, active)?;
            }
        }
    }

    /// What comes to a surface has to have its normal there: where the gap falls far slower at its root than on the way to it, it
    /// is asked whether it can be told.
    pub(super) fn check_row(&mut self, contact: usize) -> Result<(), End> {
        let (t, rate) = (self.t(), self.gap_rate(contact)?.rate.abs());
        if rate * self.events.arc.way > SLOWED * self.events.arc.largest(contact) {
            return Ok(());
        }
        let Self { system, flow, events, laws, .. } = self;
        let (q, _) = flow.base.parts();
        let u = events.arc.uncertainties()[..q.len()].iter().fold(0.0, |u: f64, told| u.max(*told));
        if laws.probe.has_row(*system, contact, (t, q), u) {
            return Ok(());
        }
        Err(End::DependentRows { t, rows: self.names(vec![contact]) })
    }

    /// Whether a contact is struck alone where several are struck.
    fn is_sequential(&self, contact: usize) -> bool {
        self.system.info().contacts[contact].impacts == Some(Impacts::Sequential)
    }

    /// The sequence of impacts in which no contact is left that closes.
    fn impacts_in_turn(&mut self, active: &mut ActiveContacts) -> Result<(), End> {
        let (t, start) = (self.t(), self.flow.base.state());
        self.laws.collision.load(self.system, &start).map_err(|error| no_metric(t, error))?;
        let touches = active.contacts().filter_map(|contact| {
            let touch = Touch::of(self.system, contact, self.law(contact))?;
            let plastic = active.collapses;
            Some(if plastic { Touch { restitution: [0.0; 2], ..touch } } else { touch })
        });
        let touches: Vec<Touch> = touches.collect();
        let budget = (IMPACTS_AT_ONCE_MAX * touches.len()).min(SEQUENCE_MAX);
        let Self { laws: Laws { collision, probe, .. }, .. } = self;
        let speed = probe.speed().max(collision.norm(&start.v));
        let widening = active.widening();
        let mut sequencer = Sequencer { collision, touches: &touches, speed, widening, budget };
        let made = sequencer.run(&start.v, Order::default());
        if let Some(contacts) = undecided_order(&mut sequencer, &start.v, &made) {
            return Err(End::UndecidedOrder { t, contacts: self.names(contacts) });
        }
        for blow in made.blows {
            self.take_blow(blow, active)?;
        }
        match made.outcome {
            Outcome::Ends => Ok(()),
            Outcome::Endless(contacts) => {
                Err(End::EndlessImpacts { t, contacts: self.names(contacts) })
            }
            Outcome::Impossible(contacts, why) => Err(self.impossible(contacts.into_iter(), why)),
        }
    }

    /// One impact of a sequence.
    fn take_blow(&mut self, blow: Blow, active: &mut ActiveContacts) -> Result<(), End> {
        let Blow { hits, velocity, accumulates } = blow;
        self.take_hits(hits, &velocity, active)?;
        let Some(Accumulated { contacts, ratio, impacts }) = accumulates else { return Ok(()) };
        let [contact, others @ ..] = contacts.as_slice() else { return Ok(()) };
        let kind = EventKind::Accumulation {
            contact: *contact,
            others: others.to_vec(),
            ratio,
            impacts,
            height: 0.0,
            duration: 0.0,
        };
        let state = self.flow.base.state();
        self.record(kind, &state)
    }

    fn names(&self, contacts: Vec<usize>) -> Vec<&'static str> {
        contacts.into_iter().map(|contact| self.system.info().contacts[contact].name).collect()
    }

    /// Whether impacts of a contact take no energy: what never falls does not accumulate.
    fn gives_all_back(&self, contact: usize) -> bool {
        self.law(contact).restitutions().is_some_and(|[_, e, _]| e > 1.0 - RATIO_MARGIN)
    }

    fn endless(&self, closing: &[(usize, GapRate)]) -> End {
        let contacts = self.names(closing.iter().map(|gap| gap.0).collect());
        End::EndlessImpacts { t: self.t(), contacts }
    }

    /// Whether a contact's impact has a meaning by itself only.
    fn is_single(&self, contact: usize) -> bool {
        Touch::of(self.system, contact, self.law(contact)).is_none()
    }

    /// The law of a contact in this run.
    pub(super) fn law(&self, contact: usize) -> Law {
        self.options.law.unwrap_or_else(|| self.system.law(contact))
    }

    /// Of the touching contacts those whose gaps are closing, and those whose gaps do not change.
    fn approaching(&mut self, active: &ActiveContacts) -> Result<(Gaps, Gaps), End> {
        let (mut closing, mut resting) = (Vec::new(), Vec::new());
        for contact in active.contacts() {
            let gap = self.rate_at_instant(contact, active)?;
            if gap.rate < -gap.tolerance {
                closing.push((contact, gap));
            } else if gap.rate <= gap.tolerance {
                resting.push((contact, gap));
            }
        }
        Ok((closing, resting))
    }

    /// The impact of one contact that nothing else touches.
    fn impact(&mut self, contact: usize, active: &mut ActiveContacts) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        let name = self.system.info().contacts[contact].name;
        let law = self.law(contact);
        let mut v = before.v.clone();
        let rates = (self.laws.map.load(self.system, contact, t, &before.q))
            .and_then(|()| self.laws.map.apply(self.system, law, &mut v))
            .map_err(|error| match error {
                ImpactError::LeavesGapClosing { rate } => {
                    End::LawLeavesGapClosing { t, contact: name, rate }
                }
                error => End::ImpossibleImpact { t, contact: name, error },
            })?;
        let impulse = self.laws.map.impulse(&before.v, &v);
        let changed = (rates.plus - rates.minus, impulse);
        self.changed_by_impact((contact, law), (&before.v, &v), changed);
        let info = &self.system.info().contacts[contact];
        let mut q = before.q.clone();
        if !info.relabels.is_empty() {
            let mapped = v.clone();
            self.system.relabel(contact, &mut q, &mut v);
            self.changed_by_names(&mapped, (&q, &v));
        }
        if !(info.releases.is_empty() && info.relabels.is_empty()) {
            self.check_constraints(name, &q, &v)?;
        }
        self.flow.jump(&q, &v).map_err(|stuck| stuck.end(t))?;
        self.records.jumps += 1;
        self.records.stats.impacts += 1;
        if info.relabels.is_empty() {
            active.struck(contact, rates.minus, rates.plus);
            self.accumulation.follow(contact, t, [rates.minus, rates.plus]);
        } else {
            active.impacts += 1;
            self.renamed(active)?;
        }
        let kind = EventKind::Impact {
            contact,
            rate_minus: rates.minus,
            rate_plus: rates.plus,
            impulse,
            dropped: self.laws.map.dropped().to_vec(),
            others: Vec::new(),
        };
        self.record(kind, &before)
    }

    /// The constraints that a contact has released must hold again after it, with the names that
    /// it leaves.
    fn check_constraints(
        &mut self,
        contact: &'static str,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), End> {
        let t = self.t();
        let violations = self.flow.violations(q, v, self.options.start_tolerance);
        let violations = violations.map_err(|error| no_metric(t, error))?;
        let Some(violation) = violations.first() else { return Ok(()) };
        let rows = self.system.info().rows;
        let row = rows.iter().position(|row| row.name == violation.name).unwrap_or(0);
        let error = ImpactError::LeavesConstraint { row, residual: violation.value };
        Err(End::ImpossibleImpact { t, contact, error })
    }

    /// After a change of names other contacts touch, and some no longer can.
    fn renamed(&mut self, active: &mut ActiveContacts) -> Result<(), End> {
        self.accumulation.periods.clear();
        self.evaluate_within()?;
        self.check_penetration(active)?;
        for contact in 0..active.at_zero.len() {
            active.at_zero[contact] |= self.is_at_zero(contact);
            self.disarm(contact, None, active)?;
        }
        Ok(())
    }

    /// The collision of all contacts that touch without separating.
    fn collide(
        &mut self,
        closing: &[(usize, GapRate)],
        resting: &[(usize, GapRate)],
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        let struck = closing.iter().map(|&(contact, gap)| {
            let law = self.law(contact).restitutions().filter(|_| !active.collapses);
            let [_, e, tangential] = law.unwrap_or([0.0; 3]);
            Participant { contact, gap, e, tangential }
        });
        let bearing = resting.iter();
        let bearing =
            bearing.map(|&(contact, gap)| Participant { contact, gap, e: 0.0, tangential: 0.0 });
        let mut participants: Vec<Participant> = struck.chain(bearing).collect();
        order::sort_by_key(&mut participants, |participant| participant.contact);
        self.laws.collision.load(self.system, &before).map_err(|error| no_metric(t, error))?;
        let hits = self.laws.collision.solve(&before.v, &participants);
        let hits =
            hits.map_err(|why| self.impossible(participants.iter().map(|p| p.contact), why))?;
        let v = self.laws.collision.velocity().to_vec();
        self.take_hits(hits, &v, active)
    }

    /// Contacts have taken impulses, which lead to v.
    pub(super) fn take_hits(
        &mut self,
        hits: Vec<Hit>,
        v: &[f64],
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        let touched: Vec<usize> = hits.iter().map(|hit| hit.contact).collect();
        let (struck, bearing): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(|h| h.is_struck);
        let Some((first, others)) = struck.split_first() else {
            return Err(self.impossible(touched.into_iter(), NoSet::Impossible));
        };
        self.flow.jump(&before.q, v).map_err(|stuck| stuck.end(t))?;
        self.records.jumps += 1;
        self.records.stats.impacts += struck.len();
        for hit in &struck {
            active.struck(hit.contact, hit.rate_minus, hit.rate_plus);
            self.accumulation.follow(hit.contact, t, [hit.rate_minus, hit.rate_plus]);
        }
        let kind = EventKind::Impact {
            contact: first.contact,
            rate_minus: first.rate_minus,
            rate_plus: first.rate_plus,
            impulse: first.impulse,
            dropped: Vec::new(),
            others: others.iter().chain(&bearing).copied().collect(),
        };
        self.record(kind, &before)
    }

    /// No impulses or forces ≥ 0 keep these gaps from closing.
    pub(super) fn impossible(&self, contacts: impl Iterator<Item = usize>, why: NoSet) -> End {
        let contacts = self.names(contacts.collect());
        End::ImpossibleContact { t: self.t(), contacts, too_many: why == NoSet::NotFound }
    }
}
