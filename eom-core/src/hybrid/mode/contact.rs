//! What a contact does at a point: the rate and the acceleration of its gap, and what of them is
//! rounding.

use crate::constraints::scale_of;
use crate::error::NotPositiveDefinite;
use crate::impact::RATE_TOLERANCE;
use crate::linear::linalg::dot;
use crate::linear::metric::RowSpace;
use crate::snapshot::words::part;
use crate::system::System;
use crate::system::kinematics::displacement_scales;

/// By so many times what it can be told to a configuration is moved where it is asked whether a row is that of its gap: a
/// root that is not simple is found to some tens.
const MOVED: f64 = 256.0;

/// A gap rate and what of it counts as zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) struct GapRate {
    pub(in crate::hybrid) rate: f64,
    /// ε = 10⁻¹²(‖∇g‖‖v‖ + |∂g/∂t|) with the largest ‖v‖ of the instant: an impact leaves its
    /// rounding in v⁺, however small that is.
    pub(in crate::hybrid) tolerance: f64,
}

/// Workspace to look at the contacts of a system.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Probe {
    n: usize,
    metric: Vec<f64>,
    gradients: Vec<f64>,
    rates: Vec<f64>,
    space: RowSpace,
    drifts: Vec<f64>,
    /// The largest ‖v‖ seen in this instant.
    speed: f64,
}

impl Probe {
    pub(in crate::hybrid) fn new(system: &dyn System) -> Self {
        let info = system.info();
        let (n, contacts) = (info.speeds(), info.contacts.len());
        Self {
            n,
            metric: vec![0.0; n * n],
            gradients: vec![0.0; contacts * n],
            rates: vec![0.0; contacts],
            space: RowSpace::new(n, 0),
            drifts: vec![0.0; contacts],
            speed: 0.0,
        }
    }

    /// A new instant: forgets the velocities of the last one.
    pub(in crate::hybrid) fn begin(&mut self) {
        self.speed = 0.0;
    }

    /// ġ of a contact at a point.
    pub(in crate::hybrid) fn rate(
        &mut self,
        system: &dyn System,
        contact: usize,
        t: f64,
        y: &[f64],
    ) -> Result<GapRate, NotPositiveDefinite> {
        let (q, v) = y.split_at(system.info().positions());
        system.mass_matrix(t, q, &mut self.metric);
        self.space.set_metric(&self.metric)?;
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        let gradient = &self.gradients[contact * self.n..][..self.n];
        let drift = self.rates[contact];
        self.speed = self.speed.max(self.space.norm(v));
        let scale = self.space.row_norm(gradient) * self.speed + drift.abs();
        Ok(GapRate { rate: dot(gradient, v) + drift, tolerance: RATE_TOLERANCE * scale })
    }

    /// Whether ∇g of a contact can be told where g ≈ 0: it does not change by as much as it is where q, with an error u, goes
    /// 256 u along it. That of x³ does, or is zero: which way the contact would push, and how its gap goes on, is rounding.
    pub(in crate::hybrid) fn has_row(
        &mut self,
        system: &dyn System,
        contact: usize,
        (t, q): (f64, &[f64]),
        u: f64,
    ) -> bool {
        let of_contact = contact * self.n..(contact + 1) * self.n;
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        let here = self.gradients[of_contact.clone()].to_vec();
        let size = here.iter().fold(0.0, |size: f64, g| size.max(g.abs()));
        let along: Vec<f64> = here.iter().map(|g| MOVED * u * g / size).collect();
        let mut moved = vec![0.0; q.len()];
        system.rates(t, q, &along, &mut moved);
        moved.iter_mut().zip(q).for_each(|(moved, q)| *moved += q);
        system.gap_rows(t, &moved, &mut self.gradients, &mut self.rates);
        let changes = |(g, there): (&f64, &f64)| (there - g).abs() > size;
        size > 0.0 && !here.iter().zip(&self.gradients[of_contact]).any(changes)
    }

    /// The largest ‖v‖ of this instant.
    pub(in crate::hybrid) fn speed(&self) -> f64 {
        self.speed
    }

    /// ∇g of a contact, and what g̈ is beside ∇g·v̇.
    pub(in crate::hybrid) fn drift(
        &mut self,
        system: &dyn System,
        contact: usize,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) -> (&[f64], f64) {
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        system.gap_drift(t, q, v, &mut self.drifts);
        (&self.gradients[contact * self.n..][..self.n], self.drifts[contact])
    }

    /// Σ |∂g/∂qⱼ| sⱼ with the displacements' scales sⱼ: the magnitude of the terms that a gap is summed from.
    pub(in crate::hybrid) fn gap_scale(
        &mut self,
        system: &dyn System,
        contact: usize,
        t: f64,
        q: &[f64],
        floors: &[f64],
    ) -> f64 {
        system.gap_rows(t, q, &mut self.gradients, &mut self.rates);
        let gradient = &self.gradients[contact * self.n..][..self.n];
        scale_of(gradient, &displacement_scales(system, t, q, floors))
    }
}

part! { Probe {
    parts: [],
    values: [speed],
    room: [n, metric, gradients, rates, space, drifts],
} }
