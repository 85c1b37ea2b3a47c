//! Series of several motions of a system at once.

use super::System;
use crate::series::Expand;
use eom_elementary::Real;

/// A system whose series are straight code that runs over lanes of motions.
///
/// `lagrangian!` implements it for systems that have series, except for those with functions that are
/// given at run time or with integrals.
#[diagnostic::on_unimplemented(
    message = "motions of `{Self}` cannot be expanded in lanes",
    note = "it has no series, or functions given at run time or integrals in them: use `ensemble`"
)]
pub trait LaneSeries: System {
    /// [`Specialised::series`](crate::system::Specialised::series) of numbers or lanes. Entries of q, v and the inputs are asked for by index.
    fn lane_series<R: Real>(
        &self,
        t: R,
        q: impl Fn(usize) -> R,
        v: impl Fn(usize) -> R,
        u: impl Fn(usize) -> R,
        series: impl Expand<R>,
    );
}
