//! The walk along a branch: tangents, steps, Newton's method in a plane.

use super::{BranchEnd, ContinuationOptions};
use crate::error::AnalysisError;
use eom_core::State;
use eom_core::span::{basis, kernel, least};
use nalgebra::{DMatrix, DVector};

/// Steps of Newton's method; the relative step that is rounding, and that from which one that does not shrink is.
const STEPS_MAX: usize = 12;
const CONVERGED: f64 = 1e-13;
const NEARLY: f64 = 1e-8;

/// The same where r is rounding, below this part of the state.
const LOOSELY: f64 = 1e-5;
const SOLVED: f64 = 1e-13;

/// Entries below this count as that large: μ is of the size 1.
const SMALL: f64 = 1e-3;

/// The cosine of the largest turn of the tangent in a step.
const TURN: f64 = 0.995;

/// The first step, the least one, as parts of the range; how steps grow.
const FIRST: f64 = 0.01;
const LEAST: f64 = 1e-7;
const GROWTH: f64 = 1.6;

/// The part of the range over which a chord is taken, the least, and the part of a step that it is.
pub(super) const CHORD: f64 = 1e-4;
const CHORD_MIN: f64 = 1e-7;
const CHORD_OF_STEP: f64 = 0.1;

/// An entry of a chord below this part of the longest row is looked at by a chord so many times as long; the part of it by which
/// they may differ.
const DOUBTFUL: f64 = 1e-6;
const LONGER: f64 = 3.0;
const AGREES: f64 = 0.1;

/// The part of a chord that its curvature may make.
const CHORD_ERROR: f64 = 1e-6;

/// A branch with so many points at values that differ by less than this part of the range stays at the value.
const STAYS: usize = 20;
const SAME_VALUE: f64 = 1e-9;

/// A branch that is this many times as far from 0 as its start, or as the range is long, goes beyond all bounds.
const FAR: f64 = 1e12;

/// So does one that is this many times as far, where the value would change by less than this part of the range as far
/// again: it runs along an asymptote.
const ASYMPTOTE: [f64; 2] = [1e6, 1e-6];

/// A state with μ.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    pub(super) state: State,
    pub(super) μ: f64,
}

impl Place {
    /// w, of y as it is.
    pub(super) fn entries(&self) -> DVector<f64> {
        let Self { state: State { q, v, .. }, μ } = self;
        DVector::from_iterator(q.len() + v.len() + 1, q.iter().chain(v).chain([μ]).copied())
    }
}

/// r and its derivative by coordinates z of moves, δw = map δz; the last of z is μ.
pub(super) struct Linear {
    pub(super) residual: DVector<f64>,
    pub(super) matrix: DMatrix<f64>,
    pub(super) map: DMatrix<f64>,
}

/// r, ∂r/∂z of all but the last of z, and the moves δy of these.
pub(super) type Slopes = (DVector<f64>, DMatrix<f64>, DMatrix<f64>);

/// Equations along a value.
pub(super) trait Problem {
    /// The part of the longest row of ∂r/∂w below which a row is rounding.
    const NOISE: f64;

    /// r at a place.
    fn residual(&self, at: &Place) -> Result<DVector<f64>, AnalysisError>;

    /// r, ∂r/∂z of all but the last of z, and the moves δy of these.
    fn linear(&self, at: &Place) -> Result<Slopes, AnalysisError>;

    /// w, in the units in which δy is.
    fn entries(&self, at: &Place) -> DVector<f64> {
        at.entries()
    }

    /// Adds δy to a state.
    fn displace(&self, state: &mut State, step: &DVector<f64>);

    /// Moves a guess onto what has to hold exactly at all times.
    fn settle(&self, at: &mut Place) -> Result<(), AnalysisError>;

    /// Refuses a place that is not a solution.
    fn check(&self, at: &Place) -> Result<(), AnalysisError>;
}

/// A point of a branch with its tangent.
#[derive(Debug, Clone)]
pub(super) struct Station {
    pub(super) place: Place,
    pub(super) tangent: DVector<f64>,
    /// ∂r/∂z.
    pub(super) matrix: DMatrix<f64>,
    /// The length up to it.
    pub(super) s: f64,
}

/// A walk, with what it stands on.
pub(super) struct Walk<'p, P: Problem> {
    pub(super) problem: &'p P,
    pub(super) options: ContinuationOptions,
}

impl<P: Problem> Walk<'_, P> {
    pub(super) fn linear(&self, at: &Place, chord: f64) -> Result<Linear, AnalysisError> {
        let (residual, by_moves, moves) = self.problem.linear(at)?;
        let (count, k) = by_moves.shape();
        let mut matrix = DMatrix::zeros(count, k + 1);
        matrix.columns_mut(0, k).copy_from(&by_moves);
        let slopes = self.slopes(at, (&residual, &by_moves), chord)?;
        matrix.set_column(k, &consistent(&by_moves, slopes));
        let n = moves.nrows();
        let mut map = DMatrix::zeros(n + 1, k + 1);
        map.view_mut((0, 0), (n, k)).copy_from(&moves);
        map[(n, k)] = 1.0;
        Ok(Linear { residual, matrix, map })
    }

    /// ∂r/∂μ by a chord. A small entry of which a longer chord has another one is the rounding of r.
    fn slopes(
        &self,
        at: &Place,
        (here, by_moves): (&DVector<f64>, &DMatrix<f64>),
        width: f64,
    ) -> Result<DVector<f64>, AnalysisError> {
        let mut found = self.chord(at, here, width)?;
        let longest = by_moves.row_iter().map(|row| row.norm()).fold(found.amax(), f64::max);
        let is_small = |entry: f64| entry != 0.0 && entry.abs() <= DOUBTFUL * longest;
        if !found.iter().any(|entry| is_small(*entry)) {
            return Ok(found);
        }
        let Ok(longer) = self.chord(at, here, LONGER * width) else { return Ok(found) };
        for (entry, other) in found.iter_mut().zip(longer.iter()) {
            if is_small(*entry) && (*entry - other).abs() > AGREES * entry.abs() {
                *entry = 0.0;
            }
        }
        Ok(found)
    }

    /// ∂r/∂μ by a chord: of both sides, or of one where the other has no system.
    fn chord(
        &self,
        at: &Place,
        here: &DVector<f64>,
        width: f64,
    ) -> Result<DVector<f64>, AnalysisError> {
        let beside = |h: f64| {
            let found = self.problem.residual(&Place { μ: at.μ + h, ..at.clone() })?;
            if found.len() == here.len() && found.iter().all(|entry| entry.is_finite()) {
                return Ok(found);
            }
            Err(AnalysisError::NotFinite { what: "the residual beside a value".to_owned() })
        };
        match [beside(width), beside(-width)] {
            [Ok(above), Ok(below)] => Ok((above - below) / (2.0 * width)),
            [Ok(above), Err(_)] => Ok((above - here) / width),
            [Err(_), Ok(below)] => Ok((here - below) / width),
            [Err(error), Err(_)] => Err(error),
        }
    }

    /// The solutions z of ∂r/∂z z = 0.
    pub(super) fn free(matrix: &DMatrix<f64>) -> DMatrix<f64> {
        let mut matrix = matrix.clone();
        let longest = matrix.row_iter().map(|row| row.norm()).fold(0.0, f64::max);
        for mut row in matrix.row_iter_mut() {
            if row.norm() <= P::NOISE * longest {
                row.fill(0.0);
            }
        }
        kernel(&matrix)
    }

    /// The tangent at a place nearest to a direction.
    pub(super) fn tangent(
        linear: &Linear,
        toward: &DVector<f64>,
    ) -> Result<DVector<f64>, AnalysisError> {
        let free = basis(&(&linear.map * Self::free(&linear.matrix)));
        let nearest = &free * free.tr_mul(toward);
        let length = nearest.norm();
        if length > NEARLY {
            return Ok(nearest / length);
        }
        if free.ncols() > 0 {
            return Ok(free.column(0).into_owned());
        }
        Err(AnalysisError::Lost { why: "no direction to go on".to_owned() })
    }

    /// The solution in the plane normalᵀ(w − origin) = distance, near a guess.
    pub(super) fn correct(
        &self,
        guess: Place,
        normal: &DVector<f64>,
        (origin, distance): (&DVector<f64>, f64),
        chord: f64,
    ) -> Result<(Place, Linear), AnalysisError> {
        let (mut at, mut before) = (guess, f64::INFINITY);
        for _ in 0..STEPS_MAX {
            self.problem.settle(&mut at)?;
            let linear = self.linear(&at, chord)?;
            let entries = self.problem.entries(&at);
            let (count, k) = linear.matrix.shape();
            let mut matrix = DMatrix::zeros(count + 1, k);
            matrix.rows_mut(0, count).copy_from(&linear.matrix);
            // Beside rows of other units the plane is no rounding.
            let longest = linear.matrix.row_iter().map(|row| row.norm()).fold(0.0, f64::max);
            let unit = if longest > 0.0 { longest } else { 1.0 };
            matrix.set_row(count, &(normal.transpose() * &linear.map * unit));
            let mut right = DVector::zeros(count + 1);
            right.rows_mut(0, count).copy_from(&-&linear.residual);
            right[count] = unit * (distance - normal.dot(&(&entries - origin)));
            let step = least(&matrix, &right).filter(|step| step.iter().all(|x| x.is_finite()));
            let step = step.ok_or_else(|| AnalysisError::NotFinite {
                what: "a step of Newton's method".to_owned(),
            })?;
            let step = &linear.map * step;
            let size = relative(&step, &entries);
            // Near a branching the rounding of r moves far along what is nearly free: it is a solution where r is rounding.
            let solves = linear.residual.amax() <= SOLVED * entries.amax();
            let near = if solves { LOOSELY } else { NEARLY };
            if size <= CONVERGED || (size <= near && size >= 0.5 * before) {
                self.problem.check(&at)?;
                return Ok((at, linear));
            }
            before = size;
            let last = step.len() - 1;
            self.problem.displace(&mut at.state, &step.rows(0, last).into_owned());
            at.μ += step[last];
        }
        Err(AnalysisError::Lost { why: "Newton's method does not converge".to_owned() })
    }

    /// The solution so far along from a station, with a chord that fits steps of a length.
    fn ahead(&self, from: &Station, ds: f64, step: f64) -> Result<Station, AnalysisError> {
        let origin = self.problem.entries(&from.place);
        let guess = self.moved(&from.place, &(&from.tangent * ds));
        let (place, linear) = self.correct(guess, &from.tangent, (&origin, ds), chord_of(step))?;
        let tangent = Self::tangent(&linear, &from.tangent)?;
        Ok(Station { place, tangent, matrix: linear.matrix, s: from.s + ds })
    }

    /// A place moved by δw.
    pub(super) fn moved(&self, place: &Place, step: &DVector<f64>) -> Place {
        let mut moved = place.clone();
        let last = step.len() - 1;
        self.problem.displace(&mut moved.state, &step.rows(0, last).into_owned());
        moved.μ += step[last];
        moved
    }

    /// The station at a length, from the one before it.
    pub(super) fn at(&self, stations: &[Station], s: f64) -> Result<Station, AnalysisError> {
        let next = stations.partition_point(|station| station.s <= s);
        let before = stations.get(next.saturating_sub(1)).ok_or_else(nothing)?;
        if s == before.s {
            return Ok(before.clone());
        }
        match stations.get(next) {
            Some(after) => self.between([before, after], s),
            None => self.ahead(before, s - before.s, s - before.s),
        }
    }

    /// The station between two, in the plane across Hermite's cubic through them.
    pub(super) fn between(&self, pair: [&Station; 2], s: f64) -> Result<Station, AnalysisError> {
        let (moved, normal) = self.cubic(pair, s);
        let [before, after] = pair;
        let guess = self.moved(&before.place, &moved);
        let origin = self.problem.entries(&guess);
        let chord = chord_of(after.s - before.s);
        let (place, linear) = self.correct(guess, &normal, (&origin, 0.0), chord)?;
        let tangent = Self::tangent(&linear, &normal)?;
        Ok(Station { place, tangent, matrix: linear.matrix, s })
    }

    /// The direction of a branch at a length, by the cubic: where another branch goes through ∂r/∂w tells two.
    pub(super) fn direction(&self, stations: &[Station], s: f64) -> Option<DVector<f64>> {
        let next = stations.partition_point(|station| station.s <= s);
        let first = next.saturating_sub(1).min(stations.len().checked_sub(2)?);
        Some(self.cubic([&stations[first], &stations[first + 1]], s).1)
    }

    /// Hermite's cubic through two stations: the move from the first, and the unit tangent.
    fn cubic(&self, [before, after]: [&Station; 2], s: f64) -> (DVector<f64>, DVector<f64>) {
        let x = (s - before.s) / (after.s - before.s);
        let rise = self.problem.entries(&after.place) - self.problem.entries(&before.place);
        let length = rise.norm();
        let (ahead, back) = (&before.tangent * length, &after.tangent * length);
        let moved = &rise * (x * x * (3.0 - 2.0 * x))
            + &ahead * (x * (1.0 - x) * (1.0 - x))
            + &back * (x * x * (x - 1.0));
        let normal = &rise * (6.0 * x * (1.0 - x))
            + ahead * ((1.0 - x) * (1.0 - 3.0 * x))
            + back * (x * (3.0 * x - 2.0));
        (moved, normal.normalize())
    }

    /// The solution at the value of a place, and its direction.
    pub(super) fn start(
        &self,
        guess: Place,
        toward: &DVector<f64>,
    ) -> Result<Station, AnalysisError> {
        let mut normal = DVector::zeros(toward.len());
        normal[toward.len() - 1] = 1.0;
        let origin = self.problem.entries(&guess);
        let (place, linear) = self.correct(guess, &normal, (&origin, 0.0), CHORD)?;
        let tangent = Self::tangent(&linear, toward)?;
        Ok(Station { place, tangent, matrix: linear.matrix, s: 0.0 })
    }

    /// All stations from the first on, and why there are no more.
    pub(super) fn stations(&self, first: Station) -> (Vec<Station>, BranchEnd) {
        let (origin, direction) = (self.problem.entries(&first.place), first.tangent.clone());
        let mut stations = vec![first];
        let scale = 1.0 + origin.norm();
        let mut ds = FIRST;
        while stations.len() < self.options.points_max {
            let Some(from) = stations.last() else { break };
            ds = ds.min(self.options.step_max / slope(from).abs());
            if let Some(last) = self.on_the_edge(from, ds) {
                stations.push(last);
                return (stations, BranchEnd::Range);
            }
            match self.step(from, ds) {
                Ok(next) if !(0.0..=1.0).contains(&next.place.μ) => {
                    return self.to_the_edge(stations, &next);
                }
                Ok(next) => {
                    let closed = self.is_closed(&stations, &next, (&origin, &direction));
                    stations.push(next);
                    if let Some(end) = self.ends(&stations, closed, scale) {
                        return (stations, end);
                    }
                    ds *= GROWTH;
                }
                Err(error) => {
                    ds *= 0.5;
                    if ds < LEAST {
                        let why = match error {
                            AnalysisError::Lost { why } => why,
                            other => other.to_string(),
                        };
                        return (stations, BranchEnd::Lost { why });
                    }
                }
            }
        }
        (stations, BranchEnd::Points)
    }

    /// The station on the edge of the range, where a step would lead over it: there need not be a system beyond.
    fn on_the_edge(&self, from: &Station, ds: f64) -> Option<Station> {
        let ahead = from.place.μ + ds * slope(from);
        let edge = if ahead > 1.0 { 1.0 } else { 0.0 };
        if (0.0..=1.0).contains(&ahead) || from.place.μ == edge {
            return None;
        }
        let part = (edge - from.place.μ) / slope(from);
        let mut guess = self.moved(&from.place, &(&from.tangent * part));
        guess.μ = edge;
        let last = self.start(guess, &from.tangent).ok()?;
        let moved = self.problem.entries(&last.place) - self.problem.entries(&from.place);
        let s = from.s + from.tangent.dot(&moved);
        let is_ahead = s > from.s && last.tangent.dot(&from.tangent) >= TURN;
        self.on_one_branch(from, Station { s, ..last }).ok().filter(|_| is_ahead)
    }

    /// The next station, where the way to it is nearly straight.
    fn step(&self, from: &Station, ds: f64) -> Result<Station, AnalysisError> {
        let next = self.ahead(from, ds, ds)?;
        let is_straight = next.tangent.dot(&from.tangent) >= TURN;
        let is_near = (next.place.μ - from.place.μ).abs() <= 2.0 * self.options.step_max;
        if is_straight && is_near {
            return self.on_one_branch(from, next);
        }
        Err(AnalysisError::Lost { why: "the branch turns too sharply".to_owned() })
    }

    /// The last station, on the edge of the range that is crossed before `next`.
    fn to_the_edge(&self, mut stations: Vec<Station>, next: &Station) -> (Vec<Station>, BranchEnd) {
        let edge = if next.place.μ > 1.0 { 1.0 } else { 0.0 };
        let Some(from) = stations.last() else { return (stations, BranchEnd::Range) };
        let part = (edge - from.place.μ) / (next.place.μ - from.place.μ);
        let step = (self.problem.entries(&next.place) - self.problem.entries(&from.place)) * part;
        let mut guess = self.moved(&from.place, &step);
        guess.μ = edge;
        let found = self.start(guess, &from.tangent);
        if let Ok(station) = found {
            let moved = self.problem.entries(&station.place) - self.problem.entries(&from.place);
            let s = from.s + from.tangent.dot(&moved);
            let last = (s > from.s).then(|| self.on_one_branch(from, Station { s, ..station }));
            stations.extend(last.and_then(Result::ok));
        }
        (stations, BranchEnd::Range)
    }

    /// Why a branch ends with its last station, where it does so within the range.
    fn ends(&self, stations: &[Station], closed: bool, scale: f64) -> Option<BranchEnd> {
        let last = stations.last()?;
        let stays = |one: &Station| (one.place.μ - last.place.μ).abs() <= SAME_VALUE;
        let recent = stations.len().checked_sub(STAYS).map(|from| &stations[from..]);
        let size = self.problem.entries(&last.place).norm();
        let [far, little] = ASYMPTOTE;
        let is_asymptote = size >= far * scale && (slope(last) * size).abs() <= little;
        match recent {
            _ if closed => Some(BranchEnd::Closed),
            _ if is_asymptote && !stations.iter().all(stays) => Some(BranchEnd::Unbounded),
            Some(recent) if recent.iter().all(stays) => Some(BranchEnd::Stays),
            // NaN is beyond a bound, too.
            _ if size <= FAR * scale => None,
            _ => Some(BranchEnd::Unbounded),
        }
    }

    /// Whether a step leads past the first station, in its direction.
    fn is_closed(
        &self,
        stations: &[Station],
        next: &Station,
        (origin, direction): (&DVector<f64>, &DVector<f64>),
    ) -> bool {
        let Some(from) = stations.last().filter(|_| stations.len() > 2) else { return false };
        let [there, here] = [next, from].map(|one| self.problem.entries(&one.place) - origin);
        let off = there.norm().min(here.norm());
        off <= (&there - &here).norm()
            && next.tangent.dot(direction) > TURN
            && direction.dot(&there) >= 0.0
            && direction.dot(&here) <= 0.0
    }
}

/// ∂r/∂μ where rows of r depend on each other, as ÿ = x ẍ on a curve: the chord tells that to its error only, and what it leaves
/// would be a condition of its own. At a fold it is none of rounding.
fn consistent(by_moves: &DMatrix<f64>, mut slopes: DVector<f64>) -> DVector<f64> {
    let size = slopes.norm();
    for dependence in kernel(&by_moves.transpose()).column_iter() {
        let left = dependence.dot(&slopes);
        if left.abs() <= CHORD_ERROR * size {
            slopes -= dependence * left;
        }
    }
    slopes
}

/// The largest part of an entry that a step is: beside an entry that is large the others count as well.
fn relative(step: &DVector<f64>, entries: &DVector<f64>) -> f64 {
    let parts = step.iter().zip(entries.iter());
    parts.map(|(step, entry)| step.abs() / entry.abs().max(SMALL)).fold(0.0, f64::max)
}

/// The chord that fits steps of a length.
fn chord_of(step: f64) -> f64 {
    (CHORD_OF_STEP * step).clamp(CHORD_MIN, CHORD)
}

/// t_μ.
pub(super) fn slope(station: &Station) -> f64 {
    station.tangent[station.tangent.len() - 1]
}

fn nothing() -> AnalysisError {
    AnalysisError::Lost { why: "the branch has no point".to_owned() }
}
