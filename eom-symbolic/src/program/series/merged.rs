//! The programs of a motion as one, with the values that the rules of their series read.

use crate::function::{Formula, Function, Smooth, Term};
use crate::node::SymbolKind;
use crate::pool::ExprPool;
use crate::program::derivatives::slopes::formula;
use crate::program::{Builder, Instruction, Program, Value};

/// Where the motion of a system is computed.
pub(in crate::program) struct Motion<'p> {
    pub(in crate::program) pool: &'p ExprPool,
    /// The length of q.
    pub(in crate::program) positions: usize,
    /// The length of v.
    pub(in crate::program) speeds: usize,
    /// q̇; without outputs it is v.
    pub(in crate::program) rates: &'p Program,
    /// v̇, then what else it has.
    pub(in crate::program) dynamics: &'p Program,
    /// What is observed along the motion.
    pub(in crate::program) observed: &'p [&'p Program],
}

/// Several programs as one, with the values that the series of its values need beside them.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) builder: Builder,
    /// Whether each value changes along the motion.
    pub(super) moves: Vec<bool>,
    /// The velocities that do not.
    pub(super) still: Vec<bool>,
    /// Sines and cosines that are computed as products.
    pub(super) turned: Vec<Turned>,
}

impl Merged {
    /// v as values, where q̇ = v.
    pub(super) fn velocities(&mut self, motion: &Motion<'_>) -> Option<Vec<Value>> {
        (0..motion.speeds)
            .map(|index| {
                let symbol = motion.pool.find_symbol(SymbolKind::Velocity(index))?;
                Some(self.builder.push(Instruction::Input(symbol)))
            })
            .collect()
    }

    /// The outputs of a program added to it. `None` where a value that moves has no series.
    pub(super) fn append(&mut self, pool: &ExprPool, program: &Program) -> Option<Vec<Value>> {
        let mut place: Vec<Value> = Vec::with_capacity(program.instructions.len());
        for instruction in &program.instructions {
            match instruction {
                Instruction::Integral(..) => return None,
                // Forces of a mode move, by no rule that is known here.
                Instruction::Input(symbol) if pool.symbol_info(*symbol).kind.is_force() => {
                    return None;
                }
                _ => {}
            }
            let mapped = instruction.map(|value| place[value.index()]);
            place.push(self.add(mapped));
            self.follow(pool);
            self.accompany(place[place.len() - 1])?;
            self.follow(pool);
        }
        Some(program.outputs.iter().map(|output| place[output.value.index()]).collect())
    }

    /// The value of an instruction. A power with an exponent that moves is e^(b ln a).
    fn add(&mut self, instruction: Instruction) -> Value {
        match instruction {
            Instruction::Add(x, y) => self.meet(x, y, false),
            Instruction::Sub(x, y) => self.meet(x, y, true),
            _ => {}
        }
        let b = &mut self.builder;
        match instruction {
            Instruction::Neg(x) => b.neg(x),
            Instruction::Add(x, y) => b.add(x, y),
            Instruction::Sub(x, y) => b.sub(x, y),
            Instruction::Mul(x, y) => b.mul(x, y),
            Instruction::Div(x, y) => b.div(x, y),
            Instruction::Powf(x, y) if self.moves[y.index()] => {
                let logarithm = b.call(Function::Ln, x, None);
                let exponent = b.mul(y, logarithm);
                b.call(Function::Exp, exponent, None)
            }
            other => b.push(other),
        }
    }

    /// Whether values move, up to the last.
    fn follow(&mut self, pool: &ExprPool) {
        for index in self.moves.len()..self.builder.len() {
            let instruction = self.builder.instruction(Value(index as u32));
            let mut moves = match instruction {
                Instruction::Input(symbol) => match pool.symbol_info(symbol).kind {
                    SymbolKind::Time | SymbolKind::Coordinate(_) => true,
                    SymbolKind::Velocity(index) => !self.still[index],
                    _ => false,
                },
                _ => false,
            };
            instruction.for_operands(|operand| moves |= self.moves[operand.index()]);
            self.moves.push(moves);
        }
    }

    /// Adds what the rule of a value reads beside its operands. `None` where it has no rule.
    fn accompany(&mut self, value: Value) -> Option<()> {
        if !self.moves[value.index()] {
            return Some(());
        }
        let instruction = self.builder.instruction(value);
        match instruction {
            Instruction::InverseOrZero(_)
            | Instruction::Partial(..)
            | Instruction::Integral(..)
            | Instruction::Variable(_)
            | Instruction::Captured(_) => None,
            Instruction::Call(function, a, b) => {
                series_rule(&mut self.builder, function, [value, a, b]).map(|_| ())
            }
            _ => Some(()),
        }
    }
}

/// sin e or cos e that is computed as two products.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turned {
    pub(super) value: Value,
    /// [`Function::Sin`] or [`Function::Cos`].
    pub(super) function: Function,
    /// −1 for the sine of −e.
    pub(super) sign: f64,
    /// e = α ± β.
    pub(super) angle: Value,
}

/// The rule w ẋ = Σ σ u ȧ of a call x = f(a, b), with what it reads among the values; what is 1 is left out. `None`
/// where f has no power series everywhere.
pub(super) fn series_rule(
    b: &mut Builder,
    function: Function,
    call: [Value; 3],
) -> Option<SeriesRule> {
    let description = function.description().filter(|of| of.smooth == Smooth::Analytic)?;
    let factor = |b: &mut Builder, factor: &Formula| match factor {
        Formula::Integer(1) => None,
        other => Some(formula(b, other, call)),
    };
    let weight = description.rule.weight.as_ref().and_then(|weight| factor(b, weight));
    let arguments = [call[1], call[2]];
    let terms = description.rule.terms.iter().zip(arguments);
    let terms = terms.map(|(term, a)| match term {
        Term::Plus(u) => (1.0, factor(b, u), a),
        Term::Minus(u) => (-1.0, factor(b, u), a),
    });
    Some(SeriesRule { terms: terms.collect(), weight })
}

/// w and the terms (σ, u, a) of w ẋ = Σ σ u ȧ; 1 where there is no w or u.
pub(super) struct SeriesRule {
    pub(super) weight: Option<Value>,
    pub(super) terms: Vec<(f64, Option<Value>, Value)>,
}

impl SeriesRule {
    /// Its factors.
    pub(super) fn reads(self) -> impl Iterator<Item = Value> {
        self.weight.into_iter().chain(self.terms.into_iter().filter_map(|(_, u, _)| u))
    }
}
