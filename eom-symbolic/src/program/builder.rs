//! Building a program: value numbering, folding of 0 and 1, and the clean-up at the end.

use super::{Instruction, Integral, Output, Program, Value};
use crate::node::{Function, Partial};
use rustc_hash::FxHashMap;

/// Adds instructions, each distinct one once.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    instructions: Vec<Instruction>,
    known: FxHashMap<Instruction, Value>,
    integrals: Vec<Integral>,
    outputs: Vec<Output>,
}

impl Program {
    /// A builder with each instruction in turn as `write` leaves it, given its place, it on the values
    /// written so far, and these; with the integrals and the outputs.
    pub(super) fn rewritten(
        &self,
        mut write: impl FnMut(&mut Builder, &[Value], usize, Instruction) -> Value,
    ) -> Builder {
        let mut builder = Builder { integrals: self.integrals.clone(), ..Builder::default() };
        let mut place: Vec<Value> = Vec::with_capacity(self.instructions.len());
        for (index, instruction) in self.instructions.iter().enumerate() {
            let mapped = instruction.map(|value| place[value.index()]);
            let value = write(&mut builder, &place, index, mapped);
            place.push(value);
        }
        builder.map_integrals(|value| place[value.index()]);
        for output in &self.outputs {
            builder.output(output.name.clone(), place[output.value.index()]);
        }
        builder
    }
}

impl Builder {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of an instruction, added unless it is there.
    pub fn push(&mut self, instruction: Instruction) -> Value {
        if let Some(value) = self.known.get(&instruction) {
            return *value;
        }
        // 2³² instructions are some 100 GiB: memory ends before the index does.
        let value = Value(self.instructions.len() as u32);
        self.instructions.push(instruction);
        self.known.insert(instruction, value);
        value
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.instructions.len()
    }

    /// The instruction that computes a value.
    pub(super) fn instruction(&self, value: Value) -> Instruction {
        self.instructions[value.index()]
    }

    /// A constant.
    pub fn constant(&mut self, value: f64) -> Value {
        // +0 and −0 are one constant.
        let value = if value == 0.0 { 0.0 } else { value };
        self.push(Instruction::Constant(value.to_bits()))
    }

    /// The number a value is, if it is a constant.
    pub fn as_constant(&self, value: Value) -> Option<f64> {
        match self.instructions[value.index()] {
            Instruction::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Whether a value is the constant 0.
    pub fn is_zero(&self, value: Value) -> bool {
        self.as_constant(value) == Some(0.0)
    }

    /// Whether a value is the constant 1.
    pub(super) fn is_one(&self, value: Value) -> bool {
        self.as_constant(value) == Some(1.0)
    }

    /// The result of an operation on two constants: what the machine would compute.
    fn fold(&mut self, a: Value, b: Value, operation: fn(f64, f64) -> f64) -> Option<Value> {
        let result = operation(self.as_constant(a)?, self.as_constant(b)?);
        Some(self.constant(result))
    }

    /// −a.
    pub fn neg(&mut self, a: Value) -> Value {
        match self.instructions[a.index()] {
            Instruction::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Instruction::Neg(inner) => inner,
            Instruction::Sub(x, y) => self.push(Instruction::Sub(y, x)),
            _ => self.push(Instruction::Neg(a)),
        }
    }

    /// a + b.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        if let Some(folded) = self.fold(a, b, |a, b| a + b) {
            return folded;
        }
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        match (self.instructions[a.index()], self.instructions[b.index()]) {
            (_, Instruction::Neg(y)) => self.push(Instruction::Sub(a, y)),
            (Instruction::Neg(x), _) => self.push(Instruction::Sub(b, x)),
            _ => self.push(Instruction::Add(a.min(b), a.max(b))),
        }
    }

    /// a − b.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        if let Some(folded) = self.fold(a, b, |a, b| a - b) {
            return folded;
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_zero(a) {
            return self.neg(b);
        }
        if a == b {
            return self.constant(0.0);
        }
        match self.instructions[b.index()] {
            Instruction::Neg(y) => self.add(a, y),
            _ => self.push(Instruction::Sub(a, b)),
        }
    }

    /// a·b.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        if let Some(folded) = self.fold(a, b, |a, b| a * b) {
            return folded;
        }
        if self.is_zero(a) || self.is_zero(b) {
            return self.constant(0.0);
        }
        if self.is_one(a) {
            return b;
        }
        if self.is_one(b) {
            return a;
        }
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(-1.0), _) => return self.neg(b),
            (_, Some(-1.0)) => return self.neg(a),
            _ => {}
        }
        match (self.instructions[a.index()], self.instructions[b.index()]) {
            (Instruction::Neg(x), Instruction::Neg(y)) => self.mul(x, y),
            (Instruction::Neg(x), _) => {
                let product = self.mul(x, b);
                self.neg(product)
            }
            (_, Instruction::Neg(y)) => {
                let product = self.mul(a, y);
                self.neg(product)
            }
            _ => self.push(Instruction::Mul(a.min(b), a.max(b))),
        }
    }

    /// a/b.
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        if let Some(folded) = self.fold(a, b, |a, b| a / b) {
            return folded;
        }
        if self.is_one(b) || self.is_zero(a) && !self.is_zero(b) {
            return a;
        }
        match self.instructions[a.index()] {
            Instruction::Neg(x) => {
                let quotient = self.div(x, b);
                self.neg(quotient)
            }
            _ => self.push(Instruction::Div(a, b)),
        }
    }

    /// 1/a.
    pub fn reciprocal(&mut self, a: Value) -> Value {
        let one = self.constant(1.0);
        self.div(one, a)
    }

    /// The value of an instruction as its operation leaves it: folded, with negations moved out.
    pub(super) fn simplified(&mut self, instruction: Instruction) -> Value {
        match instruction {
            Instruction::Neg(a) => self.neg(a),
            Instruction::Add(a, b) => self.add(a, b),
            Instruction::Sub(a, b) => self.sub(a, b),
            Instruction::Mul(a, b) => self.mul(a, b),
            Instruction::Div(a, b) => self.div(a, b),
            other => self.push(other),
        }
    }

    /// √a.
    pub fn sqrt(&mut self, a: Value) -> Value {
        self.push(Instruction::Sqrt(a))
    }

    /// A function of one argument, or of two.
    pub fn call(&mut self, function: Function, a: Value, b: Option<Value>) -> Value {
        self.push(Instruction::Call(function, a, b.unwrap_or(a)))
    }

    /// A partial of a declared function at a point of as many entries as it has arguments.
    pub fn partial(&mut self, partial: Partial, point: &[Value]) -> Value {
        let at = |i: usize| point.get(i).or(point.first()).copied().unwrap_or(Value(0));
        self.push(Instruction::Partial(partial, std::array::from_fn(at)))
    }

    /// aⁿ for n ≥ 1, by squaring; beyond 64 as one instruction.
    pub fn powi(&mut self, a: Value, n: u32) -> Value {
        /// Up to here a power is multiplied out.
        const MULTIPLIED_OUT_MAX: u32 = 64;
        if n > MULTIPLIED_OUT_MAX {
            let n = i32::try_from(n).unwrap_or(i32::MAX);
            return self.push(Instruction::Powi(a, n));
        }
        match n {
            0 => self.constant(1.0),
            1 => a,
            _ => {
                let half = self.powi(a, n / 2);
                let square = self.mul(half, half);
                if n.is_multiple_of(2) { square } else { self.mul(square, a) }
            }
        }
    }

    /// An integral, for instructions to name.
    pub(super) fn integral(&mut self, integral: Integral) -> u32 {
        self.integrals.push(integral);
        self.integrals.len() as u32 - 1
    }

    /// Lets the integrals read other values.
    pub(super) fn map_integrals(&mut self, mut f: impl FnMut(Value) -> Value) {
        let integrals = std::mem::take(&mut self.integrals).into_iter();
        self.integrals = integrals.map(|integral| integral.map(&mut f)).collect();
    }

    /// Calls `visit` with each value that an instruction reads, through its integral too.
    fn for_operands(&self, instruction: Instruction, visit: impl FnMut(Value)) {
        match instruction {
            Instruction::Integral(integral, _) => {
                self.integrals[integral as usize].for_operands(visit);
            }
            _ => instruction.for_operands(visit),
        }
    }

    /// Names a value as a result.
    pub fn output(&mut self, name: impl Into<String>, value: Value) {
        self.outputs.push(Output { name: name.into(), value });
    }

    /// Takes the values that are named as results, which are none then.
    pub(super) fn take_outputs(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.outputs).into_iter().map(|output| output.value).collect()
    }

    /// The program: shared divisors inverted once, what no output needs removed.
    pub fn finish(mut self, name: impl Into<String>) -> Program {
        self.share_reciprocals();
        self.finish_as_is(name)
    }

    /// The program with its divisions as they are, what no output needs removed.
    pub(super) fn finish_as_is(self, name: impl Into<String>) -> Program {
        let live = self.live();
        let mut place: Vec<Value> = vec![Value(0); self.instructions.len()];
        let mut instructions = Vec::new();
        let mut integrals: Vec<Integral> = Vec::new();
        let mut moved: Vec<Option<u32>> = vec![None; self.integrals.len()];
        for (index, instruction) in self.instructions.iter().enumerate() {
            if !live[index] {
                continue;
            }
            place[index] = Value(instructions.len() as u32);
            let mapped = match *instruction {
                Instruction::Integral(old, component) => {
                    let new = *moved[old as usize].get_or_insert_with(|| {
                        let integral = self.integrals[old as usize].clone();
                        integrals.push(integral.map(|value| place[value.index()]));
                        integrals.len() as u32 - 1
                    });
                    Instruction::Integral(new, component)
                }
                other => other.map(|value| place[value.index()]),
            };
            instructions.push(mapped);
        }
        let outputs = self
            .outputs
            .into_iter()
            .map(|output| Output { value: place[output.value.index()], ..output })
            .collect();
        Program { name: name.into(), instructions, integrals, outputs }
    }

    fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.instructions.len()];
        for output in &self.outputs {
            live[output.value.index()] = true;
        }
        for index in (0..self.instructions.len()).rev() {
            if live[index] {
                self.for_operands(self.instructions[index], |value| live[value.index()] = true);
            }
        }
        live
    }

    /// a/d, b/d, … → r = 1/d, a·r, b·r, … where a divisor occurs more than once.
    fn share_reciprocals(&mut self) {
        let live = self.live();
        let mut uses: FxHashMap<Value, usize> = FxHashMap::default();
        for (index, instruction) in self.instructions.iter().enumerate() {
            if let (true, Instruction::Div(_, divisor)) = (live[index], instruction) {
                *uses.entry(*divisor).or_default() += 1;
            }
        }
        if uses.values().all(|n| *n < 2) {
            return;
        }
        let old = std::mem::take(&mut self.instructions);
        self.known.clear();
        let mut place: Vec<Value> = Vec::with_capacity(old.len());
        for (index, instruction) in old.iter().enumerate() {
            let mapped = instruction.map(|value| place[value.index()]);
            place.push(match (instruction, mapped) {
                (Instruction::Div(_, divisor), Instruction::Div(a, d))
                    if live[index] && uses.get(divisor).is_some_and(|n| *n > 1) =>
                {
                    let one = self.constant(1.0);
                    let reciprocal = self.push(Instruction::Div(one, d));
                    self.mul(a, reciprocal)
                }
                (_, mapped) => self.push(mapped),
            });
        }
        self.map_integrals(|value| place[value.index()]);
        for output in &mut self.outputs {
            output.value = place[output.value.index()];
        }
    }
}
