//! What lets a reader trust a run: its energy balance, and how well it keeps its constraints.

use eom_core::System;

/// The largest violation of one kind, and the name of what was violated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worst {
    /// The magnitude.
    pub(super) value: f64,
    /// The row or contact.
    pub(super) name: &'static str,
}

/// Watches a run and keeps the largest violations.
#[derive(Clone)]
pub struct Watch<'a> {
    system: &'a dyn System,
    /// max |A v + b| over all rows and steps.
    pub(super) rows: Option<Worst>,
    /// max |φ| over all holonomic constraints and steps.
    pub(super) holonomic: Option<Worst>,
    /// The least gap over all contacts and the whole motion.
    pub(super) gap: Option<Worst>,
    a: Vec<f64>,
    b: Vec<f64>,
    φ: Vec<f64>,
}

impl<'a> Watch<'a> {
    /// Watches a system.
    pub fn new(system: &'a dyn System) -> Self {
        let info = system.info();
        let (m, k) = (info.speeds(), info.rows.len());
        Self {
            system,
            rows: None,
            holonomic: None,
            gap: None,
            a: vec![0.0; m * k],
            b: vec![0.0; k],
            φ: vec![0.0; info.holonomic_count()],
        }
    }

    /// Looks at a state.
    pub fn see(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let info = self.system.info();
        self.system.constraint_rows_at(t, q, v, &mut self.a, &mut self.b);
        for (i, row) in info.rows.iter().enumerate() {
            let a = &self.a[i * v.len()..(i + 1) * v.len()];
            let residual = self.b[i] + a.iter().zip(v).map(|(a, v)| a * v).sum::<f64>();
            keep(&mut self.rows, residual.abs(), row.name, f64::gt);
        }
        self.system.holonomic(t, q, &mut self.φ);
        let holonomic = &info.rows[info.rows.len() - self.φ.len()..];
        for (φ, row) in self.φ.iter().zip(holonomic) {
            keep(&mut self.holonomic, φ.abs(), row.name, f64::gt);
        }
    }

    /// Takes the least gap of each contact, which the run has kept.
    pub fn take_gaps(&mut self, least: &[f64]) {
        for (gap, contact) in least.iter().zip(self.system.info().contacts) {
            if gap.is_finite() {
                keep(&mut self.gap, *gap, contact.name, f64::lt);
            }
        }
    }
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("system", &self.system.info().name)
            .field("rows", &self.rows)
            .field("holonomic", &self.holonomic)
            .field("gap", &self.gap)
            .finish_non_exhaustive()
    }
}

fn keep(
    worst: &mut Option<Worst>,
    value: f64,
    name: &'static str,
    is_worse: fn(&f64, &f64) -> bool,
) {
    if worst.is_none_or(|worst| is_worse(&value, &worst.value)) {
        *worst = Some(Worst { value, name });
    }
}

/// The energy T + V of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct EnergyBalance {
    /// At the start.
    pub(super) start: f64,
    /// At the end.
    pub(super) end: f64,
    /// The sum of its jumps at impacts and events.
    pub(super) jumps: f64,
}

impl EnergyBalance {
    /// What changed along the arcs.
    pub(super) fn along_arcs(&self) -> f64 {
        self.end - self.start - self.jumps
    }
}
