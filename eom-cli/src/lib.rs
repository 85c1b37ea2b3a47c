//! What the `eom` command reads on its line, which its tests read as well: names and numbers.

pub mod names;
pub mod numbers;
