//! The first of the crossings that the dense output of a step tells, solved on steps.
//!
//! Dense output is less exact than steps are: it says where a crossing is, and a step of size τ to it is made again
//! and again, with γ(Φ_τ(xₙ)) = 0 solved for τ (`locate`). A gap without a slope at its zero has no direction there,
//! in which it could push: what happens is not told.

use super::Events;
use super::arc::{Arc, Cut, Found, NEAR, RESOLUTION, ROOT_SHARE};
use super::locate::{Root, Search, Wanted, solve};
use super::scan::Verdict;
use crate::end::End;
use crate::flow::Flow;

/// A root that could only be told to this part of the step is one of a guard that is flat there.
const FLAT: f64 = 1e-9;

/// A slope at a root that is this part of the mean slope before it is looked at more closely.
const SLIGHT: f64 = 1e-6;

impl Events<'_> {
    /// The first of the crossings of a step, solved on steps. A crossing that is none on steps is
    /// passed over; those within [`NEAR`] of the first one that is are compared.
    pub(super) fn first_cut(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        found: &[Found],
    ) -> Result<Option<Cut>, End> {
        let t = flow.t();
        let mut first: Option<(Cut, f64)> = None;
        let mut trials = 0;
        for &found in found {
            if first.is_some_and(|(_, limit)| found.s > limit) {
                break;
            }
            trials += 1;
            let Some(cut) = self.locate(flow, found, h)? else { continue };
            let limit = first.map_or(found.s + NEAR, |(_, limit)| limit);
            if first.is_none_or(|(first, _)| cut.τ < first.τ) {
                first = Some((cut, limit));
                trials = 1;
            }
        }
        let Some((mut cut, _)) = first else {
            // Back to the end of the step.
            flow.repeat(h).map_err(|stuck| stuck.end(t))?;
            return Ok(None);
        };
        if trials > 1 && cut.τ > 0.0 {
            flow.trial(cut.τ).map_err(|stuck| stuck.end(t))?;
        }
        let verdict =
            found.iter().find(|found| found.guard == cut.guard).map(|found| found.verdict);
        if let Some(Verdict::Crosses { side, .. }) = verdict {
            cut.side = Some(side);
        }
        Ok(Some(cut))
    }

    /// Solves a crossing on steps, or goes to where the guard touches zero. None where on steps it
    /// does not cross.
    fn locate(&mut self, flow: &mut Flow<'_>, found: Found, h: f64) -> Result<Option<Cut>, End> {
        let Found { s, guard, noise, rounding, verdict } = found;
        let Self { guards, root_iterations, arc, .. } = self;
        let t = flow.base.t.high;
        let Verdict::Crosses { side, low, high } = verdict else {
            let Verdict::Touches { value, .. } = verdict else { return Ok(None) };
            flow.trial(s * h).map_err(|stuck| stuck.end(t))?;
            return Ok(Some(Cut { τ: s * h, guard, touch: Some((value, rounding)), side: None }));
        };
        let Arc { point, values, resolution, roundings, sketch, .. } = arc;
        let (left, right) = ((s - 1e-5).max(0.0), (s + 1e-5).min(1.0));
        let mut on_dense = |s: f64| {
            flow.dense(s, point);
            side * guards.value(guard, t + s * h, point, values)
        };
        let slope = (on_dense(right) - on_dense(left)) / ((right - left) * h);
        // Flat at its root, the guard is rounded by less there than at the ends.
        let noise = if ROOT_SHARE * noise > (FLAT * slope * h).abs() {
            flow.dense(s, point);
            guards.spread(guard, t + s * h, point, roundings).min(noise)
        } else {
            noise
        };
        let wanted = if guards.gap(guard).is_some() { Wanted::Before } else { Wanted::After };
        let search = Search {
            guess: s * h,
            slope,
            low: low * h * (1.0 - NEAR),
            high: (high * h * (1.0 + NEAR)).min(h),
            end: h,
            resolution: (RESOLUTION * h).max((ROOT_SHARE * noise / slope).abs().min(NEAR * h)),
            wanted,
        };
        *resolution = search.resolution;
        let mut nearest = f64::INFINITY;
        let root = solve(search, |τ| {
            *root_iterations += 1;
            flow.trial(τ)?;
            let value = side * guards.value(guard, flow.next.t.high, &flow.next.y, values);
            nearest = nearest.min(value);
            Ok(value)
        });
        let leaving = guards.side(guard).leaving;
        // A gap without a slope where it is zero has no direction there, in which it could push.
        let fell = sketch[guard].abs() / (s * h);
        let is_flat = slope.abs() < SLIGHT * fell
            && guards.gap(guard).is_some_and(|contact| {
                guards.gap_rate(contact, &flow.next).abs() < 16.0 * f64::EPSILON * fell
            });
        Ok(match root.map_err(|stuck| stuck.end(t))? {
            Root::At(τ) if is_flat => {
                Some(Cut { τ, guard, touch: Some((side * nearest, rounding)), side: None })
            }
            Root::At(τ) => Some(Cut { τ, guard, touch: None, side: None }),
            Root::None(_) if nearest > rounding => None,
            Root::None(τ) => {
                Some(Cut { τ, guard, touch: Some((side * nearest, rounding)), side: None })
            }
            Root::AtStart if leaving => {
                Some(Cut { τ: 0.0, guard, touch: Some((side * nearest, rounding)), side: None })
            }
            Root::AtStart => Some(Cut { τ: 0.0, guard, touch: None, side: None }),
        })
    }
}
