//! Names and calls that only claims know; what each is stands in the table of [`Quantities`].

use super::quantities::Quantities;
use crate::ast::{Expr, ExprKind, Ident};
use crate::diagnostic::Errors;
use crate::resolve::contacts::surface::touch;
use crate::resolve::expression::Resolver;
use crate::resolve::expression::context::ExprContext;
use crate::resolve::expression::value::{MISTAKEN, Shaped, Value, dot};
use crate::resolve::mistake::Mistake;
use crate::resolve::scope::{Entity, Slipping};
use eom_symbolic::mechanics::Resisted;
use eom_symbolic::name::{self, Name};
use eom_symbolic::{ExprId, ExprPool, SymbolKind};

impl Resolver<'_> {
    /// A name that only claims know.
    pub(in crate::resolve) fn quantity(
        &mut self,
        ident: &Ident,
        context: ExprContext,
    ) -> Option<Result<Value, Mistake>> {
        if context != ExprContext::Claim {
            return None;
        }
        let name = ident.name();
        let value = self.plain_quantity(ident, &name)?;
        if !name.is_plain() && name.dots == 0 {
            return Some(Ok(match name.side {
                name::Side::Plus => self.after_impact(&value),
                _ => value,
            }));
        }
        if name.dots > 0 {
            return Some(Err(Mistake::NoDerivative {
                name: ident.text.clone(),
                what: "a derived quantity",
            }));
        }
        Some(Ok(value))
    }

    fn plain_quantity(&mut self, ident: &Ident, name: &Name) -> Option<Value> {
        let quantities = self.quantities.clone()?;
        if let Some((_, value)) = quantities.scalars.iter().find(|(word, _)| *word == name.key) {
            return Some(Value::Scalar(*value));
        }
        let n = quantities.speeds.len();
        match name.key.as_str() {
            "velocity" => Some(Value::Vector(
                (0..n)
                    .map(|i| {
                        let shown = self.scope.layout.speed_name(i);
                        self.entry(SymbolKind::Velocity(i), &shown)
                    })
                    .collect(),
            )),
            "mass" => Some(Value::Matrix(quantities.mass.entries(&mut self.pool).into_owned())),
            "identity" => Some(Value::Matrix(
                (0..n)
                    .map(|i| {
                        let entry = |j| if i == j { ExprPool::ONE } else { ExprPool::ZERO };
                        (0..n).map(entry).collect()
                    })
                    .collect(),
            )),
            "projector" => Some(self.matrix(n, "projector", SymbolKind::Projector)),
            "gram" => Some(self.matrix_of_rows(&quantities, "gram", SymbolKind::Gram)),
            _ => self.row_form(ident, &quantities),
        }
    }

    /// A constraint as a 1-form Σ A dq + b dt, or as the vector of those of its components.
    fn row_form(&mut self, ident: &Ident, quantities: &Quantities) -> Option<Value> {
        let closed = || Some(Shaped::Scalar(Some(self.closed_row(ident)?)));
        let rows = self.scope.row(ident).cloned().or_else(closed)?;
        Some(self.forms(&rows, quantities))
    }

    /// A row of the claim's contact as a 1-form.
    pub(in crate::resolve) fn own_row_form(
        &mut self,
        contact: &Ident,
        row: &Ident,
        context: ExprContext,
    ) -> Result<Value, Mistake> {
        let rows = self.own_row(contact, row)?;
        match self.quantities.clone().filter(|_| context == ExprContext::Claim) {
            Some(quantities) => Ok(self.forms(&rows, &quantities)),
            None => Err(Mistake::RowOfContact { name: format!("{}.{}", contact.text, row.text) }),
        }
    }

    /// Rows of B as 1-forms, 0 where a component is no row.
    fn forms(&mut self, rows: &Shaped<Option<usize>>, quantities: &Quantities) -> Value {
        rows.map(|row| match row.and_then(|row| quantities.row(row)) {
            Some((coefficients, affine)) => self.form(coefficients, affine, quantities),
            None => ExprPool::ZERO,
        })
    }

    /// Σ A dq + b dt.
    fn form(&mut self, coefficients: &[ExprId], affine: ExprId, quantities: &Quantities) -> ExprId {
        let mut terms = Vec::new();
        for (i, coefficient) in coefficients.iter().enumerate() {
            let shown = name::differential(&quantities.speeds[i]);
            let differential = self.entry(SymbolKind::Differential(i), &shown);
            terms.push((ExprPool::ONE, self.pool.mul(*coefficient, differential)));
        }
        let dt = self.entry(SymbolKind::TimeDifferential, "dt");
        terms.push((ExprPool::ONE, self.pool.mul(affine, dt)));
        self.pool.sum(&terms)
    }

    fn entry(&mut self, kind: SymbolKind, shown: &str) -> ExprId {
        let symbol = self.pool.symbol(kind, shown);
        self.pool.symbol_expr(symbol)
    }

    fn matrix(
        &mut self,
        size: usize,
        shown: &str,
        kind: impl Fn(usize, usize) -> SymbolKind,
    ) -> Value {
        let entries = (0..size).map(|i| {
            let entry = |j| self.entry(kind(i, j), &format!("{shown}[{}, {}]", i + 1, j + 1));
            (0..size).map(entry).collect()
        });
        Value::Matrix(entries.collect())
    }

    /// A matrix of the rows of B.
    fn matrix_of_rows(
        &mut self,
        quantities: &Quantities,
        shown: &str,
        kind: impl Fn(usize, usize) -> SymbolKind,
    ) -> Value {
        let places = &quantities.in_b;
        self.matrix(places.len(), shown, |i, j| kind(places[i], places[j]))
    }

    /// A call that only claims know.
    pub(in crate::resolve) fn claim_call(
        &mut self,
        expr: &Expr,
        function: &Ident,
        arguments: &[Expr],
        context: ExprContext,
        errors: &mut Errors,
    ) -> Option<Value> {
        if context != ExprContext::Claim {
            return None;
        }
        let quantities = self.quantities.clone()?;
        let key = function.name().key;
        if let Some(value) = self.calculus(expr, function, arguments, errors) {
            return Some(value);
        }
        // table
        let known = [
            "lambda", "impulse", "sharp", "force", "inverse", "rank", "rows", "columns", "plus",
            "minus",
        ];
        if !known.contains(&key.as_str()) {
            return None;
        }
        let result = Mistake::of_count(function, 1, arguments.len()).and_then(|()| {
            let argument = &arguments[0];
            match key.as_str() {
                "plus" => {
                    let value = self.value(argument, context, errors);
                    Ok(self.after_impact(&value))
                }
                "minus" => Ok(self.value(argument, context, errors)),
                "inverse" => self.inverse(argument, &quantities, context, errors),
                "rank" => {
                    let value = self.value(argument, context, errors);
                    self.rank(&value)
                }
                "rows" | "columns" => {
                    let value = self.value(argument, context, errors);
                    Ok(self.count(&value, key == "rows"))
                }
                "force" => self.force(argument, &quantities),
                _ => self.row_call(&key, argument, &quantities),
            }
        });
        Some(result.unwrap_or_else(|mistake| {
            mistake.report(errors, expr.region);
            MISTAKEN
        }))
    }

    /// `inverse(gram)`, which the engine has, and of other matrices by their minors.
    fn inverse(
        &mut self,
        argument: &Expr,
        quantities: &Quantities,
        context: ExprContext,
        errors: &mut Errors,
    ) -> Result<Value, Mistake> {
        if matches!(&argument.kind, ExprKind::Name(ident) if ident.name().key == "gram") {
            return Ok(self.matrix_of_rows(quantities, "inverse(gram)", SymbolKind::GramInverse));
        }
        let value = self.value(argument, context, errors);
        self.inverted(&value)
    }

    /// How many rows or columns a matrix has; a vector is a column.
    fn count(&mut self, value: &Value, rows: bool) -> Value {
        let (height, width) = match value {
            _ if value.is_mistaken() => return MISTAKEN,
            Value::Scalar(_) => (1, 1),
            Value::Vector(entries) => (entries.len(), 1),
            Value::Row(entries) => (1, entries.len()),
            Value::Matrix(rows) => (rows.len(), rows.first().map_or(0, Vec::len)),
        };
        let count = if rows { height } else { width };
        Value::Scalar(self.pool.integer(i64::try_from(count).unwrap_or_default()))
    }

    fn force(&mut self, argument: &Expr, quantities: &Quantities) -> Result<Value, Mistake> {
        let ident = self.name_in(argument)?;
        match self.scope.find(&ident.name().key) {
            // F on q̇ of a coordinate: F·q̇ = Σ F_j v_j, v_j = Σ W_ji q̇_i.
            Some(Entity::Coordinate(index)) if !quantities.forms.is_empty() => {
                let column: Vec<ExprId> = quantities.forms.iter().map(|row| row[index]).collect();
                let force = &quantities.force[..column.len()];
                Ok(Value::Scalar(dot(&column, force, &mut self.pool)))
            }
            Some(Entity::Coordinate(index) | Entity::Speed(index)) => {
                Ok(Value::Scalar(quantities.force[index]))
            }
            _ => Err(Mistake::NotACoordinate {
                name: ident.text.clone(),
                near: self.scope.nearest_coordinate(&ident.name()),
            }),
        }
    }

    /// The row of a contact that is closed.
    pub(in crate::resolve) fn closed_row(&self, ident: &Ident) -> Option<usize> {
        let quantities = self.quantities.as_ref()?;
        let contact = self.scope.contact(ident)?;
        let place = quantities.closed.iter().position(|closed| *closed == contact)?;
        Some(quantities.closed_places()[place])
    }

    /// `λ(row)` of rows of A, and `λ(contact)`, in a force or where it is looked at along a run.
    pub(in crate::resolve) fn multiplier_call(
        &mut self,
        function: &Ident,
        arguments: &[Expr],
        context: ExprContext,
    ) -> Result<Value, Mistake> {
        Mistake::of_count(function, 1, arguments.len())?;
        let written = arguments[0].to_text();
        if context != ExprContext::Force && !context.allows(SymbolKind::Multiplier(0)) {
            let (place, allowed) = context.words();
            let name = format!("{}({written})", function.text);
            return Err(Mistake::NotHere { name, what: "a multiplier", place, allowed });
        }
        if let Some(ident) = self.contact_named(&arguments[0]) {
            let contact = self.scope.contact(&ident).unwrap_or_default();
            let kind = SymbolKind::ContactForce(contact);
            return Ok(Value::Scalar(self.entry(kind, &format!("λ({written})"))));
        }
        let rows = self
            .rows_of_a(&arguments[0])
            .map_err(|mistake| self.of_contact(&arguments[0], mistake))?;
        Ok(rows.map(|row| match row {
            Some(row) => self.entry(SymbolKind::Multiplier(row), &format!("λ({written})")),
            None => ExprPool::ZERO,
        }))
    }

    /// `friction(contact)` or `friction(row)`, the force of friction on its slip, or `rolling(contact)` and `spinning(contact)`, the moments
    /// against its roll and spin, in a force or where they are looked at along a run.
    pub(in crate::resolve) fn friction_call(
        &mut self,
        (resisted, function): (Resisted, &Ident),
        arguments: &[Expr],
        context: ExprContext,
    ) -> Result<Value, Mistake> {
        Mistake::of_count(function, 1, arguments.len())?;
        let written = arguments[0].to_text();
        let name = format!("{}({written})", function.text);
        let Some(ident) = self.contact_named(&arguments[0]) else {
            return self.row_friction_call((resisted, &name), &arguments[0], context);
        };
        if context == ExprContext::Claim {
            return self.friction_of_claim((resisted, name), ident);
        }
        if !context.allows(SymbolKind::ContactFriction(0, 0)) {
            let (place, allowed) = context.words();
            return Err(Mistake::NotHere { name, what: "a force of friction", place, allowed });
        }
        let contact = self.scope.contact(&ident).unwrap_or_default();
        let Some(slip) = self.scope.slip(contact, resisted).cloned() else {
            return Err(Mistake::NoFriction { contact: ident.text, resisted });
        };
        let kind = |i: usize| SymbolKind::ContactFriction(contact, resisted.place() + i);
        let components = self.components(resisted, &slip);
        Ok(self.force_on(components, &name, kind))
    }

    /// The same while the contact of a claim is closed.
    fn friction_of_claim(
        &self,
        (resisted, name): (Resisted, String),
        contact: Ident,
    ) -> Result<Value, Mistake> {
        let index = self.scope.contact(&contact).unwrap_or_default();
        if self.scope.slip(index, resisted).is_none() {
            return Err(Mistake::NoFriction { contact: contact.text, resisted });
        }
        let places = resisted.place()..resisted.place() + resisted.components();
        let frictions = self.quantities.iter().flat_map(|quantities| &quantities.frictions);
        let of = frictions.filter(|(of, place, _)| *of == index && places.contains(place));
        match of.map(|(_, _, force)| *force).collect::<Vec<_>>()[..] {
            [] => Err(Mistake::NeedsClosed { name, contact: contact.text }),
            [force] => Ok(Value::Scalar(force)),
            ref forces => Ok(Value::Vector(forces.to_vec())),
        }
    }

    /// A number or a vector, as what slips is.
    fn force_on(
        &mut self,
        components: usize,
        name: &str,
        kind: impl Fn(usize) -> SymbolKind,
    ) -> Value {
        let mut entry = |i: usize, shown: &str| self.entry(kind(i), shown);
        match components {
            1 => Value::Scalar(entry(0, name)),
            count => {
                Value::Vector((0..count).map(|i| entry(i, &format!("{name}[{}]", i + 1))).collect())
            }
        }
    }

    /// How many components what slips has.
    fn components(&mut self, resisted: Resisted, slip: &Slipping) -> usize {
        // What is wrong with a slip is told where it is declared.
        let mut mistakes = Errors::new();
        let found = match slip {
            Slipping::Written(slip) => {
                self.value(slip, ExprContext::Slip(resisted), &mut mistakes).entries()
            }
            Slipping::Told(gap) => touch(self, gap, false, &mut mistakes).slip.unwrap_or_default(),
        };
        mistakes.into_diagnostics();
        found.len().max(1)
    }

    /// `friction(row)`, or what is said of what is neither a contact nor a row.
    fn row_friction_call(
        &mut self,
        (resisted, name): (Resisted, &str),
        argument: &Expr,
        context: ExprContext,
    ) -> Result<Value, Mistake> {
        let ident = self.name_in(argument)?.clone();
        if resisted != Resisted::Slip || !self.scope.declares_row(&ident) {
            let near = self.scope.nearest_contact(&ident);
            return Err(Mistake::UnknownContact { name: ident.text, near });
        }
        // In a `let` that is looked at before the rows they have no numbers yet.
        let rows = self.rows_of_a(argument).ok();
        let row = rows.and_then(|rows| rows.entries().into_iter().flatten().next());
        let Some(row) = row.filter(|_| context.allows(SymbolKind::RowFriction(0, 0))) else {
            let (place, allowed) = context.words();
            let name = name.to_owned();
            return Err(Mistake::NotHere { name, what: "a force of friction", place, allowed });
        };
        let Some(slip) = self.scope.slip_along(&ident).cloned() else {
            return Err(Mistake::NoRowFriction { row: ident.text });
        };
        let components = self.components(resisted, &Slipping::Written(slip));
        Ok(self.force_on(components, name, |i| SymbolKind::RowFriction(row, i)))
    }

    /// What is said of λ of what is no row: of a contact and its rows there is something else to say.
    fn of_contact(&self, argument: &Expr, mistake: Mistake) -> Mistake {
        let ident = match &argument.kind {
            ExprKind::Member { contact, .. } => Some(contact.clone()),
            _ => self.contact_named(argument),
        };
        match ident.filter(|ident| self.scope.contact(ident).is_some()) {
            Some(ident) => Mistake::ContactMultiplier { contact: ident.text },
            None => self.nearer_contact(argument).unwrap_or(mistake),
        }
    }

    /// What is said of a name that is near that of a contact, and of no row.
    fn nearer_contact(&self, argument: &Expr) -> Option<Mistake> {
        let ident = self.name_in(argument).ok()?;
        let near = self.scope.nearest_contact(&ident)?;
        self.scope
            .nearest_row(&ident)
            .is_none()
            .then(|| Mistake::UnknownContact { name: ident.text.clone(), near: Some(near) })
    }

    /// `λ(row)`, `impulse(row)`, `sharp(row)`: of a vector row the first two are vectors, 0 where
    /// a component is no row.
    fn row_call(
        &mut self,
        key: &str,
        argument: &Expr,
        quantities: &Quantities,
    ) -> Result<Value, Mistake> {
        let rows = match (key, argument.base()) {
            ("lambda", ExprKind::Member { .. }) => {
                let in_force =
                    |row: &Option<usize>| row.is_none_or(|row| row < quantities.rows.len());
                let rows = self.rows_of_b(argument).map_err(|mistake| match mistake {
                    Mistake::RowOfContact { name } => Mistake::ClosedOnly { name },
                    other => other,
                })?;
                if !rows.entries().iter().all(in_force) {
                    return Err(Mistake::ClosedOnly { name: argument.to_text() });
                }
                Ok(rows)
            }
            ("lambda", _) => self.rows_of_a(argument),
            _ => self.rows_of_b(argument),
        };
        let rows = rows.map_err(|mistake| match self.contact_named(argument) {
            Some(ident) if key == "lambda" => {
                Mistake::NeedsClosed { name: format!("λ({})", ident.text), contact: ident.text }
            }
            Some(ident) => Mistake::NeedsContact { what: ident.text },
            None => mistake,
        })?;
        let written = argument.to_text();
        let shown = |row: usize| quantities.row_name(row).unwrap_or_else(|| written.clone());
        if key == "sharp" {
            let Some(Some(row)) = rows.as_scalar() else {
                return Err(Mistake::Shape { expected: "one row", found: rows.shape() });
            };
            let names = quantities.speeds.iter().enumerate();
            let entry = |(i, name): (usize, &String)| {
                self.entry(SymbolKind::Sharp(row, i), &format!("sharp({})[{name}]", shown(row)))
            };
            return Ok(Value::Vector(names.map(entry).collect()));
        }
        Ok(rows.map(|row| match row {
            Some(row) if key == "lambda" => {
                self.entry(SymbolKind::Multiplier(row), &format!("λ({})", shown(row)))
            }
            Some(row) => self.entry(SymbolKind::Impulse(row), &format!("impulse({})", shown(row))),
            None => ExprPool::ZERO,
        }))
    }
}
