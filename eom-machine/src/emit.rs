//! Code of a kernel: an instruction an operation.

use crate::assembler::{
    ADD, AND, Assembler, DIFFERS, DIV, FUSED_ADD, FUSED_SUB, Form, MUL, NEGATED_ADD, Opcode,
    Operand, SQRT, SUB, Width, XOR,
};
use crate::kernel::{Fused, Kernel, Operation, Value};
use crate::registers::{Emitter, Entry, Layout, REGISTERS_MAX};

const SIGN: u64 = 1 << 63;

/// Writes the code of a kernel.
pub(crate) fn emit(code: &mut Assembler, angle: usize, kernel: &Kernel, layout: Layout) -> Entry {
    let at = code.align();
    let mut emitter = Emitter::new(code, angle, kernel, layout);
    emitter.enter();
    emitter.operations();
    if layout.width != Width::One {
        emitter.code.zero_upper();
    }
    emitter.code.leave();
    Entry { at, lengths: emitter.lengths, exact: kernel.lengths.is_some() }
}

impl Emitter<'_> {
    /// The instructions of all operations.
    pub(crate) fn operations(&mut self) {
        for index in 0..self.kernel.operations.len() {
            self.operation(index);
        }
    }

    fn constant(&mut self, bits: u64) -> Operand {
        self.code.constant(bits)
    }

    fn operation(&mut self, index: usize) {
        self.now = index;
        self.free.append(&mut self.freed);
        match self.kernel.operations[index] {
            Operation::Read(list, at) => {
                let place = self.place(usize::from(list), at as usize);
                self.leaf(index, place);
            }
            Operation::Constant(bits) => {
                let place = self.constant(bits);
                self.leaf(index, place);
            }
            Operation::Neg(a) => {
                let sign = self.constant(SIGN);
                self.of_bits(index, a, XOR, sign);
            }
            Operation::Abs(a) => {
                let others = self.constant(!SIGN);
                self.of_bits(index, a, AND, others);
            }
            Operation::Add(a, b) => self.either(index, ADD, a, b),
            Operation::Mul(a, b) => self.either(index, MUL, a, b),
            Operation::Sub(a, b) => self.binary(index, SUB, a, b),
            Operation::Div(a, b) => self.binary(index, DIV, a, b),
            Operation::Fused(signs, a, b, c) => self.fused(index, signs, [a, b, c]),
            Operation::InverseOrZero(a) => self.inverse(index, a),
            Operation::Sqrt(a) => self.binary(index, SQRT, a, a),
            Operation::Sine(a) => self.angle(index, a),
            // Written with its sine.
            Operation::Cosine => {}
            Operation::Call(function, which, a, b) => {
                if self.layout.width == Width::One {
                    self.call(index, (function, which), [a, b]);
                } else {
                    self.call_in_lanes(index, (function, which), [a, b]);
                }
            }
        }
    }

    /// What stands in memory from the start.
    fn leaf(&mut self, index: usize, place: Operand) {
        self.memory[index] = Some(place);
        if !self.written[index].is_empty() {
            let register = self.load(Value(index as u32));
            self.pinned = [false; REGISTERS_MAX];
            self.result(index, register);
            if self.next(Value(index as u32)).is_none() {
                self.forget(Value(index as u32));
            }
        }
    }

    fn of_bits(&mut self, index: usize, a: Value, opcode: Opcode, bits: Operand) {
        let a = self.load(a);
        self.release();
        let to = self.take();
        self.code.bits(opcode, self.layout.width, [to, a], bits);
        self.result(index, to);
    }

    /// a ∘ b = b ∘ a.
    fn either(&mut self, index: usize, code: u8, a: Value, b: Value) {
        let in_register = |value: Value| self.register[value.index()].is_some();
        let turned = in_register(b) && !in_register(a);
        if turned { self.binary(index, code, b, a) } else { self.binary(index, code, a, b) }
    }

    fn binary(&mut self, index: usize, code: u8, a: Value, b: Value) {
        let a = self.load(a);
        let b = self.operand(b);
        self.release();
        let to = self.take();
        self.code.arithmetic(code, self.layout.width, [to, a], b);
        self.result(index, to);
    }

    fn fused(&mut self, index: usize, signs: Fused, [a, b, c]: [Value; 3]) {
        let width = self.layout.width;
        let code = match signs {
            Fused::Add => FUSED_ADD,
            Fused::Sub => FUSED_SUB,
            Fused::From => NEGATED_ADD,
        };
        let ends_in_register =
            |value: Value| self.register[value.index()].filter(|_| self.is_last(value));
        let (end_a, end_b) = (ends_in_register(a), ends_in_register(b));
        let to = if let Some(to) = ends_in_register(c) {
            self.pinned[usize::from(to)] = true;
            let (a, b) = self.factors(a, b);
            self.code.fused(code, Form::Third, width, [to, a], b);
            self.release();
            to
        } else if let Some(to) = end_a.or(end_b) {
            let second = if end_a.is_some() { b } else { a };
            self.pinned[usize::from(to)] = true;
            let second = self.load(second);
            let third = self.operand(c);
            self.code.fused(code, Form::Second, width, [to, second], third);
            self.release();
            to
        } else {
            let (a, b) = self.factors(a, b);
            let to = match self.register[c.index()] {
                Some(from) => {
                    self.pinned[usize::from(from)] = true;
                    let to = self.take();
                    self.code.copy(width, to, from);
                    to
                }
                None => {
                    let to = self.take();
                    self.fetch(c, to);
                    to
                }
            };
            self.code.fused(code, Form::Third, width, [to, a], b);
            self.release();
            to
        };
        // Its operand, where it was one, is gone: what is in the register now is the result.
        if let Some(old) = self.holds[usize::from(to)].take() {
            self.register[old.index()] = None;
        }
        self.result(index, to);
    }

    /// Both factors, the first in a register.
    fn factors(&mut self, a: Value, b: Value) -> (u8, Operand) {
        let in_register = |value: Value| self.register[value.index()].is_some();
        let (a, b) = if in_register(b) && !in_register(a) { (b, a) } else { (a, b) };
        let first = self.load(a);
        (first, self.operand(b))
    }

    fn inverse(&mut self, index: usize, a: Value) {
        let width = self.layout.width;
        let [zero, one] = [0.0_f64, 1.0].map(|c| self.constant(c.to_bits()));
        let a = self.load(a);
        let to = self.take_pinned();
        if width == Width::Eight {
            self.code.compare(DIFFERS, width, [0, a], zero);
            self.code.load(width, to, one);
            self.code.divide_masked([to, to], Operand::Register(a));
        } else {
            let is_not_zero = self.take_pinned();
            self.code.compare(DIFFERS, width, [is_not_zero, a], zero);
            self.code.load(width, to, one);
            self.code.arithmetic(DIV, width, [to, to], Operand::Register(a));
            self.code.bits(AND, width, [to, to], Operand::Register(is_not_zero));
        }
        self.release();
        self.result(index, to);
    }
}
