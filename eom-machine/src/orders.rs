//! Code of a recurrence: the loop over the orders around its kernel.
//!
//! ```text
//! for k = 1 … last
//!     sums     of order k, four of them an instruction
//!     kernel   number by number
//!     lists go on by a row, `left` to where `right` is, `right` to row 1
//! ```

use crate::assembler::{ADD, Assembler, FUSED_ADD, Form, MUL, Operand, Width, XOR};
use crate::kernel::FOUR;
use crate::loops::{General, When};
use crate::recurrence::{NUMBERS, Recurrence, Sizes};
use crate::registers::{Angles, Emitter, Layout, ROOM};
use crate::rows::{
    ARGUMENT, FACTORS, FAR, HANDED, HIGH, LAST, LEFT, LOW, OBSERVED, OF_FACTORS, ORDER, ORDERS,
    PLACES, RIGHT, Rows, STATE, bytes,
};

/// The register of the argument.
const BASE: u8 = 3;

/// Registers of totals at once, of each half; what is left takes factors.
const TOTALS: usize = 6;

/// The code of a recurrence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orders {
    pub(crate) at: usize,
    pub(crate) sizes: Sizes,
    /// Numbers that are captured, and of the room.
    pub(crate) captured: usize,
    pub(crate) room: usize,
}

/// Writes the code of a sound recurrence.
pub(crate) fn emit(code: &mut Assembler, angles: Angles, recurrence: &Recurrence) -> Orders {
    let sizes = recurrence.sizes;
    let at = code.align();
    code.enter_loops();
    for (at, register) in (0..).zip(ARGUMENT) {
        code.load_pointer(register, BASE, 8 * at);
    }
    code.general(General::Add, OBSERVED, bytes(1));
    code.general_copy(LEFT, FACTORS);
    code.general_copy(RIGHT, FACTORS);
    code.set(FAR, 1);
    code.general_copy(ORDER, FAR);
    let begin = code.here();
    Sums { code, sizes }.write();
    let layout = Layout { rows: Some(Rows(sizes)), ..Layout::ONE };
    let mut emitter = Emitter::new(code, angles, &recurrence.kernel, layout);
    emitter.lengths[ROOM] = if sizes.few { 2 * sizes.sums } else { sizes.sums };
    emitter.operations();
    let [captured, room] = [1, ROOM].map(|list| emitter.lengths[list]);
    next(code, &sizes);
    code.jump_back(When::AtLeast, begin);
    code.zero_upper();
    code.leave_loops();
    Orders { at, sizes, captured, room }
}

/// The lists of the next order; compares the last one with it.
fn next(code: &mut Assembler, sizes: &Sizes) {
    let rows = [
        (ORDERS, NUMBERS),
        (STATE, sizes.state),
        (HANDED, sizes.handed),
        (FACTORS, 2 * sizes.sums),
        (OBSERVED, 1),
    ];
    for (register, length) in rows {
        code.general(General::Add, register, bytes(length));
    }
    code.general_copy(LEFT, RIGHT);
    code.load_pointer(RIGHT, BASE, 8 * OF_FACTORS);
    code.general(General::Add, RIGHT, bytes(2 * sizes.sums));
    code.general(General::Add, ORDER, 1);
    code.general_with(General::Compare, LAST, ORDER);
}

/// The sums of an order.
struct Sums<'c> {
    code: &'c mut Assembler,
    sizes: Sizes,
}

impl Sums<'_> {
    fn write(&mut self) {
        let registers = self.sizes.sums / FOUR;
        // As few loops as can be, each of as many.
        let count = registers.div_ceil(registers.div_ceil(TOTALS).max(1)).max(1);
        for first in (0..registers).step_by(count) {
            self.group(first, count.min(registers - first));
        }
        self.code.zero_upper();
    }

    /// Factors of a row from a pointer on, those of register `i`: the left ones, then the right ones.
    fn factors(&self, pointer: u8, i: usize, row: i32) -> [Operand; 2] {
        let sums = self.sizes.sums;
        [0, sums].map(|side| Operand::At(pointer, bytes(side + FOUR * i) + row * bytes(2 * sums)))
    }

    /// As many registers of sums from `first` on.
    fn group(&mut self, first: usize, count: usize) {
        let stride = bytes(2 * self.sizes.sums);
        let from = if self.sizes.few { 2 } else { 1 };
        let (total, other) = (|i: usize| i as u8, |i: usize| (count + i) as u8);
        for register in 0..2 * count as u8 {
            let itself = Operand::Register(register);
            self.code.bits(XOR, Width::Four, [register; 2], itself);
        }
        // j = ⌈k/2⌉ − 1: row j, that from row 1 and row k − j, that from row k − 1.
        self.code.general_copy(FAR, ORDER);
        self.code.general(General::Add, FAR, 1);
        self.code.general_half(FAR);
        self.code.general(General::Sub, FAR, 2);
        self.code.general_times(FAR, stride);
        self.code.general_copy(LOW, RIGHT);
        self.code.general_with(General::Add, LOW, FAR);
        self.code.general_copy(HIGH, FACTORS);
        self.code.general_with(General::Sub, HIGH, FAR);
        self.code.test_lowest(ORDER);
        let odd = self.code.jump(When::Set);
        self.code.general(General::Compare, ORDER, 2 * from);
        let low = self.code.jump(When::Less);
        for i in 0..count {
            let spare = (2 * count + i % (16 - 2 * TOTALS)) as u8;
            let [left, right] = self.factors(LOW, first + i, 1);
            self.code.load(Width::Four, spare, left);
            self.code.arithmetic(MUL, Width::Four, [total(i), spare], right);
        }
        self.code.land(odd);
        self.code.land(low);
        self.code.general(General::Compare, FAR, (from - 1) * stride);
        let none = self.code.jump(When::Less);
        let again = self.code.here();
        for i in 0..count {
            let [low_left, low_right] = self.factors(LOW, first + i, 0);
            let [high_left, high_right] = self.factors(HIGH, first + i, 0);
            let products = [(total(i), low_left, high_right), (other(i), high_left, low_right)];
            for (half, (to, left, right)) in products.into_iter().enumerate() {
                let spare = (2 * count + (2 * i + half) % (16 - 2 * TOTALS)) as u8;
                self.code.load(Width::Four, spare, left);
                self.code.fused(FUSED_ADD, Form::Third, Width::Four, [to, spare], right);
            }
        }
        self.code.general(General::Sub, LOW, stride);
        self.code.general(General::Add, HIGH, stride);
        self.code.general(General::Sub, FAR, stride);
        self.code.general(General::Compare, FAR, (from - 1) * stride);
        self.code.jump_back(When::AtLeast, again);
        self.code.land(none);
        self.result(first, count);
    }

    /// Both halves of few sums, else the sums.
    fn result(&mut self, first: usize, count: usize) {
        for i in 0..count {
            let (total, other) = (i as u8, (count + i) as u8);
            let to = |half: usize| {
                Operand::At(PLACES, bytes(half * self.sizes.sums + FOUR * (first + i)))
            };
            if self.sizes.few {
                self.code.store(Width::Four, to(0), total);
                self.code.store(Width::Four, to(1), other);
            } else {
                let both = Operand::Register(other);
                self.code.arithmetic(ADD, Width::Four, [total; 2], both);
                self.code.store(Width::Four, to(0), total);
            }
        }
    }
}
