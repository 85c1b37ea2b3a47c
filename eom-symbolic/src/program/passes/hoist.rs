//! What depends on parameters only is computed once a run: it moves from programs into one program
//! before them, whose outputs c they capture. It is the same operations in the same order, so that
//! results are the same bits.

use crate::pool::ExprPool;
use crate::program::{Builder, Instruction, Program, Value};

/// The dynamics in two steps: what depends on parameters only, then the rest.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// c, of parameters only.
    pub constants: Program,
    /// The dynamics, c captured.
    pub dynamics: Program,
    /// The same without dry friction.
    pub frictionless: Program,
}

impl Prepared {
    /// Splits the programs of the dynamics.
    pub(in crate::program) fn new(
        dynamics: &Program,
        frictionless: &Program,
        pool: &ExprPool,
    ) -> Self {
        let mut before = Before::default();
        let dynamics = before.split(dynamics, pool);
        let frictionless = before.split(frictionless, pool);
        Self { constants: before.finish(), dynamics, frictionless }
    }
}

/// The program before the others, in the making.
#[derive(Debug, Default)]
struct Before {
    builder: Builder,
    /// The values that programs capture, in the order of their numbers.
    captured: Vec<Value>,
}

impl Before {
    /// The number under which a value is captured.
    fn number(&mut self, value: Value) -> u32 {
        let known = self.captured.iter().position(|other| *other == value);
        let number = known.unwrap_or_else(|| {
            self.captured.push(value);
            self.captured.len() - 1
        });
        number as u32
    }

    /// One program without what depends on parameters only.
    fn split(&mut self, program: &Program, pool: &ExprPool) -> Program {
        let fixed = program.fixed(pool);
        let read = program.read_by(|index, _| !fixed[index]);
        // Where a fixed value stands in the program before.
        let mut outside: Vec<Value> = Vec::with_capacity(fixed.len());
        let rest = program.rewritten(|rest, _, index, mapped| {
            let instruction = program.instructions[index];
            let moved = fixed[index]
                .then(|| self.builder.push(instruction.map(|value| outside[value.index()])));
            let in_place = matches!(instruction, Instruction::Input(_) | Instruction::Constant(_));
            let own = match moved {
                Some(value) if !in_place && read[index] => {
                    let number = self.number(value);
                    rest.push(Instruction::Captured(number))
                }
                // Nothing reads it here.
                Some(_) if !in_place => Value(0),
                _ => rest.push(mapped),
            };
            outside.push(moved.unwrap_or(Value(0)));
            own
        });
        rest.finish_as_is(program.name.clone()).ordered()
    }

    fn finish(mut self) -> Program {
        for (number, value) in self.captured.into_iter().enumerate() {
            self.builder.output(format!("c{number}"), value);
        }
        self.builder.finish_as_is("prepared")
    }
}
