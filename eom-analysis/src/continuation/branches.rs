//! What happens on a branch, and the branches that go through it.

use super::walk::{CHORD, Place, Problem, Station, Walk};
use super::{Branch, BranchEnd, BranchPoint, Special, SpecialKind};
use crate::critical::{Boundary, Crossing, CrossingKind, crossings};
use crate::error::AnalysisError;
use crate::linear::eigen::{by_size, eigenvalues};
use eom_core::span::kernel;
use nalgebra::{DMatrix, DVector};
use std::collections::VecDeque;

/// Within this part of itself a branching is a known one.
const KNOWN: f64 = 1e-4;

/// The steps with which a branch is left for another, as parts of the range.
const LEAVING: [f64; 4] = [0.01, 0.003, 0.03, 0.001];

/// Steps of inverse iteration.
const ITERATIONS: usize = 4;

/// A problem whose solutions have eigenvalues.
pub(super) trait Spectrum: Problem {
    /// What they cross.
    const BOUNDARY: Boundary;

    /// What it is when a pair crosses it.
    fn pair(frequency: f64) -> SpecialKind {
        match Self::BOUNDARY {
            Boundary::Axis => SpecialKind::Oscillation { frequency },
            Boundary::Circle => SpecialKind::Torus { angle: frequency },
        }
    }

    /// The matrix whose they are at a solution, and the period.
    fn spectrum(&self, at: &Place) -> Result<(DMatrix<f64>, f64), AnalysisError>;

    /// The inputs there.
    fn inputs(&self, at: &Place) -> Result<Vec<f64>, AnalysisError>;

    /// What ends a branch behind its last station, where that is told.
    fn edge(
        &self,
        _walk: &Walk<'_, Self>,
        _stations: &[Station],
    ) -> Result<Option<(f64, SpecialKind)>, AnalysisError>
    where
        Self: Sized,
    {
        Ok(None)
    }
}

/// A branch to come.
struct Task {
    first: Station,
    /// The branching where it begins, with its branch and number.
    lead: Option<(BranchPoint, (usize, usize))>,
}

/// Where something happens.
pub(super) struct Found {
    pub(super) s: f64,
    pub(super) kind: SpecialKind,
    pub(super) unstable: [usize; 2],
}

/// The branches that are reached from a station.
pub(super) fn explore<P: Spectrum>(
    walk: &Walk<'_, P>,
    first: Station,
) -> Result<Vec<Branch>, AnalysisError> {
    let mut known: Vec<DVector<f64>> = Vec::new();
    let mut branches: Vec<Branch> = Vec::new();
    let mut tasks = VecDeque::from([Task { first, lead: None }]);
    while let Some(Task { first, lead }) = tasks.pop_front() {
        if branches.len() >= walk.options.branches_max {
            break;
        }
        let traced = Traced::new(walk, first)?;
        let (branch, branchings) = traced.branch(walk, lead, &known)?;
        let index = branches.len();
        for (number, station, before) in branchings {
            known.push(walk.problem.entries(&station.place));
            let point = &branch.special[number].point;
            for sign in [1.0, -1.0] {
                if let Some(first) = walk.leave(&station, &before, sign)? {
                    tasks.push_back(Task { first, lead: Some((point.clone(), (index, number))) });
                }
            }
        }
        branches.push(branch);
    }
    Ok(branches)
}

/// A branch as it was walked.
pub(super) struct Traced {
    pub(super) stations: Vec<Station>,
    spectra: Vec<(DMatrix<f64>, f64)>,
    found: Vec<Found>,
    end: BranchEnd,
}

/// Branchings by their number, with the station there and the one before it.
type Branchings = Vec<(usize, Station, Station)>;

impl Traced {
    fn new<P: Spectrum>(walk: &Walk<'_, P>, first: Station) -> Result<Self, AnalysisError> {
        let (mut stations, mut end) = walk.stations(first);
        let mut spectra = Vec::with_capacity(stations.len());
        for station in &stations {
            match walk.problem.spectrum(&station.place) {
                Ok(spectrum) => spectra.push(spectrum),
                Err(error) if spectra.is_empty() => return Err(error),
                // What was walked up to here stays.
                Err(error) => {
                    end = BranchEnd::Lost { why: error.to_string() };
                    break;
                }
            }
        }
        stations.truncate(spectra.len());
        let mut traced = Self { stations, spectra, found: Vec::new(), end };
        // Where something cannot be told between points, the branch ends before.
        let mut fewer = 1;
        loop {
            match traced.search(walk) {
                Ok(found) => {
                    traced.found = found;
                    break;
                }
                Err(error) if traced.stations.len() > 1 => {
                    let why = match error {
                        AnalysisError::Lost { why } => why,
                        other => other.to_string(),
                    };
                    let why = format!("between its points, where crossings are looked for, {why}");
                    traced.end = BranchEnd::Lost { why };
                    let kept = traced.stations.len().saturating_sub(fewer).max(1);
                    traced.stations.truncate(kept);
                    traced.spectra.truncate(kept);
                    fewer *= 2;
                }
                Err(error) => return Err(error),
            }
        }
        if matches!(traced.end, BranchEnd::Lost { .. })
            && let Some((s, kind)) = walk.problem.edge(walk, &traced.stations)?
        {
            let count = traced.unstable::<P>(traced.stations.len() - 1)?;
            traced.found.push(Found { s, kind, unstable: [count; 2] });
        }
        Ok(traced)
    }

    pub(super) fn unstable<P: Spectrum>(&self, index: usize) -> Result<usize, AnalysisError> {
        let Some((matrix, _)) = self.spectra.get(index) else { return Ok(0) };
        P::BOUNDARY.unstable(matrix, &eigenvalues(matrix)?)
    }

    /// Folds and crossings, in order.
    fn search<P: Spectrum>(&self, walk: &Walk<'_, P>) -> Result<Vec<Found>, AnalysisError> {
        let samples: Vec<f64> = self.stations.iter().map(|station| station.s).collect();
        let of = |s: f64| match samples.iter().position(|sample| *sample == s) {
            Some(index) => Ok(self.spectra[index].0.clone()),
            None => Ok(walk.problem.spectrum(&walk.at(&self.stations, s)?.place)?.0),
        };
        let mut found = Vec::new();
        for Crossing { at, kind, unstable } in crossings(P::BOUNDARY, &samples, of)? {
            let (s, kind) = match kind {
                CrossingKind::Real => self.real(walk, at)?,
                CrossingKind::Doubling => (at, SpecialKind::Doubling),
                CrossingKind::Oscillatory { frequency } => (at, P::pair(frequency)),
                CrossingKind::Meeting { frequency } => (at, SpecialKind::Meeting { frequency }),
                CrossingKind::Tangency { frequency } => (at, SpecialKind::Tangency { frequency }),
                CrossingKind::Several => (at, SpecialKind::Several),
            };
            found.push(Found { s, kind, unstable });
        }
        self.add_turns(walk, &mut found)?;
        found.sort_by(|a, b| a.s.total_cmp(&b.s));
        Ok(found)
    }

    /// The station at a length; where a contact grazes there is no orbit, but a limit.
    fn station<P: Problem>(
        &self,
        walk: &Walk<'_, P>,
        s: f64,
        kind: &SpecialKind,
    ) -> Result<Station, AnalysisError> {
        match (kind, self.stations.last()) {
            (SpecialKind::Grazing { .. }, Some(last)) => {
                // As far on as from a point that is as far back: the tangent of two close ones is rounding.
                let ahead = s - last.s;
                let back = self.stations.partition_point(|station| station.s < last.s - ahead);
                let from = &self.stations[back.min(self.stations.len().saturating_sub(2))];
                let way = walk.problem.entries(&last.place) - walk.problem.entries(&from.place);
                let place = walk.moved(&last.place, &(way * (ahead / (last.s - from.s))));
                Ok(Station { place, s, ..last.clone() })
            }
            _ => walk.at(&self.stations, s),
        }
    }

    /// The station before a length, and where the branch begins or ends there the one beside it.
    fn beside(&self, before: usize, s: f64) -> &Station {
        let last = self.stations.len() - 1;
        match (self.stations[before].s == s, before) {
            (true, 0) => &self.stations[1.min(last)],
            (true, _) => &self.stations[before - 1],
            (false, _) => &self.stations[before],
        }
    }

    /// The branch, up to where it meets a known branching, and its own branchings.
    fn branch<P: Spectrum>(
        mut self,
        walk: &Walk<'_, P>,
        lead: Option<(BranchPoint, (usize, usize))>,
        known: &[DVector<f64>],
    ) -> Result<(Branch, Branchings), AnalysisError> {
        let (mut special, mut branchings) = (Vec::new(), Vec::new());
        let ahead = usize::from(lead.is_some());
        // A branch that leaves another one has its first station so near that it is not told from there.
        let first = self.stations.first().map(|station| station.s).filter(|_| lead.is_some());
        self.found.retain(|found| Some(found.s) != first);
        for Found { s, kind, unstable } in std::mem::take(&mut self.found) {
            let station = self.station(walk, s, &kind)?;
            let before = self.stations.partition_point(|known| known.s <= s).saturating_sub(1);
            let place = walk.problem.entries(&station.place);
            let is_near =
                |known: &DVector<f64>| (known - &place).norm() <= KNOWN * (1.0 + place.norm());
            let is_known = kind == SpecialKind::Branching && known.iter().any(is_near);
            let point = match (&kind, self.spectra.last()) {
                (SpecialKind::Grazing { .. }, Some(last)) => walk.told(&station.place, last)?,
                _ => walk.point(&station.place)?,
            };
            if is_known {
                self.stations.truncate(before + 1);
                self.spectra.truncate(before + 1);
                self.stations.push(station.clone());
                self.spectra.push(walk.problem.spectrum(&station.place)?);
                self.end = BranchEnd::Meets;
                break;
            }
            if kind == SpecialKind::Branching {
                let beside = self.beside(before, s).clone();
                let tangent =
                    walk.direction(&self.stations, s).unwrap_or_else(|| station.tangent.clone());
                branchings.push((special.len(), Station { tangent, ..station }, beside));
            }
            special.push(Special { kind, point, after: before + ahead, unstable });
        }
        let mut points = Vec::with_capacity(self.stations.len() + 1);
        let (lead, from) = lead.map_or((None, None), |(point, from)| (Some(point), Some(from)));
        points.extend(lead);
        for (station, spectrum) in self.stations.iter().zip(&self.spectra) {
            points.push(walk.told(&station.place, spectrum)?);
        }
        Ok((Branch { points, special, from, end: self.end }, branchings))
    }
}

impl<P: Spectrum> Walk<'_, P> {
    fn point(&self, at: &Place) -> Result<BranchPoint, AnalysisError> {
        self.told(at, &self.problem.spectrum(at)?)
    }

    fn told(
        &self,
        at: &Place,
        (matrix, period): &(DMatrix<f64>, f64),
    ) -> Result<BranchPoint, AnalysisError> {
        let mut values = eigenvalues(matrix)?;
        if P::BOUNDARY == Boundary::Circle {
            by_size(&mut values);
        }
        let unstable = P::BOUNDARY.unstable(matrix, &values)?;
        let (value, inputs) = (self.options.value(at.μ), self.problem.inputs(at)?);
        Ok(BranchPoint {
            value,
            state: at.state.clone(),
            inputs,
            period: *period,
            values,
            unstable,
        })
    }

    /// The first station of the other branch through a branching, on one side; none where there is none in the range.
    fn leave(
        &self,
        at: &Station,
        before: &Station,
        sign: f64,
    ) -> Result<Option<Station>, AnalysisError> {
        let Some(normal) = self.across(at, before)?.map(|normal| normal * sign) else {
            return Ok(None);
        };
        let origin = self.problem.entries(&at.place);
        for h in LEAVING {
            let guess = self.moved(&at.place, &(&normal * h));
            let Ok((place, linear)) = self.correct(guess, &normal, (&origin, h), CHORD) else {
                continue;
            };
            let far = (self.problem.entries(&place) - &origin).norm();
            if far <= 10.0 * h && (0.0..=1.0).contains(&place.μ) {
                let tangent = Self::tangent(&linear, &normal)?;
                return Ok(Some(Station { place, tangent, matrix: linear.matrix, s: 0.0 }));
            }
        }
        Ok(None)
    }

    /// The direction n beside the tangent and the family before, with the least ∂r/∂w n.
    fn across(
        &self,
        at: &Station,
        before: &Station,
    ) -> Result<Option<DVector<f64>>, AnalysisError> {
        let (here, beside) = (self.linear(&at.place, CHORD)?, self.linear(&before.place, CHORD)?);
        let rest = kernel(&Self::free(&beside.matrix).transpose());
        let reduced = &here.matrix * &rest;
        let n = rest.ncols();
        if n == 0 {
            return Ok(None);
        }
        let squared = reduced.tr_mul(&reduced);
        let nudge = f64::EPSILON * squared.trace().max(f64::MIN_POSITIVE);
        let factors = (squared + DMatrix::identity(n, n) * nudge).lu();
        let mut x = DVector::from_fn(n, |i, _| 1.0 + 0.1 * i as f64);
        for _ in 0..ITERATIONS {
            match factors.solve(&x).filter(|solved| solved.iter().all(|x| x.is_finite())) {
                Some(solved) if solved.norm() > 0.0 => x = solved.normalize(),
                _ => break,
            }
        }
        let mut normal = &here.map * (rest * x);
        normal -= &at.tangent * at.tangent.dot(&normal);
        let length = normal.norm();
        Ok((length > 0.0).then(|| normal / length))
    }
}
