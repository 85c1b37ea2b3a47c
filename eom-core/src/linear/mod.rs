//! Linear algebra of small matrices, in the metric of the kinetic energy where there is one.

pub mod linalg;
pub mod metric;
pub(crate) mod singular;
pub mod span;
