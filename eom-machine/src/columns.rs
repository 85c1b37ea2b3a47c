//! A kernel over many states whose numbers stand in columns: a loop in its code, over as many states as a register has.
//!
//! ```text
//! lists 0 to 3    a column for each number; one that does not move has the same number of all states
//! list 4          one for all states
//! written         a column for each number
//! argument        list 4 | room | steps of lists 0 to 3 | states | columns read | columns written
//! ```
//!
//! Columns are read and written where they stand, so that nothing is put into lanes and taken out again. What they hold is
//! looked at on the way: 0·x of all numbers is summed up, which is 0 where they are finite.

use crate::angle;
use crate::assembler::{ADD, Assembler, BASE, FUSED_ADD, Form, SCRATCH, Width};
use crate::kernel::{Kernel, Operation, READS, WRITES};
use crate::lists::{POINTERS, ROOM, SHARED};
use crate::loops::{General, When};
use crate::memory::{Code, Workspace};
use crate::registers::{Emitter, Entry, Layout};
use crate::slots::{ARGUMENT_STATES, ARGUMENT_STEPS, MOVED, SUM, Slots, States, slot};

/// A kernel as code of this machine, over many states whose numbers stand in columns.
#[derive(Debug)]
pub struct Columns {
    code: Code,
    entry: Entry,
    lanes: usize,
}

impl Columns {
    /// How many states a register of this machine takes: each number for which there is code, the greatest first.
    pub fn widths() -> Vec<usize> {
        let has_four = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let has_eight =
            has_four && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
        let widths = [(has_eight, Width::Eight), (has_four, Width::Four)];
        widths.into_iter().filter_map(|(has, width)| has.then_some(width.numbers())).collect()
    }

    /// The code of a kernel whose lengths are given, over as many lanes as the machine has; none where it lacks AVX2 or FMA,
    /// where its system does not let code be made, or where the kernel names what it does not have.
    pub fn new(kernel: &Kernel) -> Option<Self> {
        Self::over(kernel, *Self::widths().first()?)
    }

    /// The same over one of [`Columns::widths`].
    pub fn over(kernel: &Kernel, lanes: usize) -> Option<Self> {
        let lengths = kernel.lengths.filter(|lengths| is_within(kernel, lengths))?;
        if !Self::widths().contains(&lanes) || !kernel.is_sound() {
            return None;
        }
        let width = if lanes == Width::Eight.numbers() { Width::Eight } else { Width::Four };
        let mut code = Assembler::default();
        let angle = angle::write(&mut code, width);
        let layout = Layout { columns: Some(Slots::new(lengths)), ..Layout::beside(width) };
        let entry = emit(&mut code, angle, kernel, layout);
        Some(Self { code: Code::new(&code.finish())?, entry, lanes })
    }

    /// How many states are taken at once.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Runs the kernel over states, with the columns of its list 0 that are written, then those of list 1. Whether all numbers in
    /// the columns that are read are finite; nothing, and nothing is done, where the number of states is no multiple of the
    /// lanes, or a column is missing or too short.
    #[must_use]
    pub fn run<'a>(
        &self,
        states: States<'a, impl Iterator<Item = &'a [f64]>>,
        written: impl Iterator<Item = &'a mut [f64]>,
        work: &mut Workspace,
    ) -> Option<bool> {
        self.code.run_columns((&self.entry, self.lanes), states, written, work)
    }
}

/// Whether a kernel reads and writes within the lengths that it is said to have.
fn is_within(kernel: &Kernel, (reads, writes): &([usize; READS], [usize; WRITES])) -> bool {
    let is_in = |lengths: &[usize], list: u8, at: u32| {
        lengths.get(usize::from(list)).is_some_and(|length| (at as usize) < *length)
    };
    let is_read = |operation: &Operation| match *operation {
        Operation::Read(list, at) => is_in(reads, list, at),
        _ => true,
    };
    let lengths = reads.iter().chain(writes);
    lengths.copied().all(|length| length < crate::kernel::PLACES_MAX)
        && kernel.operations.iter().all(is_read)
        && kernel.outputs.iter().all(|(_, list, at)| is_in(writes, *list, *at))
}

/// Writes the loop around the operations of a kernel.
fn emit(code: &mut Assembler, angle: usize, kernel: &Kernel, layout: Layout) -> Entry {
    let at = code.align();
    code.enter();
    code.load_pointer(POINTERS[SHARED], BASE, slot(0));
    code.load_pointer(POINTERS[ROOM], BASE, slot(1));
    for moved in MOVED {
        code.general_with(General::Sub, moved, moved);
    }
    let begin = code.here();
    let mut emitter = Emitter::new(code, angle, kernel, layout);
    emitter.lengths[ROOM] = SUM + 1;
    emitter.look_at_all();
    emitter.operations();
    let lengths = emitter.lengths;
    for (list, moved) in MOVED.into_iter().enumerate().take(SHARED) {
        code.load_pointer(SCRATCH, BASE, slot(ARGUMENT_STEPS + list));
        code.general_with(General::Add, moved, SCRATCH);
    }
    code.general(General::Add, MOVED[SHARED], layout.width.bytes() / 8);
    code.load_pointer(SCRATCH, BASE, slot(ARGUMENT_STATES));
    code.general_with(General::Compare, MOVED[SHARED], SCRATCH);
    code.jump_back(When::Less, begin);
    code.zero_upper();
    code.leave();
    Entry { at, lengths, exact: true }
}

impl Emitter<'_> {
    /// Adds 0·x of all numbers in the columns, while registers hold nothing else.
    fn look_at_all(&mut self) {
        let width = self.layout.width;
        let zero = self.code.constant(0.0_f64.to_bits());
        self.code.load(width, 1, zero);
        self.code.load(width, 0, zero);
        for list in 0..SHARED {
            for at in 0..self.lengths[list] {
                let number = self.place(list, at);
                self.code.fused(FUSED_ADD, Form::Third, width, [0, 1], number);
            }
        }
        let sum = self.place(ROOM, SUM);
        self.code.arithmetic(ADD, width, [0, 0], sum);
        self.code.store(width, sum, 0);
    }
}
