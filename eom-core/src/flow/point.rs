//! A state on the way, with the rounding errors that its sums carry.

use crate::info::QUATERNION;
use crate::integrate::sum::Compensated;
use crate::snapshot::words::part;
use crate::state::State;
use crate::system::kinematics::unit_change;

/// A state y = (q, v) with the rounding errors that its sums carry.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) t: Compensated,
    pub(crate) y: Vec<f64>,
    pub(super) low: Vec<f64>,
    /// nq.
    pub(super) positions: usize,
}

impl Point {
    /// Room for a state.
    pub(super) fn new(positions: usize, dimension: usize) -> Self {
        let (t, zeros) = (Compensated::new(0.0), vec![0.0; dimension]);
        Self { t, low: zeros.clone(), y: zeros, positions }
    }

    /// Is this state from here on, without rounding errors.
    pub(super) fn set(&mut self, state: &State) {
        self.t = Compensated::new(state.t);
        let (q, v) = self.y.split_at_mut(self.positions);
        q.copy_from_slice(&state.q);
        v.copy_from_slice(&state.v);
        self.low.fill(0.0);
    }

    /// (q, v).
    pub(crate) fn parts(&self) -> (&[f64], &[f64]) {
        self.y.split_at(self.positions)
    }

    /// A copy to keep.
    pub(crate) fn state(&self) -> State {
        let (q, v) = self.parts();
        State::new(self.t.high, q, v)
    }

    /// A copy in a state's own room.
    pub(crate) fn copy_to(&self, state: &mut State) {
        let (q, v) = self.parts();
        state.t = self.t.high;
        state.q.clear();
        state.q.extend_from_slice(q);
        state.v.clear();
        state.v.extend_from_slice(v);
    }

    pub(super) fn add(&mut self, i: usize, term: f64) {
        let sum = Compensated { high: self.y[i], low: self.low[i] }.plus(term);
        (self.y[i], self.low[i]) = (sum.high, sum.low);
    }

    /// y = base + increment.
    pub(super) fn set_sum(&mut self, base: &Self, increment: &[f64]) {
        let terms = base.y.iter().zip(&base.low).zip(increment);
        for ((y, low), ((high, rest), term)) in self.y.iter_mut().zip(&mut self.low).zip(terms) {
            let sum = Compensated { high: *high, low: *rest }.plus(*term);
            (*y, *low) = (sum.high, sum.low);
        }
    }

    /// Makes the quaternions, from entry `first` of q on, unit ones; v stays.
    pub(super) fn normalise(&mut self, first: usize) {
        for first in (first..self.positions).step_by(QUATERNION) {
            let last = first + QUATERNION;
            let change = unit_change(&self.y[first..last], &self.low[first..last]);
            for i in first..last {
                self.add(i, self.y[i] * change);
            }
        }
    }
}

part! { Point { parts: [y, low], values: [t], room: [positions] } }
