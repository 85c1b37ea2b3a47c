//! A program as a flat list of operations over registers: made once, run without allocation.
//!
//! ```text
//! registers = inputs | parameters | constants | variables | captured | results
//! ```
//!
//! Inputs are those of the caller (t, q, v, u; for the default of a declared function its point),
//! variables and captured values those of an integrand. An operation writes the results behind
//! those of the one before it, so that it names its operands only.

use crate::code::SeriesCode;
use eom_core::series::Sizes;
use eom_symbolic::program::{
    FunctionProgram, Instruction, Integral, KinkForm, Program, Series, Value, series,
};
use eom_symbolic::{Function, Partial, SymbolId};

/// The place of a number.
pub(crate) type Register = u32;

/// One operation; what it computes stands in the next free register.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operation {
    Neg(Register),
    Add(Register, Register),
    Sub(Register, Register),
    Mul(Register, Register),
    /// a·b + c, rounded once.
    MulAdd(Register, Register, Register),
    /// a·b − c, rounded once.
    MulSub(Register, Register, Register),
    /// c − a·b, rounded once.
    NegMulAdd(Register, Register, Register),
    Div(Register, Register),
    /// 1/a, and 0 for a = 0.
    InverseOrZero(Register),
    Sqrt(Register),
    Powi(Register, i32),
    Powf(Register, Register),
    /// sin a, then cos a.
    SinCos(Register),
    /// A function by its position in [`Function::ALL`].
    Call(u8, Register, Register),
    /// Partials of a declared function at a point, by the position in [`Tape::calls`].
    Partials(u32),
    /// All components of an integral.
    Integral(u32),
}

impl Operation {
    /// The registers that it reads; of calls of what is given and of integrals none.
    pub(crate) fn operands(self) -> [Option<Register>; 3] {
        match self {
            Self::Neg(a)
            | Self::InverseOrZero(a)
            | Self::Sqrt(a)
            | Self::Powi(a, _)
            | Self::SinCos(a) => [Some(a), None, None],
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Powf(a, b)
            | Self::Call(_, a, b) => [Some(a), Some(b), None],
            Self::MulAdd(a, b, c) | Self::MulSub(a, b, c) | Self::NegMulAdd(a, b, c) => {
                [Some(a), Some(b), Some(c)]
            }
            Self::Partials(_) | Self::Integral(_) => [None; 3],
        }
    }
}

/// Partials of a declared function at a point.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The list of partials, by its position in [`Layout::lists`].
    pub(crate) list: usize,
    pub(crate) point: Vec<Register>,
}

/// An integral: its ends, integrand and kinks.
#[derive(Debug, Clone)]
pub(crate) struct IntegralTape {
    pub(crate) lower: Register,
    pub(crate) upper: Register,
    pub(crate) tolerance: f64,
    pub(crate) integrand: Within,
    pub(crate) kinks: Vec<Within>,
}

/// A tape that an integral runs, with the registers of the tape around it that it captures.
#[derive(Debug, Clone)]
pub(crate) struct Within {
    pub(crate) tape: Tape,
    pub(crate) captured: Vec<Register>,
}

/// The series of a motion.
#[derive(Debug, Clone)]
pub(crate) struct SeriesTape {
    pub(crate) start: Tape,
    pub(crate) recurrence: Within,
    pub(crate) sizes: Sizes,
    pub(crate) code: Option<SeriesCode>,
}

/// Partials of one function that are taken together, with the tape of its default.
#[derive(Debug, Clone)]
pub(crate) struct FunctionTape {
    pub(crate) function: usize,
    pub(crate) partials: Vec<Partial>,
    pub(crate) orders: Vec<[u8; Partial::ARGUMENTS_MAX]>,
    pub(crate) default: Option<Tape>,
}

/// Where a program finds its symbols and functions.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'a> {
    /// The number of inputs.
    pub(crate) inputs: usize,
    /// The number of parameters.
    pub(crate) parameters: usize,
    /// The register of a symbol among inputs and parameters; `None` for what has no value here.
    pub(crate) place: &'a dyn Fn(SymbolId) -> Option<usize>,
    /// The lists of partials of the system.
    pub(crate) lists: &'a [FunctionTape],
}

/// A program over registers.
#[derive(Debug, Clone)]
pub(crate) struct Tape {
    /// The number of inputs.
    pub(crate) inputs: usize,
    /// Constants, behind inputs and parameters.
    pub(crate) constants: Vec<f64>,
    /// The first register of constants.
    pub(crate) header: usize,
    /// The first register of results: behind those of variables and captured values.
    pub(crate) first: usize,
    pub(crate) operations: Vec<Operation>,
    pub(crate) calls: Vec<Call>,
    pub(crate) integrals: Vec<IntegralTape>,
    /// Where the outputs stand.
    pub(crate) outputs: Vec<Register>,
    /// The number of its registers.
    pub(crate) registers: usize,
    /// The same with what is run within it.
    pub(crate) room: usize,
    /// Its code, by the number of the kernel.
    pub(crate) code: Option<usize>,
    /// The numbers that the code sets aside.
    pub(crate) room_of_code: usize,
    /// So many outputs the code writes to one list, the others to another: to where they are asked for.
    pub(crate) split: usize,
}

impl Tape {
    /// The tape of a program.
    pub(crate) fn new(program: &Program, layout: &Layout<'_>) -> Self {
        Self::inner(program, layout, 0, 0)
    }

    /// The tapes of a series: of order 0, and of its recurrence, which captures values of that.
    pub(crate) fn series(series: &Series, layout: &Layout<'_>) -> SeriesTape {
        let mut compiler = Compiler::new(&series.start, layout, 0, 0);
        compiler.run();
        let variables = series::STATE as usize + series.state + series.handed + series.sums;
        let recurrence = compiler.inner(&series.recurrence, variables, &series.captured);
        let Series { state, observed, sums, handed, .. } = *series;
        let sizes = Sizes { state, observed, sums, handed };
        SeriesTape { start: compiler.finish(), recurrence, sizes, code: None }
    }

    /// The registers that operations and outputs name.
    pub(crate) fn read_registers(&self) -> impl Iterator<Item = Register> {
        let operands = self.operations.iter().flat_map(|o| o.operands()).flatten();
        operands.chain(self.outputs.iter().copied())
    }

    /// The tape of an integrand or of a form of its variable.
    fn inner(program: &Program, layout: &Layout<'_>, variables: usize, captured: usize) -> Self {
        let mut compiler = Compiler::new(program, layout, variables, captured);
        compiler.run();
        compiler.finish()
    }
}

impl FunctionTape {
    /// The tape of a list; `place` finds arguments (inputs) and parameters.
    pub(crate) fn new(list: &FunctionProgram, layout: &Layout<'_>) -> Self {
        Self {
            function: list.function,
            partials: list.partials.clone(),
            orders: list.partials.iter().map(|partial| partial.orders).collect(),
            default: list.default.as_ref().map(|program| Tape::new(program, layout)),
        }
    }
}

struct Compiler<'p> {
    program: &'p Program,
    layout: &'p Layout<'p>,
    /// The register of each value.
    places: Vec<Register>,
    tape: Tape,
    /// The first component of each integral that has been written.
    integrals: Vec<Option<Register>>,
    /// The room of what is run within.
    called: usize,
}

impl<'p> Compiler<'p> {
    fn new(
        program: &'p Program,
        layout: &'p Layout<'p>,
        variables: usize,
        captured: usize,
    ) -> Self {
        let header = layout.inputs + layout.parameters;
        let mut compiler = Self {
            program,
            layout,
            places: vec![0; program.instructions.len()],
            tape: Tape {
                inputs: layout.inputs,
                constants: Vec::new(),
                header,
                first: 0,
                operations: Vec::new(),
                calls: Vec::new(),
                integrals: Vec::new(),
                outputs: Vec::new(),
                registers: 0,
                room: 0,
                code: None,
                room_of_code: 0,
                split: usize::MAX,
            },
            integrals: vec![None; program.integrals.len()],
            called: 0,
        };
        compiler.places_of_symbols();
        let first = header + compiler.tape.constants.len();
        compiler.places_within(first, first + variables);
        compiler.tape.first = first + variables + captured;
        compiler.tape.registers = compiler.tape.first;
        compiler
    }

    /// Writes all operations.
    fn run(&mut self) {
        for index in 0..self.program.instructions.len() {
            self.instruction(index);
        }
    }

    /// Inputs, parameters, constants; NaN is what a symbol without a value is worth.
    fn places_of_symbols(&mut self) {
        for (index, instruction) in self.program.instructions.iter().enumerate() {
            let constant = match *instruction {
                Instruction::Constant(bits) => f64::from_bits(bits),
                Instruction::Input(symbol) => match (self.layout.place)(symbol) {
                    Some(place) => {
                        self.places[index] = place as Register;
                        continue;
                    }
                    None => f64::NAN,
                },
                _ => continue,
            };
            self.places[index] = (self.tape.header + self.tape.constants.len()) as Register;
            self.tape.constants.push(constant);
        }
    }

    fn places_within(&mut self, variables: usize, captured: usize) {
        for (index, instruction) in self.program.instructions.iter().enumerate() {
            match *instruction {
                Instruction::Variable(which) => {
                    self.places[index] = variables as Register + which;
                }
                Instruction::Captured(which) => self.places[index] = captured as Register + which,
                _ => {}
            }
        }
    }

    fn at(&self, value: Value) -> Register {
        self.places[value.index()]
    }

    /// Registers for results of the next operation; the first of them.
    fn take(&mut self, count: usize) -> Register {
        let first = self.tape.registers;
        self.tape.registers += count;
        first as Register
    }

    fn instruction(&mut self, index: usize) {
        let at = |value: Value| self.places[value.index()];
        // table
        let operation = match self.program.instructions[index] {
            Instruction::Input(_)
            | Instruction::Constant(_)
            | Instruction::Variable(_)
            | Instruction::Captured(_) => return,
            Instruction::Neg(a) => Operation::Neg(at(a)),
            Instruction::Add(a, b) => Operation::Add(at(a), at(b)),
            Instruction::Sub(a, b) => Operation::Sub(at(a), at(b)),
            Instruction::Mul(a, b) => Operation::Mul(at(a), at(b)),
            Instruction::MulAdd(a, b, c) => Operation::MulAdd(at(a), at(b), at(c)),
            Instruction::MulSub(a, b, c) => Operation::MulSub(at(a), at(b), at(c)),
            Instruction::NegMulAdd(a, b, c) => Operation::NegMulAdd(at(a), at(b), at(c)),
            Instruction::Div(a, b) => Operation::Div(at(a), at(b)),
            Instruction::InverseOrZero(a) => Operation::InverseOrZero(at(a)),
            Instruction::Sqrt(a) => Operation::Sqrt(at(a)),
            Instruction::Powi(a, n) => Operation::Powi(at(a), n),
            Instruction::Powf(a, b) => Operation::Powf(at(a), at(b)),
            Instruction::Call(function, a, b) => {
                if let Some(partner) = self.program.sin_cos_partner(index) {
                    return self.sin_cos(index, partner, a);
                }
                let all = Function::ALL.iter().position(|other| *other == function);
                // Declared functions are instructions of their own.
                let Some(position) = all else { return };
                Operation::Call(position as u8, at(a), at(b))
            }
            Instruction::Partial(partial, point) => {
                return self.partials(index, &point[..usize::from(partial.arity)]);
            }
            Instruction::Integral(integral, component) => {
                return self.component(index, integral as usize, component);
            }
        };
        self.places[index] = self.take(1);
        self.tape.operations.push(operation);
    }

    /// Both at the first of the two.
    fn sin_cos(&mut self, index: usize, partner: usize, angle: Value) {
        if partner < index {
            return;
        }
        let operation = Operation::SinCos(self.at(angle));
        self.tape.operations.push(operation);
        let first = self.take(2);
        let is_sine =
            matches!(self.program.instructions[index], Instruction::Call(Function::Sin, ..));
        let (sine, cosine) = if is_sine { (index, partner) } else { (partner, index) };
        self.places[sine] = first;
        self.places[cosine] = first + 1;
    }

    /// All that are taken together, at the first of them.
    fn partials(&mut self, index: usize, point: &[Value]) {
        let together = self.program.together(index);
        if together.iter().any(|(_, position)| *position < index) {
            return;
        }
        let same = |list: &FunctionTape| {
            let partials = together.iter().map(|(partial, _)| partial);
            list.partials.iter().eq(partials)
        };
        // The lists are those of all programs of the system.
        let Some(list) = self.layout.lists.iter().position(same) else { return };
        let point = point.iter().map(|value| self.at(*value)).collect();
        let default = self.layout.lists[list].default.as_ref();
        self.called = self.called.max(default.map_or(0, |tape| tape.room));
        self.tape.operations.push(Operation::Partials(self.tape.calls.len() as u32));
        self.tape.calls.push(Call { list, point });
        let first = self.take(together.len());
        for (offset, (_, position)) in together.into_iter().enumerate() {
            self.places[position] = first + offset as Register;
        }
    }

    /// A component of an integral, which is evaluated at the first one.
    fn component(&mut self, index: usize, integral: usize, component: u32) {
        let first = match self.integrals[integral] {
            Some(first) => first,
            None => self.integral(integral),
        };
        self.integrals[integral] = Some(first);
        self.places[index] = first + component;
    }

    fn integral(&mut self, index: usize) -> Register {
        let integral: &Integral = &self.program.integrals[index];
        let count = integral.integrand.outputs.len();
        let integrand = self.inner(&integral.integrand, 1, &integral.captured);
        let kink = |kink: &KinkForm| self.inner(&kink.components, 1 + kink.nested, &kink.captured);
        let kinks: Vec<Within> = integral.kinks.iter().map(kink).collect();
        let rooms = kinks.iter().chain([&integrand]).map(|within| within.tape.room);
        let room = rooms.max().unwrap_or(0) + eom_quadrature::SCRATCH_ROWS * count;
        self.called = self.called.max(room);
        self.tape.operations.push(Operation::Integral(self.tape.integrals.len() as u32));
        let (lower, upper) = (self.at(integral.lower), self.at(integral.upper));
        let tolerance = integral.tolerance();
        self.tape.integrals.push(IntegralTape { lower, upper, tolerance, integrand, kinks });
        self.take(count)
    }

    fn inner(&self, program: &Program, variables: usize, captured: &[Value]) -> Within {
        let tape = Tape::inner(program, self.layout, variables, captured.len());
        Within { tape, captured: captured.iter().map(|value| self.at(*value)).collect() }
    }

    fn finish(mut self) -> Tape {
        let outputs = self.program.outputs.iter().map(|output| self.at(output.value));
        self.tape.outputs = outputs.collect();
        self.tape.room = self.tape.registers + self.called;
        self.tape
    }
}
