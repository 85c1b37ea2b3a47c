//! The programs of a system as they are asked: values and derivatives along directions of all that they are given.

pub(crate) mod friction;
pub(crate) mod reverse;
pub(crate) mod sides;

use crate::error::AnalysisError;
use eom_core::enclosure::{Derivative, Tape};
use eom_core::info::{FrictionInfo, FrictionKind, RowKind, SystemInfo};
use eom_core::{StartError, State, System};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Below this part of its terms the rate of a gap or guard is a graze.
const GRAZE: f64 = 1e-10;

/// At how many places resets are looked at, the golden section of whose multiples they are made, and what of a slope is
/// rounding.
const PLACES: usize = 3;
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const STEP_ROUNDING: f64 = 1e-9;

/// A system with the tapes that are asked.
#[derive(Clone, Copy)]
pub(crate) struct Tapes<'s> {
    pub(crate) system: &'s dyn System,
    pub(crate) info: &'static SystemInfo,
    pub(crate) accelerations: &'s Tape,
    pub(crate) rates: Option<&'s Tape>,
    pub(crate) rows: Option<&'s Tape>,
    pub(crate) outputs: Option<&'s Tape>,
    /// The contacts that are closed and pressed behind the impact that is looked at.
    pub(crate) pressed: &'s [usize],
}

impl<'s> Tapes<'s> {
    /// Those of a system.
    pub(crate) fn of(system: &'s dyn System) -> Result<Self, AnalysisError> {
        let (info, found) = (system.info(), system.programs());
        let missing = |what| AnalysisError::NoProgram { system: info.name, what };
        system.check_parameters().map_err(StartError::from)?;
        if info.positions() == 0 {
            return Err(StartError::NoCoordinates.into());
        }
        if let Some(row) = info.rows.iter().find(|row| row.kind == RowKind::Chetaev) {
            return Err(AnalysisError::NonlinearRow { system: info.name, row: row.name });
        }
        let accelerations = found.accelerations.ok_or_else(|| missing("accelerations"))?;
        if found.rates.is_none() && !info.is_plain() {
            return Err(missing("kinematics"));
        }
        if found.constraint_rows.is_none() && !info.rows.is_empty() {
            return Err(missing("constraint rows"));
        }
        let (rates, rows, outputs) = (found.rates, found.constraint_rows, found.outputs);
        Ok(Self { system, info, accelerations, rates, rows, outputs, pressed: &[] })
    }

    /// The friction of a constraint: it acts in all modes, and stands in none of the accelerations.
    pub(crate) fn row_friction(&self) -> Option<&'static FrictionInfo> {
        self.info.frictions.iter().find(|term| term.kind == FrictionKind::Row)
    }

    /// The present values of the parameters.
    pub(crate) fn parameters(&self) -> Vec<f64> {
        let mut parameters = vec![0.0; self.info.parameters.len()];
        self.system.parameters(&mut parameters);
        parameters
    }

    /// (t, q, v, u, p).
    pub(crate) fn given(&self, state: &State, inputs: &[f64]) -> Vec<f64> {
        self.given_with(state, inputs, &[])
    }

    /// The same with forces of a mode behind u, which outputs may read.
    pub(crate) fn given_with(&self, state: &State, inputs: &[f64], forces: &[f64]) -> Vec<f64> {
        [&[state.t][..], &state.q, &state.v, inputs, forces, &self.parameters()].concat()
    }

    /// How many forces of a mode outputs are given.
    pub(crate) fn forces_of_outputs(&self) -> usize {
        self.outputs.map_or(0, |tape| tape.inputs.inputs - self.info.inputs.len())
    }

    /// The values of a tape that the system may lack at a state, and their derivatives by (t, q, v).
    pub(crate) fn along(
        &self,
        (tape, what): (Option<&Tape>, &'static str),
        state: &State,
        inputs: &[f64],
    ) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let tape = tape.ok_or(AnalysisError::NoProgram { system: self.info.name, what })?;
        let given = self.given(state, inputs);
        Ok(derivatives(tape, &given, 0..1 + state.q.len() + state.v.len()))
    }

    /// How the values of a tape that the system may lack change with changes of (u, p), the columns of a matrix.
    pub(crate) fn with_seeds(
        &self,
        (tape, what): (Option<&Tape>, &'static str),
        state: &State,
        (inputs, seeds): (&[f64], &DMatrix<f64>),
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let tape = tape.ok_or(AnalysisError::NoProgram { system: self.info.name, what })?;
        let given = self.given(state, inputs);
        let first = given.len() - seeds.nrows();
        let mut directions = DMatrix::zeros(given.len(), seeds.ncols());
        directions.rows_mut(first, seeds.nrows()).copy_from(seeds);
        let mut derivative = Derivative::new(tape);
        let results = derivative.results();
        let mut values = vec![0.0; results];
        let mut columns = vec![0.0; results * seeds.ncols()];
        if seeds.ncols() > 0 {
            derivative.along(&given, directions.as_slice(), &mut values, &mut columns);
        }
        Ok(DMatrix::from_vec(results, seeds.ncols(), columns))
    }

    /// f(y).
    pub(crate) fn slopes(
        &self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        inputs: &[f64],
    ) -> Result<DVector<f64>, AnalysisError> {
        let mut slopes = vec![0.0; q.len() + v.len()];
        let mut multipliers = vec![0.0; self.info.rows.len()];
        let (rates, accelerations) = slopes.split_at_mut(q.len());
        self.system.rates(t, q, v, rates);
        self.system.accelerations(t, q, v, inputs, accelerations, &mut multipliers);
        if slopes.iter().all(|slope| slope.is_finite()) {
            return Ok(DVector::from_vec(slopes));
        }
        Err(AnalysisError::NotFinite { what: format!("a rate at t = {t}") })
    }
}

/// The directions of (t, q, v), so many places, then those of the seeds of (u, p), in an x of a size.
pub(crate) fn directions(size: usize, places: usize, seeds: &DMatrix<f64>) -> DMatrix<f64> {
    let mut directions = DMatrix::zeros(size, places + seeds.ncols());
    directions.view_mut((0, 0), (places, places)).fill_with_identity();
    if seeds.nrows() == size - places {
        directions.view_mut((places, places), seeds.shape()).copy_from(seeds);
    }
    directions
}

/// Values of a tape, and their derivatives along directions of x = (t, q, v, u, p), the columns.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) values: DVector<f64>,
    pub(crate) by: DMatrix<f64>,
}

impl Read {
    /// Those of a tape at x.
    pub(crate) fn of(tape: &mut Derivative<'_>, x: &[f64], directions: &DMatrix<f64>) -> Self {
        let (results, count) = (tape.results(), directions.ncols());
        let (mut values, mut columns) = (vec![0.0; results], vec![0.0; results * count]);
        tape.along(x, directions.as_slice(), &mut values, &mut columns);
        Self { values: DVector::from_vec(values), by: DMatrix::from_vec(results, count, columns) }
    }

    /// No values, along so many directions.
    pub(crate) fn none(count: usize) -> Self {
        Self { values: DVector::zeros(0), by: DMatrix::zeros(0, count) }
    }

    /// Whether these values are zero, and stay so.
    pub(crate) fn is_zero(&self, places: Range<usize>) -> bool {
        places.into_iter().all(|place| {
            self.values[place] == 0.0 && self.by.row(place).iter().all(|rate| *rate == 0.0)
        })
    }

    /// The same by a factor.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self { values: &self.values * factor, by: &self.by * factor }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.values += &other.values;
        self.by += &other.by;
    }

    /// Turns its sign.
    pub(crate) fn turn(&mut self) {
        self.values.neg_mut();
        self.by.neg_mut();
    }
}

/// The values of a tape at x = (t, q, v, u, p), and its derivatives by some of x.
pub(crate) fn derivatives(
    tape: &Tape,
    given: &[f64],
    places: Range<usize>,
) -> (DVector<f64>, DMatrix<f64>) {
    let mut derivative = Derivative::new(tape);
    let (results, count) = (derivative.results(), places.len());
    let unit = |i: usize, j: usize| f64::from(u8::from(i == places.start + j));
    let directions = DMatrix::from_fn(given.len(), count, unit);
    let (mut values, mut columns) = (vec![0.0; results], vec![0.0; results * count]);
    derivative.along(given, directions.as_slice(), &mut values, &mut columns);
    (DVector::from_vec(values), DMatrix::from_vec(results, count, columns))
}

/// σ̇ = ∂σ/∂t + ∂σ/∂y ẏ for a row ∂σ/∂(t, y) and as many of the slopes ẏ; none at a graze, where it is rounding beside its
/// terms.
pub(crate) fn clear_rate(row: &DMatrix<f64>, slopes: &DVector<f64>) -> Option<f64> {
    let count = row.ncols() - 1;
    let terms = row.columns(1, count).transpose().component_mul(&slopes.rows(0, count));
    let (rate, size) = (terms.sum() + row[0], terms.abs().sum() + row[0].abs());
    (rate.abs() > GRAZE * size).then_some(rate)
}

/// The coordinates that tapes depend on, with those that their rates and resets depend on, and all speeds. A coordinate on which
/// nothing else depends may go on, also where a reset moves it by a step; one that a reset makes of itself in another way may not.
pub(crate) fn relevant(
    of: &Tapes<'_>,
    asked: &[Option<&Tape>],
    resets: Option<&Tape>,
) -> Vec<usize> {
    let (info, parameters) = (of.info, of.parameters());
    let mut known = vec![false; info.positions()];
    for on in asked.iter().flatten().flat_map(|tape| tape.dependencies(&parameters)) {
        known.iter_mut().zip(&on[1..]).for_each(|(known, on)| *known |= on);
    }
    for (known, moves) in known.iter_mut().zip(moved(info, resets)) {
        *known |= moves;
    }
    relevant_of(of, known, resets)
}

/// Whether a reset makes something else of a coordinate than q + a step in which it does not stand: ∂q⁺/∂q ≠ 1.
fn moved(info: &SystemInfo, resets: Option<&Tape>) -> Vec<bool> {
    let (n, m) = (info.positions(), info.speeds());
    let mut moved = vec![false; n];
    let Some(resets) = resets else { return moved };
    let mut derivative = Derivative::new(resets);
    let count = derivative.results();
    let (mut values, mut rates) = (vec![0.0; count], vec![0.0; count]);
    let given = resets.inputs.total() + resets.parameters;
    for place in 0..PLACES {
        // Between 1/4 and 5/4, and no number with a meaning.
        let number = |i: usize| 0.25 + ((place * given + i + 1) as f64 * GOLDEN).fract();
        let x: Vec<f64> = (0..given).map(number).collect();
        for (q, moved) in moved.iter_mut().enumerate() {
            let mut direction = vec![0.0; given];
            direction[1 + q] = 1.0;
            derivative.along(&x, &direction, &mut values, &mut rates);
            let mut slopes = rates.iter().skip(q).step_by(n + m);
            *moved |= slopes.any(|slope| slope.is_nan() || (slope - 1.0).abs() > STEP_ROUNDING);
        }
    }
    moved
}

/// The known coordinates with those that their rates and resets depend on, and all speeds.
pub(crate) fn relevant_of(
    of: &Tapes<'_>,
    mut known: Vec<bool>,
    resets: Option<&Tape>,
) -> Vec<usize> {
    let (n, m, parameters) = (of.info.positions(), of.info.speeds(), of.parameters());
    let depend = |tape: Option<&Tape>| tape.map(|tape| tape.dependencies(&parameters));
    let (rates, resets) = (depend(of.rates), depend(resets));
    let (rates, resets) = (rates.unwrap_or_default(), resets.unwrap_or_default());
    loop {
        let of_rates = |j: usize, known: &[bool]| {
            rates.iter().enumerate().any(|(i, on)| known[i] && on[1 + j])
        };
        // Blocks of (q, v), one an event.
        let of_resets = |j: usize, known: &[bool]| {
            let is_known = |i: usize| known.get(i % (n + m)).copied().unwrap_or(true);
            resets.iter().enumerate().any(|(i, on)| is_known(i) && on[1 + j])
        };
        let is_new = |j: &usize| !known[*j] && (of_rates(*j, &known) || of_resets(*j, &known));
        let more: Vec<usize> = (0..n).filter(is_new).collect();
        if more.is_empty() {
            break;
        }
        for j in more {
            known[j] = true;
        }
    }
    (0..n).filter(|i| known[*i]).chain(n..n + m).collect()
}

/// The place of an entry of a symmetric matrix in its lower triangle, whose rows stand one after another.
pub(crate) fn packed(i: usize, j: usize) -> usize {
    let (row, column) = (i.max(j), i.min(j));
    row * (row + 1) / 2 + column
}

/// A symmetric matrix by the entries of its lower triangle.
pub(crate) fn symmetric(m: usize, entry: impl Fn(usize) -> f64) -> DMatrix<f64> {
    DMatrix::from_fn(m, m, |i, j| entry(packed(i, j)))
}
