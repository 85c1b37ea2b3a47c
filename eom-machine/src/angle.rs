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

/// Where the lanes of a far angle go to: x, sine and cosine of each.
pub(crate) type Far = extern "sysv64" fn(&mut [[f64; 4]; 3]);

/// Sines and cosines of the lanes, wherever the angles are.
pub(crate) extern "sysv64" fn far(lanes: &mut [[f64; 4]; 3]) {
    for i in 0..4 {
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
        self.code.signs(width, 1);
        let beyond = self.code.jump_if(if width == Width::One { 1 } else { 15 });
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
}

/// Bytes of the three lists of [`Far`].
const LISTS: i32 = 96;

/// The call for far angles: registers that are kept stand on the stack meanwhile.
fn far_call(code: &mut Assembler, width: Width) {
    let kept = TAKEN..16;
    // The stack is at 8 beside a multiple of 16 here, and at a multiple where a function is called.
    let room = LISTS + 32 * i32::from(16 - TAKEN) + 8;
    let place = |register: u8| LISTS + 32 * i32::from(register - TAKEN);
    code.keep_pointers();
    code.move_stack(-room);
    for register in kept.clone() {
        code.on_stack(width, register, place(register), true);
    }
    // Of one number the other lanes are those of its register, which hold no more than it.
    code.on_stack(Width::Four, 0, 0, true);
    code.stack_address();
    code.zero_upper();
    let function: Far = far;
    code.call_address(function as usize as u64);
    code.on_stack(width, 0, 32, false);
    code.on_stack(width, 1, 64, false);
    for register in kept {
        code.on_stack(width, register, place(register), false);
    }
    code.move_stack(room);
    code.restore_pointers();
    code.back();
}
