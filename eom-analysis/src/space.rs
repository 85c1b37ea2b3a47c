//! The space of states on which a motion depends, and the derivatives of the motion there.
//!
//! ```text
//! f(y, u) = (S v, v̇)     c = A v + b     with their derivatives by y and u, exact to rounding
//! ```

use crate::error::AnalysisError;
use crate::names::{Entry, entries, find, list};
use crate::tapes::sides::check_kinks;
use crate::tapes::{Tapes, derivatives, relevant};
use eom_core::{Mode, StartError, State, System};
use nalgebra::{DMatrix, DVector};

/// The states of a system on which its motion depends.
///
/// It borrows its system and allocates for each question: questions are asked of few states.
#[derive(Clone)]
pub struct StateSpace<'s> {
    /// All entries of y.
    pub(crate) entries: Vec<Entry>,
    /// Places in y of the entries x on which the motion depends.
    pub(crate) relevant: Vec<usize>,
    pub(crate) programs: Tapes<'s>,
    /// What is in force beside the constraints.
    pub(crate) mode: Mode,
}

/// The values and derivatives at a state.
pub(crate) struct Local {
    /// S, nq×m.
    pub(crate) frame: DMatrix<f64>,
    /// f, nq + m.
    pub(crate) field: DVector<f64>,
    /// ∂f/∂y.
    pub(crate) by_state: DMatrix<f64>,
    /// ∂f/∂u.
    pub(crate) by_input: DMatrix<f64>,
    /// A, k×m.
    pub(crate) rows: DMatrix<f64>,
    /// A v + b, k.
    pub(crate) residual: DVector<f64>,
    /// ∂(A v + b)/∂q, k×nq.
    pub(crate) residual_by_position: DMatrix<f64>,
    /// φ and the gaps of closed contacts, the last rows.
    pub(crate) holonomic: DVector<f64>,
    /// The names of the rows.
    pub(crate) names: Vec<String>,
}

impl<'s> StateSpace<'s> {
    /// The states of a system.
    ///
    /// # Errors
    /// Where the system has no programs to differentiate, depends on time, or has a parameter that cannot be used.
    pub fn new(system: &'s dyn System) -> Result<Self, AnalysisError> {
        let programs = Tapes::of(system)?;
        let Tapes { info, accelerations, rates, rows, .. } = programs;
        if [Some(accelerations), rates, rows].into_iter().flatten().any(|tape| tape.reads(0)) {
            return Err(AnalysisError::TimeDependent { system: info.name });
        }
        let relevant = relevant(&programs, &[Some(accelerations), rows], None);
        let space = Self { entries: entries(info), relevant, programs, mode: Mode::default() };
        // What the friction of constraints depends on, the motion does.
        if space.has_accelerations() { Ok(space) } else { space.with_mode(Mode::default()) }
    }

    /// All states, with what holds in a mode.
    pub(crate) fn all(programs: Tapes<'s>, mode: Mode) -> Self {
        let relevant = (0..programs.info.positions() + programs.info.speeds()).collect();
        Self { entries: entries(programs.info), relevant, programs, mode }
    }

    /// Whether the accelerations of the system are those of the mode.
    pub(crate) fn has_accelerations(&self) -> bool {
        self.mode.is_free() && self.programs.row_friction().is_none()
    }

    /// The same with coordinates kept, on which the motion may not depend: a position that an output reads, or
    /// that a controller holds.
    ///
    /// # Errors
    /// A name that is not there.
    pub fn keeping(mut self, names: &[&str]) -> Result<Self, AnalysisError> {
        for name in names {
            let place = self.place(name)?;
            if !self.relevant.contains(&place) {
                self.relevant.push(place);
            }
        }
        self.relevant.sort_unstable();
        Ok(self)
    }

    /// The entries x on which the motion depends.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.relevant.iter().map(|place| &self.entries[*place])
    }

    /// The place in y of a name.
    pub(crate) fn place(&self, name: &str) -> Result<usize, AnalysisError> {
        find(&self.entries, name).ok_or_else(|| AnalysisError::NoSuchEntry {
            name: name.to_owned(),
            known: list(self.entries.iter().map(|entry| entry.name.as_str())),
        })
    }

    /// Checks lengths and numbers.
    pub(crate) fn check(&self, state: &State, inputs: &[f64]) -> Result<(), AnalysisError> {
        let lists = [
            ("q", self.programs.info.positions(), &state.q[..]),
            ("v", self.programs.info.speeds(), &state.v),
            ("u", self.programs.info.inputs.len(), inputs),
        ];
        for (what, expected, found) in lists {
            if found.len() != expected {
                return Err(StartError::Length { what, expected, found: found.len() }.into());
            }
            if let Some(i) = found.iter().position(|number| !number.is_finite()) {
                let name = match what {
                    "q" => self.programs.info.position_name(i),
                    "v" => self.programs.info.speed_name(i),
                    _ => self.programs.info.inputs[i].name.to_owned(),
                };
                return Err(StartError::NotFinite { name, value: found[i] }.into());
            }
        }
        Ok(())
    }

    /// f, c, φ and their derivatives at a state.
    pub(crate) fn local(&self, state: &State, inputs: &[f64]) -> Result<Local, AnalysisError> {
        if !self.has_accelerations() {
            return Ok(self.in_mode(state, inputs)?.local);
        }
        let (n, m, r) = (self.programs.info.positions(), self.programs.info.speeds(), inputs.len());
        let given = self.programs.given(state, inputs);
        check_kinks(&self.programs, state, inputs)?;
        let (slopes, by_all) = derivatives(self.programs.accelerations, &given, 1..1 + n + m + r);
        let (rates, rates_by_all) = self.kinematics(state, &given, r);
        let field = DVector::from_iterator(n + m, rates.iter().chain(slopes.iter()).copied());
        let mut by_state = DMatrix::zeros(n + m, n + m);
        by_state.rows_mut(0, n).copy_from(&rates_by_all.columns(0, n + m));
        by_state.rows_mut(n, m).copy_from(&by_all.columns(0, n + m));
        let mut by_input = DMatrix::zeros(n + m, r);
        by_input.rows_mut(n, m).copy_from(&by_all.columns(n + m, r));
        let (rows, residual, residual_by_position) = self.constraints(state, &given);
        let mut holonomic = vec![0.0; self.programs.info.holonomic_count()];
        self.programs.system.holonomic(state.t, &state.q, &mut holonomic);
        let local = Local {
            frame: rates_by_all.columns(n, m).into_owned(),
            field,
            by_state,
            by_input,
            rows,
            residual,
            residual_by_position,
            holonomic: DVector::from_vec(holonomic),
            names: self.programs.info.rows.iter().map(|row| row.name.to_owned()).collect(),
        };
        self.all_finite(local)
    }

    /// q̇ = S v, and its derivatives by (q, v, u).
    pub(crate) fn kinematics(
        &self,
        state: &State,
        given: &[f64],
        r: usize,
    ) -> (DVector<f64>, DMatrix<f64>) {
        let (n, m) = (self.programs.info.positions(), self.programs.info.speeds());
        match self.programs.rates {
            Some(tape) => derivatives(tape, given, 1..1 + n + m + r),
            None => {
                let unit = |i: usize, j: usize| f64::from(u8::from(j == n + i));
                (DVector::from_column_slice(&state.v), DMatrix::from_fn(n, n + m + r, unit))
            }
        }
    }

    /// A, A v + b and ∂(A v + b)/∂q.
    fn constraints(
        &self,
        state: &State,
        given: &[f64],
    ) -> (DMatrix<f64>, DVector<f64>, DMatrix<f64>) {
        let (n, m, k) = (
            self.programs.info.positions(),
            self.programs.info.speeds(),
            self.programs.info.rows.len(),
        );
        let Some(tape) = self.programs.rows else {
            return (DMatrix::zeros(0, m), DVector::zeros(0), DMatrix::zeros(0, n));
        };
        let (values, by_position) = derivatives(tape, given, 1..1 + n);
        let v = DVector::from_column_slice(&state.v);
        let rows = DMatrix::from_row_slice(k, m, &values.as_slice()[..k * m]);
        let residual = &rows * &v + values.rows(k * m, k);
        let changes = DMatrix::from_fn(k, n, |row, j| {
            let change = by_position.column(j);
            change.rows(row * m, m).dot(&v) + change[k * m + row]
        });
        (rows, residual, changes)
    }

    pub(crate) fn all_finite(&self, local: Local) -> Result<Local, AnalysisError> {
        let not_finite = |what: String| Err(AnalysisError::NotFinite { what });
        let rate = |place: usize| format!("the rate of {}", self.entries[place].name);
        if let Some(place) = local.field.iter().position(|value| !value.is_finite()) {
            return not_finite(rate(place));
        }
        let has_holes =
            |matrix: &DMatrix<f64>, row: usize| !matrix.row(row).iter().all(|x| x.is_finite());
        let mut places = 0..local.field.len();
        if let Some(place) =
            places.find(|row| has_holes(&local.by_state, *row) || has_holes(&local.by_input, *row))
        {
            return not_finite(format!("a derivative of {}", rate(place)));
        }
        let mut rows = 0..local.rows.nrows();
        if let Some(row) = rows.find(|row| {
            has_holes(&local.rows, *row) || has_holes(&local.residual_by_position, *row)
        }) {
            return not_finite(format!("a derivative of the row {}", local.names[row]));
        }
        Ok(local)
    }
}

impl std::fmt::Debug for StateSpace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StateSpace")
            .field("system", &self.programs.info.name)
            .field("relevant", &self.relevant)
            .finish()
    }
}
