//! Where columns are while the code of a kernel runs over them: places of its argument, and the general registers that say how far
//! the lists have moved.

use crate::assembler::{Operand, Width};
use crate::kernel::{READS, WRITES};
use crate::lists::{CALL_ROOM, POINTERS, ROOM, SHARED};

/// Places of the argument.
pub(crate) const ARGUMENT_STEPS: usize = 2;
pub(crate) const ARGUMENT_STATES: usize = ARGUMENT_STEPS + SHARED;
const ARGUMENT_COLUMNS: usize = ARGUMENT_STATES + 1;

/// The place of the room, behind that of calls, where 0·x of all numbers is summed up.
pub(crate) const SUM: usize = CALL_ROOM;

/// General registers that say how far the lists have moved, those that are read and what is written.
pub(crate) const MOVED: [u8; SHARED + 1] =
    [POINTERS[0], POINTERS[1], POINTERS[2], POINTERS[3], POINTERS[6]];

/// Where columns are: which is the first one of each list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots {
    first: [usize; SHARED + WRITES],
    count: usize,
}

/// Bytes of a place of the argument.
pub(crate) fn slot(place: usize) -> i32 {
    i32::try_from(8 * place).unwrap_or(0)
}

impl Slots {
    pub(crate) fn new((reads, writes): ([usize; READS], [usize; WRITES])) -> Self {
        let mut slots = Self { first: [0; SHARED + WRITES], count: 0 };
        let lengths = reads[..SHARED].iter().chain(&writes);
        for (first, length) in slots.first.iter_mut().zip(lengths) {
            *first = slots.count;
            slots.count += length;
        }
        slots
    }

    /// A place of a list that is no room.
    pub(crate) fn place(&self, list: usize, at: usize, width: Width) -> Operand {
        let column = |list: usize, moved: u8| {
            Operand::Column(slot(ARGUMENT_COLUMNS + self.first[list] + at), moved)
        };
        match list {
            SHARED if width == Width::Eight => Operand::Spread(POINTERS[SHARED], slot(at)),
            SHARED => Operand::At(POINTERS[SHARED], slot(at)),
            _ if list < SHARED => column(list, MOVED[list]),
            _ => column(SHARED + list - ROOM - 1, MOVED[SHARED]),
        }
    }
}

/// Which states a kernel is run over.
#[derive(Debug)]
pub struct States<'a, R> {
    /// How many: a multiple of [`crate::Columns::lanes`].
    pub count: usize,
    /// The columns of the lists 0 to 3, all of one before those of the next: with a number for each state, or, where the list
    /// does not move, with the same number as many times as there are lanes.
    pub columns: R,
    /// Which of the lists move.
    pub moves: [bool; SHARED],
    /// List 4.
    pub shared: &'a [f64],
}
