//! What is said of one run as a whole: that it stops, a value at a time, that it comes back, that there is none.
//!
//! ```text
//! returns     max |y_i(T) − y_i(0)|, of an angle φ |φ − φ₀| mod 2π, of a rotation the smaller of |r − r₀| and |r + r₀|
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
        Ok(Self { info: system.info(), start, end, rest: trajectory.rest })
    }

    /// When it comes to rest for good.
    pub(crate) fn stops(&self) -> Result<f64, AnalysisError> {
        self.rest.ok_or(AnalysisError::Moves { t: self.end.t })
    }

    /// An entry of the state at the end, by its name in ASCII.
    pub(crate) fn value(&self, name: &str) -> Result<f64, AnalysisError> {
        let all = entries(self.info);
        let place = find(&all, name);
        place.and_then(|place| self.end.q.iter().chain(&self.end.v).nth(place)).copied().ok_or_else(
            || AnalysisError::NoSuchEntry {
                name: name.to_owned(),
                known: list(all.iter().map(|entry| entry.name.as_str())),
            },
        )
    }

    /// How far the end is from the start.
    pub(crate) fn distance(&self) -> f64 {
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
        of_coordinates.chain(rates).map(f64::abs).chain(rotations.map(turned)).fold(0.0, f64::max)
    }
}
