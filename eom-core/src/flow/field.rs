//! The slopes of a motion in a mode.

use crate::contact::ContactForces;
use crate::friction::slip_state::SlipState;
use crate::mode::Mode;
use crate::run::on_demand::OnDemand;
use crate::snapshot::words::part;
use crate::system::System;
use crate::system::jacobian::StateJacobian;

/// ẏ = (S v, v̇) in a mode, with its evaluations counted.
#[derive(Clone)]
pub(super) struct Field<'a> {
    pub(super) system: &'a dyn System,
    pub(super) inputs: Vec<f64>,
    /// nq.
    pub(super) positions: usize,
    /// Whether q̇ = v.
    pub(super) speeds_are_rates: bool,
    /// What [`System::prepare`] wrote.
    pub(super) prepared: Vec<f64>,
    pub(super) λ: Vec<f64>,
    pub(super) mode: Mode,
    pub(super) slip_state: SlipState,
    pub(super) forces: OnDemand<'a, ContactForces>,
    pub(super) evaluations: u64,
    /// ∂ẏ/∂y, where there is a program of it.
    pub(super) jacobian: OnDemand<'a, Option<StateJacobian<'a>>>,
}

impl Field<'_> {
    /// One copy for all stages.
    #[inline(never)]
    pub(super) fn slope(&mut self, t: f64, y: &[f64], slope: &mut [f64]) {
        let (q, v) = y.split_at(self.positions);
        let (q_slope, v_slope) = slope.split_at_mut(q.len());
        // Most systems: a call less each stage.
        if self.speeds_are_rates {
            q_slope.copy_from_slice(v);
        } else {
            self.system.rates(t, q, v, q_slope);
        }
        self.evaluations += 1;
        if self.is_plain() {
            let (c, u) = (&self.prepared, &self.inputs);
            self.system.prepared_accelerations(c, t, q, v, u, v_slope, &mut self.λ);
            return;
        }
        match self.forces.solve(self.system, &self.mode, (t, q, v, &self.inputs)) {
            Ok(()) => v_slope.copy_from_slice(self.forces.accelerations()),
            Err(_) => v_slope.fill(f64::NAN),
        }
    }

    /// What is done where the rows that stick and depend on others are those at a state.
    pub(super) fn with_rows_at<R>(
        &mut self,
        (t, y): (f64, &[f64]),
        done: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.is_plain() || self.mode.sticking().is_empty() {
            return done(self);
        }
        let (q, v) = y.split_at(self.positions);
        self.evaluations += 1;
        let solved = self.forces.solve(self.system, &self.mode, (t, q, v, &self.inputs)).is_ok();
        self.forces.keep_dependent(solved);
        let outcome = done(self);
        self.forces.keep_dependent(false);
        outcome
    }

    /// Writes ∂ẏ/∂y by rows: from the system's own programs in free motion, and where friction slides in a plane with
    /// its direction apart. False where it is to be differenced as it is, and where it is not finite.
    pub(super) fn jacobian(&mut self, at: (f64, &[f64]), scales: &[f64], rows: &mut [f64]) -> bool {
        let (t, y) = at;
        if !self.is_plain() {
            return self.forces.made().is_some_and(ContactForces::has_planes)
                && self.jacobian_by_directions(at, scales, rows);
        }
        let Some(jacobian) = &mut *self.jacobian else { return false };
        jacobian.set_inputs(&self.inputs);
        jacobian.evaluate(t, y, rows);
        rows.iter().all(|entry| entry.is_finite())
    }

    /// The name of the first entry of ẏ, or of y, that is not finite.
    pub(super) fn not_finite(&self, slope: &[f64]) -> Option<String> {
        // 0 x is 0, or no number: a sum tells all at once.
        if slope.iter().fold(0.0, |sum, x| sum + 0.0 * x) == 0.0 {
            return None;
        }
        let index = slope.iter().position(|x| !x.is_finite())?;
        let info = self.system.info();
        let name = |index: usize| info.position_name(index);
        Some(match index.checked_sub(self.positions) {
            None => format!("the velocity of {}", name(index)),
            Some(speed) if info.is_plain() => format!("the acceleration of {}", name(speed)),
            Some(speed) => format!("the rate of {}", info.speed_name(speed)),
        })
    }

    /// λ of the constraints at the last evaluation.
    pub(super) fn multipliers(&self) -> &[f64] {
        self.contact_forces().map_or(&self.λ, ContactForces::multipliers)
    }

    /// What is in force besides at the last evaluation.
    pub(super) fn contact_forces(&self) -> Option<&ContactForces> {
        if self.is_plain() { None } else { self.forces.made() }
    }

    /// Whether nothing is in force but what moves freely.
    pub(super) fn is_plain(&self) -> bool {
        self.mode.is_free() && self.forces.is_plain()
    }

    /// [`System::pairing_sign`] in free motion.
    pub(super) fn pairing_sign(&self, t: f64, q: &[f64], v: &[f64]) -> Option<f64> {
        self.is_plain().then(|| self.system.pairing_sign(t, q, v, &self.inputs)).flatten()
    }
}

part! { Field<'_> {
    parts: [λ, forces],
    values: [mode, slip_state, evaluations],
    room: [system, inputs, positions, speeds_are_rates, prepared, jacobian],
} }
