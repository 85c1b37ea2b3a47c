//! Intervals: bounds of what a function takes on a set.
//!
//! ```text
//! X = [x̲, x̄] ∋ x, Y = [y̲, ȳ] ∋ y   ⇒   x ∘ y ∈ X ∘ Y, and f(x) ∈ f(X)
//! ```
//!
//! Ends are rounded outwards: by one unit in the last place (ulp) after each operation of arithmetic, by
//! the stated error of this crate after each function. So a result holds the exact value, and as well what
//! the same operations give in `f64`, whose rounding is monotone and stays within bounds that are
//! numbers. A smaller argument gives a result that is no larger. Sums that are 0 are exact and stay 0, so that a
//! square root of a sum of squares is defined at 0.
//!
//! Ends are never NaN: x̲ ≤ x̄, x̲ < ∞, x̄ > −∞. What lies beyond a domain is told by [`Marks`], which every
//! result inherits from its arguments:
//!
//! ```text
//! bounded            both ends finite
//! may have a pole    Marks::POLE: a divisor may be 0, or what stands for one (tan, ln 0, x⁻ⁿ)
//! may be undefined   Marks::OUTSIDE: √ of less than 0, ln, asin, … ; the ends are those of f within its domain
//! is undefined       Marks::NOWHERE, with OUTSIDE: no argument lies within the domain; all numbers
//! may jump           Marks::JUMP: sign at 0, atan2 across its cut
//! ```
//!
//! R. E. Moore, R. B. Kearfott, M. J. Cloud, *Introduction to Interval Analysis*, SIAM 2009; the marks stand for
//! the decorations of IEEE 1788-2015 (`com` is none of them, `def` at most `JUMP`, `trv` any).

mod arithmetic;
mod functions;
mod rounding;

use std::fmt;
use std::ops::BitOr;

/// What may happen to a function on a box, beside taking values between two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks(u8);

impl Marks {
    /// Nothing: the function is defined and continuous.
    pub const NONE: Self = Self(0);
    /// A divisor may be 0.
    pub const POLE: Self = Self(1);
    /// An argument may lie outside of a domain.
    pub const OUTSIDE: Self = Self(2);
    /// The value may jump.
    pub const JUMP: Self = Self(4);
    /// All of an argument lies outside of a domain: nothing is defined on the box.
    pub const NOWHERE: Self = Self(8);

    /// Whether all marks of another are among these.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These marks where a condition holds, else none.
    #[inline(always)]
    pub(crate) const fn when(self, condition: bool) -> Self {
        if condition { self } else { Self::NONE }
    }
}

impl BitOr for Marks {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A closed interval, with the marks of what may happen within.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
    marks: Marks,
}

impl Interval {
    /// All numbers.
    pub const WHOLE: Self =
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, marks: Marks::NONE };
    /// The number 0.
    pub const ZERO: Self = Self::point(0.0);

    /// A finite number.
    #[inline(always)]
    #[must_use]
    pub const fn point(x: f64) -> Self {
        Self { low: x, high: x, marks: Marks::NONE }
    }

    /// The numbers between two, in either order. NaN is where nothing is defined: all numbers, marked
    /// `OUTSIDE`; an infinite number stands for what lies between the largest and it.
    #[must_use]
    pub fn new(a: f64, b: f64) -> Self {
        if a.is_nan() || b.is_nan() {
            return Self::WHOLE.marked(Marks::OUTSIDE);
        }
        Self { low: a.min(b).min(f64::MAX), high: a.max(b).max(f64::MIN), marks: Marks::NONE }
    }

    /// The numbers within r of x.
    #[must_use]
    pub fn around(x: f64, r: f64) -> Self {
        Self::new(x, x) + Self::new(-r, r)
    }

    /// The lower end.
    #[inline(always)]
    #[must_use]
    pub const fn low(self) -> f64 {
        self.low
    }

    /// The upper end.
    #[inline(always)]
    #[must_use]
    pub const fn high(self) -> f64 {
        self.high
    }

    /// What may happen within.
    #[inline(always)]
    #[must_use]
    pub const fn marks(self) -> Marks {
        self.marks
    }

    /// The same with more marks.
    #[inline(always)]
    #[must_use]
    pub fn marked(self, marks: Marks) -> Self {
        Self { marks: self.marks | marks, ..self }
    }

    /// Whether both ends are finite.
    #[must_use]
    pub fn is_bounded(self) -> bool {
        self.width() < f64::INFINITY
    }

    /// Whether what it bounds is defined everywhere and has no pole.
    #[must_use]
    pub fn is_total(self) -> bool {
        !self.marks.has(Marks::OUTSIDE) && !self.marks.has(Marks::POLE)
    }

    /// Whether what it bounds is, besides, continuous.
    #[must_use]
    pub fn is_continuous(self) -> bool {
        self.marks == Marks::NONE
    }

    /// Whether it holds a number.
    #[inline(always)]
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// Whether all of another lies within it.
    #[must_use]
    pub fn encloses(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether it is the number 0.
    #[inline(always)]
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    /// x̄ − x̲, rounded to nearest.
    #[inline(always)]
    #[must_use]
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// A number near its centre, within it; of a half line the end, of the line 0.
    #[must_use]
    pub fn middle(self) -> f64 {
        let middle = 0.5 * self.low + 0.5 * self.high;
        if middle.is_finite() {
            middle.clamp(self.low, self.high)
        } else {
            0.0_f64.clamp(self.low, self.high)
        }
    }

    /// The largest |x|.
    #[inline(always)]
    #[must_use]
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The smallest |x|.
    #[inline(always)]
    #[must_use]
    pub fn mignitude(self) -> f64 {
        self.low.max(-self.high).max(0.0)
    }

    /// The smallest interval that holds both.
    #[inline(always)]
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            marks: self.marks | other.marks,
        }
    }

    /// What both hold, of two enclosures of one value; `None` where there is nothing.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high, marks: self.marks | other.marks })
    }

    /// Its halves, which share the middle.
    #[must_use]
    pub fn halves(self) -> (Self, Self) {
        let middle = self.middle();
        (Self { high: middle, ..self }, Self { low: middle, ..self })
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:e}, {:e}]", self.low, self.high)?;
        let named = [(Marks::POLE, "pole"), (Marks::OUTSIDE, "outside"), (Marks::JUMP, "jump")];
        named
            .iter()
            .filter(|(mark, _)| self.marks.has(*mark))
            .try_for_each(|(_, n)| write!(f, " {n}"))
    }
}
