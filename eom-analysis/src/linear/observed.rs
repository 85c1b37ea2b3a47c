//! What of a motion is seen: the outputs about a steady motion, with the forces of its mode.
//!
//! ```text
//! o(x, u, λ)          C = (∂o/∂x + ∂o/∂λ ∂λ/∂x) N          D = ∂o/∂u + ∂o/∂λ ∂λ/∂u
//! ```

use super::Observed;
use crate::error::AnalysisError;
use crate::mode::in_mode::InMode;
use crate::mode::lines::RowOf;
use crate::space::StateSpace;
use crate::steady::symmetry::Relative;
use crate::tapes::derivatives;
use crate::tapes::friction::Terms;
use eom_core::State;
use eom_core::contact::Reactions;
use eom_core::info::FrictionKind;
use eom_core::system::Bearer;
use nalgebra::{DMatrix, RowDVector};

/// A derivative below this part of its row is rounding.
const NOTHING: f64 = 1e-10;

/// The forces of a mode, as outputs read them.
struct Forces {
    values: Vec<f64>,
    /// How they change with the state and the inputs.
    by: DMatrix<f64>,
    /// Those of which that is known.
    known: Vec<bool>,
}

impl Forces {
    /// The force on a component of a slip that is weighed, from that on what it is weighed to.
    fn scale(&mut self, (found, terms, term): (&InMode, &Terms, usize), i: usize, place: usize) {
        let Some(factors) = terms.factors(term) else { return };
        let (factor, by) =
            (found.friction[factors.start + i], found.friction_by.row(factors.start + i));
        // What is written is on the slip itself.
        let of_value = by * (self.values[place] / factor);
        let row = self.by.row(place) * factor + of_value;
        self.by.row_mut(place).copy_from(&row);
    }
}

impl StateSpace<'_> {
    /// C and D, of the outputs that read nothing but x, u and forces, and stay where the motion turns.
    pub(crate) fn observe(
        &self,
        state: &State,
        inputs: &[f64],
        embedding: &DMatrix<f64>,
        relative: Option<&Relative>,
    ) -> Result<Observed, AnalysisError> {
        let (n, m, r) = (self.programs.info.positions(), self.programs.info.speeds(), inputs.len());
        let Some(tape) = self.programs.outputs else {
            let (c, d) = (DMatrix::zeros(0, embedding.ncols()), DMatrix::zeros(0, r));
            return Ok(Observed { names: Vec::new(), left_out: Vec::new(), c, d });
        };
        let count = n + m + r;
        let forces = self.forces_by(state, inputs, self.programs.forces_of_outputs());
        let depends = tape.dependencies(&self.programs.parameters());
        let stays = relative.map(|relative| self.outputs_stay(relative));
        let stays = |i: usize| stays.as_ref().is_none_or(|stays| stays[i]);
        let (mut told, mut left_out) = (Vec::new(), Vec::new());
        for (i, reads) in depends.iter().enumerate() {
            let of_forces = forces.known.iter().zip(&reads[1 + count..]);
            let unknown = (0..n).find(|i| reads[1 + i] && !self.relevant.contains(i));
            let why = if reads[0] {
                "it depends on the time".to_owned()
            } else if let Some(place) = unknown {
                let name = &self.entries[place].name;
                format!("it depends on {name}, which is not in the linear system unless it is kept")
            } else if of_forces.into_iter().any(|(known, reads)| !known && *reads) {
                "it reads a force whose change is not known there".to_owned()
            } else if !stays(i) {
                "it changes as the motion turns".to_owned()
            } else {
                told.push(i);
                continue;
            };
            left_out.push((self.programs.info.outputs[i].name, why));
        }
        let given = self.programs.given_with(state, inputs, &forces.values);
        let (_, by_all) = derivatives(tape, &given, 1..1 + count + forces.values.len());
        let by_all = by_all.select_rows(&told);
        let mut by = by_all.columns(0, count).into_owned();
        for (force, of_force) in
            by_all.columns(count, forces.values.len()).column_iter().enumerate()
        {
            if forces.known[force] {
                by += of_force * forces.by.row(force);
            }
        }
        if !by.iter().all(|entry| entry.is_finite()) {
            return Err(AnalysisError::NotFinite { what: "a derivative of an output".to_owned() });
        }
        let c = by.select_columns(&self.relevant) * embedding;
        let names = told.iter().map(|i| self.programs.info.outputs[*i].name).collect();
        Ok(Observed { names, left_out, c, d: by.columns(n + m, r).into_owned() })
    }

    /// The forces that outputs read, as many as these: in the order of [`Reactions`].
    fn forces_by(&self, state: &State, inputs: &[f64], count: usize) -> Forces {
        let (info, system) = (self.programs.info, self.programs.system);
        let width = info.positions() + info.speeds() + inputs.len();
        let mut forces = Forces {
            values: vec![f64::NAN; count],
            by: DMatrix::zeros(count, width),
            known: vec![false; count],
        };
        if count == 0 {
            return forces;
        }
        let mut reactions = Reactions::new(system);
        forces.values.copy_from_slice(reactions.at(system, inputs, state, &self.mode));
        let (Ok(terms), Ok(found)) = (Terms::of(system), self.in_mode(state, inputs)) else {
            return forces;
        };
        if found.redundant {
            return forces;
        }
        forces.known.fill(true);
        self.of_rows_in_force(&found, &terms, &mut forces);
        self.of_what_slides(&found, &terms, &mut forces);
        for (known, row) in forces.known.iter_mut().zip(forces.by.row_iter()) {
            let size = row.norm();
            let reads = |i: usize| row[i].abs() > NOTHING * size && !self.relevant.contains(&i);
            *known &= size.is_finite() && !(0..info.positions()).any(reads);
        }
        forces
    }

    /// λ of constraints and closed contacts, friction that sticks.
    fn of_rows_in_force(&self, found: &InMode, terms: &Terms, forces: &mut Forces) {
        let k = self.programs.info.rows.len();
        let mut component = 0;
        let mut last = None;
        for ((of, _), by) in found.rows.iter().zip(found.multipliers_by.row_iter()) {
            component = if last == Some(*of) { component + 1 } else { 0 };
            last = Some(*of);
            let place = match *of {
                RowOf::Constraint(row) => Some(row),
                RowOf::Gap(contact) => Some(k + contact),
                RowOf::Own(_) => None,
                RowOf::Stick(term) => self.place_of(terms, term).map(|first| first + component),
            };
            let Some(place) = place else { continue };
            forces.by.row_mut(place).copy_from(&by);
            if let RowOf::Stick(term) = of {
                forces.scale((found, terms, *term), component, place);
            }
        }
    }

    /// f = −c N u of what slides, u = w/|w|: δf = −δ(c N) u − c N (δw − u u·δw)/|w|.
    fn of_what_slides(&self, found: &InMode, terms: &Terms, forces: &mut Forces) {
        for term in terms.acting(&self.mode) {
            let (Some(first), Some(bearer)) = (self.place_of(terms, term), terms.bearer(term))
            else {
                continue;
            };
            let components = terms.components(term);
            let (normal, normal_by) = self.pressing(bearer, forces);
            let (c, c_by) = (found.friction[term], found.friction_by.row(term));
            let speed = terms.speed(term, found.friction.as_slice());
            let u = |component: usize| found.friction[terms.w(component)] / speed;
            let turns = |component: usize| found.friction_by.row(terms.w(component)).into_owned();
            let mut along = RowDVector::zeros(c_by.len());
            components.clone().for_each(|component| along += turns(component) * u(component));
            let strength = c_by * normal + normal_by * c;
            for (i, component) in components.enumerate() {
                let turned = (turns(component) - &along * u(component)) * (c * normal / speed);
                let by = -(&strength * u(component)) - turned;
                forces.by.row_mut(first + i).copy_from(&by);
                forces.scale((found, terms, term), i, first + i);
            }
        }
    }

    /// N, the normal force of a contact, |λ| of one row or several, and how it changes.
    fn pressing(&self, bearer: Bearer, forces: &Forces) -> (f64, RowDVector<f64>) {
        let k = self.programs.info.rows.len();
        let rows = match bearer {
            Bearer::Contact(contact) => k + contact..k + contact + 1,
            Bearer::Row(row) => row..row + 1,
            Bearer::Rows { first, count } => first..first + count,
        };
        let length = rows.clone().map(|row| forces.values[row].powi(2)).sum::<f64>().sqrt();
        let mut by = RowDVector::zeros(forces.by.ncols());
        rows.for_each(|row| by += forces.by.row(row) * (forces.values[row] / length));
        (length, by)
    }

    /// Where the force of a term stands first among those of a mode; none where nothing bears it.
    fn place_of(&self, terms: &Terms, term: usize) -> Option<usize> {
        let info = self.programs.info;
        let first = info.rows.len() + info.contacts.len();
        match terms.bearer(term)? {
            Bearer::Contact(contact) => {
                Some(first + FrictionKind::PLACES * contact + terms.info(term).kind.place())
            }
            Bearer::Row(_) | Bearer::Rows { .. } => {
                let of_contacts = FrictionKind::PLACES * info.contacts.len();
                Some(first + of_contacts + terms.place_among_rows(term))
            }
        }
    }
}
