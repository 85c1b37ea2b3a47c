//! Conserved quantities, kept: after each step of free motion the state is brought to their level.
//!
//! ```text
//! C(y) = C₀          C₀ that of the arc: an impact, a reset, a closed contact, other inputs begin another
//! y ← y + D x,  x = −W⁻¹cᵀ (c W⁻¹cᵀ)⁻¹ (C − C₀)          c = ∂C/∂y D
//!
//! free               D = diag(S, 1), x = (ξ, η),  W = diag(M/τ², M): orthogonal in the metric of the kinetic energy
//! with rows          D = (0, K), K a basis of A η = 0,  W = Kᵀ M K: the velocities alone, on the constraints
//! ```
//!
//! τ, the step, makes a change of place as large as the change of velocity that it comes of. The change is of the size of the
//! error of a step; where it would be larger, as where C has no slope along the constraints, the step stays as it is and the
//! next one makes up for it.

use super::motion::{Flow, Kept};
use super::point::Point;
use crate::linear::span::{kernel, least};
use crate::system::System;
use crate::system::conserved::Conserved;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// Corrections in a step.
const STEPS_MAX: usize = 4;

/// A change is the error of a step where it is at most so many relative tolerances of the velocity, or this part of it.
const LARGEST: f64 = 1e3;
const LARGEST_PART: f64 = 1e-9;

/// Units of rounding of C that are left: of C itself, and of Σ|∂C/∂yⱼ yⱼ|.
const ROUNDINGS: f64 = 2.0;

/// C and its gradients at a state.
struct Evaluated {
    values: DVector<f64>,
    by: DMatrix<f64>,
}

fn evaluated(kept: &dyn Conserved, point: &Point, inputs: &[f64]) -> Evaluated {
    let (count, size) = (kept.names().len(), point.y.len());
    let (mut values, mut by) = (vec![0.0; count], vec![0.0; count * size]);
    let (q, v) = point.parts();
    kept.evaluate(point.t.high, q, v, inputs, &mut values, &mut by);
    Evaluated { values: DVector::from_vec(values), by: DMatrix::from_row_slice(count, size, &by) }
}

impl Flow<'_> {
    /// Keeps these quantities from the base point on; nothing where there are none. Levels that are known stay.
    pub(crate) fn conserve(&mut self, kept: Option<Arc<dyn Conserved>>) {
        let count = kept.as_ref().map_or(0, |kept| kept.names().len());
        if self.levels.levels.len() != count {
            self.levels.levels.clear();
        }
        let keep =
            |flow: &mut Flow<'_>, kept: &dyn Conserved, τ: f64| flow.bring_to_levels(kept, τ);
        self.levels.kept = kept.map(|quantities| Kept { quantities, keep });
    }

    /// What is kept.
    pub(crate) fn conserved(&self) -> Option<&Arc<dyn Conserved>> {
        self.levels.kept.as_ref().map(|kept| &kept.quantities)
    }

    /// The motion jumps here: an arc begins, and other levels.
    pub(super) fn begin_arc(&mut self) {
        self.levels.levels.clear();
        self.method.begin_arc();
    }

    /// dC/dt at the base point in free motion, and the sum of the magnitudes that it is made of.
    pub(crate) fn conserved_rates(&mut self, kept: &dyn Conserved) -> Vec<(f64, f64)> {
        let (mut slope, evaluations) = (vec![0.0; self.base.y.len()], self.field.evaluations);
        self.field.slope(self.base.t.high, &self.base.y, &mut slope);
        // It is none of the run's.
        self.field.evaluations = evaluations;
        let found = evaluated(kept, &self.base, &self.field.inputs);
        let mut with_time = vec![0.0; found.values.len()];
        let (q, v) = self.base.parts();
        kept.time_slopes(self.base.t.high, q, v, &self.field.inputs, &mut with_time);
        let rate = |i: usize| {
            let terms = found.by.row(i).into_iter().zip(&slope).map(|(c, slope)| c * slope);
            let first = (with_time[i], with_time[i].abs());
            terms.fold(first, |(sum, size): (f64, f64), term| (sum + term, size + term.abs()))
        };
        (0..found.values.len()).map(rate).collect()
    }

    /// next on the level of the base point after a step τ of free motion.
    pub(super) fn keep_levels(&mut self, τ: f64) {
        if let Some(Kept { quantities, keep }) = self.levels.kept.clone() {
            keep(self, &*quantities, τ);
        }
    }

    fn bring_to_levels(&mut self, kept: &dyn Conserved, τ: f64) {
        if !self.field.is_plain() {
            self.levels.levels.clear();
            return;
        }
        if self.levels.levels.is_empty() {
            let values = evaluated(kept, &self.base, &self.field.inputs).values;
            self.levels.levels.extend(values.iter());
        }
        let mut left = f64::INFINITY;
        for _ in 0..STEPS_MAX {
            let found = evaluated(kept, &self.next, &self.field.inputs);
            let level = DVector::from_column_slice(&self.levels.levels);
            let off = &level - &found.values;
            let size = off.amax();
            let improves = size < left;
            let sizes = found.by.abs() * DVector::from_column_slice(&self.next.y).abs();
            let is_rounding =
                |i: usize| off[i].abs() <= ROUNDINGS * f64::EPSILON * level[i].abs().max(sizes[i]);
            if (0..off.len()).all(is_rounding) || !improves {
                return;
            }
            left = size;
            let Some(change) = self.least_change(&found, &off, τ) else { return };
            for (i, change) in change.iter().enumerate() {
                self.next.add(i, *change);
            }
            self.next.normalise(self.field.system.info().coordinates.len());
        }
    }

    /// D x; none where it is not the error of a step.
    fn least_change(&self, found: &Evaluated, off: &DVector<f64>, τ: f64) -> Option<DVector<f64>> {
        let (system, point) = (self.field.system, &self.next);
        let (directions, weights) = moves(system, point, τ)?;
        let rows = &found.by * &directions;
        let inverse = weights.cholesky()?.inverse();
        // Quantities of different units count alike; one without a slope is left.
        let size = |i: usize| (rows.row(i) * &inverse * rows.row(i).transpose())[0].sqrt();
        let scale = |i: usize| if size(i) > 0.0 { size(i).recip() } else { 0.0 };
        let scales = DMatrix::from_diagonal(&DVector::from_fn(rows.nrows(), |i, _| scale(i)));
        let rows = &scales * rows;
        let gram = &rows * &inverse * rows.transpose();
        let x = inverse * rows.transpose() * least(&gram, &(scales * off))?;
        let change = directions * x;
        let (_, v) = point.parts();
        let speeds = change.rows(self.field.positions, v.len());
        let largest = (LARGEST * self.tolerance.relative).max(LARGEST_PART);
        let size = v.iter().fold(0.0_f64, |size, v| size.max(v.abs()));
        let is_small =
            speeds.amax() <= largest * size.max(self.tolerance.of(self.field.positions, 0.0));
        (is_small && change.iter().all(|x| x.is_finite())).then_some(change)
    }
}

/// D and W at a state.
fn moves(system: &dyn System, point: &Point, τ: f64) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let info = system.info();
    let (t, (q, v)) = (point.t.high, point.parts());
    let (n, m, k) = (q.len(), v.len(), info.rows.len());
    let mut mass = vec![0.0; m * m];
    system.mass_matrix_at(t, q, v, &mut mass);
    let mass = DMatrix::from_row_slice(m, m, &mass);
    if k > 0 {
        let (mut rows, mut offsets) = (vec![0.0; k * m], vec![0.0; k]);
        system.constraint_rows(t, q, &mut rows, &mut offsets);
        let free = kernel(&DMatrix::from_row_slice(k, m, &rows));
        if free.ncols() == 0 {
            return None;
        }
        let mut directions = DMatrix::zeros(n + m, free.ncols());
        directions.rows_mut(n, m).copy_from(&free);
        return Some((directions, free.transpose() * mass * &free));
    }
    let mut directions = DMatrix::zeros(n + m, 2 * m);
    let (mut unit, mut column) = (vec![0.0; m], vec![0.0; n]);
    for j in 0..m {
        unit[j] = 1.0;
        system.rates(t, q, &unit, &mut column);
        unit[j] = 0.0;
        directions.view_mut((0, j), (n, 1)).copy_from_slice(&column);
        directions[(n + j, m + j)] = 1.0;
    }
    let mut weights = DMatrix::zeros(2 * m, 2 * m);
    weights.view_mut((0, 0), (m, m)).copy_from(&(&mass / (τ * τ)));
    weights.view_mut((m, m), (m, m)).copy_from(&mass);
    Some((directions, weights))
}
