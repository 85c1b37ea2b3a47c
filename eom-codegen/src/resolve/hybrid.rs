//! Events and scenarios.

use super::expression::Resolver;
use super::expression::context::ExprContext;
use super::mistake::Mistake;
use super::scope::Entity;
use crate::ast::{self, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::{
    Contact, Direction, Event, EventCount, GapGuard, Reset, Scenario, Unknown,
};
use eom_symbolic::name::{Side, nearest};
use eom_symbolic::{ExprId, ExprPool, SymbolKind};
use rustc_hash::FxHashSet;

/// The events.
pub(crate) fn events(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    contacts: &[Contact],
    errors: &mut Errors,
) -> Vec<Event> {
    let declared = system.events.iter();
    declared
        .map(|event| {
            let guard = guard(resolver, event, errors);
            Event {
                named: event.name.named(&event.docs),
                guard,
                direction: match event.direction {
                    None | Some(ast::Direction::Falling) => Direction::Falling,
                    Some(ast::Direction::Rising) => Direction::Rising,
                    Some(ast::Direction::Both) => Direction::Both,
                },
                resets: resets(resolver, event, errors),
                gap: GapGuard::of(&mut resolver.pool, guard, contacts),
            }
        })
        .collect()
}

/// A guard, refused where it holds parameters only.
fn guard(resolver: &mut Resolver<'_>, event: &ast::Event, errors: &mut Errors) -> ExprId {
    let guard = resolver.scalar(&event.guard, ExprContext::Guard, errors);
    let pool = &resolver.pool;
    let is_still = |symbol| matches!(pool.symbol_info(symbol).kind, SymbolKind::Parameter(_));
    if guard != ExprPool::UNDEFINED && !pool.contains(guard, |symbol| !is_still(symbol)) {
        Mistake::StillGuard { event: event.name.text.clone() }.report(errors, event.guard.region);
    }
    guard
}

fn resets(resolver: &mut Resolver<'_>, event: &ast::Event, errors: &mut Errors) -> Vec<Reset> {
    let mut resets: Vec<Reset> = Vec::new();
    for assignment in &event.reset {
        let value = resolver.scalar(&assignment.value, ExprContext::Reset, errors);
        let Some(target) = unknown(resolver, &assignment.target, errors) else { continue };
        if resets.iter().any(|reset| reset.target == target) {
            Mistake::AssignedTwice { name: assignment.target.text.clone() }
                .report(errors, assignment.target.region);
        }
        resets.push(Reset { target, value });
    }
    resets
}

/// A coordinate or a speed.
pub(super) fn unknown(
    resolver: &Resolver<'_>,
    ident: &Ident,
    errors: &mut Errors,
) -> Option<Unknown> {
    let name = ident.name();
    let found = match (resolver.scope.find(&name.key), name.dots, name.side) {
        (Some(Entity::Coordinate(index)), 0, Side::None) => Some(Unknown::Coordinate(index)),
        (Some(Entity::Coordinate(index)), 1, Side::None) => {
            let Some(speed) = resolver.scope.layout.speed_of(index) else {
                let speeds = resolver.scope.layout.quasi_names();
                Mistake::Covered { name: ident.text.clone(), speeds }.report(errors, ident.region);
                return None;
            };
            Some(Unknown::Velocity(speed))
        }
        (Some(Entity::Speed(index)), 0, Side::None) => Some(Unknown::Velocity(index)),
        _ => None,
    };
    if found.is_none() {
        let (declared, text) = (resolver.scope.find(&name.key), ident.text.clone());
        let mistake = match declared {
            Some(Entity::Parameter(_)) => Mistake::SetParameter { name: text },
            Some(_) => Mistake::NotState { name: text, near: None },
            None => Mistake::NotState { name: text, near: resolver.scope.nearest_state(&name) },
        };
        mistake.report(errors, ident.region);
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
    let layout = &resolver.scope.layout;
    let (positions, speeds) = (layout.positions.len(), layout.speeds.len());
    let mut scenario = Scenario {
        named: declared.name.named(&declared.docs),
        time: ExprPool::ZERO,
        position: vec![ExprPool::ZERO; positions],
        velocity: vec![ExprPool::ZERO; speeds],
        inputs: vec![ExprPool::ZERO; system.inputs.len()],
        solve: Vec::new(),
        until_time: declared
            .until_time
            .as_ref()
            .map(|t| resolver.scalar(t, ExprContext::Initial, errors)),
        until_impacts: declared.until_impacts.and_then(|n| usize::try_from(n).ok()),
        until_events: until_events(system, declared, errors),
    };
    for rotation in &resolver.scope.layout.rotations {
        scenario.position[rotation.position] = ExprPool::ONE;
    }
    let mut given = FxHashSet::default();
    for assignment in &declared.initial {
        let key = assignment.target.name().ascii();
        if !given.insert(key) {
            Mistake::AssignedTwice { name: assignment.target.text.clone() }
                .report(errors, assignment.target.region);
        }
        assign(resolver, &mut scenario, assignment, errors);
    }
    for ident in &declared.solve {
        let Some(unknown) = unknown(resolver, ident, errors) else { continue };
        if system.constraints.is_empty() && system.holonomic.is_empty() {
            Mistake::NothingSolves { name: ident.text.clone() }.report(errors, ident.region);
        }
        // A value given as well is where the solution starts from.
        if scenario.solve.contains(&unknown) {
            Mistake::AssignedTwice { name: ident.text.clone() }.report(errors, ident.region);
        }
        scenario.solve.push(unknown);
    }
    let endless = scenario.until_time.is_none()
        && scenario.until_impacts.is_none()
        && declared.until_events.is_none();
    // An end that did not parse has been reported.
    if endless && !declared.incomplete {
        Mistake::NoEnd { scenario: declared.name.text.clone() }
            .report(errors, declared.name.region);
    }
    scenario
}

/// The events after which a scenario ends.
fn until_events(
    system: &ast::System,
    declared: &ast::Scenario,
    errors: &mut Errors,
) -> Option<EventCount> {
    let (name, count) = declared.until_events.as_ref()?;
    let count = usize::try_from(*count).ok()?;
    let Some(name) = name else { return Some(EventCount { event: None, count }) };
    let keys: Vec<String> = system.events.iter().map(|event| event.name.name().key).collect();
    let key = name.name().key;
    let event = keys.iter().position(|known| *known == key);
    if event.is_none() {
        let known = keys.iter().map(String::as_str).chain(["impacts", "events"]);
        let near = nearest(&key, known).map(str::to_owned);
        Mistake::UnknownEnd { name: name.text.clone(), near }.report(errors, name.region);
    }
    Some(EventCount { event: Some(event?), count })
}

fn assign(
    resolver: &mut Resolver<'_>,
    scenario: &mut Scenario,
    assignment: &ast::Assignment,
    errors: &mut Errors,
) {
    let target = &assignment.target;
    let name = target.name();
    if let (Some(Entity::Rotation(index)), true) = (resolver.scope.find(&name.key), name.is_plain())
    {
        let first = resolver.scope.layout.rotations[index].position;
        if let Some(quaternion) = resolver.orientation(&assignment.value, errors) {
            scenario.position[first..first + 4].copy_from_slice(&quaternion);
        }
        return;
    }
    let value = resolver.scalar(&assignment.value, ExprContext::Initial, errors);
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
