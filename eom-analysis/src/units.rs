//! The units in which a steady motion is looked for: those in which the rates of the linear system are as large as each other.
//!
//! ```text
//! y = D y′,  D⁻¹ A D even         rᵢ in units of sᵢ = max(Σ |Aᵢⱼ| dⱼ, min(‖D⁻¹ A D‖ dᵢ, 1)),  η in units of d
//! ```
//!
//! In a unit of time T accelerations are 1/T² of what they are, velocities 1/T: what is rounding among the ones is not among the
//! others. Where A is even as it stands, all units are 1.

use crate::scaled::scaled;
use crate::space::StateSpace;
use eom_core::State;
use nalgebra::{DMatrix, DVector};

/// Places at which A is asked for, and how far each is from the one before.
const PLACES: usize = 4;
const REACH: f64 = 0.17;

/// Units.
pub(crate) struct Units {
    /// s, of the relevant rates.
    pub(crate) rates: Vec<f64>,
    /// d of the speeds.
    pub(crate) speeds: Vec<f64>,
}

impl StateSpace<'_> {
    /// The units about a state of free motion; none where all are 1. A is the largest of that at the state and at places beside
    /// it: at one alone an entry may be rounding.
    pub(crate) fn units(&self, state: &State, inputs: &[f64]) -> Option<Units> {
        if !self.has_accelerations() {
            return None;
        }
        let mut a = DMatrix::zeros(self.relevant.len(), self.relevant.len());
        for place in 0..PLACES {
            let mut beside = state.clone();
            for (i, q) in beside.q.iter_mut().enumerate() {
                let sign = if (place + i) % 2 == 0 { 1.0 } else { -1.0 };
                *q += sign * REACH * place as f64;
            }
            self.normalise(&mut beside);
            let Ok(local) = self.local(&beside, inputs) else { continue };
            let found = local.by_state.select_rows(&self.relevant).select_columns(&self.relevant);
            a.zip_apply(&found, |largest: &mut f64, entry: f64| {
                *largest = largest.max(entry.abs());
            });
        }
        let (even, mut factors) = scaled(&a);
        if factors.iter().all(|factor| *factor == 1.0) {
            return None;
        }
        let n = self.programs.info.positions();
        let of_positions = factors.iter().zip(&self.relevant).filter(|(_, place)| **place < n);
        let largest = of_positions.map(|(factor, _)| *factor).fold(0.0, f64::max);
        if largest > 0.0 {
            for factor in &mut factors {
                *factor /= largest;
            }
        }
        let mut speeds = vec![1.0; self.programs.info.speeds()];
        for (factor, place) in factors.iter().zip(&self.relevant) {
            if *place >= n {
                speeds[place - n] = *factor;
            }
        }
        let size = |row: usize| -> f64 {
            a.row(row).iter().zip(&factors).map(|(entry, factor)| entry.abs() * factor).sum()
        };
        // A rate on which nothing acts but rounding is measured by the fastest motion, by 1 where that is faster.
        let fastest = even.norm();
        let unit = |row: usize| size(row).max((fastest * factors[row]).min(1.0));
        Some(Units { rates: (0..a.nrows()).map(unit).collect(), speeds })
    }
}

impl Units {
    /// r in these units.
    pub(crate) fn residual(&self, residual: &mut DVector<f64>) {
        residual.iter_mut().zip(&self.rates).for_each(|(r, unit)| *r /= unit);
    }

    /// ∂r/∂(ξ, η, …) in these units.
    pub(crate) fn matrix(&self, matrix: &mut DMatrix<f64>) {
        for (mut row, unit) in matrix.row_iter_mut().zip(&self.rates) {
            row /= *unit;
        }
        self.moves(matrix);
    }

    /// Columns of (ξ, η, …) in these units.
    pub(crate) fn moves(&self, map: &mut DMatrix<f64>) {
        let m = self.speeds.len();
        for (j, unit) in self.speeds.iter().enumerate() {
            map.column_mut(m + j).scale_mut(*unit);
        }
    }
}
