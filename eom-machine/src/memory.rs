//! Pages that hold code, and the call of it: all that is `unsafe` of the project.
//!
//! Pages are written first and executed then, never both. What is called is a function of [`emit`](crate::emit) in this
//! code, at the entry that it gave; it reads and writes the lists as far as the entry says, which is compared with their
//! lengths before each call, and it allocates nothing and keeps the registers that a function has to keep.
#![allow(unsafe_code, reason = "a call of code that was just written has no other form")]

use crate::kernel::{FOUR, READS, WRITES};
use crate::lists::{LISTS, ROOM, SHARED};
use crate::orders::Orders;
use crate::recurrence::{self, NUMBERS, Sizes};
use crate::registers::Entry;
use crate::rows::ARGUMENT;
use crate::slots::{SUM, States};
use memmap2::{Mmap, MmapMut};
use std::ptr::without_provenance_mut;
use std::sync::atomic::AtomicPtr;

/// Pointers to the lists of a call.
type Lists = [*mut f64; LISTS];

/// What a kernel over columns works in.
#[derive(Debug, Default)]
pub struct Workspace {
    room: Vec<f64>,
    /// Between calls these mean nothing, so that threads may hand them on.
    argument: Vec<AtomicPtr<f64>>,
}

impl Workspace {
    /// Writes the argument of a function of columns; whether all that it names is as long as is asked for.
    fn prepare<'a>(
        &mut self,
        (asked, lanes): (&[usize; LISTS], usize),
        states: States<'a, impl Iterator<Item = &'a [f64]>>,
        mut written: impl Iterator<Item = &'a mut [f64]>,
    ) -> bool {
        let States { count, mut columns, moves, shared } = states;
        let Self { room, argument } = self;
        let mut fits = count.is_multiple_of(lanes) && shared.len() >= asked[SHARED];
        room.resize(asked[ROOM] * lanes, 0.0);
        room[SUM * lanes..][..lanes].fill(0.0);
        argument.clear();
        let mut add = |pointer| argument.push(AtomicPtr::new(pointer));
        add(shared.as_ptr().cast_mut());
        add(room.as_mut_ptr());
        for moves in moves {
            add(without_provenance_mut(usize::from(moves) * lanes));
        }
        add(without_provenance_mut(count));
        for list in 0..SHARED {
            let length = if moves[list] { count } else { lanes };
            for _ in 0..asked[list] {
                let column = columns.next().unwrap_or_default();
                fits &= column.len() >= length;
                add(column.as_ptr().cast_mut());
            }
        }
        for _ in 0..asked[ROOM + 1..].iter().sum() {
            let column = written.next().unwrap_or_default();
            fits &= column.len() >= count;
            add(column.as_mut_ptr());
        }
        fits
    }
}

/// Code that can be called.
#[derive(Debug)]
pub(crate) struct Code {
    pages: Mmap,
}

impl Code {
    /// The bytes of a finished assembler; none where the system has no pages to be executed.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let mut pages = MmapMut::map_anon(bytes.len().max(1)).ok()?;
        pages.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(Self { pages: pages.make_exec().ok()? })
    }

    /// Calls the function of an entry; `false`, and nothing is done, where a list is shorter than it asks for, or has another
    /// length than the one that is known.
    #[inline]
    pub(crate) fn run(
        &self,
        entry: &Entry,
        reads: [&[f64]; READS],
        room: &mut [f64],
        writes: &mut [&mut [f64]; WRITES],
    ) -> bool {
        let asked = &entry.lengths;
        let fits_to = |found: usize, asked: usize| found == asked || found > asked && !entry.exact;
        let mut fits = room.len() >= asked[ROOM];
        for list in 0..READS {
            fits &= fits_to(reads[list].len(), asked[list]);
        }
        for list in 0..WRITES {
            fits &= fits_to(writes[list].len(), asked[ROOM + 1 + list]);
        }
        if fits {
            self.call(entry.at, pointers(reads, room, writes).as_ptr());
        }
        fits
    }

    /// The same over four lanes, whose lists are four times as long.
    pub(crate) fn run_in_lanes(
        &self,
        entry: &Entry,
        reads: [&[f64]; READS],
        room: &mut [f64],
        writes: &mut [&mut [f64]; WRITES],
    ) -> bool {
        let asked = &entry.lengths;
        let mut fits = room.len() >= asked[ROOM] * FOUR;
        for list in 0..READS {
            fits &= reads[list].len() >= asked[list] * FOUR;
        }
        for list in 0..WRITES {
            fits &= writes[list].len() >= asked[ROOM + 1 + list] * FOUR;
        }
        if fits {
            self.call(entry.at, pointers(reads, room, writes).as_ptr());
        }
        fits
    }

    /// Calls the function of columns over so many lanes: whether all that it reads is finite; nothing, and nothing is done, where
    /// states are no multiple of the lanes, or a column is missing or shorter than it asks for.
    pub(crate) fn run_columns<'a>(
        &self,
        (entry, lanes): (&Entry, usize),
        states: States<'a, impl Iterator<Item = &'a [f64]>>,
        written: impl Iterator<Item = &'a mut [f64]>,
        work: &mut Workspace,
    ) -> Option<bool> {
        let count = states.count;
        let fits = work.prepare((&entry.lengths, lanes), states, written);
        if fits && count > 0 {
            self.call(entry.at, work.argument.as_ptr().cast());
        }
        fits.then(|| work.room[SUM * lanes..][..lanes].iter().all(|sum| *sum == 0.0))
    }

    /// Calls the function of a recurrence over so many lanes for orders from 1 to `last`; `false`, and nothing is done, where a list is
    /// shorter than it asks for.
    #[inline]
    pub(crate) fn run_orders(
        &self,
        code: &Orders,
        lanes: usize,
        last: usize,
        lists: &mut recurrence::Lists<'_>,
    ) -> bool {
        let Sizes { state, handed, observed, column, sums, .. } = code.sizes;
        let columns = if observed == 0 { 0 } else { (observed - 1) * column + last + 1 };
        let is_long = |list: &[f64], numbers: usize| list.len() >= numbers * lanes;
        // Before the products: a number of orders beyond these lengths fits none of them.
        let fits = (1..=lists.numbers.len() / (NUMBERS * lanes)).contains(&last)
            && is_long(lists.captured, code.captured)
            && is_long(lists.room, code.room)
            && is_long(lists.state, (last + 1) * state)
            && is_long(lists.handed, (last + 1) * handed)
            && is_long(lists.observed, columns)
            && is_long(lists.factors, (last + 1) * 2 * sums);
        if fits {
            let argument: [*mut f64; ARGUMENT.len()] = [
                lists.captured.as_ptr().cast_mut(),
                lists.state.as_mut_ptr(),
                lists.handed.as_mut_ptr(),
                lists.factors.as_mut_ptr(),
                lists.observed.as_mut_ptr(),
                lists.room.as_mut_ptr(),
                lists.numbers.as_ptr().cast_mut(),
                without_provenance_mut(last),
            ];
            self.call(code.at, argument.as_ptr());
        }
        fits
    }

    /// Calls the function at an entry with lists that are as long as it asks for.
    #[inline]
    fn call(&self, at: usize, lists: *const *mut f64) {
        let begin = self.pages.as_ptr().wrapping_add(at);
        // SAFETY: a function of this kind begins at each entry.
        let function: extern "sysv64" fn(*const *mut f64) = unsafe { std::mem::transmute(begin) };
        function(lists);
    }
}

/// Where the lists begin.
#[inline]
fn pointers(reads: [&[f64]; READS], room: &mut [f64], writes: &mut [&mut [f64]; WRITES]) -> Lists {
    let mut lists: Lists = [std::ptr::null_mut(); LISTS];
    for list in 0..READS {
        lists[list] = reads[list].as_ptr().cast_mut();
    }
    lists[ROOM] = room.as_mut_ptr();
    for list in 0..WRITES {
        lists[ROOM + 1 + list] = writes[list].as_mut_ptr();
    }
    lists
}
