//! Which coordinates are angles: those of which a run asks sin and cos alone.

use super::SystemModel;
use super::contact::Contact;
use super::declared::{Bound, Event, LineKind, Reset, Row, RowKind, Unknown};
use crate::node::ExprId;

impl SystemModel {
    /// The coordinates φ, by their indices, with which a run goes on alike at φ + 2π: every expression
    /// that it evaluates is the same there, and no event sets φ or exchanges it for another coordinate.
    /// One of which nothing depends, such as how far a wheel has rolled, is none.
    ///
    /// Derivatives of what is the same are, so equations need not be looked at.
    pub fn angles(&self) -> Vec<usize> {
        let evaluated = self.evaluated();
        let is_angle = |index: usize| {
            let symbol = self.coordinates[index].position;
            self.pool.contains_any(&evaluated, symbol)
                && evaluated.iter().all(|e| self.pool.turns(*e, symbol) == Some(0))
                && !self.is_set(index)
        };
        (0..self.coordinates.len()).filter(|index| is_angle(*index)).collect()
    }

    /// Whether an event or a contact puts another value in the place of a coordinate.
    fn is_set(&self, coordinate: usize) -> bool {
        let resets = self.events.iter().flat_map(|event| &event.resets);
        let mut relabels = self.contacts.iter().flat_map(|contact| &contact.relabel);
        resets.map(|reset| reset.target).any(|target| target == Unknown::Coordinate(coordinate))
            || relabels.any(|(a, b)| [*a, *b].contains(&coordinate))
    }

    /// What is evaluated in the course of a run, as declared.
    fn evaluated(&self) -> Vec<ExprId> {
        // Without `..`, so that a field cannot be forgotten.
        let Self {
            pool: _,
            named: _,
            document: _,
            time: _,
            coordinates: _,
            speeds: _,
            rotations: _,
            kinematics,
            parameters: _,
            inputs: _,
            functions: _,
            lets: _,
            kinetic,
            potential,
            lagrangian,
            dissipation,
            norms: _,
            forces,
            lines,
            rows,
            row_frictions,
            empty_rows: _,
            free: _,
            contacts,
            events,
            scenarios: _,
            sentences: _,
            outputs: _,
            drawing: _,
            claims: _,
        } = self;
        let mut all = vec![*lagrangian, *dissipation];
        all.extend(kinetic.iter().chain(potential).chain(forces));
        if let Some(kinematics) = kinematics {
            all.extend(kinematics.rates.iter().chain(kinematics.forms.iter().flatten()));
        }
        for line in lines {
            match &line.kind {
                LineKind::Force(parts) => all.extend(parts.iter().map(|(_, part)| *part)),
                LineKind::Dissipation(term) => all.push(*term),
            }
        }
        for row in rows {
            row.evaluated(&mut all);
        }
        let frictions = row_frictions.iter().map(|row| &row.friction);
        all.extend(frictions.flat_map(super::contact::ContactFriction::expressions));
        for contact in contacts {
            contact.evaluated(&mut all);
        }
        for Event { guard, resets, named: _, direction: _, gap: _ } in events {
            all.push(*guard);
            all.extend(resets.iter().map(|Reset { value, target: _ }| *value));
        }
        all
    }
}

impl Row {
    fn evaluated(&self, all: &mut Vec<ExprId>) {
        let Self { kind, coefficients, affine, named: _, declared: _ } = self;
        all.extend(coefficients);
        all.push(*affine);
        if let RowKind::Holonomic { residual } = kind {
            all.push(*residual);
        }
    }
}

impl Contact {
    fn evaluated(&self, all: &mut Vec<ExprId>) {
        let Self {
            gap,
            dissipation,
            borne,
            frictions,
            restitution: _,
            rows,
            when,
            assigned,
            named: _,
            law: _,
            law_text: _,
            impacts: _,
            when_text: _,
            extents: _,
            releases: _,
            relabel: _,
        } = self;
        all.extend([gap, dissipation]);
        all.extend(borne);
        all.extend(frictions.iter().flat_map(super::contact::ContactFriction::expressions));
        all.extend(when.iter().flat_map(|Bound { left, right, relation: _ }| [left, right]));
        all.extend(assigned.iter().map(|(_, value)| value));
        for row in rows {
            row.evaluated(all);
        }
    }
}
