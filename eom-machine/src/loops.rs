//! Instructions of loops: on general registers, with comparisons and jumps.

use crate::assembler::Assembler;

/// General registers that a function has to keep, but rbx; an odd number of them, so that with rbx and one more place the
/// stack stands as it does in other kernels.
const KEPT: [u8; 5] = [5, 12, 13, 14, 15];

/// What is done to a register with a number or another register.
#[derive(Debug, Clone, Copy)]
pub(crate) enum General {
    Add,
    Sub,
    Compare,
}

/// When a jump is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// The last comparison said less, of numbers with a sign.
    Less,
    /// Not less.
    AtLeast,
    /// The bit that was tested is set.
    Set,
}

impl Assembler {
    /// The first lines of a function with loops: what it has to keep stands on the stack, rbx takes the argument.
    pub(crate) fn enter_loops(&mut self) {
        for register in KEPT {
            self.push_or_pop(0x50, register);
        }
        self.move_stack(-8);
        self.enter();
    }

    /// The last lines.
    pub(crate) fn leave_loops(&mut self) {
        self.pop_base();
        self.move_stack(8);
        for register in KEPT.into_iter().rev() {
            self.push_or_pop(0x58, register);
        }
        self.back();
    }

    fn push_or_pop(&mut self, code: u8, register: u8) {
        if register >= 8 {
            self.bytes(&[0x41]);
        }
        self.bytes(&[code | register & 7]);
    }

    /// REX.W for a register, and one in the last operand.
    fn wide(&mut self, register: u8, last: u8) {
        self.bytes(&[0x48 | (register >> 3) << 2 | last >> 3]);
    }

    fn of_registers(&mut self, code: u8, to: u8, from: u8) {
        self.wide(from, to);
        self.bytes(&[code, 0xC0 | (from & 7) << 3 | to & 7]);
    }

    /// to = from.
    pub(crate) fn general_copy(&mut self, to: u8, from: u8) {
        self.of_registers(0x89, to, from);
    }

    /// to ∘ from.
    pub(crate) fn general_with(&mut self, what: General, to: u8, from: u8) {
        let code = match what {
            General::Add => 0x01,
            General::Sub => 0x29,
            General::Compare => 0x39,
        };
        self.of_registers(code, to, from);
    }

    /// to ∘ number.
    pub(crate) fn general(&mut self, what: General, to: u8, number: i32) {
        let digit = match what {
            General::Add => 0,
            General::Sub => 5,
            General::Compare => 7,
        };
        self.wide(0, to);
        self.bytes(&[0x81, 0xC0 | digit << 3 | to & 7]);
        self.bytes(&number.to_le_bytes());
    }

    /// register = register·number.
    pub(crate) fn general_times(&mut self, register: u8, number: i32) {
        self.wide(register, register);
        self.bytes(&[0x69, 0xC0 | (register & 7) << 3 | register & 7]);
        self.bytes(&number.to_le_bytes());
    }

    /// Half of a register, rounded down.
    pub(crate) fn general_half(&mut self, register: u8) {
        self.wide(0, register);
        self.bytes(&[0xD1, 0xE8 | register & 7]);
    }

    /// Tests the lowest bit of a register.
    pub(crate) fn test_lowest(&mut self, register: u8) {
        self.wide(0, register);
        self.bytes(&[0xF7, 0xC0 | register & 7]);
        self.bytes(&1_i32.to_le_bytes());
    }

    /// A jump to a place that is told later.
    pub(crate) fn jump(&mut self, when: When) -> usize {
        match when {
            When::Less => self.bytes(&[0x0F, 0x8C]),
            When::AtLeast => self.bytes(&[0x0F, 0x8D]),
            When::Set => self.bytes(&[0x0F, 0x85]),
        }
        self.bytes(&[0; 4]);
        self.here()
    }

    /// A jump back to a place.
    pub(crate) fn jump_back(&mut self, when: When, place: usize) {
        let jump = self.jump(when);
        self.land_at(jump, place);
    }
}
