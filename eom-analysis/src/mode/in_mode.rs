//! Motion in a mode: with contacts closed, friction that sticks, friction that slides.
//!
//! ```text
//! M a = F − h + D₀ + Bᵀλ + Σ Dᵢ Nᵢ        D = −c Jᵀ w/‖w‖ of what slides, D₀ of what does so whatever its contact bears
//! B a = −γ                                B: A, own rows of closed contacts, J of what sticks, A_h, ∇g; Nᵢ = λ of ∇gᵢ
//! ```
//!
//! Of friction of a constraint Nᵢ = |λᵢ| = σλᵢ: the sign σ is that with which all of these are right.
//!
//! With λ known
//!
//! ```text
//! M δa − (B + D)ᵀ δλ = δ(F − h + D₀) − δM a + δ(B + D)ᵀ λ
//! B δa               = −δB a − δγ
//! ```

use super::balance::{Parts, borne};
use super::drift::Drift;
use super::lines::{FRICTIONS, Line, RowOf, rows};
use crate::error::AnalysisError;
use crate::space::{Local, StateSpace};
use crate::tapes::friction::Terms;
use crate::tapes::{Read, derivatives};
use crate::variation::course::Signs;
use eom_core::State;
use eom_core::enclosure::Tape;
use nalgebra::{DMatrix, DVector};

/// The motion in a mode at a state.
pub(crate) struct InMode {
    pub(crate) local: Local,
    /// What each row is of, and its λ.
    pub(crate) rows: Vec<(RowOf, f64)>,
    /// How λ changes with the state and the inputs.
    pub(crate) multipliers_by: DMatrix<f64>,
    /// Whether a row depends on others, so that forces are not determined.
    pub(crate) redundant: bool,
    /// ‖F − h‖, the size of forces.
    pub(crate) size: f64,
    /// The point terms of friction: c, w and the others as the tape has them.
    pub(crate) friction: DVector<f64>,
    /// How they change with the state and the inputs.
    pub(crate) friction_by: DMatrix<f64>,
}

impl StateSpace<'_> {
    /// Values and derivatives in the mode of this space.
    pub(crate) fn in_mode(&self, state: &State, inputs: &[f64]) -> Result<InMode, AnalysisError> {
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let (n, m, r) = (info.positions(), info.speeds(), inputs.len());
        let given = self.programs.given(state, inputs);
        let missing = |what| AnalysisError::NoProgram { system: info.name, what };
        let read = |tape: &Tape| {
            let (values, by) = derivatives(tape, &given, 1..1 + n + m + r);
            Read { values, by }
        };
        let mass = read(programs.mass_matrix.ok_or_else(|| missing("mass matrix"))?);
        let forces = read(programs.forces.ok_or_else(|| missing("forces"))?);
        let terms = Terms::of(self.programs.system)?;
        let tapes = self.of_rows(&terms, n + m + r, read)?;
        let mut force = Read {
            values: forces.values.rows(0, m) - forces.values.rows(m, m),
            by: forces.by.rows(0, m) - forces.by.rows(m, m),
        };
        let size = force.values.norm();
        if let Some(tape) = programs.contact_forces {
            let own = read(tape);
            for contact in self.mode.closed() {
                force.values += own.values.rows(contact * m, m);
                force.by += own.by.rows(contact * m, m);
            }
        }
        let lines = Line::all(info, &self.mode, &terms);
        let (matrix, residual, by_position) = rows(&lines, &tapes, &state.v, n);
        let (rates, rates_by) = self.kinematics(state, &given, r);
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j + 1));
        let all_directions = DMatrix::from_fn(given.len(), n + m + r, unit);
        let turning = Read { values: rates.clone(), by: rates_by.clone() };
        let drift = Drift::new(&self.programs, &lines)
            .along((&given, &all_directions), (&lines, &terms, &turning, &tapes[FRICTIONS]));
        let all = programs.borne_forces.map(read);
        let pushes = borne(&lines, all.as_ref(), (info, &terms));
        let mut parts = Parts {
            lines: &lines,
            tapes: &tapes,
            mass: &mass,
            force,
            drift,
            rows: &matrix,
            pushes,
            lengths: Vec::new(),
        };
        let sliding: Vec<usize> = terms.acting(&self.mode).collect();
        let frictions = (&terms, &tapes[FRICTIONS], all.as_ref());
        parts.add_friction(frictions, &sliding, (&Signs::default(), false))?;
        let found = parts.solve(false)?;
        let Read { values: a, by: slopes } = found.accelerations;
        let mut by_state = DMatrix::zeros(n + m, n + m);
        by_state.rows_mut(0, n).copy_from(&rates_by.columns(0, n + m));
        by_state.rows_mut(n, m).copy_from(&slopes.columns(0, n + m));
        let mut by_input = DMatrix::zeros(n + m, r);
        by_input.rows_mut(n, m).copy_from(&slopes.columns(n + m, r));
        let local = Local {
            frame: rates_by.columns(n, m).into_owned(),
            field: DVector::from_iterator(n + m, rates.iter().chain(a.iter()).copied()),
            by_state,
            by_input,
            rows: matrix,
            residual,
            residual_by_position: by_position,
            holonomic: self.holonomic_in_mode(state),
            names: lines.iter().map(|line| line.name.clone()).collect(),
        };
        let local = self.all_finite(local)?;
        let Read { values: λ, by: multipliers_by } = found.multipliers;
        let rows = lines.iter().zip(λ.iter()).map(|(line, λ)| (line.of, *λ)).collect();
        let redundant = found.redundant;
        let [.., Read { values: friction, by: friction_by }] = tapes;
        Ok(InMode { local, rows, multipliers_by, redundant, size, friction, friction_by })
    }

    /// The tapes of constraints, contacts, friction, by what reads one along so many directions.
    fn of_rows(
        &self,
        terms: &Terms,
        count: usize,
        read: impl Fn(&Tape) -> Read,
    ) -> Result<[Read; 3], AnalysisError> {
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let missing = |what| AnalysisError::NoProgram { system: info.name, what };
        if !terms.is_empty() && programs.frictions.is_none() {
            return Err(missing("friction"));
        }
        if !info.contacts.is_empty() && programs.contact_rows.is_none() {
            return Err(missing("contacts"));
        }
        let or_none = |tape: Option<&Tape>| tape.map_or_else(|| Read::none(count), &read);
        Ok([
            or_none(self.programs.rows),
            or_none(programs.contact_rows),
            or_none(programs.frictions.filter(|_| !terms.is_empty())),
        ])
    }

    /// What holds in the mode of this space at a state, and its derivatives: of the motion nothing.
    pub(crate) fn held(&self, state: &State, inputs: &[f64]) -> Result<Local, AnalysisError> {
        let info = self.programs.info;
        let (n, m) = (info.positions(), info.speeds());
        let given = self.programs.given(state, inputs);
        let terms = Terms::of(self.programs.system)?;
        let read = |tape: &Tape| {
            let (values, by) = derivatives(tape, &given, 1..1 + n);
            Read { values, by }
        };
        let tapes = self.of_rows(&terms, n, read)?;
        let lines = Line::all(info, &self.mode, &terms);
        let (rows, residual, residual_by_position) = rows(&lines, &tapes, &state.v, n);
        let (_, rates_by) = self.kinematics(state, &given, inputs.len());
        self.all_finite(Local {
            frame: rates_by.columns(n, m).into_owned(),
            field: DVector::zeros(n + m),
            by_state: DMatrix::zeros(n + m, n + m),
            by_input: DMatrix::zeros(n + m, inputs.len()),
            rows,
            residual,
            residual_by_position,
            holonomic: self.holonomic_in_mode(state),
            names: lines.iter().map(|line| line.name.clone()).collect(),
        })
    }

    /// φ, then the gaps of the closed contacts.
    fn holonomic_in_mode(&self, state: &State) -> DVector<f64> {
        let info = self.programs.info;
        let mut φ = vec![0.0; info.holonomic_count()];
        self.programs.system.holonomic(state.t, &state.q, &mut φ);
        let mut gaps = vec![0.0; info.contacts.len()];
        self.programs.system.gaps(state.t, &state.q, &mut gaps);
        let closed = self.mode.closed().iter().map(|contact| gaps[*contact]);
        let all: Vec<f64> = φ.into_iter().chain(closed).collect();
        DVector::from_vec(all)
    }
}
