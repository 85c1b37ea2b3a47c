//! Sine and cosine, as `eom_elementary::sin_cos` computes them: the same operations, as a function of the code
//! that keeps the registers from 7 on.
//!
//! ```text
//! in     x in register 0
//! out    sin x in 0, cos x in 1
//! ```

use crate::assembler::{
    ABOVE, ADD_INTEGERS, AND, Assembler, FUSED_ADD, Form, MUL, NEGATED_ADD, Operand, SUB, Width,
    XOR,
};
use eom_elementary::straight::{COSINE, LARGEST, P1, P2, P3, QUARTERS, ROUNDING, SINE};

/// The registers that it does not keep.
pub(crate) const TAKEN: u8 = 7;

const SIGN: u64 = 1 << 63;

/// The most lanes.
const LANES: usize = 8;

/// Where the lanes of a far angle go to: x, sine and cosine of each.
pub(crate) type Far = extern "sysv64" fn(&mut [[f64; LANES]; 3], usize);

/// Sines and cosines of so many lanes, wherever the angles are.
pub(crate) extern "sysv64" fn far(lanes: &mut [[f64; LANES]; 3], count: usize) {
    for i in 0..count.min(LANES) {
        let (sine, cosine) = eom_elementary::sin_cos(lanes[0][i]);
        (lanes[1][i], lanes[2][i]) = (sine, cosine);
    }
}

/// Writes it; where it begins.
pub(crate) fn write(code: &mut Assembler, width: Width) -> usize {
    let begin = code.align();
    let beyond = Angle { code, width }.straight();
    code.back();
    code.land(beyond);
    far_call(code, width);
    begin
}

struct Angle<'c> {
    code: &'c mut Assembler,
    width: Width,
}

impl Angle<'_> {
    fn number(&mut self, number: f64) -> Operand {
        self.code.constant(number.to_bits())
    }

    /// to = ±second·to + third.
    fn fused(&mut self, code: u8, [to, second]: [u8; 2], third: Operand) {
        self.code.fused(code, Form::Second, self.width, [to, second], third);
    }

    /// to = −k·constant + c.
    fn less(&mut self, to: u8, k: u8, constant: f64, c: u8) {
        self.code.copy(self.width, to, c);
        let constant = self.number(constant);
        self.code.fused(NEGATED_ADD, Form::Third, self.width, [to, k], constant);
    }

    /// to += k·constant.
    fn more(&mut self, to: u8, k: u8, constant: f64) {
        let constant = self.number(constant);
        self.code.fused(FUSED_ADD, Form::Third, self.width, [to, k], constant);
    }

    /// The polynomial of z with w = z² into register 0, 6 in use.
    fn even(&mut self, c: [f64; 6], [z, w]: [u8; 2]) {
        self.pair(0, [c[4], c[5]], z);
        for pair in [2, 0] {
            self.pair(6, [c[pair], c[pair + 1]], z);
            self.fused(FUSED_ADD, [0, w], Operand::Register(6));
        }
    }

    /// to = z·c₁ + c₀.
    fn pair(&mut self, to: u8, c: [f64; 2], z: u8) {
        let [low, high] = c.map(|c| self.number(c));
        self.code.load(self.width, to, high);
        self.fused(FUSED_ADD, [to, z], low);
    }

    /// The code where |x| is not beyond its range; the jump to the other.
    fn straight(mut self) -> usize {
        let width = self.width;
        let (sign, largest) = (self.code.constant(!SIGN), self.number(LARGEST));
        self.code.bits(AND, width, [1, 0], sign);
        self.code.compare(ABOVE, width, [1, 1], largest);
        let beyond = if width == Width::Eight {
            self.code.mask();
            self.code.jump_if(255)
        } else {
            self.code.signs(width, 1);
            self.code.jump_if(if width == Width::One { 1 } else { 15 })
        };
        // turned 1, k 2, exact 3, r 4, e 5
        let [quarters, rounding] = [QUARTERS, ROUNDING].map(|c| self.number(c));
        self.code.load(width, 1, quarters);
        self.fused(FUSED_ADD, [1, 0], rounding);
        self.code.arithmetic(SUB, width, [2, 1], rounding);
        self.less(3, 2, P1, 0);
        self.less(4, 2, P2, 3);
        self.code.arithmetic(SUB, width, [5, 4], Operand::Register(3));
        self.more(5, 2, P2);
        self.more(5, 2, P3);
        // z 2, w 3
        self.code.arithmetic(MUL, width, [2, 4], Operand::Register(4));
        self.code.arithmetic(MUL, width, [3, 2], Operand::Register(2));
        self.even(SINE, [2, 3]);
        self.code.arithmetic(MUL, width, [6, 2], Operand::Register(4));
        self.fused(NEGATED_ADD, [0, 6], Operand::Register(5));
        self.code.arithmetic(SUB, width, [4, 4], Operand::Register(0));
        self.even(COSINE, [2, 3]);
        let [half, one] = [0.5, 1.0].map(|c| self.number(c));
        self.code.arithmetic(MUL, width, [6, 2], half);
        self.fused(NEGATED_ADD, [0, 3], Operand::Register(6));
        self.code.load(width, 5, one);
        self.code.arithmetic(SUB, width, [5, 5], Operand::Register(0));
        self.turn();
        beyond
    }

    /// Sine 4 and cosine 5 turned by the quarters of 1, into 0 and 1.
    fn turn(&mut self) {
        let width = self.width;
        if width == Width::Eight {
            return self.turn_eight();
        }
        // The lowest bit of k as a sign, then the second of k and of k + 1.
        self.code.shift_left(width, [2, 1], 63);
        self.code.select(width, 0, [4, 5, 2]);
        self.code.select(width, 3, [5, 4, 2]);
        self.code.shift_left(width, [6, 1], 62);
        let [next, sign] = [1 << 62, SIGN].map(|bits| self.code.constant(bits));
        self.code.bits(ADD_INTEGERS, width, [5, 6], next);
        self.code.bits(AND, width, [6, 6], sign);
        self.code.bits(AND, width, [5, 5], sign);
        self.code.bits(XOR, width, [0, 0], Operand::Register(6));
        self.code.bits(XOR, width, [1, 3], Operand::Register(5));
    }

    /// The same over eight: a mask says where k is odd, signs are one instruction.
    fn turn_eight(&mut self) {
        let width = self.width;
        let [one, next, sign] = [1, 1 << 62, SIGN].map(|bits| self.code.constant(bits));
        self.code.test(1, one);
        self.code.shift_left(width, [6, 1], 62);
        self.code.select_masked(0, [4, 5]);
        self.code.select_masked(1, [5, 4]);
        self.code.bits(ADD_INTEGERS, width, [5, 6], next);
        self.code.xor_of_and([0, 6], sign);
        self.code.xor_of_and([1, 5], sign);
    }
}

/// Bytes of a list of [`Far`], and of the three.
const LIST: i32 = 64;
const LISTS: i32 = 3 * LIST;

/// The call for far angles: registers that are kept stand on the stack meanwhile.
fn far_call(code: &mut Assembler, width: Width) {
    let size = width.bytes();
    // The stack is at 8 beside a multiple of 16 here, and at a multiple where a function is called.
    let count = width.registers() as u8;
    let room = LISTS + size * i32::from((count - TAKEN).next_multiple_of(2)) + 8;
    let place = |register: u8| LISTS + size * i32::from(register - TAKEN);
    code.keep_pointers();
    code.move_stack(-room);
    for register in TAKEN..count {
        code.on_stack(width, register, place(register), true);
    }
    code.on_stack(width, 0, 0, true);
    code.set(6, width.numbers() as u64);
    code.stack_address();
    code.zero_upper();
    let function: Far = far;
    code.call_address(function as usize as u64);
    code.on_stack(width, 0, LIST, false);
    code.on_stack(width, 1, 2 * LIST, false);
    for register in TAKEN..count {
        code.on_stack(width, register, place(register), false);
    }
    code.move_stack(room);
    code.restore_pointers();
    code.back();
}
