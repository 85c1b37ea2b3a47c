//! The motion between two steps, for drawing.

use eom_core::contact::{ContactForces, open_accelerations};
use eom_core::{Mode, State, System};

/// The quintic through the positions, velocities and accelerations at both ends of a step, where
/// v = q̇ and a = q̈:
///
/// ```text
/// q(τ) = q₀ + h v₀ τ + h² a₀ τ²/2 + c₃ τ³ + c₄ τ⁴ + c₅ τ⁵,   τ = (t − t₀)/h ∈ [0, 1]
/// D = q₁ − q₀ − h v₀ − h² a₀/2     E = h (v₁ − v₀) − h² a₀     F = h² (a₁ − a₀)
/// c₃ = 10 D − 4 E + F/2            c₄ = −15 D + 7 E − F        c₅ = 6 D − 3 E + F/2
/// ```
///
/// Its error is h⁶ q⁽⁶⁾/46080: invisible for steps of a radian. Speeds that are not q̇ take the cubic
/// through their values and rates at both ends.
///
/// The accelerations are those of the mode of the step, and limits from inside it: what slides up to
/// an end where it stops is braked up to there.
pub(crate) struct Quintic {
    t0: f64,
    h: f64,
    /// Coefficients of τ⁰ … τ⁵ for each coordinate.
    coefficients: Vec<[f64; 6]>,
    /// Coefficients of τ⁰ … τ³ for each speed; none where v = q̇.
    speeds: Vec<[f64; 4]>,
}

impl Quintic {
    /// The curve of a step.
    pub(crate) fn new(
        system: &dyn System,
        inputs: &[f64],
        mode: &Mode,
        from: &State,
        to: &State,
    ) -> Self {
        let h = to.t - from.t;
        let ends = [(from, to), (to, from)].map(|(end, other)| {
            let inside = end.v.iter().zip(&other.v).map(|(v, other)| v + INSIDE * (other - v));
            let state = State { v: inside.collect(), ..end.clone() };
            Motion::new(system, inputs, mode, &state, DIFFERENCE * h)
        });
        let [first, last] = &ends;
        let coefficients = (0..from.q.len())
            .map(|i| {
                let v0 = h * first.rates[i];
                let (a0, a1) = (h * h * first.bends[i], h * h * last.bends[i]);
                let d = to.q[i] - from.q[i] - v0 - a0 / 2.0;
                let e = h * last.rates[i] - v0 - a0;
                let f = a1 - a0;
                let c3 = 10.0 * d - 4.0 * e + f / 2.0;
                let c4 = -15.0 * d + 7.0 * e - f;
                let c5 = 6.0 * d - 3.0 * e + f / 2.0;
                [from.q[i], v0, a0 / 2.0, c3, c4, c5]
            })
            .collect();
        let cubic = |j: usize| {
            let (v0, r0, r1) = (from.v[j], h * first.slopes[j], h * last.slopes[j]);
            let d = to.v[j] - v0;
            [v0, r0, 3.0 * d - 2.0 * r0 - r1, r0 + r1 - 2.0 * d]
        };
        let count = if system.info().is_plain() { 0 } else { from.v.len() };
        Self { t0: from.t, h, coefficients, speeds: (0..count).map(cubic).collect() }
    }

    /// The state at τ.
    pub(crate) fn state(&self, τ: f64) -> State {
        let value = |c: &[f64; 6]| c.iter().rev().fold(0.0, |sum, c| sum * τ + c);
        let slope = |c: &[f64; 6]| (1..6).rev().fold(0.0, |sum, k| sum * τ + k as f64 * c[k]);
        let speed = |c: &[f64; 4]| c.iter().rev().fold(0.0, |sum, c| sum * τ + c);
        let v = if self.speeds.is_empty() {
            self.coefficients.iter().map(|c| slope(c) / self.h).collect()
        } else {
            self.speeds.iter().map(speed).collect()
        };
        State { t: self.t0 + τ * self.h, q: self.coefficients.iter().map(value).collect(), v }
    }
}

/// q̇, q̈ and v̇ at an end of a step.
struct Motion {
    rates: Vec<f64>,
    bends: Vec<f64>,
    slopes: Vec<f64>,
}

/// The part of a step over which q̇ is differenced.
const DIFFERENCE: f64 = 1e-4;

/// The part of the change of v by which an end is moved into its step.
const INSIDE: f64 = 1e-7;

/// v̇ in a mode; 0 where it has no forces, which a run that went through it excludes.
fn accelerations(system: &dyn System, inputs: &[f64], mode: &Mode, state: &State) -> Vec<f64> {
    let State { t, q, v } = state;
    let mut slopes = vec![0.0; v.len()];
    if mode.is_free() {
        let mut λ = vec![0.0; system.info().rows.len()];
        open_accelerations(system, (*t, q, v, inputs), &mut slopes, &mut λ);
        return slopes;
    }
    let mut forces = ContactForces::new(system);
    if forces.solve(system, mode, (*t, q, v, inputs)).is_ok() {
        slopes.copy_from_slice(forces.accelerations());
    }
    slopes
}

impl Motion {
    /// q̈ = v̇ where q̇ = v, else a central difference of S(q) v over ε along the flow.
    fn new(system: &dyn System, inputs: &[f64], mode: &Mode, state: &State, ε: f64) -> Self {
        let State { t, q, v } = state;
        let slopes = accelerations(system, inputs, mode, state);
        let mut rates = vec![0.0; q.len()];
        system.rates(*t, q, v, &mut rates);
        if system.info().is_plain() {
            return Self { rates, bends: slopes.clone(), slopes };
        }
        let moved = |ε: f64| {
            let along = |x: &[f64], slope: &[f64]| -> Vec<f64> {
                x.iter().zip(slope).map(|(x, slope)| x + ε * slope).collect()
            };
            let mut rates_there = vec![0.0; q.len()];
            system.rates(t + ε, &along(q, &rates), &along(v, &slopes), &mut rates_there);
            rates_there
        };
        let pairs = moved(ε).into_iter().zip(moved(-ε));
        let bends = pairs.map(|(after, before)| (after - before) / (2.0 * ε)).collect();
        Self { rates, bends, slopes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eom_core::Declared as _;

    /// The exact arc (26) of the penny: φ = ωt + φ₀, x = (Ω/ω) R sin φ, y = −(Ω/ω) R cos φ.
    fn arc(penny: &models::Penny, t: f64) -> State {
        let (rolling, ω) = (10.0, 0.8);
        let (φ, r) = (ω * t + 0.3, rolling / ω * penny.R);
        let (sin, cos) = f64::sin_cos(φ);
        let v = penny.R * rolling;
        State::new(t, [r * sin, -r * cos, rolling * t, φ], [v * cos, v * sin, rolling, ω])
    }

    #[test]
    fn a_step_of_one_radian_is_drawn_within_a_hundredth_of_a_pixel() {
        let penny = models::Penny::with_parameters(&[None; 6]).unwrap();
        let h = 1.25;
        let quintic =
            Quintic::new(&penny, &[], &Mode::default(), &arc(&penny, 0.0), &arc(&penny, h));
        for k in 0..=20_u8 {
            let τ = f64::from(k) / 20.0;
            let (drawn, exact) = (quintic.state(τ), arc(&penny, τ * h));
            for i in 0..4 {
                // Radius 0.125; h⁶q⁽⁶⁾/46080 is 2.7e-6 for an angle of one radian.
                assert!((drawn.q[i] - exact.q[i]).abs() < 3e-6, "{τ} {i}");
                assert!((drawn.v[i] - exact.v[i]).abs() < 3e-5, "{τ} {i}");
            }
        }
    }
}
