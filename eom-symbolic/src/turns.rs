//! What an expression does where an angle goes on by a whole turn, read off its terms.

use crate::node::{ExprId, SymbolId, View};
use crate::pool::ExprPool;
use rustc_hash::FxHashMap;

impl ExprPool {
    /// k where e(φ + 2π) = e(φ) + 2πk at every φ, with an integer k, as the sums and calls of e show it;
    /// `None` where they do not, which does not mean that there is none.
    ///
    /// ```text
    /// φ: 1    Σ cᵢeᵢ: Σ cᵢkᵢ    c e: c k    sin e, cos e, tan e: 0    anything of what has k = 0: 0
    /// ```
    pub fn turns(&self, expr: ExprId, angle: SymbolId) -> Option<i64> {
        let mut turns: FxHashMap<ExprId, i64> = FxHashMap::default();
        for id in self.postorder(&[expr], Self::symbol_mask(angle)) {
            // What is not in the table is free of the angle.
            let of = |e: ExprId| turns.get(&e).copied().unwrap_or(0);
            let times = |coefficient: ExprId, k: i64| match k {
                0 => Some(0),
                k => self.as_number(coefficient)?.as_integer()?.checked_mul(k),
            };
            let own = match self.view(id) {
                View::Symbol(symbol) => i64::from(symbol == angle),
                View::Sum(terms) => terms
                    .iter()
                    .try_fold(0_i64, |sum, (c, e)| sum.checked_add(times(*c, of(*e))?))?,
                View::Product { coefficient, factors: &[(base, ExprPool::ONE)] } => {
                    times(coefficient, of(base))?
                }
                View::Product { factors, .. } => {
                    factors.iter().all(|(b, n)| of(*b) == 0 && of(*n) == 0).then_some(0)?
                }
                View::Number(_) | View::Undefined => 0,
                View::Call(function, _)
                    if function.description().is_some_and(|f| f.is_periodic) =>
                {
                    0
                }
                View::Call(_, arguments) => arguments.iter().all(|a| of(*a) == 0).then_some(0)?,
                View::Integral { body, lower, upper, .. } => {
                    [body, lower, upper].iter().all(|e| of(*e) == 0).then_some(0)?
                }
            };
            turns.insert(id, own);
        }
        Some(turns.get(&expr).copied().unwrap_or(0))
    }
}
