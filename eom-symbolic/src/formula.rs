//! A formula of a few arguments with its partial derivatives as programs: a smooth function that is
//! known at run time only, such as one of the command line.

use crate::node::{ExprId, Partial, SymbolId};
use crate::pool::ExprPool;
use crate::program::Program;
use std::sync::OnceLock;

/// How often a partial is differentiated with respect to each argument.
type Orders = [u8; Partial::ARGUMENTS_MAX];

/// The highest total order of a partial.
const ORDER_MAX: usize = 4;

/// An expression of arguments and of symbols with fixed values.
#[derive(Debug, Clone)]
pub struct Formula {
    pool: ExprPool,
    value: ExprId,
    arguments: Vec<SymbolId>,
    fixed: Vec<(SymbolId, f64)>,
    /// For each order the program of all partials up to it, made when first asked for.
    programs: [OnceLock<Program>; ORDER_MAX + 1],
}

impl Formula {
    /// The formula; symbols that are neither arguments nor fixed are NaN.
    pub fn new(
        pool: ExprPool,
        value: ExprId,
        arguments: Vec<SymbolId>,
        fixed: Vec<(SymbolId, f64)>,
    ) -> Self {
        Self { pool, value, arguments, fixed, programs: Default::default() }
    }

    /// The number of arguments.
    pub fn arity(&self) -> usize {
        self.arguments.len()
    }

    /// Writes partials of given orders at a point; NaN beyond order 4.
    pub fn partials(&self, point: &[f64], orders: &[Orders], values: &mut [f64]) {
        let order = orders.iter().copied().map(total).max().unwrap_or(0).min(ORDER_MAX);
        let program = self.programs[order].get_or_init(|| self.program(order));
        let symbol = |symbol: SymbolId| {
            let argument = self.arguments.iter().position(|a| *a == symbol);
            let fixed = || self.fixed.iter().find(|(s, _)| *s == symbol).map(|(_, value)| *value);
            argument.and_then(|at| point.get(at).copied()).or_else(fixed).unwrap_or(f64::NAN)
        };
        let all = program.evaluate(symbol);
        let known = self.orders(order);
        for (value, orders) in values.iter_mut().zip(orders) {
            let at = known.iter().position(|known| known == orders);
            *value = at.map_or(f64::NAN, |at| all[at]);
        }
    }

    /// All orders of a total up to `order`, each after those that it is a derivative of.
    fn orders(&self, order: usize) -> Vec<Orders> {
        let mut all = vec![Orders::default()];
        let mut read = 0;
        while read < all.len() {
            let orders = all[read];
            read += 1;
            for which in 0..self.arity().min(Partial::ARGUMENTS_MAX) {
                let mut raised = orders;
                raised[which] += 1;
                if total(raised) <= order && !all.contains(&raised) {
                    all.push(raised);
                }
            }
        }
        all
    }

    fn program(&self, order: usize) -> Program {
        let mut pool = self.pool.clone();
        let entries: Vec<(String, ExprId)> = self
            .orders(order)
            .iter()
            .map(|orders| {
                let partial = pool.derivative(self.value, &self.arguments, orders);
                (format!("{orders:?}"), partial)
            })
            .collect();
        Program::of_expressions(&pool, "formula", entries)
    }
}

fn total(orders: Orders) -> usize {
    orders.iter().map(|order| usize::from(*order)).sum()
}
