//! What is said of one run as a whole: that it stops, a value at a time, that it comes back, that there is none.
//!
//! ```text
//! returns     max |y_i(T) − y_i(0)|, of an angle φ |φ − φ₀| mod 2π, of a rotation the smaller of |r − r₀| and |r + r₀|
//! nothing of it     |y_i(T) − y_i(0)| ≤ ε max |y_i(t)| of each entry
//! ```

use crate::error::AnalysisError;
use crate::names::{entries, find, list};
use eom_core::info::SystemInfo;
use eom_core::{End, Options, Progress, State, System, simulate};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

/// A run that went to its end.
#[derive(Debug)]
pub(crate) struct WholeMotion {
    info: &'static SystemInfo,
    start: State,
    end: State,
    /// How large each entry of (q, v) becomes, and no less than a part of the largest of its kind: what stays at 0 is rounding.
    sizes: Vec<f64>,
    /// Since when nothing moves, for good.
    rest: Option<f64>,
}

impl WholeMotion {
    /// Runs a system from a state to a time.
    pub(crate) fn run(
        system: &dyn System,
        start: &State,
        inputs: &[f64],
        until: f64,
    ) -> Result<Self, AnalysisError> {
        if !(until.is_finite() && until >= start.t) {
            let what = format!("a run from t = {} to t = {until}", start.t);
            return Err(AnalysisError::NotFinite { what });
        }
        let options = Options { until_time: Some(until), ..Options::default() };
        let mut observer = |_: &Progress<'_>| ControlFlow::Continue(());
        let trajectory = simulate(system, start, inputs, &options, &mut observer)?;
        let end = trajectory.end.to_string();
        match trajectory.end {
            _ if trajectory.end.is_complete() => {}
            End::FrictionParadox { several: false, .. }
            | End::ImpossibleContact { too_many: false, .. } => {
                return Err(AnalysisError::NoSolution { end });
            }
            _ => return Err(AnalysisError::Ended { end }),
        }
        let Some(last) = trajectory.samples.last() else {
            return Err(AnalysisError::Ended { end });
        };
        let (start, end) = (start.clone(), last.clone());
        let places = |state: &State| sizes_of(&state.q);
        let speeds = |state: &State| sizes_of(&state.v);
        let all = || std::iter::once(&start).chain(&trajectory.samples);
        let sizes = [largest(all().map(places)), largest(all().map(speeds))].concat();
        Ok(Self { info: system.info(), start, end, sizes, rest: trajectory.rest })
    }

    /// When it comes to rest for good.
    pub(crate) fn stops(&self) -> Result<f64, AnalysisError> {
        self.rest.ok_or(AnalysisError::Moves { t: self.end.t })
    }

    /// An entry of the state at the end, by its name in ASCII, and how large it becomes on the way.
    pub(crate) fn value(&self, name: &str) -> Result<(f64, f64), AnalysisError> {
        let all = entries(self.info);
        let values =
            || self.end.q.iter().chain(&self.end.v).copied().zip(self.sizes.iter().copied());
        find(&all, name).and_then(|place| values().nth(place)).ok_or_else(|| {
            AnalysisError::NoSuchEntry {
                name: name.to_owned(),
                known: list(all.iter().map(|entry| entry.name.as_str())),
            }
        })
    }

    /// How far the end is from the start, and how far it would be if each entry were as far as it comes, of that which is the
    /// farthest beside this.
    pub(crate) fn distance(&self) -> (f64, f64) {
        let coordinates = self.info.coordinates.len();
        let (start, end) = (&self.start, &self.end);
        let pairs = end.q.iter().zip(&start.q).take(coordinates).enumerate();
        let of_coordinates = pairs.map(|(index, (end, start))| {
            let apart = end - start;
            let is_angle = self.info.angles.contains(&index);
            if is_angle { apart - TAU * (apart / TAU).round() } else { apart }
        });
        let turned = |(end, start): (&[f64], &[f64])| {
            let apart = |sign: f64| {
                let parts = end.iter().zip(start).map(|(a, b)| (a - sign * b).abs());
                parts.fold(0.0, f64::max)
            };
            apart(1.0).min(apart(-1.0))
        };
        let rotations = end.q[coordinates..].chunks(4).zip(start.q[coordinates..].chunks(4));
        let rates = end.v.iter().zip(&start.v).map(|(end, start)| end - start);
        let (places, speeds) = self.sizes.split_at(end.q.len());
        let entries = of_coordinates.map(f64::abs).zip(places);
        let entries = entries.chain(rates.map(f64::abs).zip(speeds));
        // Of a rotation 1 is what there is.
        let all = entries
            .map(|(off, size)| (off, *size))
            .chain(rotations.map(|pair| (turned(pair), 1.0)));
        let (mut distance, mut part) = (0.0_f64, 0.0_f64);
        for (off, size) in all {
            distance = distance.max(off);
            part = part.max(if off > 0.0 { off / size } else { 0.0 });
        }
        (distance, if part > 0.0 { distance / part } else { 1.0 })
    }
}

/// What stays within this part of the largest of its kind may be rounding.
const LITTLE: f64 = 1e-3;

/// The largest of each entry, and no less than a part of the largest of all.
fn largest(all: impl Iterator<Item = Vec<f64>>) -> Vec<f64> {
    let mut largest: Vec<f64> = Vec::new();
    for sizes in all {
        largest.resize(sizes.len(), 0.0);
        largest.iter_mut().zip(sizes).for_each(|(largest, size)| *largest = largest.max(size));
    }
    let most = largest.iter().copied().fold(0.0, f64::max);
    largest.into_iter().map(|size| size.max(LITTLE * most)).collect()
}

fn sizes_of(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.abs()).collect()
}
