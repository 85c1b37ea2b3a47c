//! Instructions of AVX-512 over eight numbers: the prefix that they have, and masks.
//!
//! ```text
//! EVEX  62 [R X B R' 0 m] [W v 1 p] [z L b V' a]   W = 1, L = 512 bits; register numbers in all of R' R, X B, V' v
//!       b: one number in memory for all lanes      a, z: the mask of the lanes that are written, the others 0
//! ```
//!
//! Short offsets are counted in what is read: registers, or single numbers where one is for all lanes.

use crate::assembler::{Assembler, COMPARE, DIV, Opcode, Operand, P66, SPREAD, plain};

const SELECT: Opcode = Opcode { prefix: P66, map: 2, wide: true, code: 0x65 };
const TEST: Opcode = Opcode { prefix: P66, map: 2, wide: true, code: 0x27 };
const LOGIC: Opcode = Opcode { prefix: P66, map: 3, wide: true, code: 0x25 };

/// a xor (b and c): the bit of its value at 4a + 2b + c.
const XOR_OF_AND: u8 = 0x78;

/// The mask that comparisons write: none of lanes is left out by 0.
const MASK: u8 = 1;

/// Bytes of a register.
const REGISTER: i32 = 64;

impl Assembler {
    /// An instruction on all lanes.
    pub(crate) fn evex(
        &mut self,
        opcode: Opcode,
        registers: [u8; 2],
        operand: Operand,
        immediate: Option<u8>,
    ) {
        let first = if opcode.map == 1 && opcode.code == COMPARE { MASK } else { registers[0] };
        self.masked(opcode, [first, registers[1]], operand, (0, immediate));
    }

    /// The same with the bits of its last byte that say which lanes are written.
    fn masked(
        &mut self,
        opcode: Opcode,
        [first, second]: [u8; 2],
        operand: Operand,
        (lanes, immediate): (u8, Option<u8>),
    ) {
        let Opcode { prefix, map, code, .. } = opcode;
        let is_spread = matches!(operand, Operand::Pool(_) | Operand::Spread(..));
        // What spreads a number always reads one.
        let is_marked = is_spread && code != SPREAD.code;
        let (x, b) = match operand {
            Operand::Register(r) => (r >> 4, r >> 3),
            Operand::At(base, _) | Operand::Spread(base, _) => (0, base >> 3),
            Operand::Column(_, index) => (index >> 3, 0),
            Operand::Pool(_) => (0, 0),
        };
        let not = |bit: u8, place: u8| (!bit & 1) << place;
        self.bytes(&[
            0x62,
            not(first >> 3, 7) | not(x, 6) | not(b, 5) | not(first >> 4, 4) | map,
            0x80 | (!second & 15) << 3 | 4 | prefix,
            lanes | 0x40 | u8::from(is_marked) << 4 | not(second >> 4, 3),
            code,
        ]);
        let unit = if is_spread { 8 } else { REGISTER };
        self.last_operand(first, operand, (unit, usize::from(immediate.is_some())));
        if let Some(immediate) = immediate {
            self.bytes(&[immediate]);
        }
    }

    /// The mask that was compared last, in eax.
    pub(crate) fn mask(&mut self) {
        self.bytes(&[0xC5, 0xF8, 0x93, 0xC0 | MASK]);
    }

    /// The mask of the lanes that have one of some bits.
    pub(crate) fn test(&mut self, register: u8, bits: Operand) {
        self.masked(TEST, [MASK, register], bits, (0, None));
    }

    /// Where the mask is set the second, else the first.
    pub(crate) fn select_masked(&mut self, to: u8, [no, yes]: [u8; 2]) {
        self.masked(SELECT, [to, no], Operand::Register(yes), (MASK, None));
    }

    /// to = a/b where the mask is set, else 0.
    pub(crate) fn divide_masked(&mut self, [to, a]: [u8; 2], b: Operand) {
        self.masked(plain(P66, DIV), [to, a], b, (0x80 | MASK, None));
    }

    /// to = to xor (a and b).
    pub(crate) fn xor_of_and(&mut self, [to, a]: [u8; 2], b: Operand) {
        self.masked(LOGIC, [to, a], b, (0, Some(XOR_OF_AND)));
    }

    /// Reads or writes a register at so many bytes above the end of the stack.
    pub(crate) fn eight_on_stack(&mut self, register: u8, at: i32, writes: bool) {
        let code = if writes { 0x11 } else { 0x10 };
        let name = (!register >> 3 & 1) << 7 | (!register >> 4 & 1) << 4;
        self.bytes(&[0x62, 0x61 | name, 0xFD, 0x48, code, 0x84 | (register & 7) << 3, 0x24]);
        self.bytes(&at.to_le_bytes());
    }
}
