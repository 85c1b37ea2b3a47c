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
        let mut text = format!("{}: {}\n", self.name, self.op_counts());
        for (index, instruction) in self.instructions.iter().enumerate() {
            let name = self.operand(pool, Value(index as u32));
            let line = match *instruction {
                Instruction::Input(_)
                | Instruction::Constant(_)
                | Instruction::Variable(_)
                | Instruction::Captured(_) => continue,
                Instruction::Integral(integral, 0) => {
                    text.push_str(&self.integral_lines(pool, integral));
                    format!("{name} = {}", self.right_side(pool, instruction))
                }
                Instruction::Call(Function::Sin | Function::Cos, angle, _) => {
                    match self.sin_cos_line(pool, index, angle) {
                        Some(line) => line,
                        None => continue,
                    }
                }
                _ => format!("{name} = {}", self.right_side(pool, instruction)),
            };
            let _ = writeln!(text, "  {line}");
        }
        for output in &self.outputs {
            let _ = writeln!(text, "  → {} = {}", output.name, self.operand(pool, output.value));
        }
        text
    }

    /// `s, c = sin_cos(a)` at the first of the two, nothing at the second.
    fn sin_cos_line(&self, pool: &ExprPool, index: usize, angle: Value) -> Option<String> {
        let angle = self.operand(pool, angle);
        let name = self.operand(pool, Value(index as u32));
        let is_sine = matches!(self.instructions[index], Instruction::Call(Function::Sin, ..));
        let function = if is_sine { "sin" } else { "cos" };
        let Some(partner) = self.sin_cos_partner(index) else {
            return Some(format!("{name} = {function}({angle})"));
        };
        if partner < index {
            return None;
        }
        let partner = self.operand(pool, Value(partner as u32));
        let (sine, cosine) = if is_sine { (name, partner) } else { (partner, name) };
        Some(format!("{sine}, {cosine} = sin_cos({angle})"))
    }

    fn right_side(&self, pool: &ExprPool, instruction: &Instruction) -> String {
        let at = |value: Value| self.operand(pool, value);
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
                format!("{}({})", pool.partial_name(p), point.join(", "))
            }
        }
    }

    /// An integral before its first component: its ends, what it captures, its integrand.
    fn integral_lines(&self, pool: &ExprPool, index: u32) -> String {
        let integral = &self.integrals[index as usize];
        let at = |value: &Value| self.operand(pool, *value);
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
        let body = integral.integrand.listing(pool);
        body.lines().for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
        for kink in &integral.kinks {
            let captured = list(&kink.captured);
            let _ = writeln!(text, "    near the least norm of, {captured}");
            kink.components.listing(pool).lines().for_each(|line| {
                let _ = writeln!(text, "      {line}");
            });
        }
        text
    }

    fn operand(&self, pool: &ExprPool, value: Value) -> String {
        match self.instructions[value.index()] {
            Instruction::Input(symbol) => pool.symbol_info(symbol).name.clone(),
            Instruction::Constant(bits) => format!("{:?}", f64::from_bits(bits)),
            Instruction::Variable(0) => "s".to_owned(),
            Instruction::Variable(index) => format!("s{index}"),
            Instruction::Captured(index) => format!("c{index}"),
            _ => format!("w{}", value.index()),
        }
    }
}
