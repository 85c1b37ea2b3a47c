//! Integrals: the variable has a name within the integrand, and nowhere else.

use super::Resolver;
use super::context::ExprContext;
use super::value::{MISTAKEN, Value};
use crate::ast::{Expr, Total};
use crate::diagnostic::Errors;
use crate::resolve::mistake::Mistake;
use eom_symbolic::name::Name;
use eom_symbolic::{ExprId, ExprPool, Function, SymbolId, SymbolKind, View};
use rustc_hash::FxHashSet;

impl Resolver<'_> {
    /// ∫ of a number, or of each component of a vector or matrix.
    pub(crate) fn integral(
        &mut self,
        total: &Total,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        let before = errors.len();
        self.scope.check_index(&total.index, errors);
        if errors.len() > before {
            return MISTAKEN;
        }
        let lower = self.end(&total.range.first, context, errors);
        let upper = self.end(&total.range.last, context, errors);
        let variable = self.pool.new_variable(&total.index.name().display);
        let norms = self.norms.len();
        self.variables.push((total.index.name().key, variable));
        let integrand = self.value(&total.term, context, errors);
        self.variables.pop();
        // What is spread over a body is no dry friction at a point.
        let spread = self.norms.split_off(norms).into_iter();
        let of_points = spread.filter(|norm| !self.pool.contains(norm.value, |s| s == variable));
        self.norms.extend(of_points.collect::<Vec<_>>());
        if errors.len() > before || integrand.is_mistaken() {
            return MISTAKEN;
        }
        if integrand.entries().into_iter().any(|e| self.applies_function(e, variable)) {
            Mistake::FunctionInIntegral.report(errors, total.term.region);
            return MISTAKEN;
        }
        integrand.map(|e| self.pool.integral(e, variable, lower, upper))
    }

    /// An end of an integral, of t, coordinates and parameters: rates move no body's ends. A claim
    /// may substitute as it likes.
    fn end(&mut self, end: &Expr, context: ExprContext, errors: &mut Errors) -> ExprId {
        let value = self.scalar(end, context, errors);
        if context == ExprContext::Claim {
            return value;
        }
        let symbols = self.pool.symbols_in(&[value]);
        let wrong = symbols.into_iter().find(|symbol| {
            !matches!(
                self.pool.symbol_info(*symbol).kind,
                SymbolKind::Pi
                    | SymbolKind::Parameter(_)
                    | SymbolKind::Constant(_)
                    | SymbolKind::Time
                    | SymbolKind::Coordinate(_)
                    | SymbolKind::Variable(_)
                    | SymbolKind::Bound(_)
            )
        });
        if let Some(symbol) = wrong {
            let name = self.pool.symbol_info(symbol).name.clone();
            Mistake::IntegralEnd { name }.report(errors, end.region);
        }
        value
    }

    /// The variable of an integral around, by its name.
    pub(crate) fn variable(&mut self, name: &Name) -> Option<Value> {
        let known =
            self.variables.iter().rev().find(|(key, _)| *key == name.key && name.is_plain());
        let symbol = known?.1;
        Some(Value::Scalar(self.pool.symbol_expr(symbol)))
    }

    /// Whether a declared function is applied to the variable: then no claim could be decided.
    fn applies_function(&self, expr: ExprId, variable: SymbolId) -> bool {
        let declared =
            |id: ExprId| matches!(self.pool.view(id), View::Call(Function::Declared(_), _));
        let mut found = false;
        let mut stack = vec![expr];
        let mut seen = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) || id == ExprPool::ONE {
                continue;
            }
            found |= declared(id) && self.pool.contains(id, |s| s == variable);
            self.pool.for_children(id, |child| stack.push(child));
        }
        found
    }
}
