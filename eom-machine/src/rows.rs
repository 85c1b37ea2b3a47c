//! Where the lists of a recurrence are while its code runs: the general registers that point to them.

use crate::kernel::READS;
use crate::recurrence::{NUMBERS, Sizes};

/// General registers that point to the lists; those from 12 on and 5 are kept by functions.
pub(crate) const CAPTURED: u8 = 7;
pub(crate) const STATE: u8 = 6;
pub(crate) const HANDED: u8 = 2;
pub(crate) const LEFT: u8 = 1;
pub(crate) const RIGHT: u8 = 8;
pub(crate) const FACTORS: u8 = 9;
pub(crate) const OBSERVED: u8 = 10;
pub(crate) const PLACES: u8 = 11;
pub(crate) const ORDERS: u8 = 13;

/// Where pointers stand in the argument.
pub(crate) const ARGUMENT: [u8; 8] =
    [CAPTURED, STATE, HANDED, FACTORS, OBSERVED, PLACES, ORDERS, LAST];
/// Where that of the factors does.
pub(crate) const OF_FACTORS: i32 = 3;

/// k and the last one; the rows that are multiplied, and how far the lower one is from row 1.
pub(crate) const ORDER: u8 = 12;
pub(crate) const LAST: u8 = 5;
pub(crate) const LOW: u8 = 14;
pub(crate) const HIGH: u8 = 15;
pub(crate) const FAR: u8 = 0;

/// The room, and what is written to list 0.
const ROOM: usize = READS;
const WRITTEN: usize = ROOM + 1;

/// The lists of a kernel, as a recurrence has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) sizes: Sizes,
    /// Where the sums begin in the room.
    pub(crate) first_sum: usize,
}

impl Rows {
    /// The general register of a place of a list, and how many numbers behind it that is.
    pub(crate) fn place(&self, list: usize, at: usize) -> (u8, usize) {
        let Sizes { state, handed, column, sums, .. } = self.sizes;
        let point = |at: usize| match at.checked_sub(NUMBERS) {
            None => (ORDERS, at),
            Some(at) if at < state => (STATE, at),
            Some(at) if at < state + handed => (HANDED, at - state),
            Some(at) => (OBSERVED, (at - state - handed) * column),
        };
        match list {
            0 => point(at),
            1 => (CAPTURED, at),
            2 => (PLACES, self.first_sum + at),
            ROOM => (PLACES, at),
            3 => (if at < sums { LEFT } else { RIGHT }, at),
            4 => (FACTORS, at),
            WRITTEN => {
                let (register, at) = point(at);
                let row = [(STATE, state), (HANDED, handed)].into_iter().find(|r| r.0 == register);
                (register, at + row.map_or(0, |(_, length)| length))
            }
            _ => (FACTORS, 2 * sums + at),
        }
    }
}
