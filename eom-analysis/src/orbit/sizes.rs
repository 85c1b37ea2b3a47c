//! The sizes of the entries of a state beside its return: the units in which an orbit is looked for, and the step of Newton's
//! method in them.
//!
//! ```text
//! y = D y′,  D⁻¹ DP D even,  |y′| ≤ 1          r′ = D⁻¹ r,  the conditions by rows of length 1
//! |r′ + M x| ≤ min(|r′|, 1/10) |r′|:  of these x the shortest, beside moves that M keeps as long as they are
//! ```
//!
//! Beside a family M is nearly singular along it, and the whole step would lead far along. A step may leave as much of r as Newton's
//! method leaves, its square.

use super::{Around, CLOSED, Return};
use crate::error::AnalysisError;
use crate::linear::scaled::{mutual, power_of_two};
use crate::steady::units::even_moves;
use crate::variation::Variations;
use eom_core::span::least;
use eom_core::{AbsoluteTolerance, Options, State};
use nalgebra::{DMatrix, DVector};

/// A singular value below this part of the largest is rounding, and what is left of r below this part of it.
const RANK: f64 = 1e-12;
const ROUNDING: f64 = 1e-13;

/// A unit near 1 is 1.
const NEAR: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Motions go off fast from this singular value on.
const FAST: f64 = 100.0;

/// Beside units below this the absolute tolerance counts.
const SMALL: f64 = 1e-2;

/// A move that changes r by less than this part of itself is nearly one along a family.
const WEAK: f64 = 1e-3;

/// Where r is rounding, so is what it tells along a move that changes it by less than this part of the largest.
const UNTOLD: f64 = 1e-5;

/// A length counts as no less than this part of the way of the fastest.
const LEAST: f64 = 1e-3;

/// The part of r that a step may leave where r is large.
const LEFT: f64 = 0.1;

/// Units of entries.
pub(crate) struct Sizes {
    /// D, of all entries of y.
    pub(crate) units: Vec<f64>,
    /// Places of the entries that return.
    relevant: Vec<usize>,
}

/// A step of Newton's method.
pub(crate) struct Step {
    /// δy.
    pub(crate) by: DVector<f64>,
    /// Its length in the units, and how large the start is in them, at least 1.
    pub(crate) length: f64,
    pub(crate) size: f64,
    /// Of the residual in the units: its length, and what is rounding of it.
    pub(crate) off: f64,
    pub(crate) rounding: f64,
}

impl Variations<'_> {
    /// The units at a start: those in which the return is even, as large as the start and its way.
    pub(crate) fn sizes(&self, start: &State, found: &Return, residual: &DVector<f64>) -> Sizes {
        let relevant = self.relevant.clone();
        let turn = found.matrix.select_rows(&relevant).select_columns(&relevant);
        let factors = mutual(&turn);
        let y: Vec<f64> = start.q.iter().chain(&start.v).copied().collect();
        let largest =
            |of: &dyn Fn(usize) -> f64| -> f64 { (0..relevant.len()).map(of).fold(0.0, f64::max) };
        let entry = |i: usize| y[relevant[i]].abs().max(residual[i].abs());
        let size = largest(&|i| entry(i) / factors[i]);
        // No entry counts as larger than the largest is.
        let most = largest(&entry);
        let mut units = vec![if most > 0.0 { most } else { 1.0 }; y.len()];
        // On a section, which may tell nothing of a speed, it is no smaller than its length over the time of the return. A
        // period is that of what drives, and may be far shorter than the times of the motion.
        let (n, time) = (start.q.len(), found.state.t - start.t);
        let period = if found.arrival.is_some() { time } else { 0.0 };
        let is_own = self.programs.rates.is_none();
        let length = |speed: usize| {
            let lengths =
                relevant.iter().filter(|place| if is_own { **place == speed } else { **place < n });
            lengths.map(|place| y[*place].abs()).fold(0.0, f64::max)
        };
        // Nor is a length larger than what it is and where its speed leads: of what sticks nothing tells either.
        let fastest = y[n..].iter().fold(0.0, |size: f64, v| size.max(v.abs()));
        let reach =
            |i: usize, place: usize| entry(i).max(y[n + place].abs().max(LEAST * fastest) * time);
        for (i, (factor, place)) in factors.iter().zip(&relevant).enumerate() {
            let unit = if size > 0.0 { (factor * size).min(most) } else { *factor };
            let quick = if *place >= n && period > 0.0 { length(*place - n) / period } else { 0.0 };
            let unit = unit.max(quick);
            let far = if *place < n && is_own { reach(i, *place) } else { 0.0 };
            let unit = if far > 0.0 { unit.min(far) } else { unit };
            units[*place] = if NEAR.contains(&unit) { 1.0 } else { power_of_two(unit) };
        }
        Sizes { units, relevant }
    }
}

impl Sizes {
    /// Those of the entries that return.
    pub(crate) fn of_entries(&self) -> Vec<f64> {
        self.relevant.iter().map(|place| self.units[*place]).collect()
    }

    /// The largest entry that returns, of a state and of a residual, in the units.
    pub(crate) fn largest(&self, state: &State) -> f64 {
        let entry = |place: &usize| {
            let n = state.q.len();
            let y = if *place < n { state.q[*place] } else { state.v[*place - n] };
            y.abs() / self.units[*place]
        };
        self.relevant.iter().map(entry).fold(0.0, f64::max)
    }

    pub(crate) fn part(&self, closed: &DVector<f64>) -> f64 {
        let parts = self.relevant.iter().zip(closed.iter());
        parts.map(|(place, off)| off.abs() / self.units[*place]).fold(0.0, f64::max)
    }

    /// Takes the absolute tolerance in the units, where it is one of all entries and they are small; whether it did.
    pub(crate) fn refine(&self, options: &mut Options) -> bool {
        let all = match options.absolute_tolerance {
            AbsoluteTolerance::All(all) if self.units.iter().any(|unit| *unit < SMALL) => all,
            _ => return false,
        };
        let each = self.units.iter().map(|unit| (all * unit.min(1.0)).max(f64::MIN_POSITIVE));
        options.absolute_tolerance = AbsoluteTolerance::Each(each.collect());
        true
    }

    /// r, its derivative and the moves δy in the units, with moves of length 1; and their lengths.
    pub(crate) fn even(
        &self,
        (residual, matrix): (&mut DVector<f64>, &mut DMatrix<f64>),
        moves: &DMatrix<f64>,
    ) -> (DMatrix<f64>, Vec<f64>) {
        let mut moves = moves.clone();
        let lengths = even_moves(&self.units, &mut moves, matrix);
        let returns = self.relevant.iter().map(|place| self.units[*place]);
        for (row, unit) in returns.chain(std::iter::repeat(0.0)).take(residual.len()).enumerate() {
            let norm = matrix.row(row).norm();
            let unit = if unit > 0.0 || norm == 0.0 { unit } else { norm };
            if unit > 0.0 {
                matrix.row_mut(row).unscale_mut(unit);
                residual[row] /= unit;
            }
        }
        (moves, lengths)
    }

    /// The step from a start with a residual.
    ///
    /// # Errors
    /// Where it is not finite.
    pub(crate) fn step(
        &self,
        start: &State,
        closure: (DVector<f64>, DMatrix<f64>),
        around: &Around,
    ) -> Result<Step, AnalysisError> {
        // A unit that is near 1 is 1, and a state larger.
        let size = self.largest(start).max(1.0);
        self.step_of(size, closure, around).ok_or_else(|| AnalysisError::NotFinite {
            what: "a step of Newton's method".to_owned(),
        })
    }

    /// The same of a start that is so large in the units; none where it is not finite.
    fn step_of(
        &self,
        size: f64,
        (mut residual, mut matrix): (DVector<f64>, DMatrix<f64>),
        around: &Around,
    ) -> Option<Step> {
        let (moves, lengths) = self.even((&mut residual, &mut matrix), &around.map);
        let is_finite = residual.iter().chain(matrix.iter()).all(|x| x.is_finite());
        let svd = is_finite.then(|| matrix.clone().svd(true, true))?;
        let (u, v) = (svd.u?, svd.v_t?);
        let largest = svd.singular_values.amax();
        let off = residual.norm();
        let rounding = ROUNDING * (1.0 + largest);
        let mut x = least(&matrix, &-&residual)?;
        let (weak, enough) = if largest > FAST {
            (WEAK, (off.min(LEFT) * off).max(rounding.min(CLOSED * LEFT)))
        } else if off <= rounding * size {
            (UNTOLD * largest, off)
        } else {
            (0.0, 0.0)
        };
        if svd.singular_values.iter().any(|value| *value <= weak) {
            let mut left = residual.clone();
            x.fill(0.0);
            // The largest comes first.
            for (i, &value) in svd.singular_values.iter().enumerate() {
                if value <= weak && left.norm() <= enough || value <= RANK * largest {
                    break;
                }
                let part = u.column(i).dot(&residual);
                x -= v.row(i).transpose() * (part / value);
                left -= u.column(i) * part;
            }
        }
        let length = (&moves * &x).amax();
        let by = DVector::from_iterator(
            lengths.len(),
            x.iter().zip(&lengths).map(|(x, length)| x / length),
        );
        Some(Step { by: &around.map * by, length, size, off, rounding })
    }
}
