//! Power series of a motion: the programs of a system as recurrences for Taylor coefficients.
//!
//! With y = (q, v) and y(t₀ + τ) = Σ yₖ τᵏ, every value x of a program has a series of its own, and
//! yₖ₊₁ = (ẏ)ₖ/(k+1). For k ≥ 1:
//!
//! ```text
//! x = a ± b          xₖ = aₖ ± bₖ
//! x = a b            xₖ = a₀bₖ + aₖb₀ + [a, b]ₖ
//! x = a/b            xₖ = (aₖ − x₀bₖ − [x, b]ₖ)/b₀
//! x = √a             xₖ = (aₖ − [x, x]ₖ)/(2x₀)
//! w ẋ = Σ σ u ȧ      xₖ = (Σ σ (aₖu₀ + [ȧ, u]ₖ/k) − [ẋ, w]ₖ/k)/w₀
//!
//! [a, b]ₖ = Σ aⱼbₖ₋ⱼ over 0 < j < k         [ȧ, b]ₖ = Σ j aⱼbₖ₋ⱼ
//! ```
//!
//! A velocity whose acceleration is 0 by derivation does not move; t, and what changes at a rate that
//! does not move, is linear, and its sums have one term:
//!
//! ```text
//! a linear           [a, b]ₖ = [ȧ, b]ₖ = a₁bₖ₋₁, 0 for k = 1
//! ```
//!
//! The rule w ẋ = … is sin, cos, exp, ln, powers, arcs and hyperbolic functions: for sin x, w = 1 and
//! u = cos x; for ln a, a ẋ = ȧ; for aᵖ, a ẋ = p x ȧ; for arctan a, (1 + a²) ẋ = ȧ; and so on. The sums
//! [a, b]ₖ are over lower coefficients only: all of one order are taken at once, in a loop over
//! arrays, before the straight-line code of that order, which is the program
//! [`Series::recurrence`]. A bₖ₋₁ is handed on from the order before. Where other operations than those of
//! order 0 take fewer sums, coefficients follow by those (`shortcuts`).
//!
//! Jorba and Zou, "A software package for the numerical integration of ODEs by means of high-order
//! Taylor methods" (Experimental Mathematics 14, 2005), section 2.

mod known;
mod merged;
mod recurrence;
mod rules;
mod shortcuts;

use super::{Instruction, Program, Value};
use crate::pool::ExprPool;
use merged::Merged;
pub(super) use merged::Motion;
pub use recurrence::{INVERSE, ORDER, STATE, Series, TIME};
use rules::Rules;

impl Series {
    /// The series of a motion. `None` where a value of it has none: functions known at run time,
    /// integrals, |x|, signs and dry friction of what moves.
    pub(super) fn new(motion: &Motion<'_>) -> Option<Self> {
        let mut merged = Merged { still: still(motion), ..Merged::default() };
        let mut outputs: Vec<Value> = if motion.rates.outputs.is_empty() {
            merged.velocities(motion)?
        } else {
            merged.append(motion.pool, motion.rates)?
        };
        let dynamics = merged.append(motion.pool, motion.dynamics)?;
        outputs.extend(dynamics.into_iter().take(motion.speeds));
        let state = outputs.len();
        let rates = outputs.clone();
        for program in motion.observed {
            outputs.extend(merged.append(motion.pool, program)?);
        }
        let observed = outputs.len() - state;
        Some(Rules::new(motion, merged, &rates, &outputs).finish(&outputs, state, observed))
    }
}

impl Series {
    /// The same with sums fused with products.
    pub(super) fn fused(mut self, pool: &ExprPool) -> Self {
        self.start = self.start.fused_keeping(pool, &mut self.captured);
        let known = self.known();
        self.recurrence = self.recurrence.adding_late_terms_last(&known).fused_with(pool, &known);
        self
    }
}

/// Whether each acceleration is 0.
fn still(motion: &Motion<'_>) -> Vec<bool> {
    let Program { instructions, outputs, .. } = motion.dynamics;
    let zero = |value: Value| match instructions[value.index()] {
        Instruction::Constant(bits) => f64::from_bits(bits) == 0.0,
        _ => false,
    };
    outputs.iter().take(motion.speeds).map(|output| zero(output.value)).collect()
}
