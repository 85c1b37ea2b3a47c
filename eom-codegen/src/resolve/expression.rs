//! Expressions: names find their symbols, calls their functions, and each place of the language
//! says which symbols it may depend on.

use super::claims::Quantities;
use super::mistake::Mistake;
use super::scope::{Entity, Scope};
use super::value::{MISTAKEN, Value, dot, transpose};
use crate::ast::{self, Expr, ExprKind, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::diff::Tangent;
use eom_symbolic::name::{self, Name, Side};
use eom_symbolic::subst::Substitution;
use eom_symbolic::{ExprId, ExprPool, Function, Rational, SymbolId, SymbolKind};

/// The place an expression stands in: it fixes what the expression may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// A default of the parameter of this index: earlier parameters.
    Default { before: usize },
    Bound,
    Let,
    Kinetic,
    Potential,
    Lagrangian,
    Dissipation,
    Force,
    Row,
    Holonomic,
    Gap,
    Restitution,
    Guard,
    Reset,
    Initial,
    Output,
    Claim,
    Motion,
}

impl Words {
    fn allows(self, kind: SymbolKind) -> bool {
        use SymbolKind as K;
        let constant = matches!(kind, K::Pi | K::Parameter(_));
        let place = matches!(kind, K::Time | K::Coordinate(_));
        let velocity = matches!(kind, K::Velocity(_));
        let input = matches!(kind, K::Input(_));
        // table
        match self {
            Self::Default { before } => match kind {
                K::Parameter(index) => index < before,
                _ => constant,
            },
            Self::Bound | Self::Restitution | Self::Initial => constant,
            Self::Potential | Self::Holonomic | Self::Gap => constant || place,
            Self::Kinetic | Self::Lagrangian | Self::Dissipation => constant || place || velocity,
            Self::Force | Self::Guard | Self::Reset | Self::Output => {
                constant || place || velocity || input
            }
            Self::Row => {
                constant
                    || place
                    || velocity
                    || matches!(kind, K::Differential(_) | K::TimeDifferential)
            }
            Self::Let => {
                constant || place || velocity || input || matches!(kind, K::Acceleration(_))
            }
            Self::Claim => !matches!(kind, K::Constant(_)),
            Self::Motion => constant || matches!(kind, K::Time | K::Constant(_)),
        }
    }

    /// The place, and what it may depend on.
    fn words(self) -> (&'static str, &'static str) {
        // table
        match self {
            Self::Default { .. } => ("a default", "earlier parameters"),
            Self::Bound => ("a bound", "parameters"),
            Self::Restitution => ("a restitution", "parameters"),
            Self::Initial => ("an initial value", "parameters"),
            Self::Potential => ("the potential", "t, coordinates and parameters"),
            Self::Holonomic => ("a holonomic constraint", "t, coordinates and parameters"),
            Self::Gap => ("a gap", "t, coordinates and parameters"),
            Self::Kinetic => ("the kinetic energy", "t, coordinates, velocities and parameters"),
            Self::Lagrangian => ("the Lagrangian", "t, coordinates, velocities and parameters"),
            Self::Dissipation => {
                ("the dissipation function", "t, coordinates, velocities and parameters")
            }
            Self::Force => ("a force", "t, coordinates, velocities, inputs and parameters"),
            Self::Guard => ("a guard", "t, coordinates, velocities, inputs and parameters"),
            Self::Reset => ("a reset", "t, coordinates, velocities, inputs and parameters"),
            Self::Output => ("an output", "t, coordinates, velocities, inputs and parameters"),
            Self::Row => ("a constraint", "t, coordinates, velocities and parameters"),
            Self::Let => ("a `let`", "t, coordinates, velocities, inputs and parameters"),
            Self::Claim => ("a claim", "what is declared"),
            Self::Motion => ("a motion", "t, its own constants and parameters"),
        }
    }
}

#[derive(Debug, Clone)]
enum LetState {
    Untouched,
    Open,
    Known(Value),
}

/// Resolves expressions of one declaration.
#[derive(Debug)]
pub(crate) struct Resolver<'a> {
    pub(crate) pool: ExprPool,
    pub(crate) scope: Scope,
    lets: &'a [ast::Definition],
    states: Vec<LetState>,
    open: Vec<usize>,
    /// What claims may speak of; `None` before the derivation.
    pub(crate) quantities: Option<Quantities>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(pool: ExprPool, scope: Scope, lets: &'a [ast::Definition]) -> Self {
        let states = vec![LetState::Untouched; lets.len()];
        Self { pool, scope, lets, states, open: Vec::new(), quantities: None }
    }

    /// A scalar expression; [`ExprPool::UNDEFINED`] after a mistake.
    pub(crate) fn scalar(&mut self, expr: &Expr, words: Words, errors: &mut Errors) -> ExprId {
        let value = self.value(expr, words, errors);
        match value.as_scalar() {
            Some(e) => e,
            None => {
                Mistake::Shape { expected: "a number", found: value.shape() }
                    .report(errors, expr.region);
                ExprPool::UNDEFINED
            }
        }
    }

    /// An expression of any shape.
    pub(crate) fn value(&mut self, expr: &Expr, words: Words, errors: &mut Errors) -> Value {
        let result = match &expr.kind {
            ExprKind::Number(number) => return self.literal(expr, number, errors),
            ExprKind::Name(ident) => return self.name(ident, words, errors),
            ExprKind::Call { function, arguments } => {
                return self.call(expr, function, arguments, words, errors);
            }
            ExprKind::Index { base, indices } => {
                return self.index(base, indices, words, errors);
            }
            ExprKind::Array(entries) => return self.array(expr, entries, words, errors),
            ExprKind::Neg(inner) => {
                let value = self.value(inner, words, errors);
                Ok(value.map(|e| self.pool.neg(e)))
            }
            ExprKind::Sum(terms) => self.sum(terms, words, errors),
            ExprKind::Product(factors) => self.product(factors, words, errors),
            ExprKind::Pow { base, exponent } => {
                let base = self.value(base, words, errors);
                let exponent = self.value(exponent, words, errors);
                base.power(&exponent, &mut self.pool)
            }
        };
        result.unwrap_or_else(|mistake| {
            mistake.report(errors, expr.region);
            MISTAKEN
        })
    }

    fn literal(&mut self, expr: &Expr, number: &ast::Number, errors: &mut Errors) -> Value {
        match Rational::from_decimal(&number.text).filter(|value| value.to_f64().is_finite()) {
            Some(value) => Value::Scalar(self.pool.number(&value)),
            None => {
                Mistake::Literal { text: number.text.clone() }.report(errors, expr.region);
                MISTAKEN
            }
        }
    }

    fn sum(
        &mut self,
        terms: &[ast::Term],
        words: Words,
        errors: &mut Errors,
    ) -> Result<Value, Mistake> {
        let values: Vec<Value> =
            terms.iter().map(|term| self.value(&term.expr, words, errors)).collect();
        if values.iter().all(|value| matches!(value, Value::Scalar(_))) {
            // One n-ary sum: a chain of binary ones would be quadratic in the terms.
            let pairs = values.iter().zip(terms).map(|(value, term)| {
                let sign = if term.minus { ExprPool::MINUS_ONE } else { ExprPool::ONE };
                (sign, value.as_scalar().unwrap_or(ExprPool::UNDEFINED))
            });
            let pairs: Vec<_> = pairs.collect();
            return Ok(Value::Scalar(self.pool.sum(&pairs)));
        }
        let mut sum: Option<Value> = None;
        for (value, term) in values.into_iter().zip(terms) {
            sum = Some(match sum {
                None if term.minus => value.map(|e| self.pool.neg(e)),
                None => value,
                Some(sum) => sum.plus(&value, term.minus, &mut self.pool)?,
            });
        }
        Ok(sum.unwrap_or(MISTAKEN))
    }

    fn product(
        &mut self,
        factors: &[ast::Factor],
        words: Words,
        errors: &mut Errors,
    ) -> Result<Value, Mistake> {
        let mut product: Option<Value> = None;
        for factor in factors {
            let value = self.value(&factor.expr, words, errors);
            product = Some(match product {
                None => value,
                Some(product) if factor.divides => product.over(&value, &mut self.pool)?,
                Some(product) => product.times(&value, &mut self.pool)?,
            });
        }
        Ok(product.unwrap_or(MISTAKEN))
    }

    fn array(
        &mut self,
        expr: &Expr,
        entries: &[Expr],
        words: Words,
        errors: &mut Errors,
    ) -> Value {
        let values: Vec<Value> =
            entries.iter().map(|entry| self.value(entry, words, errors)).collect();
        let scalars: Option<Vec<ExprId>> = values.iter().map(Value::as_scalar).collect();
        if let Some(scalars) = scalars {
            return Value::Vector(scalars);
        }
        let rows: Option<Vec<Vec<ExprId>>> = values
            .iter()
            .map(|value| match value {
                Value::Vector(row) => Some(row.clone()),
                _ => None,
            })
            .collect();
        match rows {
            Some(rows) if rows.iter().all(|row| row.len() == rows[0].len()) => Value::Matrix(rows),
            _ => {
                let found = "rows of different shapes".to_owned();
                Mistake::Shape { expected: "numbers, or rows of one length", found }
                    .report(errors, expr.region);
                MISTAKEN
            }
        }
    }

    /// A name: declared, derived from a declared one, or known to claims.
    fn name(&mut self, ident: &Ident, words: Words, errors: &mut Errors) -> Value {
        let name = ident.name();
        let resolved = self
            .declared(ident, &name, errors)
            .or_else(|| self.differential(ident, words, errors))
            .or_else(|| self.quantity(ident, words));
        match resolved {
            None => {
                let near = self.scope.nearest(&name);
                Mistake::UnknownName { name: ident.text.clone(), near }
                    .report(errors, ident.region);
                MISTAKEN
            }
            Some(Err(mistake)) => {
                mistake.report(errors, ident.region);
                MISTAKEN
            }
            Some(Ok(value)) => self.check_allowed(ident, value, words, errors),
        }
    }

    fn declared(
        &mut self,
        ident: &Ident,
        name: &Name,
        errors: &mut Errors,
    ) -> Option<Result<Value, Mistake>> {
        if name.is_plain() {
            match name.key.as_str() {
                "t" => return Some(Ok(self.symbol(SymbolKind::Time, "t"))),
                "pi" => return Some(Ok(self.symbol(SymbolKind::Pi, "pi"))),
                _ => {}
            }
        }
        let entity = self.scope.find(&name.key)?;
        let no_derivative = || Mistake::NoDerivative {
            name: ident.text.clone(),
            what: entity.what(),
        };
        Some(match entity {
            Entity::Coordinate(index) => {
                self.coordinate(name, index).ok_or_else(no_derivative)
            }
            Entity::Let(index) => {
                let value = self.let_value(index, errors);
                Ok(self.derived_let(value, name))
            }
            _ if !name.is_plain() => Err(no_derivative()),
            Entity::Parameter(index) => {
                Ok(self.symbol(SymbolKind::Parameter(index), &name.display))
            }
            Entity::Input(index) => Ok(self.symbol(SymbolKind::Input(index), &name.display)),
            Entity::Constant(index) => Ok(self.symbol(SymbolKind::Constant(index), &name.display)),
        })
    }

    fn symbol(&mut self, kind: SymbolKind, name: &str) -> Value {
        let symbol = self.pool.symbol(kind, name);
        Value::Scalar(self.pool.symbol_expr(symbol))
    }

    /// q, q̇, q̈, and the velocity on either side of an impact; the one before is q̇ itself.
    fn coordinate(&mut self, name: &Name, index: usize) -> Option<Value> {
        let kind = match (name.dots, name.side) {
            (0, Side::None) => SymbolKind::Coordinate(index),
            (1, Side::None | Side::Minus) => SymbolKind::Velocity(index),
            (1, Side::Plus) => SymbolKind::VelocityAfter(index),
            (2, Side::None) => SymbolKind::Acceleration(index),
            _ => return None,
        };
        let shown = match kind {
            SymbolKind::VelocityAfter(_) => {
                format!("{}_plus", name::dotted(&name.display, name.dots))
            }
            _ => name::dotted(&name.display, name.dots),
        };
        Some(self.symbol(kind, &shown))
    }

    /// The symbols of the coordinates' positions and velocities, as they are interned.
    fn motion_seeds(&mut self) -> Vec<(SymbolId, ExprId)> {
        let time = self.pool.symbol(SymbolKind::Time, "t");
        let mut seeds = vec![(time, ExprPool::ONE)];
        let kinds: Vec<(SymbolId, SymbolKind, String)> = self
            .pool
            .symbols()
            .iter()
            .filter_map(|symbol| {
                let id = self.pool.find_symbol(symbol.kind)?;
                Some((id, symbol.kind, symbol.name.clone()))
            })
            .collect();
        for (symbol, kind, shown) in kinds {
            let name = Name::parse(&shown);
            let rate = match kind {
                SymbolKind::Coordinate(index) => {
                    self.symbol(SymbolKind::Velocity(index), &name::dotted(&name.display, 1))
                }
                SymbolKind::Velocity(index) => {
                    self.symbol(SymbolKind::Acceleration(index), &name::dotted(&name.display, 2))
                }
                _ => continue,
            };
            seeds.push((symbol, rate.as_scalar().unwrap_or(ExprPool::ZERO)));
        }
        seeds
    }

    /// A `let` with its dots (total time derivatives) and side.
    fn derived_let(&mut self, value: Value, name: &Name) -> Value {
        let mut value = value;
        for _ in 0..name.dots {
            let mut along = Tangent::new(self.motion_seeds());
            value = value.map(|e| along.derivative(&mut self.pool, e));
        }
        if name.side == Side::Plus { self.after_impact(&value) } else { value }
    }

    /// The value with velocities taken after the impact.
    pub(crate) fn after_impact(&mut self, value: &Value) -> Value {
        let velocities: Vec<(SymbolId, usize, String)> = self
            .pool
            .symbols()
            .iter()
            .filter_map(|symbol| match symbol.kind {
                SymbolKind::Velocity(index) => {
                    Some((self.pool.find_symbol(symbol.kind)?, index, symbol.name.clone()))
                }
                _ => None,
            })
            .collect();
        let mut images = Vec::new();
        for (symbol, index, shown) in velocities {
            let after = self.symbol(SymbolKind::VelocityAfter(index), &format!("{shown}_plus"));
            images.push((symbol, after.as_scalar().unwrap_or(ExprPool::UNDEFINED)));
        }
        let mut substitution = Substitution::new(images);
        value.map(|e| substitution.apply(&mut self.pool, e))
    }

    /// The value of a `let`, resolved when first asked for.
    pub(crate) fn let_value(&mut self, index: usize, errors: &mut Errors) -> Value {
        match &self.states[index] {
            LetState::Known(value) => return value.clone(),
            LetState::Open => {
                self.report_cycle(index, errors);
                return MISTAKEN;
            }
            LetState::Untouched => {}
        }
        self.states[index] = LetState::Open;
        self.open.push(index);
        let declared = &self.lets[index];
        let value = self.value(&declared.value, Words::Let, errors);
        self.open.pop();
        self.states[index] = LetState::Known(value.clone());
        value
    }

    fn report_cycle(&self, index: usize, errors: &mut Errors) {
        let start = self.open.iter().position(|open| *open == index).unwrap_or(0);
        let mut names: Vec<String> =
            self.open[start..].iter().map(|open| self.lets[*open].name.text.clone()).collect();
        names.push(self.lets[index].name.text.clone());
        Mistake::Cycle { names }.report(errors, self.lets[index].name.region);
    }

    /// `dx`, `dt`, `dX` of a `let`: dX = Σ ∂X/∂q dq + ∂X/∂t dt.
    fn differential(
        &mut self,
        ident: &Ident,
        words: Words,
        errors: &mut Errors,
    ) -> Option<Result<Value, Mistake>> {
        if !matches!(words, Words::Row | Words::Claim) {
            return None;
        }
        let base = Name::parse(name::split_differential(&ident.text)?);
        if base.key == "t" && base.is_plain() {
            return Some(Ok(self.symbol(SymbolKind::TimeDifferential, "dt")));
        }
        if !base.is_plain() {
            return None;
        }
        match self.scope.find(&base.key)? {
            Entity::Coordinate(index) => {
                let shown = name::differential(&base.display);
                Some(Ok(self.symbol(SymbolKind::Differential(index), &shown)))
            }
            Entity::Let(index) => {
                let value = self.let_value(index, errors);
                Some(self.differential_of(&value, &base.display))
            }
            _ => None,
        }
    }

    fn differential_of(&mut self, value: &Value, name: &str) -> Result<Value, Mistake> {
        let symbols = self.pool.symbols_in(&value.entries());
        let kinds: Vec<SymbolKind> =
            symbols.iter().map(|s| self.pool.symbol_info(*s).kind).collect();
        if kinds.iter().any(|kind| {
            matches!(kind, SymbolKind::Velocity(_) | SymbolKind::Acceleration(_) | SymbolKind::Input(_))
        }) {
            return Err(Mistake::DifferentialOfVelocity { name: name.to_owned() });
        }
        let mut seeds = Vec::new();
        for (symbol, kind) in symbols.iter().zip(kinds) {
            let rate = match kind {
                SymbolKind::Coordinate(index) => {
                    let shown = name::differential(&self.pool.symbol_info(*symbol).name.clone());
                    self.symbol(SymbolKind::Differential(index), &shown)
                }
                SymbolKind::Time => self.symbol(SymbolKind::TimeDifferential, "dt"),
                _ => continue,
            };
            seeds.push((*symbol, rate.as_scalar().unwrap_or(ExprPool::ZERO)));
        }
        let mut along = Tangent::new(seeds);
        Ok(value.map(|e| along.derivative(&mut self.pool, e)))
    }

    /// Every symbol of a name's value must be allowed where it stands.
    fn check_allowed(
        &self,
        ident: &Ident,
        value: Value,
        words: Words,
        errors: &mut Errors,
    ) -> Value {
        let forbidden = self
            .pool
            .symbols_in(&value.entries())
            .into_iter()
            .map(|symbol| self.pool.symbol_info(symbol).kind)
            .find(|kind| !words.allows(*kind));
        let Some(kind) = forbidden else { return value };
        let (place, allowed) = words.words();
        let what = match (kind, self.scope.find(&ident.name().key)) {
            (SymbolKind::Velocity(_), Some(Entity::Let(_))) => "a `let` with velocities",
            (_, Some(Entity::Let(_))) => "a `let` that depends on more",
            _ => kind_words(kind),
        };
        Mistake::NotHere { name: ident.text.clone(), what, place, allowed }
            .report(errors, ident.region);
        MISTAKEN
    }

    fn index(
        &mut self,
        base: &Expr,
        indices: &[Expr],
        words: Words,
        errors: &mut Errors,
    ) -> Value {
        let value = self.value(base, words, errors);
        let mut current = value;
        for index in indices {
            let (length, picked) = match &current {
                Value::Scalar(_) if current.is_mistaken() => return MISTAKEN,
                Value::Scalar(_) => {
                    Mistake::Shape { expected: "a vector or a matrix", found: current.shape() }
                        .report(errors, base.region);
                    return MISTAKEN;
                }
                Value::Vector(entries) => (entries.len(), self.position(index, entries.len())),
                Value::Matrix(rows) => (rows.len(), self.position(index, rows.len())),
            };
            let Some(position) = picked else {
                Mistake::Index { length }.report(errors, index.region);
                return MISTAKEN;
            };
            current = match current {
                Value::Vector(entries) => Value::Scalar(entries[position]),
                Value::Matrix(rows) => Value::Vector(rows[position].clone()),
                Value::Scalar(_) => return MISTAKEN,
            };
        }
        current
    }

    /// A position from 1, a coordinate among n, or a row of B among its rows.
    fn position(&self, index: &Expr, length: usize) -> Option<usize> {
        let position = match &index.kind {
            ExprKind::Number(number) => number.text.parse::<usize>().ok()?.checked_sub(1)?,
            ExprKind::Name(ident) => match self.scope.find(&ident.name().key) {
                Some(Entity::Coordinate(position)) => position,
                _ => self.row_of_b(ident)?,
            },
            _ => return None,
        };
        (position < length).then_some(position)
    }

    /// The row of B of a constraint or of the claim's contact, which comes last.
    pub(crate) fn row_of_b(&self, ident: &Ident) -> Option<usize> {
        let quantities = self.quantities.as_ref()?;
        self.scope.row(ident).or_else(|| {
            let contact = self.scope.contact(ident)?;
            (quantities.at == Some(contact)).then_some(quantities.rows.len())
        })
    }

    fn call(
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
            "transpose" => self.transpose(function, &values),
            key => match Function::from_name(key) {
                Some(f) => {
                    self.elementary(function, &values, f.arity(), |pool, x| pool.call(f, x))
                }
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
            (a, b) => {
                Err(Mistake::Shapes { operation: "dot", left: a.shape(), right: b.shape() })
            }
        }
    }

    fn transpose(&mut self, function: &Ident, values: &[Value]) -> Result<Value, Mistake> {
        check_count(function, 1, values.len())?;
        match &values[0] {
            Value::Matrix(rows) => Ok(Value::Matrix(transpose(rows))),
            other if other.is_mistaken() => Ok(MISTAKEN),
            other => Err(Mistake::Shape { expected: "a matrix", found: other.shape() }),
        }
    }
}

/// The number of arguments of a function.
pub(crate) fn check_count(
    function: &Ident,
    expected: usize,
    found: usize,
) -> Result<(), Mistake> {
    if expected == found {
        return Ok(());
    }
    Err(Mistake::Arguments { function: function.text.clone(), expected, found })
}

/// What a symbol is, with its article.
fn kind_words(kind: SymbolKind) -> &'static str {
    // table
    match kind {
        SymbolKind::Pi => "a constant",
        SymbolKind::Parameter(_) => "a parameter",
        SymbolKind::Constant(_) => "a constant of a motion",
        SymbolKind::Input(_) => "an input",
        SymbolKind::Time => "the time",
        SymbolKind::Coordinate(_) => "a coordinate",
        SymbolKind::Velocity(_) => "a velocity",
        SymbolKind::VelocityAfter(_) => "a velocity after an impact",
        SymbolKind::Acceleration(_) => "an acceleration",
        SymbolKind::Multiplier(_) => "a multiplier",
        SymbolKind::Impulse(_) => "an impulse",
        SymbolKind::Projector(..) | SymbolKind::Gram(..) | SymbolKind::GramInverse(..) => {
            "an entry of a matrix of the impact"
        }
        SymbolKind::Sharp(..) => "a component of a constraint's vector",
        SymbolKind::Differential(_) | SymbolKind::TimeDifferential => "a differential",
    }
}
