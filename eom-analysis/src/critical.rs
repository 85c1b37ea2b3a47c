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
//! a positive real part changes; where it cannot be explained the crossing is reported as such. What touches, or crosses and
//! comes back between two samples, is looked for where an eigenvalue is nearest to the axis (`touch`). A sample that is itself a critical value has more eigenvalues on the
//! axis than its neighbours: it decides nothing of them, and the crossing is looked for between these.

use crate::error::AnalysisError;
use nalgebra::{Complex, DMatrix};

/// Below this part of the largest an eigenvalue counts as 0.
pub(crate) const ZERO: f64 = 1e-7;

/// Intervals are halved so often.
const HALVINGS_MAX: usize = 40;

/// An interval whose middle is a critical value is parted here.
const ASIDE: f64 = 0.375;

/// How far within an end that is critical is looked instead, as a part of the way to the next sample.
const INSIDE: f64 = 1e-3;

/// A pair is followed in intervals of this part of the range.
const NARROW: f64 = 1e-3;

/// Several that are not told apart in an interval of this part of the range cross at one value.
pub(crate) const ONE_PLACE: f64 = 2e-6;

/// (λ₁² − λ₂²)² below this part of |λ|⁴ is rounding.
const MET: f64 = 1e-13;

/// Their product about a center touches 0 where it is this part of what it is at the ends.
const TOUCHES: f64 = 1e-9;

/// Steps of the search for a double root.
const DOUBLE_STEPS: usize = 40;

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
    /// A real one, or a pair, touches the axis or the circle and turns back.
    Tangency {
        /// ω, 0 of a real one; of a map the angle, 0 at 1 and π at −1.
        frequency: f64,
    },
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
pub(crate) struct Sample {
    pub(crate) at: f64,
    pub(crate) values: Vec<Complex<f64>>,
    /// Beyond what each of them has a side.
    pub(crate) bounds: Vec<f64>,
    /// How many of them are beyond the boundary.
    pub(crate) unstable: usize,
    /// c₀ to cᵣ of det(λ − A); of a map of P − 1 and P + 1.
    pub(crate) coefficients: Vec<Vec<f64>>,
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
    let count =
        |center: &f64| known.iter().map(|sample| sample.count_at(*center)).min().unwrap_or(0);
    let zeros = boundary.centers().iter().map(count).collect();
    let range = samples.last().copied().unwrap_or(0.0) - samples.first().copied().unwrap_or(0.0);
    let all = known.clone();
    let mut search = Search { boundary, zeros, range, found: Vec::new() };
    let mut known = known;
    let mut ends = [None, None];
    if let ([first, second, ..], [.., before, last]) = (known.as_slice(), known.as_slice()) {
        ends = [boundary.at_end(first, second), boundary.at_end(last, before)];
    }
    // What begins or ends on a critical value is looked at from within; a pair that is on the axis there, too, stays on it.
    let places = [(0, 1), (known.len().saturating_sub(1), known.len().max(2) - 2)];
    for (found, (end, beside)) in ends.iter_mut().zip(places) {
        let Some(crossing) = found else { continue };
        let way = known[beside].at - known[end].at;
        let within = sample(known[end].at + INSIDE * way)?;
        let farther = sample(known[end].at + 2.0 * INSIDE * way)?;
        let count = boundary.more_at(crossing.kind, [&known[end], &known[beside]]);
        // Two at a center that are none of a pair ± λ beside it are several.
        if count > 1 && !Boundary::mirrored(&within, &known[beside]) {
            *found = None;
            continue;
        }
        let turns = boundary.turns_back(crossing.kind, count, [&within, &farther], &known[beside]);
        let is_pair = matches!(crossing.kind, CrossingKind::Oscillatory { .. });
        if turns {
            crossing.kind = tangency(crossing.kind);
            crossing.unstable = [known[beside].unstable; 2];
            known[end] = farther;
        } else if is_pair && !boundary.pairs_on(&within).is_empty() {
            *found = None;
        } else {
            known[end] = within;
        }
    }
    let [first, last] = ends;
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
    search.touches(&all, &mut sample)?;
    search.found.sort_by(|a, b| a.at.total_cmp(&b.at));
    Ok(search.found)
}

pub(crate) struct Search {
    pub(crate) boundary: Boundary,
    /// How many eigenvalues are at each center all along.
    zeros: Vec<usize>,
    pub(crate) range: f64,
    pub(crate) found: Vec<Crossing>,
}

/// What crosses in an interval, where.
type Places = Vec<(f64, CrossingKind)>;

impl Search {
    pub(crate) fn between(
        &mut self,
        low: &Sample,
        high: &Sample,
        depth: usize,
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<(), AnalysisError> {
        let unstable = [low, high].map(|end| end.unstable);
        let change = unstable[0].abs_diff(unstable[1]);
        let turns = |center: &usize| self.product(*center, low) * self.product(*center, high) < 0.0;
        let turning: Vec<usize> = (0..self.zeros.len()).filter(turns).collect();
        let is_narrow = high.at - low.at <= NARROW * self.range;
        let crossings = match (change, &turning[..]) {
            (0, []) => return Ok(()),
            (1, [_]) => self.real(&turning, (low, high), sample)?,
            (2, []) if is_narrow => match self.meeting(low, high, sample)? {
                Some(met) => vec![met],
                None => self.together((change, &turning), (low, high), sample)?,
            },
            (2.., _) if is_narrow => self.together((change, &turning), (low, high), sample)?,
            _ => Vec::new(),
        };
        if !crossings.is_empty() {
            self.tell(crossings, unstable);
            return Ok(());
        }
        let part = |part: f64| low.at + part * (high.at - low.at);
        let middle = part(0.5);
        let is_one = change > 1 && high.at - low.at <= ONE_PLACE * self.range;
        if depth == 0 || is_one || middle <= low.at || middle >= high.at {
            self.found.push(Crossing { at: middle, kind: CrossingKind::Several, unstable });
            return Ok(());
        }
        let mut middle = sample(middle)?;
        if self.boundary.is_critical(&middle, [low, high]) {
            middle = sample(part(ASIDE))?;
            // What is told of neither has its crossing there.
            if change > 1 && self.boundary.is_critical(&middle, [low, high]) {
                let crossings = self.together((change, &turning), (low, high), sample)?;
                if !crossings.is_empty() {
                    self.tell(crossings, unstable);
                    return Ok(());
                }
            }
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
        let (calm, other) = if low.unstable < high.unstable { (low, high) } else { (high, low) };
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
        // At the value itself, and where they touch only, both ends have one sign but for rounding.
        let rounding = MET * size.powi(4);
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
        let frequency = upper(&sample(at)?).map_or(f64::NAN, |[u, w]| 0.5 * (u.im + w.im));
        Ok(Some((at, CrossingKind::Meeting { frequency })))
    }

    /// Real ones that cross, each at a center of its own.
    fn real(
        &self,
        turning: &[usize],
        (low, high): (&Sample, &Sample),
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Places, AnalysisError> {
        let mut found = Vec::new();
        for &center in turning {
            let ends = [low, high].map(|end| (end.at, self.product(center, end)));
            let at = root(ends, |at| Ok(self.product(center, &sample(at)?)))?;
            found.push((at, self.boundary.kind(center)));
        }
        Ok(found)
    }

    /// The product of the eigenvalues about a center that are not there all along.
    fn product(&self, center: usize, sample: &Sample) -> f64 {
        sample.coefficients[center][self.zeros[center]]
    }

    /// What crosses in a narrow interval, real ones and pairs, where that is all of it; none else. Two real ones that cross at one
    /// value do so where their product touches 0.
    fn together(
        &self,
        (change, turning): (usize, &[usize]),
        (low, high): (&Sample, &Sample),
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Places, AnalysisError> {
        let mut found = self.pairs((low, high), sample)?;
        let left = change.checked_sub(2 * found.len());
        match left {
            Some(0) if turning.is_empty() => {}
            Some(left) if left == turning.len() => {
                found.extend(self.real(turning, (low, high), sample)?);
            }
            Some(2) if turning.is_empty() => match self.double((low, high), sample)? {
                Some(at) => found.push((at, CrossingKind::Several)),
                None => return Ok(Vec::new()),
            },
            _ => return Ok(Vec::new()),
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(if found.iter().all(|(at, _)| at.is_finite()) { found } else { Vec::new() })
    }

    /// Where the product about a center touches 0, as κ (p − p*)².
    fn double(
        &self,
        (low, high): (&Sample, &Sample),
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Option<f64>, AnalysisError> {
        for center in 0..self.zeros.len() {
            let [mut a, mut b] = [low, high].map(|end| (end.at, self.product(center, end)));
            let size = a.1.abs().max(b.1.abs());
            for _ in 0..DOUBLE_STEPS {
                // √|c| is straight on both sides of p*.
                let [one, other] = [a.1, b.1].map(|value| value.abs().sqrt());
                let at = a.0 + (b.0 - a.0) * one / (one + other);
                if !(at > a.0 && at < b.0) {
                    break;
                }
                let value = self.product(center, &sample(at)?);
                if value.abs() <= TOUCHES * size {
                    return Ok(Some(at));
                }
                let quarter = (b.0 - a.0) / 4.0;
                let ends = [(at - quarter).max(a.0), (at + quarter).min(b.0)];
                for (end, to) in ends.into_iter().zip([&mut a, &mut b]) {
                    if end != to.0 {
                        *to = (end, self.product(center, &sample(end)?));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Tells what crosses, one after another.
    fn tell(&mut self, crossings: Places, [mut count, last]: [usize; 2]) {
        let rises = last > count;
        let total = count.abs_diff(last);
        let several = crossings.len();
        let mut left = total;
        for (index, (at, kind)) in crossings.into_iter().enumerate() {
            let weight = match kind {
                CrossingKind::Real | CrossingKind::Doubling => 1,
                _ => 2,
            };
            let weight = if index + 1 == several { left } else { weight.min(left) };
            left -= weight;
            let next = if rises { count + weight } else { count - weight };
            self.found.push(Crossing { at, kind, unstable: [count, next] });
            count = next;
        }
    }

    /// The pairs that cross the boundary.
    fn pairs(
        &self,
        (low, high): (&Sample, &Sample),
        sample: &mut impl FnMut(f64) -> Result<Sample, AnalysisError>,
    ) -> Result<Places, AnalysisError> {
        let boundary = self.boundary;
        let pairs = |sample: &Sample| -> Vec<Complex<f64>> {
            let told = sample.told().filter(|(value, bound)| value.im > *bound);
            told.map(|(value, _)| value).collect()
        };
        let ends = pairs(high);
        let crosses = |one: &Complex<f64>| {
            nearest(&ends, *one)
                .is_some_and(|other| boundary.beyond(*one) * boundary.beyond(other) < 0.0)
        };
        let mut found = Vec::new();
        for from in pairs(low).into_iter().filter(crosses) {
            let followed = |sample: &Sample| nearest(&pairs(sample), from);
            let beyond =
                |sample: &Sample| followed(sample).map_or(f64::NAN, |v| boundary.beyond(v));
            let ends = [low, high].map(|end| (end.at, beyond(end)));
            let at = root(ends, |at| Ok(beyond(&sample(at)?)))?;
            if !at.is_finite() {
                continue;
            }
            let frequency = followed(&sample(at)?).map_or(f64::NAN, |v| boundary.frequency(v));
            found.push((at, CrossingKind::Oscillatory { frequency }));
        }
        Ok(found)
    }
}

/// What touches where another of its kind crosses.
fn tangency(kind: CrossingKind) -> CrossingKind {
    let frequency = match kind {
        CrossingKind::Oscillatory { frequency } => frequency,
        CrossingKind::Doubling => std::f64::consts::PI,
        _ => 0.0,
    };
    CrossingKind::Tangency { frequency }
}

pub(crate) fn largest(values: &[Complex<f64>]) -> f64 {
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
