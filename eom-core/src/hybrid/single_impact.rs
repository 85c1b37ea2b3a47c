//! The impact of one contact with friction by Poisson's or Stronge's restitution: a process in its normal impulse
//! (`impact_process`), with the constraints in force.
//!
//! ```text
//! v⁺ = v⁻ + N (∇gᵀΛ − JᵀΦ)
//! ```

use super::active_contacts::ActiveContacts;
use super::automaton::Automaton;
use super::contact::GapRate;
use super::frictional_impact::{Outcome, RoughImpact};
use super::impact_process::Response;
use crate::end::End;
use crate::error::ImpactError;
use crate::linalg::dot;
use crate::slip_state::norm;
use crate::system::Restitution;

impl Automaton<'_> {
    /// The restitution of the contacts that are struck, where it is Poisson's or Stronge's; these are struck alone.
    pub(super) fn restitution_of(
        &self,
        closing: &[(usize, GapRate)],
        touching: &[usize],
        active: &ActiveContacts,
    ) -> Result<Option<(Restitution, f64)>, End> {
        let is_newtons = |contact| self.system.restitution(contact) == Restitution::Newton;
        let Some(&(contact, _)) = closing.iter().find(|(contact, _)| !is_newtons(*contact)) else {
            return Ok(None);
        };
        if active.collapses {
            return Ok(None);
        }
        let info = self.system.info();
        if let Some(term) = self.laws.forces.terms.of_rows().next() {
            // The process in the impulse of one contact knows nothing of those of constraints.
            let error = ImpactError::NotAlone { other: info.frictions[term].name };
            let contact = info.contacts[contact].name;
            return Err(End::ImpossibleImpact { t: self.t(), contact, error });
        }
        if let Some(other) = touching.iter().find(|other| **other != contact) {
            let error = ImpactError::NotAlone { other: info.contacts[*other].name };
            let contact = info.contacts[contact].name;
            return Err(End::ImpossibleImpact { t: self.t(), contact, error });
        }
        let e = self.law(contact).restitutions().map_or(0.0, |[_, e, _]| e);
        Ok(Some((self.system.restitution(contact), e)))
    }
}

impl RoughImpact<'_> {
    /// The outcome of the only contact that is struck. None where the process does not end.
    pub(super) fn process(&mut self, law: (Restitution, f64)) -> Option<Outcome> {
        let struck = *self.struck.first()?;
        let term = self.terms.of_contact(struck.contact).next()?;
        self.rows.close(&[]);
        let gradient = self.rows.gap(struck.contact).0.to_vec();
        let rows: Vec<Vec<f64>> =
            self.terms.components(term).map(|row| self.terms.row(row).0.to_vec()).collect();
        let along = self.on_constraints(&gradient);
        let across: Vec<Vec<f64>> = rows.iter().map(|row| self.on_constraints(row)).collect();
        let response = Response {
            normal: dot(&gradient, &along),
            coupling: rows.iter().map(|row| dot(row, &along)).collect(),
            tangential: rows
                .iter()
                .flat_map(|row| across.iter().map(|across| dot(row, across)))
                .collect(),
            friction: self.terms.coefficient(term),
        };
        let mut slip = self.terms.w(term).to_vec();
        if norm(&slip) <= self.slip_rounding(term) {
            slip.fill(0.0);
        }
        let impulses = response.impact(struck.gap.rate, &slip, law)?;
        let mut velocity = self.before.to_vec();
        velocity.iter_mut().zip(&along).for_each(|(v, w)| *v += impulses.normal * w);
        for (across, friction) in across.iter().zip(&impulses.friction) {
            velocity.iter_mut().zip(across).for_each(|(v, w)| *v -= friction * w);
        }
        let finite = velocity.iter().all(|v| v.is_finite());
        finite.then(|| Outcome {
            velocity: self.at_rest_or(velocity),
            impulses: vec![impulses.normal],
        })
    }

    /// N f of a force f.
    fn on_constraints(&mut self, force: &[f64]) -> Vec<f64> {
        let mut response = self.rows.acceleration(force).to_vec();
        let mut residuals = vec![0.0; self.rows.constraints()];
        self.rows.constrain(&mut response, &mut residuals);
        response
    }
}
