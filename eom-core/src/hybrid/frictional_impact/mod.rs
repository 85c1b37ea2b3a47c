//! Impacts of contacts with friction: which law makes them.
//!
//! ```text
//! Newton               one phase, ġ⁺ ≥ −e ġ⁻               all that touch together      `rough_impact`
//! Poisson, Stronge     a process in the normal impulse     of a contact alone           `impact_process`
//! Poisson              compression and expansion           together with others         `two_phases`
//! Stronge              a process in all of them, by works  together with others         `work_process`
//! ```
//!
//! Newton's law with friction can add energy where slips and normals are coupled (Kane, Levinson 1985), and so can Poisson's:
//! beside what moves by itself that is looked at (`rough_outcome`), and such an impact refused.

mod borne_impact;
mod in_planes;
pub(super) mod phase;
pub(super) mod rough_impact;
mod rough_outcome;
mod single_impact;
mod tangential_impact;
pub(super) mod to_direction;
pub(crate) mod two_phases;

use self::phase::Struck;
use self::rough_impact::{NoOutcome, Outcome, RoughImpact};
use super::automaton::{Automaton, no_metric};
use super::mode::active_contacts::ActiveContacts;
use super::mode::admissible::NoSet;
use super::mode::contact::GapRate;
use crate::error::ImpactError;
use crate::system::Restitution;
use crate::trajectory::end::End;
use eom_elementary::order;

/// How the impact of contacts is made.
#[derive(Debug, Clone, PartialEq)]
enum Manner {
    InOnePhase,
    InTwoPhases,
    /// As a process with this restitution and its e.
    AsProcess(Restitution, f64),
    /// As a process with these e of works.
    ByWorks(Vec<f64>),
}

impl Automaton<'_> {
    /// Whether a contact among these has friction, or bears a force.
    pub(super) fn has_friction_among(
        &self,
        closing: &[(usize, GapRate)],
        resting: &[(usize, GapRate)],
    ) -> bool {
        let terms = || &self.laws.forces.terms;
        let rough =
            |contact: usize| terms().bears(contact) || terms().of_contact(contact).next().is_some();
        self.has_row_friction()
            || self.has_contact_friction() && closing.iter().chain(resting).any(|(c, _)| rough(*c))
    }

    /// The impact of all contacts that touch without separating, some of which have friction; of those that feel it, where
    /// not all laws are Newton's.
    pub(super) fn collide_with_friction(
        &mut self,
        closing: &[(usize, GapRate)],
        resting: &[(usize, GapRate)],
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        let (t, before) = (self.t(), self.flow.base.state());
        let touching = self.taking_part(closing, resting, active)?;
        let impact = RoughImpact::new(self.system, (&before, &self.inputs), &touching);
        let mut impact = impact.map_err(|error| no_metric(t, error))?;
        let mut struck = touching.clone();
        if !self.has_row_friction() && (active.collapses || self.are_newtons(&touching)) {
            struck = impact.pressed();
        } else if !self.has_row_friction() {
            struck = closing.first().map_or(struck, |(contact, _)| impact.reached_from(*contact));
        }
        let mut impact = impact.of(&struck);
        let manner = self.manner(&struck, active)?;
        let outcome = self.outcome_of(&mut impact, manner)?;
        // What declared forces do at an impact is theirs, as it is in motion.
        let bears = struck.iter().any(|struck| impact.terms.bears(struck.contact));
        if let Some(factor) = impact.gain(&outcome.velocity).filter(|_| !bears) {
            return Err(self.adds_energy(struck[0].contact, factor));
        }
        let hits = impact.hits(&outcome);
        self.take_hits(hits, &outcome.velocity, active)
    }

    /// What of the contacts takes part in their impact.
    fn taking_part(
        &self,
        closing: &[(usize, GapRate)],
        resting: &[(usize, GapRate)],
        active: &ActiveContacts,
    ) -> Result<Vec<Struck>, End> {
        let mut struck = Vec::with_capacity(closing.len() + resting.len());
        for &(contact, gap) in closing {
            let [_, e, tangential] = self.restitutions(contact, active)?;
            let of_impulses = self.system.restitution(contact) == Restitution::Poisson;
            let returns = if of_impulses { e } else { 0.0 };
            let newtons = self.is_newtons(contact);
            let target = if newtons { -e * gap.rate } else { 0.0 };
            struck.push(Struck { contact, gap, target, tangential, returns });
        }
        for &(contact, gap) in resting {
            let mut bearing = Struck::bearing(contact, gap);
            if self.system.restitution(contact) == Restitution::Poisson {
                bearing.returns = self.restitutions(contact, active)?[1];
            }
            struck.push(bearing);
        }
        order::sort_by_key(&mut struck, |struck| struck.contact);
        Ok(struck)
    }

    /// e and e_t of a contact, which are 0 where impacts have accumulated.
    fn restitutions(&self, contact: usize, active: &ActiveContacts) -> Result<[f64; 3], End> {
        let (law, name) = (self.law(contact), self.system.info().contacts[contact].name);
        let check = law.check();
        check.map_err(|error| End::ImpossibleImpact { t: self.t(), contact: name, error })?;
        Ok(law.restitutions().filter(|_| !active.collapses).unwrap_or([0.0; 3]))
    }

    fn is_newtons(&self, contact: usize) -> bool {
        self.system.restitution(contact) == Restitution::Newton
    }

    fn are_newtons(&self, struck: &[Struck]) -> bool {
        struck.iter().all(|struck| self.is_newtons(struck.contact))
    }

    /// How the impact of these contacts is made.
    fn manner(&self, struck: &[Struck], active: &ActiveContacts) -> Result<Manner, End> {
        if active.collapses || self.are_newtons(struck) {
            return Ok(Manner::InOnePhase);
        }
        let law = |struck: &Struck| self.system.restitution(struck.contact);
        if let ([only], false) = (struck, self.has_row_friction()) {
            return Ok(Manner::AsProcess(law(only), self.restitutions(only.contact, active)?[1]));
        }
        if struck.iter().any(|one| law(one) == Restitution::Stronge)
            && let Some(restitutions) = self.works(struck, active)?
        {
            return Ok(Manner::ByWorks(restitutions));
        }
        let two = |one: &Struck| one.closes() || law(one) == Restitution::Poisson;
        let two = |one: &&Struck| !self.is_newtons(one.contact) && two(one);
        Ok(if struck.iter().any(|one| two(&one)) {
            Manner::InTwoPhases
        } else {
            Manner::InOnePhase
        })
    }

    /// The e of works of contacts that are struck together by Stronge's law. None where others have another law, and no work
    /// is given back.
    fn works(&self, struck: &[Struck], active: &ActiveContacts) -> Result<Option<Vec<f64>>, End> {
        let info = self.system.info();
        let (mut restitutions, mut returns, mut other) = (Vec::new(), None, None);
        for one in struck {
            let contact = &info.contacts[one.contact];
            let e = self.restitutions(one.contact, active)?[1];
            if self.system.restitution(one.contact) == Restitution::Stronge {
                returns = returns.or((one.closes() && e != 0.0).then_some(contact.name));
            } else if e != 0.0 || !contact.rows.is_empty() {
                other = other.or(Some(contact.name));
            }
            restitutions.push(e);
        }
        let row = || self.laws.forces.terms.of_rows().next().map(|t| info.frictions[t].name);
        match (returns, other.or_else(row)) {
            (_, None) => Ok(Some(restitutions)),
            (None, Some(_)) => Ok(None),
            (Some(contact), Some(other)) => {
                let error = ImpactError::OtherLaw { other };
                Err(End::ImpossibleImpact { t: self.t(), contact, error })
            }
        }
    }

    fn outcome_of(&self, impact: &mut RoughImpact<'_>, manner: Manner) -> Result<Outcome, End> {
        let contacts: Vec<usize> = impact.struck.iter().map(|struck| struck.contact).collect();
        let endless = |error: ImpactError| {
            let contact = self.system.info().contacts[contacts[0]].name;
            End::ImpossibleImpact { t: self.t(), contact, error }
        };
        let made = match manner {
            Manner::AsProcess(law, e) => {
                let made = impact.process((law, e));
                if impact.undecided {
                    return Err(self.undecided_forces(&contacts));
                }
                return made.ok_or_else(|| endless(ImpactError::Endless));
            }
            Manner::ByWorks(restitutions) => {
                let made = impact.by_works(&restitutions);
                return made.ok_or_else(|| endless(ImpactError::EndlessTogether));
            }
            Manner::InOnePhase => impact.solve().map(|mut found| found.swap_remove(0)),
            Manner::InTwoPhases => impact.in_two_phases(),
        };
        let made = match made {
            _ if impact.undecided => return Err(self.undecided_forces(&contacts)),
            made => made,
        };
        made.map_err(|why| match why {
            NoOutcome::TooMany => self.impossible(contacts.iter().copied(), NoSet::NotFound),
            NoOutcome::Several => self.paradox_by(&impact.terms, &contacts, true),
            NoOutcome::None => self.paradox_by(&impact.terms, &contacts, false),
        })
    }

    /// An impact of this contact would multiply the kinetic energy by a factor above 1.
    pub(super) fn adds_energy(&self, contact: usize, factor: f64) -> End {
        let contact = self.system.info().contacts[contact].name;
        End::ImpossibleImpact { t: self.t(), contact, error: ImpactError::AddsEnergy { factor } }
    }
}
