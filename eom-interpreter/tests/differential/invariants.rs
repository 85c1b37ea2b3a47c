//! What each run of a case keeps: gaps, the rows that are in force, the energy.

use crate::case::Case;
use crate::runs::Subject;
use eom_core::{Contacts, End, Event, EventKind, State, System, Trajectory};

fn size(state: &State) -> f64 {
    1.0 + state.q.iter().chain(&state.v).map(|y| y.abs()).fold(0.0, f64::max)
}

/// What a residual may be, in units of its terms: the rows are kept to rounding, a limit of impacts leaves a height.
const KEPT: f64 = 1e-9;

/// Units of rounding of the time.
const CLOCK: f64 = 16.0;

/// Flights of at most so many roundings of the time are left out at the end of a series of impacts, and with them the
/// energy with which they begin, under accelerations of at most this.
const SHORT: f64 = 64.0;
const STRONGEST: f64 = 60.0;

/// What rows and a rate are at a state, and how large what they are summed from.
struct Rows {
    n: usize,
    entries: Vec<f64>,
    rates: Vec<f64>,
}

impl Rows {
    fn new(n: usize, count: usize) -> Self {
        Self { n, entries: vec![0.0; count * n], rates: vec![0.0; count] }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.n..][..self.n]
    }

    /// a·v + b of a row, and the magnitudes of its terms.
    fn residual(&self, i: usize, v: &[f64]) -> (f64, f64) {
        let terms = self.row(i).iter().zip(v).map(|(a, v)| a * v);
        let sum: f64 = terms.clone().sum();
        (sum + self.rates[i], terms.map(f64::abs).sum::<f64>() + self.rates[i].abs())
    }

    fn slope(&self, i: usize) -> f64 {
        self.row(i).iter().map(|g| g.abs()).sum()
    }
}

/// No gap is negative between events, those of closed contacts are zero and constraints hold; energy is kept on arcs
/// and not gained at impacts.
pub(crate) fn invariants(case: &Case, subject: &Subject, run: &Trajectory) -> Result<(), String> {
    // Where a reset or a pole ends a run, its last state may be anywhere.
    let is_behind = matches!(
        run.end,
        End::Penetrates { .. } | End::SingularGuard { .. } | End::NonFinite { .. }
    );
    let seen = run.samples.len() - usize::from(is_behind);
    gaps(case, subject, run, seen)?;
    constraints(subject, &run.samples[..seen])?;
    energies(case, subject, run)
}

fn gaps(case: &Case, subject: &Subject, run: &Trajectory, seen: usize) -> Result<(), String> {
    let (n, count) = (subject.start.q.len(), case.contacts);
    let mut gaps = vec![0.0; count];
    let mut rows = Rows::new(n, count);
    let clock = CLOCK * f64::EPSILON * case.end.abs().max(1.0);
    for (sample, state) in run.samples[..seen].iter().enumerate() {
        subject.system.gaps(state.t, &state.q, &mut gaps);
        subject.system.gap_rows(state.t, &state.q, &mut rows.entries, &mut rows.rates);
        let is_event = run.events.iter().any(|event| event.t == state.t);
        let mode = run.mode_of_sample(sample).filter(|_| !is_event);
        for (i, gap) in gaps.iter().enumerate() {
            let told = rows.slope(i) * (1e-12 + clock) * size(state) + rows.rates[i].abs() * clock;
            if *gap < -(KEPT + told) {
                return Err(format!("gap of c{i} is {gap:e} at t = {:?} ({})", state.t, run.end));
            }
            if !mode.is_some_and(|mode| mode.is_closed(i)) {
                continue;
            }
            let (rate, terms) = rows.residual(i, &state.v);
            if *gap > KEPT + told || rate.abs() > KEPT * (1.0 + rows.slope(i) + terms) {
                let what = format!("c{i} is closed with a gap of {gap:e} and a rate of {rate:e}");
                return Err(format!("{what} at t = {:?} ({})", state.t, run.end));
            }
        }
    }
    Ok(())
}

fn constraints(subject: &Subject, samples: &[State]) -> Result<(), String> {
    let info = subject.system.info();
    let mut rows = Rows::new(subject.start.v.len(), info.rows.len());
    let mut φ = vec![0.0; info.holonomic_count()];
    for state in samples {
        let size = size(state);
        subject.system.constraint_rows(state.t, &state.q, &mut rows.entries, &mut rows.rates);
        for (i, row) in info.rows.iter().enumerate() {
            let (residual, terms) = rows.residual(i, &state.v);
            if residual.abs() > KEPT * (size + terms) {
                return Err(format!("{} is off by {residual:e} at t = {:?}", row.name, state.t));
            }
        }
        if !φ.is_empty() {
            subject.system.holonomic(state.t, &state.q, &mut φ);
        }
        if let Some(off) = φ.iter().find(|φ| φ.abs() > KEPT * size * size) {
            return Err(format!("a holonomic row is off by {off:e} at t = {:?}", state.t));
        }
    }
    Ok(())
}

/// The energy along a run: kept on arcs, not gained at impacts.
fn energies(case: &Case, subject: &Subject, run: &Trajectory) -> Result<(), String> {
    if !case.gains_none {
        return Ok(());
    }
    let energy = |t: f64, q: &[f64], v: &[f64]| {
        let energy = subject.system.energy(t, q, v);
        (energy.total(), energy.kinetic + energy.potential.abs())
    };
    for event in &run.events {
        let [minus, plus] = event.sides();
        let (before, after) = (energy(event.t, minus.0, minus.1), energy(event.t, plus.0, plus.1));
        let gain = after.0 - before.0;
        if is_impact(event) && gain > 1e-9 * (1.0 + before.1) {
            return Err(format!("{:?} at {} adds energy {gain:e}", event.kind, event.t));
        }
    }
    if !case.keeps_energy {
        return Ok(());
    }
    let mut last = run.samples.first().map(|state| energy(state.t, &state.q, &state.v));
    let mut events = run.events.iter().peekable();
    let steepest = case.features.iter().map(|feature| 1.0 / feature.width).fold(10.0, f64::max);
    let check = |t: f64, last: Option<(f64, f64)>, found: (f64, f64)| {
        let Some(last) = last else { return Ok(()) };
        let unresolved = SHORT * f64::EPSILON * t.abs();
        let allowed = 1e-9 * (1.0 + found.1 + last.1) + 1e-13 * steepest * (1.0 + found.1);
        let allowed = allowed + (STRONGEST * unresolved).powi(2);
        if (found.0 - last.0).abs() <= allowed {
            return Ok(());
        }
        Err(format!("energy {:?} becomes {:?} before t = {t:?}", last.0, found.0))
    };
    for state in run.samples.iter().skip(1) {
        while let Some(event) = events.next_if(|event| event.t < state.t) {
            let [minus, plus] = event.sides();
            check(event.t, last, energy(event.t, minus.0, minus.1))?;
            last = Some(energy(event.t, plus.0, plus.1));
        }
        let told = 1e-12_f64.max(CLOCK * f64::EPSILON * state.t.abs());
        if run.events.iter().all(|event| (event.t - state.t).abs() > told) {
            check(state.t, last, energy(state.t, &state.q, &state.v))?;
        }
    }
    Ok(())
}

fn is_impact(event: &Event) -> bool {
    matches!(event.kind, EventKind::Impact { .. })
}
