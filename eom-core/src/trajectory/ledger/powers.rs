//! The powers at a state in a mode, one a source.

use super::Source;
use crate::contact::ContactForces;
use crate::contact::contact_rows::ContactRows;
use crate::friction::slip_state::SlipState;
use crate::info::PowerKind;
use crate::linear::linalg::dot;
use crate::mode::Mode;
use crate::system::System;

/// The powers of one system. All memory is taken by [`Powers::new`].
#[derive(Debug, Clone)]
pub(super) struct Powers {
    /// In the order of `values`: lines, friction, rows, then by contact.
    pub(super) sources: Vec<Source>,
    values: Vec<f64>,
    forces: ContactForces,
    mode: Mode,
    slip_state: SlipState,
    a: Vec<f64>,
    λ: Vec<f64>,
    /// λ, then the normal forces; where forces act with friction, all forces of the mode.
    given: Vec<f64>,
    /// A and b of the constraints.
    rows: Vec<f64>,
    b: Vec<f64>,
    gradients: Vec<f64>,
    gap_rates: Vec<f64>,
    damping: Vec<f64>,
    own: ContactRows,
}

impl Powers {
    pub(super) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (m, k, contacts) = (info.speeds(), info.rows.len(), info.contacts.len());
        let points = info.frictions.iter().filter(|friction| friction.components > 0).count();
        let mut sources: Vec<Source> = (0..info.powers.len()).map(Source::Line).collect();
        sources.extend((0..points).map(Source::Friction));
        sources.extend((0..k).map(Source::Row));
        sources.extend((0..contacts).map(Source::Contact));
        sources.extend((0..contacts).map(Source::ContactRows));
        sources.extend((0..contacts).map(Source::ContactDissipation));
        Self {
            values: vec![0.0; sources.len()],
            sources,
            forces: ContactForces::new(system),
            mode: Mode::default(),
            slip_state: SlipState::default(),
            a: vec![0.0; m],
            λ: vec![0.0; k],
            given: Vec::with_capacity(k + contacts),
            rows: vec![0.0; k * m],
            b: vec![0.0; k],
            gradients: vec![0.0; contacts * m],
            gap_rates: vec![0.0; contacts],
            damping: vec![0.0; contacts * m],
            own: ContactRows::new(system),
        }
    }

    /// The mode of the arc that begins, and how its friction slides.
    pub(super) fn enter(&mut self, mode: &Mode, slip_state: &SlipState) {
        if self.mode != *mode {
            self.mode.clone_from(mode);
        }
        if self.slip_state != *slip_state {
            self.slip_state.clone_from(slip_state);
        }
        self.forces.set_slip_state(mode.sticking(), slip_state);
    }

    /// P of every source at a state; not a number where there is no metric.
    pub(super) fn at(
        &mut self,
        system: &dyn System,
        inputs: &[f64],
        t: f64,
        (q, v): (&[f64], &[f64]),
    ) -> &[f64] {
        let (lines, points) = (system.info().powers.len(), self.forces.terms.count());
        self.values.fill(0.0);
        if !self.multipliers(system, (t, q, v, inputs)) {
            self.values.fill(f64::NAN);
            return &self.values;
        }
        let Self { values, λ, forces, given, .. } = self;
        if system.info().friction_bears() {
            forces.write_all(Ok(()), given);
        } else {
            given.clear();
            given.extend(λ.iter().chain(forces.forces()));
        }
        system.powers(t, q, v, inputs, given, &mut values[..lines]);
        if v.iter().all(|v| *v == 0.0) {
            // No force does work on a body at rest, and friction over a body is 0/0 there.
            for (value, line) in values.iter_mut().zip(system.info().powers) {
                if line.kind != PowerKind::Time {
                    *value = 0.0;
                }
            }
            return &self.values;
        }
        for term in 0..points {
            self.values[lines + term] = self.friction(term, t, v);
        }
        self.constraints(system, (t, q, v), lines + points);
        self.contacts(system, (t, q, v), lines + points + self.λ.len());
        &self.values
    }

    /// λ, μ, ν and the reactions of friction. False where there is no metric.
    fn multipliers(
        &mut self,
        system: &dyn System,
        (t, q, v, u): (f64, &[f64], &[f64], &[f64]),
    ) -> bool {
        let Self { forces, mode, a, λ, .. } = self;
        if mode.is_free() && forces.is_plain() && !system.info().has_borne_forces() {
            if !λ.is_empty() {
                system.accelerations(t, q, v, u, a, λ);
            }
            return true;
        }
        let solved = forces.solve(system, mode, (t, q, v, u)).is_ok();
        λ.copy_from_slice(forces.multipliers());
        solved
    }

    /// −λ·J v of a term that sticks, −c u·J v of one that slides.
    fn friction(&self, term: usize, t: f64, v: &[f64]) -> f64 {
        let terms = &self.forces.terms;
        if !terms.acts(term, self.mode.closed()) {
            return 0.0;
        }
        let slips = terms.components(term).map(|component| dot(terms.row(component).0, v));
        let slips: Vec<f64> = slips.collect();
        if self.mode.sticks(term) {
            return -dot(&self.forces.reactions()[terms.components(term)], &slips);
        }
        let direction = self.slip_state.direction(term, t, terms.w(term));
        -self.forces.strength(term) * dot(&direction, &slips)
    }

    /// −λ b of every row.
    fn constraints(&mut self, system: &dyn System, (t, q, v): (f64, &[f64], &[f64]), first: usize) {
        let Self { values, λ, rows, b, .. } = self;
        system.constraint_rows_at(t, q, v, rows, b);
        for (value, (λ, b)) in values[first..].iter_mut().zip(λ.iter().zip(b.iter())) {
            // A row that does not move does no work, whatever its multiplier.
            *value = if *b == 0.0 { 0.0 } else { -λ * b };
        }
    }

    /// −μ ∂g/∂t, −ν·b_c and −∂D_c/∂v·v of the closed contacts.
    fn contacts(&mut self, system: &dyn System, (t, q, v): (f64, &[f64], &[f64]), first: usize) {
        let Self { values, forces, mode, gradients, gap_rates, damping, own, .. } = self;
        if mode.closed().is_empty() {
            return;
        }
        let (count, m) = (gap_rates.len(), v.len());
        system.gap_rows(t, q, gradients, gap_rates);
        system.contact_forces(t, q, v, damping);
        own.load(system, t, q);
        for &contact in mode.closed() {
            values[first + contact] = -forces.forces()[contact] * gap_rates[contact];
            let rows = own.of(contact).map(|row| -forces.row_forces()[row] * own.row(row).1);
            values[first + count + contact] = rows.sum();
            values[first + 2 * count + contact] = dot(&damping[contact * m..][..m], v);
        }
    }
}
