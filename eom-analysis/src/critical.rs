//! Critical values: where along a parameter eigenvalues cross the imaginary axis.
//!
//! ```text
//! p(λ) = det(λ − A) = c₀ + c₁λ + … + λʳ        d eigenvalues are 0 all along: c₀ = … = c₍d₋₁₎ = 0
//! real         c_d = 0: the product of the others vanishes
//! oscillatory  Re λ = 0 of a pair ± iω
//! meeting      (λ₁² − λ₂²)² = 0: two pairs ± iω₁, ± iω₂ meet on the axis and leave it
//! ```
//!
//! Of the multipliers μ of a map the circle |μ| = 1 stands in place of the axis: through 1 det(P − 1), through −1
//! det(P + 1), a pair |μ|² = 1.
//!
//! An interval between two samples is halved until what crosses in it explains how the number of eigenvalues with
//! a positive real part changes; where it cannot be explained the crossing is reported as such. What crosses and
//! comes back between two samples is not seen. A sample that is itself a critical value has more eigenvalues on the
//! axis than its neighbours: it decides nothing of them, and the crossing is looked for between these.

use crate::eigen::{coefficients, eigenvalues};
use crate::error::AnalysisError;
use crate::scaled::scaled;
use nalgebra::{Complex, DMatrix};

/// Below this part of the largest an eigenvalue counts as 0.
const ZERO: f64 = 1e-7;

/// A multiplier counts as 1 within this: one that is there twice with one vector is told to the root of rounding.
const ONE: f64 = 1e-5;

/// Intervals are halved so often.
const HALVINGS_MAX: usize = 40;

/// An interval whose middle is a critical value is parted here.
const ASIDE: f64 = 0.375;

/// How far within an end that is critical is looked instead, as a part of the way to the next sample.
const INSIDE: f64 = 1e-3;

/// A pair is followed in intervals of this part of the range.
const NARROW: f64 = 1e-3;

const ROOT_STEPS_MAX: usize = 200;

/// A value of the parameter at which eigenvalues cross the imaginary axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The value of the parameter.
    pub at: f64,
    /// What crosses.
    pub kind: CrossingKind,
    /// How many eigenvalues have a positive real part below and above it.
    pub unstable: [usize; 2],
}

/// How eigenvalues cross.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CrossingKind {
    /// A real eigenvalue through 0.
    Real,
    /// A pair ± iω; of a map e^(± iω).
    Oscillatory {
        /// ω, in rad/time; of a map in rad/return.
        frequency: f64,
    },
    /// Two pairs that meet at ± iω and leave the axis, of a system without loss.
    Meeting {
        /// ω, in rad/time.
        frequency: f64,
    },
    /// A multiplier of a map through −1.
    Doubling,
    /// Several at once, or what cannot be told apart.
    Several,
}

/// Of what the eigenvalues are: what they cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The imaginary axis, of a flow.
    Axis,
    /// The unit circle, of a map.
    Circle,
}

/// What is known at a value of the parameter.
#[derive(Clone)]
struct Sample {
    at: f64,
    values: Vec<Complex<f64>>,
    /// c₀ to cᵣ of det(λ − A); of a map of P − 1 and P + 1.
    coefficients: Vec<Vec<f64>>,
}

/// The crossings of A(p) for p between samples, which rise.
///
/// # Errors
/// Those of the family, and eigenvalues that do not converge.
pub fn critical_values(
    samples: &[f64],
    family: impl FnMut(f64) -> Result<DMatrix<f64>, AnalysisError>,
) -> Result<Vec<Crossing>, AnalysisError> {
    crossings(Boundary::Axis, samples, family)
}

/// The same through a boundary.
pub(crate) fn crossings(
    boundary: Boundary,
    samples: &[f64],
    mut family: impl FnMut(f64) -> Result<DMatrix<f64>, AnalysisError>,
) -> Result<Vec<Crossing>, AnalysisError> {
    let mut sample = |at: f64| boundary.sample(at, &family(at)?);
    let known: Vec<Sample> = samples.iter().map(|at| sample(*at)).collect::<Result<_, _>>()?;
    let count = |center: &f64| {
        known.iter().map(|sample| boundary.count_at(*center, &sample.values)).min().unwrap_or(0)
    };
    let zeros = boundary.centers().iter().map(count).collect();
    let range = samples.last().copied().unwrap_or(0.0) - samples.first().copied().unwrap_or(0.0);
    let mut search = Search { boundary, zeros, range, found: Vec::new() };
    let (first, last) = match known.as_slice() {
        [first, second, .., before, last] => {
            (boundary.at_end(first, second), boundary.at_end(last, before))
        }
        _ => (None, None),
    };
    // What begins or ends on a critical value is looked at from within.
    let mut known = known;
    for (end, beside) in
        [(first.map(|_| 0), 1), (last.map(|_| known.len() - 1), known.len().max(2) - 2)]
    {
        if let Some(end) = end {
            known[end] = sample(known[end].at + INSIDE * (known[beside].at - known[end].at))?;
        }
    }
    let mut kept: Vec<&Sample> = Vec::new();
    for (index, one) in known.iter().enumerate() {
        let is_critical = kept.last().zip(known.get(index + 1));
        if !is_critical.is_some_and(|(low, high)| boundary.is_critical(one, [low, high])) {
            kept.push(one);
        }
    }
    search.found.extend(first);
    for pair in kept.windows(2) {
        search.between(pair[0], pair[1], HALVINGS_MAX, &mut sample)?;
    }
    search.found.extend(last);
    Ok(search.found)
}

impl Boundary {
    /// Where real eigenvalues cross.
    fn centers(self) -> &'static [f64] {
        match self {
            Self::Axis => &[0.0],
            Self::Circle => &[1.0, -1.0],
        }
    }

    /// What it is that crosses there.
    fn kind(self, center: usize) -> CrossingKind {
        match (self, center) {
            (Self::Circle, 1) => CrossingKind::Doubling,
            _ => CrossingKind::Real,
        }
    }

    fn sample(self, at: f64, a: &DMatrix<f64>) -> Result<Sample, AnalysisError> {
        let n = a.nrows();
        let (even, _) = scaled(a);
        let shifted = |center: &f64| coefficients(&(&even - DMatrix::identity(n, n) * *center));
        let coefficients = self.centers().iter().map(shifted).collect();
        Ok(Sample { at, values: eigenvalues(a)?, coefficients })
    }

    /// What is rounding of eigenvalues.
    fn rounding(self, values: &[Complex<f64>]) -> f64 {
        match self {
            Self::Axis => ZERO * largest(values),
            Self::Circle => ONE,
        }
    }

    /// How many eigenvalues are at a center.
    fn count_at(self, center: f64, values: &[Complex<f64>]) -> usize {
        let bound = self.rounding(values);
        values.iter().filter(|value| (**value - center).norm_sqr().sqrt() <= bound).count()
    }

    /// Whether more eigenvalues are on it, or at one of its centers, at a sample than at the samples on either side.
    fn is_critical(self, sample: &Sample, beside: [&Sample; 2]) -> bool {
        let on = |sample: &Sample| {
            let bound = self.rounding(&sample.values);
            sample.values.iter().filter(|value| self.beyond(**value).abs() <= bound).count()
        };
        let is_at = |center: &f64| {
            let at = |sample: &Sample| self.count_at(*center, &sample.values);
            beside.iter().all(|other| at(sample) > at(other))
        };
        beside.iter().all(|other| on(sample) > on(other)) || self.centers().iter().any(is_at)
    }

    /// What crosses at the first or last sample: one eigenvalue at a center that is none at the sample beside it.
    fn at_end(self, end: &Sample, beside: &Sample) -> Option<Crossing> {
        let more = |center: &f64| {
            let [here, there] = [end, beside].map(|one| self.count_at(*center, &one.values));
            here == there + 1
        };
        let center = self.centers().iter().position(more)?;
        let (low, high) = if end.at <= beside.at { (end, beside) } else { (beside, end) };
        let unstable = [low, high].map(|one| self.unstable(&one.values));
        Some(Crossing { at: end.at, kind: self.kind(center), unstable })
    }

    /// How far an eigenvalue is beyond it.
    fn beyond(self, value: Complex<f64>) -> f64 {
        match self {
            Self::Axis => value.re,
            Self::Circle => value.norm_sqr() - 1.0,
        }
    }

    fn frequency(self, value: Complex<f64>) -> f64 {
        match self {
            Self::Axis => value.im,
            Self::Circle => value.arg(),
        }
    }

    /// How many eigenvalues are beyond it.
    pub(crate) fn unstable(self, values: &[Complex<f64>]) -> usize {
        let bound = self.rounding(values);
        values.iter().filter(|value| self.beyond(**value) > bound).count()
    }
}

struct Search {
    boundary: Boundary,
    /// How many eigenvalues are at each center all along.
    zeros: Vec<usize>,
    range: f64,
    found: Vec<Crossing>,
}

impl Search {
    fn between(
        &mut self,
        low: &Sample,
        high: &Sample,
        depth: usize,
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<(), AnalysisError> {
        let unstable = [low, high].map(|end| self.boundary.unstable(&end.values));
        let change = unstable[0].abs_diff(unstable[1]);
        // The product of the eigenvalues about a center that are not there all along.
        let product = |center: usize, zeros: &[usize], sample: &Sample| {
            sample.coefficients[center][zeros[center]]
        };
        let turns = |center: &usize| {
            product(*center, &self.zeros, low) * product(*center, &self.zeros, high) < 0.0
        };
        let turning: Vec<usize> = (0..self.zeros.len()).filter(turns).collect();
        let crossing = match (change, &turning[..]) {
            (0, []) => return Ok(()),
            (1, [center]) => {
                let zeros = &self.zeros;
                let of = |sample: &Sample| product(*center, zeros, sample);
                let at = root([(low.at, of(low)), (high.at, of(high))], |at| Ok(of(&sample(at)?)))?;
                Some((at, self.boundary.kind(*center)))
            }
            (2, []) if high.at - low.at <= NARROW * self.range => {
                match self.meeting(low, high, sample)? {
                    None => self.pair(low, high, sample)?,
                    met => met,
                }
            }
            _ => None,
        };
        if let Some((at, kind)) = crossing {
            self.found.push(Crossing { at, kind, unstable });
            return Ok(());
        }
        let part = |part: f64| low.at + part * (high.at - low.at);
        let middle = part(0.5);
        if depth == 0 || middle <= low.at || middle >= high.at {
            self.found.push(Crossing { at: middle, kind: CrossingKind::Several, unstable });
            return Ok(());
        }
        let mut middle = sample(middle)?;
        if self.boundary.is_critical(&middle, [low, high]) {
            middle = sample(part(ASIDE))?;
        }
        self.between(low, &middle, depth - 1, sample)?;
        self.between(&middle, high, depth - 1, sample)
    }

    /// Two pairs on the axis on the one side, ± u ± iω on the other.
    fn meeting(
        &self,
        low: &Sample,
        high: &Sample,
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Option<(f64, CrossingKind)>, AnalysisError> {
        if self.boundary == Boundary::Circle {
            return Ok(None);
        }
        let unstable = |sample: &Sample| self.boundary.unstable(&sample.values);
        let (calm, other) = if unstable(low) < unstable(high) { (low, high) } else { (high, low) };
        let size = largest(&other.values);
        let is_off = |value: &&Complex<f64>| value.im > 0.0 && value.re > ZERO * size;
        let Some(from) = other.values.iter().find(is_off).copied() else { return Ok(None) };
        let upper = |sample: &Sample| two_nearest(&sample.values, Complex::new(0.0, from.im));
        let (Some([u, w]), Some([a, b])) = (upper(other), upper(calm)) else { return Ok(None) };
        let on_axis = |value: Complex<f64>| value.re.abs() <= ZERO * size;
        let mirrored = (u.re + w.re).abs() <= ZERO * size && (u.im - w.im).abs() <= ZERO * size;
        if !(mirrored && on_axis(a) && on_axis(b)) {
            return Ok(None);
        }
        let split = |sample: &Sample| {
            upper(sample).map_or(f64::NAN, |[u, w]| {
                let difference = u * u - w * w;
                (difference * difference).re
            })
        };
        let ends = [low, high].map(|end| (end.at, split(end)));
        let at = root(ends, |at| Ok(split(&sample(at)?)))?;
        if !at.is_finite() {
            return Ok(None);
        }
        let frequency = upper(&sample(at)?).map_or(f64::NAN, |[u, w]| 0.5 * (u.im + w.im));
        Ok(Some((at, CrossingKind::Meeting { frequency })))
    }

    /// The pair that crosses the boundary.
    fn pair(
        &self,
        low: &Sample,
        high: &Sample,
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Option<(f64, CrossingKind)>, AnalysisError> {
        let boundary = self.boundary;
        let pairs = |sample: &Sample| -> Vec<Complex<f64>> {
            let size = largest(&sample.values);
            sample.values.iter().copied().filter(|value| value.im > ZERO * size).collect()
        };
        let crosses = |one: &Complex<f64>| {
            nearest(&pairs(high), *one)
                .filter(|other| boundary.beyond(*one) * boundary.beyond(*other) < 0.0)
                .map(|other| (*one, other))
        };
        let mut crossing = pairs(low).iter().filter_map(crosses).collect::<Vec<_>>();
        let (Some((from, _)), true) = (crossing.pop(), crossing.is_empty()) else {
            return Ok(None);
        };
        let followed = |sample: &Sample| nearest(&pairs(sample), from);
        let beyond = |sample: &Sample| followed(sample).map_or(f64::NAN, |v| boundary.beyond(v));
        let ends = [low, high].map(|end| (end.at, beyond(end)));
        let at = root(ends, |at| Ok(beyond(&sample(at)?)))?;
        if !at.is_finite() {
            return Ok(None);
        }
        let frequency = followed(&sample(at)?).map_or(f64::NAN, |v| boundary.frequency(v));
        Ok(Some((at, CrossingKind::Oscillatory { frequency })))
    }
}

fn largest(values: &[Complex<f64>]) -> f64 {
    values.iter().map(|value| value.norm_sqr().sqrt()).fold(0.0, f64::max)
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

/// The root between two points (x, f(x)) of a function that changes its sign there, by false position with Illinois'
/// halving.
pub(crate) fn root(
    [mut a, mut b]: [(f64, f64); 2],
    mut f: impl FnMut(f64) -> Result<f64, AnalysisError>,
) -> Result<f64, AnalysisError> {
    let mut kept = 0;
    for _ in 0..ROOT_STEPS_MAX {
        let mut at = b.0 - b.1 * (b.0 - a.0) / (b.1 - a.1);
        if !(at > a.0 && at < b.0) {
            at = a.0 + 0.5 * (b.0 - a.0);
        }
        if at <= a.0 || at >= b.0 {
            break;
        }
        let value = f(at)?;
        if value == 0.0 {
            return Ok(at);
        }
        if !value.is_finite() {
            return Ok(f64::NAN);
        }
        if value * b.1 > 0.0 {
            b = (at, value);
            if kept == 1 {
                a.1 *= 0.5;
            }
            kept = 1;
        } else {
            a = (at, value);
            if kept == 2 {
                b.1 *= 0.5;
            }
            kept = 2;
        }
        if b.0 - a.0 <= 2.0 * f64::EPSILON * b.0.abs().max(a.0.abs()) {
            break;
        }
    }
    Ok(if a.1.abs() < b.1.abs() { a.0 } else { b.0 })
}
