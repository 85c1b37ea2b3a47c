//! What tapes compute with.

use eom_elementary::{self as elementary, Interval};
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
    /// tan a.
    #[must_use]
    fn tan(self) -> Self;
    /// The angle whose sine is a.
    #[must_use]
    fn asin(self) -> Self;
    /// The angle whose cosine is a.
    #[must_use]
    fn acos(self) -> Self;
    /// The angle whose tangent is a.
    #[must_use]
    fn atan(self) -> Self;
    /// The angle of the point (x, a).
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// sinh a.
    #[must_use]
    fn sinh(self) -> Self;
    /// cosh a.
    #[must_use]
    fn cosh(self) -> Self;
    /// tanh a.
    #[must_use]
    fn tanh(self) -> Self;
    /// eᵃ.
    #[must_use]
    fn exp(self) -> Self;
    /// ln a.
    #[must_use]
    fn ln(self) -> Self;
    /// |a|.
    #[must_use]
    fn abs(self) -> Self;
    /// −1, 0 or 1.
    #[must_use]
    fn sign(self) -> Self;
    /// How far from 0 it is at least: what pivots are chosen by.
    fn size(self) -> f64;
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
        elementary::inverse_or_zero(self)
    }

    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    fn powi(self, n: i32) -> Self {
        elementary::powi(self, n)
    }

    fn powf(self, b: Self) -> Self {
        elementary::powf(self, b)
    }

    fn sin_cos(self) -> (Self, Self) {
        elementary::sin_cos(self)
    }

    fn tan(self) -> Self {
        elementary::tan(self)
    }

    fn asin(self) -> Self {
        elementary::asin(self)
    }

    fn acos(self) -> Self {
        elementary::acos(self)
    }

    fn atan(self) -> Self {
        elementary::atan(self)
    }

    fn atan2(self, x: Self) -> Self {
        elementary::atan2(self, x)
    }

    fn sinh(self) -> Self {
        elementary::sinh(self)
    }

    fn cosh(self) -> Self {
        elementary::cosh(self)
    }

    fn tanh(self) -> Self {
        elementary::tanh(self)
    }

    fn exp(self) -> Self {
        elementary::exp(self)
    }

    fn ln(self) -> Self {
        elementary::ln(self)
    }

    fn abs(self) -> Self {
        f64::abs(self)
    }

    fn sign(self) -> Self {
        elementary::sign(self)
    }

    fn size(self) -> f64 {
        f64::abs(self)
    }
}

impl Base for f64 {
    fn abs_slope(self) -> Self {
        elementary::sign(self)
    }

    fn sign_slope(self) -> Self {
        0.0
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }
}

/// The functions that an interval has under the same names.
macro_rules! of_interval {
    ($($name:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                Self::$name(self)
            }
        )*
    };
}

impl Number for Interval {
    #[inline(always)]
    fn of(constant: f64) -> Self {
        Self::new(constant, constant)
    }

    of_interval! { square inverse_or_zero sqrt tan asin acos atan sinh cosh tanh exp ln abs sign }

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

    fn atan2(self, x: Self) -> Self {
        Self::atan2(self, x)
    }

    fn size(self) -> f64 {
        self.mignitude()
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
