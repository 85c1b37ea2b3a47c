//! Elementary functions with the same bits on every machine, in debug and in release.
//!
//! The standard library leaves sin, cos, exp, … and `powi` to the platform, whose last bits differ.
//! Generated code, the interpreter and the deciding of claims call the functions here, so that a run
//! is one run wherever it is made.
//!
//! ```text
//! function                                 source                        error, ulp (tested)
//! sin, cos, sin_cos                        here: inlines and vectorises   ≤ 1
//! tan, asin, acos, atan, atan2, exp, ln,   the crate libm (musl's,        ≤ 1.5
//! sinh, cosh, tanh, powf, hypot, log2,     after FreeBSD msun)
//! exp2
//! asinh                                    the same                      ≤ 2
//! powi                                     products by squaring           ≤ |n| + 1
//! ```
//!
//! The error is that against high-precision values over the whole range of the function
//! (`tests/accuracy.rs`). Square roots are exact to rounding everywhere and stay those of `f64`.

mod angle;

pub use angle::{cos, sin, sin_cos};
pub use libm::{
    acos, asin, asinh, atan, atan2, cosh, exp, exp2, hypot, log as ln, log2, pow as powf, sinh,
    tan, tanh,
};

/// aⁿ by squaring, 1/a⁻ⁿ for n < 0: the same products in the same order everywhere.
#[must_use]
pub fn powi(a: f64, n: i32) -> f64 {
    let (mut square, mut left, mut product) = (a, n.unsigned_abs(), 1.0);
    while left > 0 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    if n < 0 { 1.0 / product } else { product }
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
