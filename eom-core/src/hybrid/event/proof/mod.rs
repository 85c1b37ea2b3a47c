//! That a guard has no root on a step, proven: bounds of the guard over the step's own enclosure.
//!
//! On a part [a, b] of a step, w = b − a, the motion lies in a box Y with slopes Ẏ and bends ½Ÿ (`flow::bounds`),
//! and the guard's program gives G ∋ σγ, Ġ ∋ σγ̇, ½G̈ over it, σ the side on which the guard is. With its values
//! γₐ, γ_b at both ends the guard is decided where
//!
//! ```text
//! G > 0, or γₐ + min(Ġ, 0) w > 0, or γ_b − max(Ġ, 0) w > 0
//!                                                no root: the mean value theorem
//! Ġ ≥ 0                                          none but at a
//! Ġ ≤ 0, or G̈ ≤ 0                                none where γ_b > 0; one where γ_b < 0
//! ```
//!
//! (a concave function is above its chord). Elsewhere the part is halved, the first half first, so that the first
//! root is the one that is found. All guards are bounded by one run of their program. It is a proof for the
//! computed motion: the polynomial of the step with its error.
//!
//! A root that does not fire is passed: the guard is on its other side from there on. A guard that *leaves*
//! zero at the start of the step, or is at zero on an unknown side, is not judged while it is within ±64ρ;
//! where it falls out of that, it crosses there.
//!
//! What no halving decides is one of
//!
//! ```text
//! a pole, or the end of a domain, within the part      the step ends before it; at its start, the run ends
//! to ±ρ and back to its side                           it touches (`touch`), and the run ends
//! within ±ρ                                            what the samples said is all that can be told
//! beyond ±ρ, on a part that times cannot be told on    the same, and the proof is open: it is none
//! ```
//!
//! What is carried, at zero since its row depends on others, is bounded as well (`carried`).
//!
//! The samples of `scan` and the polynomials of `series` come first: they find the roots that most steps have, and
//! what is proven is that none comes before. A guard without a program that can be bounded (a function given at
//! run time, an integral) is sampled only; the trajectory says so. Those of forces are proven by themselves (`forces`).

mod carried;
mod part;
mod touch;
mod verdict;

use super::guards::Guards;
use super::programs::GuardPrograms;
use super::scan::Side;
use crate::flow::{Flow, StepBounds, UNKNOWN};
use crate::system::System;
use crate::system::enclosure::{Interval, Jet, Marks, Number};
pub(in crate::hybrid) use carried::Carried;
pub(super) use part::Part;
use verdict::Least;
pub(super) use verdict::{Guarded, Last, ROUNDINGS, Verdict, is_clear};

/// Parts of a step are halved this often, and more often as long as their halves are told apart by these units of the
/// rounding of time.
pub(super) const HALVINGS: u32 = 40;
const HALVINGS_MAX: u32 = 60;
const ROUNDINGS_OF_TIME: f64 = 8.0;

/// Parts that are looked at before a step is called too long, and those after which the dense output is made.
const PARTS_MAX: usize = 200;
pub(super) const PARTS_OF_CUBIC: usize = 6;

/// A part of so many halvings is as short as it tells apart where its bounds are at most so many times as wide as
/// those of a point.
const BLURRED: u32 = 6;
pub(super) const BLUR: f64 = 4.0;

/// A guard whose ρ is so many times that at the ends of the step is zero to rounding since it is steep: samples may have seen
/// nothing of that.
const STEEP: f64 = 64.0;

/// All times.
const ALWAYS: Interval = Interval::WHOLE;

/// What is proven of the guards on a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) enum Proven {
    /// No root that fires.
    Clear,
    /// The first that fires lies in this part, in which the guard is monotone or jumps.
    Crosses { guard: usize, side: f64, low: f64, high: f64 },
    /// The step is proven up to here, and too long to go on.
    UpTo(f64),
    /// It comes to zero within ρ there, and goes back to its side.
    Touches { guard: usize, s: f64, value: f64, rounding: f64 },
    /// At this part of the step the guard has a pole, or no value.
    Singular { guard: usize, s: f64 },
}

/// The programs of the guards of a run, and room to prove what they do on a step.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Proof<'a> {
    bounding: GuardPrograms<'a, Jet>,
    step: StepBounds,
    motion: Vec<Jet>,
    /// Bounds of the guards on the present part.
    results: Vec<Jet>,
    parts: Vec<Part>,
    /// Sides where the present part begins and where it ends; ρ of each guard where it has been asked for.
    sides: Vec<Side>,
    next: Vec<Side>,
    /// Whether `sides` are those at the end of the part that was proven last.
    has_sides: bool,
    /// Of each guard whether a part was left on which bounds say nothing of it, where it is not zero.
    open: Vec<bool>,
    roundings: Vec<Option<f64>>,
    /// Where guards came to zero that have not left it since: the part of the step, the value and its ρ.
    touching: Vec<Option<(f64, f64, f64)>>,
    /// Whether they have been off zero on this step, on their sides.
    off: Vec<bool>,
    /// How far behind zero each guard may be that leaves it, beside ρ.
    floors: Vec<f64>,
    /// Guards at both ends of a part, and a state.
    ends: [Vec<f64>; 2],
    values: Vec<f64>,
    point: Vec<f64>,
    /// What bounds say of those that are not far from zero on the present part.
    looked: Vec<(usize, Guarded, Verdict)>,
}

impl<'a> Proof<'a> {
    pub(in crate::hybrid) fn new(system: &'a dyn System, inputs: &[f64], guards: usize) -> Self {
        let info = system.info();
        let dimension = info.positions() + info.speeds();
        let bounding = GuardPrograms::new(system, inputs);
        Self {
            step: StepBounds::of(bounding.columns(dimension)),
            bounding,
            motion: Vec::new(),
            results: vec![UNKNOWN; guards],
            parts: Vec::new(),
            sides: Vec::new(),
            next: Vec::new(),
            has_sides: false,
            open: vec![false; guards],
            roundings: vec![None; guards],
            touching: vec![None; guards],
            off: vec![false; guards],
            values: vec![0.0; guards],
            floors: vec![0.0; guards],
            ends: [vec![0.0; guards], vec![0.0; guards]],
            point: vec![0.0; dimension],
            looked: Vec::new(),
        }
    }

    /// Inputs from here on.
    pub(in crate::hybrid) fn set_inputs(&mut self, inputs: &[f64]) {
        self.bounding.set_inputs(inputs);
    }

    /// Whether a guard can be bounded in the present mode.
    pub(in crate::hybrid) fn bounds(&self, guards: &Guards<'_>, guard: usize) -> bool {
        self.bounding.bounds(guards, guard)
    }

    /// Whether all that are not still can be.
    pub(in crate::hybrid) fn bounds_all(&self, guards: &Guards<'_>) -> bool {
        (0..guards.count()).all(|guard| self.bounds(guards, guard) || guards.is_idle(guard))
    }

    /// Evaluates all guards at a state, or over a box of states.
    fn run_at(&mut self, t: Jet, y: impl Iterator<Item = Jet>) {
        self.motion.clear();
        self.motion.extend(y);
        self.bounding.run(t, &self.motion);
    }

    /// Evaluates all guards over a part of the step.
    fn run_on(&mut self, part: [f64; 2]) {
        let t = self.step.on(part, &mut self.motion);
        self.bounding.run(t, &self.motion);
    }

    /// Whether some guard, at a state y that does not move, is not shown to be the same at all times.
    pub(in crate::hybrid) fn depends_on_time(&mut self, y: &[f64]) -> bool {
        let always = Jet { value: ALWAYS, rate: Interval::point(1.0), bend: Interval::ZERO };
        self.run_at(always, y.iter().map(|y| Jet::of(*y)));
        self.bounding.results().any(|guard| !guard.rate.is_zero())
    }

    /// What a guard is rounded by within itself at a state: bounds of it over that single point are as wide.
    pub(super) fn width(&mut self, guard: usize, t: f64, y: &[f64]) -> f64 {
        self.run_at(Jet::of(t), y.iter().map(|y| Jet::of(*y)));
        let width = self.result(guard).value.width();
        if width.is_finite() { width } else { 0.0 }
    }

    /// Whether a guard has a pole within these errors of a state.
    pub(super) fn has_pole(&mut self, guard: usize, t: f64, y: &[f64], sizes: &[f64]) -> bool {
        let around =
            |(y, size): (&f64, &f64)| Jet { value: Interval::around(*y, *size), ..UNKNOWN };
        self.run_at(Jet::of(t), y.iter().zip(sizes).map(around));
        self.result(guard).value.marks().has(Marks::POLE)
    }

    /// What the guards do on the part [0, end] of the step h just made, whose values at both ends are given;
    /// `located` is the guard whose root the end is.
    pub(in crate::hybrid) fn prove(
        &mut self,
        (flow, guards): (&mut Flow<'_>, &mut Guards<'_>),
        (h, end, located): (f64, f64, Option<usize>),
        [start, last]: [&[f64]; 2],
        uncertainties: &[f64],
        dense: &mut bool,
    ) -> Proven {
        self.forget();
        // Where the dense output has been made already, for a root, it tells most.
        let is_coarse = if *dense {
            flow.dense_bounds((h, end), &mut self.step);
            false
        } else {
            flow.bounds((h, end), &mut self.step)
        };
        let mut proven = self.pass(guards, (end, located), [start, last], uncertainties, is_coarse);
        if proven.is_none() {
            if !*dense {
                flow.interpolate(h);
                *dense = true;
            }
            flow.dense_bounds((h, end), &mut self.step);
            self.open.fill(false);
            proven = self.pass(guards, (end, located), [start, last], uncertainties, false);
        }
        self.has_sides = proven == Some(Proven::Clear);
        proven.unwrap_or(Proven::UpTo(0.0))
    }

    /// What has just been proven has been so another way: sides are what they were.
    pub(super) fn forget(&mut self) {
        self.has_sides = false;
        self.open.fill(false);
    }

    /// Whether what has just been proven is open for a guard at some part.
    pub(super) fn is_open(&self, guard: usize) -> bool {
        self.open[guard]
    }

    /// The side of a guard at the end of what has just been proven, where no guard was far from zero all along: it may
    /// have passed zero twice between the samples, in a direction that does not fire.
    pub(super) fn side_at_end(&self, guard: usize) -> Option<Side> {
        let side = self.has_sides.then(|| self.sides.get(guard).copied()).flatten()?;
        (side.sign != 0.0).then_some(side)
    }

    /// The same with the polynomial at hand; None where another would tell more.
    fn pass(
        &mut self,
        guards: &mut Guards<'_>,
        (end, located): (f64, Option<usize>),
        [start, last]: [&[f64]; 2],
        uncertainties: &[f64],
        is_coarse: bool,
    ) -> Option<Proven> {
        self.sides.clear();
        self.sides.extend((0..guards.count()).map(|guard| guards.side(guard)));
        self.roundings.fill(None);
        self.touching.fill(None);
        self.off.fill(false);
        for (guard, (floor, start)) in self.floors.iter_mut().zip(start).enumerate() {
            *floor = guards.gap(guard).map_or(start.abs(), |contact| guards.floor(contact));
        }
        self.first_parts(end, located.is_some(), is_coarse);
        self.ends[0].copy_from_slice(start);
        let mut count = 0;
        while let Some(part) = self.parts.pop() {
            count += 1;
            if is_coarse && count > PARTS_OF_CUBIC {
                return None;
            }
            if count > PARTS_MAX {
                return Some(Proven::UpTo(part.a));
            }
            let known = (part.b == end).then_some(last);
            if let Some(found) = self.part(guards, part, (end, known, located), uncertainties) {
                // A cubic errs by more than what touches zero is told to.
                let is_told = !(is_coarse && matches!(found, Proven::Touches { .. }));
                return is_told.then_some(found);
            }
        }
        for guard in 0..guards.count() {
            self.open[guard] |= self.is_lost(guards, guard, end, uncertainties);
        }
        Some(Proven::Clear)
    }

    /// Whether a guard was on no side all along, which is not zero at the end: ρ of what bends is far more than one error does.
    fn is_lost(
        &mut self,
        guards: &mut Guards<'_>,
        guard: usize,
        end: f64,
        uncertainties: &[f64],
    ) -> bool {
        let value = self.ends[0][guard].abs();
        let is_event = guards.event(guard).is_some() && self.bounds(guards, guard);
        if !is_event || self.sides[guard].sign != 0.0 || value == 0.0 {
            return false;
        }
        let Self { step, point, .. } = self;
        step.state(end, point);
        value > ROUNDINGS * guards.least_spread(guard, (step.time(end), point), uncertainties)
    }

    /// The parts that are looked at first. One that is zero at an end is monotone near it and far from zero in the middle:
    /// the whole of such a step is hardly ever decided.
    fn first_parts(&mut self, end: f64, is_located: bool, is_coarse: bool) {
        self.parts.clear();
        if is_coarse || !(is_located || self.sides.iter().any(|side| side.leaving)) {
            self.parts.push(Part::whole(end));
            return;
        }
        let [first, last] = [0.25 * end, 0.75 * end];
        for (a, b, halvings) in [(last, end, 2), (first, last, 1), (0.0, first, 2)] {
            self.parts.push(Part { a, b, halvings });
        }
    }

    /// One part: halves it where it is open. Something where the search is over.
    fn part(
        &mut self,
        guards: &mut Guards<'_>,
        part: Part,
        (end, last, located): (f64, Option<&[f64]>, Option<usize>),
        uncertainties: &[f64],
    ) -> Option<Proven> {
        let Part { a, b, .. } = part;
        self.run_on([a, b]);
        for guard in 0..guards.count() {
            self.results[guard] = self.result(guard);
        }
        self.end_values(guards, b, last);
        self.next.clone_from(&self.sides);
        self.looked.clear();
        for guard in 0..guards.count() {
            if !self.bounds(guards, guard) {
                continue;
            }
            let bounds = self.results[guard];
            let side = self.sides[guard];
            let stays = side.sign != 0.0 && !side.leaving && is_clear(bounds.value, side.sign);
            if stays && self.touching[guard].is_none() {
                self.off[guard] |=
                    part.halvings > 0 && self.is_off(guards, guard, part, uncertainties);
                continue;
            }
            let rounding = self.rounding(guards, guard, part, uncertainties);
            let at_end = last.is_some() && located == Some(guard);
            let mut guarded = Guarded {
                bounds,
                side,
                ends: [self.ends[0][guard], if at_end { 0.0 } else { self.ends[1][guard] }],
                rounding,
                near: ROUNDINGS * rounding + self.floors[guard],
                width: (b - a) * self.step.duration(),
                is_last: last.is_some(),
            };
            let verdict = self.verdict(guard, part, &mut guarded);
            if matches!(verdict, Verdict::Open) {
                self.parts.extend(part.halves());
                return None;
            }
            self.looked.push((guard, guarded, verdict));
        }
        self.conclude(guards, part, (end, last.is_some(), located), uncertainties)
    }

    /// What is told of the guards that were looked at on a part that is halved no more; the next one begins where it ends.
    fn conclude(
        &mut self,
        guards: &mut Guards<'_>,
        part: Part,
        (end, is_last, located): (f64, bool, Option<usize>),
        uncertainties: &[f64],
    ) -> Option<Proven> {
        let looked = std::mem::take(&mut self.looked);
        let mut crosses = None;
        for (guard, guarded, verdict) in &looked {
            let is_root = is_last && located == Some(*guard);
            let found = match self.read(guards, (*guard, part), (guarded, verdict), uncertainties) {
                None if is_root => self.check_root(guards, *guard, (guarded, end), uncertainties),
                None => self.look_back(*guard, part.b, guarded),
                Some(found @ Proven::Crosses { .. }) => {
                    crosses = Some(found);
                    None
                }
                Some(found) => Some(found),
            };
            if found.is_some() {
                self.looked = looked;
                return found;
            }
            if !is_last && self.is_steep(guards, (*guard, end), (guarded, verdict), uncertainties) {
                self.open[*guard] = true;
            }
        }
        self.looked = looked;
        self.ends.swap(0, 1);
        std::mem::swap(&mut self.sides, &mut self.next);
        crosses
    }

    /// What a guard does on a part that is halved no more, where that is over with it; else its side at the end.
    fn read(
        &mut self,
        guards: &mut Guards<'_>,
        (guard, part): (usize, Part),
        (guarded, verdict): (&Guarded, &Verdict),
        uncertainties: &[f64],
    ) -> Option<Proven> {
        let (Part { a, b, .. }, side) = (part, guarded.side);
        let fires = guards.rule(guard).fires(side.sign, -side.sign);
        let falls = |high: f64| Proven::Crosses { guard, side: side.sign, low: a, high };
        let last = match verdict {
            Verdict::Leaves => return None,
            Verdict::Clear => {
                self.next[guard] = guarded.side_where_clear();
                return None;
            }
            Verdict::Falls if fires => return Some(falls(b)),
            Verdict::Falls => {
                self.next[guard] = Side { sign: -side.sign, leaving: false };
                return None;
            }
            Verdict::Open | Verdict::Undecided => guarded.at_last(),
        };
        match last {
            Last::Falls if fires => return Some(falls(b)),
            Last::Singular => return Some(Proven::Singular { guard, s: a }),
            Last::Leaves => return None,
            Last::Falls => {}
            Last::Nothing | Last::Unknown => {
                self.open[guard] |= matches!(last, Last::Unknown);
                if side.sign != 0.0 && !side.leaving && !guarded.is_last && self.off[guard] {
                    let near = (part, guarded.rounding);
                    match self.least(guards, (guard, side.sign), near, uncertainties) {
                        Least::Off => {}
                        Least::Dips { s } if fires => return Some(falls(s)),
                        Least::Dips { s } => {
                            return Some(Proven::Crosses {
                                guard,
                                side: -side.sign,
                                low: s,
                                high: b,
                            });
                        }
                        Least::Zero { s, value, rounding } => {
                            self.touching[guard] = Some((s, value, rounding));
                        }
                    }
                }
            }
        }
        self.next[guard] = guarded.side_at_end();
        None
    }

    /// Whether a guard that is zero to its rounding, where no halving tells more, is so since it is steep there.
    fn is_steep(
        &mut self,
        guards: &mut Guards<'_>,
        (guard, end): (usize, f64),
        (guarded, verdict): (&Guarded, &Verdict),
        uncertainties: &[f64],
    ) -> bool {
        let is_open = *verdict == Verdict::Undecided
            && matches!(guarded.at_last(), Last::Nothing | Last::Falls);
        is_open && !self.open[guard] && {
            let ends = self.rounding_at_ends(guards, guard, end, uncertainties);
            guarded.rounding > STEEP * ends
        }
    }

    /// What bounds say of a guard on a part. They may be wide by the error of the motion alone, so that halves are no narrower;
    /// and of what is at zero nothing is told within that.
    fn verdict(&mut self, guard: usize, part: Part, guarded: &mut Guarded) -> Verdict {
        let verdict = guarded.verdict();
        if verdict != Verdict::Open {
            return verdict;
        }
        if !self.has_halves(part) {
            return Verdict::Undecided;
        }
        let value = guarded.bounds.value;
        if part.halvings < BLURRED || !value.is_bounded() {
            return verdict;
        }
        self.run_on([part.b, part.b]);
        let blur = self.result(guard).value;
        if !blur.is_bounded() {
            return verdict;
        }
        if value.width() <= BLUR * blur.width() {
            return Verdict::Undecided;
        }
        let is_at_zero = guarded.side.sign == 0.0 || guarded.side.leaving;
        guarded.near += if is_at_zero { blur.width() } else { 0.0 };
        guarded.verdict()
    }

    /// Whether the halves of a part are told apart.
    fn has_halves(&self, Part { a, b, halvings }: Part) -> bool {
        let told = ROUNDINGS_OF_TIME * f64::EPSILON * self.step.time(b).abs();
        halvings < HALVINGS || halvings < HALVINGS_MAX && (b - a) * self.step.duration() > told
    }

    /// Whether a guard is far off zero, on its side, where a part ends.
    fn is_off(
        &mut self,
        guards: &mut Guards<'_>,
        guard: usize,
        part: Part,
        uncertainties: &[f64],
    ) -> bool {
        let σ = self.sides[guard].sign;
        let value = σ * self.ends[1][guard];
        self.off[guard] || value > ROUNDINGS * self.rounding(guards, guard, part, uncertainties)
    }

    /// The guards at the end of a part.
    fn end_values(&mut self, guards: &mut Guards<'_>, b: f64, last: Option<&[f64]>) {
        match last {
            Some(last) => self.ends[1].copy_from_slice(last),
            None => {
                self.step.state(b, &mut self.point);
                guards.values(self.step.time(b), &self.point, &mut self.ends[1]);
            }
        }
    }

    /// ρ of a guard near the end of a part.
    fn rounding(
        &mut self,
        guards: &mut Guards<'_>,
        guard: usize,
        part: Part,
        uncertainties: &[f64],
    ) -> f64 {
        let Self { roundings, step, point, .. } = self;
        part.rounding(&mut roundings[guard], || {
            step.state(part.b, point);
            guards.spread(guard, step.time(part.b), point, uncertainties)
        })
    }

    /// The larger ρ of both ends of what is proven.
    fn rounding_at_ends(
        &mut self,
        guards: &mut Guards<'_>,
        guard: usize,
        end: f64,
        uncertainties: &[f64],
    ) -> f64 {
        let Self { step, point, .. } = self;
        let mut spread = |s: f64| {
            step.state(s, point);
            guards.spread(guard, step.time(s), point, uncertainties)
        };
        spread(0.0).max(spread(end))
    }

    /// Bounds of a guard on the last part.
    fn result(&self, guard: usize) -> Jet {
        self.bounding.result(guard).unwrap_or(UNKNOWN)
    }
}
