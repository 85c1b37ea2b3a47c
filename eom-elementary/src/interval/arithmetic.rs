//! Arithmetic of intervals.
//!
//! ```text
//! X + Y = [x̲ + y̲, x̄ + ȳ]      X − Y = [x̲ − ȳ, x̄ − y̲]
//! X · Y = [min, max] of the four products of ends        X / Y, 0 ∉ Y: of the four quotients
//! X² = {x²} ⊂ X · X
//! ```
//!
//! 0·∞ is 0: a product that tends to no other number on the box. X / Y with 0 ∈ Y has a pole, marked so; it is a half
//! line where Y has one sign.

use super::rounding::{above, below, greatest, least};
use super::{Interval, Marks};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The least positive number.
const TINY: f64 = f64::from_bits(1);

impl Neg for Interval {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low, marks: self.marks }
    }
}

impl Add for Interval {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            low: below(self.low + other.low),
            high: above(self.high + other.high),
            marks: self.marks | other.marks,
        }
    }
}

impl Sub for Interval {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let ends = Ends::of([
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ]);
        let marks = self.marks | other.marks;
        if ends.are_plain() && self.width() + other.width() < f64::INFINITY {
            return ends.rounded(marks);
        }
        self.extreme_product(other)
    }
}

impl Div for Interval {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        if other.contains(0.0) {
            return self.over_zero(other);
        }
        let ends = Ends::of([
            self.low / other.low,
            self.low / other.high,
            self.high / other.low,
            self.high / other.high,
        ]);
        let marks = self.marks | other.marks;
        if ends.are_plain() && self.width() + other.width() < f64::INFINITY {
            return ends.rounded(marks);
        }
        self.extreme_quotient(other)
    }
}

impl Interval {
    /// X².
    #[inline(always)]
    #[must_use]
    pub fn square(self) -> Self {
        let (small, large) = (self.mignitude(), self.magnitude());
        let high = if large == 0.0 { 0.0 } else { above(large * large).max(TINY) };
        Self { low: below(small * small).max(0.0), high, marks: self.marks }
    }

    /// The product where an end is 0 or infinite, or underflows.
    #[cold]
    #[inline(never)]
    fn extreme_product(self, other: Self) -> Self {
        let product = |a: f64, b: f64| {
            if a == 0.0 || b == 0.0 {
                Range::ZERO
            } else {
                Range::rounded(a * b, (a > 0.0) == (b > 0.0))
            }
        };
        let range = self.over_ends(other, product);
        Self { low: range.low, high: range.high, marks: self.marks | other.marks }
    }

    /// The quotient by what is not 0 in the same cases. One end of the divisor is finite, so that a numerator without
    /// bound gives a quotient without bound.
    #[cold]
    #[inline(never)]
    fn extreme_quotient(self, other: Self) -> Self {
        let quotient = |a: f64, b: f64| {
            if a == 0.0 || b.is_infinite() {
                Range::ZERO
            } else {
                Range::rounded(a / b, (a > 0.0) == (b > 0.0))
            }
        };
        let range = self.over_ends(other, quotient);
        Self { low: range.low, high: range.high, marks: self.marks | other.marks }
    }

    fn over_ends(self, other: Self, of: impl Fn(f64, f64) -> Range) -> Range {
        let first = of(self.low, other.low).hull(of(self.low, other.high));
        first.hull(of(self.high, other.low)).hull(of(self.high, other.high))
    }

    /// The quotient by what may be 0.
    #[cold]
    #[inline(never)]
    fn over_zero(self, other: Self) -> Self {
        let marks = self.marks | other.marks | Marks::POLE;
        let one_sign = other.low == 0.0 || other.high == 0.0;
        let (low, high) = match (self.low >= 0.0, self.high <= 0.0) {
            // 0/y is 0 where it is anything.
            (true, true) => return Self::ZERO.marked(marks),
            (false, false) => return Self::WHOLE.marked(marks),
            _ if !one_sign || other.is_zero() => return Self::WHOLE.marked(marks),
            // The quotient of least size, that by the largest divisor.
            (positive, _) => {
                let size = if positive { self.low } else { -self.high };
                let least = size / other.magnitude();
                let negative = positive == (other.high == 0.0);
                let least = if least.is_nan() { 0.0 } else { below(least).max(0.0) };
                if negative { (f64::NEG_INFINITY, -least) } else { (least, f64::INFINITY) }
            }
        };
        Self { low, high, marks }
    }
}

/// The least and the largest of four numbers.
struct Ends {
    low: f64,
    high: f64,
}

impl Ends {
    #[inline(always)]
    fn of([a, b, c, d]: [f64; 4]) -> Self {
        Self {
            low: least(least(a, b), least(c, d)),
            high: greatest(greatest(a, b), greatest(c, d)),
        }
    }

    /// Whether neither is 0, by underflow or exactly; infinite; or NaN.
    #[inline(always)]
    fn are_plain(&self) -> bool {
        let plain = |x: f64| x.abs() > 0.0 && x.abs() < f64::INFINITY;
        plain(self.low) & plain(self.high)
    }

    #[inline(always)]
    fn rounded(self, marks: Marks) -> Interval {
        Interval { low: below(self.low), high: above(self.high), marks }
    }
}

/// Bounds of one number.
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    const ZERO: Self = Self { low: 0.0, high: 0.0 };

    /// Around a product or quotient that is not 0, with its sign.
    fn rounded(x: f64, positive: bool) -> Self {
        if positive {
            Self { low: below(x).max(0.0), high: if x == 0.0 { TINY } else { above(x) } }
        } else {
            let Self { low, high } = Self::rounded(-x, true);
            Self { low: -high, high: -low }
        }
    }

    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}
