//! To which side the guard of a declared event goes from zero, where a jump has turned the motion there.
//!
//! An event that fired leaves for its other side, unless the state has jumped since: a reset that turns the motion
//! leaves the guard at zero, and it goes back to where it came from. With the slopes ẏ after the jump
//!
//! ```text
//! Δ(δ) = γ(t + δ, y + δ ẏ) − γ(t, y)        ≈ γ̇ δ
//! ```
//!
//! tells the side by its sign, where |Δ(δ)| is more than four times what rounding makes of γ, and Δ(2δ) is 2Δ(δ) to a
//! tenth, for the smallest such δ, up to the first step of the run: over a longer one a guard may have turned. Where none
//! shows it, the side is that of the first value beyond ρ.
//!
//! An event that is on its side σ at an instant of others may come to zero within the time δ that cannot be told from none. It
//! reaches zero with the instant where
//!
//! ```text
//! σΔ(δ) < 0 and |Δ(δ)| ≥ |γ|, or |γ| ≤ ρ and σγ̇ < 0
//! ```
//!
//! before it, and fires with it where the jumps keep it from crossing by itself: where neither holds after them.

use super::Events;
use super::guards::CLEAR;
use super::scan::Side;
use crate::flow::Flow;

/// How much smaller each δ is than the one before, and how many are tried.
const SMALLER: f64 = 1.0 / 16.0;
const TRIALS: i32 = 12;

/// A change beyond so many units of rounding is one.
const TOLD: f64 = 4.0;

/// The error of a state in units of what the last step to it may have.
const OF_STEPS: f64 = 16.0;

/// By how much of it Δ(2δ) may differ from 2Δ(δ).
const BENT: f64 = 0.1;

/// Times that cannot be told apart: roots of a guard that the motion alone moves, and of one that moves with t.
#[derive(Debug, Clone, Copy)]
pub(in crate::hybrid) struct Simultaneous {
    pub(in crate::hybrid) by_motion: f64,
    pub(in crate::hybrid) by_time: f64,
}

impl Events<'_> {
    /// Times of roots of a guard that cannot be told apart: what the rounding of t makes of them is the part of Δ that
    /// t alone makes.
    pub(in crate::hybrid) fn not_told_apart(
        &mut self,
        flow: &Flow<'_>,
        guard: usize,
        Simultaneous { by_motion, by_time: δ }: Simultaneous,
    ) -> f64 {
        if δ <= by_motion {
            return δ;
        }
        let change = self.change(flow, guard, δ);
        let Self { guards, arc, values, .. } = self;
        guards.values(flow.t() + δ, &flow.base.y, &mut arc.values);
        let by_time = arc.values[guard] - values[guard];
        let part = if by_time == 0.0 { 0.0 } else { (by_time / change).abs() };
        by_motion.max(part.min(1.0) * δ)
    }

    /// Whether a declared event has been turned back, and has not left zero since.
    pub(in crate::hybrid) fn is_turned(&self, event: usize) -> bool {
        let leaves = self.guards.side(self.guards.of_event(event)).leaving;
        leaves && self.turned.has(event)
    }

    /// The declared events that are at zero, on a side.
    pub(in crate::hybrid) fn at_zero(&self) -> Vec<usize> {
        let declared = (0..self.guards.count()).filter_map(|guard| self.guards.event(guard));
        declared.filter(|event| self.side_at_zero(*event).is_some()).collect()
    }

    /// The terms of friction whose slip is at zero, as near to it as an event that fires: where an event has the same guard as
    /// a slip, both have come to their root.
    pub(in crate::hybrid) fn stopping(&self) -> Vec<usize> {
        let near = |guard: &usize| {
            let slides = self.guards.slips(*guard) && !self.guards.side(*guard).leaving;
            slides && self.values[*guard].abs() <= CLEAR * self.roundings[*guard]
        };
        let found = (0..self.guards.count()).filter(near);
        found.filter_map(|guard| self.guards.friction(guard)).collect()
    }

    /// The side of a declared event that is at zero.
    fn side_at_zero(&self, event: usize) -> Option<f64> {
        let guard = self.guards.of_event(event);
        let Side { sign, leaving } = self.guards.side(guard);
        let is_at_zero = self.values[guard].abs() <= self.roundings[guard];
        (is_at_zero && !leaving && sign != 0.0).then_some(sign)
    }

    /// The declared events that are on a side, and fire where they come to zero.
    pub(in crate::hybrid) fn waiting(&self) -> Vec<usize> {
        let declared = (0..self.guards.count()).filter_map(|guard| self.guards.event(guard));
        declared.filter(|event| self.waits_on(*event).is_some()).collect()
    }

    /// The side of such an event.
    fn waits_on(&self, event: usize) -> Option<f64> {
        let guard = self.guards.of_event(event);
        let Side { sign, leaving } = self.guards.side(guard);
        let fires = !leaving && sign != 0.0 && self.guards.rule(guard).fires(sign, 0.0);
        let waits = fires && !self.guards.is_idle(guard);
        waits.then_some(sign)
    }

    /// Whether the motion as it is now carries one to zero at once, or through it from where it is zero to rounding.
    pub(in crate::hybrid) fn reaches_zero(
        &mut self,
        flow: &Flow<'_>,
        event: usize,
        simultaneous: Simultaneous,
    ) -> bool {
        let Some(sign) = self.waits_on(event) else { return false };
        self.crosses_within(flow, event, simultaneous) || self.goes_through(flow, event, sign)
    }

    /// Whether it passes zero at a time that cannot be told from this one. What it changes by in that time is rounding at this instant.
    pub(in crate::hybrid) fn crosses_within(
        &mut self,
        flow: &Flow<'_>,
        event: usize,
        simultaneous: Simultaneous,
    ) -> bool {
        let Some(sign) = self.waits_on(event) else { return false };
        let guard = self.guards.of_event(event);
        let δ = self.not_told_apart(flow, guard, simultaneous);
        let (value, change) = (self.values[guard], self.change(flow, guard, δ));
        let least = value.abs().max(self.proof.width(guard, flow.t(), &flow.base.y));
        let crosses = sign * change < 0.0 && change.abs() >= least;
        if crosses {
            self.left[guard] = self.left[guard].max(value.abs() + change.abs());
            self.roundings[guard] = self.roundings[guard].max(self.left[guard]);
        }
        crosses
    }

    /// Whether one at zero is carried through it.
    fn goes_through(&mut self, flow: &Flow<'_>, event: usize, sign: f64) -> bool {
        let guard = self.guards.of_event(event);
        self.side_at_zero(event).is_some() && self.direction(flow, guard) == Some(-sign)
    }

    /// γ̇ of one that fires, where it is near zero and the motion carries it there or through.
    pub(in crate::hybrid) fn rate_through(&mut self, flow: &Flow<'_>, event: usize) -> Option<f64> {
        let sign = self.waits_on(event)?;
        self.rate(flow, self.guards.of_event(event)).filter(|rate| sign * rate < 0.0)
    }

    /// Whether the motion after the jumps keeps one that has reached zero from crossing by itself; it leaves zero then.
    pub(in crate::hybrid) fn is_kept(
        &mut self,
        flow: &Flow<'_>,
        event: usize,
        simultaneous: Simultaneous,
    ) -> bool {
        let is_kept = !self.reaches_zero(flow, event, simultaneous);
        if let Some(sign) = self.waits_on(event).filter(|_| is_kept) {
            let guard = self.guards.of_event(event);
            self.guards.leave_for(guard, sign, self.values[guard]);
        }
        is_kept
    }

    /// Whether one at zero goes back to its side; it leaves zero then.
    pub(in crate::hybrid) fn turns_back(&mut self, flow: &Flow<'_>, event: usize) -> bool {
        let guard = self.guards.of_event(event);
        let side = self.side_at_zero(event);
        let sign = side.filter(|sign| self.direction(flow, guard) == Some(*sign));
        sign.inspect(|sign| self.guards.leave_for(guard, *sign, self.values[guard])).is_some()
    }

    /// Takes the side of a declared event that has fired at this instant anew, by where it goes. Whether it has
    /// been turned back, to where it can fire again.
    pub(in crate::hybrid) fn depart(&mut self, flow: &Flow<'_>, event: usize) -> bool {
        let guard = self.guards.of_event(event);
        let (t, value, rounding) = (flow.t(), self.values[guard], self.roundings[guard]);
        if value.abs() > CLEAR * rounding {
            if self.guards.rule(guard).fires(value.signum(), 0.0) {
                self.turned.set_back(event, t);
            }
            return false;
        }
        let Some(rate) = self.rate(flow, guard) else {
            self.guards.set_side(guard, Side { sign: 0.0, leaving: false });
            return false;
        };
        let sign = rate.signum();
        let is_turned =
            self.guards.side(guard).sign != sign && self.guards.rule(guard).fires(sign, 0.0);
        self.guards.leave_for(guard, sign, value);
        if is_turned {
            return self.turned.take(event, t, (rate, rounding));
        }
        self.turned.is_lost(event, t, (rate, rounding))
    }

    fn direction(&mut self, flow: &Flow<'_>, guard: usize) -> Option<f64> {
        self.rate(flow, guard).map(f64::signum)
    }

    /// γ̇ from the base point on, where its sign can be told.
    fn rate(&mut self, flow: &Flow<'_>, guard: usize) -> Option<f64> {
        let (t, y) = (flow.t(), &flow.base.y);
        self.arc.measure(flow, y, y);
        let told = TOLD * self.noise_at(guard, t, y);
        let first = flow.first_step();
        (0..TRIALS).rev().find_map(|trial| {
            let δ = first * SMALLER.powi(trial);
            let [once, twice] = [δ, 2.0 * δ].map(|δ| self.change(flow, guard, δ));
            let is_straight = (twice - 2.0 * once).abs() <= BENT * twice.abs();
            (once.abs() > told && is_straight).then_some(once / δ)
        })
    }

    /// γ̇ over a time δ from the base point.
    pub(in crate::hybrid) fn rate_over(&mut self, flow: &Flow<'_>, guard: usize, δ: f64) -> f64 {
        self.change(flow, guard, δ) / δ
    }

    /// γ̇ and γ̈ of the parabola through the base point and two points by Heun, δ and 2δ behind it.
    pub(in crate::hybrid) fn rates_over(
        &mut self,
        flow: &mut Flow<'_>,
        guard: usize,
        δ: f64,
    ) -> [f64; 2] {
        let [once, twice] = [δ, 2.0 * δ].map(|δ| {
            let Self { guards, arc, values, .. } = self;
            flow.by_two_slopes(δ, &mut arc.point);
            guards.values(flow.t() + δ, &arc.point, &mut arc.values);
            arc.values[guard] - values[guard]
        });
        [(2.0 * once - 0.5 * twice) / δ, (twice - 2.0 * once) / (δ * δ)]
    }

    /// What the steps to the base point leave of a declared event there, in parts of each number: one that falls to nothing is told
    /// as well as it is small.
    pub(in crate::hybrid) fn rounding_of_dip(&mut self, flow: &Flow<'_>, guard: usize) -> f64 {
        let (t, y) = (flow.t(), &flow.base.y);
        let part = flow.part_of_error();
        let sizes = y.iter().map(|y| OF_STEPS * part * y.abs());
        self.arc.point.iter_mut().zip(sizes).for_each(|(point, size)| *point = size);
        self.guards.least_spread(guard, (t, y), &self.arc.point)
    }

    /// Δ(δ).
    fn change(&mut self, flow: &Flow<'_>, guard: usize, δ: f64) -> f64 {
        let Self { guards, arc, values, .. } = self;
        let moved = flow.base.y.iter().zip(flow.slope()).map(|(y, slope)| y + δ * slope);
        arc.point.iter_mut().zip(moved).for_each(|(point, y)| *point = y);
        guards.values(flow.t() + δ, &arc.point, &mut arc.values);
        arc.values[guard] - values[guard]
    }
}
