//! `free u, θ̇;`: the speeds of the reduced equations.

use super::expression::Resolver;
use super::mistake::Mistake;
use super::scope::Entity;
use crate::ast::{self, Ident};
use crate::diagnostic::Errors;
use eom_symbolic::mechanics::closed_forms::reduce;
use eom_symbolic::mechanics::{Row, RowKind};
use eom_symbolic::name::Side;

/// The speeds by their indices; none where nothing is chosen, or where the choice is wrong.
pub(crate) fn free(
    resolver: &Resolver<'_>,
    system: &ast::System,
    rows: &[Row],
    errors: &mut Errors,
) -> Vec<usize> {
    let [chosen, more @ ..] = &system.free[..] else { return Vec::new() };
    let found = errors.len();
    if let Some(second) = more.first() {
        Mistake::FreeAgain.report(errors, second.region);
    }
    let mut free: Vec<usize> = Vec::new();
    for ident in &chosen.speeds {
        match speed(resolver, ident) {
            Some(speed) if free.contains(&speed) => {
                Mistake::FreeTwice { name: ident.text.clone() }.report(errors, ident.region);
            }
            Some(speed) => free.push(speed),
            None => {
                let layout = &resolver.scope.layout;
                let speeds = (0..layout.speeds.len()).map(|i| layout.speed_name(i)).collect();
                Mistake::NotASpeed { name: ident.text.clone(), speeds }
                    .report(errors, ident.region);
            }
        }
    }
    let speeds = resolver.scope.layout.speeds.len();
    if errors.len() == found && free.len() + rows.len() != speeds {
        let (given, rows) = (free.len(), rows.len());
        Mistake::FreeCount { given, speeds, rows }.report(errors, chosen.region);
    }
    if errors.len() == found
        && let Some(row) = rows.iter().find(|row| row.kind == RowKind::Chetaev)
    {
        let row = row.named.name.clone();
        Mistake::FreeWithNonlinear { row }.report(errors, chosen.region);
    }
    if errors.len() == found
        && let Some(speed) = reduce::undetermined(&resolver.pool, rows, &free)
    {
        let name = resolver.scope.layout.speed_name(speed);
        Mistake::NotDetermined { name }.report(errors, chosen.region);
    }
    if errors.len() == found { free } else { Vec::new() }
}

/// The speed of this name.
fn speed(resolver: &Resolver<'_>, ident: &Ident) -> Option<usize> {
    let name = ident.name();
    match (resolver.scope.find(&name.key)?, name.dots, name.side) {
        (Entity::Coordinate(index), 1, Side::None) => resolver.scope.layout.speed_of(index),
        (Entity::Speed(index), 0, Side::None) => Some(index),
        _ => None,
    }
}
