//! How well a motion keeps what it has to keep: the largest residuals at the ends of steps.

use super::{Drift, Kept};
use crate::contact::contact_rows::ContactRows;
use crate::friction::slip_state::{Terms, norm};
use crate::linear::linalg::dot;
use crate::mode::Mode;
use crate::snapshot::words::part;
use crate::system::System;

/// The kinds of residuals, in the order in which they are told.
const KINDS: usize = 6;

/// Keeps the largest residual of each kind.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    worst: [Option<Drift>; KINDS],
    a: Vec<f64>,
    b: Vec<f64>,
    φ: Vec<f64>,
    g: Vec<f64>,
    gradients: Vec<f64>,
    gap_rates: Vec<f64>,
    own: ContactRows,
    terms: Terms,
}

impl Watch {
    pub(super) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (m, k, contacts) = (info.speeds(), info.rows.len(), info.contacts.len());
        Self {
            worst: [None; KINDS],
            a: vec![0.0; k * m],
            b: vec![0.0; k],
            φ: vec![0.0; info.holonomic_count()],
            g: vec![0.0; contacts],
            gradients: vec![0.0; contacts * m],
            gap_rates: vec![0.0; contacts],
            own: ContactRows::new(system),
            terms: Terms::new(system),
        }
    }

    /// The largest residuals, one a kind.
    pub(super) fn worst(&self) -> Vec<Drift> {
        self.worst.iter().flatten().copied().collect()
    }

    fn keep(&mut self, kind: usize, kept: Kept, residual: f64, t: f64) {
        let residual = residual.abs();
        let worst = &mut self.worst[kind];
        if worst.is_none_or(|worst| residual > worst.residual || residual.is_nan()) {
            *worst = Some(Drift { kept, residual, t });
        }
    }

    /// Looks at the end of a step in a mode.
    pub(super) fn see(
        &mut self,
        system: &dyn System,
        mode: &Mode,
        t: f64,
        (q, v): (&[f64], &[f64]),
    ) {
        let (m, k) = (v.len(), self.b.len());
        system.constraint_rows_at(t, q, v, &mut self.a, &mut self.b);
        for row in 0..k {
            let residual = dot(&self.a[row * m..][..m], v) + self.b[row];
            self.keep(0, Kept::Row(row), residual, t);
        }
        system.holonomic(t, q, &mut self.φ);
        let first = k - self.φ.len();
        for row in first..k {
            self.keep(1, Kept::Holonomic(row), self.φ[row - first], t);
        }
        if !mode.closed().is_empty() {
            self.see_contacts(system, mode, t, (q, v));
        }
        if !mode.sticking().is_empty() {
            self.terms.load(system, t, q, v);
            let points = self.terms.count();
            for &term in mode.sticking().iter().filter(|term| **term < points) {
                let slip = norm(self.terms.w(term));
                self.keep(5, Kept::Friction(term), slip, t);
            }
        }
    }

    fn see_contacts(&mut self, system: &dyn System, mode: &Mode, t: f64, (q, v): (&[f64], &[f64])) {
        let m = v.len();
        system.gaps(t, q, &mut self.g);
        system.gap_rows(t, q, &mut self.gradients, &mut self.gap_rates);
        self.own.load(system, t, q);
        for &contact in mode.closed() {
            let rate = dot(&self.gradients[contact * m..][..m], v) + self.gap_rates[contact];
            self.keep(2, Kept::Gap(contact), self.g[contact], t);
            self.keep(3, Kept::GapRate(contact), rate, t);
            for row in self.own.of(contact) {
                let (a, b) = self.own.row(row);
                let residual = dot(a, v) + b;
                self.keep(4, Kept::ContactRow(contact), residual, t);
            }
        }
    }
}

part! { Watch {
    parts: [worst],
    values: [],
    room: [a, b, φ, g, gradients, gap_rates, own, terms],
} }
