//! What is observed along a step by series: a polynomial in the part s of the step, with the sizes of its
//! terms.

use super::orders::{LANES, LENGTH};
use super::remainder::left_out;
use super::{Series, inverse_root};
use pulp::{Arch, Simd, WithSimd};

/// The last terms of a guard on a step. It says where a crossing is; how exactly, the motion does.
const LAST_TERMS: f64 = 1e-8;

/// The margin with which a step is made shorter for a guard.
const SHORTER: f64 = 0.9;

/// A coefficient of a guard that leaves zero is rounding below this part of the largest: what it makes of the guard before
/// the others take over is of its power 3/2.
const ZERO: f64 = 1e-12;

/// The order of a root that is divided out.
const ZEROS_MAX: usize = 3;

/// What few terms leave out of sᵏ, and of its slope.
const LEFT_OUT: [[f64; LENGTH]; 2] = [left_out(false), left_out(true)];

/// hᵏ.
pub(crate) type Powers = [f64; LENGTH];

/// The powers of a step: lanes of them at a time, which do not wait for one another. None is infinite, since a motion
/// that is a polynomial of lower degree has no part in it: ∞·0 is no number.
pub(crate) fn powers(h: f64) -> Powers {
    let mut powers = [1.0; LENGTH];
    let (square, mut lanes) = ((h * h).min(f64::MAX), [1.0; LANES]);
    lanes[1..].copy_from_slice(&[h, square, (square * h).min(f64::MAX)]);
    for powers in powers.as_chunks_mut::<LANES>().0 {
        *powers = lanes;
        lanes = lanes.map(|power| (power * (square * square)).min(f64::MAX));
    }
    powers
}

/// A guard on a step: p(s) = Σ γₖ hᵏ sᵏ, σ = ±1 the side on which it starts. One that leaves zero is
/// p = sᵃ q: what is left of p(0) is rounding; a = 1, or 2 or 3 where the next coefficients are no more than rounding either,
/// as of a gap that opens since its force has fallen to zero. Of others q = p, a = 0.
#[derive(Debug, Clone)]
pub(crate) struct Observed {
    /// p(0).
    start: f64,
    /// a.
    pub(super) zeros: usize,
    /// Coefficients of q, filled up with zeros.
    q: [f64; LENGTH],
    /// Its degree.
    degree: usize,
    /// max |qₖ|.
    largest: f64,
    /// p(1), once its terms have been summed.
    end: f64,
    shown: Shown,
}

/// What the search for a root has shown of σ q: it is above a number on [0, until], and −σ q′ above another on
/// [until, end].
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) above: f64,
    pub(super) until: f64,
    pub(super) fall: f64,
    pub(super) end: f64,
}

impl Shown {
    const NOTHING: Self = Self { above: f64::NEG_INFINITY, until: 0.0, fall: 0.0, end: 0.0 };
}

/// Sums over the terms of q.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    /// Σ |qₖ|.
    pub(super) sum: f64,
    /// What few terms leave out of q at most, and of its slope.
    pub(super) rest: f64,
    pub(super) rest_slope: f64,
}

impl Observed {
    /// That of some coefficients.
    #[cfg(test)]
    pub(super) fn of(coefficients: &[f64], leaves: bool) -> Self {
        let (mut observed, mut p) = (Self::unknown(), [0.0; LENGTH]);
        p[..coefficients.len()].copy_from_slice(coefficients);
        observed.set(leaves, coefficients.len() - 1, &p, &powers(1.0));
        observed
    }

    /// One of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self {
            start: 0.0,
            zeros: 0,
            q: [0.0; LENGTH],
            degree: 0,
            largest: 0.0,
            end: 0.0,
            shown: Shown::NOTHING,
        }
    }

    /// Takes the coefficients of p, times powers; zeros follow both.
    fn set(&mut self, leaves: bool, degree: usize, p: &[f64; LENGTH], powers: &Powers) {
        (self.zeros, self.degree, self.start) = (0, degree, 0.0);
        self.shown = Shown::NOTHING;
        let arch = Arch::new();
        if leaves {
            self.divide(p[0]);
        }
        arch.dispatch(Terms { observed: self, p, powers });
        while leaves && self.zeros < ZEROS_MAX && self.q[0].abs() <= ZERO * self.largest {
            self.divide(self.q[0]);
            arch.dispatch(Terms { observed: self, p, powers });
        }
    }

    /// Its first term is left out.
    fn divide(&mut self, first: f64) {
        self.start += first;
        self.zeros += 1;
        self.degree = self.degree.saturating_sub(1);
    }

    /// The coefficients of q.
    pub(super) fn q(&self) -> &[f64] {
        &self.q[..=self.degree]
    }

    /// The degree of q.
    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    /// The coefficients of q, and zeros.
    pub(super) fn terms(&self) -> &[f64; LENGTH] {
        &self.q
    }

    /// Whether it leaves zero.
    pub(crate) fn leaves(&self) -> bool {
        self.zeros > 0
    }

    /// The root at its start that is divided out: a.
    pub(crate) fn zeros(&self) -> usize {
        self.zeros
    }

    /// max |qₖ|.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// The chunks of q that have terms.
    #[inline(always)]
    fn chunks(&self) -> &[[f64; LANES]] {
        &self.q.as_chunks().0[..=self.degree / LANES]
    }

    /// Sums its terms.
    #[inline(always)]
    pub(super) fn sum(&mut self) -> Sums {
        let [mut end, mut sum, mut rest, mut slope] = [[0.0; LANES]; 4];
        let [rests, slopes] = LEFT_OUT.each_ref().map(|of| of.as_chunks::<LANES>().0);
        for (q, (left_out, slope_left_out)) in self.chunks().iter().zip(rests.iter().zip(slopes)) {
            for i in 0..LANES {
                let size = q[i].abs();
                end[i] += q[i];
                sum[i] += size;
                rest[i] += left_out[i] * size;
                slope[i] += slope_left_out[i] * size;
            }
        }
        let total = |[a, b, c, d]: [f64; LANES]| (a + b) + (c + d);
        self.end = self.start + total(end);
        Sums { sum: total(sum), rest: total(rest), rest_slope: total(slope) }
    }

    /// p/uᵃ on the part [0, end] of the step, a polynomial in u = s/end; where it ends with a root, with that divided out:
    /// (p/uᵃ − p(1) uⁿ)/(1 − u), whose coefficients are the sums of those up to each. Gives p(1) there, and else 0.
    pub(crate) fn part(&self, end: f64, ends_with_root: bool, to: &mut Self) -> f64 {
        (to.start, to.zeros, to.degree, to.shown) = (0.0, 0, self.degree, Shown::NOTHING);
        to.q = self.q;
        if end < 1.0 {
            let powers = powers(end);
            to.q.iter_mut().zip(&powers[self.zeros..]).for_each(|(q, power)| *q *= power);
        }
        to.largest =
            to.q.iter().fold(0.0, |largest, q| if q.abs() > largest { q.abs() } else { largest });
        if ends_with_root {
            let mut sum = 0.0;
            for q in &mut to.q[..=self.degree] {
                sum += *q;
                *q = sum;
            }
        }
        if ends_with_root { std::mem::take(&mut to.q[to.degree]) } else { 0.0 }
    }

    /// Keeps what a search has shown.
    #[inline(always)]
    pub(super) fn set_shown(&mut self, shown: Shown) {
        self.shown = shown;
    }

    /// Whether σ p/uᵃ, u = s/end, is known to be above a number on the part [0, end] of the step; where it ends with a root,
    /// σ (p/uᵃ − p(1))/(1 − u) is. Each of its terms may err by a part of the largest. Where σ q falls, its end is its least.
    ///
    /// ```text
    /// p/uᵃ = endᵃ q(s)                                  (q(s) − q(end))/(1 − u) = −q′(ξ) end, s < ξ < end
    /// ```
    pub(crate) fn is_above(
        &self,
        (σ, least): (f64, f64),
        (end, ends): (f64, bool),
        rounding: f64,
    ) -> bool {
        let Shown { above, until, fall, end: last } = self.shown;
        let power = (0..self.zeros).fold(1.0, |power, _| end * power);
        let left_out = rounding * self.largest;
        let falls = until <= end && end <= last;
        let (lowest, left_out) = if falls && ends {
            let residual = self.at(end).abs();
            (f64::min(above - residual, end * fall), left_out + self.order() * residual)
        } else if falls {
            (f64::min(above, σ * self.at(end)), left_out)
        } else if !ends && end <= until {
            (above, left_out)
        } else {
            return false;
        };
        (lowest - left_out) * power > least
    }

    /// What |p| is at most on the part [0, s] of the step: Σ |qₖ| sᵏ⁺ᵃ, with what is left of p(0).
    pub(crate) fn size(&self, s: f64) -> f64 {
        let sum = self.q().iter().rev().fold(0.0, |sum, q| sum * s + q.abs());
        (0..self.zeros).fold(sum, |sum, _| sum * s) + self.start.abs()
    }

    /// q(s), by sums that do not wait for one another.
    fn at(&self, s: f64) -> f64 {
        let (square, mut sums) = (s * s, [0.0_f64; LANES]);
        for q in self.chunks().iter().rev() {
            for i in 0..LANES {
                sums[i] = sums[i] * (square * square) + q[i];
            }
        }
        let [a, b, c, d] = sums;
        (a + s * b) + square * (c + s * d)
    }

    /// The order of p.
    pub(crate) fn order(&self) -> f64 {
        (self.degree + self.zeros) as f64
    }

    /// p(1), of one whose crossing has been asked for.
    pub(crate) fn end(&self) -> f64 {
        self.end
    }

    /// The part of the step on which p has small last terms: none where that is all of it.
    ///
    /// ```text
    /// |c_P₋₁| + |c_P| ≤ 10⁻⁸ max|cₖ|
    /// ```
    pub(crate) fn part_that_converges(&self) -> Option<f64> {
        let [.., before, last] = self.q() else { return None };
        let last = before.abs() + last.abs();
        let allowed = LAST_TERMS * self.largest;
        (last > allowed).then(|| SHORTER * inverse_root(last / allowed, 1.0 / self.order()))
    }
}

/// The terms of q and the largest, compiled for the registers of the machine.
struct Terms<'o> {
    observed: &'o mut Observed,
    p: &'o [f64; LENGTH],
    powers: &'o Powers,
}

impl WithSimd for Terms<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { observed, p, powers } = self;
        let first = observed.zeros;
        observed.q[LENGTH - first..].fill(0.0);
        let terms = p[first..].iter().zip(&powers[first..]);
        for (q, (p, power)) in observed.q.iter_mut().zip(terms) {
            // A term without a coefficient is none, though the power overflows.
            *q = if *p == 0.0 { 0.0 } else { p * power };
        }
        let mut largest = [0.0_f64; LANES];
        for q in observed.chunks() {
            for i in 0..LANES {
                let size = q[i].abs();
                largest[i] = if size > largest[i] { size } else { largest[i] };
            }
        }
        observed.largest = largest.into_iter().fold(0.0, f64::max);
    }
}

impl Series {
    /// Writes an observed value on a step with these powers.
    pub(crate) fn observe(&self, index: usize, powers: &Powers, leaves: bool, to: &mut Observed) {
        if let Some(p) = self.observed.as_chunks::<LENGTH>().0.get(index) {
            to.set(leaves, self.order, p, powers);
        }
    }

    /// The rate of an observed value, and half of its acceleration.
    pub(crate) fn rates(&self, index: usize) -> [f64; 2] {
        [1, 2].map(|k| self.observed(index)[k])
    }
}

#[cfg(test)]
mod tests {
    use super::Observed;

    /// p = s (0.7 − s) on [0, 0.7] is 0.49 u (1 − u); on [0, 0.35] it is 0.245 u (1 − u/2).
    #[test]
    fn roots_at_both_ends_are_divided_out() {
        let guard = Observed::of(&[0.0, 0.7, -1.0], true);
        let check = |end: f64, ends: bool, expected: [f64; 2]| {
            let mut part = Observed::unknown();
            let residual = guard.part(end, ends, &mut part);
            assert!(residual.abs() < 1e-15);
            let found = [part.terms()[0], part.terms()[1]];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-15, "{found} for {expected}");
            }
        };
        check(0.7, true, [0.49, 0.0]);
        check(0.35, false, [0.245, -0.1225]);
    }
}
