//! Tables that are written: their columns, and their formats.

pub(crate) mod columns;
mod parquet;
pub(crate) mod table;
pub(crate) mod writer;
