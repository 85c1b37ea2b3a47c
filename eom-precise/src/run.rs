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

use crate::guard::{Scan, Verdict};
use crate::instant::{Impossible, Instant, Struck};
use crate::motion::{Exact, Motion};
use crate::number::{Precision, Real};
use crate::outline::Outline;
use crate::record::{Recorder, What};
use crate::series::NoValue;
use eom_core::info::SystemInfo;
use eom_core::{End, EventCount, ImpactError, Options, Progress, State, Unfollowed};
use eom_symbolic::mechanics::declared::Direction;
use std::ops::ControlFlow;

/// Digits at the end of a number that are not trusted where it is compared with 0.
const UNTRUSTED: u32 = 2;

/// Beyond this time a run that only impacts end is given up.
const TIME_MAX: f64 = 1e15;

/// Steps without an impact before a run that only impacts end is given up.
const STEPS_WITHOUT: u64 = 10_000;

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
    /// These guards cross at this time of it.
    Crossing(Real, Vec<usize>),
    /// This one cannot be told.
    Undecided { time: Real, guard: usize, value: Real },
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
        let motion = Motion::new(outline, precision, fixed);
        let instant = Instant::new(outline, precision);
        let until = options.until_time.and_then(|t| precision.written(t));
        Self {
            outline,
            info,
            options,
            precision,
            motion,
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

    /// 2^this is a number next to 1 that cannot be told from 0.
    fn untold(&self) -> f64 {
        10_f64.powi(UNTRUSTED as i32 - self.precision.digits() as i32)
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
        touching.iter().for_each(|contact| self.sides[*contact] = Side::Leaving);
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
        let next = self.next(&length)?;
        let (time, cut) = match &next {
            Next::Crossing(part, _) | Next::Undecided { time: part, .. } => (&length * part, true),
            Next::Nothing => (length, false),
        };
        self.recorder.arc(&self.motion, &self.at, &time);
        let t = self.at.t.clone();
        self.scale(&[]);
        self.at = self.motion.after(&self.at, &time);
        if !cut
            && last
            && let Some(until) = &self.until
        {
            self.at.t.clone_from(until);
        }
        let before = std::mem::take(&mut self.scales);
        self.scale(&before);
        if !self.at.y.iter().all(|entry| entry.to_f64().is_finite()) {
            return Err(End::NonFinite { t: t.to_f64(), what: "the state in doubles".to_owned() });
        }
        self.recorder.stats.steps += 1;
        self.recorder.stats.expansions += 1;
        match next {
            Next::Nothing => {
                if last {
                    self.load()?;
                    self.recorder.arc_ends(&self.at, self.instant.value(self.outline.energy));
                    return Err(End::ReachedTime { t: self.t() });
                }
                self.count_step(&t, time.to_f64())
            }
            Next::Undecided { guard, value, .. } => Err(self.unresolved(guard, &value)),
            Next::Crossing(_, guards) => {
                self.steps_without = 0;
                self.at_crossing(&guards)
            }
        }
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

    /// The length of the step, and whether it is the last one.
    fn length(&self) -> Result<(Real, bool), End> {
        let own = self.motion.step(&self.at.t, &self.scales).min(self.options.step_size_max);
        let length = self.precision.double(own).filter(|length| length.sign() > 0);
        let length = length.ok_or(End::StepUnderflow { t: self.t(), step: own })?;
        let Some(until) = &self.until else { return Ok((length, false)) };
        let left = until - &self.at.t;
        Ok(if left <= length { (left, true) } else { (length, false) })
    }

    /// The first thing that a guard does within the step.
    fn next(&mut self, length: &Real) -> Result<Next, End> {
        let sizes = self.motion.sizes(&self.scales);
        let mut crossings: Vec<(Real, usize)> = Vec::new();
        let mut undecided: Option<(Real, usize, Real)> = None;
        for (guard, node) in self.outline.guards().into_iter().enumerate() {
            let rounding = self.untold() * sizes[node];
            let coefficients = self.motion.scaled(node, length);
            let Some((side, coefficients, power)) = self.guarded(guard, coefficients, rounding)?
            else {
                continue;
            };
            let scan = Scan {
                precision: self.precision,
                side,
                rounding: if power > 0 { 0.0 } else { rounding },
            };
            match scan.first(&coefficients) {
                Verdict::Keeps => {}
                Verdict::Crosses(at) => crossings.push((at, guard)),
                Verdict::Undecided { at, value } => {
                    if undecided.as_ref().is_none_or(|(first, ..)| at < *first) {
                        undecided = Some((at, guard, value));
                    }
                }
            }
        }
        let first = crossings
            .iter()
            .map(|(at, _)| at)
            .min_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let Some(first) = first.cloned() else {
            return Ok(undecided.map_or(Next::Nothing, |(time, guard, value)| Next::Undecided {
                time,
                guard,
                value,
            }));
        };
        if let Some((time, guard, value)) = undecided.filter(|(at, ..)| *at <= first) {
            return Ok(Next::Undecided { time, guard, value });
        }
        // Times that cannot be told apart are one.
        let t = &self.at.t.abs() + length;
        let near = self.untold() * (t.over(length).map_or(1.0, |ratio| ratio.to_f64()));
        let together = crossings.into_iter().filter(|(at, _)| (at - &first).to_f64() <= near);
        let guards = together.map(|(_, guard)| guard).collect();
        Ok(Next::Crossing(first, guards))
    }

    /// The side of a guard and its coefficients, without the zeros of one that leaves; by which power of s they are
    /// divided then. None of one that is 0 for good.
    fn guarded(
        &mut self,
        guard: usize,
        coefficients: Vec<Real>,
        rounding: f64,
    ) -> Result<Option<(i8, Vec<Real>, usize)>, End> {
        let is_contact = guard < self.outline.contacts.len();
        match self.sides[guard] {
            Side::On(0) => return Ok(None),
            Side::On(side) => return Ok(Some((side, coefficients, 0))),
            Side::Leaving => {}
        }
        let sizes: Vec<f64> = coefficients.iter().map(|c| c.to_f64().abs()).collect();
        let largest = sizes.iter().skip(1).copied().fold(0.0, f64::max);
        let told =
            |power: &usize| sizes.get(*power).is_some_and(|size| *size > self.untold() * largest);
        // What is rounding all over is 0 for good.
        let power = (1..sizes.len()).find(told).filter(|_| largest > rounding);
        let Some(power) = power else {
            if is_contact && sizes[0] <= rounding {
                return Err(self.not_followed(guard, Unfollowed::Rests));
            }
            self.sides[guard] = Side::On(0);
            return Ok(None);
        };
        let side = coefficients[power].sign();
        if is_contact && power > 1 && side < 0 {
            let bounced = self.rebounds[guard];
            let why = if bounced { Unfollowed::Accumulates } else { Unfollowed::Rests };
            return Err(self.not_followed(guard, why));
        }
        if is_contact && side < 0 && self.instant.is_armed(&self.outline.contacts[guard]) {
            return Err(self.not_followed(guard, Unfollowed::Together));
        }
        if is_contact && power == 1 && side > 0 {
            // The flight to come: how high, and how long beside the time that has passed.
            let [rate, half] = [1, 2].map(|k| coefficients.get(k).map_or(0.0, Real::to_f64));
            let height = -0.25 * rate * rate / half;
            if half < 0.0 && height <= rounding {
                return Err(self.not_followed(guard, Unfollowed::Accumulates));
            }
        }
        self.sides[guard] = Side::On(side);
        Ok(Some((side, coefficients[power..].to_vec(), power)))
    }

    fn not_followed(&self, contact: usize, why: Unfollowed) -> End {
        End::NotFollowed { t: self.t(), contact: self.info.contacts[contact].name, why }
    }

    /// What guards do that cross here.
    fn at_crossing(&mut self, guards: &[usize]) -> Result<(), End> {
        self.load()?;
        self.recorder.arc_ends(&self.at, self.instant.value(self.outline.energy));
        let contacts = self.outline.contacts.len();
        let mut falls = Vec::new();
        let mut fired = Vec::new();
        for guard in guards {
            let Side::On(side) = self.sides[*guard] else { continue };
            self.sides[*guard] = Side::Leaving;
            match guard.checked_sub(contacts) {
                None if side > 0 && self.instant.is_armed(&self.outline.contacts[*guard]) => {
                    falls.push(*guard)
                }
                None => {}
                Some(event) if fires(self.outline.events[event].direction, side) => {
                    fired.push(event)
                }
                Some(_) => {}
            }
        }
        if let Some(contact) = falls.first() {
            self.struck(*contact)?;
        }
        for event in fired {
            self.declared(event)?;
        }
        Ok(())
    }

    /// The impact of a contact, which nothing else touches.
    fn struck(&mut self, contact: usize) -> Result<(), End> {
        let outline = &self.outline.contacts[contact];
        let others = (0..self.outline.contacts.len()).filter(|other| *other != contact);
        let sizes = self.instant.sizes(&self.scales);
        let touches = |other: &usize| {
            let other = &self.outline.contacts[*other];
            let near =
                self.instant.value(other.gap).to_f64().abs() <= self.untold() * sizes[other.gap];
            near && self.instant.is_armed(other)
        };
        if others.into_iter().any(|other| touches(&other)) {
            return Err(self.not_followed(contact, Unfollowed::Together));
        }
        let made = self
            .instant
            .impact(outline, self.options.law)
            .map_err(|why| self.impossible(contact, why))?;
        let Struck { y, rates, impulse, dropped } = made;
        let speed = rates[0].to_f64().abs();
        if rates[1].to_f64() < -self.untold() * speed {
            let name = self.info.contacts[contact].name;
            return Err(End::LawLeavesGapClosing {
                t: self.t(),
                contact: name,
                rate: rates[1].to_f64(),
            });
        }
        self.rebounds[contact] = rates[1].to_f64() > self.untold() * speed;
        self.recorder.stats.impacts += 1;
        let what = What::Impact { contact, rates, impulse, dropped };
        self.jump(what, y)?;
        self.check_rows(contact)?;
        let wanted =
            self.options.until_impacts.filter(|wanted| self.recorder.stats.impacts >= *wanted);
        if let Some(impacts) = wanted {
            return Err(End::ReachedImpacts { t: self.t(), impacts });
        }
        self.budget()
    }

    /// The constraints have to hold after an impact, those that were left out in it too.
    fn check_rows(&self, contact: usize) -> Result<(), End> {
        let half = 10_f64.powi(-(self.precision.digits() as i32) / 2);
        let broken = self.instant.residuals().into_iter().enumerate();
        let mut broken = broken.filter(|(_, (residual, size))| residual.abs() > half * size);
        let Some((row, (residual, _))) = broken.next() else { return Ok(()) };
        let error = ImpactError::LeavesConstraint { row, residual };
        let contact = self.info.contacts[contact].name;
        Err(End::ImpossibleImpact { t: self.t(), contact, error })
    }

    fn impossible(&self, contact: usize, why: Impossible) -> End {
        let name = self.info.contacts[contact].name;
        match why {
            Impossible::NoValue(why) => self.undefined(why),
            Impossible::Law(ImpactError::LeavesGapClosing { rate }) => {
                End::LawLeavesGapClosing { t: self.t(), contact: name, rate }
            }
            Impossible::Law(error) => End::ImpossibleImpact { t: self.t(), contact: name, error },
        }
    }

    /// A declared event, with its resets.
    fn declared(&mut self, event: usize) -> Result<(), End> {
        self.recorder.stats.events += 1;
        let y = self.instant.reset(event);
        self.jump(What::Event(event), y)?;
        self.check_gaps()?;
        self.strike_what_closes()?;
        let counts = |of: Option<usize>| of.is_none_or(|of| of == event);
        if self
            .options
            .until_events
            .is_some_and(|EventCount { event, .. }| event.is_some() && counts(event))
        {
            self.counted += 1;
        }
        self.budget()
    }

    /// A contact on whose surface a reset put the state is struck where it closes.
    fn strike_what_closes(&mut self) -> Result<(), End> {
        let closes = (0..self.outline.contacts.len()).find(|index| {
            let contact = &self.outline.contacts[*index];
            let touches = self.sides[*index] == Side::Leaving && self.instant.is_armed(contact);
            touches && self.instant.rate(contact).sign() < 0
        });
        closes.map_or(Ok(()), |contact| self.struck(contact))
    }

    /// Refuses what a reset put behind a contact.
    fn check_gaps(&self) -> Result<(), End> {
        for (index, contact) in self.outline.contacts.iter().enumerate() {
            let gap = self.instant.value(contact.gap);
            if self.sides[index] == Side::On(-1) && self.instant.is_armed(contact) {
                let (contact, gap) = (self.info.contacts[index].name, gap.to_f64());
                return Err(End::Penetrates { t: self.t(), contact, gap, tolerance: 0.0 });
            }
        }
        Ok(())
    }

    /// From the state to another at the same time.
    fn jump(&mut self, what: What, y: Vec<Real>) -> Result<(), End> {
        let before = self.at.clone();
        let guards = self.outline.guards();
        let values = |instant: &Instant<'_>| -> Vec<Real> {
            guards.iter().map(|node| instant.value(*node)).collect()
        };
        let old = values(&self.instant);
        self.at.y = y;
        self.load()?;
        self.recorder.jump(what, &before, &self.at, self.instant.value(self.outline.energy));
        let new = values(&self.instant);
        let sides = self.sides_here();
        for (index, side) in sides.into_iter().enumerate() {
            // A guard that has just crossed and that the jump leaves stays at zero.
            let stays = self.sides[index] == Side::Leaving && old[index] == new[index];
            if !stays {
                self.sides[index] = side;
            }
        }
        Ok(())
    }

    /// Ends that are counted.
    fn budget(&self) -> Result<(), End> {
        let stats = &self.recorder.stats;
        let all = stats.impacts + stats.events;
        if let Some(EventCount { event, count }) = self.options.until_events {
            let reached = if event.is_some() { self.counted } else { all };
            if reached >= count {
                let event = event.map(|event| self.info.events[event].name);
                return Err(End::ReachedEvents { t: self.t(), event, events: count });
            }
        }
        if all >= self.options.events_max {
            return Err(End::EventBudget { t: self.t(), events: all });
        }
        Ok(())
    }
}

/// Whether an event fires that comes from a side.
fn fires(direction: Direction, side: i8) -> bool {
    match direction {
        Direction::Falling => side > 0,
        Direction::Rising => side < 0,
        Direction::Both => true,
    }
}
