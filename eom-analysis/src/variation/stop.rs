//! Where what slides in a plane comes to rest: all of its slip at one time, whatever direction it has.
//!
//! ```text
//! w ≈ κ τ u,  τ = t* − t          δw⊥ ∝ τ^(c/κ): what deviates across the slip dies out        δt* = −u·δw/(u·ẇ)
//! ```
//!
//! The variations are carried to just before t*, where they still have a derivative, over the rest of the time by their
//! rates, and to what holds behind it in the metric of the kinetic energy: by the impulse that friction has in that time.

use super::Variations;
use super::course::{Instant, Place};
use super::held::Along;
use crate::error::AnalysisError;
use crate::tapes::friction::Terms;
use crate::tapes::{Read, symmetric};
use eom_core::{EventKind, State};
use nalgebra::DMatrix;

/// The part of an arc that is left out before a stop.
const LEFT: f64 = 1e-5;

/// What still deviates from what holds behind a stop is no more than this part of the variations.
const SETTLED: f64 = 0.05;

impl Variations<'_> {
    /// The first term that comes to rest in a plane at an instant.
    pub(crate) fn stops_in_plane(&self, from: &Place, instant: &Instant) -> Option<usize> {
        let terms = &self.terms;
        let slides = |term: usize| {
            let mode = &from.course.mode;
            terms.components(term).len() > 1 && terms.acts(term, mode) && !mode.sticks(term)
        };
        let jumps = instant.events.iter().any(|event| match event.kind {
            EventKind::Impact { .. } | EventKind::Accumulation { .. } => true,
            EventKind::Declared { event } => self.programs.info.events[event].resets,
            _ => false,
        });
        let stops = instant.events.iter().find_map(|event| match event.kind {
            EventKind::Stick { friction } if slides(friction) => Some(friction),
            _ => None,
        });
        stops.filter(|_| !jumps)
    }

    /// Carries variations to the stop of a term at an instant, and over it. What is made of their rates has an error as the time
    /// that is left; of that and of half of it there is none of the first order.
    pub(crate) fn stop(
        &self,
        from: &Place,
        at: (&Instant, usize),
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        if matrix.ncols() == 0 {
            return Ok(());
        }
        let (end, long) = (at.0.before.t, at.0.before.t - from.state.t);
        let near = self.arc(from, inputs, end - LEFT * long, matrix)?;
        let near = Place::new(near, from.course.clone());
        let mut first = matrix.clone();
        let nearer = self.arc(&near, inputs, end - LEFT / 2.0 * long, matrix)?;
        self.over(&near, at, inputs, &mut first)?;
        self.over(&Place::new(nearer, near.course), at, inputs, matrix)?;
        *matrix = &*matrix * 2.0 - first;
        Ok(())
    }

    /// Carries variations over the rest of the time to a stop.
    fn over(
        &self,
        from: &Place,
        (instant, term): (&Instant, usize),
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), AnalysisError> {
        let (end, state) = (instant.before.t, &from.state);
        let (n, m) = (state.q.len(), state.v.len());
        let mut held = self.held(&from.course)?;
        let x = self.programs.given(state, inputs);
        let motion = held.field(state, inputs)?;
        let count = matrix.ncols();
        let mut directions = self.moved(&x, matrix).insert_column(count, 0.0);
        directions[(0, count)] = 1.0;
        directions.view_mut((1, count), (n + m, 1)).copy_from(&motion);
        let found = held.along(&x, &directions)?;
        let left = end - state.t;
        let late = late(&held.terms, term, &found, left)?;
        let slowing = late[count];
        if slowing >= 0.0 {
            return Err(not(instant, &held.terms, term));
        }
        let Read { values: a, by: a_by } = &found.solved.accelerations;
        let mut of_q = matrix.rows_mut(0, n);
        of_q += found.rates.by.columns(0, count) * left;
        let before = a + a_by.column(count) * left;
        let behind = self.slopes(&instant.course, &instant.after, inputs)?;
        let delay = late.columns(0, count) * (-1.0 / slowing);
        let mut of_v = matrix.rows_mut(n, m);
        of_v += a_by.columns(0, count) * left + (before - behind.rows(n, m)) * delay;
        let settles = self.settle_speeds(instant, inputs, matrix)?;
        settles.then_some(()).ok_or_else(|| not(instant, &held.terms, term))
    }

    /// Directions (0, δq, δv, δu, δp) of variations.
    fn moved(&self, x: &[f64], matrix: &DMatrix<f64>) -> DMatrix<f64> {
        let places = matrix.nrows();
        let mut directions = DMatrix::zeros(x.len(), matrix.ncols());
        directions.rows_mut(1, places).copy_from(matrix);
        let rest = x.len() - 1 - places;
        if self.seeds.shape() == (rest, matrix.ncols()) {
            directions.rows_mut(1 + places, rest).copy_from(&self.seeds);
        }
        directions
    }

    /// Brings δv to what holds behind an instant; whether it was there but for what dies out.
    fn settle_speeds(
        &self,
        instant: &Instant,
        inputs: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<bool, AnalysisError> {
        let State { q, v, .. } = &instant.after;
        let (n, m) = (q.len(), v.len());
        let mut held = self.held(&instant.course)?;
        let x = self.programs.given(&instant.after, inputs);
        let (mass, rows, leaving) = held.leaving(&x, &self.moved(&x, matrix));
        let inverse = symmetric(m, |place| mass[place]).try_inverse();
        let inverse =
            inverse.ok_or(AnalysisError::NotFinite { what: "the mass matrix".to_owned() })?;
        let raised = &inverse * rows.transpose();
        let mobility = &rows * &raised;
        let size = mobility.amax();
        let impulses = mobility.svd(true, true).solve(&leaving, 1e-12 * size);
        let impulses =
            impulses.map_err(|_| AnalysisError::NotFinite { what: "a stop".to_owned() })?;
        let change = raised * impulses;
        let is_small = change.amax() <= SETTLED * matrix.amax();
        let mut of_v = matrix.rows_mut(n, m);
        of_v -= change;
        Ok(is_small)
    }
}

/// u·δw of variations after the time that is left, by their rates; of the motion itself d‖w‖/dt.
fn late(
    terms: &Terms,
    term: usize,
    found: &Along,
    left: f64,
) -> Result<DMatrix<f64>, AnalysisError> {
    let Read { values, by } = &found.friction;
    let speed = terms.speed(term, values.as_slice());
    if speed == 0.0 {
        let why = format!("{} has no direction before it sticks", terms.name(term));
        return Err(AnalysisError::NotSmooth { why });
    }
    let mut late = DMatrix::zeros(1, by.ncols());
    for component in terms.components(term) {
        let place = terms.w(component);
        let u = values[place] / speed;
        late += (by.row(place) + found.slip_rates(terms, component) * left) * u;
    }
    Ok(late)
}

fn not(instant: &Instant, terms: &Terms, term: usize) -> AnalysisError {
    let (t, name) = (instant.before.t, terms.name(term));
    let why = format!(
        "at t = {t}, {name} sticks in a plane, and motions beside this one come to rest elsewhere"
    );
    AnalysisError::NotSmooth { why }
}
