//! What lies ahead: how long a step is, and the first thing that a guard does in it.

use super::{Next, Runner, Side};
use crate::guard::{Scan, Verdict};
use crate::number::{Real, exp2};
use eom_core::{End, Unfollowed};
use std::cmp::Ordering;

/// A step at whose end slopes are not those of the motion is halved this often.
const HALVINGS: i32 = 200;

impl Runner<'_> {
    /// The length of the step, and whether it is the last one.
    pub(super) fn length(&self) -> Result<(Real, bool), End> {
        let own = self.motion.step(&self.at.t, &self.scales).min(self.options.step_size_max);
        let length = self.precision.double(own).filter(|length| length.sign() > 0);
        let length = length.ok_or(End::StepUnderflow { t: self.t(), step: own })?;
        let Some(until) = &self.until else { return Ok((length, false)) };
        let left = until - &self.at.t;
        Ok(if left <= length { (left, true) } else { (length, false) })
    }

    /// The step, halved as long as the slopes at its end are not those of the motion; as it is where the motion has none there.
    pub(super) fn told(&mut self, length: Real, last: bool) -> (Real, bool) {
        for halvings in 0..HALVINGS {
            let part = self.precision.double(exp2(f64::from(-halvings)));
            let Some(part) = part.map(|part| &length * &part) else { break };
            let after = self.motion.after(&self.at, &part);
            if self.slopes.expand(&after).is_err() {
                break;
            }
            if self.motion.ends_with(&self.slopes, &part) {
                return (part, last && halvings == 0);
            }
        }
        (length, last)
    }

    /// The first thing that a guard does within the step.
    pub(super) fn next(&mut self, length: &Real) -> Result<Next, End> {
        let sizes = self.motion.sizes(&self.scales);
        let mut crossings: Vec<(Real, usize)> = Vec::new();
        let mut undecided: Option<(Real, usize, Real)> = None;
        for (guard, node) in self.outline.guards().into_iter().enumerate() {
            let rounding = self.untold() * sizes[node];
            let coefficients = self.motion.scaled(node, length);
            let Some((scan, coefficients)) = self.scanned(guard, coefficients, rounding)? else {
                continue;
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
        let earlier = |a: &Real, b: &Real| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        let first = crossings.iter().map(|(at, _)| at).min_by(|a, b| earlier(a, b)).cloned();
        let comes = |at: &Real| first.as_ref().is_none_or(|first| at <= first);
        if let Some((part, guard, value)) = undecided.filter(|(at, ..)| comes(at)) {
            return Ok(Next::Undecided { part, guard, value });
        }
        Ok(first.map_or(Next::Nothing, |first| self.together(first, crossings, length)))
    }

    /// The crossings at the first time: those that cannot be told apart are one.
    fn together(&self, first: Real, crossings: Vec<(Real, usize)>, length: &Real) -> Next {
        let t = &self.at.t.abs() + length;
        let near = self.untold() * t.over(length).map_or(1.0, |ratio| ratio.to_f64());
        let together = crossings.into_iter().filter(|(at, _)| (at - &first).to_f64() <= near);
        let guards = together.map(|(_, guard)| guard).collect();
        Next::Crossing(first, guards)
    }

    /// How a guard is scanned, with its coefficients; without the zeros of one that leaves. None of one that is 0 for
    /// good.
    fn scanned(
        &mut self,
        guard: usize,
        coefficients: Vec<Real>,
        rounding: f64,
    ) -> Result<Option<(Scan, Vec<Real>)>, End> {
        let precision = self.precision;
        let scan = |side, power| Scan { precision, side, rounding, power };
        match self.sides[guard] {
            Side::On(0) => return Ok(None),
            Side::On(side) => return Ok(Some((scan(side, 0), coefficients))),
            Side::Leaving => {}
        }
        let sizes: Vec<f64> = coefficients.iter().map(|c| c.to_f64().abs()).collect();
        let largest = sizes.iter().skip(1).copied().fold(0.0, f64::max);
        let told = |power: &usize| sizes[*power] > self.untold() * largest;
        // What is rounding all over is 0 for good.
        let power = (1..sizes.len()).find(told).filter(|_| largest > rounding);
        let side = power.map_or(0, |power| coefficients[power].sign());
        if guard < self.outline.contacts.len() {
            self.check_leaving(guard, (power, side), &coefficients, rounding)?;
        }
        self.sides[guard] = Side::On(side);
        Ok(power.map(|power| (scan(side, power), coefficients[power..].to_vec())))
    }

    /// Refuses a contact that does not leave, or for a flight that cannot be told.
    fn check_leaving(
        &self,
        contact: usize,
        (power, side): (Option<usize>, i8),
        coefficients: &[Real],
        rounding: f64,
    ) -> Result<(), End> {
        let accumulates = self.rebounds[contact];
        let rests = if accumulates { Unfollowed::Accumulates } else { Unfollowed::Rests };
        match power {
            None => return Err(self.not_followed(contact, rests)),
            Some(1) => {}
            Some(_) if side < 0 => return Err(self.not_followed(contact, rests)),
            Some(_) => return Ok(()),
        }
        if side < 0 {
            let is_armed = self.instant.is_armed(&self.outline.contacts[contact]);
            let why = Unfollowed::Together;
            return if is_armed { Err(self.not_followed(contact, why)) } else { Ok(()) };
        }
        // g = ġ s + g̈ s²/2 is largest at s = −ġ/g̈.
        let [rate, half] = [1, 2].map(|k| coefficients.get(k).map_or(0.0, Real::to_f64));
        if half < 0.0 && -0.25 * rate * rate / half <= rounding {
            return Err(self.not_followed(contact, Unfollowed::Accumulates));
        }
        Ok(())
    }
}
