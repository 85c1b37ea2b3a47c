//! Contacts without friction that are struck at one time, in free motion, where none feels another's impact.
//!
//! Beside the motion one of them is struck first, and which one that is differs with the side. Where both orders have the v⁺ of
//! the run, and the same derivative, that is the derivative:
//!
//! ```text
//! δy⁺ = Sₙ … S₁ δy⁻        Sᵢ the saltation of the impact of one contact, from where the last one has led to
//! ```

use super::Saltation;
use crate::error::AnalysisError;
use crate::tapes::Tapes;
use eom_core::impact::ImpactMap;
use eom_core::{Event, State};
use nalgebra::DMatrix;

/// Velocities, and derivatives, of two orders agree within this part of their size.
const ALIKE: f64 = 1e-9;

impl Saltation {
    /// That of these contacts; none where it depends on their order.
    pub(crate) fn of_independent(
        of: &Tapes<'_>,
        contacts: &[usize],
        event: &Event,
        given: (&[f64], &DMatrix<f64>),
    ) -> Result<Option<Self>, AnalysisError> {
        let exchanges = |contact: &usize| !of.info.contacts[*contact].relabels.is_empty();
        if contacts.iter().any(exchanges) {
            return Ok(None);
        }
        let back: Vec<usize> = contacts.iter().rev().copied().collect();
        let forth = one_by_one(of, contacts, event, given)?;
        let (Some(forth), Some(back)) = (forth, one_by_one(of, &back, event, given)?) else {
            return Ok(None);
        };
        let alike = |a: &DMatrix<f64>, b: &DMatrix<f64>| {
            (a - b).amax() <= ALIKE * (1.0 + a.amax()) || a.is_empty()
        };
        let is_one = alike(&forth.fixed, &back.fixed) && alike(&forth.more, &back.more);
        Ok(is_one.then_some(forth))
    }

    /// This one, and another one behind it at the same time.
    fn then(self, next: Self) -> Self {
        let Self { fixed, at_event, more, later } = next;
        Self {
            more: &fixed * self.more + more,
            fixed: fixed * &self.fixed,
            at_event: at_event * self.fixed,
            later,
        }
    }
}

/// One impact after another; none where they do not lead to the v⁺ of the event.
fn one_by_one(
    of: &Tapes<'_>,
    contacts: &[usize],
    event: &Event,
    given: (&[f64], &DMatrix<f64>),
) -> Result<Option<Saltation>, AnalysisError> {
    let [(q, minus), (_, plus)] = event.sides();
    let (mut v, mut whole) = (minus.to_vec(), None::<Saltation>);
    let mut map = ImpactMap::new(of.system);
    for &contact in contacts {
        let before = State::new(event.t, q, v.as_slice());
        let struck = map.load(of.system, contact, event.t, q);
        if struck.and_then(|()| map.apply(of.system, of.system.law(contact), &mut v)).is_err() {
            return Ok(None);
        }
        let alone = Event::new(event.kind.clone(), &before, (q, &v));
        let slopes = [&before.v, &v].map(|v| of.slopes(event.t, (q, v), given.0));
        let [before, behind] = slopes;
        let next = Saltation::of_impact(of, contact, &alone, given, [&before?, &behind?])?;
        whole = Some(match whole {
            None => next,
            Some(first) => first.then(next),
        });
    }
    let size = plus.iter().fold(0.0_f64, |size, v| size.max(v.abs()));
    let leads = v.iter().zip(plus).all(|(v, plus)| (v - plus).abs() <= ALIKE * size);
    Ok(whole.filter(|_| leads))
}
