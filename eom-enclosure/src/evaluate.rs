//! Running a tape.

use crate::dual::Dual;
use crate::operation::Operation;
use crate::paced::Paced;
use crate::tape::Tape;
use eom_elementary::{Interval, Marks, Number, with_fused_products};

/// A tape with registers for numbers of one kind. After its first run it allocates nothing.
#[derive(Debug, Clone)]
pub struct Evaluator<'t, N> {
    tape: &'t Tape,
    registers: Vec<N>,
    /// The first register that a run writes.
    moving: usize,
    /// The entries of a linear system, its solution, and what it is solved in.
    entries: Vec<N>,
    solution: Vec<N>,
    work: Vec<N>,
}

impl<'t, N: Number> Evaluator<'t, N> {
    /// For these values of the parameters and inputs u; those that are missing are 0.
    pub fn new(tape: &'t Tape, parameters: &[f64], u: &[f64]) -> Self {
        let zero = N::of(0.0);
        let results = tape.solve.map_or(0, |solve| solve.unknowns);
        let mut evaluator = Self {
            tape,
            registers: vec![zero; tape.registers],
            moving: tape.first_moving(),
            entries: Vec::with_capacity(if results > 0 { tape.outputs.len() } else { 0 }),
            solution: vec![zero; results],
            work: Vec::new(),
        };
        evaluator.set(tape.first() - tape.constants.len(), &tape.constants);
        evaluator.set(tape.header(), &parameters[..parameters.len().min(tape.parameters)]);
        evaluator.set_inputs(u);
        evaluator
    }

    /// What it runs.
    pub fn tape(&self) -> &'t Tape {
        self.tape
    }

    /// Sets the inputs u, and computes what depends on them and on the parameters only.
    pub fn set_inputs(&mut self, u: &[f64]) {
        let count = u.len().min(self.tape.inputs.inputs);
        self.set(self.tape.inputs.state(), &u[..count]);
        self.execute(0, self.tape.fixed, self.tape.first());
    }

    fn set(&mut self, at: usize, values: &[f64]) {
        for (register, value) in self.registers[at..].iter_mut().zip(values) {
            *register = N::of(*value);
        }
    }

    /// Runs at t, q and v, which are given in one or several slices, one after another.
    pub fn run(&mut self, t: N, state: &[&[N]]) {
        self.run_from(t, state.iter().flat_map(|part| part.iter().copied()));
    }

    /// The same at y = (q, v).
    pub(crate) fn run_from(&mut self, t: N, y: impl Iterator<Item = N>) {
        let inputs = &mut self.registers[..self.tape.inputs.state()];
        let given = std::iter::once(t).chain(y);
        inputs.iter_mut().zip(given).for_each(|(input, given)| *input = given);
        self.conclude();
    }

    /// Computes what depends on the state.
    fn conclude(&mut self) {
        self.execute(self.tape.fixed, self.tape.operations.len(), self.moving);
        if let Some(solve) = self.tape.solve {
            self.entries.clear();
            let outputs = self.tape.outputs.iter();
            self.entries.extend(outputs.map(|output| self.registers[*output as usize]));
            solve.run(&self.entries, &mut self.solution, &mut self.work);
        }
    }

    /// Runs at all that it is given: t, q, v, u and the parameters, one after another.
    pub(crate) fn run_all(&mut self, given: impl Iterator<Item = N>) {
        let header = self.tape.header() + self.tape.parameters;
        let inputs = &mut self.registers[..header];
        inputs.iter_mut().zip(given).for_each(|(input, given)| *input = given);
        self.execute(0, self.tape.fixed, self.tape.first());
        self.conclude();
    }

    /// How many results there are.
    pub fn len(&self) -> usize {
        self.tape.results()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A result of the last run.
    #[inline]
    pub fn result(&self, index: usize) -> N {
        if self.tape.solve.is_some() {
            self.solution[index]
        } else {
            self.registers[self.tape.outputs[index] as usize]
        }
    }

    /// The results of the last run.
    pub fn results(&self) -> impl Iterator<Item = N> {
        (0..self.len()).map(|index| self.result(index))
    }

    fn execute(&mut self, from: usize, to: usize, at: usize) {
        let (operations, registers) = (&self.tape.operations[from..to], &mut self.registers[..]);
        with_fused_products(
            #[inline(always)]
            || execute(operations, registers, at),
        );
    }
}

#[inline(always)]
fn execute<N: Number>(operations: &[u64], registers: &mut [N], mut at: usize) {
    for code in operations {
        let of = |register: u32| registers[register as usize];
        let operation = Operation::of(*code);
        if let Operation::SinCos(a) = operation {
            (registers[at], registers[at + 1]) = of(a).sin_cos();
            at += 2;
            continue;
        }
        registers[at] = operation.last(of);
        at += 1;
    }
}

impl Evaluator<'_, Dual<Interval, 1>> {
    /// Runs over a box of t and y = (q, v) and a box of slopes ẏ: [`Dual::rate`] of the results bounds their
    /// derivatives along all motions within.
    pub fn run_along(&mut self, t: Interval, y: &[Interval], slopes: &[Interval]) {
        let moving = y.iter().zip(slopes).map(|(y, slope)| Dual::moving(*y, *slope));
        self.run_from(Dual::moving(t, Interval::point(1.0)), moving);
    }
}

impl Evaluator<'_, Paced> {
    /// Runs over a box of t and y with a box of slopes, for the pace of each result and what it may do on the box.
    pub fn paces(
        &mut self,
        t: Interval,
        y: &[Interval],
        slopes: &[Interval],
    ) -> impl Iterator<Item = (f64, Marks)> {
        let moving = y.iter().zip(slopes).map(|(y, slope)| Paced::moving(*y, *slope));
        self.run_from(Paced::moving(t, Interval::point(1.0)), moving);
        self.results().map(|result| (result.pace(), result.marks()))
    }
}
