//! What a command reads and writes.
//!
//! ```text
//! Files      every input and output of a command, declared
//!   check    no output is an input or another output        → Permit, or one complaint
//! Output     opened with a permit: written beside its place, moved there when whole
//! text       inputs: read whole, within bounds
//! ```
//!
//! *Invariants.* Nothing is written before all files are checked. A file that is replaced is the old
//! one or the whole new one at every moment. No other module of the command opens a file for writing,
//! but for the journal of a sweep, which only grows.

mod beside;
mod identity;
mod input;
mod output;
mod table;

pub(crate) use beside::remove_temporaries;
pub(crate) use identity::{EXTENSION, is_path, is_stdout};
pub(crate) use input::{INPUT_MAX, SCENARIO_MAX, STATES_MAX, text};
pub(crate) use output::Output;
pub(crate) use table::{Files, Permit};
