//! The least gap of each contact over whole steps, not at their ends alone.
//!
//! On a part [a, b] of a step the motion lies in a box, and the gap's program gives G ∋ g, Ġ ∋ ġ over it. The least
//! gap so far, L, is an upper bound of the least; with the gaps at both ends of the part it is
//!
//! ```text
//! L ≤ inf G                      not met on the part
//! 0 ∉ Ġ                          at one of its ends
//! otherwise                      within sup G − inf G, which halves make smaller
//! ```
//!
//! On a step by series whose polynomials keep the gaps on their side, and whose guards are proven, a least gap at zero
//! is the least, and what leaves zero is above it: nothing is bounded there.
//!
//! A part is not halved any more where it can make L smaller by no more than [`TOLD`] of the size of G. A gap without
//! a program that can be bounded is seen at the ends of steps only, and so is that of a closed contact, which is zero.

use super::guards::Guards;
use super::programs::GuardPrograms;
use crate::flow::{Flow, StepBounds};
use crate::series::Observed;
use crate::snapshot::words::part;
use crate::system::System;
use crate::system::enclosure::Jet;

/// What a least gap is told to, as a part of the gaps of the step.
const TOLD: f64 = 1e-12;

/// Parts of a step that are looked at, and those of the cubic.
const PARTS_MAX: usize = 400;
const PARTS_OF_CUBIC: usize = 8;

/// The least gaps of a run, with the programs that bound them.
#[derive(Clone)]
pub(in crate::hybrid) struct LeastGaps<'a> {
    system: &'a dyn System,
    /// Of each contact; infinite before the first state.
    gaps: Vec<f64>,
    programs: GuardPrograms<'a, Jet>,
    step: StepBounds,
    motion: Vec<Jet>,
    parts: Vec<[f64; 2]>,
    point: Vec<f64>,
    room: Vec<f64>,
}

impl<'a> LeastGaps<'a> {
    pub(super) fn new(system: &'a dyn System, inputs: &[f64]) -> Self {
        let info = system.info();
        let contacts = info.contacts.len();
        let dimension = info.positions() + info.speeds();
        let programs = GuardPrograms::new(system, inputs);
        Self {
            system,
            gaps: vec![f64::INFINITY; contacts],
            step: StepBounds::of(programs.columns(dimension)),
            programs,
            motion: Vec::new(),
            parts: Vec::new(),
            point: vec![0.0; dimension],
            room: vec![0.0; contacts],
        }
    }

    /// Inputs from here on.
    pub(super) fn set_inputs(&mut self, inputs: &[f64]) {
        self.programs.set_inputs(inputs);
    }

    pub(super) fn gaps(&self) -> &[f64] {
        &self.gaps
    }

    /// Looks at a state, for some of the contacts.
    fn look(&mut self, t: f64, y: &[f64], counts: impl Fn(usize) -> bool) {
        let Self { system, gaps, room, .. } = self;
        system.gaps(t, &y[..system.info().positions()], room);
        for (contact, (least, gap)) in gaps.iter_mut().zip(room).enumerate() {
            if counts(contact) {
                *least = least.min(*gap);
            }
        }
    }

    /// Looks at the polynomial of a step up to its part `end`. Whether that decides; of a cubic it may not.
    fn search(&mut self, guards: &Guards<'_>, end: f64, parts_max: usize) -> bool {
        self.parts.clear();
        self.parts.push([0.0, end]);
        let mut count = 0;
        while let Some(part) = self.parts.pop() {
            count += 1;
            if count > parts_max {
                return false;
            }
            if self.may_be_less(guards, part) {
                let middle = 0.5 * (part[0] + part[1]);
                self.step.state(middle, &mut self.point);
                let (t, point) = (self.step.time(middle), std::mem::take(&mut self.point));
                // Between its ends the polynomial of a step is off what is closed by its own error.
                self.look(t, &point, |contact| guards.gap(contact).is_some());
                self.point = point;
                self.parts.extend([[middle, part[1]], [part[0], middle]]);
            }
        }
        true
    }

    /// Whether some gap may be less inside of a part than it has been seen to be.
    fn may_be_less(&mut self, guards: &Guards<'_>, part: [f64; 2]) -> bool {
        let t = self.step.on(part, &mut self.motion);
        self.programs.run(t, &self.motion);
        self.gaps.iter().enumerate().any(|(contact, least)| {
            let Some(found) = self.programs.result(contact) else { return false };
            let certain = found.certain();
            let is_monotone = certain.rate.low() >= 0.0 || certain.rate.high() <= 0.0;
            let told = TOLD * found.value.magnitude().max(least.abs());
            guards.gap(contact).is_some() && !is_monotone && found.value.low() < least - told
        })
    }

    /// Whether a step that polynomials told, and whose guards are proven as they told them, has nothing to show but its
    /// ends: each gap leaves zero, and is above what it was there, or the least is at zero already.
    pub(super) fn are_told(
        &self,
        guards: &Guards<'_>,
        polynomials: &[Observed],
        proven: &dyn Fn(usize) -> bool,
    ) -> bool {
        self.gaps.iter().zip(polynomials).enumerate().all(|(contact, (least, polynomial))| {
            guards.gap(contact).is_none()
                || guards.side(contact).sign > 0.0
                    && proven(contact)
                    && (polynomial.leaves() || *least <= TOLD * polynomial.largest())
        })
    }

    /// Looks at the gaps at both ends of the step just made: the last trial was where it is taken.
    pub(super) fn see_ends(&mut self, flow: &Flow<'_>) {
        self.look(flow.base.t.high, &flow.base.y, |_| true);
        self.look(flow.next.t.high, &flow.next.y, |_| true);
    }

    /// Looks at the gaps within the step h just made, which is taken to τ. `dense` is whether its dense output has been
    /// made.
    pub(super) fn see(
        &mut self,
        flow: &mut Flow<'_>,
        guards: &Guards<'_>,
        (h, τ): (f64, f64),
        dense: &mut bool,
    ) {
        let end = τ / h;
        if !*dense {
            let is_coarse = flow.bounds((h, end), &mut self.step);
            let is_whole = end == 1.0;
            if is_coarse && !is_whole
                || self.search(guards, end, if is_coarse { PARTS_OF_CUBIC } else { PARTS_MAX })
            {
                return;
            }
            flow.interpolate(h);
            *dense = true;
        }
        flow.dense_bounds((h, end), &mut self.step);
        self.search(guards, end, PARTS_MAX);
    }
}

part! { LeastGaps<'_> {
    parts: [gaps],
    values: [],
    room: [system, programs, step, motion, parts, point, room],
} }
