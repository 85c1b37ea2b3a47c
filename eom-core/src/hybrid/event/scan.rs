//! What a guard does within a step: the verdict on the dense output.
//!
//! A piece [a, b] of the step is sampled, and the polynomial p through the samples γᵢ bounds the
//! guard to within its tail δ and the noise ν = κ(Δγ + ε max|γᵢ|) of its coefficients:
//!
//! ```text
//! σ bⱼ > δ + ν for all j          γ has no root in the piece
//! bⱼ₊₁ − bⱼ of one sign           γ is monotone in it
//! … with one change of sign       γ turns once, where p′ = 0
//! otherwise                       the piece is halved
//! ```
//!
//! Differences within ±2(δ + ν) have no sign. Where γ is near zero beside one of them, and better
//! samples would tell (δ > ν), the piece is halved as well, and so it is where the value at the
//! turning point is within 64 δ. Where they would not, since ν is much larger than the noise of a
//! sample, the samples themselves are read, and γ where the parabola through the lowest has its
//! vertex. Values at ends and turning points are
//! those of γ itself, not of p; from them the verdict is read.

use super::polynomial::{Basis, Fit};
use crate::snapshot::words::value;
use std::sync::LazyLock;

/// Samples of a piece.
const POINTS: usize = 9;

/// Pieces are halved this often, to 1/64 of the step; what is finer is noise, or a guard that
/// turns much faster than the motion.
const HALVINGS: usize = 6;

/// Halvings towards the start of a step that look for g > 0 of a guard that is leaving.
const FLIGHT_HALVINGS: usize = 60;

/// How near to zero, in units of the uncertainty, a piece is worth halving.
const NEAR_ZERO: f64 = 8.0;

/// A guard that leaves zero has left it beyond this many ρ: what it is itself rounded by does not
/// bring it back then.
pub(super) const LEFT: f64 = 4.0;

/// The error of a value at a turning point of p, in units of its tail δ, with a margin.
const TURN_ERROR: f64 = 64.0;

/// What a scan of one guard found. The parts s are of the step, in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) enum Verdict {
    /// No root; at the end of the step the guard is on this side.
    Clear(Side),
    /// On its side σ at `low`, not any more at `high`, monotone between.
    Crosses {
        side: f64,
        low: f64,
        high: f64,
    },
    /// Nearest to zero at s, with a value within ±ρ: whether it crosses cannot be told.
    Touches {
        s: f64,
        value: f64,
    },
    NotFinite,
}

/// The side of zero on which a guard is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::hybrid) struct Side {
    /// +1, −1, or 0 where it is not known yet: it is then taken from the first value beyond ±ρ.
    pub(in crate::hybrid) sign: f64,
    /// The guard is at zero and goes to this side: values within ±ρ are no evidence.
    pub(in crate::hybrid) leaving: bool,
}

/// A guard on the step: its value at a part of it, and the rounding ρ of that.
pub(in crate::hybrid) struct Guarded<'a> {
    pub(in crate::hybrid) value: &'a mut dyn FnMut(f64) -> f64,
    /// What rounding makes of a value.
    pub(in crate::hybrid) noise: f64,
    /// ρ: within it zero cannot be told from either side.
    pub(in crate::hybrid) rounding: f64,
    pub(in crate::hybrid) side: Side,
    /// How far off zero it may be while it leaves, beside ρ.
    pub(in crate::hybrid) floor: f64,
    /// Whether it matters that it comes to zero and turns back.
    pub(in crate::hybrid) touches: bool,
    /// Whether going from a side to a value is a crossing.
    pub(in crate::hybrid) fires: &'a dyn Fn(f64, f64) -> bool,
}

/// Tables and workspace.
#[derive(Debug, Clone)]
pub(in crate::hybrid) struct Scan {
    basis: &'static Basis<POINTS>,
    /// Parts and values between which the guard is monotone.
    knots: Vec<(f64, f64)>,
}

static BASIS: LazyLock<Basis<POINTS>> = LazyLock::new(Basis::new);

impl Scan {
    pub(in crate::hybrid) fn new() -> Self {
        Self { basis: &BASIS, knots: Vec::new() }
    }

    /// The verdict on a guard in (0, 1].
    pub(in crate::hybrid) fn verdict(&mut self, guard: &mut Guarded<'_>) -> Verdict {
        let ends = [(guard.value)(0.0), (guard.value)(1.0)];
        self.knots.clear();
        self.knots.push((0.0, ends[0]));
        if !self.piece(guard, [0.0, 1.0], ends, HALVINGS) {
            return Verdict::NotFinite;
        }
        self.read(guard).unwrap_or_else(|end| first_flight(guard, end))
    }

    /// Adds the knots in (a, b]. False where a value is not finite.
    fn piece(
        &mut self,
        guard: &mut Guarded<'_>,
        [a, b]: [f64; 2],
        ends: [f64; 2],
        halvings: usize,
    ) -> bool {
        let mut samples = [ends[0]; POINTS];
        samples[POINTS - 1] = ends[1];
        for i in 1..POINTS - 1 {
            samples[i] = (guard.value)(a + (b - a) * self.basis.points[i]);
        }
        if !samples.iter().all(|value| value.is_finite()) {
            return false;
        }
        let fit = self.basis.fit(&samples);
        let largest = samples.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let noise = self.basis.amplification * (guard.noise + f64::EPSILON * largest);
        let shape = Shape::of(&fit, noise);
        let turn = if let Shape::Turns { rises } = shape {
            let s = a + (b - a) * fit.extremum(rises);
            Some((s, (guard.value)(s)))
        } else {
            None
        };
        let misplaced =
            turn.is_some_and(|turn| turn.1.abs() <= TURN_ERROR * fit.tail && fit.tail > noise);
        if halvings > 0 && (shape == Shape::Unclear || misplaced) {
            let middle = 0.5 * (a + b);
            let value = samples[POINTS / 2];
            return self.piece(guard, [a, middle], [ends[0], value], halvings - 1)
                && self.piece(guard, [middle, b], [value, ends[1]], halvings - 1);
        }
        match shape {
            Shape::Monotone | Shape::Turns { .. } => self.knots.extend(turn),
            Shape::Unclear | Shape::Blurred => {
                let first = self.knots.len();
                let points = self.basis.points[1..POINTS - 1].iter().zip(&samples[1..]);
                self.knots.extend(points.map(|(s, value)| (a + (b - a) * s, *value)));
                let turn = self.vertex(guard.side.sign, &samples);
                if let Some(s) = turn.map(|s| a + (b - a) * s) {
                    let place = first + self.knots[first..].partition_point(|knot| knot.0 < s);
                    self.knots.insert(place, (s, (guard.value)(s)));
                }
            }
        }
        self.knots.push((b, ends[1]));
        true
    }

    /// Where the parabola through the sample nearest to the other side and its neighbours turns.
    fn vertex(&self, side: f64, samples: &[f64; POINTS]) -> Option<f64> {
        let side = if side == 0.0 { 1.0 } else { side };
        let inner = 1..POINTS - 1;
        let i = inner.min_by(|i, j| (side * samples[*i]).total_cmp(&(side * samples[*j])))?;
        let s = &self.basis.points;
        let (left, right) = (s[i] - s[i - 1], s[i + 1] - s[i]);
        let (fall, rise) = (samples[i] - samples[i - 1], samples[i + 1] - samples[i]);
        let bend = rise / right - fall / left;
        let slope = (fall * right / left + rise * left / right) / (left + right);
        let step = -slope * (left + right) / (2.0 * bend);
        (side * bend > 0.0 && -left < step && step < right).then_some(s[i] + step)
    }

    /// Reads the verdict from the knots; or the first knot at which a guard that was to leave
    /// zero for its side is on the other.
    fn read(&self, guard: &Guarded<'_>) -> Result<Verdict, f64> {
        let mut side = guard.side;
        // Where it began to leave it may have been farther off than ρ, on either side.
        let (mut low, off) = (0.0, LEFT * guard.rounding + guard.floor);
        for (i, &(s, value)) in self.knots.iter().enumerate() {
            if side.leaving && value.abs() <= off {
                continue;
            }
            if value.abs() <= guard.rounding {
                if side.sign == 0.0 {
                    continue;
                }
                match self.turns_back(i, side.sign, guard.rounding) {
                    Some((s, value)) if guard.touches => return Ok(Verdict::Touches { s, value }),
                    // What is zero to rounding at the end may stay so, and never be told again.
                    None if i > 0
                        && i + 1 == self.knots.len()
                        && (guard.fires)(side.sign, value) =>
                    {
                        return Ok(Verdict::Crosses { side: side.sign, low, high: s });
                    }
                    Some(_) | None => continue,
                }
            }
            let sign = value.signum();
            if side.leaving && sign != side.sign && (guard.fires)(side.sign, value) {
                return Err(s);
            }
            if !side.leaving && side.sign != 0.0 && (guard.fires)(side.sign, value) {
                return Ok(Verdict::Crosses { side: side.sign, low, high: s });
            }
            side = Side { sign, leaving: false };
            low = s;
        }
        Ok(Verdict::Clear(side))
    }

    /// From the knot `first`, within ±ρ, the guard goes on within it, up and down as rounding has
    /// it, and is next beyond it on the side where it was: the knot where it was nearest to the
    /// other side. None where it is next on the other side, or ends within ±ρ and falls.
    fn turns_back(&self, first: usize, side: f64, rounding: f64) -> Option<(f64, f64)> {
        let within = self.knots[first..].iter().take_while(|knot| knot.1.abs() <= rounding);
        let count = within.clone().count();
        let nearest = within.min_by(|a, b| (side * a.1).total_cmp(&(side * b.1)))?;
        let last = self.knots.get(first + count).or(self.knots.last())?;
        let returns = side * last.1 > side * nearest.1 && side * last.1 > -rounding;
        returns.then_some(*nearest)
    }
}

/// What the polynomial through the samples of a piece says of the guard there.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// Monotone, or so far from zero that it does not matter.
    Monotone,
    /// One extremum, a maximum where it rises to it.
    Turns {
        rises: bool,
    },
    Unclear,
    /// Near zero, and differences have no sign.
    Blurred,
}

impl Shape {
    fn of(fit: &Fit<POINTS>, noise: f64) -> Self {
        let uncertainty = fit.tail + noise;
        if fit.clears(1.0, uncertainty) || fit.clears(-1.0, uncertainty) {
            return Self::Monotone;
        }
        let (mut first, mut last, mut turns, mut blurred) = (0.0, 0.0, 0, false);
        for pair in fit.coefficients.windows(2) {
            let difference = pair[1] - pair[0];
            if difference.abs() <= 2.0 * uncertainty {
                let nearest = pair[0].abs().min(pair[1].abs());
                blurred |= nearest <= NEAR_ZERO * uncertainty;
                continue;
            }
            let sign = difference.signum();
            if first == 0.0 {
                first = sign;
            } else if sign != last {
                turns += 1;
            }
            last = sign;
        }
        match turns {
            _ if blurred && fit.tail > noise => Self::Unclear,
            _ if blurred => Self::Blurred,
            0 if first != 0.0 => Self::Monotone,
            1 => Self::Turns { rises: first > 0.0 },
            _ => Self::Unclear,
        }
    }
}

/// A guard that left zero at the start is on the other side at `end`: halves towards the start
/// until it is on its own. A flight much shorter than the step begins there. Where there is none
/// the guard has no verdict from the start on.
fn first_flight(guard: &mut Guarded<'_>, end: f64) -> Verdict {
    let (side, mut high) = (guard.side.sign, end);
    for _ in 0..FLIGHT_HALVINGS {
        let low = high / 2.0;
        if (guard.value)(low) * side > 0.0 {
            return Verdict::Crosses { side, low, high };
        }
        high = low;
    }
    Verdict::Touches { s: 0.0, value: (guard.value)(0.0) }
}

value! { Side { sign, leaving } }

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(f: impl Fn(f64) -> f64, sign: f64) -> Verdict {
        let mut calls = 0;
        let mut value = |s: f64| {
            calls += 1;
            f(s)
        };
        let verdict = Scan::new().verdict(&mut Guarded {
            value: &mut value,
            noise: 1e-15,
            rounding: 1e-15,
            side: Side { sign, leaving: false },
            floor: 0.0,
            touches: true,
            fires: &|side, value| side * value <= 0.0,
        });
        assert!(calls < 300, "{calls} calls");
        verdict
    }

    fn check_crossing(f: impl Fn(f64) -> f64, side: f64, root: f64) {
        let Verdict::Crosses { side: found, low, high } = verdict(&f, side) else {
            panic!("{:?} for {root}", verdict(&f, side))
        };
        assert!(found == side && low < root && root < high, "{low} {root} {high}");
    }

    const UP: Verdict = Verdict::Clear(Side { sign: 1.0, leaving: false });

    #[test]
    fn a_guard_far_from_zero_has_no_root() {
        assert_eq!(verdict(|s| 0.3 + 0.2 * (3.0 * s).sin(), 1.0), UP);
        assert_eq!(verdict(|s| 1e-9 + (s - 0.37).powi(2), 1.0), UP, "a clear miss");
        assert_eq!(verdict(|s| 1e-14 + (s - 0.37).powi(2), 1.0), UP, "ten times the rounding");
    }

    /// The first of two roots; dips between the samples of the step; of two dips the first.
    #[test]
    fn the_first_root_is_bracketed() {
        check_crossing(|s| 0.5 - s, 1.0, 0.5);
        check_crossing(|s| (s - 0.37).powi(2) - 1e-14, 1.0, 0.37 - 1e-7);
        check_crossing(|s| (s - 0.4) * (s - 0.41), 1.0, 0.4);
        let dips = |s: f64| (s - 0.42).powi(2) * (s - 0.45).powi(2) - 1e-9;
        check_crossing(dips, 1.0, 0.435 - (0.015_f64.powi(2) + 1e-9_f64.sqrt()).sqrt());
        check_crossing(
            |s| (40.0 * s).cos() + 0.99,
            1.0,
            0.99_f64.acos().mul_add(-1.0, std::f64::consts::PI) / 40.0,
        );
    }

    /// A guard that leaves zero, within what rounding makes of it, is nowhere looked at before its start.
    #[test]
    fn knots_are_within_the_step() {
        for slope in [-1.0, 1.0] {
            for bend in [1e-3, 0.1, 1.0, 10.0] {
                let mut scan = Scan::new();
                scan.verdict(&mut Guarded {
                    value: &mut |s| slope * s + bend * s * s,
                    noise: 1.0,
                    rounding: 1e-3,
                    side: Side { sign: slope, leaving: true },
                    floor: 0.0,
                    touches: true,
                    fires: &|side, value| side * value <= 0.0,
                });
                let parts: Vec<f64> = scan.knots.iter().map(|knot| knot.0).collect();
                let within = parts.iter().all(|s| (0.0..=1.0).contains(s)) && parts.is_sorted();
                assert!(within, "{slope} {bend}: {parts:?}");
            }
        }
    }

    #[test]
    fn a_minimum_within_the_rounding_is_neither() {
        for value in [0.9e-15, 0.0, -0.9e-15] {
            let touch = verdict(|s| (s - 0.37).powi(2) + value, 1.0);
            let Verdict::Touches { s, value: found } = touch else { panic!("{touch:?}") };
            assert!((s - 0.37).abs() < 1e-6 && (found - value).abs() < 1e-15, "{s} {found}");
        }
        // At the start of the step, where the step before came down to it.
        let touch = verdict(|s| s * s + 1e-16, 1.0);
        assert_eq!(touch, Verdict::Touches { s: 0.0, value: 1e-16 });
    }

    #[test]
    fn sides_are_taken_from_the_first_clear_value() {
        assert_eq!(verdict(|s| s, 0.0), UP);
        let down = Verdict::Clear(Side { sign: -1.0, leaving: false });
        assert_eq!(verdict(|s| -s * s, 0.0), down);
        assert_eq!(verdict(|_| f64::NAN, 1.0), Verdict::NotFinite);
    }
}
