//! The derivation: `SystemModel` → `EquationsOfMotion`.
//!
//! With p = ∂L/∂v and ∂L/∂q from one reverse sweep of L, and D the total time derivative at frozen
//! velocities (ṫ = 1, q̇ = S v):
//!
//! ```text
//! M = ∂p/∂v        h = D p − ∂L/∂q        γ = D A · v + D b        jacobi = p·v − L
//! ```
//!
//! With quasi-velocities and rotations ([`kinematics`](super::system::kinematics)), v along the fields
//! X_j = Σ S_ij ∂/∂q_i and [X_i, X_j] = Σ c_ij^k X_k, these are Hamel's equations:
//!
//! ```text
//! h_j = D p_j − X_j L − Σ c_ij^k v_i p_k
//! ```
//!
//! and the row of a gap is X_j g. For a free body in its own axes this is ṗ = p×ω.
//!
//! A row φ(t,q,v) = 0 that is not affine in v has A = ∂φ/∂v and b = φ − A v, by Chetaev's rule: D at frozen velocities
//! makes of A v + b what φ̇ is without A v̇.
//!
//! D is one forward sweep, so nothing here costs more than the graph of L times n for M.

pub mod equations;
pub mod mass;
pub mod power;
pub(super) mod quadratic;
pub(crate) mod tensions;
pub(crate) mod velocity_forms;

use self::equations::{ContactEquations, ContactRow, DeriveError, EquationsOfMotion};
use self::mass::Mass;
use super::friction;
use super::friction::{Bearer, DryFriction, PointFriction};
use super::system::SystemModel;
use super::system::contact::ContactFriction;
use super::system::declared::{Row, RowKind};
use crate::diff::Tangent;
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use crate::rewrite::pythagoras;
use crate::subst::Substitution;

/// Derives the equations of motion of a declaration.
pub fn derive(model: &mut SystemModel) -> Result<EquationsOfMotion, DeriveError> {
    refuse(undefined(model))?;
    let (momenta, slopes) = slopes(model);
    let mass = Mass::of(model, &momenta);
    let is_square = is_square(model);
    refuse(unfit_mass(model, &mass, is_square))?;
    let bias = bias(model, &momenta, slopes);
    let jacobi = jacobi(model, &momenta, is_square);
    let (kinetic, potential) = energies(model, &mass);
    let forces = forces(model);
    let (force, reactions) = without_multipliers(model, forces);
    let drift = drift(model);
    let contacts = contacts(model);
    let mut friction =
        friction::split(model).map_err(|(term, error)| DeriveError::Kink { term, error })?;
    let of_bearers = friction::of_bearers(model);
    friction.points.extend(
        of_bearers.map_err(|(bearer, resisted)| DeriveError::SlipNotAffine { bearer, resisted })?,
    );
    let rows: Vec<Vec<ExprId>> = model.rows.iter().map(|row| row.coefficients.clone()).collect();
    if friction.spread.is_some()
        && let Some((_, borne)) = friction.borne().next()
    {
        return Err(DeriveError::IntegralWithBearer { bearer: borne.bearer });
    }
    let has_friction = friction.is_some() || !friction.points.is_empty();
    if reactions != rows && has_friction_beside_contacts(model, &friction) {
        return Err(DeriveError::MultiplierWithFriction);
    }
    refuse(beside_chetaev(model, has_friction))?;
    let borne = borne_by_rows(model, &rows, &reactions);
    let powers = power::powers(model);
    Ok(EquationsOfMotion {
        mass,
        bias,
        force,
        rows,
        reactions,
        borne,
        affine: model.rows.iter().map(|row| row.affine).collect(),
        drift,
        holonomic: model.rows.iter().filter_map(|row| residual(row.kind)).collect(),
        kinetic,
        potential,
        jacobi,
        contacts,
        friction,
        powers,
    })
}

/// Everything that keeps a declaration from having equations; [`derive()`] stops at the first.
pub fn mistakes(model: &mut SystemModel) -> Vec<DeriveError> {
    let undefined = undefined(model);
    if !undefined.is_empty() {
        return undefined;
    }
    let (momenta, _) = slopes(model);
    let mass = Mass::of(model, &momenta);
    let mut mistakes = unfit_mass(model, &mass, is_square(model));
    let forces = forces(model);
    let (_, reactions) = without_multipliers(model, forces);
    let coupled = model.rows.iter().zip(&reactions).any(|(row, r)| row.coefficients != *r);
    match friction::split(model) {
        Err((term, error)) => mistakes.push(DeriveError::Kink { term, error }),
        Ok(friction) if coupled && has_friction_beside_contacts(model, &friction) => {
            mistakes.push(DeriveError::MultiplierWithFriction);
        }
        Ok(friction) => {
            let has_friction = friction.is_some() || has_borne_friction(model);
            mistakes.extend(beside_chetaev(model, has_friction));
        }
    }
    if let Err((bearer, resisted)) = friction::of_bearers(model) {
        mistakes.push(DeriveError::SlipNotAffine { bearer, resisted });
    }
    mistakes
}

/// What cannot stand beside a row that is not affine in the velocities: A of v says nothing of velocities that jump, and
/// of a slip that ends.
fn beside_chetaev(model: &SystemModel, has_friction: bool) -> Vec<DeriveError> {
    let Some(row) = model.chetaev_row() else { return Vec::new() };
    let contacts = !model.contacts.is_empty();
    let contacts = contacts.then_some(DeriveError::ChetaevWithContacts { row });
    let friction =
        (has_friction && contacts.is_none()).then_some(DeriveError::ChetaevWithFriction { row });
    contacts.into_iter().chain(friction).collect()
}

/// Whether some friction is not that of a contact.
fn has_friction_beside_contacts(model: &SystemModel, friction: &DryFriction) -> bool {
    let of_contact = |point: &PointFriction| {
        point.borne.is_some_and(|borne| matches!(borne.bearer, Bearer::Contact(_)))
    };
    let only_of_contacts = friction.spread.is_none() && friction.points.iter().all(of_contact);
    !only_of_contacts || !model.row_frictions.is_empty()
}

/// R − A beside contacts, where it is not zero.
fn borne_by_rows(
    model: &mut SystemModel,
    rows: &[Vec<ExprId>],
    reactions: &[Vec<ExprId>],
) -> Vec<Vec<ExprId>> {
    if rows == reactions || model.contacts.is_empty() {
        return Vec::new();
    }
    let pool = &mut model.pool;
    let beside = |(reaction, row): (&Vec<ExprId>, &Vec<ExprId>)| -> Vec<ExprId> {
        reaction.iter().zip(row).map(|(r, a)| pool.sub(*r, *a)).collect()
    };
    reactions.iter().zip(rows).map(beside).collect()
}

fn has_borne_friction(model: &SystemModel) -> bool {
    let of_contacts = model.contacts.iter().any(|contact| !contact.frictions.is_empty());
    of_contacts || !model.row_frictions.is_empty()
}

fn refuse(mistakes: Vec<DeriveError>) -> Result<(), DeriveError> {
    mistakes.into_iter().next().map_or(Ok(()), Err)
}

fn residual(kind: RowKind) -> Option<ExprId> {
    match kind {
        RowKind::Velocity | RowKind::Chetaev => None,
        RowKind::Holonomic { residual } => Some(residual),
    }
}

/// What divides by zero, and contacts that cannot be.
fn undefined(model: &SystemModel) -> Vec<DeriveError> {
    let mut found = Vec::new();
    let undefined = |e: ExprId| model.pool.is_undefined(e);
    let divides = |f: &&ContactFriction| f.expressions().any(|part| undefined(*part));
    if undefined(model.lagrangian) || undefined(model.dissipation) {
        found.push(DeriveError::UndefinedEnergy);
    }
    for (row, declared) in model.rows.iter().enumerate() {
        if declared.coefficients.iter().copied().any(undefined) || undefined(declared.affine) {
            found.push(DeriveError::UndefinedRow { row });
        }
    }
    for declared in &model.row_frictions {
        let (bearer, resisted) = (declared.bearer(), declared.friction.resisted);
        let divides = divides(&&declared.friction);
        found.extend(divides.then_some(DeriveError::UndefinedSlip { bearer, resisted }));
    }
    if model.kinetic.is_none() && !model.contacts.is_empty() {
        found.push(DeriveError::ContactsNeedKinetic);
    }
    for (contact, declared) in model.contacts.iter().enumerate() {
        if undefined(declared.gap) {
            found.push(DeriveError::UndefinedGap { contact });
        }
        if undefined(declared.dissipation) || declared.borne.iter().copied().any(undefined) {
            found.push(DeriveError::UndefinedEnergy);
        }
        if friction::has_kink(&model.pool, declared.dissipation) {
            found.push(DeriveError::ContactKink { contact });
        }
        let bearer = Bearer::Contact(contact);
        found.extend(
            (declared.frictions.iter().filter(divides))
                .map(|f| DeriveError::UndefinedSlip { bearer, resisted: f.resisted }),
        );
        let is_undefined =
            |row: &Row| row.coefficients.iter().chain([&row.affine]).any(|e| undefined(*e));
        if let Some(row) = declared.rows.iter().position(is_undefined) {
            found.push(DeriveError::UndefinedContactRow { contact, row });
        }
    }
    found
}

/// p = ∂L/∂v and ∂L/∂q.
pub(super) fn slopes(model: &mut SystemModel) -> (Vec<ExprId>, Vec<ExprId>) {
    let mut symbols = model.velocities();
    let count = symbols.len();
    symbols.append(&mut model.positions());
    let mut momenta = model.pool.gradient(model.lagrangian, &symbols);
    let slopes = momenta.split_off(count);
    (momenta, slopes)
}

/// Whether T is homogeneous of degree 2 in v, as its terms show it.
fn is_square(model: &SystemModel) -> bool {
    let velocities = model.velocities();
    model.kinetic.is_some_and(|kinetic| model.pool.degree(kinetic, &velocities) == Some(2))
}

/// T is quadratic iff M is free of v; every speed needs inertia.
fn unfit_mass(model: &SystemModel, mass: &Mass, is_square: bool) -> Vec<DeriveError> {
    let mut found = Vec::new();
    if model.kinetic.is_some() && !is_square && mass.depends_on_velocities(&model.pool) {
        found.push(DeriveError::KineticNotQuadratic);
    }
    let is_empty = |row: &&[ExprId]| row.iter().all(|entry| *entry == ExprPool::ZERO);
    let without = mass.given().into_iter().enumerate().filter(|(_, row)| is_empty(row));
    found.extend(without.map(|(speed, _)| DeriveError::NoInertia { speed }));
    found
}

/// h_j = D p_j − X_j L − Σ c_ij^k v_i p_k, from p and ∂L/∂q.
pub(super) fn bias(
    model: &mut SystemModel,
    momenta: &[ExprId],
    slopes: Vec<ExprId>,
) -> Vec<ExprId> {
    let slopes = model.along_speeds(slopes);
    let mut direction = model.time_direction();
    let mut biases = Vec::with_capacity(momenta.len());
    for (j, (p, slope)) in momenta.iter().zip(slopes).enumerate() {
        let rate = direction.derivative(&mut model.pool, *p);
        let mut bias = model.pool.sub(rate, slope);
        if let Some(turning) = turning(model, momenta, j) {
            bias = model.pool.sub(bias, turning);
        }
        biases.push(pythagoras(&mut model.pool, bias));
    }
    biases
}

/// Σ c_ij^k v_i p_k of a speed j, where the speeds are not all rates of coordinates.
fn turning(model: &mut SystemModel, momenta: &[ExprId], j: usize) -> Option<ExprId> {
    let brackets = model.kinematics.as_ref()?.brackets.iter().filter(|bracket| bracket.j == j);
    let pool = &mut model.pool;
    let mut terms = Vec::new();
    for bracket in brackets {
        let v = pool.symbol_expr(model.speeds[bracket.i].velocity);
        terms.push((ExprPool::ONE, pool.product_of(&[bracket.value, v, momenta[bracket.k]])));
    }
    Some(pool.sum(&terms))
}

/// p·v − L; T + V itself where T is homogeneous, so that both are one number.
fn jacobi(model: &mut SystemModel, momenta: &[ExprId], is_square: bool) -> ExprId {
    if let (Some(kinetic), Some(potential), true) =
        (model.kinetic, model.potential, is_square || is_homogeneous(model))
    {
        return model.pool.add(kinetic, potential);
    }
    let mut terms = vec![(ExprPool::MINUS_ONE, model.lagrangian)];
    for (p, velocity) in momenta.iter().zip(model.velocities()) {
        let v = model.pool.symbol_expr(velocity);
        terms.push((ExprPool::ONE, model.pool.mul(*p, v)));
    }
    model.pool.sum(&terms)
}

/// Whether T, known to be quadratic, has no terms of degree 0 and 1: T = 0 and ∂T/∂v = 0 at v = 0.
fn is_homogeneous(model: &mut SystemModel) -> bool {
    let Some(kinetic) = model.kinetic else { return false };
    let velocities = model.velocities();
    let pool = &mut model.pool;
    let mut at_rest = Substitution::new(velocities.iter().map(|v| (*v, ExprPool::ZERO)));
    let mut parts = pool.gradient(kinetic, &velocities);
    parts.push(kinetic);
    parts.into_iter().all(|part| at_rest.apply(pool, part) == ExprPool::ZERO)
}

/// (T, V): as declared, or with a general Lagrangian T = vᵀMv/2 and V = T − L.
fn energies(model: &mut SystemModel, mass: &Mass) -> (ExprId, ExprId) {
    if let (Some(kinetic), Some(potential)) = (model.kinetic, model.potential) {
        return (kinetic, potential);
    }
    let velocities = model.velocities();
    let pool = &mut model.pool;
    let v: Vec<ExprId> = velocities.iter().map(|symbol| pool.symbol_expr(*symbol)).collect();
    let mut terms = Vec::new();
    match mass {
        Mass::Entries(entries) => {
            for (row, a) in entries.iter().zip(&v) {
                for (entry, b) in row.iter().zip(&v) {
                    terms.push((ExprPool::HALF, pool.product_of(&[*entry, *a, *b])));
                }
            }
        }
        Mass::Product { product, .. } => {
            for (p, v) in product.iter().zip(&v) {
                terms.push((ExprPool::HALF, pool.mul(*p, *v)));
            }
        }
    }
    let kinetic = model.pool.sum(&terms);
    (kinetic, model.pool.sub(kinetic, model.lagrangian))
}

/// F = Q − ∂D/∂v.
fn forces(model: &mut SystemModel) -> Vec<ExprId> {
    let velocities = model.velocities();
    let slopes = model.pool.gradient(model.dissipation, &velocities);
    let applied = model.forces.clone();
    applied.into_iter().zip(slopes).map(|(q, slope)| model.pool.sub(q, slope)).collect()
}

/// (F₀, R) of forces F that are affine in the multipliers: F₀ = F at λ = 0, R = A + ∂F/∂λ.
fn without_multipliers(
    model: &mut SystemModel,
    force: Vec<ExprId>,
) -> (Vec<ExprId>, Vec<Vec<ExprId>>) {
    let mut reactions: Vec<Vec<ExprId>> =
        model.rows.iter().map(|row| row.coefficients.clone()).collect();
    let pool = &mut model.pool;
    let mut zeros = Vec::new();
    for (j, reaction) in reactions.iter_mut().enumerate() {
        let Some(symbol) = pool.find_symbol(SymbolKind::Multiplier(j)) else { continue };
        zeros.push((symbol, ExprPool::ZERO));
        let mut along = Tangent::partial(symbol);
        for (entry, force) in reaction.iter_mut().zip(&force) {
            let slope = along.derivative(pool, *force);
            *entry = pool.add(*entry, slope);
        }
    }
    if zeros.is_empty() {
        return (force, reactions);
    }
    let mut without = Substitution::new(zeros);
    (force.into_iter().map(|force| without.apply(pool, force)).collect(), reactions)
}

/// γ = D A · v + D b.
fn drift(model: &mut SystemModel) -> Vec<ExprId> {
    let mut direction = model.time_direction();
    let rows = model.rows.clone();
    rows.iter().map(|row| row_drift(model, &mut direction, &row.coefficients, row.affine)).collect()
}

/// D r·v + D b of a row r v + b.
fn row_drift(
    model: &mut SystemModel,
    direction: &mut Tangent,
    row: &[ExprId],
    affine: ExprId,
) -> ExprId {
    let rate = direction.derivative(&mut model.pool, affine);
    let mut terms = vec![(ExprPool::ONE, rate)];
    for (entry, velocity) in row.iter().zip(model.velocities()) {
        let rate = direction.derivative(&mut model.pool, *entry);
        let v = model.pool.symbol_expr(velocity);
        terms.push((ExprPool::ONE, model.pool.mul(rate, v)));
    }
    let drift = model.pool.sum(&terms);
    pythagoras(&mut model.pool, drift)
}

fn contacts(model: &mut SystemModel) -> Vec<ContactEquations> {
    let mut symbols = model.positions();
    symbols.push(model.time);
    let velocities = model.velocities();
    let declared = model.contacts.clone();
    let mut direction = model.time_direction();
    declared
        .iter()
        .map(|contact| {
            let gap = contact.gap;
            let mut gradient = model.pool.gradient(gap, &symbols);
            let rate = gradient.pop().unwrap_or(ExprPool::ZERO);
            let gradient = model.along_speeds(gradient);
            let slopes = model.pool.gradient(contact.dissipation, &velocities);
            let force = slopes.into_iter().map(|slope| model.pool.neg(slope)).collect();
            let mut row = |row: &Row| ContactRow {
                coefficients: row.coefficients.clone(),
                affine: row.affine,
                drift: row_drift(model, &mut direction, &row.coefficients, row.affine),
            };
            let rows = contact.rows.iter().map(&mut row).collect();
            let drift = row_drift(model, &mut direction, &gradient, rate);
            ContactEquations { gap, gradient, rate, force, drift, rows }
        })
        .collect()
}
