//! The lists of a call of a kernel, and the general registers that point to them.

use crate::kernel::{READS, WRITES};

/// Lists of a call: those that are read, the room, those that are written.
pub(crate) const LISTS: usize = READS + 1 + WRITES;
pub(crate) const ROOM: usize = READS;

/// The list that is one for all states, where they stand in columns.
pub(crate) const SHARED: usize = READS - 1;

/// General registers that point to them: those that a function need not keep, without rax.
pub(crate) const POINTERS: [u8; LISTS] = [7, 6, 2, 1, 8, 9, 10, 11];

/// Numbers of the room that calls in lanes use.
pub(crate) const CALL_ROOM: usize = 3;
