//! Roots, powers, sines and angles of intervals; other functions of one number stand in `function`.
//!
//! ```text
//! monotone f                 [f(x̲), f(x̄)], widened by the error of f in ulp (the table of the crate)
//! sin, cos                   monotone between extrema, which the signs of the derivative at both ends tell
//! xⁿ                         products; even n of |x|
//! aᵇ, a > 0                  monotone in a and in b: the four corners
//! atan2 off its cut          monotone along the edges of the box: the four corners
//! ```
//!
//! *Extrema of a sine.* On an interval of width below π the cosine has at most one zero, below 2π at most two. So for
//! unequal signs at the ends it has one, for equal ones none or, from width π on, two, of both kinds. Signs of the
//! computed sines and cosines are exact: no number but 0 is a multiple of π/2.

use super::rounding::{above, below, greatest, least, steps_below};
use super::{Interval, Marks};
use crate::angle;
use crate::fused::with_fused_products;
use crate::pair::Pair;
use std::f64::consts::PI;

/// Steps by which ends are widened. A function errs by at most 1.5 ulp at the end, and by as much, on the other
/// side, at a number within; below a power of two an ulp is two steps.
const STEPS: i64 = 6;
/// Less than π, 2π.
const HALF_TURN: f64 = 3.125;
const TURN: f64 = 6.25;
/// Below a value by a function of this crate, whose sign is right: 0 is 0.
#[inline(always)]
fn rounded_below(y: f64) -> f64 {
    let below = steps_below(y, STEPS);
    if y >= 0.0 { below.max(0.0) } else { below }
}

/// Above such a value.
#[inline(always)]
fn rounded_above(y: f64) -> f64 {
    -rounded_below(-y)
}

impl Interval {
    /// √x.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        if self.low < 0.0 {
            return self.within(0.0, f64::INFINITY).map_or(Self::nowhere(self.marks), Self::sqrt);
        }
        Self { low: below(self.low.sqrt()), high: above(self.high.sqrt()), marks: self.marks }
    }

    /// The sine and the cosine.
    #[inline]
    #[must_use]
    pub fn sin_cos(self) -> (Self, Self) {
        let all = Self { low: -1.0, high: 1.0, marks: self.marks };
        let width = self.width();
        if width >= TURN {
            return (all, all);
        }
        let (sines, cosines) = with_fused_products(
            #[inline(always)]
            || angle::sin_cos(Pair(self.low, self.high)),
        );
        let sine = Turning { ends: sines, slopes: cosines };
        let cosine = Turning { ends: cosines, slopes: -sines };
        (sine.range(width, all), cosine.range(width, all))
    }

    /// 1/x, and 0 for x = 0.
    #[inline(always)]
    #[must_use]
    pub fn inverse_or_zero(self) -> Self {
        if !self.contains(0.0) {
            return Self::point(1.0) / self;
        }
        if self.is_zero() {
            return self;
        }
        let around = (Self::point(1.0) / self).hull(Self::ZERO);
        around.marked(Marks::JUMP)
    }

    /// xⁿ.
    #[must_use]
    pub fn powi(self, n: i32) -> Self {
        let size = n.unsigned_abs();
        let power = if size.is_multiple_of(2) {
            let x = self.abs();
            Self { low: power(x.low, size).low, high: power(x.high, size).high, marks: self.marks }
        } else {
            let signed = |x: f64| if x < 0.0 { -power(-x, size) } else { power(x, size) };
            Self { low: signed(self.low).low, high: signed(self.high).high, marks: self.marks }
        };
        if n < 0 { Self::point(1.0) / power } else { power }
    }

    /// aᵇ: of a ≥ 0, and of a < 0 where b is one integer.
    #[must_use]
    pub fn powf(self, exponent: Self) -> Self {
        let marks = self.marks | exponent.marks;
        if self.low < 0.0 && exponent.width() > 0.0 {
            // Of either sign where the exponent is an integer, which it may be.
            let reach = self.abs().powf(exponent);
            return reach.hull(-reach).marked(Marks::OUTSIDE);
        }
        if self.low < 0.0 && exponent.low == exponent.low.round() {
            return self.integer_power(exponent.low).marked(exponent.marks);
        }
        let Some(base) = self.within(0.0, f64::INFINITY) else { return Self::nowhere(marks) };
        let corner = crate::powf::<f64>;
        let [low, high] = [base.low, base.high].map(|a| corner(a, exponent.low));
        let corners = if exponent.width() == 0.0 {
            [low, high, low, high]
        } else {
            [low, high, corner(base.low, exponent.high), corner(base.high, exponent.high)]
        };
        let mut power = Self::hull_of(corners).beside_zero();
        // 0⁰ = 1 stands alone: 0ᵇ is 0 for b > 0, without bound for b < 0.
        if base.low == 0.0 && exponent.contains(0.0) {
            power.low = 0.0;
            power.marks = power.marks | Marks::JUMP;
        }
        if base.low == 0.0 && exponent.low < 0.0 {
            power.high = f64::INFINITY;
        }
        power.marks =
            power.marks | Marks::POLE.when(power.high == f64::INFINITY && exponent.low < 0.0);
        power.marked(base.marks | exponent.marks)
    }

    /// The angle of the point (x, y), y = self.
    #[must_use]
    pub fn atan2(self, x: Self) -> Self {
        let marks = self.marks | x.marks;
        let crosses_cut = self.contains(0.0) && x.low <= 0.0;
        if crosses_cut {
            let low = rounded_below(-PI);
            return Self { low, high: -low, marks: marks | Marks::JUMP };
        }
        let corners = [
            crate::atan2(self.low, x.low),
            crate::atan2(self.low, x.high),
            crate::atan2(self.high, x.low),
            crate::atan2(self.high, x.high),
        ];
        let [a, b, c, d] = corners;
        // 0 may be an angle that underflows, on its own side.
        let low = steps_below(least(least(a, b), least(c, d)), STEPS);
        let high = -steps_below(-greatest(greatest(a, b), greatest(c, d)), STEPS);
        let low = if self.low >= 0.0 { greatest(low, 0.0) } else { low };
        Self { low, high: if self.high <= 0.0 { least(high, 0.0) } else { high }, marks }
    }

    /// The range of a function that does not fall.
    #[inline(always)]
    pub(crate) fn rising(self, f: impl Fn(f64) -> f64) -> Self {
        let (low, high) = (f(self.low), f(self.high));
        Self {
            low: rounded_below(low).min(f64::MAX),
            high: rounded_above(high).max(f64::MIN),
            marks: self.marks,
        }
    }

    /// Around numbers with the error of the functions of this crate.
    fn hull_of(corners: [f64; 4]) -> Self {
        if corners.iter().any(|x| x.is_nan()) {
            return Self::WHOLE.marked(Marks::OUTSIDE);
        }
        let [a, b, c, d] = corners;
        let low = least(least(a, b), least(c, d));
        let high = greatest(greatest(a, b), greatest(c, d));
        Self::new(rounded_below(low), rounded_above(high))
    }

    /// xⁿ for an integer n, however large, and x̲ < 0: (−1)ⁿ |x|ⁿ on each side of 0.
    fn integer_power(self, n: f64) -> Self {
        let exponent = Self::point(n);
        if n % 2.0 == 0.0 {
            return self.abs().powf(exponent);
        }
        let negative = Self { low: (-self.high).max(0.0), high: -self.low, ..self };
        let below = -negative.powf(exponent);
        if self.high < 0.0 {
            return below;
        }
        below.hull(Self { low: 0.0, ..self }.powf(exponent))
    }

    /// The part in a domain, marked where there is another; `None` where nothing is in it.
    #[inline(always)]
    pub(crate) fn within(self, low: f64, high: f64) -> Option<Self> {
        let outside = self.low < low || self.high > high;
        let (low, high) = (self.low.max(low), self.high.min(high));
        let marks = self.marks | Marks::OUTSIDE.when(outside);
        (low <= high).then_some(Self { low, high, marks })
    }

    /// What a function is on a box outside of its domain.
    #[cold]
    pub(crate) fn nowhere(marks: Marks) -> Self {
        Self::WHOLE.marked(marks | Marks::OUTSIDE | Marks::NOWHERE)
    }

    /// Of values that are positive, or 0 by underflow.
    pub(crate) fn beside_zero(self) -> Self {
        Self { low: self.low.max(0.0), high: self.high.max(f64::from_bits(1)), ..self }
    }

    /// Other ends with the same marks.
    #[inline(always)]
    pub(crate) fn of_ends(self, low: f64, high: f64) -> Self {
        Self { low, high, ..self }
    }

    /// Of values that are no less than a number.
    #[inline(always)]
    pub(crate) fn at_least(self, low: f64) -> Self {
        Self { low: self.low.max(low), high: self.high.max(low), ..self }
    }

    /// Of values that are no greater than a number.
    #[inline(always)]
    pub(crate) fn at_most(self, high: f64) -> Self {
        Self { low: self.low.min(high), high: self.high.min(high), ..self }
    }
}

/// A sine or cosine at the ends of an interval, with its derivative there.
struct Turning {
    ends: Pair<f64>,
    slopes: Pair<f64>,
}

impl Turning {
    #[inline(always)]
    fn range(&self, width: f64, all: Interval) -> Interval {
        let Pair(a, b) = self.ends;
        let (rises, still_rises) = (self.slopes.0 > 0.0, self.slopes.1 > 0.0);
        if rises == still_rises && width >= HALF_TURN {
            return all;
        }
        let (low, high) = (rounded_below(least(a, b)), rounded_above(greatest(a, b)));
        // A number of both signs of slope has passed an extremum.
        let top = rises && !still_rises;
        let bottom = !rises && still_rises;
        let low = if bottom { -1.0 } else { greatest(low, -1.0) };
        let high = if top { 1.0 } else { least(high, 1.0) };
        Interval { low, high, marks: all.marks }
    }
}

/// Bounds of xⁿ, x ≥ 0, by the products of [`powi`](crate::powi).
fn power(x: f64, n: u32) -> Interval {
    if x == f64::INFINITY && n > 0 {
        return Interval::new(x, x);
    }
    let (mut square, mut left, mut product) = (Interval::point(x), n, Interval::point(1.0));
    while left > 0 {
        if left & 1 == 1 {
            product = product * square;
        }
        square = square.square();
        left >>= 1;
    }
    product
}
