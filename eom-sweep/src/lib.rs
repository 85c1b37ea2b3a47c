//! A sweep in chunks: a numbered set of runs, as files that any number of processes may write.
//!
//! ```text
//! N runs, S in a chunk           chunk k has the runs kS … min((k + 1)S, N) − 1
//! DIR/sweep.json                 what the sweep is of, and its digest
//! DIR/runs/chunk-000007.parquet  the rows of chunk 7; its footer has the digest, the numbers of its runs, the sum
//!                                of its bytes
//! ```
//!
//! *Invariants.* A chunk is there whole or not at all: it is written beside its place, synchronised, renamed. Its
//! bytes depend on the sweep and on its number alone. So any process may write any chunk, in any order, more than
//! once, and be killed at any time: what is gathered in the end has the same bytes.
//!
//! What makes the runs is not here: neither this crate nor what carries a chunk from one machine to another knows
//! what a run is.

mod error;
mod folder;
mod gather;
mod groups;
mod join;
pub mod parquet;
pub mod runs;
mod seal;
mod shares;
mod sweep;
pub mod table;

pub use error::SweepError;
pub use folder::Folder;
pub use gather::Gathered;
pub use groups::{Groups, Values};
pub use shares::Shares;
pub use sweep::{Sweep, Table, listed};
