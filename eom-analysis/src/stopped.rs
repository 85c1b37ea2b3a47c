//! Slips that an impact or a reset has brought to zero, where that depends on an input or a parameter.
//!
//! ```text
//! w⁺ = 0,  δw⁺ = w_y δy⁺ + w_p δp ≠ 0         as of a wall that stops a body on a belt whose speed p is 0
//! holds behind      it slides for δt* = −δw⁺/ẇ, and holds then          δy⁺ + (f_slides − f_holds) δt*
//! slides behind     on the one side it turns, on the other it does not: there is no derivative
//! ```

use crate::course::Instant;
use crate::error::AnalysisError;
use crate::saltation::Saltation;
use crate::tapes::{clear_rate, directions};
use crate::variation::Variations;
use nalgebra::DMatrix;

/// A slip is zero within this part of the velocities, and does not change within this part of what it changes by.
const NONE: f64 = 1e-8;

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
        let mut stopped: Vec<(usize, DMatrix<f64>, DMatrix<f64>)> = Vec::new();
        for term in (0..held.terms.count()).filter(|term| held.terms.acts(*term, &course.mode)) {
            for component in held.terms.components(term) {
                let place = held.terms.w(component);
                let by = along.friction.by.rows(place, 1).into_owned();
                let (by_state, by_seeds) = (by.columns(1, count), by.columns(1 + count, seeds));
                let change = by_state * &found.more + by_seeds;
                let size = by_state.norm() * found.more.amax() + by_seeds.amax();
                let is_zero = along.friction.values[place].abs() <= NONE * by_state.norm() * speed;
                if is_zero && change.amax() > NONE * size {
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
        let holds = self.slopes(course, state, inputs)?;
        let rate = clear_rate(&row, &slides).filter(|rate| *rate < 0.0).ok_or_else(refused)?;
        found.more += (slides - holds) * change * (-1.0 / rate);
        Ok(())
    }
}
