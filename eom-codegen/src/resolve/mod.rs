//! Resolving: syntax tree → [`SystemModel`]. Names find their symbols, expressions are built,
//! rows become their coefficients; every mistake is collected at its place.
//!
//! Claims are resolved apart, after the derivation, since they speak of its results.

mod claims;
mod contacts;
mod draw;
mod expression;
mod free;
mod hybrid;
mod kinematics;
mod layout;
mod lines;
pub(crate) mod mistake;
mod names;
mod rows;
mod scope;

pub(crate) use claims::{ClaimPlace, resolve_claims};
pub(crate) use draw::{resolve_drawing, resolve_numbers};
pub(crate) use expression::functions::resolve_formula;
pub(crate) use scope::Scope;

use crate::ast::{self, Ident, Lost, Region};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::diagnosis::vanishing;
use eom_symbolic::mechanics::{
    Bearer, Bound, Coordinate, Input, Let, Named, Output, Parameter, Relation, Resisted, Speed,
    SystemModel,
};
use eom_symbolic::program::SystemPrograms;
use eom_symbolic::{ExprId, ExprPool, SymbolKind, View};
use expression::Resolver;
use expression::context::ExprContext;
pub(crate) use mistake::Mistake;

/// A resolved declaration with the places of what later stages may object to.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The model, its claims still empty.
    pub(crate) model: SystemModel,
    /// Where things stand.
    pub(crate) places: Places,
    /// The names, for claims.
    pub(crate) scope: Scope,
}

/// The places of items, each list in the order of the model's.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The name of the system.
    pub(crate) system: Region,
    /// The energy: `kinetic` or `lagrangian`.
    pub(crate) energy: Region,
    /// The dissipation function, where there is one.
    pub(crate) dissipation: Region,
    /// Speeds.
    pub(crate) speeds: Vec<Region>,
    /// Functions.
    pub(crate) functions: Vec<Region>,
    /// Constraint rows.
    pub(crate) rows: Vec<Region>,
    /// Their names.
    pub(crate) row_names: Vec<Region>,
    /// Gaps.
    pub(crate) gaps: Vec<Region>,
    /// The dissipation of each contact; its gap where it has none.
    pub(crate) contact_dissipations: Vec<Region>,
    /// The slip, roll and spin of each contact; its gap where it has none.
    pub(crate) slips: Vec<[Region; 3]>,
    /// The slip of each constraint with friction.
    pub(crate) row_slips: Vec<Region>,
    /// The own rows of each contact.
    pub(crate) contact_rows: Vec<Vec<Region>>,
}

impl Places {
    /// Where the velocity stands that a contact or a constraint resists.
    pub(crate) fn slip(&self, model: &SystemModel, bearer: Bearer, resisted: Resisted) -> Region {
        match bearer {
            Bearer::Contact(contact) => self.slips[contact][resisted as usize],
            Bearer::Row(row) | Bearer::Rows { first: row, .. } => {
                let place = model.row_frictions.iter().position(|friction| friction.row == row);
                place.map_or(self.rows[row], |place| self.row_slips[place])
            }
        }
    }
}

/// Nodes that the equations of a chain with so many coordinates n come to: two for each of the n² entries
/// of M, and what grows with n.
fn room(system: &ast::System) -> usize {
    let n = system.coordinates.len() + 3 * system.rotations.len();
    2 * n * n + 32 * n
}

/// Resolves a declaration up to its claims. Components of vector rows that only states show to be 0 = 0
/// are left out by a second pass: every index of a row depends on them.
pub(crate) fn resolve(system: &ast::System, errors: &mut Errors) -> Option<Resolved> {
    let (mut resolved, bare) = resolve_without(system, &[], errors)?;
    let residuals: Vec<_> = bare.iter().map(|bare| (bare.name.clone(), bare.residual)).collect();
    let vanishing = vanishing(&mut resolved.model, &residuals);
    let before = errors.len();
    for rows::Bare { name, mistake: (mistake, at), .. } in bare {
        if !vanishing.contains(&name) {
            mistake.report(errors, at);
        }
    }
    if errors.len() > before {
        return None;
    }
    if vanishing.is_empty() {
        return Some(resolved);
    }
    resolve_without(system, &vanishing, errors).map(|(resolved, _)| resolved)
}

/// The same with these components known to be 0 = 0; and those that hold nothing that moves.
fn resolve_without(
    system: &ast::System,
    vanishing: rows::Vanishing<'_>,
    errors: &mut Errors,
) -> Option<(Resolved, Vec<rows::Bare>)> {
    let found = errors.len();
    let mut pool = ExprPool::with_room(room(system));
    let scope = Scope::collect(system, &mut pool, errors);
    let mut resolver = Resolver::new(pool, scope, &system.lets);
    let partials = expression::functions::declare(&mut resolver, system, errors);
    kinematics::resolve_kinematics(&mut resolver, system, errors);
    let plain = system.velocities.is_empty() && system.rotations.is_empty();
    if !plain && (errors.len() > found || resolver.scope.layout.kinematics.is_none()) {
        // What follows would speak of velocities that are not known.
        return None;
    }
    let parameters = parameters(&mut resolver, system, errors);
    let functions = expression::functions::functions(&mut resolver, system, &partials, errors);
    let lets = lets(&mut resolver, system, errors);
    let (kinetic, potential, lagrangian) = energies(&mut resolver, system, errors);
    let (dissipation, terms) = lines::dissipation(&mut resolver, system, errors);
    // Forces that hold those of rows need the rows; others come first, as they are declared.
    let coupled = system.forces.iter().any(|force| force.value.calls(&["lambda", "friction"]));
    let early = (!coupled).then(|| lines::forces(&mut resolver, system, errors));
    let rows = rows::resolve_rows(&mut resolver, system, vanishing, errors);
    resolver.scope.place_rows(rows.declared);
    let (mut forces, mut lines) =
        early.unwrap_or_else(|| lines::forces(&mut resolver, system, errors));
    lines.extend(terms);
    let (mut contacts, contact_rows) = contacts::contacts(&mut resolver, system, vanishing, errors);
    lines::give_to_contacts(&mut resolver, system, &mut forces, &mut contacts, errors);
    let mut row_frictions = rows::friction::row_frictions(&mut resolver, system, &contacts, errors);
    lines::give_to_frictions(
        &mut resolver,
        (system, &mut forces),
        (&mut contacts, &mut row_frictions),
        errors,
    );
    let (mut empty_rows, mut bare) = (rows.empty, rows.bare);
    let mut contact_places = Vec::new();
    for resolution in contact_rows {
        empty_rows.extend(resolution.empty);
        bare.extend(resolution.bare);
        contact_places.push(resolution.places);
    }
    let whole = errors.len() == found;
    let mut events = hybrid::events(&mut resolver, system, &contacts, errors);
    let mut scenarios = hybrid::scenarios(&mut resolver, system, errors);
    let mut sentences = claims::sentences::sentences(&mut resolver, system, errors);
    let mut outputs = outputs(&mut resolver, system, errors);
    if whole && errors.len() > found {
        // Nothing depends on these: with a mistake in them the equations are looked at without them.
        (events, scenarios, outputs) = (Vec::new(), Vec::new(), Vec::new());
        sentences = Vec::new();
    }
    let row_places = (rows.places, rows.names);
    let places = places(system, row_places, contact_places, &resolver.scope);
    let (coordinates, speeds) = coordinates(&mut resolver, system);
    let inputs = inputs(&mut resolver, system);
    if !check_size(&resolver.pool, &system.name, errors) || !whole || system.lost == Lost::Items {
        return None;
    }
    let free = free::free(&resolver, system, &rows.rows, errors);
    let time = resolver.pool.symbol(SymbolKind::Time, "t");
    let model = SystemModel {
        pool: resolver.pool,
        named: system.name.named(&system.docs),
        document: system.document.as_ref().map(|d| d.title.clone()).unwrap_or_default(),
        time,
        coordinates,
        speeds,
        rotations: resolver.scope.layout.rotations.clone(),
        kinematics: resolver.scope.layout.kinematics.clone(),
        parameters,
        inputs,
        functions,
        lets,
        kinetic,
        potential,
        lagrangian,
        dissipation,
        norms: resolver.norms,
        forces,
        lines,
        rows: rows.rows,
        row_frictions,
        empty_rows,
        free,
        contacts,
        events,
        scenarios,
        sentences,
        outputs,
        drawing: None,
        claims: Vec::new(),
    };
    Some((Resolved { model, places, scope: resolver.scope }, bare))
}

/// Refuses expressions that grew beyond all use: what was built after that means nothing.
pub(crate) fn check_size(pool: &ExprPool, system: &Ident, errors: &mut Errors) -> bool {
    let Some(what) = pool.exceeded() else { return true };
    Mistake::TooLarge { system: system.text.clone(), what }.report(errors, system.region);
    false
}

/// More statements than rustc or the interpreter are given: a run would not be worth waiting for.
const STATEMENTS_MAX: usize = 200_000;

/// Refuses programs that nobody would wait for.
pub(crate) fn check_length(programs: &SystemPrograms, system: &Ident, errors: &mut Errors) -> bool {
    let statements: usize = programs.all().iter().map(|program| program.instructions.len()).sum();
    if statements <= STATEMENTS_MAX {
        return true;
    }
    let limit = STATEMENTS_MAX;
    Mistake::LongPrograms { system: system.text.clone(), statements, limit }
        .report(errors, system.region);
    false
}

fn places(
    system: &ast::System,
    (rows, row_names): (Vec<Region>, Vec<Region>),
    contact_rows: Vec<Vec<Region>>,
    scope: &Scope,
) -> Places {
    let energy = system.kinetic.as_ref().or(system.lagrangian.as_ref());
    Places {
        system: system.name.region,
        energy: energy.map_or(system.name.region, |declared| declared.value.region),
        dissipation: (system.dissipation.as_ref())
            .map_or(system.name.region, |declared| declared.value.region),
        speeds: scope.layout.speeds.iter().map(|(_, _, region)| *region).collect(),
        functions: system.functions.iter().map(|f| f.name.region).collect(),
        rows,
        row_names,
        gaps: system.contacts.iter().map(|contact| contact.gap.region()).collect(),
        contact_dissipations: system
            .contacts
            .iter()
            .map(|contact| {
                contact
                    .dissipation
                    .as_ref()
                    .map_or_else(|| contact.gap.region(), |told| told.region)
            })
            .collect(),
        slips: system
            .contacts
            .iter()
            .map(|contact| {
                contact.resists.each_ref().map(|resists| {
                    resists.motion.as_ref().map_or_else(|| contact.gap.region(), |slip| slip.region)
                })
            })
            .collect(),
        row_slips: system
            .row_frictions
            .iter()
            .map(|row| row.resists.motion.as_ref().map_or(row.name.region, |slip| slip.region))
            .collect(),
        contact_rows,
    }
}

fn row_region(row: &ast::Row) -> Region {
    row.lhs.region.to(row.rhs.as_ref().map_or(row.lhs.region, |rhs| rhs.region))
}

fn coordinates(resolver: &mut Resolver<'_>, system: &ast::System) -> (Vec<Coordinate>, Vec<Speed>) {
    let (mut coordinates, mut speeds) = (Vec::new(), Vec::new());
    for (index, declared) in system.coordinates.iter().enumerate() {
        let position = resolver.position_symbol(index);
        coordinates.push(Coordinate { named: declared.name.named(&declared.docs), position });
        speeds.push(resolver.speed(index));
    }
    let all = resolver.scope.layout.speeds.len();
    speeds.extend((coordinates.len()..all).map(|index| resolver.speed(index)));
    (coordinates, speeds)
}

fn inputs(resolver: &mut Resolver<'_>, system: &ast::System) -> Vec<Input> {
    let declared = system.inputs.iter().enumerate();
    declared
        .map(|(index, declared)| {
            let named = declared.name.named(&declared.docs);
            Input { symbol: resolver.pool.symbol(SymbolKind::Input(index), &named.name), named }
        })
        .collect()
}

fn parameters(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for (index, declared) in system.parameters.iter().enumerate() {
        let named = declared.name.named(&declared.docs);
        let default = declared
            .default
            .as_ref()
            .map(|value| resolver.scalar(value, ExprContext::Default { before: index }, errors));
        let bounds = declared.bounds.iter();
        let bounds: Vec<Bound> =
            bounds.map(|written| bound(resolver, written, ExprContext::Bound, errors)).collect();
        let bound_text: Vec<String> = declared.bounds.iter().map(ToString::to_string).collect();
        parameters.push(Parameter {
            symbol: resolver.pool.symbol(SymbolKind::Parameter(index), &named.name),
            named,
            default,
            default_text: declared.default.as_ref().map(ast::Expr::to_text).unwrap_or_default(),
            bounds,
            bound_text: bound_text.join(", "),
        });
    }
    parameters
}

/// A comparison.
fn bound(
    resolver: &mut Resolver<'_>,
    bound: &ast::Bound,
    context: ExprContext,
    errors: &mut Errors,
) -> Bound {
    Bound {
        left: resolver.scalar(&bound.lhs, context, errors),
        relation: relation(bound.relation),
        right: resolver.scalar(&bound.rhs, context, errors),
    }
}

fn relation(relation: ast::Relation) -> Relation {
    match relation {
        ast::Relation::Less => Relation::Less,
        ast::Relation::LessEqual => Relation::LessEqual,
        ast::Relation::Greater => Relation::Greater,
        ast::Relation::GreaterEqual => Relation::GreaterEqual,
    }
}

/// Every `let`, used or not, so that each mistake is found; those of vectors and matrices by their entries, of which
/// sums have a name to put back.
fn lets(resolver: &mut Resolver<'_>, system: &ast::System, errors: &mut Errors) -> Vec<Let> {
    let mut lets = Vec::new();
    for (index, declared) in system.lets.iter().enumerate() {
        let value = resolver.let_value(index, errors);
        let whole = declared.name.named(&declared.docs);
        if let Some(value) = value.as_scalar() {
            lets.push(Let { named: whole, value });
            continue;
        }
        for (place, value) in value.places().into_iter().zip(value.entries()) {
            if matches!(resolver.pool.view(value), View::Sum(_)) {
                let place = place.replace(',', "][");
                let [name, key] = [&whole.name, &whole.key].map(|base| format!("{base}{place}"));
                lets.push(Let { named: Named { name, key, ..whole.clone() }, value });
            }
        }
    }
    lets
}

/// (T, V, L): `kinetic` with an optional `potential`, or `lagrangian` alone.
fn energies(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> (Option<ExprId>, Option<ExprId>, ExprId) {
    match (&system.kinetic, &system.lagrangian) {
        (Some(kinetic), None) => {
            let t = resolver.scalar(&kinetic.value, ExprContext::Kinetic, errors);
            let v = match &system.potential {
                Some(declared) => resolver.scalar(&declared.value, ExprContext::Potential, errors),
                None => ExprPool::ZERO,
            };
            (Some(t), Some(v), resolver.pool.sub(t, v))
        }
        (None, Some(lagrangian)) => {
            if let Some(potential) = &system.potential {
                Mistake::PotentialWithLagrangian.report(errors, potential.keyword);
            }
            (None, None, resolver.scalar(&lagrangian.value, ExprContext::Lagrangian, errors))
        }
        (Some(_), Some(lagrangian)) => {
            Mistake::KineticAndLagrangian.report(errors, lagrangian.keyword);
            (None, None, ExprPool::ZERO)
        }
        // An energy that did not parse has been reported, and so has a system without anything.
        (None, None)
            if system.lost == Lost::Items || resolver.scope.layout.positions.is_empty() =>
        {
            (None, None, ExprPool::ZERO)
        }
        (None, None) => {
            Mistake::NoEnergy { system: system.name.text.clone() }
                .report(errors, system.name.region);
            (None, None, ExprPool::ZERO)
        }
    }
}

fn outputs(resolver: &mut Resolver<'_>, system: &ast::System, errors: &mut Errors) -> Vec<Output> {
    let output = |declared: &ast::Definition| Output {
        named: declared.name.named(&declared.docs),
        value: resolver.scalar(&declared.value, ExprContext::Output, errors),
    };
    system.outputs.iter().map(output).collect()
}
