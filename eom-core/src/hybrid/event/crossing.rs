//! A step of an arc, and the first crossing in it.
//!
//! Most steps are far from any crossing, and a box around them shows it (`clearance`). For most others a sketch is
//! enough: the cubic through both ends
//! of the step and their slopes, at five points, whose error is estimated by what it differs from
//! the parabola without the last slope. Where its bounds do not keep a guard well off zero, the
//! dense output is made and scanned.

use super::Events;
use super::arc::{Arc, Checked, Cut, Found, NEAR, SKETCH, Stepped, dense_value};
use super::carried::Held;
use super::forces::{ForceProof, Span};
use super::guards::{Guards, underflows};
use super::locate::dense_root;
use super::proof::Proven;
use super::scan::{Guarded, Side, Verdict};
use crate::flow::Flow;
use crate::trajectory::end::End;
use eom_elementary::order;

/// Roots on the dense output are found to this part of a step: Newton's method on steps goes on
/// from there.
const DENSE_TOLERANCE: f64 = 1e-14;

/// A crossing before this part of a step makes the step a shorter one.
const EARLY: f64 = 1.0 / 32.0;

/// Where a touch stands that a shorter step would tell.
const LATER: f64 = 0.9 * EARLY;

/// The shorter step, in units of the time to that crossing. Two would put it on a sampling point.
const SHORTER: f64 = 2.5;

/// A step ends this part of the way to where a guard has no value, so that it does not change much in size on
/// it; where that is before the smaller part of the step, or of the first one of the run, the run ends.
const BEFORE: f64 = 0.5;
const AT_ONCE: f64 = 1e-9;

/// The shortest step on which a guard is looked for, and that on which one near zero is judged, in units of the
/// first one of the run: where the method itself cannot go on, steps become ever shorter.
const SHORTEST: f64 = 1e-12;
const SHORT: f64 = 1e-2;

/// A step of at most so many of the shortest is taken as it is.
const SHORTEST_STEPS: f64 = 8.0;

/// So many steps that are on average as short lead nowhere.
const CRAWL: u64 = 1024;

/// A step that is cut behind this part of it is not made shorter.
const ENDED: f64 = 1.0 - 1e-6;

/// A part of ρ at the ends that asks for another look where a guard touches.
const MUCH_LESS: f64 = 0.125;

/// What samples or polynomials tell of a step.
enum Looked {
    /// No guard crosses: this is proven.
    Clear,
    /// Its first crossing.
    To(Option<Cut>),
}

impl Events<'_> {
    /// A step, with the first point in (0, h] at which a guard crosses; the last trial was there. Many in a row that
    /// are far too short for the motion lead nowhere.
    pub(in crate::hybrid) fn step(
        &mut self,
        flow: &mut Flow<'_>,
        longest: f64,
    ) -> Result<(f64, Option<Cut>), End> {
        let t = flow.t();
        let (step, cut) = self.watched_step(flow, longest)?;
        let (count, way) = (self.arc.crawl.0 + 1, self.arc.crawl.1 + step);
        self.arc.crawl = (count, way);
        if count == CRAWL {
            self.arc.crawl = (0, 0.0);
            // Those that become ever shorter come to where something has no value.
            let mean = way / CRAWL as f64;
            let resolved = mean / (f64::EPSILON * t.abs());
            if (0.01..16.0).contains(&resolved) && mean <= SHORTEST * flow.first_step() {
                return Err(End::StepUnderflow { t, step });
            }
        }
        Ok((step, cut))
    }

    /// The same. That no guard crosses before is proven, where the guards can be bounded.
    fn watched_step(
        &mut self,
        flow: &mut Flow<'_>,
        longest: f64,
    ) -> Result<(f64, Option<Cut>), End> {
        self.arc.above = false;
        let t = flow.t();
        flow.expand().map_err(|stuck| stuck.end(t))?;
        if self.guards.count() == 0 {
            self.arc.dense = false;
            return Ok((flow.step(longest).map_err(|stuck| stuck.end(t))?, None));
        }
        let mut longest = longest;
        loop {
            let (h, looked) = self.sampled_step(flow, longest)?;
            let Looked::To(cut) = looked else {
                self.note_gaps();
                self.pass();
                return Ok((h, None));
            };
            match self.held(flow, h, cut)? {
                Held::Stays => {}
                Held::Again => {
                    longest = h;
                    flow.reject(None);
                    continue;
                }
                Held::Left(left) => {
                    self.arc.told = false;
                    return Ok((h, self.taken(flow, h, Some(left))));
                }
            }
            match self.check_step(flow, h, cut)? {
                Checked::Made(made) => {
                    // What they have missed they do not tell.
                    self.arc.told &= made == cut;
                    self.take_open();
                    self.note_gaps();
                    return Ok((h, self.taken(flow, h, made)));
                }
                Checked::Shorter(_) if h <= SHORTEST_STEPS * shortest(flow, SHORTEST) => {
                    self.all_sampled();
                    return Ok((h, self.taken(flow, h, cut)));
                }
                Checked::Shorter(shorter) => longest = shorter.max(shortest(flow, SHORTEST)),
            }
            flow.reject(None);
        }
    }

    /// Guards that were not proven on some part of the step were sampled on it.
    fn take_open(&mut self) {
        let Self { guards, proof, sampled, .. } = self;
        for guard in (0..guards.count()).filter(|guard| proof.is_open(*guard)) {
            sampled[guards.kind(guard)] = true;
        }
    }

    /// No guard was proven on the step: it is too short to be told in parts.
    fn all_sampled(&mut self) {
        let Self { guards, sampled, .. } = self;
        for guard in (0..guards.count()).filter(|guard| !guards.is_idle(*guard)) {
            sampled[guards.kind(guard)] = true;
        }
    }

    /// Takes note of what the polynomials of the step show of the least gaps, before sides change.
    fn note_gaps(&mut self) {
        let Self { guards, arc, least, proof, .. } = self;
        let proven = |guard| proof.bounds(guards, guard);
        arc.above = arc.told
            && least
                .as_ref()
                .is_some_and(|least| least.are_told(guards, &arc.polynomials, &proven));
    }

    /// The step has been made: sides are those at its end, or at its cut.
    fn taken(&mut self, flow: &mut Flow<'_>, h: f64, cut: Option<Cut>) -> Option<Cut> {
        match cut {
            Some(cut) => {
                self.arc.part = if self.arc.told { cut.τ / h } else { 1.0 };
                self.arc.way = cut.τ;
                if let Some(sign) = cut.side {
                    self.guards.set_side(cut.guard, Side { sign, leaving: false });
                }
                self.sides_at_cut(flow, h, cut);
            }
            None => self.pass(),
        }
        cut
    }

    /// A step with its first crossing, as the samples of the guards or their polynomials tell it. Where the
    /// crossing is near the start the step is repeated with a size of its order: a free fall allows steps of any
    /// size, the bounces in it do not.
    fn sampled_step(&mut self, flow: &mut Flow<'_>, longest: f64) -> Result<(f64, Looked), End> {
        let t = flow.t();
        let mut longest = longest;
        loop {
            (self.arc.dense, self.arc.told) = (false, false);
            let by_series = flow.knows_guards();
            let h = if by_series {
                match self.series_step(flow, longest)? {
                    (h, Stepped::To(cut)) => {
                        self.arc.told = true;
                        let is_clear = cut.is_none() && self.is_clear(flow, h);
                        return Ok((h, if is_clear { Looked::Clear } else { Looked::To(cut) }));
                    }
                    (h, Stepped::Unclear) => h,
                }
            } else {
                let h = flow.step(longest).map_err(|stuck| stuck.end(t))?;
                self.look_at_ends(flow);
                if self.is_clear(flow, h) {
                    return Ok((h, Looked::Clear));
                }
                h
            };
            let found = if by_series { self.scan_series(flow, h) } else { self.crossings(flow, h) };
            let mut found = match found {
                Ok(found) => found,
                Err(guard) => match self.before_the_end_of_a_domain(flow, h, guard)? {
                    Checked::Made(cut) => return Ok((h, Looked::To(cut))),
                    Checked::Shorter(shorter) => {
                        longest = shorter;
                        flow.reject(None);
                        continue;
                    }
                },
            };
            order::sort_by(&mut found, |a, b| a.s.total_cmp(&b.s));
            let Some(first) = found.first() else { return Ok((h, Looked::To(None))) };
            longest = match self.earlier(flow, first, h) {
                Some(shorter) => shorter,
                None => match self.first_cut(flow, h, &found)? {
                    Checked::Made(cut) => return Ok((h, Looked::To(cut))),
                    Checked::Shorter(shorter) => shorter,
                },
            };
            flow.reject(Some(longest));
        }
    }

    /// Values and sides of the guards at both ends of the step just made, as they are where none crosses.
    fn look_at_ends(&mut self, flow: &Flow<'_>) {
        let Self { guards, arc, values, .. } = self;
        arc.set_start(values);
        guards.values(flow.next.t.high, &flow.next.y, arc.ends_mut());
        arc.sides.clear();
        arc.sides.extend((0..guards.count()).map(|guard| guards.side(guard)));
    }

    /// Whether all guards can be bounded, and keep their sides on a box around the step just made, at whose ends
    /// they have been looked at.
    fn is_clear(&mut self, flow: &Flow<'_>, h: f64) -> bool {
        let Self { guards, arc, values, clearance, proof, .. } = self;
        proof.bounds_all(guards) && clearance.keeps(flow, guards, h, [values, arc.ends()])
    }

    /// The shorter step that a crossing asks for, if it does. One at the very start, of a guard that is at zero there
    /// and does not leave it, does not: nothing comes before it, and on a step as short as that it would not be seen
    /// to fall. A guard that is at zero there and on its side at the end may have been behind zero between.
    fn earlier(&self, flow: &Flow<'_>, found: &Found, h: f64) -> Option<f64> {
        let &Found { s, guard, rounding, verdict, .. } = found;
        let is_touch = matches!(verdict, Verdict::Touches { .. });
        let leaves = self.guards.side(guard).leaving;
        if is_touch && s == 0.0 && !leaves {
            return (h > shortest(flow, SHORTEST) / EARLY).then_some(EARLY * h);
        }
        let is_at_zero = self.values[guard].abs() <= rounding && !leaves && !is_touch;
        let is_early = s < EARLY && !(s <= NEAR && is_at_zero);
        let is_long = h > f64::EPSILON * flow.t().abs();
        (is_early && is_long).then_some(SHORTER * s.max(f64::EPSILON) * h)
    }

    /// A guard has no value somewhere on the step just made, which is cut before that, or made shorter.
    fn before_the_end_of_a_domain(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        guard: usize,
    ) -> Result<Checked, End> {
        let shorter = match self.check_guards(flow, h, None)? {
            Checked::Made(None) => 0.5 * h,
            Checked::Made(cut) => return Ok(Checked::Made(cut)),
            Checked::Shorter(shorter) => shorter,
        };
        if shorter > shortest(flow, SHORTEST) {
            return Ok(Checked::Shorter(shorter));
        }
        Err(self.guards.has_no_value(guard, flow.t()))
    }

    /// Whether no guard crosses before the end of a step, or before its cut.
    fn check_step(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        cut: Option<Cut>,
    ) -> Result<Checked, End> {
        match self.check_guards(flow, h, cut)? {
            Checked::Made(cut) if self.guards.has_forces() => self.check_forces(flow, h, cut),
            checked => Ok(checked),
        }
    }

    /// The same of the guards of forces.
    fn check_forces(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        cut: Option<Cut>,
    ) -> Result<Checked, End> {
        let end = cut.map_or(1.0, |cut| cut.τ / h);
        if end == 0.0 {
            return Ok(Checked::Made(cut));
        }
        self.look_at_last(flow, cut);
        let Self { guards, arc, values, roundings, sampled, forces, kept, .. } = self;
        let forces = forces.get_or_insert_with(|| {
            let (system, inputs) = guards.of();
            Box::new(ForceProof::new(system, inputs, guards.count()))
        });
        let Arc { values: last, uncertainties, dense, .. } = arc;
        let span = Span {
            h,
            end,
            located: cut.map(|cut| cut.guard),
            ends: [values, last],
            roundings,
            uncertainties,
        };
        let mut unseen = |kind: usize| sampled[kind] = true;
        let found = forces.prove((flow, guards, kept), &span, dense, &mut unseen);
        let Some(found) = found else { return Ok(Checked::Made(cut)) };
        self.take_proof(flow, found, h, cut)
    }

    /// The same of those that have programs.
    fn check_guards(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        cut: Option<Cut>,
    ) -> Result<Checked, End> {
        let Self { guards, arc, proof, tails, sampled, .. } = self;
        let count = guards.count();
        proof.forget();
        let proves = |guard| proof.bounds(guards, guard);
        for guard in 0..count {
            // What is carried has been seen to stay, or was said to have been sampled.
            let is_still = guards.is_idle(guard) || guards.is_carried(guard);
            if !proves(guard) && !is_still && !guards.is_of_forces(guard) {
                sampled[guards.kind(guard)] = true;
            }
        }
        let end = cut.map_or(1.0, |cut| cut.τ / h);
        if end == 0.0 || !(0..count).any(proves) {
            return Ok(Checked::Made(cut));
        }
        let located = cut.map(|cut| cut.guard);
        if arc.told && tails.prove(flow, guards, &arc.polynomials, (h, end, located)) {
            return Ok(Checked::Made(cut));
        }
        self.look_at_last(flow, cut);
        let Self { guards, arc, proof, values, .. } = self;
        let Arc { values: last, uncertainties, dense, .. } = arc;
        let ends = [values.as_slice(), last.as_slice()];
        let proven = proof.prove((flow, guards), (h, end, located), ends, uncertainties, dense);
        self.take_proof(flow, proven, h, cut)
    }

    /// Sizes of the errors of a step, and the guards at its end, or where it is cut.
    fn look_at_last(&mut self, flow: &Flow<'_>, cut: Option<Cut>) {
        let Self { guards, arc, .. } = self;
        arc.measure(flow, &flow.base.y, &flow.next.y);
        let (count, Arc { sketch, values: last, .. }) = (guards.count(), arc);
        match cut {
            Some(_) => guards.values(flow.next.t.high, &flow.next.y, last),
            None => last.copy_from_slice(&sketch[(SKETCH - 1) * count..SKETCH * count]),
        }
    }

    /// Sides of the declared events at the end of a step that has been proven clear.
    fn take_sides(&mut self) {
        let Self { guards, arc, proof, .. } = self;
        for guard in 0..guards.count() {
            let side = proof.side_at_end(guard).filter(|_| proof.bounds(guards, guard));
            if let Some(side) = side.filter(|_| guards.event(guard).is_some()) {
                arc.sides[guard] = side;
            }
        }
    }

    /// What follows from a proof.
    fn take_proof(
        &mut self,
        flow: &mut Flow<'_>,
        proven: Proven,
        h: f64,
        cut: Option<Cut>,
    ) -> Result<Checked, End> {
        let t = flow.t();
        match proven {
            Proven::Clear => {
                if cut.is_none() {
                    self.take_sides();
                }
                Ok(Checked::Made(cut))
            }
            Proven::UpTo(_) if h <= shortest(flow, SHORT) => {
                self.all_sampled();
                Ok(Checked::Made(cut))
            }
            Proven::UpTo(s) => Ok(Checked::Shorter(s.clamp(0.125, 0.5) * h)),
            Proven::Singular { guard, s } if s <= AT_ONCE || s * h <= shortest(flow, AT_ONCE) => {
                Err(End::SingularGuard { t, guard: self.guards.name(guard) })
            }
            Proven::Singular { s, .. } => Ok(Checked::Shorter(BEFORE * s * h)),
            Proven::Touches { guard, s, value, rounding } => {
                let τ = s * h;
                flow.trial(τ).map_err(|stuck| stuck.end(t))?;
                let touch = Some((value, rounding));
                Ok(Checked::Made(Some(Cut { τ, guard, touch, side: None })))
            }
            Proven::Crosses { guard, side, low, high } => {
                // Ended where the guard has crossed, the step shows it to the samples too.
                if high < ENDED {
                    return Ok(Checked::Shorter(high * h));
                }
                let found = self.found(flow, guard, (side, low, high), h);
                if let Some(shorter) = self.earlier(flow, &found, h) {
                    return Ok(Checked::Shorter(shorter));
                }
                let earlier = self.first_cut(flow, h, &[found])?;
                Ok(if earlier == Checked::Made(None) { Checked::Made(cut) } else { earlier })
            }
        }
    }

    /// A crossing that has been proven to lie in a part of the step.
    fn found(
        &mut self,
        flow: &mut Flow<'_>,
        guard: usize,
        (side, low, high): (f64, f64, f64),
        h: f64,
    ) -> Found {
        if !flow.knows_guards() {
            self.interpolate(flow, h);
        }
        let Self { guards, arc, .. } = self;
        let (noise, rounding) = arc.spreads(flow, guards, guard);
        let Arc { values, point, .. } = arc;
        let s = dense_root(low, high, DENSE_TOLERANCE, |s| {
            side * dense_value(flow, guards, (guard, h), s, (&mut *values, &mut *point))
        });
        Found { s, guard, noise, rounding, verdict: Verdict::Crosses { side, low, high } }
    }

    /// Makes the dense output of the step just accepted, once.
    pub(in crate::hybrid) fn interpolate(&mut self, flow: &mut Flow<'_>, h: f64) {
        if !self.arc.dense {
            flow.interpolate(h);
            self.arc.dense = true;
        }
    }

    /// The step goes to its end: sides and values are those there.
    pub(in crate::hybrid) fn pass(&mut self) {
        let Self { arc, guards, values, .. } = self;
        for (guard, side) in arc.sides.iter().enumerate() {
            guards.set_side(guard, *side);
        }
        values.copy_from_slice(arc.ends());
    }

    /// The same on a step by series: guards are known along all of it.
    fn scan_series(&mut self, flow: &mut Flow<'_>, h: f64) -> Result<Vec<Found>, usize> {
        self.look_at_ends(flow);
        let mut found = Vec::new();
        for guard in 0..self.guards.count() {
            found.extend(self.crossing(flow, guard, h)?);
        }
        Ok(found)
    }

    /// The first crossing or touch of each guard on the dense output; or a guard that has no value somewhere.
    fn crossings(&mut self, flow: &mut Flow<'_>, h: f64) -> Result<Vec<Found>, usize> {
        let Self { guards, arc, .. } = self;
        arc.draw(flow, guards, h);
        let mut found = Vec::new();
        for guard in 0..self.guards.count() {
            if !self.arc.is_clear(guard, self.guards.side(guard)) {
                self.interpolate(flow, h);
                found.extend(self.crossing(flow, guard, h)?);
            }
        }
        Ok(found)
    }

    /// The first crossing or touch of a guard on the dense output; where there is none its side
    /// at the end of the step. The guard itself where it has no value somewhere.
    fn crossing(
        &mut self,
        flow: &mut Flow<'_>,
        guard: usize,
        h: f64,
    ) -> Result<Option<Found>, usize> {
        let (mut noise, mut rounding) = self.arc.spreads(flow, &mut self.guards, guard);
        let mut verdict = self.verdict(flow, (guard, h), (noise, rounding));
        if let Verdict::Touches { s, .. } = verdict {
            // Where it touches, a guard that is flat is rounded by far less than at the ends.
            let (noise_there, rounding_there) = self.spreads_at(flow, guard, s, h);
            if rounding_there < MUCH_LESS * rounding {
                (noise, rounding) = (noise.min(noise_there), rounding_there);
                verdict = self.verdict(flow, (guard, h), (noise, rounding));
            }
        }
        let (side, ends) = (self.guards.side(guard), [self.arc.sketch[guard], self.arc.end(guard)]);
        let s = match verdict {
            Verdict::Clear(side) => {
                self.arc.sides[guard] = side;
                return Ok(None);
            }
            Verdict::Crosses { .. } if self.has_underflown(flow, guard) => {
                self.arc.sides[guard] = side;
                return Ok(None);
            }
            Verdict::Crosses { side, low, high } => {
                let Self { guards, arc, .. } = self;
                let room = (&mut arc.values, &mut arc.point);
                let mut value = on_dense(flow, guards, (guard, h), ends, room);
                dense_root(low, high, DENSE_TOLERANCE, |s| side * value(s))
            }
            Verdict::Touches { s: 0.0, value }
                if !side.leaving
                    && self.arc.is_off(flow, &mut self.guards, guard, value * side.sign) =>
            {
                LATER
            }
            Verdict::Touches { s, .. } => s,
            Verdict::NotFinite => return Err(guard),
        };
        Ok(Some(Found { s, guard, noise, rounding, verdict }))
    }

    /// Whether a guard is zero at the end of the step since it is smaller than all numbers, and not since it is zero: neither
    /// it nor its ρ is a number that has all its digits.
    fn has_underflown(&mut self, flow: &Flow<'_>, guard: usize) -> bool {
        let Self { guards, arc, .. } = self;
        let (t, y) = (flow.next.t.high, &flow.next.y);
        underflows(arc.end(guard)) && underflows(guards.spread(guard, t, y, &arc.uncertainties))
    }

    /// What samples of a guard on the dense output say, with these noise and ρ.
    fn verdict(
        &mut self,
        flow: &Flow<'_>,
        (guard, h): (usize, f64),
        (noise, rounding): (f64, f64),
    ) -> Verdict {
        let Self { guards, arc, .. } = self;
        let (rule, side, floor) = (guards.rule(guard), guards.side(guard), guards.floor(guard));
        let (ends, touches) = ([arc.sketch[guard], arc.end(guard)], !guards.holds(guard));
        let Arc { scan, values, point, .. } = arc;
        let mut value = on_dense(flow, guards, (guard, h), ends, (values, point));
        let fires = |side: f64, value: f64| rule.fires(side, value);
        scan.verdict(&mut Guarded {
            value: &mut value,
            noise,
            rounding,
            side,
            floor,
            touches,
            fires: &fires,
        })
    }

    /// The noise of a guard and its ρ at a part of the step.
    fn spreads_at(&mut self, flow: &Flow<'_>, guard: usize, s: f64, h: f64) -> (f64, f64) {
        let Self { guards, arc: Arc { point, roundings, uncertainties, .. }, .. } = self;
        let t = flow.base.t.high + s * h;
        flow.dense(s, point);
        let mut spread = |sizes: &[f64]| guards.spread(guard, t, point, sizes);
        (spread(roundings), spread(uncertainties))
    }
}

/// A guard on the dense output, with its values at both ends of the step h.
fn on_dense<'a>(
    flow: &'a Flow<'_>,
    guards: &'a mut Guards<'_>,
    (guard, h): (usize, f64),
    ends: [f64; 2],
    (values, point): (&'a mut Vec<f64>, &'a mut Vec<f64>),
) -> impl FnMut(f64) -> f64 + 'a {
    move |s| match s {
        0.0 => ends[0],
        1.0 => ends[1],
        _ => dense_value(flow, guards, (guard, h), s, (&mut *values, &mut *point)),
    }
}

/// A part of the first step of the run, that can be told in time.
fn shortest(flow: &Flow<'_>, part: f64) -> f64 {
    (part * flow.first_step()).max(4.0 * f64::EPSILON * flow.t().abs())
}
