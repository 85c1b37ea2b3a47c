//! The first of the crossings that the dense output of a step tells, solved on steps.
//!
//! Dense output is less exact than steps are: it says where a crossing is, and a step of size τ to it is made again
//! and again, with γ(Φ_τ(xₙ)) = 0 solved for τ (`locate`). A gap without a slope at its zero has no direction there,
//! in which it could push: what happens is not told.

use super::Events;
use super::arc::{Arc, Checked, Cut, Found, MISMATCHES, NEAR, RESOLUTION, ROOT_SHARE, dense_value};
use super::locate::{Root, Search, Wanted, solve};
use super::scan::{Side, Verdict};
use crate::flow::{Flow, StepFailure};
use crate::trajectory::end::End;

/// Where rounding at the ends tells a root to no less than this part of the step, that at the root is asked for: there
/// a flat guard is rounded by less.
const FLAT: f64 = 1e-14;

/// A slope at a root that is this part of the mean slope before it is looked at more closely.
const SLIGHT: f64 = 1e-6;

/// The parts of a step over which the slope at a root is differenced. Where a simple guard passes zero it is the
/// same over both; one of multiplicity 3 has 10⁻² of it over the smaller.
const DIFFERENCES: [f64; 2] = [1e-5, 1e-6];
const ALIKE: f64 = 0.25;

/// Two roots that are not told apart leave a guard within so many ρ of zero. It has been on a side where it was farther
/// than that, and than the dense output is off there, and is looked for from 2⁻ᴾ of the step on backwards.
const NEAR_ZERO: f64 = 64.0;
const BEYOND: f64 = 256.0;
const PARTS: i32 = 40;

/// How much less each time the ends of a bracket are moved by, and how often.
const LESS: f64 = 1.0 / 16.0;
const TRIALS: i32 = 8;

impl Events<'_> {
    /// The first of the crossings of a step, solved on steps. A crossing that is none on steps is
    /// passed over; those within [`NEAR`] of the first one that is are compared. Where rows that are kept may lose
    /// their rank on the way, a shorter step is wanted.
    pub(super) fn first_cut(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        found: &[Found],
    ) -> Result<Checked, End> {
        match self.first_root(flow, h, found) {
            Ok(cut) => Ok(Checked::Made(cut)),
            Err(stuck) if stuck.is_doubtful() && h > flow.shortest_step() => {
                Ok(Checked::Shorter(0.5 * h))
            }
            Err(stuck) => Err(stuck.end(flow.t())),
        }
    }

    fn first_root(
        &mut self,
        flow: &mut Flow<'_>,
        h: f64,
        found: &[Found],
    ) -> Result<Option<Cut>, StepFailure> {
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
            flow.repeat(h)?;
            return Ok(None);
        };
        if trials > 1 && cut.τ > 0.0 {
            flow.trial(cut.τ)?;
        }
        let verdict =
            found.iter().find(|found| found.guard == cut.guard).map(|found| found.verdict);
        if let Some(Verdict::Crosses { side, .. }) = verdict {
            cut.side = Some(side);
        }
        Ok(Some(cut))
    }

    /// Sides of the declared events that are zero to rounding where a step is cut for another guard, or were so where it
    /// began: those where they were last beyond it before, which are not always those at the start of the step.
    pub(super) fn sides_at_cut(&mut self, flow: &Flow<'_>, h: f64, cut: Cut) {
        let is_other = |guard: &usize| self.guards.event(*guard).is_some() && *guard != cut.guard;
        let others: Vec<usize> = (0..self.guards.count()).filter(is_other).collect();
        if others.is_empty() || cut.τ == 0.0 || cut.touch.is_some() {
            return;
        }
        let (t, y) = (flow.next.t.high, &flow.next.y);
        self.guards.values(t, y, &mut self.arc.values);
        self.arc.measure(flow, &flow.base.y, y);
        for guard in others {
            let Self { guards, arc, .. } = self;
            let rounding = guards.spread(guard, t, y, &arc.uncertainties);
            let is_near = arc.values[guard].abs() <= NEAR_ZERO * rounding;
            let leaves = guards.side(guard).leaving;
            let is_zero = is_near || leaves;
            let proven = self.proof.side_at_end(guard).filter(|side| !side.leaving);
            // One that leaves has not left where it is zero still.
            let is_told =
                !leaves && arc.values[guard].abs() <= rounding && self.proof.bounds(guards, guard);
            if let Some(side) = proven.filter(|_| is_told) {
                guards.set_side(guard, side);
            } else if is_zero && (flow.knows_guards() || arc.dense) {
                self.side_before(flow, guard, (cut.τ, h), BEYOND * rounding);
            }
        }
    }

    /// The side of a guard where it was last farther from zero than this, before a time of the step.
    fn side_before(&mut self, flow: &Flow<'_>, guard: usize, (τ, h): (f64, f64), least: f64) {
        let Self { guards, arc, .. } = self;
        let Arc { point, values, .. } = arc;
        let mut room = values.clone();
        // Where dense output is farther from the step than that, it tells no side.
        flow.dense(τ / h, point);
        let at_cut = guards.value(guard, flow.base.t.high + τ, point, &mut room);
        let least = least.max(MISMATCHES * (at_cut - values[guard]).abs());
        let mut part = 0.5_f64.powi(PARTS);
        while part <= 0.5 {
            let s = τ / h * (1.0 - part);
            flow.dense(s, point);
            let value = guards.value(guard, flow.base.t.high + s * h, point, &mut room);
            if value.abs() > least {
                guards.set_side(guard, Side { sign: value.signum(), leaving: false });
                return;
            }
            part *= 2.0;
        }
    }

    /// Solves a crossing on steps, or goes to where the guard touches zero. None where on steps it
    /// does not cross.
    fn locate(
        &mut self,
        flow: &mut Flow<'_>,
        found: Found,
        h: f64,
    ) -> Result<Option<Cut>, StepFailure> {
        let Found { s, guard, noise, rounding, verdict } = found;
        let Self { guards, root_iterations, arc, .. } = self;
        let t = flow.base.t.high;
        let Verdict::Crosses { side, low, high } = verdict else {
            let Verdict::Touches { value, .. } = verdict else { return Ok(None) };
            flow.trial(s * h)?;
            return Ok(Some(Cut { τ: s * h, guard, touch: Some((value, rounding)), side: None }));
        };
        let is_gap = guards.gap(guard).is_some();
        let Arc { point, values, resolution, roundings, sketch, .. } = arc;
        let mut on_dense =
            |s: f64| side * dense_value(flow, guards, (guard, h), s, (&mut *values, &mut *point));
        let mut slope_over = |part: f64| {
            // A guard that is narrower than that is monotone in its bracket.
            let (left, right) = if high - low < part {
                (low, high)
            } else {
                ((s - part).max(0.0), (s + part).min(1.0))
            };
            (on_dense(right) - on_dense(left)) / ((right - left) * h)
        };
        let slope = slope_over(DIFFERENCES[0]);
        let near = if is_gap { slope } else { slope_over(DIFFERENCES[1]) };
        let below = widened(low, -1.0, |s| on_dense(s) > 0.0);
        let above = widened(high, 1.0, |s| on_dense(s) <= 0.0);
        // Flat at its root, the guard is rounded by less there than at the ends.
        let noise = if ROOT_SHARE * noise > (FLAT * slope * h).abs() {
            flow.dense(s, point);
            guards.spread(guard, t + s * h, point, roundings).min(noise)
        } else {
            noise
        };
        let wanted = if is_gap { Wanted::Before } else { Wanted::After };
        *resolution = (RESOLUTION * h).max((ROOT_SHARE * noise / slope).abs().min(NEAR * h));
        let fell = sketch[guard].abs() / (s * h);
        let is_slight = slope.abs() < SLIGHT * fell;
        let changes = (near - slope).abs() * DIFFERENCES[1] * h > noise;
        // A slope that vanishes at the root, or grows towards it, says nothing of how far it is: halves do. That of a gap is lost
        // in rounding on a short flight, and then halves tell no more.
        let is_alike = near.abs().min(slope.abs()) >= ALIKE * near.abs().max(slope.abs());
        let vanishes = is_slight || changes && !is_alike;
        let (slope, told) =
            if vanishes && !is_gap { (0.0, RESOLUTION * h) } else { (slope, *resolution) };
        let search = Search {
            guess: s * h,
            slope,
            low: low * h * below,
            high: (high * h * above).min(h),
            end: h,
            resolution: told,
            wanted,
        };
        let (mut nearest, mut last) = (f64::INFINITY, f64::INFINITY);
        let root = solve(search, |τ| {
            *root_iterations += 1;
            flow.trial(τ)?;
            let value = side * guards.value(guard, flow.next.t.high, &flow.next.y, values);
            (nearest, last) = (nearest.min(value), value);
            Ok(value)
        });
        let leaving = guards.side(guard).leaving;
        // A gap without a slope where it is zero has no direction there, in which it could push.
        let is_flat = is_slight
            && guards.gap(guard).is_some_and(|contact| {
                guards.gap_rate(contact, &flow.next).abs() < 16.0 * f64::EPSILON * fell
            });
        Ok(match root? {
            Root::At(τ) if is_flat => {
                Some(Cut { τ, guard, touch: Some((side * nearest, rounding)), side: None })
            }
            Root::At(τ) => Some(Cut { τ, guard, touch: None, side: None }),
            Root::None(_) if nearest > rounding || guards.holds(guard) => None,
            // At the end of the step it has no verdict yet.
            Root::None(_) if last <= nearest => None,
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

/// The factor by which an end of a bracket is moved outwards: by [`NEAR`], or by less where the guard is narrower than that, and
/// on its other side again there.
fn widened(end: f64, way: f64, mut is_same: impl FnMut(f64) -> bool) -> f64 {
    let factors = (0..TRIALS).map(|trial| 1.0 + way * NEAR * LESS.powi(trial));
    let mut inside = factors.map(|factor| (factor, end * factor));
    let found = inside.find(|(_, s)| *s == 0.0 || *s >= 1.0 || is_same(*s));
    found.map_or(1.0, |(factor, _)| factor)
}
