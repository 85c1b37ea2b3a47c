//! The run of the automaton: arcs of the flow, cut where the first guard crosses.

use super::contact::{GapRate, Probe};
use super::guards::Guards;
use super::locate::{Root, Search, Wanted, dense_root, solve};
use super::scan::{Crossing, Scan, Verdict};
use crate::end::End;
use crate::error::NotPositiveDefinite;
use crate::flow::{Flow, Stuck};
use crate::impact::ImpactMap;
use crate::options::{Options, Sampling};
use crate::state::State;
use crate::stats::Stats;
use crate::system::System;
use crate::trajectory::Event;

/// Far more than the dense output and the steps differ, as a part of the step: crossings whose
/// roots are closer than this are compared on steps, and brackets are wider by this.
const NEAR: f64 = 1e-6;

/// Roots on the dense output are found to this part of a step: Newton's method on steps goes on
/// from there.
const DENSE_TOLERANCE: f64 = 1e-11;

/// A crossing before this part of a step makes the step a shorter one.
const EARLY: f64 = 1.0 / 32.0;

/// The shorter step, in units of the time to that crossing. Two would put it on a sampling point.
const SHORTER: f64 = 2.5;

/// τ is told apart to this part of the step.
const RESOLUTION: f64 = 8.0 * f64::EPSILON;

/// A run under way.
pub(crate) struct Automaton<'a> {
    pub(super) system: &'a dyn System,
    pub(super) inputs: &'a [f64],
    pub(super) options: &'a Options,
    pub(super) flow: Flow<'a>,
    pub(super) guards: Guards<'a>,
    scan: Scan,
    pub(super) probe: Probe,
    pub(super) map: ImpactMap,
    /// Guards at the base point, or where they were last asked for.
    pub(super) values: Vec<f64>,
    dense: Vec<f64>,
    /// Zeros: floors of coordinates that are taken as exact.
    pub(super) exact: Vec<f64>,
    pub(super) samples: Vec<State>,
    pub(super) events: Vec<Event>,
    pub(super) stats: Stats,
    /// Changes of the state by impacts and resets.
    pub(super) jumps: usize,
    start: f64,
    /// Samples of a fixed interval taken so far.
    taken: u64,
}

/// Where an arc's step was cut.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    τ: f64,
    /// The guard that crosses there; none where a guard only came near.
    guard: Option<usize>,
}

impl<'a> Automaton<'a> {
    pub(crate) fn new(
        system: &'a dyn System,
        start: &State,
        inputs: &'a [f64],
        options: &'a Options,
    ) -> Self {
        let guards = Guards::new(system, inputs);
        Self {
            system,
            inputs,
            options,
            flow: Flow::new(system, start, inputs, options),
            scan: Scan::new(guards.count()),
            values: vec![0.0; guards.count()],
            dense: vec![0.0; 2 * start.q.len()],
            exact: vec![0.0; start.q.len()],
            guards,
            probe: Probe::new(system),
            map: ImpactMap::new(system),
            samples: vec![start.clone()],
            events: Vec::new(),
            stats: Stats::default(),
            jumps: 0,
            start: start.t,
            taken: 0,
        }
    }

    /// The time of the base point.
    pub(crate) fn t(&self) -> f64 {
        self.flow.base.t.high
    }

    /// (q, v) of the base point.
    pub(crate) fn parts(&self) -> (&[f64], &[f64]) {
        self.flow.base.parts()
    }

    /// The work done so far.
    pub(crate) fn stats(&self) -> Stats {
        Stats { evaluations: self.flow.evaluations(), rejected: self.flow.rejected, ..self.stats }
    }

    /// The samples, closed by the last state, and the events.
    pub(crate) fn finish(mut self) -> (Vec<State>, Vec<Event>) {
        let last = self.flow.base.state();
        if self.samples.last() != Some(&last) {
            self.samples.push(last);
        }
        (self.samples, self.events)
    }

    /// One step of the flow, to its end or to the first crossing in it, and the instant there.
    pub(crate) fn advance(&mut self) -> Result<(), End> {
        let t = self.t();
        let remaining = self.options.until_time.map(|end| self.flow.base.t.until(end));
        if remaining.is_some_and(|remaining| remaining <= 0.0) {
            return Err(End::ReachedTime { t });
        }
        if self.stats.steps >= self.options.steps_max {
            return Err(End::StepBudget { t, steps: self.stats.steps });
        }
        let longest = remaining.unwrap_or(f64::INFINITY).min(self.options.step_size_max);
        let (h, cut) = self.step(longest)?;
        self.stats.steps += 1;
        let Some(Cut { τ, guard }) = cut else {
            self.sample_between(h, h)?;
            if remaining == Some(h) {
                self.flow.land(self.options.until_time.unwrap_or(t));
            }
            self.flow.advance();
            self.guards.open_all();
            self.keep_sample();
            return Ok(());
        };
        if τ > 0.0 {
            self.sample_between(h, τ)?;
            self.flow.cut().map_err(|stuck| stuck.end(t))?;
            self.keep_sample();
        }
        let Some(guard) = guard else {
            self.evaluate_guards()?;
            self.guards.follow(&self.values);
            return Ok(());
        };
        let jumps = self.jumps;
        let outcome = self.instant(guard);
        if self.jumps != jumps {
            self.keep_sample();
        }
        outcome
    }

    /// A step, with the first point in (0, h] at which a guard crosses; the last trial was there.
    /// Where it is near the start the step is repeated with a size of its order: a free fall
    /// allows steps of any size, the bounces in it do not.
    fn step(&mut self, longest: f64) -> Result<(f64, Option<Cut>), End> {
        let t = self.t();
        let every = matches!(self.options.sampling, Sampling::Every(_));
        let mut longest = longest;
        loop {
            let h = self.flow.step(longest).map_err(|stuck| stuck.end(t))?;
            if self.guards.count() > 0 || every {
                self.flow.interpolate(h);
            }
            if self.guards.count() == 0 {
                return Ok((h, None));
            }
            let crossings = self.crossings(h)?;
            let Some(first) = crossings.iter().map(|(s, _)| *s).reduce(f64::min) else {
                return Ok((h, None));
            };
            if first >= EARLY || h <= f64::EPSILON * t.abs() {
                return Ok((h, self.first_cut(h, first, crossings)?));
            }
            longest = SHORTER * first.max(f64::EPSILON) * h;
            self.flow.step_size = longest;
            self.flow.rejected += 1;
        }
    }

    /// The first of the crossings of a step, solved on steps.
    fn first_cut(
        &mut self,
        h: f64,
        first: f64,
        mut crossings: Vec<(f64, Crossing)>,
    ) -> Result<Option<Cut>, End> {
        crossings.retain(|(s, _)| *s <= first + NEAR);
        let mut cut: Option<Cut> = None;
        for &(s, crossing) in &crossings {
            let found = self.locate(s, crossing, h)?;
            if cut.is_none_or(|cut| found.τ < cut.τ) {
                cut = Some(found);
            }
        }
        if let Some(Cut { τ, .. }) = cut.filter(|cut| crossings.len() > 1 && cut.τ > 0.0) {
            let t = self.t();
            self.flow.trial(τ).map_err(|stuck| stuck.end(t))?;
        }
        Ok(cut)
    }

    /// The first crossing of each guard on the dense output, with its root. Where there are none
    /// the sides are carried on.
    fn crossings(&mut self, h: f64) -> Result<Vec<(f64, Crossing)>, End> {
        let Self { flow, guards, scan, dense, values, .. } = self;
        let t = flow.base.t.high;
        let mut at = |s: f64, values: &mut [f64]| {
            if s == 0.0 {
                guards.values(t, &flow.base.y, values);
            } else if s == 1.0 {
                guards.values(flow.next.t.high, &flow.next.y, values);
            } else {
                flow.dense(s, dense);
                guards.values(t + s * h, dense, values);
            }
        };
        scan.sample(&mut at);
        let mut found = Vec::new();
        for guard in 0..guards.count() {
            let mut value = |s: f64| {
                at(s, values);
                values[guard]
            };
            match scan.first_crossing(guards, guard, &mut value) {
                Verdict::Clear => {}
                Verdict::Crosses(crossing) => {
                    let Crossing { side, low, high, .. } = crossing;
                    let s = dense_root(low, high, DENSE_TOLERANCE, |s| side * value(s));
                    found.push((s, crossing));
                }
                Verdict::Unresolved { until } => {
                    let guard = guards.name(guard);
                    return Err(End::UnresolvedEvent { t, until: t + until * h, guard });
                }
                Verdict::NotFinite => {
                    let what = format!("the guard of {}", guards.name(guard));
                    return Err(End::NonFinite { t, what });
                }
            }
        }
        if found.is_empty() {
            at(1.0, values);
            guards.follow(values);
        }
        Ok(found)
    }

    /// Solves a crossing on steps.
    fn locate(&mut self, s: f64, crossing: Crossing, h: f64) -> Result<Cut, End> {
        let Crossing { guard, side, low, high } = crossing;
        let rounding = self.guard_rounding(guard);
        let Self { flow, guards, dense, values, stats, .. } = self;
        let t = flow.base.t.high;
        let (left, right) = ((s - 1e-5).max(0.0), (s + 1e-5).min(1.0));
        let mut on_dense = |s: f64| {
            flow.dense(s, dense);
            guards.values(t + s * h, dense, values);
            side * values[guard]
        };
        let slope = (on_dense(right) - on_dense(left)) / ((right - left) * h);
        let wanted = if guards.contact(guard).is_some() { Wanted::Before } else { Wanted::After };
        let search = Search {
            guess: s * h,
            slope,
            low: low * h * (1.0 - NEAR),
            high: (high * h * (1.0 + NEAR)).min(h),
            end: h,
            resolution: (RESOLUTION * h).max((rounding / slope).abs().min(NEAR * h)),
            wanted,
        };
        let root = solve(search, |τ| {
            stats.root_iterations += 1;
            flow.trial(τ)?;
            guards.values(flow.next.t.high, &flow.next.y, values);
            Ok(side * values[guard])
        });
        match root.map_err(|stuck| stuck.end(t))? {
            Root::At(τ) => Ok(Cut { τ, guard: Some(guard) }),
            Root::None(τ) => Ok(Cut { τ, guard: None }),
            Root::AtStart if guards.is_leaving(guard) => {
                Err(End::UnresolvedEvent { t, until: t + high * h, guard: guards.name(guard) })
            }
            Root::AtStart => Ok(Cut { τ: 0.0, guard: Some(guard) }),
        }
    }

    /// What rounding of the coordinates does to a gap: ε Σ |∂g/∂qⱼ||qⱼ|. Of other guards nothing
    /// is known.
    fn guard_rounding(&mut self, guard: usize) -> f64 {
        let Some(contact) = self.guards.contact(guard) else { return 0.0 };
        let (q, _) = self.flow.base.parts();
        let exact = &self.exact[..q.len()];
        let t = self.flow.base.t.high;
        f64::EPSILON * self.probe.gap_scale(self.system, contact, t, q, exact)
    }

    /// Evaluates all guards at the base point.
    pub(super) fn evaluate_guards(&mut self) -> Result<(), End> {
        let t = self.t();
        self.guards.values(t, &self.flow.base.y, &mut self.values);
        match self.values.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(guard) => {
                Err(End::NonFinite { t, what: format!("the guard of {}", self.guards.name(guard)) })
            }
        }
    }

    /// ġ of a contact at the base point.
    pub(super) fn gap_rate(&mut self, contact: usize) -> Result<GapRate, End> {
        let t = self.t();
        let rate = self.probe.rate(self.system, contact, t, &self.flow.base.y);
        rate.map_err(|error| no_metric(t, error))
    }

    /// g̈ of a contact along the flow from the base point, and its rounding.
    pub(super) fn gap_acceleration(&mut self, contact: usize) -> Result<(f64, f64), End> {
        let t = self.t();
        let Self { probe, system, flow, .. } = self;
        probe
            .acceleration(*system, contact, t, &flow.base.y, flow.slope(), flow.step_size)
            .map_err(|error| no_metric(t, error))
    }

    /// Keeps the base point where every step is wanted.
    fn keep_sample(&mut self) {
        if self.options.sampling == Sampling::Steps {
            self.samples.push(self.flow.base.state());
        }
    }

    /// Keeps the samples of a fixed interval in (0, τ] of a step h.
    fn sample_between(&mut self, h: f64, τ: f64) -> Result<(), End> {
        let Sampling::Every(interval) = self.options.sampling else { return Ok(()) };
        loop {
            let wanted = self.start + (self.taken + 1) as f64 * interval;
            let offset = self.flow.base.t.until(wanted);
            if offset > τ {
                return Ok(());
            }
            let t = self.t();
            let sample = self.flow.sample(offset / h, h).map_err(|stuck| stuck.end(t))?;
            self.samples.push(State { t: wanted, ..sample });
            self.taken += 1;
        }
    }
}

fn no_metric(t: f64, error: NotPositiveDefinite) -> End {
    Stuck::NonFinite { what: error.to_string() }.end(t)
}
