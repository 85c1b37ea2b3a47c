//! The adaptive sum: pieces between kinks, each in a variable in which it is smooth, bisected.

use crate::kink::{KINKS_MAX, Kink};
use crate::rule::{CENTRE, PAIRS, PAIRS_OF_15, Weights};
use eom_elementary as elementary;
use eom_elementary::order;

/// The relative tolerance; within another integral a tenth of that.
pub const TOLERANCE: f64 = 1e-12;

/// More panels than these are not tried.
pub const PANELS_MAX: usize = 2000;

/// A component is not resolved finer than this share of the tolerance on the largest one.
const FLOOR: f64 = 1e-2;

/// From this difference of 15 and 31 points on, the pace of convergence is believed.
const TRUSTED: f64 = 1e-8;

/// The difference of 31 and 15 points is that of 15 and 7 to this power, where f is analytic.
const PACE: f64 = 1.25;

/// A kink farther away than this many lengths of a piece does not matter to it.
const FAR: f64 = 1.0;

/// How often a panel is halved.
pub const DEPTH_MAX: usize = 100;

/// Rows of numbers that [`integrate_into`] works with, one number a component each.
pub const SCRATCH_ROWS: usize = 6;

/// How s depends on the variable u of a panel.
#[derive(Debug, Clone, Copy)]
enum Map {
    /// s = u
    Identity,
    /// s = c + w sinh u
    Sinh(Kink),
}

/// An interval of u with the number of halvings behind it.
#[derive(Debug, Clone, Copy)]
struct Panel {
    low: f64,
    high: f64,
    depth: usize,
}

/// ∫ₐᵇ f(s) ds, N components at once: `f` is given s and writes its values.
///
/// `tolerance` is relative to ∫|f|, [`TOLERANCE`] at the outermost. All components are NaN where
/// the integral is not found; see the [crate].
pub fn integrate<const N: usize>(
    a: f64,
    b: f64,
    tolerance: f64,
    kinks: &[Option<Kink>],
    f: impl FnMut(f64, &mut [f64]),
) -> [f64; N] {
    let mut result = [0.0; N];
    let mut scratch = [[0.0; N]; SCRATCH_ROWS];
    integrate_into(a, b, tolerance, kinks, f, &mut result, scratch.as_flattened_mut());
    result
}

/// The same for a number of components known at run time: that of `result`. `scratch` holds
/// [`SCRATCH_ROWS`] times as many numbers. Returns how often f was asked.
///
/// # Panics
/// Where `scratch` is shorter.
pub fn integrate_into(
    a: f64,
    b: f64,
    tolerance: f64,
    kinks: &[Option<Kink>],
    f: impl FnMut(f64, &mut [f64]),
    result: &mut [f64],
    scratch: &mut [f64],
) -> usize {
    result.fill(0.0);
    if a == b {
        return 0;
    }
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let mut sum = Sum::new(tolerance, f, result, scratch);
    let found = low.is_finite()
        && high.is_finite()
        && pieces(low, high, kinks, |low, high, map| sum.piece(low, high, map));
    let evaluations = sum.evaluations;
    if !found {
        result.fill(f64::NAN);
    } else if a > b {
        for value in result.iter_mut() {
            *value = -*value;
        }
    }
    evaluations
}

/// The pieces between the kinks inside, each in the variable that suits the kinks near it; stops
/// where one is not found.
fn pieces(
    low: f64,
    high: f64,
    kinks: &[Option<Kink>],
    mut piece: impl FnMut(f64, f64, Map) -> bool,
) -> bool {
    let mut breaks = [high; KINKS_MAX + 1];
    let inside = kinks.iter().flatten().filter(|kink| low < kink.centre && kink.centre < high);
    breaks.iter_mut().zip(inside).for_each(|(at, kink)| *at = kink.centre);
    order::in_place_by(&mut breaks, f64::total_cmp);
    let mut from = low;
    for to in breaks {
        // Of two breaks within rounding the second one is left out.
        if to - from > f64::EPSILON * (high - low) {
            let (left, right) = (near(from, to - from, kinks), near(to, to - from, kinks));
            let found = match (left, right) {
                (None, None) => piece(from, to, Map::Identity),
                (Some(left), Some(right)) if left != right => {
                    let middle = from + 0.5 * (to - from);
                    piece(from, middle, Map::Sinh(left)) && piece(middle, to, Map::Sinh(right))
                }
                (Some(kink), _) | (None, Some(kink)) => piece(from, to, Map::Sinh(kink)),
            };
            if !found {
                return false;
            }
            from = to;
        }
    }
    true
}

/// The kink whose branch points are nearest to an end of a piece, if they are near.
fn near(end: f64, length: f64, kinks: &[Option<Kink>]) -> Option<Kink> {
    let mut nearest: Option<(f64, Kink)> = None;
    for kink in kinks.iter().flatten().filter(|kink| kink.width > 0.0) {
        let distance = elementary::hypot(end - kink.centre, kink.width);
        if distance < FAR * length && nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, *kink));
        }
    }
    nearest.map(|(_, kink)| kink)
}

/// What has been summed so far.
struct Sum<'s, F> {
    f: F,
    tolerance: f64,
    evaluations: usize,
    panels: usize,
    result: &'s mut [f64],
    /// f at a point.
    value: &'s mut [f64],
    /// The sums of a panel over 7, 15 and 31 points.
    rules: [&'s mut [f64]; 3],
    /// ∫|f| of a panel, over 15 points.
    size: &'s mut [f64],
    /// ∫|f| as far as it is known.
    scale: &'s mut [f64],
}

impl<'s, F: FnMut(f64, &mut [f64])> Sum<'s, F> {
    fn new(tolerance: f64, f: F, result: &'s mut [f64], scratch: &'s mut [f64]) -> Self {
        let count = result.len();
        let (value, rest) = scratch.split_at_mut(count);
        let (seven, rest) = rest.split_at_mut(count);
        let (fifteen, rest) = rest.split_at_mut(count);
        let (all, rest) = rest.split_at_mut(count);
        let (size, rest) = rest.split_at_mut(count);
        let scale = &mut rest[..count];
        scale.fill(0.0);
        let rules = [seven, fifteen, all];
        Self { f, tolerance, evaluations: 0, panels: 0, result, value, rules, size, scale }
    }

    /// Adds the integral over a piece of s; false where it is not found.
    fn piece(&mut self, low: f64, high: f64, map: Map) -> bool {
        let (low, high) = match map {
            Map::Identity => (low, high),
            Map::Sinh(Kink { centre, width }) => (
                elementary::asinh((low - centre) / width),
                elementary::asinh((high - centre) / width),
            ),
        };
        let mut open = [Panel { low, high, depth: 0 }; DEPTH_MAX + 1];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let panel = open[count];
            self.panels += 1;
            let Some(accepted) = self.panel(panel, map) else { return false };
            if accepted {
                continue;
            }
            if self.panels > PANELS_MAX || panel.depth == DEPTH_MAX {
                return false;
            }
            let (middle, depth) = (0.5 * (panel.low + panel.high), panel.depth + 1);
            // The left half next: it is what lies on top.
            open[count] = Panel { low: middle, high: panel.high, depth };
            open[count + 1] = Panel { low: panel.low, high: middle, depth };
            count += 2;
        }
        true
    }

    /// Adds the integral over a panel if it is known to the tolerance; `None` where f is not finite.
    fn panel(&mut self, panel: Panel, map: Map) -> Option<bool> {
        self.rules.iter_mut().for_each(|rule| rule.fill(0.0));
        self.size.fill(0.0);
        let middle = 0.5 * (panel.low + panel.high);
        let half = 0.5 * (panel.high - panel.low);
        self.point(middle, half, map, CENTRE);
        self.pairs(middle, half, map, 0..PAIRS_OF_15);
        let mut rule = 1;
        if !self.agrees(1) {
            self.pairs(middle, half, map, PAIRS_OF_15..PAIRS.len());
            rule = 2;
        }
        if self.rules[rule].iter().any(|sum| !sum.is_finite()) {
            return None;
        }
        let accepted = rule == 1 || self.agrees(2);
        if accepted {
            for i in 0..self.result.len() {
                self.result[i] += self.rules[rule][i];
            }
        }
        Some(accepted)
    }

    fn pairs(&mut self, middle: f64, half: f64, map: Map, pairs: std::ops::Range<usize>) {
        for (x, weights) in &PAIRS[pairs] {
            self.point(middle - half * x, half, map, *weights);
            self.point(middle + half * x, half, map, *weights);
        }
    }

    /// Adds f at a point to the sums of each rule, |f| to that of 15 points.
    fn point(&mut self, u: f64, half: f64, map: Map, weights: Weights) {
        let (s, slope) = match map {
            Map::Identity => (u, half),
            Map::Sinh(Kink { centre, width }) => {
                (centre + width * elementary::sinh(u), half * (width * elementary::cosh(u)))
            }
        };
        (self.f)(s, self.value);
        self.evaluations += 1;
        for i in 0..self.value.len() {
            let value = slope * self.value[i];
            for (rule, weight) in self.rules.iter_mut().zip(weights) {
                rule[i] += weight * value;
            }
            self.size[i] += weights[1] * value.abs();
        }
    }

    /// Whether the sums of a rule and of the one before it are the same to the tolerance.
    fn agrees(&mut self, rule: usize) -> bool {
        for (scale, size) in self.scale.iter_mut().zip(&*self.size) {
            *scale = scale.max(*size);
        }
        let largest = self.scale.iter().fold(0.0_f64, |largest, scale| largest.max(*scale));
        (0..self.result.len()).all(|i| {
            let scale = self.scale[i].max(FLOOR * largest);
            let step = |rule: usize| (self.rules[rule][i] - self.rules[rule - 1][i]).abs();
            let difference = step(rule);
            if difference <= self.tolerance * scale {
                return true;
            }
            let relative = difference / scale;
            rule == 2 && relative <= TRUSTED && relative <= elementary::powf(step(1) / scale, PACE)
        })
    }
}
