//! Elementary functions with the same bits on every machine, in debug and in release, alone and in lanes.
//!
//! The standard library leaves sin, cos, exp, … and `powi` to the platform, whose last bits differ.
//! Generated code, the interpreter and the deciding of claims call the functions here, so that a run
//! is one run wherever it is made.
//!
//! ```text
//! function                                 source                        error, ulp (tested)
//! sin, cos, sin_cos                        here: straight code, inlines   ≤ 1.4
//! those of one number in `function`,       the crate libm (musl's,        ≤ 1.5, unless a
//! atan2, powf, hypot, log2, log10, exp2    after FreeBSD msun)            row says more
//! asinh                                    the same                       ≤ 2
//! powi                                     products by squaring           ≤ |n| + 1
//! sqrt, abs, sign, inverse_or_zero         IEEE 754                       ≤ 0.5
//! ```
//!
//! The error is that against high-precision values over the whole range of the function
//! (`tests/accuracy.rs`).
//!
//! Sine and cosine have fused products, a b + c rounded once. Where these are no instruction of the machine
//! that a program is built for, the functions ask for it; [`with_fused_products`] asks once for all that
//! is inlined into it.
//!
//! All of them take an `f64` or lanes of them, [`Real`]. On `Lane` (feature `lanes`), sines, cosines and roots are
//! computed side by side, the functions of libm lane by lane.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]
#![expect(
    clippy::inline_always,
    reason = "lanes are instructions only within the function that has them"
)]

mod angle;
mod digits;
mod function;
mod fused;
mod interval;
#[cfg(feature = "lanes")]
mod lane;
mod number;
pub mod order;
mod pair;
mod real;
pub mod straight;

pub use digits::Digits;
pub use function::*;
pub use fused::{fused_by_parts, with_fused_products};
pub use interval::{Interval, Marks};
#[cfg(feature = "lanes")]
pub use lane::{Lane, pulp};
pub use number::{Base, Number};
pub use pair::Pair;
pub use real::Real;

/// Functions of one number that libm has, beside those of the table.
macro_rules! of_one {
    ($($name:ident = $function:path, $about:literal;)*) => {
        $(
            #[doc = $about]
            #[inline(always)]
            #[must_use]
            pub fn $name<R: Real>(x: R) -> R {
                x.map($function)
            }
        )*
    };
}

of_one! {
    asinh = libm::asinh, "The number whose hyperbolic sine is x.";
    exp2 = libm::exp2, "2ˣ.";
    log2 = libm::log2, "The logarithm to base 2.";
    log10 = libm::log10, "The logarithm to base 10.";
}

/// The sine.
#[inline(always)]
#[must_use]
pub fn sin<R: Real>(x: R) -> R {
    x.sin_and_cos().0
}

/// The cosine.
#[inline(always)]
#[must_use]
pub fn cos<R: Real>(x: R) -> R {
    x.sin_and_cos().1
}

/// The sine and the cosine; NaN for infinite x.
#[inline(always)]
#[must_use]
pub fn sin_cos<R: Real>(x: R) -> (R, R) {
    x.sin_and_cos()
}

/// The angle of the point (x, y).
#[inline(always)]
#[must_use]
pub fn atan2<R: Real>(y: R, x: R) -> R {
    y.zip(x, libm::atan2)
}

/// √(x² + y²).
#[inline(always)]
#[must_use]
pub fn hypot<R: Real>(x: R, y: R) -> R {
    x.zip(y, libm::hypot)
}

/// aᵇ.
#[inline(always)]
#[must_use]
pub fn powf<R: Real>(a: R, b: R) -> R {
    a.zip(b, libm::pow)
}

/// aⁿ by squaring, 1/a⁻ⁿ for n < 0: the same products in the same order everywhere.
#[inline(always)]
#[must_use]
pub fn powi<R: Real>(a: R, n: i32) -> R {
    let (mut square, mut left, mut product) = (a, n.unsigned_abs(), a.of(1.0));
    while left > 0 {
        if left & 1 == 1 {
            product = product * square;
        }
        square = square * square;
        left >>= 1;
    }
    if n < 0 { a.of(1.0) / product } else { product }
}

/// a b + c, rounded once. One instruction within [`with_fused_products`]; elsewhere a call on machines that
/// need not have it.
#[inline(always)]
#[must_use]
pub fn fused<R: Real>(a: R, b: R, c: R) -> R {
    a.fused(b, c)
}

/// √x.
#[inline(always)]
#[must_use]
pub fn sqrt<R: Real>(x: R) -> R {
    x.root()
}

/// 1/x, and 0 for x = 0.
#[inline(always)]
#[must_use]
pub fn inverse_or_zero<R: Real>(x: R) -> R {
    x.zero_or(x.of(1.0) / x)
}

#[cfg(test)]
mod tests {
    use super::powi;

    #[test]
    fn powers_are_products() {
        let check = |a: f64, n: i32, expected: f64| assert_eq!(powi(a, n), expected, "{a}^{n}");
        check(3.0, 0, 1.0);
        check(3.0, 5, 243.0);
        check(-2.0, 3, -8.0);
        check(2.0, -2, 0.25);
        check(0.0, -1, f64::INFINITY);
        check(2.0, i32::MAX, f64::INFINITY);
        check(2.0, i32::MIN, 0.0);
    }
}
