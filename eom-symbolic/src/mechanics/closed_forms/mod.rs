//! Closed forms, for people and claims: multipliers eliminated, accelerations, momenta, impacts.

pub mod explicit;
pub mod hamilton;
pub mod impact;
pub(super) mod omitted;
pub mod reduce;
