//! Slips that an impact or a reset has brought to zero, where that depends on an input or a parameter.
//!
//! ```text
//! w⁺ = 0,  δw⁺ = w_y (δy⁺ + f⁺ δt*) + w_t δt* + w_p δp ≠ 0       as of a wall that stops a body on a belt whose speed p is 0
//! holds behind      it slides for δt* = −δw⁺/ẇ, and holds then          δy⁺ + (f_slides − f_holds) δt*
//! slides behind     on the one side it turns, on the other it does not: there is no derivative
//! ```

use super::Saltation;
use crate::error::AnalysisError;
use crate::tapes::{clear_rate, directions};
use crate::variation::Variations;
use crate::variation::course::Instant;
use nalgebra::{DMatrix, DVectorView};

/// A slip is zero within this part of the velocities, and does not change within this part of what it changes by, or where its
/// change by a parameter p, times p, is rounding of the velocities.
const NONE: f64 = 1e-8;
const ROUNDING: f64 = 1e-12;

impl Variations<'_> {
    /// What becomes of the changes of inputs and parameters in such a slip.
    pub(crate) fn hold_stopped(
        &self,
        instant: &Instant,
        found: &mut Saltation,
        inputs: &[f64],
    ) -> Result<(), AnalysisError> {
        let (state, course) = (&instant.after, &instant.course);
        let seeds = self.seeds.ncols();
        if seeds == 0 || self.is_plain(course) {
            return Ok(());
        }
        let (x, count) = (self.programs.given(state, inputs), state.q.len() + state.v.len());
        let mut held = self.held(course)?;
        let along = held.along(&x, &directions(x.len(), 1 + count, &self.seeds))?;
        let speed = state.v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let behind = self.slopes(course, state, inputs)?;
        let at_event = &found.more + &behind * &found.later;
        let by_own_size = self.by_own_size(&x[1 + count..]);
        let mut stopped: Vec<(usize, DMatrix<f64>, DMatrix<f64>)> = Vec::new();
        for term in (0..held.terms.count()).filter(|term| held.terms.acts(*term, &course.mode)) {
            for component in held.terms.components(term) {
                let place = held.terms.w(component);
                let by = along.friction.by.rows(place, 1).into_owned();
                let (by_state, by_seeds) = (by.columns(1, count), by.columns(1 + count, seeds));
                let change = by_state * &at_event + by_seeds + by.columns(0, 1) * &found.later;
                let size = by_state.norm() * at_event.amax() + by_seeds.amax();
                let moves = by_state.norm() * speed;
                let is_zero = along.friction.values[place].abs() <= NONE * moves;
                let is_told = change
                    .iter()
                    .zip(&by_own_size)
                    .any(|(change, own)| change.abs() > (NONE * size).max(ROUNDING * moves * own));
                if is_zero && is_told {
                    stopped.push((term, by.columns(0, 1 + count).into_owned(), change));
                }
            }
        }
        let Some((term, row, change)) = stopped.pop() else { return Ok(()) };
        let refused = || {
            let (t, name) = (state.t, held.terms.name(term));
            let why = format!(
                "at t = {t}, {name} has no slip after a jump, and that changes with a parameter or an input"
            );
            AnalysisError::NotSmooth { why }
        };
        if !stopped.is_empty() || !course.mode.sticks(term) || held.terms.components(term).len() > 1
        {
            return Err(refused());
        }
        let slides = self.slopes(&course.sliding(term), state, inputs)?;
        let rate = clear_rate(&row, &slides).filter(|rate| *rate < 0.0).ok_or_else(refused)?;
        found.more += (slides - behind) * change * (-1.0 / rate);
        Ok(())
    }

    /// How large each seed is beside the inputs and parameters that it moves, where they are not zero.
    fn by_own_size(&self, given: &[f64]) -> Vec<f64> {
        let beside = |(seed, own): (&f64, &f64)| if *own == 0.0 { 0.0 } else { (seed / own).abs() };
        let of_column =
            |seeds: DVectorView<'_, f64>| seeds.iter().zip(given).map(beside).fold(0.0, f64::max);
        self.seeds.column_iter().map(of_column).collect()
    }
}
