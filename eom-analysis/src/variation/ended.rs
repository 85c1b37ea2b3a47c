//! Motions that end by an event: how the time of it and the state there change.
//!
//! ```text
//! δt* = −(∂σ/∂y δy⁻ + ∂σ/∂p δp)/σ̇        σ the gap or guard of the event, y⁻ just before it
//! δy* = δy⁺ + f⁺ δt*                      y⁺ just behind it, at fixed times (`variation`)
//! ```

use super::adjoint::{Gradient, check_outcome, each};
use super::course::{Instant, Place};
use super::{Transition, Variations};
use crate::error::AnalysisError;
use crate::tapes::clear_rate;
use eom_core::{End, Event, EventKind, Options, Run, StartError, State};
use nalgebra::{DMatrix, DVector};

/// A motion to what ends it, and how that changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The motion, with the derivatives of the state in which it ends, whenever that is.
    pub transition: Transition,
    /// Those of the time at which it ends, one row; none where it is given.
    pub later: Option<DMatrix<f64>>,
}

impl Ended {
    /// The derivatives of the state; those of the time of the end are the first row where it is not given.
    pub fn derivatives(&self) -> DMatrix<f64> {
        let matrix = &self.transition.matrix;
        let Some(later) = &self.later else { return matrix.clone() };
        let mut all = matrix.clone().insert_row(0, 0.0);
        all.row_mut(0).copy_from(later);
        all
    }
}

impl Variations<'_> {
    /// The motion from a start to its end, by time, impacts or events, as the options have it: ∂y/∂y(t₀) of the state in
    /// which it ends, the one behind its last event, and ∂t/∂y(t₀) of the time of that event.
    ///
    /// # Errors
    /// Those of [`Variations::transition`], a run that does not come to its end, and a last event that is a graze.
    pub fn transition_to_end(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
    ) -> Result<Ended, AnalysisError> {
        let n = start.q.len() + start.v.len();
        self.carried_to_end((start, inputs, options), DMatrix::identity(n, n))
    }

    /// The same by inputs and parameters, by their names, as by [`Variations::sensitivities`].
    ///
    /// # Errors
    /// Those of [`Variations::transition_to_end`], and a name that there is not.
    pub fn sensitivities_to_end(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        by: &[&str],
    ) -> Result<Ended, AnalysisError> {
        let seeds = self.seeds_of(by)?;
        let matrix = DMatrix::zeros(start.q.len() + start.v.len(), by.len());
        self.seeded(seeds).carried_to_end((start, inputs, options), matrix)
    }

    /// The same by each of them, or why there is none: the columns of [`Ended::derivatives`].
    ///
    /// # Errors
    /// Where somebody has had enough of it.
    pub fn sensitivities_to_end_of_each(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        by: &[&str],
    ) -> Result<Vec<Result<DVector<f64>, AnalysisError>>, AnalysisError> {
        each(by, |names| {
            Ok(self.sensitivities_to_end(start, inputs, options, names)?.derivatives())
        })
    }

    /// The gradient of Σ wᵢ yᵢ at the end by the start, the inputs and the parameters, from w: by one sweep backwards where
    /// the end is given as a time alone.
    ///
    /// # Errors
    /// Those of [`Variations::sensitivities_to_end`] for all parameters.
    pub fn gradient_to_end(
        &self,
        start: &State,
        inputs: &[f64],
        options: &Options,
        outcome: &DVector<f64>,
    ) -> Result<Gradient, AnalysisError> {
        if let Some(t) = options.end_in_time() {
            return self.gradient(start, inputs, options, t, outcome);
        }
        check_outcome(start.q.len() + start.v.len(), outcome)?;
        let info = self.programs.info;
        let names = info.inputs.iter().map(|input| input.name);
        let names: Vec<&str> = names.chain(info.parameters.iter().map(|it| it.name)).collect();
        let Transition { state, matrix, events, one_sided } =
            self.transition_to_end(start, inputs, options)?.transition;
        let by = self.sensitivities_to_end(start, inputs, options, &names)?.transition.matrix;
        let (by_start, by, r) = (matrix.tr_mul(outcome), by.tr_mul(outcome), info.inputs.len());
        let (by_inputs, by_parameters) =
            (by.rows(0, r).into_owned(), by.rows(r, by.len() - r).into_owned());
        Ok(Gradient { state, events, one_sided, by_start, by_inputs, by_parameters })
    }

    fn carried_to_end(
        &self,
        (start, inputs, options): (&State, &[f64], &Options),
        matrix: DMatrix<f64>,
    ) -> Result<Ended, AnalysisError> {
        if !options.has_end() {
            return Err(StartError::NoEnd.into());
        }
        let given = |t: f64, matrix: DMatrix<f64>| {
            let transition = self.carried((start, inputs, options), t, matrix)?;
            Ok(Ended { transition, later: None })
        };
        if let Some(t) = options.end_in_time() {
            return given(t, matrix);
        }
        let mut run = self.run(start, inputs, options)?;
        let from = self.place(&run);
        let instants = self.observed(&mut run, f64::INFINITY)?;
        match run.end() {
            Some(End::ReachedTime { t }) => given(*t, matrix),
            Some(end @ (End::ReachedImpacts { .. } | End::ReachedEvents { .. })) => {
                self.through_last((&instants, from), (&run, end, inputs), matrix)
            }
            end => {
                let end = end.map_or_else(String::new, ToString::to_string);
                Err(AnalysisError::Ended { end })
            }
        }
    }

    /// Carries variations from the start through the event that ends the run.
    fn through_last(
        &self,
        (instants, from): (&[Instant], Place),
        (run, end, inputs): (&Run<'_>, &End, &[f64]),
        mut matrix: DMatrix<f64>,
    ) -> Result<Ended, AnalysisError> {
        let one_sided = self.one_sided(&from, inputs);
        self.begin_at(&from, inputs, &mut matrix)?;
        let of = if self.seeds.ncols() == 0 {
            self.clone()
        } else {
            let (seeds, start) = self.moved_start(&from, inputs)?;
            matrix += start;
            self.seeded(seeds)
        };
        let events: Vec<Event> = instants.iter().flat_map(|it| it.events.clone()).collect();
        let event = events.iter().rev().find(|event| self.ends(end, event));
        let (Some((last, earlier)), Some(event)) = (instants.split_last(), event) else {
            return Err(AnalysisError::Ended { end: end.to_string() });
        };
        let since = from.state.t;
        let (at, jump) = of.through_after(None, earlier, (since, from), inputs, &mut matrix)?;
        let mut before = matrix.clone();
        let (_, coming) = of.arc_on_sides(&at, inputs, last.before.t, &mut before)?;
        let slopes = of.slopes_there((&at.course, &last.before), inputs, coming.as_deref())?;
        let later = of.later(event, (&last.before, &slopes), inputs, &before)?;
        let last_alone = std::slice::from_ref(last);
        of.through_after(jump, last_alone, (since, at), inputs, &mut matrix)?;
        let leaving = of.leaving(&last.after, inputs)?;
        let behind = (&last.course, &last.after);
        matrix += of.slopes_there(behind, inputs, leaving.as_deref())? * &later;
        let state = run.state().clone();
        Ok(Ended {
            transition: Transition { state, matrix, events, one_sided },
            later: Some(later),
        })
    }

    /// Whether an event is one of those by which a run has ended.
    fn ends(&self, end: &End, event: &Event) -> bool {
        match (end, &event.kind) {
            (End::ReachedImpacts { .. }, EventKind::Impact { .. })
            | (
                End::ReachedEvents { event: None, .. },
                EventKind::Impact { .. } | EventKind::Declared { .. },
            ) => true,
            (End::ReachedEvents { event: Some(name), .. }, EventKind::Declared { .. }) => {
                self.name_of(event) == *name
            }
            _ => false,
        }
    }

    /// δt* of an event, of the variations just before it.
    fn later(
        &self,
        event: &Event,
        (before, slopes): (&State, &DVector<f64>),
        inputs: &[f64],
        matrix: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let programs = self.programs.system.programs();
        let (index, tape) = match event.kind {
            EventKind::Declared { event } => (event, (programs.guards, "guards")),
            EventKind::Impact { contact, .. } => (contact, (programs.gaps, "gaps")),
            _ => return Err(self.no_cause(event)),
        };
        let (_, by) = self.programs.along(tape, before, inputs)?;
        let row = by.rows(index, 1).into_owned();
        let rate = clear_rate(&row, slopes).ok_or_else(|| {
            let why = format!("at t = {}, the end, `{}` grazes", event.t, self.name_of(event));
            AnalysisError::NotSmooth { why }
        })?;
        let mut change = row.columns(1, slopes.len()) * matrix;
        if self.seeds.ncols() > 0 {
            change += self.programs.with_seeds(tape, before, (inputs, &self.seeds))?.rows(index, 1);
        }
        Ok(change * (-1.0 / rate))
    }
}
