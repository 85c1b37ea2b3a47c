//! How the start of a motion changes with inputs and parameters: as that of a motion that is begun anew with them.
//!
//! ```text
//! its numbers     t₀, q, v, u of the scenario, functions of p; what is given in their place stays, or is one, too
//! solved          φ_U δq_U = −(φ_t δt₀ + φ_q δq + φ_p δp),  then A_U δv_U = −δ(A v + b)
//! held            φ and the gaps of closed contacts by δq = S ξ,  M ξ = Bᵀλ,  B ξ = −δφ; then A v + b, the rates of these
//!                 gaps, own rows, and the slip of what sticks by δv likewise
//! at fixed t      δy = δy₀ − f δt₀
//! ```
//!
//! The third line is what `--project-start` does, and adds nothing where the first two keep to what holds. A slip that sticks
//! is no constraint of the start: what has slip there slides for δt, until it sticks, and that changes v along M⁻¹Bᵀ alone.

use super::Variations;
use super::course::Place;
use crate::error::AnalysisError;
use crate::mode::lines::{CONTACTS, FRICTIONS, Line, RowOf};
use crate::steady::TOLERANCE;
use crate::tapes::Read;
use eom_core::enclosure::{Derivative, Tape};
use eom_core::info::Unknown;
use eom_core::span::least;
use eom_core::{Given, Mode, State};
use nalgebra::{Cholesky, DMatrix, DVector, DVectorView};

/// What rows leave beside them, of what they were moved by, is rounding below this part.
const LEFT: f64 = 1e-9;

/// A slip is zero within this part of the velocities.
const NONE: f64 = 1e-8;

/// How the start changes with the seeds, column by column.
struct Change {
    /// Of x = (t, q, v, u, p).
    by: DMatrix<f64>,
    /// The places of q and of v in x.
    q: usize,
    v: usize,
}

impl<'s> Variations<'s> {
    /// The seeds with the inputs that are functions of parameters, and how the start changes with them at fixed time.
    pub(crate) fn moved_start(
        &self,
        here: &Place,
        inputs: &[f64],
    ) -> Result<(DMatrix<f64>, DMatrix<f64>), AnalysisError> {
        let (n, m) = (here.state.q.len(), here.state.v.len());
        let mut change = self.declared(here, inputs)?;
        let x = self.programs.given(&here.state, inputs);
        self.solve_positions(&mut change, &x)?;
        self.solve_velocities(&mut change, &x)?;
        self.hold(&mut change, here, inputs)?;
        let by = change.by;
        let late = by.row(0).into_owned();
        let mut start = by.rows(1, n + m).into_owned();
        if late.amax() > 0.0 {
            start -= self.slopes(&here.course, &here.state, inputs)? * late;
        }
        if !start.iter().all(|entry| entry.is_finite()) {
            let what = "how the start changes with a parameter".to_owned();
            return Err(AnalysisError::NotFinite { what });
        }
        let rest = self.seeds.nrows();
        Ok((by.rows(1 + n + m, rest).into_owned(), start))
    }

    /// The numbers as the scenario has them.
    fn declared(&self, here: &Place, inputs: &[f64]) -> Result<Change, AnalysisError> {
        let (n, m, r) = (here.state.q.len(), here.state.v.len(), inputs.len());
        let count = self.seeds.ncols();
        let state = 1 + n + m;
        let mut by = DMatrix::zeros(state + self.seeds.nrows(), count);
        by.rows_mut(state, self.seeds.nrows()).copy_from(&self.seeds);
        let place = |given: Given| match given {
            Given::Time => 0,
            Given::Position(i) => 1 + i,
            Given::Velocity(i) => 1 + n + i,
            Given::Input(i) => state + i,
        };
        let tape = self.programs.system.programs().starts;
        if let Some((scenario, tape)) = self.rule.scenario.zip(tape) {
            let seeds = (inputs, &self.seeds);
            let all = self.programs.with_seeds((Some(tape), "starts"), &here.state, seeds)?;
            let mut numbers = all.rows(scenario * (state + r), state + r).into_owned();
            for given in &self.rule.given {
                numbers.row_mut(place(*given)).fill(0.0);
            }
            let mut known = by.rows_mut(0, state + r);
            known += numbers;
        }
        for &(given, parameter, rate) in &self.rule.moves {
            let moved = self.seeds.row(r + parameter) * rate;
            let mut row = by.row_mut(place(given));
            row += moved;
        }
        Ok(Change { by, q: 1, v: 1 + n })
    }

    /// δq_U.
    fn solve_positions(&self, change: &mut Change, x: &[f64]) -> Result<(), AnalysisError> {
        let place = |unknown: &Unknown| match *unknown {
            Unknown::Coordinate(index) => Some(change.q + index),
            Unknown::Velocity(_) => None,
        };
        let places: Vec<usize> = self.rule.solved.iter().filter_map(place).collect();
        if places.is_empty() {
            return Ok(());
        }
        let φ = self.holonomic()?;
        change.solve(&places, |directions| Read::of(&mut Derivative::new(φ), x, directions).by)
    }

    /// δv_U.
    fn solve_velocities(&self, change: &mut Change, x: &[f64]) -> Result<(), AnalysisError> {
        let place = |unknown: &Unknown| match *unknown {
            Unknown::Coordinate(_) => None,
            Unknown::Velocity(index) => Some(change.v + index),
        };
        let places: Vec<usize> = self.rule.solved.iter().filter_map(place).collect();
        let Some(rows) = self.programs.rows.filter(|_| !places.is_empty()) else { return Ok(()) };
        let lines = Line::all(self.programs.info, &Mode::default(), &self.terms);
        let (v, m) = (change.v, self.programs.info.speeds());
        change.solve(&places, |directions| {
            let tapes = [Some(rows), None, None].map(|tape| read(tape, x, directions));
            changes(&lines, &tapes, (x, directions), (v, m))
        })
    }

    /// φ as a tape.
    fn holonomic(&self) -> Result<&'s Tape, AnalysisError> {
        let (system, what) = (self.programs.info.name, "holonomic constraints");
        self.programs.system.programs().holonomic.ok_or(AnalysisError::NoProgram { system, what })
    }

    /// Moves the start to what holds there, orthogonally in the metric of the kinetic energy.
    fn hold(&self, change: &mut Change, here: &Place, inputs: &[f64]) -> Result<(), AnalysisError> {
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let lines = Line::all(info, &here.course.mode, &self.terms);
        if !lines.is_empty() {
            let x = self.programs.given(&here.state, inputs);
            let tapes = |directions: &DMatrix<f64>| {
                let all = [self.programs.rows, programs.contact_rows, programs.frictions];
                all.map(|tape| read(tape, &x, directions))
            };
            let (m, v) = (info.speeds(), change.v);
            let moves = DMatrix::from_fn(x.len(), m, |i, j| f64::from(u8::from(i == v + j)));
            let rows = changes(&lines, &tapes(&moves), (&x, &moves), (v, m));
            let metric = self.metric(here)?;
            self.hold_positions(change, here, (&x, &lines, &rows), &metric)?;
            let left = changes(&lines, &tapes(&change.by), (&x, &change.by), (v, m));
            let steps = metric.correction(&rows, &left)?;
            self.check_held(
                &lines.iter().collect::<Vec<_>>(),
                &(&rows * &steps + left),
                &rows,
                change,
            )?;
            let mut speeds = change.by.rows_mut(v, m);
            speeds += steps;
            self.check_touching(change, here, (&x, &rows))?;
        }
        self.check_slips(change, here, inputs)
    }

    /// The same of q, by φ and the gaps of closed contacts.
    fn hold_positions(
        &self,
        change: &mut Change,
        here: &Place,
        (x, lines, rows): (&[f64], &[Line], &DMatrix<f64>),
        metric: &Metric,
    ) -> Result<(), AnalysisError> {
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let (k, h) = (info.rows.len(), info.holonomic_count());
        // Which tape has the value, and where.
        let value = |line: &Line| match line.of {
            RowOf::Constraint(row) => row.checked_sub(k - h).map(|place| (0, place)),
            RowOf::Gap(contact) => Some((1, contact)),
            RowOf::Own(_) | RowOf::Stick(_) => None,
        };
        let all = lines.iter().enumerate();
        let found: Vec<_> = all.filter_map(|(row, line)| Some((row, line, value(line)?))).collect();
        if found.is_empty() {
            return Ok(());
        }
        let φ = if h == 0 { None } else { Some(self.holonomic()?) };
        let values = [φ, programs.gaps].map(|tape| read(tape, x, &change.by).by);
        let mut left = DMatrix::zeros(found.len(), change.by.ncols());
        for (mut row, (_, _, (tape, place))) in left.row_iter_mut().zip(&found) {
            row.copy_from(&values[*tape].row(*place));
        }
        let places: Vec<usize> = found.iter().map(|(row, ..)| *row).collect();
        let rows = rows.select_rows(&places);
        let steps = metric.correction(&rows, &left)?;
        let held: Vec<&Line> = found.iter().map(|(_, line, _)| *line).collect();
        self.check_held(&held, &(&rows * &steps + left), &rows, change)?;
        let mut moved = vec![0.0; here.state.q.len()];
        for (mut column, step) in change.by.column_iter_mut().zip(steps.column_iter()) {
            let State { t, q, .. } = &here.state;
            let step: Vec<f64> = step.iter().copied().collect();
            self.programs.system.rates(*t, q, &step, &mut moved);
            column
                .rows_mut(change.q, moved.len())
                .iter_mut()
                .zip(&moved)
                .for_each(|(q, by)| *q += by);
        }
        Ok(())
    }

    /// M at the start.
    fn metric(&self, here: &Place) -> Result<Metric, AnalysisError> {
        let State { t, q, v } = &here.state;
        let m = v.len();
        let mut mass = vec![0.0; m * m];
        self.programs.system.mass_matrix_at(*t, q, v, &mut mass);
        let root = Cholesky::new(DMatrix::from_vec(m, m, mass)).map(|found| found.l());
        let what = || AnalysisError::NotFinite { what: "the metric of the start".to_owned() };
        Ok(Metric { root: root.ok_or_else(what)? })
    }

    /// Refuses a start that cannot move with all that holds: rows depend on each other there, and part.
    fn check_held(
        &self,
        lines: &[&Line],
        left: &DMatrix<f64>,
        rows: &DMatrix<f64>,
        change: &Change,
    ) -> Result<(), AnalysisError> {
        for (column, change) in left.column_iter().zip(change.by.column_iter()) {
            let parts =
                |row: usize| column[row].abs() > LEFT * rows.row(row).norm() * change.norm();
            let Some(row) = (0..lines.len()).find(|row| parts(*row)) else { continue };
            let what = match lines[row].of {
                RowOf::Gap(_) => "the contact",
                RowOf::Stick(_) => "what sticks,",
                RowOf::Constraint(_) | RowOf::Own(_) => "the row",
            };
            return Err(self.parts((lines[row], what), change));
        }
        Ok(())
    }

    /// Refuses a contact that touches beside those that are closed, with a row that depends on theirs, where its gap changes.
    fn check_touching(
        &self,
        change: &Change,
        here: &Place,
        (x, rows): (&[f64], &DMatrix<f64>),
    ) -> Result<(), AnalysisError> {
        let (info, programs) = (self.programs.info, self.programs.system.programs());
        let (m, count) = (info.speeds(), info.contacts.len());
        if count == 0 {
            return Ok(());
        }
        let gaps = read(programs.gaps, x, &change.by);
        let found = [None, programs.contact_rows, None].map(|tape| read(tape, x, &change.by));
        for contact in (0..count).filter(|contact| !here.course.mode.is_closed(*contact)) {
            let line = Line::all(info, &Mode::new(vec![contact]), &self.terms).pop();
            let Some(line) = line.filter(|_| gaps.values[contact].abs() <= TOLERANCE) else {
                continue;
            };
            let row = found[CONTACTS].values.rows(line.first, m).into_owned();
            let span = rows.transpose();
            let depends = |parts: DVector<f64>| (&span * parts - &row).norm() <= LEFT * row.norm();
            if !least(&span, &row).is_some_and(depends) {
                continue;
            }
            let rates =
                changes(std::slice::from_ref(&line), &found, (x, &change.by), (change.v, m));
            for (by, change) in change.by.column_iter().enumerate() {
                let off = gaps.by[(contact, by)].abs().max(rates[(0, by)].abs());
                if off > LEFT * row.norm() * change.norm() {
                    return Err(self.parts((&line, "the contact"), change));
                }
            }
        }
        Ok(())
    }

    /// Refuses a slip that just begins and changes: on one side it turns, on the other it does not.
    fn check_slips(
        &self,
        change: &Change,
        here: &Place,
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let terms = &self.terms;
        let x = self.programs.given(&here.state, inputs);
        let found = read(self.programs.system.programs().frictions, &x, &change.by);
        for term in self.beginning(here, &found.values) {
            for component in terms.components(term) {
                let (row, place) = (terms.row(component), terms.w(component));
                let size = found.values.rows(row, terms.speeds()).norm();
                let changes = |by: &usize| {
                    let all = change.by.column(*by);
                    found.by[(place, *by)].abs() > NONE * size * all.norm()
                };
                if let Some(by) = (0..found.by.ncols()).find(changes) {
                    let (name, by) = (terms.name(term), self.seed(change.by.column(by)));
                    let why = format!(
                        "at the start, {name} begins to slide, and its slip changes with `{by}`"
                    );
                    return Err(AnalysisError::NotSmooth { why });
                }
            }
        }
        Ok(())
    }

    /// What begins to slide at a start, by what the tape of friction writes there.
    fn beginning(&self, here: &Place, values: &DVector<f64>) -> Vec<usize> {
        let terms = &self.terms;
        let speed = here.state.v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let is_still = |term: &usize| {
            let row = |component| values.rows(terms.row(component), terms.speeds()).norm();
            let size = terms.components(*term).map(row).fold(0.0, f64::max);
            values[*term] != 0.0 && terms.speed(*term, values.as_slice()) <= NONE * size * speed
        };
        terms.acting(&here.course.mode).filter(is_still).collect()
    }

    /// The names of what begins to slide at a start: beside it, where the slip is the other way, the motion turns first, and
    /// derivatives by the start are of one side.
    pub(crate) fn one_sided(&self, here: &Place, inputs: &[f64]) -> Vec<&'static str> {
        let x = self.programs.given(&here.state, inputs);
        let none = DMatrix::zeros(x.len(), 0);
        let found = read(self.programs.system.programs().frictions, &x, &none);
        let name = |term: &usize| self.terms.info(*term).name;
        if self.terms.is_empty() {
            return Vec::new();
        }
        self.beginning(here, &found.values).iter().map(name).collect()
    }

    /// Why there is no start that moves.
    fn parts(&self, (line, what): (&Line, &str), change: DVectorView<'_, f64>) -> AnalysisError {
        let (name, by) = (&line.name, self.seed(change));
        let why = format!(
            "at the start, {what} `{name}` does not hold beside the others where `{by}` changes"
        );
        AnalysisError::NotSmooth { why }
    }

    /// The input or parameter along which most changes.
    fn seed(&self, change: DVectorView<'_, f64>) -> &'static str {
        let info = self.programs.info;
        let names = info.inputs.iter().map(|input| input.name);
        let names: Vec<&str> =
            names.chain(info.parameters.iter().map(|known| known.name)).collect();
        let of = change.rows(change.len() - names.len(), names.len());
        names.get(of.icamax()).copied().unwrap_or_default()
    }
}

impl Change {
    /// Solves for the entries at some places what `of` says of directions: none of it is left.
    fn solve(
        &mut self,
        places: &[usize],
        of: impl Fn(&DMatrix<f64>) -> DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        for place in places {
            self.by.row_mut(*place).fill(0.0);
        }
        let unit = |i: usize, j: usize| f64::from(u8::from(i == places[j]));
        let matrix = of(&DMatrix::from_fn(self.by.nrows(), places.len(), unit));
        let left = of(&self.by);
        for (column, left) in left.column_iter().enumerate() {
            let what =
                || AnalysisError::NotFinite { what: "what is solved for at the start".to_owned() };
            let found = least(&matrix, &-left).ok_or_else(what)?;
            for (place, value) in places.iter().zip(found.iter()) {
                self.by[(*place, column)] = *value;
            }
        }
        Ok(())
    }
}

/// M = L Lᵀ.
struct Metric {
    root: DMatrix<f64>,
}

impl Metric {
    /// The least ξ in ‖Lᵀξ‖ with B ξ = −left, column by column.
    fn correction(
        &self,
        rows: &DMatrix<f64>,
        left: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let what = || AnalysisError::NotFinite { what: "what holds at the start".to_owned() };
        let scaled = self.root.solve_lower_triangular(&rows.transpose()).ok_or_else(what)?;
        let scaled = scaled.transpose();
        let mut found = DMatrix::zeros(rows.ncols(), left.ncols());
        for (mut column, left) in found.column_iter_mut().zip(left.column_iter()) {
            let step = least(&scaled, &-left).ok_or_else(what)?;
            column.copy_from(&self.root.tr_solve_lower_triangular(&step).ok_or_else(what)?);
        }
        Ok(found)
    }
}

/// A tape, where there is one, along directions of x.
pub(crate) fn read(tape: Option<&Tape>, x: &[f64], directions: &DMatrix<f64>) -> Read {
    match tape {
        Some(tape) => Read::of(&mut Derivative::new(tape), x, directions),
        None => Read::none(directions.ncols()),
    }
}

/// δ(B v + b) along directions of x, in which v has m places from one on.
pub(crate) fn changes(
    lines: &[Line],
    tapes: &[Read; 3],
    (x, directions): (&[f64], &DMatrix<f64>),
    (v, m): (usize, usize),
) -> DMatrix<f64> {
    let change = |row: usize, j: usize| {
        let (line, Read { values, by }) = (&lines[row], &tapes[lines[row].tape]);
        // The value of w is written; of others the affine part.
        let mut change = by[(line.offset, j)];
        if line.tape != FRICTIONS {
            for i in 0..m {
                change += by[(line.first + i, j)] * x[v + i];
                change += values[line.first + i] * directions[(v + i, j)];
            }
        }
        change
    };
    DMatrix::from_fn(lines.len(), directions.ncols(), change)
}
