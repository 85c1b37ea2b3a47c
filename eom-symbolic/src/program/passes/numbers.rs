//! Numbers that values are called by: they depend on what is computed, not on its place, so that a small change of
//! a model changes few lines.
//!
//! ```text
//! h₀ = what the instruction does, and what stands in place: an input, a constant
//! hₖ = (h₀, hₖ₋₁ of each operand)        five digits of hₖ, for the least k ≥ 1 that tells a value from all others
//! ```
//!
//! A change shows as far as k levels above it. The hash is written out here: no version of Rust changes it.

use crate::program::{Instruction, Program, Value};
use rustc_hash::FxHashMap;

/// Values that are not told apart by so many levels take the next free number.
const LEVELS_MAX: usize = 64;

/// How many numbers there are, and the least.
const COUNT: u64 = 90_000;
const LEAST: u64 = 10_000;

impl Program {
    /// A number for each instruction, each its own among those that compute something; `text` is how others, which
    /// stand in place, are written.
    pub fn numbers(&self, text: impl Fn(Instruction) -> String) -> Vec<u32> {
        let integrals = self.digests();
        let kind = |i: &Instruction| kind(*i, &text, &integrals);
        let kinds: Vec<u64> = self.instructions.iter().map(kind).collect();
        let operands: Vec<Vec<usize>> =
            (0..kinds.len()).map(|index| self.operands_of(index)).collect();
        let mut levels = kinds.clone();
        let mut numbers = vec![0; kinds.len()];
        let mut open: Vec<usize> =
            (0..kinds.len()).filter(|index| self.instructions[*index].computes()).collect();
        let named = open.clone();
        for _ in 0..LEVELS_MAX {
            levels = kinds
                .iter()
                .zip(&operands)
                .map(|(kind, operands)| operands.iter().fold(*kind, |h, of| mixed(h, levels[*of])))
                .collect();
            for index in &open {
                numbers[*index] = number(levels[*index]);
            }
            open = shared(&named, &numbers);
            if open.is_empty() {
                return numbers;
            }
        }
        for index in open {
            while named.iter().any(|other| *other != index && numbers[*other] == numbers[index]) {
                numbers[index] += 1;
            }
        }
        numbers
    }

    /// All that each integrand does, once: integrals stand in integrals.
    fn digests(&self) -> Vec<u64> {
        self.integrals.iter().map(|integral| integral.integrand.digest()).collect()
    }

    /// All that a program does, in one number.
    fn digest(&self) -> u64 {
        let text = |instruction| format!("{instruction:?}");
        let integrals = self.digests();
        let mut all = 0;
        let mut values: Vec<u64> = Vec::with_capacity(self.instructions.len());
        for (index, instruction) in self.instructions.iter().enumerate() {
            let operands = self.operands_of(index);
            let kind = kind(*instruction, &text, &integrals);
            values.push(operands.into_iter().fold(kind, |h, of| mixed(h, values[of])));
        }
        for output in &self.outputs {
            all = mixed(all, values[output.value.index()]);
        }
        all
    }

    /// The values that an instruction reads, those of its integral too.
    fn operands_of(&self, index: usize) -> Vec<usize> {
        let mut operands = Vec::with_capacity(3);
        let mut note = |value: Value| operands.push(value.index());
        match self.instructions[index] {
            Instruction::Integral(integral, _) => {
                self.integrals[integral as usize].for_operands(&mut note);
            }
            instruction => instruction.for_operands(&mut note),
        }
        operands
    }
}

/// What an instruction does, whatever its operands are.
fn kind(instruction: Instruction, text: &impl Fn(Instruction) -> String, integrals: &[u64]) -> u64 {
    match instruction {
        Instruction::Input(_)
        | Instruction::Constant(_)
        | Instruction::Variable(_)
        | Instruction::Captured(_) => hashed(&text(instruction)),
        Instruction::Integral(integral, component) => {
            mixed(integrals[integral as usize], u64::from(component))
        }
        // The name of the operation, with what is no operand.
        _ => hashed(&format!("{:?}", instruction.map(|_| Value(0)))),
    }
}

/// Those whose number another one has.
fn shared(named: &[usize], numbers: &[u32]) -> Vec<usize> {
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    for index in named {
        *counts.entry(numbers[*index]).or_default() += 1;
    }
    named.iter().copied().filter(|index| counts[&numbers[*index]] > 1).collect()
}

fn number(level: u64) -> u32 {
    (LEAST + level % COUNT) as u32
}

/// FNV-1a.
fn hashed(text: &str) -> u64 {
    let step = |h: u64, byte: u8| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// One number of two, in this order; as splitmix64 mixes.
fn mixed(a: u64, b: u64) -> u64 {
    let x = (a.rotate_left(23) ^ b).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
