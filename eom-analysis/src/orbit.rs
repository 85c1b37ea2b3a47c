//! Periodic orbits: fixed points of a return map, found by Newton's method, with their multipliers.
//!
//! ```text
//! P: the state when the section is met again ↦ DP          E (P(y) − y) = 0,  σ(y) = 0,  φ = 0,  A v + b = 0
//! multipliers: the eigenvalues of DP along the section and the constraints
//! ```
//!
//! E takes the entries that have to return: those on which the motion depends, so that what rolls on may do so.

use crate::eigen::eigenvalues;
use crate::error::AnalysisError;
use crate::names::{Entry, entries};
use crate::space::StateSpace;
use crate::span::{basis, kernel, least};
use crate::variation::Variations;
use eom_core::{Event, EventKind, Options, State};
use nalgebra::{Complex, DMatrix, DVector};

/// Steps of Newton's method, and the relative step that ends it.
const STEPS_MAX: usize = 40;
const CONVERGED: f64 = 1e-12;

/// Relative distance at which an orbit counts as closed.
const CLOSED: f64 = 1e-9;

/// What a return map is taken on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Section {
    /// Just after so many impacts of a contact.
    Impacts {
        /// Index of the contact.
        contact: usize,
        /// How many.
        count: usize,
    },
    /// After so many declared events.
    Events {
        /// Index of the event.
        event: usize,
        /// How many.
        count: usize,
    },
    /// After this time: for systems that are driven with that period.
    Period(f64),
}

/// A return to a section.
#[derive(Debug, Clone, PartialEq)]
pub struct Return {
    /// The state there.
    pub state: State,
    /// How it changes with the start, (nq + m)².
    pub matrix: DMatrix<f64>,
    /// The events on the way, that of the section included.
    pub events: Vec<Event>,
}

/// A periodic orbit.
#[derive(Debug, Clone, PartialEq)]
pub struct Orbit {
    /// Its state on the section.
    pub state: State,
    /// How long it takes.
    pub period: f64,
    /// The multipliers, the largest first.
    pub multipliers: Vec<Complex<f64>>,
    /// The entries that return.
    pub entries: Vec<Entry>,
    /// The largest distance between the start and the return.
    pub residual: f64,
    /// The steps of Newton's method.
    pub steps: usize,
}

impl Orbit {
    /// Whether small deviations die out: all multipliers are within the unit circle.
    pub fn is_stable(&self) -> bool {
        self.multipliers.iter().all(|multiplier| multiplier.norm_sqr() < 1.0)
    }
}

impl Variations<'_> {
    /// The first return from a start to a section. The options say when to give up: `until_time`, `steps_max`.
    ///
    /// # Errors
    /// A run that ends before, and what has no derivative.
    pub fn first_return(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        section: Section,
    ) -> Result<Return, AnalysisError> {
        if let Section::Period(period) = section {
            let found = self.transition(start, inputs, options, start.t + period)?;
            return Ok(Return { state: found.state, matrix: found.matrix, events: found.events });
        }
        let mut run = self.run(start, inputs, options)?;
        let mut events: Vec<Event> = Vec::new();
        let (_, count) = section.counted();
        let mut met = 0;
        while met < count.max(1) {
            let first = run.event_count();
            let ended = run.step().is_break();
            for event in run.events_since(first) {
                events.push(event.clone());
                met += usize::from(section.is_met(event));
                if met == count.max(1) {
                    break;
                }
            }
            if ended && met < count.max(1) {
                let end = run.end().map_or_else(String::new, ToString::to_string);
                return Err(AnalysisError::Ended { end });
            }
        }
        let size = start.q.len() + start.v.len();
        let mut matrix = DMatrix::identity(size, size);
        let Some((last, before)) = events.split_last() else {
            return Err(AnalysisError::Ended { end: "no event".to_owned() });
        };
        let from = self.through(before, start.clone(), inputs, &mut matrix)?;
        self.arc(&from, inputs, last.t, &mut matrix)?;
        matrix = self.at_event(last, inputs)? * matrix;
        let [_, (q, v)] = last.sides();
        Ok(Return { state: State::new(last.t, q, v), matrix, events })
    }

    /// The periodic orbit near a guess, a state on the section just after its event.
    ///
    /// # Errors
    /// Those of [`Variations::first_return`], and where Newton's method does not converge.
    pub fn orbit(
        &self,
        guess: &State,
        inputs: &[f64],
        options: &Options,
        section: Section,
    ) -> Result<Orbit, AnalysisError> {
        let all = entries(self.info);
        let mut state = guess.clone();
        for steps in 0..STEPS_MAX {
            let found = self.first_return(&state, inputs, options, section)?;
            let (residual, matrix) = self.closure(&state, inputs, &found, section)?;
            let closed = residual.rows(0, self.relevant.len()).amax();
            let step = least(&matrix, &-&residual);
            let step = step.ok_or_else(|| AnalysisError::NotFinite {
                what: "a step of Newton's method".to_owned(),
            })?;
            let scale = state.q.iter().chain(&state.v).fold(0.0_f64, |size, x| size.max(x.abs()));
            let last = step.amax() <= CONVERGED * scale;
            if last && closed <= CLOSED * scale {
                let multipliers = self.multipliers(&state, inputs, &found, section)?;
                return Ok(Orbit {
                    period: found.state.t - state.t,
                    multipliers,
                    entries: self.relevant.iter().map(|place| all[*place].clone()).collect(),
                    residual: closed,
                    steps,
                    state,
                });
            }
            let n = state.q.len();
            state.q.iter_mut().enumerate().for_each(|(i, q)| *q += step[i]);
            state.v.iter_mut().enumerate().for_each(|(i, v)| *v += step[n + i]);
        }
        let found = self.first_return(&state, inputs, options, section)?;
        let y = |state: &State| [&state.q[..], &state.v].concat();
        let (from, to) = (y(&state), y(&found.state));
        let off = self.relevant.iter().map(|i| (&all[*i].name, to[*i] - from[*i]));
        let residuals =
            off.map(|(name, off)| format!("{name}: {off:.3e}")).collect::<Vec<_>>().join(", ");
        Err(AnalysisError::NotFound { steps: STEPS_MAX, residuals })
    }

    /// The residual of an orbit with its conditions, and its derivative by (q, v).
    fn closure(
        &self,
        state: &State,
        inputs: &[f64],
        found: &Return,
        section: Section,
    ) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let size = state.q.len() + state.v.len();
        let y =
            |state: &State| DVector::from_iterator(size, state.q.iter().chain(&state.v).copied());
        let difference = (y(&found.state) - y(state)).select_rows(&self.relevant);
        let turn = (&found.matrix - DMatrix::identity(size, size)).select_rows(&self.relevant);
        let (values, conditions) = self.conditions(state, inputs, section)?;
        let count = difference.len();
        let mut residual = DVector::zeros(count + values.len());
        residual.rows_mut(0, count).copy_from(&difference);
        residual.rows_mut(count, values.len()).copy_from(&values);
        let mut matrix = DMatrix::zeros(residual.len(), size);
        matrix.rows_mut(0, count).copy_from(&turn);
        matrix.rows_mut(count, values.len()).copy_from(&conditions);
        Ok((residual, matrix))
    }

    /// All states.
    fn space(&self) -> StateSpace<'_> {
        let relevant = (0..self.info.positions() + self.info.speeds()).collect();
        let Self { system, info, programs, .. } = self;
        StateSpace { system: *system, info, entries: entries(info), relevant, programs: *programs }
    }

    /// The section, φ and A v + b at a state, and their derivatives by (q, v). Of quaternions the length is free.
    fn conditions(
        &self,
        state: &State,
        inputs: &[f64],
        section: Section,
    ) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError> {
        let (n, m) = (state.q.len(), state.v.len());
        let space = self.space();
        let local = space.local(state, inputs)?;
        let mut rows: Vec<DMatrix<f64>> = Vec::new();
        let mut values: Vec<f64> = Vec::new();
        if let Some((value, row)) = self.section(state, inputs, section)? {
            values.push(value);
            rows.push(row);
        }
        values.extend(local.holonomic.iter().chain(local.residual.iter()));
        // ∂φ/∂q S = A: of q the shortest δq that S gives.
        let h = local.holonomic.len();
        let inverse = local.frame.clone().pseudo_inverse(1e-12);
        let inverse = inverse.map_err(|what| AnalysisError::NotFinite { what: what.to_owned() })?;
        let mut whole = DMatrix::zeros(values.len(), n + m);
        let first = rows.len();
        rows.iter().enumerate().for_each(|(i, row)| whole.row_mut(i).copy_from(&row.row(0)));
        let k = local.rows.nrows();
        whole.view_mut((first, 0), (h, n)).copy_from(&(local.rows.rows(k - h, h) * inverse));
        whole.view_mut((first + h, 0), (k, n)).copy_from(&local.residual_by_position);
        whole.view_mut((first + h, n), (k, m)).copy_from(&local.rows);
        Ok((DVector::from_vec(values), whole))
    }

    /// The eigenvalues of the return map along the section and the constraints.
    fn multipliers(
        &self,
        state: &State,
        inputs: &[f64],
        found: &Return,
        section: Section,
    ) -> Result<Vec<Complex<f64>>, AnalysisError> {
        let (_, conditions) = self.conditions(state, inputs, section)?;
        let directions = kernel(&conditions).select_rows(&self.relevant);
        let directions = basis(&directions);
        let turn = found.matrix.select_rows(&self.relevant).select_columns(&self.relevant);
        let mut values = eigenvalues(&(directions.transpose() * turn * &directions))?;
        values.sort_by(|a, b| b.norm_sqr().total_cmp(&a.norm_sqr()));
        Ok(values)
    }
}

impl Section {
    fn counted(self) -> (usize, usize) {
        match self {
            Self::Impacts { contact, count } => (contact, count),
            Self::Events { event, count } => (event, count),
            Self::Period(_) => (0, 0),
        }
    }

    fn is_met(self, event: &Event) -> bool {
        match (self, &event.kind) {
            (Self::Impacts { contact, .. }, EventKind::Impact { contact: struck, .. }) => {
                contact == *struck
            }
            (Self::Events { event, .. }, EventKind::Declared { event: met }) => event == *met,
            _ => false,
        }
    }
}
