//! Contacts: gap and law, rows of their own, conditions, what they release and relabel.

pub(super) mod surface;

use self::surface::{Touch, touch};
use super::bound;
use super::expression::Resolver;
use super::expression::context::ExprContext;
use super::expression::value::Value;
use super::mistake::{Mistake, SurfaceFault};
use super::rows::{Resolution, Vanishing, resolve_contact_rows};
use super::scope::Entity;
use crate::ast::{self, Expr, Ident, Region};
use crate::diagnostic::Errors;
use eom_symbolic::diff::Tangent;
use eom_symbolic::mechanics::{
    Bound, Contact, ContactFriction, Impacts, Law, Resisted, Restitution,
};
use eom_symbolic::name::Side;
use eom_symbolic::simplify::simplify;
use eom_symbolic::{ExprId, ExprPool, Rational, SymbolKind};

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
    let rough = contacts.iter().find(|contact| !contact.frictions.is_empty());
    let rough = rough.map(|contact| contact.named.name.clone());
    for contact in &mut *contacts {
        contact.impacts = contact.impacts.or(whole);
    }
    let in_turn = contacts.iter().any(|contact| contact.impacts == Some(Impacts::Sequential));
    if let (Some(contact), true, Some(declared)) = (rough, in_turn, system.impacts.first()) {
        let what = "impacts one after another";
        Mistake::BesideFriction { contact, what }.report(errors, declared.keyword);
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
    let has_friction = declared.resists[0].friction.is_some();
    let Touch { gap, slip } = touch(resolver, &declared.gap, has_friction, errors);
    refuse_still(resolver, declared, gap, errors);
    let law = law(resolver, &declared.law, errors);
    let mut resolution = resolve_contact_rows(resolver, declared, vanishing, errors);
    resolver.scope.place_contact_rows(std::mem::take(&mut resolution.declared));
    let when = declared.when.iter();
    let when: Vec<Bound> =
        when.map(|written| bound(resolver, written, ExprContext::Armed, errors)).collect();
    let extents = Contact::extents_of(&mut resolver.pool, &when);
    let when_text: Vec<String> = declared.when.iter().map(ToString::to_string).collect();
    let frictions = frictions(resolver, (declared, slip), errors);
    refuse_along_gap(resolver, (declared, gap), &frictions, errors);
    let contact = Contact {
        named: declared.name.named(&declared.docs),
        gap,
        law,
        law_text: declared.law.to_string(),
        impacts: None,
        dissipation: declared.dissipation.as_ref().map_or(ExprPool::ZERO, |dissipation| {
            resolver.scalar(dissipation, ExprContext::Dissipation, errors)
        }),
        restitution: restitution_of(declared, &frictions, errors),
        borne: Vec::new(),
        frictions,
        rows: std::mem::take(&mut resolution.rows),
        when,
        when_text: when_text.join(", "),
        extents,
        releases: releases(resolver, &declared.releases, errors),
        relabel: relabel(resolver, &declared.relabel, errors),
        assigned: assigned(resolver, &declared.law, errors),
    };
    (contact, resolution)
}

/// A gap without coordinates is one that no motion and no impact changes.
fn refuse_still(
    resolver: &Resolver<'_>,
    declared: &ast::Contact,
    gap: ExprId,
    errors: &mut Errors,
) {
    let symbols = resolver.pool.symbols_in(&[gap]);
    let moves = symbols
        .into_iter()
        .any(|symbol| matches!(resolver.pool.symbol_info(symbol).kind, SymbolKind::Coordinate(_)));
    if !moves && gap != ExprPool::UNDEFINED {
        let contact = declared.name.text.clone();
        Mistake::StillGap { contact }.report(errors, declared.gap.region());
    }
}

/// Friction, rolling and spinning resistance, with the slip where a surface tells it.
fn frictions(
    resolver: &mut Resolver<'_>,
    (declared, mut told): (&ast::Contact, Option<Vec<ExprId>>),
    errors: &mut Errors,
) -> Vec<ContactFriction> {
    let mut frictions = Vec::new();
    for (resisted, resists) in Resisted::ALL.into_iter().zip(&declared.resists) {
        let of = format!("contact `{}`", declared.name.text);
        let told = told.take();
        match (&resists.motion, &resists.friction) {
            (None, None) => {}
            (Some(slip), _) if told.is_some() => {
                Mistake::Surface(SurfaceFault::Slip).report(errors, slip.region);
            }
            (None, Some(written)) if told.is_some() => {
                refuse_beside_friction(declared, written.region, errors);
                // Of a surface with mistakes there is no slip.
                let slip = told.filter(|slip| !slip.is_empty());
                frictions.extend(
                    slip.and_then(|slip| of_slip(resolver, (resisted, slip, written), errors)),
                );
            }
            (Some(slip), None) => {
                Mistake::SlipWithoutFriction { of, resisted }.report(errors, slip.region);
            }
            (None, Some(friction)) => {
                let at = friction.region;
                Mistake::FrictionWithoutSlip { of, resisted }.report(errors, at);
            }
            (Some(slip), Some(written)) => {
                if frictions.is_empty() {
                    refuse_beside_friction(declared, written.region, errors);
                }
                let most = resisted.components();
                frictions.extend(friction(resolver, (resisted, slip, written), most, errors));
            }
        }
    }
    frictions
}

/// What e is the ratio of; of impulses or works in the impact of a slip alone.
fn restitution_of(
    declared: &ast::Contact,
    frictions: &[ContactFriction],
    errors: &mut Errors,
) -> Restitution {
    let ast::LawKind::Process(restitution, _) = &declared.law.kind else {
        return Restitution::Newton;
    };
    let [slip, others @ ..] = &declared.resists;
    if slip.motion.is_none() && slip.friction.is_none() {
        Mistake::ProcessWithoutFriction { law: declared.law.to_string() }
            .report(errors, declared.law.region);
    }
    let resists = others.iter().find_map(|resists| resists.friction.as_ref());
    if let Some(other) = resists {
        let contact = declared.name.text.clone();
        let what = "a law of one process, whose impulses against rolling or spinning are not told";
        Mistake::BesideFriction { contact, what }.report(errors, other.region);
    }
    if frictions.is_empty() { Restitution::Newton } else { *restitution }
}

/// What is resisted, at most so many velocities, with coefficients that are not negative.
pub(super) fn friction(
    resolver: &mut Resolver<'_>,
    (resisted, slip, friction): (Resisted, &Expr, &ast::Friction),
    most: usize,
    errors: &mut Errors,
) -> Option<ContactFriction> {
    let slip = slips(resolver, (resisted, slip), most, errors)?;
    of_slip(resolver, (resisted, slip, friction), errors)
}

/// The same of velocities that are known.
fn of_slip(
    resolver: &mut Resolver<'_>,
    (resisted, slip, friction): (Resisted, Vec<ExprId>, &ast::Friction),
    errors: &mut Errors,
) -> Option<ContactFriction> {
    let written = friction.at_rest.as_ref().unwrap_or(&friction.sliding);
    let texts = [written.to_text(), friction.sliding.to_text()];
    let sliding = resolver.value(&friction.sliding, ExprContext::Friction, errors);
    if sliding.is_mistaken() {
        return None;
    }
    if let Value::Vector(weights) = sliding {
        if weights.len() < 2 || weights.len() != slip.len() || friction.at_rest.is_some() {
            Mistake::FrictionPair { resisted }.report(errors, friction.sliding.region);
            return None;
        }
        for μ in &weights {
            check_sign(resolver, *μ, &friction.sliding, errors);
        }
        let (at_rest, sliding) = (ExprPool::ONE, ExprPool::ONE);
        let borne = Vec::new();
        return Some(ContactFriction { resisted, slip, at_rest, sliding, weights, texts, borne });
    }
    let [at_rest, sliding] = coefficients(resolver, friction, errors);
    let (weights, borne) = (Vec::new(), Vec::new());
    Some(ContactFriction { resisted, slip, at_rest, sliding, weights, texts, borne })
}

/// The velocities that are resisted, some of which move.
fn slips(
    resolver: &mut Resolver<'_>,
    (resisted, slip): (Resisted, &Expr),
    most: usize,
    errors: &mut Errors,
) -> Option<Vec<ExprId>> {
    let value = resolver.value(slip, ExprContext::Slip(resisted), errors);
    if value.is_mistaken() {
        return None;
    }
    let slips = match &value {
        Value::Scalar(component) => vec![*component],
        Value::Vector(components) if (1..=most).contains(&components.len()) => components.clone(),
        _ => {
            let found = value.shape();
            Mistake::SlipSize { found, resisted, most }.report(errors, slip.region);
            return None;
        }
    };
    let pool = &resolver.pool;
    let is_velocity = |s| matches!(pool.symbol_info(s).kind, SymbolKind::Velocity(_));
    if !slips.iter().any(|slip| pool.contains(*slip, is_velocity)) {
        Mistake::SlipWithoutVelocity { resisted }.report(errors, slip.region);
        return None;
    }
    Some(slips)
}

/// A slip along the normal, which is zero while the contact is closed: its friction would do nothing.
fn refuse_along_gap(
    resolver: &mut Resolver<'_>,
    (declared, gap): (&ast::Contact, ExprId),
    frictions: &[ContactFriction],
    errors: &mut Errors,
) {
    let written = declared.resists[0].motion.as_ref();
    let slip = frictions.iter().find(|friction| friction.resisted == Resisted::Slip);
    let (Some(written), Some(slip)) = (written, slip) else { return };
    let rate = resolver.along_motion(&Value::Scalar(gap)).entries();
    let along = |slip: &ExprId| is_along(&mut resolver.pool, *slip, rate[0]);
    if slip.slip.iter().all(along) {
        let contact = declared.name.text.clone();
        Mistake::SlipAlongGap { contact }.report(errors, written.region);
    }
}

/// Whether a velocity is another one times a number, apart from what does not depend on velocities.
fn is_along(pool: &mut ExprPool, one: ExprId, other: ExprId) -> bool {
    let mut velocities = pool.symbols_in(&[one, other]);
    velocities.retain(|s| matches!(pool.symbol_info(*s).kind, SymbolKind::Velocity(_)));
    let [a, b] = [one, other].map(|e| -> Vec<ExprId> {
        velocities.iter().map(|v| Tangent::partial(*v).derivative(pool, e)).collect()
    });
    let first = a.iter().zip(&b).find(|(a, _)| **a != ExprPool::ZERO);
    let Some((&first, &of_other)) = first else { return false };
    let mut pairs = a.iter().zip(&b);
    let are_both = pairs.clone().all(|(a, b)| (*a == ExprPool::ZERO) == (*b == ExprPool::ZERO));
    are_both
        && pairs.all(|(a, b)| {
            let (left, right) = (pool.mul(first, *b), pool.mul(*a, of_other));
            let difference = pool.sub(left, right);
            simplify(pool, difference) == ExprPool::ZERO
        })
}

/// μ_s and μ.
fn coefficients(
    resolver: &mut Resolver<'_>,
    friction: &ast::Friction,
    errors: &mut Errors,
) -> [ExprId; 2] {
    let sliding = coefficient(resolver, &friction.sliding, errors);
    let at_rest = (friction.at_rest.as_ref())
        .map_or(sliding, |at_rest| coefficient(resolver, at_rest, errors));
    let numbers = [at_rest, sliding].map(|μ| resolver.pool.as_number(μ).cloned());
    if let [Some(at_rest), Some(sliding)] = numbers
        && at_rest < sliding
    {
        Mistake::FrictionOrder.report(errors, friction.region);
    }
    [at_rest, sliding]
}

/// What has no meaning beside friction: other laws of the tangential motion, other names.
fn refuse_beside_friction(declared: &ast::Contact, at: Region, errors: &mut Errors) {
    let law = &declared.law.kind;
    let told = !matches!(law, ast::LawKind::Project | ast::LawKind::Assign(_));
    let tangential = matches!(law, ast::LawKind::Restitution(_, Some(_)));
    let beside = [
        (!told, "a law other than by restitutions"),
        (tangential, "a restitution along its own rows"),
        (!declared.rows.is_empty(), "constraints of its own"),
        (!declared.releases.is_empty(), "`releases`"),
        (!declared.relabel.is_empty(), "`relabel`"),
    ];
    for (_, what) in beside.into_iter().filter(|(stands, _)| *stands) {
        let contact = declared.name.text.clone();
        Mistake::BesideFriction { contact, what }.report(errors, at);
    }
}

fn coefficient(resolver: &mut Resolver<'_>, written: &Expr, errors: &mut Errors) -> ExprId {
    let value = resolver.scalar(written, ExprContext::Friction, errors);
    check_sign(resolver, value, written, errors);
    value
}

fn check_sign(resolver: &Resolver<'_>, μ: ExprId, written: &Expr, errors: &mut Errors) {
    if resolver.pool.as_number(μ).is_some_and(Rational::is_negative) {
        Mistake::NegativeFriction { value: written.to_text() }.report(errors, written.region);
    }
}

/// A law of impact; a restitution that is a number must lie in its range.
pub(crate) fn law(resolver: &mut Resolver<'_>, law: &ast::Law, errors: &mut Errors) -> Law {
    match &law.kind {
        ast::LawKind::Elastic => Law::ELASTIC,
        ast::LawKind::Plastic => Law::PLASTIC,
        ast::LawKind::Restitution(e, None) | ast::LawKind::Process(_, e) => {
            Law::of(restitution(resolver, e, 0, errors))
        }
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
            let near = resolver.scope.nearest_coordinate(&name);
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
                let near = resolver.scope.nearest_velocity(&name);
                Mistake::NotAVelocity { name: ident.text.clone(), near }
                    .report(errors, ident.region);
            }
        }
    }
    assigned
}
