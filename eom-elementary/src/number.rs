//! Numbers of any kind: what is written once for values, for sets of them, and for either with derivatives.

use crate::function::Elementary;
use crate::interval::{Interval, Marks};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, a set of numbers, or either with derivatives.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant.
    fn of(constant: f64) -> Self;
    /// a².
    #[must_use]
    fn square(self) -> Self;
    /// 1/a, and 0 for a = 0.
    #[must_use]
    fn inverse_or_zero(self) -> Self;
    /// √a.
    #[must_use]
    fn sqrt(self) -> Self;
    /// aⁿ.
    #[must_use]
    fn powi(self, n: i32) -> Self;
    /// aᵇ.
    #[must_use]
    fn powf(self, b: Self) -> Self;
    /// sin a and cos a.
    fn sin_cos(self) -> (Self, Self);
    /// f(a).
    #[must_use]
    fn call(self, f: Elementary) -> Self;
    /// The angle of the point (x, a).
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// How far from 0 it is at least: what pivots are chosen by.
    fn size(self) -> f64;
    /// Whether it is 0 and nothing else, its derivatives too; where nobody asks for it, never.
    fn is_nothing(self) -> bool {
        false
    }
    /// Whether 0 times it is 0, its derivatives too; where nobody asks for it, never.
    fn is_plain(self) -> bool {
        false
    }
}

/// A number without derivatives, with the slopes of what is not smooth.
pub trait Base: Number {
    /// The slope of |a|; over a set of both signs all of [−1, 1].
    #[must_use]
    fn abs_slope(self) -> Self;
    /// The slope of the sign: 0 off a = 0, where it is anything.
    #[must_use]
    fn sign_slope(self) -> Self;
    /// Whether it is 0 and nothing else.
    fn is_zero(self) -> bool;
}

impl Number for f64 {
    fn of(constant: f64) -> Self {
        constant
    }

    fn square(self) -> Self {
        self * self
    }

    fn inverse_or_zero(self) -> Self {
        crate::inverse_or_zero(self)
    }

    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    fn powi(self, n: i32) -> Self {
        crate::powi(self, n)
    }

    fn powf(self, b: Self) -> Self {
        crate::powf(self, b)
    }

    fn sin_cos(self) -> (Self, Self) {
        crate::sin_cos(self)
    }

    fn call(self, f: Elementary) -> Self {
        f.value(self)
    }

    fn atan2(self, x: Self) -> Self {
        crate::atan2(self, x)
    }

    fn size(self) -> f64 {
        f64::abs(self)
    }

    fn is_nothing(self) -> bool {
        self == 0.0
    }

    fn is_plain(self) -> bool {
        self.is_finite()
    }
}

impl Base for f64 {
    fn abs_slope(self) -> Self {
        crate::sign(self)
    }

    fn sign_slope(self) -> Self {
        0.0
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }
}

impl Number for Interval {
    #[inline(always)]
    fn of(constant: f64) -> Self {
        Self::new(constant, constant)
    }

    #[inline(always)]
    fn square(self) -> Self {
        Self::square(self)
    }

    #[inline(always)]
    fn inverse_or_zero(self) -> Self {
        Self::inverse_or_zero(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    fn powi(self, n: i32) -> Self {
        Self::powi(self, n)
    }

    fn powf(self, b: Self) -> Self {
        Self::powf(self, b)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        Self::sin_cos(self)
    }

    fn call(self, f: Elementary) -> Self {
        f.range(self)
    }

    fn atan2(self, x: Self) -> Self {
        Self::atan2(self, x)
    }

    fn size(self) -> f64 {
        self.mignitude()
    }

    #[inline(always)]
    fn is_nothing(self) -> bool {
        self.is_zero()
    }

    fn is_plain(self) -> bool {
        self.marks() == Marks::NONE
    }
}

impl Base for Interval {
    fn abs_slope(self) -> Self {
        if self.low() > 0.0 {
            Self::point(1.0)
        } else if self.high() < 0.0 {
            Self::point(-1.0)
        } else {
            Self::new(-1.0, 1.0)
        }
    }

    fn sign_slope(self) -> Self {
        if self.contains(0.0) { Self::WHOLE } else { Self::ZERO }
    }

    fn is_zero(self) -> bool {
        Self::is_zero(self)
    }
}
