//! Where the first scenario starts, in numbers: what vanishes there is no divisor of choice.

use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify;
use rustc_hash::FxHashMap;

/// A value below this counts as 0.
const ZERO: f64 = 1e-12;

/// Integrals that stand deeper are not evaluated for print: each level takes a hundred times as long.
pub(in crate::mechanics) const DEPTH_MAX: usize = 2;

/// The values of symbols; parameters have their defaults.
#[derive(Debug, Clone, Default)]
pub(in crate::mechanics) struct Start(FxHashMap<SymbolId, f64>);

impl Start {
    pub(in crate::mechanics) fn insert(&mut self, symbol: SymbolId, value: f64) {
        self.0.insert(symbol, value);
    }

    /// The value of an expression; NaN where it needs a declared function, or integrals of integrals of integrals.
    pub(in crate::mechanics) fn value(&self, pool: &ExprPool, e: ExprId) -> f64 {
        if pool.integral_depth(&[e]) > DEPTH_MAX {
            return f64::NAN;
        }
        let symbol = |symbol: SymbolId| match self.0.get(&symbol) {
            Some(value) => *value,
            None if matches!(pool.symbol_info(symbol).kind, SymbolKind::Input(_)) => 0.0,
            None => simplify::at_point(pool, 0, symbol).value,
        };
        pool.evaluate(&[e], symbol).pop().unwrap_or(f64::NAN)
    }

    /// Whether an expression is 0 at the start.
    pub(in crate::mechanics) fn vanishes(&self, pool: &ExprPool, e: ExprId) -> bool {
        self.value(pool, e).abs() < ZERO
    }
}
