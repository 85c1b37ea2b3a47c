//! Integrals ∫ₐᵇ f(s) ds of vector-valued f, to a relative 1e-12.
//!
//! ```text
//! [a, b] ──breaks at kinks──▶ pieces ──s = c + w sinh u near a kink──▶ panels ──7/15/31 points──▶ Σ
//!                                                                        ▲  bisected until they agree
//! ```
//!
//! Generated code and the interpreter of programs call the same functions, so that both compute
//! the same bits. Nothing is allocated; the same input gives the same result.
//!
//! *Accuracy.* A panel is accepted where its sums over 15 and 31 points differ by less than the
//! tolerance, 1e-12 of ∫|fᵢ| for each component (and no finer than 1e-14 of the largest of them), or
//! where the differences from 7 to 15 to 31 points fall as those of an analytic function do, so
//! that the last one is below the tolerance by the pace of the others.
//!
//! *Failure.* The result is NaN where f is not finite at a point that is asked for, where an end is
//! not finite, and where [`PANELS_MAX`] panels do not suffice: an integral that does not exist, or a
//! function too rough. A run that meets it ends with a typed reason, as with any non-finite force.
//!
//! ```
//! let [one, log] = eom_quadrature::integrate(0.0, 1.0, eom_quadrature::TOLERANCE, &[], |s, f| {
//!     f[0] = 3.0 * s * s;
//!     f[1] = 1.0 / (1.0 + s);
//! });
//! assert!((one - 1.0).abs() < 1e-14);
//! assert!((log - 2.0_f64.ln()).abs() < 1e-14);
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods, reason = "the same bits on every machine"))]

mod adaptive;
mod kink;
mod rule;

pub use adaptive::{DEPTH_MAX, PANELS_MAX, SCRATCH_ROWS, TOLERANCE, integrate, integrate_into};
pub use kink::{COMPONENTS_MAX, KINKS_MAX, Kink, NESTED_MAX};
pub use rule::{CENTRE, PAIRS, PAIRS_OF_15, Weights, coarse};
