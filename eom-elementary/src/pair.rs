//! Two numbers at once.

use crate::angle;
use crate::real::{Parts, Real};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Two numbers, or twice as many lanes: what one waits for, the other fills.
///
/// Straight code is a chain of operations that wait for one another. Two states side by side keep the
/// machine busy where the chain of one is longer than what it looks ahead.
#[derive(Debug, Clone, Copy)]
pub struct Pair<R>(pub R, pub R);

impl<R: Real> Pair<R> {
    #[inline(always)]
    fn each(self, f: impl Fn(R) -> R) -> Self {
        Self(f(self.0), f(self.1))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl<R: Real> $trait for Pair<R> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl<R: Real> Neg for Pair<R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|x| -x)
    }
}

impl<R: Real> Real for Pair<R> {
    #[inline(always)]
    fn of(self, constant: f64) -> Self {
        let constant = self.0.of(constant);
        Self(constant, constant)
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        self.each(|x| x.map(&f))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(self.0.zip(other.0, &f), self.1.zip(other.1, &f))
    }
}

impl<R: Real> Parts for Pair<R> {
    #[inline(always)]
    fn fused(self, b: Self, c: Self) -> Self {
        Self(self.0.fused(b.0, c.0), self.1.fused(b.1, c.1))
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.each(Parts::root)
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.each(Parts::size)
    }

    #[inline(always)]
    fn zero_or(self, other: Self) -> Self {
        Self(self.0.zero_or(other.0), self.1.zero_or(other.1))
    }

    #[inline(always)]
    fn beyond(self, bound: f64) -> bool {
        self.0.beyond(bound) || self.1.beyond(bound)
    }

    #[inline(always)]
    fn turn(self, s: Self, c: Self) -> (Self, Self) {
        let (first, second) = (self.0.turn(s.0, c.0), self.1.turn(s.1, c.1));
        (Self(first.0, second.0), Self(first.1, second.1))
    }

    #[inline(always)]
    fn sin_and_cos(self) -> (Self, Self) {
        angle::sin_cos(self)
    }

    /// The one that is beyond the range need not be both.
    #[cold]
    #[inline(never)]
    fn far_sin_cos(self) -> (Self, Self) {
        let (first, second) = (self.0.sin_and_cos(), self.1.sin_and_cos());
        (Self(first.0, second.0), Self(first.1, second.1))
    }
}
