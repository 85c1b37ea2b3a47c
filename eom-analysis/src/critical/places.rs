//! Where in an interval eigenvalues cross: a real one, two pairs that meet, pairs, several at one value.
//!
//! ```text
//! real      c_d = 0
//! meeting   (w₁ − w₂)² = 0, w = λ², of a map μ + 1/μ: real and analytic, whichever side the pairs are on the boundary
//! several   Σ (λ − c) = 0 of the k that cross the center c at one value; of k pairs ± λ, or μ, 1/μ, Σ w = k w(c)
//! ```
//!
//! The sum over those that meet at a center is as smooth as the matrix, however each of them splits.

use super::{Boundary, CrossingKind, Places, Sample, Samples, Search, root};
use crate::error::AnalysisError;
use eom_core::elementary;
use nalgebra::Complex;

/// (w₁ − w₂)² below this part of |w|² is rounding.
const MET: f64 = 1e-13;

impl Boundary {
    /// w, the same of both of a pair ± λ, or μ and 1/μ.
    fn square(self, value: Complex<f64>) -> Complex<f64> {
        match self {
            Self::Axis => value * value,
            Self::Circle => value + value.inv(),
        }
    }

    /// The frequency of a pair on it, by its w = −ω², or 2 cos ω.
    fn angle(self, square: f64) -> f64 {
        match self {
            Self::Axis => (-square).max(0.0).sqrt(),
            Self::Circle => elementary::acos((0.5 * square).clamp(-1.0, 1.0)),
        }
    }

    /// −λ̄, or 1/μ̄: where a system without loss has another one.
    fn mirror(self, value: Complex<f64>) -> Complex<f64> {
        match self {
            Self::Axis => -value.conj(),
            Self::Circle => value.conj().inv(),
        }
    }

    /// Whether there is a mirror of a value that is known to a bound.
    pub(crate) fn is_mirrored(self, sample: &Sample, (value, bound): (Complex<f64>, f64)) -> bool {
        let mirror = self.mirror(value);
        sample.values.iter().any(|other| (mirror - other).norm_sqr().sqrt() <= 2.0 * bound)
    }

    /// The place on it at an angle or a frequency, above the real axis.
    fn on_it(self, value: Complex<f64>) -> Complex<f64> {
        match self {
            Self::Axis => Complex::new(0.0, value.im),
            Self::Circle => value / value.norm_sqr().sqrt(),
        }
    }
}

impl Search {
    /// A real one that crosses a center.
    pub(crate) fn real(
        &self,
        center: usize,
        (low, high): (&Sample, &Sample),
        sample: &mut Samples<'_>,
    ) -> Result<f64, AnalysisError> {
        let ends = [low, high].map(|end| (end.at, self.product(center, end)));
        root(ends, |at| Ok(self.product(center, &sample(at)?)))
    }

    /// Two pairs on the boundary on the one side, off it, each the mirror of the other, on the other.
    pub(crate) fn meeting(
        &self,
        low: &Sample,
        high: &Sample,
        sample: &mut Samples<'_>,
    ) -> Result<Option<(f64, CrossingKind, usize)>, AnalysisError> {
        let boundary = self.boundary;
        let (calm, other) = if low.unstable < high.unstable { (low, high) } else { (high, low) };
        let little = boundary.rounding(&other.values);
        let is_off = |value: &&Complex<f64>| value.im > 0.0 && boundary.beyond(**value) > little;
        let Some(from) = other.values.iter().find(is_off).copied() else { return Ok(None) };
        let upper = |sample: &Sample| two_nearest(&sample.values, boundary.on_it(from));
        let (Some([u, w]), Some([a, b])) = (upper(other), upper(calm)) else { return Ok(None) };
        let is_on = |value: Complex<f64>| boundary.beyond(value).abs() <= little;
        let mirrored = (boundary.mirror(u) - w).norm_sqr().sqrt() <= 2.0 * little;
        if !(mirrored && is_on(a) && is_on(b)) {
            return Ok(None);
        }
        let split = |sample: &Sample| {
            upper(sample).map_or(f64::NAN, |[u, w]| {
                let difference = boundary.square(u) - boundary.square(w);
                (difference * difference).re
            })
        };
        let ends = [low, high].map(|end| (end.at, split(end)));
        // At the value itself, and where they touch only, both ends have one sign but for rounding.
        let rounding = MET * boundary.square(from).norm_sqr();
        let at = match ends {
            [(at, value), _] | [_, (at, value)] if value.abs() <= rounding => at,
            [(_, one), (_, other)] if one * other < 0.0 => {
                root(ends, |at| Ok(split(&sample(at)?)))?
            }
            _ => return Ok(None),
        };
        if !at.is_finite() {
            return Ok(None);
        }
        let mean = |[u, w]: [Complex<f64>; 2]| {
            boundary.angle(0.5 * (boundary.square(u) + boundary.square(w)).re)
        };
        let frequency = upper(&sample(at)?).map_or(f64::NAN, mean);
        Ok(Some((at, CrossingKind::Meeting { frequency }, 2)))
    }

    /// What crosses in a narrow interval, real ones and pairs, where that is all of it; none else.
    pub(crate) fn together(
        &self,
        (change, turning): (usize, &[usize]),
        (low, high): (&Sample, &Sample),
        sample: &mut Samples<'_>,
    ) -> Result<Places, AnalysisError> {
        let mut found = self.pairs((low, high), sample)?;
        let left = change.checked_sub(2 * found.len());
        match left {
            Some(0) if turning.is_empty() => {}
            Some(left) if left == turning.len() => {
                for center in turning {
                    let at = self.real(*center, (low, high), sample)?;
                    found.push((at, self.boundary.kind(*center), 1));
                }
            }
            Some(left) if left > 1 => match self.several((left, turning), (low, high), sample)? {
                Some(at) => found.push((at, CrossingKind::Several, left)),
                None => return Ok(Vec::new()),
            },
            _ => return Ok(Vec::new()),
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(if found.iter().all(|(at, ..)| at.is_finite()) { found } else { Vec::new() })
    }

    /// Where so many real ones, or pairs ± λ, cross a center at one value.
    fn several(
        &self,
        (count, turning): (usize, &[usize]),
        (low, high): (&Sample, &Sample),
        sample: &mut Samples<'_>,
    ) -> Result<Option<f64>, AnalysisError> {
        let boundary = self.boundary;
        for (center, &c) in boundary.centers().iter().enumerate() {
            let others = turning.iter().filter(|other| **other != center).count();
            if others > 0 || turning.len() != count % 2 {
                continue;
            }
            for pairs in [false, true] {
                let size = if pairs { 2 * count } else { count };
                let sum = |sample: &Sample| {
                    let all = self.crossing(center, sample).take(size);
                    all.map(|(value, _)| {
                        if pairs {
                            (boundary.square(value) - boundary.square(c.into())).re * c.signum()
                        } else {
                            value.re - c
                        }
                    })
                    .sum::<f64>()
                };
                // Where nothing is beyond rounding it has no sign.
                let is_clear = |sample: &Sample| {
                    let all = self.crossing(center, sample).take(size);
                    let bound: f64 = all.map(|(_, bound)| bound).sum();
                    pairs || sum(sample).abs() > bound
                };
                let ends = [low, high].map(|end| (end.at, sum(end)));
                if !(is_clear(low) && is_clear(high) && ends[0].1 * ends[1].1 < 0.0) {
                    continue;
                }
                let at = root(ends, |at| Ok(sum(&sample(at)?)))?;
                if at.is_finite() && sample(at)?.count_at(c) >= self.zeros[center] + size {
                    return Ok(Some(at));
                }
            }
        }
        Ok(None)
    }

    /// The eigenvalues by their distances from a center, without those that are there all along.
    fn crossing(
        &self,
        center: usize,
        sample: &Sample,
    ) -> impl Iterator<Item = (Complex<f64>, f64)> + use<> {
        let c = self.boundary.centers()[center];
        let mut all: Vec<(Complex<f64>, f64)> = sample.told().collect();
        all.sort_by(|a, b| (a.0 - c).norm_sqr().total_cmp(&(b.0 - c).norm_sqr()));
        all.into_iter().skip(self.zeros[center])
    }

    /// Where the pairs cross it.
    pub(crate) fn crossing_pairs(
        &self,
        [low, high]: [&Sample; 2],
        sample: &mut Samples<'_>,
    ) -> Result<Vec<f64>, AnalysisError> {
        Ok(self.pairs((low, high), sample)?.into_iter().map(|(at, ..)| at).collect())
    }

    /// The pairs that cross the boundary. One whose mirror crosses it the other way comes from a meeting: on the boundary its
    /// side is rounding.
    fn pairs(
        &self,
        (low, high): (&Sample, &Sample),
        sample: &mut Samples<'_>,
    ) -> Result<Places, AnalysisError> {
        let boundary = self.boundary;
        let pairs = |sample: &Sample| -> Vec<Complex<f64>> {
            let told = sample.told().filter(|(value, bound)| value.im > *bound);
            told.map(|(value, _)| value).collect()
        };
        let ends = pairs(high);
        // On it all are their own mirrors.
        let is_alone = |sample: &Sample, one: Complex<f64>| {
            let mut bounds = sample.told().filter(|(value, _)| *value == one).map(|told| told.1);
            let bound = bounds.next().unwrap_or(0.0);
            boundary.beyond(one).abs() <= bound || !boundary.is_mirrored(sample, (one, bound))
        };
        let starts = pairs(low);
        let crosses = |one: &Complex<f64>| {
            nearest(&ends, *one).is_some_and(|other| {
                boundary.beyond(*one) * boundary.beyond(other) < 0.0
                    && is_alone(low, *one)
                    && is_alone(high, other)
            })
        };
        let mut found = Vec::new();
        for from in starts.iter().copied().filter(crosses) {
            let followed = |sample: &Sample| nearest(&pairs(sample), from);
            let beyond =
                |sample: &Sample| followed(sample).map_or(f64::NAN, |v| boundary.beyond(v));
            let ends = [low, high].map(|end| (end.at, beyond(end)));
            let at = root(ends, |at| Ok(beyond(&sample(at)?)))?;
            if !at.is_finite() {
                continue;
            }
            let frequency = followed(&sample(at)?).map_or(f64::NAN, |v| boundary.frequency(v));
            found.push((at, CrossingKind::Oscillatory { frequency }, 2));
        }
        Ok(found)
    }
}

fn nearest(values: &[Complex<f64>], to: Complex<f64>) -> Option<Complex<f64>> {
    let distance = |value: &Complex<f64>| (value - to).norm_sqr();
    values.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The two values above the real axis that are nearest to one.
fn two_nearest(values: &[Complex<f64>], to: Complex<f64>) -> Option<[Complex<f64>; 2]> {
    let mut upper: Vec<Complex<f64>> =
        values.iter().copied().filter(|value| value.im > 0.0).collect();
    upper.sort_by(|a, b| (a - to).norm_sqr().total_cmp(&(b - to).norm_sqr()));
    Some([*upper.first()?, *upper.get(1)?])
}
