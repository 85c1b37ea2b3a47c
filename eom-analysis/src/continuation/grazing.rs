//! Where the orbits of a branch graze a contact.
//!
//! ```text
//! free     the least gap of a contact that is not struck → 0
//! struck   the least speed ġ⁻ of its impacts → 0
//! ```
//!
//! Both are zero where the branch ends, and are extended to there from its last points: s as a parabola of either, through the last
//! point and such before it as have clearly more, since what points that lie close to each other have of it is rounding.

use super::SpecialKind;
use super::orbits::{Jump, Orbits, jumps};
use super::walk::{Place, Station, Walk};
use crate::error::AnalysisError;
use eom_core::{Event, EventKind, Options, Sampling, State, simulate};
use nalgebra::DMatrix;
use std::ops::ControlFlow;

/// How far beyond its last point a branch may be extended, in lengths; farther where impacts are seen to change beyond.
const NEAR: f64 = 1e-4;
const FAR: f64 = 1e-2;

/// Clearly more.
const CLEAR: f64 = 1.5;

impl Orbits<'_> {
    /// The length at which a contact grazes behind the last station, and which.
    pub(super) fn grazing(
        &self,
        walk: &Walk<'_, Self>,
        stations: &[Station],
    ) -> Result<Option<(f64, SpecialKind)>, AnalysisError> {
        let Some(last) = stations.last().filter(|_| stations.len() > 1) else { return Ok(None) };
        let mut back: Vec<(f64, Vec<f64>)> = Vec::new();
        for steps in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256] {
            let Some(index) = stations.len().checked_sub(1 + steps) else { break };
            back.push((stations[index].s, self.margins(&stations[index].place)?));
        }
        let at_zero = |contact: usize| {
            let points: Vec<(f64, f64)> = back.iter().map(|(s, all)| (all[contact], *s)).collect();
            extended(&points)
        };
        let within = |far: f64| move |s: &f64| *s - last.s <= far;
        let near = |contact: usize| Some((at_zero(contact).filter(within(NEAR))?, contact));
        let first =
            (0..self.info.contacts.len()).filter_map(near).min_by(|a, b| a.0.total_cmp(&b.0));
        let found = match first {
            Some(found) => Some(found),
            None => self
                .changes(walk, last)?
                .map(|contact| (at_zero(contact).filter(within(FAR)).unwrap_or(last.s), contact)),
        };
        let grazing =
            |contact: usize| SpecialKind::Grazing { contact: self.info.contacts[contact].name };
        Ok(found.map(|(s, contact)| (s, grazing(contact))))
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
        let beyond = walk.moved(&last.place, &(&last.tangent * NEAR));
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

/// s where a margin is zero, by (margin, s) from the last point back.
fn extended(points: &[(f64, f64)]) -> Option<f64> {
    let (least, last) = *points.first()?;
    let far = points.iter().position(|(margin, _)| *margin >= CLEAR * least);
    let far = far.unwrap_or(points.len() - 1);
    let (more, before) = points[far];
    let rises = points[..=far].windows(2).all(|pair| pair[1].0 > pair[0].0);
    if !rises || far == 0 {
        return None;
    }
    let line = last + least * (last - before) / (more - least);
    let (middle, between) = points[far - 1];
    if far == 1 {
        return Some(line);
    }
    // Neville's rule: the lines of the last and either other point, at zero.
    let short = last + least * (last - between) / (middle - least);
    Some(short + middle * (short - line) / (more - middle))
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
