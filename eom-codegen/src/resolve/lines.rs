//! The forces and the dissipation: sums of lines, each with its part of the energy.

use super::expression::Resolver;
use super::expression::context::ExprContext;
use super::mistake::Mistake;
use super::scope::Entity;
use crate::ast::{self, Expr, ExprKind, Region};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{
    Contact, Impacts, Line, LineKind, Restitution, RowFriction, take_borne,
};
use eom_symbolic::{ExprId, ExprPool, SymbolId, SymbolKind};

/// D, and its terms as written.
pub(super) fn dissipation(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> (ExprId, Vec<Line>) {
    let Some(declared) = &system.dissipation else { return (ExprPool::ZERO, Vec::new()) };
    let line = |name: String, term| Line { name, kind: LineKind::Dissipation(term) };
    let value = &declared.value;
    let ExprKind::Sum(terms) = &value.kind else {
        let whole = resolver.scalar(value, ExprContext::Dissipation, errors);
        return (whole, vec![line(value.to_text(), whole)]);
    };
    let mut resolved = |expr: &Expr| resolver.scalar(expr, ExprContext::Dissipation, errors);
    let signed = terms.iter().map(|term| {
        let sign = if term.minus { ExprPool::MINUS_ONE } else { ExprPool::ONE };
        (sign, resolved(&term.expr))
    });
    let signed: Vec<(ExprId, ExprId)> = signed.collect();
    let pool = &mut resolver.pool;
    let whole = pool.sum(&signed);
    let lines = terms.iter().zip(signed).map(|(term, (sign, value))| {
        let text = term.expr.to_text();
        let name = if term.minus { format!("-{text}") } else { text };
        line(name, pool.mul(sign, value))
    });
    (whole, lines.collect())
}

/// Q, one a speed, and its lines.
pub(super) fn forces(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> (Vec<ExprId>, Vec<Line>) {
    let layout = resolver.scope.layout.clone();
    let mut forces = vec![ExprPool::ZERO; layout.speeds.len()];
    let mut seen: Vec<Entity> = Vec::new();
    let mut lines = Vec::new();
    for declared in &system.forces {
        let value = resolver.scalar(&declared.value, ExprContext::Force, errors);
        check_multipliers(resolver, (value, declared.value.region), errors);
        let name = declared.name.name();
        let found = resolver.scope.find(&name.key).filter(|_| name.is_plain());
        if found.is_some_and(|entity| seen.contains(&entity)) {
            Mistake::ForceTwice { coordinate: name.display.clone() }
                .report(errors, declared.name.region);
        }
        seen.extend(found);
        let pool = &mut resolver.pool;
        let mut parts = Vec::new();
        match (found, &layout.kinematics) {
            // The force F on a coordinate does F·q̇ = F Σ S_ij v_j.
            (Some(Entity::Coordinate(index)), Some(kinematics)) => {
                for (speed, entry) in kinematics.map[index].iter().enumerate() {
                    let part = pool.mul(*entry, value);
                    forces[speed] = pool.add(forces[speed], part);
                    parts.push((speed, part));
                }
            }
            (Some(Entity::Coordinate(index) | Entity::Speed(index)), _) => {
                forces[index] = pool.add(forces[index], value);
                parts.push((index, value));
            }
            _ => Mistake::NotACoordinate {
                name: declared.name.text.clone(),
                near: resolver.scope.nearest_coordinate(&name),
            }
            .report(errors, declared.name.region),
        }
        lines.push(Line { name: name.display.clone(), kind: LineKind::Force(parts) });
    }
    (forces, lines)
}

/// A force is affine in the multipliers, and in the normal forces and frictions of contacts.
fn check_multipliers(
    resolver: &mut Resolver<'_>,
    (force, at): (ExprId, Region),
    errors: &mut Errors,
) {
    let pool = &mut resolver.pool;
    let mut multipliers: Vec<SymbolId> = pool.symbols_in(&[force]);
    multipliers.retain(|symbol| pool.symbol_info(*symbol).kind.is_force());
    if multipliers.is_empty() {
        return;
    }
    let slopes = pool.gradient(force, &multipliers);
    if slopes.iter().any(|slope| pool.contains(*slope, |symbol| multipliers.contains(&symbol))) {
        Mistake::NotAffineInMultipliers.report(errors, at);
    }
}

/// Takes ∂Q/∂λ of the normal forces λ out of the forces Q, which are affine in them, and gives it to the contacts: zeros where
/// forces hold multipliers of rows, which what contacts do changes.
pub(super) fn give_to_contacts(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    forces: &mut [ExprId],
    contacts: &mut [Contact],
    errors: &mut Errors,
) {
    let pool = &mut resolver.pool;
    let symbols = pool.symbols_in(forces);
    let of_row =
        |symbol: &SymbolId| matches!(pool.symbol_info(*symbol).kind, SymbolKind::Multiplier(_));
    let of_rows = symbols.iter().find(|symbol| of_row(symbol));
    let of_rows = of_rows.map(|symbol| pool.symbol_info(*symbol).name.clone());
    for (index, (contact, declared)) in contacts.iter_mut().zip(&system.contacts).enumerate() {
        contact.borne = take_borne(pool, index, forces);
        if of_rows.is_some() && contact.borne.is_empty() {
            contact.borne = vec![ExprPool::ZERO; forces.len()];
        }
        if !contact.borne.is_empty() {
            let held = || format!("λ({})", declared.name.text);
            let held = of_rows.clone().unwrap_or_else(held);
            let process = Some("a law of impulses or works");
            refuse_beside_borne((declared, held), (contact, process), system, errors);
        }
    }
}

/// Takes what acts with the forces f of friction out of the forces Q, which are affine in them, and gives it to those that have
/// them. A contact whose friction stands in a force bears what it does; so do all where that of a row does, which they change.
pub(super) fn give_to_frictions(
    resolver: &mut Resolver<'_>,
    (system, forces): (&ast::System, &mut [ExprId]),
    (contacts, rows): (&mut [Contact], &mut [RowFriction]),
    errors: &mut Errors,
) {
    let pool = &mut resolver.pool;
    let mut of_rows: Option<String> = None;
    for RowFriction { name, row, friction, .. } in rows {
        friction.take_borne(pool, |i| SymbolKind::RowFriction(*row, i), forces);
        let held = (!friction.borne.is_empty()).then(|| format!("friction({name})"));
        of_rows = of_rows.or(held);
    }
    let mut of_any = of_rows.clone();
    for (index, (contact, declared)) in contacts.iter_mut().zip(&system.contacts).enumerate() {
        let mut held = of_rows.clone();
        for friction in &mut contact.frictions {
            let (first, word) = (friction.resisted.place(), friction.resisted.word());
            let kind = |i: usize| SymbolKind::ContactFriction(index, first + i);
            friction.take_borne(pool, kind, forces);
            if !friction.borne.is_empty() {
                held = Some(format!("{word}({})", declared.name.text));
            }
        }
        of_any = of_any.or_else(|| held.clone());
        let Some(held) = held.filter(|_| contact.borne.is_empty()) else { continue };
        contact.borne = vec![ExprPool::ZERO; forces.len()];
        let turns = contact.frictions.iter().flat_map(|friction| friction.borne.iter().flatten());
        let by_speed = turns.into_iter().any(|slope| pool.holds_velocity(*slope));
        let process = by_speed.then_some(
            "a law of impulses or works, beside which the force may not depend on velocities",
        );
        refuse_beside_borne((declared, held), (contact, process), system, errors);
    }
    let Some(held) = of_any.filter(|_| contacts.len() > 1) else { return };
    for (contact, declared) in contacts.iter().zip(&system.contacts) {
        if contact.restitution == Restitution::Stronge {
            let what = "a law that goes by the works of several contacts";
            report_beside_borne((declared, held.clone()), what, system, errors);
        }
    }
}

/// What a contact cannot have whose normal force or friction, or what it changes of those of rows, stands in a force; with what is
/// to be said of a law that is a process in its impulse, where that cannot be.
fn refuse_beside_borne(
    (declared, held): (&ast::Contact, String),
    (contact, process): (&Contact, Option<&'static str>),
    system: &ast::System,
    errors: &mut Errors,
) {
    let law = match &declared.law.kind {
        ast::LawKind::Project | ast::LawKind::Assign(_) => Some("a law other than by restitutions"),
        ast::LawKind::Process(..) => process,
        ast::LawKind::Restitution(_, Some(_)) => Some("a restitution along its own rows"),
        _ => None,
    };
    let turns = contact.impacts == Some(Impacts::Sequential);
    let beside = [
        law,
        (!declared.releases.is_empty()).then_some("`releases`"),
        (!declared.relabel.is_empty()).then_some("`relabel`"),
        turns.then_some("impacts one after another"),
    ];
    for what in beside.into_iter().flatten() {
        report_beside_borne((declared, held.clone()), what, system, errors);
    }
}

/// Says so where the force stands.
fn report_beside_borne(
    (declared, held): (&ast::Contact, String),
    what: &'static str,
    system: &ast::System,
    errors: &mut Errors,
) {
    let held_words = ["lambda", "friction", "rolling", "spinning"];
    let holds = |force: &&ast::Definition| force.value.calls(&held_words);
    let at = system.forces.iter().find(holds).map_or(declared.name.region, |f| f.value.region);
    let contact = declared.name.text.clone();
    Mistake::BesideBorne { held, contact, what }.report(errors, at);
}
