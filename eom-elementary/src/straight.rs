//! Functions of a number as straight code, to be inlined into what [`with_fused_products`] runs; the same
//! bits as those of the crate, which ask for the instructions on each call.
//!
//! [`with_fused_products`]: crate::with_fused_products

use crate::angle;

/// The numbers of the straight code of sine and cosine, for who writes it in another form.
#[doc(hidden)]
pub use crate::angle::{COSINE, LARGEST, P1, P2, P3, QUARTERS, ROUNDING, SINE};

/// The sine.
#[inline(always)]
#[must_use]
pub fn sin(x: f64) -> f64 {
    angle::sin_cos(x).0
}

/// The cosine.
#[inline(always)]
#[must_use]
pub fn cos(x: f64) -> f64 {
    angle::sin_cos(x).1
}

/// The sine and the cosine; NaN for infinite x.
#[inline(always)]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    angle::sin_cos(x)
}
