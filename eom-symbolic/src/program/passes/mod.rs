//! What a program is put through before it is run: the same values by fewer operations.

pub(super) mod accuracy;
pub(super) mod angles;
mod cost;
mod divisors;
mod fuse;
pub(super) mod hoist;
pub(super) mod numbers;
pub(super) mod order;
mod pairs;
mod products;
pub(super) mod sums;
#[cfg(test)]
pub(super) mod words;
