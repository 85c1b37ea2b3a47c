//! The impact without collision: what a contact does that jams.
//!
//! A contact that is closed, ġ = 0, and slides, u = s/‖s‖, has no finite forces where its friction drives it into its surface
//! faster than the normal force holds it off (Painlevé),
//!
//! ```text
//! a − μ b·u ≤ 0        a = ∇g N∇gᵀ, b = J N∇gᵀ
//! ```
//!
//! An impulse is all that is left (Lecornu 1905; Génot, Brogliato, European Journal of Mechanics A 18, 1999): the process in
//! its normal impulse Λ (`impact_process`) from ġ⁻ = 0. ġ falls while the contact slides and rises once it sticks; compression
//! ends where ġ is zero again, restitution by Poisson's or Stronge's e. With Newton's, ġ⁺ = −e ġ⁻ = 0. So it is where
//! `impacts = tangential;` is declared and nothing else touches; else a run ends with the paradox.
//!
//! A jam that the motion runs into, a − μ b·u → 0, is reached where steps fail, a little before it: there it counts as zero.

use super::phase::Struck;
use super::rough_impact::RoughImpact;
use crate::hybrid::automaton::{Automaton, no_metric};
use crate::hybrid::mode::active_contacts::ActiveContacts;
use crate::hybrid::mode::contact::GapRate;
use crate::info::Impacts;
use crate::system::Restitution;
use crate::trajectory::end::End;
use crate::trajectory::event::Hit;

impl Automaton<'_> {
    /// The instant of a step that fails: what jams takes an impact. The end where nothing does.
    pub(in crate::hybrid) fn jam(&mut self, end: End) -> Result<(), End> {
        let mut active = ActiveContacts::new(self.system.info().contacts.len());
        for &contact in self.mode.closed() {
            active.at_zero[contact] = true;
        }
        if self.jamming(&end, &active).is_none() {
            return Err(end);
        }
        self.laws.probe.begin();
        self.evaluate_within()?;
        self.arrive(None)?;
        active.impacts = self.moment.jumps_of(self.records.jumps);
        active.jumps = self.records.jumps;
        self.impact_without_collision(end, &mut active)?;
        self.look_again(active.jumps)?;
        self.select_mode(&active, true)
    }

    /// The impact of the contact that jams; the end where none does, or where its process does not end.
    pub(in crate::hybrid) fn impact_without_collision(
        &mut self,
        end: End,
        active: &mut ActiveContacts,
    ) -> Result<(), End> {
        let Some(contact) = self.jamming(&end, active) else { return Err(end) };
        self.release()?;
        let (t, before) = (self.t(), self.flow.base.state());
        let gap = GapRate { rate: 0.0, ..self.gap_rate(contact)? };
        let struck = [Struck::bearing(contact, gap)];
        let impact = RoughImpact::new(self.system, (&before, &self.inputs), &struck);
        let mut impact = impact.map_err(|error| no_metric(t, error))?;
        let restitution = self.system.restitution(contact);
        let e = match restitution {
            Restitution::Poisson | Restitution::Stronge if !active.collapses => {
                self.law(contact).restitutions().map_or(0.0, |[_, e, _]| e)
            }
            Restitution::Newton | Restitution::Poisson | Restitution::Stronge => 0.0,
        };
        let outcome = impact.process((restitution, e)).filter(|made| made.impulses[0] > 0.0);
        let Some(outcome) = outcome else { return Err(end) };
        if let Some(factor) = impact.gain(&outcome.velocity) {
            return Err(self.adds_energy(contact, factor));
        }
        let rate_plus = impact.rows.gap_rate(contact, &outcome.velocity);
        let impulse = outcome.impulses[0];
        let hit = Hit { contact, is_struck: true, rate_minus: 0.0, rate_plus, impulse };
        self.take_hits(vec![hit], &outcome.velocity, active)
    }

    /// The contact that jams in a paradox without solutions: the only one that touches, with friction of its slip and nothing else, if
    /// its impacts are tangential.
    fn jamming(&self, end: &End, active: &ActiveContacts) -> Option<usize> {
        if !matches!(end, End::FrictionParadox { several: false, .. }) {
            return None;
        }
        let mut touching = active.contacts();
        let contact = touching.next().filter(|_| touching.next().is_none())?;
        let goes_on = self.system.info().contacts[contact].impacts == Some(Impacts::Tangential);
        let terms = &self.laws.forces.terms;
        let slips_alone =
            terms.of_contact(contact).count() == 1 && terms.of_rows().next().is_none();
        (goes_on && slips_alone && !terms.bears(contact)).then_some(contact)
    }
}
