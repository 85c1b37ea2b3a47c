//! The mode after an instant: which of the contacts that touch are closed, and what of their friction sticks.

pub(super) mod active_contacts;
pub(super) mod admissible;
pub(super) mod carry;
pub(super) mod contact;
pub(super) mod extents;
pub(super) mod frictional;
mod select_mode;
pub(super) mod turned;
