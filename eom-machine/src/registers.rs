//! Registers by linear scan: where the values of a kernel are while its code is written.
//!
//! ```text
//! a value stands in a register, in memory (where it was read, written or set aside), or both
//! register wanted, none free     that whose value is needed last is given up; set aside if it is nowhere else
//! result                         where an operand was that is needed no more, if there is one
//! ```

use crate::assembler::{Assembler, BASE, Operand, Width};
use crate::kernel::{Kernel, Operation, READS, Value};
use crate::lists::{CALL_ROOM, LISTS, POINTERS, ROOM, SHARED};
use crate::rows::Rows;
use crate::slots::Slots;

/// The most registers of numbers.
pub(crate) const REGISTERS_MAX: usize = Width::Eight.registers();

/// How a kernel reads and writes lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) width: Width,
    /// Bytes from a number of a list to the next.
    pub(crate) stride: usize,
    /// Where the lists of a recurrence are.
    pub(crate) rows: Option<Rows>,
    /// Where columns are.
    pub(crate) columns: Option<Slots>,
}

impl Layout {
    /// The numbers of all lanes side by side, one after another.
    pub(crate) const fn beside(width: Width) -> Self {
        Self { width, stride: 8 * width.numbers(), rows: None, columns: None }
    }
}

/// Where the code of a kernel begins, and how long its lists are at least, or exactly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) at: usize,
    pub(crate) lengths: [usize; LISTS],
    pub(crate) exact: bool,
}

/// Bytes as they stand in an instruction: below 2³¹ by the limits of what is accepted.
fn offset(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(0)
}

/// Where the values of a kernel are while its code is written.
pub(crate) struct Emitter<'c> {
    pub(crate) code: &'c mut Assembler,
    /// Where the sine of the width is.
    pub(crate) angle: usize,
    pub(crate) kernel: &'c Kernel,
    pub(crate) layout: Layout,
    pub(crate) lengths: [usize; LISTS],
    /// Lists that are read or written.
    pub(crate) used: [bool; LISTS],
    /// The operations that read each value and are still to come, from the last to the first.
    pub(crate) readers: Vec<Vec<u32>>,
    /// Where each value is written.
    pub(crate) written: Vec<Vec<(u8, u32)>>,
    pub(crate) register: Vec<Option<u8>>,
    pub(crate) memory: Vec<Option<Operand>>,
    /// The value in each register.
    pub(crate) holds: [Option<Value>; REGISTERS_MAX],
    /// Registers of the operation at hand.
    pub(crate) pinned: [bool; REGISTERS_MAX],
    /// Places of the room that are free, and those that are once the operation at hand is written: it may read them.
    pub(crate) free: Vec<u32>,
    pub(crate) freed: Vec<u32>,
    /// The places of the room that values were set aside in.
    pub(crate) aside: Vec<Option<u32>>,
    pub(crate) now: usize,
}

impl<'c> Emitter<'c> {
    pub(crate) fn new(
        code: &'c mut Assembler,
        angle: usize,
        kernel: &'c Kernel,
        layout: Layout,
    ) -> Self {
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
        let (reads, writes) = kernel.lengths.unwrap_or_default();
        let mut lengths = [0; LISTS];
        lengths[..READS].copy_from_slice(&reads);
        lengths[ROOM + 1..].copy_from_slice(&writes);
        if calls && layout.width != Width::One {
            lengths[ROOM] = CALL_ROOM;
        }
        Self {
            code,
            angle,
            kernel,
            layout,
            lengths,
            used,
            readers,
            written,
            register: vec![None; count],
            memory: vec![None; count],
            holds: [None; REGISTERS_MAX],
            pinned: [false; REGISTERS_MAX],
            free: Vec::new(),
            freed: Vec::new(),
            aside: vec![None; count],
            now: 0,
        }
    }

    /// The first lines, and the pointers to the lists.
    pub(crate) fn enter(&mut self) {
        self.code.enter();
        self.pointers();
    }

    pub(crate) fn pointers(&mut self) {
        for (list, register) in
            POINTERS.into_iter().enumerate().filter(|(list, _)| self.used[*list])
        {
            self.code.load_pointer(register, BASE, offset(8 * list));
        }
    }

    /// A place of a list.
    pub(crate) fn place(&mut self, list: usize, at: usize) -> Operand {
        self.lengths[list] = self.lengths[list].max(at + 1);
        let Layout { width, stride, rows, columns } = &self.layout;
        if let Some(rows) = rows {
            let (register, at) = rows.place(list, at);
            return Operand::At(register, offset(stride * at));
        }
        match columns {
            Some(columns) if list != ROOM => columns.place(list, at, *width),
            _ => Operand::At(POINTERS[list], offset(stride * at)),
        }
    }

    /// When a value is read next.
    pub(crate) fn next(&self, value: Value) -> Option<u32> {
        self.readers[value.index()].last().copied()
    }

    /// A register, emptied where none is free.
    pub(crate) fn take(&mut self) -> u8 {
        let free =
            (0..self.registers()).rev().find(|r| self.holds[*r].is_none() && !self.pinned[*r]);
        if let Some(free) = free {
            return free as u8;
        }
        let needed = |r: usize| {
            let value = self.holds[r];
            value.map_or(u32::MAX, |value| self.next(value).unwrap_or(u32::MAX))
        };
        let last = (0..self.registers()).filter(|r| !self.pinned[*r]).max_by_key(|r| needed(*r));
        // An operation pins four registers at most.
        let last = last.unwrap_or(0);
        self.give_up(last);
        last as u8
    }

    /// A register that is held while the operation at hand is written.
    pub(crate) fn take_pinned(&mut self) -> u8 {
        let register = self.take();
        self.pinned[usize::from(register)] = true;
        register
    }

    /// Empties a register; its value is set aside where it is read later and nowhere else.
    pub(crate) fn give_up(&mut self, register: usize) {
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
    pub(crate) fn fetch(&mut self, value: Value, register: u8) {
        let Some(memory) = self.memory[value.index()] else { return };
        if self.is_spread(value) {
            self.code.spread(self.layout.width, register, memory);
        } else {
            self.code.load(self.layout.width, register, memory);
        }
    }

    /// Whether one number in memory is for all lanes, and no operand: of four.
    pub(crate) fn is_spread(&self, value: Value) -> bool {
        let Operation::Read(list, _) = self.kernel.operations[value.index()] else { return false };
        let in_columns = self.layout.columns.is_some() && self.layout.width == Width::Four;
        in_columns && usize::from(list) == SHARED && self.aside[value.index()].is_none()
    }

    /// How many registers there are.
    pub(crate) fn registers(&self) -> usize {
        self.layout.width.registers()
    }

    /// The register of a value, pinned.
    pub(crate) fn load(&mut self, value: Value) -> u8 {
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

    pub(crate) fn bind(&mut self, value: Value, register: u8) {
        self.holds[usize::from(register)] = Some(value);
        self.register[value.index()] = Some(register);
    }

    /// Whether the operation at hand is the last that reads a value.
    pub(crate) fn is_last(&self, value: Value) -> bool {
        self.readers[value.index()].first().is_none_or(|last| *last <= self.now as u32)
    }

    /// A value as a last operand: in memory where it is there and not needed again.
    pub(crate) fn operand(&mut self, value: Value) -> Operand {
        match (self.register[value.index()], self.memory[value.index()]) {
            (None, Some(memory)) if self.is_last(value) && !self.is_spread(value) => memory,
            _ => Operand::Register(self.load(value)),
        }
    }

    /// The operands of the operation at hand have been read.
    pub(crate) fn release(&mut self) {
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
        self.pinned = [false; REGISTERS_MAX];
    }

    /// Nothing reads a value any more.
    pub(crate) fn forget(&mut self, value: Value) {
        if let Some(register) = self.register[value.index()].take() {
            self.holds[usize::from(register)] = None;
        }
        if let Some(at) = self.aside[value.index()].take() {
            self.freed.push(at);
            self.memory[value.index()] = None;
        }
    }

    /// A result in a register: written where it is wanted, and kept if it is read.
    pub(crate) fn result(&mut self, index: usize, register: u8) {
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
}
