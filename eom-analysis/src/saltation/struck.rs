//! What of a system takes part in an impact: M, the rows of constraints and contacts, friction, read at a velocity, with their
//! derivatives along directions.

use crate::error::AnalysisError;
use crate::mode::lines::Line;
use crate::tapes::friction::Terms;
use crate::tapes::{Read, Tapes, directions, symmetric};
use eom_core::State;
use eom_core::enclosure::{Derivative, Tape};
use nalgebra::{DMatrix, DVector};

/// Reads tapes of a system at x = (t, q, v, u, p), along (t, q, v) and the seeds.
pub(crate) struct Reader {
    system: &'static str,
    x: Vec<f64>,
    directions: DMatrix<f64>,
}

impl Reader {
    pub(crate) fn at(
        of: &Tapes<'_>,
        state: &State,
        (inputs, seeds): (&[f64], &DMatrix<f64>),
    ) -> Self {
        let x = of.given(state, inputs);
        let places = 1 + state.q.len() + state.v.len();
        let directions = directions(x.len(), places, seeds);
        Self { system: of.info.name, x, directions }
    }

    /// A tape that the system may lack; nothing where it is not asked.
    pub(crate) fn read(
        &self,
        tape: Option<&Tape>,
        asked: bool,
        what: &'static str,
    ) -> Result<Read, AnalysisError> {
        match tape {
            _ if !asked => Ok(Read::none(self.directions.ncols())),
            None => Err(AnalysisError::NoProgram { system: self.system, what }),
            Some(tape) => Ok(Read::of(&mut Derivative::new(tape), &self.x, &self.directions)),
        }
    }
}

/// What takes part.
pub(crate) struct Struck {
    /// Of constraints, contacts, friction.
    pub(crate) tapes: [Read; 3],
    /// M, its lower triangle.
    mass: Read,
    m: usize,
}

impl Struck {
    pub(crate) fn read(
        of: &Tapes<'_>,
        terms: &Terms,
        reader: &Reader,
    ) -> Result<Self, AnalysisError> {
        let (info, programs) = (of.info, of.system.programs());
        let tapes = [
            reader.read(of.rows, !info.rows.is_empty(), "constraint rows")?,
            reader.read(programs.contact_rows, true, "contacts")?,
            reader.read(programs.frictions, !terms.is_empty(), "friction")?,
        ];
        let mass = reader.read(programs.mass_matrix, true, "mass matrix")?;
        Ok(Self { tapes, mass, m: info.speeds() })
    }

    /// How many directions there are.
    pub(crate) fn directions(&self) -> usize {
        self.mass.by.ncols()
    }

    /// M.
    pub(crate) fn mass(&self) -> DMatrix<f64> {
        symmetric(self.m, |place| self.mass.values[place])
    }

    /// δM along a direction.
    pub(crate) fn mass_by(&self, j: usize) -> DMatrix<f64> {
        symmetric(self.m, |place| self.mass.by[(place, j)])
    }

    /// ‖v‖ in the metric of the kinetic energy. In any units no rate r v is larger than this times the reach of r.
    pub(crate) fn size(&self, v: &DVector<f64>) -> f64 {
        v.dot(&(self.mass() * v)).max(0.0).sqrt()
    }

    /// ‖r‖ in the metric of M⁻¹.
    pub(crate) fn reach(&self, row: &DVector<f64>) -> f64 {
        let moved = self.mass().lu().solve(row);
        moved.map_or(row.norm(), |moved| row.dot(&moved).max(0.0).sqrt())
    }

    /// B of these lines.
    pub(crate) fn rows(&self, lines: &[Line]) -> DMatrix<f64> {
        let entry = |line: &Line, j: usize| self.tapes[line.tape].values[line.first + j];
        DMatrix::from_fn(lines.len(), self.m, |row, j| entry(&lines[row], j))
    }
}
