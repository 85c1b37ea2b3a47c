//! Integration of ẏ = f(t, y): one explicit Runge–Kutta method of order 8 with dense output, its
//! step size, and the sums in which steps are added up.
//!
//! Reading order: [`tableau`] the coefficients, [`dop853`] the step, [`dense`] the interpolant,
//! [`control`] the step size, [`sum`] compensated addition; [`implicit`] the step for stiff systems, with the
//! coefficients of [`radau`], which is also the step with which friction begins to slide, and the [`factors`] of
//! its matrices.

pub(crate) mod control;
pub(crate) mod dense;
pub(crate) mod dop853;
mod factors;
pub(crate) mod implicit;
pub(crate) mod inverse_root;
#[doc(hidden)]
pub mod midpoint;
pub(crate) mod radau;
mod splitting;
pub(crate) mod sum;
mod tableau;
