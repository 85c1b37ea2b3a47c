//! Code of a recurrence: the loop over the orders around its kernel.
//!
//! ```text
//! for k = 1 … last
//!     sums     of order k, four of them an instruction
//!     kernel   number by number
//!     lists go on by a row, `left` to where `right` is, `right` to row 1
//! ```

use crate::assembler::{ADD, Assembler, BASE, FUSED_ADD, Form, MUL, Operand, Width, XOR};
use crate::lists::{CALL_ROOM, ROOM};
use crate::loops::{General, When};
use crate::recurrence::{NUMBERS, Recurrence, Sizes};
use crate::registers::{Emitter, Layout};
use crate::rows::{
    ARGUMENT, FACTORS, FAR, HANDED, HIGH, LAST, LEFT, LOW, OBSERVED, OF_FACTORS, ORDER, ORDERS,
    PLACES, RIGHT, Rows, STATE,
};

/// Bytes of a register.
const REGISTER: usize = 32;

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

/// Writes the code of a sound recurrence; where the layout is over four lanes each number is one in all of them.
pub(crate) fn emit(
    code: &mut Assembler,
    angle: usize,
    recurrence: &Recurrence,
    layout: Layout,
) -> Orders {
    let sizes = recurrence.sizes;
    // Calls in lanes have the first places of the room.
    let first_sum = if layout.width == Width::Four { CALL_ROOM } else { 0 };
    let around = Loop { sizes, stride: layout.stride, first_sum };
    let at = code.align();
    around.enter(code);
    let begin = code.here();
    around.sums(code);
    let layout = Layout { rows: Some(Rows { sizes, first_sum }), ..layout };
    let mut emitter = Emitter::new(code, angle, &recurrence.kernel, layout);
    emitter.lengths[ROOM] = first_sum + if sizes.few { 2 * sizes.sums } else { sizes.sums };
    emitter.operations();
    let [captured, room] = [1, ROOM].map(|list| emitter.lengths[list]);
    around.next(code);
    code.jump_back(When::AtLeast, begin);
    code.zero_upper();
    code.leave_loops();
    Orders { at, sizes, captured, room }
}

/// So many registers in bytes.
fn registers(count: usize) -> i32 {
    i32::try_from(REGISTER * count).unwrap_or(0)
}

/// A register behind those of so many sums, another one for each factor of a few.
fn spare(count: usize, factor: usize) -> u8 {
    (2 * count + factor % (Width::Four.registers() - 2 * TOTALS)) as u8
}

/// What stands around the kernel.
struct Loop {
    sizes: Sizes,
    /// Bytes of a number of a list.
    stride: usize,
    first_sum: usize,
}

impl Loop {
    /// So many numbers of a list in bytes: below 2³¹, as sizes are.
    fn bytes(&self, numbers: usize) -> i32 {
        i32::try_from(self.stride * numbers).unwrap_or(0)
    }

    /// The lists of order 1.
    fn enter(&self, code: &mut Assembler) {
        code.enter_loops();
        for (at, register) in (0..).zip(ARGUMENT) {
            code.load_pointer(register, BASE, 8 * at);
        }
        code.general(General::Add, OBSERVED, self.bytes(1));
        code.general_copy(LEFT, FACTORS);
        code.general_copy(RIGHT, FACTORS);
        code.set(FAR, 1);
        code.general_copy(ORDER, FAR);
    }

    /// The lists of the next order; compares the last one with it.
    fn next(&self, code: &mut Assembler) {
        let Sizes { state, handed, sums, .. } = self.sizes;
        let rows = [
            (ORDERS, NUMBERS),
            (STATE, state),
            (HANDED, handed),
            (FACTORS, 2 * sums),
            (OBSERVED, 1),
        ];
        for (register, length) in rows {
            code.general(General::Add, register, self.bytes(length));
        }
        code.general_copy(LEFT, RIGHT);
        code.load_pointer(RIGHT, BASE, 8 * OF_FACTORS);
        code.general(General::Add, RIGHT, self.row());
        code.general(General::Add, ORDER, 1);
        code.general_with(General::Compare, LAST, ORDER);
    }

    /// The sums of an order.
    fn sums(&self, code: &mut Assembler) {
        let registers = self.sizes.sums * self.stride / REGISTER;
        // As few loops as can be, each of as many.
        let count = registers.div_ceil(registers.div_ceil(TOTALS).max(1)).max(1);
        for first in (0..registers).step_by(count) {
            self.group(code, first, count.min(registers - first));
        }
        code.zero_upper();
    }

    /// Factors of a row from a pointer on, those of register `i`: the left ones, then the right ones.
    fn factors(&self, pointer: u8, i: usize, row: i32) -> [Operand; 2] {
        let sums = self.sizes.sums;
        let behind = registers(i) + row * self.row();
        [0, sums].map(|side| Operand::At(pointer, self.bytes(side) + behind))
    }

    /// As many registers of sums from `first` on: the totals of the one half, then those of the other.
    fn group(&self, code: &mut Assembler, first: usize, count: usize) {
        for register in 0..2 * count as u8 {
            code.bits(XOR, Width::Four, [register; 2], Operand::Register(register));
        }
        self.point_to_inmost(code);
        self.middle(code, first, count);
        code.general(General::Compare, FAR, self.last_far());
        let none = code.jump(When::Less);
        let again = code.here();
        self.pair(code, first, count);
        let row = self.row();
        code.general(General::Sub, LOW, row);
        code.general(General::Add, HIGH, row);
        code.general(General::Sub, FAR, row);
        code.general(General::Compare, FAR, self.last_far());
        code.jump_back(When::AtLeast, again);
        code.land(none);
        self.result(code, first, count);
    }

    /// Bytes of a row of factors.
    fn row(&self) -> i32 {
        self.bytes(2 * self.sizes.sums)
    }

    /// The lowest j of the products that are summed.
    fn lowest(&self) -> i32 {
        if self.sizes.few { 2 } else { 1 }
    }

    /// How far row j is from row 1 for that.
    fn last_far(&self) -> i32 {
        (self.lowest() - 1) * self.row()
    }

    /// j = ⌈k/2⌉ − 1: row j, that from row 1 and row k − j, that from row k − 1.
    fn point_to_inmost(&self, code: &mut Assembler) {
        code.general_copy(FAR, ORDER);
        code.general(General::Add, FAR, 1);
        code.general_half(FAR);
        code.general(General::Sub, FAR, 2);
        code.general_times(FAR, self.row());
        code.general_copy(LOW, RIGHT);
        code.general_with(General::Add, LOW, FAR);
        code.general_copy(HIGH, FACTORS);
        code.general_with(General::Sub, HIGH, FAR);
    }

    /// a_{k/2} b_{k/2}, where k is even.
    fn middle(&self, code: &mut Assembler, first: usize, count: usize) {
        code.test_lowest(ORDER);
        let odd = code.jump(When::Set);
        code.general(General::Compare, ORDER, 2 * self.lowest());
        let low = code.jump(When::Less);
        for i in 0..count {
            let [left, right] = self.factors(LOW, first + i, 1);
            let spare = spare(count, i);
            code.load(Width::Four, spare, left);
            code.arithmetic(MUL, Width::Four, [i as u8, spare], right);
        }
        code.land(odd);
        code.land(low);
    }

    /// aⱼbₖ₋ⱼ to the one half, aₖ₋ⱼbⱼ to the other.
    fn pair(&self, code: &mut Assembler, first: usize, count: usize) {
        for i in 0..count {
            let [low_left, low_right] = self.factors(LOW, first + i, 0);
            let [high_left, high_right] = self.factors(HIGH, first + i, 0);
            let products = [(i, low_left, high_right), (count + i, high_left, low_right)];
            for (half, (to, left, right)) in products.into_iter().enumerate() {
                let spare = spare(count, 2 * i + half);
                code.load(Width::Four, spare, left);
                code.fused(FUSED_ADD, Form::Third, Width::Four, [to as u8, spare], right);
            }
        }
    }

    /// Both halves of few sums, else the sums.
    fn result(&self, code: &mut Assembler, first: usize, count: usize) {
        for i in 0..count {
            let (total, other) = (i as u8, (count + i) as u8);
            let to = |half: usize| {
                let begin = self.bytes(self.first_sum + half * self.sizes.sums);
                Operand::At(PLACES, begin + registers(first + i))
            };
            if self.sizes.few {
                code.store(Width::Four, to(0), total);
                code.store(Width::Four, to(1), other);
            } else {
                let both = Operand::Register(other);
                code.arithmetic(ADD, Width::Four, [total; 2], both);
                code.store(Width::Four, to(0), total);
            }
        }
    }
}
