//! What is known ahead of a step, where it is made by series: the motion, gaps and guards along it.

use super::failure::StepFailure;
use super::methods::series::BySeries;
use super::methods::stepper::Stepper;
use super::motion::Flow;
#[cfg(feature = "batch")]
use crate::series::SeriesInLanes;
use crate::series::{Observed, Powers};
use crate::state::State;

impl Flow<'_> {
    /// Whether the guards along the next step are known as polynomials before it is made.
    pub(crate) fn knows_guards(&self) -> bool {
        self.method.series().is_some()
    }

    /// Whether the next step asks for a series that is not known.
    #[cfg(feature = "batch")]
    pub(crate) fn needs_series(&self) -> bool {
        self.method.series().is_some_and(|series| !series.present)
    }

    /// Makes the series at the base point.
    #[cfg(feature = "batch")]
    pub(crate) fn make_series(&mut self) {
        let Self { method, field, base, .. } = self;
        if let Some(series) = method.series_mut() {
            series.make(field, base);
        }
    }

    /// Takes the series at the base point from the lane in which it was made.
    #[cfg(feature = "batch")]
    pub(crate) fn take_series(&mut self, made: &SeriesInLanes, lane: usize) {
        if let Some(to) = self.method.series_mut() {
            made.write(lane, &mut to.series);
            to.present = true;
        }
    }

    /// What is known ahead is not that of the motion any more.
    pub(crate) fn forget(&mut self) {
        self.method.forget();
    }

    /// Expands at the base point, once, where the next step is by series: whether it is may be told by that.
    pub(crate) fn expand(&mut self) -> Result<(), StepFailure> {
        let Self { method, field, base, .. } = self;
        method.expand(field, base)
    }

    /// Writes y + δ/2 (ẏ + f(t + δ, y + δ ẏ)), by Heun; its slope is none of the run's.
    pub(crate) fn by_two_slopes(&mut self, δ: f64, y: &mut [f64]) {
        let Self { field, base, method, .. } = self;
        let (slope, mut last, counted) = (method.slope(), vec![0.0; y.len()], field.evaluations);
        for (j, y) in y.iter_mut().enumerate() {
            *y = base.y[j] + δ * slope[j];
        }
        field.slope(base.t.high + δ, y, &mut last);
        field.evaluations = counted;
        for (j, y) in y.iter_mut().enumerate() {
            *y = base.y[j] + 0.5 * δ * (slope[j] + last[j]);
        }
    }

    /// The size of the next step, halved until it sees what acts.
    pub(super) fn shorten_to_forces(&mut self, h: f64) -> Result<f64, StepFailure> {
        let shortest = self.shortest_step();
        let Self { method, watch: Some(watch), base, pace, field, .. } = self else {
            return Ok(h);
        };
        let Some(series) = method.series_mut() else { return Ok(h) };
        watch.set_closed(&[]);
        // A step that cannot be told from none sees what there is.
        if series.h <= shortest {
            return Ok(series.h);
        }
        let longest = series.h;
        let mut unseen = None;
        while series.h > shortest {
            let step = (base.t.high, series.h);
            let state = |s: f64, y: &mut [f64]| series.at(s * step.1, y);
            let Err(failure) = watch.sees_curve(step, (&base.y, &series.slopes[0]), state) else {
                if series.h < longest {
                    series.shorten_to_slopes(field, base);
                    pace.size = series.h;
                }
                return Ok(series.h);
            };
            unseen = Some(failure);
            series.h *= 0.5;
            pace.rejected += 1;
            pace.size = series.h;
        }
        Err(unseen.unwrap_or(StepFailure::Underflow { step: shortest }))
    }

    /// The step is one of at most h.
    pub(crate) fn shorten(&mut self, h: f64) {
        if let Some(series) = self.method.series_mut() {
            series.h = h;
        }
    }

    /// Adds to the velocities of the base point, on whose constraints the result is.
    pub(crate) fn apply_impulse(&mut self, change: impl Iterator<Item = f64>) {
        self.begin_arc();
        self.method.forget();
        let first = self.base.positions;
        for (i, change) in change.enumerate() {
            self.base.add(first + i, change);
        }
    }

    /// Takes that back.
    pub(crate) fn undo_impulse(&mut self, before: &State) {
        self.method.forget();
        let (_, v) = self.base.y.split_at_mut(before.q.len());
        v.copy_from_slice(&before.v);
        self.base.low[before.q.len()..].fill(0.0);
    }

    /// Writes the observed value of an index on a step with these powers.
    pub(crate) fn observe(&self, index: usize, powers: &Powers, leaves: bool, to: &mut Observed) {
        if let Some(BySeries { series, .. }) = self.method.series() {
            series.observe(index, powers, leaves, to);
        }
    }

    /// ġ and g̈/2 of an observed value, by the series at the base point.
    pub(crate) fn observed_rates(&self, index: usize) -> [f64; 2] {
        self.method.series().map_or([0.0; 2], |method| method.series.rates(index))
    }
}
