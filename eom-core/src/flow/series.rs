//! The flow by power series: Φ_τ(xₙ) = Π(Σ yₖ τᵏ), from one expansion at xₙ for all τ of its step.

use super::{Flow, Stuck};
use crate::options::{Method, Options};
use crate::series::{Series, inverse_root, order_of, part_of_radius};
use crate::state::State;
use crate::system::System;
use eom_quadrature::{CENTRE, PAIRS, PAIRS_OF_15};

/// A step whose size the series does not limit is at most so many times the one before.
const GROWTH: f64 = 8.0;

/// The last terms of a guard on a step. It says where a crossing is; how exactly, the motion does.
const LAST_TERMS: f64 = 1e-8;

/// The margin with which a step is made shorter for a guard.
const SHORTER: f64 = 0.9;

/// Halvings of a step whose end cannot be brought to the constraints.
const HALVINGS: usize = 30;

/// The series at a base point.
#[derive(Debug)]
pub(super) struct Expansion {
    series: Series,
    /// A step in units of the radius of convergence.
    part: f64,
    /// aᵢ/r.
    floors: Vec<f64>,
    /// Whether it is that of the present base point.
    present: bool,
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
        let tolerance = options.relative_tolerance;
        let order = options.series_order.unwrap_or_else(|| order_of(tolerance));
        (options.method == Method::Taylor && system.has_series()).then(|| Self {
            series: Series::new(order),
            part: part_of_radius(order, tolerance),
            floors: absolute.iter().map(|a| a / tolerance).collect(),
            present: false,
            reach: 0.0,
            h: 0.0,
            increment: vec![0.0; absolute.len()],
            tried: false,
            expansions: 0,
        })
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
    pub(super) fn forget_series(&mut self) {
        if let Some(expansion) = &mut self.expansion {
            (expansion.present, expansion.tried) = (false, false);
        }
    }

    /// Expands at the base point, once.
    pub(crate) fn expand(&mut self) -> Result<(), Stuck> {
        let Self { expansion: Some(expansion), field, base, method, .. } = self else {
            return Ok(());
        };
        if expansion.present {
            return Ok(());
        }
        let (q, v) = base.y.split_at(field.positions);
        field.system.series(base.t.high, q, v, field.inputs, &mut expansion.series);
        expansion.expansions += 1;
        method.first_stage().copy_from_slice(&expansion.series.coefficients(1)[..base.y.len()]);
        expansion.present = true;
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
        Ok(expansion.h)
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
                Err(stuck) if halvings == HALVINGS => return Err(stuck),
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

    /// The observed value of an index as a polynomial in the part s of a step h: γₖ hᵏ.
    pub(crate) fn observed(&self, index: usize, h: f64, polynomial: &mut Vec<f64>) {
        let Some(Expansion { series, .. }) = &self.expansion else { return };
        polynomial.resize(series.order() + 1, 0.0);
        series.observed(index, h, polynomial);
    }

    /// The part of a step on which a polynomial in the part of it has small last terms: none where that
    /// is all of it.
    ///
    /// ```text
    /// |c_P₋₁| + |c_P| ≤ 10⁻⁸ max|cₖ|
    /// ```
    pub(crate) fn part_that_converges(polynomial: &[f64]) -> Option<f64> {
        let [.., before, last] = polynomial else { return None };
        let largest = polynomial.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
        let rest = (before.abs() + last.abs()) / (LAST_TERMS * largest);
        (rest > 1.0).then(|| SHORTER * inverse_root(rest, 1.0 / (polynomial.len() - 1) as f64))
    }
}

impl Expansion {
    /// Writes y at the part s of the last step from y₀ = `base`.
    pub(super) fn dense(&self, s: f64, base: &[f64], y: &mut [f64]) {
        self.series.increment(s * self.h, y);
        y.iter_mut().zip(base).for_each(|(y, base)| *y += base);
    }

    /// The size of each slope from the entry `first` on over the last trial τ: that at its start, or
    /// the mean one.
    pub(super) fn mean_slopes(&self, first: usize, τ: f64, sizes: &mut [f64]) {
        let starts = &self.series.coefficients(1)[first..];
        for ((size, start), change) in sizes.iter_mut().zip(starts).zip(&self.increment[first..]) {
            *size = start.abs().max((change / τ).abs());
        }
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
