//! That a guard of forces has no root on a step, proven: the normal force of a closed contact, the cone of what sticks, the
//! slip of what slides, the sign with which a row presses.
//!
//! They are bounded as other guards are (`proof`), by a problem that is solved over a part of the step (`programs`), with
//! their rates but without second derivatives. Most steps lie in a box on which all of them keep their sides: it is made
//! with room for the steps to come, and one within it needs no evaluation. Else parts are halved until each guard is decided.
//!
//! What no halving decides, or takes more parts than there are, is said to have been sampled: samples come first, and find
//! the roots that most steps have. So it is with what has no bounds:
//!
//! ```text
//! rows in force depend on each other      the motion does not determine the forces, and no cones do
//! a force of zero, to its rounding        no part of the step tells more
//! friction as an integral, a launch, |λ| of several rows with friction that slides, a slip in a plane near zero
//! ```
//!
//! Of forces that cones determine (`contact::at_contacts`) some are given where the motion leaves them open (`shared`): what sticks
//! does so as long as it does with these.

mod programs;
mod shared;

use super::guards::Guards;
use super::proof::{
    BLUR, Guarded, HALVINGS, Last, PARTS_OF_CUBIC, Part, Proven, ROUNDINGS, Verdict, is_clear,
};
use super::scan::Side;
use crate::flow::{Flow, StepBounds};
use crate::snapshot::words::value;
use crate::system::System;
use crate::system::enclosure::{Interval, Jet};
use programs::ForcePrograms;
use shared::Shared;

/// Parts of a step that are looked at.
const PARTS_MAX: usize = 96;

/// Halvings of a part on which forces that the motion leaves open are not told to lie in their cones.
const HALVINGS_OF_SHARED: u32 = 14;

/// From so many halvings on it is asked whether halves would be narrower.
const BLURRED: u32 = 4;

/// The most steps ahead for which a box has room, and the room beside the way, as a part of the box of one step.
const AHEAD_MAX: f64 = 16.0;
const BESIDE: f64 = 0.25;

/// What is looked at: the step, the part of it, the guard whose root its end is.
pub(super) struct Span<'s> {
    pub(super) h: f64,
    pub(super) end: f64,
    pub(super) located: Option<usize>,
    /// The guards at both ends, ρ as of the last instant.
    pub(super) ends: [&'s [f64]; 2],
    pub(super) roundings: &'s [f64],
    pub(super) uncertainties: &'s [f64],
}

/// Bounds of the guards of forces.
#[derive(Debug, Clone)]
pub(super) struct ForceProof<'a> {
    programs: Option<ForcePrograms<'a>>,
    step: StepBounds,
    motion: Vec<Jet>,
    /// The guards that are looked at, and their sides where the present part begins.
    guards: Vec<usize>,
    sides: Vec<Side>,
    next: Vec<Side>,
    results: Vec<Jet>,
    /// ρ of each where it has been asked for.
    roundings: Vec<Option<f64>>,
    parts: Vec<Part>,
    ends: [Vec<f64>; 2],
    shared: Shared,
    point: Vec<f64>,
}

/// The box in which guards of forces keep their sides, and how far ahead it was made: what a step leaves to the next.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    /// t and y with their rates, and the guards; none where nothing is known.
    times: Interval,
    motion: Vec<Jet>,
    of: Vec<usize>,
    /// Steps ahead for which the next box has room.
    ahead: f64,
    /// Of which mode that is.
    mode: u64,
}

value! { Kept { times, motion, of, ahead, mode } }

impl Default for Kept {
    fn default() -> Self {
        Self { times: Interval::ZERO, motion: Vec::new(), of: Vec::new(), ahead: 1.0, mode: 0 }
    }
}

impl Kept {
    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.of.clear();
        self.ahead = 1.0;
    }
}

impl<'a> ForceProof<'a> {
    pub(super) fn new(system: &'a dyn System, inputs: &[f64], guards: usize) -> Self {
        let dimension = system.info().positions() + system.info().speeds();
        Self {
            programs: ForcePrograms::new(system, inputs),
            step: StepBounds::of((0..dimension).collect()),
            motion: Vec::new(),
            guards: Vec::new(),
            sides: Vec::new(),
            next: Vec::new(),
            results: Vec::new(),
            roundings: Vec::new(),
            parts: Vec::new(),
            ends: [vec![0.0; guards], vec![0.0; guards]],
            shared: Shared::default(),
            point: vec![0.0; dimension],
        }
    }

    /// Inputs from here on.
    pub(super) fn set_inputs(&mut self, inputs: &[f64]) {
        if let Some(programs) = &mut self.programs {
            programs.set_inputs(inputs);
        }
    }

    /// Whether a guard of forces is bounded along a step with these values at its ends.
    fn bounds(&self, guards: &Guards<'_>, guard: usize, span: &Span<'_>) -> bool {
        let Some((programs, held)) = self.programs.as_ref().zip(guards.held()) else {
            return false;
        };
        let is_at_zero = span.ends.iter().all(|values| {
            values[guard].abs() <= ROUNDINGS * span.roundings[guard].max(f64::MIN_POSITIVE)
        });
        !is_at_zero && ForcePrograms::is_linear(held) && programs.bounds(held, guards, guard)
    }

    /// What the guards of forces do on the part [0, end] of the step h just made: where the first falls. Those that are only
    /// sampled are told.
    pub(super) fn prove(
        &mut self,
        (flow, guards, kept): (&mut Flow<'_>, &mut Guards<'_>, &mut Kept),
        span: &Span<'_>,
        dense: &mut bool,
        sampled: &mut dyn FnMut(usize),
    ) -> Option<Proven> {
        if kept.mode != guards.number_of_mode() {
            kept.mode = guards.number_of_mode();
            kept.forget();
        }
        self.guards.clear();
        for guard in (0..guards.count()).filter(|guard| guards.is_of_forces(*guard)) {
            let is_bounded = self.bounds(guards, guard, span);
            if is_bounded {
                self.guards.push(guard);
            }
            // Whether what others hold stays is looked at where steps end.
            if !is_bounded && !guards.is_idle(guard) || guards.is_shared(guard) {
                sampled(guards.kind(guard));
            }
        }
        if self.guards.is_empty() {
            return None;
        }
        let is_coarse = !*dense && flow.bounds((span.h, span.end), &mut self.step);
        if *dense {
            flow.dense_bounds((span.h, span.end), &mut self.step);
        }
        if self.is_clear_ahead(guards, kept, span) {
            return None;
        }
        if let Ok(found) = self.pass(guards, span, is_coarse, sampled) {
            return found;
        }
        if !*dense {
            flow.interpolate(span.h);
            *dense = true;
        }
        flow.dense_bounds((span.h, span.end), &mut self.step);
        self.pass(guards, span, false, sampled).ok().flatten()
    }

    /// Whether the step lies in the box that is kept, or in one that has room for those to come.
    fn is_clear_ahead(&mut self, guards: &Guards<'_>, kept: &mut Kept, span: &Span<'_>) -> bool {
        let t = self.step.on([0.0, span.end], &mut self.motion);
        let within = |(kept, part): (&Jet, &Jet)| {
            kept.value.encloses(part.value) && kept.rate.encloses(part.rate)
        };
        if kept.of == self.guards
            && kept.times.encloses(t.value)
            && kept.motion.iter().zip(&self.motion).all(within)
        {
            return true;
        }
        let stays = self.guards.iter().all(|&guard| {
            let Side { sign, leaving } = guards.side(guard);
            let [first, last] = span.ends.map(|values| sign * values[guard]);
            !leaving && first > 0.0 && last + kept.ahead * (last - first).min(0.0) > 0.0
        });
        if !stays || kept.ahead < BESIDE {
            kept.ahead = (2.0 * kept.ahead).clamp(BESIDE, 1.0);
            return false;
        }
        self.keep(kept, t.value, span.end);
        let Some((programs, held)) = self.programs.as_mut().zip(guards.held()) else {
            return false;
        };
        let t = Jet { value: kept.times, ..t };
        self.shared.given[1].clear();
        self.shared.given[1].extend_from_slice(held.given);
        self.shared.at(1);
        programs.run(held, t, &kept.motion, &self.shared.along);
        let is_clear = self.guards.iter().all(|&guard| {
            is_clear(programs.result(held, guards, guard).value, guards.side(guard).sign)
        });
        if is_clear {
            kept.of.clone_from(&self.guards);
            kept.ahead = (2.0 * kept.ahead).min(AHEAD_MAX);
        } else {
            kept.of.clear();
            kept.ahead *= 0.25;
        }
        is_clear
    }

    /// A box around the step with room for those to come.
    fn keep(&self, kept: &mut Kept, t: Interval, end: f64) {
        let Self { step, motion, .. } = self;
        let Kept { times, motion: kept, ahead, .. } = kept;
        let wider = |of: Interval, change: f64| {
            let (beside, way) = (BESIDE * of.width(), *ahead * change);
            Interval::new(of.low() + way.min(0.0) - beside, of.high() + way.max(0.0) + beside)
        };
        let w = end * step.duration();
        *times = wider(t, w);
        kept.clear();
        kept.extend(motion.iter().map(|part| Jet {
            value: wider(part.value, part.rate.middle() * w),
            rate: wider(part.rate, 2.0 * part.bend.middle() * w),
            bend: Interval::WHOLE,
        }));
    }

    /// The parts of the step one after another; `Err` where another polynomial would tell more.
    fn pass(
        &mut self,
        guards: &mut Guards<'_>,
        span: &Span<'_>,
        is_coarse: bool,
        sampled: &mut dyn FnMut(usize),
    ) -> Result<Option<Proven>, ()> {
        self.sides.clear();
        self.sides.extend(self.guards.iter().map(|guard| guards.side(*guard)));
        self.roundings.clear();
        self.roundings.resize(self.guards.len(), None);
        self.share_at(guards, 1, 0.0);
        self.shared.pass();
        self.ends[0].copy_from_slice(span.ends[0]);
        self.parts.clear();
        self.parts.push(Part::whole(span.end));
        let mut count = 0;
        while let Some(part) = self.parts.pop() {
            count += 1;
            if is_coarse && count > PARTS_OF_CUBIC {
                return Err(());
            }
            if count > PARTS_MAX {
                self.guards.iter().for_each(|guard| sampled(guards.kind(*guard)));
                return Ok(None);
            }
            if let Some(fall) = self.part(guards, part, span, sampled) {
                return Ok(Some(fall));
            }
        }
        Ok(None)
    }

    /// One part: halves it where it is open. The guard that falls in it.
    fn part(
        &mut self,
        guards: &mut Guards<'_>,
        part: Part,
        span: &Span<'_>,
        sampled: &mut dyn FnMut(usize),
    ) -> Option<Proven> {
        let Part { a, b, halvings } = part;
        self.share_at(guards, 1, b);
        self.shared.between((b - a) * self.step.duration());
        self.run_on(guards, [a, b]);
        self.end_values(guards, b, span);
        self.next.clone_from(&self.sides);
        let mut fall = None;
        for index in 0..self.guards.len() {
            let (guard, side) = (self.guards[index], self.sides[index]);
            let is_off = !side.leaving && side.sign != 0.0;
            if is_off && is_clear(self.results[index].value, side.sign) {
                continue;
            }
            if guards.is_shared(guard) {
                let is_root = b == span.end && span.located == Some(guard);
                if !is_root && side.sign * self.ends[1][guard] < -span.roundings[guard] {
                    return Some(Proven::Crosses { guard, side: side.sign, low: a, high: b });
                }
                if self.holds(index, part) || halvings >= HALVINGS_OF_SHARED {
                    continue;
                }
                self.parts.extend(part.halves());
                return None;
            }
            let Some((guarded, verdict)) = self.verdict(guards, index, part, span) else {
                self.parts.extend(part.halves());
                return None;
            };
            let last = match verdict {
                Verdict::Leaves => continue,
                Verdict::Clear => {
                    self.next[index] = guarded.side_where_clear();
                    continue;
                }
                Verdict::Falls => Last::Falls,
                Verdict::Open | Verdict::Undecided => guarded.at_last(),
            };
            match last {
                Last::Falls => {
                    fall = Some(Proven::Crosses { guard, side: side.sign, low: a, high: b });
                }
                Last::Leaves | Last::Nothing => {}
                Last::Unknown | Last::Singular => sampled(guards.kind(guard)),
            }
            self.next[index] = guarded.side_at_end();
        }
        self.ends.swap(0, 1);
        self.shared.pass();
        std::mem::swap(&mut self.sides, &mut self.next);
        fall
    }

    /// The forces that are given at a place of the step, and bounds of the guards with them.
    fn share_at(&mut self, guards: &mut Guards<'_>, end: usize, s: f64) {
        let given = &mut self.shared.given[end];
        given.clear();
        if !guards.shares() {
            return;
        }
        self.values_at(guards, s);
        let given = &mut self.shared.given[end];
        given.extend_from_slice(guards.held().map_or(&[], |held| held.given));
        self.shared.at(end);
        self.run_on(guards, [s, s]);
        let least = &mut self.shared.least[end];
        least.clear();
        least.extend(self.results.iter().zip(&self.sides).map(|(result, side)| {
            if side.sign > 0.0 { result.value.low() } else { -result.value.high() }
        }));
    }

    /// Whether a guard of shared forces keeps its side on a part by its rates, from where it is at the ends: what is on its side
    /// there by its value, if only to rounding, does not lie beyond zero.
    fn holds(&self, index: usize, Part { a, b, .. }: Part) -> bool {
        let (guard, side) = (self.guards[index], self.sides[index]);
        let at = |end: usize| {
            let is_off = side.sign * self.ends[end][guard] > 0.0;
            let least = self.shared.least[end].get(index).copied().unwrap_or(f64::NEG_INFINITY);
            side.sign * if is_off { least.max(f64::MIN_POSITIVE) } else { least }
        };
        let guarded = Guarded {
            bounds: self.results[index],
            side,
            ends: [at(0), at(1)],
            rounding: 0.0,
            near: 0.0,
            width: (b - a) * self.step.duration(),
            is_last: false,
        };
        !side.leaving && guarded.verdict() == Verdict::Clear
    }

    /// What bounds say of a guard on a part; none where its halves tell more. ρ is that of the last instant where this is enough.
    fn verdict(
        &mut self,
        guards: &mut Guards<'_>,
        index: usize,
        part: Part,
        span: &Span<'_>,
    ) -> Option<(Guarded, Verdict)> {
        let (guard, bounds, Part { a, b, halvings }) =
            (self.guards[index], self.results[index], part);
        let is_last = b == span.end;
        let is_root = is_last && span.located == Some(guard);
        let ends = [self.ends[0][guard], if is_root { 0.0 } else { self.ends[1][guard] }];
        let (side, floor) = (self.sides[index], guards.floor(guard));
        let width = (b - a) * self.step.duration();
        let with = |rounding: f64| {
            let near = ROUNDINGS * rounding + floor;
            Guarded { bounds, side, ends, rounding, near, width, is_last }
        };
        let guarded = with(span.roundings[guard]);
        let verdict = guarded.verdict();
        if matches!(verdict, Verdict::Clear | Verdict::Leaves) {
            return Some((guarded, verdict));
        }
        let mut guarded = with(self.rounding(guards, index, part, span.uncertainties));
        let verdict = guarded.verdict();
        if verdict != Verdict::Open {
            return Some((guarded, verdict));
        }
        let blur = self.blur(guards, index, part);
        if halvings < HALVINGS && bounds.value.width() > BLUR * blur {
            return None;
        }
        // Of what is at zero nothing is told within the error of the motion.
        guarded.near += if side.leaving && blur.is_finite() { blur } else { 0.0 };
        let verdict = guarded.verdict();
        Some((guarded, verdict))
    }

    /// Bounds on a part.
    fn run_on(&mut self, guards: &Guards<'_>, part: [f64; 2]) {
        let Self { programs, step, motion, results, shared, .. } = self;
        let t = step.on(part, motion);
        results.clear();
        if let Some((programs, held)) = programs.as_mut().zip(guards.held()) {
            programs.run(held, t, motion, &shared.along);
            results.extend(self.guards.iter().map(|guard| programs.result(held, guards, *guard)));
        }
        results.resize(self.guards.len(), crate::flow::UNKNOWN);
    }

    /// How wide bounds of a guard at the end of a part are: halves are no narrower than that. Of long parts it is not asked.
    fn blur(&mut self, guards: &Guards<'_>, index: usize, Part { b, halvings, .. }: Part) -> f64 {
        if halvings < BLURRED {
            return 0.0;
        }
        let results = std::mem::take(&mut self.results);
        self.run_on(guards, [b, b]);
        let blur = self.results[index].value.width();
        self.results = results;
        blur
    }

    /// The guards at the end of a part.
    fn end_values(&mut self, guards: &mut Guards<'_>, b: f64, span: &Span<'_>) {
        if b == span.end {
            return self.ends[1].copy_from_slice(span.ends[1]);
        }
        self.values_at(guards, b);
    }

    fn values_at(&mut self, guards: &mut Guards<'_>, s: f64) {
        self.step.state(s, &mut self.point);
        guards.values(self.step.time(s), &self.point, &mut self.ends[1]);
    }

    /// ρ of a guard near the end of a part.
    fn rounding(
        &mut self,
        guards: &mut Guards<'_>,
        index: usize,
        part: Part,
        sizes: &[f64],
    ) -> f64 {
        let Self { guards: of, roundings, step, point, .. } = self;
        part.rounding(&mut roundings[index], || {
            step.state(part.b, point);
            guards.spread(of[index], step.time(part.b), point, sizes)
        })
    }
}
