//! Programs as text: what snapshots hold and reviewers read.

use super::{Instruction, Program, Value};
use crate::node::Function;
use crate::pool::ExprPool;
use std::fmt::Write;

impl Program {
    /// The partner of a sine or cosine: the position of the other function of the same angle.
    pub fn sin_cos_partner(&self, index: usize) -> Option<usize> {
        let Instruction::Call(function, angle, _) = self.instructions[index] else { return None };
        let other = match function {
            Function::Sin => Function::Cos,
            Function::Cos => Function::Sin,
            _ => return None,
        };
        self.instructions
            .iter()
            .position(|i| matches!(i, Instruction::Call(f, a, _) if *f == other && *a == angle))
    }

    /// One line an instruction, inputs and constants written where they are used.
    pub fn listing(&self, pool: &ExprPool) -> String {
        let numbers = self.numbers(|instruction| in_place(pool, instruction));
        Listing { program: self, pool, numbers }.text()
    }
}

/// A program with the numbers of its values.
struct Listing<'p> {
    program: &'p Program,
    pool: &'p ExprPool,
    numbers: Vec<u32>,
}

impl Listing<'_> {
    fn text(&self) -> String {
        let program = self.program;
        let mut text = format!("{}: {}\n", program.name, program.op_counts());
        for (index, instruction) in program.instructions.iter().enumerate() {
            let name = self.operand(Value(index as u32));
            let line = match *instruction {
                Instruction::Input(_)
                | Instruction::Constant(_)
                | Instruction::Variable(_)
                | Instruction::Captured(_) => continue,
                Instruction::Integral(integral, 0) => {
                    text.push_str(&self.integral_lines(integral));
                    format!("{name} = {}", self.right_side(instruction))
                }
                Instruction::Call(Function::Sin | Function::Cos, angle, _) => {
                    match self.sin_cos_line(index, angle) {
                        Some(line) => line,
                        None => continue,
                    }
                }
                _ => format!("{name} = {}", self.right_side(instruction)),
            };
            let _ = writeln!(text, "  {line}");
        }
        for output in &program.outputs {
            let _ = writeln!(text, "  → {} = {}", output.name, self.operand(output.value));
        }
        text
    }

    /// `s, c = sin_cos(a)` at the first of the two, nothing at the second.
    fn sin_cos_line(&self, index: usize, angle: Value) -> Option<String> {
        let angle = self.operand(angle);
        let name = self.operand(Value(index as u32));
        let is_sine =
            matches!(self.program.instructions[index], Instruction::Call(Function::Sin, ..));
        let function = if is_sine { "sin" } else { "cos" };
        let Some(partner) = self.program.sin_cos_partner(index) else {
            return Some(format!("{name} = {function}({angle})"));
        };
        if partner < index {
            return None;
        }
        let partner = self.operand(Value(partner as u32));
        let (sine, cosine) = if is_sine { (name, partner) } else { (partner, name) };
        Some(format!("{sine}, {cosine} = sin_cos({angle})"))
    }

    fn right_side(&self, instruction: &Instruction) -> String {
        let at = |value: Value| self.operand(value);
        match *instruction {
            Instruction::Input(_)
            | Instruction::Constant(_)
            | Instruction::Variable(_)
            | Instruction::Captured(_) => String::new(),
            Instruction::Integral(integral, component) => {
                format!("integral{integral}[{component}]")
            }
            Instruction::Neg(a) => format!("-{}", at(a)),
            Instruction::Add(a, b) => format!("{} + {}", at(a), at(b)),
            Instruction::Sub(a, b) => format!("{} - {}", at(a), at(b)),
            Instruction::Mul(a, b) => format!("{} * {}", at(a), at(b)),
            Instruction::MulAdd(a, b, c) => format!("{} * {} + {}", at(a), at(b), at(c)),
            Instruction::MulSub(a, b, c) => format!("{} * {} - {}", at(a), at(b), at(c)),
            Instruction::NegMulAdd(a, b, c) => format!("{} - {} * {}", at(c), at(a), at(b)),
            Instruction::Div(a, b) => format!("{} / {}", at(a), at(b)),
            Instruction::InverseOrZero(a) => format!("inverse_or_zero({})", at(a)),
            Instruction::Sqrt(a) => format!("sqrt({})", at(a)),
            Instruction::Powi(a, n) => format!("{}^{n}", at(a)),
            Instruction::Powf(a, b) => format!("{}^{}", at(a), at(b)),
            Instruction::Call(f, a, b) if f.arity() == 2 => {
                format!("{}({}, {})", f.name(), at(a), at(b))
            }
            Instruction::Call(f, a, _) => format!("{}({})", f.name(), at(a)),
            Instruction::Partial(p, point) => {
                let point: Vec<String> =
                    point[..usize::from(p.arity)].iter().map(|value| at(*value)).collect();
                format!("{}({})", self.pool.partial_name(p), point.join(", "))
            }
        }
    }

    /// An integral before its first component: its ends, what it captures, its integrand.
    fn integral_lines(&self, index: u32) -> String {
        let integral = &self.program.integrals[index as usize];
        let at = |value: &Value| self.operand(*value);
        let list = |values: &[Value]| {
            let captured = values.iter().enumerate();
            let captured = captured.map(|(i, value)| format!("c{i} = {}", at(value)));
            captured.collect::<Vec<_>>().join(", ")
        };
        let mut text = format!(
            "  integral{index} = integral over s = {} from {} to {}, {}\n",
            integral.variable,
            at(&integral.lower),
            at(&integral.upper),
            list(&integral.captured)
        );
        let body = integral.integrand.listing(self.pool);
        body.lines().for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
        for kink in &integral.kinks {
            let captured = list(&kink.captured);
            let _ = writeln!(text, "    near the least norm of, {captured}");
            kink.components.listing(self.pool).lines().for_each(|line| {
                let _ = writeln!(text, "      {line}");
            });
        }
        text
    }

    fn operand(&self, value: Value) -> String {
        let instruction = self.program.instructions[value.index()];
        if instruction.computes() {
            format!("w{}", self.numbers[value.index()])
        } else {
            in_place(self.pool, instruction)
        }
    }
}

/// What stands where it is read.
fn in_place(pool: &ExprPool, instruction: Instruction) -> String {
    match instruction {
        Instruction::Input(symbol) => pool.symbol_info(symbol).name.clone(),
        Instruction::Constant(bits) => format!("{:?}", f64::from_bits(bits)),
        Instruction::Variable(0) => "s".to_owned(),
        Instruction::Variable(index) => format!("s{index}"),
        Instruction::Captured(index) => format!("c{index}"),
        _ => String::new(),
    }
}
