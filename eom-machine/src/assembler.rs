//! Bytes of x86-64 instructions: the few of AVX, AVX2 and FMA that kernels are made of; over eight numbers they are those of
//! AVX-512, whose prefix is written elsewhere.
//!
//! ```text
//! VEX   C5 [R v L p]             maps 0F, W = 0, no register from 8 on in the last operand
//!       C4 [R X B m] [W v L p]   all others
//! then opcode, ModRM, displacement, immediate
//! ```
//!
//! Constants and addresses of functions stand behind the code, found from where the instruction ends.

use std::collections::HashMap;

/// The last operand of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A register of numbers.
    Register(u8),
    /// Bytes behind what a general register points to.
    At(u8, i32),
    /// One number there that stands for all eight.
    Spread(u8, i32),
    /// As many numbers behind a pointer as a general register says; bytes of the argument say where the pointer is.
    Column(i32, u8),
    /// The constants, by the place among them.
    Pool(u32),
}

/// An instruction: prefix, map, W and opcode.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opcode {
    pub(crate) prefix: u8,
    pub(crate) map: u8,
    pub(crate) wide: bool,
    pub(crate) code: u8,
}

const NONE: u8 = 0;
pub(crate) const P66: u8 = 1;
const PF2: u8 = 3;

pub(crate) const fn plain(prefix: u8, code: u8) -> Opcode {
    Opcode { prefix, map: 1, wide: false, code }
}

/// How many numbers an instruction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// One.
    One,
    /// Four.
    Four,
    /// Eight.
    Eight,
}

impl Width {
    pub(crate) const fn numbers(self) -> usize {
        match self {
            Self::One => 1,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// Bytes of so many numbers.
    pub(crate) const fn bytes(self) -> i32 {
        match self {
            Self::One => 8,
            Self::Four => 32,
            Self::Eight => 64,
        }
    }

    /// How many registers there are.
    pub(crate) const fn registers(self) -> usize {
        if matches!(self, Self::Eight) { 32 } else { 16 }
    }

    /// The prefix of its arithmetic.
    const fn prefix(self) -> u8 {
        if matches!(self, Self::One) { PF2 } else { P66 }
    }
}

/// The general register of the argument of a function.
pub(crate) const BASE: u8 = 3;
/// One that holds nothing for long.
pub(crate) const SCRATCH: u8 = 0;

/// a + b, a·b, a − b, a/b, √b.
pub(crate) const ADD: u8 = 0x58;
pub(crate) const MUL: u8 = 0x59;
pub(crate) const SUB: u8 = 0x5C;
pub(crate) const DIV: u8 = 0x5E;
pub(crate) const SQRT: u8 = 0x51;

/// ±(x·y) ± z: of which operands is told by [`Form`].
pub(crate) const FUSED_ADD: u8 = 0x98;
pub(crate) const FUSED_SUB: u8 = 0x9A;
pub(crate) const NEGATED_ADD: u8 = 0x9C;

/// Which operands are multiplied: the first is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// first = second·first ± third
    Second,
    /// first = second·third ± first
    Third,
}

/// Logic of bits.
pub(crate) const AND: Opcode = plain(P66, 0x54);
pub(crate) const XOR: Opcode = plain(P66, 0x57);
/// Sums of integers of 64 bits.
pub(crate) const ADD_INTEGERS: Opcode = plain(P66, 0xD4);
const SHIFT: Opcode = plain(P66, 0x73);
const SIGNS: Opcode = plain(P66, 0x50);
const COPY: Opcode = plain(P66, 0x28);
pub(crate) const SPREAD: Opcode = Opcode { prefix: P66, map: 2, wide: false, code: 0x19 };
const BLEND: Opcode = Opcode { prefix: P66, map: 3, wide: false, code: 0x4B };

/// Comparisons.
pub(crate) const COMPARE: u8 = 0xC2;
pub(crate) const DIFFERS: u8 = 0x04;
pub(crate) const ABOVE: u8 = 0x1E;

/// The code that is written, with what it reads behind it.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    code: Vec<u8>,
    pool: Vec<u8>,
    known: HashMap<Vec<u64>, u32>,
    /// Where an offset to the pool stands, where its instruction ends, and the place in the pool.
    fixes: Vec<(usize, usize, u32)>,
}

impl Assembler {
    /// A constant, in each of four lanes.
    pub(crate) fn constant(&mut self, bits: u64) -> Operand {
        self.words(vec![bits; 4])
    }

    fn words(&mut self, words: Vec<u64>) -> Operand {
        if let Some(at) = self.known.get(&words) {
            return Operand::Pool(*at);
        }
        let at = self.pool.len() as u32;
        self.pool.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self.known.insert(words, at);
        Operand::Pool(at)
    }

    /// The bytes: code, then constants from a multiple of 32 on.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let first = self.code.len().next_multiple_of(32);
        for (at, end, place) in std::mem::take(&mut self.fixes) {
            let offset = (first + place as usize).wrapping_sub(end) as u32;
            if let Some(to) = self.code.get_mut(at..at + 4) {
                to.copy_from_slice(&offset.to_le_bytes());
            }
        }
        self.code.resize(first, 0);
        self.code.extend(self.pool);
        self.code
    }

    /// The next instruction stands at a multiple of 32.
    pub(crate) fn align(&mut self) -> usize {
        self.code.resize(self.code.len().next_multiple_of(32), 0xCC);
        self.code.len()
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    /// ModRM with what follows it, short offsets in units of so many bytes; `after` bytes follow that.
    pub(crate) fn last_operand(
        &mut self,
        register: u8,
        operand: Operand,
        (unit, after): (i32, usize),
    ) {
        let register = (register & 7) << 3;
        match operand {
            Operand::Register(r) => self.bytes(&[0xC0 | register | (r & 7)]),
            Operand::At(base, offset) | Operand::Spread(base, offset) => {
                match Some(offset / unit).filter(|units| units * unit == offset).map(i8::try_from) {
                    Some(Ok(short)) => {
                        self.bytes(&[0x40 | register | (base & 7), short.cast_unsigned()]);
                    }
                    _ => {
                        self.bytes(&[0x80 | register | (base & 7)]);
                        self.bytes(&offset.to_le_bytes());
                    }
                }
            }
            // Eight bytes a number behind the pointer in the scratch register.
            Operand::Column(_, index) => {
                self.bytes(&[register | 4, 0xC0 | (index & 7) << 3 | SCRATCH]);
            }
            Operand::Pool(place) => {
                self.bytes(&[register | 5, 0, 0, 0, 0]);
                let end = self.code.len();
                self.fixes.push((end - 4, end + after, place));
            }
        }
    }

    /// An instruction; the pointer of a column is taken before it.
    fn instruction(
        &mut self,
        opcode: Opcode,
        width: Width,
        registers: [u8; 2],
        operand: Operand,
        immediate: Option<u8>,
    ) {
        if let Operand::Column(pointer, _) = operand {
            self.load_pointer(SCRATCH, BASE, pointer);
        }
        if width == Width::Eight {
            self.evex(opcode, registers, operand, immediate);
        } else {
            self.vex(opcode, width, registers, operand, immediate);
        }
    }

    /// An instruction with a VEX prefix.
    fn vex(
        &mut self,
        opcode: Opcode,
        width: Width,
        [first, second]: [u8; 2],
        operand: Operand,
        immediate: Option<u8>,
    ) {
        let Opcode { prefix, map, wide, code } = opcode;
        let (high, high_index) = match operand {
            Operand::Register(r) | Operand::At(r, _) | Operand::Spread(r, _) => (r >= 8, false),
            Operand::Column(_, index) => (false, index >= 8),
            Operand::Pool(_) => (false, false),
        };
        let flag = |set: bool, bit: u8| if set { 0 } else { 1 << bit };
        let rest = (!second & 15) << 3 | u8::from(width == Width::Four) << 2 | prefix;
        if map == 1 && !wide && !high && !high_index {
            self.bytes(&[0xC5, flag(first >= 8, 7) | rest, code]);
        } else {
            let names = flag(first >= 8, 7) | flag(high_index, 6) | flag(high, 5);
            self.bytes(&[0xC4, names | map, u8::from(wide) << 7 | rest, code]);
        }
        self.last_operand(first, operand, (1, usize::from(immediate.is_some())));
        if let Some(immediate) = immediate {
            self.bytes(&[immediate]);
        }
    }

    /// to = a ∘ b, for the code of an operation of arithmetic.
    pub(crate) fn arithmetic(&mut self, code: u8, width: Width, [to, a]: [u8; 2], b: Operand) {
        let a = if code == SQRT && width != Width::One { 0 } else { a };
        self.instruction(plain(width.prefix(), code), width, [to, a], b, None);
    }

    /// A fused product; see [`Form`].
    pub(crate) fn fused(
        &mut self,
        code: u8,
        form: Form,
        width: Width,
        [to, second]: [u8; 2],
        third: Operand,
    ) {
        let form = if form == Form::Second { 0x10 } else { 0x20 };
        let code = code + form + u8::from(width == Width::One);
        let opcode = Opcode { prefix: P66, map: 2, wide: true, code };
        self.instruction(opcode, width, [to, second], third, None);
    }

    /// to = a ∘ b, on all bits of a register.
    pub(crate) fn bits(&mut self, opcode: Opcode, width: Width, [to, a]: [u8; 2], b: Operand) {
        self.instruction(opcode, width, [to, a], b, None);
    }

    /// Moves the lowest bits to the highest.
    pub(crate) fn shift_left(&mut self, width: Width, [to, from]: [u8; 2], by: u8) {
        self.instruction(SHIFT, width, [6, to], Operand::Register(from), Some(by));
    }

    /// All bits set where a comparison holds; over eight numbers a bit of a mask.
    pub(crate) fn compare(&mut self, how: u8, width: Width, [to, a]: [u8; 2], b: Operand) {
        self.instruction(plain(width.prefix(), COMPARE), width, [to, a], b, Some(how));
    }

    /// Where the highest bit of `which` is set the second, else the first.
    pub(crate) fn select(&mut self, width: Width, to: u8, [no, yes, which]: [u8; 3]) {
        self.instruction(BLEND, width, [to, no], Operand::Register(yes), Some(which << 4));
    }

    /// The sign of each lane in eax.
    pub(crate) fn signs(&mut self, width: Width, from: u8) {
        self.instruction(SIGNS, width, [0, 0], Operand::Register(from), None);
    }

    /// Copies a register.
    pub(crate) fn copy(&mut self, width: Width, to: u8, from: u8) {
        self.instruction(COPY, width, [to, 0], Operand::Register(from), None);
    }

    /// Reads as many numbers as the width has; of eight one stands for all where the operand says so.
    pub(crate) fn load(&mut self, width: Width, to: u8, from: Operand) {
        if width == Width::Eight && matches!(from, Operand::Pool(_) | Operand::Spread(..)) {
            self.spread(width, to, from);
        } else {
            self.moved(width, 0x10, to, from);
        }
    }

    /// Writes them.
    pub(crate) fn store(&mut self, width: Width, to: Operand, from: u8) {
        self.moved(width, 0x11, from, to);
    }

    fn moved(&mut self, width: Width, code: u8, register: u8, memory: Operand) {
        self.instruction(plain(width.prefix(), code), width, [register, 0], memory, None);
    }

    /// One number in all lanes.
    pub(crate) fn spread(&mut self, width: Width, to: u8, from: Operand) {
        self.instruction(SPREAD, width, [to, 0], from, None);
    }

    /// The upper halves of registers are zero: code without AVX follows.
    pub(crate) fn zero_upper(&mut self) {
        self.vex_bare(0x77);
    }

    fn vex_bare(&mut self, code: u8) {
        self.bytes(&[0xC5, 0xF8 | NONE, code]);
    }

    /// Calls a function by its address.
    pub(crate) fn call_address(&mut self, address: u64) {
        let place = self.words(vec![address]);
        self.bytes(&[0xFF]);
        self.last_operand(2, place, (1, 0));
    }

    /// Calls what stands earlier in the code.
    pub(crate) fn call(&mut self, target: usize) {
        let end = self.code.len() + 5;
        self.bytes(&[0xE8]);
        self.bytes(&(target.wrapping_sub(end) as u32).to_le_bytes());
    }

    /// register = what stands at a base.
    pub(crate) fn load_pointer(&mut self, register: u8, base: u8, offset: i32) {
        self.bytes(&[0x48 | (register >> 3) << 2 | base >> 3, 0x8B]);
        self.last_operand(register, Operand::At(base, offset), (1, 0));
    }

    /// A number into one of the first eight general registers.
    pub(crate) fn set(&mut self, register: u8, number: u64) {
        self.bytes(&[0x48, 0xB8 | register & 7]);
        self.bytes(&number.to_le_bytes());
    }

    /// Moves the stack by so many bytes.
    pub(crate) fn move_stack(&mut self, by: i32) {
        self.bytes(&[0x48, 0x81, 0xC4]);
        self.bytes(&by.to_le_bytes());
    }

    /// Reads or writes a register at so many bytes above the end of the stack.
    pub(crate) fn on_stack(&mut self, width: Width, register: u8, at: i32, writes: bool) {
        if width == Width::Eight {
            return self.eight_on_stack(register, at, writes);
        }
        // The stack's register as a base takes a byte of its own: VEX, ModRM, SIB.
        let code = if writes { 0x11 } else { 0x10 };
        let r = if register >= 8 { 0 } else { 0x80 };
        let l = u8::from(width == Width::Four) << 2;
        self.bytes(&[0xC5, r | 0x78 | l | P66, code, 0x84 | (register & 7) << 3, 0x24]);
        self.bytes(&at.to_le_bytes());
    }

    /// Puts rdi, rsi, rdx, rcx, r8, r9, r10 and r11 onto the stack: an even number.
    pub(crate) fn keep_pointers(&mut self) {
        self.bytes(&[0x57, 0x56, 0x52, 0x51]);
        self.bytes(&[0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53]);
    }

    /// Takes them back.
    pub(crate) fn restore_pointers(&mut self) {
        self.bytes(&[0x41, 0x5B, 0x41, 0x5A, 0x41, 0x59, 0x41, 0x58]);
        self.bytes(&[0x59, 0x5A, 0x5E, 0x5F]);
    }

    /// rdi = the end of the stack.
    pub(crate) fn stack_address(&mut self) {
        self.bytes(&[0x48, 0x89, 0xE7]);
    }

    /// The first lines of a function: rbx is kept and takes the argument.
    pub(crate) fn enter(&mut self) {
        self.bytes(&[0x53, 0x48, 0x89, 0xFB]);
    }

    /// The last lines.
    pub(crate) fn leave(&mut self) {
        self.pop_base();
        self.back();
    }

    /// rbx as it was.
    pub(crate) fn pop_base(&mut self) {
        self.bytes(&[0x5B]);
    }

    /// Where the next instruction stands.
    pub(crate) fn here(&self) -> usize {
        self.code.len()
    }

    /// Back to where it was called.
    pub(crate) fn back(&mut self) {
        self.bytes(&[0xC3]);
    }

    /// Goes on at a place that is told later where eax has one of these bits; where that is to be told.
    pub(crate) fn jump_if(&mut self, bits: u8) -> usize {
        self.bytes(&[0xA8, bits, 0x0F, 0x85, 0, 0, 0, 0]);
        self.code.len()
    }

    /// What a jump goes to is here.
    pub(crate) fn land(&mut self, jump: usize) {
        self.land_at(jump, self.code.len());
    }

    /// It goes on at a place.
    pub(crate) fn land_at(&mut self, jump: usize, place: usize) {
        let offset = place.wrapping_sub(jump) as u32;
        if let Some(to) = self.code.get_mut(jump - 4..jump) {
            to.copy_from_slice(&offset.to_le_bytes());
        }
    }
}
