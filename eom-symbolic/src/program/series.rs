//! Power series of a motion: the programs of a system as recurrences for Taylor coefficients.
//!
//! With y = (q, v) and y(t₀ + τ) = Σ yₖ τᵏ, every value x of a program has a series of its own, and
//! yₖ₊₁ = (ẏ)ₖ/(k+1). For k ≥ 1:
//!
//! ```text
//! x = a ± b          xₖ = aₖ ± bₖ
//! x = a b            xₖ = a₀bₖ + aₖb₀ + [a, b]ₖ
//! x = a/b            xₖ = (aₖ − x₀bₖ − [x, b]ₖ)/b₀
//! x = √a             xₖ = (aₖ − [x, x]ₖ)/(2x₀)
//! w ẋ = Σ σ u ȧ      xₖ = (Σ σ (aₖu₀ + [ȧ, u]ₖ/k) − [ẋ, w]ₖ/k)/w₀
//!
//! [a, b]ₖ = Σ aⱼbₖ₋ⱼ over 0 < j < k         [ȧ, b]ₖ = Σ j aⱼbₖ₋ⱼ
//! ```
//!
//! A velocity whose acceleration is 0 by derivation does not move; t, and what changes at a rate that
//! does not move, is linear, and its sums have one term:
//!
//! ```text
//! a linear           [a, b]ₖ = [ȧ, b]ₖ = a₁bₖ₋₁, 0 for k = 1
//! ```
//!
//! The rule w ẋ = … is sin, cos, exp, ln, powers, arcs and hyperbolic functions: for sin x, w = 1 and
//! u = cos x; for ln a, a ẋ = ȧ; for aᵖ, a ẋ = p x ȧ; for arctan a, (1 + a²) ẋ = ȧ; and so on. The sums
//! [a, b]ₖ are over lower coefficients only: all of one order are taken at once, in a loop over
//! arrays, before the straight-line code of that order, which is the program
//! [`Series::recurrence`]. A bₖ₋₁ is handed on from the order before. Where other operations than those of
//! order 0 take fewer sums, coefficients follow by those (`shortcuts`).
//!
//! Jorba and Zou, "A software package for the numerical integration of ODEs by means of high-order
//! Taylor methods" (Experimental Mathematics 14, 2005), section 2.

mod known;
mod rules;
mod shortcuts;

use super::{Builder, Instruction, Program, Value};
use crate::function::{Formula, Function, Smooth, Term};
use crate::node::SymbolKind;
use crate::pool::ExprPool;
use rules::Rules;
use shortcuts::Turned;

/// The number k of the order, as a variable of the recurrence.
pub const ORDER: u32 = 0;
/// Its inverse 1/k.
pub const INVERSE: u32 = 1;
/// The coefficient of t: 1 for k = 1, else 0.
pub const TIME: u32 = 2;
/// The first coefficient of the state; the values handed on follow those of the state, then the sums
/// [a, b]ₖ.
pub const STATE: u32 = 3;

/// The series of a motion and of what is observed along it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Order 0: ẏ, then what is observed. Values that only the recurrence reads are kept.
    pub start: Program,
    /// Order k ≥ 1, from its variables k, 1/k, tₖ, yₖ, what was handed on (0 for k = 1), then the sums
    /// [a, b]ₖ: the coefficients of ẏ and of what is observed, those of the left and those of the right
    /// factors of the sums, then what is handed on.
    pub recurrence: Program,
    /// The values of `start` that `recurrence` captures.
    pub captured: Vec<Value>,
    /// The length of y.
    pub state: usize,
    /// How many values are observed.
    pub observed: usize,
    /// How many sums [a, b] there are.
    pub sums: usize,
    /// How many values each order hands on.
    pub handed: usize,
}

/// Where the motion of a system is computed.
pub(super) struct Motion<'p> {
    pub(super) pool: &'p ExprPool,
    /// The length of q.
    pub(super) positions: usize,
    /// The length of v.
    pub(super) speeds: usize,
    /// q̇; without outputs it is v.
    pub(super) rates: &'p Program,
    /// v̇, then what else it has.
    pub(super) dynamics: &'p Program,
    /// What is observed along the motion.
    pub(super) observed: &'p [&'p Program],
}

impl Series {
    /// The series of a motion. `None` where a value of it has none: functions known at run time,
    /// integrals, |x|, signs and dry friction of what moves.
    pub(super) fn new(motion: &Motion<'_>) -> Option<Self> {
        let mut merged = Merged { still: still(motion), ..Merged::default() };
        let mut outputs: Vec<Value> = if motion.rates.outputs.is_empty() {
            merged.velocities(motion)?
        } else {
            merged.append(motion.pool, motion.rates)?
        };
        let dynamics = merged.append(motion.pool, motion.dynamics)?;
        outputs.extend(dynamics.into_iter().take(motion.speeds));
        let state = outputs.len();
        let rates = outputs.clone();
        for program in motion.observed {
            outputs.extend(merged.append(motion.pool, program)?);
        }
        let observed = outputs.len() - state;
        Some(Rules::new(motion, merged, &rates, &outputs).finish(&outputs, state, observed))
    }
}

impl Series {
    /// The same with sums fused with products.
    pub(super) fn fused(mut self, pool: &ExprPool) -> Self {
        self.start = self.start.fused_keeping(pool, &mut self.captured);
        let known = self.known();
        self.recurrence = self.recurrence.adding_late_terms_last(&known).fused_with(pool, &known);
        self
    }
}

/// Whether each acceleration is 0.
fn still(motion: &Motion<'_>) -> Vec<bool> {
    let Program { instructions, outputs, .. } = motion.dynamics;
    let zero = |value: Value| match instructions[value.index()] {
        Instruction::Constant(bits) => f64::from_bits(bits) == 0.0,
        _ => false,
    };
    outputs.iter().take(motion.speeds).map(|output| zero(output.value)).collect()
}

/// Several programs as one, with the values that the series of its values need beside them.
#[derive(Default)]
struct Merged {
    builder: Builder,
    /// Whether each value changes along the motion.
    moves: Vec<bool>,
    /// The velocities that do not.
    still: Vec<bool>,
    /// Sines and cosines that are computed as products.
    turned: Vec<Turned>,
}

impl Merged {
    /// v as values, where q̇ = v.
    fn velocities(&mut self, motion: &Motion<'_>) -> Option<Vec<Value>> {
        (0..motion.speeds)
            .map(|index| {
                let symbol = motion.pool.find_symbol(SymbolKind::Velocity(index))?;
                Some(self.builder.push(Instruction::Input(symbol)))
            })
            .collect()
    }

    /// The outputs of a program added to it. `None` where a value that moves has no series.
    fn append(&mut self, pool: &ExprPool, program: &Program) -> Option<Vec<Value>> {
        let mut place: Vec<Value> = Vec::with_capacity(program.instructions.len());
        for instruction in &program.instructions {
            if let Instruction::Integral(..) = instruction {
                return None;
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

/// The rule w ẋ = Σ σ u ȧ of a call x = f(a, b), with what it reads among the values; what is 1 is left out. `None`
/// where f has no power series everywhere.
fn series_rule(b: &mut Builder, function: Function, call: [Value; 3]) -> Option<SeriesRule> {
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

/// A formula of a call x = f(a, b), as a value.
fn formula(b: &mut Builder, of: &Formula, call: [Value; 3]) -> Value {
    match of {
        Formula::Value => call[0],
        Formula::First => call[1],
        Formula::Second => call[2],
        Formula::Integer(n) => b.constant(*n as f64),
        Formula::Pi => b.constant(std::f64::consts::PI),
        Formula::Of(function, a) => {
            let a = formula(b, a, call);
            b.call(*function, a, None)
        }
        Formula::Root(a) => {
            let a = formula(b, a, call);
            b.sqrt(a)
        }
        Formula::Sum(x, y) | Formula::Difference(x, y) | Formula::Product(x, y) => {
            let (x, y) = (formula(b, x, call), formula(b, y, call));
            match of {
                Formula::Sum(..) => b.add(x, y),
                Formula::Difference(..) => b.sub(x, y),
                _ => b.mul(x, y),
            }
        }
    }
}

/// w and the terms (σ, u, a) of w ẋ = Σ σ u ȧ; 1 where there is no w or u.
struct SeriesRule {
    weight: Option<Value>,
    terms: Vec<(f64, Option<Value>, Value)>,
}

impl SeriesRule {
    /// Its factors.
    fn reads(self) -> impl Iterator<Item = Value> {
        self.weight.into_iter().chain(self.terms.into_iter().filter_map(|(_, u, _)| u))
    }
}
