//! Tables that are written: their columns, and their formats.

pub(crate) mod columns;
pub(crate) mod writer;
