//! Quantities: what was derived, under the names by which claims speak of it.
//!
//! Beside the names of the declaration a claim knows
//!
//! | written | is |
//! | --- | --- |
//! | `lagrangian`, `kinetic`, `potential`, `dissipation`, `energy`, `jacobi` | the declared and derived energies |
//! | `velocity` | the vector of velocities |
//! | `mass`, `identity` | M, and the identity of its size |
//! | `dx`, `dt`, and the name of a constraint | 1-forms |
//! | `λ(row)` | the multiplier of a constraint |
//! | `force(x)` | the generalized force Q − ∂D/∂v on a coordinate |
//! | `sharp(row)` | the vector G⁻¹Bᵀ of a row |
//! | `gram`, `inverse(gram)` | B G⁻¹ Bᵀ and its inverse; without a contact B = A |
//! | `projector` | P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁻¹B |
//! | `ẋ_plus`, `plus(e)`, `ẋ_minus`, `minus(e)` | velocities and values after and before the impact |
//! | `impulse(row)` | the impulse of a row at the impact: M (v⁺ − v⁻) = Bᵀ·impulse |
//!
//! A row of a contact is addressed by the contact's name; `λ(contact)` where it is closed.
use super::calls::check_count;
use super::context::ExprContext;
use super::expression::Resolver;
use super::mistake::Mistake;
use super::scope::Entity;
use super::value::{MISTAKEN, Shaped, Value, dot};
use crate::ast::{Expr, ExprKind, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{Contact, EquationsOfMotion, SystemModel};
use eom_symbolic::name::{self, Name};
use eom_symbolic::{ExprId, ExprPool, SymbolKind};
/// What claims may speak of.
#[derive(Debug, Clone)]
pub(crate) struct Quantities {
    /// The contacts that are closed: their rows follow those of the declaration.
    pub(super) closed: Vec<usize>,
    /// The contact of the claim.
    pub(super) at: Option<usize>,
    /// Whether the claim names a contact, known or not.
    pub(super) at_impact: bool,
    /// A, and b beside each row.
    pub(super) rows: Vec<(Vec<ExprId>, ExprId)>,
    /// The rows of B by their places: those of A, the gap, the contact's own.
    pub(super) in_b: Vec<usize>,
    contacts: Vec<Contact>,
    row_names: Vec<String>,
    pub(super) coordinates: Vec<String>,
    /// The names of the speeds as indices, `x`, `u`.
    speeds: Vec<String>,
    /// W: speeds from the rates of coordinates; empty where they are these.
    forms: Vec<Vec<ExprId>>,
    scalars: Vec<(&'static str, ExprId)>,
    mass: Vec<Vec<ExprId>>,
    force: Vec<ExprId>,
}

impl Quantities {
    pub(super) fn new(model: &mut SystemModel, equations: &EquationsOfMotion) -> Self {
        let energy = model.pool.add(equations.kinetic, equations.potential);
        Self {
            closed: Vec::new(),
            at: None,
            at_impact: false,
            rows: equations.rows.iter().cloned().zip(equations.affine.iter().copied()).collect(),
            in_b: (0..equations.rows.len()).collect(),
            contacts: model.contacts.clone(),
            row_names: model.rows.iter().map(|row| row.named.name.clone()).collect(),
            coordinates: model.coordinates.iter().map(|c| c.named.name.clone()).collect(),
            speeds: model.speeds.iter().map(|s| s.named.name.clone()).collect(),
            forms: model.kinematics.as_ref().map(|k| k.forms.clone()).unwrap_or_default(),
            scalars: vec![
                ("lagrangian", model.lagrangian),
                ("kinetic", equations.kinetic),
                ("potential", equations.potential),
                ("dissipation", model.dissipation),
                ("energy", energy),
                ("jacobi", equations.jacobi),
            ],
            mass: equations.mass.clone(),
            force: equations.whole_force(&mut model.pool),
        }
    }

    /// Takes the contact of a claim.
    pub(super) fn enter(&mut self, contact: Option<usize>, at_impact: bool) {
        let k = self.rows.len();
        let rows = contact.and_then(|c| self.contacts.get(c)).map(|c| c.rows_of_b(k));
        self.in_b = rows.unwrap_or_else(|| (0..k).collect());
        (self.at, self.at_impact) = (contact, at_impact);
    }

    /// The rows of the gaps of the closed contacts; the own rows of each follow its gap.
    pub(super) fn closed_places(&self) -> Vec<usize> {
        let own = |contact: &usize| self.contacts.get(*contact).map_or(0, |c| c.rows.len());
        let all: usize = self.closed.iter().map(|contact| 1 + own(contact)).sum();
        let mut next = self.rows.len() - all;
        let places = self.closed.iter().map(|contact| {
            let place = next;
            next += 1 + own(contact);
            place
        });
        places.collect()
    }

    /// The place among all rows of the gap of a contact that is closed, or that of the claim.
    pub(super) fn gap_place(&self, contact: usize) -> Option<usize> {
        if self.at == Some(contact) {
            return Some(self.rows.len());
        }
        let closed = self.closed.iter().position(|closed| *closed == contact)?;
        self.closed_places().get(closed).copied()
    }

    /// The contact of the claim.
    pub(super) fn contact(&self) -> Option<&Contact> {
        self.contacts.get(self.at?)
    }

    /// Its name.
    pub(super) fn contact_name(&self) -> String {
        self.contact().map(|contact| contact.named.name.clone()).unwrap_or_default()
    }

    /// The coordinate whose value takes the place of this one after the impact.
    pub(super) fn relabelled(&self, coordinate: usize) -> usize {
        self.contact().map_or(coordinate, |contact| contact.relabelled(coordinate))
    }

    /// Coefficients and affine part of a row of A, or of an own row of the contact, by its place.
    fn row(&self, place: usize) -> Option<(&[ExprId], ExprId)> {
        if let Some((coefficients, affine)) = self.rows.get(place) {
            return Some((coefficients, *affine));
        }
        let row = self.contact()?.rows.get(place.checked_sub(self.rows.len() + 1)?)?;
        Some((&row.coefficients, row.affine))
    }

    /// What a row is called: as declared, with the contact before its own.
    fn row_name(&self, place: usize) -> Option<String> {
        let k = self.rows.len();
        match place.checked_sub(k) {
            None => self.row_names.get(place).cloned(),
            Some(0) => Some(self.contact_name()),
            Some(own) => {
                let contact = self.contact()?;
                Some(format!("{}.{}", contact.named.name, contact.rows.get(own - 1)?.named.name))
            }
        }
    }
}
impl Resolver<'_> {
    /// A name that only claims know.
    pub(super) fn quantity(
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
            "mass" => Some(Value::Matrix(quantities.mass)),
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
    pub(super) fn own_row_form(
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
    pub(super) fn claim_call(
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
        let known = ["lambda", "impulse", "sharp", "force", "inverse", "plus", "minus"];
        if !known.contains(&key.as_str()) {
            return None;
        }
        let result = check_count(function, 1, arguments.len()).and_then(|()| {
            let argument = &arguments[0];
            match key.as_str() {
                "plus" => {
                    let value = self.value(argument, context, errors);
                    Ok(self.after_impact(&value))
                }
                "minus" => Ok(self.value(argument, context, errors)),
                "inverse" => self.inverse(argument, &quantities, context, errors),
                "force" => self.force(argument, &quantities),
                _ => self.row_call(&key, argument, &quantities),
            }
        });
        Some(result.unwrap_or_else(|mistake| {
            mistake.report(errors, expr.region);
            MISTAKEN
        }))
    }

    /// `inverse(gram)`, and of nothing else: no other matrix has its inverse at hand.
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
        let found = self.value(argument, context, errors).shape();
        Err(Mistake::Shape { expected: "`gram`", found })
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
    pub(super) fn closed_row(&self, ident: &Ident) -> Option<usize> {
        let quantities = self.quantities.as_ref()?;
        let contact = self.scope.contact(ident)?;
        let place = quantities.closed.iter().position(|closed| *closed == contact)?;
        Some(quantities.closed_places()[place])
    }

    /// `λ(row)` in a force, of rows of A.
    pub(super) fn multiplier_call(
        &mut self,
        function: &Ident,
        arguments: &[Expr],
        context: ExprContext,
    ) -> Result<Value, Mistake> {
        check_count(function, 1, arguments.len())?;
        let written = arguments[0].to_text();
        if context != ExprContext::Force {
            let (place, allowed) = context.words();
            let name = format!("{}({written})", function.text);
            return Err(Mistake::NotHere { name, what: "a multiplier", place, allowed });
        }
        let rows = self
            .rows_of_a(&arguments[0])
            .map_err(|mistake| self.of_contact(&arguments[0], mistake))?;
        Ok(rows.map(|row| match row {
            Some(row) => self.entry(SymbolKind::Multiplier(row), &format!("λ({written})")),
            None => ExprPool::ZERO,
        }))
    }

    /// What is said of λ of what is no row: of a contact and its rows there is something else to say.
    fn of_contact(&self, argument: &Expr, mistake: Mistake) -> Mistake {
        let ident = match &argument.kind {
            ExprKind::Member { contact, .. } => Some(contact.clone()),
            _ => self.contact_named(argument),
        };
        match ident.filter(|ident| self.scope.contact(ident).is_some()) {
            Some(ident) => Mistake::ContactMultiplier { contact: ident.text },
            None => mistake,
        }
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
            Some(ident) if key == "lambda" => Mistake::NeedsClosed { contact: ident.text },
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
