//! Crossings on a step by series: guards are polynomials.
//!
//! A guard that keeps off zero, and one that crosses it once in a piece of the step, are told by their
//! Bernstein coefficients. Where those do not tell, near a graze or for an event that passes zero the
//! way that does not fire, the step is scanned as any other, on the same polynomials.
//!
//! A guard may have singularities nearer than those of the motion: √ of a speed that is small for a
//! moment. The step is then shorter, until the last terms of its polynomial are small, and a guard has
//! to be at the end of a step what its polynomial says. The root is made exact on the guard itself.

use super::Events;
use super::arc::{Cut, First, Known, NEAR, RESOLUTION, ROOT_SHARE, Stepped};
use super::scan::{LEFT, Side};
use crate::flow::Flow;
use crate::series::{Crossing, Observed, first_crossing, powers};
use crate::trajectory::end::End;

/// Moves of a root towards zero; and to the side of it that is wanted, each twice as far as the one before, so that
/// they go beyond what rounding makes of it, the first a part 1/[`FAR_UNITS`] of that.
const MOVES: u8 = 10;
const MOVES_ASIDE: u8 = 12;

/// A root is found where the guard leaves an error of so many units of rounding of its time.
const ROOT_UNITS: f64 = 8.0;

/// What is farther from a root than so many of these is none: the guard is rounded by more than its time.
const FAR_UNITS: f64 = 1e3;

/// A polynomial and its guard differ by at most so many times what rounding makes of the guard: a
/// steep one may be no more than that, and be told all the same.
const NOISES: f64 = 16.0;

/// A guard whose slope at its root leads back to less than one in so many of where it was is flat there.
const FLAT: f64 = 32.0;

impl Events<'_> {
    /// A step by series with its first crossing, where polynomials tell it.
    pub(in crate::hybrid) fn series_step(
        &mut self,
        flow: &mut Flow<'_>,
        longest: f64,
    ) -> Result<(f64, Stepped), End> {
        let t = flow.t();
        let mut longest = longest;
        let shortest = flow.shortest_step();
        loop {
            let mut h = flow.reach(longest).map_err(|stuck| stuck.end(t))?;
            let known =
                if longest > shortest { self.first_of_step(flow, &mut h) } else { Known::Unclear };
            longest = match known {
                Known::Nothing => {
                    let made = flow.step(h).map_err(|stuck| stuck.end(t))?;
                    if made == h && self.ends_as_known(flow) {
                        return Ok((h, Stepped::To(None)));
                    }
                    made.min(0.5 * h)
                }
                Known::First(first) if !self.is_flat(first) => match self.go_to(flow, first, h)? {
                    Some(cut) => return Ok((h, Stepped::To(Some(cut)))),
                    None => 0.5 * first.s * h,
                },
                Known::Unclear | Known::First(_) => {
                    self.arc.root = None;
                    let h = flow.step(h).map_err(|stuck| stuck.end(t))?;
                    return Ok((h, Stepped::Unclear));
                }
            };
            flow.reject(None);
        }
    }

    /// Whether a guard is so flat at its root that its slope there does not lead to it.
    fn is_flat(&self, First { guard, slope, s, .. }: First) -> bool {
        FLAT * (slope * s).abs() < self.values[guard].abs()
    }

    /// What the guards do on a step of at most h, which is made shorter where one is no polynomial of
    /// the order of the series on all of it.
    fn first_of_step(&mut self, flow: &mut Flow<'_>, h: &mut f64) -> Known {
        self.observe(flow, *h);
        let parts = self.arc.polynomials.iter().filter_map(Observed::part_that_converges);
        let part = parts.fold(1.0, f64::min);
        if part < 1.0 {
            *h *= part;
            flow.shorten(*h);
            self.observe(flow, *h);
        }
        let Self { guards, arc, values, .. } = self;
        let count = guards.count();
        let mut first: Option<First> = None;
        // Where a guard passes zero the way that does not fire.
        let mut passes = f64::INFINITY;
        arc.sides.clear();
        arc.set_start(values);
        for guard in 0..count {
            let side = guards.side(guard);
            if guards.is_idle(guard) {
                arc.sides.push(side);
                arc.set_end(guard, values[guard]);
                continue;
            }
            if side.sign == 0.0 {
                return Known::Unclear;
            }
            let polynomial = &mut arc.polynomials[guard];
            let last = first.map_or(1.0, |first| first.s);
            match first_crossing(polynomial, side.sign, last) {
                Crossing::Unclear => return Known::Unclear,
                Crossing::At { s, .. } if !guards.rule(guard).fires(side.sign, 0.0) => {
                    passes = passes.min(s);
                }
                Crossing::At { s, slope } if first.is_none() || s < last => {
                    first = Some(First { s, guard, side: side.sign, slope });
                }
                Crossing::None | Crossing::At { .. } => {}
            }
            arc.sides.push(Side { sign: side.sign, leaving: false });
            let end = polynomial.end();
            arc.set_end(guard, end);
        }
        match first {
            _ if passes <= first.map_or(1.0, |first| first.s) => Known::Unclear,
            Some(first) => Known::First(first),
            None => Known::Nothing,
        }
    }

    /// Takes the polynomials of the guards on a step.
    fn observe(&mut self, flow: &mut Flow<'_>, h: f64) {
        let Self { guards, arc, .. } = self;
        let powers = powers(h);
        for (guard, polynomial) in arc.polynomials.iter_mut().enumerate() {
            flow.observe(guard, &powers, guards.side(guard).leaving, polynomial);
        }
    }

    /// Whether the guards at the end of the step are what their polynomials are there; then the end
    /// has the guards' own values.
    fn ends_as_known(&mut self, flow: &mut Flow<'_>) -> bool {
        let Self { guards, arc, .. } = self;
        let (next, count) = (&flow.next, guards.count());
        guards.values(next.t.high, &next.y, &mut arc.values);
        for guard in 0..count {
            let (told, found) = (self.arc.end(guard), self.arc.values[guard]);
            let difference = (told - found).abs();
            let agrees = difference <= NEAR * self.arc.largest(guard)
                || difference <= NOISES * self.noise(flow, guard);
            if !agrees {
                return false;
            }
            self.arc.set_end(guard, found);
            if !self.has_left(flow, guard) {
                self.arc.sides[guard] = self.guards.side(guard);
            }
        }
        true
    }

    /// Whether a guard has been away from zero, from where it left, on a step that may be as short as rounding.
    fn has_left(&mut self, flow: &Flow<'_>, guard: usize) -> bool {
        let Self { guards, arc, .. } = self;
        let (side, next) = (guards.side(guard), &flow.next);
        if !side.leaving {
            return true;
        }
        arc.measure(flow, &next.y, &next.y);
        let rounding = guards.spread(guard, next.t.high, &next.y, arc.uncertainties());
        arc.polynomials[guard].largest() > LEFT * rounding
    }

    /// What rounding of the state, and of what is computed of it, makes of a guard at the end of the last trial.
    fn noise(&mut self, flow: &Flow<'_>, guard: usize) -> f64 {
        self.arc.measure(flow, &flow.base.y, &flow.next.y);
        self.noise_at(guard, flow.next.t.high, &flow.next.y)
    }

    /// The same at a state, of which the sizes have been measured.
    pub(super) fn noise_at(&mut self, guard: usize, t: f64, y: &[f64]) -> f64 {
        let Self { guards, arc, proof, .. } = self;
        guards.spread(guard, t, y, arc.roundings()).max(proof.width(guard, t, y))
    }

    /// Goes to a crossing: a contact's x⁻ is the last point that does not penetrate, an event's the
    /// first after it. The polynomial says where it is, the guard itself makes it exact: Newton's
    /// method with the slope of the polynomial. None where the guard is not near zero there.
    fn go_to(&mut self, flow: &mut Flow<'_>, first: First, h: f64) -> Result<Option<Cut>, End> {
        let First { guard, side, slope, s } = first;
        let (t, slope) = (flow.base.t.high, slope / h);
        // The size of the guard up to there: a flight may be far lower than what is beyond it is deep.
        let largest = self.values[guard].abs().max((slope * s * h).abs());
        let wanted = if self.guards.gap(guard).is_some() { side } else { -side };
        // Half of what is allowed towards the side that is wanted, where rounding does not miss it.
        let aside = 0.5 * ROOT_UNITS * f64::EPSILON * wanted * side;
        let mut τ = (s * h * (1.0 - aside)).clamp(0.0, h);
        let (mut value, mut looked_at) = (0.0, τ);
        for step in 0..MOVES {
            looked_at = τ;
            value = self.look(flow, guard, τ)?;
            let is_near =
                value.abs() <= NEAR * largest || value.abs() <= NOISES * self.noise(flow, guard);
            if !is_near {
                return Ok(None);
            }
            let (error, least) = ((value / slope).abs(), f64::EPSILON * τ);
            let is_root = error <= ROOT_UNITS * least || value.abs() <= f64::EPSILON * largest;
            if is_root && value * wanted >= 0.0 {
                break;
            }
            // Rounding has the last word: from the wrong side a bit farther, by more and more.
            let bias = if value * wanted < 0.0 { f64::from(step) * least } else { 0.0 };
            τ = (τ - value / slope - bias.copysign(wanted * side)).clamp(0.0, h);
        }
        // The step ends where it was looked at last: there `next` is, and to there work is done.
        τ = looked_at;
        if value * wanted < 0.0 {
            (τ, value) = self.go_aside(flow, first, (τ, h), wanted)?;
        }
        // A slope that changes on the way, near a graze, leads nowhere: then the step has to be shorter.
        let error = (value / slope).abs();
        let is_root = error <= FAR_UNITS * f64::EPSILON * t.abs().max(τ)
            || value.abs() <= FAR_UNITS * f64::EPSILON * largest
            || value.abs() <= NOISES * self.noise(flow, guard);
        if value * wanted < 0.0 || !is_root || flow.arrive(τ).is_err() {
            return Ok(None);
        }
        self.arc.root = Some((slope, h));
        Ok(Some(Cut { τ, guard, touch: None, side: Some(side) }))
    }

    /// From a root as good as rounding lets it be to the side that is wanted. A guard of t itself changes by ε t
    /// at a time, and one of rounded states by what is left of them, and is not told apart within that. A guard
    /// that does not depend on t is told as well late as it is early: its root may be off by no ε t.
    fn go_aside(
        &mut self,
        flow: &mut Flow<'_>,
        First { guard, side, slope, .. }: First,
        (τ, h): (f64, f64),
        wanted: f64,
    ) -> Result<(f64, f64), End> {
        let mut τ = τ;
        let rounding = self.noise(flow, guard) * (h / slope).abs() / FAR_UNITS;
        let mut beyond = (f64::EPSILON * τ).max(rounding);
        let mut value = self.arc.values[guard];
        for _ in 0..MOVES_ASIDE {
            if value * wanted >= 0.0 {
                break;
            }
            τ = (τ + beyond.copysign(-wanted * side)).clamp(0.0, h);
            beyond *= 2.0;
            value = self.look(flow, guard, τ)?;
        }
        Ok((τ, value))
    }

    /// A guard at a time of the step.
    fn look(&mut self, flow: &mut Flow<'_>, guard: usize, τ: f64) -> Result<f64, End> {
        let t = flow.base.t.high;
        flow.lead(τ, true).map_err(|stuck| stuck.end(t))?;
        self.guards.values(flow.next.t.high, &flow.next.y, &mut self.arc.values);
        Ok(self.arc.values[guard])
    }

    /// How exactly a crossing is known that polynomials told, for an instant that asks.
    pub(in crate::hybrid) fn measure_crossing(&mut self, flow: &mut Flow<'_>, guard: usize) {
        let Self { guards, arc, .. } = self;
        let Some((slope, h)) = arc.root.take() else { return };
        arc.measure(flow, &flow.base.y, &flow.next.y);
        let noise = guards.spread(guard, flow.base.t.high, &flow.base.y, arc.roundings());
        let resolution = (ROOT_SHARE * noise / slope).abs().min(NEAR * h);
        arc.set_resolution((RESOLUTION * h).max(resolution));
    }
}
