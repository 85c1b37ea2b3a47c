//! Where in a step a guard changes sign, on the dense output.

use super::guards::Guards;
use std::f64::consts::PI;

/// Intervals between the sampling points of a step.
const INTERVALS: usize = 8;
const POINTS: usize = INTERVALS + 1;

/// Halvings towards the start of a step that look for g > 0 of a contact that is leaving.
const HALVINGS_MAX: usize = 60;

/// Steps of the bisection for an extremum: its value is then exact to rounding, since it is flat.
const EXTREMUM_STEPS: usize = 40;

/// A piece [low, high] of the step, as parts of it, in which a guard goes from `side` to the
/// other one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Crossing {
    pub(crate) guard: usize,
    pub(crate) side: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The golden section (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// What a scan of one guard found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    Clear,
    Crosses(Crossing),
    /// The sign at this part of the step is wrong, and no right sign is found before it.
    Unresolved {
        until: f64,
    },
    NotFinite,
}

/// Sampling points and values of all guards.
#[derive(Debug)]
pub(crate) struct Scan {
    points: [f64; POINTS],
    /// The derivative at the points of the polynomial through the values there.
    differentiation: [[f64; POINTS]; POINTS],
    /// Values, all guards at a point together.
    values: Vec<f64>,
    guards: usize,
}

impl Scan {
    pub(crate) fn new(guards: usize) -> Self {
        let points = std::array::from_fn(|i| 0.5 - 0.5 * (PI * i as f64 / INTERVALS as f64).cos());
        Self {
            points,
            differentiation: differentiation(&points),
            values: vec![0.0; POINTS * guards],
            guards,
        }
    }

    /// Evaluates all guards at all points; `evaluate(s, values)` writes them at the part s.
    pub(crate) fn sample(&mut self, mut evaluate: impl FnMut(f64, &mut [f64])) {
        for (point, values) in self.points.iter().zip(self.values.chunks_exact_mut(self.guards)) {
            evaluate(*point, values);
        }
    }

    /// The first crossing of a guard in (0, 1]; `value(s)` is the guard on the dense output.
    pub(crate) fn first_crossing(
        &self,
        guards: &Guards<'_>,
        guard: usize,
        mut value: impl FnMut(f64) -> f64,
    ) -> Verdict {
        let values: [f64; POINTS] = std::array::from_fn(|i| self.values[i * self.guards + guard]);
        if values.iter().any(|value| !value.is_finite()) {
            return Verdict::NotFinite;
        }
        let mut side = guards.side(guard);
        for i in 0..INTERVALS {
            let (low, high) = (self.points[i], self.points[i + 1]);
            let leaving = i == 0 && guards.is_leaving(guard);
            if leaving && values[1] <= 0.0 {
                return first_flight(guard, high, value);
            }
            let turn = if leaving {
                None
            } else {
                let slopes = [self.slope(&values, i), self.slope(&values, i + 1)];
                let ends = [values[i], values[i + 1]];
                turning_point(&mut value, [low, high], ends, slopes)
            };
            let mut start = low;
            for (end, there) in turn.into_iter().chain([(high, values[i + 1])]) {
                if guards.fires(guard, side, there) {
                    return Verdict::Crosses(Crossing { guard, side, low: start, high: end });
                }
                if there != 0.0 {
                    side = there.signum();
                }
                start = end;
            }
        }
        Verdict::Clear
    }

    fn slope(&self, values: &[f64; POINTS], i: usize) -> f64 {
        crate::linalg::dot(&self.differentiation[i], values)
    }
}

/// A contact that left g ≈ 0 at the start is back at `high`: halves towards the start until g > 0.
fn first_flight(guard: usize, high: f64, mut value: impl FnMut(f64) -> f64) -> Verdict {
    let mut end = high;
    for _ in 0..HALVINGS_MAX {
        let middle = end / 2.0;
        if value(middle) > 0.0 {
            return Verdict::Crosses(Crossing { guard, side: 1.0, low: middle, high: end });
        }
        end = middle;
    }
    Verdict::Unresolved { until: high }
}

/// The point and value where a guard that has one sign at both ends comes nearest to zero, where
/// its slopes say that it turns back between them.
fn turning_point(
    value: &mut impl FnMut(f64) -> f64,
    [mut low, mut high]: [f64; 2],
    ends: [f64; 2],
    slopes: [f64; 2],
) -> Option<(f64, f64)> {
    let side = if ends[0] == 0.0 { ends[1].signum() } else { ends[0].signum() };
    let one_sided = ends[0] * side >= 0.0 && ends[1] * side > 0.0;
    if !one_sided || slopes[0] * side >= 0.0 || slopes[1] * side <= 0.0 {
        return None;
    }
    // Golden sections: of the two inner points the lower one is kept inside.
    let mut a = high - GOLDEN * (high - low);
    let mut b = low + GOLDEN * (high - low);
    let (mut at_a, mut at_b) = (value(a) * side, value(b) * side);
    for _ in 0..EXTREMUM_STEPS {
        if at_a <= 0.0 || at_b <= 0.0 {
            break;
        }
        if at_a < at_b {
            high = b;
            (b, at_b) = (a, at_a);
            a = high - GOLDEN * (high - low);
            at_a = value(a) * side;
        } else {
            low = a;
            (a, at_a) = (b, at_b);
            b = low + GOLDEN * (high - low);
            at_b = value(b) * side;
        }
    }
    Some(if at_a < at_b { (a, at_a * side) } else { (b, at_b * side) })
}

/// D with (D y)ᵢ = p′(xᵢ) for the polynomial p through (xⱼ, yⱼ), by barycentric weights:
/// Dᵢⱼ = (wⱼ/wᵢ)/(xᵢ − xⱼ), Dᵢᵢ = −Σ Dᵢⱼ (Berrut, Trefethen, Barycentric Lagrange
/// interpolation, 2004, section 9.3).
fn differentiation(x: &[f64; POINTS]) -> [[f64; POINTS]; POINTS] {
    let weight = |i: usize| -> f64 {
        let product: f64 = (0..POINTS).filter(|&j| j != i).map(|j| x[i] - x[j]).product();
        1.0 / product
    };
    let mut matrix = [[0.0; POINTS]; POINTS];
    for i in 0..POINTS {
        for j in (0..POINTS).filter(|&j| j != i) {
            matrix[i][j] = weight(j) / weight(i) / (x[i] - x[j]);
            matrix[i][i] -= matrix[i][j];
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_exact_for_polynomials_of_degree_eight() {
        let scan = Scan::new(1);
        let values = scan.points.map(|s| 3.0 * s.powi(8) - s.powi(3) + 0.5);
        for (i, s) in scan.points.iter().enumerate() {
            let slope = scan.slope(&values, i);
            let exact = 24.0 * s.powi(7) - 3.0 * s.powi(2);
            assert!((slope - exact).abs() < 1e-11, "at {s}: {slope} for {exact}");
        }
    }

    #[test]
    fn a_guard_that_touches_nothing_turns_at_its_minimum() {
        let mut parabola = |s: f64| (s - 0.4).powi(2) + 1e-6;
        let ends = [parabola(0.3), parabola(0.5)];
        let (s, value) = turning_point(&mut parabola, [0.3, 0.5], ends, [-0.2, 0.2]).unwrap();
        assert!((s - 0.4).abs() < 1e-7 && (value - 1e-6).abs() < 1e-13, "{s} {value}");
    }
}
