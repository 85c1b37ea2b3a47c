//! Whole turns of angles: φ = φ′ + 2πk, where the system is the same at φ and φ′. The flow goes on with
//! φ′, whose rounding does not grow with k; states are reported with φ.

use super::point::Point;
use crate::integrate::sum::Compensated;
use crate::snapshot::words::part;
use eom_elementary::fused;
use std::f64::consts::TAU;
use std::ops::Range;

/// 2π − fl(2π).
const TAU_LOW: f64 = 2.449_293_598_294_706_4e-16;
/// Angles that are turned back: from 2⁵² on fl(φ) is an integer, and turns are not told.
const BEYOND: Range<f64> = TAU..1.0 / f64::EPSILON;

/// The whole turns taken from the angles of a point.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    /// Their indices in q.
    angles: &'static [usize],
    /// k of each.
    whole: Vec<f64>,
    /// 2π for each that has been turned back in this run.
    sizes: Vec<f64>,
    /// Room for q as it is reported.
    pub(super) position: Vec<f64>,
}

/// 2πk and what rounding took from it.
fn of_turns(k: f64) -> (f64, f64) {
    let high = k * TAU;
    (high, fused(k, TAU, -high) + k * TAU_LOW)
}

impl Turns {
    /// Those of angles among so many coordinates.
    pub(super) fn new(angles: &'static [usize], positions: usize) -> Self {
        let zeros = vec![0.0; angles.len()];
        let room = if angles.is_empty() { 0 } else { positions };
        Self { angles, whole: zeros.clone(), sizes: zeros, position: Vec::with_capacity(room) }
    }

    pub(super) fn rewind(&mut self) {
        self.whole.fill(0.0);
        self.sizes.fill(0.0);
    }

    /// The point is another one, with all of its turns.
    pub(super) fn restart(&mut self, point: &mut Point) {
        self.whole.fill(0.0);
        self.take(point);
    }

    /// Brings angles that are beyond a turn back to [−π, π]. Those within one stay, so that one which
    /// swings about π is left alone.
    pub(super) fn take(&mut self, point: &mut Point) {
        let turned = self.whole.iter_mut().zip(&mut self.sizes);
        for (&angle, (whole, size)) in self.angles.iter().zip(turned) {
            let φ = point.y[angle];
            if !BEYOND.contains(&φ.abs()) {
                continue;
            }
            let k = (φ / TAU).round();
            let (high, rest) = of_turns(k);
            // What a guard of φ was at fl(φ), it still is: the rounding error of φ is not added yet.
            let turned = Compensated::new(φ).plus(-high).plus(-rest);
            (point.y[angle], point.low[angle]) = (turned.high, turned.low + point.low[angle]);
            *whole += k;
            *size = TAU;
        }
    }

    /// q as it is reported.
    pub(super) fn give_back(&self, q: &mut [f64]) {
        for (&angle, &k) in self.angles.iter().zip(&self.whole) {
            if k != 0.0 {
                let (high, rest) = of_turns(k);
                q[angle] = Compensated::new(q[angle]).plus(high).plus(rest).high;
            }
        }
    }

    /// A size that an entry of y has had: an angle is rounded as it was before turns were taken from it.
    pub(super) fn least_size(&self, entry: usize) -> f64 {
        self.angles.binary_search(&entry).map_or(0.0, |index| self.sizes[index])
    }

    /// Whether there are any to give back.
    pub(super) fn is_any(&self) -> bool {
        self.whole.iter().any(|k| *k != 0.0)
    }
}

part! { Turns { parts: [whole, sizes], values: [], room: [angles, position] } }

#[cfg(test)]
mod tests {
    use super::{Point, Turns};
    use crate::state::State;
    use std::f64::consts::PI;

    /// φ, sin φ and cos φ of what a flow goes on with.
    fn turned(φ: f64) -> (f64, Point, Turns) {
        let mut point = Point::new(1, 2);
        point.set(&State::new(0.0, [φ], [1.0]));
        let mut turns = Turns::new(&[0], 1);
        turns.take(&mut point);
        let mut reported = [point.y[0]];
        turns.give_back(&mut reported);
        (reported[0], point, turns)
    }

    /// The library's sin reduces its argument by all digits of π.
    #[test]
    fn what_is_left_of_an_angle_has_its_sine_and_comes_back_as_it_was() {
        for φ in [6.4, -6.4, 7.5 * PI, 1e3, -12_345.678, 1e6, 3.3e9, -1e12] {
            let (reported, point, turns) = turned(φ);
            assert_eq!(reported, φ);
            assert!(turns.is_any() && point.y[0].abs() <= PI, "{φ}: {}", point.y[0]);
            let errors = [point.y[0].sin() - φ.sin(), point.y[0].cos() - φ.cos()];
            assert!(errors.iter().all(|error| error.abs() < 3e-16), "{φ}: {errors:?}");
        }
    }

    #[test]
    fn an_angle_keeps_its_size_where_it_has_come_back() {
        let (_, mut point, mut turns) = turned(7.0);
        point.y[0] -= 7.0;
        turns.take(&mut point);
        assert!(!turns.is_any());
        assert_eq!([turns.least_size(0), turns.least_size(1)], [std::f64::consts::TAU, 0.0]);
        turns.rewind();
        assert_eq!(turns.least_size(0), 0.0);
    }

    #[test]
    fn angles_within_a_turn_and_those_that_tell_nothing_stay() {
        for φ in [0.0, 3.5, -6.2, 1e16, f64::MAX, f64::INFINITY] {
            let (reported, point, turns) = turned(φ);
            assert_eq!((reported, point.y[0], turns.is_any()), (φ, φ, false));
        }
    }
}
