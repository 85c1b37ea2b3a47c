//! The flow by power series: Φ_τ(xₙ) = Π(Σ yₖ τᵏ), from one expansion at xₙ for all τ of its step.

use super::forces::unseen;
use super::stepper::Stepper;
use super::{Flow, Stuck};
use crate::options::{Method, Options};
#[cfg(feature = "batch")]
use crate::series::SeriesInLanes;
use crate::series::{Observed, Powers, Series, part_of_radius};
use crate::state::State;
use crate::system::System;
use eom_quadrature::{CENTRE, PAIRS, PAIRS_OF_15};

/// A step whose size the series does not limit is at most so many times the one before.
const GROWTH: f64 = 8.0;

/// Halvings of a step whose end cannot be brought to the constraints.
const HALVINGS: usize = 30;

/// The series at a base point.
#[derive(Debug, Clone)]
pub(super) struct Expansion {
    series: Series,
    /// A step in units of the radius of convergence.
    part: f64,
    /// aᵢ/r.
    floors: Vec<f64>,
    /// Whether it is that of the present base point, and whether the run has asked for it.
    present: bool,
    asked: bool,
    /// The step that it allows.
    reach: f64,
    /// The last step, of whose parts the dense output is asked.
    h: f64,
    /// y(t + τ) − y of the last trial, before Π.
    increment: Vec<f64>,
    /// Whether the last trial was one by series.
    pub(super) tried: bool,
    pub(super) expansions: u64,
}

impl Expansion {
    /// None where the run does not ask for it or the system has none.
    pub(super) fn new(system: &dyn System, options: &Options, absolute: &[f64]) -> Option<Self> {
        let (tolerance, order) = (options.relative_tolerance, options.order(system.info()));
        (options.method == Method::Taylor && system.has_series()).then(|| Self {
            series: Series::new(order),
            part: part_of_radius(order, tolerance),
            floors: absolute.iter().map(|a| a / tolerance).collect(),
            present: false,
            asked: false,
            reach: 0.0,
            h: 0.0,
            increment: vec![0.0; absolute.len()],
            tried: false,
            expansions: 0,
        })
    }
}

impl Expansion {
    /// A run begins, with [`Flow::forget_series`].
    pub(super) fn rewind(&mut self) {
        (self.reach, self.h, self.expansions) = (0.0, 0.0, 0);
    }
}

impl Flow<'_> {
    /// Whether steps are made by series in the present mode.
    pub(crate) fn follows_series(&self) -> bool {
        self.expansion.is_some() && self.field.is_plain()
    }

    /// Whether the last trial was one by series.
    pub(super) fn tried_series(&self) -> Option<&Expansion> {
        self.expansion.as_ref().filter(|expansion| expansion.tried)
    }

    /// The base point is another one, or the next trial is not by series.
    pub(crate) fn forget_series(&mut self) {
        if let Some(expansion) = &mut self.expansion {
            (expansion.present, expansion.asked, expansion.tried) = (false, false, false);
        }
    }

    /// Whether steps are made by series and that at the base point is not known.
    #[cfg(feature = "batch")]
    pub(crate) fn awaits_series(&self) -> bool {
        self.follows_series() && self.expansion.as_ref().is_some_and(|found| !found.present)
    }

    /// Takes the series at the base point from the lane in which it was made.
    #[cfg(feature = "batch")]
    pub(crate) fn take_series(&mut self, made: &SeriesInLanes, lane: usize) {
        if let Some(expansion) = &mut self.expansion {
            made.write(lane, &mut expansion.series);
            expansion.present = true;
        }
    }

    /// Makes the series at the base point, once.
    pub(crate) fn make_series(&mut self) {
        let Self { expansion: Some(expansion), field, base, .. } = self else { return };
        if !expansion.present {
            let (q, v) = base.parts();
            field.system.series(base.t.high, q, v, &field.inputs, &mut expansion.series);
            expansion.present = true;
        }
    }

    /// Expands at the base point, once.
    pub(crate) fn expand(&mut self) -> Result<(), Stuck> {
        self.make_series();
        let Self { expansion: Some(expansion), method, .. } = self else { return Ok(()) };
        if expansion.asked {
            return Ok(());
        }
        expansion.asked = true;
        expansion.expansions += 1;
        method.slope_mut().copy_from_slice(expansion.series.coefficients(1));
        expansion.reach = expansion.part * expansion.series.radius(&expansion.floors);
        if expansion.reach.is_nan() {
            let slope = self.not_finite(self.method.slope());
            let what = slope.unwrap_or_else(|| "the series of the motion".to_owned());
            return Err(Stuck::NonFinite { what });
        }
        Ok(())
    }

    /// The size of a step by series of at most `longest`; nothing has been tried yet.
    pub(crate) fn reach(&mut self, longest: f64) -> Result<f64, Stuck> {
        self.expand()?;
        let Some(expansion) = &mut self.expansion else { return Ok(longest) };
        let grown = GROWTH * self.step_size;
        self.step_size = if expansion.reach.is_finite() { expansion.reach } else { grown };
        expansion.h = self.step_size.min(longest);
        self.shorten_to_forces()
    }

    /// The size of the step, halved until it sees what acts.
    fn shorten_to_forces(&mut self) -> Result<f64, Stuck> {
        let Self { expansion: Some(expansion), watch, base, .. } = self else { return Ok(0.0) };
        let Some(watch) = watch else { return Ok(expansion.h) };
        let shortest = 4.0 * f64::EPSILON * base.t.high.abs().max(f64::MIN_POSITIVE);
        while expansion.h > shortest {
            let h = expansion.h;
            let first = expansion.series.coefficients(1);
            let state = |s: f64, y: &mut [f64]| {
                expansion.series.increment(s * h, y);
                y.iter_mut().zip(&base.y).for_each(|(y, base)| *y += base);
            };
            if watch.sees_curve((base.t.high, h), (&base.y, first), state) {
                return Ok(h);
            }
            expansion.h *= 0.5;
            self.rejected += 1;
            self.step_size = expansion.h;
        }
        Err(unseen())
    }

    /// The step is one of at most h.
    pub(crate) fn shorten(&mut self, h: f64) {
        if let Some(expansion) = &mut self.expansion {
            expansion.h = h;
        }
    }

    /// Makes a step of at most `longest` by series and leaves its end in `next`. Returns its size.
    pub(crate) fn step_series(&mut self, longest: f64) -> Result<f64, Stuck> {
        let mut h = self.reach(longest)?;
        for halvings in 0.. {
            match self.trial(h) {
                Ok(()) => break,
                Err(stuck) if halvings == HALVINGS || stuck.is_final() => return Err(stuck),
                Err(_) => h *= 0.5,
            }
            self.rejected += 1;
        }
        if let Some(expansion) = &mut self.expansion {
            expansion.h = h;
        }
        Ok(h)
    }

    /// next = Φ_τ(base) before Π.
    pub(crate) fn try_series(&mut self, τ: f64) -> Result<(), Stuck> {
        self.expand()?;
        let Self { expansion: Some(expansion), base, next, .. } = self else { return Ok(()) };
        expansion.tried = true;
        expansion.series.increment(τ, &mut expansion.increment);
        next.t = base.t.plus(τ);
        next.set_sum(base, &expansion.increment);
        Ok(())
    }

    /// Adds to the velocities of the base point, on whose constraints the result is.
    pub(crate) fn kick(&mut self, change: impl Iterator<Item = f64>) {
        self.forget_series();
        let first = self.base.positions;
        for (i, change) in change.enumerate() {
            self.base.add(first + i, change);
        }
    }

    /// Takes a kick back.
    pub(crate) fn kick_back(&mut self, before: &State) {
        self.forget_series();
        let (_, v) = self.base.y.split_at_mut(before.q.len());
        v.copy_from_slice(&before.v);
        self.base.low[before.q.len()..].fill(0.0);
    }

    /// Writes the observed value of an index on a step with these powers.
    pub(crate) fn observe(&self, index: usize, powers: &Powers, leaves: bool, to: &mut Observed) {
        if let Some(Expansion { series, .. }) = &self.expansion {
            series.observe(index, powers, leaves, to);
        }
    }

    /// ġ and g̈/2 of an observed value, by the series at the base point.
    pub(crate) fn observed_rates(&self, index: usize) -> [f64; 2] {
        self.expansion.as_ref().map_or([0.0; 2], |expansion| expansion.series.rates(index))
    }
}

impl Expansion {
    /// Writes y at the part s of the last step from y₀ = `base`.
    pub(super) fn dense(&self, s: f64, base: &[f64], y: &mut [f64]) {
        self.state(s * self.h, base, y);
    }

    /// Writes y(τ) from y₀ = `base`.
    pub(super) fn state(&self, τ: f64, base: &[f64], y: &mut [f64]) {
        self.series.increment(τ, y);
        y.iter_mut().zip(base).for_each(|(y, base)| *y += base);
    }

    pub(super) fn series(&self) -> &Series {
        &self.series
    }

    /// y(t + τ) − y of the last trial.
    pub(super) fn increment(&self) -> &[f64] {
        &self.increment
    }

    /// The nodes of the 15-point rule on a step τ from (t, y): weight, time and state of each.
    pub(super) fn stages(
        &self,
        (t, y, τ): (f64, &[f64], f64),
        visit: &mut dyn FnMut(f64, f64, &[f64]),
    ) {
        let mut point = vec![0.0; y.len()];
        let mut at = |x: f64, weight: f64| {
            let offset = 0.5 * τ * (1.0 + x);
            self.series.increment(offset, &mut point);
            point.iter_mut().zip(y).for_each(|(point, y)| *point += y);
            visit(0.5 * τ * weight, t + offset, &point);
        };
        at(0.0, CENTRE[1]);
        for (x, weights) in &PAIRS[..PAIRS_OF_15] {
            at(-x, weights[1]);
            at(*x, weights[1]);
        }
    }
}
