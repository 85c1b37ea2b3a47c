//! The derivatives of free motion by its state where constraints have friction, which stands in no program of the
//! accelerations.
//!
//! ```text
//! M a = F − h + D₀ + Aᵀλ + Σ Dᵢ |λᵢ|          A a = −γ          D = −c Jᵀ w/‖w‖
//! ```
//!
//! What slides does so to the side to which it slides there; what is at rest has no friction, as in
//! [`open_accelerations`](eom_core::contact::open_accelerations), whose derivatives these are.

use crate::error::AnalysisError;
use crate::tapes::Tapes;
use crate::tapes::friction::Terms;
use crate::variation::course::{Course, Signs};
use crate::variation::held::Held;
use eom_core::contact::Reactions;
use eom_core::system::Bearer;
use eom_core::{Mode, State, System};
use nalgebra::DMatrix;

/// ∂ẏ/∂y of y = (q, v) with the declared constraints in force, their friction included, and no contact: exact to rounding.
pub struct OpenJacobian<'s> {
    of: Tapes<'s>,
    held: Held<'s>,
    reactions: Reactions,
}

impl std::fmt::Debug for OpenJacobian<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenJacobian").field("system", &self.of.info.name).finish_non_exhaustive()
    }
}

impl<'s> OpenJacobian<'s> {
    /// That of a system.
    ///
    /// # Errors
    /// Where the system has no program of a function whose derivatives are needed.
    pub fn new(system: &'s dyn System) -> Result<Self, AnalysisError> {
        let of = Tapes::of(system)?;
        let held = Held::new(&of, &Terms::of(system)?, &Course::default())?;
        Ok(Self { of, held, reactions: Reactions::new(system) })
    }

    /// Writes ∂ẏᵢ/∂yⱼ by rows i.
    ///
    /// # Errors
    /// Where there is none: Coulomb's law has no solution, or forces that friction grows with are not determined.
    ///
    /// # Panics
    /// Where `rows` has another length than the square of that of y.
    pub fn evaluate(
        &mut self,
        state: &State,
        inputs: &[f64],
        rows: &mut [f64],
    ) -> Result<(), AnalysisError> {
        let d = state.q.len() + state.v.len();
        assert_eq!(rows.len(), d * d, "the length of rows");
        self.slide(state, inputs);
        let x = self.of.given(state, inputs);
        let directions = DMatrix::from_fn(x.len(), d, |i, j| f64::from(u8::from(i == j + 1)));
        let along = self.held.along(&x, &directions)?;
        let all = [&along.rates.by, &along.solved.accelerations.by];
        let changes = all.into_iter().flat_map(|by| by.row_iter());
        for (row, change) in rows.chunks_exact_mut(d).zip(changes) {
            row.iter_mut().zip(change.iter()).for_each(|(to, from)| *to = *from);
        }
        if rows.iter().all(|slope| slope.is_finite()) {
            return Ok(());
        }
        Err(AnalysisError::NotFinite { what: format!("a derivative at t = {}", state.t) })
    }

    /// What slides at a state, to which side, and with which sign the rows press that bear it.
    fn slide(&mut self, state: &State, inputs: &[f64]) {
        let Self { of, held, reactions } = self;
        let mode = Mode::default();
        reactions.at(of.system, inputs, state, &mode);
        let terms = &held.terms;
        let written = terms.evaluate(of.system, state);
        let side = |term: usize| Some(reactions.side(term)).filter(|side| *side != 0.0);
        let moves = |term: &usize| {
            side(*term).is_some()
                || terms.components(*term).len() > 1 && terms.speed(*term, &written) > 0.0
        };
        let presses = |term: usize| match terms.bearer(term) {
            Some(Bearer::Row(_)) => Some(reactions.pressing_sign(term)),
            _ => None,
        };
        let sliding = terms.acting(&mode).filter(moves).collect();
        let (slips, presses) = (0..terms.count()).map(|term| (side(term), presses(term))).unzip();
        (held.sliding, held.course.signs) = (sliding, Signs::new(slips, presses));
    }
}
