//! The run: arcs by power series, instants where a guard crosses.
//!
//! ```text
//! repeat  series at x;  h ← its step, at most to the end
//!         for each guard: verdict on (0, h]
//!         if the first that is not `keeps` is undecided: x ← Φ_τ(x), the run ends
//!         x ← Φ_τ(x) or Φ_h(x);  at a crossing: the impact of the contact, then the events that fire
//! ```
//!
//! A guard within ρ = 10^(2−d)·size of zero, of d digits, cannot be told from 0, the size being that of the terms that
//! it is a sum of.

mod ahead;
mod happening;

use crate::instant::Instant;
use crate::motion::{Exact, Motion};
use crate::number::{Precision, Real};
use crate::outline::Outline;
use crate::record::Recorder;
use crate::series::NoValue;
use eom_core::info::SystemInfo;
use eom_core::{End, Options, Progress, State, Unfollowed};
use std::ops::ControlFlow;

/// Digits at the end of a number that are not trusted where it is compared with 0.
const UNTRUSTED: u32 = 2;

/// Beyond this time a run that only impacts end is given up.
const TIME_MAX: f64 = 1e15;

/// Steps without an impact before a run that only impacts end is given up.
const STEPS_WITHOUT: u64 = 2_000;

/// A guard, on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// −1 or 1; 0 is a guard that is 0 for good.
    On(i8),
    /// At zero: its derivatives tell the side that it leaves to.
    Leaving,
}

/// A run.
pub(crate) struct Runner<'r> {
    outline: &'r Outline,
    info: &'r SystemInfo,
    options: &'r Options,
    precision: Precision,
    motion: Motion<'r>,
    /// The slopes at the end of a step.
    slopes: Motion<'r>,
    instant: Instant<'r>,
    at: Exact,
    sides: Vec<Side>,
    /// Whether the last impact of a contact left it a rate.
    rebounds: Vec<bool>,
    /// How large t and the entries of (q, v) were in the last step.
    scales: Vec<f64>,
    recorder: &'r mut Recorder,
    /// The step before the last instant: none when the run begins.
    steps_without: u64,
    until: Option<Real>,
    counted: usize,
}

/// What comes first in a step.
enum Next {
    /// These guards cross at this part of it.
    Crossing(Real, Vec<usize>),
    /// This one cannot be told there.
    Undecided { part: Real, guard: usize, value: Real },
    /// Nothing.
    Nothing,
}

impl<'r> Runner<'r> {
    pub(crate) fn new(
        outline: &'r Outline,
        info: &'r SystemInfo,
        (options, precision): (&'r Options, Precision),
        (at, fixed): (Exact, Vec<Real>),
        recorder: &'r mut Recorder,
    ) -> Self {
        let slopes = Motion::of_slopes(outline, precision, fixed.clone());
        let motion = Motion::new(outline, precision, fixed);
        let instant = Instant::new(outline, precision);
        let until = options.until_time.and_then(|t| precision.written(t));
        Self {
            outline,
            info,
            options,
            precision,
            motion,
            slopes,
            instant,
            at,
            sides: Vec::new(),
            rebounds: vec![false; outline.contacts.len()],
            scales: Vec::new(),
            recorder,
            steps_without: 0,
            until,
            counted: 0,
        }
    }

    /// Runs to the end, or until the observer stops it.
    pub(crate) fn run(
        &mut self,
        observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> End {
        if let Err(end) = self.start() {
            return end;
        }
        loop {
            let State { t, q, v } = self.recorder.state(&self.at);
            let progress = Progress { t, q: &q, v: &v, stats: self.recorder.stats };
            if observer(&progress).is_break() {
                return End::Interrupted { t };
            }
            if let Err(end) = self.step() {
                return end;
            }
        }
    }

    fn t(&self) -> f64 {
        self.at.t.to_f64()
    }

    /// A number beside 1 that cannot be told from 0.
    fn untold(&self) -> f64 {
        self.precision.part(UNTRUSTED)
    }

    fn undefined(&self, why: NoValue) -> End {
        End::NonFinite { t: self.t(), what: why.0 }
    }

    /// Takes note of how large the entries of the state are, beside those before.
    fn scale(&mut self, before: &[f64]) {
        let entries = [&self.at.t].into_iter().chain(&self.at.y).enumerate();
        let scale = |(index, entry): (usize, &Real)| {
            let size = entry.to_f64().abs();
            before.get(index).map_or(size, |before| size.max(*before))
        };
        self.scales = entries.map(scale).collect();
    }

    /// The sides at the start; contacts that touch there are struck if they close.
    fn start(&mut self) -> Result<(), End> {
        self.load()?;
        self.scale(&[]);
        let energy = self.instant.value(self.outline.energy);
        self.recorder.begin(&self.at, energy);
        self.sides = self.sides_here();
        let touching: Vec<usize> = (0..self.outline.contacts.len())
            .filter(|contact| {
                let outline = &self.outline.contacts[*contact];
                let gap = self.instant.value(outline.gap);
                let near = self.sides[*contact] == Side::Leaving || gap.sign() < 0;
                near && self.instant.is_armed(outline)
            })
            .collect();
        for contact in &touching {
            self.sides[*contact] = Side::Leaving;
        }
        let closing = touching
            .iter()
            .copied()
            .filter(|contact| self.instant.rate(&self.outline.contacts[*contact]).sign() < 0);
        match closing.collect::<Vec<_>>().as_slice() {
            [] => Ok(()),
            [contact] if touching.len() == 1 => self.struck(*contact),
            [contact, ..] => Err(self.not_followed(*contact, Unfollowed::Together)),
        }
    }

    fn load(&mut self) -> Result<(), End> {
        let loaded = self.instant.load(&self.at, &self.motion.fixed);
        loaded.map_err(|why| self.undefined(why))
    }

    /// The sides of all guards at the loaded state.
    fn sides_here(&self) -> Vec<Side> {
        let sizes = self.instant.sizes(&self.scales);
        let guards = self.outline.guards();
        let side = |node: usize| {
            let value = self.instant.value(node);
            let near = value.to_f64().abs() <= self.untold() * sizes[node];
            if near { Side::Leaving } else { Side::On(value.sign()) }
        };
        guards.into_iter().map(side).collect()
    }

    /// One step, to its end or to the first crossing in it.
    fn step(&mut self) -> Result<(), End> {
        if self.recorder.stats.steps >= self.options.steps_max {
            return Err(End::StepBudget { t: self.t(), steps: self.options.steps_max });
        }
        let expanded = self.motion.expand(&self.at);
        expanded.map_err(|why| self.undefined(why))?;
        let (length, last) = self.length()?;
        let (length, last) = self.told(length, last);
        let next = self.next(&length)?;
        let (time, last) = match &next {
            Next::Crossing(part, _) | Next::Undecided { part, .. } => (&length * part, false),
            Next::Nothing => (length, last),
        };
        let before = self.go(&time, last)?;
        match next {
            Next::Nothing if last => {
                self.load()?;
                self.recorder.arc_ends(&self.at, self.instant.value(self.outline.energy));
                Err(End::ReachedTime { t: self.t() })
            }
            Next::Nothing => self.count_step(&before, time.to_f64()),
            Next::Undecided { guard, value, .. } => Err(self.unresolved(guard, &value)),
            Next::Crossing(_, guards) => {
                self.steps_without = 0;
                self.at_crossing(&guards)
            }
        }
    }

    /// Goes on by a time, to the end where this is the last step; the time before.
    fn go(&mut self, time: &Real, last: bool) -> Result<Real, End> {
        let mut after = self.motion.after(&self.at, time);
        if let Some(until) = self.until.as_ref().filter(|_| last) {
            after.t.clone_from(until);
        }
        if !after.y.iter().all(|entry| entry.to_f64().is_finite()) {
            return Err(End::NonFinite { t: self.t(), what: "the state in doubles".to_owned() });
        }
        self.recorder.arc(&self.motion, &self.at, time);
        self.scale(&[]);
        let before = std::mem::replace(&mut self.at, after);
        let scales = std::mem::take(&mut self.scales);
        self.scale(&scales);
        self.recorder.stats.steps += 1;
        self.recorder.stats.expansions += 1;
        Ok(before.t)
    }

    /// Gives up a run that only impacts end, where none comes.
    fn count_step(&mut self, before: &Real, step: f64) -> Result<(), End> {
        self.steps_without += 1;
        let stands = self.at.t == *before;
        if stands {
            return Err(End::StepUnderflow { t: self.t(), step });
        }
        let is_late = self.steps_without >= STEPS_WITHOUT || self.t().abs() >= TIME_MAX;
        if self.until.is_none() && is_late {
            return Err(End::NoImpact { t: self.t(), impacts: self.recorder.stats.impacts });
        }
        Ok(())
    }

    fn unresolved(&mut self, guard: usize, value: &Real) -> End {
        let rounding = match self.load() {
            Ok(()) => {
                self.untold() * self.instant.sizes(&self.scales)[self.outline.guards()[guard]]
            }
            Err(end) => return end,
        };
        self.recorder.arc_ends(&self.at, self.instant.value(self.outline.energy));
        End::UnresolvedEvent {
            t: self.t(),
            guard: self.name(guard),
            value: value.to_f64(),
            rounding,
        }
    }

    fn name(&self, guard: usize) -> &'static str {
        let contacts = self.info.contacts;
        match guard.checked_sub(contacts.len()) {
            None => contacts[guard].name,
            Some(event) => self.info.events[event].name,
        }
    }

    fn not_followed(&self, contact: usize, why: Unfollowed) -> End {
        End::NotFollowed { t: self.t(), contact: self.info.contacts[contact].name, why }
    }
}
