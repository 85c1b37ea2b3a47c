//! What straight-line code computes with: a number, or the same number of several states in lanes.

use crate::angle;
use crate::fused::{fused_by_parts, with_fused_products};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, `f64`, or lanes of them: what generated code computes with.
///
/// An operation on lanes gives in each lane the bits that it gives on `f64`, for every number of lanes.
/// Code that is generic over this trait calls the functions of this crate, `sin_cos(x)`: as a method,
/// `x.sin_cos()`, an `f64` takes that of the standard library, whose bits are the platform's.
pub trait Real:
    Parts
    + Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant in each lane of such a number; `self` says how many there are.
    #[must_use]
    fn of(self, constant: f64) -> Self;

    /// f of each lane.
    #[must_use]
    fn map(self, f: impl Fn(f64) -> f64) -> Self;

    /// f of each lane and that of another.
    #[must_use]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;
}

/// Operations that lanes have instructions for, beside those of arithmetic.
pub trait Parts: Sized {
    /// self·b + c, rounded once.
    fn fused(self, b: Self, c: Self) -> Self;
    /// √x.
    fn root(self) -> Self;
    /// |x|.
    fn size(self) -> Self;
    /// 0 where x is 0, else the other.
    fn zero_or(self, other: Self) -> Self;
    /// Whether |x| is above a bound in any lane; NaN is not.
    fn beyond(self, bound: f64) -> bool;
    /// (s, c) turned by as many quarters as stand in the low bits.
    fn turn(self, s: Self, c: Self) -> (Self, Self);
    /// Sine and cosine.
    fn sin_and_cos(self) -> (Self, Self);
    /// Sine and cosine where any lane is beyond the range of the straight code.
    fn far_sin_cos(self) -> (Self, Self);
}

impl Real for f64 {
    #[inline(always)]
    fn of(self, constant: f64) -> Self {
        constant
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        f(self)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        f(self, other)
    }
}

impl Parts for f64 {
    #[inline(always)]
    fn fused(self, b: Self, c: Self) -> Self {
        if cfg!(target_family = "wasm") { fused_by_parts(self, b, c) } else { self.mul_add(b, c) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn zero_or(self, other: Self) -> Self {
        if self == 0.0 { 0.0 } else { other }
    }

    #[inline(always)]
    fn beyond(self, bound: f64) -> bool {
        self.abs() > bound
    }

    #[inline(always)]
    fn turn(self, s: Self, c: Self) -> (Self, Self) {
        angle::turn(self.to_bits(), s, c)
    }

    #[inline]
    fn sin_and_cos(self) -> (Self, Self) {
        with_fused_products(
            #[inline(always)]
            || angle::sin_cos(self),
        )
    }

    /// By Payne and Hanek.
    #[cold]
    #[inline(never)]
    fn far_sin_cos(self) -> (Self, Self) {
        libm::sincos(self)
    }
}
