//! The step size: the first one, and the next from the error of the last.

use super::inverse_root::inverse_root;
use crate::snapshot::words::value;
use eom_elementary as elementary;

/// Bounds of the change of a step, and its safety factor; the values of `dop853.f`.
const SHRINK: f64 = 1.0 / 3.0;
const GROW: f64 = 6.0;
const SAFETY: f64 = 0.9;

/// α and β for the order 8.
const ALPHA: f64 = 0.7 / 8.0;
const BETA: f64 = 0.4 / 8.0;
/// 0.9^((1/8)/(α − β)): errors settle at 0.9^(1/(α − β)) by two errors, and by one with this factor.
const SAFETY_OF_ONE: f64 = 0.704;

/// Error weights wᵢ = aᵢ + r |yᵢ|.
pub(crate) fn weights(relative: f64, absolute: &[f64], y: &[f64], weights: &mut [f64]) {
    for ((weight, absolute), y) in weights.iter_mut().zip(absolute).zip(y) {
        *weight = absolute + relative * y.abs();
    }
}

/// Chooses h so that the error of the next step is near 1, from this error and that of the step before:
///
/// ```text
/// accepted: h⁺ = h·clamp(max(0.9 err^(−α) err₋₁^β, 0.704 err^(−1/8)))
/// rejected: h⁺ = h·clamp(0.9 err^(−1/8))
/// ```
///
/// Gustafsson (ACM Transactions on Mathematical Software 17, 1991), with his α and β; Hairer and Wanner
/// II, section IV.2. Two errors keep a step from growing into a rejection; where both are small, as after
/// an impact, one would grow too slowly by them, and grows by one. After a rejection a step does not grow
/// (Hairer, Nørsett, Wanner I, section II.4).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Controller {
    rejected: bool,
    /// err₋₁.
    before: f64,
}

impl Default for Controller {
    fn default() -> Self {
        Self { rejected: false, before: 1.0 }
    }
}

impl Controller {
    /// Judges a step of size h: whether it is accepted, and the size to go on with. An error
    /// that is not a number is a rejection.
    pub(crate) fn judge(&mut self, error: f64, h: f64) -> (bool, f64) {
        let accepted = error <= 1.0;
        let factor = if accepted {
            // Not a number where both errors are 0, which `max` leaves out.
            let by_two = SAFETY * inverse_root(error, ALPHA) / inverse_root(self.before, BETA);
            by_two.max(SAFETY_OF_ONE * inverse_root(error, 1.0 / 8.0))
        } else if error.is_finite() {
            SAFETY / error.sqrt().sqrt().sqrt()
        } else {
            SHRINK
        };
        let grow = if self.rejected || !accepted { 1.0 } else { GROW };
        if accepted {
            self.before = error;
        }
        self.rejected = !accepted;
        (accepted, h * factor.clamp(SHRINK, grow))
    }
}

/// A first step from slopes: with d₀ = ‖y‖, d₁ = ‖f‖ in the weights, h = 0.01 d₀/d₁, then
/// improved by the change of the slope over it.
///
/// Hairer, Nørsett, Wanner I, section II.4, "starting step size", steps (a) to (f).
pub(crate) fn first_step(
    f: &mut impl FnMut(f64, &[f64], &mut [f64]),
    t: f64,
    y: &[f64],
    slope: &[f64],
    weights: &[f64],
) -> f64 {
    let size = norm(y, weights);
    let speed = norm(slope, weights);
    let h0 = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    let moved: Vec<f64> = y.iter().zip(slope).map(|(y, k)| y + h0 * k).collect();
    let mut change = vec![0.0; y.len()];
    f(t + h0, &moved, &mut change);
    for (change, k) in change.iter_mut().zip(slope) {
        *change -= k;
    }
    let curvature = norm(&change, weights) / h0;
    let largest = speed.max(curvature);
    let h1 = if largest <= 1e-15 {
        (h0 * 1e-3).max(1e-6)
    } else {
        elementary::powf(0.01 / largest, 1.0 / 8.0)
    };
    // A change that is not finite leaves the cautious first guess.
    if h1.is_finite() { h1.min(100.0 * h0) } else { h0 }
}

/// √(Σ (xᵢ/wᵢ)²/N)
pub(crate) fn norm(x: &[f64], weights: &[f64]) -> f64 {
    mean_size(x.iter().zip(weights).map(|(x, w)| x / w), x.len())
}

/// √(Σ xᵢ²/N) of N numbers, in units of the largest where squares overflow.
pub(crate) fn mean_size(parts: impl Iterator<Item = f64> + Clone, count: usize) -> f64 {
    let root = |sum: f64| (sum / count.max(1) as f64).sqrt();
    let plain = root(parts.clone().map(|part| part.powi(2)).sum());
    if plain != f64::INFINITY {
        return plain;
    }
    let largest = parts.clone().fold(1.0, |most: f64, part| most.max(part.abs()));
    largest * root(parts.map(|part| (part / largest).powi(2)).sum())
}

value! { Controller { rejected, before } }

#[cfg(test)]
mod tests {
    use super::{ALPHA, BETA, Controller, SAFETY_OF_ONE};

    #[test]
    fn a_step_does_not_grow_right_after_a_rejection() {
        let mut controller = Controller::default();
        let (accepted, smaller) = controller.judge(256.0, 1.0);
        assert!(!accepted);
        assert!((smaller - 0.45).abs() < 1e-15, "0.9/2, found {smaller}");
        assert_eq!(controller.judge(1e-12, smaller), (true, smaller));
        assert_eq!(controller.judge(1e-12, smaller), (true, 6.0 * smaller));
    }

    /// An error that rises is answered by more than its size asks for, one that falls by less.
    #[test]
    fn the_error_before_tells_where_errors_go() {
        let next = |errors: [f64; 2]| {
            let mut controller = Controller::default();
            errors.map(|error| controller.judge(error, 1.0).1)[1]
        };
        let [rising, falling] = [next([0.1, 0.4]), next([1.0, 0.4])];
        let by_formula = |before: f64| 0.9 * 0.4_f64.powf(-ALPHA) * before.powf(BETA);
        assert!((rising - by_formula(0.1)).abs() < 1e-3, "{rising}");
        assert!((falling - by_formula(1.0)).abs() < 1e-3, "{falling}");
        assert!(rising < falling);
    }

    /// Where errors are small, a step grows as by one error; both rules rest at the same error.
    #[test]
    fn small_errors_are_no_reason_to_wait() {
        let after =
            |before: f64, error: f64| Controller { rejected: false, before }.judge(error, 1.0).1;
        let by_one = 0.704 * 1e-5_f64.powf(-0.125);
        for before in [1e-4, 1e-9, 0.0] {
            assert!((after(before, 1e-5) - by_one).abs() < 1e-3, "{before:e}");
        }
        assert_eq!(after(0.0, 0.0), 6.0);
        let settled = 0.9_f64.powf(1.0 / (ALPHA - BETA));
        assert!((after(settled, settled) - 1.0).abs() < 1e-3);
        assert!((SAFETY_OF_ONE - 0.9_f64.powf(0.125 / (ALPHA - BETA))).abs() < 1e-3);
    }

    #[test]
    fn an_error_that_is_not_a_number_is_a_rejection() {
        assert_eq!(Controller::default().judge(f64::NAN, 3.0), (false, 1.0));
    }
}
