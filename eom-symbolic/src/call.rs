//! Calls as expressions: their derivatives, and the arguments at which they fold.

use crate::function::{Exact, Formula, Parity, Term};
use crate::node::{ExprId, Function, SymbolKind, View};
use crate::number::Rational;
use crate::pool::ExprPool;

/// Largest size, in bits, of a value that is folded from a number with fewer.
const FOLDED_BITS_MAX: u64 = 4096;

impl ExprPool {
    /// The partial derivative of a function with respect to argument `which`: ± u/w of its rule.
    pub fn call_derivative(
        &mut self,
        function: Function,
        arguments: &[ExprId],
        which: usize,
    ) -> ExprId {
        let description = match function {
            Function::Declared(partial) => {
                return self.call(Function::Declared(partial.raised(which)), arguments);
            }
            _ => function.description(),
        };
        let rule = description.map(|description| &description.rule);
        let Some((rule, term)) = rule.and_then(|rule| Some((rule, rule.terms.get(which)?))) else {
            return Self::ZERO;
        };
        let call = (function, arguments);
        let weight = rule.weight.as_ref().map(|weight| self.formula(weight, call));
        let (Term::Plus(u) | Term::Minus(u)) = term;
        let u = self.formula(u, call);
        let slope = match weight {
            Some(weight) => self.div(u, weight),
            None => u,
        };
        if matches!(term, Term::Minus(_)) { self.neg(slope) } else { slope }
    }

    /// f((x − a)/(b − a)).
    pub fn call_between(&mut self, function: Function, x: ExprId, ends: [ExprId; 2]) -> ExprId {
        let [a, b] = ends;
        let (above, below) = (self.sub(x, a), self.sub(b, a));
        let argument = self.div(above, below);
        self.call(function, &[argument])
    }

    /// A formula of a call, as an expression.
    fn formula(&mut self, formula: &Formula, call: (Function, &[ExprId])) -> ExprId {
        let argument = |index: usize| call.1.get(index).copied().unwrap_or(Self::UNDEFINED);
        match formula {
            Formula::Value => self.call(call.0, call.1),
            Formula::First => argument(0),
            Formula::Second => argument(1),
            Formula::Integer(n) => self.integer(*n),
            Formula::Pi => {
                let pi = self.symbol(SymbolKind::Pi, "pi");
                self.symbol_expr(pi)
            }
            Formula::Of(function, a) => {
                let a = self.formula(a, call);
                self.call(*function, &[a])
            }
            Formula::Root(a) => {
                let a = self.formula(a, call);
                self.sqrt(a)
            }
            Formula::Sum(a, b) | Formula::Difference(a, b) | Formula::Product(a, b) => {
                // The second first: sums are written in the order in which their terms were made.
                let (b, a) = (self.formula(b, call), self.formula(a, call));
                match formula {
                    Formula::Sum(..) => self.add(a, b),
                    Formula::Difference(..) => self.sub(a, b),
                    _ => self.mul(a, b),
                }
            }
        }
    }

    /// The folded value of a call: special arguments and parity.
    pub(crate) fn fold_call(&mut self, function: Function, arguments: &[ExprId]) -> Option<ExprId> {
        let (description, x) = (function.description()?, arguments[0]);
        let is_at = |numbers: &[i64]| {
            let known = |id: ExprId| self.as_number(id).and_then(Rational::as_integer);
            arguments.iter().map(|id| known(*id)).eq(numbers.iter().map(|n| Some(*n)))
        };
        if let Some((_, value)) = description.at.iter().find(|(numbers, _)| is_at(numbers)) {
            return Some(match value {
                Exact::Integer(n) => self.integer(*n),
                Exact::Undefined => Self::UNDEFINED,
            });
        }
        if description.parity == Parity::Odd && x == Self::ZERO {
            return Some(x);
        }
        if let Some(ahead) = description.quarters
            && let Some(quarters) = self.quarter_turns(x)
        {
            return Some(self.integer(sin_of_quarters(quarters.wrapping_add(ahead))));
        }
        if let (Some(of), Some(number)) = (description.of_number, self.as_number(x)) {
            let value = of(number);
            // It may have several times the digits: of many it stays a call.
            if value.bits() <= number.bits().max(FOLDED_BITS_MAX) {
                return Some(self.number(&value));
            }
        }
        if description.parity == Parity::None || !self.leads_negative(x) {
            return None;
        }
        let positive = self.neg(x);
        let value = self.call(function, &[positive]);
        Some(if description.parity == Parity::Odd { self.neg(value) } else { value })
    }

    /// n where the expression is n·π/2.
    fn quarter_turns(&self, x: ExprId) -> Option<i64> {
        let (coefficient, symbol) = match self.view(x) {
            View::Product { coefficient, factors: &[(base, Self::ONE)] } => (coefficient, base),
            View::Symbol(_) => (Self::ONE, x),
            _ => return None,
        };
        let symbol = self.as_symbol(symbol)?;
        if self.symbol_info(symbol).kind != SymbolKind::Pi {
            return None;
        }
        self.as_number(coefficient)?.mul(&Rational::integer(2)).as_integer()
    }
}

/// sin(n·π/2).
fn sin_of_quarters(n: i64) -> i64 {
    match n.rem_euclid(4) {
        1 => 1,
        3 => -1,
        _ => 0,
    }
}
