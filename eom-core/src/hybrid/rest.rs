//! Whether nothing moves any more.
//!
//! ```text
//! v = 0      |v̇ᵢ(t,q,0)| ≤ 2ε Σⱼ |∂v̇ᵢ/∂qⱼ||qⱼ|      v̇, g, γ at t′ as at t
//! ```
//!
//! An impact leaves an exact zero where v⁺ is rounding of v⁻. The derivatives are differences.
//! A system does not say whether it depends on t, so it is asked at the times
//! t′ = t + √2·2ʲ, j = −20..20: what starts to move once after longer than that is not foreseen.

use super::automaton::Automaton;

/// The part by which a coordinate is moved.
const MOVED: f64 = 1e-7;

/// Powers of two between the times that are asked for.
const DOUBLINGS: i32 = 20;

impl Automaton<'_> {
    /// Whether the base point will stay where it is.
    pub(super) fn is_at_rest(&mut self) -> bool {
        let (_, v) = self.flow.base.parts();
        v.iter().all(|v| *v == 0.0) && self.is_balanced() && self.is_steady()
    }

    /// Whether the accelerations are zero to rounding.
    fn is_balanced(&self) -> bool {
        let (t, y) = (self.t(), &self.flow.base.y);
        let (n, m) = (self.system.info().positions(), self.system.info().speeds());
        let here = self.accelerations(t, y);
        let (mut moved, mut roundings) = (y.clone(), vec![0.0; m]);
        for j in 0..n {
            moved[j] += MOVED * y[j];
            for ((rounding, there), here) in
                roundings.iter_mut().zip(self.accelerations(t, &moved)).zip(&here)
            {
                *rounding += 2.0 * f64::EPSILON * (there - here).abs() / MOVED;
            }
            moved[j] = y[j];
        }
        here.iter().zip(roundings).all(|(here, rounding)| here.abs() <= rounding)
    }

    /// Whether accelerations and guards are the same at later times.
    fn is_steady(&self) -> bool {
        let (t, y) = (self.t(), &self.flow.base.y);
        let at = |t: f64| {
            let mut values = vec![0.0; self.guards.count()];
            self.guards.values(t, y, &mut values);
            (self.accelerations(t, y), values)
        };
        let here = at(t);
        (-DOUBLINGS..=DOUBLINGS).all(|j| at(t + 2.0_f64.sqrt() * 2.0_f64.powi(j)) == here)
    }

    fn accelerations(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let (q, v) = y.split_at(self.system.info().positions());
        let mut λ = vec![0.0; self.system.info().rows.len()];
        let mut a = vec![0.0; v.len()];
        self.system.accelerations(t, q, v, self.inputs, &mut a, &mut λ);
        a
    }
}
