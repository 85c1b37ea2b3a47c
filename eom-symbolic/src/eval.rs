//! The reference evaluation of expressions in f64, with a bound on what rounding can do to it.

use crate::graph::Table;
use crate::node::{ExprId, Function, Partial, SymbolId, View};
use crate::pool::ExprPool;
use crate::program::Program;
use eom_elementary as elementary;

/// A value with the size of what was added up to reach it: rounding moves the value by a small
/// multiple of ε·size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// A bound, up to a modest factor, of |error|/ε.
    pub size: f64,
}

/// What is below so many roundings cannot be told from 0.
const JUMP_ROUNDINGS: f64 = 1e3;

impl ExprPool {
    /// The values of expressions, symbols taking the values that `symbol` gives.
    pub fn evaluate(&self, roots: &[ExprId], symbol: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        self.evaluate_with_error(roots, |s| Estimate::exact(symbol(s)))
            .iter()
            .map(|v| v.value)
            .collect()
    }

    /// The values with their sizes; see [`Estimate`]. NaN where they need a declared function.
    pub fn evaluate_with_error(
        &self,
        roots: &[ExprId],
        symbol: impl Fn(SymbolId) -> Estimate,
    ) -> Vec<Estimate> {
        self.evaluate_with(roots, symbol, |_, _| f64::NAN)
    }

    /// The same with the values of partials of declared functions at points; their slopes count as
    /// of order 1 in the sizes.
    pub fn evaluate_with(
        &self,
        roots: &[ExprId],
        symbol: impl Fn(SymbolId) -> Estimate,
        partial: impl Fn(Partial, &[f64]) -> f64,
    ) -> Vec<Estimate> {
        Sweep::new(self, roots).run(self, &symbol, &partial)
    }

    /// The values of expressions at one state, for whoever asks again and again: what is known of nodes by their places
    /// is not evaluated anew.
    pub(crate) fn evaluate_more(
        &self,
        roots: &[ExprId],
        known: &mut Vec<Option<f64>>,
        symbol: impl Fn(SymbolId) -> f64,
    ) -> Vec<f64> {
        known.resize(known.len().max(self.len()), None);
        for id in self.below_where(roots, |id| known[id.index()].is_none()) {
            let value = match self.view(id) {
                View::Integral { .. } => self.evaluate(&[id], &symbol)[0],
                _ => {
                    let child = |id: ExprId| known[id.index()].unwrap_or(f64::NAN);
                    let symbol = |s| Estimate::exact(symbol(s));
                    self.node_value(id, &|id| Estimate::exact(child(id)), &symbol).value
                }
            };
            known[id.index()] = Some(value);
        }
        roots.iter().map(|root| known[root.index()].unwrap_or(f64::NAN)).collect()
    }

    fn node_value(
        &self,
        id: ExprId,
        child: &impl Fn(ExprId) -> Estimate,
        symbol: &impl Fn(SymbolId) -> Estimate,
    ) -> Estimate {
        match self.view(id) {
            View::Number(value) => Estimate::exact(value.to_f64()),
            View::Undefined | View::Integral { .. } => Estimate::exact(f64::NAN),
            View::Symbol(s) => symbol(s),
            View::Sum(terms) => {
                terms.iter().fold(Estimate { value: 0.0, size: 0.0 }, |sum, (c, e)| {
                    let (c, e) = (self.coefficient(*c), child(*e));
                    Estimate { value: sum.value + c * e.value, size: sum.size + (c * e.size).abs() }
                })
            }
            View::Product { coefficient, factors } => {
                let start = Estimate::exact(self.coefficient(coefficient));
                factors.iter().fold(start, |product, (base, exponent)| {
                    product.times(child(*base).power(child(*exponent)))
                })
            }
            View::Call(function, arguments) => {
                let y = arguments.get(1).map_or(Estimate::exact(0.0), |y| child(*y));
                let x = child(arguments[0]).at_jump(function, y);
                let value = function.evaluate(x.value, y.value);
                // |f(x + δ) − f(x)| for a δ of the argument's rounding.
                let step = f64::EPSILON * x.size;
                let slope = if step > 0.0 {
                    (function.evaluate(x.value + step, y.value) - value).abs() / f64::EPSILON
                } else {
                    0.0
                };
                // Of eˣ it says all; of others the argument counts where they are flat.
                let flat = if function == Function::Exp { 0.0 } else { x.size.min(1.0) };
                Estimate { value, size: value.abs() + slope.max(flat) + y.size.min(1.0) }
            }
        }
    }

    fn coefficient(&self, id: ExprId) -> f64 {
        self.as_number(id).map_or(f64::NAN, crate::Rational::to_f64)
    }
}

/// The nodes below some expressions in the order in which they are evaluated, found once for many
/// states.
#[derive(Debug)]
pub(crate) struct Sweep {
    roots: Vec<ExprId>,
    /// Children before parents, without those of integrands.
    order: Vec<ExprId>,
    /// The place of each node in this order.
    places: Table,
    /// What is evaluated of each integral, in this order.
    integrals: Vec<Integrand>,
}

/// An integral: the program of its value, and the walk of its integrand for the size.
#[derive(Debug)]
struct Integrand {
    program: Program,
    body: Sweep,
}

impl Sweep {
    pub(crate) fn new(pool: &ExprPool, roots: &[ExprId]) -> Self {
        let order = pool.below_outside(roots);
        let mut places = Table::default();
        let mut integrals = Vec::new();
        for (place, &id) in order.iter().enumerate() {
            places.insert(id, place as u32);
            if let View::Integral { body, .. } = pool.view(id) {
                // The value is that of the program which generated code runs.
                let program = Program::of_expressions(pool, "integral", [(String::new(), id)]);
                integrals.push(Integrand { program, body: Self::new(pool, &[body]) });
            }
        }
        Self { roots: roots.to_vec(), order, places, integrals }
    }

    /// The values of the roots with their sizes.
    pub(crate) fn run(
        &self,
        pool: &ExprPool,
        symbol: &dyn Fn(SymbolId) -> Estimate,
        partial: &dyn Fn(Partial, &[f64]) -> f64,
    ) -> Vec<Estimate> {
        let mut values: Vec<Estimate> = Vec::with_capacity(self.order.len());
        let at = |values: &[Estimate], id: ExprId| {
            let place = self.places.get(id).map(|place| place as usize);
            place.and_then(|place| values.get(place)).copied().unwrap_or(Estimate::exact(f64::NAN))
        };
        let mut integrals = self.integrals.iter();
        for &id in &self.order {
            let known = |id: ExprId| at(&values, id);
            let value = match (pool.view(id), integrals.as_slice().first()) {
                (View::Call(Function::Declared(p), arguments), _) => {
                    let point: Vec<f64> = arguments.iter().map(|a| known(*a).value).collect();
                    let value = partial(p, &point);
                    let size = arguments.iter().map(|a| known(*a).size).sum::<f64>();
                    Estimate { value, size: value.abs() + size }
                }
                (View::Integral { variable, lower, upper, .. }, Some(integral)) => {
                    let value = integral.program.evaluate_with(|s| symbol(s).value, partial)[0];
                    let ends = (known(lower), known(upper));
                    let size = integral.size(pool, variable, ends, symbol, partial);
                    integrals.next();
                    Estimate { value, size: value.abs() + size }
                }
                _ => pool.node_value(id, &known, &symbol),
            };
            values.push(value);
        }
        self.roots.iter().map(|root| at(&values, *root)).collect()
    }
}

impl Integrand {
    /// ∫ size ds, which covers the tolerance of the integral too, and the size of the ends times
    /// that of the integrand.
    fn size(
        &self,
        pool: &ExprPool,
        variable: SymbolId,
        (lower, upper): (Estimate, Estimate),
        symbol: &dyn Fn(SymbolId) -> Estimate,
        partial: &dyn Fn(Partial, &[f64]) -> f64,
    ) -> f64 {
        let (a, b) = (lower.value, upper.value);
        let size = eom_quadrature::coarse(a, b, |s| {
            let symbol = |x| if x == variable { Estimate::exact(s) } else { symbol(x) };
            let size = self.body.run(pool, &symbol, partial)[0].size;
            if size.is_finite() { size } else { 0.0 }
        });
        size.abs() * (1.0 + (lower.size + upper.size) / (b - a).abs().max(f64::MIN_POSITIVE))
    }
}

impl Estimate {
    /// A value known to rounding.
    pub fn exact(value: f64) -> Self {
        Self { value, size: value.abs() }
    }

    /// What cannot be told from 0 is 0 where a function of it jumps: a sign of rounding says nothing, nor has it a direction.
    fn at_jump(self, function: Function, beside: Self) -> Self {
        let is_rounding = |x: Self| x.value.abs() <= JUMP_ROUNDINGS * f64::EPSILON * x.size;
        match function {
            Function::Sign if is_rounding(self) => Self::exact(0.0),
            Function::Atan2
                if is_rounding(self) && is_rounding(beside) && self.size + beside.size > 0.0 =>
            {
                Self::exact(f64::NAN)
            }
            Function::Atan2 if is_rounding(self) && beside.value < 0.0 => Self::exact(0.0),
            _ => self,
        }
    }

    /// a·b: relative sizes add.
    fn times(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            size: self.size * other.value.abs() + self.value.abs() * other.size,
        }
    }

    /// aᵇ: the relative size is multiplied by |b|.
    fn power(self, exponent: Self) -> Self {
        if exponent.value == 1.0 {
            return self;
        }
        let value = power(self.value, exponent.value);
        let relative = exponent.value.abs() * self.size / self.value.abs();
        let from_exponent = exponent.size * elementary::ln(self.value.abs()).abs();
        let size = value.abs() * (1.0 + relative + from_exponent);
        Self { value, size: if size.is_finite() { size } else { value.abs() } }
    }
}

/// baseᵉˣᵖᵒⁿᵉⁿᵗ as generated code computes it: integer powers by multiplication, roots by sqrt.
pub fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 0.5 {
        base.sqrt()
    } else if exponent == -0.5 {
        base.sqrt().recip()
    } else if exponent.fract() == 0.0 && exponent.abs() <= 64.0 {
        elementary::powi(base, exponent as i32)
    } else {
        elementary::powf(base, exponent)
    }
}
