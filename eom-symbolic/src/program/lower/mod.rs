//! Expressions to instructions. Each node is lowered once; products are multiplied from the
//! slow-changing factors (parameters) to the fast (velocities), so that prefixes are shared.
//!
//! An integrand is a program of its own, within a *scope* that knows its variable. What is free of
//! the variable is computed once in the scope around it and captured.

mod integral;
mod root;

use super::{Builder, Instruction, Program, Value};
use crate::node::{ExprId, Function, SymbolId, SymbolKind, View};
use crate::number::Rational;
use crate::pool::{ExprPool, Kinds};
use eom_elementary::order;
use rustc_hash::FxHashMap;

/// A term of a sum or a factor of a product, as ids.
type Pair = (ExprId, ExprId);

/// Lowers expressions of one pool into one program.
#[derive(Debug)]
pub(crate) struct Lowering<'p> {
    pool: &'p ExprPool,
    /// The program, and the integrands that are open within it.
    scopes: Vec<Scope>,
    levels: FxHashMap<ExprId, u8>,
    /// Expressions whose inverse root is 0 where they are 0; those of integrands all are.
    guarded: &'p [ExprId],
}

impl Program {
    /// A program of named expressions.
    pub fn of_expressions(
        pool: &ExprPool,
        name: &str,
        entries: impl IntoIterator<Item = (String, ExprId)>,
    ) -> Self {
        Lowering::new(pool).program(name, entries)
    }
}

/// A program that is being built.
#[derive(Debug, Default)]
struct Scope {
    builder: Builder,
    values: FxHashMap<ExprId, Value>,
    /// The variables it is given: of an integrand its own.
    variables: Vec<SymbolId>,
    /// Values of the scope around it that it reads, and what they are called here.
    captured: Vec<Value>,
    captures: FxHashMap<Value, Value>,
    /// The innermost scope on which an expression depends.
    depths: FxHashMap<ExprId, usize>,
}

impl<'p> Lowering<'p> {
    pub(crate) fn new(pool: &'p ExprPool) -> Self {
        Self { pool, scopes: vec![Scope::default()], levels: FxHashMap::default(), guarded: &[] }
    }

    /// Takes a^(−1/2) as 0 at a = 0 for these a.
    pub(crate) fn guarding(pool: &'p ExprPool, guarded: &'p [ExprId]) -> Self {
        Self { guarded, ..Self::new(pool) }
    }

    /// The value of an expression.
    pub(crate) fn lower(&mut self, expr: ExprId) -> Value {
        self.lower_in(0, expr)
    }

    /// Takes a value that is known for an expression.
    pub(crate) fn know(&mut self, expr: ExprId, value: Value) {
        self.scopes[0].values.insert(expr, value);
    }

    /// The values of expressions.
    pub(crate) fn list(&mut self, entries: &[ExprId]) -> Vec<Value> {
        entries.iter().map(|entry| self.lower(*entry)).collect()
    }

    /// The values of a matrix, row after row.
    pub(crate) fn matrix(&mut self, rows: &[Vec<ExprId>]) -> Vec<Vec<Value>> {
        rows.iter().map(|row| self.list(row)).collect()
    }

    /// The values of aᵢ − bᵢ.
    pub(crate) fn differences(&mut self, a: &[ExprId], b: &[ExprId]) -> Vec<Value> {
        let pairs = a.iter().zip(b);
        let difference = pairs.map(|(a, b)| {
            let (a, b) = (self.lower(*a), self.lower(*b));
            self.builder().sub(a, b)
        });
        difference.collect()
    }

    /// The program so far.
    pub(crate) fn into_builder(mut self) -> Builder {
        self.scopes.swap_remove(0).builder
    }

    /// The program so far, to add instructions to.
    pub(crate) fn builder(&mut self) -> &mut Builder {
        &mut self.scopes[0].builder
    }

    /// The value of an expression in a scope: captured where it does not depend on it.
    fn lower_in(&mut self, scope: usize, expr: ExprId) -> Value {
        if let Some(value) = self.scopes[scope].values.get(&expr) {
            return *value;
        }
        let depth = self.depth(scope, expr);
        if depth < scope && self.pool.as_number(expr).is_none() {
            let value = self.lower_in(depth, expr);
            let value = self.captured(depth, scope, value);
            self.scopes[scope].values.insert(expr, value);
            return value;
        }
        for id in self.pending(scope, expr) {
            if !self.scopes[scope].values.contains_key(&id) {
                let value = self.lower_node(scope, id);
                self.scopes[scope].values.insert(id, value);
            }
        }
        self.scopes[scope].values[&expr]
    }

    /// A value of one scope in another within it.
    fn captured(&mut self, from: usize, to: usize, mut value: Value) -> Value {
        for scope in from + 1..=to {
            let constant = self.scopes[scope - 1].builder.as_constant(value);
            let Scope { builder, captured, captures, .. } = &mut self.scopes[scope];
            value = match constant {
                Some(constant) => builder.constant(constant),
                None => *captures.entry(value).or_insert_with(|| {
                    captured.push(value);
                    builder.push(Instruction::Captured(captured.len() as u32 - 1))
                }),
            };
        }
        value
    }

    /// The innermost scope up to this one on whose variables an expression depends.
    fn depth(&mut self, scope: usize, expr: ExprId) -> usize {
        if scope == 0 || self.pool.mask(expr) == 0 {
            return 0;
        }
        if let Some(depth) = self.scopes[scope].depths.get(&expr) {
            return *depth;
        }
        let symbols = self.pool.symbols_in(&[expr]);
        let depends = |s: &Scope| s.variables.iter().any(|variable| symbols.contains(variable));
        let depth = (1..=scope).rev().find(|i| depends(&self.scopes[*i])).unwrap_or(0);
        self.scopes[scope].depths.insert(expr, depth);
        depth
    }

    /// The nodes below `expr` that depend on a scope and have no value yet, children before parents.
    fn pending(&mut self, scope: usize, expr: ExprId) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(id) = stack.pop() {
            let own = id == expr || scope == 0 || self.depth(scope, id) == scope;
            if own && !self.scopes[scope].values.contains_key(&id) && seen.insert(id) {
                self.for_lowered_children(id, |child| stack.push(child));
            }
        }
        let mut order: Vec<ExprId> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// Children that become values: exponents that are numbers do not, nor does an integrand.
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
            View::Integral { lower, upper, .. } => [lower, upper].into_iter().for_each(visit),
            _ => self.pool.for_children(id, visit),
        }
    }

    fn lower_node(&mut self, scope: usize, id: ExprId) -> Value {
        let builder = &mut self.scopes[scope].builder;
        match self.pool.view(id) {
            View::Number(value) => builder.constant(value.to_f64()),
            View::Undefined => builder.constant(f64::NAN),
            View::Symbol(symbol) => {
                let variable = self.scopes[scope].variables.iter().position(|v| *v == symbol);
                let builder = &mut self.scopes[scope].builder;
                match (variable, self.pool.symbol_info(symbol).kind) {
                    (Some(variable), _) => builder.push(Instruction::Variable(variable as u32)),
                    (None, SymbolKind::Pi) => builder.constant(std::f64::consts::PI),
                    _ => builder.push(Instruction::Input(symbol)),
                }
            }
            View::Sum(terms) => self.lower_sum(scope, terms),
            View::Product { coefficient, factors } => {
                let coefficient = self.coefficient(coefficient);
                self.lower_product(scope, &coefficient, factors)
            }
            View::Call(function, arguments) => {
                let point: Vec<Value> =
                    arguments.iter().map(|a| self.lower_in(scope, *a)).collect();
                let builder = &mut self.scopes[scope].builder;
                match function {
                    Function::Declared(partial) => builder.partial(partial, &point),
                    _ => builder.call(function, point[0], point.get(1).copied()),
                }
            }
            View::Integral { .. } => {
                self.prepare_in(scope, &[id]);
                self.scopes[scope].values[&id]
            }
        }
    }

    fn coefficient(&self, id: ExprId) -> Rational {
        self.pool.as_number(id).cloned().unwrap_or(Rational::ZERO)
    }

    /// Those of a sum's terms or a product's factors that a scope need not compute again and again.
    fn split_free(&mut self, scope: usize, pairs: &[Pair]) -> (Vec<Pair>, Vec<Pair>, usize) {
        let (mut free, mut moving, mut depth) = (Vec::new(), Vec::new(), 0);
        for &pair in pairs {
            let own = self.depth(scope, pair.0).max(self.depth(scope, pair.1));
            if own < scope {
                depth = depth.max(own);
                free.push(pair);
            } else {
                moving.push(pair);
            }
        }
        (free, moving, depth)
    }

    /// The terms of a sum that depend on parameters and numbers only, and the others, where both
    /// are some and the former are more than one.
    fn split_fixed(&mut self, terms: &[Pair]) -> Option<(Vec<Pair>, Vec<Pair>)> {
        let (fixed, moving): (Vec<Pair>, Vec<Pair>) =
            terms.iter().partition(|(_, e)| self.level(*e) == 0);
        (fixed.len() > 1 && !moving.is_empty()).then_some((fixed, moving))
    }

    /// Σ cᵢ eᵢ: a common |c| is multiplied once, positive terms come first so that no term is
    /// negated.
    fn lower_sum(&mut self, scope: usize, terms: &[Pair]) -> Value {
        if scope > 0 {
            let (free, moving, depth) = self.split_free(scope, terms);
            if free.len() > 1 && !moving.is_empty() {
                let outer = self.lower_sum(depth, &free);
                let outer = self.captured(depth, scope, outer);
                let inner = self.lower_sum(scope, &moving);
                return self.scopes[scope].builder.add(outer, inner);
            }
        }
        if let Some((fixed, moving)) = self.split_fixed(terms) {
            // What depends on parameters only is one term.
            let (fixed, moving) = (self.lower_sum(scope, &fixed), self.lower_sum(scope, &moving));
            return self.scopes[scope].builder.add(fixed, moving);
        }
        let coefficients: Vec<Rational> = terms.iter().map(|(c, _)| self.coefficient(*c)).collect();
        let first = coefficients[0].abs();
        let common =
            if coefficients.iter().all(|c| c.abs() == first) { first } else { Rational::ONE };
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order::sort_by_key(&mut order, |i| coefficients[*i].is_negative());
        let all_negative = coefficients[order[0]].is_negative();
        let mut sum: Option<Value> = None;
        for i in order {
            let magnitude = if common.is_one() { coefficients[i].abs() } else { Rational::ONE };
            let value = self.lower_in(scope, terms[i].1);
            let builder = &mut self.scopes[scope].builder;
            let scale = builder.constant(magnitude.to_f64());
            let term = builder.mul(scale, value);
            let negative = coefficients[i].is_negative() != all_negative;
            sum = Some(match sum {
                None => term,
                Some(sum) if negative => builder.sub(sum, term),
                Some(sum) => builder.add(sum, term),
            });
        }
        let builder = &mut self.scopes[scope].builder;
        let sum = sum.unwrap_or_else(|| builder.constant(0.0));
        let scale = if all_negative { common.neg() } else { common };
        let scale = builder.constant(scale.to_f64());
        builder.mul(scale, sum)
    }

    /// c·∏ bᵉ as numerator/denominator.
    fn lower_product(&mut self, scope: usize, coefficient: &Rational, factors: &[Pair]) -> Value {
        if scope > 0 {
            let (free, moving, depth) = self.split_free(scope, factors);
            let scaled = usize::from(!coefficient.abs().is_one());
            if !free.is_empty() && free.len() + scaled > 1 && !moving.is_empty() {
                let outer = self.lower_product(depth, coefficient, &free);
                let outer = self.captured(depth, scope, outer);
                let inner = self.lower_product(scope, &Rational::ONE, &moving);
                return self.scopes[scope].builder.mul(outer, inner);
            }
        }
        let levelled = factors.iter().map(|&factor| (self.level(factor.0), factor));
        let mut ordered: Vec<_> = levelled.collect();
        order::sort_by_key(&mut ordered, |&(level, (base, _))| (level, base));
        let mut above: Option<Value> = None;
        let mut below: Option<Value> = None;
        for (_, (base, exponent)) in ordered {
            let (value, inverted) = self.lower_power(scope, base, exponent);
            let side = if inverted { &mut below } else { &mut above };
            *side = Some(match *side {
                Some(product) => self.scopes[scope].builder.mul(product, value),
                None => value,
            });
        }
        let builder = &mut self.scopes[scope].builder;
        let scale = builder.constant(coefficient.abs().to_f64());
        let above = match above {
            Some(product) => builder.mul(scale, product),
            None => scale,
        };
        let value = match below {
            Some(below) => builder.div(above, below),
            None => above,
        };
        if coefficient.is_negative() { builder.neg(value) } else { value }
    }

    /// base^|exponent| and whether it belongs below the line.
    fn lower_power(&mut self, scope: usize, base: ExprId, exponent: ExprId) -> (Value, bool) {
        let value = self.lower_in(scope, base);
        let Some(number) = self.pool.as_number(exponent) else {
            let exponent = self.lower_in(scope, exponent);
            let power = Instruction::Powf(value, exponent);
            return (self.scopes[scope].builder.push(power), false);
        };
        let guarded = scope > 0 || self.guarded.contains(&base);
        let builder = &mut self.scopes[scope].builder;
        let (magnitude, inverted) = (number.abs(), number.is_negative());
        let doubled = magnitude.mul(&Rational::integer(2)).as_integer();
        let power = match doubled.and_then(|n| u32::try_from(n).ok()) {
            Some(n) if n % 2 == 0 => builder.powi(value, n / 2),
            Some(n) if inverted && guarded && (n == 1 || scope > 0) => {
                let root = builder.sqrt(value);
                let inverse = builder.push(Instruction::InverseOrZero(root));
                return (builder.powi(inverse, n), false);
            }
            Some(1) => builder.sqrt(value),
            // b^(n + 1/2) = bⁿ √b
            Some(n) => {
                let whole = builder.powi(value, n / 2);
                let root = builder.sqrt(value);
                builder.mul(whole, root)
            }
            None => {
                let exponent = builder.constant(magnitude.to_f64());
                builder.push(Instruction::Powf(value, exponent))
            }
        };
        (power, inverted)
    }

    /// How fast an expression changes: 0 parameters, 1 time and coordinates, 2 velocities.
    fn level(&mut self, expr: ExprId) -> u8 {
        if !self.pool.has_integral(expr) {
            let kinds = self.pool.kinds(expr);
            let is_fast =
                [Kinds::VELOCITY, Kinds::BOUND, Kinds::OTHER].iter().any(|k| kinds.have(*k));
            return if is_fast { 2 } else { u8::from(kinds.have(Kinds::STATE)) };
        }
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

    /// The program of named expressions.
    pub(crate) fn program(
        mut self,
        name: &str,
        entries: impl IntoIterator<Item = (String, ExprId)>,
    ) -> Program {
        let pool = self.pool;
        let entries: Vec<(String, ExprId)> = entries.into_iter().collect();
        let expressions: Vec<ExprId> = entries.iter().map(|entry| entry.1).collect();
        self.prepare(&expressions);
        let values = entries.into_iter().map(|(name, expr)| (name, self.lower(expr)));
        let values: Vec<(String, Value)> = values.collect();
        let mut b = self.into_builder();
        for (name, value) in values {
            b.output(name, value);
        }
        b.finish(name).with_shared_products(pool)
    }
}
