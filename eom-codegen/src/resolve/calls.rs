//! Calls of functions.

use super::expression::Resolver;
use super::mistake::Mistake;
use super::value::{MISTAKEN, Value, dot, transpose};
use super::words::Words;
use crate::ast::{Expr, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::name;
use eom_symbolic::{ExprId, ExprPool, Function};

impl Resolver<'_> {
    /// A call: what only claims know, what takes vectors, then the elementary functions.
    pub(crate) fn call(
        &mut self,
        expr: &Expr,
        function: &Ident,
        arguments: &[Expr],
        words: Words,
        errors: &mut Errors,
    ) -> Value {
        if let Some(value) = self.claim_call(expr, function, arguments, words, errors) {
            return value;
        }
        let name = function.name();
        let values: Vec<Value> = arguments.iter().map(|a| self.value(a, words, errors)).collect();
        let result = match name.key.as_str() {
            "sqrt" => self.elementary(function, &values, 1, |pool, x| pool.sqrt(x[0])),
            "dot" => self.dot(function, &values),
            "transpose" => transposed(function, &values),
            key => match Function::from_name(key) {
                Some(f) => self.elementary(function, &values, f.arity(), |pool, x| pool.call(f, x)),
                None => Err(self.unknown_function(function)),
            },
        };
        result.unwrap_or_else(|mistake| {
            mistake.report(errors, expr.region);
            MISTAKEN
        })
    }

    fn unknown_function(&self, function: &Ident) -> Mistake {
        let name = function.name();
        if self.scope.find(&name.key).is_some() {
            return Mistake::UnknownFunction { name: function.text.clone(), near: None };
        }
        let known = Function::ALL.iter().map(|f| f.name()).chain(["sqrt", "dot", "transpose"]);
        let near = name::nearest(&name.key, known).map(str::to_owned);
        Mistake::UnknownFunction { name: function.text.clone(), near }
    }

    fn elementary(
        &mut self,
        function: &Ident,
        values: &[Value],
        arity: usize,
        build: impl Fn(&mut ExprPool, &[ExprId]) -> ExprId,
    ) -> Result<Value, Mistake> {
        check_count(function, arity, values.len())?;
        let scalars: Option<Vec<ExprId>> = values.iter().map(Value::as_scalar).collect();
        let Some(scalars) = scalars else {
            let found = values.iter().find(|v| v.as_scalar().is_none()).map(Value::shape);
            return Err(Mistake::Shape { expected: "a number", found: found.unwrap_or_default() });
        };
        let result = build(&mut self.pool, &scalars);
        if result == ExprPool::UNDEFINED && !scalars.contains(&ExprPool::UNDEFINED) {
            return Err(Mistake::Undefined);
        }
        Ok(Value::Scalar(result))
    }

    fn dot(&mut self, function: &Ident, values: &[Value]) -> Result<Value, Mistake> {
        check_count(function, 2, values.len())?;
        match (&values[0], &values[1]) {
            (Value::Vector(a), Value::Vector(b)) if a.len() == b.len() => {
                Ok(Value::Scalar(dot(a, b, &mut self.pool)))
            }
            (a, b) if a.is_mistaken() || b.is_mistaken() => Ok(MISTAKEN),
            (a, b) => Err(Mistake::Shapes { operation: "dot", left: a.shape(), right: b.shape() }),
        }
    }
}

fn transposed(function: &Ident, values: &[Value]) -> Result<Value, Mistake> {
    check_count(function, 1, values.len())?;
    match &values[0] {
        Value::Matrix(rows) => Ok(Value::Matrix(transpose(rows))),
        other if other.is_mistaken() => Ok(MISTAKEN),
        other => Err(Mistake::Shape { expected: "a matrix", found: other.shape() }),
    }
}

/// The number of arguments of a function.
pub(crate) fn check_count(function: &Ident, expected: usize, found: usize) -> Result<(), Mistake> {
    if expected == found {
        return Ok(());
    }
    Err(Mistake::Arguments { function: function.text.clone(), expected, found })
}
