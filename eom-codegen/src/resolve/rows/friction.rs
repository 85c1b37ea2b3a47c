//! The friction of constraint rows: `row wire { slip = …; friction = μ; }`, with what has no meaning beside it. Of a vector
//! of rows it is on the length of their multipliers. What slips along is up to three velocities, as a ball turns in its socket.

use crate::ast;
use crate::diagnostic::Errors;
use crate::resolve::contacts::friction;
use crate::resolve::expression::Resolver;
use crate::resolve::expression::value::Shaped;
use crate::resolve::mistake::Mistake;
use eom_symbolic::mechanics::{Contact, Impacts, Resisted, Restitution, RowFriction};
use std::ops::Range;

/// The most velocities that slip along a constraint.
const SLIPS_MAX: usize = 3;

/// The friction of each row that has some, in the order in which it is declared.
pub(in crate::resolve) fn row_frictions(
    resolver: &mut Resolver<'_>,
    system: &ast::System,
    contacts: &[Contact],
    errors: &mut Errors,
) -> Vec<RowFriction> {
    let mut frictions: Vec<RowFriction> = Vec::new();
    for declared in &system.row_frictions {
        let Some(rows) = rows_of(resolver, declared, errors) else { continue };
        if frictions.iter().any(|friction| friction.row == rows.start) {
            let name = declared.name.text.clone();
            Mistake::RowTwice { name }.report(errors, declared.name.region);
            continue;
        }
        frictions.extend(row_friction(resolver, (declared, rows), errors));
        refuse_beside(system, contacts, declared, errors);
    }
    frictions
}

/// The rows of A that it is of, one behind the other.
fn rows_of(
    resolver: &Resolver<'_>,
    declared: &ast::RowFriction,
    errors: &mut Errors,
) -> Option<Range<usize>> {
    let (name, at) = (declared.name.text.clone(), declared.name.region);
    let Some(rows) = resolver.scope.row(&declared.name) else {
        // A row that has a mistake has been reported.
        if !resolver.scope.declares_row(&declared.name) {
            let near = resolver.scope.nearest_row(&declared.name);
            Mistake::UnknownRow { name, near }.report(errors, at);
        }
        return None;
    };
    if let Shaped::Matrix(_) = rows {
        Mistake::RowOfMany { name }.report(errors, at);
        return None;
    }
    // A component that is 0 = 0 is no row.
    let rows: Vec<usize> = rows.entries().into_iter().flatten().collect();
    let first = *rows.first()?;
    Some(first..first + rows.len())
}

/// Its slip and coefficients.
fn row_friction(
    resolver: &mut Resolver<'_>,
    (declared, rows): (&ast::RowFriction, Range<usize>),
    errors: &mut Errors,
) -> Option<RowFriction> {
    let (of, resisted) = (format!("constraint `{}`", declared.name.text), Resisted::Slip);
    match (&declared.resists.motion, &declared.resists.friction) {
        (Some(slip), Some(written)) => {
            let friction = friction(resolver, (resisted, slip, written), SLIPS_MAX, errors)?;
            let (row, count) = (rows.start, rows.len());
            return Some(RowFriction { name: declared.name.name().display, row, count, friction });
        }
        (Some(slip), None) => {
            Mistake::SlipWithoutFriction { of, resisted }.report(errors, slip.region);
        }
        (None, _) => {
            let at = declared.name.region;
            Mistake::FrictionWithoutSlip { of, resisted }.report(errors, at);
        }
    }
    None
}

/// Laws of impacts that know nothing of the impulses of constraints.
fn refuse_beside(
    system: &ast::System,
    contacts: &[Contact],
    declared: &ast::RowFriction,
    errors: &mut Errors,
) {
    for (contact, resolved) in system.contacts.iter().zip(contacts) {
        let law = &contact.law.kind;
        let beside = [
            (
                matches!(law, ast::LawKind::Project | ast::LawKind::Assign(_)),
                "a law other than by restitutions",
            ),
            (
                matches!(law, ast::LawKind::Process(Restitution::Stronge, _)),
                "a law that goes by the works of contacts",
            ),
            (resolved.impacts == Some(Impacts::Sequential), "impacts one after another"),
            (!contact.releases.is_empty(), "`releases`"),
            (!contact.relabel.is_empty(), "`relabel`"),
        ];
        for (_, what) in beside.into_iter().filter(|(stands, _)| *stands) {
            let (row, contact) = (declared.name.text.clone(), contact.name.text.clone());
            let at = declared.name.region;
            Mistake::BesideRowFriction { row, contact, what }.report(errors, at);
        }
    }
}
