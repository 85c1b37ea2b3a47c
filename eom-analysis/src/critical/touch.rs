//! Where eigenvalues touch the boundary and turn back, or cross it and come back between two samples.
//!
//! ```text
//! d(p) = min |Re λ|, of a map min ||μ|² − 1|, of what is not there all along          d = 0 at a least value of d
//! ```
//!
//! At an end of the samples it is told by d at δ and 2δ from there. Where d has a least value among the samples it is looked for by the golden section; what touches does so as κ (p − p*)².

use super::{Boundary, Crossing, CrossingKind, ONE_PLACE, Sample, Samples, Search, largest};
use crate::error::AnalysisError;
use nalgebra::Complex;

/// Intervals in which something crosses and comes back are halved so often.
const HALVINGS: usize = 40;

/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Parts of the way after which a least value is given up that is no small part of those beside it, and after all of which it
/// is where the rounding of d lets it be told.
const FIRST: usize = 12;
const PARTS: usize = 42;
const SMALL: f64 = 0.05;

/// Beside its place, as a part of the way between the samples, d tells more of it than d there.
const BESIDE: f64 = 1e-4;

/// A distance from it above this part of the largest is none of rounding.
const EXACT: f64 = 1e-12;

/// λ₁ and λ₂ are ± λ where their sum is this part of them.
const MIRRORED: f64 = 1e-6;

impl Boundary {
    /// Where it is that something of a kind is on it: at a center, or anywhere.
    pub(crate) fn center(self, kind: CrossingKind) -> Option<f64> {
        (0..self.centers().len())
            .find(|center| self.kind(*center) == kind)
            .map(|center| self.centers()[center])
    }

    /// How many eigenvalues more a center has at an end than at the sample beside; of what is at no center one.
    pub(crate) fn more_at(self, kind: CrossingKind, ends: [&Sample; 2]) -> usize {
        let Some(center) = self.center(kind) else { return 1 };
        let [here, there] = ends.map(|one| one.count_at(center));
        here.saturating_sub(there)
    }

    /// Whether the two eigenvalues nearest to 0, but for those that are 0 all along, are ± λ.
    pub(crate) fn mirrored(within: &Sample, beside: &Sample) -> bool {
        let mut all = within.values.clone();
        all.sort_by(|a, b| a.norm_sqr().total_cmp(&b.norm_sqr()));
        let always = beside.count_at(0.0);
        let pair = all.get(always).zip(all.get(always + 1));
        pair.is_some_and(|(a, b)| (a + b).norm_sqr() <= MIRRORED * MIRRORED * a.norm_sqr())
    }

    /// Whether what is on it at an end leaves it as κ δ², by its distances at δ and 2δ: it turns back there. Of a pair ± λ that is
    /// λ².
    pub(crate) fn turns_back(
        self,
        kind: CrossingKind,
        count: usize,
        within: [&Sample; 2],
        beside: &Sample,
    ) -> bool {
        let center = self.center(kind);
        let always = match center {
            Some(center) => beside.count_at(center),
            None => self.count_on(beside),
        };
        let distance = |sample: &Sample| {
            let of = |value: &Complex<f64>| match center {
                Some(center) => (*value - center).norm_sqr().sqrt(),
                None => self.beyond(*value).abs(),
            };
            let mut all: Vec<f64> = sample.values.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all.get(always).copied().unwrap_or(0.0)
        };
        let [near, far] = within.map(distance);
        let ratio = far / near;
        let ratio = if count > 1 { ratio * ratio } else { ratio };
        near > EXACT * largest(&beside.values) && (ratio - 4.0).abs() < 0.1
    }

    /// The distance of the nearest eigenvalue from it, but for so many that are on it all along, and that one.
    fn nearest(self, sample: &Sample, always: usize) -> Option<(f64, Complex<f64>)> {
        let mut all: Vec<(f64, Complex<f64>)> =
            sample.values.iter().map(|value| (self.beyond(*value).abs(), *value)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.get(always).copied()
    }
}

impl Search {
    /// Looks at the least values of d among samples, where nothing is found yet.
    pub(crate) fn touches(
        &mut self,
        known: &[Sample],
        sample: &mut Samples<'_>,
    ) -> Result<(), AnalysisError> {
        for triple in known.windows(3) {
            let [a, b, c] = triple else { continue };
            let on = [a, c].map(|s| self.boundary.count_on(s));
            let always = on[0];
            let d = [a, b, c].map(|s| self.boundary.nearest(s, always).map_or(f64::NAN, |n| n.0));
            let is_least = d[1] <= d[0] && d[1] <= d[2] && (d[1] < d[0] || d[1] < d[2]);
            let is_known = self.found.iter().any(|crossing| (a.at..=c.at).contains(&crossing.at));
            if on[0] == on[1] && is_least && !is_known {
                self.touch([a, b, c], always, sample)?;
            }
        }
        Ok(())
    }

    /// The least value of d between two samples about a third one.
    fn touch(
        &mut self,
        [a, b, c]: [&Sample; 3],
        always: usize,
        sample: &mut Samples<'_>,
    ) -> Result<(), AnalysisError> {
        let boundary = self.boundary;
        let unstable = a.unstable;
        let d = |sample: &Sample| boundary.nearest(sample, always).map_or(f64::INFINITY, |n| n.0);
        let beside = d(a).max(d(c));
        let (mut low, mut best, mut high) = (a.at, b.clone(), c.at);
        for part in 0..PARTS {
            if best.unstable != unstable && !self.is_critical(&best, [a, c], sample)? {
                self.between(a, &best, HALVINGS, sample)?;
                return self.between(&best, c, HALVINGS, sample);
            }
            if part == FIRST && d(&best) > SMALL * beside {
                return Ok(());
            }
            // Into the longer part.
            let is_right = high - best.at > best.at - low;
            let to = if is_right { high } else { low };
            let at = best.at + (1.0 - GOLDEN) * (to - best.at);
            if at == best.at || d(&best) == 0.0 {
                break;
            }
            let next = sample(at)?;
            let is_better = d(&next) < d(&best);
            match (is_better, is_right) {
                (true, true) => low = best.at,
                (true, false) => high = best.at,
                (false, true) => high = at,
                (false, false) => low = at,
            }
            if is_better {
                best = next;
            }
        }
        let Some((left, value)) = boundary.nearest(&best, always) else { return Ok(()) };
        if left > boundary.rounding(&best.values) {
            return Ok(());
        }
        let mut at = best.at;
        if best.unstable != unstable && !self.is_one_place([a, &best, c], sample)? {
            return Ok(());
        }
        let beside = BESIDE * (c.at - a.at);
        if at - beside > a.at && at + beside < c.at {
            let sides = [sample(at - beside)?, sample(at + beside)?];
            if best.unstable == unstable
                && let Some(beyond) = sides.iter().find(|s| s.unstable != unstable)
            {
                self.between(a, beyond, HALVINGS, sample)?;
                return self.between(beyond, c, HALVINGS, sample);
            }
            let signed = |sample: &Sample| {
                boundary
                    .nearest(sample, always)
                    .map_or(f64::NAN, |(_, value)| boundary.beyond(value))
            };
            // The vertex of the parabola through three points of Re λ.
            let ([low, high], here) = (sides.each_ref().map(signed), boundary.beyond(value));
            let moved = 0.5 * beside * (low - high) / (low - 2.0 * here + high);
            if left > 0.0 && low * high > 0.0 && moved.abs() <= beside {
                at += moved;
            }
        }
        let frequency = boundary.frequency(value).abs();
        let rounding = boundary.rounding(&best.values) * boundary.unit(&best.values);
        let frequency = if frequency <= rounding.sqrt() { 0.0 } else { frequency };
        let kind = CrossingKind::Tangency { frequency };
        self.found.push(Crossing { at, kind, unstable: [unstable; 2] });
        Ok(())
    }

    /// Whether what is on the boundary at a sample, and unstable on both sides, is so at that value only; else where it comes onto
    /// it and leaves it is told.
    fn is_one_place(
        &mut self,
        [a, best, c]: [&Sample; 3],
        sample: &mut Samples<'_>,
    ) -> Result<bool, AnalysisError> {
        let known = self.found.len();
        self.between(a, best, HALVINGS, sample)?;
        self.between(best, c, HALVINGS, sample)?;
        let near = |found: &Crossing| (found.at - best.at).abs() <= ONE_PLACE * self.range;
        let is_one = self.found[known..].iter().all(near);
        if is_one {
            self.found.truncate(known);
        }
        Ok(is_one)
    }
}
