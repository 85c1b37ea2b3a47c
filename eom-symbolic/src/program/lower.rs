//! Expressions to instructions. Each node is lowered once; products are multiplied from the
//! slow-changing factors (parameters) to the fast (velocities), so that prefixes are shared.

use super::{Builder, Instruction, Value};
use crate::node::{ExprId, Function, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use rustc_hash::FxHashMap;

/// Lowers expressions of one pool into one program.
#[derive(Debug)]
pub(crate) struct Lowering<'p> {
    pool: &'p ExprPool,
    /// The program so far.
    pub(crate) builder: Builder,
    values: FxHashMap<ExprId, Value>,
    levels: FxHashMap<ExprId, u8>,
    /// Expressions whose inverse root is 0 where they are 0.
    guarded: &'p [ExprId],
}

impl<'p> Lowering<'p> {
    pub(crate) fn new(pool: &'p ExprPool) -> Self {
        Self {
            pool,
            builder: Builder::new(),
            values: FxHashMap::default(),
            levels: FxHashMap::default(),
            guarded: &[],
        }
    }

    /// Takes a^(−1/2) as 0 at a = 0 for these a.
    pub(crate) fn guarding(pool: &'p ExprPool, guarded: &'p [ExprId]) -> Self {
        Self { guarded, ..Self::new(pool) }
    }

    /// The value of an expression.
    pub(crate) fn lower(&mut self, expr: ExprId) -> Value {
        for id in self.pending(expr) {
            let value = self.lower_node(id);
            self.values.insert(id, value);
        }
        self.values[&expr]
    }

    /// The nodes below `expr` without a value yet, children before parents.
    fn pending(&self, expr: ExprId) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(id) = stack.pop() {
            if !self.values.contains_key(&id) && seen.insert(id) {
                self.for_lowered_children(id, |child| stack.push(child));
            }
        }
        let mut order: Vec<ExprId> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// Children that become values: exponents that are numbers do not.
    fn for_lowered_children(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match self.pool.view(id) {
            View::Product { factors, .. } => {
                for &(base, exponent) in factors {
                    visit(base);
                    if self.pool.as_number(exponent).is_none() {
                        visit(exponent);
                    }
                }
            }
            _ => self.pool.for_children(id, visit),
        }
    }

    fn lower_node(&mut self, id: ExprId) -> Value {
        match self.pool.view(id) {
            View::Number(value) => self.builder.constant(value.to_f64()),
            View::Undefined => self.builder.constant(f64::NAN),
            View::Symbol(symbol) => match self.pool.symbol_info(symbol).kind {
                SymbolKind::Pi => self.builder.constant(std::f64::consts::PI),
                _ => self.builder.push(Instruction::Input(symbol)),
            },
            View::Sum(terms) => self.lower_sum(terms),
            View::Product { coefficient, factors } => self.lower_product(coefficient, factors),
            View::Call(Function::Declared(partial), arguments) => {
                let point: Vec<Value> = arguments.iter().map(|a| self.values[a]).collect();
                self.builder.partial(partial, &point)
            }
            View::Call(function, arguments) => {
                let first = self.values[&arguments[0]];
                let second = arguments.get(1).map(|argument| self.values[argument]);
                self.builder.call(function, first, second)
            }
        }
    }

    fn coefficient(&self, id: ExprId) -> Rational {
        self.pool.as_number(id).cloned().unwrap_or(Rational::ZERO)
    }

    /// Σ cᵢ eᵢ: a common |c| is multiplied once, positive terms come first so that no term is
    /// negated.
    fn lower_sum(&mut self, terms: &[(ExprId, ExprId)]) -> Value {
        let coefficients: Vec<Rational> = terms.iter().map(|(c, _)| self.coefficient(*c)).collect();
        let first = coefficients[0].abs();
        let common =
            if coefficients.iter().all(|c| c.abs() == first) { first } else { Rational::ONE };
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by_key(|i| coefficients[*i].is_negative());
        let all_negative = coefficients[order[0]].is_negative();
        let mut sum: Option<Value> = None;
        for i in order {
            let magnitude = if common.is_one() { coefficients[i].abs() } else { Rational::ONE };
            let value = self.values[&terms[i].1];
            let scale = self.builder.constant(magnitude.to_f64());
            let term = self.builder.mul(scale, value);
            let negative = coefficients[i].is_negative() != all_negative;
            sum = Some(match sum {
                None => term,
                Some(sum) if negative => self.builder.sub(sum, term),
                Some(sum) => self.builder.add(sum, term),
            });
        }
        let sum = sum.unwrap_or_else(|| self.builder.constant(0.0));
        let scale = if all_negative { common.neg() } else { common };
        let scale = self.builder.constant(scale.to_f64());
        self.builder.mul(scale, sum)
    }

    /// c·∏ bᵉ as numerator/denominator.
    fn lower_product(&mut self, coefficient: ExprId, factors: &[(ExprId, ExprId)]) -> Value {
        let mut ordered = factors.to_vec();
        ordered.sort_by_key(|&(base, _)| (self.level(base), base));
        let mut above: Option<Value> = None;
        let mut below: Option<Value> = None;
        for (base, exponent) in ordered {
            let (value, inverted) = self.lower_power(base, exponent);
            let side = if inverted { &mut below } else { &mut above };
            *side = Some(match *side {
                Some(product) => self.builder.mul(product, value),
                None => value,
            });
        }
        let scale = self.coefficient(coefficient);
        let negative = scale.is_negative();
        let scale = self.builder.constant(scale.abs().to_f64());
        let above = match above {
            Some(product) => self.builder.mul(scale, product),
            None => scale,
        };
        let value = match below {
            Some(below) => self.builder.div(above, below),
            None => above,
        };
        if negative { self.builder.neg(value) } else { value }
    }

    /// base^|exponent| and whether it belongs below the line.
    fn lower_power(&mut self, base: ExprId, exponent: ExprId) -> (Value, bool) {
        let value = self.values[&base];
        let Some(number) = self.pool.as_number(exponent) else {
            let exponent = self.values[&exponent];
            return (self.builder.push(Instruction::Powf(value, exponent)), false);
        };
        let (magnitude, inverted) = (number.abs(), number.is_negative());
        let doubled = magnitude.mul(&Rational::integer(2)).as_integer();
        let power = match doubled.and_then(|n| u32::try_from(n).ok()) {
            Some(n) if n % 2 == 0 => self.builder.powi(value, n / 2),
            Some(1) if inverted && self.guarded.contains(&base) => {
                let root = self.builder.sqrt(value);
                return (self.builder.push(Instruction::InverseOrZero(root)), false);
            }
            Some(1) => self.builder.sqrt(value),
            // b^(n + 1/2) = bⁿ √b
            Some(n) => {
                let whole = self.builder.powi(value, n / 2);
                let root = self.builder.sqrt(value);
                self.builder.mul(whole, root)
            }
            None => {
                let exponent = self.builder.constant(magnitude.to_f64());
                self.builder.push(Instruction::Powf(value, exponent))
            }
        };
        (power, inverted)
    }

    /// How fast an expression changes: 0 parameters, 1 time and coordinates, 2 velocities.
    fn level(&mut self, expr: ExprId) -> u8 {
        if let Some(level) = self.levels.get(&expr) {
            return *level;
        }
        let symbols = self.pool.symbols_in(&[expr]);
        let level = symbols
            .into_iter()
            .map(|symbol| match self.pool.symbol_info(symbol).kind {
                SymbolKind::Pi | SymbolKind::Parameter(_) | SymbolKind::Constant(_) => 0,
                SymbolKind::Time | SymbolKind::Coordinate(_) | SymbolKind::Jet(_) => 1,
                _ => 2,
            })
            .max()
            .unwrap_or(0);
        self.levels.insert(expr, level);
        level
    }
}
