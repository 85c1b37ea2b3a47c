//! Contacts: gap and law, rows of their own, conditions, what they release and relabel.

use super::bound;
use super::context::ExprContext;
use super::expression::Resolver;
use super::mistake::Mistake;
use super::rows::{Resolution, Vanishing, resolve_contact_rows};
use super::scope::Entity;
use crate::ast::{self, Expr, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{Bound, Contact, Law};
use eom_symbolic::name::{Name, Side};
use eom_symbolic::{ExprId, ExprPool, Rational};

/// The contacts with what the rows of each have become, taken out of these.
pub(crate) fn contacts(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    vanishing: Vanishing<'_>,
    errors: &mut Errors,
) -> (Vec<Contact>, Vec<Resolution>) {
    let declared = system.contacts.iter();
    let (mut contacts, rows): (Vec<Contact>, Vec<Resolution>) =
        declared.map(|declared| contact(resolver, declared, vanishing, errors)).unzip();
    impacts(resolver, system, &mut contacts, errors);
    (contacts, rows)
}

/// How contacts are struck together: as their group declares it, else as the system does.
fn impacts(
    resolver: &Resolver<'_>,
    system: &ast::System,
    contacts: &mut [Contact],
    errors: &mut Errors,
) {
    let mut whole = None;
    for declared in &system.impacts {
        let Some(group) = &declared.contacts else {
            if whole.replace(declared.kind).is_some() {
                Mistake::ImpactsTwice { contact: None }.report(errors, declared.keyword);
            }
            if contacts.is_empty() {
                Mistake::NoImpacts.report(errors, declared.keyword);
            }
            continue;
        };
        for ident in group.iter().flat_map(|ident| whole_array(resolver, ident)) {
            let ident = &ident;
            let Some(contact) = resolver.scope.contact(ident) else {
                let near = resolver.scope.nearest_contact(ident);
                Mistake::UnknownContact { name: ident.text.clone(), near }
                    .report(errors, ident.region);
                continue;
            };
            let said = contacts.get_mut(contact).map(|contact| &mut contact.impacts);
            if said.is_some_and(|said| said.replace(declared.kind).is_some()) {
                let contact = Some(ident.text.clone());
                Mistake::ImpactsTwice { contact }.report(errors, ident.region);
            }
        }
    }
    for contact in contacts {
        contact.impacts = contact.impacts.or(whole);
    }
}

/// The elements of an array of contacts that is named as a whole; any other name itself.
fn whole_array(resolver: &Resolver<'_>, ident: &Ident) -> Vec<Ident> {
    match resolver.scope.array(&ident.name().key, ast::Family::Contacts) {
        Some(values) => values.iter().map(|k| ident.element(*k)).collect(),
        None => vec![ident.clone()],
    }
}

fn contact(
    resolver: &mut Resolver<'_>,
    declared: &ast::Contact,
    vanishing: Vanishing<'_>,
    errors: &mut Errors,
) -> (Contact, Resolution) {
    let gap = resolver.scalar(&declared.gap, ExprContext::Gap, errors);
    let law = law(resolver, &declared.law, errors);
    let mut resolution = resolve_contact_rows(resolver, declared, vanishing, errors);
    resolver.scope.place_contact_rows(std::mem::take(&mut resolution.declared));
    let when = declared.when.iter();
    let when: Vec<Bound> =
        when.map(|written| bound(resolver, written, ExprContext::Armed, errors)).collect();
    let when_text: Vec<String> = declared.when.iter().map(ToString::to_string).collect();
    let contact = Contact {
        named: declared.name.named(&declared.docs),
        gap,
        law,
        law_text: declared.law.to_string(),
        impacts: None,
        dissipation: declared.dissipation.as_ref().map_or(ExprPool::ZERO, |dissipation| {
            resolver.scalar(dissipation, ExprContext::Dissipation, errors)
        }),
        rows: std::mem::take(&mut resolution.rows),
        when,
        when_text: when_text.join(", "),
        releases: releases(resolver, &declared.releases, errors),
        relabel: relabel(resolver, &declared.relabel, errors),
        assigned: assigned(resolver, &declared.law, errors),
    };
    (contact, resolution)
}

/// A law of impact; a restitution that is a number must lie in its range.
pub(crate) fn law(resolver: &mut Resolver<'_>, law: &ast::Law, errors: &mut Errors) -> Law {
    match &law.kind {
        ast::LawKind::Elastic => Law::ELASTIC,
        ast::LawKind::Plastic => Law::PLASTIC,
        ast::LawKind::Restitution(e, None) => Law::of(restitution(resolver, e, 0, errors)),
        ast::LawKind::Restitution(e, Some(tangential)) => Law::Restitution([
            ExprPool::ZERO,
            restitution(resolver, e, 0, errors),
            restitution(resolver, tangential, -1, errors),
        ]),
        ast::LawKind::Project => Law::Project,
        ast::LawKind::Assign(_) => Law::Assign,
    }
}

fn restitution(resolver: &mut Resolver<'_>, e: &Expr, low: i64, errors: &mut Errors) -> ExprId {
    let value = resolver.scalar(e, ExprContext::Restitution, errors);
    if let Some(number) = resolver.pool.as_number(value)
        && (*number < Rational::integer(low) || *number > Rational::ONE)
    {
        Mistake::Restitution { value: e.to_text(), low }.report(errors, e.region);
    }
    value
}

/// The rows of A that a contact leaves out.
fn releases(resolver: &Resolver<'_>, released: &[Ident], errors: &mut Errors) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::new();
    for ident in released {
        let Some(declared) = resolver.scope.row(ident) else {
            let near = resolver.scope.nearest_row(ident);
            Mistake::UnknownRow { name: ident.text.clone(), near }.report(errors, ident.region);
            continue;
        };
        for row in declared.entries().into_iter().flatten() {
            if rows.contains(&row) {
                Mistake::AssignedTwice { name: ident.text.clone() }.report(errors, ident.region);
                break;
            }
            rows.push(row);
        }
    }
    rows.sort_unstable();
    rows
}

/// The coordinates that are exchanged, each in one pair.
fn relabel(
    resolver: &Resolver<'_>,
    pairs: &[(Ident, Ident)],
    errors: &mut Errors,
) -> Vec<(usize, usize)> {
    let (mut exchanged, mut seen): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
    for (first, second) in pairs {
        let found = [first, second].map(|ident| coordinate(resolver, ident, errors));
        for (ident, index) in [first, second].into_iter().zip(found) {
            let Some(index) = index else { continue };
            if seen.contains(&index) {
                Mistake::AssignedTwice { name: ident.text.clone() }.report(errors, ident.region);
            }
            seen.push(index);
        }
        if let [Some(first), Some(second)] = found {
            exchanged.push((first, second));
        }
    }
    exchanged
}

fn coordinate(resolver: &Resolver<'_>, ident: &Ident, errors: &mut Errors) -> Option<usize> {
    let name = ident.name();
    match resolver.scope.find(&name.key) {
        Some(Entity::Coordinate(index)) if name.is_plain() => {
            // Coordinate and velocity are exchanged together.
            if resolver.scope.layout.speed_of(index).is_none() {
                Mistake::RelabelCovered { name: ident.text.clone() }.report(errors, ident.region);
                return None;
            }
            Some(index)
        }
        _ => {
            let plain = Name { dots: 0, side: Side::None, ..name };
            let near = resolver.scope.nearest_coordinate(&plain);
            Mistake::NotRelabelled { name: ident.text.clone(), near }.report(errors, ident.region);
            None
        }
    }
}

/// The speeds that a law assigns, by their indices.
fn assigned(
    resolver: &mut Resolver<'_>,
    law: &ast::Law,
    errors: &mut Errors,
) -> Vec<(usize, ExprId)> {
    let ast::LawKind::Assign(assignments) = &law.kind else { return Vec::new() };
    let mut assigned: Vec<(usize, ExprId)> = Vec::new();
    for assignment in assignments {
        let value = resolver.scalar(&assignment.value, ExprContext::Assigned, errors);
        let (ident, name) = (&assignment.target, assignment.target.name());
        let speed = match (resolver.scope.find(&name.key), name.dots, name.side) {
            (Some(Entity::Coordinate(index)), 1, Side::None) => {
                let speed = resolver.scope.layout.speed_of(index);
                if speed.is_none() {
                    let speeds = resolver.scope.layout.quasi_names();
                    Mistake::Covered { name: ident.text.clone(), speeds }
                        .report(errors, ident.region);
                    continue;
                }
                speed
            }
            (Some(Entity::Speed(speed)), 0, Side::None) => Some(speed),
            _ => None,
        };
        match speed {
            Some(index) => {
                if assigned.iter().any(|(target, _)| *target == index) {
                    Mistake::AssignedTwice { name: ident.text.clone() }
                        .report(errors, ident.region);
                }
                assigned.push((index, value));
            }
            None => {
                let velocity = Name { dots: 1, side: Side::None, ..name };
                let near = resolver.scope.nearest_coordinate(&velocity);
                Mistake::NotAVelocity { name: ident.text.clone(), near }
                    .report(errors, ident.region);
            }
        }
    }
    assigned
}
