//! Calls of functions.

use super::Resolver;
use super::context::ExprContext;
use super::value::{MISTAKEN, Value};
use super::vectors::VECTOR_FUNCTIONS;
use crate::ast::{Expr, ExprKind, Factor, Ident};
use crate::diagnostic::Errors;
use crate::resolve::mistake::{Mistake, elsewhere};
use eom_symbolic::mechanics::{Quantity, Resisted};
use eom_symbolic::name::{self, Name};
use eom_symbolic::{ExprId, ExprPool, Function, Partial};

impl Resolver<'_> {
    /// A call: what only claims know, what takes vectors, then the elementary functions.
    pub(crate) fn call(
        &mut self,
        expr: &Expr,
        function: &Ident,
        arguments: &[Expr],
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        if let Some(value) = self.claim_call(expr, function, arguments, context, errors) {
            return value;
        }
        let name = function.name();
        if let Some((index, orders)) = self.scope.partial(&name.key) {
            let result = self.partial_call(function, (index, orders), arguments, context, errors);
            return or_mistaken(result, expr, errors);
        }
        if name.key == "lambda" {
            let result = self.multiplier_call(function, arguments, context);
            return or_mistaken(result, expr, errors);
        }
        if let Some(resisted) = Resisted::of_word(&name.key) {
            let result = self.friction_call((resisted, function), arguments, context);
            return or_mistaken(result, expr, errors);
        }
        if self.scope.find(&name.key).is_none()
            && let Some(mistake) = self.derivative_call(function, arguments)
        {
            return or_mistaken(Err(mistake), expr, errors);
        }
        let values: Vec<Value> = arguments.iter().map(|a| self.value(a, context, errors)).collect();
        if let Some(result) = self.vector_call(function, &name.key, &values) {
            return or_mistaken(result, expr, errors);
        }
        let result = match name.key.as_str() {
            "sqrt" => self.elementary(function, &values, 1, |pool, x| pool.sqrt(x[0])),
            key => match Function::from_name(key) {
                Some(f) if f.is_between() && values.len() > 1 => {
                    self.elementary(function, &values, 3, |pool, x| {
                        pool.call_between(f, x[0], [x[1], x[2]])
                    })
                }
                Some(f) => self.elementary(function, &values, f.arity(), |pool, x| pool.call(f, x)),
                None => Err(self.unknown_function(function, arguments)),
            },
        };
        or_mistaken(result, expr, errors)
    }

    /// A declared function or a partial of it at a point; dotted, the total time derivative.
    fn partial_call(
        &mut self,
        function: &Ident,
        (index, orders): (usize, [u8; Partial::ARGUMENTS_MAX]),
        arguments: &[Expr],
        context: ExprContext,
        errors: &mut Errors,
    ) -> Result<Value, Mistake> {
        let values: Vec<Value> = arguments.iter().map(|a| self.value(a, context, errors)).collect();
        if !context.allows_functions() {
            let (place, allowed) = context.words();
            let name = function.text.clone();
            return Err(Mistake::NotHere { name, what: "a function", place, allowed });
        }
        // A function whose arguments are mistaken has been reported.
        let Some(partial) = self.pool.declared(index, orders) else { return Ok(MISTAKEN) };
        let arity = usize::from(partial.arity);
        if !self.scope.has_arguments(index, arity) {
            return Ok(MISTAKEN);
        }
        let value = self.elementary(function, &values, arity, |pool, x| {
            pool.call(Function::Declared(partial), x)
        })?;
        let name = function.name();
        if context.allows_rates() || name.is_plain() {
            return Ok(self.derived_let(value, &name));
        }
        let (place, allowed) = context.words();
        Err(Mistake::NotHere {
            name: function.text.clone(),
            what: "the rate of a function",
            place,
            allowed,
        })
    }

    /// d/dt(x), or d(x)/dt, where a time derivative is meant.
    pub(crate) fn fraction_of_differentials(&self, factors: &[Factor]) -> Option<Mistake> {
        let pairs = factors.iter().zip(factors.iter().skip(1)).filter(|(_, below)| below.divides);
        let of = pairs.into_iter().find_map(|(above, below)| {
            match (&above.expr.kind, &below.expr.kind) {
                (ExprKind::Name(d), ExprKind::Call { function: dt, arguments })
                | (ExprKind::Call { function: d, arguments }, ExprKind::Name(dt)) => {
                    let meant = d.text == "d" && dt.text == "dt" && self.scope.find("d").is_none();
                    arguments.first().filter(|_| meant)
                }
                _ => None,
            }
        });
        let Some(of) = of else { return self.fraction_of_names(factors) };
        let name = match &of.kind {
            ExprKind::Name(ident) => Some(ident.text.clone()),
            _ => None,
        };
        Some(Mistake::Leibniz { of: of.to_text(), name })
    }

    /// dx/dt of something that is declared.
    fn fraction_of_names(&self, factors: &[Factor]) -> Option<Mistake> {
        let pairs = factors.iter().zip(factors.iter().skip(1)).filter(|(_, below)| below.divides);
        pairs.into_iter().find_map(|(above, below)| {
            let (ExprKind::Name(dx), ExprKind::Name(dt)) = (&above.expr.kind, &below.expr.kind)
            else {
                return None;
            };
            let base = name::split_differential(&dx.text).filter(|_| dt.text == "dt")?;
            let declared = |text: &str| self.scope.find(&name::key(text)).is_some();
            let meant = declared(base) && !declared(&dx.text);
            meant.then(|| Mistake::Leibniz { of: base.to_owned(), name: Some(base.to_owned()) })
        })
    }

    /// `diff(x, t)`, where the dot of a name is meant.
    fn derivative_call(&self, function: &Ident, arguments: &[Expr]) -> Option<Mistake> {
        const WORDS: [&str; 10] =
            ["diff", "Derivative", "derivative", "deriv", "der", "ddt", "dt", "d", "D", "rate"];
        let scalar = |e: &Expr| !matches!(e.kind, ExprKind::Array(_));
        let of_one = function.text == "dot" && matches!(arguments, [of] if scalar(of));
        if !of_one && !WORDS.contains(&function.text.as_str()) {
            return None;
        }
        if let [of, by] = arguments
            && let ExprKind::Name(name) = &by.kind
            && !is_time(std::slice::from_ref(by))
            && self.scope.find(&name.name().key).is_some()
        {
            let (function, of, by) = (function.text.clone(), of.to_text(), by.to_text());
            return Some(Mistake::PartialCall { function, of, by });
        }
        let of = named(arguments.first()?);
        let of = of.filter(|(name, _)| self.scope.find(&name.key).is_some());
        let more = order(arguments.get(1..).unwrap_or_default());
        let of = of.map(|(name, entry)| {
            name::dotted(&name.display, name.dots.saturating_add(more)) + &entry
        });
        Some(Mistake::DerivativeCall { function: function.text.clone(), of })
    }

    fn unknown_function(&self, function: &Ident, arguments: &[Expr]) -> Mistake {
        let name = function.name();
        if let Some(entity) = self.scope.find(&name.key) {
            let (name, what) = (function.text.clone(), entity.what());
            return Mistake::NotAFunction { name, what, of_time: is_time(arguments) };
        }
        if let Some(instead) = elsewhere::function(&name.key) {
            return Mistake::FunctionElsewhere { name: function.text.clone(), instead };
        }
        if Quantity::of_word(&name.key).is_some() {
            let instead = "say it of a motion: `claim name of scenario: …`";
            return Mistake::FunctionElsewhere { name: function.text.clone(), instead };
        }
        let known = Function::ALL.iter().map(|f| f.name()).chain(["sqrt"]).chain(VECTOR_FUNCTIONS);
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
        Mistake::of_count(function, arity, values.len())?;
        let scalars: Option<Vec<ExprId>> = values.iter().map(Value::as_scalar).collect();
        let Some(scalars) = scalars else {
            let found = values.iter().find(|v| v.as_scalar().is_none()).map(Value::shape);
            return Err(Mistake::Shape { expected: "a number", found: found.unwrap_or_default() });
        };
        let result = build(&mut self.pool, &scalars);
        Value::of_operation(result, scalars.contains(&ExprPool::UNDEFINED), &self.pool)
    }
}

/// A name, and behind it the brackets of an entry: the dot of `P[1]` stands above the name.
fn named(of: &Expr) -> Option<(Name, String)> {
    match &of.kind {
        ExprKind::Name(ident) => Some((ident.name(), String::new())),
        ExprKind::Index { base, .. } => {
            let (name, _) = named(base)?;
            Some((name, of.to_text().strip_prefix(&base.to_text())?.to_owned()))
        }
        _ => None,
    }
}

/// The order of `diff(x, t, t)`, `diff(x, t, 2)`: what stands behind the first argument.
fn order(behind: &[Expr]) -> u8 {
    let number = behind.iter().find_map(Expr::whole).and_then(|n| u8::try_from(n).ok());
    let times = u8::try_from(behind.len()).unwrap_or(1);
    number.unwrap_or(times).clamp(1, 3)
}

/// The value, or that of a mistake now reported.
fn or_mistaken(result: Result<Value, Mistake>, expr: &Expr, errors: &mut Errors) -> Value {
    result.unwrap_or_else(|mistake| {
        mistake.report(errors, expr.region);
        MISTAKEN
    })
}

/// Whether the only argument is t.
fn is_time(arguments: &[Expr]) -> bool {
    let [only] = arguments else { return false };
    matches!(&only.kind, ExprKind::Name(ident) if ident.name().key == "t" && ident.name().is_plain())
}
