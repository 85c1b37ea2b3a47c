//! Integrals of vector-valued functions, adaptive: the algorithm of `eom-quadrature`.

use super::*;

/// A point near which, or at which, an integrand is not smooth: where, and how far its branch points lie beside it.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Kink {
    pub(super) centre: f64,
    pub(super) width: f64,
}

/// The kink of |w| on [a, b], w with C components affine in s and in W further variables.
pub(super) fn kink<const C: usize, const W: usize>(
    a: f64,
    b: f64,
    w: impl Fn(f64, [f64; W]) -> [f64; C],
) -> Option<Kink> {
    let less = |x: [f64; C], y: &[f64; C]| -> [f64; C] { core::array::from_fn(|i| x[i] - y[i]) };
    let mut p = w(a, [0.0; W]);
    let mut r = less(w(b, [0.0; W]), &p);
    let mut basis: [[f64; C]; W] = core::array::from_fn(|variable| {
        less(w(a, core::array::from_fn(|i| if i == variable { 1.0 } else { 0.0 })), &p)
    });
    for index in 0..W {
        let (before, rest) = basis.split_at_mut(index);
        let direction = &mut rest[0];
        let length = sqrt(summed(direction, direction));
        before.iter().for_each(|unit| project_out(direction, unit));
        let left = sqrt(summed(direction, direction));
        let scale = if left > 1e-14 * length { 1.0 / left } else { 0.0 };
        direction.iter_mut().for_each(|d| *d *= scale);
    }
    for unit in &basis {
        project_out(&mut p, unit);
        project_out(&mut r, unit);
    }
    let square = summed(&r, &r);
    if !square.is_normal() {
        return None;
    }
    let mut cross = 0.0;
    for i in 0..C {
        for j in i + 1..C {
            let minor = p[i] * r[j] - p[j] * r[i];
            cross += minor * minor;
        }
    }
    let (centre, width) = (-summed(&p, &r) / square, sqrt(cross) / square);
    if !centre.is_finite() || !width.is_finite() {
        return None;
    }
    let width = match width {
        width if W > 0 => width.max(1e-14),
        width if width < 1e-17 => 0.0,
        width => width,
    };
    Some(Kink { centre: a + (b - a) * centre, width: width * (b - a).abs() })
}

/// The sum of x[i] y[i], over as many components as are looked at.
pub(super) fn summed<const C: usize>(x: &[f64; C], y: &[f64; C]) -> f64 {
    let sum: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
    if C < COMPONENTS_MAX { sum + 0.0 } else { sum }
}

/// x without its part along a direction of length 1.
pub(super) fn project_out<const C: usize>(x: &mut [f64; C], unit: &[f64; C]) {
    let along = summed(x, unit);
    x.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
}

/// The integral of f from a to b, N components at once, to a tolerance relative to that of |f|; no numbers where it is
/// not found.
pub(super) fn integrate<const N: usize>(
    a: f64,
    b: f64,
    tolerance: f64,
    kinks: &[Option<Kink>],
    f: impl Fn(f64) -> [f64; N],
) -> [f64; N] {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let zero = [0.0; N];
    let mut sum =
        Sum { f, tolerance, panels: 0, result: zero, rules: [zero; 3], size: zero, scale: zero };
    if a == b {
        return zero;
    }
    if !low.is_finite() || !high.is_finite() || !sum.pieces(low, high, kinks) {
        return [f64::NAN; N];
    }
    if a > b { sum.result.map(|value| -value) } else { sum.result }
}

/// The kink whose branch points are nearest to an end of a piece, if they are near.
pub(super) fn near(end: f64, length: f64, kinks: &[Option<Kink>]) -> Option<Kink> {
    let mut nearest: Option<(f64, Kink)> = None;
    for kink in kinks.iter().flatten().filter(|kink| kink.width > 0.0) {
        let distance = hypot(end - kink.centre, kink.width);
        if distance < length && nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, *kink));
        }
    }
    nearest.map(|(_, kink)| kink)
}

/// What has been summed so far.
pub(super) struct Sum<F, const N: usize> {
    f: F,
    tolerance: f64,
    panels: usize,
    result: [f64; N],
    /// The sums of a panel over 7, 15 and 31 points.
    rules: [[f64; N]; 3],
    /// The integral of |f| of a panel, and as far as it is known.
    size: [f64; N],
    scale: [f64; N],
}

impl<F: Fn(f64) -> [f64; N], const N: usize> Sum<F, N> {
    /// The pieces between the kinks inside, each in the variable that suits the kinks near it; false where one is not
    /// found.
    fn pieces(&mut self, low: f64, high: f64, kinks: &[Option<Kink>]) -> bool {
        let mut breaks = [high; KINKS_MAX + 1];
        let inside = kinks.iter().flatten().filter(|kink| low < kink.centre && kink.centre < high);
        breaks.iter_mut().zip(inside).for_each(|(at, kink)| *at = kink.centre);
        breaks.sort_unstable_by(f64::total_cmp);
        let mut from = low;
        for to in breaks {
            if to - from > f64::EPSILON * (high - low) {
                let (left, right) = (near(from, to - from, kinks), near(to, to - from, kinks));
                let found = if left.is_some() && right.is_some() && left != right {
                    let middle = from + 0.5 * (to - from);
                    self.piece(from, middle, left) && self.piece(middle, to, right)
                } else {
                    self.piece(from, to, left.or(right))
                };
                if !found {
                    return false;
                }
                from = to;
            }
        }
        true
    }
    /// Adds the integral over a piece, s = centre + width sinh u near a kink; false where it is not found.
    fn piece(&mut self, low: f64, high: f64, near: Option<Kink>) -> bool {
        let of = |s: f64| near.map_or(s, |kink| asinh((s - kink.centre) / kink.width));
        let mut open = [(of(low), of(high), 0); DEPTH_MAX + 1];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (low, high, depth) = open[count];
            self.panels += 1;
            let Some(accepted) = self.panel(low, high, near) else { return false };
            if accepted {
                continue;
            }
            if self.panels > PANELS_MAX || depth == DEPTH_MAX {
                return false;
            }
            let middle = 0.5 * (low + high);
            open[count] = (middle, high, depth + 1);
            open[count + 1] = (low, middle, depth + 1);
            count += 2;
        }
        true
    }
    /// Adds the integral over a panel if it is known to the tolerance; none where f is not finite.
    fn panel(&mut self, low: f64, high: f64, near: Option<Kink>) -> Option<bool> {
        (self.rules, self.size) = ([[0.0; N]; 3], [0.0; N]);
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        self.point(middle, half, near, CENTRE);
        self.pairs(middle, half, near, &PAIRS[..PAIRS_OF_15]);
        let mut rule = 1;
        if !self.agrees(1) {
            self.pairs(middle, half, near, &PAIRS[PAIRS_OF_15..]);
            rule = 2;
        }
        if self.rules[rule].iter().any(|sum| !sum.is_finite()) {
            return None;
        }
        let accepted = rule == 1 || self.agrees(2);
        if accepted {
            for i in 0..N {
                self.result[i] += self.rules[rule][i];
            }
        }
        Some(accepted)
    }
    fn pairs(&mut self, middle: f64, half: f64, near: Option<Kink>, pairs: &[(f64, [f64; 3])]) {
        for (x, weights) in pairs {
            self.point(middle - half * x, half, near, *weights);
            self.point(middle + half * x, half, near, *weights);
        }
    }
    /// Adds f at a point to the sums of each rule, |f| to that of 15 points.
    fn point(&mut self, u: f64, half: f64, near: Option<Kink>, weights: [f64; 3]) {
        let (s, slope) = match near {
            None => (u, half),
            Some(kink) => (kink.centre + kink.width * sinh(u), half * (kink.width * cosh(u))),
        };
        for (i, value) in (self.f)(s).into_iter().enumerate() {
            let value = slope * value;
            for (rule, weight) in self.rules.iter_mut().zip(weights) {
                rule[i] += weight * value;
            }
            self.size[i] += weights[1] * value.abs();
        }
    }
    /// Whether the sums of a rule and of the one before it are the same to the tolerance.
    fn agrees(&mut self, rule: usize) -> bool {
        for (scale, size) in self.scale.iter_mut().zip(self.size) {
            *scale = scale.max(size);
        }
        let largest = self.scale.iter().fold(0.0_f64, |largest, scale| largest.max(*scale));
        (0..N).all(|i| {
            let scale = self.scale[i].max(1e-2 * largest);
            let step = |rule: usize| (self.rules[rule][i] - self.rules[rule - 1][i]).abs();
            let difference = step(rule);
            if difference <= self.tolerance * scale {
                return true;
            }
            let relative = difference / scale;
            rule == 2 && relative <= 1e-8 && relative <= powf(step(1) / scale, 1.25)
        })
    }
}
