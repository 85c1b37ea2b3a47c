//! Where the orbits of a branch graze a contact.
//!
//! ```text
//! free     the least gap of a contact that is not struck → 0
//! struck   the least speed ġ⁻ of its impacts → 0
//! ```
//!
//! Both are zero where the branch ends, and are extended to there from its last points: the first is smooth.

use super::SpecialKind;
use super::orbits::{Jump, Orbits, jumps};
use super::walk::{Place, Station, Walk};
use crate::error::AnalysisError;
use eom_core::{Event, EventKind, Options, Sampling, State, simulate};
use nalgebra::DMatrix;
use std::ops::ControlFlow;

/// How far beyond its last point a branch may be extended, in lengths.
const BEYOND: f64 = 1e-4;

impl Orbits<'_> {
    /// The length at which a contact grazes behind the last station, and which.
    pub(super) fn grazing(
        &self,
        walk: &Walk<'_, Self>,
        stations: &[Station],
    ) -> Result<Option<(f64, SpecialKind)>, AnalysisError> {
        let [.., before, last] = stations else { return Ok(None) };
        let [early, late] = [self.margins(&before.place)?, self.margins(&last.place)?];
        let at_zero = |contact: usize| {
            let (a, b) = (early[contact], late[contact]);
            let s = last.s + b * (last.s - before.s) / (a - b);
            (a > b && s - last.s <= BEYOND).then_some((s, contact))
        };
        let first = (0..early.len()).filter_map(at_zero).min_by(|a, b| a.0.total_cmp(&b.0));
        let found = match first {
            Some((_, contact)) => Some(contact),
            None => self.changes(walk, last)?,
        };
        let grazing =
            |contact: usize| SpecialKind::Grazing { contact: self.info.contacts[contact].name };
        Ok(found.map(|contact| (first.map_or(last.s, |(s, _)| s), grazing(contact))))
    }

    /// Of each contact the least gap of the orbit, or the least speed of its impacts.
    fn margins(&self, at: &Place) -> Result<Vec<f64>, AnalysisError> {
        let member = self.member(at.μ)?;
        let size = at.state.q.len() + at.state.v.len();
        let found = self.returned(&member, at, DMatrix::zeros(size, 0))?;
        let options = Options {
            until_time: Some(found.state.t),
            sampling: Sampling::Ends,
            least_gaps: true,
            ..self.run.clone()
        };
        let mut go_on = |_: &eom_core::Progress<'_>| ControlFlow::Continue(());
        let run = simulate(&*member.system, &at.state, &member.inputs, &options, &mut go_on)?;
        let mut margins = run.least_gaps;
        margins.resize(self.info.contacts.len(), f64::INFINITY);
        for (contact, margin) in margins.iter_mut().enumerate() {
            if self.jumps.contains(&Jump::Impact(contact)) {
                let speeds = found.events.iter().filter(|event| is_impact(event, contact));
                let speeds = speeds.map(|event| approach(&*member.system, contact, event));
                *margin = speeds.fold(f64::INFINITY, f64::min);
            }
        }
        Ok(margins)
    }

    /// A contact that is struck more or less often a little farther on.
    fn changes(
        &self,
        walk: &Walk<'_, Self>,
        last: &Station,
    ) -> Result<Option<usize>, AnalysisError> {
        let beyond = walk.moved(&last.place, &(&last.tangent * BEYOND));
        let size = beyond.state.q.len() + beyond.state.v.len();
        let member = self.member(beyond.μ)?;
        let Ok(found) = self.returned(&member, &beyond, DMatrix::zeros(size, 0)) else {
            return Ok(None);
        };
        let there = jumps(self.info, &found.events);
        let count = |jumps: &[Jump], contact: usize| {
            jumps.iter().filter(|jump| **jump == Jump::Impact(contact)).count()
        };
        let mut contacts = 0..self.info.contacts.len();
        Ok(contacts.find(|contact| count(&there, *contact) != count(&self.jumps, *contact)))
    }
}

fn is_impact(event: &Event, contact: usize) -> bool {
    matches!(&event.kind, EventKind::Impact { contact: struck, .. } if *struck == contact)
}

/// −ġ⁻ of an impact.
fn approach(system: &dyn eom_core::System, contact: usize, event: &Event) -> f64 {
    let [(q, v), _] = event.sides();
    let State { t, q, v } = State::new(event.t, q, v);
    let (contacts, m) = (system.info().contacts.len(), v.len());
    let (mut rows, mut rates) = (vec![0.0; contacts * m], vec![0.0; contacts]);
    system.gap_rows(t, &q, &mut rows, &mut rates);
    let row = rows.chunks_exact(m.max(1)).nth(contact).unwrap_or_default();
    let along: f64 = row.iter().zip(&v).map(|(row, v)| row * v).sum();
    -(along + rates.get(contact).copied().unwrap_or(0.0))
}
