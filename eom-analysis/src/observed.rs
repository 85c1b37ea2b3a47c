//! What of a motion is seen: the outputs about a steady motion, with the forces of its mode.
//!
//! ```text
//! o(x, u, λ)          C = (∂o/∂x + ∂o/∂λ ∂λ/∂x) N          D = ∂o/∂u + ∂o/∂λ ∂λ/∂u
//! ```

use crate::error::AnalysisError;
use crate::friction::Terms;
use crate::in_mode::InMode;
use crate::linear::Observed;
use crate::lines::RowOf;
use crate::space::StateSpace;
use crate::symmetry::Relative;
use crate::tapes::derivatives;
use eom_core::State;
use eom_core::contact::Reactions;
use eom_core::info::FrictionKind;
use eom_core::system::Bearer;
use nalgebra::DMatrix;

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
            return Ok((Vec::new(), DMatrix::zeros(0, embedding.ncols()), DMatrix::zeros(0, r)));
        };
        let count = n + m + r;
        let forces = self.forces_by(state, inputs, self.programs.forces_of_outputs());
        let is_told = |reads: &[bool]| {
            let of_forces = forces.known.iter().zip(&reads[1 + count..]);
            !reads[0]
                && (0..n).all(|i| !reads[1 + i] || self.relevant.contains(&i))
                && of_forces.into_iter().all(|(known, reads)| *known || !reads)
        };
        let depends = tape.dependencies();
        let stays = relative.map(|relative| self.outputs_stay(relative));
        let stays = |i: usize| stays.as_ref().is_none_or(|stays| stays[i]);
        let is_told = |i: &usize| is_told(&depends[*i]) && stays(*i);
        let told: Vec<usize> = (0..depends.len()).filter(is_told).collect();
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
        Ok((names, c, by.columns(n + m, r).into_owned()))
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
            *known &= !(0..info.positions()).any(reads);
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
                forces.known[place] = terms.factors(*term).is_none();
            }
        }
    }

    /// −c N w/|w| of what slides in one direction; that of others is not told.
    fn of_what_slides(&self, found: &InMode, terms: &Terms, forces: &mut Forces) {
        let k = self.programs.info.rows.len();
        for term in terms.acting(&self.mode) {
            let Some(first) = self.place_of(terms, term) else { continue };
            let components = terms.components(term);
            let normal = match terms.bearer(term) {
                Some(Bearer::Contact(contact)) if components.len() == 1 => k + contact,
                _ => {
                    forces.known[first..first + components.len()].fill(false);
                    continue;
                }
            };
            let w = found.friction[terms.w(components.start)];
            let (c, c_by) = (found.friction[term], found.friction_by.row(term));
            let by = c_by * forces.values[normal] + forces.by.row(normal) * c;
            forces.by.row_mut(first).copy_from(&(by * -w.signum()));
            forces.known[first] &= terms.factors(term).is_none();
        }
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
