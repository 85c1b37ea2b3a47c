//! Expressions: literals, sums, products, arrays, indices. Names and calls have files of their own.

mod calls;
pub(super) mod context;
pub(super) mod functions;
pub(super) mod indexed;
pub(super) mod integral;
pub(super) mod value;
pub(super) mod vectors;

use self::context::ExprContext;
use self::value::{MISTAKEN, Shaped, Value};
use super::claims::quantities::Quantities;
use super::mistake::Mistake;
use super::scope::{Entity, Scope};
use crate::ast::{self, Expr, ExprKind, Family, Ident, Region};
use crate::diagnostic::Errors;
use eom_symbolic::diff::Tangent;
use eom_symbolic::mechanics::Norm;
use eom_symbolic::{ExprId, ExprPool, Rational, SymbolId, Vetted};

/// How far a `let` has been resolved.
#[derive(Debug, Clone)]
pub(crate) enum LetState {
    Untouched,
    Open,
    Known(Value),
}

/// How deep expressions stand in one another, those of `let`s that are not yet resolved included: a
/// sum of products of powers is three deep, brackets are as deep as the parser lets them. So many
/// fit a thread of 2 MB in a debug build.
const NESTED_MAX: usize = 250;

/// Resolves expressions of one declaration.
#[derive(Debug)]
pub(crate) struct Resolver<'a> {
    pub(crate) pool: ExprPool,
    pub(crate) scope: Scope,
    pub(crate) lets: &'a [ast::Definition],
    pub(crate) states: Vec<LetState>,
    /// The `let`s that are being resolved, outermost first.
    pub(crate) open: Vec<usize>,
    /// The norms met, with their components.
    pub(crate) norms: Vec<Norm>,
    /// The variables of the integrals around, outermost first.
    pub(crate) variables: Vec<(String, SymbolId)>,
    /// How deep the expression that is being resolved stands in expressions.
    depth: usize,
    /// What sums come to, written out.
    pub(crate) unrolled: usize,
    /// Whether the equation was read from print, where 0 stands for a vector as well.
    pub(crate) printed: bool,
    /// What claims may speak of; `None` before the derivation.
    pub(crate) quantities: Option<Quantities>,
    /// The total time derivative, with what it has been asked for.
    pub(crate) motion: Option<Motion>,
    /// What holds nothing but symbols that may stand in a place.
    pub(crate) vetted: Vec<(ExprContext, Vetted)>,
}

/// The total time derivative while there are so many symbols.
#[derive(Debug)]
pub(crate) struct Motion {
    pub(crate) symbols: usize,
    pub(crate) along: Tangent,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(pool: ExprPool, scope: Scope, lets: &'a [ast::Definition]) -> Self {
        let states = vec![LetState::Untouched; lets.len()];
        let (open, norms, variables) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            pool,
            scope,
            lets,
            states,
            open,
            norms,
            variables,
            depth: 0,
            unrolled: 0,
            printed: false,
            quantities: None,
            motion: None,
            vetted: Vec::new(),
        }
    }

    /// Resolves every `let` anew: what q̇ is has changed.
    pub(crate) fn forget_lets(&mut self) {
        self.states.fill(LetState::Untouched);
        self.motion = None;
    }

    /// A scalar expression; [`ExprPool::UNDEFINED`] after a mistake.
    pub(crate) fn scalar(
        &mut self,
        expr: &Expr,
        context: ExprContext,
        errors: &mut Errors,
    ) -> ExprId {
        let value = self.value(expr, context, errors);
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
    pub(crate) fn value(
        &mut self,
        expr: &Expr,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        if self.depth == NESTED_MAX {
            Mistake::LetsTooDeep { limit: NESTED_MAX }.report(errors, expr.region);
            return MISTAKEN;
        }
        self.depth += 1;
        let value = self.value_within(expr, context, errors);
        self.depth -= 1;
        value
    }

    fn value_within(&mut self, expr: &Expr, context: ExprContext, errors: &mut Errors) -> Value {
        let result = match &expr.kind {
            ExprKind::Number(number) => return self.literal(expr, number, errors),
            ExprKind::Name(ident) => return self.name(ident, context, errors),
            ExprKind::Member { contact, row } => self.own_row_form(contact, row, context),
            ExprKind::Call { function, arguments } => {
                return self.call(expr, function, arguments, context, errors);
            }
            ExprKind::Index { base, indices } => {
                return self.index(base, indices, context, errors);
            }
            ExprKind::Array(entries) => return self.array(expr, entries, context, errors),
            ExprKind::Total(total) => return self.total(total, context, errors),
            ExprKind::Integral(total) => return self.integral(total, context, errors),
            ExprKind::Neg(inner) => {
                let value = self.value(inner, context, errors);
                Ok(value.map(|e| self.pool.neg(e)))
            }
            ExprKind::Sum(terms) => self.sum(terms, context, errors),
            ExprKind::Product(factors) => self.product(factors, context, errors),
            ExprKind::Pow { base, exponent } => {
                let base = self.value(base, context, errors);
                let exponent = self.value(exponent, context, errors);
                if let Some(square) = self.square(&base, &exponent, context) {
                    Ok(square)
                } else if super::claims::matrices::inverts(&base, &exponent, context) {
                    self.inverted(&base)
                } else if self.overflows(&base, &exponent) {
                    Err(Mistake::Literal { text: expr.to_text() })
                } else {
                    base.power(&exponent, &mut self.pool)
                }
            }
        };
        result.unwrap_or_else(|mistake| {
            mistake.report(errors, expr.region);
            MISTAKEN
        })
    }

    /// Whether a power of numbers is beyond f64: 10^10^10.
    fn overflows(&self, base: &Value, exponent: &Value) -> bool {
        let number = |value: &Value| Some(self.pool.as_number(value.as_scalar()?)?.to_f64());
        let power =
            number(base).zip(number(exponent)).map(|(b, n)| eom_elementary::powf(b.abs(), n));
        power.is_some_and(f64::is_infinite) && number(base) != Some(0.0)
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

    pub(crate) fn sum(
        &mut self,
        terms: &[ast::Term],
        context: ExprContext,
        errors: &mut Errors,
    ) -> Result<Value, Mistake> {
        let values: Vec<Value> =
            terms.iter().map(|term| self.value(&term.expr, context, errors)).collect();
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
        context: ExprContext,
        errors: &mut Errors,
    ) -> Result<Value, Mistake> {
        if let Some(mistake) = self.fraction_of_differentials(factors) {
            return Err(mistake);
        }
        let mut product: Option<Value> = None;
        for factor in factors {
            let value = self.value(&factor.expr, context, errors);
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
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        let values: Vec<Value> =
            entries.iter().map(|entry| self.value(entry, context, errors)).collect();
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

    fn index(
        &mut self,
        base: &Expr,
        indices: &[Expr],
        context: ExprContext,
        errors: &mut Errors,
    ) -> Value {
        let element = self.element(base, indices, Family::Values);
        let element = element.or_else(|| self.element(base, indices, Family::Rows));
        let (value, indices) = match element {
            Some(Ok(element)) => (self.name(&element, context, errors), &indices[1..]),
            Some(Err((mistake, at))) => {
                mistake.report(errors, at);
                return MISTAKEN;
            }
            None => (self.value(base, context, errors), indices),
        };
        if value.is_mistaken() {
            return MISTAKEN;
        }
        if let (ExprKind::Array(_), Value::Vector(_), [_, _, ..]) = (&base.kind, &value, indices) {
            let right = Expr { kind: ExprKind::Array(indices.to_vec()), region: base.region };
            Mistake::TwoPoints { left: base.to_text(), right: right.to_text() }
                .report(errors, base.region);
            return MISTAKEN;
        }
        self.pick(value, base, indices).unwrap_or_else(|(mistake, at)| {
            mistake.report(errors, at);
            MISTAKEN
        })
    }

    /// The entry or row at the indices of `base`, or the mistake with its place.
    pub(crate) fn pick<T: Clone>(
        &self,
        value: Shaped<T>,
        base: &Expr,
        indices: &[Expr],
    ) -> Result<Shaped<T>, (Mistake, Region)> {
        let mut current = value;
        for index in indices {
            let length = match &current {
                Shaped::Scalar(_) => {
                    let expected = "a vector or a matrix";
                    let mistake = Mistake::Shape { expected, found: current.shape() };
                    return Err((mistake, base.region));
                }
                Shaped::Vector(entries) | Shaped::Row(entries) => entries.len(),
                Shaped::Matrix(rows) => rows.len(),
            };
            let Some(position) = self.position(index, length) else {
                return Err((Mistake::Index { length }, index.region));
            };
            current = match current {
                Shaped::Matrix(rows) => Shaped::Vector(rows[position].clone()),
                Shaped::Vector(entries) | Shaped::Row(entries) => {
                    Shaped::Scalar(entries[position].clone())
                }
                scalar @ Shaped::Scalar(_) => scalar,
            };
        }
        Ok(current)
    }

    /// A position from 1, a speed by its name or that of its coordinate, or a row of B among its rows.
    fn position(&self, index: &Expr, length: usize) -> Option<usize> {
        let position = match &index.kind {
            ExprKind::Name(_) | ExprKind::Index { .. } | ExprKind::Member { .. } => {
                match self.speed_of(index) {
                    Some(position) => position,
                    None => {
                        let row = self.rows_of_b(index).ok()?.as_scalar()??;
                        let quantities = self.quantities.as_ref()?;
                        quantities.in_b.iter().position(|other| *other == row)?
                    }
                }
            }
            _ => usize::try_from(index.whole()?).ok()?.checked_sub(1)?,
        };
        (position < length).then_some(position)
    }

    /// The speed that an expression names.
    fn speed_of(&self, expr: &Expr) -> Option<usize> {
        let name = self.name_in(expr).ok()?.name();
        match self.scope.find(&name.key) {
            Some(Entity::Coordinate(position)) => self.scope.layout.speed_of(position),
            Some(Entity::Speed(position)) => Some(position),
            _ => None,
        }
    }

    /// The name that an expression is, an element of an array written out.
    pub(crate) fn name_in(&self, expr: &Expr) -> Result<Ident, Mistake> {
        let not_a_name =
            || Mistake::Shape { expected: "a name", found: "an expression".to_owned() };
        match &expr.kind {
            ExprKind::Name(ident) => Ok(ident.clone()),
            ExprKind::Index { base, indices } if indices.len() == 1 => {
                let element = self.element(base, indices, Family::Values);
                element.ok_or_else(not_a_name)?.map_err(|(mistake, _)| mistake)
            }
            _ => Err(not_a_name()),
        }
    }

    /// The rows of A of a constraint or of components of one, `None` where a component is 0 = 0;
    /// the row of a closed contact.
    pub(crate) fn rows_of_a(&self, expr: &Expr) -> Result<Shaped<Option<usize>>, Mistake> {
        match &expr.kind {
            ExprKind::Name(ident) => self.declared_row(ident),
            ExprKind::Index { base, indices } => {
                let family = self.family_of_rows(base);
                let (rows, indices) = match self.element(base, indices, family) {
                    Some(element) => {
                        let element = element.map_err(|(mistake, _)| mistake)?;
                        (self.declared_row(&element)?, &indices[1..])
                    }
                    None => (self.rows_of_a(base)?, &indices[..]),
                };
                let rows = self.pick(rows, base, indices).map_err(|(mistake, _)| mistake)?;
                match rows {
                    Shaped::Scalar(None) => Err(Mistake::EmptyComponent { name: expr.to_text() }),
                    rows => Ok(rows),
                }
            }
            _ => Err(Mistake::Shape { expected: "a name", found: "an expression".to_owned() }),
        }
    }

    /// The contact that an expression names, `c` or `c[2]`.
    pub(crate) fn contact_named(&self, expr: &Expr) -> Option<Ident> {
        match &expr.kind {
            ExprKind::Name(ident) => Some(ident.clone()),
            _ => self.contact_element(expr),
        }
        .filter(|ident| self.scope.contact(ident).is_some())
    }

    /// Whether an array of rows is one of contacts, whose rows they are.
    fn family_of_rows(&self, base: &Expr) -> Family {
        let ExprKind::Name(ident) = &base.kind else { return Family::Rows };
        let key = ident.name().key;
        let of_contacts = self.scope.array(&key, Family::Contacts).is_some();
        let of_rows =
            self.scope.array(&key, Family::Rows).is_some() || self.scope.row(ident).is_some();
        if of_contacts && !of_rows { Family::Contacts } else { Family::Rows }
    }

    /// `c[2]` of an array of contacts.
    fn contact_element(&self, expr: &Expr) -> Option<Ident> {
        let ExprKind::Index { base, indices } = &expr.kind else { return None };
        self.element(base, indices, Family::Contacts)?.ok()
    }

    fn declared_row(&self, ident: &Ident) -> Result<Shaped<Option<usize>>, Mistake> {
        let closed = || Some(Shaped::Scalar(Some(self.closed_row(ident)?)));
        self.scope.row(ident).cloned().or_else(closed).ok_or_else(|| {
            // Rows have their places once the equations are made, of which this is a part.
            if self.scope.declares_row(ident) {
                return Mistake::NotHere {
                    name: format!("λ({})", ident.text),
                    what: "a multiplier",
                    place: "a `let` that a force or an energy holds",
                    allowed: "t, coordinates, velocities, inputs and parameters",
                };
            }
            let near = self.scope.nearest_row(ident);
            Mistake::UnknownRow { name: ident.text.clone(), near }
        })
    }

    /// The rows of B by their places: those of A, then that of the claim's contact, then its own.
    pub(crate) fn rows_of_b(&self, expr: &Expr) -> Result<Shaped<Option<usize>>, Mistake> {
        if let Some(own) = self.contact_rows(expr)? {
            return Ok(own);
        }
        let rows = self.rows_of_a(expr);
        let (Err(_), Some(ident)) = (&rows, self.contact_named(expr)) else {
            return rows.and_then(|rows| self.in_b(rows, expr));
        };
        let Some(contact) = self.scope.contact(&ident) else { return rows };
        match &self.quantities {
            Some(quantities) if quantities.at == Some(contact) => {
                Ok(Shaped::Scalar(Some(quantities.rows.len())))
            }
            _ => Err(Mistake::NeedsContact { what: ident.text.clone() }),
        }
    }

    /// Rows of A, refused where the contact releases one of them.
    fn in_b(
        &self,
        rows: Shaped<Option<usize>>,
        expr: &Expr,
    ) -> Result<Shaped<Option<usize>>, Mistake> {
        let Some(quantities) = &self.quantities else { return Ok(rows) };
        let missing = |row: &usize| !quantities.in_b.contains(row);
        if rows.entries().into_iter().flatten().any(|row| missing(&row)) {
            let contact = quantities.contact_name();
            return Err(Mistake::Released { row: expr.to_text(), contact });
        }
        Ok(rows)
    }

    /// The places in B of the contact's own row, or of components of it, that an expression names.
    fn contact_rows(&self, expr: &Expr) -> Result<Option<Shaped<Option<usize>>>, Mistake> {
        match &expr.kind {
            ExprKind::Member { contact, row } => self.own_row(contact, row).map(Some),
            ExprKind::Index { base, indices } => {
                let Some(rows) = self.contact_rows(base)? else { return Ok(None) };
                let picked = self.pick(rows, base, indices).map_err(|(mistake, _)| mistake)?;
                match picked {
                    Shaped::Scalar(None) => Err(Mistake::EmptyComponent { name: expr.to_text() }),
                    rows => Ok(Some(rows)),
                }
            }
            _ => Ok(None),
        }
    }

    /// The places in B of a contact's own row; the contact is that of the claim.
    pub(crate) fn own_row(
        &self,
        contact: &Ident,
        row: &Ident,
    ) -> Result<Shaped<Option<usize>>, Mistake> {
        let name = format!("{}.{}", contact.text, row.text);
        let Some(index) = self.scope.contact(contact) else {
            return Err(self.no_member(contact, row));
        };
        if !self.scope.has_contact_row(index, row) {
            let near = self.scope.nearest_contact_row(index, row);
            let near = near.map(|near| format!("{}.{near}", contact.text));
            return Err(Mistake::UnknownRow { name, near });
        }
        let gap = self.quantities.as_ref().and_then(|quantities| quantities.gap_place(index));
        match (gap, self.scope.contact_row(index, row)) {
            (Some(gap), Some(rows)) => Ok(rows.map(|row| row.map(|row| gap + 1 + row))),
            _ => Err(Mistake::RowOfContact { name }),
        }
    }
}
