//! Steps on which all guards keep their sides, seen by one box around the whole step.
//!
//! The motion of a step lies in a box Y around both of its ends (`Flow::hull`), and a guard's program over Y bounds the
//! guard. Where 0 is not within the bounds there is nothing else to ask: no sketch, no polynomial, no parts.
//!
//! Most steps are followed by others that are as far from all guards. So where the guards would stay on their
//! sides for [`AHEAD`] more steps as they change now, a box is tried that has room for these. Where they are clear on
//! it, it is kept, and a step within it needs no evaluation: bounds over a part of a box lie within those over the box.

use super::guards::Guards;
use super::programs::GuardPrograms;
use super::proof::is_clear;
use super::scan::Side;
use crate::flow::Flow;
use crate::snapshot::words::part;
use crate::system::System;
use crate::system::enclosure::Interval;

/// Steps ahead for which a box has room.
const AHEAD: f64 = 4.0;

/// The room beside the way, as a part of the box of one step.
const BESIDE: f64 = 0.5;

/// The programs of the guards over boxes, and the last box on which they were clear.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Clearance<'a> {
    programs: GuardPrograms<'a, Interval>,
    /// Whether they read t, and the numbers of y that they read.
    reads_time: bool,
    read: Vec<usize>,
    /// The box of t and y of the step, and the one that is kept, with the guards that are clear on it.
    step: (Interval, Vec<Interval>),
    kept_times: Interval,
    kept: Vec<Interval>,
    clear: Vec<bool>,
    room: Vec<f64>,
}

impl<'a> Clearance<'a> {
    pub(in crate::hybrid) fn new(system: &'a dyn System, inputs: &[f64], guards: usize) -> Self {
        let info = system.info();
        let dimension = info.positions() + info.speeds();
        let programs = GuardPrograms::new(system, inputs);
        let all = vec![Interval::WHOLE; dimension];
        Self {
            reads_time: programs.reads(0),
            read: (0..dimension).filter(|j| programs.reads(1 + j)).collect(),
            programs,
            step: (Interval::WHOLE, all.clone()),
            kept_times: Interval::WHOLE,
            kept: all,
            clear: vec![false; guards],
            room: vec![0.0; dimension],
        }
    }

    /// A run begins; nothing is left of the one before.
    pub(in crate::hybrid) fn rewind(&mut self) {
        self.clear.fill(false);
    }

    /// Inputs from here on.
    pub(in crate::hybrid) fn set_inputs(&mut self, inputs: &[f64]) {
        self.programs.set_inputs(inputs);
        self.clear.fill(false);
    }

    /// Whether all guards that can be bounded keep their sides on the step h just accepted, with their values at both
    /// ends.
    pub(in crate::hybrid) fn keeps(
        &mut self,
        flow: &Flow<'_>,
        guards: &Guards<'_>,
        h: f64,
        [start, last]: [&[f64]; 2],
    ) -> bool {
        let mut stay = true;
        for guard in (0..guards.count()).filter(|guard| self.programs.bounds(guards, *guard)) {
            let Side { sign, leaving } = guards.side(guard);
            let on_side = sign * start[guard] > 0.0 && sign * last[guard] > 0.0;
            if leaving || !on_side {
                return false;
            }
            let change = last[guard] - start[guard];
            stay &= sign * (last[guard] + AHEAD * change) > 0.0;
        }
        if !flow.hull(h, &mut self.room, &mut self.step.1) {
            return false;
        }
        self.step.0 = Interval::new(flow.base.t.high, flow.next.t.high);
        if self.is_within(guards) {
            return true;
        }
        if stay {
            self.reach_ahead(flow);
            if self.are_clear(guards, true) {
                return true;
            }
        }
        self.are_clear(guards, false)
    }

    /// Whether the step is within the box that is kept, on which these guards are clear.
    fn is_within(&self, guards: &Guards<'_>) -> bool {
        let Self { read, reads_time, step, kept_times, kept, clear, .. } = self;
        let known = |guard: usize| clear[guard] || !self.programs.bounds(guards, guard);
        (0..guards.count()).all(known)
            && (!reads_time || kept_times.encloses(step.0))
            && read.iter().all(|&j| kept[j].encloses(step.1[j]))
    }

    /// A box with room for the next steps.
    fn reach_ahead(&mut self, flow: &Flow<'_>) {
        let Self { step, kept_times, kept, .. } = self;
        let wider = |part: Interval, change: f64| {
            let (beside, ahead) = (BESIDE * part.width(), AHEAD * change);
            Interval::new(
                part.low() + ahead.min(0.0) - beside,
                part.high() + ahead.max(0.0) + beside,
            )
        };
        *kept_times = wider(step.0, flow.next.t.high - flow.base.t.high);
        let ends = flow.next.y.iter().zip(&flow.base.y);
        for ((kept, part), (next, base)) in kept.iter_mut().zip(&step.1).zip(ends) {
            *kept = wider(*part, next - base);
        }
    }

    /// Whether the guards keep their sides on the box of the step, or on that ahead, which is kept then.
    fn are_clear(&mut self, guards: &Guards<'_>, ahead: bool) -> bool {
        let (t, y) =
            if ahead { (self.kept_times, &self.kept) } else { (self.step.0, &self.step.1) };
        self.programs.run(t, y);
        if ahead {
            self.clear.fill(false);
        }
        for guard in 0..guards.count() {
            if !self.programs.bounds(guards, guard) {
                continue;
            }
            let value = self.programs.result(guard).unwrap_or(Interval::WHOLE);
            if !is_clear(value, guards.side(guard).sign) {
                self.clear.fill(false);
                return false;
            }
            self.clear[guard] |= ahead;
        }
        true
    }
}

// The box that is kept decides which guards are looked at on the steps within it.
part! { Clearance<'_> {
    parts: [kept, clear],
    values: [kept_times],
    room: [programs, reads_time, read, step, room],
} }
