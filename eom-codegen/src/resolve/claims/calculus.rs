//! What claims may form beside the functions of the language: rates, partial derivatives, and products and lengths
//! that take numbers and vectors alike, as print does.

use crate::ast::{Expr, Ident};
use crate::diagnostic::Errors;
use crate::resolve::expression::Resolver;
use crate::resolve::expression::context::ExprContext;
use crate::resolve::expression::value::{MISTAKEN, Value, dot};
use crate::resolve::mistake::Mistake;
use eom_symbolic::diff::Tangent;
use eom_symbolic::{ExprId, ExprPool};

impl Resolver<'_> {
    /// `rate(e)`, `partial(e, x)`, and `abs`, `dot`, `cross` of what they do not take elsewhere.
    pub(super) fn calculus(
        &mut self,
        expr: &Expr,
        function: &Ident,
        arguments: &[Expr],
        errors: &mut Errors,
    ) -> Option<Value> {
        let key = function.name().key;
        let count = match key.as_str() {
            "rate" | "abs" => 1,
            "partial" | "dot" | "cross" => 2,
            _ => return None,
        };
        if self.scope.find(&key).is_some() {
            return None;
        }
        let result = Mistake::of_count(function, count, arguments.len()).and_then(|()| {
            let values: Vec<Value> =
                arguments.iter().map(|a| self.value(a, ExprContext::Claim, errors)).collect();
            if values.iter().any(Value::is_mistaken) {
                return Ok(MISTAKEN);
            }
            match (key.as_str(), values.as_slice()) {
                ("rate", [of]) => Ok(self.along_motion(of)),
                ("partial", [of, by]) => self.slope(of, by),
                ("abs", [Value::Vector(_)]) => {
                    let norm = Ident { text: "norm".to_owned(), region: function.region };
                    self.vector_call(&norm, "norm", &values).unwrap_or(Ok(MISTAKEN))
                }
                ("dot" | "cross", [left, right]) if either_scalar(left, right) => {
                    left.times(right, &mut self.pool)
                }
                (other, _) => self.plain(other, function, &values),
            }
        });
        Some(result.unwrap_or_else(|mistake| {
            mistake.report(errors, expr.region);
            MISTAKEN
        }))
    }

    fn plain(&mut self, key: &str, function: &Ident, values: &[Value]) -> Result<Value, Mistake> {
        if let Some(result) = self.vector_call(function, key, values) {
            return result;
        }
        let scalar = values.first().and_then(Value::as_scalar);
        match scalar {
            Some(x) => Ok(Value::Scalar(self.pool.call(eom_symbolic::Function::Abs, &[x]))),
            None => Err(Mistake::Shape {
                expected: "a number or a vector",
                found: values.first().map(Value::shape).unwrap_or_default(),
            }),
        }
    }

    /// ∂e/∂x, by component.
    ///
    /// By a vector it is the vector of those by its entries, by −x it is −∂e/∂x.
    fn slope(&mut self, of: &Value, by: &Value) -> Result<Value, Mistake> {
        if let (Value::Vector(entries), Some(of)) = (by, of.as_scalar()) {
            let slopes = entries.iter().map(|by| self.slope_by(of, *by));
            return Ok(Value::Vector(slopes.collect::<Result<_, _>>()?));
        }
        let Some(by) = by.as_scalar() else { return Err(not_a_variable()) };
        let entries = of.entries().into_iter().map(|e| self.slope_by(e, by));
        let mut slopes = entries.collect::<Result<Vec<_>, _>>()?.into_iter();
        Ok(of.map(|e| slopes.next().unwrap_or(e)))
    }

    fn slope_by(&mut self, of: ExprId, by: ExprId) -> Result<ExprId, Mistake> {
        let turned = self.pool.neg(by);
        if let Some(symbol) = self.pool.as_symbol(by) {
            return Ok(Tangent::partial(symbol).derivative(&mut self.pool, of));
        }
        let symbol = self.pool.as_symbol(turned).ok_or_else(not_a_variable)?;
        let slope = Tangent::partial(symbol).derivative(&mut self.pool, of);
        Ok(self.pool.neg(slope))
    }

    /// |v|², where a claim squares a vector.
    pub(in crate::resolve) fn square(
        &mut self,
        base: &Value,
        exponent: &Value,
        context: ExprContext,
    ) -> Option<Value> {
        let Value::Vector(entries) = base else { return None };
        let two = exponent.as_scalar() == Some(ExprPool::TWO);
        (context == ExprContext::Claim && two)
            .then(|| Value::Scalar(dot(entries, entries, &mut self.pool)))
    }
}

fn not_a_variable() -> Mistake {
    let found = "an expression".to_owned();
    Mistake::Shape { expected: "a coordinate, a velocity or a parameter", found }
}

fn either_scalar(left: &Value, right: &Value) -> bool {
    matches!(left, Value::Scalar(_)) || matches!(right, Value::Scalar(_))
}
