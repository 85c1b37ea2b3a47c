//! The interpreter: the reference meaning of a program.

use super::integral::{Partials, Symbols};
use super::{Instruction, Program};
use crate::node::{Partial, SymbolId};
use eom_elementary::{self as elementary, fused};

impl Program {
    /// The outputs, symbols taking the values that `symbol` gives; NaN where they need a declared
    /// function.
    pub fn evaluate(&self, symbol: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        self.evaluate_with(symbol, |_, _| f64::NAN)
    }

    /// The outputs, with the values of partials of declared functions at points.
    pub fn evaluate_with(
        &self,
        symbol: impl Fn(SymbolId) -> f64,
        partial: impl Fn(Partial, &[f64]) -> f64,
    ) -> Vec<f64> {
        self.run(&symbol, &partial, &[], &[])
    }

    /// The outputs of an integrand: with its variables and what it captured.
    pub(super) fn run(
        &self,
        symbol: Symbols<'_>,
        partial: Partials<'_>,
        variables: &[f64],
        captured: &[f64],
    ) -> Vec<f64> {
        let mut outputs = vec![0.0; self.outputs.len()];
        self.run_in(&mut Vec::new(), symbol, partial, (variables, captured), &mut outputs);
        outputs
    }

    /// The same with room for its values, which is the work of short integrands.
    pub(super) fn run_in(
        &self,
        values: &mut Vec<f64>,
        symbol: Symbols<'_>,
        partial: Partials<'_>,
        (variables, captured): (&[f64], &[f64]),
        outputs: &mut [f64],
    ) {
        let mut integrals: Vec<Option<Vec<f64>>> = vec![None; self.integrals.len()];
        values.clear();
        values.reserve(self.instructions.len());
        for instruction in &self.instructions {
            let at = |value: super::Value| values[value.index()];
            // table
            let value = match *instruction {
                Instruction::Input(s) => symbol(s),
                Instruction::Constant(bits) => f64::from_bits(bits),
                Instruction::Neg(a) => -at(a),
                Instruction::Add(a, b) => at(a) + at(b),
                Instruction::Sub(a, b) => at(a) - at(b),
                Instruction::Mul(a, b) => at(a) * at(b),
                Instruction::MulAdd(a, b, c) => fused(at(a), at(b), at(c)),
                Instruction::MulSub(a, b, c) => fused(at(a), at(b), -at(c)),
                Instruction::NegMulAdd(a, b, c) => fused(-at(a), at(b), at(c)),
                Instruction::Div(a, b) => at(a) / at(b),
                Instruction::InverseOrZero(a) => {
                    if at(a) == 0.0 {
                        0.0
                    } else {
                        1.0 / at(a)
                    }
                }
                Instruction::Sqrt(a) => at(a).sqrt(),
                Instruction::Powi(a, n) => elementary::powi(at(a), n),
                Instruction::Powf(a, b) => elementary::powf(at(a), at(b)),
                Instruction::Call(function, a, b) => function.evaluate(at(a), at(b)),
                Instruction::Partial(p, point) => {
                    partial(p, &point.map(at)[..usize::from(p.arity)])
                }
                Instruction::Variable(index) => variables[index as usize],
                Instruction::Captured(index) => captured[index as usize],
                Instruction::Integral(integral, component) => {
                    let known = &mut integrals[integral as usize];
                    let integral = &self.integrals[integral as usize];
                    let evaluate = || integral.evaluate(symbol, partial, values);
                    known.get_or_insert_with(evaluate)[component as usize]
                }
            };
            values.push(value);
        }
        for (output, of) in outputs.iter_mut().zip(&self.outputs) {
            *output = values[of.value.index()];
        }
    }
}
