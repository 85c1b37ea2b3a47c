//! A program as lines of a language: one line an instruction, constants and inputs in place.

use eom_symbolic::program::{Instruction, Integral, Program, Value};
use eom_symbolic::{Function, Partial, SymbolId};

/// How a language writes what a program does. Operands are names, numbers, or negative numbers in
/// brackets: none of them needs more.
pub(super) trait Dialect {
    /// The value of a symbol, within so many integrals.
    fn input(&self, symbol: SymbolId, depth: usize) -> String;
    /// `name = right`.
    fn bind(&self, name: &str, right: &str) -> String;
    /// a·b + c, rounded once where the language can.
    fn fused(&self, a: &str, b: &str, c: &str) -> String;
    /// 1/a, and 0 for a = 0.
    fn inverse_or_zero(&self, a: &str) -> String;
    /// √a.
    fn sqrt(&self, a: &str) -> String;
    /// aⁿ.
    fn powi(&self, a: &str, n: i32) -> String;
    /// aᵇ.
    fn powf(&self, a: &str, b: &str) -> String;
    /// Lines that bind the sine and cosine of an angle to those of two names that are given.
    fn sin_cos(&self, angle: &str, sine: Option<&str>, cosine: Option<&str>) -> Vec<String> {
        let line = |name: &str, function| self.bind(name, &self.call(function, angle, angle));
        let sine = sine.map(|name| line(name, Function::Sin));
        sine.into_iter().chain(cosine.map(|name| line(name, Function::Cos))).collect()
    }
    /// A function; the second argument is used by functions of two only.
    fn call(&self, function: Function, a: &str, b: &str) -> String;
    /// Lines that bind partials, taken together at a point, to names.
    fn partials(
        &self,
        partials: &[Partial],
        point: &[String],
        names: &[String],
        depth: usize,
    ) -> Vec<String>;
    /// The variable of the integral at this depth (0), or one of those within it.
    fn variable(&self, index: u32, depth: usize) -> String;
    /// A value that an integrand captures; `outer` is its name around it.
    fn captured(&self, index: u32, outer: &str) -> String;
    /// Lines after which `name[i]` is component i of an integral.
    fn integral(&self, integral: &IntegralLines<'_>) -> Vec<String>;
}

/// The lines of a program and the operands of its outputs.
#[derive(Debug)]
pub(super) struct Body {
    /// The lines.
    pub(super) lines: Vec<String>,
    /// One operand an output.
    pub(super) outputs: Vec<String>,
}

/// An integrand, or a form of its variable.
#[derive(Debug)]
pub(super) struct Within {
    /// What it writes.
    pub(super) body: Body,
    /// Operands of the program around it that it captures.
    pub(super) captured: Vec<String>,
    /// On how many variables of integrals within it depends, too.
    pub(super) nested: usize,
}

/// What a language needs to write an integral.
#[derive(Debug)]
pub(super) struct IntegralLines<'p> {
    /// The array of its components.
    pub(super) name: String,
    /// How many integrals stand around it.
    pub(super) depth: usize,
    /// The integral.
    pub(super) integral: &'p Integral,
    /// Its ends.
    pub(super) ends: [String; 2],
    /// The integrand.
    pub(super) integrand: Within,
    /// Where it may not be smooth.
    pub(super) kinks: Vec<Within>,
}

/// Writes a program.
pub(super) fn body(program: &Program, dialect: &dyn Dialect) -> Body {
    Writer::new(program, dialect, 0, None).body()
}

struct Writer<'p> {
    program: &'p Program,
    dialect: &'p dyn Dialect,
    depth: usize,
    /// The program around an integrand, and the values of it that are captured.
    around: Option<(&'p Writer<'p>, &'p [Value])>,
    /// What the values are called by.
    numbers: Vec<u32>,
}

impl<'p> Writer<'p> {
    fn new(
        program: &'p Program,
        dialect: &'p dyn Dialect,
        depth: usize,
        around: Option<(&'p Writer<'p>, &'p [Value])>,
    ) -> Self {
        let writer = Self { program, dialect, depth, around, numbers: Vec::new() };
        let numbers = program.numbers(|instruction| writer.in_place(instruction));
        Self { numbers, ..writer }
    }

    fn body(&self) -> Body {
        let mut lines = Vec::new();
        for index in 0..self.program.instructions.len() {
            lines.extend(self.lines(index));
        }
        let outputs = self.program.outputs.iter().map(|o| self.operand(o.value)).collect();
        Body { lines, outputs }
    }

    /// The lines of an instruction; none for inputs and constants, which stand in place, for the second
    /// of a sine and cosine, and for the later ones of partials taken together.
    fn lines(&self, index: usize) -> Vec<String> {
        let at = |value: Value| self.operand(value);
        let dialect = self.dialect;
        let right = match self.program.instructions[index] {
            Instruction::Input(_)
            | Instruction::Constant(_)
            | Instruction::Variable(_)
            | Instruction::Captured(_) => return Vec::new(),
            Instruction::Integral(integral, component) => {
                return self.component(index, integral, component);
            }
            Instruction::Partial(partial, point) => {
                return self.partials(index, &point[..usize::from(partial.arity)]);
            }
            Instruction::Neg(a) => format!("-{}", at(a)),
            Instruction::Add(a, b) => format!("{} + {}", at(a), at(b)),
            Instruction::Sub(a, b) => format!("{} - {}", at(a), at(b)),
            Instruction::Mul(a, b) => format!("{} * {}", at(a), at(b)),
            Instruction::MulAdd(a, b, c) => dialect.fused(&at(a), &at(b), &at(c)),
            Instruction::MulSub(a, b, c) => dialect.fused(&at(a), &at(b), &negated(&at(c))),
            Instruction::NegMulAdd(a, b, c) => dialect.fused(&negated(&at(a)), &at(b), &at(c)),
            Instruction::Div(a, b) => format!("{} / {}", at(a), at(b)),
            Instruction::InverseOrZero(a) => dialect.inverse_or_zero(&at(a)),
            Instruction::Sqrt(a) => dialect.sqrt(&at(a)),
            Instruction::Powi(a, n) => dialect.powi(&at(a), n),
            Instruction::Powf(a, b) => dialect.powf(&at(a), &at(b)),
            Instruction::Call(Function::Sin | Function::Cos, angle, _) => {
                return self.sin_cos(index, &at(angle));
            }
            Instruction::Call(function, a, b) => dialect.call(function, &at(a), &at(b)),
        };
        vec![dialect.bind(&self.temporary(index), &right)]
    }

    /// Sine and cosine of an angle together, at the first of the two.
    fn sin_cos(&self, index: usize, angle: &str) -> Vec<String> {
        let sine = matches!(self.program.instructions[index], Instruction::Call(Function::Sin, ..));
        let partner = self.program.sin_cos_partner(index);
        if partner.is_some_and(|partner| partner < index) {
            return Vec::new();
        }
        let (name, partner) = (self.temporary(index), partner.map(|index| self.temporary(index)));
        let (name, partner) = (Some(name.as_str()), partner.as_deref());
        let (sine, cosine) = if sine { (name, partner) } else { (partner, name) };
        self.dialect.sin_cos(angle, sine, cosine)
    }

    fn partials(&self, index: usize, point: &[Value]) -> Vec<String> {
        let together = self.program.together(index);
        if together.iter().any(|(_, position)| *position < index) {
            return Vec::new();
        }
        let (partials, positions): (Vec<Partial>, Vec<usize>) = together.into_iter().unzip();
        let names: Vec<String> = positions.into_iter().map(|p| self.temporary(p)).collect();
        let point: Vec<String> = point.iter().map(|value| self.operand(*value)).collect();
        self.dialect.partials(&partials, &point, &names, self.depth)
    }

    /// The integral at its first component, then the component.
    fn component(&self, index: usize, integral: u32, component: u32) -> Vec<String> {
        let of_it =
            |i: &Instruction| matches!(i, Instruction::Integral(other, _) if *other == integral);
        let first = !self.program.instructions[..index].iter().any(of_it);
        let name = format!("i{}_{integral}", self.depth);
        let right = format!("{name}[{component}]");
        let mut lines = if first { self.integral(name, integral) } else { Vec::new() };
        lines.push(self.dialect.bind(&self.temporary(index), &right));
        lines
    }

    fn integral(&self, name: String, index: u32) -> Vec<String> {
        let integral = &self.program.integrals[index as usize];
        let kinks = integral.kinks.iter();
        self.dialect.integral(&IntegralLines {
            name,
            depth: self.depth,
            integral,
            ends: [self.operand(integral.lower), self.operand(integral.upper)],
            integrand: self.within(&integral.integrand, &integral.captured, 0),
            kinks: kinks.map(|k| self.within(&k.components, &k.captured, k.nested)).collect(),
        })
    }

    fn within(&self, program: &Program, captured: &[Value], nested: usize) -> Within {
        let writer = Writer::new(program, self.dialect, self.depth + 1, Some((self, captured)));
        let captured = captured.iter().map(|value| self.operand(*value)).collect();
        Within { body: writer.body(), captured, nested }
    }

    fn temporary(&self, index: usize) -> String {
        let number = self.numbers[index];
        match self.depth {
            0 => format!("w{number}"),
            depth => format!("w{depth}_{number}"),
        }
    }

    fn operand(&self, value: Value) -> String {
        match self.in_place(self.program.instructions[value.index()]) {
            text if text.is_empty() => self.temporary(value.index()),
            text => text,
        }
    }

    /// What stands where it is read; nothing for what computes something.
    fn in_place(&self, instruction: Instruction) -> String {
        match instruction {
            Instruction::Input(symbol) => self.dialect.input(symbol, self.depth),
            Instruction::Constant(bits) => constant(f64::from_bits(bits)),
            Instruction::Variable(index) => self.dialect.variable(index, self.depth),
            Instruction::Captured(index) => match self.around {
                Some((around, captured)) => {
                    self.dialect.captured(index, &around.operand(captured[index as usize]))
                }
                None => constant(f64::NAN),
            },
            _ => String::new(),
        }
    }
}

/// A function at one argument, or at two.
pub(super) fn called(function: Function, name: &str, a: &str, b: &str) -> String {
    if function.arity() == 2 { format!("{name}({a}, {b})") } else { format!("{name}({a})") }
}

/// −x.
fn negated(operand: &str) -> String {
    format!("(-{operand})")
}

/// The shortest digits that read back as a number, in brackets where it is negative.
pub(super) fn constant(value: f64) -> String {
    if value < 0.0 { format!("({value:?})") } else { format!("{value:?}") }
}
