//! Sets of speeds that the equations do not couple.

use super::Finding;
use crate::mechanics::friction::Bearer;
use crate::mechanics::lagrange::equations::EquationsOfMotion;
use crate::mechanics::system::SystemModel;
use crate::mechanics::system::declared::{Bound, Unknown};
use crate::node::{ExprId, SymbolKind};
use crate::pool::ExprPool;
use std::slice;

/// The sets, where there are several: an equation, a row, a contact or a reset couples what occurs
/// in it.
pub(super) fn parts(model: &SystemModel, equations: &EquationsOfMotion) -> Option<Finding> {
    let (mut sets, mass) = (Sets::new(model), equations.mass.given());
    for i in 0..model.speeds.len() {
        let mut expressions = vec![equations.bias[i], equations.force[i]];
        expressions.extend(mass[i]);
        let entries = equations.mass.kept().get(i).map_or(&[][..], Vec::as_slice);
        sets.couple(&expressions, columns(entries).chain([i]));
    }
    for (row, reaction) in equations.rows.iter().zip(&equations.reactions) {
        let expressions: Vec<ExprId> = row.iter().chain(reaction).copied().collect();
        sets.couple(&expressions, columns(row).chain(columns(reaction)));
    }
    for friction in &equations.friction.points {
        let rows = friction.borne.map_or(&[][..], |borne| match borne.bearer {
            Bearer::Contact(contact) => slice::from_ref(&equations.contacts[contact].gradient),
            Bearer::Row(row) => slice::from_ref(&equations.rows[row]),
            Bearer::Rows { first, count } => &equations.rows[first..first + count],
        });
        let beside = friction.beside.iter().flatten().copied();
        let expressions: Vec<ExprId> = friction.components.iter().copied().chain(beside).collect();
        let acting = rows.iter().chain(&friction.beside);
        sets.couple(&expressions, acting.flat_map(|row| columns(row)));
    }
    for (contact, derived) in model.contacts.iter().zip(&equations.contacts) {
        let mut expressions = vec![contact.gap];
        expressions.extend(derived.force.iter().chain(&contact.borne));
        expressions.extend(derived.rows.iter().flat_map(|row| &row.coefficients));
        expressions.extend(contact.assigned.iter().map(|(_, value)| *value));
        expressions.extend(contact.when.iter().flat_map(|b: &Bound| [b.left, b.right]));
        let own = derived.rows.iter().flat_map(|row| columns(&row.coefficients));
        let assigned = contact.assigned.iter().map(|(speed, _)| *speed);
        let moved = columns(&derived.gradient).chain(own).chain(assigned);
        let moved = moved.chain(columns(&contact.borne));
        let exchanged = contact.relabel.iter().flat_map(|&(a, b)| [a, b]);
        sets.couple(&expressions, moved.chain(exchanged));
    }
    for event in model.events.iter().filter(|event| !event.resets.is_empty()) {
        let mut expressions = vec![event.guard];
        expressions.extend(event.resets.iter().map(|reset| reset.value));
        let targets = event.resets.iter().filter_map(|reset| match reset.target {
            Unknown::Velocity(speed) => Some(speed),
            Unknown::Coordinate(position) => sets.speeds_of[position].first().copied(),
        });
        let targets: Vec<usize> = targets.collect();
        sets.couple(&expressions, targets);
    }
    let parts = sets.parts();
    (parts.len() > 1).then_some(Finding::Decoupled { parts })
}

fn columns(row: &[ExprId]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().filter(|(_, entry)| **entry != ExprPool::ZERO).map(|(j, _)| j)
}

/// Speeds in disjoint sets.
struct Sets<'m> {
    model: &'m SystemModel,
    /// The speeds that move each entry of q.
    speeds_of: Vec<Vec<usize>>,
    /// A smaller speed of the same set, or itself.
    parent: Vec<usize>,
}

impl<'m> Sets<'m> {
    fn new(model: &'m SystemModel) -> Self {
        let m = model.speeds.len();
        let speeds_of: Vec<Vec<usize>> = match &model.kinematics {
            Some(kinematics) => kinematics.map.iter().map(|row| columns(row).collect()).collect(),
            None => (0..m).map(|speed| vec![speed]).collect(),
        };
        let mut sets = Self { model, speeds_of: Vec::new(), parent: (0..m).collect() };
        for speeds in &speeds_of {
            sets.join(speeds.iter().copied());
        }
        sets.speeds_of = speeds_of;
        sets
    }

    /// Joins the speeds and all that moves what occurs in the expressions.
    fn couple(&mut self, expressions: &[ExprId], speeds: impl IntoIterator<Item = usize>) {
        let symbols = self.model.pool.symbols_in(expressions);
        let kinds = symbols.iter().map(|symbol| self.model.pool.symbol_info(*symbol).kind);
        let mut all: Vec<usize> = speeds.into_iter().collect();
        for kind in kinds {
            match kind {
                SymbolKind::Velocity(speed) => all.push(speed),
                SymbolKind::Coordinate(position) => all.extend(&self.speeds_of[position]),
                _ => {}
            }
        }
        self.join(all);
    }

    fn join(&mut self, speeds: impl IntoIterator<Item = usize>) {
        let roots: Vec<usize> = speeds.into_iter().map(|speed| self.root(speed)).collect();
        let Some(least) = roots.iter().min().copied() else { return };
        for root in roots {
            self.parent[root] = least;
        }
    }

    fn root(&self, speed: usize) -> usize {
        let mut root = speed;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        root
    }

    fn parts(&self) -> Vec<Vec<usize>> {
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); self.parent.len()];
        for speed in 0..self.parent.len() {
            parts[self.root(speed)].push(speed);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }
}
