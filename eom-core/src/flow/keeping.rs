//! Π: states brought to the constraints after a step, and the rank of their rows on the way.

use super::failure::StepFailure;
use super::methods::stepper::Stepper;
use super::motion::Flow;
use super::projection::keep;
use crate::constraints::{Failure, Rank};

/// A step by series is brought to the rows where it violates one by more than this part of the relative
/// tolerance: its errors are most often far below, at the rounding of the rows.
const KEPT: f64 = 1.0 / 16.0;

/// A step is wrong where it leaves the constraints by so many relative tolerances, within these parts of
/// the scales of what they hold for.
const WRONG: f64 = 1e6;
const WRONG_RANGE: (f64, f64) = (1e-8, 1e-2);

/// A correction of the velocities is not the likely one where it is larger than so many relative
/// tolerances of their changes.
const UNLIKELY: f64 = 100.0;

/// The most parts, of an angle of 1 each, in which the rows are looked at within a step.
const PARTS: u32 = 64;

impl Flow<'_> {
    /// next = Π(next) after a step τ, with the velocities corrected by the sizes of their errors; then on the levels of what
    /// is conserved.
    pub(super) fn keep(&mut self, τ: f64) -> Result<(), StepFailure> {
        self.keep_constraints(τ)?;
        self.keep_levels(τ);
        Ok(())
    }

    fn keep_constraints(&mut self, τ: f64) -> Result<(), StepFailure> {
        let Self { field, manifold, next, .. } = self;
        next.normalise(field.system.info().coordinates.len());
        if manifold.is_free() {
            return Ok(());
        }
        let (n, t) = (field.positions, next.t.high);
        let (least, largest) = WRONG_RANGE;
        let allowed = (WRONG * self.tolerance.relative)
            .clamp(least, largest.max(10.0 * self.tolerance.relative));
        if manifold.has_holonomic() {
            let q = &mut next.y[..n];
            let kept = manifold.project_coordinates(field.system, t, q, allowed);
            kept.map_err(|failure| self.lost(&failure))?;
        }
        let is_certain = self.manifold.is_certain();
        if !is_certain {
            self.manifold.rank().start();
            self.keep_rank_on_way(τ)?;
        }
        let (q, v) = self.next.y.split_at(n);
        self.manifold.load_rows(self.field.system, t, q, v);
        if !is_certain {
            self.keep_rank(t, None)?;
        }
        let has_multipliers = self.method.has_end_slope();
        let Self { field, method, manifold, base, next, tolerance, .. } = self;
        let v = &next.y[n..];
        // What is kept is not wrong.
        if !has_multipliers && manifold.holds(v, KEPT * tolerance.relative) {
            return Ok(());
        }
        let size =
            |j: usize| base.y[n + j].abs().max(tolerance.absolute[n + j] / tolerance.relative);
        // A wall that turns at once within the step asks for an impulse that no slope shows, and so does a row that jumps.
        let may_turn = !field.mode.closed().is_empty() || self.rows_break;
        if (!has_multipliers || may_turn) && !manifold.holds_within(v, size, allowed) {
            return Err(self.lost(&Failure::Diverged));
        }
        if !has_multipliers {
            // The multipliers, which are not known yet.
            field.slope(t, &next.y, method.end_slope_mut());
        }
        self.correct(τ)
    }

    /// The rows that are loaded, at a state or at next, have to be independent, and on the way there.
    fn keep_rank(&mut self, t: f64, state: Option<&[f64]>) -> Result<(), StepFailure> {
        let Self { field, manifold, next, .. } = self;
        let v = &state.unwrap_or(&next.y)[field.positions..];
        let (row, lost) = match manifold.look_at_rank(t, v) {
            Rank::Kept => return Ok(()),
            Rank::Doubtful(row) => (row, false),
            Rank::Lost(row) => (row, true),
        };
        Err(StepFailure::DependentRows { rows: manifold.dependence(field.system, row), lost })
    }

    /// A step may turn angles by more than a turn: rows at its ends do not tell then what they were between.
    fn keep_rank_on_way(&mut self, τ: f64) -> Result<(), StepFailure> {
        let parts = (1..PARTS).find(|parts| f64::from(*parts) >= self.turned()).unwrap_or(PARTS);
        let mut state = Vec::new();
        for part in 1..parts {
            let s = f64::from(part) / f64::from(parts);
            let (t, n) = (self.base.t.high + s * τ, self.field.positions);
            state.resize(self.base.y.len(), 0.0);
            if self.method.has_end_slope() {
                let ends = self.base.y.iter().zip(&self.next.y);
                for (y, (from, to)) in state.iter_mut().zip(ends) {
                    *y = from + s * (to - from);
                }
            } else {
                self.method.state_ahead(s * τ, &mut state);
            }
            self.manifold.load_rows(self.field.system, t, &state[..n], &state[n..]);
            self.keep_rank(t, Some(&state))?;
            self.manifold.rank().pass();
        }
        Ok(())
    }

    /// How far the last trial has turned an angle or a rotation.
    fn turned(&self) -> f64 {
        let info = self.field.system.info();
        let change = |index: usize| (self.next.y[index] - self.base.y[index]).abs();
        let mut largest: f64 = 0.0;
        for &angle in info.angles {
            largest = largest.max(change(angle));
        }
        // Half the angle of a rotation is that of its quaternion.
        for entry in info.coordinates.len()..self.field.positions {
            largest = largest.max(2.0 * change(entry));
        }
        largest
    }

    /// The part of Π for the velocities, with the rows at next loaded and the multipliers known: they
    /// have erred in proportion to how much they changed, and to what the constraints did to them.
    fn correct(&mut self, τ: f64) -> Result<(), StepFailure> {
        let Self { field, method, manifold, base, next, sizes, tolerance, .. } = self;
        let n = field.positions;
        let slopes = method.slope()[n..].iter();
        let changes = next.y[n..].iter().zip(&base.y[n..]).map(|(next, base)| next - base);
        for ((size, slope), change) in sizes.iter_mut().zip(slopes).zip(changes) {
            *size = (τ * slope).abs().max(change.abs());
        }
        manifold.set_multipliers(field.multipliers(), field.contact_forces());
        let (q, v) = next.y.split_at(n);
        let (allowed, state) = (UNLIKELY * tolerance.relative, (next.t.high, q, v));
        let change = match manifold.likely_change(field.system, state, τ, sizes, allowed) {
            Ok(change) => change,
            Err(failure) => return Err(self.lost(&failure)),
        };
        for (i, change) in change.iter().enumerate() {
            next.add(n + i, *change);
        }
        if self.manifold.is_nonlinear() { self.correct_rest() } else { Ok(()) }
    }

    /// What a step of Newton's method leaves of rows that are not affine in the velocities, of second order in the error.
    fn correct_rest(&mut self) -> Result<(), StepFailure> {
        let Self { field, manifold, next, .. } = self;
        let n = field.positions;
        let (q, v) = next.y.split_at(n);
        let change = match manifold.velocity_change(field.system, next.t.high, q, v) {
            Ok(change) => change,
            Err(failure) => return Err(self.lost(&failure)),
        };
        for (i, change) in change.iter().enumerate() {
            next.add(n + i, *change);
        }
        Ok(())
    }

    /// next = Π(next), orthogonally in the metric of the kinetic energy.
    pub(super) fn project(&mut self) -> Result<(), StepFailure> {
        let Self { field, manifold, next, .. } = self;
        keep(field.system, manifold, next).map_err(|failure| self.lost(&failure))
    }

    /// The residuals of a state that could not be projected.
    pub(super) fn lost(&mut self, failure: &Failure) -> StepFailure {
        let (q, v) = self.next.parts();
        let (system, t) = (self.field.system, self.next.t.high);
        match failure {
            Failure::Metric(error) => StepFailure::NonFinite { what: error.to_string() },
            Failure::Diverged => {
                let residuals = self.manifold.violations(system, t, q, v, self.tolerance.relative);
                StepFailure::OffConstraints { residuals: residuals.unwrap_or_default() }
            }
        }
    }
}
