//! Events and scenarios.

use super::expression::Resolver;
use super::mistake::Mistake;
use super::named;
use super::scope::Entity;
use super::words::Words;
use crate::ast::{self, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{Direction, Event, Reset, Scenario, Unknown};
use eom_symbolic::name::Side;
use eom_symbolic::{ExprId, ExprPool};

/// The events.
pub(crate) fn events(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Vec<Event> {
    let declared = system.events.iter();
    declared
        .map(|event| Event {
            named: named(&event.name, &event.docs),
            guard: resolver.scalar(&event.guard, Words::Guard, errors),
            direction: match event.direction {
                ast::Direction::Falling => Direction::Falling,
                ast::Direction::Rising => Direction::Rising,
                ast::Direction::Both => Direction::Both,
            },
            resets: resets(resolver, event, errors),
        })
        .collect()
}

fn resets(resolver: &mut Resolver<'_>, event: &ast::Event, errors: &mut Errors) -> Vec<Reset> {
    let mut resets: Vec<Reset> = Vec::new();
    for assignment in &event.reset {
        let value = resolver.scalar(&assignment.value, Words::Reset, errors);
        let Some(target) = unknown(resolver, &assignment.target, errors) else { continue };
        if resets.iter().any(|reset| reset.target == target) {
            Mistake::AssignedTwice { name: assignment.target.text.clone() }
                .report(errors, assignment.target.region);
        }
        resets.push(Reset { target, value });
    }
    resets
}

/// A coordinate or a velocity.
fn unknown(resolver: &Resolver<'_>, ident: &Ident, errors: &mut Errors) -> Option<Unknown> {
    let name = ident.name();
    let found = match (resolver.scope.find(&name.key), name.dots, name.side) {
        (Some(Entity::Coordinate(index)), 0, Side::None) => Some(Unknown::Coordinate(index)),
        (Some(Entity::Coordinate(index)), 1, Side::None) => Some(Unknown::Velocity(index)),
        _ => None,
    };
    if found.is_none() {
        let declared = resolver.scope.find(&name.key).is_some();
        let near = if declared { None } else { resolver.scope.nearest_state(&name) };
        Mistake::NotState { name: ident.text.clone(), near }.report(errors, ident.region);
    }
    found
}

/// The scenarios: unnamed entries are 0.
pub(crate) fn scenarios(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    errors: &mut Errors,
) -> Vec<Scenario> {
    system.scenarios.iter().map(|declared| scenario(resolver, system, declared, errors)).collect()
}

fn scenario(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    declared: &ast::Scenario,
    errors: &mut Errors,
) -> Scenario {
    let n = system.coordinates.len();
    let mut scenario = Scenario {
        named: named(&declared.name, &declared.docs),
        time: ExprPool::ZERO,
        position: vec![ExprPool::ZERO; n],
        velocity: vec![ExprPool::ZERO; n],
        inputs: vec![ExprPool::ZERO; system.inputs.len()],
        solve: Vec::new(),
        until_time: declared
            .until_time
            .as_ref()
            .map(|t| resolver.scalar(t, Words::Initial, errors)),
        until_impacts: declared.until_impacts.and_then(|n| usize::try_from(n).ok()),
    };
    let mut given: Vec<String> = Vec::new();
    for assignment in &declared.initial {
        let value = resolver.scalar(&assignment.value, Words::Initial, errors);
        let key = assignment.target.name().ascii();
        if given.contains(&key) {
            Mistake::AssignedTwice { name: assignment.target.text.clone() }
                .report(errors, assignment.target.region);
        }
        given.push(key);
        assign(resolver, &mut scenario, &assignment.target, value, errors);
    }
    for ident in &declared.solve {
        let Some(unknown) = unknown(resolver, ident, errors) else { continue };
        // A value given as well is where the solution starts from.
        if scenario.solve.contains(&unknown) {
            Mistake::AssignedTwice { name: ident.text.clone() }.report(errors, ident.region);
        }
        scenario.solve.push(unknown);
    }
    if scenario.until_time.is_none() && scenario.until_impacts.is_none() {
        Mistake::NoEnd { scenario: declared.name.text.clone() }
            .report(errors, declared.name.region);
    }
    scenario
}

fn assign(
    resolver: &Resolver<'_>,
    scenario: &mut Scenario,
    target: &Ident,
    value: ExprId,
    errors: &mut Errors,
) {
    let name = target.name();
    if name.key == "t" && name.is_plain() {
        scenario.time = value;
        return;
    }
    if let (Some(Entity::Input(index)), true) = (resolver.scope.find(&name.key), name.is_plain()) {
        scenario.inputs[index] = value;
        return;
    }
    match unknown(resolver, target, errors) {
        Some(Unknown::Coordinate(index)) => scenario.position[index] = value,
        Some(Unknown::Velocity(index)) => scenario.velocity[index] = value,
        None => {}
    }
}
