//! The rules by which coefficients of order k follow from lower ones, value after value.

use super::merged::{Merged, Motion, series_rule};
use super::recurrence::{INVERSE, ORDER, STATE, Series, TIME};
use super::shortcuts::{Shortcut, Shortcuts};
use crate::node::{Function, SymbolKind};
use crate::pool::ExprPool;
use crate::program::{Builder, Instruction, Value};
use rustc_hash::FxHashMap;

/// A factor of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Factor {
    /// aⱼ.
    Plain(Value),
    /// j aⱼ.
    Derivative(Value),
}

impl Factor {
    fn value(self) -> Value {
        let (Self::Plain(value) | Self::Derivative(value)) = self;
        value
    }
}

/// A term σ u ȧ of the rule w ẋ = Σ σ u ȧ; without u it is σ ȧ.
#[derive(Debug, Clone, Copy)]
struct Term {
    σ: f64,
    u: Option<Value>,
    a: Value,
}

/// Programs of order 0 and of order k under construction.
pub(super) struct Rules<'m> {
    pool: &'m ExprPool,
    positions: usize,
    start: Builder,
    moves: Vec<bool>,
    /// a₁ of each value that is linear.
    slopes: Vec<Option<Value>>,
    shortcuts: Shortcuts,
    order: Builder,
    /// xₖ of each value; none where it is 0.
    coefficients: Vec<Option<Value>>,
    sums: Vec<(Factor, Factor)>,
    known: FxHashMap<(Factor, Factor), Value>,
    handed: Vec<Factor>,
    captured: Vec<Value>,
    captures: FxHashMap<Value, Value>,
}

/// Variables for what is handed on and for sums, until their numbers are known.
const HANDED: u32 = 1 << 30;
const SUMS: u32 = 1 << 31;

/// ±.
#[derive(Debug, Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

impl<'m> Rules<'m> {
    /// The rules for merged programs, with the values of ẏ and all outputs among theirs.
    pub(super) fn new(
        motion: &Motion<'m>,
        mut merged: Merged,
        rates: &[Value],
        outputs: &[Value],
    ) -> Self {
        Self {
            slopes: slopes(motion, &mut merged, rates),
            shortcuts: Shortcuts::new(&mut merged, outputs),
            pool: motion.pool,
            positions: motion.positions,
            start: merged.builder,
            moves: merged.moves,
            order: Builder::new(),
            coefficients: Vec::new(),
            sums: Vec::new(),
            known: FxHashMap::default(),
            handed: Vec::new(),
            captured: Vec::new(),
            captures: FxHashMap::default(),
        }
    }

    /// The series, whose first outputs are ẏ.
    pub(super) fn finish(mut self, outputs: &[Value], state: usize, observed: usize) -> Series {
        for index in 0..self.moves.len() {
            let value = Value(index as u32);
            let wanted = self.moves[index] && self.shortcuts.reads(value);
            let coefficient = if wanted { self.coefficient(value) } else { None };
            self.coefficients.push(coefficient);
        }
        let zero = self.order.constant(0.0);
        for (index, value) in outputs.iter().enumerate() {
            let coefficient = self.coefficients[value.index()].unwrap_or(zero);
            self.order.output(output_name(index, state), coefficient);
            self.start.output(output_name(index, state), *value);
        }
        let (left, right): (Vec<Factor>, Vec<Factor>) = self.sums.iter().copied().unzip();
        let (sums, handed) = (left.len(), self.handed.len());
        let lists = [("left", left), ("right", right), ("handed", self.handed.clone())];
        for (side, factors) in lists {
            for (index, factor) in factors.into_iter().enumerate() {
                let value = self.factor(factor).unwrap_or(zero);
                self.order.output(format!("{side}[{index}]"), value);
            }
        }
        for value in &self.captured {
            self.start.output("captured", *value);
        }
        let mut start = self.start.finish("series");
        let captured = start.outputs.split_off(outputs.len());
        let mut recurrence = self.order.finish("recurrence");
        let first = STATE + state as u32;
        for instruction in &mut recurrence.instructions {
            if let Instruction::Variable(variable) = instruction {
                *variable = match *variable {
                    sum if sum >= SUMS => first + handed as u32 + (sum - SUMS),
                    before if before >= HANDED => first + (before - HANDED),
                    own => own,
                };
            }
        }
        Series {
            start,
            recurrence,
            captured: captured.into_iter().map(|output| output.value).collect(),
            state,
            observed,
            sums,
            handed,
        }
    }

    /// xₖ.
    fn coefficient(&mut self, x: Value) -> Option<Value> {
        match self.shortcuts.of(x) {
            Some(Shortcut::Quotient { a, b }) => return self.quotient(x, a, b),
            Some(Shortcut::Turned { σ, u, e }) => {
                return self.by_rule(x, None, &[(σ, Some(u), e)]);
            }
            None => {}
        }
        match self.start.instruction(x) {
            Instruction::Input(symbol) => {
                let variable = match self.pool.symbol_info(symbol).kind {
                    SymbolKind::Coordinate(index) => STATE + index as u32,
                    SymbolKind::Velocity(index) => STATE + (self.positions + index) as u32,
                    _ => TIME,
                };
                Some(self.order.push(Instruction::Variable(variable)))
            }
            Instruction::Neg(a) => {
                let a = self.of(a)?;
                Some(self.order.neg(a))
            }
            Instruction::Add(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.total([(Sign::Plus, a), (Sign::Plus, b)])
            }
            Instruction::Sub(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.total([(Sign::Plus, a), (Sign::Minus, b)])
            }
            Instruction::Mul(a, b) => self.product(a, b),
            Instruction::Div(a, b) => self.quotient(x, a, b),
            Instruction::Sqrt(a) => {
                let (top, sum) = (self.of(a), self.sum(Factor::Plain(x), Factor::Plain(x)));
                let top = self.total([(Sign::Plus, top), (Sign::Minus, sum)])?;
                let half = self.start.constant(0.5);
                let half = self.start.div(half, x);
                let half = self.capture(half);
                Some(self.order.mul(top, half))
            }
            Instruction::Powi(a, n) => self.by_rule(x, Some(a), &[(f64::from(n), Some(x), a)]),
            Instruction::Powf(a, p) => {
                let p = self.capture(p);
                let rule = self.by_rule(x, None, &[(1.0, Some(x), a)])?;
                let scaled = self.order.mul(p, rule);
                self.weighted(x, a, scaled)
            }
            Instruction::Call(function, a, b) => self.call(x, function, a, b),
            _ => None,
        }
    }

    fn of(&self, value: Value) -> Option<Value> {
        let index = value.index();
        debug_assert!(!self.moves[index] || self.shortcuts.reads(value), "what is read is marked");
        self.coefficients[value.index()]
    }

    /// Σ ± of those that are there.
    fn total<const N: usize>(&mut self, terms: [(Sign, Option<Value>); N]) -> Option<Value> {
        let (mut total, order) = (None, &mut self.order);
        for (sign, value) in terms {
            let Some(value) = value else { continue };
            total = Some(match (total, sign) {
                (None, Sign::Plus) => value,
                (None, Sign::Minus) => order.neg(value),
                (Some(total), Sign::Plus) => order.add(total, value),
                (Some(total), Sign::Minus) => order.sub(total, value),
            });
        }
        total
    }

    /// A value of order 0 in the recurrence.
    fn capture(&mut self, value: Value) -> Value {
        if let Some(constant) = self.start.as_constant(value) {
            return self.order.constant(constant);
        }
        let Self { captured, captures, order, .. } = self;
        *captures.entry(value).or_insert_with(|| {
            captured.push(value);
            order.push(Instruction::Captured(captured.len() as u32 - 1))
        })
    }

    /// [a, b]ₖ; none where one of them does not move.
    fn sum(&mut self, a: Factor, b: Factor) -> Option<Value> {
        if !(self.moves[a.value().index()] && self.moves[b.value().index()]) {
            return None;
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(slope) = self.slopes[a.value().index()] {
                let (slope, before) = (self.capture(slope), self.before(b));
                return Some(self.order.mul(slope, before));
            }
        }
        let pair = match (a, b) {
            (Factor::Plain(_), Factor::Plain(_)) => (a.min(b), a.max(b)),
            _ => (a, b),
        };
        let Self { known, sums, order, .. } = self;
        Some(*known.entry(pair).or_insert_with(|| {
            sums.push(pair);
            order.push(Instruction::Variable(SUMS + sums.len() as u32 - 1))
        }))
    }

    /// A factor's coefficient of the order before, 0 for that of order 0.
    fn before(&mut self, factor: Factor) -> Value {
        let known = self.handed.iter().position(|other| *other == factor);
        let index = known.unwrap_or_else(|| {
            self.handed.push(factor);
            self.handed.len() - 1
        });
        self.order.push(Instruction::Variable(HANDED + index as u32))
    }

    /// A factor's coefficient of order k.
    fn factor(&mut self, factor: Factor) -> Option<Value> {
        let coefficient = self.of(factor.value())?;
        Some(match factor {
            Factor::Plain(_) => coefficient,
            Factor::Derivative(_) => {
                let k = self.order.push(Instruction::Variable(ORDER));
                self.order.mul(k, coefficient)
            }
        })
    }

    /// u₀aₖ, where it is not 0.
    fn scaled(&mut self, u: Value, a: Value) -> Option<Value> {
        let a = self.of(a)?;
        let u = self.capture(u);
        Some(self.order.mul(u, a))
    }

    /// a₀bₖ + aₖb₀ + [a, b]ₖ.
    fn product(&mut self, a: Value, b: Value) -> Option<Value> {
        if a == b {
            return self.square(a);
        }
        let (left, right) = (self.scaled(a, b), self.scaled(b, a));
        let sum = self.sum(Factor::Plain(a), Factor::Plain(b));
        self.total([left, right, sum].map(|term| (Sign::Plus, term)))
    }

    /// (2a₀)aₖ + [a, a]ₖ.
    fn square(&mut self, a: Value) -> Option<Value> {
        let twice = self.start.add(a, a);
        let (end, sum) = (self.scaled(twice, a), self.sum(Factor::Plain(a), Factor::Plain(a)));
        self.total([end, sum].map(|term| (Sign::Plus, term)))
    }

    /// (aₖ − x₀bₖ − [x, b]ₖ)/b₀.
    fn quotient(&mut self, x: Value, a: Value, b: Value) -> Option<Value> {
        let (top, end) = (self.of(a), self.scaled(x, b));
        let sum = self.sum(Factor::Plain(x), Factor::Plain(b));
        let top = self.total([(Sign::Plus, top), (Sign::Minus, end), (Sign::Minus, sum)])?;
        let one = self.start.constant(1.0);
        let inverse = self.start.div(one, b);
        let inverse = self.capture(inverse);
        Some(self.order.mul(top, inverse))
    }

    /// xₖ of w ẋ = Σ σ u ȧ.
    fn by_rule(
        &mut self,
        x: Value,
        w: Option<Value>,
        terms: &[(f64, Option<Value>, Value)],
    ) -> Option<Value> {
        let mut total = None;
        for &(σ, u, a) in terms {
            let term = self.term(Term { σ, u, a });
            total = self.total([(Sign::Plus, total), (Sign::Plus, term)]);
        }
        match w {
            None => total,
            Some(w) => self.weighted(x, w, total?),
        }
    }

    /// σ (aₖu₀ + [ȧ, u]ₖ/k).
    fn term(&mut self, Term { σ, u, a }: Term) -> Option<Value> {
        let term = match u {
            None => self.of(a),
            Some(u) => {
                let end = self.scaled(u, a);
                let sum = self.sum(Factor::Derivative(a), Factor::Plain(u));
                let sum = sum.map(|sum| self.over_order(sum));
                self.total([(Sign::Plus, end), (Sign::Plus, sum)])
            }
        }?;
        let σ = self.order.constant(σ);
        Some(self.order.mul(σ, term))
    }

    /// (right − [ẋ, w]ₖ/k)/w₀.
    fn weighted(&mut self, x: Value, w: Value, right: Value) -> Option<Value> {
        let sum = self.sum(Factor::Derivative(x), Factor::Plain(w));
        let sum = sum.map(|sum| self.over_order(sum));
        let top = self.total([(Sign::Plus, Some(right)), (Sign::Minus, sum)])?;
        let one = self.start.constant(1.0);
        let inverse = self.start.div(one, w);
        let inverse = self.capture(inverse);
        Some(self.order.mul(top, inverse))
    }

    /// A value over k.
    fn over_order(&mut self, value: Value) -> Value {
        let inverse = self.order.push(Instruction::Variable(INVERSE));
        self.order.mul(inverse, value)
    }

    fn call(&mut self, x: Value, function: Function, a: Value, b: Value) -> Option<Value> {
        let rule = series_rule(&mut self.start, function, [x, a, b])?;
        self.by_rule(x, rule.weight, &rule.terms)
    }
}

/// a₁ of the values that are linear: t, coordinates and velocities whose rates do not move, and linear
/// combinations of these.
fn slopes(motion: &Motion<'_>, merged: &mut Merged, rates: &[Value]) -> Vec<Option<Value>> {
    let mut slopes: Vec<Option<Value>> = Vec::with_capacity(merged.moves.len());
    for index in 0..merged.moves.len() {
        let Merged { builder: b, moves, .. } = &mut *merged;
        let of = |value: Value| slopes[value.index()];
        let still = |value: Value| !moves[value.index()];
        let rate = |entry: usize| Some(rates[entry]).filter(|rate| still(*rate));
        let slope = match b.instruction(Value(index as u32)) {
            _ if !moves[index] => None,
            Instruction::Input(symbol) => match motion.pool.symbol_info(symbol).kind {
                SymbolKind::Coordinate(coordinate) => rate(coordinate),
                SymbolKind::Velocity(speed) => rate(motion.positions + speed),
                _ => Some(b.constant(1.0)),
            },
            Instruction::Neg(x) => of(x).map(|x| b.neg(x)),
            Instruction::Add(x, y) => match (of(x), of(y)) {
                (Some(x), Some(y)) => Some(b.add(x, y)),
                (Some(slope), None) if still(y) => Some(slope),
                (None, Some(slope)) if still(x) => Some(slope),
                _ => None,
            },
            Instruction::Sub(x, y) => match (of(x), of(y)) {
                (Some(x), Some(y)) => Some(b.sub(x, y)),
                (Some(slope), None) if still(y) => Some(slope),
                (None, Some(slope)) if still(x) => Some(b.neg(slope)),
                _ => None,
            },
            Instruction::Mul(x, y) => match (of(x), of(y)) {
                (Some(slope), None) if still(y) => Some(b.mul(slope, y)),
                (None, Some(slope)) if still(x) => Some(b.mul(x, slope)),
                _ => None,
            },
            Instruction::Div(x, y) if still(y) => of(x).map(|slope| b.div(slope, y)),
            _ => None,
        };
        slopes.push(slope);
    }
    slopes
}

/// What an output is called.
fn output_name(index: usize, state: usize) -> String {
    match index.checked_sub(state) {
        None => format!("ẏ[{index}]"),
        Some(observed) => format!("observed[{observed}]"),
    }
}
