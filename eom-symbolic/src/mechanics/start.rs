//! Where the first scenario starts, in numbers: what vanishes there is no divisor of choice.

use super::system::SystemModel;
use crate::node::{ExprId, SymbolId, SymbolKind};
use crate::pool::ExprPool;
use crate::simplify;
use rustc_hash::FxHashMap;

/// A value below this counts as 0.
const ZERO: f64 = 1e-12;

/// The values of symbols; parameters have their defaults.
#[derive(Debug, Clone, Default)]
pub(super) struct Start(FxHashMap<SymbolId, f64>);

impl Start {
    /// The start of the first scenario, or all zeros where there is none.
    pub(super) fn of(model: &SystemModel) -> Self {
        let mut start = Self::default();
        for parameter in &model.parameters {
            if let Some(default) = parameter.default {
                let value = start.value(&model.pool, default);
                start.insert(parameter.symbol, value);
            }
        }
        let scenario = model.scenarios.first();
        let time = scenario.map_or(0.0, |scenario| start.value(&model.pool, scenario.time));
        start.insert(model.time, time);
        let places = [model.positions(), model.velocities()];
        let given = scenario.map(|scenario| [&scenario.position, &scenario.velocity]);
        for (at, symbols) in places.iter().enumerate() {
            for (i, symbol) in symbols.iter().enumerate() {
                let value = given.and_then(|given| given[at].get(i).copied());
                let value = value.map_or(0.0, |value| start.value(&model.pool, value));
                start.insert(*symbol, value);
            }
        }
        if scenario.is_none() {
            model.rotations.iter().for_each(|rotation| start.insert(rotation.quaternion[0], 1.0));
        }
        start
    }

    pub(super) fn insert(&mut self, symbol: SymbolId, value: f64) {
        self.0.insert(symbol, value);
    }

    /// The value of an expression; NaN where it needs a declared function.
    pub(super) fn value(&self, pool: &ExprPool, e: ExprId) -> f64 {
        let symbol = |symbol: SymbolId| match self.0.get(&symbol) {
            Some(value) => *value,
            None if matches!(pool.symbol_info(symbol).kind, SymbolKind::Input(_)) => 0.0,
            None => simplify::at_point(pool, 0, symbol).value,
        };
        pool.evaluate(&[e], symbol).pop().unwrap_or(f64::NAN)
    }

    /// Whether an expression is 0 at the start.
    pub(super) fn vanishes(&self, pool: &ExprPool, e: ExprId) -> bool {
        self.value(pool, e).abs() < ZERO
    }
}
