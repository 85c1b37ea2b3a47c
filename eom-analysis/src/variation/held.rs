//! Motion along a course, with its variations: what closed contacts and friction make of it.
//!
//! Its forces, rows and their drift are read along any directions, and solved for the accelerations (`balance`).

use super::course::Course;
use crate::error::AnalysisError;
use crate::mode::balance::{Parts, Solved, borne};
use crate::mode::drift::Drift;
use crate::mode::lines::{CONSTRAINTS, CONTACTS, DEPENDENT, FRICTIONS, Line, RowOf};
use crate::tapes::friction::Terms;
use crate::tapes::{Read, Tapes};
use eom_core::State;
use eom_core::enclosure::{Derivative, Tape};
use eom_core::span::kernel;
use nalgebra::{DMatrix, DVector, Dyn};

/// A course with the programs of what is in force on it.
pub(crate) struct Held<'s> {
    of: Tapes<'s>,
    pub(crate) terms: Terms,
    pub(crate) course: Course,
    pub(crate) lines: Vec<Line>,
    /// The terms of friction that slide.
    pub(crate) sliding: Vec<usize>,
    /// Whether they have the strength with which they rest.
    pub(crate) rests: bool,
    mass: Derivative<'s>,
    forces: Derivative<'s>,
    contact_forces: Option<Derivative<'s>>,
    borne_forces: Option<Derivative<'s>>,
    rates: Option<Derivative<'s>>,
    /// Of constraints, contacts, friction.
    rows: [Option<Derivative<'s>>; 3],
    drift: Drift<'s>,
}

/// A motion at a point with its variations.
#[derive(Debug, Clone)]
pub(crate) struct Along {
    /// q̇.
    pub(crate) rates: Read,
    pub(crate) solved: Solved,
    /// c, w and the others as the tape of friction has them.
    pub(crate) friction: Read,
    /// B.
    pub(crate) rows: DMatrix<f64>,
}

impl Along {
    /// ẏ.
    pub(crate) fn field(&self) -> DVector<f64> {
        let (rates, a) = (&self.rates.values, &self.solved.accelerations.values);
        DVector::from_iterator(rates.len() + a.len(), rates.iter().chain(a.iter()).copied())
    }
}

impl Along {
    /// How dw/dt = J a + γ of a component changes along the directions.
    pub(crate) fn slip_rates(&self, terms: &Terms, component: usize) -> DMatrix<f64> {
        let Read { values, by } = &self.friction;
        let Read { values: a, by: a_by } = &self.solved.accelerations;
        let first = terms.row(component);
        let row = values.rows(first, a.len()).transpose();
        let rates =
            a.transpose() * by.rows(first, a.len()) + row * a_by + by.row(terms.drift(first));
        rates.rows(0, 1).into_owned().reshape_generic(Dyn(1), Dyn(by.ncols()))
    }

    /// Whether the multiplier of a row is determined: no dependence between rows has part in it.
    pub(crate) fn determines(&self, row: usize) -> bool {
        !self.solved.redundant || kernel(&self.rows.transpose()).row(row).amax() <= DEPENDENT
    }
}

impl<'s> Held<'s> {
    /// That of a course.
    pub(crate) fn new(
        of: &Tapes<'s>,
        terms: &Terms,
        course: &Course,
    ) -> Result<Self, AnalysisError> {
        let (info, programs) = (of.info, of.system.programs());
        let needed = |tape: Option<&'s Tape>, what| {
            let missing = AnalysisError::NoProgram { system: info.name, what };
            tape.map(Derivative::new).ok_or(missing)
        };
        let some = |tape, asked: bool, what| asked.then(|| needed(tape, what)).transpose();
        let lines = Line::all(info, &course.mode, terms);
        let reads = |kind: usize| lines.iter().any(|line| line.tape == kind);
        let touches = !course.mode.closed().is_empty();
        let acts_open = info.rows.iter().any(|row| row.bears) || info.friction_bears();
        Ok(Self {
            sliding: terms.acting(&course.mode).collect(),
            rests: false,
            mass: needed(programs.mass_matrix, "mass matrix")?,
            forces: needed(programs.forces, "forces")?,
            contact_forces: programs.contact_forces.filter(|_| touches).map(Derivative::new),
            borne_forces: programs
                .borne_forces
                .filter(|_| touches || acts_open)
                .map(Derivative::new),
            rates: of.rates.map(Derivative::new),
            rows: [
                some(of.rows, reads(CONSTRAINTS), "constraint rows")?,
                some(programs.contact_rows, reads(CONTACTS), "contacts")?,
                some(programs.frictions, !terms.is_empty(), "friction")?,
            ],
            drift: Drift::new(of, &lines),
            of: *of,
            terms: terms.clone(),
            course: course.clone(),
            lines,
        })
    }

    /// ẏ at a state.
    pub(crate) fn field(
        &mut self,
        state: &State,
        inputs: &[f64],
    ) -> Result<DVector<f64>, AnalysisError> {
        let x = self.of.given(state, inputs);
        let field = self.along(&x, &DMatrix::zeros(x.len(), 0))?.field();
        if field.iter().all(|rate| rate.is_finite()) {
            return Ok(field);
        }
        Err(AnalysisError::NotFinite { what: format!("a rate at t = {}", state.t) })
    }

    /// The motion at x = (t, q, v, u, p), and how it changes along directions of x, the columns.
    pub(crate) fn along(
        &mut self,
        x: &[f64],
        directions: &DMatrix<f64>,
    ) -> Result<Along, AnalysisError> {
        let (n, m) = (self.of.info.positions(), self.of.info.speeds());
        let v = &x[1 + n..1 + n + m];
        let rates = match &mut self.rates {
            Some(tape) => Read::of(tape, x, directions),
            None => Read {
                values: DVector::from_column_slice(v),
                by: directions.rows(1 + n, m).into_owned(),
            },
        };
        let tapes = self.tapes(x, directions);
        let mass = Read::of(&mut self.mass, x, directions);
        let force = self.force(x, directions);
        let rows = self.coefficients(&tapes);
        let given = (&self.lines[..], &self.terms, &rates, &tapes[FRICTIONS]);
        let drift = self.drift.along((x, directions), given);
        let all = self.borne_forces.as_mut().map(|tape| Read::of(tape, x, directions));
        let pushes = borne(&self.lines, all.as_ref(), (self.of.info, &self.terms));
        let mut parts = Parts {
            lines: &self.lines,
            tapes: &tapes,
            mass: &mass,
            force,
            drift,
            rows: &rows,
            pushes,
            lengths: Vec::new(),
        };
        parts.add_friction(
            (&self.terms, &tapes[FRICTIONS], all.as_ref()),
            &self.sliding,
            (&self.course.signs, self.rests),
        )?;
        let solved = parts.solve(true)?;
        let [_, _, friction] = tapes;
        Ok(Along { rates, solved, friction, rows })
    }

    /// M, its lower triangle, B, and how B v + b changes along directions.
    pub(crate) fn leaving(
        &mut self,
        x: &[f64],
        directions: &DMatrix<f64>,
    ) -> (DVector<f64>, DMatrix<f64>, DMatrix<f64>) {
        let (n, m, count) = (self.of.info.positions(), self.of.info.speeds(), directions.ncols());
        let tapes = self.tapes(x, directions);
        let v = DVector::from_column_slice(&x[1 + n..1 + n + m]);
        let rows = self.coefficients(&tapes);
        let leaving = DMatrix::from_fn(self.lines.len(), count, |row, j| {
            let line = &self.lines[row];
            let change = tapes[line.tape].by.column(j);
            // The value of w is written; of others the affine part.
            if line.tape == FRICTIONS {
                return change[line.offset];
            }
            let of_speeds = directions.column(j);
            let moved = rows.row(row).transpose().dot(&of_speeds.rows(1 + n, m));
            change.rows(line.first, m).dot(&v) + moved + change[line.offset]
        });
        (Read::of(&mut self.mass, x, directions).values, rows, leaving)
    }

    /// The tapes of constraints, contacts and friction.
    fn tapes(&mut self, x: &[f64], directions: &DMatrix<f64>) -> [Read; 3] {
        let none = || Read::none(directions.ncols());
        let read = |tape: &mut Derivative<'s>| Read::of(tape, x, directions);
        self.rows.each_mut().map(|tape| tape.as_mut().map_or_else(none, read))
    }

    /// B.
    fn coefficients(&self, tapes: &[Read; 3]) -> DMatrix<f64> {
        DMatrix::from_fn(self.lines.len(), self.of.info.speeds(), |row, j| {
            let line = &self.lines[row];
            tapes[line.tape].values[line.first + j]
        })
    }

    /// F − h, with the closed contacts' own dissipation.
    fn force(&mut self, x: &[f64], directions: &DMatrix<f64>) -> Read {
        let m = self.of.info.speeds();
        let forces = Read::of(&mut self.forces, x, directions);
        let mut force = Read {
            values: forces.values.rows(0, m) - forces.values.rows(m, m),
            by: forces.by.rows(0, m) - forces.by.rows(m, m),
        };
        if let Some(tape) = &mut self.contact_forces {
            let own = Read::of(tape, x, directions);
            for contact in self.course.mode.closed() {
                force.values += own.values.rows(contact * m, m);
                force.by += own.by.rows(contact * m, m);
            }
        }
        force
    }

    /// What the tape of friction writes.
    pub(crate) fn frictions(&mut self, x: &[f64]) -> DVector<f64> {
        let none = DMatrix::zeros(x.len(), 0);
        self.rows[FRICTIONS]
            .as_mut()
            .map_or_else(|| DVector::zeros(0), |tape| Read::of(tape, x, &none).values)
    }

    /// The rows of a kind, by their places among the rows in force.
    pub(crate) fn rows(&self, of: RowOf) -> Vec<usize> {
        (0..self.lines.len()).filter(|row| self.lines[*row].of == of).collect()
    }

    /// The first row of a kind, by its place among the rows in force.
    pub(crate) fn row(&self, of: RowOf) -> Option<usize> {
        self.lines.iter().position(|line| line.of == of)
    }
}
