//! Calls: of the sine, which is code beside that of the kernels, and of functions, which keep no registers.

use crate::angle;
use crate::assembler::{Operand, Width};
use crate::kernel::{Function, Value};
use crate::lists::{POINTERS, ROOM};
use crate::registers::Emitter;
use crate::rows::PLACES;

/// What code calls for a function: by a convention that it knows.
#[expect(
    improper_ctypes_definitions,
    reason = "the function comes from a kernel, from where it is known as one"
)]
extern "sysv64" fn handed_on(x: f64, y: f64, function: Function, which: usize) -> f64 {
    function(x, y, which)
}

impl Emitter<'_> {
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
        let free = (usize::from(angle::TAKEN)..self.registers()).find(|r| self.holds[*r].is_none());
        match free.filter(|_| self.memory[value.index()].is_none()) {
            Some(free) => {
                self.code.copy(self.layout.width, free as u8, register as u8);
                self.holds[register] = None;
                self.bind(value, free as u8);
            }
            None => self.give_up(register),
        }
    }

    pub(crate) fn angle(&mut self, index: usize, a: Value) {
        if self.register[a.index()] != Some(0) || !self.is_last(a) {
            self.vacate(0);
            self.put(a, 0);
        }
        self.release();
        for register in 1..usize::from(angle::TAKEN) {
            self.vacate(register);
        }
        self.code.call(self.angle);
        self.result(index, 0);
        self.result(index + 1, 1);
    }

    /// Sees that what is read after the operation at hand stands in memory: a call keeps no registers.
    fn set_aside(&mut self) {
        for register in 0..self.registers() {
            let Some(value) = self.holds[register] else { continue };
            if !self.is_last(value) {
                self.give_up(register);
                // Its operands are still where they were.
                self.bind(value, register as u8);
            }
        }
    }

    fn forget_registers(&mut self) {
        for register in 0..self.registers() {
            if let Some(value) = self.holds[register].take() {
                self.register[value.index()] = None;
            }
        }
    }

    pub(crate) fn call(&mut self, index: usize, function: (Function, usize), [a, b]: [Value; 2]) {
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
        self.result(index, 0);
    }

    /// Arguments stand in the first registers, and the result does then.
    fn call_function(&mut self, (function, which): (Function, usize)) {
        // Pointers of a loop have gone on from where its argument has them.
        let kept = self.layout.rows.is_some() || self.layout.columns.is_some();
        if kept {
            self.code.keep_pointers();
        }
        self.code.set(POINTERS[0], function as usize as u64);
        self.code.set(POINTERS[1], which as u64);
        self.code.call_address(handed_on as *const () as usize as u64);
        if kept {
            self.code.restore_pointers();
        } else {
            self.pointers();
        }
    }

    /// Lane by lane: the arguments of all, then the results, stand in the room.
    pub(crate) fn call_in_lanes(
        &mut self,
        index: usize,
        function: (Function, usize),
        [a, b]: [Value; 2],
    ) {
        self.set_aside();
        let width = self.layout.width;
        let arguments = [a, b].map(|value| self.register[value.index()]);
        for (at, value) in [a, b].into_iter().enumerate() {
            let other = (0..3).find(|r| !arguments.contains(&Some(*r))).unwrap_or(0);
            let from = arguments[at].unwrap_or_else(|| {
                self.fetch(value, other);
                other
            });
            let place = self.place(ROOM, at);
            self.code.store(width, place, from);
        }
        self.release();
        self.forget_registers();
        self.code.zero_upper();
        let room = self.layout.rows.map_or(POINTERS[ROOM], |_| PLACES);
        let lane = |list: i32, lane: i32| Operand::At(room, width.bytes() * list + 8 * lane);
        for number in 0..width.bytes() / 8 {
            self.code.load(Width::One, 0, lane(0, number));
            self.code.load(Width::One, 1, lane(1, number));
            self.call_function(function);
            self.code.store(Width::One, lane(2, number), 0);
        }
        self.code.load(width, 0, lane(2, 0));
        self.result(index, 0);
    }
}
