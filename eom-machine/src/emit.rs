//! Code of a kernel: registers by linear scan, an instruction an operation.
//!
//! ```text
//! a value stands in a register, in memory (where it was read, written or set aside), or both
//! register wanted, none free     that whose value is needed last is given up; set aside if it is nowhere else
//! result                         where an operand was that is needed no more, if there is one
//! ```

use crate::angle;
use crate::assembler::{
    ADD, AND, Assembler, DIFFERS, DIV, FUSED_ADD, FUSED_SUB, Form, MUL, NEGATED_ADD, Operand, SQRT,
    SUB, Width, XOR,
};
use crate::kernel::{Function, Fused, Kernel, Operation, READS, Value, WRITES};

/// Registers of numbers.
const REGISTERS: usize = 16;

/// Lists of a call: those that are read, the room, those that are written.
pub(crate) const LISTS: usize = READS + 1 + WRITES;
pub(crate) const ROOM: usize = READS;

/// Lanes that an instruction takes at once.
pub(crate) const FOUR: usize = 4;

/// General registers that point to them: those that a function need not keep, without rax.
const POINTERS: [u8; LISTS] = [7, 6, 2, 1, 8, 9, 10, 11];

/// The register of the lists.
const BASE: u8 = 3;

const SIGN: u64 = 1 << 63;

/// How a kernel reads and writes lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) width: Width,
    /// Bytes from a number of a list to the next.
    pub(crate) stride: i32,
    /// Which lists have one number for all lanes.
    pub(crate) shared: [bool; READS],
}

/// Where the code of a kernel begins, and how long its lists are at least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) at: usize,
    pub(crate) lengths: [usize; LISTS],
}

/// Functions of the code that kernels call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Angles {
    pub(crate) one: usize,
    pub(crate) four: usize,
}

/// What code calls for a function: by a convention that it knows.
#[expect(improper_ctypes_definitions, reason = "the function comes from a kernel, from where it is known as one")]
extern "sysv64" fn handed_on(x: f64, y: f64, function: Function, which: usize) -> f64 {
    function(x, y, which)
}

/// Writes the code of a kernel.
pub(crate) fn emit(
    code: &mut Assembler,
    angles: Angles,
    kernel: &Kernel,
    layout: Layout,
) -> Entry {
    let at = code.align();
    let mut emitter = Emitter::new(code, angles, kernel, layout);
    emitter.enter();
    for index in 0..kernel.operations.len() {
        emitter.operation(index);
    }
    if layout.width == Width::Four {
        emitter.code.zero_upper();
    }
    emitter.code.leave();
    Entry { at, lengths: emitter.lengths }
}

/// Numbers of the room that calls in lanes use.
const CALL_ROOM: usize = 3;

struct Emitter<'c> {
    code: &'c mut Assembler,
    angles: Angles,
    kernel: &'c Kernel,
    layout: Layout,
    lengths: [usize; LISTS],
    /// Lists that are read or written.
    used: [bool; LISTS],
    /// The operations that read each value and are still to come, from the last to the first.
    readers: Vec<Vec<u32>>,
    /// Where each value is written.
    written: Vec<Vec<(u8, u32)>>,
    register: Vec<Option<u8>>,
    memory: Vec<Option<Operand>>,
    /// The value in each register.
    holds: [Option<Value>; REGISTERS],
    /// Registers of the operation at hand.
    pinned: [bool; REGISTERS],
    /// Places of the room that are free, and those that are once the operation at hand is written: it may read them.
    free: Vec<u32>,
    freed: Vec<u32>,
    /// The places of the room that values were set aside in.
    aside: Vec<Option<u32>>,
    now: usize,
}

impl<'c> Emitter<'c> {
    fn new(code: &'c mut Assembler, angles: Angles, kernel: &'c Kernel, layout: Layout) -> Self {
        let count = kernel.operations.len();
        let mut readers = vec![Vec::new(); count];
        for (index, operation) in kernel.operations.iter().enumerate().rev() {
            operation.for_operands(|value| readers[value.index()].push(index as u32));
        }
        let mut written = vec![Vec::new(); count];
        for (value, list, at) in &kernel.outputs {
            written[value.index()].push((*list, *at));
        }
        let mut used = [false; LISTS];
        used[ROOM] = true;
        for operation in &kernel.operations {
            if let Operation::Read(list, _) = operation {
                used[usize::from(*list)] = true;
            }
        }
        for (_, list, _) in &kernel.outputs {
            used[ROOM + 1 + usize::from(*list)] = true;
        }
        let calls = kernel.operations.iter().any(|o| matches!(o, Operation::Call(..)));
        let mut lengths = [0; LISTS];
        if calls && layout.width == Width::Four {
            lengths[ROOM] = CALL_ROOM;
        }
        Self {
            code,
            angles,
            kernel,
            layout,
            lengths,
            used,
            readers,
            written,
            register: vec![None; count],
            memory: vec![None; count],
            holds: [None; REGISTERS],
            pinned: [false; REGISTERS],
            free: Vec::new(),
            freed: Vec::new(),
            aside: vec![None; count],
            now: 0,
        }
    }

    /// The first lines, and the pointers to the lists.
    fn enter(&mut self) {
        self.code.enter();
        self.pointers();
    }

    fn pointers(&mut self) {
        for (list, register) in POINTERS.into_iter().enumerate().filter(|(list, _)| self.used[*list]) {
            self.code.load_pointer(register, BASE, 8 * list as i32);
        }
    }

    /// A place of a list.
    fn place(&mut self, list: usize, at: usize) -> Operand {
        self.lengths[list] = self.lengths[list].max(at + 1);
        let shared = self.layout.shared.get(list).copied().unwrap_or(false);
        let stride = match (list == ROOM, shared, self.layout.width) {
            (_, true, _) | (true, _, Width::One) => 8,
            (true, _, Width::Four) => 32,
            _ => self.layout.stride,
        };
        Operand::At(POINTERS[list], stride * at as i32)
    }

    /// When a value is read next.
    fn next(&self, value: Value) -> Option<u32> {
        self.readers[value.index()].last().copied()
    }

    /// A register, emptied where none is free.
    fn take(&mut self) -> u8 {
        let free = (0..REGISTERS).rev().find(|r| self.holds[*r].is_none() && !self.pinned[*r]);
        if let Some(free) = free {
            return free as u8;
        }
        let needed = |r: usize| {
            let value = self.holds[r];
            value.map_or(u32::MAX, |value| self.next(value).unwrap_or(u32::MAX))
        };
        let last = (0..REGISTERS).filter(|r| !self.pinned[*r]).max_by_key(|r| needed(*r));
        // An operation pins four registers at most.
        let last = last.unwrap_or(0);
        self.give_up(last);
        last as u8
    }

    /// A register that is held while the operation at hand is written.
    fn take_pinned(&mut self) -> u8 {
        let register = self.take();
        self.pinned[usize::from(register)] = true;
        register
    }

    /// Empties a register; its value is set aside where it is read later and nowhere else.
    fn give_up(&mut self, register: usize) {
        let Some(value) = self.holds[register].take() else { return };
        self.register[value.index()] = None;
        if self.next(value).is_some() && self.memory[value.index()].is_none() {
            let at = self.free.pop().unwrap_or(self.lengths[ROOM] as u32);
            let place = self.place(ROOM, at as usize);
            self.code.store(self.layout.width, place, register as u8);
            self.memory[value.index()] = Some(place);
            self.aside[value.index()] = Some(at);
        }
    }

    /// Reads what stands in memory.
    fn fetch(&mut self, value: Value, register: u8) {
        let Some(memory) = self.memory[value.index()] else { return };
        if self.is_spread(value) {
            self.code.spread(register, memory);
        } else {
            self.code.load(self.layout.width, register, memory);
        }
    }

    /// Whether one number in memory is for all lanes.
    fn is_spread(&self, value: Value) -> bool {
        let Operation::Read(list, _) = self.kernel.operations[value.index()] else { return false };
        let shared = self.layout.shared[usize::from(list)];
        self.layout.width == Width::Four && shared && self.aside[value.index()].is_none()
    }

    /// The register of a value, pinned.
    fn load(&mut self, value: Value) -> u8 {
        let register = match self.register[value.index()] {
            Some(register) => register,
            None => {
                let register = self.take();
                self.fetch(value, register);
                self.bind(value, register);
                register
            }
        };
        self.pinned[usize::from(register)] = true;
        register
    }

    fn bind(&mut self, value: Value, register: u8) {
        self.holds[usize::from(register)] = Some(value);
        self.register[value.index()] = Some(register);
    }

    /// Whether the operation at hand is the last that reads a value.
    fn is_last(&self, value: Value) -> bool {
        self.readers[value.index()].first().is_none_or(|last| *last <= self.now as u32)
    }

    /// A value as a last operand: in memory where it is there and not needed again.
    fn operand(&mut self, value: Value) -> Operand {
        match (self.register[value.index()], self.memory[value.index()]) {
            (None, Some(memory)) if self.is_last(value) && !self.is_spread(value) => memory,
            _ => Operand::Register(self.load(value)),
        }
    }

    /// The operands of the operation at hand have been read.
    fn release(&mut self) {
        let now = self.now as u32;
        let mut operands = [None; 3];
        let mut count = 0;
        self.kernel.operations[self.now].for_operands(|value| {
            operands[count] = Some(value);
            count += 1;
        });
        for value in operands.into_iter().flatten() {
            let readers = &mut self.readers[value.index()];
            while readers.last().is_some_and(|reader| *reader <= now) {
                readers.pop();
            }
            if readers.is_empty() {
                self.forget(value);
            }
        }
        self.pinned = [false; REGISTERS];
    }

    /// Nothing reads a value any more.
    fn forget(&mut self, value: Value) {
        if let Some(register) = self.register[value.index()].take() {
            self.holds[usize::from(register)] = None;
        }
        if let Some(at) = self.aside[value.index()].take() {
            self.freed.push(at);
            self.memory[value.index()] = None;
        }
    }

    /// A result in a register: written where it is wanted, and kept if it is read.
    fn result(&mut self, index: usize, register: u8) {
        let value = Value(index as u32);
        for (list, at) in std::mem::take(&mut self.written[index]) {
            let place = self.place(ROOM + 1 + usize::from(list), at as usize);
            self.code.store(self.layout.width, place, register);
            self.memory[index].get_or_insert(place);
        }
        if self.next(value).is_some() {
            self.bind(value, register);
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
            self.pinned = [false; REGISTERS];
            self.result(index, register);
            if self.next(Value(index as u32)).is_none() {
                self.forget(Value(index as u32));
            }
        }
    }

    fn of_bits(&mut self, index: usize, a: Value, opcode: crate::assembler::Opcode, bits: Operand) {
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
        let ends_in_register = |value: Value| {
            self.register[value.index()].filter(|_| self.is_last(value))
        };
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
        let is_not_zero = self.take_pinned();
        self.code.compare(DIFFERS, width, [is_not_zero, a], zero);
        let to = self.take_pinned();
        self.code.load(width, to, one);
        self.code.arithmetic(DIV, width, [to, to], Operand::Register(a));
        self.code.bits(AND, width, [to, to], Operand::Register(is_not_zero));
        self.release();
        self.result(index, to);
    }

    /// Puts an operand into a register, whatever was there.
    fn put(&mut self, value: Value, register: u8) {
        match self.register[value.index()] {
            Some(from) if from == register => {}
            Some(from) => self.code.copy(self.layout.width, register, from),
            None => self.fetch(value, register),
        }
    }

    /// Empties a register before a call of the sine: its value moves to one that the call keeps.
    fn vacate(&mut self, register: usize) {
        let Some(value) = self.holds[register] else { return };
        let free = (usize::from(angle::TAKEN)..REGISTERS).find(|r| self.holds[*r].is_none());
        match free.filter(|_| self.memory[value.index()].is_none()) {
            Some(free) => {
                self.code.copy(self.layout.width, free as u8, register as u8);
                self.holds[register] = None;
                self.bind(value, free as u8);
            }
            None => self.give_up(register),
        }
    }

    fn angle(&mut self, index: usize, a: Value) {
        if self.register[a.index()] != Some(0) || !self.is_last(a) {
            self.vacate(0);
            self.put(a, 0);
        }
        self.release();
        for register in 1..usize::from(angle::TAKEN) {
            self.vacate(register);
        }
        let Angles { one, four } = self.angles;
        self.code.call(if self.layout.width == Width::One { one } else { four });
        self.result(index, 0);
        self.result(index + 1, 1);
    }

    /// Sees that what is read after the operation at hand stands in memory: a call keeps no registers.
    fn set_aside(&mut self) {
        for register in 0..REGISTERS {
            let Some(value) = self.holds[register] else { continue };
            if !self.is_last(value) {
                self.give_up(register);
                // Its operands are still where they were.
                self.bind(value, register as u8);
            }
        }
    }

    fn forget_registers(&mut self) {
        for register in 0..REGISTERS {
            if let Some(value) = self.holds[register].take() {
                self.register[value.index()] = None;
            }
        }
    }

    fn call(&mut self, index: usize, function: (Function, usize), [a, b]: [Value; 2]) {
        self.set_aside();
        let width = self.layout.width;
        if self.register[b.index()] == Some(0) && a != b {
            let other = if self.register[a.index()] == Some(2) { 3 } else { 2 };
            self.code.copy(width, other, 0);
            self.put(a, 0);
            self.code.copy(width, 1, other);
        } else {
            self.put(a, 0);
            if a == b {
                self.code.copy(width, 1, 0);
            } else {
                self.put(b, 1);
            }
        }
        self.release();
        self.forget_registers();
        self.call_function(function);
        self.pointers();
        self.result(index, 0);
    }

    /// Arguments stand in the first registers, and the result does then.
    fn call_function(&mut self, (function, which): (Function, usize)) {
        self.code.set(POINTERS[0], function as usize as u64);
        self.code.set(POINTERS[1], which as u64);
        self.code.call_address(handed_on as *const () as usize as u64);
    }

    /// Lane by lane: the arguments of all, then the results, stand in the room.
    fn call_in_lanes(&mut self, index: usize, function: (Function, usize), [a, b]: [Value; 2]) {
        self.set_aside();
        let arguments = [a, b].map(|value| self.register[value.index()]);
        for (at, value) in [a, b].into_iter().enumerate() {
            let other = (0..3).find(|r| !arguments.contains(&Some(*r))).unwrap_or(0);
            let from = arguments[at].unwrap_or_else(|| {
                self.fetch(value, other);
                other
            });
            let place = self.place(ROOM, at);
            self.code.store(Width::Four, place, from);
        }
        self.release();
        self.forget_registers();
        self.code.zero_upper();
        let lane = |list: i32, lane: i32| Operand::At(POINTERS[ROOM], 32 * list + 8 * lane);
        for number in 0..4 {
            self.code.load(Width::One, 0, lane(0, number));
            self.code.load(Width::One, 1, lane(1, number));
            self.call_function(function);
            self.pointers();
            self.code.store(Width::One, lane(2, number), 0);
        }
        self.code.load(Width::Four, 0, lane(2, 0));
        self.result(index, 0);
    }
}
