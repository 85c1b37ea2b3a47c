//! The elementary functions: one row each for its name, value, derivative and folding.

use crate::node::SymbolKind;
use crate::node::{ExprId, Function, View};
use crate::number::Rational;
use crate::pool::ExprPool;
use eom_elementary as elementary;

impl Function {
    /// Every function of the language; declared ones are beside it.
    pub const ALL: [Self; 14] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Atan2,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::Exp,
        Self::Ln,
        Self::Abs,
        Self::Sign,
    ];

    /// The name in the language.
    pub const fn name(self) -> &'static str {
        // table
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Atan2 => "atan2",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Ln => "ln",
            Self::Abs => "abs",
            Self::Sign => "sign",
            // Its name stands in the pool: `ExprPool::signature`.
            Self::Declared(_) => "",
        }
    }

    /// The position in [`Function::ALL`]; that of declared ones is behind it.
    pub(crate) fn position(self) -> usize {
        Self::ALL.iter().position(|function| *function == self).unwrap_or(Self::ALL.len())
    }

    /// The function of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// The number of arguments.
    pub const fn arity(self) -> usize {
        match self {
            Self::Atan2 => 2,
            Self::Declared(partial) => partial.arity as usize,
            _ => 1,
        }
    }

    /// The value in f64; `y` is the second argument of atan2 and else unused. sign(0) = 0; NaN for
    /// a declared function, which has its values from outside.
    pub fn evaluate(self, x: f64, y: f64) -> f64 {
        // table
        match self {
            Self::Sin => elementary::sin(x),
            Self::Cos => elementary::cos(x),
            Self::Tan => elementary::tan(x),
            Self::Asin => elementary::asin(x),
            Self::Acos => elementary::acos(x),
            Self::Atan => elementary::atan(x),
            Self::Atan2 => elementary::atan2(x, y),
            Self::Sinh => elementary::sinh(x),
            Self::Cosh => elementary::cosh(x),
            Self::Tanh => elementary::tanh(x),
            Self::Exp => elementary::exp(x),
            Self::Ln => elementary::ln(x),
            Self::Abs => x.abs(),
            Self::Sign if x == 0.0 => 0.0,
            Self::Sign => x.signum(),
            Self::Declared(_) => f64::NAN,
        }
    }

    /// f(−x) = ±f(x).
    pub(crate) fn parity(self) -> Parity {
        match self {
            Self::Cos | Self::Cosh | Self::Abs => Parity::Even,
            Self::Sin
            | Self::Tan
            | Self::Asin
            | Self::Atan
            | Self::Sinh
            | Self::Tanh
            | Self::Sign => Parity::Odd,
            _ => Parity::None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    /// f(−x) = f(x)
    Even,
    /// f(−x) = −f(x)
    Odd,
    /// Neither.
    None,
}

impl ExprPool {
    /// The partial derivative of a function with respect to argument `which`.
    pub fn call_derivative(
        &mut self,
        function: Function,
        arguments: &[ExprId],
        which: usize,
    ) -> ExprId {
        let x = arguments[0];
        // table
        match function {
            Function::Sin => self.call(Function::Cos, &[x]),
            Function::Cos => {
                let s = self.call(Function::Sin, &[x]);
                self.neg(s)
            }
            // 1 + tan²
            Function::Tan => {
                let tan = self.call(Function::Tan, &[x]);
                let square = self.powi(tan, 2);
                self.add(Self::ONE, square)
            }
            // (1 − x²)^(−1/2)
            Function::Asin | Function::Acos => {
                let root = self.one_plus(x, Self::MINUS_ONE, Rational::new(-1, 2));
                if function == Function::Asin { root } else { self.neg(root) }
            }
            // 1/(1 + x²)
            Function::Atan => self.one_plus(x, Self::ONE, Some(Rational::MINUS_ONE)),
            Function::Atan2 => self.atan2_derivative(x, arguments[1], which),
            Function::Sinh => self.call(Function::Cosh, &[x]),
            Function::Cosh => self.call(Function::Sinh, &[x]),
            // 1 − tanh²
            Function::Tanh => {
                let tanh = self.call(Function::Tanh, &[x]);
                let square = self.powi(tanh, 2);
                self.sub(Self::ONE, square)
            }
            Function::Exp => self.call(Function::Exp, &[x]),
            Function::Ln => self.powi(x, -1),
            Function::Abs => self.call(Function::Sign, &[x]),
            Function::Sign => Self::ZERO,
            Function::Declared(partial) => {
                self.call(Function::Declared(partial.raised(which)), arguments)
            }
        }
    }

    /// (1 + c·x²)^power.
    fn one_plus(&mut self, x: ExprId, c: ExprId, power: Option<Rational>) -> ExprId {
        let square = self.powi(x, 2);
        let base = self.sum(&[(Self::ONE, Self::ONE), (c, square)]);
        let exponent = self.number(&power.unwrap_or(Rational::ONE));
        self.pow(base, exponent)
    }

    /// d atan2(y, x): x/(x² + y²) with respect to y, −y/(x² + y²) with respect to x.
    fn atan2_derivative(&mut self, y: ExprId, x: ExprId, which: usize) -> ExprId {
        let (xx, yy) = (self.powi(x, 2), self.powi(y, 2));
        let square = self.add(xx, yy);
        if which == 0 {
            return self.div(x, square);
        }
        let quotient = self.div(y, square);
        self.neg(quotient)
    }

    /// The folded value of a call: special arguments and parity.
    pub(crate) fn fold_call(&mut self, function: Function, arguments: &[ExprId]) -> Option<ExprId> {
        let x = arguments[0];
        if let Some(value) = fold_special(function, arguments) {
            return Some(value);
        }
        if let Some(quarter_turns) = self.quarter_turns(x) {
            match function {
                Function::Sin => return Some(self.integer(sin_of_quarters(quarter_turns))),
                Function::Cos => return Some(self.integer(sin_of_quarters(quarter_turns + 1))),
                _ => {}
            }
        }
        if let (Some(number), Function::Abs | Function::Sign) = (self.as_number(x), function) {
            let (abs, negative) = (number.abs(), number.is_negative());
            return Some(match function {
                Function::Abs => self.number(&abs),
                _ if negative => Self::MINUS_ONE,
                _ => Self::ONE,
            });
        }
        if function.parity() == Parity::None || !self.leads_negative(x) {
            return None;
        }
        let positive = self.neg(x);
        let value = self.call(function, &[positive]);
        Some(if function.parity() == Parity::Odd { self.neg(value) } else { value })
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

/// Values at 0 and 1, and those outside the domain.
fn fold_special(function: Function, arguments: &[ExprId]) -> Option<ExprId> {
    // table
    match (function, arguments) {
        (
            Function::Sin
            | Function::Tan
            | Function::Asin
            | Function::Atan
            | Function::Sinh
            | Function::Tanh
            | Function::Abs
            | Function::Sign,
            &[ExprPool::ZERO],
        )
        | (Function::Ln | Function::Acos, &[ExprPool::ONE]) => Some(ExprPool::ZERO),
        (Function::Cos | Function::Cosh | Function::Exp, &[ExprPool::ZERO]) => Some(ExprPool::ONE),
        (Function::Ln, &[ExprPool::ZERO])
        | (Function::Atan2, &[ExprPool::ZERO, ExprPool::ZERO]) => Some(ExprPool::UNDEFINED),
        _ => None,
    }
}
