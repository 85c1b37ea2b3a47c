//! Critical values: where along a parameter eigenvalues cross the imaginary axis.
//!
//! ```text
//! p(λ) = det(λ − A) = c₀ + c₁λ + … + λʳ        d eigenvalues are 0 all along: c₀ = … = c₍d₋₁₎ = 0
//! real         c_d = 0: the product of the others vanishes
//! oscillatory  Re λ = 0 of a pair ± iω
//! meeting      (λ₁² − λ₂²)² = 0: two pairs ± iω₁, ± iω₂ meet on the axis and leave it
//! ```
//!
//! An interval between two samples is halved until what crosses in it explains how the number of eigenvalues with
//! a positive real part changes; where it cannot be explained the crossing is reported as such. What crosses and
//! comes back between two samples is not seen.

use crate::eigen::eigenvalues;
use crate::error::AnalysisError;
use nalgebra::{Complex, DMatrix};

/// Below this part of the largest an eigenvalue counts as 0.
const ZERO: f64 = 1e-7;

/// Intervals are halved so often.
const HALVINGS_MAX: usize = 40;

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
    /// A pair ± iω.
    Oscillatory {
        /// ω, in rad/time.
        frequency: f64,
    },
    /// Two pairs that meet at ± iω and leave the axis, of a system without loss.
    Meeting {
        /// ω, in rad/time.
        frequency: f64,
    },
    /// Several at once, or what cannot be told apart.
    Several,
}

/// What is known at a value of the parameter.
#[derive(Clone)]
struct Sample {
    at: f64,
    values: Vec<Complex<f64>>,
    /// c₀ to cᵣ.
    coefficients: Vec<f64>,
}

/// The crossings of A(p) for p between samples, which rise.
///
/// # Errors
/// Those of the family, and eigenvalues that do not converge.
pub fn critical_values(
    samples: &[f64],
    mut family: impl FnMut(f64) -> Result<DMatrix<f64>, AnalysisError>,
) -> Result<Vec<Crossing>, AnalysisError> {
    let mut sample = |at: f64| -> Result<Sample, AnalysisError> {
        let a = family(at)?;
        Ok(Sample { at, values: eigenvalues(&a)?, coefficients: coefficients(&a) })
    };
    let known: Vec<Sample> = samples.iter().map(|at| sample(*at)).collect::<Result<_, _>>()?;
    let zeros = known.iter().map(|sample| zero_count(&sample.values)).min().unwrap_or_default();
    let range = samples.last().copied().unwrap_or(0.0) - samples.first().copied().unwrap_or(0.0);
    let mut search = Search { zeros, range, found: Vec::new() };
    for pair in known.windows(2) {
        search.between(&pair[0], &pair[1], HALVINGS_MAX, &mut sample)?;
    }
    Ok(search.found)
}

struct Search {
    zeros: usize,
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
        let unstable = [Self::unstable(low), Self::unstable(high)];
        let change = unstable[0].abs_diff(unstable[1]);
        let product = |sample: &Sample| sample.coefficients[self.zeros];
        let turns = product(low) * product(high) < 0.0;
        let crossing = match (change, turns) {
            (0, false) => return Ok(()),
            (1, true) => {
                let zeros = self.zeros;
                let at = root([low, high], |at| Ok(sample(at)?.coefficients[zeros]), product)?;
                Some((at, CrossingKind::Real))
            }
            (2, false) if high.at - low.at <= NARROW * self.range => {
                match Self::meeting(low, high, sample)? {
                    None => Self::pair(low, high, sample)?,
                    met => met,
                }
            }
            _ => None,
        };
        if let Some((at, kind)) = crossing {
            self.found.push(Crossing { at, kind, unstable });
            return Ok(());
        }
        let middle = low.at + 0.5 * (high.at - low.at);
        if depth == 0 || middle <= low.at || middle >= high.at {
            self.found.push(Crossing { at: middle, kind: CrossingKind::Several, unstable });
            return Ok(());
        }
        let middle = sample(middle)?;
        self.between(low, &middle, depth - 1, sample)?;
        self.between(&middle, high, depth - 1, sample)
    }

    /// Two pairs on the axis on the one side, ± u ± iω on the other.
    fn meeting(
        low: &Sample,
        high: &Sample,
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Option<(f64, CrossingKind)>, AnalysisError> {
        let (calm, other) =
            if Self::unstable(low) < Self::unstable(high) { (low, high) } else { (high, low) };
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
        let at = root([low, high], |at| Ok(split(&sample(at)?)), split)?;
        let frequency = upper(&sample(at)?).map_or(f64::NAN, |[u, w]| 0.5 * (u.im + w.im));
        Ok(Some((at, CrossingKind::Meeting { frequency })).filter(|(at, _)| at.is_finite()))
    }

    /// The pair whose real part changes its sign.
    fn pair(
        low: &Sample,
        high: &Sample,
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Option<(f64, CrossingKind)>, AnalysisError> {
        let pairs = |sample: &Sample| -> Vec<Complex<f64>> {
            let size = largest(&sample.values);
            sample.values.iter().copied().filter(|value| value.im > ZERO * size).collect()
        };
        let crosses = |one: &Complex<f64>| {
            nearest(&pairs(high), *one)
                .filter(|other| one.re * other.re < 0.0)
                .map(|other| (*one, other))
        };
        let mut crossing = pairs(low).iter().filter_map(crosses).collect::<Vec<_>>();
        let (Some((from, _)), true) = (crossing.pop(), crossing.is_empty()) else {
            return Ok(None);
        };
        let real =
            |sample: &Sample| nearest(&pairs(sample), from).map_or(f64::NAN, |value| value.re);
        let at = root([low, high], |at| Ok(real(&sample(at)?)), real)?;
        let frequency = nearest(&pairs(&sample(at)?), from).map_or(f64::NAN, |value| value.im);
        Ok(Some((at, CrossingKind::Oscillatory { frequency })).filter(|(at, _)| at.is_finite()))
    }

    /// How many eigenvalues have a positive real part.
    fn unstable(sample: &Sample) -> usize {
        let size = largest(&sample.values);
        sample.values.iter().filter(|value| value.re > ZERO * size).count()
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

/// How many eigenvalues are 0.
fn zero_count(values: &[Complex<f64>]) -> usize {
    let size = largest(values);
    values.iter().filter(|value| value.norm_sqr().sqrt() <= ZERO * size).count()
}

/// c₀ to cᵣ of det(λ − A), by Faddeev and Le Verrier.
fn coefficients(a: &DMatrix<f64>) -> Vec<f64> {
    let n = a.nrows();
    let mut coefficients = vec![0.0; n + 1];
    coefficients[n] = 1.0;
    let mut m = DMatrix::zeros(n, n);
    for k in 1..=n {
        m = a * m;
        (0..n).for_each(|i| m[(i, i)] += coefficients[n - k + 1]);
        coefficients[n - k] = -(a * &m).trace() / k as f64;
    }
    coefficients
}

/// The root between two samples of a function that changes its sign there, by false position with Illinois' halving.
fn root(
    [low, high]: [&Sample; 2],
    mut f: impl FnMut(f64) -> Result<f64, AnalysisError>,
    known: impl Fn(&Sample) -> f64,
) -> Result<f64, AnalysisError> {
    let (mut a, mut b) = ((low.at, known(low)), (high.at, known(high)));
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
