//! What eigenvalues cross: the axis of a flow, the circle of a map, and which of them are on it, beyond it, at its centers.

use super::{Boundary, Crossing, CrossingKind, Sample, ZERO, largest};
use crate::error::AnalysisError;
use crate::linear::doubt::bounds;
use crate::linear::eigen::{coefficients, eigenvalues};
use crate::linear::scaled::scaled;
use nalgebra::{Complex, DMatrix};

/// A multiplier counts as 1 within this: one that is there twice with one vector is told to the root of rounding.
const ONE: f64 = 1e-5;

impl Sample {
    /// Its eigenvalues, and beyond what each has a side.
    pub(crate) fn told(&self) -> impl Iterator<Item = (Complex<f64>, f64)> {
        self.values.iter().copied().zip(self.bounds.iter().copied())
    }

    /// How many eigenvalues are at a center.
    pub(crate) fn count_at(&self, center: f64) -> usize {
        self.told().filter(|(value, bound)| (value - center).norm_sqr().sqrt() <= *bound).count()
    }
}

impl Boundary {
    /// Where real eigenvalues cross.
    pub(crate) fn centers(self) -> &'static [f64] {
        match self {
            Self::Axis => &[0.0],
            Self::Circle => &[1.0, -1.0],
        }
    }

    /// What it is that crosses there.
    pub(crate) fn kind(self, center: usize) -> CrossingKind {
        match (self, center) {
            (Self::Circle, 1) => CrossingKind::Doubling,
            _ => CrossingKind::Real,
        }
    }

    pub(crate) fn sample(self, at: f64, a: &DMatrix<f64>) -> Result<Sample, AnalysisError> {
        let n = a.nrows();
        let (even, _) = scaled(a);
        let shifted = |center: &f64| coefficients(&(&even - DMatrix::identity(n, n) * *center));
        let coefficients = self.centers().iter().map(shifted).collect();
        let values = eigenvalues(a)?;
        let bounds = self.bounds(a, &values)?;
        let unstable = self.beyond_bounds(&values, &bounds);
        Ok(Sample { at, values, bounds, unstable, coefficients })
    }

    /// What is rounding of eigenvalues.
    pub(crate) fn rounding(self, values: &[Complex<f64>]) -> f64 {
        match self {
            Self::Axis => ZERO * largest(values),
            Self::Circle => ONE,
        }
    }

    /// What frequencies are measured in.
    pub(crate) fn unit(self, values: &[Complex<f64>]) -> f64 {
        match self {
            Self::Axis => largest(values),
            Self::Circle => 1.0,
        }
    }

    /// How many eigenvalues are on it.
    pub(crate) fn count_on(self, sample: &Sample) -> usize {
        sample.told().filter(|(value, bound)| self.beyond(*value).abs() <= *bound).count()
    }

    /// Whether more eigenvalues are on it, or at one of its centers, at a sample than at the samples on either side.
    pub(crate) fn is_critical(self, sample: &Sample, beside: [&Sample; 2]) -> bool {
        let on = |sample: &Sample| self.count_on(sample);
        let is_at = |center: &f64| {
            let at = |sample: &Sample| sample.count_at(*center);
            beside.iter().all(|other| at(sample) > at(other))
        };
        beside.iter().all(|other| on(sample) > on(other)) || self.centers().iter().any(is_at)
    }

    /// Whether more are on it, or at one of its centers, at a sample than at another one.
    pub(crate) fn has_more(self, sample: &Sample, other: &Sample) -> bool {
        self.is_critical(sample, [other, other])
    }

    /// What crosses at the first or last sample: one eigenvalue at a center, two that are a pair ± λ of a system without loss, or
    /// a pair on it, that is none at the sample beside.
    pub(crate) fn at_end(self, end: &Sample, beside: &Sample) -> Option<Crossing> {
        let more = |center: &f64| {
            let [here, there] = [end, beside].map(|one| one.count_at(*center));
            here.checked_sub(there)
        };
        let mores: Vec<Option<usize>> = self.centers().iter().map(more).collect();
        let one = mores.iter().position(|more| *more == Some(1));
        let pair = || mores.iter().position(|more| self == Self::Axis && *more == Some(2));
        let kind = match one.or_else(pair) {
            Some(center) => self.kind(center),
            None if mores.iter().all(|more| *more == Some(0)) => {
                let [here, there] = [end, beside].map(|one| self.pairs_on(one));
                let [frequency] = here[..] else { return None };
                if !there.is_empty() {
                    return None;
                }
                CrossingKind::Oscillatory { frequency }
            }
            None => return None,
        };
        let (low, high) = if end.at <= beside.at { (end, beside) } else { (beside, end) };
        let unstable = [low, high].map(|one| one.unstable);
        Some(Crossing { at: end.at, kind, unstable })
    }

    /// The frequencies of the pairs on it, away from its centers.
    pub(crate) fn pairs_on(self, sample: &Sample) -> Vec<f64> {
        let is_on = |(value, bound): &(Complex<f64>, f64)| {
            let distance = |center: &f64| (*value - *center).norm_sqr().sqrt();
            let is_apart = self.centers().iter().all(|center| distance(center) > *bound);
            value.im > 0.0 && is_apart && self.beyond(*value).abs() <= *bound
        };
        sample.told().filter(is_on).map(|(value, _)| self.frequency(value)).collect()
    }

    /// How far an eigenvalue is beyond it.
    pub(crate) fn beyond(self, value: Complex<f64>) -> f64 {
        match self {
            Self::Axis => value.re,
            Self::Circle => value.norm_sqr() - 1.0,
        }
    }

    pub(crate) fn frequency(self, value: Complex<f64>) -> f64 {
        match self {
            Self::Axis => value.im,
            Self::Circle => value.arg(),
        }
    }

    /// Beyond what each of the eigenvalues of a matrix has a side.
    fn bounds(self, a: &DMatrix<f64>, values: &[Complex<f64>]) -> Result<Vec<f64>, AnalysisError> {
        match self {
            Self::Axis => bounds(a, values, ZERO),
            Self::Circle => Ok(vec![ONE; values.len()]),
        }
    }

    fn beyond_bounds(self, values: &[Complex<f64>], bounds: &[f64]) -> usize {
        let pairs = values.iter().zip(bounds);
        pairs.filter(|(value, bound)| self.beyond(**value) > **bound).count()
    }

    /// How many of the eigenvalues of a matrix are beyond it.
    pub(crate) fn unstable(
        self,
        a: &DMatrix<f64>,
        values: &[Complex<f64>],
    ) -> Result<usize, AnalysisError> {
        Ok(self.beyond_bounds(values, &self.bounds(a, values)?))
    }
}
