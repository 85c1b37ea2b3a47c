//! Running a tape: the operations of the program in their order, as generated Rust does them.

use crate::code::SeriesCode;
use crate::tape::{Call, FunctionTape, IntegralTape, Operation, SeriesTape, Tape, Within};
use eom_core::SmoothFunction;
use eom_core::series::{LISTED, Rows, Series, SeriesInLanes};
use eom_elementary::{self as elementary, fused};
use eom_machine::{Lists, Machine, READS, WRITES};
use eom_quadrature::{KINKS_MAX, Kink, SCRATCH_ROWS, integrate_into};
use eom_symbolic::{Function, Partial};
use std::cell::Cell;

/// What a tape reads beside its inputs.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) parameters: &'a [f64],
    pub(crate) functions: &'a [SmoothFunction],
    pub(crate) lists: &'a [FunctionTape],
    /// Whether all functions are those of the declaration.
    pub(crate) declared: bool,
    /// The code of the tapes of the state, where they are to be run by it.
    pub(crate) machine: Option<&'a Machine>,
}

/// Numbers of the room of a call that is made without registers.
const ROOM_AT_HAND: usize = 32;

/// As few as a call can have without a function of its own.
const LITTLE_ROOM: usize = 8;

thread_local! {
    /// Registers, kept from call to call: only the first call of a thread allocates.
    static REGISTERS: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// Lends registers that hold anything. A declared function that itself runs a tape gets others.
pub(crate) fn with_registers<R>(room: usize, run: impl FnOnce(&mut [f64]) -> R) -> R {
    REGISTERS.with(|kept| {
        let mut registers = kept.take();
        if registers.len() < room {
            registers.resize(room, 0.0);
        }
        let result = run(&mut registers[..room]);
        kept.set(registers);
        result
    })
}

impl Tape {
    /// Runs with inputs that stand in several slices; those missing at the end are not read.
    /// `registers` has [`Tape::room`] numbers and holds the outputs afterwards.
    pub(crate) fn run(&self, context: &Context<'_>, inputs: &[&[f64]], registers: &mut [f64]) {
        let mut at = 0;
        for part in inputs {
            registers[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        registers[self.inputs..self.header].copy_from_slice(context.parameters);
        self.set_constants(registers);
        self.execute(context, registers);
    }

    /// The registers that [`Tape::outputs`] asks for.
    pub(crate) fn space(&self) -> usize {
        self.outputs.len() + self.room
    }

    /// The outputs, with inputs that stand in several slices, t, q, v and u: by its code, where there is some.
    #[inline]
    pub(crate) fn outputs<'r>(
        &self,
        context: &Context<'_>,
        inputs: &[&[f64]],
        registers: &'r mut [f64],
    ) -> &'r mut [f64] {
        let (out, room) = registers.split_at_mut(self.outputs.len());
        if !self.by_code(context, inputs, room, out) {
            self.run(context, inputs, room);
            for (to, output) in out.iter_mut().zip(&self.outputs) {
                *to = room[*output as usize];
            }
        }
        out
    }

    /// Whether its code has written the outputs. What it sets aside is no more than there are registers.
    #[inline]
    fn by_code(
        &self,
        context: &Context<'_>,
        inputs: &[&[f64]],
        room: &mut [f64],
        out: &mut [f64],
    ) -> bool {
        let (Some(machine), Some(code)) = (self.machine(context), self.code) else { return false };
        machine.run(code, lists(inputs, context.parameters), room, self.parts(out))
    }

    /// The outputs as the lists that the code writes.
    #[inline]
    pub(crate) fn parts<'o>(&self, out: &'o mut [f64]) -> [&'o mut [f64]; 2] {
        let (first, second) = out.split_at_mut(self.split());
        [first, second]
    }

    /// How many outputs are in the first of the lists.
    #[inline]
    pub(crate) fn split(&self) -> usize {
        self.split.min(self.outputs.len())
    }

    /// Whether its code has written the outputs to where they are asked for, with the little room that small systems ask
    /// for: a run by Runge–Kutta spends most of its time here, and lending registers and copying takes longer than the code.
    #[inline]
    pub(crate) fn directly(
        &self,
        context: &Context<'_>,
        inputs: &[&[f64]],
        parts: [&mut [f64]; 2],
    ) -> bool {
        let reads = lists(inputs, context.parameters);
        self.machine(context).is_some_and(|machine| self.run_code(machine, reads, parts))
    }

    /// The same with the lists that the code reads, where its functions are those that are written out in it.
    #[inline]
    pub(crate) fn run_code(
        &self,
        machine: &Machine,
        reads: [&[f64]; READS],
        parts: [&mut [f64]; WRITES],
    ) -> bool {
        let Some(code) = self.code else { return false };
        if self.room_of_code <= LITTLE_ROOM {
            return machine.run(code, reads, &mut [0.0; LITTLE_ROOM], parts);
        }
        self.room_of_code <= ROOM_AT_HAND && with_room_at_hand(machine, code, reads, parts)
    }

    /// The code, where its functions are those that are written out in it.
    #[inline]
    fn machine<'a>(&self, context: &Context<'a>) -> Option<&'a Machine> {
        context.machine.filter(|_| context.declared || self.calls.is_empty())
    }

    fn set_constants(&self, registers: &mut [f64]) {
        registers[self.header..][..self.constants.len()].copy_from_slice(&self.constants);
    }

    fn execute(&self, context: &Context<'_>, registers: &mut [f64]) {
        elementary::with_fused_products(
            #[inline(always)]
            || self.execute_all(context, registers),
        );
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "fused products are instructions only where asked for"
    )]
    fn execute_all(&self, context: &Context<'_>, registers: &mut [f64]) {
        let (own, rest) = registers.split_at_mut(self.registers);
        let mut at = self.first;
        for operation in &self.operations {
            // table
            own[at] = match *operation {
                Operation::Neg(a) => -own[a as usize],
                Operation::Add(a, b) => own[a as usize] + own[b as usize],
                Operation::Sub(a, b) => own[a as usize] - own[b as usize],
                Operation::Mul(a, b) => own[a as usize] * own[b as usize],
                Operation::MulAdd(a, b, c) => {
                    fused(own[a as usize], own[b as usize], own[c as usize])
                }
                Operation::MulSub(a, b, c) => {
                    fused(own[a as usize], own[b as usize], -own[c as usize])
                }
                Operation::NegMulAdd(a, b, c) => {
                    fused(-own[a as usize], own[b as usize], own[c as usize])
                }
                Operation::Div(a, b) => own[a as usize] / own[b as usize],
                Operation::InverseOrZero(a) => {
                    let a = own[a as usize];
                    if a == 0.0 { 0.0 } else { 1.0 / a }
                }
                Operation::Sqrt(a) => own[a as usize].sqrt(),
                Operation::Powi(a, n) => elementary::powi(own[a as usize], n),
                Operation::Powf(a, b) => elementary::powf(own[a as usize], own[b as usize]),
                Operation::SinCos(a) => {
                    let (sin, cos) = elementary::straight::sin_cos(own[a as usize]);
                    own[at] = sin;
                    at += 1;
                    cos
                }
                Operation::Call(function, a, b) => {
                    Function::ALL[function as usize].evaluate(own[a as usize], own[b as usize])
                }
                Operation::Partials(call) => {
                    at += self.calls[call as usize].partials(context, own, at, rest);
                    continue;
                }
                Operation::Integral(integral) => {
                    let integral = &self.integrals[integral as usize];
                    at += integral.integrate(context, (own, self.header), at, rest);
                    continue;
                }
            };
            at += 1;
        }
    }
}

/// A call that needs some room.
#[inline(never)]
fn with_room_at_hand(
    machine: &Machine,
    code: usize,
    reads: [&[f64]; READS],
    writes: [&mut [f64]; WRITES],
) -> bool {
    machine.run(code, reads, &mut [0.0; ROOM_AT_HAND], writes)
}

/// t, q, v, u and the parameters.
#[inline]
fn lists<'a>(inputs: &[&'a [f64]], parameters: &'a [f64]) -> [&'a [f64]; READS] {
    let input = |i: usize| inputs.get(i).copied().unwrap_or_default();
    [input(0), input(1), input(2), input(3), parameters]
}

impl Call {
    /// Writes the partials at the point from `at` on; how many they are.
    #[inline(never)]
    fn partials(
        &self,
        context: &Context<'_>,
        own: &mut [f64],
        at: usize,
        rest: &mut [f64],
    ) -> usize {
        let list = &context.lists[self.list];
        let mut all = [0.0; Partial::ARGUMENTS_MAX];
        let point = &mut all[..self.point.len()];
        for (x, register) in point.iter_mut().zip(&self.point) {
            *x = own[*register as usize];
        }
        let values = &mut own[at..at + list.partials.len()];
        match (context.functions[list.function].given(), &list.default) {
            (Some(given), _) if given.arity() == point.len() => {
                values.fill(f64::NAN);
                given.partials(point, &list.orders, values);
            }
            (None, Some(default)) => {
                default.run(context, &[point], rest);
                for (value, output) in values.iter_mut().zip(&default.outputs) {
                    *value = rest[*output as usize];
                }
            }
            _ => values.fill(f64::NAN),
        }
        values.len()
    }
}

impl IntegralTape {
    /// Writes the components from `at` on; how many they are. `header` is the number of inputs and
    /// parameters, which tapes within read too.
    #[inline(never)]
    fn integrate(
        &self,
        context: &Context<'_>,
        (own, header): (&mut [f64], usize),
        at: usize,
        rest: &mut [f64],
    ) -> usize {
        let (lower, upper) = (own[self.lower as usize], own[self.upper as usize]);
        let (mut few, mut many) = ([None; KINKS_MAX], Vec::new());
        let kinks: &mut [Option<Kink>] = if self.kinks.len() <= KINKS_MAX {
            &mut few[..self.kinks.len()]
        } else {
            many.resize(self.kinks.len(), None);
            &mut many
        };
        for (kink, form) in kinks.iter_mut().zip(&self.kinks) {
            *kink = form.kink(context, (own, header), (lower, upper), rest);
        }
        let count = self.integrand.tape.outputs.len();
        let (scratch, inner) = rest.split_at_mut(SCRATCH_ROWS * count);
        self.integrand.prepare((own, header), inner);
        let integrand = |s: f64, out: &mut [f64]| {
            self.integrand.tape.within(context, (s, &[]), inner, out);
        };
        let result = &mut own[at..at + count];
        integrate_into(lower, upper, self.tolerance, kinks, integrand, result, scratch);
        count
    }
}

impl SeriesTape {
    /// Expands a motion from t, q, v, u.
    pub(crate) fn expand(
        &self,
        context: &Context<'_>,
        (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
        series: &mut Series,
    ) {
        if let (Some(machine), Some(code)) = (context.machine, &self.code) {
            return self.expand_by(machine, code, context, (t, q, v, u), series);
        }
        let Self { start, recurrence, sizes, .. } = self;
        let outputs = start.outputs.len();
        with_registers(start.room + outputs + recurrence.tape.room, |registers| {
            let (own, rest) = registers.split_at_mut(start.room);
            let (first, inner) = rest.split_at_mut(outputs);
            start.run(context, &[&[t], q, v, u], own);
            for (first, output) in first.iter_mut().zip(&start.outputs) {
                *first = own[*output as usize];
            }
            recurrence.prepare((own, start.header), inner);
            series.expand_slices(*sizes, [q, v], first, |k, variables, out| {
                recurrence.tape.within(context, (k, variables), inner, out);
            });
        });
    }

    /// The same by code: order 0 where it has some, and the recurrence.
    fn expand_by(
        &self,
        machine: &Machine,
        code: &SeriesCode,
        context: &Context<'_>,
        (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
        series: &mut Series,
    ) {
        let Self { start, sizes, .. } = self;
        let (outputs, captured) = (start.outputs.len(), code.captured.len());
        let room = start.room.max(machine.room_of_recurrence());
        with_registers(room + outputs + captured, |registers| {
            let (out, rest) = registers.split_at_mut(outputs);
            let (values, room) = rest.split_at_mut(captured);
            let inputs: [&[f64]; 4] = [&[t], q, v, u];
            let coded = code.start.filter(|_| start.machine(context).is_some());
            let made = coded.is_some_and(|kernel| {
                let lists = lists(&inputs, context.parameters);
                machine.run(kernel, lists, room, [out, values])
            });
            if !made {
                start.run(context, &inputs, room);
                let registers = [(&mut *out, &start.outputs), (values, &code.captured)];
                for (to, from) in registers {
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = room[*from as usize]);
                }
            }
            series
                .expand_rows(*sizes, [q, v], out, |rows| make_orders(machine, rows, values, room));
        });
    }
}

impl SeriesTape {
    /// Expands motions in lanes, from t, q, v, u, of these lengths, and the parameters of all; nothing where there is no
    /// code for it.
    pub(crate) fn expand_in_lanes(
        &self,
        points: &[f64],
        lengths: [usize; 3],
        series: &mut SeriesInLanes,
    ) {
        let Some(code) = &self.code else { return };
        let Some(machine) = code.lanes.as_deref() else { return };
        let outputs = self.start.outputs.len() * LISTED;
        let captured = code.captured.len() * LISTED;
        let room = machine.room(0).max(machine.room_of_recurrence());
        with_registers(room + outputs + captured, |registers| {
            let (out, rest) = registers.split_at_mut(outputs);
            let (values, room) = rest.split_at_mut(captured);
            let [q, v, u] = lengths.map(|length| length * LISTED);
            let (t, y) = points.split_at(LISTED);
            let (q, rest) = y.split_at(q);
            let (v, rest) = rest.split_at(v);
            let (u, parameters) = rest.split_at(u);
            let lists = [t, q, v, u, parameters];
            if !machine.run(0, lists, room, [&mut *out, &mut *values]) {
                out.fill(f64::NAN);
            }
            series.expand_rows(self.sizes, y, out, |rows| make_orders(machine, rows, values, room));
        });
    }
}

/// The orders of a series by the recurrence of a machine.
fn make_orders(machine: &Machine, rows: Rows<'_>, captured: &[f64], room: &mut [f64]) {
    let Rows { last, numbers, state, handed, observed, factors } = rows;
    let mut lists = Lists { numbers, captured, state, handed, observed, factors, room };
    if !machine.run_recurrence(last, &mut lists) {
        lists.state.fill(f64::NAN);
    }
}

impl Within {
    /// Takes over inputs, parameters and captured values.
    fn prepare(&self, (own, header): (&[f64], usize), registers: &mut [f64]) {
        registers[..header].copy_from_slice(&own[..header]);
        self.tape.set_constants(registers);
        let captured = self.tape.first - self.captured.len();
        for (to, from) in registers[captured..].iter_mut().zip(&self.captured) {
            *to = own[*from as usize];
        }
    }

    fn kink(
        &self,
        context: &Context<'_>,
        around: (&[f64], usize),
        (lower, upper): (f64, f64),
        registers: &mut [f64],
    ) -> Option<Kink> {
        self.prepare(around, registers);
        let variables = self.tape.first - self.captured.len() - self.tape.variables();
        Kink::of(lower, upper, self.tape.outputs.len(), variables - 1, |s, nested, out| {
            self.tape.within(context, (s, nested), registers, out);
        })
    }
}

impl Tape {
    /// The first register of variables.
    fn variables(&self) -> usize {
        self.header + self.constants.len()
    }

    /// Runs an integrand, or a form of its variable, that was prepared.
    fn within(
        &self,
        context: &Context<'_>,
        (s, nested): (f64, &[f64]),
        registers: &mut [f64],
        out: &mut [f64],
    ) {
        let variables = self.variables();
        registers[variables] = s;
        registers[variables + 1..][..nested.len()].copy_from_slice(nested);
        self.execute(context, registers);
        for (out, output) in out.iter_mut().zip(&self.outputs) {
            *out = registers[*output as usize];
        }
    }
}
