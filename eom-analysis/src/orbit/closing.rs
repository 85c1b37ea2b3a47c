//! Whether an orbit closes: how far a return is from its start, and whether that is little beside its own motion: near rest a
//! return after ever shorter a time is ever nearer to its start, and closes beside the size of a state without being one.
//!
//! ```text
//! φ(T) − φ(0) mod 2π of an angle,  ± r(T) of a rotation
//! max |y(T) − y(0)| ≤ ε max |y(t) − y(0)|,  for the places;   max |ẏ(T) − ẏ(0)| ≤ ε max |ẏ(t)|,  for the speeds
//! ```
//!
//! Of no entry it is as much as what it makes itself: far from all that draws it, what flies away is off by little.

use super::Return;
use crate::error::AnalysisError;
use crate::variation::Variations;
use eom_core::{Options, State};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// ε.
const OFF: f64 = 1e-6;

/// The part of what an entry makes itself, and of the largest entry below which it is rounding.
const OWN: f64 = 0.5;
const ROUNDING: f64 = 1e-13;

/// The parts of an orbit at which it is looked at.
const PARTS: u32 = 16;

impl Variations<'_> {
    /// How far a return is from its start, of what it has to return to; of angles but for whole turns.
    pub(crate) fn difference(&self, state: &State, found: &Return) -> DVector<f64> {
        let mut apart = self.apart(state, found);
        for (apart, place) in apart.iter_mut().zip(&self.relevant) {
            if self.programs.info.angles.contains(place) {
                *apart -= TAU * (*apart / TAU).round();
            }
        }
        apart
    }

    /// The same with the turns: how far the motion leads.
    pub(crate) fn apart(&self, state: &State, found: &Return) -> DVector<f64> {
        let size = state.q.len() + state.v.len();
        let y =
            |state: &State| DVector::from_iterator(size, state.q.iter().chain(&state.v).copied());
        (y(&found.state) - y(state)).select_rows(&self.relevant)
    }

    /// Gives rotations the signs that they have at the start: r and −r are one.
    pub(crate) fn keep_signs(&self, start: &State, found: &mut Return) {
        let met = found.state.clone();
        self.turn_signs((start, &met), &mut found.matrix);
        for first in self.turned((start, &met)) {
            found.state.q[first..first + 4].iter_mut().for_each(|r| *r = -*r);
        }
    }

    /// Turns the rows of variations of rotations that have one sign in the second state and the other in the first.
    pub(crate) fn turn_signs(&self, states: (&State, &State), matrix: &mut DMatrix<f64>) {
        self.turned(states).for_each(|first| matrix.rows_mut(first, 4).neg_mut());
    }

    /// The first entries of these.
    fn turned<'s>(&self, (a, b): (&'s State, &'s State)) -> impl Iterator<Item = usize> + 's {
        let coordinates = self.programs.info.coordinates.len();
        let product = |first: usize| (first..first + 4).map(|i| a.q[i] * b.q[i]).sum::<f64>();
        (coordinates..a.q.len()).step_by(4).filter(move |first| product(*first) < 0.0)
    }

    /// Refuses a return from a start after a time that is off, in these entries, by too much of what the motion between makes.
    pub(crate) fn check_closing(
        &self,
        (start, inputs, options): (&State, &[f64], &Options),
        period: f64,
        off: &[(usize, f64)],
    ) -> Result<(), AnalysisError> {
        let mut run = self.run(start, inputs, options)?;
        let mut own = vec![0.0_f64; off.len()];
        let n = start.q.len();
        for part in 1..=PARTS {
            let _ = run.advance_to(start.t + period * f64::from(part) / f64::from(PARTS));
            let state = run.state();
            for (own, &(entry, _)) in own.iter_mut().zip(off) {
                let moved = match entry.checked_sub(n) {
                    None => state.q[entry] - start.q[entry],
                    Some(speed) => state.v[speed],
                };
                *own = own.max(moved.abs());
            }
        }
        let mut part = 0.0_f64;
        for is_place in [true, false] {
            let of_kind = || {
                let pairs = off.iter().zip(&own);
                pairs.filter(move |((entry, _), _)| (*entry < n) == is_place)
            };
            let largest = of_kind().fold(f64::MIN_POSITIVE, |size, (_, own)| size.max(*own));
            for ((_, off), own) in of_kind() {
                part = part.max(off.abs() / largest);
                if off.abs() > OWN * own.max(ROUNDING * largest) {
                    part = part.max(1.0);
                }
            }
        }
        if part <= OFF { Ok(()) } else { Err(AnalysisError::NotClosed { period, part }) }
    }
}
