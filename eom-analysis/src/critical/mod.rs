//! Critical values: where along a parameter eigenvalues cross the imaginary axis.
//!
//! ```text
//! p(λ) = det(λ − A) = c₀ + c₁λ + … + λʳ        d eigenvalues are 0 all along: c₀ = … = c₍d₋₁₎ = 0
//! real         c_d = 0: the product of the others vanishes
//! oscillatory  Re λ = 0 of a pair ± iω
//! meeting      (λ₁² − λ₂²)² = 0: two pairs ± iω₁, ± iω₂ meet on the axis and leave it (`places`)
//! ```
//!
//! Of the multipliers μ of a map the circle |μ| = 1 stands in place of the axis: through 1 det(P − 1), through −1
//! det(P + 1), a pair |μ|² = 1.
//!
//! An interval between two samples is halved until what crosses in it explains how the number of eigenvalues with
//! a positive real part changes; where it cannot be explained the crossing is reported as such. The sign of c_d tells how many
//! real ones are positive, even or odd, and not which way one goes: that is told by the numbers right beside its place, and what
//! is left of the change is looked for on either side. What touches, or crosses and
//! comes back between two samples, is looked for where an eigenvalue is nearest to the axis (`touch`). A sample that is itself a critical value has more eigenvalues on the
//! axis than its neighbours: it decides nothing of them, and the crossing is looked for between these.

mod boundary;
mod one_place;
pub(crate) mod places;
mod touch;

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
pub(crate) const NARROW: f64 = 1e-3;

/// Several that are not told apart in an interval of this part of the range cross at one value.
pub(crate) const ONE_PLACE: f64 = 2e-6;

/// Beside the place of a real one, as a part of the interval: the first where it has left its center.
const BESIDE: [f64; 2] = [1e-3, 0.03];

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
    /// Two pairs that meet at ± iω and leave the axis, of a system without loss; of a map at e^(± iω) of the circle.
    Meeting {
        /// ω, in rad/time; of a map in rad/return.
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
    let mut search = Search { boundary, zeros, range, found: Vec::new(), untold: Vec::new() };
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
            // Another crossing may come before the next sample.
            if boundary.count_on(&within) <= boundary.count_on(&known[beside]) {
                crossing.unstable[usize::from(end < beside)] = within.unstable;
            }
            known[end] = within;
        }
    }
    let [first, last] = ends;
    let mut kept: Vec<&Sample> = Vec::new();
    for (index, one) in known.iter().enumerate() {
        let is_critical = match (kept.last(), known.get(index + 1)) {
            (Some(low), Some(high)) => search.is_critical(one, [low, high], &mut sample)?,
            _ => false,
        };
        if !is_critical {
            kept.push(one);
        }
    }
    search.found.extend(first);
    for pair in kept.windows(2) {
        search.between(pair[0], pair[1], HALVINGS_MAX, &mut sample)?;
    }
    search.found.extend(last);
    search.touches(&all, &mut sample)?;
    search.at_one_place(&all, &mut sample)?;
    Ok(search.found)
}

pub(crate) struct Search {
    pub(crate) boundary: Boundary,
    /// How many eigenvalues are at each center all along.
    pub(crate) zeros: Vec<usize>,
    pub(crate) range: f64,
    pub(crate) found: Vec<Crossing>,
    /// Where several are not told apart, in the middle of an interval.
    pub(crate) untold: Vec<f64>,
}

/// Samples at a value.
pub(crate) type Samples<'f> = dyn FnMut(f64) -> Result<Sample, AnalysisError> + 'f;

/// What crosses in an interval: where, and how many it adds to those beyond or takes from them.
pub(crate) type Places = Vec<(f64, CrossingKind, usize)>;

impl Search {
    pub(crate) fn between(
        &mut self,
        low: &Sample,
        high: &Sample,
        depth: usize,
        sample: &mut Samples<'_>,
    ) -> Result<(), AnalysisError> {
        let unstable = [low, high].map(|end| end.unstable);
        let change = unstable[0].abs_diff(unstable[1]);
        let turns = |center: &usize| self.turns(*center, [low, high]);
        let turning: Vec<usize> = (0..self.zeros.len()).filter(turns).collect();
        let is_narrow = high.at - low.at <= NARROW * self.range;
        let crossings = match (change, &turning[..]) {
            (0, []) => return Ok(()),
            (1, [center]) => return self.through(*center, (low, high), depth, sample),
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
        let mut middle = part(0.5);
        // A real one that crosses alone changes an even number to an odd one: else c_d is rounding.
        let is_rounding = change == 0 && turning.len() == 1 && is_narrow;
        let is_one = change != 1 && high.at - low.at <= ONE_PLACE * self.range;
        if depth == 0 || is_rounding || is_one || middle <= low.at || middle >= high.at {
            if !is_rounding {
                self.untold.push(middle);
                self.found.push(Crossing { at: middle, kind: CrossingKind::Several, unstable });
            }
            return Ok(());
        }
        let mut middle_sample = sample(middle)?;
        if self.is_critical(&middle_sample, [low, high], sample)? {
            middle = part(ASIDE);
            middle_sample = sample(middle)?;
            // What is told of neither has its crossing there.
            if change > 1 && self.is_critical(&middle_sample, [low, high], sample)? {
                let crossings = self.together((change, &turning), (low, high), sample)?;
                if !crossings.is_empty() {
                    self.tell(crossings, unstable);
                    return Ok(());
                }
            }
        }
        self.between(low, &middle_sample, depth - 1, sample)?;
        self.between(&middle_sample, high, depth - 1, sample)
    }

    /// A real one crosses a center, and the counts change by one: by it alone where they do so right beside it. Else pairs cross
    /// as well, on either side, or there.
    fn through(
        &mut self,
        center: usize,
        (low, high): (&Sample, &Sample),
        depth: usize,
        sample: &mut Samples<'_>,
    ) -> Result<(), AnalysisError> {
        let at = self.real(center, (low, high), sample)?;
        if depth == 0 || !at.is_finite() {
            let unstable = [low.unstable, high.unstable];
            let at = 0.5 * (low.at + high.at);
            self.untold.push(at);
            self.found.push(Crossing { at, kind: CrossingKind::Several, unstable });
            return Ok(());
        }
        let mut sides = [low.clone(), high.clone()];
        for part in BESIDE {
            let δ = part * (high.at - low.at);
            let [before, behind] = [at - δ, at + δ];
            let near = [
                if before > low.at { sample(before)? } else { low.clone() },
                if behind < high.at { sample(behind)? } else { high.clone() },
            ];
            let c = self.boundary.centers()[center];
            if near.iter().all(|side| side.count_at(c) <= self.zeros[center]) {
                sides = near;
                break;
            }
        }
        let [before, behind] = sides;
        let unstable = [before.unstable, behind.unstable];
        let is_alone = unstable[0].abs_diff(unstable[1]) == 1;
        let depth = depth - 1;
        self.between_unless_same([low, &before], depth, sample)?;
        if is_alone {
            self.found.push(Crossing { at, kind: self.boundary.kind(center), unstable });
        } else {
            self.between(&before, &behind, depth, sample)?;
        }
        self.between_unless_same([&behind, high], depth, sample)
    }

    /// The same where there is something between them.
    fn between_unless_same(
        &mut self,
        [low, high]: [&Sample; 2],
        depth: usize,
        sample: &mut Samples<'_>,
    ) -> Result<(), AnalysisError> {
        if low.at < high.at { self.between(low, high, depth, sample) } else { Ok(()) }
    }

    /// The product of the eigenvalues about a center that are not there all along.
    pub(crate) fn product(&self, center: usize, sample: &Sample) -> f64 {
        sample.coefficients[center][self.zeros[center]]
    }

    /// Whether it changes its sign.
    fn turns(&self, center: usize, [low, high]: [&Sample; 2]) -> bool {
        self.product(center, low) * self.product(center, high) < 0.0
    }

    /// Whether a sample between two others is a critical value itself: more are on the boundary than at these. Of a system
    /// without loss, all of whose λ have their mirrors, more also than right beside it on both sides: between flutter and
    /// divergence they are as many all along.
    pub(crate) fn is_critical(
        &self,
        one: &Sample,
        beside: [&Sample; 2],
        sample: &mut Samples<'_>,
    ) -> Result<bool, AnalysisError> {
        if !self.boundary.is_critical(one, beside) {
            return Ok(false);
        }
        let mirrored =
            |sample: &Sample| sample.told().all(|one| self.boundary.is_mirrored(sample, one));
        if !beside.iter().all(|other| mirrored(other)) {
            return Ok(true);
        }
        for other in beside {
            let near = sample(one.at + INSIDE * (other.at - one.at))?;
            if !self.boundary.has_more(one, &near) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tells what crosses, one after another, all in one direction.
    fn tell(&mut self, crossings: Places, [mut count, last]: [usize; 2]) {
        let rises = last > count;
        for (at, kind, weight) in crossings {
            let next = if rises { count + weight } else { count.saturating_sub(weight) };
            self.found.push(Crossing { at, kind, unstable: [count, next] });
            count = next;
        }
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
