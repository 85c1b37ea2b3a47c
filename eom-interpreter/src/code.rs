//! Tapes as machine code, where the machine has it: the same operations in the same order, so the same bits.
//!
//! ```text
//! Tape ──Translation──▶ Kernel ──Machine::new──▶ code of all tapes of a system
//! ```
//!
//! A declared function is written out where it is called: such code stands as long as no function is given at run time.
//! Tapes with integrals have none; they are run as tapes, as all are where there is no machine code.

use crate::tape::{Call, FunctionTape, Operation, Register, SeriesTape, Tape};
use eom_core::series;
use eom_elementary as elementary;
use eom_machine::{Columns, Fused, Kernel, Machine, Recurrence, Value};
use eom_symbolic::Function;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

/// Lists of a tape of the state: t, q, v, u, then the parameters.
const PARAMETERS: u8 = 4;

/// Lists of a recurrence: its point, what it captures, the sums, the first factors, the newest ones.
const POINT: u8 = 0;
const CAPTURED: u8 = 1;
const SUMS: u8 = 2;
const FIRST: u8 = 3;
const NEWEST: u8 = 4;

/// Operations above which no code is made: tapes so long are of systems that take seconds to be derived.
const OPERATIONS_MAX: usize = 200_000;

/// How the sums of a recurrence stand in their lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sums {
    Alone,
    InLanes,
}

/// The code of a series.
#[derive(Debug, Clone)]
pub(crate) struct SeriesCode {
    /// Of order 0, where it has code.
    pub(crate) start: Option<usize>,
    /// What the recurrence captures: registers of order 0.
    pub(crate) captured: Vec<Register>,
    /// Both over lanes.
    pub(crate) lanes: Option<Arc<Machine>>,
}

/// Makes the kernels of a system.
pub(crate) struct Coder<'l> {
    kernels: Vec<Kernel>,
    recurrence: Option<Recurrence>,
    /// How many inputs stand in each of t, q, v, u.
    lengths: [usize; 4],
    /// The partials of declared functions.
    lists: &'l [FunctionTape],
}

impl<'l> Coder<'l> {
    pub(crate) fn new(lengths: [usize; 4], lists: &'l [FunctionTape]) -> Self {
        Self { kernels: Vec::new(), recurrence: None, lengths, lists }
    }

    /// The code of all, and the kernels of each tape by what [`Coder::tape`] gave.
    pub(crate) fn finish(self) -> Option<Machine> {
        match &self.recurrence {
            Some(recurrence) => Machine::with_recurrence(&self.kernels, recurrence),
            None => Machine::new(&self.kernels),
        }
    }

    fn push(&mut self, kernel: Kernel) -> usize {
        self.kernels.push(kernel);
        self.kernels.len() - 1
    }

    /// The kernel of a tape of the state; `whole` where t, q, v and u are always there.
    pub(crate) fn tape(&mut self, tape: &mut Tape, whole: bool) {
        let (first, second) = tape.outputs.split_at(tape.split());
        let Some(kernel) = self.of_state(tape, [first, second]) else { return };
        let [t, q, v, u] = self.lengths;
        let reads = [t, q, v, u, tape.header - tape.inputs];
        let writes = [first.len(), second.len()];
        let kernel = if whole { kernel.with_lengths(reads, writes) } else { kernel };
        tape.code = Some(self.push(kernel));
    }

    /// The kernels of a series.
    pub(crate) fn series(&mut self, series: &mut SeriesTape) {
        let mut captured = series.recurrence.captured.clone();
        let within = &series.recurrence.tape;
        // What it reads of the inputs and parameters it captures as well.
        captured.extend(within.read_registers().filter(|r| (*r as usize) < within.header));
        let alone = recurrence(series, &captured, Sums::Alone);
        let together = recurrence(series, &captured, Sums::InLanes);
        let (Some(alone), Some(together)) = (alone, together) else { return };
        let start = self.of_state(&series.start, [&series.start.outputs, &captured]);
        let lanes = start.as_ref().and_then(|start| in_lanes(start, together, &series.sizes));
        let start = start.map(|kernel| self.push(kernel));
        self.recurrence = Some(Recurrence { kernel: alone, sizes: sizes_of_code(&series.sizes) });
        series.code = Some(SeriesCode { start, captured, lanes });
    }

    /// The kernel of a tape of the state, which writes registers to its two lists.
    fn of_state(&self, tape: &Tape, written: [&[Register]; 2]) -> Option<Kernel> {
        let mut ends = [0; 4];
        let mut end = 0;
        for (to, length) in ends.iter_mut().zip(self.lengths) {
            end += length;
            *to = end;
        }
        // One that reads more, the forces of contacts, is run as a tape.
        if tape.inputs > end {
            return None;
        }
        let mut leaf = |kernel: &mut Kernel, register: Register| {
            let register = register as usize;
            let list = ends.iter().position(|end| register < *end);
            Some(match list {
                Some(list) => {
                    let begin = ends[list] - self.lengths[list];
                    kernel.read(list as u8, (register - begin) as u32)
                }
                None if register < tape.header => {
                    kernel.read(PARAMETERS, (register - tape.inputs) as u32)
                }
                None => return None,
            })
        };
        let mut translation = Translation::new(tape, &mut leaf);
        translation.lists = self.lists;
        translation.run()?;
        for (list, registers) in written.into_iter().enumerate() {
            translation.write(list as u8, registers, 0)?;
        }
        Some(translation.kernel)
    }
}

/// The code of a tape over many states, whose lists t, q, v, u have these lengths: it writes its outputs, then v. Over so many
/// lanes, or as many as the machine has.
pub(crate) fn over_states(
    tape: &Tape,
    lengths: [usize; 4],
    lists: &[FunctionTape],
    lanes: Option<usize>,
) -> Option<Columns> {
    let [t, q, v, u] = lengths;
    let speeds: Vec<Register> = (t + q..t + q + v).map(|register| register as Register).collect();
    let kernel = Coder::new(lengths, lists).of_state(tape, [&tape.outputs, &speeds])?;
    let reads = [t, q, v, u, tape.header - tape.inputs];
    let kernel = kernel.with_lengths(reads, [tape.outputs.len(), v]);
    match lanes {
        Some(lanes) => Columns::over(&kernel, lanes),
        None => Columns::new(&kernel),
    }
}

/// Order 0 and the recurrence over lanes, each with its own inputs and parameters.
fn in_lanes(start: &Kernel, kernel: Kernel, sizes: &series::Sizes) -> Option<Arc<Machine>> {
    let sizes = eom_machine::Sizes { sums: sizes.sums, few: false, ..sizes_of_code(sizes) };
    let recurrence = Recurrence { kernel, sizes };
    Machine::with_recurrence_in_lanes(std::slice::from_ref(start), &recurrence).map(Arc::new)
}

/// The sizes of a series, as its code has them.
fn sizes_of_code(sizes: &series::Sizes) -> eom_machine::Sizes {
    let series::Sizes { state, handed, observed, .. } = *sizes;
    let (sums, few) = (sizes.padded(), sizes.are_few());
    eom_machine::Sizes { state, handed, observed, column: series::COLUMN, sums, few }
}

/// The kernel of a recurrence; see `eom_machine::Recurrence` for the lists.
fn recurrence(series: &SeriesTape, captured: &[Register], how: Sums) -> Option<Kernel> {
    let tape = &series.recurrence.tape;
    let series::Sizes { state, observed, sums, handed } = series.sizes;
    let few = how == Sums::Alone && series.sizes.are_few();
    let padded = if how == Sums::Alone { series.sizes.padded() } else { sums };
    let places = Places::new(tape, 3 + state + handed + sums);
    let mut leaf = |kernel: &mut Kernel, register: Register| {
        let of = |list: u8, at: usize| (list, at as u32);
        let (list, at) = if let Some(variable) = places.variable(register) {
            match variable.checked_sub(3 + state + handed) {
                None if variable < 3 => of(POINT, series::ORDER[variable]),
                None => of(POINT, series::STATE + variable - 3),
                Some(sum) if few => return Some(few_sum(kernel, sum, padded)),
                Some(sum) => of(SUMS, sum),
            }
        } else if let Some(place) = places.captured(register) {
            of(CAPTURED, place)
        } else {
            of(CAPTURED, captured.iter().rposition(|other| *other == register)?)
        };
        Some(kernel.read(list, at))
    };
    let mut translation = Translation::new(tape, &mut leaf);
    translation.run()?;
    let (slopes, rest) = tape.outputs.split_at(state);
    let (seen, rest) = rest.split_at(observed);
    let (left, rest) = rest.split_at(sums);
    let (right, next) = rest.split_at(sums);
    let order = translation.kernel.read(POINT, series::ORDER[3] as u32);
    for (at, slope) in slopes.iter().enumerate() {
        let slope = translation.value(*slope)?;
        let coefficient = translation.kernel.div(slope, order);
        translation.kernel.write(coefficient, 0, (series::STATE + at) as u32);
    }
    translation.write(0, next, series::STATE + state)?;
    translation.write(0, seen, series::STATE + state + handed)?;
    translation.write(1, left, 0)?;
    translation.write(1, right, padded)?;
    Some(translation.kernel)
}

/// A sum, of which the newest products are missing.
fn few_sum(kernel: &mut Kernel, sum: usize, padded: usize) -> Value {
    let mut read = |list, at: usize| kernel.read(list, at as u32);
    let (total, other) = (read(SUMS, sum), read(SUMS, padded + sum));
    let [left, right] = [0, padded].map(|side| read(FIRST, side + sum));
    let [new_left, new_right] = [0, padded].map(|side| read(NEWEST, side + sum));
    let total = kernel.fused(Fused::Add, left, new_right, total);
    let other = kernel.fused(Fused::Add, new_left, right, other);
    kernel.add(total, other)
}

/// Where variables and captured values of an inner tape stand.
struct Places {
    variables: Range<usize>,
    captured: Range<usize>,
}

impl Places {
    fn new(tape: &Tape, variables: usize) -> Self {
        let begin = tape.header + tape.constants.len();
        Self { variables: begin..begin + variables, captured: begin + variables..tape.first }
    }

    fn variable(&self, register: Register) -> Option<usize> {
        let register = register as usize;
        self.variables.contains(&register).then(|| register - self.variables.start)
    }

    fn captured(&self, register: Register) -> Option<usize> {
        let register = register as usize;
        self.captured.contains(&register).then(|| register - self.captured.start)
    }
}

/// Reads what no operation and no constant has made.
type Leaf<'t> = &'t mut dyn FnMut(&mut Kernel, Register) -> Option<Value>;

/// A tape that becomes a kernel.
struct Translation<'t> {
    tape: &'t Tape,
    /// The partials of declared functions, where the parameters of their defaults are at hand.
    lists: &'t [FunctionTape],
    kernel: Kernel,
    /// What stands in each register.
    values: Vec<Option<Value>>,
    leaf: Leaf<'t>,
}

impl<'t> Translation<'t> {
    fn new(tape: &'t Tape, leaf: Leaf<'t>) -> Self {
        let values = vec![None; tape.registers];
        Self { tape, lists: &[], kernel: Kernel::new(), values, leaf }
    }

    fn value(&mut self, register: Register) -> Option<Value> {
        let index = register as usize;
        if let Some(known) = *self.values.get(index)? {
            return Some(known);
        }
        let constant = index.checked_sub(self.tape.header).and_then(|i| self.tape.constants.get(i));
        let value = match constant {
            Some(constant) => self.kernel.constant(*constant),
            None => (self.leaf)(&mut self.kernel, register)?,
        };
        self.values[index] = Some(value);
        Some(value)
    }

    /// Registers to places of a list.
    fn write(&mut self, list: u8, registers: &[Register], first: usize) -> Option<()> {
        for (at, register) in registers.iter().enumerate() {
            let value = self.value(*register)?;
            self.kernel.write(value, list, (first + at) as u32);
        }
        Some(())
    }

    fn run(&mut self) -> Option<()> {
        if self.kernel.size() + self.tape.operations.len() > OPERATIONS_MAX {
            return None;
        }
        let mut at = self.tape.first;
        for operation in &self.tape.operations {
            if let Operation::Partials(call) = *operation {
                at += self.partials(self.tape.calls.get(call as usize)?, at)?;
                continue;
            }
            let value = if let Operation::SinCos(a) = *operation {
                let a = self.value(a)?;
                let (sine, cosine) = self.kernel.sin_cos(a);
                *self.values.get_mut(at)? = Some(sine);
                at += 1;
                cosine
            } else {
                self.operation(*operation)?
            };
            *self.values.get_mut(at)? = Some(value);
            at += 1;
        }
        Some(())
    }

    /// The partials of a declared function at a point, to registers from `at` on; how many they are.
    fn partials(&mut self, call: &Call, at: usize) -> Option<usize> {
        let default = self.lists.get(call.list)?.default.as_ref()?;
        let point: Option<Vec<Value>> = call.point.iter().map(|r| self.value(*r)).collect();
        let point = point?;
        let mut leaf = |kernel: &mut Kernel, register: Register| {
            let register = register as usize;
            match register.checked_sub(default.inputs) {
                None => point.get(register).copied(),
                Some(_) if register >= default.header => None,
                Some(parameter) => Some(kernel.read(PARAMETERS, parameter as u32)),
            }
        };
        let mut within = Translation::new(default, &mut leaf);
        (within.lists, within.kernel) = (self.lists, mem::take(&mut self.kernel));
        within.run()?;
        for (to, output) in self.values.get_mut(at..)?.iter_mut().zip(&default.outputs) {
            *to = Some(within.value(*output)?);
        }
        self.kernel = within.kernel;
        Some(default.outputs.len())
    }

    fn operation(&mut self, operation: Operation) -> Option<Value> {
        let [a, b, c] = operation.operands().map(|register| register.map(|r| self.value(r)));
        let (a, b, c) = (a??, b.unwrap_or(a?)?, c.unwrap_or(a?)?);
        let kernel = &mut self.kernel;
        // table
        Some(match operation {
            Operation::Neg(_) => kernel.neg(a),
            Operation::Add(..) => kernel.add(a, b),
            Operation::Sub(..) => kernel.sub(a, b),
            Operation::Mul(..) => kernel.mul(a, b),
            Operation::MulAdd(..) => kernel.fused(Fused::Add, a, b, c),
            Operation::MulSub(..) => kernel.fused(Fused::Sub, a, b, c),
            Operation::NegMulAdd(..) => kernel.fused(Fused::From, a, b, c),
            Operation::Div(..) => kernel.div(a, b),
            Operation::InverseOrZero(_) => kernel.inverse_or_zero(a),
            Operation::Sqrt(_) => kernel.sqrt(a),
            Operation::Powi(_, n) => kernel.powi(a, n),
            Operation::Powf(..) => kernel.call(power, 0, a, b),
            Operation::Call(function, ..) => match Function::ALL.get(usize::from(function))? {
                Function::Sin => kernel.sin_cos(a).0,
                Function::Cos => kernel.sin_cos(a).1,
                Function::Abs => kernel.abs(a),
                _ => kernel.call(function_of, usize::from(function), a, b),
            },
            Operation::SinCos(_) | Operation::Partials(_) | Operation::Integral(_) => return None,
        })
    }
}

fn power(x: f64, y: f64, _: usize) -> f64 {
    elementary::powf(x, y)
}

/// A function by its position in [`Function::ALL`].
fn function_of(x: f64, y: f64, position: usize) -> f64 {
    Function::ALL.get(position).map_or(f64::NAN, |function| function.evaluate(x, y))
}
